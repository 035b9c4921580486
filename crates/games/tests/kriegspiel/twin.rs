//! The slow twin of the umpire: chess with characters and loops, starting from the FEN alone.

use games::kriegspiel::{CapturedKind, Check, Position, Termination, Try};

type Place = (i32, i32);

const STRAIGHT: [Place; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [Place; 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// A chess board with one character for each square.
#[derive(Clone)]
pub(crate) struct Twin {
    squares: [[char; 8]; 8],
    white: bool,
    castling: String,
    en_passant: Option<Place>,
}

/// What the twin announces after a legal try.
#[derive(PartialEq, Debug)]
pub(crate) struct Verdict {
    pub(crate) capture: Option<(CapturedKind, String)>,
    pub(crate) checks: Vec<Check>,
    pub(crate) pawn_tries: usize,
    pub(crate) termination: Option<Termination>,
    pub(crate) placement: String,
}

fn place(text: &str) -> Place {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn text((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Twin {
    pub(crate) fn new(position: &Position) -> Twin {
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut squares = [['.'; 8]; 8];
        for (rank, row) in fields[0].rsplit('/').enumerate() {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(n) => file += n as usize,
                    None => {
                        squares[rank][file] = c;
                        file += 1;
                    }
                }
            }
        }
        let en_passant = (fields[3] != "-").then(|| place(fields[3]));
        Twin { squares, white: fields[1] == "w", castling: fields[2].into(), en_passant }
    }

    fn get(&self, (file, rank): Place) -> Option<char> {
        let row = self.squares.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    fn set(&mut self, (file, rank): Place, c: char) {
        self.squares[rank as usize][file as usize] = c;
    }

    fn places() -> impl Iterator<Item = Place> {
        (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
    }

    fn is_own(&self, c: char) -> bool {
        c != '.' && c.is_ascii_uppercase() == self.white
    }

    /// The pseudolegal destinations of the piece on `from`, without castling.
    fn destinations(&self, from: Place) -> Vec<Place> {
        let piece = self.get(from).unwrap();
        let white = piece.is_ascii_uppercase();
        let other = |c: char| c != '.' && c.is_ascii_uppercase() != white;
        let step = |(x, y): Place, n: i32| (from.0 + n * x, from.1 + n * y);
        let mut reach = Vec::new();
        let (directions, far): (Vec<Place>, i32) = match piece.to_ascii_lowercase() {
            'p' => {
                let up = if white { 1 } else { -1 };
                let home = if white { 1 } else { 6 };
                if self.get((from.0, from.1 + up)) == Some('.') {
                    reach.push((from.0, from.1 + up));
                    if from.1 == home && self.get((from.0, from.1 + 2 * up)) == Some('.') {
                        reach.push((from.0, from.1 + 2 * up));
                    }
                }
                for x in [-1, 1] {
                    let to = (from.0 + x, from.1 + up);
                    let own_turn = white == self.white;
                    if self.get(to).is_some_and(other) || own_turn && self.en_passant == Some(to) {
                        reach.push(to);
                    }
                }
                return reach;
            }
            'n' => (JUMPS.to_vec(), 1),
            'b' => (DIAGONAL.to_vec(), 7),
            'r' => (STRAIGHT.to_vec(), 7),
            'q' => ([STRAIGHT, DIAGONAL].concat(), 7),
            _ => ([STRAIGHT, DIAGONAL].concat(), 1),
        };
        for direction in directions {
            for n in 1..=far {
                let to = step(direction, n);
                match self.get(to) {
                    Some('.') => reach.push(to),
                    Some(c) if other(c) => {
                        reach.push(to);
                        break;
                    }
                    _ => break,
                }
            }
        }
        reach
    }

    /// The squares from which `target` is attacked by White, or by Black if not `white`.
    fn attackers(&self, target: Place, white: bool) -> Vec<Place> {
        let attacks = |from: &Place| {
            let piece = self.get(*from).unwrap();
            if piece == '.' || piece.is_ascii_uppercase() != white {
                return false;
            }
            if piece.eq_ignore_ascii_case(&'p') {
                let up = if white { 1 } else { -1 };
                return target.1 - from.1 == up && (target.0 - from.0).abs() == 1;
            }
            // An enemy on the target makes no difference to what else can reach it.
            let mut board = self.clone();
            board.set(target, if white { 'n' } else { 'N' });
            board.destinations(*from).contains(&target)
        };
        Twin::places().filter(attacks).collect()
    }

    fn king(&self, white: bool) -> Place {
        let king = if white { 'K' } else { 'k' };
        Twin::places().find(|&place| self.get(place) == Some(king)).unwrap()
    }

    /// The board after a try, if it is legal.
    fn played(&self, from: Place, to: Place, promotion: Option<char>) -> Option<Twin> {
        let piece = self.get(from)?;
        if !self.is_own(piece) {
            return None;
        }
        let pawn = piece.eq_ignore_ascii_case(&'p');
        if promotion.is_some() != (pawn && (to.1 == 0 || to.1 == 7)) {
            return None;
        }
        let mut after = self.clone();
        if self.destinations(from).contains(&to) {
            if pawn && from.0 != to.0 && self.get(to) == Some('.') {
                after.set((to.0, from.1), '.');
            }
        } else {
            self.castle(piece, from, to, &mut after)?;
        }
        let case = |c: char| if self.white { c.to_ascii_uppercase() } else { c };
        after.set(from, '.');
        after.set(to, promotion.map_or(piece, case));
        after.white = !self.white;
        after.en_passant =
            (pawn && (to.1 - from.1).abs() == 2).then(|| (to.0, (from.1 + to.1) / 2));
        for (letter, corner) in [('K', "h1"), ('Q', "a1"), ('k', "h8"), ('q', "a8")] {
            let king = if letter.is_ascii_uppercase() { "e1" } else { "e8" };
            let touched = [from, to].iter().any(|&p| p == place(corner) || p == place(king));
            if touched {
                after.castling = after.castling.replace(letter, "");
            }
        }
        let safe = after.attackers(after.king(self.white), !self.white).is_empty();
        safe.then_some(after)
    }

    fn castle(&self, piece: char, from: Place, to: Place, after: &mut Twin) -> Option<()> {
        let rank = if self.white { 0 } else { 7 };
        let (letter, rook, rook_to) = match to {
            (6, r) if r == rank => ('k', 7, 5),
            (2, r) if r == rank => ('q', 0, 3),
            _ => return None,
        };
        let letter = if self.white { letter.to_ascii_uppercase() } else { letter };
        let fits = piece.eq_ignore_ascii_case(&'k') && self.castling.contains(letter);
        let between = if rook == 7 { 5..7 } else { 1..4 };
        let way = from.0.min(to.0)..=from.0.max(to.0);
        let free = between.into_iter().all(|file| self.get((file, rank)) == Some('.'));
        let unattacked = |file| self.attackers((file, rank), !self.white).is_empty();
        if !fits || !free || !way.into_iter().all(unattacked) {
            return None;
        }
        after.set((rook_to, rank), self.get((rook, rank))?);
        after.set((rook, rank), '.');
        Some(())
    }

    fn legal(&self) -> Vec<(Place, Place)> {
        let mut legal = Vec::new();
        for from in Twin::places().filter(|&from| self.is_own(self.get(from).unwrap())) {
            for to in Twin::places() {
                let promotes = [None, Some('q')];
                if promotes.iter().any(|&promotion| self.played(from, to, promotion).is_some()) {
                    legal.push((from, to));
                }
            }
        }
        legal
    }

    fn insufficient(&self) -> bool {
        let pieces = || Twin::places().filter_map(|place| Some((place, self.get(place)?)));
        let rest: Vec<(Place, char)> = pieces().filter(|(_, c)| !"kK.".contains(*c)).collect();
        let bishop = |&((x, y), c): &(Place, char)| "bB".contains(c).then_some((x + y) % 2);
        let colours: Vec<Option<i32>> = rest.iter().map(bishop).collect();
        let one_colour = colours.iter().all(|c| c.is_some() && *c == colours[0]);
        one_colour || rest.len() == 1 && "nN".contains(rest[0].1)
    }

    fn check(king: Place, from: Place) -> Check {
        let (x, y) = (from.0 - king.0, from.1 - king.1);
        let length = |dx: i32| {
            let inside =
                |n: &i32| (0..8).contains(&(king.0 + n * dx)) && (0..8).contains(&(king.1 + n));
            (-7..=7).filter(inside).count()
        };
        match (x, y) {
            (0, _) => Check::File,
            (_, 0) => Check::Rank,
            _ if x.abs() != y.abs() => Check::Knight,
            _ if length(x * y / x.abs() / y.abs()) > length(-x * y / x.abs() / y.abs()) => {
                Check::LongDiagonal
            }
            _ => Check::ShortDiagonal,
        }
    }

    /// The answer to a try; `None` if it is illegal.
    pub(crate) fn answer(&self, attempt: Try) -> Option<Verdict> {
        let (from, to) = (place(&attempt.from.to_string()), place(&attempt.to.to_string()));
        let promotion = attempt.promotion.map(char::from);
        let after = self.played(from, to, promotion)?;
        let pawn = |place: Place| self.get(place).is_some_and(|c| c.eq_ignore_ascii_case(&'p'));
        let beside = (to.0, from.1);
        let capture = if self.get(to) != Some('.') {
            Some((if pawn(to) { CapturedKind::Pawn } else { CapturedKind::Piece }, text(to)))
        } else {
            (pawn(from) && from.0 != to.0).then(|| (CapturedKind::Pawn, text(beside)))
        };
        let legal = after.legal();
        let king = after.king(after.white);
        let checkers = after.attackers(king, !after.white);
        let termination = match (legal.is_empty(), checkers.is_empty()) {
            (true, false) => Some(Termination::Checkmate),
            (true, true) => Some(Termination::Stalemate),
            _ => after.insufficient().then_some(Termination::InsufficientMaterial),
        };
        let mut checks: Vec<Check> = checkers.iter().map(|&c| Twin::check(king, c)).collect();
        checks.sort();
        checks.dedup();
        let takes = |(from, to): &&(Place, Place)| {
            after.get(*from).unwrap().eq_ignore_ascii_case(&'p') && from.0 != to.0
        };
        let mut pawn_tries = legal.iter().filter(takes).count();
        if termination.is_some() {
            (checks, pawn_tries) = (Vec::new(), 0);
        }
        Some(Verdict { capture, checks, pawn_tries, termination, placement: after.placement() })
    }

    /// The piece placement, the first field of a FEN.
    fn placement(&self) -> String {
        let row = |row: &[char; 8]| row.iter().collect::<String>();
        let mut text = self.squares.iter().rev().map(row).collect::<Vec<_>>().join("/");
        for n in (1..=8).rev() {
            text = text.replace(&".".repeat(n), &n.to_string());
        }
        text
    }
}
