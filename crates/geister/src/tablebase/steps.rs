//! Steps of the top side's ghosts, for all placements at once.
//!
//! For this, the ghosts are put in a *row* and each gets a digit to the base 36, its square: `k`
//! ghosts make `36^k` bits. A step of one ghost by one square is then a shift of the whole set by a
//! fixed number of bits, whatever the other ghosts do:
//!
//! ```text
//!   bit  =  square of ghost 0  +  36 * square of ghost 1  +  36^2 * square of ghost 2  + ...
//!   ghost 1 goes east: + 36        ghost 0 goes up: + 6
//! ```
//!
//! Ghosts of one kind are told apart here, so a placement has as many rows as orders, but few of
//! them matter. Steps are only looked at from the row with ascending squares, which speaks for all.
//! A step leads from there to a row of which all ghosts but one ascend, so that
//!
//! * a placement is put into `1 + (n - 1)^2` rows for `n` ghosts of a kind, and not into `n!`;
//! * of the `36^k` bits only the words that such steps reach are kept, side by side.
//!
//! Five hidden ghosts so take 1.2 and not 7.6 MB for a set. The numbers of placements have the order of
//! their ascending rows; what is found for rows thus becomes a set of numbers by pushing pieces of
//! words together.
//!
//! The sets of rows are bit sets of placements, not of squares, so that the bitboards of
//! [`crate::board`] serve only to see which steps leave the board.

use super::class::Class;
use super::placements::{Bits, TopSets, for_each_bit, put};
use crate::board::ALL_SQUARES;
use games::geister::{Bitboard, Square};
use std::ops::Range;

const SQUARES: usize = Square::COUNT;

/// How far each of [`Bitboard::shifts`], up, down, right and left, moves in the numbering of squares.
const STEPS: [isize; 4] = [6, -6, 1, -1];

/// Whether a step up, down, right or left from `square` leads off the board.
fn leads_off(square: usize) -> [bool; 4] {
    Bitboard(1 << square).shifts().map(|target| !target.meets(ALL_SQUARES))
}

/// Words of a span at most: few enough for the fastest cache, and to skip the rest of a span when
/// nothing is left of it.
const MAX_SPAN_WORDS: usize = 64;

/// With more ghosts than this, sets are estimated and not laid out: no machine has the memory.
const MAX_LAID_OUT_GHOSTS: u32 = 5;

/// The steps of a class's top ghosts. A *set of rows* is what they lead into.
pub(super) struct Steps {
    /// How many words a set of rows takes.
    pub(super) words: usize,
    /// How many words before and behind a set are read too. What is there does not matter.
    pub(super) margin: usize,
    /// The rows that are no placements, since ghosts collide.
    pub(super) colliding: Bits,
    layout: Layout,
    /// For each span and shift: the word of a set of rows that the span's first word is shifted to.
    from: Vec<isize>,
    /// The ascending rows, span by span.
    ascending: Bits,
    /// For each span and shift: the rows for which the step leads off the board.
    off: Bits,
    /// The bits of each placement, `orders_each` for each number.
    orders: Vec<u32>,
    orders_each: usize,
}

/// A step of one ghost in one direction.
#[derive(Clone, Copy)]
struct Shift {
    words: isize,
    bits: u32,
}

/// Words that follow each other and have ascending rows.
struct Span {
    /// The first word, among those of all rows.
    word: usize,
    /// The same words among those of all spans.
    words: Range<usize>,
    pieces: Range<usize>,
}

/// Ascending rows that follow each other in one word.
#[derive(Clone, Copy)]
struct Piece {
    bit: u32,
    len: u32,
    /// The number of the first.
    number: u32,
}

/// Where the ascending rows are, and where steps lead from there.
struct Layout {
    shifts: Vec<Shift>,
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    /// The words of all rows.
    all: usize,
    /// For each of them its place in a set of rows; [`Layout::kept`] if no step leads there.
    places: Vec<u32>,
    /// How many words steps lead into.
    kept: usize,
}

