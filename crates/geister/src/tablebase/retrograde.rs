//! Retrograde analysis of a whole class, set by set.
//!
//! For each placement of the own ghosts (a *block*), two sets of placements of the top side's
//! ghosts are kept: those won with the bottom side to move, and those won with the top side to
//! move, within the own moves looked at so far. One more own move is a matter of whole sets:
//!
//! * the top side has lost where *every* step leads into the won set: shifts and intersections
//!   within a block ([`Steps::enter_if_all_lead_into`](super::steps::Steps)), for which the won set
//!   is also kept as a set of rows;
//! * the bottom side wins where *some* step leads into a block that is lost for the top side: a
//!   union over neighbouring blocks.
//!
//! Sixty-four positions are worked on at once, and only blocks next to the frontier, where
//! something changed with the last own move, are looked at again.
//!
//! Captures lead into smaller classes. Where a ghost of the top side steps onto an own one, the set
//! of rows holds what the class with that own ghost less says; so the shifts above take captures
//! along. Captures by the bottom side are entered when their time comes.
//!
//! Numbers here count own moves: 0 is no win, `n` a win in `2n - 1` plies.

use super::class::{Captured, Class};
use super::combinations;
use super::file::MAX_MOVES_TO_WIN;
use super::placements::{Bits, Placements, TopSets, captures, for_each_bit, put, unite, without};
use super::stop::{Interrupted, Stop};
use crate::board::BOTTOM_EXITS;
use games::geister::{Army, Bitboard, Ghost, Square, Standard};
use rayon::prelude::*;

/// Why an analysis has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// The caller asked to stop.
    Interrupted,
    /// There are longer wins than a table can store.
    TooLong,
}

impl From<Interrupted> for Unfinished {
    fn from(_: Interrupted) -> Unfinished {
        Unfinished::Interrupted
    }
}

/// The own ghosts of a class, and the numbers of their placements. Some numbers stand for
/// placements that collide; their blocks stay empty.
#[derive(Clone, Copy, Debug)]
struct Own {
    blue: usize,
    red: usize,
}

impl Own {
    fn new(class: Class) -> Own {
        let count = class.count();
        Own { blue: count.own_blue as usize, red: count.own_red as usize }
    }

    fn blocks(self) -> usize {
        combinations::count(self.blue) * combinations::count(self.red)
    }

    fn block(self, army: Army) -> usize {
        combinations::rank(army.blue) * combinations::count(self.red) + combinations::rank(army.red)
    }

    fn army(self, block: usize) -> Option<Army> {
        let reds = combinations::count(self.red);
        let blue = combinations::unrank(block / reds, self.blue);
        let red = combinations::unrank(block % reds, self.red);
        (!blue.meets(red)).then_some(Army { blue, red })
    }
}

/// The distances of a class with one side to move, by block and number of placement.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    own: Own,
    placements: usize,
    values: Vec<u8>,
}

impl Distances {
    fn none(own: Own, placements: usize) -> Distances {
        Distances { own, placements, values: vec![0; own.blocks() * placements] }
    }

    /// Distances with the bottom side to move, each asked of `value` by its ghosts.
    pub(super) fn from_values(
        class: Class,
        stop: Stop<'_>,
        value: impl Fn(&[Bitboard; 5]) -> u8 + Sync,
    ) -> Result<Distances, Interrupted> {
        let own = Own::new(class);
        let tops = TopSets::new(class);
        let mut distances = Distances::none(own, tops.count());
        let blocks = distances.values.par_chunks_mut(tops.count()).enumerate();
        blocks.try_for_each(|(block, values)| {
            stop.check()?;
            let Some(army) = own.army(block) else { return Ok(()) };
            for (place, top) in values.iter_mut().zip(tops.iter()) {
                let (ghosts, taken) = with_own(army, top);
                if !taken {
                    *place = value(&ghosts);
                }
            }
            Ok(())
        })?;
        Ok(distances)
    }

    fn block(&self, block: usize) -> &[u8] {
        &self.values[block * self.placements..(block + 1) * self.placements]
    }

    fn longest(&self) -> u8 {
        self.values.par_iter().copied().max().unwrap_or(0)
    }

