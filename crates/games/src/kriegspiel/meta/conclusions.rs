//! What the umpire's words rule out.

use super::super::{Announcement, Check, Checks, Piece, Rank, Square, Try};
use super::lines::{self, Attacks, RISING_IS_LONG};
use super::{BISHOP, BitBoard, KING, KNIGHT, Metaposition, PAWN, QUEEN, ROOK};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves, get_rook_rays,
};

/// The lines through a king's square, by the check that comes along them.
fn line(square: Square, check: Check) -> u64 {
    let bit = square.bitboard().0;
    let rising_is_long = bit & RISING_IS_LONG != 0;
    match check {
        Check::Rank => square.rank().bitboard().0,
        Check::File => square.file().bitboard().0,
        Check::LongDiagonal if rising_is_long => lines::rising(bit, !0),
        Check::LongDiagonal => lines::falling(bit, !0),
        Check::ShortDiagonal if rising_is_long => lines::falling(bit, !0),
        Check::ShortDiagonal => lines::rising(bit, !0),
        Check::Knight => get_knight_moves(square).0,
    }
}

/// The lines of the checks that were not announced.
fn silent(square: Square, announced: Checks, checks: [Check; 2]) -> u64 {
    let silent = checks.into_iter().filter(|&check| !announced.has(check));
    silent.fold(0, |all, check| all | line(square, check))
}

impl Metaposition {
    /// After an own move: the own king is safe, the other one is in check as announced, and pawns
    /// can capture as announced.
    pub(super) fn conclude_from_own_move(&mut self, heard: &Announcement) {
        if self.sharpness.own_king
            && let Some(king) = self.own.king()
        {
            self.forbid_attackers(king, Checks::NONE);
        }
        if self.sharpness.other_king {
            self.place_king(heard.checks);
        }
        if self.sharpness.pawn_tries {
            self.hear_others_pawn_tries(heard);
        }
    }

    /// After the other side's move.
    pub(super) fn conclude_from_other_move(&mut self, heard: &Announcement, double_steps: u64) {
        if let Some(king) = self.own.king() {
            if self.sharpness.own_king {
                self.forbid_attackers(king, heard.checks);
            }
            if self.sharpness.checkers {
                heard.checks.iter().for_each(|check| self.find_checker(king, check));
            }
        }
        if self.sharpness.pawn_tries {
            self.hear_own_pawn_tries(heard, double_steps);
        }
    }

    /// The king stands on one of these squares. Words that a search made up may contradict each
    /// other: then the last of them is not believed.
    fn narrow_king(&mut self, allowed: u64) {
        let king = self.ghosts[KING] & allowed;
        if king != 0 {
            self.ghosts[KING] = king;
        }
    }

    /// What surely stands in no way of own sliders that aim at the king: squares where nothing but
    /// the king itself could be.
    fn free_for_checks(&self) -> u64 {
        !(self.own.all().0 | self.others())
    }

    /// The other side has moved: its king is not attacked.
    pub(super) fn forbid_attacked_king(&mut self) {
        let attacks = Attacks::of(&self.own, self.free_for_checks());
        self.narrow_king(!attacks.all());
    }

    /// The other king stands where it is in check as announced, and in no other way.
    fn place_king(&mut self, announced: Checks) {
        let sure = Attacks::of(&self.own, self.free_for_checks());
        let mut allowed = !sure.king;
        let maybe = if announced.is_empty() { sure } else { Attacks::of(&self.own, self.empty) };
        for (check, (sure, maybe)) in
            Check::ALL.into_iter().zip(sure.by_check().into_iter().zip(maybe.by_check()))
        {
            allowed &= if announced.has(check) { maybe } else { !sure };
        }
        self.narrow_king(allowed);
    }

