//! Queries for lists of puzzles, as they stand in URLs.

use crate::catalogue::{Category, Entry, Filter};
use crate::error::ServiceError;
use crate::store::PlayedPuzzle;
use puzzle::Theme;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A filter by what the person has done with a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Any puzzle.
    #[default]
    Any,
    /// Not solved yet.
    Unsolved,
    /// Solved.
    Solved,
    /// Failed and not solved since.
    Failed,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 4] =
        [Standing::Any, Standing::Unsolved, Standing::Solved, Standing::Failed];

    /// The name in URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Standing::Any => "any",
            Standing::Unsolved => "unsolved",
            Standing::Solved => "solved",
            Standing::Failed => "failed",
        }
    }

    /// Whether a puzzle that was played like this passes.
    pub fn holds(self, played: Option<&PlayedPuzzle>) -> bool {
        match self {
            Standing::Any => true,
            Standing::Unsolved => played.is_none_or(|played| !played.solved),
            Standing::Solved => played.is_some_and(|played| played.solved),
            Standing::Failed => played.is_some_and(PlayedPuzzle::to_review),
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From short to long.
    #[default]
    Length,
    /// From easy to hard.
    Easy,
    /// From hard to easy.
    Hard,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 3] = [Order::Length, Order::Easy, Order::Hard];

    /// The name in URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Length => "length",
            Order::Easy => "easy",
            Order::Hard => "hard",
        }
    }

    /// Puts puzzles in this order.
    pub fn sort(self, entries: &mut [&Entry]) {
        match self {
            Order::Length => entries.sort_by_key(|entry| entry.puzzle.m_win),
            Order::Easy => entries.sort_by(|a, b| a.difficulty().total_cmp(&b.difficulty())),
            Order::Hard => entries.sort_by(|a, b| b.difficulty().total_cmp(&a.difficulty())),
        }
    }
}

/// A query for a list of puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Which puzzles.
    pub filter: Filter,
    /// What the person has done with them.
    pub standing: Standing,
    /// In which order.
    pub order: Order,
    /// Which page, from 1.
    pub page: usize,
}

/// Puzzles on a page.
pub const PAGE: usize = 24;

