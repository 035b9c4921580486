//! The clock of a game: so much for every move, and a budget for what goes beyond.

use std::time::{Duration, Instant};

/// What a player may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    per_move: Duration,
    budget: Duration,
}

impl Clock {
    /// A clock with so much for every move, and a budget.
    pub const fn new(per_move: Duration, budget: Duration) -> Clock {
        Clock { per_move, budget }
    }

    /// When a move that is asked for now has to be there.
    pub fn deadline(&self, asked: Instant) -> Instant {
        let allowed = self.per_move.saturating_add(self.budget);
        // Nobody waits for more than a year, and no clock overflows.
        asked + allowed.min(Duration::from_secs(365 * 24 * 3600))
    }

    /// Takes the time of a move; what goes beyond its own comes out of the budget.
    pub fn spend(&mut self, spent: Duration) {
        self.budget = self.budget.saturating_sub(spent.saturating_sub(self.per_move));
    }

    /// What is left of the budget.
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
