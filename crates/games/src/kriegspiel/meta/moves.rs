//! Own moves, illegal tries, and the opponent's unseen moves.

use super::super::{Announcement, Capture, CapturedKind, Checks, Piece, Rank, Square, Try};
use super::{
    AGE_BITS, BISHOP, KING, KNIGHT, Metaposition, PAWN, QUEEN, ROOK, bitboards, castling_squares,
};
use cozy_chess::{get_between_rays, get_king_moves};

impl Metaposition {
    /// The metaposition after a pseudomove: the own move `played` with this announcement.
    #[must_use]
    pub fn pseudo(&self, played: Try, announcement: &Announcement) -> Metaposition {
        let mut after = self.clone();
        let Try { from, to, .. } = played;
        let piece = self.own.piece_on(from);
        after.vacate(get_between_rays(from, to).0 | from.bitboard().0);
        if piece == Some(Piece::King) && !get_king_moves(from).has(to) {
            after.infer_from_castling(from, to);
        }
        if let Some(Capture { kind, square }) = announcement.capture {
            after.remove_captured(kind, square);
        }
        after.own = self.own.moved(played);
        after.occupy(after.own.all().0);
        let pawn = piece == Some(Piece::Pawn);
        after.double_step =
            (pawn && (from.rank() as i8 - to.rank() as i8).abs() == 2).then_some(to);
        after.clock =
            if pawn || announcement.capture.is_some() { 0 } else { self.clock.saturating_add(1) };
        after.clear_turn();
        if announcement.termination.is_none() {
            after.infer_from_own_move(announcement);
        }
        after.make_consistent();
        after
    }

    /// The squares between a castling king and its rook are empty, and those that the king passes
    /// are not attacked.
    fn infer_from_castling(&mut self, from: Square, to: Square) {
        let castlings = castling_squares(self.color());
        if let Some((_, _, _, between)) = castlings.into_iter().find(|castling| castling.2 == to) {
            self.vacate(between);
        }
        let passed = get_between_rays(from, to);
        if self.rules.own_king_safety {
            passed.into_iter().for_each(|square| self.forbid_attackers(square, Checks::NONE));
        }
    }

    /// Removes a captured piece of the opponent.
    fn remove_captured(&mut self, kind: CapturedKind, square: Square) {
        self.count = self.count.saturating_sub(1);
        match kind {
            CapturedKind::Pawn => self.pawns = self.pawns.saturating_sub(1),
            CapturedKind::Piece => self.non_pawns -= 1,
        }
        self.vacate(square.bitboard().0);
        let [short, long] = castling_squares(!self.color());
        self.castling.short &= square != short.1;
        self.castling.long &= square != long.1;
    }

    /// Removes all pseudopieces from these squares, which are empty except for own pieces.
    pub(super) fn vacate(&mut self, squares: u64) {
        self.pseudopieces.iter_mut().for_each(|set| *set &= !squares);
        self.empty |= squares & !self.own.all().0;
    }

    /// Own pieces stand on these squares and on no others.
    fn occupy(&mut self, own: u64) {
        self.pseudopieces.iter_mut().for_each(|set| *set &= !own);
        self.empty = (self.empty | !self.possibly_occupied()) & !own;
    }

    fn clear_turn(&mut self) {
        (self.checks, self.pawn_tries, self.last_refused) = (Checks::NONE, 0, None);
    }

    /// The metaposition after the own try `attempt` was illegal.
    #[must_use]
    pub fn refused(&self, attempt: Try) -> Metaposition {
        let mut after = self.clone();
        if self.rules.illegal_tries {
            after.infer_from_illegal_try(attempt);
            after.make_consistent();
        }
        after.last_refused = Some(attempt);
        after
    }

    /// The metaposition after a metamove: an unseen move of the opponent with this announcement.
    #[must_use]
    pub fn meta(&self, announcement: &Announcement) -> Metaposition {
        let mut after = self.clone();
        let double_steps = match announcement.capture {
            None => after.move_unseen(),
            Some(capture) => {
                after.own_piece_captured(capture.square);
                0
            }
        };
        after.increment_ages();
        after.clock = if announcement.capture.is_some() { 0 } else { self.clock.saturating_add(1) };
        after.double_step = None;
        after.last_refused = None;
        (after.checks, after.pawn_tries) = (announcement.checks, announcement.pawn_tries);
        if after.rules.opponent_king {
            after.forbid_attacked_king();
        }
        if announcement.termination.is_none() {
            after.infer_from_opponent_move(announcement, double_steps);
        }
        after.make_consistent();
        after
    }

    /// Moves every pseudopiece to wherever it may have moved without a capture. Returns the squares
    /// where a pawn may stand that has just made a double step.
    fn move_unseen(&mut self) -> u64 {
        let color = !self.color();
        let free = self.empty;
        let old = self.pseudopieces;
        let step = bitboards::pawn_pushes(color, old[PAWN]) & free;
        let third = Rank::Third.relative_to(color).bitboard().0;
        let double = bitboards::pawn_pushes(color, step & third) & free;
        let last = Rank::Eighth.relative_to(color).bitboard().0;
        let movers = self.possible_movers(free);
        let king = bitboards::king_attacks(old[KING]) & free | self.castling_targets(free);
        if self.count == 1 && self.rules.lone_king {
            self.pseudopieces[KING] = king;
        } else {
            self.pseudopieces[KING] |= king;
        }
        self.pseudopieces[PAWN] |= (step | double) & !last;
        self.pseudopieces[KNIGHT] |= bitboards::knight_attacks(old[KNIGHT]) & free;
        self.pseudopieces[BISHOP] |= bitboards::bishop_attacks(old[BISHOP], free) & free;
        self.pseudopieces[ROOK] |= bitboards::rook_attacks(old[ROOK], free) & free;
        let queens = old[QUEEN];
        self.pseudopieces[QUEEN] |= (bitboards::rook_attacks(queens, free)
            | bitboards::bishop_attacks(queens, free))
            & free;
        self.promote(step & last);
        self.empty |= movers;
        self.revoke_castling();
        double
    }

