//! Inference: what announcements and illegal tries rule out.

use super::super::{Announcement, Check, Checks, Piece, Rank, Square, Try};
use super::bitboards::{self, Attacks, DIAGONAL_IS_LONG};
use super::{BISHOP, BitBoard, KING, KNIGHT, Metaposition, PAWN, QUEEN, ROOK};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves, get_rook_rays,
};

/// The squares from which a piece can give this check to a king on `square`.
fn check_line(square: Square, check: Check) -> u64 {
    let bit = square.bitboard().0;
    let diagonal_is_long = bit & DIAGONAL_IS_LONG != 0;
    match check {
        Check::Rank => square.rank().bitboard().0,
        Check::File => square.file().bitboard().0,
        Check::LongDiagonal if diagonal_is_long => bitboards::diagonal_attacks(bit, !0),
        Check::LongDiagonal => bitboards::anti_diagonal_attacks(bit, !0),
        Check::ShortDiagonal if diagonal_is_long => bitboards::anti_diagonal_attacks(bit, !0),
        Check::ShortDiagonal => bitboards::diagonal_attacks(bit, !0),
        Check::Knight => get_knight_moves(square).0,
    }
}

/// The squares on the lines of those `checks` that were not announced.
fn unannounced_lines(square: Square, announced: Checks, checks: [Check; 2]) -> u64 {
    let unannounced = checks.into_iter().filter(|&check| !announced.has(check));
    unannounced.fold(0, |all, check| all | check_line(square, check))
}

impl Metaposition {
    /// Infers from an own move that the own king is safe, that the opponent's king is in check as
    /// announced, and that the opponent's pawns can capture as announced.
    pub(super) fn infer_from_own_move(&mut self, announcement: &Announcement) {
        if self.rules.own_king_safety
            && let Some(king) = self.own.king()
        {
            self.forbid_attackers(king, Checks::NONE);
        }
        if self.rules.opponent_king {
            self.locate_king(announcement.checks);
        }
        if self.rules.pawn_tries {
            self.infer_from_opponent_pawn_tries(announcement);
        }
    }

    /// Infers from the opponent's move who gives check, and what own pawns can capture.
    pub(super) fn infer_from_opponent_move(
        &mut self,
        announcement: &Announcement,
        double_steps: u64,
    ) {
        if let Some(king) = self.own.king() {
            if self.rules.own_king_safety {
                self.forbid_attackers(king, announcement.checks);
            }
            if self.rules.checkers {
                announcement.checks.iter().for_each(|check| self.locate_checker(king, check));
            }
        }
        if self.rules.pawn_tries {
            self.infer_from_own_pawn_tries(announcement, double_steps);
        }
    }

    /// The opponent's king stands on one of these squares. Simulated announcements may contradict
    /// each other: then the last one is ignored.
    fn narrow_king(&mut self, allowed: u64) {
        let king = self.pseudopieces[KING] & allowed;
        if king != 0 {
            self.pseudopieces[KING] = king;
        }
    }

    /// The squares that cannot block own sliders, because only the opponent's king may stand there.
    fn transparent_squares(&self) -> u64 {
        !(self.own.all().0 | self.possible_non_kings())
    }

    /// After the opponent's move its king is not attacked.
    pub(super) fn forbid_attacked_king(&mut self) {
        let attacks = Attacks::of(&self.own, self.transparent_squares());
        self.narrow_king(!attacks.all());
    }

    /// The opponent's king stands where it is in check exactly as announced.
    fn locate_king(&mut self, announced: Checks) {
        let certain = Attacks::of(&self.own, self.transparent_squares());
        let mut allowed = !certain.king;
        let possible =
            if announced.is_empty() { certain } else { Attacks::of(&self.own, self.empty) };
        for (check, (certain, possible)) in
            Check::ALL.into_iter().zip(certain.by_check().into_iter().zip(possible.by_check()))
        {
            allowed &= if announced.has(check) { possible } else { !certain };
        }
        self.narrow_king(allowed);
    }

