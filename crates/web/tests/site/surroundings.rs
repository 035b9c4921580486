//! What surrounds every request: who may send it, how often, and the headers of the answer.

use crate::harness::{Setup, on_every_site, puzzles, with_setup};
use axum::http::Method;
use serde_json::json;

#[test]
fn cross_site_requests_are_refused() {
    with_setup(
        &Setup { public: Some("https://spuk.example".into()), ..Setup::default() },
        async |site| {
            let sent = async |headers: &[(&'static str, &str)]| {
                let browser =
                    headers.iter().fold(site.browser(), |b, (name, value)| b.with(name, value));
                browser.post("/streak", json!({})).await
            };
            for foreign in [
                &[("sec-fetch-site", "cross-site")][..],
                &[("sec-fetch-site", "same-site")],
                &[("origin", "https://evil.example")],
                &[("origin", "null")],
                &[("origin", "http://spuk.test.evil.example")],
                &[("origin", "https://spuk.example.evil.example")],
                &[("sec-fetch-site", "cross-site"), ("origin", "http://spuk.test")],
            ] {
                assert_eq!(sent(foreign).await.refusal(403), "foreign", "{foreign:?}");
            }
            for own in [
                &[][..],
                &[("sec-fetch-site", "same-origin")],
                &[("sec-fetch-site", "none")],
                &[("origin", "http://spuk.test")],
                &[("origin", "https://spuk.example")],
            ] {
                assert!(sent(own).await.status.is_success(), "{own:?}");
            }
            // To read is free, from wherever a link leads here.
            let reader = site.browser().with("sec-fetch-site", "cross-site");
            assert!(reader.get("/me").await.status.is_success());
        },
    );
}

#[test]
fn every_endpoint_that_changes_something_is_guarded() {
    on_every_site(async |site| {
        let foreign = site.browser().with("sec-fetch-site", "cross-site");
        for (method, path) in web::api::paths() {
            if method == "post" {
                let path =
                    path.strip_prefix("/api/v1").unwrap().replace("{id}", &puzzles()[0].id());
                assert_eq!(foreign.post(&path, json!({})).await.refusal(403), "foreign", "{path}");
            }
        }
    });
}

#[test]
fn cookies_are_kept_from_scripts_and_other_sites() {
    for (public, secure) in [(None, false), (Some("https://spuk.example".to_owned()), true)] {
        with_setup(&Setup { public, ..Setup::default() }, async |site| {
            let browser = site.browser();
            let first = browser.get("/me").await;
            let cookie = first.header("set-cookie");
            for flag in ["spuk=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
                assert!(cookie.contains(flag), "{cookie}");
            }
            assert_eq!(cookie.contains("; Secure"), secure, "{cookie}");
            assert_eq!(browser.get("/me").await.header("set-cookie"), "");
            // A forged one makes somebody new.
            let owner = browser.cookies.lock().unwrap()["spuk"].clone();
            let forged = site.browser();
            let text = owner.replace(['0', '1'], "2");
            forged.cookies.lock().unwrap().insert("spuk".into(), text);
            assert!(forged.get("/me").await.header("set-cookie").contains("spuk="));
        });
    }
}

#[test]
fn every_response_has_security_headers() {
    on_every_site(async |site| {
        let browser = site.browser();
        let picture = "/board.svg?position=6%2F4u1%2FB5%2F6%2F6%2FRu4%201";
        for path in
            ["/me", "/nothing", "//nothing", "//healthz", "//metrics", picture, "//assets/x/y"]
        {
            let answer = browser.get(path).await;
            let policy = answer.header("content-security-policy");
            for part in [
                "default-src 'none'",
                "script-src 'self'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
            ] {
                assert!(policy.contains(part), "{path}: {policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        }
        assert_eq!(browser.get("/me").await.header("cache-control"), "no-store");
        // A shared cache may keep the picture: it must make nobody somebody.
        let shared = site.browser().get(picture).await;
        assert!(shared.header("cache-control").contains("public"));
        assert_eq!(shared.header("set-cookie"), "");
    });
}

fn limited() -> Setup {
    Setup { limited: true, ..Setup::default() }
}

/// How many requests pass before the first refusal, which has to name a time.
async fn passed(most: usize, ask: impl AsyncFn() -> crate::harness::Answer) -> usize {
    for count in 0..most {
        let answer = ask().await;
        if answer.status == 429 {
            assert_eq!(answer.refusal(429), "too-often");
            let wait: u64 = answer.header("retry-after").parse().unwrap();
            assert!((1..=60).contains(&wait), "{wait}");
            return count;
        }
    }
    panic!("{most} requests, and no end")
}

#[test]
fn too_many_requests_are_rate_limited() {
    with_setup(&limited(), async |site| {
        let browser = site.browser();
        browser.get("/me").await;
        let solving =
            passed(2000, async || browser.post("/attempts/x/hint", json!({})).await).await;
        assert!(solving >= 60, "{solving}");
        // Somebody else at the same address goes on.
        assert_eq!(
            site.browser().post("/attempts/x/hint", json!({})).await.refusal(404),
            "not-found"
        );
        let analysis =
            passed(1000, async || site.browser().get("/analysis?position=x").await).await;
        assert!((20..200).contains(&analysis), "{analysis}");
        // Each game that is read is replayed, whether somebody plays there or not.
        let reading = passed(20_000, async || site.browser().get("/games/none").await).await;
        assert!(reading >= 1000, "{reading}");
        let claim = async || site.browser().post("/transfer/claim", json!({ "code": "x" })).await;
        assert!((8..12).contains(&passed(100, claim).await));
    });
}

#[test]
fn clients_without_cookies_are_limited_by_address() {
    with_setup(&limited(), async |site| {
        let crowd = async || site.browser().post("/attempts/x/hint", json!({})).await;
        assert!(passed(20_000, crowd).await >= 600);
    });
}

#[test]
fn tokens_cannot_be_guessed_and_the_right_one_is_free() {
    with_setup(&limited(), async |site| {
        for _ in 0..40 {
            assert!(site.researcher().get("/studies").await.status.is_success());
        }
        let guess =
            async || site.browser().with("authorization", "Bearer guess").get("/studies").await;
        assert!((8..12).contains(&passed(100, guess).await));
        // Not even the right one is looked at now: nobody learns anything by guessing on.
        assert_eq!(site.researcher().get("/studies").await.refusal(429), "too-often");
    });
}

#[test]
fn client_addresses_are_read_behind_a_proxy() {
    let public = Some("https://spuk.example".to_owned());
    with_setup(&Setup { public, ..limited() }, async |site| {
        let count = std::cell::Cell::new(0);
        // A client that invents another address for each request, and what the proxy makes of it.
        let nginx = async |address: &str| {
            count.set(count.get() + 1);
            let list = format!("198.51.100.{}, {address}", count.get());
            let browser = site.browser().with("x-forwarded-for", &list);
            browser.post("/transfer/claim", json!({ "code": "x" })).await
        };
        let haproxy = async |address: &str| {
            count.set(count.get() + 1);
            let invented = format!("198.51.100.{}", count.get());
            let browser = site.browser().with("x-forwarded-for", &invented);
            let browser = browser.also("x-forwarded-for", address);
            browser.post("/transfer/claim", json!({ "code": "x" })).await
        };
        assert!((8..12).contains(&passed(100, async || nginx("203.0.113.7").await).await));
        assert_eq!(nginx("203.0.113.7:4711").await.refusal(429), "too-often");
        assert_eq!(haproxy("203.0.113.7").await.refusal(429), "too-often");
        assert_eq!(nginx("203.0.113.8").await.refusal(400), "bad-code");
        assert!((8..12).contains(&passed(100, async || haproxy("203.0.113.9").await).await));
        // One IPv6 customer has a /64, and the next customer another one.
        let host = async || haproxy(&format!("2001:db8:0:7::{:x}", count.get())).await;
        assert!((8..12).contains(&passed(100, host).await));
        assert_eq!(haproxy("2001:db8:0:8::1").await.refusal(400), "bad-code");
    });
    with_setup(&limited(), async |site| {
        // Without a proxy nobody chooses an address.
        let count = std::cell::Cell::new(0);
        let ask = async || {
            count.set(count.get() + 1);
            let browser =
                site.browser().with("x-forwarded-for", &format!("203.0.113.{}", count.get()));
            browser.post("/transfer/claim", json!({ "code": "x" })).await
        };
        assert!((8..12).contains(&passed(100, ask).await));
    });
}

#[test]
fn pages_are_served() {
    on_every_site(async |site| {
        let id = puzzles()[0].id();
        for path in
            ["//", "//puzzles", &format!("//puzzle/{id}"), "//rules", "//settings", "//progress"]
        {
            let answer = site.browser().send(Method::GET, path, None, Vec::new()).await;
            assert_eq!(answer.status, 200, "{path}");
        }
    });
}
