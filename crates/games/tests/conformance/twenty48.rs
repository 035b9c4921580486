//! 2048.

use crate::common::golden::Numbers as Dice;
use crate::kit::{self, Subject, Twin};
use games::twenty48::{Direction, Grid, MAX_SIDE, Packed};
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
    const MAX_PLAYOUT_PLIES: usize = 10_000;
    const GAMES: usize = 60;

    fn starts() -> Vec<(Grid, Numbers)> {
        [(4, 4), (2, 2), (2, 3), (3, 2), (MAX_SIDE, MAX_SIDE)]
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

impl Subject for Packed {
    type Twin = Numbers;
    const MAX_PLAYOUT_PLIES: usize = 10_000;
    const GAMES: usize = 60;

    fn starts() -> Vec<(Packed, Numbers)> {
        vec![(Packed::new(), Numbers { rows: vec![vec![0; 4]; 4], owed: 2 })]
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

    fn read_again(&self) -> Option<Packed> {
        Packed::try_from(&Grid::from(*self)).ok()
    }

    fn steps(&self) -> Vec<(String, Packed)> {
        kit::steps_with_chance(self)
    }

    fn examine(&self) {
        kit::examine_chance(self);
        agrees_with_the_grid(self);
    }
}

/// Everything that can be asked of a packed grid, asked of the grid as well.
fn agrees_with_the_grid(packed: &Packed) {
    let grid = Grid::from(*packed);
    assert_eq!(Packed::try_from(&grid), Ok(*packed));
    assert_eq!((packed.largest(), packed.owed()), (grid.largest(), grid.owed()));
    assert_eq!(packed.empty_cells() as usize, grid.empty_cells());
    assert_eq!(packed.is_over(), grid.is_over(), "{grid}");
    assert_eq!(packed.legal_moves(), grid.legal_moves(), "{grid}");
    for direction in Direction::ALL {
        let fast = packed.slide(direction).map(|slid| (Grid::from(slid.grid), slid.gain));
        let slow = grid.slide(direction).map(|slid| (slid.grid, slid.gain));
        assert_eq!(fast, slow, "{grid} {direction}");
    }
    assert_eq!(packed.events(), grid.events());
    for (event, _) in grid.events() {
        assert_eq!(Grid::from(packed.after_event(event)), grid.after_event(event));
    }
}

#[test]
fn twenty48_conforms() {
    kit::examine::<Grid>();
}

#[test]
fn packed_twenty48_conforms() {
    kit::examine::<Packed>();
}

/// Random play stays low; any field of tiles up to 16384, dense or thin, must agree too.
#[test]
fn packed_grids_agree_on_any_field() {
    let mut dice = Dice(2048);
    for number in 0..20_000 {
        let (thin, kinds) = (1 + number % 4, 2 + number % 13);
        let mut packed = Packed::new().with(0, 1).with(1, 1);
        for cell in 2..16 {
            let numbers: Vec<u8> = (0..kinds as u8).collect();
            if dice.choose(&(0..thin).collect::<Vec<_>>()) == Some(0) {
                packed = packed.with(cell, 1 + dice.choose(&numbers).unwrap());
            }
        }
        agrees_with_the_grid(&packed);
        for direction in Direction::ALL {
            packed.slide(direction).iter().for_each(|slid| agrees_with_the_grid(&slid.grid));
        }
    }
}

/// Numbers evenly spread over all words draw each event as often as its probability says.
#[test]
fn chance_draws_by_its_probabilities() {
    const EACH: u64 = 300;
    let grid: Grid = "2 4 8 16/0 2 4 0/2 0 16 32/4 8 2 0 +1".parse().unwrap();
    let packed = Packed::try_from(&grid).unwrap();
    let mut seen: HashMap<Packed, u64> = HashMap::new();
    let spread = |n: u64| (n * 2 + 1) * (u64::from(u32::MAX) / (2 * EACH));
    for (high, low) in (0..EACH).flat_map(|high| (0..EACH).map(move |low| (high, low))) {
        *seen.entry(packed.drawn(spread(high) << 32 | spread(low))).or_default() += 1;
    }
    assert_eq!(seen.len(), packed.events().len());
    for (event, probability) in packed.events() {
        let share = seen[&packed.after_event(event)] as f64 / (EACH * EACH) as f64;
        assert!((share - probability).abs() < 1e-9, "{event}: {share}");
    }
    let played = packed.after_event(packed.events()[0].0);
    assert_eq!(played.drawn(7), played);
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
    let best = moves.map(|mv| chance_of(&grid.play_unchecked(mv), goal, known)).fold(0.0, f64::max);
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
fn a_golden_game_is_replayed() {
    kit::golden("2048-4x4.txt", 4, |game: &Grid| game.to_string().replace('/', "\n"));
}
