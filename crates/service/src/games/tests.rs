//! What holds for every registered game.

use super::game_session::{GameSession, Role, Stage};
use super::player::PlayerResources;
use super::records::{self, RecordHeader};
use super::registry::{self, GAMES, HostedRules};
use super::view::GameView;
use super::{opponents, summary::Summary};
use crate::store::GameRow;
use games::Seat;
use play::Thinking;
use play::record::Recognition;
use serde_json::Value;
use std::time::Duration;

/// Time enough for the simplest player of every game, which does not search.
const NO_TIME: Duration = Duration::ZERO;

/// A new game between the simplest opponents.
fn new_session(rules: &dyn HostedRules) -> GameSession {
    let mut row = GameRow::new("a-game".to_owned(), rules.name(), 0);
    row.programs = [(); 2].map(|()| Some(rules.opponents()[0].id.to_owned()));
    GameSession::open(row).unwrap()
}

/// The same after both have set up.
fn begun_session(rules: &dyn HostedRules) -> GameSession {
    let mut session = new_session(rules);
    for seat in Seat::ALL {
        if !session.is_ready(seat) {
            session.game.set_up_at_random(seat).unwrap();
        }
    }
    assert_eq!(session.stage(), Stage::Playing);
    session
}

/// What everybody sees now: both seats and a spectator.
fn views(session: &GameSession) -> [Value; 3] {
    [Role::Player(Seat::First), Role::Player(Seat::Second), Role::Spectator]
        .map(|role| serde_json::from_str(&GameView::new(session, role).json()).unwrap())
}

/// Checks that a view has one game in it, and stores and reads the game without a difference.
fn check(session: &mut GameSession) {
    session.update_row();
    let rules = session.rules();
    let (seen, again) = (views(session), GameSession::open(session.row.clone()).unwrap());
    assert_eq!(views(&again), seen);
    for view in &seen {
        for game in GAMES {
            assert_eq!(view[game.name()].is_object(), game.name() == rules.name(), "{view}");
        }
    }
    for seat in Seat::ALL {
        let summary = Summary::new(session, seat);
        assert_eq!((summary.kind, summary.ply), (rules.name(), session.ply()));
    }
}

/// Plays a game to its end by the simplest opponents.
fn finished_session(rules: &'static dyn HostedRules, seed: u64) -> GameSession {
    let mut session = new_session(rules);
    let simplest = rules.opponents()[0].player;
    let resources = PlayerResources::default();
    check(&mut session);
    for seat in Seat::ALL {
        let seed = seed + seat.index() as u64;
        session.game.set_up_by(seat, simplest, &Thinking { time: NO_TIME, seed });
    }
    while let Some(seat) = session.turn() {
        let thinking = Thinking { time: NO_TIME, seed: seed + seat.index() as u64 };
        let ply = session.ply();
        session.game.play_by(simplest, &thinking, &resources).unwrap();
        assert_eq!(session.ply(), ply + 1);
        if ply.is_multiple_of(16) {
            check(&mut session);
        }
    }
    check(&mut session);
    session
}

#[test]
fn every_game_is_registered_once_and_found_by_its_name() {
    for rules in GAMES {
        assert_eq!(GAMES.iter().filter(|one| one.name() == rules.name()).count(), 1);
        assert_eq!(registry::named(rules.name()).map(HostedRules::name), Some(rules.name()));
        for one in rules.opponents() {
            assert_eq!(opponents::named(*rules, one.id).map(|one| one.id), Some(one.id));
        }
    }
    assert!(registry::named("chess").is_none());
}

#[test]
fn every_opponent_sets_up_and_moves() {
    for &rules in GAMES {
        for one in rules.opponents() {
            let mut session = new_session(rules);
            let thinking = Thinking { time: NO_TIME, seed: 1 };
            for seat in Seat::ALL {
                session.game.set_up_by(seat, one.player, &thinking);
                assert!(session.is_ready(seat), "{}", one.id);
            }
            let moved = session.game.play_by(one.player, &thinking, &PlayerResources::default());
            assert!(moved.is_some() && session.ply() == 1, "{}", one.id);
        }
        let mut session = new_session(rules);
        let thinking = Thinking { time: NO_TIME, seed: 1 };
        let nobody = session.game.play_by("nobody", &thinking, &PlayerResources::default());
        assert!(nobody.is_none() && session.ply() == 0);
    }
}

#[test]
fn every_game_is_played_viewed_recorded_and_read_back() {
    for &rules in GAMES {
        let session = finished_session(rules, 1);
        assert_eq!(session.stage(), Stage::Over);
        assert!(!rules.formats().is_empty());
        for format in rules.formats() {
            let text = records::write(&session, &format).unwrap();
            let row = records::finished(&text).unwrap();
            assert_eq!((&row.kind, &row.setup), (&session.row.kind, &session.row.setup));
            assert_eq!(row.moves, session.row.moves, "{}", format.name);
            let again = GameSession::open(row).unwrap();
            assert_eq!(again.result(), session.result());
            if let Ok(json) = serde_json::from_str::<Value>(&text) {
                // With white space, and the keys in another order.
                let row = records::finished(&serde_json::to_string_pretty(&json).unwrap()).unwrap();
                assert_eq!(
                    (row.kind, row.moves),
                    (session.row.kind.clone(), session.row.moves.clone())
                );
            }
            let certain = |rules: &&&dyn HostedRules| {
                rules.recognize(&text).is_some_and(|(one, _)| one == Recognition::Certain)
            };
            assert!(GAMES.iter().filter(certain).count() <= 1, "two games claim {text}");
        }
        let own: Vec<&str> = rules.formats().iter().map(|format| format.name).collect();
        for (_, other) in records::formats().filter(|(_, other)| !own.contains(&other.name)) {
            assert!(records::write(&session, &other).is_err());
        }
    }
}

#[test]
fn every_game_can_be_resigned_before_and_after_its_first_move() {
    for &rules in GAMES {
        let mut session = new_session(rules);
        session.resign(Seat::First).unwrap();
        check(&mut session);
        let mut session = begun_session(rules);
        session.game.play_by(
            rules.opponents()[0].player,
            &Thinking { time: NO_TIME, seed: 1 },
            &PlayerResources::default(),
        );
        session.resign(Seat::Second).unwrap();
        check(&mut session);
        let header =
            RecordHeader { names: ["a", "b"].map(str::to_owned), resigned: Some(Seat::Second) };
        for format in rules.formats() {
            let text = session.game.record(format.name, &header).unwrap();
            let row = records::finished(&text).unwrap();
            assert_eq!(row.given_up, Some(1), "{}", format.name);
        }
    }
}

#[test]
fn every_game_is_reviewed() {
    for &rules in GAMES {
        let mut session = begun_session(rules);
        session.resign(Seat::First).unwrap();
        let _ = session.game.review([None, None]);
        for seat in Seat::ALL {
            assert!(session.game.puzzle_at(seat, 1).is_none(), "there is no such ply");
        }
    }
}