    /// The distance of the position with these ghosts, by kind.
    pub(super) fn get(&self, placements: &Placements, ghosts: &[Bitboard; 5]) -> u8 {
        let army =
            Army { blue: ghosts[Ghost::OwnBlue as usize], red: ghosts[Ghost::OwnRed as usize] };
        self.block(self.own.block(army))[placements.number_of(ghosts)]
    }
}

/// The ghosts of a position by kind, and whether two of them collide.
fn with_own(army: Army, top: [Bitboard; 3]) -> ([Bitboard; 5], bool) {
    let ghosts = [army.blue, army.red, top[0], top[1], top[2]];
    let all = ghosts.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
    (ghosts, all.count() != ghosts.iter().map(|set| set.count()).sum::<u32>())
}

/// What a class needs of smaller ones, as far as there are such classes.
#[derive(Default)]
pub(super) struct Smaller {
    /// With an own blue less, the bottom side to move.
    pub(super) own_blue: Option<Distances>,
    /// With an own red less, the bottom side to move.
    pub(super) own_red: Option<Distances>,
    /// With a ghost of this kind less, the *top* side to move.
    pub(super) captured: Vec<(Ghost, Class, Distances)>,
}

/// The analysis of one class in progress.
struct Analysis<'a> {
    own: Own,
    armies: Vec<Option<Army>>,
    placements: &'a Placements,
    /// By block: won with the bottom side to move within the moves so far.
    won: Bits,
    /// By block: won with the top side to move within the moves so far.
    lost: Bits,
    /// By block, between two margins: the rows that the top side had better not step into. They are
    /// won; or, where a ghost of the top side stands on an own one, won after that capture; or no
    /// placement at all.
    bad: Bits,
    blue_less: Option<OneLess<'a>>,
    red_less: Option<OneLess<'a>>,
    stop: Stop<'a>,
}

/// A class with one own ghost less, replayed move by move.
struct OneLess<'a> {
    distances: &'a Distances,
    /// By block: won in exactly the moves so far.
    new: Bits,
    changed: Vec<bool>,
}

impl<'a> OneLess<'a> {
    fn new(distances: &'a Distances, words: usize) -> OneLess<'a> {
        let blocks = distances.own.blocks();
        OneLess { distances, new: vec![0; blocks * words], changed: vec![false; blocks] }
    }

    /// Goes on to the wins in exactly `moves` own moves.
    fn advance(&mut self, moves: u8, words: usize, stop: Stop<'_>) -> Result<(), Interrupted> {
        let OneLess { distances, new, changed } = self;
        let blocks = new.par_chunks_mut(words).zip(changed.par_iter_mut());
        blocks.enumerate().try_for_each(|(block, (new, changed))| {
            stop.check()?;
            new.fill(0);
            for_each_equal(distances.block(block), moves, |number| put(new, number));
            *changed = new.iter().any(|&word| word != 0);
            Ok(())
        })
    }

    /// Enters into `bad` what is newly won after the capture on `square` that leaves `army`, and
    /// tells whether there is anything.
    fn after_capture(
        &self,
        army: Army,
        square: Square,
        bad: &mut [u64],
        placements: &Placements,
    ) -> bool {
        let block = self.distances.own.block(army);
        if self.changed[block] {
            let new = &self.new[block * placements.words..(block + 1) * placements.words];
            for_each_common_bit(new, &placements.on[square.index()], |number| {
                placements.steps.put(bad, number);
            });
        }
        self.changed[block]
    }
}

impl<'a> Analysis<'a> {
    fn new(
        class: Class,
        placements: &'a Placements,
        smaller: &'a Smaller,
        stop: Stop<'a>,
    ) -> Result<Analysis<'a>, Interrupted> {
        let own = Own::new(class);
        let (words, steps) = (placements.words, &placements.steps);
        let armies: Vec<Option<Army>> = (0..own.blocks()).map(|block| own.army(block)).collect();
        let one_less = |d: &'a Option<Distances>| d.as_ref().map(|d| OneLess::new(d, words));
        let mut analysis = Analysis {
            own,
            placements,
            won: vec![0; own.blocks() * words],
            lost: vec![0; own.blocks() * words],
            bad: vec![0; own.blocks() * steps.words + 2 * steps.margin],
            blue_less: one_less(&smaller.own_blue),
            red_less: one_less(&smaller.own_red),
            armies,
            stop,
        };
        analysis.open()?;
        Ok(analysis)
    }

