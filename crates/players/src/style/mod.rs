//! Playstyles: the player of Tomoda and Hasebe (P5, section 4).
//!
//! A player of a [`Style`] keeps a belief (the paper's guess) for each ghost: for the opponent's
//! ghosts, and for its own as the opponent may see them. It updates the beliefs by what each move
//! does ([`beliefs`]) and searches three moves deep by Expectimax, with the beliefs as probabilities
//! ([`search`]) and P5's figure 4 as evaluation ([`piece_square`]). It keeps nothing between moves:
//! the beliefs are computed again from the history.
//!
//! # Where the paper is silent or contradicts itself
//!
//! - **Which end is blue.** Section 4.2 says that a guess near 1 means red. Its exception sets a
//!   guess to 0 because a blue ghost would have gone to the exit, and table 1 reads positive
//!   parameters as blue: both make 1 mean blue. We follow the two; a belief is the probability of blue.
//! - **The adjustment.** Beliefs are cut to between 0 and 1, and what is missing from the sum or
//!   too much is spread evenly over all ghosts that can take it, the mover too: the paper names
//!   none that is spared. Captured ghosts have shown their colour, so the sum over those on the
//!   board is the number of blues among them, which is public.
//! - **Adjacent** asks about the square moved to, with what was captured there gone; **away** is a
//!   step from an enemy beside it that was not captured; **towards** is fewer steps to the nearest
//!   exit of the mover. A step may be all three, and all are added.
//! - **The exit exception** holds for every ghost of the mover beside an exit on which no own ghost
//!   stands, whatever else was moved, by the letter; a capture on the exit counts as moving there.
//!   A ghost *on* its exit that does not leave is treated alike, since for a blue one that would be
//!   less rational still. If more ghosts are settled as red than there can be, the sum falls short.
//! - **Beliefs in the tree** change by what captures show and are adjusted; moves in the tree add
//!   no parameters, since the paper updates guesses by moves that were made.
//! - **A win** is worth 50 on the 4x5 board: figure 3 shows a node of 50, more than any sum of figure
//!   4 can be. On the 6x6 board, with twice the ghosts, it is 100. Of two wins the sooner one is
//!   better by a hundredth a ply, so that a won game is ended.
//! - **Depth 3** counts moves; a chance node is part of the move it follows.
//! - **Leaving** is open to a ghost on an exit only if it is blue. What the opponent's ghosts can do
//!   is a chance node by the belief, and in the pretense that of the own ones too: otherwise the opponent would
//!   be thought to know which of them are blue.
//! - **Imagined captures.** The pretense of a capture needs the outcome with the colour the ghost
//!   has not. In that part of the tree there is no real value, and MAX goes by the pretense.
//! - **Equal values.** At the root a random one of the best moves is chosen, from the seed of the game:
//!   a fixed order would prefer one wing. Within the tree a tie goes to the worse real value at MIN
//!   and the better pretense at MAX.
//! - **The set-up** is random, since the paper plays all of them.
//!
//! # The 6x6 board
//!
//! Nothing but the numbers changes: [`piece_square`] says how figure 4 is carried over.

pub mod beliefs;
pub mod parameters;
pub mod piece_square;
pub mod search;
pub mod shipped;
pub mod side_belief;

pub use parameters::{Style, StyleFile, StyleTextError};

use beliefs::Beliefs;
use games::geister::{Board, Game, Move, Observation};
use games::hidden::InformationState;
use play::{Player, Thinking};
use rand::seq::IndexedRandom;
use search::{EQUAL, Search};
use std::io::Read;

/// The style of this name, or in the file of this path.
///
/// # Errors
/// If there is neither: one sentence.
pub fn load(name_or_path: &str) -> Result<StyleFile, String> {
    if let Some(file) = shipped::named(name_or_path).and_then(shipped::Shipped::file) {
        return Ok(file);
    }
    let bytes = read_some(name_or_path).map_err(|error| {
        let names: Vec<&str> = shipped::ALL.iter().map(|one| one.name).collect();
        let names = names.join(", ");
        format!("it names neither a readable file ({error}) nor one of the styles {names}")
    })?;
    let text = String::from_utf8(bytes).map_err(|_| "the file is not text".to_owned())?;
    text.parse().map_err(|error: StyleTextError| error.to_string())
}

/// The beginning of a file, long enough to see that it is too long.
fn read_some(path: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = parameters::MAX_FILE_BYTES as u64 + 1;
    std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many moves ahead the paper's player looks.
pub const DEPTH: u32 = 3;

/// Plays by a style.
#[derive(Clone, Debug)]
pub struct StylePlayer<B> {
    style: Style,
    search: Search<B>,
}

impl<B: Board> StylePlayer<B> {
    /// The player of this style.
    pub fn new(style: Style) -> StylePlayer<B> {
        StylePlayer { style, search: Search::default() }
    }

    /// Its parameters.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// The best moves, all of equal value.
    fn best(&self, now: &Observation<B>, beliefs: &Beliefs) -> Vec<Move> {
        let found = self.search.moves(now, beliefs, DEPTH);
        let most = found.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        found.into_iter().filter(|(_, value)| *value > most - EQUAL).map(|(mv, _)| mv).collect()
    }

    /// The move in this observation with these beliefs.
    pub fn choose_by(&self, now: &Observation<B>, beliefs: &Beliefs, thinking: &Thinking) -> Move {
        let best = self.best(now, beliefs);
        if let [only] = best[..] {
            return only; // each move has its own random numbers: none is taken from later ones
        }
        let mut rng = thinking.rng(now.ply());
        *best.choose(&mut rng).expect("an unfinished game has moves")
    }
}

impl<B: Board> Player<Game<B>> for StylePlayer<B> {
    fn choose(&mut self, history: &InformationState<Game<B>>, thinking: &Thinking) -> Move {
        let beliefs = Beliefs::after(&self.style, history);
        self.choose_by(history.now(), &beliefs, thinking)
    }
}
