use super::*;
use crate::random::any_placement;
use crate::style::Style;
use crate::style::StylePlayer;
use crate::style::side_belief::SideBelief;
use common::rng::derive_seed;
use games::Seat;
use games::geister::{Game, Placement, Small, Standard};
use play::{Player, Thinking};
use std::time::Duration;

fn at(name: &str) -> Square {
    Square::from_name(name).unwrap()
}

fn set(names: &str) -> Bitboard {
    names.split_whitespace().map(at).collect()
}

/// Figure 3: node E is worth 5.9 to the opponent, who does not know the colour of p, and 50 to the
/// player, whose p is red. The chances are not in the figure's text; one pair that gives 5.9 is a
/// tenth of 50 and nine tenths of 1.
#[test]
fn figure_three() {
    let (blue, red) = (NodeValue::both(1.0), NodeValue::both(50.0));
    let node = NodeValue::known_outcome(0.9, false, blue, red);
    assert_eq!(node.real, 50.0);
    assert!((node.pretense - 5.9).abs() < 1e-12);
    // Without knowing the colour both are 5.9: that is plain Expectimax.
    let plain = NodeValue::expectation(0.9, blue, red);
    assert!((plain.real - 5.9).abs() < 1e-12 && plain.real == plain.pretense);
}

#[test]
fn a_win_is_more_than_any_sum() {
    fn most<B: Board>() -> f64 {
        let tables = PieceSquareTables::of_bottom::<B>();
        let best = |table: &[f64; Square::COUNT]| {
            let mut values = table.to_vec();
            values.sort_by(|a, b| b.total_cmp(a));
            values[..B::GHOSTS_OF_A_COLOUR as usize].iter().sum::<f64>()
        };
        best(&tables.blue) + best(&tables.red)
    }
    assert_eq!((most::<Small>(), Search::<Small>::WIN), (40.0, 50.0));
    assert!(most::<Standard>() < Search::<Standard>::WIN - 1.0);
}

/// A node by hand: own blues and reds, the others with their chances of being blue.
fn node(
    blue: &str,
    red: &str,
    own: &[(&str, f64)],
    opponent: &[(&str, f64)],
    blues: u32,
) -> Node<'static> {
    let force = |squares: Bitboard, ghosts: &[(&str, f64)], blues: u32| {
        let mut belief = SideBelief::even(squares, blues);
        for &(name, value) in ghosts {
            belief.set_for_test(at(name), value);
        }
        let cache = Box::leak(Box::new(ProbabilityCache::new(belief.probabilities)));
        Ghosts { pieces: belief.pieces, cache }
    };
    let all: Bitboard = set(blue) | set(red);
    let opponent_at = opponent.iter().map(|(name, _)| at(name)).collect();
    Node {
        own: force(all, own, set(blue).count()),
        opponent: force(opponent_at, opponent, blues),
        blue: set(blue),
        is_imagined: false,
    }
}

fn ghost_at(ghosts: &Ghosts<'_>, name: &str) -> usize {
    ghosts.pieces.ghost(at(name)).unwrap()
}

/// The leaf is the sum of figure 4: real by true colours, pretense by what the opponent thinks.
#[test]
fn the_evaluation_by_hand() {
    let node = node("a4", "b4", &[("a4", 0.25), ("b4", 0.75)], &[("a2", 0.5), ("c5", 0.5)], 1);
    // Turned, a2 is d4 and c5 is b1: blue 5 and 0, red 5 and 2.
    let theirs = 5.0 + 1.0;
    let values = Search::<Small>::default().evaluate(&node);
    assert_eq!(values.real, 5.0 + 10.0 - theirs);
    assert_eq!(values.pretense, 0.25 * 5.0 + 0.75 * 5.0 + 0.75 * 3.0 + 0.25 * 10.0 - theirs);
}

