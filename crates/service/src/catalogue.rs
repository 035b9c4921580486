//! The puzzles of the site, in memory: finding them, filtering them, and picking one.

use puzzle::record::{RecordError, revealed_name};
use puzzle::{Puzzle, Theme};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// A puzzle in the catalogue, with the properties that filters use.
#[derive(Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Ghosts on the board.
    pub ghosts: u32,
}

/// A puzzle of the collection, or one that was found in a game.
pub enum PuzzleRef<'a> {
    /// A puzzle of the collection.
    Shipped(&'a Entry),
    /// A puzzle found in a game.
    FromGame(Box<Entry>),
}

impl std::ops::Deref for PuzzleRef<'_> {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        match self {
            PuzzleRef::Shipped(entry) => entry,
            PuzzleRef::FromGame(entry) => entry,
        }
    }
}

impl From<Puzzle> for Entry {
    fn from(puzzle: Puzzle) -> Entry {
        let count = puzzle.position.count();
        let ghosts =
            count.own_blue + count.own_red + count.shown_blue + count.shown_red + count.hidden;
        Entry { id: puzzle.id(), puzzle, ghosts }
    }
}

impl Entry {
    /// The difficulty from -2 to 2; 0 if it was never graded.
    pub fn difficulty(&self) -> f64 {
        self.puzzle.grade.as_ref().map_or(0.0, |graded| graded.grade.difficulty)
    }

    /// How much of the opposing colours is shown: `none`, `partly` or `fully`.
    pub fn revealed(&self) -> &'static str {
        revealed_name(self.puzzle.revealed())
    }
}

/// All puzzles.
pub struct Catalogue {
    entries: Vec<Entry>,
    by_id: HashMap<String, usize>,
    /// Candidates for the puzzle of the day, in random order.
    daily: Vec<usize>,
    /// All of them from easy to hard.
    by_difficulty: Vec<usize>,
}

/// The category of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The last own red is a wall.
    RedWall,
    /// The win is a capture.
    CaptureWin,
    /// Neither.
    Plain,
}

impl Category {
    /// All of them.
    pub const ALL: [Category; 3] = [Category::Plain, Category::RedWall, Category::CaptureWin];

    /// The name in URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Category::RedWall => "red-wall",
            Category::CaptureWin => "capture-win",
            Category::Plain => "plain",
        }
    }

    fn holds(self, puzzle: &Puzzle) -> bool {
        match self {
            Category::RedWall => puzzle.red_wall,
            Category::CaptureWin => puzzle.capture_win,
            Category::Plain => !puzzle.red_wall && !puzzle.capture_win,
        }
    }
}

/// A filter of puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Plies of the shortest win.
    pub length: RangeInclusive<u32>,
    /// Ghosts on the board.
    pub ghosts: RangeInclusive<u32>,
    /// How much is shown.
    pub revealed: Option<String>,
    /// The special kind.
    pub category: Option<Category>,
    /// All of these themes.
    pub themes: Vec<Theme>,
    /// The default grade.
    pub difficulty: RangeInclusive<f64>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            length: 1..=geister::solver::MAX_DEPTH,
            ghosts: 1..=16,
            revealed: None,
            category: None,
            themes: Vec::new(),
            difficulty: -2.0..=2.0,
        }
    }
}

impl Filter {
    /// Whether a puzzle passes the filter.
    pub fn holds(&self, entry: &Entry) -> bool {
        self.length.contains(&entry.puzzle.m_win)
            && self.ghosts.contains(&entry.ghosts)
            && self.revealed.as_ref().is_none_or(|revealed| revealed == entry.revealed())
            && self.category.is_none_or(|category| category.holds(&entry.puzzle))
            && self.themes.iter().all(|theme| entry.puzzle.themes.contains(theme))
            && self.difficulty.contains(&entry.difficulty().clamp(-2.0, 2.0))
    }
}

/// Plies of a puzzle of the day: most people can solve these.
const DAILY_LENGTH: RangeInclusive<u32> = 7..=15;

