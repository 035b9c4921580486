//! Every constant that matches have tuned, under its name.

use games::kriegspiel::Piece;

/// Defines the weights: what each is, its name and its value.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        /// What each thing is worth, in pawns unless it says otherwise. Tuned by matches against
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
            /// All of them, each with the name that options have for it.
            pub fn named(&self) -> Vec<(&'static str, f32)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// The weight of this name.
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
    /// A knight, in pawns.
    knight = 3.0;
    /// A bishop.
    bishop = 3.2;
    /// A rook.
    rook = 5.0;
    /// A queen.
    queen = 9.5;
    /// A piece of the other side, whichever it may be.
    piece = 7.6;
    /// How much of a threatened man is lost that has just captured. Threats are estimated, and
    /// low: a weight may be over 1.
    risk_capturing = 0.42;
    /// That has just moved.
    risk_moving = 3.3;
    /// That has done neither.
    risk_standing = 0.22;
    /// That a pawn attacks: the umpire tells the other side so.
    risk_by_pawn = 0.9;
    /// That nothing guards and that gives check to a king beside it, which may take it.
    risk_by_king = 2.0;
    /// What taking back wins.
    revenge = 2.5;
    /// What taking a pawn back wins.
    revenge_on_pawn = 0.8;
    /// The part of a man that is lost at least, even if it is taken back.
    risk_least = 0.15;
    /// The chance that one man guards a square where another stands.
    guards = 0.043;
    /// A capture that is only likely.
    hope = 0.97;
    /// A square that own men control.
    control = 0.026;
    /// A rook or queen on a file without own pawns.
    open_file = 0.32;
    /// A pawn one step before it promotes, beyond its value.
    advance = 1.33;
    /// The part of that which a pawn has one step earlier, and so on.
    advance_fold = 0.38;
    /// A pseudopiece.
    entropy = 0.026;
    /// The first rank that the king leaves home, while pieces are about; two cost four times as
    /// much, and so on: a step from home waits safely, the middle of the board is where it is mated.
    king_home = 0.15;
    /// So many pieces of the other side make that count in full.
    king_hunters = 4.0;
    /// A square where the other king may go, when little else is left.
    region = 0.033;
    /// A square of the centre where it may stand, in such squares.
    region_centre = 0.5;
    /// The material of the other side from which on its king's squares begin to count.
    region_from = 24.0;
    /// A king that is mated for all that is known of it.
    mate = 24.0;
    /// One that is stalemated.
    stalemate = 115.0;
    /// How many times likelier a pawn is where it cannot go on: others go on sooner or later.
    stopped = 4.0;
    /// The chance that a pawn cannot move which stands where it could.
    stuck_pawn = 0.05;
    /// The chance that a piece cannot move.
    stuck_piece = 0.15;
    /// A ply beyond those after which the fifty-move rule comes near.
    late = 0.042;
    /// Plies without a capture or a pawn's move that do not matter yet.
    late_from = 40.0;
    /// A placement that has been there before.
    repeated = 0.27;
    /// The part of the chance that an empty square is still empty which an unseen move takes.
    fade = 0.15;
    /// The part that is gone from the first.
    fade_least = 0.02;
    /// The most likely that anything is which is only guessed by counting.
    guess_most = 0.9;
    /// A line is looked along until it is as unlikely as this to be open.
    line_least = 0.02;
    /// Alpha, the weight of a static value, when material is even.
    alpha_even = 0.85;
    /// What alpha loses with each pawn that the own side is ahead.
    alpha_pawn = 0.005;
    /// The least alpha.
    alpha_least = 0.8;
    /// The most.
    alpha_most = 0.9;
}

impl Weights {
    /// What a man of the own side is worth.
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
