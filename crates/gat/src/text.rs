//! Parsing and formatting of protocol lines, independent of sockets and games.
//!
//! A piece is one of `A` to `H` by its number, 0 to 7; squares are those of the viewer, its home at
//! the bottom. The protocol counts y from the far rank, so that its (0,0) is our a6.

use games::geister::{Board, Square, Standard};
use std::fmt;

/// Pieces of a side.
pub const PIECES_PER_SIDE: usize = 8;
/// Reds among them.
pub const REDS_PER_SIDE: usize = 4;
/// Characters of a [`View`].
pub const VIEW_LENGTH: usize = 6 * PIECES_PER_SIDE;
/// The maximum length of a name.
pub const MAX_NAME_CHARS: usize = 64;

/// The error for a line that is not part of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextError(
    /// What was expected.
    pub &'static str,
);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for TextError {}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Blue: can escape.
    Blue,
    /// Red: wants to be captured.
    Red,
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the board.
    On(Square),
    /// Captured: `99`.
    Captured,
    /// It left the board and won: `88`.
    Escaped,
}

impl Place {
    /// The square, if the piece is on the board.
    pub const fn square(self) -> Option<Square> {
        match self {
            Place::On(square) => Some(square),
            Place::Captured | Place::Escaped => None,
        }
    }

    /// The place in the opponent's view.
    #[must_use]
    pub fn turned(self) -> Place {
        match self {
            Place::On(square) => Place::On(Standard::turned(square)),
            off => off,
        }
    }

    fn parse(x: u8, y: u8) -> Option<Place> {
        match (x, y) {
            (b'9', b'9') => Some(Place::Captured),
            (b'8', b'8') => Some(Place::Escaped),
            _ => {
                let (x, y) = (x.checked_sub(b'0')?, y.checked_sub(b'0')?);
                let row = 5u32.checked_sub(u32::from(y))?;
                Square::at(u32::from(x), row).map(Place::On)
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::On(square) => write!(f, "{}{}", square.column(), 5 - square.row()),
            Place::Captured => f.write_str("99"),
            Place::Escaped => f.write_str("88"),
        }
    }
}

/// A piece in a player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it is.
    pub place: Place,
    /// Its colour, if that is known.
    pub colour: Option<Colour>,
}

/// The 48 characters: all pieces as one player sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The own pieces `A` to `H`.
    pub own: [Piece; PIECES_PER_SIDE],
    /// The opponent's `a` to `h`.
    pub opponent: [Piece; PIECES_PER_SIDE],
}

/// The start square of a piece, in the view of its own side.
pub fn home(piece: usize) -> Square {
    let (column, row) = (1 + piece as u32 % 4, if piece < 4 { 1 } else { 0 });
    Square::at(column, row).unwrap_or(Square::FIRST)
}

/// The piece that starts here, in the view of its own side.
pub fn piece_from(square: Square) -> Option<usize> {
    (0..PIECES_PER_SIDE).find(|&piece| home(piece) == square)
}

/// The letter of a piece.
pub fn letter(piece: usize) -> char {
    char::from(b'A' + (piece % PIECES_PER_SIDE) as u8)
}

/// The piece of a letter, small or capital.
fn piece_of(letter: u8) -> Option<usize> {
    let number = usize::from(letter.to_ascii_uppercase().checked_sub(b'A')?);
    (number < PIECES_PER_SIDE).then_some(number)
}

impl View {
    /// The start view of a player with these reds.
    pub fn start(red: &[bool; PIECES_PER_SIDE]) -> View {
        let own = std::array::from_fn(|piece| Piece {
            place: Place::On(home(piece)),
            colour: Some(if red[piece] { Colour::Red } else { Colour::Blue }),
        });
        let opponent = std::array::from_fn(|piece| Piece {
            place: Place::On(home(piece)).turned(),
            colour: None,
        });
        View { own, opponent }
    }

