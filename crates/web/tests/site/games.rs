//! Whole games through the real router: against programs, between two people, watched, resumed.

use crate::harness::{Answer, Browser, Setup, Site, on_every_site};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use web::{App, router};

/// Does something to a game.
pub(crate) async fn act(browser: &Browser, game: &Value, what: &str, body: Value) -> Answer {
    browser.post(&format!("/games/{}/{what}", id(game)), body).await
}

pub(crate) fn id(game: &Value) -> &str {
    game["game"].as_str().unwrap()
}

pub(crate) async fn look(browser: &Browser, game: &Value) -> Value {
    browser.get(&format!("/games/{}", id(game))).await.json()
}

/// Moves, or tries to.
pub(crate) async fn play(browser: &Browser, game: &Value, mv: &str) -> Answer {
    act(browser, game, "moves", json!({ "move": mv, "ply": game["ply"] })).await
}

/// Begins a game.
pub(crate) async fn begin(browser: &Browser, wish: Value) -> Value {
    browser.post("/games", wish).await.json()
}

/// Waits until it is the browser's turn or the game is over.
pub(crate) async fn wait(browser: &Browser, game: &Value) -> Value {
    for _ in 0..2000 {
        let now = look(browser, game).await;
        if now["your_turn"] == true || now["stage"] == "over" {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("nobody moves: {}", look(browser, game).await);
}

/// A number that depends on two others.
pub(crate) fn mix(seed: usize, ply: usize) -> usize {
    (seed * 7919 + ply * 104_729 + 13) * 2_654_435_761 % 4_294_967_291 / 7
}

/// Some move that can be made.
pub(crate) fn any_move(game: &Value, seed: usize) -> String {
    let of_game = &game[game["kind"].as_str().unwrap()];
    let list = of_game.get("legal").or(of_game.get("tries")).and_then(Value::as_array).unwrap();
    list[mix(seed, list.len() + game["ply"].as_u64().unwrap() as usize) % list.len()]
        .as_str()
        .unwrap()
        .to_owned()
}

pub(crate) const RED: [&str; 4] = ["b1", "c1", "d2", "e2"];

/// Two people at a table, the first of them seated first.
pub(crate) async fn pair(site: &Site, kind: &str) -> (Browser, Browser, Value) {
    let (one, other) = (site.browser(), site.browser());
    let game = begin(&one, json!({ "kind": kind, "opponent": null, "seat": "first" })).await;
    let joined = act(&other, &game, "join", json!({ "invite": game["invite"] })).await.json();
    assert_eq!(joined["role"], "second");
    (one, other, look(&site.browser(), &game).await)
}

/// The same with both set up.
async fn ghosts_ready(site: &Site) -> (Browser, Browser, Value) {
    let (one, other, game) = pair(site, "geister").await;
    for browser in [&one, &other] {
        act(browser, &game, "setup", json!({ "red": RED })).await.json();
    }
    let game = look(&one, &game).await;
    assert_eq!(game["stage"], "playing");
    (one, other, game)
}

#[test]
fn a_whole_game_against_a_program_in_either_seat() {
    on_every_site(async |site| {
        for (seat, opponent) in [("first", "random"), ("second", "rush")] {
            let browser = site.browser();
            let wish = json!({ "kind": "geister", "opponent": opponent, "seat": seat, "red": RED });
            let mut game = wait(&browser, &begin(&browser, wish).await).await;
            assert_eq!(game["geister"]["red"], json!(RED));
            for step in 0.. {
                if game["stage"] == "over" {
                    break;
                }
                let mv = any_move(&game, step);
                game = play(&browser, &game, &mv).await.json();
                game = wait(&browser, &game).await;
            }
            assert_eq!(game["geister"]["truth"].as_array().unwrap().len(), 2);
            assert_ne!(game["end"], Value::Null);
            let listed = browser.get("/games").await.json();
            assert_eq!(listed["games"][0]["stage"], "over");
            assert_eq!(play(&browser, &game, "b2b3").await.refusal(409), "game-over");
        }
    });
}

#[test]
fn a_whole_game_of_kriegspiel_against_a_program() {
    on_every_site(async |site| {
        let browser = site.browser();
        let wish = json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "second" });
        let mut game = wait(&browser, &begin(&browser, wish).await).await;
        let mut refused = 0;
        for step in 0..400 {
            if game["stage"] == "over" {
                break;
            }
            let before = game["ply"].clone();
            let mv = any_move(&game, step);
            game = play(&browser, &game, &mv).await.json();
            if game["ply"] == before {
                refused += 1;
                assert!(game["kriegspiel"]["refused"].as_array().unwrap().contains(&json!(mv)));
                // The same try again changes nothing.
                assert_eq!(play(&browser, &game, &mv).await.json(), game);
            }
            game = wait(&browser, &game).await;
        }
        assert!(refused > 0);
        if game["stage"] != "over" {
            game = act(&browser, &game, "resign", json!({})).await.json();
        }
        let turns = game["kriegspiel"]["turns"].as_array().unwrap();
        assert_eq!(turns.len() as u64, game["ply"].as_u64().unwrap());
    });
}

