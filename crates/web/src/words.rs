//! The translations. `words/en.json` and `words/ja.json` hold them for the
//! server and the browser alike; names that other crates have are taken from there.

use common::Language;
use puzzle::Theme;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The words of one language.
pub struct Words {
    language: Language,
    words: BTreeMap<String, String>,
}

fn file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../words/en.json"),
        Language::Japanese => include_str!("../words/ja.json"),
    }
}

impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Words {
        static ALL: OnceLock<[Words; 2]> = OnceLock::new();
        let all = ALL.get_or_init(|| Language::ALL.map(Words::read));
        &all[usize::from(language == Language::Japanese)]
    }

    fn read(language: Language) -> Words {
        // A test reads both files.
        let mut words: BTreeMap<String, String> =
            serde_json::from_str(file(language)).unwrap_or_default();
        for theme in Theme::ALL {
            words.insert(
                format!("theme.{theme}"),
                puzzle::export::Words(language).theme(theme).to_owned(),
            );
        }
        Words { language, words }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The words for a key; the key itself if there are none, which a test rules out.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.words.get(key).map_or(key, String::as_str)
    }

    /// The words for a key with a value instead of each `{name}`. If `n` is 1, the key with
    /// `.one` behind it comes first.
    pub fn with(&self, key: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
        let one = values.iter().any(|(name, value)| *name == "n" && value.to_string() == "1");
        let singular = one.then(|| self.words.get(&format!("{key}.one"))).flatten();
        let text = singular.map_or_else(|| self.get(key), String::as_str);
        values.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), &value.to_string())
        })
    }

    /// A JavaScript module with the words that browsers use.
    pub fn module(&self) -> String {
        let used: BTreeMap<&String, &String> =
            self.words.iter().filter(|(key, _)| is_for_browser(key)).collect();
        let words = serde_json::to_string(&used).unwrap_or_default();
        format!("export default {words};\n")
    }
}

/// The prefixes of words that only pages made by the server use; browsers do not load them.
const SERVER_ONLY: [&str; 16] = [
    "browse.",
    "category.",
    "footer.",
    "gallery.",
    "home.",
    "no-position.",
    "play.",
    "progress.",
    "puzzle.",
    "revealed.",
    "review.",
    "rules.",
    "settings.",
    "site.",
    "studies.",
    "study.limit",
];

/// Whether browsers load the words of a key.
fn is_for_browser(key: &str) -> bool {
    key.starts_with("settings.claimed") || !SERVER_ONLY.iter().any(|start| key.starts_with(start))
}

