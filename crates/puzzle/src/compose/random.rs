//! Random placement (Hsueh et al. 2025, 4.1).
//!
//! Ghosts of given counts are placed on random distinct squares, an own blue never on a6 or f6.
//! Partly revealed: each of the opponent's ghosts is revealed with probability 1/2, repeated until
//! at least one is revealed while at least one blue and one red are not.

use crate::material::{Colours, Material};
use common::rng::stream;
use games::geister::{Bitboard, Count, Ghost, Position, Square};
use geister::board::{ALL_SQUARES, BOTTOM_EXITS};
use geister::solver::Revealed;
use geister::tablebase::Class;
use rand::Rng;

/// A random placement of ghosts.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Every combination of counts; trials cycle through them.
    combinations: Vec<Combination>,
}

#[derive(Clone, Copy, Debug)]
enum Combination {
    Exact(Class),
    Colours(Colours, Revealed),
}

impl Placement {
    /// Random placement of `material`, revealed as requested; an exact class defines what is
    /// revealed. `None` if no puzzle can satisfy this.
    pub fn new(material: &Material, revealed: Revealed) -> Option<Placement> {
        if !material.allows(revealed) {
            return None;
        }
        let combinations = match material {
            Material::Exact(class) => vec![Combination::Exact(*class)],
            Material::Counts(counts) => counts
                .combinations()
                .into_iter()
                .filter(|colours| {
                    revealed != Revealed::Partly || colours.top_blue + colours.top_red > 2
                })
                .map(|colours| Combination::Colours(colours, revealed))
                .collect(),
        };
        Some(Placement { combinations })
    }

    /// The number of combinations of counts.
    pub fn combinations(&self) -> u64 {
        self.combinations.len() as u64
    }

    /// The position of a trial. Trial `t` has the combination `t` modulo their number, so that all
    /// are tried equally often.
    pub fn position(&self, seed: u64, trial: u64) -> Position {
        let mut rng = stream(seed, trial);
        let combination = self.combinations[(trial % self.combinations()) as usize];
        let count = match combination {
            Combination::Exact(class) => class.count(),
            Combination::Colours(colours, revealed) => reveal(colours, revealed, &mut rng),
        };
        place(&count, &mut rng)
    }
}

/// Decides which of the opponent's ghosts are revealed.
fn reveal(colours: Colours, revealed: Revealed, rng: &mut impl Rng) -> Count {
    let Colours { top_blue, top_red, .. } = colours;
    let (shown_blue, shown_red) = match revealed {
        Revealed::None => (0, 0),
        Revealed::Fully => (top_blue, top_red),
        Revealed::Partly => loop {
            let mut tossed = |ghosts| (0..ghosts).filter(|_| rng.random::<bool>()).count() as u32;
            let (blue, red) = (tossed(top_blue), tossed(top_red));
            if blue + red > 0 && blue < top_blue && red < top_red {
                break (blue, red);
            }
        },
    };
    colours.count(shown_blue, shown_red)
}

/// Places the ghosts on different squares, uniformly at random.
fn place(count: &Count, rng: &mut impl Rng) -> Position {
    let mut ghosts = [Bitboard::EMPTY; 5];
    let mut free = ALL_SQUARES;
    let combinations = [
        // The blues first, since not every square is allowed for them.
        (Ghost::OwnBlue, count.own_blue),
        (Ghost::OwnRed, count.own_red),
        (Ghost::ShownBlue, count.shown_blue),
        (Ghost::ShownRed, count.shown_red),
        (Ghost::Hidden, count.hidden),
    ];
    for (ghost, number) in combinations {
        for _ in 0..number {
            let open = if ghost == Ghost::OwnBlue { free.without(BOTTOM_EXITS) } else { free };
            let square = any_of(open, rng);
            ghosts[ghost as usize] |= square;
            free = free.without(square);
        }
    }
    Position::from_ghosts(ghosts, count.hidden_blue)
}

/// One of the squares, uniformly at random.
fn any_of(squares: Bitboard, rng: &mut impl Rng) -> Bitboard {
    let nth = rng.random_range(0..squares.count().max(1)) as usize;
    let mut squares = squares;
    squares.nth(nth).map_or(Bitboard::EMPTY, Square::bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn placements_are_as_the_paper_says() {
        for revealed in [Revealed::None, Revealed::Partly, Revealed::Fully] {
            let placement = Placement::new(&Material::default(), revealed).unwrap();
            let expected = if revealed == Revealed::Partly { 72 } else { 81 };
            assert_eq!(placement.combinations(), expected);
            let mut seen = BTreeMap::new();
            for trial in 0..expected * 20 {
                let position = placement.position(5, trial);
                assert!(position.ghosts(Ghost::OwnBlue).without(BOTTOM_EXITS).any());
                assert!(!position.ghosts(Ghost::OwnBlue).meets(BOTTOM_EXITS));
                assert_eq!(Revealed::of(&position), revealed);
                let class = Class::of(&position).expect("a game that goes on");
                let hidden_red = class.count().hidden - class.hidden_blue();
                if revealed == Revealed::Partly {
                    assert!(class.hidden_blue() >= 1 && hidden_red >= 1);
                }
                assert_eq!(position.to_string().parse::<Position>().unwrap(), position);
                *seen.entry(Colours::of(class)).or_insert(0) += 1;
            }
            assert_eq!(seen.len() as u64, expected);
            assert!(seen.values().all(|&times| times == 20));
        }
    }

    #[test]
    fn a_trial_is_a_function_of_seed_and_number() {
        let placement = Placement::new(&"BBRRuuuu:2".parse().unwrap(), Revealed::None).unwrap();
        assert_eq!(placement.position(7, 3), placement.position(7, 3));
        assert_ne!(placement.position(7, 3), placement.position(7, 4));
        assert_ne!(placement.position(7, 3), placement.position(8, 3));
    }

    #[test]
    fn every_square_is_equally_likely() {
        let placement = Placement::new(&"BRuu:1".parse().unwrap(), Revealed::None).unwrap();
        let mut times = [0f64; Square::COUNT];
        let trials = 36_000;
        for trial in 0..trials {
            placement
                .position(1, trial)
                .ghosts(Ghost::OwnRed)
                .for_each(|s| times[s.index()] += 1.0);
        }
        // The blue takes 1 of 34 squares, and never an exit: 35/34 of 1/35 there, 33/34 elsewhere.
        for (index, &times) in times.iter().enumerate() {
            let exit = BOTTOM_EXITS.0 >> index & 1 == 1;
            let expected = trials as f64 / 35.0 * if exit { 1.0 } else { 33.0 / 34.0 };
            assert!((times - expected).abs() < 5.0 * expected.sqrt(), "{index}: {times}");
        }
    }

    #[test]
    fn impossible_revelations_are_refused() {
        let two: Material = "b1,r1".parse().unwrap();
        assert!(Placement::new(&two, Revealed::Partly).is_none());
        assert!(Placement::new(&"BRuu:1".parse().unwrap(), Revealed::Fully).is_none());
    }
}
