//! The HTML pages, made on the server in the visitor's language, which the modules of
//! `assets/` bring to life.

mod analysis;
mod browse;
mod form;
mod gallery;
mod home;
mod layout;
mod play;
mod preview;
mod progress;
mod rules;
mod settings;
mod solve;
mod studies;

use crate::api;
use crate::app::{App, Shared};
use crate::context::RequestContext;
use crate::problem::Problem;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use layout::{Page, html};
use maud::html as markup;

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(home::home))
        .route("/puzzles", get(browse::browse))
        .route("/puzzle/{id}", get(solve::puzzle))
        .route("/puzzle/{id}/preview.png", get(preview::preview))
        .route("/daily", get(solve::daily))
        .route("/streak", get(solve::streak))
        .route("/review", get(browse::review))
        .route("/play", get(play::lobby))
        .route("/game/{id}", get(play::game))
        .route("/gallery", get(gallery::gallery))
        .route("/analysis", get(analysis::analysis))
        .route("/progress", get(progress::progress))
        .route("/rules", get(rules::rules))
        .route("/settings", get(settings::settings))
        .route("/settings/delete", get(settings::ask_to_delete).post(settings::delete))
        .route("/settings/deleted", get(settings::deleted))
        .route("/language", post(settings::language))
        .route("/study/{id}", get(studies::take_part).post(studies::consent))
        .route("/studies", get(studies::list).post(studies::create))
        .route("/studies/sign-in", post(studies::sign_in))
        .route("/studies/{id}", post(studies::close))
        .route("/studies/{id}/ratings.csv", get(api::studies::ratings))
}

/// A page that says what went wrong, and what to do next.
pub fn problem(app: &App, context: &RequestContext, problem: &Problem) -> String {
    let words = context.words;
    if problem.status == StatusCode::UNAUTHORIZED {
        return studies::sign_in_page(app, context, None).into_string();
    }
    let body = markup! {
        div.prose {
            h1 { (words.get("error.title")) }
            p { (problem.message(words)) }
            p { a.button.primary href="/" { (words.get("error.home")) } }
        }
    };
    html(app, context, &Page::new(words.get("error.title")), &body).into_string()
}

#[cfg(test)]
mod tests {
    /// The browser tests check the accessibility and the words of a page, but only if they open it.
    #[test]
    fn the_browser_tests_open_every_page() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let scripts = files.filter(|path| path.extension().is_some_and(|kind| kind == "js"));
        let tests: String = scripts.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let routes = include_str!("mod.rs").lines().filter_map(|line| {
            let (address, handler) = line.trim().strip_prefix(".route(\"")?.split_once("\", ")?;
            handler.starts_with("get(").then_some(address)
        });
        let addresses: Vec<&str> = routes.filter(|address| !address.contains('{')).collect();
        assert!(addresses.len() > 10, "{addresses:?}");
        for address in addresses {
            let is_opened = tests.contains(&format!("'{address}'"));
            assert!(is_opened, "add {address} to PAGES in tests/browser/house.js");
        }
    }
}