    /// Reads 48 characters. Colours may be small or capital, since servers differ.
    ///
    /// # Errors
    /// If they are not a view: an invalid place or colour, two pieces on a square, an own or
    /// captured piece of unknown colour.
    pub fn parse(text: &str) -> Result<View, TextError> {
        let bytes = text.as_bytes();
        if bytes.len() != VIEW_LENGTH {
            return Err(TextError("a position has 48 characters"));
        }
        let mut pieces = [Piece { place: Place::Captured, colour: None }; 2 * PIECES_PER_SIDE];
        let mut taken = games::geister::Bitboard::EMPTY;
        for (number, (piece, part)) in pieces.iter_mut().zip(bytes.chunks_exact(3)).enumerate() {
            *piece = parse_piece(part, number < PIECES_PER_SIDE)?;
            if let Some(square) = piece.place.square() {
                if taken.has(square) {
                    return Err(TextError("two pieces stand on one square"));
                }
                taken |= square.bit();
            }
        }
        let own = std::array::from_fn(|piece| pieces[piece]);
        let opponent = std::array::from_fn(|piece| pieces[PIECES_PER_SIDE + piece]);
        Ok(View { own, opponent })
    }

    /// The own piece on a square.
    pub fn own_at(&self, square: Square) -> Option<usize> {
        self.own.iter().position(|piece| piece.place == Place::On(square))
    }

    /// The opponent's piece on a square.
    pub fn other_at(&self, square: Square) -> Option<usize> {
        self.opponent.iter().position(|piece| piece.place == Place::On(square))
    }
}

fn parse_piece(part: &[u8], own: bool) -> Result<Piece, TextError> {
    let &[x, y, colour] = part else { return Err(TextError("a piece has three characters")) };
    let place = Place::parse(x, y).ok_or(TextError("a piece is at 00 to 55, 88 or 99"))?;
    let colour = match colour {
        b'R' | b'r' => Some(Colour::Red),
        b'B' | b'b' => Some(Colour::Blue),
        b'U' | b'u' if !own && place == Place::Escaped => Some(Colour::Blue), // what leaves is blue
        b'U' | b'u' if !own && place != Place::Captured => None,
        b'U' | b'u' => return Err(TextError("a colour that is known is hidden")),
        _ => return Err(TextError("a colour is one of R B r b u")),
    };
    Ok(Piece { place, colour })
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (pieces, own) in [(&self.own, true), (&self.opponent, false)] {
            for piece in pieces {
                let colour = match piece.colour {
                    None => 'u',
                    Some(Colour::Red) => 'r',
                    Some(Colour::Blue) => 'b',
                };
                let capital = own && piece.place.square().is_some();
                let colour = if capital { colour.to_ascii_uppercase() } else { colour };
                write!(f, "{}{colour}", piece.place)?;
            }
        }
        Ok(())
    }
}

/// The direction of a move, in the view of its own side: north is away from home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the far rank.
    North,
    /// To the right.
    East,
    /// Home.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::North => "NORTH",
            Direction::East => "EAST",
            Direction::South => "SOUTH",
            Direction::West => "WEST",
        }
    }

    /// The name in full or its first letter, small or capital.
    fn parse(text: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| {
            let name = direction.name();
            text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(&name[..1])
        })
    }

    /// The square next to this one, or `None` at the edge.
    pub fn next(self, square: Square) -> Option<Square> {
        let (column, row) = (square.column(), square.row());
        match self {
            Direction::North => Square::at(column, row + 1),
            Direction::East => Square::at(column + 1, row),
            Direction::South => Square::at(column, row.checked_sub(1)?),
            Direction::West => Square::at(column.checked_sub(1)?, row),
        }
    }

    /// The direction from a square to an adjacent one.
    pub fn between(from: Square, to: Square) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.next(from) == Some(to))
    }
}

/// `SET:ABCD`, or `SET:ABCD,NAME:FOO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCommand {
    /// Which pieces are red: four of them.
    pub red: [bool; PIECES_PER_SIDE],
    /// The name of the player, if it gave one.
    pub name: Option<String>,
}

impl fmt::Display for SetCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SET:")?;
        for piece in (0..PIECES_PER_SIDE).filter(|&piece| self.red[piece]) {
            write!(f, "{}", letter(piece))?;
        }
        self.name.as_ref().map_or(Ok(()), |name| write!(f, ",NAME:{name}"))
    }
}

