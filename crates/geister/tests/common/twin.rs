//! The purple rules a second time: letters in an array, written from the rules and not from the
//! crate `games`, with the changes that the questions to the solver are about.

use games::Seat;
use games::geister::Position;
use search::{AndOr, Player};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What counts as a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wins {
    /// Everything.
    All,
    /// All but losing the last own red.
    WithoutThirdRule,
    /// All but a capture by the bottom side with its last ply.
    WithoutLastCapture,
    /// All but leaving from f6.
    WithoutF6,
    /// All but leaving from a6.
    WithoutA6,
    /// Everything, and the top side never leaves.
    Unopposed,
}

/// A position with the plies that are left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Twin {
    /// Row 1 first, `.` for an empty square.
    squares: [char; 36],
    /// The blues among the hidden ghosts.
    hidden_blue: usize,
    bottom_to_move: bool,
    /// The winner by leaving the board.
    left: Option<bool>,
    plies_left: u32,
    wins: Wins,
}

impl Twin {
    pub(crate) fn new(position: &Position, plies_left: u32, wins: Wins) -> Twin {
        let text = position.compact();
        let (rows, blue) = text.split_once(' ').expect("ROWS BLUE");
        let rows: Vec<char> = rows.chars().collect();
        let squares: [char; 36] = std::array::from_fn(|i| rows[(5 - i / 6) * 6 + i % 6]);
        let shown = squares.iter().filter(|&&c| c == 'b').count();
        Twin {
            squares,
            hidden_blue: blue.parse::<usize>().expect("BLUE") - shown,
            bottom_to_move: position.turn() == Seat::First,
            left: None,
            plies_left,
            wins,
        }
    }

    fn count(&self, letter: char) -> usize {
        self.squares.iter().filter(|&&c| c == letter).count()
    }

    fn is_mine(&self, letter: char) -> bool {
        if self.bottom_to_move { "BR".contains(letter) } else { "bru".contains(letter) }
    }
}

impl AndOr for Twin {
    /// From and to; the same square twice for leaving.
    type Move = (usize, usize);

    fn to_move(&self) -> Player {
        if self.bottom_to_move { Player::Or } else { Player::And }
    }

    fn decided(&self) -> Option<bool> {
        if let Some(bottom) = self.left {
            return Some(bottom);
        }
        if self.count('B') == 0 {
            return Some(false);
        }
        if self.count('R') == 0 && self.wins != Wins::WithoutThirdRule {
            return Some(true);
        }
        if self.count('r') == 0 && self.count('u') <= self.hidden_blue {
            return Some(false);
        }
        if self.count('b') + self.count('u') == 0 {
            return Some(self.wins != Wins::WithoutLastCapture || self.plies_left > 0);
        }
        None
    }

    fn moves(&self, out: &mut Vec<(usize, usize)>) {
        let exits: &[usize] = match (self.bottom_to_move, self.wins) {
            (true, Wins::WithoutF6) => &[30],
            (true, Wins::WithoutA6) => &[35],
            (true, _) => &[30, 35],
            (false, Wins::Unopposed) => &[],
            (false, _) => &[0, 5],
        };
        let leaver = if self.bottom_to_move { "B" } else { "bu" };
        for from in (0..36).filter(|&from| self.is_mine(self.squares[from])) {
            let (column, row) = (from % 6, from / 6);
            let steps = [
                (row > 0).then(|| from - 6),
                (column > 0).then(|| from - 1),
                (column < 5).then(|| from + 1),
                (row < 5).then(|| from + 6),
            ];
            let steps = steps.into_iter().flatten();
            out.extend(steps.filter(|&to| !self.is_mine(self.squares[to])).map(|to| (from, to)));
            if leaver.contains(self.squares[from]) && exits.contains(&from) {
                out.push((from, from));
            }
        }
    }

    fn play(&self, (from, to): (usize, usize)) -> Twin {
        let mut after = self.clone();
        after.squares[from] = '.';
        if from == to {
            after.left = Some(self.bottom_to_move);
        } else {
            after.squares[to] = self.squares[from];
        }
        after.bottom_to_move = !self.bottom_to_move;
        after.plies_left = self.plies_left.saturating_sub(1);
        after
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let mut same = self.clone();
        if self.wins != Wins::WithoutLastCapture {
            same.plies_left = 0;
        }
        same.hash(&mut hasher);
        hasher.finish()
    }
}
