//! Style sheet, modules and words, inside the program. Their URL has a hash of all of them, so
//! that a browser may cache them forever.

use crate::gallery::FIGURES;
use crate::words::Words;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use common::Language;
use std::collections::BTreeMap;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_bytes!(concat!("../assets/", $name)).as_slice())),+]
    };
}

const FILES: [(&str, &[u8]); 38] = files![
    "analysis.js",
    "api.js",
    "beliefs.js",
    "board-art.js",
    "board-input.js",
    "board.js",
    "curves.js",
    "dom.js",
    "explore.js",
    "gallery.js",
    "game-invite.js",
    "game-news.js",
    "game-words.js",
    "game.js",
    "geister-course.js",
    "geister-game.js",
    "geister-setup.js",
    "icon.svg",
    "kriegspiel-art.js",
    "kriegspiel-course.js",
    "kriegspiel-game.js",
    "kriegspiel-notes.js",
    "kriegspiel-umpire.js",
    "lessons.js",
    "line.js",
    "phantom-tic-tac-toe-game.js",
    "play.js",
    "position.js",
    "replay.js",
    "result.js",
    "review.js",
    "site.js",
    "solve.js",
    "style.css",
    "theme.js",
    "timer.js",
    "values.js",
    "words.js",
];

/// All assets.
pub struct Assets {
    base: String,
    files: BTreeMap<String, (Bytes, &'static str)>,
}

impl Default for Assets {
    fn default() -> Assets {
        let shipped = FILES
            .iter()
            .chain(&FIGURES)
            .map(|(name, bytes)| ((*name).to_owned(), Bytes::from_static(bytes)));
        let words = Language::ALL.map(|language| {
            (format!("words-{language}.js"), Bytes::from(Words::of(language).module()))
        });
        let files: BTreeMap<String, (Bytes, &'static str)> = shipped
            .chain(words)
            .map(|(name, bytes)| {
                let kind = kind_of(&name);
                (name, (bytes, kind))
            })
            .collect();
        let all: String = files.iter().fold(String::new(), |all, (name, (bytes, _))| {
            let text = String::from_utf8_lossy(bytes);
            format!("{:x}", common::fnv::hash(&format!("{all} {name} {text}")))
        });
        Assets { base: format!("/assets/{all}"), files }
    }
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

impl Assets {
    /// The path they are under.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// An asset by its name. An old hash gets the newest: a page that is open while the site is
    /// updated continues to work, but that response is not cached.
    pub fn get(&self, hash: &str, name: &str) -> Option<Response> {
        let (bytes, kind) = self.files.get(name)?;
        let fresh = self.base.ends_with(hash);
        let keep = if fresh { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
        ];
        Some((headers, bytes.clone()).into_response())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is added to the folder has to be added here.
    #[test]
    fn every_asset_file_is_embedded() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let found: std::collections::BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let inside = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(found, inside);
    }
}