/// `MOV:D,NORTH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCommand {
    /// The piece.
    pub piece: usize,
    /// Where it goes.
    pub direction: Direction,
}

impl fmt::Display for MoveCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MOV:{},{}", letter(self.piece), self.direction.name())
    }
}

/// A line from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromClient {
    /// Its set-up.
    Set(SetCommand),
    /// Its move.
    Move(MoveCommand),
}

/// Whether a name is valid: short, printable, and without surrounding blanks, since logs are read
/// without trailing blanks.
pub fn is_name(name: &str) -> bool {
    let seen = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    (1..=MAX_NAME_CHARS).contains(&name.len()) && name.bytes().all(seen) && name.trim() == name
}

impl FromClient {
    /// Parses a line. The verb must be in capitals, the rest may be in any case.
    ///
    /// # Errors
    /// If it is not a command.
    pub fn parse(line: &str) -> Result<FromClient, TextError> {
        if let Some(rest) = line.strip_prefix("SET:") {
            return parse_set(rest).map(FromClient::Set);
        }
        if let Some(rest) = line.strip_prefix("MOV:") {
            return parse_move(rest).map(FromClient::Move);
        }
        Err(TextError("a command begins with SET: or MOV:"))
    }
}

fn parse_set(rest: &str) -> Result<SetCommand, TextError> {
    let parts = rest.split_once(",NAME:").map(|(letters, name)| (letters, name.trim_matches(' ')));
    let (letters, name) = match parts {
        None => (rest, None),
        Some((letters, name)) if is_name(name) => (letters, Some(name.to_owned())),
        Some(_) => return Err(TextError("a name has 1 to 64 printable ASCII characters")),
    };
    let wrong = TextError("SET: takes four different letters from A to H");
    let mut red = [false; PIECES_PER_SIDE];
    for letter in letters.bytes() {
        let piece = piece_of(letter).ok_or(wrong)?;
        if std::mem::replace(&mut red[piece], true) {
            return Err(wrong);
        }
    }
    if letters.len() == REDS_PER_SIDE { Ok(SetCommand { red, name }) } else { Err(wrong) }
}

fn parse_move(rest: &str) -> Result<MoveCommand, TextError> {
    let wrong = TextError("MOV: takes a letter from A to H and NORTH, EAST, SOUTH or WEST");
    let (letter, direction) = rest.split_once(',').ok_or(wrong)?;
    let &[letter] = letter.as_bytes() else { return Err(wrong) };
    let piece = piece_of(letter).ok_or(wrong)?;
    let direction = Direction::parse(direction).ok_or(wrong)?;
    Ok(MoveCommand { piece, direction })
}

/// How a game ended for the receiver of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `WON:`
    Won,
    /// `LST:`
    Lost,
    /// `DRW:`
    Drawn,
}

impl Ending {
    /// All three.
    pub const ALL: [Ending; 3] = [Ending::Won, Ending::Lost, Ending::Drawn];

    const fn prefix(self) -> &'static str {
        match self {
            Ending::Won => "WON:",
            Ending::Lost => "LST:",
            Ending::Drawn => "DRW:",
        }
    }
}

/// A line from a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromServer {
    /// `SET?`
    AskSet,
    /// `OK `, `OKR` or `OKB`: accepted, and what was captured.
    Accepted(Option<Colour>),
    /// `NG `
    Refused,
    /// `MOV?`
    AskMove(View),
    /// The end.
    End(Ending, View),
}

impl FromServer {
    /// Parses a line. Trailing blanks are ignored.
    ///
    /// # Errors
    /// If it is not a server line.
    pub fn parse(line: &str) -> Result<FromServer, TextError> {
        let line = line.trim_end();
        match line {
            "SET?" => return Ok(FromServer::AskSet),
            "OK" => return Ok(FromServer::Accepted(None)),
            "OKR" => return Ok(FromServer::Accepted(Some(Colour::Red))),
            "OKB" => return Ok(FromServer::Accepted(Some(Colour::Blue))),
            "NG" => return Ok(FromServer::Refused),
            _ => {}
        }
        if let Some(view) = line.strip_prefix("MOV?") {
            return View::parse(view).map(FromServer::AskMove);
        }
        for ending in Ending::ALL {
            if let Some(view) = line.strip_prefix(ending.prefix()) {
                return View::parse(view).map(|view| FromServer::End(ending, view));
            }
        }
        Err(TextError("a server says SET? OK NG MOV? WON: LST: or DRW:"))
    }
}

