//! What browsers send: cookies and the filters of addresses.

use crate::harness::{Target, run, text};
use http::{HeaderMap, HeaderValue, header};
use service::query::Query;
use std::sync::LazyLock;
use web::cookie_secrets::CookieSecrets;
use web::identity::CookieSigner;

const FILTERS: &[&str] = &[
    "length_min=",
    "length_max=",
    "ghosts_min=",
    "ghosts_max=",
    "difficulty_min=",
    "difficulty_max=",
    "revealed=partly",
    "category=red-wall",
    "theme=zugzwang",
    "theme=quiet-key",
    "standing=failed",
    "order=hard",
    "page=",
    "&",
    "=",
    "-0",
    "inf",
    "-inf",
    "NaN",
    "1e-400",
    "+1",
];

fn pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn query(input: &[u8]) -> Result<(), String> {
    let query = Query::read(&pairs(&text(input))).map_err(|problem| {
        // The detail is what was sent, cut; pages and JSON escape it.
        assert!(problem.detail.is_some_and(|detail| detail.chars().count() <= 80));
        problem.code.to_owned()
    })?;
    let address = query.address(query.page);
    assert_eq!(Query::read(&pairs(&address)).unwrap(), query, "{address}");
    Ok(())
}

#[test]
fn filters() {
    run(&Target::new("query", FILTERS, query));
}

/// A visitor's cookies as the site has set them.
struct Known {
    signer: CookieSigner,
    id: String,
    person: String,
    operator: String,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let secrets = CookieSecrets::from_text("0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk");
    let signer = CookieSigner::new(secrets.unwrap(), false);
    let value = |cookie: Option<HeaderValue>| {
        let cookie = cookie.unwrap();
        cookie.to_str().unwrap().split(';').next().unwrap().to_owned()
    };
    let id = "0123456789abcdefghjkmnpqrs".to_owned();
    let (person, operator) = (value(signer.person_cookie(&id)), value(signer.operator_cookie()));
    Known { id, person, operator, signer }
});

/// Nobody is recognised, and nobody is an operator, without the very cookie that was set.
fn cookies(input: &[u8]) -> Result<(), String> {
    let Known { signer, id, person, operator } = &*KNOWN;
    let value = HeaderValue::from_bytes(input).map_err(|_| "no value of a header".to_owned())?;
    let (visitor, _) = signer.visitor(&HeaderMap::from_iter([(header::COOKIE, value)]));
    let sent = text(input).to_ascii_lowercase();
    assert!(!visitor.operator || sent.contains(operator));
    assert!(visitor.id != *id || sent.contains(person));
    if visitor.id == *id { Ok(()) } else { Err("somebody new".to_owned()) }
}

#[test]
fn signed_cookies() {
    let made = || {
        let Known { person, operator, .. } = &*KNOWN;
        vec![person.clone().into_bytes(), format!("{operator}; {person}").into_bytes()]
    };
    let words = &["spuk=", "spuk-operator=", "; ", ".", "=", "0", "99999999999999", "SPUK="];
    run(&Target { made, ..Target::new("cookie", words, cookies) });
}
