//! Studies from their making to the file that comes out.

use crate::harness::{Browser, Site, losable, on_every_site, puzzles, sample};
use axum::http::Method;
use puzzle::Puzzle;
use puzzle::ratings::Ratings;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A study of these puzzles, with the usual limit.
async fn study_of(site: &Site, ids: &[String]) -> String {
    let body = json!({ "title": "Walls", "consent": "I agree.", "puzzles": ids });
    let study = site.researcher().post("/studies", body).await;
    assert_eq!(study.status, 201);
    let study = study.json();
    assert_eq!((&study["limit_seconds"], &study["puzzles"]), (&json!(90), &json!(ids)));
    study["id"].as_str().unwrap().to_owned()
}

fn some_ids(count: usize) -> Vec<String> {
    sample(count, 5..=7).into_iter().map(Puzzle::id).collect()
}

async fn consent(browser: &Browser, study: &str) -> Value {
    browser.post(&format!("/studies/{study}/consent"), json!({})).await.json()
}

/// Starts the clock of the next puzzle, or resumes the one whose clock is running.
async fn next(browser: &Browser, study: &str) -> Value {
    browser.post(&format!("/studies/{study}/next"), json!({})).await.json()
}

async fn answer(browser: &Browser, study: &str, puzzle: &Value, interest: i8) {
    let path = format!("/puzzles/{}/ratings", puzzle.as_str().unwrap());
    let body = json!({ "interest": interest, "difficulty": -interest, "study": study });
    browser.post(&path, body).await.json();
}

async fn part(browser: &Browser, study: &str) -> Value {
    browser.get(&format!("/studies/{study}")).await.json()
}

async fn file(site: &Site, study: &str) -> Ratings {
    let csv = site.researcher().get(&format!("/studies/{study}/ratings.csv")).await;
    assert!(csv.header("content-disposition").contains(".csv"));
    let known = |id: &str| puzzles().iter().any(|puzzle| puzzle.id() == id);
    Ratings::read(&csv.bytes, known).unwrap()
}

#[test]
fn researchers_need_the_token() {
    on_every_site(async |site| {
        let study = study_of(site, &some_ids(1)).await;
        let csv = format!("/studies/{study}/ratings.csv");
        let close = format!("/studies/{study}/close");
        let new = json!({ "title": "x", "consent": "y" });
        for browser in [
            site.browser(),
            site.browser().with("authorization", "Bearer wrong"),
            site.browser().with("authorization", "Basic YTpi"),
            site.browser().with("authorization", "Bearer "),
        ] {
            assert_eq!(browser.get("/studies").await.refusal(401), "token-needed");
            assert_eq!(browser.get(&csv).await.refusal(401), "token-needed");
            assert_eq!(browser.post("/studies", new.clone()).await.refusal(401), "token-needed");
            let body = json!({ "closed": true });
            assert_eq!(browser.post(&close, body).await.refusal(401), "token-needed");
        }
        let all = site.researcher().get("/studies").await.json();
        assert_eq!(all["studies"][0]["id"], study);
        assert_eq!(all["studies"][0]["closed"], false);
        let missing = site.researcher().get("/studies/0000000000/ratings.csv").await;
        assert_eq!(missing.refusal(404), "not-found");
    });
}

