//! Turns of programs that their server does not take: another one takes them up within seconds.

use crate::games::{RED, begin, id, look, play};
use crate::harness::{Browser, Setup, Site, on_every_site};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use web::{App, router};

/// A lease, the time between two looks, and something for a slow machine.
const WITHIN: Duration = Duration::from_secs(10);

/// Waits until it is the visitor's turn again; how long that took.
async fn answered(browser: &Browser, game: &Value) -> Duration {
    let begun = Instant::now();
    while look(browser, game).await["your_turn"] != true {
        assert!(begun.elapsed() < WITHIN, "the game is frozen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

/// Another server at the same database, which takes up turns.
async fn another_server(site: &Site) -> Arc<App> {
    let (app, _) = App::start(site.database.options(Setup::default())).await.unwrap();
    let app = Arc::new(app);
    service::games::game_service::start(&app.service);
    app
}

async fn game_with(browser: &Browser, kind: &str, opponent: &str) -> Value {
    let red = (kind == "geister").then_some(RED);
    let wish = json!({ "kind": kind, "opponent": opponent, "seat": "first", "red": red });
    begin(browser, wish).await
}

#[test]
fn a_program_that_panics_moves_later() {
    on_every_site(async |site| {
        service::games::game_service::start(&site.app.service);
        let browser = site.browser();
        for (kind, opponent, mv) in
            [("geister", "careful", "b2b3"), ("kriegspiel", "darkboard-glance", "e2e4")]
        {
            let game = game_with(&browser, kind, opponent).await;
            site.app.service.games.inject_panics(1);
            play(&browser, &game, mv).await.json();
            answered(&browser, &game).await;
        }
        site.app.service.games.close();
    });
}

#[test]
fn another_server_takes_over_the_turns_of_a_stopped_one() {
    on_every_site(async |site| {
        let browser = site.browser();
        // This server never takes a turn up again, as if it had died.
        site.app.service.games.inject_panics(usize::MAX);
        let mut games = Vec::new();
        for _ in 0..4 {
            let game = game_with(&browser, "geister", "random").await;
            play(&browser, &game, "b2b3").await.json();
            games.push(game);
        }
        let other = another_server(site).await;
        // Somebody who merely looks is served as well, at either server.
        for game in &games {
            answered(&browser, game).await;
        }
        let elsewhere = browser.at(router(other.clone()));
        assert_eq!(look(&elsewhere, &games[0]).await["ply"], 2);
        other.service.games.close();
        other.service.store.close().await;
    });
}

#[test]
fn a_clock_set_back_does_not_block_games() {
    on_every_site(async |site| {
        let browser = site.browser();
        site.app.service.games.inject_panics(usize::MAX);
        let game = game_with(&browser, "geister", "random").await;
        play(&browser, &game, "b2b3").await.json();
        let later = service::store::now() + 3_600_000;
        let sql = format!("UPDATE games SET lease_until = {later} WHERE id = '{}'", id(&game));
        assert_eq!(site.database.execute(&sql).await, 1);
        let other = another_server(site).await;
        answered(&browser, &game).await;
        other.service.games.close();
        other.service.store.close().await;
    });
}

/// One address with a thousand turns that nobody takes care of does not keep another one's waiting.
#[test]
fn due_turns_are_taken_fairly() {
    on_every_site(async |site| {
        let columns = "id, kind, created, first_program, seed, setup, moves, over, program_to_move, first_notes, \
                       second_notes, changed, changes, turn_address";
        let mut rows: Vec<String> = Vec::new();
        for number in 0..1000 {
            let values = format!(
                "'{number}', 'kriegspiel', 0, 'greedy', 1, '', '', 0, 1, '', '', {number}, 0, 'x'"
            );
            rows.push(format!("({values})"));
        }
        rows.push(
            "('late', 'kriegspiel', 0, 'greedy', 1, '', '', 0, 1, '', '', 5000, 0, 'y')".into(),
        );
        site.database
            .execute(&format!("INSERT INTO games ({columns}) VALUES {}", rows.join(", ")))
            .await;
        let leased = site.app.service.store.lease_due_turns("one").await.unwrap();
        assert!(leased.len() <= 256 && leased.contains(&"late".to_owned()), "{leased:?}");
        // Nobody else gets them while the lease lasts.
        let again = site.app.service.store.lease_due_turns("two").await.unwrap();
        assert!(again.iter().all(|id| !leased.contains(id)), "{again:?}");
    });
}
