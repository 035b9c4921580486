//! Move generation: where a disc may be placed, and which discs it flips.
//!
//! A board is 64 bits, a1 the lowest, then b1 and so on row by row.

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
/// Discs on the edge files close in nothing that lies across the edge.
const INNER_FILES: u64 = !(A_FILE | H_FILE);

/// Shifts of the four directions towards h8: east, and south-west, south and south-east.
const FORWARD: [u32; 4] = [1, 7, 8, 9];

/// Of a square, the squares in each direction: first the four towards h8, then the four towards a1.
static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let steps: [(i32, i32); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (right, down) = steps[direction];
            let (mut column, mut row) = (square % 8 + right, square / 8 + down);
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                rays[square as usize][direction] |= 1 << (row * 8 + column);
                (column, row) = (column + right, row + down);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

/// The empty squares where the side with the discs `own` may place one.
#[inline]
pub const fn mobility(own: u64, other: u64) -> u64 {
    let inner = other & INNER_FILES;
    let reached = reach(own, inner, FORWARD[0])
        | reach(own, inner, FORWARD[1])
        | reach(own, other, FORWARD[2])
        | reach(own, inner, FORWARD[3]);
    reached & !(own | other)
}

/// The squares one behind a line of `through` that starts beside a disc of `own`, both ways.
#[inline]
const fn reach(own: u64, through: u64, shift: u32) -> u64 {
    // Fills by doubling: one disc of the line, then two, then up to six.
    let mut up = through & own << shift;
    let mut down = through & own >> shift;
    up |= through & up << shift;
    down |= through & down >> shift;
    let (pairs_up, pairs_down) = (through & through << shift, through & through >> shift);
    up |= pairs_up & up << (2 * shift);
    down |= pairs_down & down >> (2 * shift);
    up |= pairs_up & up << (2 * shift);
    down |= pairs_down & down >> (2 * shift);
    up << shift | down >> shift
}

/// The discs of `other` that a disc placed on the empty square with number `square` flips.
///
/// The move is legal exactly when there are some. The bits of `square` above 63 are ignored.
#[inline]
pub const fn flips(own: u64, other: u64, square: u32) -> u64 {
    let rays = &RAYS[(square & 63) as usize];
    towards_h8(own, other, rays[0])
        | towards_h8(own, other, rays[1])
        | towards_h8(own, other, rays[2])
        | towards_h8(own, other, rays[3])
        | towards_a1(own, other, rays[4])
        | towards_a1(own, other, rays[5])
        | towards_a1(own, other, rays[6])
        | towards_a1(own, other, rays[7])
}

/// Flips on a ray of rising bits: a carry runs through the discs of `other` and through everything
/// off the ray, and stops at the first other square of the ray.
#[inline(always)]
const fn towards_h8(own: u64, other: u64, ray: u64) -> u64 {
    let end = (other | !ray).wrapping_add(1) & own & ray;
    end.wrapping_sub((end != 0) as u64) & ray
}

/// Flips on a ray of falling bits: the highest square that is not of `other` must be an own one.
#[inline(always)]
const fn towards_a1(own: u64, other: u64, ray: u64) -> u64 {
    // The lowest bit stands in for the end of the ray; where it is not on the ray, it is masked.
    let end = (1 << (63 - (ray & !other | 1).leading_zeros())) & own & ray;
    end.wrapping_neg() << 1 & ray
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flips in one direction, square by square.
    fn line(own: u64, other: u64, square: i32, right: i32, down: i32) -> u64 {
        let (mut column, mut row) = (square % 8 + right, square / 8 + down);
        let mut turned = 0;
        while (0..8).contains(&column) && (0..8).contains(&row) {
            let bit = 1u64 << (row * 8 + column);
            if own & bit != 0 {
                return turned;
            }
            if other & bit == 0 {
                return 0;
            }
            turned |= bit;
            (column, row) = (column + right, row + down);
        }
        0
    }

    fn slow_flips(own: u64, other: u64, square: i32) -> u64 {
        let steps = (0..9).map(|step| (step % 3 - 1, step / 3 - 1)).filter(|&step| step != (0, 0));
        steps.fold(0, |all, (right, down)| all | line(own, other, square, right, down))
    }

    #[test]
    fn flips_and_mobility_are_those_of_a_walk_over_squares() {
        let mut rng = common::rng::SplitMix64::new(7);
        let mut next = || rng.next();
        for round in 0..20_000 {
            // From crowded boards to sparse ones.
            let (a, b, c) = (next(), next(), next());
            let filled = [a | b | c, a | b, a, a & b][round % 4];
            let own = next() & filled;
            let other = filled & !own;
            let mut legal = 0;
            for square in (0..64).filter(|square| filled >> square & 1 == 0) {
                let expected = slow_flips(own, other, square);
                assert_eq!(flips(own, other, square as u32), expected, "{own} {other} {square}");
                legal |= u64::from(expected != 0) << square;
            }
            assert_eq!(mobility(own, other), legal, "{own} {other}");
        }
    }
}