impl Layout {
    fn new(tops: &TopSets) -> Layout {
        let ghosts = ghosts(tops);
        let shifts: Vec<Shift> = units(0, ghosts)
            .flat_map(|unit| STEPS.map(|step| step * unit as isize))
            .map(|by| Shift { words: by.div_euclid(64), bits: by.rem_euclid(64) as u32 })
            .collect();
        let pieces = pieces(tops);
        let spans = spans(&pieces);
        let all = SQUARES.pow(ghosts).div_ceil(64);
        let mut reached = vec![false; all];
        for span in &spans {
            for shift in &shifts {
                let first = span.word as isize + shift.words;
                let clip = |word: isize| word.clamp(0, all as isize) as usize;
                let words = clip(first)..clip(first + span.words.len() as isize + 1);
                reached[words].fill(true);
            }
        }
        let kept = reached.iter().filter(|&&reached| reached).count();
        let mut next = 0;
        let place = |reached| {
            next += u32::from(reached);
            if reached { next - 1 } else { kept as u32 }
        };
        let places = reached.into_iter().map(place).collect();
        Layout { shifts, pieces, spans, all, places, kept }
    }

    /// The words of a set of rows. The last is where rows are put that no step leads to.
    fn words(&self) -> usize {
        self.kept + 1
    }

    /// How many words all spans have.
    fn span_words(&self) -> usize {
        self.spans.last().map_or(0, |span| span.words.end)
    }

    /// Where the word is in a set of rows. Words that steps reach stay side by side, and outside of
    /// the board's rows, where no step leads, it goes on as if there were more.
    fn place(&self, word: isize) -> isize {
        let behind = word - self.all as isize;
        match usize::try_from(word) {
            Ok(_) if behind >= 0 => self.kept as isize + behind,
            Ok(word) => self.places[word] as isize,
            Err(_) => word,
        }
    }
}

fn ghosts(tops: &TopSets) -> u32 {
    tops.kinds().iter().map(|sets| sets[0].count()).sum()
}

/// The worth of the digits of so many ghosts, of which the first is the `first` in the row.
fn units(first: u32, ghosts: u32) -> impl Iterator<Item = usize> {
    (first..first + ghosts).map(|digit| SQUARES.pow(digit))
}

/// For each kind and each of its sets, what `make` makes of it and of the worth of its digits.
fn for_kinds<T>(tops: &TopSets, make: impl Fn(Bitboard, &[usize]) -> T) -> [Vec<T>; 3] {
    let mut first = 0;
    tops.kinds().each_ref().map(|sets| {
        let ghosts = sets[0].count();
        let units: Vec<usize> = units(first, ghosts).collect();
        first += ghosts;
        sets.iter().map(|&set| make(set, &units)).collect()
    })
}

/// The row of these squares in this order.
fn row(order: impl Iterator<Item = Square>, units: &[usize]) -> usize {
    order.zip(units).map(|(square, unit)| square.index() * unit).sum()
}

/// The rows of the squares in ascending order, which comes first, and in all orders that taking out
/// one of them leaves ascending.
fn rows_that_matter(set: Bitboard, units: &[usize]) -> Vec<usize> {
    let ascending: Vec<Square> = set.collect();
    let moved = |(from, to): (usize, usize)| {
        let mut order = ascending.clone();
        let square = order.remove(from);
        order.insert(to, square);
        row(order.into_iter(), units)
    };
    let places = 0..ascending.len();
    let pairs = places.clone().flat_map(|from| places.clone().map(move |to| (from, to)));
    // Neighbours change places in one of two ways only.
    let others = pairs.filter(|&(from, to)| to != from && to + 1 != from).map(moved);
    std::iter::once(row(set, units)).chain(others).collect()
}

