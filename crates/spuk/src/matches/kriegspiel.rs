//! `spuk match --game kriegspiel`.

use super::{Arguments, Record, each_pairing, tenth, with_progress};
use crate::Failure;
use players::kriegspiel::matches::{ENDS, Maker, Played, Summary, Terms, play};
use players::kriegspiel::roster::player;
use std::sync::atomic::AtomicBool;

pub(super) fn run(arguments: &Arguments, stop: &AtomicBool) -> Result<u8, Failure> {
    let flags = [
        ("--board", arguments.board.is_some()),
        ("--draw", arguments.draw.is_some()),
        ("--own-placements", arguments.own_placements),
    ];
    if let Some((flag, _)) = flags.into_iter().chain(arguments.tables.flags()).find(|one| one.1) {
        return Err(format!("{flag} is Geister's; leave it out"));
    }
    for name in &arguments.players {
        player(name).map_err(|error| error.to_string())?;
    }
    each_pairing(arguments, stop, |pair| {
        let games = pairing(arguments, pair, stop);
        let texts = games.iter().map(|game| format!("{}\n", game.record));
        Ok((record(pair, &Summary::of(&games), arguments.seed), texts.collect()))
    })
}

fn pairing(arguments: &Arguments, names: [&str; 2], stop: &AtomicBool) -> Vec<Played> {
    let terms = Terms { games: arguments.games, time: arguments.time, seed: arguments.seed };
    let make = |name: &str| player(name).expect("names were looked up before");
    let makers: [&Maker<'_>; 2] = [&|| make(names[0]), &|| make(names[1])];
    with_progress(names, terms.games, |told| play(names, makers, &terms, stop, &|_| told()))
}

fn record(players: [&str; 2], summary: &Summary, seed: u64) -> Record {
    let hundredth = |tries: f64| (tries * 100.0).round() / 100.0;
    let [tries, opponents] = summary.tries_per_move.map(hundredth);
    Record {
        plies: tenth(summary.plies),
        seconds_per_move: summary.seconds_per_move[0],
        opponent_seconds_per_move: summary.seconds_per_move[1],
        tries_per_move: Some(tries),
        opponent_tries_per_move: Some(opponents),
        ends: ENDS.iter().map(|end| end.id()).zip(summary.ends).collect(),
        ..Record::scored("kriegspiel", players, summary.score, seed)
    }
}
