//! Hidden stays hidden in whole games, on the bytes: two true games that look the same to somebody
//! give that somebody the same answers, pages, events and errors included.

use crate::games::{act, id, look, mix, pair, play};
use crate::harness::{Answer, Browser, Ear, Site, on_every_site};
use games::kriegspiel::{self, Color, Ruling, Try, umpire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::sync::Mutex;

/// The same table in two worlds.
struct Worlds {
    first: [Browser; 2],
    second: [Browser; 2],
    watcher: Browser,
    game: [Value; 2],
    ears: Mutex<Vec<Listeners>>,
}

/// Somebody who listens in both worlds, and what they saw when they last heard something.
struct Listeners {
    ears: [Ear; 2],
    seen: String,
}

impl Worlds {
    async fn new(site: &Site, kind: &str) -> Worlds {
        let (first_a, second_a, game_a) = pair(site, kind).await;
        let (first_b, second_b, game_b) = pair(site, kind).await;
        let watcher = site.browser();
        let paths = [&game_a, &game_b].map(|game| format!("/games/{}/events", id(game)));
        let mut ears = Vec::new();
        for browsers in [[&first_a, &first_b], [&watcher, &watcher]] {
            let ears_of_one =
                [browsers[0].listen(&paths[0]).await, browsers[1].listen(&paths[1]).await];
            ears.push(Listeners { ears: ears_of_one, seen: String::new() });
        }
        Worlds {
            first: [first_a, first_b],
            second: [second_a, second_b],
            watcher,
            game: [game_a, game_b],
            ears: Mutex::new(ears),
        }
    }

    /// The bytes of the events that tell what is new since the last time.
    async fn expect_equal_events(&self) {
        let browsers = [&self.first[0], &self.watcher];
        for (browser, listeners) in browsers.into_iter().zip(self.ears.lock().await.iter_mut()) {
            let seen = browser.get(&format!("/games/{}", id(&self.game[0]))).await.text();
            if seen == listeners.seen {
                continue;
            }
            let mut heard = Vec::new();
            for (ear, game) in listeners.ears.iter_mut().zip(&self.game) {
                heard.push(ear.next().await.unwrap().replace(id(game), "GAME"));
            }
            assert!(heard[0].contains(&seen.replace(id(&self.game[0]), "GAME")), "{}", heard[0]);
            assert_eq!(heard[0], heard[1]);
            listeners.seen = seen;
        }
    }

    /// An answer without what differs by chance: the id of the game.
    fn masked(&self, world: usize, answer: &Answer) -> String {
        let headers = answer
            .headers
            .iter()
            .filter(|(name, _)| *name != "set-cookie" && *name != "x-request-id");
        let headers: BTreeMap<String, String> =
            headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
        format!("{} {headers:?}\n{}", answer.status, answer.text())
            .replace(id(&self.game[world]), "GAME")
    }

    /// Does the same in both worlds as the first seat, and expects the same answer.
    async fn same(&self, what: &str, body: Value) -> Value {
        let mut told = Vec::new();
        let mut answer = Value::Null;
        for world in 0..2 {
            let got = act(&self.first[world], &self.game[world], what, body.clone()).await;
            told.push(self.masked(world, &got));
            answer = serde_json::from_slice(&got.bytes).unwrap();
        }
        assert_eq!(told[0], told[1], "{what} {body}");
        answer
    }

    /// Everything that the first seat and those who watch get to see.
    async fn expect_equal(&self) {
        let mut seen = [Vec::new(), Vec::new()];
        for (world, seen) in seen.iter_mut().enumerate() {
            let game = id(&self.game[world]);
            for browser in [&self.first[world], &self.watcher] {
                for path in [
                    format!("/games/{game}"),
                    format!("//game/{game}"),
                    format!("/games/{game}/review"),
                    format!("/games/{game}/record?form=json"),
                    "//metrics".to_owned(),
                ] {
                    seen.push(self.masked(world, &browser.get(&path).await));
                }
            }
            let listed = self.first[world].get("/games").await.json();
            seen.push(
                json!([listed["games"][0]["ply"], listed["games"][0]["your_turn"]]).to_string(),
            );
        }
        for (one, other) in seen[0].iter().zip(&seen[1]) {
            assert_eq!(one, other);
        }
        self.expect_equal_events().await;
    }
}

/// Every move that the one whose view this is could make but for leaving, which tells a colour.
fn steps(view: &Value) -> Vec<String> {
    let legal = view["geister"]["legal"].as_array().unwrap().iter();
    legal.map(|mv| mv.as_str().unwrap().to_owned()).filter(|mv| !mv.ends_with("-out")).collect()
}

/// What the second seat has red in the two worlds.
const REDS: [[&str; 4]; 2] = [["b1", "c1", "d1", "e1"], ["b1", "c1", "d2", "e2"]];

#[test]
fn ghosts_look_the_same_whatever_their_colours() {
    on_every_site(async |site| {
        for seed in 0..4 {
            let worlds = Worlds::new(site, "geister").await;
            worlds.expect_equal().await;
            worlds.same("setup", json!({ "red": ["b1", "d1", "c2", "e2"] })).await;
            for (world, red) in REDS.iter().enumerate() {
                act(&worlds.second[world], &worlds.game[world], "setup", json!({ "red": red }))
                    .await
                    .json();
            }
            let mut captured = 0;
            for ply in 0..60 {
                let own = ply % 2 == 0;
                let movers = if own { &worlds.first } else { &worlds.second };
                let view = look(&movers[0], &worlds.game[0]).await;
                if view["stage"] == "over" {
                    break;
                }
                worlds.expect_equal().await;
                let steps = steps(&view);
                let body = json!({ "move": steps[mix(seed, ply) % steps.len()], "ply": ply });
                // Refusals are the same, too.
                for refused in [
                    json!({ "move": "a1a3", "ply": ply }),
                    json!({ "move": "b2b3", "ply": ply + 1 }),
                ] {
                    worlds.same("moves", refused).await;
                }
                if own {
                    worlds.same("undo", json!({})).await;
                    let taken = takes(&view, body["move"].as_str().unwrap());
                    if taken && !same_colour(&worlds, ply, &body).await {
                        break;
                    }
                    captured += usize::from(taken);
                    if !taken {
                        worlds.same("moves", body).await;
                    }
                } else {
                    for (mover, game) in movers.iter().zip(&worlds.game) {
                        act(mover, game, "moves", body.clone()).await.json();
                    }
                }
            }
            assert!(captured < 8, "no ghost is captured twice");
        }
    });
}

/// Whether a move captures.
fn takes(view: &Value, mv: &str) -> bool {
    view["geister"]["pieces"].get(&mv[2..]).is_some()
}

/// Captures in both worlds; whether the same colour came to light.
async fn same_colour(worlds: &Worlds, ply: usize, body: &Value) -> bool {
    let mut letters = Vec::new();
    for world in 0..2 {
        let after =
            act(&worlds.first[world], &worlds.game[world], "moves", body.clone()).await.json();
        letters.push(after["geister"]["events"][ply]["captured"].clone());
    }
    letters[0] == letters[1]
}

/// A move of Black's in each world after which the same is announced, another one if there is one.
fn alike(games: &[kriegspiel::Game; 2], seed: usize) -> [Try; 2] {
    let announced = |game: &kriegspiel::Game, attempt: Try| match umpire(game.position(), attempt) {
        Ruling::Legal { announcement, .. } => Some(announcement),
        Ruling::Illegal => None,
    };
    let moves = games.each_ref().map(|game| game.position().legal_moves());
    let pairs: Vec<[Try; 2]> = moves[0]
        .iter()
        .flat_map(|&one| moves[1].iter().map(move |&other| [one, other]))
        .filter(|pair| announced(&games[0], pair[0]) == announced(&games[1], pair[1]))
        .collect();
    let different: Vec<&[Try; 2]> = pairs.iter().filter(|pair| pair[0] != pair[1]).collect();
    different.get(seed % different.len().max(1)).map_or(pairs[0], |pair| **pair)
}

#[test]
fn unseen_pieces_change_nothing_that_is_shown() {
    on_every_site(async |site| {
        for seed in 0..3 {
            let worlds = Worlds::new(site, "kriegspiel").await;
            let mut games = [kriegspiel::Game::default(), kriegspiel::Game::default()];
            let mut differed = false;
            for turn in 0..14 {
                let mut step = 0;
                while games[0].turn() == Color::White && games[0].termination().is_none() {
                    step += 1;
                    let tries = games[0].candidates();
                    let fits = |attempt: &Try| {
                        let [one, other] =
                            [0, 1].map(|world| umpire(games[world].position(), *attempt));
                        match (one, other) {
                            (
                                Ruling::Legal { announcement: a, .. },
                                Ruling::Legal { announcement: b, .. },
                            ) => a == b,
                            (one, other) => one == other,
                        }
                    };
                    let fit: Vec<Try> = tries.into_iter().filter(fits).collect();
                    let attempt = fit[mix(seed, 100 * turn + step) % fit.len()];
                    worlds
                        .same(
                            "moves",
                            json!({ "move": attempt.to_string(), "ply": games[0].turns().len() }),
                        )
                        .await;
                    for game in &mut games {
                        game.attempt(attempt).unwrap();
                    }
                    worlds.expect_equal().await;
                }
                if games[0].termination().is_some() {
                    break;
                }
                let moves = alike(&games, mix(seed, turn));
                differed |= moves[0] != moves[1];
                // In one world Black tries something illegal first, which nobody else hears.
                let tries = games[0].candidates();
                let illegal = tries
                    .into_iter()
                    .find(|&attempt| umpire(games[0].position(), attempt) == Ruling::Illegal);
                for (world, played) in moves.into_iter().enumerate() {
                    let ply = games[world].turns().len();
                    for attempt in illegal.into_iter().filter(|_| world == 0).chain([played]) {
                        worlds.expect_equal_if(world == 0 && attempt != played).await;
                        let mut game = worlds.game[world].clone();
                        game["ply"] = json!(ply);
                        play(&worlds.second[world], &game, &attempt.to_string()).await.json();
                        games[world].attempt(attempt).unwrap();
                    }
                }
                worlds.expect_equal().await;
                // What the other side played cannot be asked for.
                let last = games[0].turns().len() - 1;
                let played = games[0].turns()[last].played.to_string();
                let asked = worlds.same("moves", json!({ "move": played, "ply": last })).await;
                assert_eq!(asked["error"]["code"], "out-of-turn");
            }
            assert!(differed, "the two games were the same");
        }
    });
}

impl Worlds {
    async fn expect_equal_if(&self, equal: bool) {
        if equal {
            self.expect_equal().await;
        }
    }
}
