//! Our client, other people's servers.

use crate::fake::{Delivery, Fake, ending_for, listener};
use crate::wire::{SIDES, Wire, client_options, milliseconds, play, set};
use games::Seat;
use gat::client::ClientError;
use gat::referee::{MoveResult, Referee};
use gat::text::{Ending, FromClient};
use std::net::{Shutdown, TcpListener};
use std::thread::sleep;
use std::time::Duration;

fn check_fake(fake: Fake) {
    let (listener, address) = listener();
    let client = play("random", client_options(address, 1, fake.seed));
    let mut wire = Wire::over(listener.accept().unwrap().0);
    let (finish, log) = fake.start_and_play(&mut wire);
    wire.expect_closed();
    let result = client.join().unwrap();
    assert_eq!(result.error, None);
    let game = &result.games[0];
    let side = if fake.client_begins { Seat::First } else { Seat::Second };
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
fn the_server_decides_when_a_game_is_drawn() {
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
        assert_eq!(result.games[0].ending, ending_for(&finish, Seat::Second));
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
        assert_eq!((result.games.len(), result.error), (3, None));
        for (number, (game, finish)) in result.games.iter().zip(&finishes).enumerate() {
            assert_eq!(game.ending, ending_for(finish, SIDES[number % 2]));
        }
    }
}

#[test]
fn the_client_reconnects_to_a_silent_server() {
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
fn the_name_is_omitted_after_a_refusal() {
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
fn another_move_follows_a_refused_one() {
    let (listener, address) = listener();
    let client = play("rush", client_options(address, 1, 1));
    let mut wire = Wire::over(listener.accept().unwrap().0);
    wire.say("SET?");
    let FromClient::Set(theirs) = FromClient::parse(&wire.line().unwrap()).unwrap() else {
        panic!()
    };
    let mut referee = Referee::new([theirs, set("ABCD")], 1).unwrap();
    wire.say("OK ");
    wire.say(&referee.move_request().to_string());
    let mut seen = vec![wire.line().unwrap()];
    wire.say("NG ");
    seen.push(wire.line().unwrap()); // after a moment, by itself
    wire.say("NG ");
    wire.say(&referee.move_request().to_string()); // or asked again
    seen.push(wire.line().unwrap());
    assert!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2], "{seen:?}");
    let FromClient::Move(mv) = FromClient::parse(&seen[2]).unwrap() else { panic!() };
    assert_eq!(referee.play(mv), MoveResult::Played(None));
    let finish = referee.finish().unwrap();
    wire.say("OK ");
    wire.say(&referee.final_line(Seat::First, &finish).to_string());
    assert_eq!(client.join().unwrap().games[0].ending, Ending::Drawn);
}

#[test]
fn failures_of_the_server_are_distinguished() {
    let start = "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
    let nothing = format!("MOV?{}", "99b".repeat(16));
    // What the server says after each other; then it closes.
    let cases: [(&[&str], ClientError); 5] = [
        (&["SET?"], ClientError::Closed),
        (&["SET?", "OK "], ClientError::Closed),
        (&["SET?", "OK ", start], ClientError::Closed),
        (&["SET?", "NG "], ClientError::SetRefused),
        (
            &["SET?", "SET?", "OK ", &nothing],
            ClientError::Position(games::geister::ObservationError::OwnCount),
        ),
    ];
    for (lines, error) in cases {
        let (listener, address) = listener();
        let client = play("rush", client_options(address, 1, 1));
        let mut wire = Wire::over(listener.accept().unwrap().0);
        lines.iter().for_each(|line| wire.say(line));
        sleep(milliseconds(100));
        let _ = wire.stream.shutdown(Shutdown::Write);
        while wire.line().is_ok() {}
        let result = client.join().unwrap();
        assert_eq!((result.games.len(), result.error), (0, Some(error)), "{lines:?}");
    }
}

#[test]
fn an_unreachable_a_silent_and_a_late_server_are_handled() {
    let (taken, address) = listener();
    drop(taken);
    let mut options = client_options(address, 1, 1);
    options.patience = milliseconds(200);
    let result = play("rush", options.clone()).join().unwrap();
    assert!(matches!(result.error, Some(ClientError::Unreachable(_))), "{result:?}");
    options.patience = Duration::from_secs(10);
    options.silence = milliseconds(200);
    let client = play("rush", options);
    sleep(milliseconds(300));
    let listener = TcpListener::bind(address).unwrap();
    let _silent = listener.accept().unwrap();
    assert_eq!(client.join().unwrap().error, Some(ClientError::TimedOut));
}