    /// Nothing attacks `square` except along the announced lines.
    pub(super) fn forbid_attackers(&mut self, square: Square, announced: Checks) {
        self.narrow_king(!get_king_moves(square).0);
        if !announced.has(Check::Knight) {
            self.pseudopieces[KNIGHT] &= !get_knight_moves(square).0;
        }
        let straight = unannounced_lines(square, announced, [Check::Rank, Check::File]);
        let diagonal =
            unannounced_lines(square, announced, [Check::LongDiagonal, Check::ShortDiagonal]);
        self.pseudopieces[PAWN] &= !(get_pawn_attacks(square, self.color()).0 & diagonal);
        loop {
            // On the first square that may be occupied there is no slider that attacks along the
            // line. If no pseudopiece is left there, it is empty, and the next square has its turn.
            let blockers = BitBoard(self.own.all().0 | self.possibly_occupied());
            let straight = get_rook_moves(square, blockers).0 & straight;
            let diagonal = get_bishop_moves(square, blockers).0 & diagonal;
            let [_, _, bishops, rooks, queens, _] = self.pseudopieces;
            if (rooks | queens) & straight | (bishops | queens) & diagonal == 0 {
                break;
            }
            self.pseudopieces[ROOK] &= !straight;
            self.pseudopieces[BISHOP] &= !diagonal;
            self.pseudopieces[QUEEN] &= !(straight | diagonal);
        }
    }

    /// The squares from which each kind of opponent's piece may attack `square` with these blockers.
    pub(super) fn attackers(&self, square: Square, blockers: u64) -> [u64; Piece::NUM] {
        let blockers = BitBoard(blockers);
        let (straight, diagonal) =
            (get_rook_moves(square, blockers).0, get_bishop_moves(square, blockers).0);
        let [pawns, knights, bishops, rooks, queens, king] = self.pseudopieces;
        [
            pawns & get_pawn_attacks(square, self.color()).0,
            knights & get_knight_moves(square).0,
            bishops & diagonal,
            rooks & straight,
            queens & (straight | diagonal),
            king & get_king_moves(square).0,
        ]
    }

    /// The squares from which the opponent's knights, pawns and king may attack `square`.
    pub fn leaper_attackers(&self, square: Square) -> [BitBoard; 3] {
        let [pawns, knights, .., king] = self.pseudopieces;
        [
            get_knight_moves(square) & BitBoard(knights),
            get_pawn_attacks(square, self.color()) & BitBoard(pawns),
            get_king_moves(square) & BitBoard(king),
        ]
    }

    /// At least one of these pseudopieces is a real piece; if they are all on one square, that
    /// square is occupied.
    fn occupied_by_one_of(&mut self, candidates: [u64; Piece::NUM]) -> Option<Square> {
        let all = candidates.iter().fold(0, |all, set| all | set);
        if !all.is_power_of_two() {
            return None;
        }
        for (pseudopieces, candidates) in self.pseudopieces.iter_mut().zip(candidates) {
            *pseudopieces &= !all | candidates;
        }
        self.empty &= !all;
        BitBoard(all).next_square()
    }

    /// Some piece gives the announced check.
    fn locate_checker(&mut self, king: Square, check: Check) {
        let line = check_line(king, check);
        let mut attackers = self.attackers(king, self.own.all().0 | self.surely_occupied());
        // This leaves either knights or sliders and pawns, since no knight attacks along a line.
        attackers.iter_mut().for_each(|set| *set &= line);
        attackers[KING] = 0;
        if let Some(checker) = self.occupied_by_one_of(attackers)
            && check != Check::Knight
        {
            self.vacate(get_between_rays(king, checker).0);
        }
    }

    /// Which of these own pieces may be pinned.
    fn pinnable(&self, pieces: BitBoard) -> BitBoard {
        let Some(king) = self.own.king() else { return BitBoard::EMPTY };
        let blockers = BitBoard(self.own.all().0 | self.surely_occupied());
        let [_, _, bishops, rooks, queens, _] = self.pseudopieces;
        let pinned = |seen: BitBoard, sliders: u64| -> BitBoard {
            let on_line = |&square: &Square| get_line_rays(king, square).0 & sliders != 0;
            (seen & pieces).into_iter().filter(on_line).collect()
        };
        pinned(get_rook_moves(king, blockers), rooks | queens)
            | pinned(get_bishop_moves(king, blockers), bishops | queens)
    }