impl Query {
    /// Reads the pairs of a URL's query. Empty values count as not given.
    ///
    /// # Errors
    /// If a value makes no sense; the error names the pair.
    pub fn read(pairs: &[(String, String)]) -> Result<Query, ServiceError> {
        let mut query = Query { page: 1, ..Query::default() };
        for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
            query.set(name, value).ok_or_else(|| {
                let pair: String = format!("{name}={value}").chars().take(80).collect();
                ServiceError::bad("bad-filter").detail(pair)
            })?;
        }
        Ok(query)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let Query { filter, standing, order, page } = self;
        match name {
            "length_min" => filter.length = from(value, &filter.length)?,
            "length_max" => filter.length = to(value, &filter.length)?,
            "ghosts_min" => filter.ghosts = from(value, &filter.ghosts)?,
            "ghosts_max" => filter.ghosts = to(value, &filter.ghosts)?,
            "difficulty_min" => filter.difficulty = from(value, &filter.difficulty)?,
            "difficulty_max" => filter.difficulty = to(value, &filter.difficulty)?,
            "revealed" => {
                let is_valid = ["none", "partly", "fully"].contains(&value);
                filter.revealed = is_valid.then(|| Some(value.to_owned()))?;
            }
            "category" => filter.category = Some(named(value, &Category::ALL, Category::name)?),
            "theme" => {
                let theme: Theme = value.parse().ok()?;
                if !filter.themes.contains(&theme) {
                    filter.themes.push(theme);
                }
            }
            "standing" => *standing = named(value, &Standing::ALL, Standing::name)?,
            "order" => *order = named(value, &Order::ALL, Order::name)?,
            "page" => *page = value.parse().ok().filter(|page| (1..=10_000).contains(page))?,
            _ => return None,
        }
        Some(())
    }

    /// The query of a URL for another page of the same list.
    pub fn address(&self, page: usize) -> String {
        let (filter, all) = (&self.filter, Filter::default());
        let mut pairs: Vec<String> = Vec::new();
        let mut number = |name: &str, value: String, usual: String| {
            if value != usual {
                pairs.push(format!("{name}={value}"));
            }
        };
        let ends =
            |range: &RangeInclusive<u32>| (range.start().to_string(), range.end().to_string());
        for (name, range, usual) in
            [("length", &filter.length, &all.length), ("ghosts", &filter.ghosts, &all.ghosts)]
        {
            number(&format!("{name}_min"), ends(range).0, ends(usual).0);
            number(&format!("{name}_max"), ends(range).1, ends(usual).1);
        }
        let (min, max) = (filter.difficulty.start(), filter.difficulty.end());
        number("difficulty_min", min.to_string(), all.difficulty.start().to_string());
        number("difficulty_max", max.to_string(), all.difficulty.end().to_string());
        number("revealed", filter.revealed.clone().unwrap_or_default(), String::new());
        number("category", filter.category.map_or("", Category::name).into(), String::new());
        filter.themes.iter().for_each(|theme| number("theme", theme.to_string(), String::new()));
        number("standing", self.standing.name().into(), Standing::Any.name().into());
        number("order", self.order.name().into(), Order::default().name().into());
        number("page", page.to_string(), "1".into());
        pairs.join("&")
    }

    /// The puzzles of this list, all pages together.
    pub fn find<'a>(
        &self,
        entries: &'a [Entry],
        played: &HashMap<String, PlayedPuzzle>,
    ) -> Vec<&'a Entry> {
        let standing = |entry: &&Entry| self.standing.holds(played.get(&entry.id));
        let mut found: Vec<&Entry> =
            entries.iter().filter(|entry| self.filter.holds(entry)).filter(standing).collect();
        self.order.sort(&mut found);
        found
    }
}

fn named<T: Copy>(name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> Option<T> {
    all.iter().copied().find(|one| name_of(*one) == name)
}

fn from<T: FromStr + Copy + PartialOrd>(
    value: &str,
    range: &RangeInclusive<T>,
) -> Option<RangeInclusive<T>> {
    number(value).map(|start| start..=*range.end())
}

fn to<T: FromStr + Copy + PartialOrd>(
    value: &str,
    range: &RangeInclusive<T>,
) -> Option<RangeInclusive<T>> {
    number(value).map(|end| *range.start()..=end)
}

/// A number that can be compared.
fn number<T: FromStr + PartialOrd>(value: &str) -> Option<T> {
    value.parse::<T>().ok().filter(|number| number.partial_cmp(number).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let pair =
            |pair: &str| pair.split_once('=').map(|(name, value)| (name.into(), value.into()));
        text.split('&').filter_map(pair).collect()
    }

    #[test]
    fn a_list_address_restores_the_query() {
        let text = "length_min=7&length_max=13&ghosts_max=6&difficulty_min=-0.5&revealed=partly\
                    &category=red-wall&theme=quiet-key&theme=zugzwang&standing=unsolved&order=hard&page=3";
        let query = Query::read(&pairs(text)).unwrap();
        assert_eq!(query.address(3), text);
        assert_eq!(Query::read(&pairs(&query.address(3))).unwrap(), query);
        assert_eq!(Query::read(&[]).unwrap().address(1), "");
    }

    #[test]
    fn invalid_parameters_are_refused_by_name() {
        for text in [
            "length_min=x",
            "difficulty_min=NaN",
            "category=blue",
            "theme=dragon",
            "standing=maybe",
            "order=best",
            "page=0",
            "page=99999999999999999999",
            "revealed=all",
            "drop=table",
        ] {
            let problem = Query::read(&pairs(text)).unwrap_err();
            assert_eq!((problem.code, problem.detail.as_deref()), ("bad-filter", Some(text)));
        }
    }
}
