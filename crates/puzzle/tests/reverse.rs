//! Moves taken back: against brute force, against the solver, and at what rate.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use common::rng::stream;
use games::Seat;
use games::geister::{Ghost, Position, Square};
use geister::board::{ALL_SQUARES, neighbours};
use geister::solver::{Revealed, Solver};
use geister::tablebase::Class;
use puzzle::Material;
use puzzle::compose::random::Placement;
use puzzle::compose::reverse::{Reverse, lengthened, opponent_unmoves, own_unmoves};
use rand::Rng;
use search::{Budget, Limits, Stop, Verdict};
use std::collections::BTreeSet;

const NODES: u64 = 1_000_000;
const REVEALED: [Revealed; 3] = [Revealed::None, Revealed::Partly, Revealed::Fully];

fn solver() -> Solver {
    Solver::new(32 << 20)
}

fn verdict(position: &Position, depth: u32) -> Verdict {
    let mut budget = Budget::new(&Limits { depth, ..Limits::default() });
    solver().verdict(position, &mut budget, &mut ()).verdict
}

/// Positions of all kinds of material, the board full of ghosts in some of them.
fn positions(count: u64) -> impl Iterator<Item = Position> {
    let all: Material = "B1..4,R1..4,b1..4,r1..4".parse().unwrap();
    let few: Material = "B1..2,R1..2,b1..2,r1..2".parse().unwrap();
    let kinds = [all, few].map(|m| REVEALED.map(|r| Placement::new(&m, r).unwrap())).concat();
    (0..count).map(move |n| {
        let mut rng = stream(17, n);
        kinds[n as usize % kinds.len()].position(rng.random(), rng.random())
    })
}

/// A position as letters on squares, and how many of the hidden ghosts are blue.
type Letters = ([char; Square::COUNT], u32);

fn letters(position: &Position) -> Letters {
    let squares = std::array::from_fn(|index| {
        let ghost = Square::from_index(index).and_then(|square| position.get(square));
        ghost.map_or('.', Ghost::letter)
    });
    (squares, position.hidden_blue())
}

fn count((squares, _): &Letters, letter: char) -> u32 {
    squares.iter().filter(|&&other| other == letter).count() as u32
}

/// Whether the game goes on, with no more ghosts of a colour than there are.
fn goes_on(letters: &Letters) -> bool {
    let [own_blue, own_red, b, r, u] = ['B', 'R', 'b', 'r', 'u'].map(|l| count(letters, l));
    let hidden_blue = letters.1;
    hidden_blue <= u
        && [own_blue, own_red].iter().all(|own| (1..=4).contains(own))
        && b + hidden_blue <= 4
        && (1..=4).contains(&(r + u - hidden_blue))
        && b + u > 0
}

/// The letters after a step of one of `movers` onto one of `targets`.
fn step(before: &Letters, from: usize, to: usize, movers: &str, targets: &str) -> Option<Letters> {
    let mut after = *before;
    if !movers.contains(after.0[from]) || !targets.contains(after.0[to]) {
        return None;
    }
    after.0[to] = std::mem::replace(&mut after.0[from], '.');
    after.1 = after.1.min(count(&after, 'u'));
    Some(after)
}

/// Every way to change two neighbouring squares and the number of hidden blues such that a step
/// leads to `after`.
fn predecessors(after: &Position, movers: &str, targets: &str) -> BTreeSet<Letters> {
    let after = letters(after);
    let pairs = ALL_SQUARES.flat_map(|from| neighbours(from.bit()).map(move |to| (from, to)));
    let mut found = BTreeSet::new();
    for (from, to) in pairs {
        let (from, to) = (from.index(), to.index());
        let contents = "BRbru.".chars().flat_map(|a| "BRbru.".chars().map(move |b| (a, b)));
        for ((mover, target), hidden_blue) in contents.flat_map(|c| (0..=5).map(move |n| (c, n))) {
            let mut before = (after.0, hidden_blue);
            (before.0[from], before.0[to]) = (mover, target);
            let leads = step(&before, from, to, movers, targets) == Some(after);
            if leads && goes_on(&before) {
                found.insert(before);
            }
        }
    }
    found
}

fn distinct(positions: &[Position]) -> BTreeSet<Letters> {
    let distinct: BTreeSet<Letters> = positions.iter().map(letters).collect();
    assert_eq!(distinct.len(), positions.len(), "a position is listed twice");
    distinct
}

fn leads_to(before: &Position, after: &Position) -> bool {
    before.legal_moves().into_iter().any(|mv| before.play_unchecked(mv) == *after)
}

#[test]
fn opposing_moves_taken_back_are_all_there_are() {
    for position in positions(120) {
        let before = opponent_unmoves(&position);
        assert!(before.iter().all(|before| before.turn() == Seat::Second));
        assert!(before.iter().all(|before| leads_to(before, &position)), "{position}");
        assert_eq!(distinct(&before), predecessors(&position, "bru", ".BR"), "{position}");
        assert!(own_unmoves(&position).is_empty(), "the bottom side did not move last");
    }
}