#[test]
fn a_study_runs_from_creation_to_the_training_file() {
    on_every_site(async |site| {
        let ids = some_ids(8);
        let study = study_of(site, &ids).await;
        let mut orders = BTreeSet::new();
        for person in 0..3 {
            let browser = site.browser();
            assert_eq!(part(&browser, &study).await["ready"], false);
            let mut now = consent(&browser, &study).await;
            assert_eq!((&now["agreed"], &now["puzzles"]), (&json!(true), &json!(8)));
            let mut order = Vec::new();
            while now["ready"] == true {
                assert_eq!(now["running"], false);
                let attempt = next(&browser, &study).await;
                let id = attempt["puzzle"].as_str().unwrap().to_owned();
                assert_eq!(
                    (&attempt["limit_seconds"], &attempt["counts"], &attempt["mode"]),
                    (&json!(90), &json!(false), &json!("study"))
                );
                if person == 0 {
                    browser.win(attempt.clone()).await;
                } else {
                    browser.act(&attempt, "solution", json!({})).await.json();
                }
                // Without an answer the same puzzle stays, in the same attempt.
                assert_eq!(part(&browser, &study).await["running"], true);
                let same = next(&browser, &study).await;
                assert_eq!((&same["puzzle"], &same["attempt"]), (&json!(id), &attempt["attempt"]));
                assert!(same["state"] != "open" && same["result"]["next"].is_null());
                assert_eq!(same["result"]["unrated"], "study");
                answer(&browser, &study, &json!(id), person - 1).await;
                order.push(id);
                now = part(&browser, &study).await;
                assert_eq!(now["done"], order.len());
            }
            let permutation: BTreeSet<&String> = order.iter().collect();
            assert_eq!(permutation, ids.iter().collect());
            assert!(orders.insert(order), "two people have the same order");
            let me = browser.get("/me").await.json();
            assert_eq!((&me["attempts"], &me["rating"]), (&json!(0), &json!(1500.0)));
        }
        let ratings = file(site, &study).await;
        assert_eq!((ratings.good.len(), ratings.bad.len()), (24, 0), "{:?}", ratings.bad);
        assert_eq!(puzzle::ratings::persons(&ratings.good), 3);
        assert_eq!(ratings.good.iter().filter(|rating| rating.solved == Some(true)).count(), 8);
        for rating in &ratings.good {
            assert_eq!(rating.interest, -rating.difficulty);
            assert_eq!(rating.solved == Some(true), rating.interest == -1);
            assert!(rating.seconds.is_some_and(|seconds| seconds < 90.0));
            assert_eq!(rating.seen_before, Some(false));
        }
        let studies = site.researcher().get("/studies").await.json();
        assert_eq!(studies["studies"][0]["participants"], 3);
    });
}

#[test]
fn study_puzzles_come_in_order_and_without_hints() {
    on_every_site(async |site| {
        let ids = some_ids(3);
        let study = study_of(site, &ids).await;
        let browser = site.browser();
        let path = format!("/studies/{study}/next");
        assert_eq!(browser.post(&path, json!({})).await.refusal(409), "no-consent");
        let unknown = browser.post("/studies/none/next", json!({})).await;
        assert_eq!(unknown.refusal(404), "not-found");
        let now = consent(&browser, &study).await;
        assert_eq!(consent(&browser, &study).await, now);
        // Nobody chooses a puzzle of a study.
        for body in [json!({ "mode": "study" }), json!({ "study": study })] {
            let chosen = browser.post(&format!("/puzzles/{}/attempts", ids[0]), body).await;
            assert_eq!(chosen.refusal(422), "bad-json");
        }
        let attempt = next(&browser, &study).await;
        assert_eq!(next(&browser, &study).await["attempt"], attempt["attempt"]);
        assert_eq!(
            browser.act(&attempt, "hint", json!({})).await.refusal(409),
            "no-hints-in-studies"
        );
        // A puzzle that is played elsewhere is another attempt.
        let puzzle = attempt["puzzle"].as_str().unwrap();
        let outside = browser.begin(puzzle).await;
        assert_ne!(outside["attempt"], attempt["attempt"]);
        let rate = format!("/puzzles/{puzzle}/ratings");
        let opinion = json!({ "interest": 1, "difficulty": 1, "study": study });
        assert_eq!(browser.post(&rate, opinion).await.refusal(409), "not-tried");
    });
}

/// Before its clock starts, nothing that a participant gets names or shows a puzzle of the study.
#[test]
fn study_puzzles_are_hidden_until_their_clock_starts() {
    on_every_site(async |site| {
        let ids = some_ids(4);
        let study = study_of(site, &ids).await;
        let browser = site.browser();
        let expect_nothing = async |but: &[String]| {
            let paths = [format!("/studies/{study}"), format!("//study/{study}"), "/me".into()];
            for path in paths {
                let text = browser.get(&path).await.text();
                for id in ids.iter().filter(|id| !but.contains(id)) {
                    let puzzle = puzzles().iter().find(|puzzle| puzzle.id() == *id).unwrap();
                    let position = puzzle.position.to_string();
                    assert!(!text.contains(id.as_str()) && !text.contains(&position), "{path}");
                }
            }
        };
        expect_nothing(&[]).await;
        consent(&browser, &study).await;
        let mut begun = Vec::new();
        for _ in &ids {
            expect_nothing(&begun).await;
            let attempt = next(&browser, &study).await;
            begun.push(attempt["puzzle"].as_str().unwrap().to_owned());
            let shown = browser.act(&attempt, "solution", json!({})).await.text();
            for id in ids.iter().filter(|id| !begun.contains(id)) {
                assert!(!shown.contains(id.as_str()), "{shown}");
            }
            answer(&browser, &study, &attempt["puzzle"], 1).await;
        }
        let path = format!("/studies/{study}/next");
        assert_eq!(browser.post(&path, json!({})).await.refusal(409), "study-done");
    });
}

