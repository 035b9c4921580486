//! `spuk gat`: the real binary as a server and as its two clients.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, code, program, spuk, text};
use games::geister::Standard;
use gat::log::read_logs;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

fn client(port: &Value, player: &str, more: &[&str]) -> Child {
    let port = port.to_string();
    program()
        .args(["gat", "client", "--port", &port, "--player", player, "--games", "4"])
        .args(more)
        .args(["--time", "5ms", "--name", player, "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn read(lines: &mut std::io::Lines<BufReader<ChildStdout>>) -> Value {
    serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
}

#[test]
fn two_clients_play_on_a_server() {
    let folder = Folder::new();
    let file = folder.file("games.log");
    let mut server = program()
        .args(["gat", "server", "--ports", "0,0", "--games", "4", "--swap", "--json"])
        .args(["--records", &file])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap()).lines();
    let ports = read(&mut stdout)["ports"].clone();
    let clients = [client(&ports[0], "rush", &["--seed", "7"]), client(&ports[1], "random", &[])];
    let outputs = clients.map(|client| client.wait_with_output().unwrap());
    let results = outputs.map(|output| {
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        serde_json::from_str::<Value>(&text(&output.stdout)).unwrap()
    });
    let games: Vec<Value> = (0..4).map(|_| read(&mut stdout)).collect();
    let seeds = [0, 1].map(|client: usize| results[client]["seed"].as_u64().unwrap());
    assert!(seeds[0] == 7 && seeds[1] != 1, "a random seed: {seeds:?}");
    let summary = read(&mut stdout);
    assert!(server.wait().unwrap().success());
    let logs = read_logs(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(logs.len(), 4);
    for (number, (game, log)) in games.iter().zip(&logs).enumerate() {
        assert_eq!(game["first"], ports[number % 2]);
        assert_eq!(game["names"][number % 2], "rush");
        let replayed = log.replay(300, 1).unwrap();
        replayed.record.replay::<Standard>().unwrap();
        assert_eq!(game["end"], replayed.record.end);
        assert_eq!(game["plies"], replayed.record.moves.len());
        assert_eq!(results[0]["results"][number]["how"], game["end"]);
        assert_eq!(results[1]["results"][number]["plies"], game["plies"]);
        let won = game["winner"] == ports[0];
        assert_eq!(results[0]["results"][number]["result"] == "won", won);
    }
    assert_eq!((&summary["games"], &summary["end"]), (&4.into(), &"done".into()));
    assert_eq!(summary["wins"][0], results[0]["wins"]);
    assert_eq!(summary["wins"][1], results[1]["wins"]);
}

#[test]
fn impossible_flags_are_refused_with_exit_code_2() {
    for (arguments, part) in [
        (vec!["gat", "client", "--player", "nobody"], "no player"),
        (vec!["gat", "client", "--player", "rush", "--name", "\u{e9}"], "name"),
        (vec!["gat", "client", "--player", "rush", "--port", "1", "--wait", "1ms"], "reached"),
        (vec!["gat", "server", "--ports", "5"], "two different ports"),
        (vec!["gat", "server", "--ports", "0,0", "--records", "no/such/folder"], "--records"),
    ] {
        let output = spuk(&arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}
