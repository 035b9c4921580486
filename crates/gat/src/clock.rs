//! The game clock: a time per move, and a budget for longer moves.

use std::time::{Duration, Instant};

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    per_move: Duration,
    budget: Duration,
}

impl Clock {
    /// A clock with a time per move and a budget.
    pub const fn new(per_move: Duration, budget: Duration) -> Clock {
        Clock { per_move, budget }
    }

    /// The deadline of a move that was requested at `start`.
    pub fn deadline(&self, start: Instant) -> Instant {
        let allowed = self.per_move.saturating_add(self.budget);
        // Capped at a year, so that the addition cannot overflow.
        start + allowed.min(Duration::from_secs(365 * 24 * 3600))
    }

    /// Charges the time of a move; time beyond the time per move is taken from the budget.
    pub fn spend(&mut self, spent: Duration) {
        self.budget = self.budget.saturating_sub(spent.saturating_sub(self.per_move));
    }

    /// The remaining budget.
    pub const fn budget(&self) -> Duration {
        self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_pays_for_what_goes_beyond_a_move() {
        let seconds = Duration::from_secs;
        let mut clock = Clock::new(seconds(10), seconds(600));
        let now = Instant::now();
        assert_eq!(clock.deadline(now), now + seconds(610));
        clock.spend(seconds(9));
        assert_eq!(clock.budget(), seconds(600));
        clock.spend(seconds(110));
        assert_eq!(clock.budget(), seconds(500));
        clock.spend(seconds(9999));
        assert_eq!(clock.deadline(now), now + seconds(10));
        let endless = Clock::new(Duration::MAX, Duration::MAX);
        assert!(endless.deadline(now) > now);
    }
}