    /// Infers from the number of own pawn captures what stands diagonally in front of own pawns.
    fn infer_from_own_pawn_tries(&mut self, announcement: &Announcement, double_steps: u64) {
        let color = self.color();
        let pawns = self.own.pieces(Piece::Pawn);
        if announcement.pawn_tries > 0 {
            let count = |targets: u64| (targets & self.possible_non_kings()).count_ones();
            let captures = count(bitboards::pawn_diagonal_attacks(color, pawns.0))
                + count(bitboards::pawn_anti_diagonal_attacks(color, pawns.0));
            let double_steps = self.pseudopieces[PAWN] & double_steps;
            let en_passant = bitboards::adjacent_pairs(pawns.0, double_steps);
            if captures + en_passant == u32::from(announcement.pawn_tries) {
                let targets = bitboards::pawn_attacks(color, pawns.0) & self.possible_non_kings();
                self.empty &= !targets;
                self.narrow_king(!targets);
            }
        } else if announcement.checks.is_empty() {
            let free = pawns & !self.pinnable(pawns);
            self.vacate(bitboards::pawn_attacks(color, free.0) & !self.own.all().0);
        }
    }

    /// Infers from the number of the opponent's pawn captures where its pawns stand.
    fn infer_from_opponent_pawn_tries(&mut self, announcement: &Announcement) {
        let color = self.color();
        let pawns = self.pseudopieces[PAWN];
        let own = self.own.all() & !self.own.pieces(Piece::King);
        if announcement.pawn_tries > 0 {
            let step = self.double_step.map_or(0, |square| square.bitboard().0);
            let targets = own.0 | bitboards::pawn_pushes(!color, step);
            let count = |attacked: u64| (attacked & targets).count_ones();
            // The passed square is a target as well; a target that pawns may attack from both sides
            // counts twice.
            let captures = count(bitboards::pawn_diagonal_attacks(!color, pawns))
                + count(bitboards::pawn_anti_diagonal_attacks(!color, pawns));
            if captures == u32::from(announcement.pawn_tries) {
                let certain = pawns & bitboards::pawn_attacks(color, targets);
                self.pseudopieces[PAWN + 1..].iter_mut().for_each(|set| *set &= !certain);
                self.empty &= !certain;
            }
        } else if announcement.checks.is_empty() {
            // A pinned pawn cannot capture, and the slider that pins a pawn attacks it.
            let possible = Attacks::of(&self.own, self.empty);
            self.pseudopieces[PAWN] &= !(bitboards::pawn_attacks(color, own.0) & !possible.sliders);
        }
    }

    /// Infers from an illegal try why it was illegal, if own pieces alone do not explain it.
    pub(super) fn infer_from_illegal_try(&mut self, attempt: Try) {
        let Try { from, to, promotion } = attempt;
        let own = self.own.all();
        let Some(piece) = self.own.piece_on(from).filter(|_| !own.has(to)) else { return };
        let promotes = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(self.color());
        if promotion.is_some() != promotes {
            return;
        }
        if piece == Piece::King {
            if get_king_moves(from).has(to) {
                self.infer_attack_on(to);
            }
            return;
        }
        if !self.checks.is_empty() || !self.pinnable(from.bitboard()).is_empty() {
            return;
        }
        let between = get_between_rays(from, to);
        let open = (between & own).is_empty();
        let rays = match piece {
            Piece::Pawn => return self.infer_from_illegal_pawn_try(from, to),
            Piece::Bishop => get_bishop_rays(from),
            Piece::Rook => get_rook_rays(from),
            Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
            Piece::Knight | Piece::King => return,
        };
        if open && rays.has(to) {
            self.infer_blocker_on(between.0);
        }
    }

    fn infer_from_illegal_pawn_try(&mut self, from: Square, to: Square) {
        let color = self.color();
        if get_pawn_attacks(from, color).has(to) {
            self.vacate(to.bitboard().0);
        } else if get_pawn_quiets(from, color, self.own.all()).has(to) {
            self.infer_blocker_on((get_between_rays(from, to) | to.bitboard()).0);
        }
    }

    /// An opponent's piece stands on one of these squares.
    fn infer_blocker_on(&mut self, squares: u64) {
        let blockers = self.possibly_occupied() & squares;
        if self.count == 1 {
            self.narrow_king(squares);
        } else if blockers.is_power_of_two() {
            self.empty &= !blockers;
        }
    }

    /// The own king would be in check on `square`.
    fn infer_attack_on(&mut self, square: Square) {
        let king = self.own.pieces(Piece::King).0;
        let attackers = self.attackers(square, self.own.all().0 & !king | self.surely_occupied());
        if self.count == 1 {
            self.narrow_king(attackers[KING]);
        } else {
            self.occupied_by_one_of(attackers);
        }
    }
}