/// The language that a browser prefers by `Accept-Language`: of those there are, the one with the
/// highest quality; English if there is none.
pub fn preferred(accept: &str) -> Language {
    let mut best = (Language::English, 0.0);
    for part in accept.split(',').take(32) {
        let mut fields = part.split(';');
        let tag = fields.next().unwrap_or("").trim().to_ascii_lowercase();
        let quality = fields.find_map(|field| field.trim().strip_prefix("q=")?.parse::<f64>().ok());
        let primary = tag.split('-').next().unwrap_or("");
        let Ok(language) = primary.parse::<Language>() else { continue };
        let quality = quality.unwrap_or(1.0);
        if quality > best.1 {
            best = (language, quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn read(language: Language) -> BTreeMap<String, String> {
        serde_json::from_str(file(language)).unwrap()
    }

    /// The names of the values in a text; for the length of a win English uses `n`, the
    /// player's own moves, and Japanese `plies`.
    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}'))
            .map(|(name, _)| if name == "plies" { "n" } else { name })
            .collect()
    }

    /// Japanese has no singular; every other key is there in both languages with the same places to
    /// fill, and no word is empty.
    #[test]
    fn both_languages_are_complete() {
        let [english, japanese] = Language::ALL.map(read);
        for (key, text) in &english {
            assert!(!text.trim().is_empty(), "{key}");
            let Some(other) = japanese.get(key) else {
                assert!(key.ends_with(".one"), "{key} is missing in Japanese");
                continue;
            };
            assert!(!other.trim().is_empty(), "{key}");
            assert_eq!(placeholders(text), placeholders(other), "{key}");
        }
        for key in japanese.keys() {
            assert!(english.contains_key(key), "{key} is missing in English");
        }
    }

    /// The text of every file in these folders of the site and below them, but for this file.
    fn sources(folders: &[&str]) -> String {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
        let mut text = String::new();
        while let Some(folder) = folders.pop() {
            for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
                if file.is_dir() {
                    folders.push(file);
                } else if !file.ends_with("words.rs") {
                    text += &String::from_utf8_lossy(&std::fs::read(&file).unwrap());
                }
            }
        }
        text
    }

    /// Words whose key is put together from a part that is written out and one that is not.
    const COMPOSED: [&str; 35] = [
        "analysis.",
        "browse.sort.",
        "browse.state.",
        "category.",
        "end.own.",
        "end.top.",
        "error.",
        "game.captured.",
        "game.check.",
        "game.ghost.",
        "game.how.",
        "game.moved.",
        "game.piece.",
        "game.seat.",
        "game.umpire.",
        "gallery.",
        "grade.",
        "judge.",
        "opponent.",
        "outcome.",
        "piece.",
        "play.",
        "playback.",
        "rate.difficulty",
        "rate.interest",
        "reason.",
        "replay.",
        "result.unrated.",
        "revealed.",
        "rules.",
        "strength.",
        "theme.",
        "value.",
        "verdict.",
        "cell.",
    ];

    /// Every key that is used has words, and all words are used.
    #[test]
    fn all_used_words_exist_and_all_words_are_used() {
        let (sources, words) =
            (sources(&["src", "assets", "../service/src"]), read(Language::English));
        let quoted = |key: &str| {
            ['"', '\'', '`'].iter().any(|mark| sources.contains(&format!("{mark}{key}{mark}")))
        };
        for key in words.keys() {
            let composed = COMPOSED.iter().any(|start| key.starts_with(start));
            assert!(quoted(key.trim_end_matches(".one")) || composed, "nobody says {key}");
        }
        let all = Words::of(Language::English);
        for call in ["words.get(\"", "words.with(\"", " t('", "(t('"] {
            let keys =
                sources.split(call).skip(1).filter_map(|rest| rest.split(['"', '\'']).next());
            for key in keys.filter(|key| !key.is_empty()) {
                assert!(all.words.contains_key(key), "there are no words for {key}");
            }
        }
        for call in ["Problem::bad(\"", "ServiceError::bad(\"", "ServiceError::conflict(\""] {
            let codes = sources.split(call).skip(1).filter_map(|rest| rest.split('"').next());
            for code in codes {
                let key = format!("error.{code}");
                assert!(all.words.contains_key(&key), "there are no words for {key}");
            }
        }
    }

    #[test]
    fn every_opponent_has_a_name_and_a_character() {
        for opponent in service::games::opponents::all() {
            for words in Language::ALL.map(Words::of) {
                let id = opponent.id;
                for key in [format!("opponent.{id}"), format!("opponent.{id}.text")] {
                    assert_ne!(words.get(&key), key);
                }
            }
        }
    }

    /// What the browser does not get, no module names.
    #[test]
    fn the_browser_gets_the_words_it_uses() {
        let modules = sources(&["assets"]);
        let module = Words::of(Language::English).module();
        for key in read(Language::English).keys() {
            let told = module.contains(&format!("\"{key}\":"));
            assert_eq!(told, is_for_browser(key), "{key}");
            let named = ['\'', '`', '"'].iter().any(|mark| {
                modules.contains(&format!("{mark}{}{mark}", key.trim_end_matches(".one")))
            });
            assert!(told || !named, "a module says {key}");
        }
        for start in SERVER_ONLY {
            assert!(!modules.contains(&format!("`{start}$")), "a module puts {start} together");
        }
    }

    #[test]
    fn the_language_of_the_browser_is_respected() {
        assert_eq!(preferred("ja,en-US;q=0.7,en;q=0.3"), Language::Japanese);
        assert_eq!(preferred("en-GB,ja;q=0.9"), Language::English);
        assert_eq!(preferred("de-DE,de;q=0.9,ja;q=0.5,en;q=0.4"), Language::Japanese);
        for nothing in ["", "fr", ";;;,,,q=", "en;q=x", "\u{1F47B}"] {
            assert_eq!(preferred(nothing), Language::English, "{nothing}");
        }
    }
}
