//! A killed site loses nothing that it acknowledged.

use crate::common::{Folder, execute};
use crate::server::Server;
use crate::visitor_games::{begin_games, game_path, wait_for_turn};
use bench::site::http::Client;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// An attempt as the site last acknowledged it, and the cookie of its owner.
struct AcknowledgedAttempt {
    cookie: String,
    attempt: Value,
}

/// Starts attempts and plays any moves until the site is killed; returns every attempt. Nothing is
/// taken back, so that the number of moves only grows.
fn attempt_until_killed(site: &str, puzzles: &[String], player: usize) -> Vec<AcknowledgedAttempt> {
    let mut acknowledged: HashMap<String, AcknowledgedAttempt> = HashMap::new();
    let mut turn = player;
    let mut play = || -> std::io::Result<()> {
        let mut client = Client::new(site, None)?;
        for puzzle in puzzles.iter().cycle().skip(player * puzzles.len() / 4) {
            let path = format!("/api/v1/puzzles/{puzzle}/attempts");
            let (status, mut attempt) = client.post(&path, &json!({ "again": true }))?;
            assert_eq!(status, 200, "{attempt}");
            loop {
                let id = attempt["attempt"].as_str().unwrap().to_owned();
                let cookie = client.cookie.clone().unwrap();
                acknowledged
                    .insert(id.clone(), AcknowledgedAttempt { cookie, attempt: attempt.clone() });
                let legal = attempt["legal"].as_array().unwrap();
                if legal.is_empty() {
                    break;
                }
                turn += 1;
                let ply = attempt["events"].as_array().unwrap().len();
                let body = json!({ "move": legal[turn % legal.len()], "ply": ply });
                let (status, next) = client.post(&format!("/api/v1/attempts/{id}/moves"), &body)?;
                assert_eq!(status, 200, "{next}");
                attempt = next;
            }
        }
        Ok(())
    };
    // Only the killed site ends the loop.
    assert!(play().is_err());
    acknowledged.into_values().collect()
}

/// Fails unless the site has the attempt as it was acknowledged, or one move further.
fn expect_stored(client: &mut Client, acknowledged: &AcknowledgedAttempt) {
    let id = acknowledged.attempt["attempt"].as_str().unwrap();
    let (status, now) = client.get(&format!("/api/v1/attempts/{id}")).unwrap();
    assert_eq!(status, 200, "{id} is lost: {now}");
    let [before, after] =
        [&acknowledged.attempt, &now].map(|one| one["events"].as_array().unwrap());
    assert!(after.starts_with(before), "{} became {now}", acknowledged.attempt);
    assert!(after.len() <= before.len() + 2);
    let decided = &acknowledged.attempt["result"];
    if !decided.is_null() {
        for part in ["outcome", "counted", "player", "seconds"] {
            assert_eq!(now["result"][part], decided[part], "{part} of {id}");
        }
        assert_eq!(now["state"], acknowledged.attempt["state"]);
    }
}

/// Solves puzzles, kills the site meanwhile, restarts it, and checks every acknowledged attempt.
fn kill_and_check_attempts(arguments: &[&str]) {
    let mut acknowledged: Vec<AcknowledgedAttempt> = Vec::new();
    for _ in 0..3 {
        let mut server = Server::start(arguments);
        let puzzle_ids = puzzles(&mut server.client());
        let more: Vec<Vec<AcknowledgedAttempt>> = std::thread::scope(|scope| {
            let (site, puzzle_ids) = (&server.site, &puzzle_ids);
            let players: Vec<_> = (0..4)
                .map(|player| scope.spawn(move || attempt_until_killed(site, puzzle_ids, player)))
                .collect();
            std::thread::sleep(Duration::from_millis(1500));
            // SIGKILL: the site cannot write anything more.
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            players.into_iter().map(|player| player.join().unwrap()).collect()
        });
        acknowledged.extend(more.into_iter().flatten());
        let restarted = Server::start(arguments);
        let mut counted: HashMap<&str, i64> = HashMap::new();
        for one in &acknowledged {
            let mut client = Client::new(&restarted.site, Some(one.cookie.clone())).unwrap();
            expect_stored(&mut client, one);
            let counts = one.attempt["result"]["counted"] == true;
            *counted.entry(&one.cookie).or_default() += i64::from(counts);
        }
        for (cookie, counted) in counted {
            let mut client = Client::new(&restarted.site, Some(cookie.to_owned())).unwrap();
            let (_, me) = client.get("/api/v1/me").unwrap();
            let kept = me["attempts"].as_i64().unwrap();
            assert!((counted..=counted + 1).contains(&kept), "{counted} acknowledged, {me}");
        }
    }
    let decided = acknowledged.iter().filter(|one| !one.attempt["result"].is_null()).count();
    println!("{} attempts acknowledged, {decided} of them decided", acknowledged.len());
    assert!(decided > 20 && acknowledged.len() > decided, "too few moves for a meaningful test");
}

