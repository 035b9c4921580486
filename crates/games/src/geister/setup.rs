//! Any placement of ghosts, legal or not, and why it may be refused as a position.

use super::board::{Board, Square, Standard};
use std::fmt;
use std::marker::PhantomData;

/// A ghost as the bottom side sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ghost {
    /// `B`: blue, of the bottom side.
    OwnBlue,
    /// `R`: red, of the bottom side.
    OwnRed,
    /// `b`: blue, of the top side, its colour known.
    ShownBlue,
    /// `r`: red, of the top side, its colour known.
    ShownRed,
    /// `u`: of the top side, its colour unknown.
    Hidden,
}

impl Ghost {
    /// Every kind, in the order of the letters `BRbru`.
    pub const ALL: [Ghost; 5] =
        [Ghost::OwnBlue, Ghost::OwnRed, Ghost::ShownBlue, Ghost::ShownRed, Ghost::Hidden];

    /// Its letter in the text of a position.
    pub const fn letter(self) -> char {
        match self {
            Ghost::OwnBlue => 'B',
            Ghost::OwnRed => 'R',
            Ghost::ShownBlue => 'b',
            Ghost::ShownRed => 'r',
            Ghost::Hidden => 'u',
        }
    }

    /// The ghost with this letter.
    pub fn from_letter(letter: char) -> Option<Ghost> {
        Ghost::ALL.into_iter().find(|ghost| ghost.letter() == letter)
    }
}

/// Ghosts on squares and the number BLUE, with no promise that they make sense.
///
/// [`Position::from_setup`](super::Position::from_setup) turns it into a position or says why not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup<B: Board = Standard> {
    squares: [Option<Ghost>; Square::COUNT],
    /// How many of the top side's ghosts on the board are blue, shown ones included.
    pub blue: u32,
    board: PhantomData<B>,
}

impl<B: Board> Setup<B> {
    /// An empty board.
    pub fn empty() -> Setup<B> {
        Setup { squares: [None; Square::COUNT], blue: 0, board: PhantomData }
    }

    /// What stands on `square`.
    pub fn get(&self, square: Square) -> Option<Ghost> {
        self.squares[square.index()]
    }

    /// Puts `ghost` on `square`, or takes away what stands there. Squares outside the board are
    /// left alone.
    pub fn set(&mut self, square: Square, ghost: Option<Ghost>) {
        if B::FULL.has(square) {
            self.squares[square.index()] = ghost;
        }
    }

    /// How many ghosts of this kind there are.
    pub fn count(&self, ghost: Ghost) -> u32 {
        self.squares.iter().filter(|&&here| here == Some(ghost)).count() as u32
    }

    /// Everything that keeps this setup from being a position, in a fixed order; empty if nothing
    /// does.
    pub fn refusals(&self) -> Vec<Refusal> {
        let most = B::GHOSTS_OF_A_COLOUR;
        let (shown_blue, shown_red) = (self.count(Ghost::ShownBlue), self.count(Ghost::ShownRed));
        let hidden = self.count(Ghost::Hidden);
        let top = shown_blue + shown_red + hidden;
        let mut refusals = Vec::new();
        let mut refuse = |refusal, holds| {
            if holds {
                refusals.push(refusal);
            }
        };
        for ghost in [Ghost::OwnBlue, Ghost::OwnRed] {
            let count = self.count(ghost);
            refuse(Refusal::NoneOwn(ghost), count == 0);
            refuse(Refusal::TooManyOwn { ghost, count, most }, count > most);
        }
        refuse(Refusal::NoTopGhost, top == 0);
        refuse(Refusal::TooManyTop { count: top, most: 2 * most }, top > 2 * most);
        let (blue, red) = (self.blue, top.saturating_sub(self.blue));
        refuse(Refusal::BlueAboveGhosts { blue, ghosts: top }, blue > top);
        refuse(Refusal::NoTopBlue, blue == 0 && shown_blue + hidden == 0);
        refuse(Refusal::NoTopRed { blue }, blue == top && top > 0 && shown_red == 0);
        refuse(Refusal::BlueBelowShown { blue, shown: shown_blue }, blue < shown_blue);
        refuse(Refusal::RedBelowShown { red, shown: shown_red }, red < shown_red);
        for (name, count) in [("blue", blue), ("red", red)] {
            let exist = count <= top;
            refuse(Refusal::TooManyTopOfAColour { name, count, most }, exist && count > most);
        }
        refusals
    }
}

