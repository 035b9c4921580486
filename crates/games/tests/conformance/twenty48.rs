//! 2048.

use crate::kit::{self, Subject, Twin};
use games::twenty48::{Direction, Grid, LARGEST_SIDE};
use games::{Chance, Ending, Keyed, Rules};
use std::collections::HashMap;

/// Rows of numbers.
#[derive(Clone, PartialEq)]
pub(crate) struct Numbers {
    rows: Vec<Vec<u64>>,
    owed: usize,
}

fn transposed(rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn reversed(rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// A row after sliding to the left: squeeze, merge from the left, squeeze.
fn squeezed(row: &[u64]) -> Vec<u64> {
    let mut tiles: Vec<u64> = row.iter().copied().filter(|&tile| tile > 0).collect();
    for index in 1..tiles.len() {
        if tiles[index - 1] == tiles[index] {
            tiles[index - 1] *= 2;
            tiles[index] = 0;
        }
    }
    tiles.retain(|&tile| tile > 0);
    tiles.resize(row.len(), 0);
    tiles
}

fn slid(rows: &[Vec<u64>], direction: &str) -> Vec<Vec<u64>> {
    let left = |rows: &[Vec<u64>]| rows.iter().map(|row| squeezed(row)).collect::<Vec<_>>();
    match direction {
        "left" => left(rows),
        "right" => reversed(&left(&reversed(rows))),
        "up" => transposed(&left(&transposed(rows))),
        _ => transposed(&reversed(&left(&reversed(&transposed(rows))))),
    }
}

impl Twin for Numbers {
    fn steps(&self) -> Vec<String> {
        if self.owed == 0 {
            let moves = ["up", "right", "down", "left"].into_iter();
            return moves.filter(|mv| slid(&self.rows, mv) != self.rows).map(Into::into).collect();
        }
        let cells = self.rows.concat();
        let empty = (0..cells.len()).filter(|&cell| cells[cell] == 0);
        empty.flat_map(|cell| [2, 4].map(|tile| format!("{tile} in cell {}", cell + 1))).collect()
    }

    fn after(&self, step: &str) -> Numbers {
        let mut after = self.clone();
        match step.split_once(" in cell ") {
            Some((tile, cell)) => {
                let cell = cell.parse::<usize>().unwrap() - 1;
                let columns = self.rows[0].len();
                after.rows[cell / columns][cell % columns] = tile.parse().unwrap();
                after.owed -= 1;
            }
            None => {
                after.rows = slid(&self.rows, step);
                after.owed = 1;
            }
        }
        after
    }

    fn text(&self) -> String {
        let row = |row: &Vec<u64>| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let rows = self.rows.iter().map(row).collect::<Vec<_>>().join("/");
        if self.owed > 0 { format!("{rows} +{}", self.owed) } else { rows }
    }

    fn ending(&self) -> Option<Ending> {
        None
    }
}

impl Subject for Grid {
    type Twin = Numbers;
    const LONGEST: usize = 10_000;
    const GAMES: usize = 60;

    fn starts() -> Vec<(Grid, Numbers)> {
        [(4, 4), (2, 2), (2, 3), (3, 2), (LARGEST_SIDE, LARGEST_SIDE)]
            .map(|(rows, columns)| {
                let twin = Numbers { rows: vec![vec![0; columns]; rows], owed: 2 };
                (Grid::new(rows, columns).unwrap(), twin)
            })
            .into()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn ending(&self) -> Option<Ending> {
        None
    }

    fn key(&self) -> Option<u64> {
        Some(Keyed::key(self))
    }

    fn read_again(&self) -> Option<Grid> {
        Some(self.to_string().parse().expect("what is written can be read"))
    }

    fn steps(&self) -> Vec<(String, Grid)> {
        kit::steps_with_chance(self)
    }

    fn examine(&self) {
        kit::examine_chance(self);
        assert_eq!(self.is_over(), self.steps().is_empty());
        assert_eq!(self.largest(), self.tiles().fold(0, u64::max));
        for slid in Direction::ALL.iter().filter_map(|&direction| self.slide(direction)) {
            let sum = |grid: &Grid| grid.tiles().sum::<u64>();
            assert_eq!(sum(&slid.grid), sum(self), "sliding keeps the sum of the tiles");
            let merges = slid.grid.empty_cells() - self.empty_cells();
            assert_eq!(slid.gain > 0, merges > 0);
        }
    }
}

#[test]
fn twenty48_conforms() {
    kit::examine::<Grid>();
}

/// The best chance of reaching `goal`, by trying everything once.
fn chance_of(grid: &Grid, goal: u64, known: &mut HashMap<Grid, f64>) -> f64 {
    if grid.largest() >= goal {
        return 1.0;
    }
    if let Some(&chance) = known.get(grid) {
        return chance;
    }
    let moves = grid.legal_moves().into_iter();
    let best = moves.map(|mv| chance_of(&grid.after(mv), goal, known)).fold(0.0, f64::max);
    let after = |event| grid.after_event(event);
    let events = grid.events().into_iter();
    let chance = best + events.map(|(e, p)| p * chance_of(&after(e), goal, known)).sum::<f64>();
    known.insert(*grid, chance);
    chance
}

/// Figures of an independent calculation, for a game that starts with two 2s and for one whose
/// first tiles are random too.
#[test]
fn the_chances_on_two_by_two_are_the_known_ones() {
    let figures = [
        ("2 2/0 0", [1.0, 0.962_612_875, 0.082_895_846]),
        ("0 0/0 0 +2", [1.0, 0.962_511_254, 0.082_887_289]),
    ];
    for (start, chances) in figures {
        for (goal, chance) in [8, 16, 32].into_iter().zip(chances) {
            let found = chance_of(&start.parse().unwrap(), goal, &mut HashMap::new());
            assert!((found - chance).abs() < 1e-9, "{start} to {goal}: {found}");
        }
    }
}

#[test]
fn a_tile_merges_once_a_move() {
    let cases = [
        ("2 2 2 2/0 0 0 0", "4 4 0 0/0 0 0 0 +1", 8),
        ("2 2 4 0/0 0 0 0", "4 4 0 0/0 0 0 0 +1", 4),
        ("4 2 2 0/2 2 2 0", "4 4 0 0/4 2 0 0 +1", 8),
    ];
    for (before, after, gain) in cases {
        let slid = before.parse::<Grid>().unwrap().slide(Direction::Left).unwrap();
        assert_eq!((slid.grid.to_string().as_str(), slid.gain), (after, gain));
    }
}

#[test]
fn a_game_is_as_it_was() {
    kit::golden("2048-4x4.txt", 4, |game: &Grid| game.to_string().replace('/', "\n"));
}
