//! Retrograde analysis of a whole class, set by set.
//!
//! For each placement of the own ghosts (a *block*), two sets of placements of the top side's
//! ghosts are kept: those won with the bottom side to move, and those won with the top side to
//! move, within the own moves looked at so far. One more own move is a matter of whole sets:
//!
//! * the top side has lost where *every* step leads into the won set: shifts and intersections
//!   within a block ([`Placements::keep_if_all_steps_lead_into`]);
//! * the bottom side wins where *some* step leads into a block that is lost for the top side: a
//!   union over neighbouring blocks.
//!
//! Sixty-four positions are worked on at once, and only blocks next to the frontier, where
//! something changed with the last own move, are looked at again.
//!
//! Captures lead into smaller classes. Where a ghost of the top side steps onto an own one, the won
//! set holds what the class with that own ghost less says; so the shifts above take captures along.
//! Captures by the bottom side are entered when their time comes.
//!
//! Numbers here count own moves: 0 is no win, `n` a win in `2n - 1` plies.

use super::class::{Captured, Class};
use super::file::LONGEST;
use super::placements::{Bits, Placements, captures, for_each_bit};
use super::sets;
use games::geister::{Bitboard, Board, Ghost, Square, Standard};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Why an analysis has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// Someone asked to stop.
    Interrupted,
    /// There are wins with more own moves than a table can tell.
    TooLong,
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
        sets::sets_of(self.blue) * sets::sets_of(self.red)
    }

    fn block(self, army: Army) -> usize {
        sets::rank(army.blue) * sets::sets_of(self.red) + sets::rank(army.red)
    }

    fn army(self, block: usize) -> Option<Army> {
        let reds = sets::sets_of(self.red);
        let blue = sets::set(block / reds, self.blue);
        let red = sets::set(block % reds, self.red);
        (!blue.meets(red)).then_some(Army { blue, red })
    }
}

/// A placement of the own ghosts.
#[derive(Clone, Copy, Debug)]
struct Army {
    blue: Bitboard,
    red: Bitboard,
}

impl Army {
    fn all(self) -> Bitboard {
        self.blue | self.red
    }

    /// Every step of an own ghost: its target, and the army after it.
    fn steps(self) -> impl Iterator<Item = (Square, Army)> {
        self.all().flat_map(move |from| {
            let targets = from.bit().neighbours::<Standard>().without(self.all());
            targets.map(move |to| (to, self.after(from.bit(), to.bit())))
        })
    }

