//! The tournament protocol over real sockets: our client, our server, and both against whatever a
//! network and other people's programs may do.

#![allow(clippy::unwrap_used)]

use games::geister::{Board, Game, Move, Side, Square, Standard};
use players::gat::client::{self, Finished, Trouble};
use players::gat::frame::{Framed, LineReader, NoLine};
use players::gat::log::{GameLog, read_logs};
use players::gat::pieces::{Pieces, index, placement};
use players::gat::referee::{Finish, Judged, Referee, Why};
use players::gat::server::{Options, SeriesEnd, Server};
use players::gat::text::{
    Colour, Direction, Ending, FromClient, FromServer, MoveCommand, PIECES, Piece, Place,
    SetCommand, View,
};
use players::roster::Roster;
use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

const SIDES: [Side; 2] = [Side::Bottom, Side::Top];
static NEVER: AtomicBool = AtomicBool::new(false);

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}

// ---------------------------------------------------------------- a server, and hands to reach it

fn options() -> Options {
    Options { ports: [0, 0], pause: milliseconds(1), ..Options::default() }
}

struct Running {
    addresses: [SocketAddr; 2],
    stop: Arc<AtomicBool>,
    thread: JoinHandle<players::gat::server::Series>,
}

fn serve(options: Options) -> Running {
    let server = Server::bind(options).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let (addresses, flag) = (server.addresses(), stop.clone());
    let thread = spawn(move || server.run(&flag, &mut |_| {}).unwrap());
    Running { addresses, stop, thread }
}

impl Running {
    fn wire(&self, seat: usize) -> Wire {
        Wire::open(self.addresses[seat])
    }

    /// Two who have sat down and set up.
    fn set_up(&self) -> [Wire; 2] {
        let mut wires = [self.wire(0), self.wire(1)];
        for wire in &mut wires {
            wire.expect("SET?");
            wire.say("SET:ABCD");
            wire.expect("OK ");
        }
        wires
    }

    fn finish(self) -> players::gat::server::Series {
        self.thread.join().unwrap()
    }

    fn halt(self) -> players::gat::server::Series {
        self.stop.store(true, Relaxed);
        self.finish()
    }
}

/// The bare end of a connection.
struct Wire {
    stream: TcpStream,
    reader: LineReader,
}

impl Wire {
    fn over(stream: TcpStream) -> Wire {
        stream.set_nodelay(true).unwrap();
        let reader = LineReader::new(stream.try_clone().unwrap()).unwrap();
        Wire { stream, reader }
    }

    fn open(address: SocketAddr) -> Wire {
        Wire::over(TcpStream::connect(address).unwrap())
    }

    fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    fn say(&mut self, line: &str) {
        self.send(format!("{line}\r\n").as_bytes());
    }

    fn line_within(&mut self, patience: Duration) -> Result<String, NoLine> {
        match self.reader.read_line(Some(Instant::now() + patience), &NEVER)? {
            Framed::Line(line) => Ok(line),
            Framed::Garbage => panic!("the server sent garbage"),
        }
    }

    fn line(&mut self) -> Result<String, NoLine> {
        self.line_within(Duration::from_secs(20))
    }

    fn expect(&mut self, start: &str) -> String {
        let line = self.line().unwrap_or_else(|why| panic!("{start} did not come: {why:?}"));
        assert!(line.starts_with(start), "{line} instead of {start}");
        line
    }

    fn expect_silence(&mut self) {
        assert_eq!(self.line_within(milliseconds(150)), Err(NoLine::Silent));
    }

    fn expect_closed(&mut self) {
        assert_eq!(self.line(), Err(NoLine::Closed));
    }
}

fn client_options(address: SocketAddr, games: u32, seed: u64) -> client::Options {
    client::Options {
        time: milliseconds(3),
        games,
        seed,
        patience: Duration::from_secs(10),
        ..client::Options::new(&address.ip().to_string(), address.port())
    }
}

fn play(name: &'static str, options: client::Options) -> JoinHandle<client::Series> {
    spawn(move || client::play(&options, &|| Standard::player(name).unwrap(), &NEVER, &mut |_| {}))
}

fn red(letters: &str) -> [bool; PIECES] {
    match FromClient::parse(&format!("SET:{letters}")).unwrap() {
        FromClient::Set(set) => set.red,
        FromClient::Move(_) => unreachable!(),
    }
}

fn set(letters: &str) -> SetCommand {
    SetCommand { red: red(letters), name: None }
}

// ------------------------------------------------------------------------- our client, our server

/// What the server kept and what a client said are the same game.
fn check_agreement(held: &players::gat::server::Held, seat: usize, finished: &Finished) {
    let side = if held.seat(Side::Bottom) == seat { Side::Bottom } else { Side::Top };
    let ending = match held.finish.winner {
        None => Ending::Drawn,
        Some(winner) if winner == side => Ending::Won,
        Some(_) => Ending::Lost,
    };
    assert_eq!(finished.ending, ending);
    assert_eq!(finished.how, held.finish.why.name());
    assert_eq!(finished.began, Some(side == Side::Bottom));
    assert_eq!(finished.plies as usize, held.log.moves.len());
    assert_eq!(finished.red, held.log.sets[index(side)].red);
    assert_eq!(finished.restarts, 0);
}

