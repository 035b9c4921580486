//! The slow twin of the metaposition without inference rules: a set of kinds for each of 64 squares,
//! moved piece by piece and step by step.

use games::kriegspiel::{
    Announcement, Castling, Color, InferenceRules, Metaposition, Piece, Rank, Square, Try,
};
use std::collections::BTreeSet;

type Step = (i8, i8);

const STRAIGHT: [Step; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [Step; 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The pseudopieces on every square; `None` is the empty one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MetaTwin {
    color: Color,
    squares: Vec<BTreeSet<Option<Piece>>>,
    castling: Castling,
    double_step: Option<Square>,
}

fn at(square: Square) -> usize {
    square as usize
}

impl MetaTwin {
    pub(crate) fn new(meta: &Metaposition) -> MetaTwin {
        let kinds = |&square: &Square| {
            let pseudopieces =
                Piece::ALL.into_iter().filter(|&piece| meta.pseudopieces(piece).has(square));
            let empty = meta.may_be_empty().has(square).then_some(None);
            pseudopieces.map(Some).chain(empty).collect()
        };
        MetaTwin {
            color: meta.color(),
            squares: Square::ALL.iter().map(kinds).collect(),
            castling: meta.opponent_castling(),
            double_step: None,
        }
    }

    fn may(&self, square: Square, what: Option<Piece>) -> bool {
        self.squares[at(square)].contains(&what)
    }

    fn up(&self) -> i8 {
        if self.color == Color::White { -1 } else { 1 } // of the other color
    }

    /// The squares to which a piece may move, if `onto` allows the destination.
    fn destinations(
        &self,
        piece: Piece,
        from: Square,
        onto: &dyn Fn(Square) -> bool,
    ) -> Vec<Square> {
        let (steps, far): (Vec<Step>, u8) = match piece {
            Piece::Pawn => unreachable!("pawns have their own functions"),
            Piece::Knight => (JUMPS.to_vec(), 1),
            Piece::Bishop => (DIAGONAL.to_vec(), 7),
            Piece::Rook => (STRAIGHT.to_vec(), 7),
            Piece::Queen => ([STRAIGHT, DIAGONAL].concat(), 7),
            Piece::King => ([STRAIGHT, DIAGONAL].concat(), 1),
        };
        let mut reach = Vec::new();
        for (x, y) in steps {
            let mut square = from;
            for _ in 0..far {
                let Some(next) = square.try_offset(x, y) else { break };
                square = next;
                reach.extend(onto(square).then_some(square));
                if !self.may(square, None) {
                    break;
                }
            }
        }
        reach
    }

    fn pieces(&self) -> Vec<(Square, Piece)> {
        let kinds = |square: Square| {
            self.squares[at(square)].iter().flatten().map(move |&piece| (square, piece))
        };
        Square::ALL.into_iter().flat_map(kinds).collect()
    }

    fn put(after: &mut MetaTwin, square: Square, piece: Piece, last: bool) {
        if piece == Piece::Pawn && last {
            after.squares[at(square)].extend(PROMOTIONS.map(Some));
        } else {
            after.squares[at(square)].insert(Some(piece));
        }
    }

    fn is_last(&self, square: Square) -> bool {
        square.rank() == Rank::Eighth.relative_to(!self.color)
    }

    fn pushes(&self, from: Square) -> Vec<Square> {
        let home = Rank::Second.relative_to(!self.color);
        let one = from.try_offset(0, self.up()).filter(|&to| self.may(to, None));
        let two = one.filter(|_| from.rank() == home).and_then(|to| to.try_offset(0, self.up()));
        one.into_iter().chain(two.filter(|&to| self.may(to, None))).collect()
    }

    fn silent_move(&self) -> MetaTwin {
        let mut after = self.clone();
        for (from, piece) in self.pieces() {
            let targets = match piece {
                Piece::Pawn => self.pushes(from),
                _ => self.destinations(piece, from, &|to| self.may(to, None)),
            };
            for to in targets {
                MetaTwin::put(&mut after, to, piece, self.is_last(to));
            }
            after.squares[at(from)].insert(None);
        }
        let home = Rank::First.relative_to(!self.color) as u8 + 1;
        let square = |file: char| format!("{file}{home}").parse::<Square>().unwrap();
        for (may, rook, to, way) in
            [(self.castling.short, 'h', 'g', "fg"), (self.castling.long, 'a', 'c', "bcd")]
        {
            let there = self.may(square('e'), Some(Piece::King))
                && self.may(square(rook), Some(Piece::Rook));
            if may && there && way.chars().all(|file| self.may(square(file), None)) {
                after.squares[at(square(to))].insert(Some(Piece::King));
            }
        }
        after
    }

    fn capture_on(&self, target: Square) -> MetaTwin {
        let mut after = self.clone();
        after.squares[at(target)].clear();
        let mut passing = false;
        for (from, piece) in self.pieces() {
            let hits = match piece {
                Piece::Pawn => {
                    [-1, 1].iter().any(|&x| from.try_offset(x, self.up()) == Some(target))
                }
                _ => self.destinations(piece, from, &|to| to == target).contains(&target),
            };
            if hits {
                MetaTwin::put(&mut after, target, piece, self.is_last(target));
                after.squares[at(from)].insert(None);
            }
            let beside = [-1, 1].iter().any(|&x| from.try_offset(x, 0) == Some(target));
            if piece == Piece::Pawn && beside && self.double_step == Some(target) {
                let landing = target.try_offset(0, self.up()).unwrap();
                after.squares[at(landing)].insert(Some(Piece::Pawn));
                after.squares[at(from)].insert(None);
                passing = true;
            }
        }
        if passing {
            after.squares[at(target)].insert(None);
        }
        after
    }

    /// The opponent's move. Castling rights are those of the tested metaposition.
    pub(crate) fn meta(&self, announcement: &Announcement) -> MetaTwin {
        match announcement.capture {
            None => self.silent_move(),
            Some(capture) => self.capture_on(capture.square),
        }
    }

    /// Whether `meta` has the same pseudopieces on every square.
    pub(crate) fn agrees(&self, meta: &Metaposition) -> bool {
        MetaTwin::new(meta).squares == self.squares
    }

    pub(crate) fn with_double_step(mut self, played: Option<Try>, pawn: bool) -> MetaTwin {
        let far = |mv: &Try| (mv.from.rank() as i8 - mv.to.rank() as i8).abs() == 2;
        self.double_step = played.filter(|mv| pawn && far(mv)).map(|mv| mv.to);
        self
    }

    pub(crate) const RULES: InferenceRules = InferenceRules::NONE;
}
