//! How a position looks to somebody who sees only so far: the judgement of a person, not of a proof.
//!
//! The value is that of a plain look ahead. A win counts for much and the sooner the better, a loss
//! as much against it; everything else is judged by the race for the exits ([`lead`]) or, where the
//! opposing blues can be hunted down, by how far the hunters are from them, whichever is better.

use games::Seat;
use games::geister::{Ghost, Move, Position};
use geister::feel::lead;

/// Worth more than any judgement.
const WON: i32 = 1000;

/// The better a judgement, the less it matters by how much.
const MOST: i32 = 30;

/// What somebody overlooks.
pub trait Eye {
    /// Whether a move is seen when it is thought of.
    fn sees(&mut self) -> bool;
}

/// Overlooks nothing.
impl Eye for () {
    fn sees(&mut self) -> bool {
        true
    }
}

/// A look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// So many plies.
    pub plies: u32,
    /// So many moves in each position: those that look best at first sight.
    pub breadth: usize,
}

impl Look {
    /// A look that leaves no move out.
    pub const fn of_plies(plies: u32) -> Look {
        Look { plies, breadth: usize::MAX }
    }

    /// The moves of the bottom side, which is to move, that are seen, each with its value; `nodes` is
    /// raised by every position looked at.
    pub fn values(
        self,
        position: &Position,
        eye: &mut impl Eye,
        nodes: &mut u64,
    ) -> Vec<(Move, i32)> {
        let seen = self.candidates(position, eye, nodes);
        let value = |(mv, after): (Move, Position)| {
            (mv, self.value(&after, self.plies.saturating_sub(1), (-2 * WON, 2 * WON), eye, nodes))
        };
        seen.into_iter().map(value).collect()
    }

    /// Every move of the bottom side, which is to move, with its value: at the root nothing is left
    /// out.
    pub fn every_value(self, position: &Position) -> Vec<(Move, i32)> {
        let (plies, window) = (self.plies.saturating_sub(1), (-2 * WON, 2 * WON));
        let value =
            |mv| (mv, self.value(&position.play_unchecked(mv), plies, window, &mut (), &mut 0));
        position.legal_moves().into_iter().map(value).collect()
    }

    /// Alpha-beta, seen by the bottom side.
    fn value(
        self,
        position: &Position,
        plies: u32,
        (mut low, mut high): (i32, i32),
        eye: &mut impl Eye,
        nodes: &mut u64,
    ) -> i32 {
        if plies == 0 || position.outcome().is_some() {
            return first_sight(position, plies);
        }
        let own = position.turn() == Seat::First;
        let mut best = None;
        for (_, after) in self.candidates(position, eye, nodes) {
            let value = self.value(&after, plies - 1, (low, high), eye, nodes);
            best = Some(
                best.map_or(value, |best: i32| if own { best.max(value) } else { best.min(value) }),
            );
            if own {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        // Who overlooks everything judges what there is.
        best.unwrap_or_else(|| first_sight(position, plies))
    }

    /// The moves that are thought of: the best looking ones first, and no more than the breadth.
    fn candidates(
        self,
        position: &Position,
        eye: &mut impl Eye,
        nodes: &mut u64,
    ) -> Vec<(Move, Position)> {
        let moves = position.legal_moves().into_iter().map(|mv| (mv, position.play_unchecked(mv)));
        let mut moves: Vec<(i32, Move, Position)> =
            moves.map(|(mv, after)| (first_sight(&after, 0), mv, after)).collect();
        *nodes += moves.len() as u64;
        match position.turn() {
            Seat::First => moves.sort_by_key(|&(value, mv, _)| (-value, mv)),
            Seat::Second => moves.sort_by_key(|&(value, mv, _)| (value, mv)),
        }
        let seen = moves.into_iter().filter(|_| eye.sees()).take(self.breadth);
        seen.map(|(_, mv, after)| (mv, after)).collect()
    }
}

/// What a position looks like without a look ahead; `left` plies were left when it was reached.
fn first_sight(position: &Position, left: u32) -> i32 {
    match position.outcome().map(|outcome| outcome.winner() == Some(Seat::First)) {
        Some(true) => WON + left as i32,
        Some(false) => -WON - left as i32,
        None => {
            let race = lead(position).unwrap_or(-MOST);
            hunt(position).map_or(race, |hunt| race.max(hunt)).clamp(-MOST, MOST)
        }
    }
}

/// How the hunt stands: less for every step between a ghost that may be blue and its nearest
/// hunter. There is none unless a red is shown, which may stay when all the others are gone.
fn hunt(position: &Position) -> Option<i32> {
    if position.ghosts(Ghost::ShownRed).is_empty() {
        return None;
    }
    let hunters = position.army(Seat::First);
    let way = |prey| hunters.map(|hunter| prey_distance(hunter, prey)).min();
    let ways = position.leavers(Seat::Second).filter_map(way);
    Some(-ways.sum::<i32>())
}

fn prey_distance(hunter: games::geister::Square, prey: games::geister::Square) -> i32 {
    hunter.distance(prey) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, look: Look) -> Vec<(Move, i32)> {
        look.values(&text.parse().unwrap(), &mut (), &mut 0)
    }

    fn best(text: &str, look: Look) -> String {
        let all = values(text, look);
        all.iter().max_by_key(|(_, value)| *value).unwrap().0.to_string()
    }

    #[test]
    fn who_looks_far_enough_sees_the_win() {
        assert_eq!(best("B5/6/6/6/3u2/R2u2 1", Look::of_plies(1)), "a6-out");
        let three = values("6/B5/6/3u2/6/R1u3 1", Look::of_plies(3));
        let winning: Vec<_> = three.iter().filter(|(_, value)| *value >= WON).collect();
        assert_eq!(winning.len(), 1);
        assert_eq!(winning[0].0.to_string(), "a5a6");
    }

    #[test]
    fn breadth_leaves_moves_out_and_nothing_else() {
        let text = "2u3/B5/6/6/3B2/R2u2 1";
        let (all, two) =
            (values(text, Look::of_plies(2)), values(text, Look { plies: 2, breadth: 2 }));
        assert_eq!(two.len(), 2);
        assert!(two.iter().all(|(mv, _)| all.iter().any(|(other, _)| other == mv)));
    }

    /// Overlooks every second move.
    struct Drowsy(bool);

    impl Eye for Drowsy {
        fn sees(&mut self) -> bool {
            self.0 = !self.0;
            self.0
        }
    }

    #[test]
    fn what_is_overlooked_is_not_judged() {
        let position = "6/B5/6/3u2/6/R1u3 1".parse().unwrap();
        let seen = Look::of_plies(1).values(&position, &mut Drowsy(false), &mut 0);
        assert_eq!(seen.len(), position.legal_moves().len().div_ceil(2));
    }
}
