//! The combinatorial number system: sets of squares of one size, ranked and unranked.

use games::geister::{Bitboard, Square};

/// Ghosts of one kind at most.
pub(super) const MAX_OF_A_KIND: usize = 8;

static CHOOSE: [[u32; MAX_OF_A_KIND + 1]; Square::COUNT + 1] = pascal();

const fn pascal() -> [[u32; MAX_OF_A_KIND + 1]; Square::COUNT + 1] {
    let mut table = [[0; MAX_OF_A_KIND + 1]; Square::COUNT + 1];
    let mut n = 0;
    while n <= Square::COUNT {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_OF_A_KIND {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// How many sets of `size` squares there are.
pub(super) fn count(size: usize) -> usize {
    CHOOSE[Square::COUNT][size] as usize
}

/// The rank of a set among those of its size.
pub(super) fn rank(set: Bitboard) -> usize {
    set.zip(1..).map(|(square, nth)| CHOOSE[square.index()][nth] as usize).sum()
}

/// The set of `size` squares with this rank.
pub(super) fn unrank(mut rank: usize, size: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for nth in (1..=size).rev() {
        let fits = |&index: &usize| CHOOSE[index][nth] as usize <= rank;
        let index = (0..Square::COUNT).rev().find(fits).unwrap_or(0);
        rank -= CHOOSE[index][nth] as usize;
        set |= Bitboard(1 << index);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_number() {
        for size in 0..=4 {
            for number in 0..count(size) {
                let set = unrank(number, size);
                assert_eq!((set.count() as usize, rank(set)), (size, number));
            }
        }
        assert_eq!((count(1), count(2), count(4)), (36, 630, 58_905));
    }
}
