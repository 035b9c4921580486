//! What one side sees of a game: nothing hidden, and everything that is not.

#[macro_use]
mod common;

use common::{Line, for_all, line, new_game, sorted, writable_moves};
use games::Seat;
use games::geister::{
    Army, Bitboard, Board, Game, Ghost, Observation, ObservationError, ObservationParts, Placement,
    Square,
};
use proptest::prelude::*;
use proptest::sample::Index;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

const SIDES: [Seat; 2] = [Seat::First, Seat::Second];

fn games<B: Board>() -> impl Strategy<Value = Line<Game<B>>> {
    line(new_game::<B>(), 120)
}

/// The set as `viewer` sees it, square by square.
fn seen_by<B: Board>(viewer: Seat, set: Bitboard) -> Bitboard {
    let seen = |square: Square| match viewer {
        Seat::First => Some(square),
        Seat::Second => Square::at(B::COLUMNS - 1 - square.column(), B::ROWS - 1 - square.row()),
    };
    set.filter_map(seen).collect()
}

fn binomial(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Another start of the same game: `side` has set up other colours, but each of its ghosts that
/// the other side ever learns the colour of has the one it had.
fn recoloured<B: Board>(line: &Line<Game<B>>, side: Seat, choice: Index) -> Game<B> {
    let start = line.start();
    let army = start.army(side);
    // Where each ghost of the side that is still on the board came from.
    let mut origin: HashMap<Square, Square> = army.all().map(|s| (s, s)).collect();
    for (game, mv) in &line.plies {
        let moved = if game.turn() == side { origin.remove(&mv.from()) } else { None };
        match (moved, mv.to()) {
            (Some(from), Some(to)) => origin.insert(to, from),
            (None, Some(to)) => origin.remove(&to),
            (_, None) => None,
        };
    }
    let hidden: Bitboard = origin.into_values().collect();
    let unchanged = seen_by::<B>(side.opponent(), start.army(side.opponent()).red);
    let unchanged = Placement::with_red(unchanged).expect("half of the home is red");
    let with = |changed| match side {
        Seat::First => Game::new(changed, unchanged, start.draw_limit()),
        Seat::Second => Game::new(unchanged, changed, start.draw_limit()),
    };
    let known = |game: &Game<B>| game.army(side).red.without(hidden);
    let fits = |game: &Game<B>| known(game) == known(start);
    *choice.get(&Placement::all().map(with).filter(fits).collect::<Vec<_>>())
}

fn other_colours_look_the_same<B: Board>() {
    let different = Cell::new(0);
    for_all((games::<B>(), any::<Index>()), |(line, choice)| {
        for viewer in SIDES {
            let other = viewer.opponent();
            let mut twin = recoloured(&line, other, choice);
            let same = twin == *line.start();
            different.set(different.get() + u32::from(!same));
            assert_eq!(same, twin.observe(other) == line.start().observe(other));
            for (game, mv) in &line.plies {
                assert_same_view(game, &twin, viewer);
                twin = twin.play(*mv).expect("a hidden colour forbids no step");
            }
            assert_same_view(&line.last, &twin, viewer);
        }
    });
    assert!(different.get() > 100, "only {} games differed", different.get());
}

fn assert_same_view<B: Board>(one: &Game<B>, other: &Game<B>, viewer: Seat) {
    let (one, other) = (one.observe(viewer), other.observe(viewer));
    assert_eq!(one, other);
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
    if one.to_move() {
        assert_eq!(one.purple(), other.purple());
    }
}

fn what_is_public_is_seen<B: Board>() {
    for_all(games::<B>(), |line| {
        for game in line.positions() {
            for viewer in SIDES {
                let (own, other) = (game.army(viewer), game.army(viewer.opponent()));
                let observation = game.observe(viewer);
                assert_eq!(observation.viewer(), viewer);
                assert_eq!(observation.own().blue, seen_by::<B>(viewer, own.blue));
                assert_eq!(observation.own().red, seen_by::<B>(viewer, own.red));
                assert_eq!(observation.opponent(), seen_by::<B>(viewer, other.all()));
                assert_eq!(observation.opponent_blue(), other.blue.count());
                assert_eq!(observation.own_captured(), game.captured(viewer));
                assert_eq!(observation.opponent_captured(), game.captured(viewer.opponent()));
                assert_eq!(observation.to_move(), game.turn() == viewer);
                assert_eq!(observation.ply(), game.ply());
                assert_eq!(observation.outcome(), game.outcome());
            }
        }
    });
}

fn colourings_are_all_there_are<B: Board>() {
    for_all(games::<B>(), |line| {
        for viewer in SIDES {
            let observation = line.last.observe(viewer);
            let colourings: Vec<Bitboard> = observation.colourings().collect();
            let distinct: HashSet<Bitboard> = colourings.iter().copied().collect();
            let (hidden, blue) = (observation.opponent(), observation.opponent_blue());
            assert_eq!(distinct.len(), colourings.len());
            assert_eq!(colourings.len() as u32, binomial(hidden.count(), blue));
            for colouring in colourings {
                assert!(colouring.without(hidden).is_empty() && colouring.count() == blue);
            }
            let truth = line.last.army(viewer.opponent()).blue;
            assert!(distinct.contains(&seen_by::<B>(viewer, truth)));
        }
    });
}

fn resampled_games_look_the_same<B: Board>() {
    for_all(games::<B>(), |line| {
        let game = line.last;
        for viewer in SIDES {
            let observation = game.observe(viewer);
            let truth = game.army(viewer.opponent()).blue;
            for blue in observation.colourings() {
                let Some(resampled) = observation.resample(blue) else {
                    assert!(game.outcome().is_some(), "{game:?}");
                    continue;
                };
                assert_eq!(game.outcome(), None);
                assert_eq!(resampled.observe(viewer), observation);
                let sampled = resampled.army(viewer.opponent()).blue;
                assert_eq!(sampled, seen_by::<B>(viewer, blue));
                assert_eq!(resampled == game, sampled == truth);
                assert_eq!(resampled.legal_moves() == game.legal_moves(), {
                    let exits = |blue: Bitboard| blue & exits_of::<B>(viewer.opponent());
                    observation.to_move() || exits(sampled) == exits(truth)
                });
            }
            assert_other_sets_refused(&observation);
        }
    });
}

fn exits_of<B: Board>(side: Seat) -> Bitboard {
    match side {
        Seat::First => B::BOTTOM_EXITS,
        Seat::Second => B::TOP_EXITS,
    }
}

fn assert_other_sets_refused<B: Board>(observation: &Observation<B>) {
    let first = observation.colourings().next().expect("a colouring");
    let one_less = first.first().map_or(B::FULL, |square| first.without(square.bit()));
    let elsewhere = B::FULL.without(observation.opponent()).first().expect("an empty square");
    for set in [B::FULL, !first, one_less, one_less | elsewhere.bit()] {
        assert_eq!(observation.resample(set), None, "{set:?}");
    }
}

fn the_purple_position_is_the_viewers<B: Board>() {
    let met = Cell::new(0);
    for_all(games::<B>(), |line| {
        for game in line.positions() {
            for viewer in SIDES {
                let observation = game.observe(viewer);
                let expected = game.outcome().is_none() && game.turn() == viewer;
                assert_eq!(observation.purple().is_some(), expected, "{game:?}");
                let Some(purple) = observation.purple() else { continue };
                met.set(met.get() + 1);
                assert_eq!(purple.ghosts(Ghost::OwnBlue), observation.own().blue);
                assert_eq!(purple.ghosts(Ghost::OwnRed), observation.own().red);
                assert_eq!(purple.ghosts(Ghost::Hidden), observation.opponent());
                assert_eq!(purple.army(Seat::Second), observation.opponent());
                assert_eq!(purple.blue_count(), observation.opponent_blue());
                let seen = game.legal_moves().into_iter().map(|mv| observation.seen(mv)).collect();
                assert_eq!(sorted(purple.legal_moves()), sorted(seen), "{game:?}");
            }
        }
    });
    assert!(met.get() > 1000, "only {} positions were met", met.get());
}

/// Moves of every kind are translated and back, also those that this board does not have.
fn seen_and_played_are_inverse<B: Board>() {
    for_all(games::<B>(), |line| {
        for viewer in SIDES {
            let observation = line.last.observe(viewer);
            let seen = writable_moves().into_iter().map(|mv| observation.seen(mv)).collect();
            assert_eq!(sorted(seen), sorted(writable_moves()));
            for mv in writable_moves() {
                assert_eq!(observation.played(observation.seen(mv)), mv);
                assert_eq!(observation.seen(observation.played(mv)), mv);
            }
        }
    });
}

/// What somebody would write down of an observation.
fn parts_of<B: Board>(game: &Game<B>, viewer: Seat) -> ObservationParts {
    let seen = game.observe(viewer);
    ObservationParts {
        viewer,
        own: seen.own(),
        opponent: seen.opponent(),
        own_captured: seen.own_captured(),
        opponent_captured: seen.opponent_captured(),
        to_move: seen.to_move(),
        ply: seen.ply(),
        draw_limit: game.draw_limit(),
    }
}

fn parts_give_the_observation_of_games_that_go_on<B: Board>() {
    for_all(games::<B>(), |line| {
        for game in line.positions() {
            for viewer in SIDES {
                let again = Observation::<B>::from_parts(&parts_of(game, viewer));
                match game.outcome() {
                    None => assert_eq!(again, Ok(game.observe(viewer))),
                    Some(_) => assert!(again.is_err(), "{game:?}"),
                }
            }
        }
    });
}

fn parts_that_are_nothing_are_refused_by_name<B: Board>() {
    let home = Placement::all().next().expect("there are placements");
    let game = Game::<B>::new(home, home, 10);
    let good = parts_of(&game, Seat::First);
    let Army { blue, red } = good.own;
    let one = blue.map(Square::bit).next().expect("there are blues");
    let own = |blue, red| ObservationParts { own: Army { blue, red }, ..good };
    let captured = |blue, red| ObservationParts { opponent_captured: (blue, red), ..good };
    let cases = [
        (own(blue | Bitboard(1 << 40), red), ObservationError::OffBoard),
        (own(blue, red | one), ObservationError::TwoOnASquare),
        (
            ObservationParts { opponent: good.opponent | one, ..good },
            ObservationError::TwoOnASquare,
        ),
        (own(Bitboard::EMPTY, red), ObservationError::OwnCount),
        (own(blue, Bitboard::EMPTY), ObservationError::OwnCount),
        (own(blue | red, Bitboard::EMPTY), ObservationError::OwnCount),
        (ObservationParts { own_captured: (1, 0), ..good }, ObservationError::OwnCount),
        (ObservationParts { own_captured: (0, u32::MAX), ..good }, ObservationError::OwnCount),
        (captured(1, 0), ObservationError::OpponentCount),
        (captured(u32::MAX, u32::MAX), ObservationError::OpponentCount),
        (ObservationParts { opponent: Bitboard::EMPTY, ..good }, ObservationError::OpponentCount),
        (ObservationParts { to_move: false, ..good }, ObservationError::Turn),
        (ObservationParts { viewer: Seat::Second, ..good }, ObservationError::Turn),
        (ObservationParts { ply: 10, ..good }, ObservationError::Drawn),
    ];
    assert!(Observation::<B>::from_parts(&good).is_ok());
    for (parts, error) in cases {
        assert_eq!(Observation::<B>::from_parts(&parts), Err(error), "{parts:?}");
    }
}

on_every_board!(
    parts_give_the_observation_of_games_that_go_on,
    parts_that_are_nothing_are_refused_by_name,
    other_colours_look_the_same,
    what_is_public_is_seen,
    colourings_are_all_there_are,
    resampled_games_look_the_same,
    the_purple_position_is_the_viewers,
    seen_and_played_are_inverse,
);
