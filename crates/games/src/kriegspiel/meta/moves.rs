//! Own moves, illegal tries, and the other side's unseen moves.

use super::super::{Announcement, Capture, CapturedKind, Checks, Piece, Rank, Square, Try};
use super::{
    AGE_BITS, BISHOP, KING, KNIGHT, Metaposition, PAWN, QUEEN, ROOK, castling_squares, lines,
};
use cozy_chess::{get_between_rays, get_king_moves};

impl Metaposition {
    /// The knowledge after the own move `played`, of which the umpire said `heard`.
    #[must_use]
    pub fn pseudo(&self, played: Try, heard: &Announcement) -> Metaposition {
        let mut after = self.clone();
        let Try { from, to, .. } = played;
        let piece = self.own.piece_on(from);
        after.vacate(get_between_rays(from, to).0 | from.bitboard().0);
        if piece == Some(Piece::King) && !get_king_moves(from).has(to) {
            after.pass_castling(from, to);
        }
        if let Some(Capture { kind, square }) = heard.capture {
            after.take(kind, square);
        }
        after.own = self.own.moved(played);
        after.stand(after.own.all().0);
        let pawn = piece == Some(Piece::Pawn);
        after.double_step =
            (pawn && (from.rank() as i8 - to.rank() as i8).abs() == 2).then_some(to);
        after.clock =
            if pawn || heard.capture.is_some() { 0 } else { self.clock.saturating_add(1) };
        after.hear_nothing();
        if heard.termination.is_none() {
            after.conclude_from_own_move(heard);
        }
        after.settle();
        after
    }

    /// What is on the way of a castling king and its rook is empty, and is not attacked.
    fn pass_castling(&mut self, from: Square, to: Square) {
        let ways = castling_squares(self.side());
        if let Some((_, _, _, between)) = ways.into_iter().find(|way| way.2 == to) {
            self.vacate(between);
        }
        let way = get_between_rays(from, to);
        if self.sharpness.own_king {
            way.into_iter().for_each(|square| self.forbid_attackers(square, Checks::NONE));
        }
    }

    /// The other side loses a man.
    fn take(&mut self, kind: CapturedKind, square: Square) {
        self.men = self.men.saturating_sub(1);
        match kind {
            CapturedKind::Pawn => self.pawns = self.pawns.saturating_sub(1),
            CapturedKind::Piece => self.pieces -= 1,
        }
        self.vacate(square.bitboard().0);
        let [short, long] = castling_squares(!self.side());
        self.castling.short &= square != short.1;
        self.castling.long &= square != long.1;
    }

    /// These squares are empty, or would be if no own man stood there.
    pub(super) fn vacate(&mut self, squares: u64) {
        self.ghosts.iter_mut().for_each(|set| *set &= !squares);
        self.empty |= squares & !self.own.all().0;
    }

    /// Own men stand on these squares, and on no others.
    fn stand(&mut self, own: u64) {
        self.ghosts.iter_mut().for_each(|set| *set &= !own);
        self.empty = (self.empty | !self.union()) & !own;
    }

    fn hear_nothing(&mut self) {
        (self.checks, self.pawn_tries, self.last_refused) = (Checks::NONE, 0, None);
    }

    /// The knowledge after the own try `attempt` was illegal.
    #[must_use]
    pub fn refused(&self, attempt: Try) -> Metaposition {
        let mut after = self.clone();
        if self.sharpness.refusals {
            after.conclude_from_refusal(attempt);
            after.settle();
        }
        after.last_refused = Some(attempt);
        after
    }

    /// The knowledge after the other side has made a move of which the umpire said `heard`.
    #[must_use]
    pub fn meta(&self, heard: &Announcement) -> Metaposition {
        let mut after = self.clone();
        let double_steps = match heard.capture {
            None => after.spread(),
            Some(capture) => {
                after.be_captured(capture.square);
                0
            }
        };
        after.grow_older();
        after.clock = if heard.capture.is_some() { 0 } else { self.clock.saturating_add(1) };
        after.double_step = None;
        after.last_refused = None;
        (after.checks, after.pawn_tries) = (heard.checks, heard.pawn_tries);
        if after.sharpness.other_king {
            after.forbid_attacked_king();
        }
        if heard.termination.is_none() {
            after.conclude_from_other_move(heard, double_steps);
        }
        after.settle();
        after
    }

    /// A move without a capture: any man may have gone anywhere. Returns where pawns may stand that
    /// have just made a double step.
    fn spread(&mut self) -> u64 {
        let side = !self.side();
        let free = self.empty;
        let old = self.ghosts;
        let step = lines::forward(side, old[PAWN]) & free;
        let third = Rank::Third.relative_to(side).bitboard().0;
        let double = lines::forward(side, step & third) & free;
        let last = Rank::Eighth.relative_to(side).bitboard().0;
        let movers = self.movers(free);
        let king = lines::around(old[KING]) & free | self.castling_targets(free);
        if self.men == 1 && self.sharpness.lone_king {
            self.ghosts[KING] = king;
        } else {
            self.ghosts[KING] |= king;
        }
        self.ghosts[PAWN] |= (step | double) & !last;
        self.ghosts[KNIGHT] |= lines::jumps(old[KNIGHT]) & free;
        self.ghosts[BISHOP] |= lines::diagonal(old[BISHOP], free) & free;
        self.ghosts[ROOK] |= lines::straight(old[ROOK], free) & free;
        let queens = old[QUEEN];
        self.ghosts[QUEEN] |=
            (lines::straight(queens, free) | lines::diagonal(queens, free)) & free;
        self.promote(step & last);
        self.empty |= movers;
        self.forget_castling();
        double
    }

