//! A short list of moves, best first.

use games::geister::Square;

/// More moves than either side ever has: eight ghosts with four steps each.
const MAX_MOVES: usize = 32;

/// Room for negative scores in the upper half of a word.
const ZERO_SCORE: i32 = 1 << 12;

/// Moves with scores, each in one word, `score | from | to`, so that words compare as scores do.
pub(super) struct MoveList {
    len: usize,
    words: [u32; MAX_MOVES],
}

impl MoveList {
    #[inline(always)]
    pub(super) fn new() -> MoveList {
        MoveList { len: 0, words: [0; MAX_MOVES] }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a move with a score within some thousand of zero.
    #[inline(always)]
    pub(super) fn push(&mut self, from: Square, to: Square, score: i32) {
        if self.len < MAX_MOVES {
            let score = ((ZERO_SCORE + score) as u32) << 16;
            self.words[self.len] = score | (from.index() as u32) << 8 | to.index() as u32;
            self.len += 1;
        }
    }

    /// The move at `index`.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> (Square, Square) {
        let square = |bits: u32| Square::from_index(bits as usize & 63).unwrap_or(Square::FIRST);
        (square(self.words[index] >> 8), square(self.words[index]))
    }

    /// Adds to the score of the move at `index`.
    #[inline(always)]
    pub(super) fn raise(&mut self, index: usize, score: u32) {
        self.words[index] += score << 16;
    }

    /// Brings the best move from `index` on to `index` and returns it.
    #[inline(always)]
    pub(super) fn pick(&mut self, index: usize) -> (Square, Square) {
        let mut best = index;
        for other in index + 1..self.len {
            if self.words[other] > self.words[best] {
                best = other;
            }
        }
        self.words.swap(index, best);
        self.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    fn square(index: usize) -> Square {
        Square::from_index(index).unwrap()
    }

    #[test]
    fn picks_the_best_first_and_every_move_once() {
        let mut list = MoveList::new();
        let mut expected = Vec::new();
        for i in 0..MAX_MOVES {
            let (from, to) = (square(i), square(35 - i));
            let score = (i as i32 * 37 % 64) * 50 - 1600;
            list.push(from, to, score);
            assert_eq!(list.get(i), (from, to));
            expected.push((score, from, to));
        }
        list.raise(3, 3000);
        expected[3].0 += 3000;
        expected.sort_by_key(|&(score, from, _)| Reverse((score, from)));
        assert_eq!(list.len(), MAX_MOVES);
        for (index, &(_, from, to)) in expected.iter().enumerate() {
            assert_eq!(list.pick(index), (from, to));
        }
    }

    #[test]
    fn a_full_list_takes_no_more() {
        let mut list = MoveList::new();
        for i in 0..MAX_MOVES + 4 {
            list.push(square(i % 36), square(0), 0);
        }
        assert_eq!(list.len(), MAX_MOVES);
    }
}