#[test]
fn two_people_play_and_others_watch() {
    on_every_site(async |site| {
        let (one, other, watcher) = (site.browser(), site.browser(), site.browser());
        let game =
            begin(&one, json!({ "kind": "geister", "opponent": null, "seat": "second" })).await;
        assert_eq!((&game["role"], &game["stage"]), (&json!("second"), &json!("waiting")));
        assert_eq!(look(&watcher, &game).await["invite"], Value::Null);
        let wrong = act(&other, &game, "join", json!({ "invite": "0123456789abcdefghjk" })).await;
        assert_eq!(wrong.refusal(403), "bad-invite");
        // Nobody plays against oneself.
        let invite = json!({ "invite": game["invite"] });
        assert_eq!(act(&one, &game, "join", invite.clone()).await.json()["role"], "second");
        assert_eq!(act(&other, &game, "join", invite.clone()).await.json()["role"], "first");
        assert_eq!(act(&watcher, &game, "join", invite).await.refusal(409), "no-free-seat");
        act(&one, &game, "setup", json!({ "red": RED })).await.json();
        // Another one: drawn by chance it would be the same now and then, and the same twice is one.
        let another = json!({ "red": ["b2", "c2", "d1", "e1"] });
        let again = act(&one, &game, "setup", another).await;
        assert_eq!(again.refusal(409), "set-up-already");
        assert_eq!(look(&other, &game).await["stage"], "setting-up");
        assert_eq!(play(&other, &game, "b2b3").await.refusal(409), "not-begun");
        act(&other, &game, "setup", json!({})).await.json();
        let game = look(&other, &game).await;
        assert_eq!(play(&one, &game, "b2b3").await.refusal(409), "out-of-turn");
        assert_eq!(play(&watcher, &game, "b2b3").await.refusal(403), "only-watching");
        assert_eq!(play(&other, &game, "b2b4").await.refusal(400), "illegal-move");
        assert_eq!(play(&other, &game, "hello").await.refusal(400), "bad-move");
        let moved = play(&other, &game, "b2b3").await.json();
        assert_eq!((&moved["ply"], &moved["can_undo"]), (&json!(1), &json!(true)));
        // The answer was lost on the way: the same again is the same.
        assert_eq!(play(&other, &game, "b2b3").await.json(), moved);
        // Seen from the other side of the board.
        assert_eq!(look(&one, &game).await["geister"]["events"][0]["move"], "e5e4");
        let watched = look(&watcher, &game).await;
        let letters: Vec<&str> = watched["geister"]["pieces"]
            .as_object()
            .unwrap()
            .values()
            .map(|one| one.as_str().unwrap())
            .collect();
        assert!(letters.iter().all(|letter| ["u", "U"].contains(letter)), "{letters:?}");
        let back = act(&other, &game, "undo", json!({})).await.json();
        assert_eq!((&back["ply"], &back["your_turn"]), (&json!(0), &json!(true)));
        assert_eq!(act(&other, &game, "undo", json!({})).await.refusal(409), "no-undo");
        let over = act(&one, &game, "resign", json!({})).await.json();
        assert_eq!(over["end"], json!({ "how": "resigned", "winner": "first" }));
        assert!(look(&watcher, &game).await["geister"]["truth"].is_array());
        assert_eq!(act(&other, &game, "resign", json!({})).await.refusal(409), "game-over");
    });
}