    fn after(self, from: Bitboard, to: Bitboard) -> Army {
        if self.blue.meets(from) {
            Army { blue: self.blue ^ from ^ to, ..self }
        } else {
            Army { red: self.red ^ from ^ to, ..self }
        }
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
        value: impl Fn(&[Bitboard; 5]) -> u8 + Sync,
    ) -> Distances {
        let own = Own::new(class);
        let tops = top_sets(class);
        let mut distances = Distances::none(own, tops.len());
        distances.values.par_chunks_mut(tops.len()).enumerate().for_each(|(block, values)| {
            let Some(army) = own.army(block) else { return };
            for (place, top) in values.iter_mut().zip(&tops) {
                let (ghosts, taken) = with_own(army, top);
                if !taken {
                    *place = value(&ghosts);
                }
            }
        });
        distances
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

/// The ghosts of the top side in each numbered placement; kinds may collide.
fn top_sets(class: Class) -> Vec<[Bitboard; 3]> {
    let [blue, red, hidden] =
        [Ghost::ShownBlue, Ghost::ShownRed, Ghost::Hidden].map(|kind| class.ghosts(kind) as usize);
    let all = |size: usize| (0..sets::sets_of(size)).map(move |number| sets::set(number, size));
    all(blue)
        .flat_map(|b| all(red).flat_map(move |r| all(hidden).map(move |u| [b, r, u])))
        .collect()
}

/// The ghosts of a position by kind, and whether two of them collide.
fn with_own(army: Army, top: &[Bitboard; 3]) -> ([Bitboard; 5], bool) {
    let ghosts = [army.blue, army.red, top[0], top[1], top[2]];
    let all = ghosts.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
    (ghosts, all.count() != ghosts.iter().map(|set| set.count()).sum())
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
    /// By block: won with the bottom side to move within the moves so far; or, where a ghost of the
    /// top side stands on an own one, won after that capture; or no placement at all.
    won: Bits,
    /// By block: won with the top side to move within the moves so far.
    lost: Bits,
    blue_less: Option<OneLess<'a>>,
    red_less: Option<OneLess<'a>>,
}

/// A class with one own ghost less, replayed move by move.
struct OneLess<'a> {
    distances: &'a Distances,
    won: Bits,
    changed: Vec<bool>,
}

impl<'a> OneLess<'a> {
    fn new(distances: &'a Distances, words: usize) -> OneLess<'a> {
        let blocks = distances.own.blocks();
        OneLess { distances, won: vec![0; blocks * words], changed: vec![false; blocks] }
    }

    /// Enters the wins in exactly `moves` own moves.
    fn advance(&mut self, moves: u8, placements: &Placements) {
        let OneLess { distances, won, changed } = self;
        let blocks = won.par_chunks_mut(placements.words).zip(changed.par_iter_mut());
        blocks.enumerate().for_each(|(block, (won, changed))| {
            *changed = false;
            for (number, &distance) in distances.block(block).iter().enumerate() {
                if distance == moves {
                    *changed = true;
                    placements.put(won, number);
                }
            }
        });
    }

    /// What is won in `block` after the capture on `square`, if it changed.
    fn after_capture(
        &self,
        army: Army,
        square: Square,
        won: &mut [u64],
        placements: &Placements,
    ) -> bool {
        let block = self.distances.own.block(army);
        if self.changed[block] {
            let words = placements.words;
            let after = &self.won[block * words..(block + 1) * words];
            for ((won, after), on) in won.iter_mut().zip(after).zip(&placements.on[square.index()])
            {
                *won |= after & on;
            }
        }
        self.changed[block]
    }
}

impl<'a> Analysis<'a> {
    fn new(class: Class, placements: &'a Placements, smaller: &'a Smaller) -> Analysis<'a> {
        let own = Own::new(class);
        let words = placements.words;
        let armies: Vec<Option<Army>> = (0..own.blocks()).map(|block| own.army(block)).collect();
        let one_less = |d: &'a Option<Distances>| d.as_ref().map(|d| OneLess::new(d, words));
        let mut analysis = Analysis {
            own,
            placements,
            won: vec![0; own.blocks() * words],
            lost: vec![0; own.blocks() * words],
            blue_less: one_less(&smaller.own_blue),
            red_less: one_less(&smaller.own_red),
            armies,
        };
        analysis.open();
        analysis
    }

    /// Before any move: no placement is good for the bottom side, and so is the capture of its last
    /// red. The capture of its last blue is not.
    fn open(&mut self) {
        let (placements, armies) = (self.placements, &self.armies);
        let last_red = self.own.red == 1;
        self.won.par_chunks_mut(placements.words).zip(armies).for_each(|(won, army)| {
            let Some(army) = army else { return };
            for (won, distinct) in won.iter_mut().zip(&placements.distinct) {
                *won = !distinct;
            }
            if last_red {
                army.red.for_each(|square| unite(won, &placements.on[square.index()]));
            }
        });
    }

    /// The placements that do not collide with `army` or with themselves.
    fn valid(&self, army: Army, valid: &mut Bits) {
        valid.clone_from(&self.placements.distinct);
        for square in army.all() {
            for (valid, on) in valid.iter_mut().zip(&self.placements.on[square.index()]) {
                *valid &= !on;
            }
        }
    }

    /// Enters what is won in exactly `moves` own moves after a capture of an own ghost, and tells
    /// the blocks that changed.
    fn lose_own(&mut self, moves: u8) -> Vec<bool> {
        let placements = self.placements;
        let some = [&mut self.blue_less, &mut self.red_less];
        some.into_iter().flatten().for_each(|less| less.advance(moves, placements));
        let (blue_less, red_less) = (&self.blue_less, &self.red_less);
        let blocks = self.won.par_chunks_mut(placements.words).zip(&self.armies);
        blocks
            .map(|(won, army)| {
                let Some(army) = *army else { return false };
                let mut changed = false;
                if let Some(less) = blue_less {
                    for square in army.blue {
                        let after = Army { blue: army.blue ^ square.bit(), ..army };
                        changed |= less.after_capture(after, square, won, placements);
                    }
                }
                if let Some(less) = red_less {
                    for square in army.red {
                        let after = Army { red: army.red ^ square.bit(), ..army };
                        changed |= less.after_capture(after, square, won, placements);
                    }
                }
                changed
            })
            .collect()
    }