    /// Before any move: no placement is bad for the top side, and so is the capture of the last own
    /// red. The capture of the last own blue is not.
    fn open(&mut self) -> Result<(), Interrupted> {
        let (placements, armies, last_red) = (self.placements, &self.armies, self.own.red == 1);
        let stop = self.stop;
        rows_by_block(&mut self.bad, placements).zip(armies).try_for_each(|(bad, army)| {
            stop.check()?;
            let Some(army) = army else { return Ok(()) };
            bad.copy_from_slice(&placements.steps.colliding);
            for square in army.red.filter(|_| last_red) {
                for_each_bit(&placements.on[square.index()], |number| {
                    placements.steps.put(bad, number);
                });
            }
            Ok(())
        })
    }

    /// Takes out of `set` the placements that collide with `army`.
    fn without_collisions(&self, set: &mut [u64], army: Army) {
        army.all().for_each(|square| without(set, &self.placements.on[square.index()]));
    }

    /// Enters what is won in exactly `moves` own moves after a capture of an own ghost, and tells
    /// the blocks that changed.
    fn lose_own(&mut self, moves: u8) -> Result<Vec<bool>, Interrupted> {
        let (placements, stop) = (self.placements, self.stop);
        for less in [&mut self.blue_less, &mut self.red_less].into_iter().flatten() {
            less.advance(moves, placements.words, stop)?;
        }
        let (blue_less, red_less) = (&self.blue_less, &self.red_less);
        rows_by_block(&mut self.bad, placements)
            .zip(&self.armies)
            .map(|(bad, army)| {
                stop.check()?;
                let Some(army) = *army else { return Ok(false) };
                let mut changed = false;
                if let Some(less) = blue_less {
                    for square in army.blue {
                        let after = Army { blue: army.blue ^ square.bit(), ..army };
                        changed |= less.after_capture(after, square, bad, placements);
                    }
                }
                if let Some(less) = red_less {
                    for square in army.red {
                        let after = Army { red: army.red ^ square.bit(), ..army };
                        changed |= less.after_capture(after, square, bad, placements);
                    }
                }
                Ok(changed)
            })
            .collect()
    }

    /// The top side's turn in every changed block: finds what is newly lost for it, hands it to
    /// `note` by block, and tells the blocks that changed.
    fn top_turn<T: Send>(
        &mut self,
        changed: &[bool],
        notes: impl IndexedParallelIterator<Item = T>,
        note: impl Fn(T, &[u64]) + Sync,
    ) -> Result<Vec<bool>, Interrupted> {
        let (words, steps) = (self.placements.words, &self.placements.steps);
        let mut lost = std::mem::take(&mut self.lost);
        let this = &*self;
        let blocks = lost.par_chunks_mut(words).zip(notes).enumerate();
        let result = blocks
            .map_init(
                || vec![0; words],
                |new, (block, (lost, notes))| {
                    this.stop.check()?;
                    let (true, Some(army)) = (changed[block], this.armies[block]) else {
                        return Ok(false);
                    };
                    let bad = &this.bad[block * steps.words..];
                    steps.enter_if_all_lead_into(&bad[..steps.words + 2 * steps.margin], new);
                    intersect(new, &this.placements.staying);
                    this.without_collisions(new, army);
                    let any = move_new(new, lost);
                    if any {
                        note(notes, new);
                    }
                    Ok(any)
                },
            )
            .collect();
        self.lost = lost;
        result
    }
}

/// The sets of rows of each block, without the margins.
fn rows_by_block<'a>(
    rows: &'a mut [u64],
    placements: &Placements,
) -> impl IndexedParallelIterator<Item = &'a mut [u64]> {
    let (words, margin) = (placements.steps.words, placements.steps.margin);
    let end = rows.len() - margin;
    rows[margin..end].par_chunks_mut(words)
}

fn intersect(set: &mut [u64], other: &[u64]) {
    for (set, other) in set.iter_mut().zip(other) {
        *set &= other;
    }
}

/// Takes out of `found` what is `known` already and adds the rest to it; whether anything is left.
fn move_new(found: &mut [u64], known: &mut [u64]) -> bool {
    let mut any = 0;
    for (found, known) in found.iter_mut().zip(known) {
        *found &= !*known;
        *known |= *found;
        any |= *found;
    }
    any != 0
}

