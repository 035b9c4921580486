//! Our server, other people's clients.

use crate::series::check_record;
use crate::wire::{SIDES, Wire, milliseconds, options, serve};
use games::Seat;
use gat::referee::{EndReason, GameResult};
use gat::server::Options;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

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
fn captures_are_announced_with_their_colour() {
    for (reds, answer) in [("ABCD", "OKR"), ("EFGH", "OKB")] {
        let running = serve(Options { draw_limit: 7, ..options() });
        let [mut one, mut other] = running.set_up_with(reds);
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
        assert_eq!(held.finish, GameResult::forfeit(Seat::First, EndReason::IllegalMove));
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
fn walk_out(lenient: bool, reds: &str, last: &str) -> ([String; 3], GameResult) {
    let running = serve(Options { lenient, ..options() });
    let [mut one, mut other] = running.set_up_with(reds);
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
        assert_eq!(finish.winner, Some(Seat::First));
        assert_eq!(finish.why.name(), "escape");
    }
    for lenient in [false, true] {
        let ([answer, end, other], finish) = walk_out(lenient, "ABCD", "MOV:A,NORTH");
        assert_eq!(answer, "NG ");
        assert!(end.starts_with("LST:00R") && other.starts_with("WON:"), "{end} {other}");
        assert_eq!(finish, GameResult::forfeit(Seat::First, EndReason::RedEscape));
    }
}

#[test]
fn closing_the_connection_loses_a_game_in_progress() {
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
        assert_eq!(held.finish, GameResult::forfeit(loser, EndReason::Closed));
        assert_eq!(held.log.moves.len(), plies);
        assert_eq!(held.log.replay(300, 0).unwrap().forfeited_by, Some(leaver));
    }
}

#[test]
fn leaving_before_the_game_only_frees_the_seat() {
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
fn messages_of_the_opponent_do_not_stop_the_clock() {
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
    assert_eq!(running.finish().games[0].finish, GameResult::forfeit(Seat::First, EndReason::Time));
}

#[test]
fn a_connection_to_a_taken_seat_is_refused_and_the_game_continues() {
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
fn commands_may_arrive_byte_by_byte() {
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
fn a_bare_line_feed_does_not_end_a_line() {
    let running = serve(options());
    let mut wire = running.wire(0);
    wire.expect("SET?");
    wire.send(b"SET:ABCD\n");
    wire.expect_silence();
    wire.send(b"\r\n");
    wire.expect("NG ");
    running.halt();
}