    /// The squares of pieces that may have moved away without capturing.
    fn possible_movers(&self, free: u64) -> u64 {
        if !self.rules.blocked_pieces {
            return self.possibly_occupied();
        }
        let (orthogonal, diagonal) =
            (bitboards::orthogonal_neighbours(free), bitboards::diagonal_neighbours(free));
        let [pawns, knights, bishops, rooks, queens, king] = self.pseudopieces;
        // King and rook can castle only with a free square beside them, so they are included already.
        pawns & bitboards::pawn_pushes(self.color(), free)
            | knights & bitboards::knight_attacks(free)
            | bishops & diagonal
            | rooks & orthogonal
            | (queens | king) & (orthogonal | diagonal)
    }

    /// The squares to which the opponent's king may have castled.
    fn castling_targets(&self, free: u64) -> u64 {
        let [short, long] = castling_squares(!self.color());
        let mut targets = 0;
        for (allowed, (king, rook, to, between)) in
            [(self.castling.short, short), (self.castling.long, long)]
        {
            let at_home = self.pseudopieces[KING] & king.bitboard().0 != 0
                && self.pseudopieces[ROOK] & rook.bitboard().0 != 0;
            if allowed && at_home && between & !free == 0 {
                targets |= to.bitboard().0;
            }
        }
        targets
    }

    /// Removes castling rights if the king or the rook cannot stand on its home square.
    fn revoke_castling(&mut self) {
        let [short, long] = castling_squares(!self.color());
        let at = |set: u64, square: Square| set & square.bitboard().0 != 0;
        let home = at(self.pseudopieces[KING], short.0);
        self.castling.short &= home && at(self.pseudopieces[ROOK], short.1);
        self.castling.long &= home && at(self.pseudopieces[ROOK], long.1);
    }

    /// Adds pseudopieces for a pawn that may have promoted on these squares.
    fn promote(&mut self, squares: u64) {
        if squares != 0 {
            self.promoted = true;
            for kind in [KNIGHT, BISHOP, ROOK, QUEEN] {
                self.pseudopieces[kind] |= squares;
            }
        }
    }

    /// The own piece on `square` was captured: only pieces that attack this square can have moved.
    fn own_piece_captured(&mut self, square: Square) {
        let attackers = self.attackers(square, !self.empty);
        let en_passant = self.en_passant_capturers(square);
        self.own = self.own.captured(square);
        let all = attackers.iter().fold(0, |all, set| all | set);
        let target = square.bitboard().0;
        self.vacate(target);
        if self.count == 1 && self.rules.lone_king {
            self.pseudopieces[KING] = 0;
        }
        for kind in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
            if attackers[kind] != 0 {
                self.pseudopieces[kind] |= target;
            }
        }
        if attackers[PAWN] != 0 {
            if square.rank() == Rank::Eighth.relative_to(!self.color()) {
                self.promote(target);
            } else {
                self.pseudopieces[PAWN] |= target;
            }
        }
        if en_passant == 0 {
            self.empty &= !target;
        } else {
            let landing = bitboards::pawn_pushes(!self.color(), target);
            self.pseudopieces[PAWN] |= landing;
            if self.rules.capturer && all == 0 {
                self.empty &= !landing;
            }
        }
        let from = all | en_passant;
        if self.rules.capturer && from.is_power_of_two() {
            self.vacate(from);
        }
        self.empty |= from;
        self.revoke_castling();
    }

    /// The pawns that may have captured the pawn on `square` en passant.
    fn en_passant_capturers(&self, square: Square) -> u64 {
        if self.double_step == Some(square) {
            self.pseudopieces[PAWN] & bitboards::rank_neighbours(square.bitboard().0)
        } else {
            0
        }
    }

    /// Adds one to every age.
    fn increment_ages(&mut self) {
        let full = self.age.iter().fold(!0, |all, plane| all & plane);
        let mut carry = !full;
        for plane in &mut self.age {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// Removes contradictions between the seven bitboards, and applies the counting rule.
    pub(super) fn make_consistent(&mut self) {
        if self.rules.counting {
            self.infer_from_piece_counts();
        }
        let own = self.own.all().0;
        self.empty |= !(own | self.possibly_occupied());
        if self.rules.counting {
            self.infer_from_square_counts(own);
        }
        let certain = !(self.empty & self.possibly_occupied());
        self.age.iter_mut().take(AGE_BITS).for_each(|plane| *plane &= !certain);
    }

    fn infer_from_piece_counts(&mut self) {
        if self.pawns_left() == 0 {
            self.pseudopieces[PAWN] = 0;
        }
        if self.count == 1 || !self.promoted && self.non_pawns <= 0 {
            self.pseudopieces[KNIGHT..=QUEEN].fill(0);
        }
        let king = self.pseudopieces[KING];
        if king.is_power_of_two() {
            self.pseudopieces[..KING].iter_mut().for_each(|set| *set &= !king);
            self.empty &= !king;
        }
    }

    fn infer_from_square_counts(&mut self, own: u64) {
        let (certain, possible) = (self.surely_occupied(), self.possibly_occupied());
        if certain.count_ones() == u32::from(self.count) {
            self.vacate(!(certain | own));
        } else if possible.count_ones() == u32::from(self.count) {
            self.empty &= !possible;
        }
    }
}