/// The record can be played again, and every form of it says the same.
fn check_record(log: &GameLog, finish: &Finish, draw_limit: u32) {
    let replayed = log.replay(draw_limit, 1).unwrap();
    assert_eq!(replayed.forfeited_by, None);
    replayed.record.replay::<Standard>().unwrap();
    assert_eq!(replayed.record.end, finish.why.name());
    assert_eq!(replayed.record.winner.map(usize::from), finish.winner.map(index));
    assert_eq!(read_logs(&log.to_string()).unwrap(), std::slice::from_ref(log));
    let again = GameLog::of_record(&replayed.record).unwrap();
    let nameless = |set: &SetCommand| SetCommand { name: None, ..set.clone() };
    assert_eq!(again.sets, [nameless(&log.sets[0]), nameless(&log.sets[1])]);
    // An escape may have gone sideways; everything else is the same.
    assert_eq!(again.moves, log.moves);
    assert_eq!(again.winner, log.winner);
}

fn check_series(names: [&'static str; 2], games: u32, swap: bool) {
    let running = serve(Options { games, swap, draw_limit: 200, ..options() });
    let clients = [0, 1].map(|seat| {
        let mut options = client_options(running.addresses[seat], games, seat as u64);
        options.name = (seat == 0).then(|| "FIRST".to_owned());
        play(names[seat], options)
    });
    let results = clients.map(|client| client.join().unwrap());
    let series = running.finish();
    assert_eq!((series.games.len(), series.end), (games as usize, SeriesEnd::Done));
    for (number, held) in series.games.iter().enumerate() {
        assert_eq!(held.first_seat, if swap { number % 2 } else { 0 });
        assert_eq!(held.log.sets[held.first_seat].name.as_deref(), Some("FIRST"));
        check_record(&held.log, &held.finish, 200);
        for (seat, result) in results.iter().enumerate() {
            check_agreement(held, seat, &result.games[number]);
        }
    }
    assert!(results.iter().all(|result| result.trouble.is_none()));
    let (wins, draws) = series.score();
    assert_eq!(wins[0] as usize, results[0].count(Ending::Won));
    assert_eq!(wins[1] as usize, results[0].count(Ending::Lost));
    assert_eq!(draws as usize, results[1].count(Ending::Drawn));
}

#[test]
fn our_client_plays_on_our_server_with_sides_exchanged() {
    check_series(["rush", "random"], 6, true);
    check_series(["random", "random"], 3, false);
    check_series(["careful", "rush"], 4, true);
}

#[test]
fn clients_may_come_anew_for_every_game() {
    let running = serve(Options { games: 4, swap: true, ..options() });
    let clients = [0, 1].map(|seat| {
        let address = running.addresses[seat];
        spawn(move || {
            let one = |number| play("rush", client_options(address, 1, number)).join().unwrap();
            (0..4).map(one).collect::<Vec<_>>()
        })
    });
    let results = clients.map(|client| client.join().unwrap());
    let series = running.finish();
    assert_eq!(series.games.len(), 4);
    // The same seeds, and yet they do not set up alike.
    let alike = |held: &players::gat::server::Held| held.log.sets[0].red == held.log.sets[1].red;
    assert!(!series.games.iter().all(alike));
    for (number, held) in series.games.iter().enumerate() {
        for (seat, results) in results.iter().enumerate() {
            assert_eq!(results[number].trouble, None);
            check_agreement(held, seat, &results[number].games[0]);
        }
    }
}

#[test]
fn a_series_that_somebody_deserts_ends() {
    let running = serve(Options { games: 3, silence: milliseconds(1000), ..options() });
    let clients = [0, 1]
        .map(|seat| play("rush", client_options(running.addresses[seat], 1 + 2 * seat as u32, 1)));
    let series = running.finish();
    assert_eq!((series.games.len(), series.end), (1, SeriesEnd::Deserted));
    let [one, other] = clients.map(|client| client.join().unwrap());
    assert_eq!((one.games.len(), one.trouble), (1, None));
    assert_eq!(other.games.len(), 1);
    assert!(matches!(other.trouble, Some(Trouble::Unreachable(_) | Trouble::Closed)));
}

// ------------------------------------------------------- our client, other people's servers

/// How lines get to the client.
#[derive(Clone, Copy)]
enum Delivery {
    /// As many as there are in one packet.
    Glued,
    /// Each by itself, and so long apart.
    Apart(Duration),
    /// Every byte by itself.
    Bytes,
}

/// A server made of a referee and a random opponent, with manners of its own.
#[derive(Clone, Copy)]
struct Fake {
    delivery: Delivery,
    client_begins: bool,
    draw_limit: u32,
    seed: u64,
}

impl Fake {
    fn deliver(&self, wire: &mut Wire, lines: &[String]) {
        match self.delivery {
            Delivery::Glued => wire.send((lines.join("\r\n") + "\r\n").as_bytes()),
            Delivery::Apart(pause) => lines.iter().for_each(|line| {
                wire.say(line);
                sleep(pause);
            }),
            Delivery::Bytes => (lines.join("\r\n") + "\r\n").bytes().for_each(|byte| {
                wire.send(&[byte]);
            }),
        }
    }

    /// A whole game, after `SET?` was asked and answered.
    fn play(&self, wire: &mut Wire, set_line: &str) -> (Finish, GameLog) {
        let FromClient::Set(theirs) = FromClient::parse(set_line).unwrap() else { panic!() };
        let client = if self.client_begins { Side::Bottom } else { Side::Top };
        let sets = if self.client_begins { [theirs, set("ABEF")] } else { [set("ABEF"), theirs] };
        let mut referee = Referee::new(sets, self.draw_limit).unwrap();
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        let mut lines = vec!["OK ".to_owned()];
        loop {
            if let Some(finish) = referee.finish() {
                lines.push(referee.farewell(client, &finish).to_string());
                self.deliver(wire, &lines);
                return (finish, referee.log(&finish));
            }
            if referee.turn() != client {
                while !matches!(referee.play(any_command(&mut chance)), Judged::Played(_)) {}
                continue;
            }
            lines.push(referee.question().to_string());
            self.deliver(wire, &lines);
            let FromClient::Move(mv) = FromClient::parse(&wire.line().unwrap()).unwrap() else {
                panic!("no move")
            };
            let Judged::Played(captured) = referee.play(mv) else { panic!("illegal {mv}") };
            lines = vec![FromServer::Accepted(captured).to_string()];
        }
    }

    fn start_and_play(&self, wire: &mut Wire) -> (Finish, GameLog) {
        self.deliver(wire, &["SET?".to_owned()]);
        let set_line = wire.line().unwrap();
        self.play(wire, &set_line)
    }
}

fn any_command(chance: &mut impl Rng) -> MoveCommand {
    let direction = *Direction::ALL.choose(chance).unwrap();
    MoveCommand { piece: chance.random_range(0..PIECES), direction }
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

fn ending_for(finish: &Finish, side: Side) -> Ending {
    finish.winner.map_or(
        Ending::Drawn,
        |winner| {
            if winner == side { Ending::Won } else { Ending::Lost }
        },
    )
}

fn check_fake(fake: Fake) {
    let (listener, address) = listener();
    let client = play("random", client_options(address, 1, fake.seed));
    let mut wire = Wire::over(listener.accept().unwrap().0);
    let (finish, log) = fake.start_and_play(&mut wire);
    wire.expect_closed();
    let result = client.join().unwrap();
    assert_eq!(result.trouble, None);
    let game = &result.games[0];
    let side = if fake.client_begins { Side::Bottom } else { Side::Top };
    assert_eq!(game.ending, ending_for(&finish, side));
    assert_eq!((game.plies as usize, game.restarts), (log.moves.len(), 0));
    assert_eq!(game.began, Some(fake.client_begins));
    log.replay(fake.draw_limit, 0).unwrap();
}

#[test]
fn lines_may_come_in_one_packet_or_apart_or_byte_by_byte() {
    let deliveries =
        [(Delivery::Glued, 300), (Delivery::Bytes, 60), (Delivery::Apart(milliseconds(40)), 20)];
    for (delivery, draw_limit) in deliveries {
        for client_begins in [true, false] {
            for seed in 0..2 {
                check_fake(Fake { delivery, client_begins, draw_limit, seed });
            }
        }
    }
}

#[test]
fn draws_come_when_the_server_says_so() {
    // Later than the player expects, and earlier.
    for draw_limit in [200, 300, 400] {
        let (listener, address) = listener();
        let mut options = client_options(address, 1, 5);
        options.draw_limit = 6;
        let client = play("random", options);
        let mut wire = Wire::over(listener.accept().unwrap().0);
        let fake = Fake { delivery: Delivery::Glued, client_begins: false, draw_limit, seed: 5 };
        let (finish, _) = fake.start_and_play(&mut wire);
        let result = client.join().unwrap();
        assert_eq!(result.games[0].ending, ending_for(&finish, Side::Top));
        assert_eq!(result.games[0].restarts, 0);
    }
}

#[test]
fn several_games_come_on_one_connection_or_on_several() {
    let fake = |number: u32| Fake {
        delivery: Delivery::Glued,
        client_begins: number.is_multiple_of(2),
        draw_limit: 40,
        seed: u64::from(number),
    };
    // On one connection, sides exchanged, and then one that closes after each game.
    for one_connection in [true, false] {
        let (listener, address) = listener();
        let client = play("rush", client_options(address, 3, 1));
        let mut wire = Wire::over(listener.accept().unwrap().0);
        let mut finishes = Vec::new();
        for number in 0..3 {
            if number > 0 && !one_connection {
                drop(wire);
                wire = Wire::over(listener.accept().unwrap().0);
            }
            finishes.push(fake(number).start_and_play(&mut wire).0);
        }
        let result = client.join().unwrap();
        assert_eq!((result.games.len(), result.trouble), (3, None));
        for (number, (game, finish)) in result.games.iter().zip(&finishes).enumerate() {
            assert_eq!(game.ending, ending_for(finish, SIDES[number % 2]));
        }
    }
}

#[test]
fn a_server_that_neither_asks_nor_closes_is_tried_anew() {
    let (listener, address) = listener();
    let mut options = client_options(address, 2, 1);
    options.between = milliseconds(100);
    let client = play("rush", options);
    let fake = Fake { delivery: Delivery::Glued, client_begins: true, draw_limit: 10, seed: 1 };
    let mut first = Wire::over(listener.accept().unwrap().0);
    fake.start_and_play(&mut first);
    let mut second = Wire::over(listener.accept().unwrap().0);
    first.expect_closed();
    fake.start_and_play(&mut second);
    assert_eq!(client.join().unwrap().games.len(), 2);
}

#[test]
fn names_are_given_and_left_out_where_nobody_wants_them() {
    let (listener, address) = listener();
    let mut options = client_options(address, 1, 1);
    options.name = Some("FOO".into());
    let client = play("rush", options);
    let mut wire = Wire::over(listener.accept().unwrap().0);
    wire.say("Welcome to the tournament!"); // what nobody knows is passed over
    wire.say("SET?");
    let named = wire.line().unwrap();
    assert!(named.ends_with(",NAME:FOO"), "{named}");
    wire.say("NG ");
    let plain = wire.line().unwrap();
    assert_eq!(format!("{plain},NAME:FOO"), named);
    let fake = Fake { delivery: Delivery::Glued, client_begins: true, draw_limit: 10, seed: 1 };
    fake.play(&mut wire, &plain);
    assert_eq!(client.join().unwrap().games.len(), 1);
}

#[test]
fn a_refused_move_is_followed_by_another() {
    let (listener, address) = listener();
    let client = play("rush", client_options(address, 1, 1));
    let mut wire = Wire::over(listener.accept().unwrap().0);
    wire.say("SET?");
    let FromClient::Set(theirs) = FromClient::parse(&wire.line().unwrap()).unwrap() else {
        panic!()
    };
    let mut referee = Referee::new([theirs, set("ABCD")], 1).unwrap();
    wire.say("OK ");
    wire.say(&referee.question().to_string());
    let mut seen = vec![wire.line().unwrap()];
    wire.say("NG ");
    seen.push(wire.line().unwrap()); // after a moment, by itself
    wire.say("NG ");
    wire.say(&referee.question().to_string()); // or asked again
    seen.push(wire.line().unwrap());
    assert!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2], "{seen:?}");
    let FromClient::Move(mv) = FromClient::parse(&seen[2]).unwrap() else { panic!() };
    assert_eq!(referee.play(mv), Judged::Played(None));
    let finish = referee.finish().unwrap();
    wire.say("OK ");
    wire.say(&referee.farewell(Side::Bottom, &finish).to_string());
    assert_eq!(client.join().unwrap().games[0].ending, Ending::Drawn);
}

