//! The tablebase inside the search: where a table is reached, nothing is left to search.

use super::prover::Proved::{self, NoWin, Win};
use super::table::FOREVER;
use crate::state::State;
use crate::tablebase::{Class, ClassTable, Tablebase};
use games::geister::{Bitboard, Count, Position};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The tables of the tablebase that captures can lead to from one position.
pub(super) struct ReachableTables {
    by_material: HashMap<Material, Arc<ClassTable>>,
    most_ghosts: u32,
    hits: AtomicU64,
}

/// The ghosts on the board of each kind, a byte each; how many hidden ones are blue follows from
/// the position that the search started with.
type Material = u64;

fn material(counts: [u32; 5]) -> Material {
    counts.into_iter().fold(0, |all, count| all << 8 | Material::from(count))
}

impl ReachableTables {
    /// The tables that captures can lead to from `position`.
    pub(super) fn from(position: &Position, tablebase: &Tablebase) -> ReachableTables {
        let start = position.count();
        let mut reachable = ReachableTables {
            by_material: HashMap::new(),
            most_ghosts: 0,
            hits: AtomicU64::new(0),
        };
        for (class, table) in tablebase.iter() {
            if can_lead_to(&start, &class.count()) {
                let Count { own_blue, own_red, shown_blue, shown_red, hidden, .. } = class.count();
                let counts = [own_blue, own_red, shown_blue, shown_red, hidden];
                reachable.by_material.insert(material(counts), Arc::clone(table));
                reachable.most_ghosts = reachable.most_ghosts.max(Class::pieces(class));
            }
        }
        reachable
    }

    /// How many nodes were answered by a table.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// What a table proves of this state, if there is one and it is not damaged.
    #[inline(always)]
    pub(super) fn probe(&self, state: &State, moves: u8) -> Option<Proved> {
        let ghosts = [state.blue, state.red, state.shown_blue, state.shown_red, state.hidden];
        let counts = ghosts.map(Bitboard::count);
        if counts.iter().sum::<u32>() > self.most_ghosts {
            return None;
        }
        let table = self.by_material.get(&material(counts))?;
        let value = table.moves_to_win(&ghosts).ok()?;
        self.hits.fetch_add(1, Relaxed);
        Some(match value {
            None => NoWin(FOREVER),
            Some(needed) if needed <= moves => Win(needed),
            // Tables count farther than the search does.
            Some(needed) => NoWin((needed - 1).min(FOREVER - 1)),
        })
    }
}

/// Whether captures can lead from one material to another.
fn can_lead_to(start: &Count, end: &Count) -> bool {
    let fewer = end.own_blue <= start.own_blue
        && end.own_red <= start.own_red
        && end.shown_blue <= start.shown_blue
        && end.shown_red <= start.shown_red
        && end.hidden <= start.hidden;
    fewer && end.hidden_blue == start.hidden_blue.min(end.hidden)
}

/// What a proof for [`SearchGoal::Win`](super::SearchGoal::Win) proves for a harder goal: only that there is no
/// win.
pub(super) fn on_harder_terms(proved: Proved) -> Option<Proved> {
    match proved {
        NoWin(within) => Some(NoWin(within)),
        Win(_) => None,
    }
}
