//! What is refused, how, and in which words.

use crate::harness::{Answer, Browser, on_every_site, sample};
use axum::http::Method;
use common::Language;
use serde_json::{Value, json};
use web::words::Words;

const JSON: Option<&str> = Some("application/json");

async fn post_bytes(browser: &Browser, path: &str, body: &[u8]) -> Answer {
    browser.send(Method::POST, path, JSON, body.to_vec()).await
}

#[test]
fn invalid_bodies_are_refused() {
    on_every_site(async |site| {
        let browser = site.browser();
        let id = sample(1, 7..=7)[0].id();
        let attempt = browser.begin(&id).await["attempt"].as_str().unwrap().to_owned();
        let (begin, play) =
            (format!("/puzzles/{id}/attempts"), format!("/attempts/{attempt}/moves"));
        let rate = format!("/puzzles/{id}/ratings");
        let cases: [(&str, &[u8], u16); 20] = [
            (&begin, b"", 400),
            (&begin, b"{", 400),
            (&begin, b"\xff\xfe", 400),
            (&begin, b"{\"mode\":\"puzzle\"} trailing", 400),
            (&begin, b"null", 422),
            (&begin, b"[]", 422),
            (&begin, b"{\"mode\":\"chess\"}", 422),
            (&begin, b"{\"mode\":1}", 422),
            (&begin, b"{\"colour\":\"red\"}", 422),
            (&begin, b"{\"waited\":\"long\"}", 422),
            (&begin, b"{\"waited\":1e999}", 400),
            (&play, b"{}", 422),
            (&play, b"{\"move\":\"a1a2\"}", 422),
            (&play, b"{\"move\":\"a1a2\",\"ply\":-1}", 422),
            (&play, b"{\"move\":\"a1a2\",\"ply\":0.5}", 422),
            (&play, b"{\"move\":\"a1a2\",\"ply\":0,\"plies\":3}", 422),
            (&play, b"{\"move\":[\"a1a2\"],\"ply\":0}", 422),
            (&rate, b"{\"interest\":1}", 422),
            (&rate, b"{\"interest\":300,\"difficulty\":0}", 422),
            ("/transfer/claim", b"{\"code\":7}", 422),
        ];
        for (path, body, status) in cases {
            let refusal = post_bytes(&browser, path, body).await.refusal(status);
            assert_eq!(refusal, "bad-json", "{path} {}", String::from_utf8_lossy(body));
        }
        let nul = br#"{"mode":"study","study":"a\u0000b"}"#;
        assert_eq!(post_bytes(&browser, &begin, nul).await.refusal(422), "bad-json");
        // Deep nesting must not exhaust the stack.
        let deep = "{\"a\":".repeat(12_000);
        assert_eq!(post_bytes(&browser, &begin, deep.as_bytes()).await.refusal(400), "bad-json");
        for kind in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
            let answer = browser.send(Method::POST, &begin, kind, b"{}".to_vec()).await;
            assert_eq!(answer.refusal(415), "bad-json", "{kind:?}");
        }
        let long = format!("{{\"mode\":\"{}\"}}", "x".repeat(70_000));
        assert_eq!(post_bytes(&browser, &begin, long.as_bytes()).await.refusal(413), "bad-json");
    });
}

#[test]
fn unknown_ids_are_not_found() {
    on_every_site(async |site| {
        let browser = site.browser();
        for path in [
            "/puzzles/zzzzzzzzzzzzz",
            "/puzzles/%ff%fe",
            "/puzzles/%00",
            "/puzzles/'%20OR%201=1",
            "/attempts/00000000000000000000",
            "/attempts/%F0%9F%91%BB",
            "/attempts/%00",
            "/studies/%00",
            "/studies/0000000000",
            "/nothing",
            "/",
            "//api/v2/me",
        ] {
            assert_eq!(browser.get(path).await.refusal(404), "not-found", "{path}");
        }
        for path in ["/puzzles/zzzzzzzzzzzzz/attempts", "/attempts/zzz/hint", "/studies/zz/consent"]
        {
            assert_eq!(browser.post(path, json!({})).await.refusal(404), "not-found", "{path}");
        }
    });
}

#[test]
fn an_attempt_belongs_to_one_person() {
    on_every_site(async |site| {
        let (owner, other) = (site.browser(), site.browser());
        let attempt = owner.begin(&sample(1, 7..=7)[0].id()).await;
        let path = format!("/attempts/{}", attempt["attempt"].as_str().unwrap());
        let mv = attempt["legal"][0].clone();
        assert_eq!(other.get(&path).await.refusal(404), "not-found");
        for (what, body) in [
            ("moves", json!({ "move": mv, "ply": 0 })),
            ("back", json!({})),
            ("hint", json!({})),
            ("solution", json!({})),
        ] {
            assert_eq!(other.act(&attempt, what, body).await.refusal(404), "not-found", "{what}");
        }
        let now = owner.get(&path).await.json();
        assert_eq!((&now["events"], &now["counts"]), (&json!([]), &json!(true)));
    });
}