    /// The top side's turn in every changed block: finds what is newly lost for it, hands it to
    /// `note` (by block, in ascending order) and tells the blocks that changed.
    fn top_turn<T: Send>(
        &mut self,
        changed: &[bool],
        notes: impl IndexedParallelIterator<Item = T>,
        note: impl Fn(T, &[u64]) + Sync,
    ) -> Vec<bool> {
        let placements = self.placements;
        let words = placements.words;
        let mut lost = std::mem::take(&mut self.lost);
        let this = &*self;
        let blocks = lost.par_chunks_mut(words).zip(notes).enumerate();
        let result = blocks
            .map_init(Bits::new, |kept, (block, (lost, notes))| {
                let (true, Some(army)) = (changed[block], this.armies[block]) else { return false };
                this.valid(army, kept);
                for (kept, leaving) in kept.iter_mut().zip(&placements.leaving) {
                    *kept &= !leaving;
                }
                let won = &this.won[block * words..(block + 1) * words];
                placements.keep_if_all_steps_lead_into(kept, won);
                let any = keep_new(kept, lost);
                if any {
                    unite(lost, kept);
                    note(notes, kept);
                }
                any
            })
            .collect();
        self.lost = lost;
        result
    }
}

fn unite(set: &mut [u64], more: &[u64]) {
    for (set, more) in set.iter_mut().zip(more) {
        *set |= more;
    }
}

/// Takes out of `found` what is in `known` already, and tells whether anything is left.
fn keep_new(found: &mut [u64], known: &[u64]) -> bool {
    let mut any = 0;
    for (found, known) in found.iter_mut().zip(known) {
        *found &= !known;
        any |= *found;
    }
    any != 0
}

/// The distances of `class` with the bottom side to move, from those of all smaller classes.
///
/// `progress` is told each number of own moves that is done.
pub(super) fn analyse(
    class: Class,
    placements: &Placements,
    smaller: &Smaller,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u8),
) -> Result<Distances, Unfinished> {
    let mut analysis = Analysis::new(class, placements, smaller);
    let hunts = Hunts::new(class, placements, smaller);
    let mut distances = Distances::none(analysis.own, placements.count);
    let mut changed =
        analysis.own_turn(&hunts, &vec![false; analysis.own.blocks()], 1, &mut distances);
    let last_of_smaller = smaller.longest();
    for moves in 1..LONGEST {
        if stop.load(Relaxed) {
            return Err(Unfinished::Interrupted);
        }
        let changed_by_loss = analysis.lose_own(moves);
        merge(&mut changed, &changed_by_loss);
        let nothing = rayon::iter::repeat_n((), analysis.own.blocks());
        let lost = analysis.top_turn(&changed, nothing, |(), _| ());
        changed = analysis.own_turn(&hunts, &lost, moves + 1, &mut distances);
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
) -> Distances {
    let mut analysis = Analysis::new(class, placements, smaller);
    let mut result = Distances::none(analysis.own, placements.count);
    let last = distances.longest().max(smaller.longest());
    for moves in 1..=last {
        let mut changed: Vec<bool> = {
            let blocks = analysis.won.par_chunks_mut(placements.words);
            let news = distances.values.par_chunks(placements.count);
            blocks
                .zip(news)
                .map(|(won, values)| {
                    let mut any = false;
                    for (number, _) in values.iter().enumerate().filter(|&(_, &v)| v == moves) {
                        any = true;
                        placements.put(won, number);
                    }
                    any
                })
                .collect()
        };
        let changed_by_loss = analysis.lose_own(moves);
        merge(&mut changed, &changed_by_loss);
        let notes = result.values.par_chunks_mut(placements.count);
        analysis.top_turn(&changed, notes, |values, new| {
            enter(placements, new, |number| values[number] = moves);
        });
    }
    result
}

fn merge(changed: &mut [bool], more: &[bool]) {
    changed.iter_mut().zip(more).for_each(|(changed, more)| *changed |= more);
}

/// Calls `act` with the number of each placement in the set, once.
fn enter(placements: &Placements, set: &[u64], mut act: impl FnMut(usize)) {
    for (index, (word, ascending)) in set.iter().zip(&placements.ascending).enumerate() {
        for_each_bit(&[word & ascending], |bit| act(placements.number(64 * index + bit)));
    }
}

impl Smaller {
    fn longest(&self) -> u8 {
        let own = self.own_blue.iter().chain(&self.own_red);
        own.chain(self.captured.iter().map(|(.., d)| d)).map(Distances::longest).max().unwrap_or(0)
    }
}

/// The captures of the bottom side.
struct Hunts<'a> {
    /// Capturing one of these wins at once.
    winning: Vec<Ghost>,
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
        let winning = captures(class)
            .into_iter()
            .filter(|(_, captured)| matches!(captured, Captured::Won))
            .map(|(kind, _)| kind)
            .collect();
        let hunt = |(kind, class, distances): &'a (Ghost, Class, Distances)| Hunt {
            distances,
            before: placements.joined(&Placements::new(*class), *kind),
            occurring: distances
                .values
                .par_chunks(distances.placements)
                .map(|values| values.iter().fold(0, |all, &value| all | 1 << value))
                .collect(),
        };
        Hunts { winning, others: smaller.captured.iter().map(hunt).collect() }
    }
}

