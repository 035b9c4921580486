//! ARCHITECTURE.md is true and short: its diagram shows the crates as Cargo knows them.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A newcomer reads it on the first day.
const MAX_LINES: usize = 250;

type Graph = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The dependencies between the crates of the workspace, without those of tests.
fn dependencies() -> Graph {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let needs = |package: &Value| {
        let normal = list(&package["dependencies"])
            .into_iter()
            .filter(|one| one["path"].is_string() && one["kind"].is_null());
        normal.map(|one| name(&one)).collect()
    };
    list(&metadata["packages"]).iter().map(|package| (name(package), needs(package))).collect()
}

/// Whether `from` depends on `to`, directly or indirectly.
fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    graph[from].iter().any(|next| next == to || reaches(graph, next, to))
}

/// The transitive reduction of the graph.
fn transitive_reduction(graph: &Graph) -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    for (from, needs) in graph {
        for to in needs {
            let implied = needs.iter().any(|other| other != to && reaches(graph, other, to));
            if !implied {
                edges.insert((from.clone(), to.clone()));
            }
        }
    }
    edges
}

/// The edges of the diagram: lines such as `spuk --> web & lab`.
fn diagram_edges(document: &str) -> BTreeSet<(String, String)> {
    let diagram = document.split("```mermaid").nth(1).unwrap().split("```").next().unwrap();
    let mut edges = BTreeSet::new();
    for line in diagram.lines() {
        let Some((from, to)) = line.split_once("-->") else { continue };
        for to in to.split('&') {
            edges.insert((from.trim().to_owned(), to.trim().to_owned()));
        }
    }
    edges
}

#[test]
fn the_diagram_shows_the_crates() {
    let (graph, document) = (dependencies(), document());
    assert!(graph.len() > 10, "cargo metadata listed {} crates", graph.len());
    let expected = transitive_reduction(&graph);
    let drawn = diagram_edges(&document);
    let lines = |edges: Vec<&(String, String)>| -> Vec<String> {
        edges.into_iter().map(|(from, to)| format!("{from} --> {to}")).collect()
    };
    let missing = lines(expected.difference(&drawn).collect());
    let wrong = lines(drawn.difference(&expected).collect());
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "the diagram in ARCHITECTURE.md differs from Cargo.toml: add {missing:?}, remove {wrong:?}"
    );
    for name in graph.keys() {
        assert!(document.contains(&format!("| `{name}` |")), "the table of crates lacks {name}");
    }
}

#[test]
fn the_document_is_short() {
    let lines = document().lines().count();
    assert!(lines <= MAX_LINES, "ARCHITECTURE.md has {lines} lines; at most {MAX_LINES}");
}
