//! Many endgames from random starts: how often they are won.

use super::estimate::around;
use super::{Hunter, King, choose};
use crate::kriegspiel::placements::Placements;
use common::rng::derive_seed;
use games::kriegspiel::{
    Color, Game, Metaposition, Piece, Position, Reply, Termination, TryResult,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

/// The men beside the king that shall mate, such as `Q`, `R` or `BB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind(Vec<Piece>);

/// Letters that are no men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindError(String);

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no material; write one to six of Q R B N P, such as Q, R or BB", self.0)
    }
}

impl std::error::Error for KindError {}

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Kind, KindError> {
        let piece = |letter| {
            Some(match letter {
                'Q' => Piece::Queen,
                'R' => Piece::Rook,
                'B' => Piece::Bishop,
                'N' => Piece::Knight,
                'P' => Piece::Pawn,
                _ => return None,
            })
        };
        let pieces: Option<Vec<Piece>> = text.chars().map(piece).collect();
        let pieces = pieces.filter(|pieces| (1..=6).contains(&pieces.len()));
        pieces.map(Kind).ok_or_else(|| KindError(text.to_owned()))
    }
}

/// What became of the endgames of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Ended by mate.
    pub won: u32,
    /// Drawn by stalemate.
    pub stalemates: u32,
    /// Drawn because what could mate was captured.
    pub captured: u32,
    /// Drawn by repetition.
    pub repetitions: u32,
    /// Drawn by fifty moves.
    pub fifty_moves: u32,
    /// Moves of the hunter in all endgames that were won.
    pub moves: u64,
}

impl Tally {
    fn of(game: &Game) -> Tally {
        let mut tally = Tally::default();
        match game.termination() {
            Some(Termination::Checkmate) => {
                tally.won = 1;
                tally.moves = game.turns().len() as u64 / 2 + 1;
            }
            Some(Termination::Stalemate) => tally.stalemates = 1,
            Some(Termination::InsufficientMaterial) => tally.captured = 1,
            Some(Termination::Repetition) => tally.repetitions = 1,
            Some(Termination::FiftyMoves) | None => tally.fifty_moves = 1,
        }
        tally
    }

    fn with(self, other: Tally) -> Tally {
        Tally {
            won: self.won + other.won,
            stalemates: self.stalemates + other.stalemates,
            captured: self.captured + other.captured,
            repetitions: self.repetitions + other.repetitions,
            fifty_moves: self.fifty_moves + other.fifty_moves,
            moves: self.moves + other.moves,
        }
    }
}

/// Plays `starts` endgames with these men against this king, on all cores; the hunter knows at
/// first only that the king is bare. The same for the same seed.
pub fn trial(kind: &Kind, king: King, starts: u32, seed: u64, hunter: &Hunter) -> Tally {
    let games = (0..starts).into_par_iter();
    let played = games
        .map(|number| Tally::of(&trial_of(kind, king, derive_seed(seed, number.into()), hunter)));
    played.reduce(Tally::default, Tally::with)
}

/// One endgame of a trial.
pub fn trial_of(kind: &Kind, king: King, seed: u64, hunter: &Hunter) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(start(kind, &mut rng));
    let known = Metaposition::lone_king(game.position().own(Color::White));
    while game.termination().is_none() {
        let attempt = if game.turn() == Color::White {
            hunt(&game, &known, hunter)
        } else {
            king.choose(game.position(), &mut rng)
        };
        let Some(attempt) = attempt else { break };
        if game.attempt(attempt) == Ok(Reply::Illegal) && game.refused().len() > 300 {
            break; // a hunter that tries in circles has lost its way
        }
    }
    game
}

/// How likely it is that the king of [`trial_of`]'s start can capture a man after the first move,
/// whichever try is made: the least there is, with every square that the king may be on as likely.
/// No hunter can do better, since nothing is known yet.
pub fn least_risk(kind: &Kind, seed: u64) -> f64 {
    let start = start(kind, &mut ChaCha8Rng::seed_from_u64(seed));
    let Some(now) = Metaposition::lone_king(start.own(Color::White)).as_lone_king() else {
        return 0.0;
    };
    let risk = |attempt| {
        let mut near = 0;
        now.for_each_result(attempt, |answer| {
            if let TryResult::Moves { from, capturable, .. } = answer {
                near += capturable.into_iter().map(|man| (around(man) & from).len()).sum::<u32>();
            }
        });
        f64::from(near) / f64::from(now.squares().len())
    };
    now.own().tries(false).into_iter().map(risk).fold(1.0, f64::min)
}

