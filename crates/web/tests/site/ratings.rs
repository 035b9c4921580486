//! Attacks on the ratings, and honest people whom the defence must not hurt.

use crate::harness::{
    Browser, Setup, Site, behind_a_proxy, losable, puzzles, right_move, sample, with_setup,
};
use puzzle::Puzzle;
use serde_json::{Value, json};
use service::glicko::{self, Rating};
use service::rating_policy::{History, weigh};
use web::{App, router};

fn start_rating(puzzle: &Puzzle) -> Rating {
    Rating::of_difficulty(puzzle.grade.as_ref().unwrap().grade.difficulty)
}

/// Fails a puzzle.
async fn fail(browser: &Browser, puzzle: &str, mv: &str) -> Value {
    browser.play(&browser.begin(puzzle).await, mv).await
}

/// Asks for the solution of a puzzle.
async fn look_up(browser: &Browser, puzzle: &str) {
    browser.act(&browser.begin(puzzle).await, "solution", json!({})).await.json();
}

/// Nothing is known of a puzzle but its grade.
async fn expect_unmoved(site: &Site, puzzle: &Puzzle) {
    if let Some(record) = site.app.service.store.puzzle_record(&puzzle.id()).await.unwrap() {
        assert_eq!((record.rating, record.counted), (start_rating(puzzle), 0));
    }
}

/// The value of a line of the metrics.
async fn metric(site: &Site, name: &str) -> u64 {
    let text = site.researcher().get("//metrics").await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).trim().parse().unwrap()
}

async fn anomalies(site: &Site, kind: &str) -> u64 {
    metric(site, &format!("spuk_rating_anomalies_total{{kind=\"{kind}\"}}")).await
}

#[test]
fn three_hundred_visitors_without_cookies_do_not_change_a_puzzle_rating() {
    with_setup(&behind_a_proxy(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        for number in 0..300 {
            let address = format!("203.0.{}.{}", 113 + number / 200, number % 200);
            let failed = fail(&site.browser_at(&address), &id, &mv).await;
            assert_eq!(failed["result"]["counted"], true, "{number}");
        }
        expect_unmoved(site, puzzle).await;
        assert_eq!(anomalies(site, "puzzle-flood").await, 1);
        assert_eq!(anomalies(site, "many-identities").await, 0);
        for number in 0..300 {
            let failed = fail(&site.browser_at("198.51.100.7"), &id, &mv).await;
            let unrated = if number == 0 { Value::Null } else { json!("same-address") };
            assert_eq!(failed["result"]["unrated"], unrated, "{number}");
        }
        expect_unmoved(site, puzzle).await;
        assert_eq!(anomalies(site, "many-identities").await, 1);
        for number in 0..30 {
            let address = format!("192.0.2.{number}");
            let solved = site.browser_at(&address).solve(&id).await;
            assert_eq!(solved["result"]["puzzle_counted"], false);
        }
        expect_unmoved(site, puzzle).await;
        assert_eq!(metric(site, "spuk_puzzle_rating_moves_total").await, 0);
        let unrated = "spuk_unrated_attempts_total{reason=\"same-address\"}";
        assert_eq!(metric(site, unrated).await, 299);
    });
}

/// Ten short puzzles that many players have made harder than any grade.
async fn hardest(site: &Site) -> Vec<String> {
    let ids: Vec<String> = sample(10, 5..=5).into_iter().map(Puzzle::id).collect();
    for id in &ids {
        let sql = format!("INSERT INTO puzzles VALUES ('{id}', 2500, 60, 0.06, 300, 30)");
        site.database.execute(&sql).await;
    }
    ids
}

