//! What a seat may not know moves nothing that it can see: not its list of games, its order and times, nor
//! the time that an answer takes.

use crate::games::{any_move, id, look, pair, play};
use crate::harness::{Browser, on_every_site};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Everything that somebody can ask for without making a move.
async fn everything(browser: &Browser, game: &Value) -> Vec<String> {
    let mut seen = Vec::new();
    for path in [format!("/games/{}", id(game)), "/games".into(), "//play".into()] {
        let answer = browser.get(&path).await;
        let mut headers = answer.headers.clone();
        // Different for every answer, whatever happens.
        headers.remove("x-request-id");
        seen.push(format!("{headers:?} {}", answer.text()));
    }
    seen
}

#[test]
fn a_refused_try_moves_nothing_that_the_opponent_sees() {
    on_every_site(async |site| {
        let (white, black, game) = pair(site, "kriegspiel").await;
        // A second game of each: the order of the list is seen as well.
        for player in [&white, &black] {
            player.post("/games", json!({ "kind": "geister", "opponent": null })).await.json();
        }
        let mut refused = 0;
        for step in 0..150 {
            let whites_turn = look(&white, &game).await["your_turn"] == true;
            let (mover, opponent) = if whites_turn { (&white, &black) } else { (&black, &white) };
            let now = look(mover, &game).await;
            if now["your_turn"] != true {
                break;
            }
            let before = everything(opponent, &game).await;
            let own = everything(mover, &game).await;
            tokio::time::sleep(Duration::from_millis(2)).await;
            let after = play(mover, &now, &any_move(&now, step)).await.json();
            if after["ply"] == now["ply"] {
                refused += 1;
                assert_eq!(everything(opponent, &game).await, before, "step {step}");
            } else {
                assert_ne!(everything(opponent, &game).await, before, "a move is seen");
            }
            assert_ne!(everything(mover, &game).await, own, "the mover sees the answer");
        }
        assert!(refused > 5, "only {refused} tries were refused");
    });
}

/// A program's answers to a won, a lost and an even position leave after the same time, in buckets far
/// wider than what the network adds.
#[test]
fn thinking_times_reveal_nothing() {
    on_every_site(async |site| {
        let red = ["b1", "c1", "d1", "e1"];
        let mut times = Vec::new();
        for opponent in ["champion-quick", "careful"] {
            let browser = site.browser();
            let wish =
                json!({ "kind": "geister", "opponent": opponent, "seat": "first", "red": red });
            let game = browser.post("/games", wish).await.json();
            for step in 0..12 {
                let now = look(&browser, &game).await;
                if now["stage"] == "over" {
                    break;
                }
                let begun = Instant::now();
                let mv = any_move(&now, step);
                let after = play(&browser, &now, &mv).await.json();
                assert!(after["answer_in"].as_f64().is_none_or(|seconds| seconds >= 0.1));
                while look(&browser, &game).await["turn"] == "second" {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                times.push(begun.elapsed());
            }
        }
        // 50 ms of thinking leave after 162.5 ms; a slow machine may need a second slot now and then.
        let early = times.iter().filter(|time| **time < Duration::from_millis(160)).count();
        assert_eq!(early, 0, "{times:?}");
    });
}
