//! Limited lookahead: a shallow, narrow alpha-beta search that models how a person sees a position.
//!
//! Wins and losses have large scores, sooner ones larger. Other positions get a static evaluation:
//! the race for the exits ([`lead`]) or, if the opponent's blues can all be captured, the distance
//! of the nearest hunters, whichever is better.

use games::Seat;
use games::geister::{Ghost, Move, Position};
use geister::feel::lead;

/// The score of a win, greater than any static evaluation.
const WIN_SCORE: i32 = 1000;

/// Static evaluations are clamped to this absolute value.
const MAX_EVALUATION: i32 = 30;

/// A model of attention: which moves a person overlooks.
pub trait Attention {
    /// Whether the next move is noticed.
    fn notices(&mut self) -> bool;
}

/// Overlooks nothing.
impl Attention for () {
    fn notices(&mut self) -> bool {
        true
    }
}

/// The depth and width of a lookahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// The depth in plies.
    pub plies: u32,
    /// The number of moves searched in each position: those with the best static evaluation.
    pub beam_width: usize,
}

impl Lookahead {
    /// The noticed moves of the bottom side, which is to move, each with its value; `nodes` is
    /// increased by the number of positions evaluated.
    pub fn evaluate_moves(
        self,
        position: &Position,
        attention: &mut impl Attention,
        nodes: &mut u64,
    ) -> Vec<(Move, i32)> {
        let noticed = self.noticed_moves(position, attention, nodes);
        let value = |(mv, after): (Move, Position)| {
            (
                mv,
                self.value(
                    &after,
                    self.plies.saturating_sub(1),
                    (-2 * WIN_SCORE, 2 * WIN_SCORE),
                    attention,
                    nodes,
                ),
            )
        };
        noticed.into_iter().map(value).collect()
    }

    /// Every move of the bottom side, which is to move, with its value: the beam does not apply at
    /// the root.
    pub fn evaluate_all_moves(self, position: &Position) -> Vec<(Move, i32)> {
        let (plies, window) = (self.plies.saturating_sub(1), (-2 * WIN_SCORE, 2 * WIN_SCORE));
        let value =
            |mv| (mv, self.value(&position.play_unchecked(mv), plies, window, &mut (), &mut 0));
        position.legal_moves().into_iter().map(value).collect()
    }

    /// Alpha-beta search; values are from the bottom side's view.
    fn value(
        self,
        position: &Position,
        plies: u32,
        (mut low, mut high): (i32, i32),
        attention: &mut impl Attention,
        nodes: &mut u64,
    ) -> i32 {
        if plies == 0 || position.outcome().is_some() {
            return static_evaluation(position, plies);
        }
        let own = position.turn() == Seat::First;
        let mut best = None;
        for (_, after) in self.noticed_moves(position, attention, nodes) {
            let value = self.value(&after, plies - 1, (low, high), attention, nodes);
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
        // If every move is overlooked, the static evaluation is all there is.
        best.unwrap_or_else(|| static_evaluation(position, plies))
    }

    /// The noticed moves, ordered by static evaluation and cut to the beam width.
    fn noticed_moves(
        self,
        position: &Position,
        attention: &mut impl Attention,
        nodes: &mut u64,
    ) -> Vec<(Move, Position)> {
        let moves = position.legal_moves().into_iter().map(|mv| (mv, position.play_unchecked(mv)));
        let mut moves: Vec<(i32, Move, Position)> =
            moves.map(|(mv, after)| (static_evaluation(&after, 0), mv, after)).collect();
        *nodes += moves.len() as u64;
        match position.turn() {
            Seat::First => moves.sort_by_key(|&(value, mv, _)| (-value, mv)),
            Seat::Second => moves.sort_by_key(|&(value, mv, _)| (value, mv)),
        }
        let noticed = moves.into_iter().filter(|_| attention.notices()).take(self.beam_width);
        noticed.map(|(_, mv, after)| (mv, after)).collect()
    }
}

/// The static evaluation of a position; `left` is the remaining depth, so that sooner wins score
/// higher.
fn static_evaluation(position: &Position, left: u32) -> i32 {
    match position.outcome().map(|outcome| outcome.winner() == Some(Seat::First)) {
        Some(true) => WIN_SCORE + left as i32,
        Some(false) => -WIN_SCORE - left as i32,
        None => {
            let race = lead(position).unwrap_or(-MAX_EVALUATION);
            capture_evaluation(position)
                .map_or(race, |capture_evaluation| race.max(capture_evaluation))
                .clamp(-MAX_EVALUATION, MAX_EVALUATION)
        }
    }
}

/// The progress of capturing all blues: minus the distances between each ghost that may be blue and
/// its nearest hunter. None unless a revealed red can remain when all the others are captured.
fn capture_evaluation(position: &Position) -> Option<i32> {
    if position.ghosts(Ghost::ShownRed).is_empty() {
        return None;
    }
    let hunters = position.army(Seat::First);
    let way = |prey| hunters.map(|hunter| distance_to(hunter, prey)).min();
    let ways = position.leavers(Seat::Second).filter_map(way);
    Some(-ways.sum::<i32>())
}

fn distance_to(hunter: games::geister::Square, prey: games::geister::Square) -> i32 {
    hunter.distance(prey) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full_width(plies: u32) -> Lookahead {
        Lookahead { plies, beam_width: usize::MAX }
    }

    fn values(text: &str, lookahead: Lookahead) -> Vec<(Move, i32)> {
        lookahead.evaluate_moves(&text.parse().unwrap(), &mut (), &mut 0)
    }

    fn best(text: &str, lookahead: Lookahead) -> String {
        let all = values(text, lookahead);
        all.iter().max_by_key(|(_, value)| *value).unwrap().0.to_string()
    }

    #[test]
    fn a_deep_enough_lookahead_finds_the_win() {
        assert_eq!(best("B5/6/6/6/3u2/R2u2 1", full_width(1)), "a6-out");
        let three = values("6/B5/6/3u2/6/R1u3 1", full_width(3));
        let winning: Vec<_> = three.iter().filter(|(_, value)| *value >= WIN_SCORE).collect();
        assert_eq!(winning.len(), 1);
        assert_eq!(winning[0].0.to_string(), "a5a6");
    }

    #[test]
    fn breadth_leaves_moves_out_and_nothing_else() {
        let text = "2u3/B5/6/6/3B2/R2u2 1";
        let (all, two) =
            (values(text, full_width(2)), values(text, Lookahead { plies: 2, beam_width: 2 }));
        assert_eq!(two.len(), 2);
        assert!(two.iter().all(|(mv, _)| all.iter().any(|(other, _)| other == mv)));
    }

    /// Notices every second move only.
    struct EverySecondMove(bool);

    impl Attention for EverySecondMove {
        fn notices(&mut self) -> bool {
            self.0 = !self.0;
            self.0
        }
    }

    #[test]
    fn overlooked_moves_are_not_evaluated() {
        let position = "6/B5/6/3u2/6/R1u3 1".parse().unwrap();
        let noticed = full_width(1).evaluate_moves(&position, &mut EverySecondMove(false), &mut 0);
        assert_eq!(noticed.len(), position.legal_moves().len().div_ceil(2));
    }
}
