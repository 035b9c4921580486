//! Othello.

use crate::kit::{self, Subject, Twin};
use games::othello::{Position, Square};
use games::{Ending, Keyed, Seat, perft};

/// Sixty-four characters and whose turn it is.
#[derive(Clone)]
pub(crate) struct Letters {
    squares: Vec<char>,
    turn: char,
}

fn other(letter: char) -> char {
    if letter == 'X' { 'O' } else { 'X' }
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b"abcdefgh"[square % 8]), square / 8 + 1)
}

impl Letters {
    fn read(text: &str) -> Letters {
        let (squares, turn) = text.split_once(' ').unwrap();
        Letters { squares: squares.chars().collect(), turn: turn.chars().next().unwrap() }
    }

    /// The discs that a disc of `letter` on `square` turns over.
    fn turned(&self, letter: char, square: usize) -> Vec<usize> {
        let mut turned = Vec::new();
        for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
        {
            let mut line = Vec::new();
            let (mut column, mut row) = (square as i32 % 8 + right, square as i32 / 8 + down);
            while (0..8).contains(&column) && (0..8).contains(&row) {
                let here = (row * 8 + column) as usize;
                if self.squares[here] == letter {
                    turned.append(&mut line);
                }
                if self.squares[here] != other(letter) {
                    break;
                }
                line.push(here);
                (column, row) = (column + right, row + down);
            }
        }
        turned
    }

    fn places(&self, letter: char) -> Vec<usize> {
        let fits = |&square: &usize| {
            self.squares[square] == '-' && !self.turned(letter, square).is_empty()
        };
        (0..64).filter(fits).collect()
    }

    fn count(&self, letter: char) -> usize {
        self.squares.iter().filter(|&&square| square == letter).count()
    }
}

impl Twin for Letters {
    fn steps(&self) -> Vec<String> {
        let places: Vec<String> = self.places(self.turn).into_iter().map(name).collect();
        if places.is_empty() && !self.places(other(self.turn)).is_empty() {
            return vec!["pass".into()];
        }
        places
    }

    fn after(&self, step: &str) -> Letters {
        let mut after = self.clone();
        after.turn = other(self.turn);
        if let Some(square) = (0..64).find(|&square| name(square) == step) {
            for place in self.turned(self.turn, square).into_iter().chain([square]) {
                after.squares[place] = self.turn;
            }
        }
        after
    }

    fn text(&self) -> String {
        format!("{} {}", self.squares.iter().collect::<String>(), self.turn)
    }

    fn ending(&self) -> Option<Ending> {
        let over = self.places('X').is_empty() && self.places('O').is_empty();
        over.then(|| match self.count('X').cmp(&self.count('O')) {
            std::cmp::Ordering::Greater => Ending::Win(Seat::First),
            std::cmp::Ordering::Less => Ending::Win(Seat::Second),
            std::cmp::Ordering::Equal => Ending::Draw,
        })
    }
}

/// A position in which the side to move must pass, and passes follow.
const PASS: &str = "OXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX- X";

impl Subject for Position {
    type Twin = Letters;
    /// Every other step may be a pass.
    const MAX_PLAYOUT_PLIES: usize = 121;

    fn starts() -> Vec<(Position, Letters)> {
        let texts = [Position::START.to_string(), PASS.into()];
        texts.map(|text| (text.parse().unwrap(), Letters::read(&text))).into()
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
        let discs = Square::all_of(!self.empty()).filter(|&square| self.get(square).is_some());
        assert_eq!(discs.count() as u32, 64 - self.empty().count_ones());
        if let Some(ending) = self.ending() {
            let expected = match self.final_score().signum() {
                0 => None,
                1 => Some(self.turn()),
                _ => Some(self.turn().opponent()),
            };
            assert_eq!(ending.winner(), expected);
        }
    }
}

#[test]
fn othello_conforms() {
    kit::examine::<Position>();
}

#[test]
fn the_counts_are_the_known_ones() {
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&Position::START, depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288]);
}

#[test]
fn the_winner_gets_the_empty_squares() {
    let wiped_out = format!("{}{} O", "X".repeat(13), "-".repeat(51));
    assert_eq!(wiped_out.parse::<Position>().unwrap().final_score(), -64);
    let drawn: Position = format!("X{}O X", "-".repeat(62)).parse().unwrap();
    assert_eq!((drawn.ending(), drawn.final_score()), (Some(Ending::Draw), 0));
}

#[test]
fn a_golden_game_is_replayed() {
    kit::golden("othello.txt", 5, |game: &Position| {
        let text = game.to_string();
        let rows: Vec<&str> = (0..8).map(|row| &text[8 * row..8 * row + 8]).collect();
        format!("{} to move\n{}", &text[65..], rows.join("\n"))
    });
}