impl fmt::Display for FromServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromServer::AskSet => f.write_str("SET?"),
            FromServer::Accepted(None) => f.write_str("OK "),
            FromServer::Accepted(Some(Colour::Red)) => f.write_str("OKR"),
            FromServer::Accepted(Some(Colour::Blue)) => f.write_str("OKB"),
            FromServer::Refused => f.write_str("NG "),
            FromServer::AskMove(view) => write!(f, "MOV?{view}"),
            FromServer::End(ending, view) => write!(f, "{}{view}", ending.prefix()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_that_of_the_protocol() {
        let red = std::array::from_fn(|piece| piece < 4);
        let text = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
        assert_eq!(View::start(&red).to_string(), text);
        assert_eq!(View::parse(text), Ok(View::start(&red)));
    }

    #[test]
    fn lines_of_servers_are_read_and_written() {
        for line in [
            "SET?",
            "OK ",
            "OKR",
            "OKB",
            "NG ",
            "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u",
            "MOV?99r14R99b44B99r25R35B45B41u34u21u99r40u30u20u10u",
            "WON:14R99r34R99r88b25B35B45B99r41r99b11b99r30r21b10b",
            "LST:14R99r34R99r15B25B35B45B99r41r99b11b99r30r88b10b",
        ] {
            assert_eq!(FromServer::parse(line).unwrap().to_string(), line);
        }
        for line in ["", "OKX", "MOV?", "SET", "mov?", "WON:14R", "é", "MOV? 14R"] {
            assert!(FromServer::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn commands_are_read_in_any_case_but_the_verb() {
        for line in ["SET:ABCD", "SET:BDFH,NAME:Foo 2", "MOV:D,NORTH", "MOV:H,WEST"] {
            let command = FromClient::parse(line).unwrap();
            let written = match command {
                FromClient::Set(set) => set.to_string(),
                FromClient::Move(mv) => mv.to_string(),
            };
            assert_eq!(written, line);
        }
        assert_eq!(FromClient::parse("MOV:d,n"), FromClient::parse("MOV:D,NORTH"));
        assert_eq!(FromClient::parse("MOV:D,west"), FromClient::parse("MOV:D,W"));
        assert_eq!(FromClient::parse("SET:dcba"), FromClient::parse("SET:ABCD"));
    }

    #[test]
    fn invalid_commands_are_refused() {
        for line in [
            "",
            "SET:",
            "SET:AAAA",
            "SET:ABCZ",
            "SET:ABC",
            "SET:ABCDE",
            "set:ABCD",
            "SET:ABCD ",
            "SET:ABCD,NAME:",
            "SET:ABCD,NAME:\u{7}",
            "MOV:",
            "MOV:I,NORTH",
            "MOV:A,UP",
            "MOV:A",
            "MOV:,N",
            "MOV:AB,N",
            "mov:A,N",
            "MOV:A,",
            "MOV:A,NORTHE",
            "QUIT",
        ] {
            assert!(FromClient::parse(line).is_err(), "{line}");
        }
        assert!(FromClient::parse(&format!("SET:ABCD,NAME:{}", "x".repeat(65))).is_err());
    }

    #[test]
    fn impossible_views_are_refused() {
        let good = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
        assert!(View::parse(good).is_ok());
        for (at, with) in [(0, "24R"), (0, "66R"), (0, "89R"), (0, "14u"), (0, "14x"), (24, "99u")]
        {
            let bad = format!("{}{with}{}", &good[..at], &good[at + 3..]);
            assert!(View::parse(&bad).is_err(), "{bad}");
        }
        assert!(View::parse(&good[1..]).is_err());
    }
}