#[test]
fn servers_that_fail_are_told_by_name() {
    let start = "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
    let nothing = format!("MOV?{}", "99b".repeat(16));
    // What the server says after each other; then it closes.
    let cases: [(&[&str], Trouble); 5] = [
        (&["SET?"], Trouble::Closed),
        (&["SET?", "OK "], Trouble::Closed),
        (&["SET?", "OK ", start], Trouble::Closed),
        (&["SET?", "NG "], Trouble::SetRefused),
        (
            &["SET?", "SET?", "OK ", &nothing],
            Trouble::Position(games::geister::ObservationError::OwnCount),
        ),
    ];
    for (lines, trouble) in cases {
        let (listener, address) = listener();
        let client = play("rush", client_options(address, 1, 1));
        let mut wire = Wire::over(listener.accept().unwrap().0);
        lines.iter().for_each(|line| wire.say(line));
        sleep(milliseconds(100));
        let _ = wire.stream.shutdown(Shutdown::Write);
        while wire.line().is_ok() {}
        let result = client.join().unwrap();
        assert_eq!((result.games.len(), result.trouble), (0, Some(trouble)), "{lines:?}");
    }
}

#[test]
fn nobody_there_silence_and_a_late_server() {
    let (taken, address) = listener();
    drop(taken);
    let mut options = client_options(address, 1, 1);
    options.patience = milliseconds(200);
    let result = play("rush", options.clone()).join().unwrap();
    assert!(matches!(result.trouble, Some(Trouble::Unreachable(_))), "{result:?}");
    options.patience = Duration::from_secs(10);
    options.silence = milliseconds(200);
    let client = play("rush", options);
    sleep(milliseconds(300));
    let listener = TcpListener::bind(address).unwrap();
    let _silent = listener.accept().unwrap();
    assert_eq!(client.join().unwrap().trouble, Some(Trouble::Silent));
}

