//! The site as a program: it starts, it ends when asked to, it says why it does not start, and
//! nothing that it has answered is lost when it is killed.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod common;

use bench::site::http::Client;
use common::{Folder, code, execute, program, text};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// A site that runs, and is killed with the value.
struct Server {
    child: Child,
    site: String,
    announced: Value,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a site at a free port.
    fn start(arguments: &[&str]) -> Server {
        let quiet = [arguments, &["--log-level", "warn"]].concat();
        Server::complaining(&quiet, Stdio::inherit())
    }

    /// Starts one whose complaints go somewhere.
    fn complaining(arguments: &[&str], stderr: Stdio) -> Server {
        let mut command = command(&["--listen", "127.0.0.1:0", "--json", "--unlimited"]);
        command.args(arguments);
        Server::spawn(command, stderr)
    }

    /// Starts the one of a command.
    fn spawn(mut command: Command, stderr: Stdio) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let announced: Value = serde_json::from_str(&line).unwrap();
        let site = announced["address"].as_str().unwrap().to_owned();
        Server { child, site, announced, stdout }
    }

    fn client(&self) -> Client {
        Client::new(&self.site, None).unwrap()
    }

    fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Waits for the end, for so long.
    fn end_within(&mut self, limit: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < limit, "it still runs after {limit:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("serve").args(arguments).env_remove("SPUK_TOKEN");
    command
}

/// A start that has to fail.
fn refused(arguments: &[&str]) -> String {
    let output: Output = command(arguments).output().unwrap();
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

#[test]
fn it_starts_answers_and_names_the_file_of_the_token_once() {
    let folder = Folder::new();
    let arguments = ["--data", &folder.file("made for it")];
    let first = Server::start(&arguments);
    let file = first.announced["token_file"].as_str().unwrap().to_owned();
    let token = std::fs::read_to_string(&file).unwrap();
    assert!(token.trim().len() >= 20 && first.announced.get("token").is_none());
    assert_eq!(first.client().get("/healthz").unwrap().0, 200);
    let mut operator = first.client();
    let head =
        format!("GET /api/v1/studies HTTP/1.1\r\nAuthorization: Bearer {}\r\n", token.trim());
    assert_eq!(operator.send(&head, "").unwrap().0, 200);
    drop(first);
    assert_eq!(Server::start(&arguments).announced["token_file"], Value::Null);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), token);
}