/// Goes through a study; which puzzles its file says were known before.
async fn seen_in(site: &Site, browser: &Browser, study: &str) -> BTreeSet<String> {
    let before = file(site, study).await.good.len();
    let mut now = consent(browser, study).await;
    while now["ready"] == true {
        let attempt = next(browser, study).await;
        // What is looked at while the clock runs was not seen before.
        browser.get(&format!("/puzzles/{}", attempt["puzzle"].as_str().unwrap())).await.json();
        browser.act(&attempt, "solution", json!({})).await.json();
        answer(browser, study, &attempt["puzzle"], 1).await;
        now = part(browser, study).await;
    }
    let rows = file(site, study).await.good;
    let mut by_person: std::collections::BTreeMap<String, BTreeSet<String>> = Default::default();
    assert!(rows.len() > before);
    for row in rows {
        let seen = by_person.entry(row.person).or_default();
        if row.seen_before.unwrap() {
            seen.insert(row.puzzle);
        }
    }
    // The participant of this call is the only one that has anything: studies are made for each.
    assert_eq!(by_person.len(), 1);
    by_person.into_values().next().unwrap()
}

#[test]
fn study_results_mark_puzzles_seen_before() {
    on_every_site(async |site| {
        let daily =
            site.app.service.catalogue.of_the_day(service::Service::today()).unwrap().id.clone();
        let mut ids = some_ids(3);
        ids.push(daily.clone());
        let (first, list) = (ids[0].clone(), format!("/puzzles?length_min={0}&length_max={0}", 5));
        let ways: Vec<(String, BTreeSet<String>)> = [
            (format!("//puzzle/{first}"), vec![&first]),
            (format!("//puzzle/{first}/preview.png"), vec![&first]),
            (format!("/puzzles/{first}"), vec![&first]),
            ("//".into(), vec![&daily]),
            ("//daily".into(), vec![&daily]),
            ("/puzzles/daily".into(), vec![&daily]),
            ("//rules".into(), vec![]),
            ("/streak".into(), vec![]),
        ]
        .into_iter()
        .map(|(path, seen)| (path, seen.into_iter().cloned().collect()))
        .collect();
        for (path, expected) in ways {
            let study = study_of(site, &ids).await;
            let browser = site.browser();
            for _ in 0..2 {
                assert_eq!(browser.get(&path).await.status, 200);
            }
            assert_eq!(seen_in(site, &browser, &study).await, expected, "{path}");
        }
        // A list shows what is on its page, to people and to programs.
        for path in [list.clone(), format!("/{list}")] {
            let study = study_of(site, &ids).await;
            let browser = site.browser();
            let text = browser.get(&path).await.text();
            let expected: BTreeSet<String> =
                ids.iter().filter(|id| text.contains(id.as_str())).cloned().collect();
            assert!(!expected.is_empty(), "{path}");
            assert_eq!(seen_in(site, &browser, &study).await, expected, "{path}");
        }
    });
}

#[test]
fn an_attempt_elsewhere_is_exposure_and_pages_without_a_study_are_not_noted() {
    on_every_site(async |site| {
        let ids = some_ids(2);
        let browser = site.browser();
        browser.get(&format!("//puzzle/{}", ids[1])).await;
        browser.begin(&ids[0]).await;
        let noted = async || site.database.execute("UPDATE exposures SET seen = seen").await;
        assert_eq!(noted().await, 0);
        let study = study_of(site, &ids).await;
        assert_eq!(seen_in(site, &browser, &study).await, BTreeSet::from([ids[0].clone()]));
        // The same puzzles in another study, by the same person.
        let second = study_of(site, &ids).await;
        assert_eq!(seen_in(site, &browser, &second).await, ids.iter().cloned().collect());
        // Studies that are closed need no notes.
        for study in [&study, &second] {
            let path = format!("/studies/{study}/close");
            site.researcher().post(&path, json!({ "closed": true })).await.json();
        }
        let before = noted().await;
        site.browser().get(&format!("//puzzle/{}", ids[0])).await;
        assert_eq!(noted().await, before);
        site.database.execute("UPDATE exposures SET seen = 0").await;
        site.app.service.store.forget_old_exposures().await.unwrap();
        assert_eq!(noted().await, 0);
    });
}

/// Lets so many seconds pass for every attempt.
async fn pass(site: &Site, seconds: i64) {
    let sql = format!("UPDATE attempts SET started = started - {}", 1000 * seconds);
    assert!(site.database.execute(&sql).await > 0);
}