/// The opponent captures a ghost that it thinks blue; it is the last red, and the player wins.
#[test]
fn a_capture_has_a_real_value_and_a_pretense() {
    let search = Search::<Small>::default();
    let node = node("a1", "b3", &[("a1", 0.2), ("b3", 0.8)], &[("b3", 0.5), ("d5", 0.5)], 1);
    let win = Search::<Small>::win_after(2);
    let values = search.capture_by_opponent(&node, ghost_at(&node.own, "b3"), 1, 2);
    assert_eq!(values.real, win);
    assert!((values.pretense - (0.2 * win - 0.8 * win)).abs() < 1e-12);
}

/// The player captures: chance decides in both values.
#[test]
fn a_capture_by_the_player_is_chance() {
    let search = Search::<Small>::default();
    let node = node("a1", "b3", &[], &[("b3", 0.75), ("d5", 0.25)], 1);
    let win = Search::<Small>::win_after(1);
    let values = search.capture_by_own(&node, ghost_at(&node.opponent, "b3"), 2, 1);
    assert!((values.real - 0.5 * win).abs() < 1e-12);
    assert_eq!(values.real, values.pretense);
}

/// A ghost of the opponent on its exit leaves as likely as it is blue.
#[test]
fn the_opponent_leaves_by_chance() {
    let search = Search::<Small>::default();
    let lost = -Search::<Small>::win_after(2);
    let sure = node("c3", "c2", &[], &[("a1", 1.0), ("d5", 0.0)], 1);
    let values = search.min_value(&sure, 1, 2);
    assert!((values.real - lost).abs() < 1e-12);
    let never = node("c3", "c2", &[], &[("a1", 0.0), ("d5", 1.0)], 1);
    assert!(search.min_value(&never, 1, 2).real > -20.0);
}

/// The slow twin of the search: whole trees of nodes, without sums that are carried along.
fn max_value_slowly(search: &Search<Small>, node: &Node<'_>, depth: u32, ply: u32) -> NodeValue {
    if depth == 0 {
        return search.evaluate(node);
    }
    let mut best = NodeValue::both(f64::NEG_INFINITY);
    for (ghost, (from, _)) in node.own.each().enumerate() {
        for to in from.bit().neighbours::<Small>().without(node.own.pieces.squares()) {
            let mut after = *node;
            after.own.pieces.step(ghost, to);
            if node.blue.has(from) {
                after.blue = node.blue.without(from.bit()) | to.bit();
            }
            let values = match node.opponent.pieces.ghost(to) {
                Some(captured) => search.capture_by_own(&after, captured, depth - 1, ply),
                None => search.min_value(&after, depth - 1, ply + 1),
            };
            if values.real > best.real + EQUAL
                || values.real > best.real - EQUAL && values.pretense > best.pretense + EQUAL
            {
                best = values;
            }
        }
    }
    let leaving = node.own.cache.probabilities().any_blue(&node.own.pieces, Small::BOTTOM_EXITS);
    let thought = best.unless(leaving, Search::<Small>::win_after(ply));
    let leaves = node.blue.meets(Small::BOTTOM_EXITS);
    let real = if leaves { Search::<Small>::win_after(ply) } else { best.real };
    NodeValue { real, pretense: thought.pretense }
}

#[test]
fn sums_carried_along_are_sums() {
    let search = Search::<Small>::default();
    let nodes = [
        node("a4 b2", "c3 c1", &[], &[("b3", 0.5), ("c4", 0.25), ("d2", 0.75), ("c5", 0.5)], 2),
        node("a5 b2", "c3", &[("a5", 0.9)], &[("b3", 0.5), ("c4", 0.75), ("d2", 0.75)], 2),
        node("d4", "c4", &[], &[("d5", 0.5), ("a2", 0.5)], 1),
    ];
    for node in nodes {
        for depth in 1..=3 {
            let (fast, slow) =
                (search.max_value(&node, depth, 1), max_value_slowly(&search, &node, depth, 1));
            assert!((fast.real - slow.real).abs() < 1e-9, "{depth}: {fast:?} {slow:?}");
            assert!((fast.pretense - slow.pretense).abs() < 1e-9, "{depth}: {fast:?} {slow:?}");
        }
    }
}