    /// Nothing attacks `square` except along the lines announced.
    pub(super) fn forbid_attackers(&mut self, square: Square, announced: Checks) {
        self.narrow_king(!get_king_moves(square).0);
        if !announced.has(Check::Knight) {
            self.ghosts[KNIGHT] &= !get_knight_moves(square).0;
        }
        let straight = silent(square, announced, [Check::Rank, Check::File]);
        let diagonal = silent(square, announced, [Check::LongDiagonal, Check::ShortDiagonal]);
        self.ghosts[PAWN] &= !(get_pawn_attacks(square, self.side()).0 & diagonal);
        loop {
            // The first square where anything can stand may hold no slider that attacks from there;
            // if nothing is left for it, it is empty, and the next one comes into view.
            let blockers = BitBoard(self.own.all().0 | self.union());
            let straight = get_rook_moves(square, blockers).0 & straight;
            let diagonal = get_bishop_moves(square, blockers).0 & diagonal;
            let [_, _, bishops, rooks, queens, _] = self.ghosts;
            if (rooks | queens) & straight | (bishops | queens) & diagonal == 0 {
                break;
            }
            self.ghosts[ROOK] &= !straight;
            self.ghosts[BISHOP] &= !diagonal;
            self.ghosts[QUEEN] &= !(straight | diagonal);
        }
    }

    /// Where each kind of man may stand so as to attack `square` past these blockers.
    pub(super) fn sources(&self, square: Square, blockers: u64) -> [u64; Piece::NUM] {
        let blockers = BitBoard(blockers);
        let (straight, diagonal) =
            (get_rook_moves(square, blockers).0, get_bishop_moves(square, blockers).0);
        let [pawns, knights, bishops, rooks, queens, king] = self.ghosts;
        [
            pawns & get_pawn_attacks(square, self.side()).0,
            knights & get_knight_moves(square).0,
            bishops & diagonal,
            rooks & straight,
            queens & (straight | diagonal),
            king & get_king_moves(square).0,
        ]
    }

    /// From where knights, pawns and the king of the other side may attack `square`.
    pub fn leapers(&self, square: Square) -> [BitBoard; 3] {
        let [pawns, knights, .., king] = self.ghosts;
        [
            get_knight_moves(square) & BitBoard(knights),
            get_pawn_attacks(square, self.side()) & BitBoard(pawns),
            get_king_moves(square) & BitBoard(king),
        ]
    }

    /// One of these men is there; if they are all on one square, it is known which square.
    fn one_of(&mut self, sources: [u64; Piece::NUM]) -> Option<Square> {
        let all = sources.iter().fold(0, |all, set| all | set);
        if !all.is_power_of_two() {
            return None;
        }
        for (ghosts, sources) in self.ghosts.iter_mut().zip(sources) {
            *ghosts &= !all | sources;
        }
        self.empty &= !all;
        BitBoard(all).next_square()
    }

    /// Some man gives the announced check.
    fn find_checker(&mut self, king: Square, check: Check) {
        let line = line(king, check);
        let mut sources = self.sources(king, self.own.all().0 | self.must());
        sources.iter_mut().for_each(|set| *set &= line);
        // A knight's squares are on no line, and those of lines are no knight's.
        sources[KING] = 0;
        if let Some(checker) = self.one_of(sources)
            && check != Check::Knight
        {
            self.vacate(get_between_rays(king, checker).0);
        }
    }

    /// Which of these own men may be pinned.
    fn pinnable(&self, men: BitBoard) -> BitBoard {
        let Some(king) = self.own.king() else { return BitBoard::EMPTY };
        let blockers = BitBoard(self.own.all().0 | self.must());
        let [_, _, bishops, rooks, queens, _] = self.ghosts;
        let pinned = |seen: BitBoard, sliders: u64| -> BitBoard {
            let behind = |&man: &Square| get_line_rays(king, man).0 & sliders != 0;
            (seen & men).into_iter().filter(behind).collect()
        };
        pinned(get_rook_moves(king, blockers), rooks | queens)
            | pinned(get_bishop_moves(king, blockers), bishops | queens)
    }

