//! The text of a grid: rows joined by `/`, the tiles of a row separated by blanks, 0 for an empty
//! cell, such as `2 0 0/0 4 0`. If chance is to move, ` +N` at the end is the number of new tiles.
//! Each grid has exactly one text but for white space.

use super::grid::{Grid, SizeError};
use std::fmt;
use std::str::FromStr;

/// The most random tiles that are ever still to be added: those of the start.
const MAX_OWED: u8 = 2;

/// Why a text is not a valid grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextError {
    /// A word that is not a tile of this grid.
    NoTile {
        /// The word.
        word: String,
        /// The largest tile that play on a grid of this size can reach.
        largest: u64,
    },
    /// Rows of different lengths.
    Ragged,
    /// Too small or too large.
    Size(SizeError),
    /// `+N` with a wrong number.
    Owed,
    /// More tiles to add than empty cells.
    NoRoom,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::NoTile { word, largest } => {
                write!(f, "{word:?} is not a tile; write 0 or a power of two from 2 to {largest}")
            }
            TextError::Ragged => f.write_str("the rows have different lengths"),
            TextError::Size(error) => fmt::Display::fmt(error, f),
            TextError::Owed => {
                write!(f, "write +1 to +{MAX_OWED} for the random tiles to be added")
            }
            TextError::NoRoom => f.write_str("there are more random tiles to add than empty cells"),
        }
    }
}

impl std::error::Error for TextError {}

impl FromStr for Grid {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Grid, TextError> {
        let (rows, owed) = match text.split_once('+') {
            Some((rows, owed)) => (rows, read_owed(owed.trim_ascii())?),
            None => (text, 0),
        };
        let rows: Vec<Vec<&str>> =
            rows.split('/').map(|row| row.split_ascii_whitespace().collect()).collect();
        let columns = rows[0].len();
        if rows.iter().any(|row| row.len() != columns) {
            return Err(TextError::Ragged);
        }
        // The size comes first: it bounds the tiles.
        Grid::new(rows.len(), columns).map_err(TextError::Size)?;
        let read = |word: &&str| read_tile(word, rows.len() * columns);
        let powers = rows.iter().flatten().map(read).collect::<Result<Vec<u8>, TextError>>()?;
        let grid = Grid::from_powers(rows.len(), columns, owed, |cell| powers[cell]);
        let grid = grid.map_err(TextError::Size)?;
        if usize::from(owed) > grid.empty_cells() { Err(TextError::NoRoom) } else { Ok(grid) }
    }
}

fn read_owed(text: &str) -> Result<u8, TextError> {
    let owed = text.parse::<u8>().ok().filter(|owed| (1..=MAX_OWED).contains(owed));
    owed.filter(|owed| owed.to_string() == text).ok_or(TextError::Owed)
}

/// The power of two of a tile. With all cells full of different tiles and a 4 at last, play makes
/// no tile above two to the number of cells and one.
fn read_tile(word: &str, cells: usize) -> Result<u8, TextError> {
    let largest = 1 << (cells + 1);
    let refusal = || TextError::NoTile { word: word.chars().take(20).collect(), largest };
    let tile: u64 = word.parse().map_err(|_| refusal())?;
    match tile {
        _ if tile.to_string() != word => Err(refusal()),
        0 => Ok(0),
        _ if tile.is_power_of_two() && (2..=largest).contains(&tile) => {
            Ok(tile.trailing_zeros() as u8)
        }
        _ => Err(refusal()),
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<String> = self.tiles().map(|tile| tile.to_string()).collect();
        let rows: Vec<String> = tiles.chunks(self.columns()).map(|row| row.join(" ")).collect();
        f.write_str(&rows.join("/"))?;
        if self.owed() > 0 { write!(f, " +{}", self.owed()) } else { Ok(()) }
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_grids_are_refused() {
        let refusal = |text: &str| text.parse::<Grid>().unwrap_err();
        let no_tile = |word: &str| TextError::NoTile { word: word.into(), largest: 32 };
        for word in ["1", "3", "64", "-2", "+", "02", "x", "99999999999999999999"] {
            let text = format!("0 {word}/0 0");
            let expected = if word == "+" { TextError::Owed } else { no_tile(word) };
            assert_eq!(refusal(&text), expected, "{text}");
        }
        assert_eq!(refusal("0 0/0"), TextError::Ragged);
        assert_eq!(refusal(""), TextError::Size(SizeError));
        assert_eq!(refusal("0 0"), TextError::Size(SizeError));
        assert_eq!(refusal(&["0 0"; 7].join("/")), TextError::Size(SizeError));
        for owed in ["0 0/0 0 +0", "0 0/0 0 +3", "0 0/0 0 +01", "0 0/0 0 ++1"] {
            assert_eq!(refusal(owed), TextError::Owed, "{owed}");
        }
        assert_eq!(refusal("2 2/2 0 +2"), TextError::NoRoom);
    }

    #[test]
    fn the_largest_tiles_of_the_largest_grid_merge() {
        let largest = 1u64 << 37;
        let row = [largest.to_string().as_str(); 6].join(" ");
        let grid: Grid = [row.as_str(); 6].join("/").parse().unwrap();
        let slid = grid.slide(super::super::Direction::Up).unwrap();
        assert_eq!(slid.grid.largest(), largest << 1);
        assert_eq!(slid.gain, 18 * (largest << 1));
    }
}
