//! Sets of squares of one size, numbered: the combinatorial number system.

use games::geister::{Bitboard, Square};

/// The most ghosts of one kind.
pub(super) const MOST_OF_A_KIND: usize = 8;

static CHOOSE: [[u32; MOST_OF_A_KIND + 1]; Square::COUNT + 1] = pascal();

const fn pascal() -> [[u32; MOST_OF_A_KIND + 1]; Square::COUNT + 1] {
    let mut table = [[0; MOST_OF_A_KIND + 1]; Square::COUNT + 1];
    let mut n = 0;
    while n <= Square::COUNT {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST_OF_A_KIND {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// In how many ways `size` squares can be taken out of the board's.
pub(super) fn sets_of(size: usize) -> usize {
    CHOOSE[Square::COUNT][size] as usize
}

/// The number of a set among those of its size.
pub(super) fn rank(set: Bitboard) -> usize {
    set.zip(1..).map(|(square, nth)| CHOOSE[square.index()][nth] as usize).sum()
}

/// The set of `size` squares with this number.
pub(super) fn set(mut rank: usize, size: usize) -> Bitboard {
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
            for number in 0..sets_of(size) {
                let set = set(number, size);
                assert_eq!((set.count() as usize, rank(set)), (size, number));
            }
        }
        assert_eq!((sets_of(1), sets_of(2), sets_of(4)), (36, 630, 58_905));
    }
}