/// One reason why a setup is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The bottom side has no ghost of this kind, so the game is over.
    NoneOwn(Ghost),
    /// More of a colour than the bottom side starts with.
    TooManyOwn {
        /// The kind.
        ghost: Ghost,
        /// How many there are.
        count: u32,
        /// How many there may be.
        most: u32,
    },
    /// The top side has no ghost.
    NoTopGhost,
    /// More ghosts than the top side starts with.
    TooManyTop {
        /// How many there are.
        count: u32,
        /// How many there may be.
        most: u32,
    },
    /// BLUE is larger than the number of the top side's ghosts.
    BlueAboveGhosts {
        /// BLUE.
        blue: u32,
        /// The top side's ghosts.
        ghosts: u32,
    },
    /// BLUE is 0 and no ghost is hidden: the bottom side has won already. With a hidden ghost the
    /// puzzle continues, as after the capture of the last shown blue.
    NoTopBlue,
    /// All of the top side's ghosts are blue: the bottom side has lost already.
    NoTopRed {
        /// BLUE.
        blue: u32,
    },
    /// More blues are shown than BLUE allows.
    BlueBelowShown {
        /// BLUE.
        blue: u32,
        /// How many `b` there are.
        shown: u32,
    },
    /// More reds are shown than BLUE leaves.
    RedBelowShown {
        /// How many reds BLUE leaves.
        red: u32,
        /// How many `r` there are.
        shown: u32,
    },
    /// More of a colour than the top side starts with.
    TooManyTopOfAColour {
        /// `blue` or `red`.
        name: &'static str,
        /// How many there are.
        count: u32,
        /// How many there may be.
        most: u32,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::NoneOwn(ghost) => {
                let colour = if ghost == Ghost::OwnBlue { "blue" } else { "red" };
                write!(f, "there is no own {colour} ghost `{}`", ghost.letter())
            }
            Refusal::TooManyOwn { ghost, count, most } => {
                write!(f, "there are {count} `{}` and {most} is the most", ghost.letter())
            }
            Refusal::NoTopGhost => {
                f.write_str("there is no ghost of the top side (`u`, `b` or `r`)")
            }
            Refusal::TooManyTop { count, most } => {
                write!(f, "the top side has {count} ghosts and {most} is the most")
            }
            Refusal::BlueAboveGhosts { blue, ghosts } => {
                write!(f, "BLUE is {blue} but the top side has only {ghosts} ghosts")
            }
            Refusal::NoTopBlue => {
                f.write_str("BLUE is 0 and no `u` is left, so the game is already won")
            }
            Refusal::NoTopRed { blue } => {
                write!(
                    f,
                    "BLUE is {blue}, which leaves the top side no red, so the game is already lost"
                )
            }
            Refusal::BlueBelowShown { blue, shown } => {
                write!(f, "BLUE is {blue} but {shown} `b` are shown")
            }
            Refusal::RedBelowShown { red, shown } => {
                write!(f, "BLUE leaves {red} red but {shown} `r` are shown")
            }
            Refusal::TooManyTopOfAColour { name, count, most } => {
                write!(f, "the top side has {count} {name} ghosts and {most} is the most")
            }
        }
    }
}

/// A setup that is no position, with every reason; the setup is given back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedSetup<B: Board = Standard> {
    /// The setup as it was.
    pub setup: Setup<B>,
    /// Why it was refused; never empty.
    pub refusals: Vec<Refusal>,
}

impl<B: Board> fmt::Display for RefusedSetup<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, refusal) in self.refusals.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", and " };
            write!(f, "{separator}{refusal}")?;
        }
        Ok(())
    }
}

impl<B: Board> std::error::Error for RefusedSetup<B> {}
