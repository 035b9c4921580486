//! The weights of Darkboard's evaluation, tuned by matches.

use games::kriegspiel::Piece;

/// Defines the weights: documentation, name and default of each.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        /// The weights of the evaluation, in pawns unless stated otherwise. Tuned by matches against
        /// `random` and `greedy`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Default for Weights {
            fn default() -> Weights {
                Weights { $($name: $value,)* }
            }
        }

        impl Weights {
            /// All weights with their names in the options.
            pub fn named(&self) -> Vec<(&'static str, f32)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// The weight with this name.
            pub(super) fn named_mut(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// The value of a knight.
    knight = 3.0;
    /// The value of a bishop.
    bishop = 3.2;
    /// The value of a rook.
    rook = 5.0;
    /// The value of a queen.
    queen = 9.5;
    /// The average value of an opponent's piece of unknown kind.
    piece = 7.6;
    /// The expected loss factor of a threatened piece that has just captured. Threat probabilities
    /// are estimated too low, so such factors may exceed 1.
    risk_capturing = 0.42;
    /// The expected loss factor of a threatened piece that has just moved.
    risk_moving = 3.3;
    /// The expected loss factor of a threatened piece that has not moved.
    risk_standing = 0.22;
    /// The expected loss factor of a piece attacked by a pawn, of which the umpire informs the
    /// opponent.
    risk_by_pawn = 0.9;
    /// The expected loss factor of an unguarded piece that gives check to a king next to it.
    risk_by_king = 2.0;
    /// The gain from a recapture.
    revenge = 2.5;
    /// The gain from recapturing a pawn.
    revenge_on_pawn = 0.8;
    /// The minimum share of a piece's value that is lost in spite of a recapture.
    risk_least = 0.15;
    /// The probability that one of the opponent's pieces guards the square of another.
    guards = 0.043;
    /// The weight of a capture that is only likely.
    hope = 0.97;
    /// The value of a square that own pieces attack.
    control = 0.026;
    /// The value of a rook or queen on a file without own pawns.
    open_file = 0.32;
    /// The additional value of a pawn one step before promotion.
    advance = 1.33;
    /// The factor of that value for each step farther from promotion.
    advance_fold = 0.38;
    /// The cost of a pseudopiece.
    entropy = 0.026;
    /// The cost of the king's first rank away from home, while the opponent has pieces; it grows with
    /// the square of the distance: one rank is safe, in the middle of the board the king is mated.
    king_home = 0.15;
    /// The number of the opponent's pieces at which that cost counts in full.
    king_hunters = 4.0;
    /// The cost of a square to which the opponent's king may move, when little else is left.
    region = 0.033;
    /// The additional cost of a square of the centre where it may stand, relative to `region`.
    region_centre = 0.5;
    /// The opponent's material below which the squares of its king begin to count.
    region_from = 24.0;
    /// The value of a checkmate.
    mate = 24.0;
    /// The cost of a stalemate.
    stalemate = 115.0;
    /// How many times more likely a pawn is to be where it is blocked: other pawns move on.
    stopped = 4.0;
    /// The probability that a pawn that is not blocked cannot move.
    stuck_pawn = 0.05;
    /// The probability that a piece cannot move.
    stuck_piece = 0.15;
    /// The cost of each ply beyond `late_from`, as the fifty-move rule comes closer.
    late = 0.042;
    /// Plies without a capture or a pawn move that cost nothing yet.
    late_from = 40.0;
    /// The cost of each repetition of a placement.
    repeated = 0.27;
    /// The share of the probability that a square is still empty that each unseen move removes.
    fade = 0.15;
    /// The share that is removed from the beginning.
    fade_least = 0.02;
    /// The greatest occupancy probability of a square that is not certainly occupied.
    guess_most = 0.9;
    /// The minimum probability that a line is clear for it to be followed further.
    line_least = 0.02;
    /// Alpha, the weight of the static value, when material is even.
    alpha_even = 0.85;
    /// The decrease of alpha for each pawn that the own side is ahead.
    alpha_pawn = 0.005;
    /// The minimum of alpha.
    alpha_least = 0.8;
    /// The maximum of alpha.
    alpha_most = 0.9;
}

impl Weights {
    /// The value of an own piece.
    pub(super) const fn of(&self, piece: Piece) -> f32 {
        match piece {
            Piece::Pawn => 1.0,
            Piece::Knight => self.knight,
            Piece::Bishop => self.bishop,
            Piece::Rook => self.rook,
            Piece::Queen => self.queen,
            Piece::King => 0.0,
        }
    }
}