fn pieces(tops: &TopSets) -> Vec<Piece> {
    let [blue, red, hidden] = &for_kinds(tops, row);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut number = 0;
    for u in hidden {
        for r in red {
            for b in blue {
                let bit = (u + r + b) as u32;
                match pieces.last_mut() {
                    Some(last) if last.bit + last.len == bit && !bit.is_multiple_of(64) => {
                        last.len += 1;
                    }
                    _ => pieces.push(Piece { bit, len: 1, number }),
                }
                number += 1;
            }
        }
    }
    pieces
}

fn spans(pieces: &[Piece]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let word = piece.bit as usize / 64;
        let start = spans.last().map_or(0, |span| span.words.end);
        if let Some(span) = spans.last_mut() {
            let len = span.words.len();
            let next = word == span.word + len;
            if word < span.word + len || next && len < MAX_SPAN_WORDS {
                span.words.end += usize::from(next);
                span.pieces.end = at + 1;
                continue;
            }
        }
        spans.push(Span { word, words: start..start + 1, pieces: at..at + 1 });
    }
    spans
}

impl Steps {
    /// The steps of the ghosts with these sets, of which only the `distinct` ones are placements.
    pub(super) fn new(tops: &TopSets, distinct: &[u64]) -> Steps {
        let layout = Layout::new(tops);
        let froms = |span: &Span| {
            let word = span.word as isize;
            let from = |shift: &Shift| layout.place(word + shift.words);
            layout.shifts.iter().map(from).collect::<Vec<_>>()
        };
        let from = layout.spans.iter().flat_map(froms).collect();
        let (ascending, off) = starts(&layout);
        let (orders, orders_each) = orders_of(tops, &layout);
        let margin = layout.shifts.iter().map(|shift| shift.words.unsigned_abs()).max();
        let words = layout.words();
        let mut steps = Steps {
            words,
            margin: margin.unwrap_or(0) + 1,
            colliding: Bits::new(),
            layout,
            from,
            ascending,
            off,
            orders,
            orders_each,
        };
        let mut placed = vec![0; words];
        for_each_bit(distinct, |number| steps.put(&mut placed, number));
        steps.colliding = placed.iter().map(|word| !word).collect();
        steps
    }

    /// Bytes of a set of rows, and those that [`Steps::new`] takes, at most.
    pub(super) fn memory(class: Class) -> (u128, u128) {
        let count = class.count();
        let ghosts = count.shown_blue + count.shown_red + count.hidden;
        if ghosts > MAX_LAID_OUT_GHOSTS {
            let rows = (SQUARES as u128).pow(ghosts) / 8;
            return (rows, rows * 4 * u128::from(ghosts));
        }
        let tops = TopSets::new(class);
        let layout = Layout::new(&tops);
        let bytes = |things: usize, size: usize| things as u128 * size as u128;
        let of_spans = bytes(layout.span_words() * (layout.shifts.len() + 1), size_of::<u64>())
            + bytes(layout.spans.len(), size_of::<Span>())
            + bytes(layout.spans.len() * layout.shifts.len(), size_of::<isize>())
            + bytes(layout.pieces.len(), size_of::<Piece>());
        let orders = |sets: &[Bitboard]| (sets[0].count() as usize).saturating_sub(1).pow(2);
        let each = tops.kinds().iter().map(|sets| orders(sets)).sum::<usize>() + 1;
        let of_orders = bytes(tops.count() * each, size_of::<u32>());
        // While they are made: the rows of the kinds, as vectors.
        let of_kinds = |sets: &Vec<Bitboard>| bytes(sets.len(), 64 + size_of::<usize>() * each);
        let in_the_making = tops.kinds().iter().map(of_kinds).sum::<u128>();
        let rows = bytes(layout.words(), size_of::<u64>());
        let of_words = 2 * rows + bytes(layout.all, size_of::<u32>() + 1);
        // Vectors that grow take up to three times what is in them for a moment.
        (rows, 3 * of_spans + of_orders + in_the_making + of_words)
    }

