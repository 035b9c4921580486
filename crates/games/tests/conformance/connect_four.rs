//! Connect Four.

use crate::kit::{self, Subject, Twin};
use games::connect_four::{Column, Position};
use games::{Ending, Keyed, Seat, perft};

/// Seven lists of stones, each from the bottom up.
#[derive(Clone)]
pub(crate) struct Columns(Vec<Vec<char>>);

impl Columns {
    fn cell(&self, column: i32, row: i32) -> char {
        let found = usize::try_from(column).ok().zip(usize::try_from(row).ok());
        let found = found.and_then(|(column, row)| self.0.get(column)?.get(row));
        found.copied().unwrap_or('.')
    }

    fn stones(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether four stones of one letter lie in a row somewhere.
    fn has_four(&self, letter: char) -> bool {
        let cells = (0..7).flat_map(|column| (0..6).map(move |row| (column, row)));
        let lines =
            cells.flat_map(|cell| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (cell, step)));
        lines.into_iter().any(|((column, row), (right, up))| {
            (0..4).all(|n| self.cell(column + n * right, row + n * up) == letter)
        })
    }
}

impl Twin for Columns {
    fn steps(&self) -> Vec<String> {
        let open = |column: &usize| self.0[*column].len() < 6 && self.ending().is_none();
        (0..7).filter(open).map(|column| (column + 1).to_string()).collect()
    }

    fn after(&self, step: &str) -> Columns {
        let mut after = self.clone();
        let letter = if self.stones().is_multiple_of(2) { 'X' } else { 'O' };
        after.0[step.parse::<usize>().unwrap() - 1].push(letter);
        after
    }

    fn text(&self) -> String {
        let row = |row| (0..7).map(|column| self.cell(column, row)).collect::<String>();
        (0..6).rev().map(row).collect::<Vec<_>>().join("/")
    }

    fn ending(&self) -> Option<Ending> {
        match (self.has_four('X'), self.has_four('O')) {
            (true, _) => Some(Ending::Win(Seat::First)),
            (_, true) => Some(Ending::Win(Seat::Second)),
            _ => (self.stones() == 42).then_some(Ending::Draw),
        }
    }
}

impl Subject for Position {
    type Twin = Columns;
    const MAX_PLAYOUT_PLIES: usize = 42;

    fn starts() -> Vec<(Position, Columns)> {
        vec![(Position::START, Columns(vec![Vec::new(); 7]))]
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn ending(&self) -> Option<Ending> {
        self.ending()
    }

    fn key(&self) -> Option<u64> {
        Some(Keyed::key(self))
    }

    fn read_again(&self) -> Option<Position> {
        Some(self.to_string().parse().expect("what is written can be read"))
    }

    fn examine(&self) {
        let mirror = self.mirror();
        let backwards = |row: &str| row.chars().rev().collect::<String>();
        let rows: Vec<String> = self.to_string().split('/').map(backwards).collect();
        assert_eq!(mirror.to_string(), rows.join("/"));
        for column in Column::all() {
            let legal = self.legal_moves().contains(&column);
            assert_eq!(self.play(column).is_ok(), legal, "{self} {column}");
        }
    }
}

#[test]
fn connect_four_conforms() {
    kit::examine::<Position>();
}

#[test]
fn the_counts_are_the_known_ones() {
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&Position::START, depth)).collect();
    assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn moves_lead_where_playing_them_leads() {
    let mut played = Position::START;
    let moves = "4443352617";
    for letter in moves.chars() {
        played = played.play(Column::from_index(letter as u32 - '1' as u32).unwrap()).unwrap();
    }
    assert_eq!(moves.parse(), Ok(played));
}

#[test]
fn a_golden_game_is_replayed() {
    kit::golden("connect-four.txt", 3, |game: &Position| game.to_string().replace('/', "\n"));
}
