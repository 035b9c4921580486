//! The rules of Geister once more, slowly and straight from their description: characters on a
//! grid and loops over squares. Nothing here uses the crate's boards, bits or move generator.

use games::Seat;
use games::geister::{Move, Outcome, Reason};

/// Which game is played on the grid.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Purple,
    Full { draw_limit: u32 },
}

/// A position: `B` `R` of the bottom side, `b` `r` `u` of the top side, `.` for empty squares.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Twin {
    kind: Kind,
    /// Rows from the bottom up.
    cells: Vec<Vec<char>>,
    /// BLUE, the live count.
    blue: usize,
    turn: Seat,
    left: Option<Seat>,
    captured: Vec<char>,
    ply: u32,
}

impl Twin {
    fn new(kind: Kind, rows_from_the_top: Vec<Vec<char>>, blue: usize) -> Twin {
        let cells = rows_from_the_top.into_iter().rev().collect();
        let (turn, left, captured) = (Seat::First, None, Vec::new());
        Twin { kind, cells, blue, turn, left, captured, ply: 0 }
    }

    /// A purple position from the text with one character per square.
    pub(crate) fn purple(compact: &str, columns: usize) -> Twin {
        let (squares, blue) = super::two_words(compact);
        let squares: Vec<char> = squares.chars().collect();
        let rows = squares.chunks(columns).map(<[char]>::to_vec).collect();
        Twin::new(Kind::Purple, rows, blue.parse().expect("a number"))
    }

    /// A full game at its start, from its diagram.
    pub(crate) fn full(diagram: &str, draw_limit: u32) -> Twin {
        let rows = diagram.lines().map(|line| line.chars().collect()).collect();
        let blue = diagram.matches('b').count();
        Twin::new(Kind::Full { draw_limit }, rows, blue)
    }

    pub(crate) fn turn(&self) -> Seat {
        self.turn
    }

    pub(crate) fn ply(&self) -> u32 {
        self.ply
    }

    /// How many ghosts with this letter have been captured.
    pub(crate) fn captured(&self, letter: char) -> u32 {
        self.captured.iter().filter(|&&captured| captured == letter).count() as u32
    }

    /// The board as lines, the top row first.
    pub(crate) fn diagram(&self) -> String {
        let rows: Vec<String> = self.cells.iter().rev().map(|row| row.iter().collect()).collect();
        rows.join("\n")
    }

    /// The text with one character per square.
    pub(crate) fn compact(&self) -> String {
        format!("{} {}", self.diagram().replace('\n', ""), self.blue)
    }

    fn count(&self, letter: char) -> usize {
        self.cells.iter().flatten().filter(|&&cell| cell == letter).count()
    }

    fn side_of(letter: char) -> Option<Seat> {
        match letter {
            'B' | 'R' => Some(Seat::First),
            'b' | 'r' | 'u' => Some(Seat::Second),
            _ => None,
        }
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let win = |winner, reason| Some(Outcome::Win { winner, reason });
        if let Some(side) = self.left {
            return win(side, Reason::Escape);
        }
        if self.count('B') == 0 {
            return win(Seat::Second, Reason::BluesCaptured);
        }
        if self.count('R') == 0 {
            return win(Seat::First, Reason::RedsCaptured);
        }
        let (blue, red, hidden) = (self.count('b'), self.count('r'), self.count('u'));
        match self.kind {
            Kind::Purple if red == 0 && hidden <= self.blue - blue => {
                win(Seat::Second, Reason::RedsCaptured)
            }
            Kind::Purple if hidden == 0 && blue == 0 && red > 0 => {
                win(Seat::First, Reason::BluesCaptured)
            }
            Kind::Full { .. } if blue == 0 => win(Seat::First, Reason::BluesCaptured),
            Kind::Full { .. } if red == 0 => win(Seat::Second, Reason::RedsCaptured),
            Kind::Full { draw_limit } if self.ply >= draw_limit => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn on_own_exit(&self, column: usize, row: usize) -> bool {
        let far_row = match self.turn {
            Seat::First => self.cells.len() - 1,
            Seat::Second => 0,
        };
        row == far_row && (column == 0 || column == self.cells[row].len() - 1)
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut texts = Vec::new();
        let ended = self.outcome().is_some();
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, &letter) in cells.iter().enumerate() {
                if ended || Twin::side_of(letter) != Some(self.turn) {
                    continue;
                }
                for (right, up) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let to_column = column.checked_add_signed(right);
                    let to_row = row.checked_add_signed(up);
                    let (Some(to_column), Some(to_row)) = (to_column, to_row) else { continue };
                    let target = self.cells.get(to_row).and_then(|cells| cells.get(to_column));
                    if target.is_some_and(|&target| Twin::side_of(target) != Some(self.turn)) {
                        texts.push(name(column, row) + &name(to_column, to_row));
                    }
                }
                if "Bbu".contains(letter) && self.on_own_exit(column, row) {
                    texts.push(name(column, row) + "-out");
                }
            }
        }
        texts.iter().map(|text| text.parse().expect("the text of a move")).collect()
    }

    pub(crate) fn after(&self, mv: Move) -> Twin {
        let text = mv.to_string();
        let (from_column, from_row) = place(&text[..2]);
        let mut after = self.clone();
        after.ply += 1;
        after.turn = if self.turn == Seat::First { Seat::Second } else { Seat::First };
        let mover = std::mem::replace(&mut after.cells[from_row][from_column], '.');
        if text.ends_with("-out") {
            after.left = Some(self.turn);
            // Who leaves is blue: a shown one, or one of the hidden blues if there are any.
            if mover == 'b' || (mover == 'u' && self.blue > self.count('b')) {
                after.blue -= 1;
            }
            return after;
        }
        let (to_column, to_row) = place(&text[2..]);
        let target = std::mem::replace(&mut after.cells[to_row][to_column], mover);
        if target != '.' {
            after.captured.push(target);
        }
        if target == 'b' {
            after.blue -= 1;
        }
        // A hidden ghost is red when captured, but there cannot be more blues than ghosts.
        after.blue = after.blue.min(after.count('b') + after.count('u'));
        after
    }

    /// The lines of play of exactly `depth` plies.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }
}

fn name(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b"abcdef"[column]), row + 1)
}

fn place(name: &str) -> (usize, usize) {
    let bytes = name.as_bytes();
    (usize::from(bytes[0] - b'a'), usize::from(bytes[1] - b'1'))
}