#[test]
fn solutions_learned_by_a_second_identity_do_not_raise_a_rating() {
    with_setup(&behind_a_proxy(), async |site| {
        let ids = hardest(site).await;
        let helper = site.browser_at("203.0.113.7");
        let [same, other] = ["203.0.113.7", "203.0.113.8"].map(|address| site.browser_at(address));
        for id in &ids {
            look_up(&helper, id).await;
            let solved = same.solve(id).await;
            let result = &solved["result"];
            assert_eq!(
                (&result["unrated"], &result["player"], &result["weight"]),
                (&json!("same-address"), &Value::Null, &json!(0.0))
            );
            other.solve(id).await;
        }
        let me = same.get("/me").await.json();
        assert_eq!((&me["rating"], &me["attempts"]), (&json!(1500.0), &json!(0)));
        let rating = other.get("/me").await.json()["rating"].as_f64().unwrap();
        println!("ten prepared solutions from another address: {rating:.0}");
        assert!((1600.0..2000.0).contains(&rating), "{rating}");
        // Both solved far more than anybody expects of a newcomer.
        assert_eq!(anomalies(site, "strong-newcomer").await, 2);
        for id in &ids {
            let record = site.app.service.store.puzzle_record(id).await.unwrap().unwrap();
            assert_eq!((record.rating.rating, record.counted), (2500.0, 300));
        }
    });
}

#[test]
fn a_second_identity_makes_the_attempt_unrated_in_any_order() {
    with_setup(&behind_a_proxy(), async |site| {
        let ids: Vec<String> = sample(4, 5..=5).into_iter().map(Puzzle::id).collect();
        let helper = site.browser_at("203.0.113.7");
        let player = site.browser_at("203.0.113.7");
        // It stops one move before the end.
        let mut attempt = helper.begin(&ids[0]).await;
        while attempt["plies"].as_u64().unwrap() > 1 {
            attempt = helper.play(&attempt, &right_move(&attempt)).await;
        }
        assert_eq!(player.solve(&ids[0]).await["result"]["unrated"], "same-address");
        // The player begins, and then asks a second identity.
        let begun = player.begin(&ids[1]).await;
        let hint = helper.begin(&ids[1]).await;
        helper.act(&hint, "hint", json!({})).await.json();
        assert_eq!(player.win(begun).await["result"]["unrated"], "same-address");
        // Nobody else has worked on this one.
        assert_eq!(player.solve(&ids[2]).await["result"]["unrated"], Value::Null);
        // A helper that has merely looked at the board has learnt nothing.
        helper.begin(&ids[3]).await;
        assert_eq!(player.solve(&ids[3]).await["result"]["unrated"], Value::Null);
    });
}

#[test]
fn an_ipv6_network_is_one_address() {
    with_setup(&behind_a_proxy(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        let mut unrated = Vec::new();
        for address in
            ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.1"]
        {
            let failed = fail(&site.browser_at(address), &id, &mv).await;
            unrated.push(failed["result"]["unrated"].is_string());
        }
        assert_eq!(unrated, [false, true, false, false, true]);
    });
}

#[test]
fn established_people_change_puzzle_ratings_once_per_address() {
    with_setup(&behind_a_proxy(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        let mut expected = start_rating(puzzle);
        for number in 0..12 {
            let strength = 1300.0 + 40.0 * f64::from(number);
            let player = Rating { rating: strength, deviation: 60.0, volatility: 0.06 };
            let browser = site.regular_at(&format!("203.0.113.{number}"), strength).await;
            let solves = number % 3 == 0;
            let decided = match solves {
                true => browser.solve(&id).await,
                false => fail(&browser, &id, &mv).await,
            };
            let (after, puzzle_after) = glicko::after(player, expected, solves);
            expected = puzzle_after;
            let result = &decided["result"];
            assert_eq!(
                (&result["weight"], &result["puzzle_counted"], &result["attempts"]),
                (&json!(1.0), &json!(true), &json!(number + 1))
            );
            let close = |told: &Value, rating: f64| (told.as_f64().unwrap() - rating).abs() < 1e-6;
            assert!(close(&result["player"]["after"], after.rating), "{result}");
            assert!(close(&result["rating"], expected.rating), "{result}");
        }
        assert!((expected.rating - start_rating(puzzle).rating).abs() > 20.0);
        // Another one from an address that has moved it.
        let second = site.regular_at("203.0.113.3", 1500.0).await;
        let failed = fail(&second, &id, &mv).await;
        assert_eq!(
            (&failed["result"]["unrated"], &failed["result"]["puzzle_counted"]),
            (&json!("same-address"), &json!(false))
        );
        let record = site.app.service.store.puzzle_record(&id).await.unwrap().unwrap();
        assert!((record.rating.rating - expected.rating).abs() < 1e-6 && record.counted == 12);
        assert_eq!(metric(site, "spuk_puzzle_rating_moves_total").await, 12);
    });
}

