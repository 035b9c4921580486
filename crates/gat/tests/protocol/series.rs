//! Our client on our server.

use crate::wire::{client_options, milliseconds, options, play, serve};
use games::Seat;
use games::geister::Standard;
use gat::client::{ClientError, FinishedGame};
use gat::log::{GameLog, read_logs};
use gat::pieces::index;
use gat::referee::GameResult;
use gat::server::{Options, SeriesEnd};
use gat::text::{Ending, SetCommand};
use std::thread::spawn;

/// What the server kept and what a client said are the same game.
fn check_agreement(held: &gat::server::RefereedGame, seat: usize, finished: &FinishedGame) {
    let side = if held.seat(Seat::First) == seat { Seat::First } else { Seat::Second };
    let ending = match held.finish.winner {
        None => Ending::Drawn,
        Some(winner) if winner == side => Ending::Won,
        Some(_) => Ending::Lost,
    };
    assert_eq!(finished.ending, ending);
    assert_eq!(finished.reason, held.finish.why.name());
    assert_eq!(finished.began, Some(side == Seat::First));
    assert_eq!(finished.plies as usize, held.log.moves.len());
    assert_eq!(finished.red, held.log.sets[index(side)].red);
    assert_eq!(finished.restarts, 0);
}

/// The record can be played again, and every form of it says the same.
pub(crate) fn check_record(log: &GameLog, finish: &GameResult, draw_limit: u32) {
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
    assert!(results.iter().all(|result| result.error.is_none()));
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
fn clients_may_reconnect_for_every_game() {
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
    let alike = |held: &gat::server::RefereedGame| held.log.sets[0].red == held.log.sets[1].red;
    assert!(!series.games.iter().all(alike));
    for (number, held) in series.games.iter().enumerate() {
        for (seat, results) in results.iter().enumerate() {
            assert_eq!(results[number].error, None);
            check_agreement(held, seat, &results[number].games[0]);
        }
    }
}

#[test]
fn a_series_ends_when_a_client_does_not_return() {
    let running = serve(Options { games: 3, silence: milliseconds(1000), ..options() });
    let clients = [0, 1]
        .map(|seat| play("rush", client_options(running.addresses[seat], 1 + 2 * seat as u32, 1)));
    let series = running.finish();
    assert_eq!((series.games.len(), series.end), (1, SeriesEnd::Deserted));
    let [one, other] = clients.map(|client| client.join().unwrap());
    assert_eq!((one.games.len(), one.error), (1, None));
    assert_eq!(other.games.len(), 1);
    assert!(matches!(other.error, Some(ClientError::Unreachable(_) | ClientError::Closed)));
}