impl Hunt<'_> {
    /// Adds what is won by capturing on `square` and coming to `block` with the top side having
    /// lost in exactly `moves` own moves.
    fn add(&self, block: usize, square: Square, moves: u8, found: &mut [u64], all: &Placements) {
        if self.occurring[block] >> moves & 1 == 0 {
            return;
        }
        let before = &self.before[square.index()];
        for (&value, before) in self.distances.block(block).iter().zip(before) {
            if let (true, Some(number)) = (value == moves, before) {
                all.put(found, *number as usize);
            }
        }
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
    ) -> Vec<bool> {
        let placements = self.placements;
        let words = placements.words;
        let mut won = std::mem::take(&mut self.won);
        let this = &*self;
        let blocks =
            won.par_chunks_mut(words).zip(distances.values.par_chunks_mut(placements.count));
        let result = blocks
            .enumerate()
            .map_init(
                || (Bits::new(), Bits::new()),
                |(found, valid), (block, (won, values))| {
                    let Some(army) = this.armies[block] else { return false };
                    found.clear();
                    found.resize(words, 0);
                    if !this.find_wins(army, hunts, lost, moves, found) {
                        return false;
                    }
                    this.valid(army, valid);
                    for (found, valid) in found.iter_mut().zip(&*valid) {
                        *found &= valid;
                    }
                    let any = keep_new(found, won);
                    if any {
                        unite(won, found);
                        enter(placements, found, |number| values[number] = moves);
                    }
                    any
                },
            )
            .collect();
        self.won = won;
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
            return self.find_wins_at_once(army, hunts, found);
        }
        let words = self.placements.words;
        let mut any = false;
        for (to, after) in army.steps() {
            let block = self.own.block(after);
            if lost[block] {
                any = true;
                unite(found, &self.lost[block * words..(block + 1) * words]);
            }
            for hunt in &hunts.others {
                any |= hunt.occurring[block] >> (moves - 1) & 1 == 1;
                hunt.add(block, to, moves - 1, found, self.placements);
            }
        }
        any
    }

    /// Escapes, and captures that win.
    fn find_wins_at_once(&self, army: Army, hunts: &Hunts<'_>, found: &mut [u64]) -> bool {
        if army.blue.meets(Standard::BOTTOM_EXITS) {
            found.fill(u64::MAX);
            return true;
        }
        let mut any = false;
        for &kind in &hunts.winning {
            for (to, _) in army.steps() {
                for on in self.placements.kind_on(kind, to) {
                    any = true;
                    unite(found, on);
                }
            }
        }
        any
    }
}
