//! The generic players, matches and records, on games of two kinds: one with secret set-ups and a
//! board that is turned, and one with tries that are refused.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::{self, DrawLimit, FiveByFive};
use games::hidden::{HiddenGame, Resample};
use games::kriegspiel::{self, Metaposition, Piece, Position, Try};
use play::determinized::Plan;
use play::matches::{Make, Played, Seeding, Summary, Terms, play};
use play::maximax::Evaluation;
use play::record::{Json, JsonError, RecordError, RecordFormat};
use play::{Determinized, Maximax, Player, Random, Roster};
use search::maximax::Value;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

type Ghosts = geister::Game<FiveByFive>;

fn terms<G: HiddenGame>(start: G::Start, games: u32, seeding: Seeding) -> Terms<G> {
    // No choice of these players takes so long: the clock decides nothing.
    let time = Duration::from_secs(60);
    Terms { games, time, seed: 7, start, seeding, own_setups: false }
}

fn matched<G: HiddenGame>(
    one: &Make<'_, G>,
    other: &Make<'_, G>,
    terms: &Terms<G>,
) -> Vec<Played<G>> {
    play(["one", "other"], [one, other], terms, &AtomicBool::new(false), &|_| {})
}

fn random<G: HiddenGame>() -> Box<dyn Player<G>> {
    Box::new(Random)
}

fn searching<G: Resample>() -> Box<dyn Player<G>> {
    Box::new(Determinized::new(Plan { iterations: 300, states: 16, ..Plan::default() }))
}

/// Material, and nothing else.
struct Material;

impl Evaluation<Metaposition> for Material {
    fn value(&self, before: &Metaposition, _: Try, after: &Metaposition) -> Value {
        let enemies = |meta: &Metaposition| f64::from(meta.pieces_left());
        let pieces =
            f64::from(after.own().all().len() + 8 * after.own().pieces(Piece::Queen).len());
        Value::Score(10.0 * (enemies(before) - enemies(after)) + pieces)
    }

    fn alpha(&self, _: &Metaposition) -> f64 {
        0.5
    }
}

fn maximax() -> Box<dyn Player<kriegspiel::Game>> {
    Box::new(Maximax::<Metaposition, Material>::new(Material, 1))
}

fn rook_ending() -> Position {
    "4k3/8/8/8/8/8/PPPP4/R3K2R w - - 0 1".parse().unwrap()
}

#[test]
fn search_beats_chance() {
    let games = matched::<Ghosts>(&searching, &random, &terms(DrawLimit(100), 20, Seeding::Pairs));
    let summary = Summary::of(&games);
    assert!(summary.score.share() > 0.8, "{summary:?}");
    assert_eq!(summary.reasons.iter().map(|one| one.1).sum::<u32>(), 20);
}

#[test]
fn every_generic_player_plays_a_game_with_refusals() {
    let start = rook_ending();
    let few = Plan { iterations: 30, states: 4, max_playout: 20, ..Plan::default() };
    let searching = || -> Box<dyn Player<kriegspiel::Game>> { Box::new(Determinized::new(few)) };
    let terms = terms(start, 2, Seeding::Seats);
    let games = matched::<kriegspiel::Game>(&searching, &random, &terms);
    let more = matched::<kriegspiel::Game>(&maximax, &random, &terms);
    for game in games.iter().chain(&more) {
        assert_eq!(game.record.replay().unwrap().outcome(), Some(game.outcome));
        let tries: u32 = game.effort.iter().map(|effort| effort.tries).sum();
        assert_eq!(tries as usize, game.record.actions.len());
    }
    assert!(Summary::of(&games).tries_per_move[1] > 1.0, "a random player is refused sometimes");
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let terms = terms(DrawLimit(60), 6, Seeding::Pairs);
    let records = || -> Vec<_> {
        let games = matched::<Ghosts>(&searching, &random, &terms);
        games.into_iter().map(|game| game.record).collect()
    };
    assert_eq!(one.install(records), records());
}

#[test]
fn pairs_exchange_the_players_and_keep_the_set_ups() {
    let games = matched::<Ghosts>(&random, &random, &terms(DrawLimit(60), 10, Seeding::Pairs));
    for pair in games.chunks(2) {
        assert_eq!(pair[0].record.setups, pair[1].record.setups);
        assert_eq!((pair[0].began, pair[1].began), (0, 1));
        assert_eq!(pair[1].record.players, ["other", "one"]);
    }
}

fn records_are_checked<G: HiddenGame>(start: G::Start) {
    let games = matched::<G>(&random, &random, &terms(start, 4, Seeding::Seats));
    for Played { record, .. } in games {
        let text = RecordFormat::<G>::write(&Json, &record).unwrap();
        assert_eq!(Json.read(&text), Ok(record.clone()));
        let mut cut = record.clone();
        cut.actions.pop();
        let open: String = RecordFormat::<G>::write(&Json, &cut).unwrap();
        assert!(open.contains("\"open\""));
        let claimed = open.replace("\"open\"", "\"draw\"");
        let refused = Json::parse::<G>(&claimed);
        assert!(matches!(refused, Err(JsonError::End(_))), "{refused:?}");
        cut.resigned = Some(Seat::Second);
        assert_eq!(cut.winner(), Ok(Some(Seat::First)));
        let text = RecordFormat::<G>::write(&Json, &cut).unwrap();
        assert_eq!(Json.read(&text), Ok(cut));
        let late = play::Record { resigned: Some(Seat::First), ..record.clone() };
        assert_eq!(late.replay(), Err(RecordError::ResignedAfterTheEnd));
        let mut long = record.clone();
        long.actions.push(record.actions[0]);
        assert!(matches!(long.replay(), Err(RecordError::Action(_))));
    }
}

#[test]
fn records_read_as_written_and_are_checked() {
    records_are_checked::<Ghosts>(DrawLimit(80));
    records_are_checked::<kriegspiel::Game>(rook_ending());
}

#[test]
fn a_roster_finds_players_and_says_what_it_knows() {
    let roster: Roster<Ghosts> = Roster::default()
        .with("random", "any candidate", |_, ()| Ok(Box::new(random)))
        .with("search:ITERATIONS", "information-set search", |options, ()| {
            let iterations = options.parse().map_err(|_| format!("{options:?} is no number"))?;
            let plan = Plan { iterations, ..Plan::default() };
            Ok(Box::new(move || Box::new(Determinized::new(plan))))
        });
    assert!(roster.player("random", &()).is_ok());
    assert!(roster.player("search:10", &()).is_ok());
    let message = |name| roster.player(name, &()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message("search:x"), "\"search:x\" is no player: \"x\" is no number");
    for unknown in ["nobody", "search", "random:1", "", ":"] {
        assert!(message(unknown).ends_with("players are random, search:ITERATIONS"), "{unknown}");
    }
}