#[test]
fn time_runs_out_by_the_server_s_clock() {
    on_every_site(async |site| {
        let (puzzle, mv) = losable();
        let study = study_of(site, &[puzzle.id()]).await;
        let browser = site.browser();
        consent(&browser, &study).await;
        let id = json!(puzzle.id());
        let attempt = next(&browser, &study).await;
        pass(site, 89).await;
        let in_time = next(&browser, &study).await;
        assert_eq!(in_time["state"], "open");
        assert!(in_time["elapsed_seconds"].as_f64().unwrap() >= 89.0);
        pass(site, 24 * 3600).await;
        let path = format!("/attempts/{}", attempt["attempt"].as_str().unwrap());
        let late = browser.get(&path).await.json();
        assert_eq!(
            (&late["state"], &late["result"]["outcome"]),
            (&json!("failed"), &json!("failed"))
        );
        assert_eq!(late["result"]["seconds"], 90.0);
        // Practice, right or wrong, changes nothing.
        let solved = browser.win(late).await;
        assert_eq!(solved["result"]["outcome"], "failed");
        answer(&browser, &study, &id, 2).await;
        let ratings = file(site, &study).await;
        assert_eq!((ratings.good.len(), ratings.good[0].solved), (1, Some(false)));
        assert_eq!(ratings.good[0].seconds, Some(90.0));
        // A right move that comes late is late, whatever it is worth.
        let other = site.browser();
        consent(&other, &study).await;
        let attempt = next(&other, &study).await;
        pass(site, 93).await;
        let played = other.play(&attempt, &crate::harness::right_move(&attempt)).await;
        assert_eq!(
            (&played["state"], &played["result"]["outcome"]),
            (&json!("failed"), &json!("failed"))
        );
        let _ = mv;
    });
}

#[test]
fn a_study_without_a_limit_has_none() {
    on_every_site(async |site| {
        let body =
            json!({ "title": "x", "consent": "y", "puzzles": some_ids(1), "limit_seconds": 0 });
        let study = site.researcher().post("/studies", body).await.json();
        let study = study["id"].as_str().unwrap();
        let browser = site.browser();
        consent(&browser, study).await;
        let attempt = next(&browser, study).await;
        assert_eq!(attempt["limit_seconds"], Value::Null);
        pass(site, 24 * 3600).await;
        assert_eq!(next(&browser, study).await["state"], "open");
    });
}

#[test]
fn a_closed_study_accepts_nobody_and_can_be_reopened() {
    on_every_site(async |site| {
        let study = study_of(site, &some_ids(2)).await;
        let (inside, outside) = (site.browser(), site.browser());
        consent(&inside, &study).await;
        let begun = next(&inside, &study).await;
        let close = async |closed: bool| {
            let path = format!("/studies/{study}/close");
            let told = site.researcher().post(&path, json!({ "closed": closed })).await.json();
            assert_eq!(told, json!({ "v": 1, "closed": closed }));
        };
        close(true).await;
        let agreed = outside.post(&format!("/studies/{study}/consent"), json!({})).await;
        assert_eq!(agreed.refusal(409), "study-closed");
        let seen = part(&inside, &study).await;
        assert_eq!((&seen["closed"], &seen["ready"]), (&json!(true), &json!(false)));
        let path = format!("/studies/{study}/next");
        assert_eq!(inside.post(&path, json!({})).await.refusal(409), "study-closed");
        close(false).await;
        assert_eq!(next(&inside, &study).await["attempt"], begun["attempt"]);
        let missing =
            site.researcher().post("/studies/none/close", json!({ "closed": true })).await;
        assert_eq!(missing.refusal(404), "not-found");
    });
}

