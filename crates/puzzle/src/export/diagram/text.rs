//! A position for a terminal, in plain ASCII and without colours.

use super::blue_and_red;
use games::geister::{Board, Ghost, Position, Square};

/// The board with the letters of the text of a position, `.` for an empty square.
///
/// `^` marks the bottom side's exits and `v` the top side's; the colours of the opponent's ghosts
/// stand in the top line.
///
/// ```text
///   ^         ^   opponent: 1 blue, 1 red
/// 6 . . . . . .
/// 5 . . . . u .
/// 4 B . . . . .
/// 3 . . . . . .
/// 2 . . . . . .
/// 1 R u . . . .
///   v         v
///   a b c d e f
/// ```
pub fn draw<B: Board>(position: &Position<B>) -> String {
    let (blue, red) = blue_and_red(position);
    let mut lines = vec![format!("{}   opponent: {blue} blue, {red} red", exits::<B>('^'))];
    lines.extend((0..B::ROWS).rev().map(|row| rank(position, row)));
    lines.push(exits::<B>('v'));
    lines.push(line(' ', ('a'..).take(B::COLUMNS as usize)));
    lines.join("\n") + "\n"
}

fn rank<B: Board>(position: &Position<B>, row: u32) -> String {
    let squares = (0..B::COLUMNS).filter_map(|column| Square::at(column, row));
    let letters = squares.map(|square| position.get(square).map_or('.', Ghost::letter));
    line(char::from_digit(row + 1, 10).unwrap_or('?'), letters)
}

fn exits<B: Board>(arrow: char) -> String {
    let is_corner = |column| column == 0 || column + 1 == B::COLUMNS;
    line(' ', (0..B::COLUMNS).map(|column| if is_corner(column) { arrow } else { ' ' }))
}

/// `first` and then the letters, a blank before each.
fn line(first: char, letters: impl Iterator<Item = char>) -> String {
    let mut line = String::from(first);
    for letter in letters {
        line.extend([' ', letter]);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::Small;

    #[test]
    fn the_6x6_board_is_drawn() {
        let position: Position = "1uRb1r/u5/2B1b1/r2R2/1B2u1/R3B1 4".parse().unwrap();
        let expected = "  ^         ^   opponent: 4 blue, 3 red
6 . u R b . r
5 u . . . . .
4 . . B . b .
3 r . . R . .
2 . B . . u .
1 R . . . B .
  v         v
  a b c d e f
";
        assert_eq!(draw(&position), expected);
    }

    #[test]
    fn the_4x5_board_is_drawn() {
        let position: Position<Small> = "1u2/r3/2b1/B3/2R1 2".parse().unwrap();
        let expected = "  ^     ^   opponent: 2 blue, 1 red
5 . u . .
4 r . . .
3 . . b .
2 B . . .
1 . . R .
  v     v
  a b c d
";
        assert_eq!(draw(&position), expected);
    }
}