/// The ids of short puzzles, whose moves are judged fast.
fn puzzles(client: &mut Client) -> Vec<String> {
    let mut puzzle_ids = Vec::new();
    for page in 1..=4 {
        let (_, list) = client.get(&format!("/api/v1/puzzles?length_max=9&page={page}")).unwrap();
        let puzzles = list["puzzles"].as_array().unwrap().iter();
        puzzle_ids.extend(puzzles.map(|puzzle| puzzle["id"].as_str().unwrap().to_owned()));
    }
    puzzle_ids
}

#[test]
fn acknowledged_attempts_survive_a_kill_on_sqlite() {
    let folder = Folder::new();
    kill_and_check_attempts(&["--data", &folder.file("data")]);
}

#[test]
fn acknowledged_attempts_survive_a_kill_on_postgresql() {
    let Ok(server) = std::env::var("SPUK_TEST_POSTGRES") else {
        let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
        assert!(!all, "SPUK_TEST_ALL is set, and SPUK_TEST_POSTGRES names no server");
        println!("PostgreSQL IS SKIPPED: SPUK_TEST_POSTGRES names no server");
        return;
    };
    let name = format!("spuk_serve_{}", std::process::id());
    execute(&server, &format!("CREATE DATABASE {name}"));
    let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    kill_and_check_attempts(&["--database", &url]);
    execute(&server, &format!("DROP DATABASE {name} WITH (FORCE)"));
}

/// Plays any moves in all games until the site is killed; each game is left as it was last acknowledged.
fn play_games_until_killed(site: &str, cookie: &str, games: &mut [Value]) {
    let mut play = || -> std::io::Result<()> {
        let mut client = Client::new(site, Some(cookie.to_owned()))?;
        for turn in 0.. {
            let game = &mut games[turn % 8];
            let legal = game["geister"]["legal"].as_array().unwrap();
            let path = game_path(game);
            let (status, next) = if legal.is_empty() {
                client.get(&path)?
            } else {
                let body = json!({ "move": legal[turn % legal.len()], "ply": game["ply"] });
                client.post(&format!("{path}/moves"), &body)?
            };
            assert_eq!(status, 200, "{next}");
            *game = next;
        }
        Ok(())
    };
    // Only the killed site ends the loop.
    assert!(play().is_err());
}

/// Fails unless the site has the game as it was acknowledged, or one move of each side further, and
/// the game continues from there.
fn expect_continued(client: &mut Client, game: &mut Value) {
    let (status, now) = client.get(&game_path(game)).unwrap();
    assert_eq!(status, 200, "{game} is lost");
    let [before, after] = [&*game, &now].map(|one| one["geister"]["events"].as_array().unwrap());
    assert!(after.starts_with(before), "{game} became {now}");
    assert!(after.len() <= before.len() + 2, "{game} became {now}");
    *game = wait_for_turn(client, &game_path(game));
}

#[test]
fn games_continue_after_a_kill_from_the_last_acknowledged_move() {
    let folder = Folder::new();
    let data = folder.file("data");
    let arguments = ["--data", data.as_str()];
    let mut visitors: Vec<(String, Vec<Value>)> = Vec::new();
    for round in 0..3 {
        let mut server = Server::start(&arguments);
        if round == 0 {
            visitors = (0..3).map(|_| begin_games(&server.site)).collect();
        }
        let site = server.site.clone();
        std::thread::scope(|scope| {
            for (cookie, games) in &mut visitors {
                let site = &site;
                scope.spawn(move || play_games_until_killed(site, cookie, games));
            }
            std::thread::sleep(Duration::from_millis(1200));
            // SIGKILL: the site cannot write anything more.
            server.child.kill().unwrap();
            server.child.wait().unwrap();
        });
        let restarted = Server::start(&arguments);
        for (cookie, games) in &mut visitors {
            let mut client = Client::new(&restarted.site, Some(cookie.clone())).unwrap();
            games.iter_mut().for_each(|game| expect_continued(&mut client, game));
        }
    }
    let plies = visitors.iter().flat_map(|one| &one.1).map(|game| game["ply"].as_u64().unwrap());
    assert!(plies.sum::<u64>() > 60, "too few moves for a meaningful test");
}