    /// Adds a numbered placement to a set of rows.
    pub(super) fn put(&self, rows: &mut [u64], number: usize) {
        let first = number * self.orders_each;
        for &bit in &self.orders[first..first + self.orders_each] {
            put(rows, bit as usize);
        }
    }

    /// Enters into `found` the numbers of the placements from which every step of every ghost leads
    /// into `rows` or off the board. Around `rows` there is the margin.
    pub(super) fn enter_if_all_lead_into(&self, rows: &[u64], found: &mut [u64]) {
        found.fill(0);
        let shifts = &self.layout.shifts;
        let mut kept = [0; MAX_SPAN_WORDS];
        for (span, from) in self.layout.spans.iter().zip(self.from.chunks(shifts.len())) {
            let len = span.words.len();
            let kept = &mut kept[..len];
            kept.copy_from_slice(&self.ascending[span.words.clone()]);
            let off = &self.off[span.words.start * shifts.len()..][..len * shifts.len()];
            let any = shifts.iter().zip(from).zip(off.chunks(len)).all(|((shift, &from), off)| {
                let first = (self.margin as isize + from) as usize;
                keep_shifted(kept, &rows[first..first + len + 1], shift.bits, off)
            });
            if any {
                self.enter(span, kept, found);
            }
        }
    }

    /// Pushes the ascending rows of a span together.
    fn enter(&self, span: &Span, kept: &[u64], found: &mut [u64]) {
        for piece in &self.layout.pieces[span.pieces.clone()] {
            let word = kept[piece.bit as usize / 64 - span.word];
            let bits = word >> (piece.bit % 64) & u64::MAX >> (64 - piece.len);
            let (at, place) = (piece.number as usize / 64, piece.number % 64);
            found[at] |= bits << place;
            if place + piece.len > 64 {
                found[at + 1] |= bits >> (64 - place);
            }
        }
    }
}

/// `kept &= good shifted, or off`, bit by bit, and whether anything is left. `good` has a word more.
fn keep_shifted(kept: &mut [u64], good: &[u64], bits: u32, off: &[u64]) -> bool {
    let (low, high) = (&good[..kept.len()], &good[1..]);
    let words = kept.iter_mut().zip(off).zip(low);
    let mut any = 0;
    if bits == 0 {
        for ((kept, off), low) in words {
            *kept &= low | off;
            any |= *kept;
        }
    } else {
        for (((kept, off), low), high) in words.zip(high) {
            *kept &= low >> bits | high << (64 - bits) | off;
            any |= *kept;
        }
    }
    any != 0
}

/// The ascending rows of the spans, and those from which a step leads off the board.
fn starts(layout: &Layout) -> (Bits, Bits) {
    let shifts = layout.shifts.len();
    let mut ascending = vec![0; layout.span_words()];
    let mut off = vec![0; layout.span_words() * shifts];
    for span in &layout.spans {
        for piece in &layout.pieces[span.pieces.clone()] {
            for bit in piece.bit as usize..(piece.bit + piece.len) as usize {
                let within = bit - 64 * span.word;
                put(&mut ascending[span.words.start..], within);
                let mut digits = bit;
                for shift in 0..shifts {
                    if leads_off(digits % SQUARES)[shift % 4] {
                        let of_shift = span.words.start * shifts + shift * span.words.len();
                        put(&mut off[of_shift..], within);
                    }
                    digits /= if shift % 4 == 3 { SQUARES } else { 1 };
                }
            }
        }
    }
    (ascending, off)
}

