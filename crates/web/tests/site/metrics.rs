//! Metrics: what they hold, that they can be read by Prometheus, and who may see them.

use crate::games::{begin, look, pair, play};
use crate::harness::{Browser, Site, on_every_site, puzzles};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A sample by name and labels, the labels sorted.
type Samples = BTreeMap<(String, Vec<(String, String)>), f64>;

/// Reads the text format strictly: each family has HELP and TYPE before its samples, and comes once.
fn parsed(text: &str) -> Samples {
    assert!(text.ends_with('\n'));
    let (mut samples, mut families, mut helped) = (Samples::new(), BTreeMap::new(), String::new());
    let mut current = String::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            helped = help.split_once(' ').unwrap().0.to_owned();
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert_eq!(name, helped, "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            assert!(families.insert(name.to_owned(), kind.to_owned()).is_none(), "{line}");
            name.clone_into(&mut current);
        } else {
            let (name, labels, value) = sample(line);
            let suffixes: &[&str] = match families[&current].as_str() {
                "histogram" => &["_bucket", "_sum", "_count"],
                _ => &[""],
            };
            let fits = |suffix: &&str| name == format!("{current}{suffix}");
            assert!(suffixes.iter().any(fits), "{line}");
            assert!(samples.insert((name, labels), value).is_none(), "{line}");
        }
    }
    expect_histograms(&samples, &families);
    samples
}

/// One line: a name, labels in braces, a value.
fn sample(line: &str) -> (String, Vec<(String, String)>, f64) {
    let (head, value) = line.rsplit_once(' ').unwrap();
    let (name, mut rest) = head.split_once('{').unwrap_or((head, "}"));
    assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':'), "{line}");
    let mut labels = Vec::new();
    while rest != "}" {
        let (label, after) = rest.split_once("=\"").unwrap();
        let mut value = String::new();
        let mut characters = after.char_indices();
        let end = loop {
            match characters.next().unwrap() {
                (_, '\\') => match characters.next().unwrap().1 {
                    'n' => value.push('\n'),
                    escaped @ ('\\' | '"') => value.push(escaped),
                    other => panic!("\\{other} in {line}"),
                },
                (at, '"') => break at,
                (_, character) => value.push(character),
            }
        };
        labels.push((label.to_owned(), value));
        rest = after[end + 1..].strip_prefix(',').unwrap_or(&after[end + 1..]);
    }
    labels.sort();
    (name.to_owned(), labels, value.parse().unwrap())
}

/// Buckets grow, and the last one is the count.
fn expect_histograms(samples: &Samples, families: &BTreeMap<String, String>) {
    for name in families.iter().filter(|(_, kind)| *kind == "histogram").map(|(name, _)| name) {
        let mut series: BTreeMap<_, Vec<(f64, f64)>> = BTreeMap::new();
        for ((_, labels), value) in
            samples.iter().filter(|((of, _), _)| *of == format!("{name}_bucket"))
        {
            let bound = labels.iter().find(|(label, _)| label == "le").unwrap().1.parse().unwrap();
            let others: Vec<_> =
                labels.iter().filter(|(label, _)| label != "le").cloned().collect();
            series.entry(others).or_default().push((bound, *value));
        }
        for (labels, mut buckets) in series {
            buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
            assert!(buckets.is_sorted_by(|one, other| one.1 <= other.1), "{name} {labels:?}");
            let (bound, all) = *buckets.last().unwrap();
            assert_eq!(bound, f64::INFINITY);
            assert_eq!(samples[&(format!("{name}_count"), labels.clone())], all);
            assert!(samples.contains_key(&(format!("{name}_sum"), labels)));
        }
    }
}

fn value(samples: &Samples, name: &str, labels: &[(&str, &str)]) -> f64 {
    let mut labels: Vec<_> =
        labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    labels.sort();
    let key = (name.to_owned(), labels);
    *samples.get(&key).unwrap_or_else(|| panic!("{key:?} of {:?}", samples.keys()))
}

async fn read(site: &Site) -> Samples {
    let answer = site.researcher().get("//metrics").await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    parsed(&answer.text())
}

/// Somebody at the listener of the private network.
fn private(site: &Site) -> Browser {
    site.browser().at(web::metrics_router(site.app.clone()))
}