    /// The squares of men that may have left them without capturing.
    fn movers(&self, free: u64) -> u64 {
        if !self.sharpness.blocked_men {
            return self.union();
        }
        let (beside, cornering) = (lines::beside(free), lines::cornering(free));
        let [pawns, knights, bishops, rooks, queens, king] = self.ghosts;
        // Castling needs a free square beside both men, so that they are counted already.
        pawns & lines::forward(self.side(), free)
            | knights & lines::jumps(free)
            | bishops & cornering
            | rooks & beside
            | (queens | king) & (beside | cornering)
    }

    /// Where the other king may have castled to.
    fn castling_targets(&self, free: u64) -> u64 {
        let [short, long] = castling_squares(!self.side());
        let mut targets = 0;
        for (may, (king, rook, to, between)) in
            [(self.castling.short, short), (self.castling.long, long)]
        {
            let there = self.ghosts[KING] & king.bitboard().0 != 0
                && self.ghosts[ROOK] & rook.bitboard().0 != 0;
            if may && there && between & !free == 0 {
                targets |= to.bitboard().0;
            }
        }
        targets
    }

    /// Castling is over once king or rook cannot stand at home.
    fn forget_castling(&mut self) {
        let [short, long] = castling_squares(!self.side());
        let at = |set: u64, square: Square| set & square.bitboard().0 != 0;
        let home = at(self.ghosts[KING], short.0);
        self.castling.short &= home && at(self.ghosts[ROOK], short.1);
        self.castling.long &= home && at(self.ghosts[ROOK], long.1);
    }

    /// A pawn may have arrived on these squares of the last rank.
    fn promote(&mut self, squares: u64) {
        if squares != 0 {
            self.promoted = true;
            for kind in [KNIGHT, BISHOP, ROOK, QUEEN] {
                self.ghosts[kind] |= squares;
            }
        }
    }

    /// The own man on `square` was captured: exactly one man has moved, and most of them cannot
    /// have been it.
    fn be_captured(&mut self, square: Square) {
        let sources = self.sources(square, !self.empty);
        let by_passing = self.passing_capturers(square);
        self.own = self.own.captured(square);
        let all = sources.iter().fold(0, |all, set| all | set);
        let target = square.bitboard().0;
        self.vacate(target);
        if self.men == 1 && self.sharpness.lone_king {
            self.ghosts[KING] = 0;
        }
        for kind in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
            if sources[kind] != 0 {
                self.ghosts[kind] |= target;
            }
        }
        if sources[PAWN] != 0 {
            if square.rank() == Rank::Eighth.relative_to(!self.side()) {
                self.promote(target);
            } else {
                self.ghosts[PAWN] |= target;
            }
        }
        if by_passing == 0 {
            self.empty &= !target;
        } else {
            let landing = lines::forward(!self.side(), target);
            self.ghosts[PAWN] |= landing;
            if self.sharpness.capturer && all == 0 {
                self.empty &= !landing;
            }
        }
        let from = all | by_passing;
        if self.sharpness.capturer && from.is_power_of_two() {
            self.vacate(from);
        }
        self.empty |= from;
        self.forget_castling();
    }

    /// The pawns that may have captured the pawn on `square` en passant.
    fn passing_capturers(&self, square: Square) -> u64 {
        if self.double_step == Some(square) {
            self.ghosts[PAWN] & lines::neighbours(square.bitboard().0)
        } else {
            0
        }
    }

    /// Adds one to every age.
    fn grow_older(&mut self) {
        let full = self.age.iter().fold(!0, |all, plane| all & plane);
        let mut carry = !full;
        for plane in &mut self.age {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// Makes the seven sets agree with each other, and counts.
    pub(super) fn settle(&mut self) {
        if self.sharpness.counts {
            self.count_kinds();
        }
        let own = self.own.all().0;
        self.empty |= !(own | self.union());
        if self.sharpness.counts {
            self.count_squares(own);
        }
        let certain = !(self.empty & self.union());
        self.age.iter_mut().take(AGE_BITS).for_each(|plane| *plane &= !certain);
    }

    fn count_kinds(&mut self) {
        if self.pawns_left() == 0 {
            self.ghosts[PAWN] = 0;
        }
        if self.men == 1 || !self.promoted && self.pieces <= 0 {
            self.ghosts[KNIGHT..=QUEEN].fill(0);
        }
        let king = self.ghosts[KING];
        if king.is_power_of_two() {
            self.ghosts[..KING].iter_mut().for_each(|set| *set &= !king);
            self.empty &= !king;
        }
    }

    fn count_squares(&mut self, own: u64) {
        let (must, may) = (self.must(), self.union());
        if must.count_ones() == u32::from(self.men) {
            self.vacate(!(must | own));
        } else if may.count_ones() == u32::from(self.men) {
            self.empty &= !may;
        }
    }
}