/// A visitor who comes back for some days gets a history, and with it a say.
#[test]
fn a_new_player_becomes_established() {
    with_setup(&behind_a_proxy(), async |site| {
        let browser = site.browser_at("203.0.113.7");
        let mut player = Rating::NEW_PLAYER;
        let lost = |verdict| matches!(verdict, search::Verdict::NoWin { depth: 99.. });
        let short = puzzles().iter().filter(|puzzle| puzzle.m_win == 7);
        let losable = short.filter_map(|one| Some((one, crate::harness::first_move(one, lost)?)));
        for (counted, (puzzle, mv)) in losable.take(14).enumerate() {
            // Ten on the first day; then it is the next one.
            if counted == 11 {
                let sql = "UPDATE attempts SET finished = finished - 86400000 WHERE rating_after IS NOT NULL";
                assert_eq!(site.database.execute(sql).await, 11);
            }
            let result = fail(&browser, &puzzle.id(), &mv.to_string()).await["result"].clone();
            // Of the next day there has to be a result before.
            let days = if counted < 12 { 1 } else { 2 };
            let history = History { counted: counted as i64, days };
            let weights = weigh(history, None).unwrap();
            player =
                player.moved(glicko::after(player, start_rating(puzzle), false).0, weights.player);
            assert_eq!(result["weight"], json!(weights.player));
            assert!((result["player"]["after"].as_f64().unwrap() - player.rating).abs() < 1e-6);
            assert_eq!(result["puzzle_counted"], json!(counted >= 12), "{counted}");
        }
    });
}

#[test]
fn addresses_are_hashed_and_kept_for_a_week() {
    with_setup(&behind_a_proxy(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        fail(&site.browser_at("203.0.113.7"), &id, &mv).await;
        let marks = async |sql: &str| site.database.execute(sql).await;
        assert_eq!(marks("UPDATE rating_marks SET day = day").await, 1);
        let readable = "UPDATE rating_marks SET day = day WHERE address LIKE '%203%113%' OR LENGTH(address) <> 32";
        assert_eq!(marks(readable).await, 0);
        // A server that starts later, as if days had passed.
        let later = async |days: i64| {
            for table in ["rating_marks", "address_salts"] {
                marks(&format!("UPDATE {table} SET day = day - {days}")).await;
            }
            let (app, _) = App::start(site.database.options(behind_a_proxy())).await.unwrap();
            let app = std::sync::Arc::new(app);
            let browser = site.browser_at("203.0.113.7").at(router(app.clone()));
            let unrated = fail(&browser, &id, &mv).await["result"]["unrated"].clone();
            app.service.store.close().await;
            unrated
        };
        assert_eq!(later(6).await, "same-address");
        // The attempt just now is a mark of today: only what is older is forgotten.
        marks("DELETE FROM rating_marks WHERE day = (SELECT MAX(day) FROM rating_marks)").await;
        assert_eq!(marks("UPDATE rating_marks SET day = day").await, 1);
        assert_eq!(later(1).await, Value::Null);
        assert_eq!(marks("UPDATE rating_marks SET day = day").await, 1);
        assert_eq!(marks("UPDATE address_salts SET day = day").await, 2);
        let old = "UPDATE rating_marks SET day = day - 7";
        assert_eq!(marks(old).await, 1);
        site.app.service.store.forget_old_rating_marks().await.unwrap();
        assert_eq!(marks("UPDATE rating_marks SET day = day").await, 0);
    });
}

/// Without a proxy nobody chooses an address.
#[test]
fn a_forwarded_address_from_an_untrusted_peer_is_ignored() {
    with_setup(&Setup::default(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        fail(&site.browser_at("203.0.113.7"), &id, &mv).await;
        let failed = fail(&site.browser_at("203.0.113.8"), &id, &mv).await;
        assert_eq!(failed["result"]["unrated"], "same-address");
    });
}