fn hunt(game: &Game, start: &Metaposition, hunter: &Hunter) -> Option<games::kriegspiel::Try> {
    let events = game.events(Color::White);
    let known = start.after_events(events);
    let placements = Placements::of(start.own(), events);
    choose(hunter, &known.as_lone_king()?, &game.candidates(), &placements, known.clock())
}

/// White's men and the kings anywhere, White to move, Black not in check and the game not over.
fn start(kind: &Kind, rng: &mut impl Rng) -> Position {
    loop {
        let mut squares = [None; 64];
        let mut put = |letter: char, any_square: &mut dyn FnMut() -> usize| loop {
            let at = any_square();
            if squares[at].is_none() && (letter != 'P' || (8..56).contains(&at)) {
                squares[at] = Some(letter);
                break;
            }
        };
        let mut any = || rng.random_range(0..64);
        put('K', &mut any);
        put('k', &mut any);
        for piece in &kind.0 {
            put(char::from(*piece).to_ascii_uppercase(), &mut any);
        }
        if let Some(position) = read(&squares).filter(|position| good(kind, position)) {
            return position;
        }
    }
}

fn good(kind: &Kind, position: &Position) -> bool {
    let bishops = position.own(Color::White).pieces(Piece::Bishop);
    let dark = bishops & games::kriegspiel::BitBoard::DARK_SQUARES;
    let pair = kind.0.len() != 2 || bishops.len() != 2 || dark.len() == 1;
    pair && position.termination().is_none()
}

fn read(squares: &[Option<char>; 64]) -> Option<Position> {
    let row = |rank: usize| -> String {
        let letter = |file: usize| squares[8 * rank + file].map_or("1".to_owned(), String::from);
        (0..8).map(letter).collect()
    };
    let rows: Vec<String> = (0..8).rev().map(row).collect();
    format!("{} w - - 0 1", rows.join("/")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(kind: &str, king: King, starts: u32) -> u32 {
        trial(&kind.parse().unwrap(), king, starts, 1, &Hunter::default()).won
    }

    #[test]
    fn queen_and_rook_mate() {
        for king in [King::Random, King::Fleeing] {
            assert!(won("Q", king, 12) >= 11, "{king:?}");
            assert!(won("R", king, 20) >= 18, "{king:?}");
        }
    }

    #[test]
    fn two_bishops_mate_mostly() {
        for king in [King::Random, King::Fleeing] {
            assert!(won("BB", king, 12) >= 8, "{king:?}");
        }
    }

    #[test]
    fn more_men_mate_too() {
        for kind in ["QR", "RR", "QQ", "QP"] {
            assert!(won(kind, King::Fleeing, 10) >= 9, "{kind}");
        }
    }

    /// A rook that can step beside its king is safe at once; one that cannot may be unlucky.
    #[test]
    fn some_starts_have_a_risk_that_nobody_avoids() {
        let kind = "R".parse().unwrap();
        let risks: Vec<f64> = (0..200).map(|seed| least_risk(&kind, seed)).collect();
        assert!(risks.contains(&0.0));
        assert!(risks.iter().all(|&risk| risk <= 5.0 / 30.0));
        let mean = risks.iter().sum::<f64>() / 200.0;
        assert!((0.005..0.04).contains(&mean), "{mean}");
    }

    #[test]
    fn the_same_seed_gives_the_same_endgames() {
        let tally = || trial(&"Q".parse().unwrap(), King::Random, 8, 5, &Hunter::default());
        assert_eq!(tally(), tally());
    }

    #[test]
    fn bad_material_is_refused() {
        for wrong in ["", "K", "Qx", "QQQQQQQ"] {
            assert!(wrong.parse::<Kind>().is_err(), "{wrong}");
        }
    }
}