// --------------------------------------------------- our server, other people's clients

#[test]
fn lines_come_in_their_order_and_moves_are_judged() {
    let running = serve(Options { draw_limit: 3, ..options() });
    let [mut one, mut other] = running.set_up();
    one.expect("MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
    other.expect_silence();
    other.say("MOV:A,NORTH"); // out of turn
    other.expect("NG ");
    other.say("nonsense");
    other.expect("NG ");
    one.expect_silence();
    one.say("MOV:a,n");
    one.expect("OK ");
    other.expect("MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
    other.say("MOV:H,EAST");
    other.expect("OK ");
    one.expect("MOV?13R24R34R44R15B25B35B45B41u31u21u11u40u30u20u00u");
    one.say("MOV:E,WEST");
    assert_eq!(one.expect("OK "), "OK ");
    one.expect("DRW:13R24R34R44R05B25B35B45B41r31r21r11r40b30b20b00b");
    other.expect("DRW:14R24R34R44R15B25B35B55B42r31r21r11r50b30b20b10b");
    drop((one, other));
    let series = running.finish();
    let text = series.games[0].log.to_string();
    assert_eq!(
        text,
        "player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=0,MOV:A,NORTH\nplayer=1,MOV:H,EAST\nplayer=0,MOV:E,WEST\nwinner=2\n"
    );
    check_record(&series.games[0].log, &series.games[0].finish, 3);
}

#[test]
fn set_ups_are_checked_and_may_be_sent_again() {
    let running = serve(options());
    let mut wire = running.wire(0);
    wire.expect("SET?");
    let long = "x".repeat(5000);
    for bad in ["SET:AAAA", "SET:ABCZ", "SET:ABC", "", "MOV:A,NORTH", "set:ABCD", &long] {
        wire.say(bad);
        assert_eq!(wire.expect("NG "), "NG ", "{bad}");
    }
    wire.send(b"SET:ABCZ\r\nSET:ABCD,NAME:FOO\r\nSET:ABCD\r\n"); // glued
    assert_eq!(wire.expect("NG "), "NG ");
    assert_eq!(wire.expect("OK "), "OK ");
    assert_eq!(wire.expect("NG "), "NG ");
    running.halt();
}

#[test]
fn captures_are_told_by_colour() {
    for (reds, answer) in [("ABCD", "OKR"), ("EFGH", "OKB")] {
        let running = serve(Options { draw_limit: 7, ..options() });
        let mut wires = [running.wire(0), running.wire(1)];
        for wire in &mut wires {
            wire.expect("SET?");
            wire.say(&format!("SET:{reds}"));
            wire.expect("OK ");
        }
        let [mut one, mut other] = wires;
        let moves = ["MOV:A,N", "MOV:H,E", "MOV:A,N", "MOV:H,W", "MOV:A,N"];
        for (ply, mv) in moves.into_iter().enumerate() {
            let wire = if ply % 2 == 0 { &mut one } else { &mut other };
            wire.expect("MOV?");
            wire.say(mv);
            // A walks north on the b file and takes D, which stands on b5.
            wire.expect(if ply == 4 { answer } else { "OK " });
        }
        let seen = other.expect("MOV?");
        assert_eq!(&seen[13..16], if answer == "OKR" { "99r" } else { "99b" }, "{seen}");
        other.say("MOV:H,N"); // back over the square in front of it: A is taken
        other.expect(answer);
        running.halt();
    }
}

fn check_bad_moves(lenient: bool) {
    for bad in [
        "MOV:E,NORTH",
        "MOV:A,UP",
        "MOV:I,NORTH",
        "MOV:E,SOUTH",
        "SET:ABCD",
        "",
        "?",
        "MOV:\u{e9},N",
    ] {
        let running = serve(Options { lenient, ..options() });
        let [mut one, mut other] = running.set_up();
        one.expect("MOV?");
        one.say(bad);
        one.expect("NG ");
        if lenient {
            one.expect_silence();
            one.say("MOV:A,NORTH");
            one.expect("OK ");
            other.expect("MOV?");
            running.halt();
            continue;
        }
        one.expect("LST:14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b");
        other.expect("WON:");
        drop((one, other));
        let series = running.finish();
        let held = &series.games[0];
        assert_eq!(held.finish, Finish::forfeit(Side::Bottom, Why::IllegalMove));
        let replayed = held.log.replay(300, 0).unwrap();
        assert_eq!((replayed.forfeited_by, replayed.record.end.as_str()), (Some(0), "open"));
    }
}

#[test]
fn an_illegal_move_loses() {
    check_bad_moves(false);
}

#[test]
fn an_illegal_move_may_be_sent_again_if_the_server_is_lenient() {
    check_bad_moves(true);
}

/// A walks to the corner and leaves; the other goes to and fro.
fn walk_out(lenient: bool, reds: &str, last: &str) -> ([String; 3], Finish) {
    let running = serve(Options { lenient, ..options() });
    let mut wires = [running.wire(0), running.wire(1)];
    for wire in &mut wires {
        wire.expect("SET?");
        wire.say(&format!("SET:{reds}"));
        wire.expect("OK ");
    }
    let [mut one, mut other] = wires;
    for (step, mv) in ["W", "N", "N", "N", "N"].into_iter().enumerate() {
        one.expect("MOV?");
        one.say(&format!("MOV:A,{mv}"));
        one.expect("OK");
        other.expect("MOV?");
        other.say(if step % 2 == 0 { "MOV:B,N" } else { "MOV:B,S" });
        other.expect("OK");
    }
    one.expect("MOV?");
    one.say(last);
    let lines = [one.line().unwrap(), one.line().unwrap(), other.line().unwrap()];
    drop((one, other));
    (lines, running.finish().games[0].finish)
}

#[test]
fn a_blue_leaves_north_or_sideways_and_a_red_that_tries_loses() {
    for last in ["MOV:A,NORTH", "MOV:A,WEST"] {
        let ([answer, end, other], finish) = walk_out(false, "EFGH", last);
        assert_eq!(answer, "OK ");
        assert!(end.starts_with("WON:88b24B"), "{end}");
        assert!(other.starts_with("LST:") && other[28..].starts_with("88b"), "{other}");
        assert_eq!(finish.winner, Some(Side::Bottom));
        assert_eq!(finish.why.name(), "escape");
    }
    for lenient in [false, true] {
        let ([answer, end, other], finish) = walk_out(lenient, "ABCD", "MOV:A,NORTH");
        assert_eq!(answer, "NG ");
        assert!(end.starts_with("LST:00R") && other.starts_with("WON:"), "{end} {other}");
        assert_eq!(finish, Finish::forfeit(Side::Bottom, Why::RedEscape));
    }
}

#[test]
fn whoever_closes_has_lost_once_the_game_has_begun() {
    for (plies, leaver) in [(0, 0), (0, 1), (1, 0), (1, 1), (4, 0), (5, 0)] {
        let running = serve(options());
        let mut wires = running.set_up().map(Some);
        for ply in 0..plies {
            let wire = wires[ply % 2].as_mut().unwrap();
            wire.expect("MOV?");
            wire.say(["MOV:A,N", "MOV:H,E", "MOV:A,S", "MOV:H,W"][ply % 4]);
            wire.expect("OK ");
        }
        wires[plies % 2].as_mut().unwrap().expect("MOV?");
        wires[leaver] = None;
        let mut stays = wires[1 - leaver].take().unwrap();
        stays.expect("WON:");
        drop(stays);
        let held = &running.finish().games[0];
        let loser = SIDES[leaver];
        assert_eq!(held.finish, Finish::forfeit(loser, Why::Closed));
        assert_eq!(held.log.moves.len(), plies);
        assert_eq!(held.log.replay(300, 0).unwrap().forfeited_by, Some(leaver));
    }
}

#[test]
fn whoever_leaves_before_the_game_gives_up_a_seat_and_nothing_else() {
    let running = serve(options());
    running.wire(0).expect("SET?"); // and gone
    let mut half = running.wire(0);
    half.expect("SET?");
    half.send(b"SET:AB"); // and gone in the middle of a line
    drop(half);
    let mut set = running.wire(0);
    set.expect("SET?");
    set.say("SET:ABCD");
    set.expect("OK ");
    drop(set);
    let [one, other] = running.set_up();
    drop((one, other));
    assert_eq!(running.finish().games.len(), 1);
}

#[test]
fn silence_before_the_set_up_frees_the_seat() {
    let running = serve(Options { silence: milliseconds(500), ..options() });
    let mut silent = running.wire(0);
    silent.expect("SET?");
    let mut feeding = running.wire(1);
    feeding.expect("SET?");
    let begun = Instant::now();
    // Bytes that never make a line are silence too.
    while begun.elapsed() < milliseconds(150) {
        feeding.send(b"x");
        sleep(milliseconds(10));
    }
    for wire in [&mut silent, &mut feeding] {
        wire.expect("NG ");
        wire.expect_closed();
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
    let [mut one, _other] = running.set_up();
    one.expect("MOV?");
    running.halt();
}

#[test]
fn the_clock_runs_even_while_the_other_one_talks() {
    let options = Options { per_move: milliseconds(300), budget: milliseconds(700), ..options() };
    let running = serve(options);
    let [mut one, mut other] = running.set_up();
    one.expect("MOV?");
    sleep(milliseconds(500)); // a part of the budget
    one.say("MOV:A,N");
    one.expect("OK ");
    other.expect("MOV?");
    other.say("MOV:A,N");
    other.expect("OK ");
    one.expect("MOV?");
    let begun = Instant::now();
    let talker = spawn(move || {
        let mut refused = 0;
        while begun.elapsed() < Duration::from_secs(10) {
            other.say("MOV:A,N");
            if other.line().unwrap().starts_with("WON:") {
                break;
            }
            refused += 1;
        }
        refused
    });
    one.expect("LST:");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(talker.join().unwrap() > 5);
    drop(one);
    assert_eq!(running.finish().games[0].finish, Finish::forfeit(Side::Bottom, Why::Time));
}

#[test]
fn a_taken_seat_is_refused_politely_and_the_game_goes_on() {
    let running = serve(options());
    let [mut one, mut other] = running.set_up();
    for seat in [0, 1, 0] {
        let mut late = running.wire(seat);
        late.expect("NG ");
        late.expect_closed();
    }
    one.expect("MOV?");
    one.say("MOV:A,N");
    one.expect("OK ");
    other.expect("MOV?");
    running.halt();
}

#[test]
fn lines_may_be_cut_at_every_byte() {
    let running = serve(Options { draw_limit: 2, ..options() });
    let mut wires = [running.wire(0), running.wire(1)];
    let drip = |wire: &mut Wire, line: &str| {
        for byte in format!("{line}\r\n").bytes() {
            wire.send(&[byte]);
            sleep(milliseconds(1));
        }
    };
    for wire in &mut wires {
        wire.expect("SET?");
        drip(wire, "SET:ABCD");
        wire.expect("OK ");
    }
    for wire in &mut wires {
        wire.expect("MOV?");
        drip(wire, "MOV:A,NORTH");
        wire.expect("OK ");
    }
    wires.iter_mut().for_each(|wire| drop(wire.expect("DRW:")));
    drop(wires);
    assert_eq!(running.finish().games.len(), 1);
}

/// A line end that is none of the protocol does not end a line.
#[test]
fn a_bare_line_feed_ends_nothing() {
    let running = serve(options());
    let mut wire = running.wire(0);
    wire.expect("SET?");
    wire.send(b"SET:ABCD\n");
    wire.expect_silence();
    wire.send(b"\r\n");
    wire.expect("NG ");
    running.halt();
}

/// Bytes that somebody may send.
fn noise(chance: &mut impl Rng) -> Vec<u8> {
    let lines = ["SET:ABCD\r\n", "SET:EFGH,NAME:X\r\n", "MOV:A,N\r\n", "\r\n", "SET:", "MOV:"];
    let mut bytes = Vec::new();
    for _ in 0..chance.random_range(0..6) {
        match chance.random_range(0..4) {
            0 => bytes.extend((0..chance.random_range(0..40)).map(|_| chance.random::<u8>())),
            1 => bytes.extend(vec![b'x'; chance.random_range(0..3000)]),
            _ => bytes.extend(lines.choose(chance).unwrap().bytes()),
        }
    }
    bytes
}

#[test]
fn a_thousand_connections_of_noise_do_no_harm() {
    let running = serve(Options {
        games: u32::MAX,
        per_move: Duration::from_secs(1),
        budget: Duration::ZERO,
        pause: Duration::ZERO,
        ..options()
    });
    let begun = Instant::now();
    let makers = [0, 1].map(|seat| {
        let address = running.addresses[seat];
        spawn(move || {
            for number in 0..500 {
                let mut chance = ChaCha8Rng::seed_from_u64(number * 2 + seat as u64);
                let mut stream = TcpStream::connect(address).unwrap();
                if number % 2 == 0 {
                    // Every other one waits to be asked, or refused, sets up and stays a moment.
                    let _ = Wire::over(stream.try_clone().unwrap()).line();
                    let _ = stream.write_all(b"SET:ABCD\r\n");
                    sleep(milliseconds(chance.random_range(0..8)));
                }
                let _ = stream.write_all(&noise(&mut chance));
                match chance.random_range(0..4) {
                    0 => sleep(milliseconds(chance.random_range(0..10))),
                    1 => drop(stream.shutdown(Shutdown::Write)),
                    2 => drop(stream.shutdown(Shutdown::Both)),
                    _ => {}
                }
            }
        })
    });
    makers.into_iter().for_each(|maker| maker.join().unwrap());
    // Afterwards it holds a game as ever. Some noise may still wait at the door.
    let seat = |seat| loop {
        let mut wire = running.wire(seat);
        if wire.line().as_deref() == Ok("SET?") {
            break wire;
        }
    };
    let mut wires = [seat(0), seat(1)];
    for wire in &mut wires {
        wire.say("SET:ABCD");
        wire.expect("OK ");
    }
    wires[0].expect("MOV?");
    wires[0].say("MOV:A,NORTH");
    wires[0].expect("OK ");
    wires[1].expect("MOV?");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    let series = running.halt();
    assert_eq!(series.end, SeriesEnd::Stopped);
    assert!(series.games.len() > 1, "the noise began {} games", series.games.len());
    for held in series.games {
        held.log.replay(300, 0).unwrap();
    }
}

#[test]
fn servers_of_noise_do_no_harm_to_a_client() {
    let lines: [&[u8]; 7] = [
        b"SET?\r\n",
        b"OK \r\n",
        b"NG \r\n",
        b"MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n",
        b"MOV?13R24R34R44R15B25B35B45B41u31u21u12u40u30u20u10u\r\n",
        b"WON:14R99r34R99r88b25B35B45B99r41r99b11b99r30r21b10b\r\n",
        b"\r\n",
    ];
    let (listener, address) = listener();
    for seed in 0..200 {
        let mut options = client_options(address, 2, seed);
        options.patience = milliseconds(1);
        options.silence = milliseconds(100);
        options.between = milliseconds(10);
        let client = play("rush", options);
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut stream = listener.accept().unwrap().0;
        let mut bytes = lines[..2].concat();
        for _ in 0..chance.random_range(0..20) {
            bytes.extend(*lines.choose(&mut chance).unwrap());
            if chance.random_range(0..4) == 0 {
                bytes.extend(noise(&mut chance));
            }
        }
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let begun = Instant::now();
        listener.set_nonblocking(true).unwrap();
        while !client.is_finished() {
            drop(listener.accept()); // and closed at once, if it comes again
            sleep(milliseconds(1));
            assert!(begun.elapsed() < Duration::from_secs(20));
        }
        listener.set_nonblocking(false).unwrap();
        assert!(client.join().unwrap().games.len() <= 2);
    }
}

// ------------------------------------------------------------------------- hidden stays hidden

/// A game without an end, and other colours of `hider` that nobody has seen.
struct Twins {
    sets: [[SetCommand; 2]; 2],
    commands: Vec<MoveCommand>,
}

fn twins(seed: u64, hider: Side) -> Option<Twins> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let letters = ["ABCD", "EFGH", "ACEG", "BCFG", "ABEH"];
    let sets =
        [set(letters.choose(&mut chance).unwrap()), set(letters.choose(&mut chance).unwrap())];
    let mut pieces = Pieces::new([sets[0].red, sets[1].red]);
    let mut game = Game::<Standard>::new(placement(&sets[0].red)?, placement(&sets[1].red)?, 1000);
    let mut commands = Vec::new();
    for _ in 0..chance.random_range(10..80) {
        let goes_on = |mv: &Move| game.play(*mv).is_ok_and(|after| after.outcome().is_none());
        let moves: Vec<Move> = game.moves().into_iter().filter(goes_on).collect();
        let mv = *moves.choose(&mut chance)?;
        commands.push(pieces.command(game.turn(), mv)?);
        pieces.play(game.turn(), mv);
        game = game.play(mv).ok()?;
    }
    let hidden = |colour| {
        let view = pieces.view(hider, false);
        let fits = |piece: &Piece| piece.place.square().is_some() && piece.colour == Some(colour);
        view.own.iter().position(fits)
    };
    let mut other = sets.clone();
    let changed = &mut other[index(hider)].red;
    changed.swap(hidden(Colour::Red)?, hidden(Colour::Blue)?);
    assert_ne!(sets, other);
    Some(Twins { sets: [sets, other], commands })
}

/// Everything that the server sends to `viewer` before the end.
fn bytes_to(viewer: Side, sets: &[SetCommand; 2], commands: &[MoveCommand]) -> Vec<u8> {
    let draw_limit = commands.len() as u32;
    let running = serve(Options { draw_limit, pause: Duration::ZERO, ..options() });
    let mut wires = [running.wire(0), running.wire(1)];
    let mut heard: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    for (seat, wire) in wires.iter_mut().enumerate() {
        heard[seat].push(wire.line().unwrap());
        wire.say(&sets[seat].to_string());
        heard[seat].push(wire.line().unwrap());
    }
    for (ply, command) in commands.iter().enumerate() {
        let seat = ply % 2;
        heard[seat].push(wires[seat].line().unwrap());
        wires[seat].say(&command.to_string());
        heard[seat].push(wires[seat].line().unwrap());
    }
    wires.iter_mut().for_each(|wire| drop(wire.expect("DRW:")));
    drop(wires);
    running.finish();
    heard[index(viewer)].join("\r\n").into_bytes()
}

#[test]
fn hidden_colours_change_no_byte_before_the_end() {
    let mut compared = 0;
    for seed in 0..12 {
        let hider = SIDES[seed as usize % 2];
        let Some(twins) = twins(seed, hider) else { continue };
        let [one, other] =
            [0, 1].map(|twin| bytes_to(hider.opponent(), &twins.sets[twin], &twins.commands));
        assert_eq!(one, other);
        // The one who hides them sees them, of course.
        let own = [0, 1].map(|twin| bytes_to(hider, &twins.sets[twin], &twins.commands));
        assert_ne!(own[0], own[1]);
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn hidden_colours_change_no_line_of_the_judge() {
    let mut captures = 0;
    for seed in 100..600 {
        let hider = SIDES[seed as usize % 2];
        let Some(twins) = twins(seed, hider) else { continue };
        let told = twins.sets.map(|sets| {
            let mut referee = Referee::new(sets, 1000).unwrap();
            let mut lines = Vec::new();
            for &command in &twins.commands {
                let mover = referee.turn();
                let question = referee.question();
                let Judged::Played(captured) = referee.play(command) else { panic!() };
                if mover != hider {
                    lines.push((question.to_string(), captured));
                }
            }
            lines
        });
        assert_eq!(told[0], told[1]);
        captures += told[0].iter().filter(|(_, captured)| captured.is_some()).count();
    }
    assert!(captures > 100, "{captures}");
}

// ------------------------------------------------------------------------------------------ text

fn any_piece(own: bool) -> impl Strategy<Value = Piece> {
    let colour = prop_oneof![Just(Colour::Blue), Just(Colour::Red)];
    (colour, 0..4u8, any::<bool>()).prop_map(move |(colour, off, known)| {
        // Squares are given out later.
        let place = match off {
            0 => Place::Captured,
            1 if colour == Colour::Blue => Place::Escaped,
            _ => Place::On(Square::FIRST),
        };
        let known = own || known || place.square().is_none();
        Piece { place, colour: known.then_some(colour) }
    })
}

fn any_view() -> impl Strategy<Value = View> {
    let own = proptest::collection::vec(any_piece(true), PIECES);
    let others = proptest::collection::vec(any_piece(false), PIECES);
    let squares = Just(Standard::FULL.collect::<Vec<_>>()).prop_shuffle();
    (own, others, squares).prop_map(|(own, others, squares)| {
        let mut squares = squares.into_iter();
        let mut put = |piece: Piece| match piece.place {
            Place::On(_) => Piece { place: Place::On(squares.next().unwrap()), ..piece },
            _ => piece,
        };
        View {
            own: std::array::from_fn(|number| put(own[number])),
            others: std::array::from_fn(|number| put(others[number])),
        }
    })
}

proptest! {
    #[test]
    fn views_round_trip(view in any_view()) {
        let text = view.to_string();
        prop_assert_eq!(text.len(), 48);
        prop_assert_eq!(View::parse(&text), Ok(view));
        for ending in Ending::ALL {
            let line = FromServer::End(ending, view);
            prop_assert_eq!(FromServer::parse(&line.to_string()), Ok(line));
        }
    }

    #[test]
    fn both_views_agree(seed in 0u64..10_000) {
        let Some(twins) = twins(seed, Side::Top) else { return Ok(()) };
        let mut referee = Referee::new(twins.sets[0].clone(), 1000).unwrap();
        for command in twins.commands {
            referee.play(command);
        }
        let finish = Finish { winner: None, why: Why::Draw };
        let [one, other] = SIDES.map(|side| match referee.farewell(side, &finish) {
            FromServer::End(_, view) => view,
            _ => unreachable!(),
        });
        let turned = |pieces: [Piece; PIECES]| {
            pieces.map(|piece| Piece { place: piece.place.turned(), ..piece })
        };
        prop_assert_eq!(one.own, turned(other.others));
        prop_assert_eq!(one.others, turned(other.own));
    }

    #[test]
    fn no_line_is_too_odd(line in ".{0,80}", kind in 0..6usize) {
        let start = ["", "SET:", "MOV:", "MOV?", "WON:", "player=0,"][kind];
        let line = format!("{start}{line}");
        let _ = (FromClient::parse(&line), FromServer::parse(&line), read_logs(&line));
    }

    #[test]
    fn logs_of_random_games_round_trip(seed in 0u64..10_000) {
        let Some(twins) = twins(seed, Side::Top) else { return Ok(()) };
        let [sets, other] = twins.sets;
        let log = GameLog { sets, moves: twins.commands.clone(), winner: None };
        let lost = GameLog { sets: other, moves: twins.commands, winner: Some(1) };
        let text = format!("{log}\n{lost}");
        prop_assert_eq!(read_logs(&text).unwrap(), vec![log.clone(), lost.clone()]);
        let drawn = log.replay(300, 9).unwrap();
        prop_assert_eq!(GameLog::of_record(&drawn.record).unwrap(), log);
        let given_up = lost.replay(300, 9).unwrap();
        prop_assert_eq!(given_up.forfeited_by, Some(0));
        prop_assert!(GameLog::of_record(&given_up.record).is_err());
    }
}

#[test]
fn logs_that_make_no_sense_are_refused_by_line() {
    let cases = [
        ("player=0,SET:ABCD\n", 1),
        ("player=0,SET:ABCD\nwinner=0\n", 2),
        ("player=0,SET:ABCD\nplayer=0,SET:ABCD\n", 2),
        ("player=0,MOV:A,NORTH\n", 1),
        ("player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=1,MOV:A,N\n", 3),
        ("player=2,SET:ABCD\n", 1),
        ("player=0,SET:ABCC\n", 1),
        ("winner=3\n", 1),
        ("\n\nhello\n", 3),
    ];
    for (text, line) in cases {
        assert_eq!(read_logs(text).unwrap_err().line, line, "{text}");
    }
    let start = "player=0,SET:ABCD\nplayer=1,SET:ABCD\n";
    for (rest, holds) in [
        ("winner=1\n", true),                        // somebody left at once
        ("player=0,MOV:E,NORTH\nwinner=1\n", true),  // an illegal move that lost
        ("player=0,MOV:E,NORTH\nwinner=0\n", false), // and one that won
        ("player=0,MOV:E,NORTH\nplayer=1,MOV:A,NORTH\nwinner=1\n", false),
        ("player=0,MOV:A,NORTH\nwinner=2\n", true),
    ] {
        let log = &read_logs(&format!("{start}{rest}")).unwrap()[0];
        assert_eq!(log.replay(300, 0).is_ok(), holds, "{rest}");
    }
}
