//! Placements that the papers' programs may have made, where they differ from
//! [`puzzle::compose::random`].

use common::rng::stream;
use games::Rules;
use games::geister::{Bitboard, Count, Ghost, Position, Square};
use geister::board::{ALL_SQUARES, BOTTOM_EXITS};
use puzzle::material::{Colours, Counts};
use rand::Rng;

/// Ghosts of one kind that are placed together, and the squares open to them.
pub(crate) struct Group {
    pub(crate) ghost: Ghost,
    pub(crate) number: u32,
    pub(crate) open: Bitboard,
}

/// Places group after group, each ghost on any free square that is open to it.
pub(crate) fn place(groups: &[Group], hidden_blue: u32, rng: &mut impl Rng) -> Position {
    let mut ghosts = [Bitboard::EMPTY; 5];
    let mut free = ALL_SQUARES;
    for Group { ghost, number, open } in groups {
        for _ in 0..*number {
            let square = any_of(free & *open, rng);
            ghosts[*ghost as usize] |= square;
            free = free.without(square);
        }
    }
    Position::from_ghosts(ghosts, hidden_blue)
}

fn any_of(mut squares: Bitboard, rng: &mut impl Rng) -> Bitboard {
    let nth = rng.random_range(0..squares.count().max(1)) as usize;
    squares.nth(nth).map_or(Bitboard::EMPTY, Square::bit)
}

/// A position that random moves lead to from `start`: the first one for which `there` holds. A game
/// that ends before, or there, is replayed with new moves.
pub(crate) fn after_random_moves<G: Rules>(
    start: &G,
    there: impl Fn(&G) -> bool,
    seed: u64,
    trial: u64,
) -> G {
    let mut rng = stream(seed, trial);
    loop {
        let mut position = start.clone();
        loop {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if there(&position) {
                return position;
            }
            position = position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// The combinations of counts that can be partly revealed.
pub(crate) fn partly_revealed_combinations() -> Vec<Colours> {
    let all = Counts::default().combinations();
    all.into_iter().filter(|colours| colours.top_blue + colours.top_red > 2).collect()
}

/// Partly revealed as the program published with P1 does it: how many blues and how many reds are
/// shown is drawn evenly from what may be, again until a ghost is shown. (The paper says that each
/// ghost is shown or not at random, which [`puzzle::compose::random`] does by a coin each.)
pub(crate) fn with_drawn_numbers(combinations: &[Colours], seed: u64, trial: u64) -> Position {
    let mut rng = stream(seed, trial);
    let colours = combinations[(trial % combinations.len() as u64) as usize];
    let Colours { top_blue, top_red, .. } = colours;
    let (shown_blue, shown_red) = loop {
        let shown = (rng.random_range(0..top_blue), rng.random_range(0..top_red));
        if shown != (0, 0) {
            break shown;
        }
    };
    let count = colours.count(shown_blue, shown_red);
    place(&groups(&count), count.hidden_blue, &mut rng)
}

/// Own blues off their exits, everything else anywhere.
fn groups(count: &Count) -> [Group; 5] {
    let group = |ghost, number| Group { ghost, number, open: ALL_SQUARES };
    let off_exits = ALL_SQUARES.without(BOTTOM_EXITS);
    [
        Group { open: off_exits, ..group(Ghost::OwnBlue, count.own_blue) },
        group(Ghost::OwnRed, count.own_red),
        group(Ghost::ShownBlue, count.shown_blue),
        group(Ghost::ShownRed, count.shown_red),
        group(Ghost::Hidden, count.hidden),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use geister::board::TOP_EXITS;
    use geister::solver::Revealed;

    #[test]
    fn numbers_are_drawn_evenly() {
        let combinations = [Colours { own_blue: 1, own_red: 1, top_blue: 3, top_red: 2 }];
        let trials = 5000;
        let mut times = [[0u32; 2]; 3];
        for trial in 0..trials {
            let position = with_drawn_numbers(&combinations, 1, trial);
            assert_eq!(Revealed::of(&position), Revealed::Partly);
            assert!(!position.ghosts(Ghost::OwnBlue).meets(BOTTOM_EXITS));
            assert_eq!(position.blue_count(), 3);
            let count = position.count();
            times[count.shown_blue as usize][count.shown_red as usize] += 1;
        }
        assert_eq!(times[0][0], 0);
        // The five others are equally likely.
        for number in times.iter().flatten().skip(1) {
            assert!((f64::from(*number) - 1000.0).abs() < 5.0 * 800f64.sqrt(), "{times:?}");
        }
    }

    #[test]
    fn ghosts_stay_on_open_squares() {
        let corner = TOP_EXITS;
        let groups = [
            Group { ghost: Ghost::OwnBlue, number: 2, open: corner },
            Group { ghost: Ghost::Hidden, number: 5, open: ALL_SQUARES.without(corner) },
        ];
        let position = place(&groups, 2, &mut stream(3, 4));
        assert_eq!(position.ghosts(Ghost::OwnBlue), corner);
        assert_eq!(position.ghosts(Ghost::Hidden).count(), 5);
        assert_eq!(position.hidden_blue(), 2);
    }
}