/// Lines of a log that an operator should look at.
fn warnings(log: &str) -> usize {
    log.lines().filter(|line| !line.contains(" info ")).count()
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_data() {
    use std::os::unix::fs::PermissionsExt;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::new();
    let data = folder.0.join("data");
    // As open as a umask can be.
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spuk"), "serve"]);
    shell.args(["--listen", "127.0.0.1:0", "--json", "--data", data.to_str().unwrap()]);
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", "no-such-folder");
    let mut server = Server::spawn(shell, Stdio::piped());
    assert_eq!(server.client().post("/api/v1/transfer", &json!({})).unwrap().0, 200);
    assert_eq!(mode(&data), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(names, ["spuk.db", "spuk.db-shm", "spuk.db-wal", "spuk.db.lock", "token"]);
    let said = |server: &mut Server| {
        server.child.kill().unwrap();
        let mut said = String::new();
        server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    };
    assert_eq!(warnings(&said(&mut server)), 0);
    // A database that others can read is named, with what to do.
    std::fs::set_permissions(data.join("spuk.db"), PermissionsExt::from_mode(0o644)).unwrap();
    let mut open = Server::complaining(&["--data", data.to_str().unwrap()], Stdio::piped());
    let said = said(&mut open);
    assert!(said.contains("chmod 600") && warnings(&said) == 1, "{said}");
}

#[test]
fn folders_may_have_any_name_and_be_relative() {
    let folder = Folder::new();
    let name = "My data 50% ? #";
    let mut command = command(&["--listen", "127.0.0.1:0", "--json", "--data", name]);
    let mut child = command.current_dir(&folder.0).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(line.contains("http://"), "{line}");
    assert!(folder.0.join(name).join("spuk.db").is_file());
}

#[test]
fn asked_to_end_it_ends_at_once_whoever_is_connected() {
    let folder = Folder::new();
    let mut server = Server::start(&["--data", &folder.file("data")]);
    let mut idle: Vec<Client> = (0..5).map(|_| server.client()).collect();
    for client in &mut idle[1..] {
        assert_eq!(client.get("/api/v1/me").unwrap().0, 200);
    }
    let begun = Instant::now();
    server.terminate();
    assert_eq!(server.end_within(Duration::from_secs(5)).code(), Some(0));
    println!("ended after {:?}", begun.elapsed());
    assert!(Client::new(&server.site, None).is_err());
    drop(idle);
}

/// Everything that a client can leave half done: half a head, half a body, an open event stream, a
/// large response that is not read, and champions that think.
fn half_done(server: &Server) -> Vec<Client> {
    let head =
        b"POST /api/v1/transfer/claim HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    let mut half_head = server.client();
    half_head.write(head).unwrap();
    let mut half_body = server.client();
    half_body.write(head).unwrap();
    half_body.write(b"Content-Length: 20\r\n\r\n{ \"code\":").unwrap();
    let mut clients = vec![half_head, half_body];
    for _ in 0..4 {
        let mut player = server.client();
        let wish = json!({ "kind": "geister", "opponent": "champion", "seat": "second", "red": ["b1", "c1", "d1", "e1"] });
        let (status, game) = player.post("/api/v1/games", &wish).unwrap();
        assert_eq!(status, 200, "{game}");
        let listen = format!("GET {}/events HTTP/1.1\r\nHost: x\r\n\r\n", game_path(&game));
        player.write(listen.as_bytes()).unwrap();
        clients.push(player);
    }
    let mut unread = server.client();
    for _ in 0..200 {
        unread.write(b"GET /puzzles HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    }
    clients.push(unread);
    clients
}

#[test]
fn asked_to_end_it_ends_within_a_second_whatever_is_half_done() {
    let folder = Folder::new();
    for round in 0..3 {
        let mut server = Server::start(&["--data", &folder.file("data")]);
        let clients = half_done(&server);
        std::thread::sleep(Duration::from_millis(200));
        let begun = Instant::now();
        server.terminate();
        assert_eq!(server.end_within(Duration::from_secs(2)).code(), Some(0));
        println!("round {round}: ended after {:?}", begun.elapsed());
        drop(clients);
    }
}

/// A connection from another address of this machine, where the system has one.
fn connect_from(source: &str, site: &str) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Runtime::new()?;
    let site = site.strip_prefix("http://").unwrap().parse().unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(format!("{source}:0").parse().unwrap())?;
        let stream = socket.connect(site).await?.into_std()?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(stream)
    })
}

/// The first line of the answer to a request for `/healthz`; nothing if the connection is closed.
fn healthz(stream: &mut TcpStream) -> String {
    let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut buffer = [0; 4096];
    let read = stream.read(&mut buffer).unwrap_or(0);
    text(&buffer[..read]).lines().next().unwrap_or_default().to_owned()
}

const OK: &str = "HTTP/1.1 200 OK";

#[test]
fn one_address_cannot_take_all_connections() {
    let folder = Folder::new();
    let mut server = Server::spawn(
        command(&["--listen", "127.0.0.1:0", "--json", "--data", &folder.file("data")]),
        Stdio::piped(),
    );
    let mut greedy: Vec<TcpStream> =
        (0..300).map(|_| connect_from("127.0.0.1", &server.site).unwrap()).collect();
    let mut other = connect_from("127.0.0.2", &server.site).unwrap();
    assert_eq!(healthz(&mut other), OK);
    let served = greedy.iter_mut().filter_map(|stream| (healthz(stream) == OK).then_some(()));
    assert_eq!(served.count(), 64);
    assert_eq!(healthz(&mut connect_from("127.0.0.2", &server.site).unwrap()), OK);
    drop(greedy);
    eventually(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    server.child.kill().unwrap();
    let mut said = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("127.0.0.1 has 64 connections") && warnings(&said) == 1, "{said}");
}

/// Waits until something is so.
fn eventually(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never becomes so");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn it_keeps_working_when_connections_need_more_descriptors_than_there_are() {
    let folder = Folder::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 128; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spuk"), "serve"]);
    shell.args([
        "--listen",
        "127.0.0.1:0",
        "--json",
        "--unlimited",
        "--data",
        &folder.file("data"),
    ]);
    shell.env_remove("SPUK_TOKEN").env("SPUK_TABLES", "no-such-folder");
    let mut server = Server::spawn(shell, Stdio::piped());
    let mut first = server.client();
    assert_eq!(first.get("/api/v1/me").unwrap().0, 200);
    let many: Vec<TcpStream> =
        (0..400).filter_map(|_| connect_from("127.0.0.1", &server.site).ok()).collect();
    for _ in 0..20 {
        // A connected client is served, and what is answered is kept.
        assert_eq!(first.get("/healthz").unwrap().0, 200);
        assert_eq!(first.post("/api/v1/transfer", &json!({})).unwrap().0, 200);
    }
    assert!(many.len() > 128, "{} connections prove nothing", many.len());
    drop(many);
    eventually(|| healthz(&mut connect_from("127.0.0.1", &server.site).unwrap()) == OK);
    let games = begin_games(&server.site).1;
    assert_eq!(games.len(), 8);
    server.terminate();
    assert_eq!(server.end_within(Duration::from_secs(2)).code(), Some(0));
    let mut said = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("connections run short: all 48 are in use"), "{said}");
    assert!(warnings(&said) <= 2, "{said}");
}

