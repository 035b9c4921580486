//! The description of the interface is true and complete.

use crate::harness::{Answer, on_every_site};
use crate::schema::{check, resolve};
use axum::http::Method;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::OnceLock;

fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::from_str(web::api::OPENAPI).unwrap())
}

/// Whether a path is one of this pattern.
fn fits(pattern: &str, path: &str) -> bool {
    let parts = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (pattern, path) = (parts(pattern), parts(path));
    let fits_part = |(one, other): (&String, &String)| one == "{id}" || one == other;
    pattern.len() == path.len() && pattern.iter().zip(&path).all(fits_part)
}

/// What the document says about a request; words before places.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let paths = document()["paths"].as_object().unwrap();
    let exact = paths.get(path);
    let found = exact.or_else(|| paths.iter().find(|(known, _)| fits(known, path)).map(|(_, p)| p));
    found?.get(method)
}

/// Fails unless the document describes this answer to this request.
pub(crate) fn expect_described(method: &Method, address: &str, answer: &Answer) {
    let path = address.split('?').next().unwrap();
    let Some(operation) = operation(&method.as_str().to_lowercase(), path) else { return };
    let status = answer.status.as_str();
    let told = operation["responses"].get(status);
    let told = told.unwrap_or_else(|| panic!("{method} {address} answers {status} unannounced"));
    let told = told.get("$ref").map_or(told, |reference| resolve(document(), reference));
    let kind = answer.header("content-type").split(';').next().unwrap();
    let content = told["content"].get(kind);
    let content =
        content.unwrap_or_else(|| panic!("{method} {address} answers {status} as {kind:?}"));
    if kind == "application/json" {
        let value: Value = serde_json::from_slice(&answer.bytes).unwrap();
        if let Err(why) = check(document(), &content["schema"], &value) {
            panic!("{method} {address} answers {status} with {value}\n{why}");
        }
    }
    for name in told.get("headers").and_then(Value::as_object).into_iter().flat_map(|h| h.keys()) {
        let promised = status != "503"; // not every one of these has a time
        assert!(!promised || answer.headers.contains_key(name), "{method} {address}: no {name}");
    }
}

/// The router is made of the same list, so that this holds both ways.
#[test]
fn routes_and_openapi_paths_agree() {
    let made: BTreeSet<(String, String)> =
        web::api::paths().into_iter().map(|(method, path)| (path, method.to_owned())).collect();
    let paths = document()["paths"].as_object().unwrap().iter();
    let described: BTreeSet<(String, String)> = paths
        .flat_map(|(path, item)| {
            item.as_object().unwrap().keys().map(|m| (path.clone(), m.clone()))
        })
        .collect();
    assert_eq!(made, described);
}

/// Nothing that is described is missing from the running site: neither 404 by the router nor 405.
#[test]
fn every_documented_path_is_served() {
    on_every_site(async |site| {
        let known = &crate::harness::puzzles()[0].id();
        for (path, item) in document()["paths"].as_object().unwrap() {
            for method in item.as_object().unwrap().keys() {
                let path = path.strip_prefix("/api/v1").unwrap().replace("{id}", known);
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                let answer = site.browser().send(method.clone(), &path, None, Vec::new()).await;
                assert_ne!(answer.status, 405, "{method} {path}");
                let unknown = answer.status == 404 && !path.contains(known.as_str());
                assert!(!unknown, "{method} {path}");
            }
        }
        let told = site.browser().get("/openapi.json").await;
        assert_eq!(told.json(), *document());
    });
}

/// Every `$ref` names something, every operation has its own name, every path its place filled.
#[test]
fn the_openapi_document_is_consistent() {
    fn references(value: &Value, found: &mut Vec<Value>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| match name.as_str() {
                "$ref" => found.push(value.clone()),
                _ => references(value, found),
            }),
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    references(document(), &mut found);
    assert!(found.len() > 50);
    found.iter().for_each(|reference| drop(resolve(document(), reference).clone()));
    let components = document()["components"]["schemas"].as_object().unwrap();
    for name in components.keys() {
        let used = Value::String(format!("#/components/schemas/{name}"));
        assert!(found.contains(&used), "{name} is described and never used");
    }
    let mut names = BTreeSet::new();
    for (path, item) in document()["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path}");
            let in_path = |one: &&Value| one["in"] == "path";
            let given = operation["parameters"].as_array().into_iter().flatten();
            assert_eq!(given.filter(in_path).count(), path.matches('{').count(), "{path}");
        }
    }
}

/// The codes of refusals in the sources are those of the document, and have words.
#[test]
fn every_error_code_is_documented() {
    let mut used = BTreeSet::new();
    let crates = ["src", "../service/src"];
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> = crates.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // Pages may have refusals of their own, which no program sees.
                folders.extend((!path.ends_with("pages")).then_some(path));
            } else if path.extension().is_some_and(|kind| kind == "rs")
                && !path.ends_with("words.rs")
            {
                used.extend(codes_in(&std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    let listed = &document()["components"]["schemas"]["Error"]["properties"]["error"];
    let listed = listed["properties"]["code"]["enum"].as_array().unwrap();
    let described: BTreeSet<String> =
        listed.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    assert_eq!(used, described);
    let languages = common::Language::ALL;
    for (code, language) in used.iter().flat_map(|code| languages.map(|one| (code, one))) {
        let key = format!("error.{code}");
        assert_ne!(web::words::Words::of(language).get(&key), key, "no words in {language}");
    }
}

/// The codes of `Problem::bad("…")`, `ServiceError::conflict("…")`, `ServiceError::new(…, "…")` and so on.
fn codes_in(source: &str) -> Vec<String> {
    let calls = [
        "Problem::bad(",
        "Problem::new(",
        "ServiceError::bad(",
        "ServiceError::conflict(",
        "ServiceError::new(",
    ];
    let after = calls.iter().flat_map(|call| source.split(call).skip(1));
    let quoted = |rest: &str| {
        let arguments = rest.split(')').next()?;
        Some(arguments.split('"').nth(1)?.to_owned())
    };
    after.filter_map(quoted).collect()
}