    /// What the number of the own pawns' captures tells of the squares before them.
    fn hear_own_pawn_tries(&mut self, heard: &Announcement, double_steps: u64) {
        let side = self.side();
        let pawns = self.own.men(Piece::Pawn);
        if heard.pawn_tries > 0 {
            let count = |targets: u64| (targets & self.others()).count_ones();
            let captures = count(lines::pawn_rising(side, pawns.0))
                + count(lines::pawn_falling(side, pawns.0));
            let passing = self.ghosts[PAWN] & double_steps;
            let passing = lines::pairs(pawns.0, passing);
            if captures + passing == u32::from(heard.pawn_tries) {
                let targets = lines::pawn_attacks(side, pawns.0) & self.others();
                self.empty &= !targets;
                self.narrow_king(!targets);
            }
        } else if heard.checks.is_empty() {
            let free = pawns & !self.pinnable(pawns);
            self.vacate(lines::pawn_attacks(side, free.0) & !self.own.all().0);
        }
    }

    /// What the number of the other pawns' captures tells of where they stand.
    fn hear_others_pawn_tries(&mut self, heard: &Announcement) {
        let side = self.side();
        let pawns = self.ghosts[PAWN];
        let own = self.own.all() & !self.own.men(Piece::King);
        if heard.pawn_tries > 0 {
            let step = self.double_step.map_or(0, |square| square.bitboard().0);
            let targets = own.0 | lines::forward(!side, step);
            let count = |attacked: u64| (attacked & targets).count_ones();
            // Only a pawn captures en passant, and only on the square that was passed; that the
            // square before a pawn may also be attacked by the other way is counted, too.
            let captures =
                count(lines::pawn_rising(!side, pawns)) + count(lines::pawn_falling(!side, pawns));
            if captures == u32::from(heard.pawn_tries) {
                let certain = pawns & lines::pawn_attacks(side, targets);
                self.ghosts[PAWN + 1..].iter_mut().for_each(|set| *set &= !certain);
                self.empty &= !certain;
            }
        } else if heard.checks.is_empty() {
            // One that is pinned cannot capture; it is attacked by the slider that pins it.
            let maybe = Attacks::of(&self.own, self.empty);
            self.ghosts[PAWN] &= !(lines::pawn_attacks(side, own.0) & !maybe.sliders);
        }
    }

    /// An illegal try tells something only if it could have been legal.
    pub(super) fn conclude_from_refusal(&mut self, attempt: Try) {
        let Try { from, to, promotion } = attempt;
        let own = self.own.all();
        let Some(piece) = self.own.piece_on(from).filter(|_| !own.has(to)) else { return };
        let promotes = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(self.side());
        if promotion.is_some() != promotes {
            return;
        }
        if piece == Piece::King {
            if get_king_moves(from).has(to) {
                self.square_is_attacked(to);
            }
            return;
        }
        if !self.checks.is_empty() || !self.pinnable(from.bitboard()).is_empty() {
            return;
        }
        let between = get_between_rays(from, to);
        let open = (between & own).is_empty();
        let rays = match piece {
            Piece::Pawn => return self.pawn_is_stopped(from, to),
            Piece::Bishop => get_bishop_rays(from),
            Piece::Rook => get_rook_rays(from),
            Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
            Piece::Knight | Piece::King => return,
        };
        if open && rays.has(to) {
            self.someone_on(between.0);
        }
    }

    fn pawn_is_stopped(&mut self, from: Square, to: Square) {
        let side = self.side();
        if get_pawn_attacks(from, side).has(to) {
            self.vacate(to.bitboard().0);
        } else if get_pawn_quiets(from, side, self.own.all()).has(to) {
            self.someone_on((get_between_rays(from, to) | to.bitboard()).0);
        }
    }

    /// A man of the other side stands on one of these squares.
    fn someone_on(&mut self, squares: u64) {
        let there = self.union() & squares;
        if self.men == 1 {
            self.narrow_king(squares);
        } else if there.is_power_of_two() {
            self.empty &= !there;
        }
    }

    /// The own king would be in check on `square`.
    fn square_is_attacked(&mut self, square: Square) {
        let king = self.own.men(Piece::King).0;
        let sources = self.sources(square, self.own.all().0 & !king | self.must());
        if self.men == 1 {
            self.narrow_king(sources[KING]);
        } else {
            self.one_of(sources);
        }
    }
}