impl Catalogue {
    /// The shipped collection.
    ///
    /// # Errors
    /// If a record is damaged.
    pub fn shipped() -> Result<Catalogue, RecordError> {
        Ok(Catalogue::new(puzzle::shipped::puzzles()?))
    }

    /// These puzzles, in their order.
    pub fn new(puzzles: Vec<Puzzle>) -> Catalogue {
        let entries: Vec<Entry> = puzzles.into_iter().map(Entry::from).collect();
        let by_id = entries.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
        let fit = |&at: &usize| DAILY_LENGTH.contains(&entries[at].puzzle.m_win);
        let mut daily: Vec<usize> = (0..entries.len()).filter(fit).collect();
        // Ids are hashes: their order is as good as random and the same everywhere.
        daily.sort_by(|a, b| entries[*a].id.cmp(&entries[*b].id));
        let mut by_difficulty: Vec<usize> = (0..entries.len()).collect();
        by_difficulty.sort_by(|a, b| entries[*a].difficulty().total_cmp(&entries[*b].difficulty()));
        Catalogue { entries, by_id, daily, by_difficulty }
    }

    /// The puzzle with this id.
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.by_id.get(id).map(|&at| &self.entries[at])
    }

    /// All puzzles in their order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The puzzle of a day, counted from 1970. Every candidate comes once before any is repeated.
    pub fn of_the_day(&self, day: i64) -> Option<&Entry> {
        let at = day.rem_euclid(self.daily.len().max(1) as i64) as usize;
        self.daily.get(at).map(|&at| &self.entries[at])
    }

    /// A puzzle whose difficulty is near `wanted` and that `accepts` accepts: one of the nearest
    /// sixteen, by `random`.
    pub fn near(
        &self,
        wanted: f64,
        random: u64,
        accepts: impl Fn(&Entry) -> bool,
    ) -> Option<&Entry> {
        let start =
            self.by_difficulty.partition_point(|&at| self.entries[at].difficulty() < wanted);
        let (below, above) = self.by_difficulty.split_at(start);
        let accepted = |at: &usize| Some(&self.entries[*at]).filter(|entry| accepts(entry));
        let below = below.iter().rev().filter_map(accepted).take(8);
        let near: Vec<&Entry> = above.iter().filter_map(accepted).take(8).chain(below).collect();
        near.get((random % near.len().max(1) as u64) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daily_puzzles_do_not_repeat_within_a_year() {
        let catalogue = Catalogue::shipped().unwrap();
        let ids = (20_000..20_365).map(|day| catalogue.of_the_day(day).unwrap().id.clone());
        assert_eq!(ids.collect::<std::collections::BTreeSet<_>>().len(), 365);
        assert!(catalogue.of_the_day(-1).is_some());
        assert!(Catalogue::new(vec![]).of_the_day(5).is_none());
    }

    #[test]
    fn filters_combine() {
        let catalogue = Catalogue::shipped().unwrap();
        let filter = Filter {
            length: 9..=13,
            themes: vec![Theme::RedWall, Theme::QuietKey],
            revealed: Some("none".into()),
            ..Filter::default()
        };
        let found: Vec<_> =
            catalogue.entries().iter().filter(|entry| filter.holds(entry)).collect();
        assert!(!found.is_empty());
        for entry in found {
            assert!((9..=13).contains(&entry.puzzle.m_win) && entry.revealed() == "none");
            assert!(entry.puzzle.red_wall && entry.puzzle.themes.contains(&Theme::QuietKey));
        }
        let all = catalogue.entries().iter().filter(|entry| Filter::default().holds(entry)).count();
        assert_eq!(all, catalogue.entries().len());
    }

    #[test]
    fn near_finds_puzzles_of_similar_difficulty() {
        let catalogue = Catalogue::shipped().unwrap();
        for random in 0..20 {
            let entry = catalogue.near(0.0, random, |entry| entry.ghosts == 6).unwrap();
            assert!(entry.difficulty().abs() < 0.3 && entry.ghosts == 6);
        }
        assert!(catalogue.near(0.0, 1, |_| false).is_none());
    }
}
