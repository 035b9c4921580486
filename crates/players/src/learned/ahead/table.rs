//! What the search knows of positions that it has met: they come back by other ways, and deeper.

use super::Window;
use games::geister::Square;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A value that was found, and the step that it came from.
#[derive(Clone, Copy)]
pub(super) struct Known {
    key: u64,
    value: f32,
    depth: u8,
    bound: Bound,
    /// The numbers of its squares; 255 for none.
    step: [u8; 2],
}

const NOTHING: Known = Known { key: 0, value: 0.0, depth: 0, bound: Bound::Exact, step: [255; 2] };

impl Known {
    /// The value for somebody who looks so deep and cares for this window alone, if that is known.
    pub(super) fn settled(&self, depth: u32, window: Window) -> Option<f32> {
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.value >= window.high,
            Bound::AtMost => self.value <= window.low,
        };
        (u32::from(self.depth) == depth && settled).then_some(self.value)
    }

    /// Whether the value came from this step.
    pub(super) fn is_from(&self, from: Square, to: Square) -> bool {
        self.step.map(usize::from) == [from.index(), to.index()]
    }
}

/// A table of fixed size; what comes later takes the place of what was there.
pub(super) struct Table(Vec<Known>);

impl Table {
    /// With room for so many positions, at least one.
    pub(super) fn new(positions: usize) -> Table {
        Table(vec![NOTHING; positions.max(1)])
    }

    pub(super) fn get(&self, key: u64) -> Option<&Known> {
        Some(&self.0[self.slot(key)]).filter(|known| known.key == key && known.depth > 0)
    }

    /// Keeps a value that was found by looking so deep within this window.
    pub(super) fn put(
        &mut self,
        key: u64,
        depth: u32,
        window: Window,
        value: f32,
        step: Option<[Square; 2]>,
    ) {
        let bound = if value >= window.high {
            Bound::AtLeast
        } else if value <= window.low {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let step = step.map_or([255; 2], |step| step.map(|square| square.index() as u8));
        let slot = self.slot(key);
        self.0[slot] = Known { key, value, depth: depth as u8, bound, step };
    }

    fn slot(&self, key: u64) -> usize {
        (key % self.0.len() as u64) as usize
    }
}