#[test]
fn a_seen_move_cannot_be_taken_back() {
    on_every_site(async |site| {
        let (one, other, mut game) = ghosts_ready(site).await;
        let approach = ["b2b3", "b2b3", "b3b4", "b3c3", "b4b5"];
        for (ply, mv) in approach.iter().enumerate() {
            let browser = if ply % 2 == 0 { &one } else { &other };
            game["ply"] = json!(ply);
            let answer = play(browser, &game, mv).await.json();
            let captured = answer["geister"]["events"][ply]["captured"].is_string();
            assert_eq!(captured, ply == 4, "{answer}");
            assert_eq!(answer["can_undo"], !captured);
        }
        assert_eq!(act(&one, &game, "undo", json!({})).await.refusal(409), "no-undo");
    });
}

#[test]
fn invalid_game_requests_are_refused() {
    on_every_site(async |site| {
        let browser = site.browser();
        let cases = [
            (json!({ "kind": "chess" }), "no-such-game"),
            (json!({ "kind": "geister", "opponent": "darkboard" }), "no-opponent"),
            (json!({ "kind": "geister", "opponent": "random", "seat": "third" }), "no-seat"),
            (
                json!({ "kind": "geister", "opponent": "random", "red": ["a1", "b1", "c1", "d1"] }),
                "bad-set-up",
            ),
            (json!({ "kind": "geister", "opponent": "random", "red": ["b1"] }), "bad-set-up"),
            (
                json!({ "kind": "geister", "opponent": "random", "red": ["é", "b1", "c1", "d1"] }),
                "bad-set-up",
            ),
        ];
        for (wish, code) in cases {
            assert_eq!(browser.post("/games", wish.clone()).await.refusal(400), code, "{wish}");
        }
        for path in ["/games/nothing", "/games/nothing/events"] {
            assert_eq!(browser.get(path).await.refusal(404), "not-found");
        }
        let game =
            begin(&browser, json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" }))
                .await;
        for (mv, status, code) in [
            ("e2e5", 409, "no-try"),
            ("e7e5", 409, "no-try"),
            ("e9e4", 400, "bad-move"),
            ("", 400, "bad-move"),
        ] {
            assert_eq!(play(&browser, &game, mv).await.refusal(status), code, "{mv}");
        }
        assert_eq!(act(&browser, &game, "undo", json!({})).await.refusal(409), "no-undo");
        assert_eq!(
            act(&browser, &game, "notes", json!({ "notes": "<b>" })).await.refusal(400),
            "bad-notes"
        );
        assert_eq!(
            act(&browser, &game, "notes", json!({ "notes": "e5q" })).await.json()["kriegspiel"]["notes"],
            "e5q"
        );
        for _ in 0..23 {
            begin(&browser, json!({ "kind": "geister", "opponent": null })).await;
        }
        let more = browser.post("/games", json!({ "kind": "geister", "opponent": null })).await;
        assert_eq!(more.refusal(409), "too-many-games");
    });
}

/// A program that had to move when the site went down moves when it is back.
#[test]
fn games_continue_after_a_restart() {
    on_every_site(async |site| {
        let browser = site.browser();
        let wish = json!({ "kind": "geister", "opponent": "careful", "seat": "first", "red": RED });
        let game = begin(&browser, wish).await;
        let moved = play(&browser, &game, "b2b3").await.json();
        assert_eq!(moved["ply"], 1);
        wait(&browser, &game).await;
        // As if the power had gone right after the answer.
        let set = "moves = 'b2b3', program_to_move = 1";
        let sql = format!("UPDATE games SET {set} WHERE id = '{}'", id(&game));
        assert_eq!(site.database.execute(&sql).await, 1);
        let (app, _) = App::start(site.database.options(Setup::default())).await.unwrap();
        let app = Arc::new(app);
        let browser = browser.at(router(app.clone()));
        assert_eq!(look(&browser, &game).await["ply"], 1);
        service::games::game_service::start(&app.service);
        let now = wait(&browser, &game).await;
        assert_eq!((&now["ply"], &now["role"]), (&json!(2), &json!("first")));
        app.service.store.close().await;
    });
}

/// Random moves of both until somebody has won, or nobody does for long.
async fn play_out(one: &Browser, other: &Browser, game: &Value, seed: usize) -> Value {
    for step in 0..400 {
        for browser in [one, other] {
            let now = look(browser, game).await;
            if now["stage"] == "over" {
                return now;
            }
            if now["your_turn"] == true {
                let mv = any_move(&now, seed + step);
                play(browser, &now, &mv).await.json();
            }
        }
    }
    act(one, game, "resign", json!({})).await.json()
}

async fn reviewed(browser: &Browser, game: &Value) -> Value {
    for _ in 0..3000 {
        let review = browser.get(&format!("/games/{}/review", id(game))).await.json();
        if review["status"] == "done" {
            return review;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the review takes too long");
}

/// Moves and captures; whether a ghost had been hidden depends on who looks.
fn plies(game: &Value) -> Vec<(Value, Value)> {
    let events = game["geister"]["events"].as_array().unwrap().iter();
    events.map(|event| (event["move"].clone(), event["captured"].clone())).collect()
}

#[test]
fn after_the_end_everything_is_shown_and_records_round_trip() {
    on_every_site(async |site| {
        let (one, other, game) = ghosts_ready(site).await;
        assert_eq!(one.get(&format!("/games/{}/review", id(&game))).await.refusal(409), "not-over");
        let over = play_out(&one, &other, &game, 5).await;
        assert_eq!(over["stage"], "over");
        let review = reviewed(&one, &game).await;
        let seats = review["seats"].as_array().unwrap();
        assert!(seats.iter().all(|seat| !seat["turns"].as_array().unwrap().is_empty()));
        assert!(
            seats.iter().all(|seat| seat["beliefs"][0]["blue"].as_object().unwrap().len() == 8)
        );
        for form in ["json", "log"] {
            let file = one.get(&format!("/games/{}/record?form={form}", id(&game))).await;
            let read = one.post("/games/import", json!({ "text": file.text() })).await.json();
            assert_eq!((&read["role"], &read["stage"]), (&json!("spectator"), &json!("over")));
            assert_eq!(read["geister"]["truth"], over["geister"]["truth"], "{form}");
            assert_eq!(plies(&read), plies(&look(&one, &game).await), "{form}");
            assert_eq!(read["end"]["winner"], over["end"]["winner"]);
        }
        let wrong = one.get(&format!("/games/{}/record?form=pgn", id(&game))).await;
        assert_eq!(wrong.refusal(400), "no-such-form");
        for text in
            ["", "{}", "player=0,SET:ABCD", "[Event \"?\"]\n\n*", "1. e4 e5 0-1 1-0", "{\"v\":1}"]
        {
            let refused = one.post("/games/import", json!({ "text": text })).await;
            assert_eq!(refused.refusal(400), "not-a-record", "{text}");
        }
    });
}

/// Every registered game, whatever it is: played against its easiest program, reviewed, and read back
/// from each of its records.
#[test]
fn every_game_is_played_reviewed_exported_and_imported() {
    on_every_site(async |site| {
        for rules in service::games::GAMES {
            let (browser, name) = (site.browser(), rules.name());
            let wish =
                json!({ "kind": name, "opponent": rules.opponents()[0].id, "seat": "first" });
            let game = begin(&browser, wish).await;
            if game["stage"] == "setting-up" {
                act(&browser, &game, "setup", json!({ "red": RED })).await.json();
            }
            let mut game = wait(&browser, &game).await;
            for step in 0..20 {
                if game["stage"] != "over" {
                    game = play(&browser, &game, &any_move(&game, step)).await.json();
                    game = wait(&browser, &game).await;
                }
            }
            if game["stage"] != "over" {
                game = act(&browser, &game, "resign", json!({})).await.json();
            }
            reviewed(&browser, &game).await;
            for format in rules.formats() {
                let path = format!("/games/{}/record?form={}", id(&game), format.name);
                let text = browser.get(&path).await.text();
                let read = browser.post("/games/import", json!({ "text": text })).await.json();
                assert_eq!((&read["kind"], &read["ply"]), (&json!(name), &game["ply"]));
                assert_eq!(read["end"], game["end"], "{name} as {}", format.name);
            }
        }
    });
}

#[test]
fn a_kriegspiel_game_is_exported_and_imported() {
    on_every_site(async |site| {
        let (one, other, game) = pair(site, "kriegspiel").await;
        for (browser, mv) in [(&one, "e2e4"), (&other, "d7d5"), (&one, "e4d5")] {
            let now = look(browser, &game).await;
            play(browser, &now, mv).await.json();
        }
        let now = look(&other, &game).await;
        play(&other, &now, "d8d4").await.json();
        let over = act(&other, &game, "resign", json!({})).await.json();
        assert_eq!(over["end"], json!({ "how": "resigned", "winner": "first" }));
        let review = reviewed(&one, &game).await;
        assert!(!review["seats"][0]["knowledge"].as_array().unwrap().is_empty());
        let file = one.get(&format!("/games/{}/record?form=pgn", id(&game))).await;
        let read = one.post("/games/import", json!({ "text": file.text() })).await.json();
        assert_eq!(read["kriegspiel"]["turns"], over["kriegspiel"]["turns"]);
        assert_eq!(read["end"], over["end"]);
    });
}

/// Somebody who moves by chance misses a win sooner or later.
#[test]
fn a_missed_win_becomes_a_puzzle() {
    on_every_site(async |site| {
        for seed in 0..20 {
            let (one, other, game) = ghosts_ready(site).await;
            let early = act(&one, &game, "puzzle", json!({ "seat": "first", "ply": 0 })).await;
            assert_eq!(early.refusal(409), "not-over");
            play_out(&one, &other, &game, 1000 * seed).await;
            let review = reviewed(&one, &game).await;
            let Some(missed) = review["seats"][0]["missed"].get(0) else { continue };
            let ask = json!({ "seat": "first", "ply": missed["ply"] });
            let made = act(&site.browser(), &game, "puzzle", ask.clone()).await.json();
            assert_eq!(act(&one, &game, "puzzle", ask).await.json(), made);
            let puzzle = made["puzzle"].as_str().unwrap();
            assert_eq!(
                one.get(&format!("/puzzles/{puzzle}")).await.json()["m_win"],
                missed["plies"]
            );
            assert_eq!(one.get(&format!("//puzzle/{puzzle}")).await.status, 200);
            one.solve(puzzle).await;
            let wrong = act(&one, &game, "puzzle", json!({ "seat": "first", "ply": 1 })).await;
            assert_eq!(wrong.refusal(409), "no-puzzle");
            return;
        }
        panic!("nobody missed a win");
    });
}

/// One who listens hears what changes for them, and nothing else: not how often the other side tries.
#[test]
fn listeners_get_events_for_visible_changes_only() {
    on_every_site(async |site| {
        let (one, other, game) = pair(site, "kriegspiel").await;
        let now = look(&one, &game).await;
        play(&one, &now, "e2e4").await.json();
        let mut ear = one.listen(&format!("/games/{}/events", id(&game))).await;
        assert!(ear.next().await.unwrap().contains("\"ply\":1"));
        let now = look(&other, &game).await;
        // A bishop cannot jump over its pawn: not even a try. A queen's long way may be one.
        play(&other, &now, "d7d5").await.json();
        assert!(ear.next().await.unwrap().contains("\"ply\":2"));
        let now = look(&one, &game).await;
        play(&one, &now, "e4d5").await.json();
        assert!(ear.next().await.unwrap().contains("\"ply\":3"));
        let now = look(&other, &game).await;
        let refused = play(&other, &now, "d8d4").await.json();
        assert_eq!(refused["ply"], 3);
        act(&other, &game, "notes", json!({ "notes": "e2q" })).await.json();
        play(&other, &now, "d8d5").await.json();
        // The illegal try and the notes made no event of their own.
        assert!(ear.next().await.unwrap().contains("\"ply\":4"));
        site.app.service.games.close();
        assert_eq!(ear.next().await, None);
    });
}
