//! Every constant that matches have tuned, under its name.

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
    /// How much of a threatened man is lost that has just captured. Threats are estimated, and
    /// low: a weight may be over 1.
    risk_capturing = 0.42;
    /// That has just moved.
    risk_moving = 3.3;
    /// That has done neither.
    risk_standing = 0.22;
    /// That a pawn attacks: the umpire tells the other side so.
    risk_by_pawn = 0.9;
    /// The chance that one man guards a square where another stands.
    guards = 0.043;
    /// A capture that is only likely.
    hope = 0.97;
    /// A square that own men control.
    control = 0.026;
    /// A rook or queen on a file without own pawns.
    open_file = 0.32;
    /// A pseudopiece.
    entropy = 0.026;
    /// A rank that the king has left home, while pieces are about.
    king_home = 0.31;
    /// A square where the other king may go, when little else is left.
    region = 0.033;
    /// A king that is mated for all that is known of it.
    mate = 24.0;
    /// One that is stalemated.
    stalemate = 115.0;
    /// A ply beyond those after which the fifty-move rule comes near.
    late = 0.042;
    /// A placement that has been there before.
    repeated = 0.27;
    /// A pawn's advance.
    advance = 0.74;
    /// A piece of the other side.
    piece = 7.6;
    /// A pawn, if nothing else could mate.
    last_pawns = 1.33;
    /// The part of the chance that an empty square is still empty which an unseen move takes.
    fade = 0.15;
    /// Alpha, the weight of a static value, when material is even.
    alpha_even = 0.65;
    /// What alpha loses with each pawn that the own side is ahead.
    alpha_pawn = 0.01;
    /// The least alpha.
    alpha_least = 0.4;
    /// The most.
    alpha_most = 0.9;
}