/// The bits of each placement in a set of rows, number by number, and how many each has.
fn orders_of(tops: &TopSets, layout: &Layout) -> (Vec<u32>, usize) {
    let kinds = for_kinds(tops, rows_that_matter);
    let each = kinds.iter().map(|rows| rows[0].len() - 1).sum::<usize>() + 1;
    let place = |row: usize| layout.places[row / 64] * 64 + row as u32 % 64;
    let [blue, red, hidden] = &kinds;
    let mut orders = Vec::with_capacity(tops.count() * each);
    for u in hidden {
        for r in red {
            for b in blue {
                let ascending = u[0] + r[0] + b[0];
                orders.push(place(ascending));
                for rows in [u, r, b] {
                    let others = rows[1..].iter().map(|&row| ascending - rows[0] + row);
                    orders.extend(others.map(place));
                }
            }
        }
    }
    (orders, each)
}

#[cfg(test)]
mod tests {
    use super::super::placements::Placements;
    use super::*;
    use crate::board::neighbours;

    /// The slow twin of [`Steps::enter_if_all_lead_into`]: step by step with sets of squares.
    fn all_lead_into(sets: [Bitboard; 3], is_bad: impl Fn([Bitboard; 3]) -> bool) -> bool {
        let taken = sets[0] | sets[1] | sets[2];
        (0..3).all(|kind| {
            sets[kind].into_iter().all(|from| {
                let mut targets = neighbours(from.bit()).without(taken);
                targets.all(|to| {
                    let mut after = sets;
                    after[kind] = after[kind] ^ from.bit() ^ to.bit();
                    is_bad(after)
                })
            })
        })
    }

    #[test]
    fn steps_are_those_of_the_ghosts() {
        // Kinds alone, in pairs and in threes; one word, many words, and words left out.
        for text in ["BRu:0", "BRuu:1", "BRbru:1", "BRuuu:1", "BRrruu:1"] {
            let class: Class = text.parse().unwrap();
            let (tops, placements) = (TopSets::new(class), Placements::new(class));
            let steps = &placements.steps;
            let all: Vec<[Bitboard; 3]> = tops.iter().collect();
            let number_of = |[b, r, u]: [Bitboard; 3]| {
                placements.number_of(&[Bitboard::EMPTY, Bitboard::EMPTY, b, r, u])
            };
            // Nine of ten placements are bad, chosen by a hash.
            let is_bad = |number: usize| number.wrapping_mul(0x9e37_79b9) >> 7 & 1023 < 922;
            let mut rows = vec![0x5555_5555_5555_5555; steps.words + 2 * steps.margin];
            let within = &mut rows[steps.margin..][..steps.words];
            within.copy_from_slice(&steps.colliding);
            for_each_bit(&placements.distinct, |number| {
                if is_bad(number) {
                    steps.put(within, number);
                }
            });
            let mut found = vec![u64::MAX; placements.words];
            steps.enter_if_all_lead_into(&rows, &mut found);
            let mut of_them = 0;
            for_each_bit(&placements.distinct, |number| {
                let expected = all_lead_into(all[number], |after| is_bad(number_of(after)));
                let is_found = found[number / 64] >> (number % 64) & 1 == 1;
                assert_eq!(is_found, expected, "{text}: {:?}", all[number]);
                of_them += usize::from(is_found);
            });
            assert!(of_them > 0 && of_them < all.len(), "{text}");
        }
    }

    #[test]
    fn offsets_are_those_of_the_shifts() {
        let middle = 14;
        let targets =
            Bitboard(1 << middle).shifts().map(|target| target.0.trailing_zeros() as isize);
        assert_eq!(targets.map(|target| target - middle as isize), STEPS);
    }

    #[test]
    fn few_rows_of_many_ghosts_matter() {
        let class = "BRuuuu:1".parse().unwrap();
        let steps = Placements::new(class).steps;
        assert_eq!(steps.orders_each, 10);
        let (rows, memory) = Steps::memory(class);
        assert_eq!(rows, 8 * steps.words as u128);
        assert!(rows < 36u128.pow(4) / 8 / 2 && memory > rows, "{rows} {memory}");
    }
}
