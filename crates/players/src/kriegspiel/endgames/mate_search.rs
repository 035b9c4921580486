//! Search for forced mates: mates that no answer of the umpire and no move of the king can prevent.
//!
//! A mate that is forced against a king on any square of a set is forced even if the king sees the
//! whole board. The search deepens iteratively by one move until it finds such a mate or its budget
//! is used up. The tablebase, in which the king is visible, prunes it: a mate that takes longer even
//! there cannot be forced in time.

use super::tablebase::Tablebase;
use games::kriegspiel::{LoneKing, Try, TryResult};
use std::collections::HashMap;

/// Proved bounds of the moves until mate.
#[derive(Clone, Copy)]
struct Bounds {
    /// Mate within this many moves is not forced.
    disproved: u8,
    /// Mate within this many moves is forced.
    proved: u8,
}

/// A search for forced mates.
pub struct MateSearch {
    tablebase: &'static Tablebase,
    transposition_table: HashMap<LoneKing, Bounds>,
    /// Tries that may still be expanded.
    budget: u32,
}

impl MateSearch {
    /// A search that expands at most `budget` tries.
    pub fn new(tablebase: &'static Tablebase, budget: u32) -> MateSearch {
        MateSearch { tablebase, transposition_table: HashMap::new(), budget }
    }

    /// The first try and the length of the shortest forced mate in at most `max_moves` moves, if the
    /// budget suffices to find it.
    pub fn mate(&mut self, now: &LoneKing, max_moves: u8) -> Option<(Try, u8)> {
        let min_moves = self.tablebase.longest_mate(now)?;
        (min_moves..=max_moves).find_map(|moves| Some((self.mating_try(now, moves)?, moves)))
    }

    /// Whether mate within `moves` moves is forced.
    fn mates(&mut self, now: &LoneKing, moves: u8) -> bool {
        let bounds = self
            .transposition_table
            .get(now)
            .copied()
            .unwrap_or(Bounds { disproved: 0, proved: u8::MAX });
        if moves <= bounds.disproved || moves >= bounds.proved {
            return moves >= bounds.proved;
        }
        let proved = self.mating_try(now, moves).is_some();
        let bounds = if proved {
            Bounds { proved: moves, ..bounds }
        } else {
            Bounds { disproved: moves, ..bounds }
        };
        self.transposition_table.insert(*now, bounds);
        proved
    }

    fn mating_try(&mut self, now: &LoneKing, moves: u8) -> Option<Try> {
        let mut tries = Vec::with_capacity(32);
        now.own().for_each_try(false, |attempt| tries.push(attempt));
        tries.into_iter().find(|&attempt| self.is_mate_forced(now, attempt, moves))
    }

    /// Whether every result of a try leads to mate in time.
    fn is_mate_forced(&mut self, now: &LoneKing, attempt: Try, moves: u8) -> bool {
        let Some(budget) = self.budget.checked_sub(1) else { return false };
        self.budget = budget;
        let Some(pending) = self.pending(now, attempt, moves) else { return false };
        pending.iter().all(|(after, moves)| self.mates(after, *moves))
    }

    /// The results of a try that are not mate yet, and the moves left for each; `None` if a result
    /// cannot lead to mate in time, even with a visible king.
    fn pending(&self, now: &LoneKing, attempt: Try, moves: u8) -> Option<Vec<(LoneKing, u8)>> {
        let (mut pending, mut is_possible) = (Vec::new(), true);
        now.for_each_result(attempt, |answer| match answer {
            TryResult::Checkmate(_) => {}
            TryResult::Stalemate(_) => is_possible = false,
            TryResult::Refused(after) => {
                is_possible &= after.squares() != now.squares();
                pending.push((after, moves));
            }
            TryResult::Moves { after, capturable, .. } => {
                is_possible &= capturable.is_empty()
                    && self.tablebase.longest_mate(&after).is_some_and(|all| all < moves);
                pending.push((after, moves - 1));
            }
        });
        is_possible.then_some(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::kriegspiel::{BitBoard, Color, OwnPieces, Piece, Square};

    fn squares(names: &[Square]) -> BitBoard {
        names.iter().copied().collect()
    }

    fn rook(king: Square, rook: Square, others: &[Square]) -> LoneKing {
        let mut pieces = [BitBoard::EMPTY; Piece::NUM];
        pieces[Piece::King as usize] = king.bitboard();
        pieces[Piece::Rook as usize] = rook.bitboard();
        LoneKing::new(OwnPieces::new(Color::White, pieces), squares(others))
    }

    fn moves(now: &LoneKing) -> Option<u8> {
        let table = Tablebase::of(now.own()).unwrap();
        MateSearch::new(table, 100_000).mate(now, 6).map(|(_, moves)| moves)
    }

    /// Whether mate is forced, without tablebase and transposition table.
    fn slow(now: &LoneKing, moves: u8) -> bool {
        let mut tries = now.own().tries(false).into_iter();
        moves > 0
            && tries.any(|attempt| {
                let mut is_possible = true;
                now.for_each_result(attempt, |answer| {
                    is_possible = is_possible
                        && match answer {
                            TryResult::Checkmate(_) => true,
                            TryResult::Stalemate(_) => false,
                            TryResult::Refused(after) => {
                                after.squares() != now.squares() && slow(&after, moves)
                            }
                            TryResult::Moves { after, capturable, .. } => {
                                capturable.is_empty() && slow(&after, moves - 1)
                            }
                        }
                });
                is_possible
            })
    }

    #[test]
    fn mating_an_invisible_king_takes_at_least_as_long() {
        assert_eq!(moves(&rook(Square::B6, Square::H1, &[Square::A8])), Some(1));
        for square in [Square::A8, Square::B8, Square::C8, Square::E8, Square::F8] {
            let now = rook(Square::D6, Square::G2, &[square]);
            let seen = Tablebase::of(now.own()).unwrap().longest_mate(&now);
            assert!(moves(&now) >= seen && seen.is_some(), "{square}");
        }
    }

    #[test]
    fn a_search_without_tables_agrees() {
        let sets: [&[Square]; 4] = [
            &[Square::A8],
            &[Square::A8, Square::B8],
            &[Square::A8, Square::A7],
            &[Square::A8, Square::B8, Square::C8],
        ];
        for king in [Square::B6, Square::C6, Square::C7] {
            for rook_square in [Square::H7, Square::D7, Square::D1] {
                for others in sets {
                    let now = rook(king, rook_square, others);
                    let now = LoneKing::new(*now.own(), now.squares() & !now.attacked());
                    if !now.squares().is_empty() {
                        let slow = (1..=2).find(|&moves| slow(&now, moves));
                        assert_eq!(slow, moves(&now).filter(|&moves| moves <= 2), "{now:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn fewer_squares_take_no_longer() {
        let all = [Square::F8, Square::G8, Square::H8];
        let whole = moves(&rook(Square::G6, Square::E1, &all)).unwrap_or(u8::MAX);
        for square in all {
            let part = moves(&rook(Square::G6, Square::E1, &[square]));
            assert!(part.is_some_and(|part| part <= whole), "{square} {part:?} {whole}");
        }
    }

    #[test]
    fn an_empty_budget_finds_nothing() {
        let now = rook(Square::B6, Square::H1, &[Square::A8]);
        assert!(MateSearch::new(Tablebase::of(now.own()).unwrap(), 0).mate(&now, 6).is_none());
    }
}