#[test]
fn invalid_studies_are_refused() {
    on_every_site(async |site| {
        let researcher = site.researcher();
        let with = |name: &str, value: Value| {
            let mut body = json!({ "title": "x", "consent": "y", "puzzles": [puzzles()[0].id()] });
            body[name] = value;
            body
        };
        for (name, value) in [
            ("title", json!("  ")),
            ("title", json!("x".repeat(201))),
            ("consent", json!("")),
            ("consent", json!("x".repeat(10_001))),
            ("puzzles", json!(["nothing"])),
            ("limit_seconds", json!(-1)),
            ("limit_seconds", json!(3601)),
        ] {
            let answer = researcher.post("/studies", with(name, value.clone())).await;
            assert_eq!(answer.refusal(400), "bad-study", "{name} {value}");
        }
        let filtered = |filter: &str, count: Value| json!({ "title": "x", "consent": "y", "filter": filter, "count": count });
        for (filter, count, code) in [
            ("", Value::Null, "bad-study"),
            ("length_min=98", Value::Null, "bad-study"),
            ("theme=red-wall", json!(0), "bad-study"),
            ("theme=dragon", Value::Null, "bad-filter"),
        ] {
            let answer = researcher.post("/studies", filtered(filter, count)).await;
            assert_eq!(answer.refusal(400), code, "{filter}");
        }
        let unknown = researcher.post("/studies", with("colour", json!("red"))).await;
        assert_eq!(unknown.refusal(422), "bad-json");
        let study = researcher.post("/studies", filtered("theme=red-wall", json!(10))).await.json();
        let chosen: BTreeSet<&str> =
            study["puzzles"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        assert_eq!(chosen.len(), 10);
        for id in chosen {
            assert!(puzzles().iter().find(|puzzle| puzzle.id() == id).unwrap().red_wall);
        }
    });
}

/// Every reason why a study is refused, as a change to a form that is right, with what the answer
/// has to quote.
fn refused_forms() -> Vec<(&'static str, String, &'static str)> {
    vec![
        ("title", "  ".into(), "200"),
        ("title", "x".repeat(201), "200"),
        ("consent", String::new(), "10000"),
        ("consent", "x".repeat(10_001), "10000"),
        ("limit_seconds", "3601".into(), "3600"),
        ("limit_seconds", "-1".into(), "3600"),
        ("limit_seconds", "soon".into(), "soon"),
        ("count", "many".into(), "many"),
        ("count", "0".into(), "500"),
        ("puzzles", "nothing".into(), "nothing"),
        ("filter", "theme=dragon".into(), "theme=dragon"),
        ("filter", "length_min=98".into(), "500"),
    ]
}

fn form_of(changed: &str, value: &str) -> Vec<u8> {
    let usual = [
        ("title", "x"),
        ("consent", "y"),
        ("filter", "theme=red-wall"),
        ("count", "3"),
        ("limit_seconds", "90"),
    ];
    let others = usual.into_iter().filter(|(name, _)| *name != changed);
    let escaped = |text: &str| text.replace(' ', "+").replace('=', "%3D");
    let pairs = others.chain([(changed, value)]);
    let pairs: Vec<String> =
        pairs.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
    pairs.join("&").into_bytes()
}

/// The words of a page's alert.
fn alert(page: &str) -> &str {
    let (_, rest) = page.split_once("role=\"alert\">").unwrap();
    rest.split_once('<').unwrap().0
}

#[test]
fn study_errors_are_in_the_visitors_language() {
    on_every_site(async |site| {
        let told = async |language: &str, name: &str, value: &str| {
            let researcher = site.researcher().with("accept-language", language);
            let kind = Some("application/x-www-form-urlencoded");
            let answer =
                researcher.send(Method::POST, "//studies", kind, form_of(name, value)).await;
            assert_eq!(answer.status, 400, "{name}={value}");
            alert(&answer.text()).to_owned()
        };
        let mut reasons = BTreeSet::new();
        for (name, value, quoted) in refused_forms() {
            let [english, japanese] =
                [told("en", name, &value).await, told("ja", name, &value).await];
            for sentence in [&english, &japanese] {
                assert!(sentence.contains(quoted), "{name}: {sentence}");
                assert!(!sentence.contains(['{', '}']) && !sentence.contains("studies."));
            }
            // But for what was typed in, and the word for an identity, no Latin letter.
            let own = japanese.replace(quoted, "").replace("ID", "");
            assert!(!own.contains(|letter: char| letter.is_ascii_alphabetic()), "{japanese}");
            assert!(japanese.ends_with('）') && english.ends_with(')'), "{japanese} {english}");
            reasons.insert(own);
        }
        // Title, consent, limit, number, how many, unknown puzzle, filter; two counts differ.
        assert!(reasons.len() >= 7, "{reasons:?}");
        assert_eq!(site.researcher().get("/studies").await.json()["studies"], json!([]));
        // Programs are told the same.
        let researcher = site.researcher().with("accept-language", "ja");
        let body = json!({ "title": "", "consent": "y" });
        let refused: Value =
            serde_json::from_slice(&researcher.post("/studies", body).await.bytes).unwrap();
        let page = told("ja", "title", "").await;
        assert_eq!(refused["error"], json!({ "code": "bad-study", "message": page }));
    });
}
