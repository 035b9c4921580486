//! Mates that no answer of the umpire and no move of the king can prevent.
//!
//! What is forced against a king on any square of a set is forced whatever the king sees. The search
//! looks for one move more each time until it finds such a mate or has done its work. The table of
//! the king that is seen cuts it short: a mate that takes longer even then cannot be forced.

use super::sighted::Sighted;
use games::kriegspiel::{LoneKing, Try, TryResult};
use std::collections::HashMap;

/// What is known of a set: it is mated within `yes` moves, and not within `no`.
#[derive(Clone, Copy)]
struct Bounds {
    no: u8,
    yes: u8,
}

/// A search for forced mates.
pub struct Forced {
    table: &'static Sighted,
    known: HashMap<LoneKing, Bounds>,
    work: u32,
}

impl Forced {
    /// A search that may look at the answers to `work` tries.
    pub fn new(table: &'static Sighted, work: u32) -> Forced {
        Forced { table, known: HashMap::new(), work }
    }

    /// The shortest mate of at most `most` moves that is forced, as far as the work suffices: its
    /// first try and its moves.
    pub fn mate(&mut self, now: &LoneKing, most: u8) -> Option<(Try, u8)> {
        let least = self.table.longest(now)?;
        (least..=most).find_map(|moves| Some((self.try_that_mates(now, moves)?, moves)))
    }

    /// Whether mate within so many moves is forced.
    fn mates(&mut self, now: &LoneKing, moves: u8) -> bool {
        let bounds = self.known.get(now).copied().unwrap_or(Bounds { no: 0, yes: u8::MAX });
        if moves <= bounds.no || moves >= bounds.yes {
            return moves >= bounds.yes;
        }
        let yes = self.try_that_mates(now, moves).is_some();
        let bounds =
            if yes { Bounds { yes: moves, ..bounds } } else { Bounds { no: moves, ..bounds } };
        self.known.insert(*now, bounds);
        yes
    }

    fn try_that_mates(&mut self, now: &LoneKing, moves: u8) -> Option<Try> {
        let mut tries = Vec::with_capacity(32);
        now.own().for_each_try(false, |attempt| tries.push(attempt));
        tries.into_iter().find(|&attempt| self.does(now, attempt, moves))
    }

    /// Whether all that may follow a try is mate in time.
    fn does(&mut self, now: &LoneKing, attempt: Try, moves: u8) -> bool {
        let Some(left) = self.work.checked_sub(1) else { return false };
        self.work = left;
        let Some(open) = self.open(now, attempt, moves) else { return false };
        open.iter().all(|(after, moves)| self.mates(after, *moves))
    }

    /// What follows a try and is not mate yet, and in how many moves it shall be; `None` if
    /// something else than mate may follow, or mate that comes too late even if the king is seen.
    fn open(&self, now: &LoneKing, attempt: Try, moves: u8) -> Option<Vec<(LoneKing, u8)>> {
        let (mut open, mut good) = (Vec::new(), true);
        now.for_each_result(attempt, |answer| match answer {
            TryResult::Checkmate(_) => {}
            TryResult::Stalemate(_) => good = false,
            TryResult::Refused(after) => {
                good &= after.squares() != now.squares();
                open.push((after, moves));
            }
            TryResult::Moves { after, capturable, .. } => {
                good &= capturable.is_empty()
                    && self.table.longest(&after).is_some_and(|all| all < moves);
                open.push((after, moves - 1));
            }
        });
        good.then_some(open)
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
        let table = Sighted::of(now.own()).unwrap();
        Forced::new(table, 100_000).mate(now, 6).map(|(_, moves)| moves)
    }

    /// Whether mate is forced, without the table and without memory.
    fn slow(now: &LoneKing, moves: u8) -> bool {
        let mut tries = now.own().tries(false).into_iter();
        moves > 0
            && tries.any(|attempt| {
                let mut good = true;
                now.for_each_result(attempt, |answer| {
                    good = good
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
                good
            })
    }

    #[test]
    fn a_king_that_is_not_seen_lasts_no_shorter() {
        assert_eq!(moves(&rook(Square::B6, Square::H1, &[Square::A8])), Some(1));
        for square in [Square::A8, Square::B8, Square::C8, Square::E8, Square::F8] {
            let now = rook(Square::D6, Square::G2, &[square]);
            let seen = Sighted::of(now.own()).unwrap().longest(&now);
            assert!(moves(&now) >= seen && seen.is_some(), "{square}");
        }
    }

    #[test]
    fn a_search_without_table_agrees() {
        let sets: [&[Square]; 4] = [
            &[Square::A8],
            &[Square::A8, Square::B8],
            &[Square::A8, Square::A7],
            &[Square::A8, Square::B8, Square::C8],
        ];
        for king in [Square::B6, Square::C6, Square::C7] {
            for man in [Square::H7, Square::D7, Square::D1] {
                for others in sets {
                    let now = rook(king, man, others);
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
    fn a_part_of_a_set_takes_no_longer() {
        let all = [Square::F8, Square::G8, Square::H8];
        let whole = moves(&rook(Square::G6, Square::E1, &all)).unwrap_or(u8::MAX);
        for square in all {
            let part = moves(&rook(Square::G6, Square::E1, &[square]));
            assert!(part.is_some_and(|part| part <= whole), "{square} {part:?} {whole}");
        }
    }

    #[test]
    fn no_work_finds_nothing() {
        let now = rook(Square::B6, Square::H1, &[Square::A8]);
        assert!(Forced::new(Sighted::of(now.own()).unwrap(), 0).mate(&now, 6).is_none());
    }
}