fn for_each_common_bit(one: &[u64], other: &[u64], mut act: impl FnMut(usize)) {
    for (index, (one, other)) in one.iter().zip(other).enumerate() {
        for_each_bit(&[one & other], |bit| act(64 * index + bit));
    }
}

/// Calls `act` with each place where `values` have this value.
fn for_each_equal(values: &[u8], value: u8, mut act: impl FnMut(usize)) {
    // Most stretches have none, which is seen in vectors.
    const STRETCH: usize = 64;
    for (at, stretch) in values.chunks(STRETCH).enumerate() {
        if stretch.iter().fold(false, |any, &v| any | (v == value)) {
            let equal = stretch.iter().enumerate().filter(|&(_, &v)| v == value);
            equal.for_each(|(place, _)| act(STRETCH * at + place));
        }
    }
}

/// The distances of `class` with the bottom side to move, from those of all smaller classes.
///
/// `progress` is told each number of own moves that is done.
pub(super) fn analyse(
    class: Class,
    placements: &Placements,
    smaller: &Smaller,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(u8),
) -> Result<Distances, Unfinished> {
    let mut analysis = Analysis::new(class, placements, smaller, stop)?;
    let hunts = Hunts::new(class, placements, smaller);
    let mut distances = Distances::none(analysis.own, placements.count);
    let mut changed =
        analysis.own_turn(&hunts, &vec![false; analysis.own.blocks()], 1, &mut distances)?;
    let last_of_smaller = smaller.longest();
    for moves in 1..MAX_MOVES_TO_WIN {
        let changed_by_loss = analysis.lose_own(moves)?;
        merge(&mut changed, &changed_by_loss);
        let nothing = rayon::iter::repeat_n((), analysis.own.blocks());
        let lost = analysis.top_turn(&changed, nothing, |(), _| ())?;
        changed = analysis.own_turn(&hunts, &lost, moves + 1, &mut distances)?;
        progress(moves);
        if moves >= last_of_smaller && !changed.contains(&true) {
            return Ok(distances);
        }
    }
    Err(Unfinished::TooLong)
}

/// The distances of `class` with the top side to move, from those with the bottom side to move.
pub(super) fn replies(
    class: Class,
    placements: &Placements,
    distances: &Distances,
    smaller: &Smaller,
    stop: Stop<'_>,
) -> Result<Distances, Interrupted> {
    let mut analysis = Analysis::new(class, placements, smaller, stop)?;
    let mut result = Distances::none(analysis.own, placements.count);
    let last = distances.longest().max(smaller.longest());
    for moves in 1..=last {
        let news = distances.values.par_chunks(placements.count);
        let mut changed: Vec<bool> = rows_by_block(&mut analysis.bad, placements)
            .zip(news)
            .map(|(bad, values)| {
                stop.check()?;
                let mut any = false;
                for_each_equal(values, moves, |number| {
                    any = true;
                    placements.steps.put(bad, number);
                });
                Ok(any)
            })
            .collect::<Result<_, Interrupted>>()?;
        let changed_by_loss = analysis.lose_own(moves)?;
        merge(&mut changed, &changed_by_loss);
        let notes = result.values.par_chunks_mut(placements.count);
        analysis.top_turn(&changed, notes, |values, new| {
            for_each_bit(new, |number| values[number] = moves);
        })?;
    }
    Ok(result)
}

fn merge(changed: &mut [bool], more: &[bool]) {
    changed.iter_mut().zip(more).for_each(|(changed, more)| *changed |= more);
}

impl Smaller {
    fn longest(&self) -> u8 {
        let own = self.own_blue.iter().chain(&self.own_red);
        own.chain(self.captured.iter().map(|(.., d)| d)).map(Distances::longest).max().unwrap_or(0)
    }
}

/// The captures of the bottom side.
struct Hunts<'a> {
    /// By square: the placements in which capturing there wins at once.
    winning: Vec<Bits>,
    others: Vec<Hunt<'a>>,
}