#[test]
fn operators_can_read_health_and_metrics() {
    on_every_site(async |site| {
        let browser = site.browser();
        assert_eq!(browser.get("//healthz").await.text(), "ok\n");
        browser.get("/puzzles/none").await;
        begin(&browser, json!({ "kind": "geister", "opponent": null })).await;
        site.app.service.metrics.queue_wait("reviews", Duration::from_millis(30));
        site.app.service.metrics.job("reviews", Duration::from_secs(7));
        let samples = read(site).await;
        let route = ("route", "/api/v1/puzzles/{id}");
        assert_eq!(value(&samples, "spuk_requests_total", &[route, ("status", "404")]), 1.0);
        assert_eq!(value(&samples, "spuk_request_seconds_count", &[route]), 1.0);
        assert_eq!(value(&samples, "spuk_puzzles", &[]), puzzles().len() as f64);
        assert_eq!(
            value(&samples, "spuk_build_info", &[("version", env!("CARGO_PKG_VERSION"))]),
            1.0
        );
        let lane = ("lane", "reviews");
        assert_eq!(value(&samples, "spuk_queue_wait_seconds_bucket", &[lane, ("le", "0.05")]), 1.0);
        assert_eq!(
            value(&samples, "spuk_queue_wait_seconds_bucket", &[lane, ("le", "0.025")]),
            0.0
        );
        assert_eq!(value(&samples, "spuk_job_seconds_sum", &[lane]), 7.0);
        for (kind, least) in [("statement", 1.0), ("commit", 2.0), ("rollback", 0.0)] {
            let count = value(&samples, "spuk_database_operations_total", &[("kind", kind)]);
            assert!(count >= least, "{kind} {count}");
        }
        assert!(value(&samples, "spuk_database_commit_seconds_count", &[]) >= 2.0);
        // What was written lately is in SQLite's write-ahead log only.
        let bytes = samples.iter().filter(|((name, _), _)| name == "spuk_database_bytes");
        assert!(bytes.map(|(_, bytes)| bytes).sum::<f64>() > 8192.0);
        let pool = if site.database.is_sqlite() { "write" } else { "all" };
        let connections: f64 = ["busy", "idle"]
            .into_iter()
            .map(|state| [("pool", pool), ("state", state)])
            .map(|labels| value(&samples, "spuk_database_connections", &labels))
            .sum();
        assert!(connections >= 1.0);
        if cfg!(target_os = "linux") {
            assert!(value(&samples, "process_resident_memory_bytes", &[]) > 1e6);
            let open = value(&samples, "process_open_fds", &[]);
            assert!((3.0..value(&samples, "process_max_fds", &[])).contains(&open), "{open}");
        }
        // Paths are not counted one by one, or anybody could fill the memory.
        for number in 0..50 {
            browser.get(&format!("//nothing/{number}")).await;
        }
        assert!(read(site).await.len() < samples.len() + 60);
    });
}

#[test]
fn errors_of_the_database_are_counted() {
    on_every_site(async |site| {
        let errors =
            |samples: &Samples| value(samples, "spuk_database_errors_total", &[("kind", "closed")]);
        let before = errors(&read(site).await);
        site.app.service.store.close().await;
        assert_eq!(site.browser().get("//healthz").await.status, 503);
        assert_eq!(site.browser().get("/me").await.refusal(503), "store");
        // Metrics are there when the database is not.
        assert!(errors(&read(site).await) >= before + 2.0);
    });
}

#[test]
fn metrics_need_the_token() {
    on_every_site(async |site| {
        let (player, opponent, game) = pair(site, "kriegspiel").await;
        let spectator = site.browser();
        let seen = async || {
            let mut seen = BTreeSet::new();
            for browser in [&player, &spectator, &site.browser().with("authorization", "Bearer no")]
            {
                let answer = browser.get("//metrics").await;
                assert_eq!(answer.status, 401);
                assert_eq!(answer.header("www-authenticate"), "Bearer");
                assert!(!answer.text().contains("spuk_requests"));
                let health = private(site).get("//healthz").await;
                seen.insert((answer.text(), health.text()));
            }
            seen
        };
        let before = seen().await;
        for (browser, mv) in
            [(&player, "e2e4"), (&opponent, "d7d5"), (&player, "e4d5"), (&opponent, "d8d4")]
        {
            let now = look(browser, &game).await;
            play(browser, &now, mv).await.json();
        }
        assert_eq!(seen().await, before);
        let tried = "/api/v1/games/{id}/moves";
        let samples = read(site).await;
        let moves = value(&samples, "spuk_requests_total", &[("route", tried), ("status", "200")]);
        assert_eq!(moves, 4.0, "operators do see the refused try");
    });
}

#[test]
fn the_listener_of_a_private_network_has_metrics_and_nothing_else() {
    on_every_site(async |site| {
        let private = private(site);
        parsed(&private.get("//metrics").await.text());
        assert_eq!(private.get("//healthz").await.text(), "ok\n");
        for path in ["//", "//puzzles", "//progress", "//assets/x/y", "/nothing"] {
            assert_eq!(private.get(path).await.status, 404, "{path}");
        }
    });
}