#[test]
fn a_port_in_use_is_told_with_the_next_step_and_no_token_is_lost() {
    let folder = Folder::new();
    let data = folder.file("data");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = refused(&["--listen", &address, "--data", &data]);
    assert!(told.contains(&address) && told.contains("--listen"), "{told}");
    let server = Server::start(&["--data", &data]);
    let announced = &server.announced["token_file"];
    assert!(announced.is_string(), "the token was made and its file never named");
}

#[test]
fn a_database_that_cannot_be_used_is_told() {
    let folder = Folder::new();
    let file = folder.file("file");
    std::fs::write(&file, "no folder").unwrap();
    let told = refused(&["--listen", "127.0.0.1:0", "--data", &file]);
    assert!(told.contains("--data"), "{told}");
    for (url, part) in [
        ("mysql://root:secret@localhost/x", "postgres://"),
        ("postgres://nobody:secret@127.0.0.1:1/x", "refused"),
        ("sqlite:///no/such/folder/x.db?mode=rwc", "unable to open"),
    ] {
        let begun = Instant::now();
        let told = refused(&["--listen", "127.0.0.1:0", "--database", url]);
        assert!(told.contains(part) && !told.contains("secret"), "{told}");
        assert!(begun.elapsed() < Duration::from_secs(8));
    }
}

