//! A site that is killed has lost nothing that it acknowledged.

use crate::common::{Folder, execute};
use crate::games::{begin_games, game_path, wait_for_turn};
use crate::server::Server;
use bench::site::http::Client;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// What was acknowledged: an attempt as last answered, and whose it is.
struct Acknowledged {
    cookie: String,
    attempt: Value,
}

/// Begins attempts and plays any moves until the site is gone, noting every answer. Nothing is
/// taken back, so that moves only ever become more.
fn play_until_the_end(site: &str, puzzles: &[String], player: usize) -> Vec<Acknowledged> {
    let mut noted: HashMap<String, Acknowledged> = HashMap::new();
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
                noted.insert(id.clone(), Acknowledged { cookie, attempt: attempt.clone() });
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
    // The site was killed: that is the end.
    assert!(play().is_err());
    noted.into_values().collect()
}

/// Fails unless an attempt stands where it was acknowledged to stand, or one move further.
fn expect_kept(client: &mut Client, noted: &Acknowledged) {
    let id = noted.attempt["attempt"].as_str().unwrap();
    let (status, now) = client.get(&format!("/api/v1/attempts/{id}")).unwrap();
    assert_eq!(status, 200, "{id} is lost: {now}");
    let [before, after] = [&noted.attempt, &now].map(|one| one["events"].as_array().unwrap());
    assert!(after.starts_with(before), "{} became {now}", noted.attempt);
    assert!(after.len() <= before.len() + 2);
    let decided = &noted.attempt["result"];
    if !decided.is_null() {
        for part in ["outcome", "counted", "player", "seconds"] {
            assert_eq!(now["result"][part], decided[part], "{part} of {id}");
        }
        assert_eq!(now["state"], noted.attempt["state"]);
    }
}

/// Plays, kills the site in the middle, starts it again, and looks at everything acknowledged.
fn nothing_is_lost(arguments: &[&str]) {
    let mut noted: Vec<Acknowledged> = Vec::new();
    for _ in 0..3 {
        let mut server = Server::start(arguments);
        let ids = puzzles(&mut server.client());
        let more: Vec<Vec<Acknowledged>> = std::thread::scope(|scope| {
            let (site, ids) = (&server.site, &ids);
            let players: Vec<_> = (0..4)
                .map(|player| scope.spawn(move || play_until_the_end(site, ids, player)))
                .collect();
            std::thread::sleep(Duration::from_millis(1500));
            // SIGKILL: it has no time for anything.
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            players.into_iter().map(|player| player.join().unwrap()).collect()
        });
        noted.extend(more.into_iter().flatten());
        let again = Server::start(arguments);
        let mut counted: HashMap<&str, i64> = HashMap::new();
        for one in &noted {
            let mut client = Client::new(&again.site, Some(one.cookie.clone())).unwrap();
            expect_kept(&mut client, one);
            let counts = one.attempt["result"]["counted"] == true;
            *counted.entry(&one.cookie).or_default() += i64::from(counts);
        }
        for (cookie, counted) in counted {
            let mut client = Client::new(&again.site, Some(cookie.to_owned())).unwrap();
            let (_, me) = client.get("/api/v1/me").unwrap();
            let kept = me["attempts"].as_i64().unwrap();
            assert!((counted..=counted + 1).contains(&kept), "{counted} acknowledged, {me}");
        }
    }
    let decided = noted.iter().filter(|one| !one.attempt["result"].is_null()).count();
    println!("{} attempts acknowledged, {decided} of them decided", noted.len());
    assert!(decided > 20 && noted.len() > decided, "too little happened to prove anything");
}

/// Short puzzles, which are judged fast.
fn puzzles(client: &mut Client) -> Vec<String> {
    let mut ids = Vec::new();
    for page in 1..=4 {
        let (_, list) = client.get(&format!("/api/v1/puzzles?length_max=9&page={page}")).unwrap();
        let puzzles = list["puzzles"].as_array().unwrap().iter();
        ids.extend(puzzles.map(|puzzle| puzzle["id"].as_str().unwrap().to_owned()));
    }
    ids
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill_in_sqlite() {
    let folder = Folder::new();
    nothing_is_lost(&["--data", &folder.file("data")]);
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill_in_postgresql() {
    let Ok(server) = std::env::var("SPUK_TEST_POSTGRES") else {
        let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
        assert!(!all, "SPUK_TEST_ALL is set, and SPUK_TEST_POSTGRES names no server");
        println!("PostgreSQL IS LEFT OUT: SPUK_TEST_POSTGRES names no server");
        return;
    };
    let name = format!("spuk_serve_{}", std::process::id());
    execute(&server, &format!("CREATE DATABASE {name}"));
    let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    nothing_is_lost(&["--database", &url]);
    execute(&server, &format!("DROP DATABASE {name} WITH (FORCE)"));
}

/// Plays any moves in all games until the site is gone; each is left as it was last answered.
fn play_games_until_the_end(site: &str, cookie: &str, games: &mut [Value]) {
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
    // The site was killed: that is the end.
    assert!(play().is_err());
}

/// Fails unless a game stands where it was last acknowledged, or one move of each side further, and
/// goes on from there.
fn expect_going_on(client: &mut Client, game: &mut Value) {
    let (status, now) = client.get(&game_path(game)).unwrap();
    assert_eq!(status, 200, "{game} is lost");
    let [before, after] = [&*game, &now].map(|one| one["geister"]["events"].as_array().unwrap());
    assert!(after.starts_with(before), "{game} became {now}");
    assert!(after.len() <= before.len() + 2, "{game} became {now}");
    *game = wait_for_turn(client, &game_path(game));
}

#[test]
fn games_go_on_after_a_kill_from_their_last_acknowledged_move() {
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
                scope.spawn(move || play_games_until_the_end(site, cookie, games));
            }
            std::thread::sleep(Duration::from_millis(1200));
            // SIGKILL: it has no time for anything.
            server.child.kill().unwrap();
            server.child.wait().unwrap();
        });
        let again = Server::start(&arguments);
        for (cookie, games) in &mut visitors {
            let mut client = Client::new(&again.site, Some(cookie.clone())).unwrap();
            games.iter_mut().for_each(|game| expect_going_on(&mut client, game));
        }
    }
    let plies = visitors.iter().flat_map(|one| &one.1).map(|game| game["ply"].as_u64().unwrap());
    assert!(plies.sum::<u64>() > 60, "too little happened to prove anything");
}