#[test]
fn a_wrong_method_is_refused_with_the_allowed_ones() {
    on_every_site(async |site| {
        let id = sample(1, 7..=7)[0].id();
        for (method, path, allowed) in [
            (Method::GET, format!("/puzzles/{id}/attempts"), "POST"),
            (Method::POST, format!("/puzzles/{id}"), "GET"),
            (Method::DELETE, "/attempts/x".into(), "GET"),
            (Method::PUT, "/me".into(), "GET"),
            (Method::PATCH, "/studies".into(), "GET,HEAD,POST"),
            (Method::GET, "/transfer/claim".into(), "POST"),
        ] {
            let answer = site.browser().send(method.clone(), &path, JSON, b"{}".to_vec()).await;
            assert_eq!(answer.refusal(405), "not-allowed", "{method} {path}");
            assert!(answer.header("allow").contains(allowed), "{path} {}", answer.header("allow"));
        }
        let head = site.browser().send(Method::HEAD, "/me", None, Vec::new()).await;
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    });
}

fn message(answer: &Answer) -> String {
    let error: Value = serde_json::from_slice(&answer.bytes).unwrap();
    error["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn errors_are_in_the_visitors_language() {
    on_every_site(async |site| {
        let told = async |accept: &str, cookie: Option<&str>| {
            let browser = site.browser().with("accept-language", accept);
            if let Some(language) = cookie {
                browser.cookies.lock().unwrap().insert("lang".into(), language.into());
            }
            let answer = browser.get("/attempts/none").await;
            assert_eq!(answer.refusal(404), "not-found");
            assert!(answer.header("vary").contains("Accept-Language"));
            assert!(answer.header("vary").contains("Cookie"));
            message(&answer)
        };
        let words = |language: Language| Words::of(language).get("error.not-found").to_owned();
        let [english, japanese] = [Language::English, Language::Japanese].map(words);
        assert_ne!(english, japanese);
        assert_eq!(told("en-GB,ja;q=0.5", None).await, english);
        assert_eq!(told("ja-JP,en;q=0.5", None).await, japanese);
        assert_eq!(told("tlh", None).await, english);
        assert_eq!(told("en", Some("ja")).await, japanese);
        assert_eq!(told("ja", Some("en")).await, english);
        assert_eq!(told("ja", Some("<script>")).await, japanese);
    });
}

#[test]
fn invalid_positions_and_picture_options_are_refused() {
    on_every_site(async |site| {
        let browser = site.browser();
        let good = "6%2F4u1%2FB5%2F6%2F6%2FRu4%201";
        for what in ["analysis", "board.svg"] {
            for (query, code) in [
                (String::new(), "bad-query"),
                ("?moves=a4a5".into(), "bad-query"),
                ("?position=".into(), "bad-position"),
                ("?position=chess".into(), "bad-position"),
                (format!("?position={}", "u".repeat(5000)), "bad-position"),
                ("?position=%ff".into(), "bad-position"),
                (format!("?position={good}&moves=a4a9"), "bad-line"),
                (format!("?position={good}&moves=a4a5,a4a5"), "bad-line"),
            ] {
                let answer = browser.get(&format!("/{what}{query}")).await;
                assert_eq!(answer.refusal(400), code, "{what}{query}");
            }
        }
        let marks = format!("/board.svg?position={good}&marks=%3Cscript%3E");
        assert_eq!(browser.get(&marks).await.refusal(400), "bad-line");
    });
}

/// Whatever is wrong with what a page is sent, the answer is a page in the asker's language.
#[test]
fn error_pages_are_in_the_visitors_language() {
    on_every_site(async |site| {
        let researcher = site.researcher().with("accept-language", "ja");
        let words = Words::of(Language::Japanese);
        let id = sample(1, 7..=7)[0].id();
        let form = Some("application/x-www-form-urlencoded");
        let refused = |answer: Answer, status: u16, code: &str| {
            let page = answer.text();
            assert_eq!(answer.status, status, "{page}");
            assert!(answer.header("content-type").starts_with("text/html"), "{page}");
            let sentence = format!("<p>{}</p>", words.get(&format!("error.{code}")));
            assert!(page.contains("<html lang=\"ja\">") && page.contains(&sentence), "{page}");
        };
        for path in [
            format!("//puzzle/{id}?mode=review&mode=review"),
            "//analysis?position=a&position=b".into(),
        ] {
            refused(researcher.get(&path).await, 400, "bad-query");
        }
        for path in ["//puzzle/%ff", "//puzzle/%ff/preview.png", "//study/%ff", "//study/%00"] {
            refused(researcher.get(path).await, 404, "not-found");
        }
        let long = format!("title={}", "x".repeat(70_000));
        let bodies: [(Option<&str>, &str, u16); 6] = [
            (form, "", 422),
            (form, "colour=red", 422),
            (form, "title=a%00b&consent=y&closed=true&language=ja&token=a%00b", 422),
            (form, &long, 413),
            (None, "title=x", 415),
            (Some("application/json"), "{}", 415),
        ];
        for path in ["//language", "//studies", "//studies/sign-in", "//studies/none"] {
            for (kind, body, status) in bodies {
                let sent = body.as_bytes().to_vec();
                refused(researcher.send(Method::POST, path, kind, sent).await, status, "bad-form");
            }
        }
    });
}