#[test]
fn a_trusted_proxy_that_is_no_address_is_refused() {
    for (proxy, public) in [("localhost", true), ("10.0.0.0/40", true), ("10.0.0.1", false)] {
        let mut arguments = vec!["--listen", "127.0.0.1:0", "--trusted-proxy", proxy];
        if public {
            arguments.extend(["--public", "https://spuk.example"]);
        }
        let refusal = refused(&arguments);
        let named = if public { proxy } else { "--public" };
        assert!(refusal.contains(named) && refusal.contains("--trusted-proxy"), "{refusal}");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let folder = Folder::new();
    let data = folder.file("data");
    drop(Server::start(&["--data", &data]));
    let url = format!("sqlite://{data}/spuk.db");
    execute(&url, "INSERT INTO spuk_schema (version) VALUES (999)");
    let told = refused(&["--listen", "127.0.0.1:0", "--data", &data]);
    assert!(told.contains("999") && told.contains("newer version of spuk"), "{told}");
}

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

/// Without a command the site starts, or says that its usual place is taken.
/// The games of one visitor, begun against a program that thinks, and its cookie.
fn begin_games(site: &str) -> (String, Vec<Value>) {
    let mut client = Client::new(site, None).unwrap();
    let wish = json!({ "kind": "geister", "opponent": "careful", "seat": "first", "red": ["b1", "c1", "d1", "e1"] });
    let begun = (0..8).map(|_| {
        let (status, game) = client.post("/api/v1/games", &wish).unwrap();
        assert_eq!(status, 200, "{game}");
        game
    });
    let begun = begun.collect();
    (client.cookie.clone().unwrap(), begun)
}

fn game_path(game: &Value) -> String {
    format!("/api/v1/games/{}", game["game"].as_str().unwrap())
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

/// A game as soon as no program has to move.
fn wait_for_turn(client: &mut Client, path: &str) -> Value {
    let begun = Instant::now();
    loop {
        let game = client.get(path).unwrap().1;
        if game["your_turn"] == true || game["stage"] == "over" {
            return game;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no program moves: {game}");
        std::thread::sleep(Duration::from_millis(20));
    }
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

/// A free port, for a listener whose address is not announced.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn metrics_need_the_token_or_a_listener_of_their_own() {
    let folder = Folder::new();
    let place = format!("127.0.0.1:{}", free_port());
    let server = Server::start(&["--data", &folder.file("data"), "--metrics", &place]);
    assert_eq!(server.client().get("/metrics").unwrap().0, 401);
    let mut private = Client::new(&format!("http://{place}"), None).unwrap();
    assert_eq!(private.get("/healthz").unwrap().0, 200);
    assert_eq!(private.get("/metrics").unwrap().0, 200);
    assert_eq!(private.get("/api/v1/me").unwrap().0, 404);
    let taken =
        refused(&["--listen", "127.0.0.1:0", "--data", &folder.file("x"), "--metrics", &place]);
    assert!(taken.contains("--metrics"), "{taken}");
    let wrong = refused(&["--log-level", "loud"]);
    assert!(wrong.contains("debug"), "{wrong}");
}

/// A game with everything that can go wrong in it, while all is heard that the site says aloud.
#[test]
fn nothing_of_a_game_is_said_aloud() {
    let folder = Folder::new();
    let data = folder.file("data");
    let arguments = ["--data", &data, "--log-level", "debug", "--log-format", "json"];
    let mut server = Server::complaining(&arguments, Stdio::piped());
    let mut client = server.client();
    let mut secrets = Vec::new();
    for wish in [
        json!({ "kind": "geister", "opponent": "random", "seat": "first", "red": ["b1", "c1", "d1", "e1"] }),
        json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" }),
    ] {
        let (status, mut game) = client.post("/api/v1/games", &wish).unwrap();
        assert_eq!(status, 200, "{game}");
        let path = game_path(&game);
        secrets.push(game["game"].as_str().unwrap().to_owned());
        for wrong in [json!({ "move": "a1h8", "ply": 0 }), json!({ "move": 7 })] {
            assert!(client.post(&format!("{path}/moves"), &wrong).unwrap().0 >= 400);
        }
        for red in [json!(["a1"]), json!(["b1", "c1", "d1", "d2"])] {
            let again = json!({ "red": red });
            assert!(client.post(&format!("{path}/setup"), &again).unwrap().0 >= 400);
        }
        let (moves, form) = match wish["kind"].as_str() {
            Some("geister") => (["b2b3", "b3b4"], "json"),
            _ => (["e2e4", "d2d4"], "pgn"),
        };
        for mv in moves {
            let body = json!({ "move": mv, "ply": game["ply"] });
            assert_eq!(client.post(&format!("{path}/moves"), &body).unwrap().0, 200);
            game = wait_for_turn(&mut client, &path);
        }
        assert_eq!(client.post(&format!("{path}/resign"), &json!({})).unwrap().0, 200);
        assert_eq!(client.get(&format!("{path}/review")).unwrap().0, 200);
        assert_eq!(client.get(&format!("{path}/record?form={form}")).unwrap().0, 200);
    }
    server.child.kill().unwrap();
    let mut said = String::new();
    server.stdout.read_to_string(&mut said).unwrap();
    assert_eq!(said, "", "the site talks about games");
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    for line in said.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        // Random, and numbers: they may look like a move.
        for field in ["request_id", "ms", "time"] {
            event.as_object_mut().unwrap().remove(field);
        }
        let event = event.to_string();
        for secret in secrets.iter().map(String::as_str).chain(["a1h8", "b2b3", "b3b4", "e2e4"]) {
            assert!(!event.contains(secret), "{secret} in {event}");
        }
    }
    assert!(said.contains("/api/v1/games/{id}/moves") && said.contains("\"started\""), "{said}");
}

#[test]
fn many_games_at_once_are_measured_and_kept() {
    let output = program()
        .args([
            "bench",
            "play",
            "--games",
            "12",
            "--seconds",
            "2",
            "--opponent",
            "random",
            "--json",
        ])
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = |name: &str| record[name].as_u64().unwrap();
    assert!(count("begun") >= 12 && count("moves") >= 12 && count("answers") >= 24, "{record}");
    assert_eq!(count("kept"), count("begun"), "{record}");
    let wrong =
        program().args(["bench", "play", "--games", "2", "--opponent", "nobody"]).output().unwrap();
    assert_eq!(code(&wrong), 2);
    assert!(text(&wrong.stderr).contains("no-opponent"), "{}", text(&wrong.stderr));
}

#[test]
fn the_program_alone_is_the_site() {
    let folder = Folder::new();
    let mut child = program()
        .env("XDG_DATA_HOME", folder.file("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut told).unwrap();
    let _ = child.kill();
    let failure = text(&child.wait_with_output().unwrap().stderr);
    let is_taken =
        failure.contains("cannot listen at 127.0.0.1:7717") && failure.contains("--listen");
    assert!(told.starts_with("Spuk is at http://127.0.0.1:7717") || is_taken, "{told}{failure}");
}
