//! The documents are true: every file they name exists, and every Rust path in the glossary and the
//! references names a module or an item.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use std::fs;
use std::path::{Path, PathBuf};

/// Documents that name files.
const WITH_FILES: [&str; 4] =
    ["ARCHITECTURE.md", "CONTRIBUTING.md", "REFERENCES.md", "docs/glossary.md"];

/// Documents that name Rust items.
const WITH_ITEMS: [&str; 2] = ["REFERENCES.md", "docs/glossary.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap()
}

/// The text in backquotes, and what follows each up to the end of its line.
fn quoted(document: &str) -> Vec<(&str, &str)> {
    let is_fence = |line: &&str| line.starts_with("```");
    let mut names = Vec::new();
    for line in document.lines().filter(|line| !is_fence(line)) {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once('`') {
            let Some((name, after)) = after.split_once('`') else { break };
            names.push((name, after));
            rest = after;
        }
    }
    names
}

/// The files under `folder`, at any depth.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_under(&path));
        } else {
            files.push(path);
        }
    }
    files
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether `text` contains `word` between characters that cannot be part of a name.
fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

/// Names in backquotes with a slash are paths from the root or from `crates/`; those with the ending of
/// a source file alone are files somewhere in `crates/`. The targets of links are paths from the
/// document.
#[test]
fn every_file_that_a_document_names_exists() {
    let sources = files_under(&root().join("crates"));
    for document in WITH_FILES {
        let text = read(document);
        let mut missing = Vec::new();
        let mut count = 0;
        for (name, _) in quoted(&text) {
            let is_plain = name.chars().all(|c| is_word(c) || "/.-".contains(c));
            let exists = match name {
                _ if !is_plain || name.starts_with('/') => continue,
                _ if name.contains('/') => {
                    [root().join(name), root().join("crates").join(name)].iter().any(|p| p.exists())
                }
                _ if name.ends_with(".rs") => sources.iter().any(|path| path.ends_with(name)),
                _ => continue,
            };
            count += 1;
            if !exists {
                missing.push(name);
            }
        }
        let folder = root().join(document).parent().unwrap().to_owned();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.is_empty() && !link.contains("://") && !folder.join(link).exists() {
                missing.push(link);
            }
        }
        assert!(missing.is_empty(), "{document} names files that do not exist: {missing:?}");
        assert!(count > 0 || document == "docs/glossary.md", "{document} names no files");
    }
}

/// The sources of all crates.
struct Sources {
    crates: Vec<PathBuf>,
}

impl Sources {
    fn new() -> Sources {
        let crates = fs::read_dir(root().join("crates")).unwrap();
        Sources { crates: crates.map(|entry| entry.unwrap().path().join("src")).collect() }
    }

    /// Whether a path such as `games::hidden::Resample` names something: it begins with a crate, or
    /// with a type, as in `Verdict::Win`.
    fn resolve(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split("::").collect();
        let source_of = |name| {
            let is_it = |src: &&PathBuf| src.parent().unwrap().ends_with(name);
            self.crates.iter().find(is_it)
        };
        match source_of(names[0]) {
            Some(src) => resolve_in_crate(src, &names[1..]),
            None => self.crates.iter().any(|src| has_member(src, &names)),
        }
    }
}

/// Follows modules as far as there are files; then the module has to define or export the next name,
/// and a last one is its member.
fn resolve_in_crate(src: &Path, names: &[&str]) -> bool {
    let (mut folder, mut module) = (src.to_owned(), src.join("lib.rs"));
    for (index, name) in names.iter().enumerate() {
        let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
        match files.into_iter().find(|file| file.is_file()) {
            Some(file) => (folder, module) = (folder.join(name), file),
            None => {
                let text = fs::read_to_string(&module).unwrap();
                let rest = &names[index..];
                return (defines(&text, name) || exports(&text, name))
                    && (rest.len() == 1 || has_member(src, rest));
            }
        }
    }
    module.is_file()
}

/// Whether a source defines an item of this name.
fn defines(source: &str, name: &str) -> bool {
    let keywords = ["struct", "enum", "trait", "fn", "mod", "type", "const", "static"];
    keywords.iter().any(|keyword| contains_word(source, &format!("{keyword} {name}")))
}

/// Whether a source has this name in a `use` that others see.
fn exports(source: &str, name: &str) -> bool {
    let statements = ["pub use ", "pub(crate) use "].map(|start| source.split(start).skip(1));
    let mut statements = statements.into_iter().flatten();
    statements.any(|rest| rest.split(';').next().is_some_and(|names| contains_word(names, name)))
}

/// Whether a crate defines the type of `[type, member]`, and the member in a file that mentions the
/// type: a function, a constant, an associated type, a variant or a field.
fn has_member(src: &Path, names: &[&str]) -> bool {
    let &[owner, member] = names else { return false };
    if !src.is_dir() {
        return false;
    }
    let files = files_under(src).into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let sources: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let defines_owner = |source: &String| {
        let keywords = ["struct", "enum", "trait"].iter();
        keywords
            .map(|keyword| format!("{keyword} {owner}"))
            .any(|item| contains_word(source, &item))
    };
    let is_part = |line: &str| {
        let rest = line.trim_start().trim_start_matches("pub ").strip_prefix(member);
        rest.is_some_and(|rest| rest.starts_with([',', '(', ':']) || rest.starts_with(" {"))
    };
    let declares_member = |source: &String| defines(source, member) || source.lines().any(is_part);
    sources.iter().any(defines_owner)
        && sources.iter().any(|source| contains_word(source, owner) && declares_member(source))
}

/// The Rust paths of a document: `a::b`, also with arguments, and `a::b` (`c`, `d`), which are
/// `a::b::c` and `a::b::d`.
fn rust_paths(document: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, after) in quoted(document) {
        let path = name.split('(').next().unwrap();
        if !path.contains("::") || !path.chars().all(|c| is_word(c) || c == ':') {
            continue;
        }
        paths.push(path.to_owned());
        let inside = after.strip_prefix(" (").and_then(|rest| rest.split(')').next());
        let parts = inside.map(|inside| inside.split(", ")).into_iter().flatten();
        for part in parts.filter_map(|part| part.strip_prefix('`')?.strip_suffix('`')) {
            if part.chars().all(is_word) {
                paths.push(format!("{path}::{part}"));
            }
        }
    }
    paths
}

#[test]
fn every_rust_path_of_the_glossary_and_the_references_exists() {
    let sources = Sources::new();
    for document in WITH_ITEMS {
        let paths = rust_paths(&read(document));
        assert!(paths.len() > 40, "{document} names {} Rust paths", paths.len());
        let wrong: Vec<&String> = paths.iter().filter(|path| !sources.resolve(path)).collect();
        assert!(wrong.is_empty(), "{document} names items that do not exist: {wrong:?}");
    }
}

#[test]
fn only_existing_items_resolve() {
    let sources = Sources::new();
    for path in [
        "games::hidden::Resample",
        "games::hidden::resample::Resample",
        "Foresight::pseudo",
        "search::dfpn",
        "search::Verdict::Win",
        "Verdict::Win",
        "geister::reference::Techniques::lower_bounds",
    ] {
        assert!(sources.resolve(path), "{path}");
    }
    for path in [
        "game::hidden::Resample",
        "games::hide::Resample",
        "games::hidden::Resampling",
        "games::Resampled",
        "Foresight::pseudos",
        "Foreknowledge::pseudo",
        "search::df_pn",
        "Verdict::Wins",
        "geister::reference::Techniques::upper_bounds",
    ] {
        assert!(!sources.resolve(path), "{path}");
    }
}
