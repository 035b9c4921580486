//! Matches between players of both games, and their records.

#![allow(clippy::unwrap_used)]

use games::geister::{self, DrawLimit, Small, Standard};
use games::hidden::HiddenGame;
use games::kriegspiel::{self, Position, pgn};
use play::Player;
use play::matches::{Make, Played, Seeding, Summary, Terms, play};
use play::record::RecordFormat;
use players::kriegspiel::record::Pgn;
use players::kriegspiel::roster::player;
use players::random::Random;
use players::record::{GameRecord, GeisterJson, NamedBoard, RecordError};
use players::rush::Rush;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

type Ghosts<B> = geister::Game<B>;

fn random<B: NamedBoard>() -> Box<dyn Player<Ghosts<B>>> {
    Box::new(Random)
}

fn rush<B: NamedBoard>() -> Box<dyn Player<Ghosts<B>>> {
    Box::new(Rush)
}

fn rushed<B: NamedBoard>(games: u32) -> Vec<Played<Ghosts<B>>> {
    let terms = Terms {
        games,
        time: Duration::from_millis(1),
        seed: 7,
        start: DrawLimit(300),
        seeding: Seeding::Pairs,
        own_setups: false,
    };
    let stop = AtomicBool::new(false);
    play(["rush", "random"], [&rush::<B>, &random::<B>], &terms, &stop, &|_| {})
}

fn dark(names: [&str; 2], games: u32, millis: u64) -> Vec<Played<kriegspiel::Game>> {
    let terms = Terms {
        games,
        time: Duration::from_millis(millis),
        seed: 3,
        start: Position::start(),
        seeding: Seeding::Seats,
        own_setups: false,
    };
    let make = |name: &str| player(name).unwrap();
    let makers: [&Make<'_, kriegspiel::Game>; 2] = [&|| make(names[0]), &|| make(names[1])];
    play(names, makers, &terms, &AtomicBool::new(false), &|_| {})
}

#[test]
fn rush_beats_random_on_both_boards() {
    let summary = Summary::of(&rushed::<Standard>(60));
    assert!(summary.score.share() > 0.9, "{summary:?}");
    assert_eq!(summary.reasons.iter().map(|one| one.1).sum::<u32>(), 60);
    assert!(Summary::of(&rushed::<Small>(60)).score.share() > 0.75);
}

#[test]
fn games_come_in_pairs_with_players_exchanged() {
    for pair in rushed::<Standard>(20).chunks(2) {
        let [one, other] = [0, 1].map(|at| GameRecord::of(&pair[at].record));
        assert_eq!(one.red, other.red);
        assert_eq!((pair[0].began, pair[1].began), (0, 1));
        assert_eq!(one.players[0], "rush");
        assert_eq!(other.players[0], "random");
    }
}

#[test]
fn records_replay_and_are_checked() {
    for game in rushed::<Standard>(10) {
        let text = RecordFormat::<Ghosts<Standard>>::write(&GeisterJson, &game.record).unwrap();
        assert_eq!(GeisterJson.read(&text), Ok(game.record.clone()));
        let again = GameRecord::from_json(&text).unwrap();
        assert_eq!(again, GameRecord::of(&game.record));
        again.replay::<Standard>().unwrap();
        assert!(again.replay::<Small>().is_err());
        let mut cut = again.clone();
        cut.moves.pop();
        assert!(cut.replay::<Standard>().is_err());
        let mut wrong = again.clone();
        wrong.winner = wrong.winner.map(|winner| 1 - winner).or(Some(0));
        assert!(wrong.replay::<Standard>().is_err());
        let mut illegal = again;
        illegal.moves[3] = "a1a3".into();
        assert_eq!(illegal.replay::<Standard>().unwrap_err(), RecordError::Move(3));
    }
}

#[test]
fn a_resignation_is_kept_in_both_formats() {
    let mut ghosts = rushed::<Standard>(1).remove(0).record;
    ghosts.actions.pop();
    ghosts.resigned = Some(games::Seat::Second);
    let text = RecordFormat::<Ghosts<Standard>>::write(&GeisterJson, &ghosts).unwrap();
    assert!(text.contains("\"resigned\",\"winner\":0"), "{text}");
    assert_eq!(GeisterJson.read(&text), Ok(ghosts));
    let mut chess = dark(["greedy", "random"], 1, 1).remove(0).record;
    chess.actions.truncate(9);
    (chess.seed, chess.resigned) = (0, Some(games::Seat::First));
    assert_eq!(Pgn.read(&Pgn.write(&chess).unwrap()).unwrap(), chess);
}

fn same_on_any_number_of_threads<G: HiddenGame>(games: impl Fn() -> Vec<Played<G>> + Send + Sync) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let records =
        |games: Vec<Played<G>>| games.into_iter().map(|game| game.record).collect::<Vec<_>>();
    assert_eq!(records(one.install(&games)), records(games()));
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    same_on_any_number_of_threads(|| rushed::<Standard>(12));
    same_on_any_number_of_threads(|| dark(["greedy", "random"], 8, 1));
}

#[test]
fn sides_and_counts_are_balanced() {
    let games = dark(["greedy", "random"], 10, 1);
    assert_eq!(games.iter().filter(|game| game.began == 0).count(), 5);
    let summary = Summary::of(&games);
    assert_eq!(summary.score.games(), 10);
    assert_eq!(summary.reasons.iter().map(|one| one.1).sum::<u32>(), 10);
    assert!(summary.tries_per_move.iter().all(|&tries| tries >= 1.0));
    for game in games {
        let text = Pgn.write(&game.record).unwrap();
        let again: pgn::Record = text.parse().unwrap();
        assert_eq!(again.game, game.record.replay().unwrap());
        assert_eq!(again.to_string(), text);
    }
}

#[test]
fn darkboard_beats_random() {
    let summary = Summary::of(&dark(["darkboard:depth=1", "random"], 10, 20));
    assert!(summary.score.wins >= 7, "{summary:?}");
}