#[test]
fn own_moves_taken_back_are_all_there_are() {
    let (mut hidden_blues, mut captures) = (0, 0);
    for (number, start) in positions(240).enumerate() {
        let moves = start.legal_moves();
        let any = stream(3, number as u64).random_range(0..moves.len());
        let position = start.play_unchecked(moves[any]);
        let before = own_unmoves(&position);
        if position.outcome().is_some() {
            assert!(before.is_empty());
            continue;
        }
        assert!(before.iter().all(|before| leads_to(before, &position)), "{position}");
        let mut expected = predecessors(&position, "BR", ".bru");
        expected.retain(|letters| {
            let leaves_at_once = letters.0[30] == 'B' || letters.0[35] == 'B';
            count(letters, 'b') + letters.1 > 0 && !leaves_at_once
        });
        assert_eq!(distinct(&before), expected, "{position}");
        assert!(before.contains(&start), "{start}");
        for before in before {
            assert_eq!(before.to_string().parse(), Ok(before), "it is no puzzle");
            hidden_blues += u32::from(before.hidden_blue() > position.hidden_blue());
            captures += u32::from(before.count() != position.count());
        }
        assert!(opponent_unmoves(&position).is_empty(), "the top side did not move last");
    }
    assert!(hidden_blues > 100 && captures > 1000, "{hidden_blues} {captures}");
}

/// Short puzzles with few ghosts.
fn puzzles(revealed: Revealed, count: usize) -> Vec<(Position, u32)> {
    let material: Material = "B1..2,R1..2,b1..2,r1..2".parse().unwrap();
    let placement = Placement::new(&material, revealed).unwrap();
    let win = |trial| {
        let position = placement.position(5, trial);
        match verdict(&position, 7) {
            Verdict::Win(m_win) if m_win > 1 => Some((position, m_win)),
            _ => None,
        }
    };
    (0..).filter_map(win).take(count).collect()
}

/// Whether the bottom side wins within `plies` plies, by the verdict or by that on every reply.
fn wins_within(position: &Position, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(Seat::First);
    }
    match position.turn() {
        Seat::First => matches!(verdict(position, plies), Verdict::Win(_)),
        Seat::Second => position
            .legal_moves()
            .into_iter()
            .all(|mv| wins_within(&position.play_unchecked(mv), plies - 1)),
    }
}

/// The slow twin: the whole question to a fresh solver about every pair of moves.
fn can_be_lengthened(position: &Position, m_win: u32) -> bool {
    let between = opponent_unmoves(position).into_iter();
    let mut before = between
        .filter(|between| wins_within(between, m_win + 1))
        .flat_map(|between| own_unmoves(&between));
    before.any(|before| verdict(&before, m_win + 2) == Verdict::Win(m_win + 2))
}

#[test]
fn a_lengthened_puzzle_is_two_plies_longer_and_found_if_there_is_one() {
    let (mut solver, mut grown, mut stuck) = (solver(), 0, 0);
    for revealed in REVEALED {
        for (number, (position, m_win)) in puzzles(revealed, 20).into_iter().enumerate() {
            let mut rng = stream(9, number as u64);
            match lengthened(&position, m_win, &mut solver, &mut rng, NODES).unwrap() {
                Some(before) => {
                    grown += 1;
                    assert_eq!(verdict(&before, m_win + 2), Verdict::Win(m_win + 2), "{before}");
                }
                None => {
                    stuck += 1;
                    assert!(!can_be_lengthened(&position, m_win), "{position}");
                }
            }
        }
    }
    assert!(grown > 20 && stuck > 5, "{grown} {stuck}");
}

#[test]
fn node_limits_hold_and_earlier_searches_do_not_matter() {
    let mut used = solver();
    let source = Reverse::new(&Material::default(), Revealed::Partly, 9..=13).unwrap();
    assert_eq!(source.position(1, 1, &mut used, 0), Err(Stop::Nodes));
    for trial in 0..20 {
        let again = source.position(1, trial, &mut used, NODES);
        assert_eq!(again, source.position(1, trial, &mut solver(), NODES), "trial {trial}");
    }
    let stopped = puzzles(Revealed::None, 10).into_iter().filter(|(position, m_win)| {
        let lengthened = lengthened(position, *m_win, &mut used, &mut stream(1, 1), 0);
        lengthened == Err(Stop::Nodes)
    });
    assert!(stopped.count() > 5);
}

#[test]
fn lengthened_puzzles_meet_the_request() {
    let mut solver = solver();
    let wanted = [
        ("B1..3", Revealed::None, 9..=11),
        ("B1..3", Revealed::Partly, 9..=12),
        ("B1,R1..2,b1..2,r2", Revealed::Fully, 8..=11),
        ("BBRRuuuu:2", Revealed::None, 9..=9),
        ("BRRbruu:2", Revealed::Partly, 5..=11),
        ("BRuu:1", Revealed::None, 3..=3),
    ];
    for (text, revealed, lengths) in wanted {
        let material: Material = text.parse().unwrap();
        let source = Reverse::new(&material, revealed, lengths.clone()).unwrap();
        let made = |trial| source.position(2, trial, &mut solver, NODES).ok().flatten();
        let made: Vec<_> = (0..300).filter_map(made).take(10).collect();
        assert!(made.len() >= 5, "{text} {revealed:?}: {}", made.len());
        for (position, m_win) in made {
            assert!(lengths.contains(&m_win));
            assert_eq!(verdict(&position, m_win), Verdict::Win(m_win), "{position}");
            assert!(material.has_position(&position) && Revealed::of(&position) == revealed);
            assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}

#[test]
fn impossible_requests_are_refused() {
    for lengths in [0..=2, 4..=4, 125..=200] {
        assert!(Reverse::new(&Material::default(), Revealed::None, lengths).is_none());
    }
    let class: Class = "BRuu:1".parse().unwrap();
    assert!(Reverse::new(&Material::Exact(class), Revealed::Fully, 5..=7).is_none());
}