/// Nodes of games that styles play, with the guesses of both at every move.
fn nodes_of_games<B: Board>(games: u64, mut visit: impl FnMut(&Node<'_>)) {
    for seed in 0..games {
        let chance = |part| (derive_seed(seed, part) % 1001) as f64 / 1000.0 - 0.5;
        let style = Style { adjacent: chance(0), away: chance(1), towards: chance(2) };
        let mut player = StylePlayer::<B>::new(style);
        let thinking = Thinking { time: Duration::ZERO, seed };
        let set_up = any_placement(&mut thinking.rng(0));
        let (mut game, mut moves) = (Game::<B>::new(set_up, set_up, 40), Vec::new());
        let start = game;
        while game.outcome().is_none() {
            let history = start.information_state(&moves, game.turn()).unwrap();
            let beliefs = Beliefs::after(&style, &history);
            let caches = [beliefs.own.probabilities, beliefs.opponent.probabilities]
                .map(ProbabilityCache::new);
            visit(&Node {
                own: Ghosts { pieces: beliefs.own.pieces, cache: &caches[0] },
                opponent: Ghosts { pieces: beliefs.opponent.pieces, cache: &caches[1] },
                blue: history.now().own().blue,
                is_imagined: seed % 3 == 0,
            });
            let mv = history.now().played(player.choose(&history, &thinking));
            game = game.play(mv).unwrap();
            moves.push(mv);
        }
    }
}

/// The last move before which most is worked out once gives the very same numbers as the one that
/// looks at every step, after every move of the others that captures nothing.
#[test]
fn favourites_change_nothing() {
    fn check<B: Board>(games: u64) {
        let search = Search::<B>::default();
        nodes_of_games::<B>(games, |node| {
            let squares = node.opponent.pieces.squares();
            let cached = CachedLastMove::new(&search, node.own(), squares);
            for (ghost, (from, _)) in node.opponent.each().enumerate() {
                let taken = squares | node.own.pieces.squares();
                for to in from.bit().neighbours::<B>().without(taken) {
                    let mut opponent = node.opponent;
                    opponent.pieces.step(ghost, to);
                    let slow = LastMove::new(&search, node.own()).max_value(&opponent, 3);
                    assert_eq!(cached.max_value(&opponent, from, 3), slow);
                }
            }
        });
    }
    check::<Small>(60);
    check::<Standard>(6);
}

fn best_moves(style: &Style, moves: &str, viewer: Seat) -> Vec<String> {
    let red = |names| Placement::<Small>::with_red(set(names)).unwrap();
    let start = Game::new(red("b1 c1"), red("b1 c1"), 100);
    let moves: Vec<Move> = moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
    let history = start.information_state(&moves, viewer).unwrap();
    let player = crate::style::StylePlayer::<Small>::new(*style);
    player
        .best(history.now(), &Beliefs::after(style, &history))
        .iter()
        .map(Move::to_string)
        .collect()
}

#[test]
fn a_ghost_that_can_leave_leaves() {
    // The blue b2 runs to a5 while the top side moves about on the other wing.
    let moves = "b2a2 c4d4 a2a3 d4c4 a3a4 c4d4 a4a5 d4c4";
    assert_eq!(best_moves(&Style::default(), moves, Seat::First), ["a5-out"]);
}

#[test]
fn every_legal_move_is_looked_at() {
    let red = <Placement>::with_red(set("b1 c1 d1 e1")).unwrap();
    let now = Game::new(red, red, 100).observe(Seat::First);
    let found = Search::<Standard>::default().moves(&now, &Beliefs::new(&now), 2);
    let mut moves: Vec<Move> = found.iter().map(|(mv, _)| *mv).collect();
    let mut legal = now.legal_moves();
    moves.sort();
    legal.sort();
    assert_eq!(moves, legal);
}