/// Capturing a ghost of one kind, which leads to a smaller class.
struct Hunt<'a> {
    distances: &'a Distances,
    /// By the square of the captured ghost and the number of the placement left: the number of the
    /// placement before.
    before: Vec<Vec<Option<u32>>>,
    /// By block: which distances occur in it, a bit each.
    occurring: Vec<u128>,
}

impl<'a> Hunts<'a> {
    fn new(class: Class, placements: &Placements, smaller: &'a Smaller) -> Hunts<'a> {
        let winning: Vec<Ghost> = captures(class)
            .into_iter()
            .filter(|(_, captured)| matches!(captured, Captured::Won))
            .map(|(kind, _)| kind)
            .collect();
        let hunt = |(kind, class, distances): &'a (Ghost, Class, Distances)| Hunt {
            distances,
            before: Placements::joined(*class, *kind),
            occurring: distances
                .values
                .par_chunks(distances.placements)
                .map(|values| values.iter().fold(0, |all, &value| all | 1 << value))
                .collect(),
        };
        Hunts {
            winning: placements.kinds_on(&winning),
            others: smaller.captured.iter().map(hunt).collect(),
        }
    }
}

impl Hunt<'_> {
    /// Adds what is won by capturing on `square` and coming to `block` with the top side having
    /// lost in exactly `moves` own moves.
    fn add(&self, block: usize, square: Square, moves: u8, found: &mut [u64]) {
        if self.occurring[block] >> moves & 1 == 0 {
            return;
        }
        let before = &self.before[square.index()];
        for_each_equal(self.distances.block(block), moves, |number| {
            before[number].iter().for_each(|&number| put(found, number as usize));
        });
    }
}

impl Analysis<'_> {
    /// The bottom side's turn: enters the wins in exactly `moves` own moves, and tells the blocks
    /// that changed. `lost` tells the blocks that changed for the top side with one move less.
    fn own_turn(
        &mut self,
        hunts: &Hunts<'_>,
        lost: &[bool],
        moves: u8,
        distances: &mut Distances,
    ) -> Result<Vec<bool>, Interrupted> {
        let placements = self.placements;
        let words = placements.words;
        let (mut won, mut bad) = (std::mem::take(&mut self.won), std::mem::take(&mut self.bad));
        let this = &*self;
        let blocks = won.par_chunks_mut(words).zip(rows_by_block(&mut bad, placements));
        let result = blocks
            .zip(distances.values.par_chunks_mut(placements.count))
            .enumerate()
            .map_init(
                || vec![0; words],
                |new, (block, ((won, bad), values))| {
                    this.stop.check()?;
                    let Some(army) = this.armies[block] else { return Ok(false) };
                    new.fill(0);
                    if !this.find_wins(army, hunts, lost, moves, new) {
                        return Ok(false);
                    }
                    intersect(new, &placements.distinct);
                    this.without_collisions(new, army);
                    let any = move_new(new, won);
                    if any {
                        for_each_bit(new, |number| {
                            values[number] = moves;
                            placements.steps.put(bad, number);
                        });
                    }
                    Ok(any)
                },
            )
            .collect();
        (self.won, self.bad) = (won, bad);
        result
    }

    /// Adds to `found` what `army` wins in exactly `moves` own moves, if not sooner; tells whether
    /// there may be anything.
    fn find_wins(
        &self,
        army: Army,
        hunts: &Hunts<'_>,
        lost: &[bool],
        moves: u8,
        found: &mut [u64],
    ) -> bool {
        if moves == 1 {
            find_wins_at_once(army, hunts, found);
            return true;
        }
        let words = self.placements.words;
        let mut any = false;
        for (to, after) in army.steps::<Standard>() {
            let block = self.own.block(after);
            if lost[block] {
                any = true;
                unite(found, &self.lost[block * words..(block + 1) * words]);
            }
            for hunt in &hunts.others {
                any |= hunt.occurring[block] >> (moves - 1) & 1 == 1;
                hunt.add(block, to, moves - 1, found);
            }
        }
        any
    }
}

/// Escapes, and captures that win.
fn find_wins_at_once(army: Army, hunts: &Hunts<'_>, found: &mut [u64]) {
    if army.blue.meets(BOTTOM_EXITS) {
        found.fill(u64::MAX);
    } else {
        army.steps::<Standard>().for_each(|(to, _)| unite(found, &hunts.winning[to.index()]));
    }
}
