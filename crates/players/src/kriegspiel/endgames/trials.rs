//! Trials: many endgames from random positions, to measure how often they are won.

use super::evaluation::around;
use super::{EndgameSearch, KingPolicy, choose};
use crate::kriegspiel::repetitions::RepetitionTable;
use common::rng::derive_seed;
use games::kriegspiel::{
    Color, Game, Metaposition, Piece, Position, Reply, Termination, TryResult,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

/// The attacker's pieces besides the king, such as `Q`, `R` or `BB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material(Vec<Piece>);

/// A text that is not a valid [`Material`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError(String);

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no material; write one to six of Q R B N P, such as Q, R or BB", self.0)
    }
}

impl std::error::Error for MaterialError {}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
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
        pieces.map(Material).ok_or_else(|| MaterialError(text.to_owned()))
    }
}

/// The results of the endgames of some trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won by checkmate.
    pub won: u32,
    /// Drawn by stalemate.
    pub stalemates: u32,
    /// Drawn because too little material is left to mate.
    pub captured: u32,
    /// Drawn by repetition.
    pub repetitions: u32,
    /// Drawn by fifty moves.
    pub fifty_moves: u32,
    /// The attacker's moves in all won endgames.
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

/// Plays `starts` endgames with this material against this king, on all cores. At first the attacker
/// knows only that the king is alone. The same seed gives the same results.
pub fn run_trials(
    material: &Material,
    king: KingPolicy,
    starts: u32,
    seed: u64,
    search: &EndgameSearch,
) -> Tally {
    let games = (0..starts).into_par_iter();
    let played = games.map(|number| {
        Tally::of(&play_trial(material, king, derive_seed(seed, number.into()), search))
    });
    played.reduce(Tally::default, Tally::with)
}

/// Plays one endgame.
pub fn play_trial(
    material: &Material,
    king: KingPolicy,
    seed: u64,
    search: &EndgameSearch,
) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(random_start(material, &mut rng));
    let start = Metaposition::lone_king(game.position().own(Color::White));
    while game.termination().is_none() {
        let attempt = if game.turn() == Color::White {
            choose_try(&game, &start, search)
        } else {
            king.choose(game.position(), &mut rng)
        };
        let Some(attempt) = attempt else { break };
        if game.attempt(attempt) == Ok(Reply::Illegal) && game.refused().len() > 300 {
            break; // the attacker repeats refused tries
        }
    }
    game
}

/// The probability that the king can capture a piece after the best first try from the start of
/// [`play_trial`], if all squares where the king may be are equally likely. No attacker can do
/// better, since nothing else is known yet.
pub fn min_capture_risk(material: &Material, seed: u64) -> f64 {
    let start = random_start(material, &mut ChaCha8Rng::seed_from_u64(seed));
    let Some(now) = Metaposition::lone_king(start.own(Color::White)).as_lone_king() else {
        return 0.0;
    };
    let risk = |attempt| {
        let mut near = 0;
        now.for_each_result(attempt, |result| {
            if let TryResult::Moves { from, capturable, .. } = result {
                near +=
                    capturable.into_iter().map(|square| (around(square) & from).len()).sum::<u32>();
            }
        });
        f64::from(near) / f64::from(now.squares().len())
    };
    now.own().tries(false).into_iter().map(risk).fold(1.0, f64::min)
}

fn choose_try(
    game: &Game,
    start: &Metaposition,
    search: &EndgameSearch,
) -> Option<games::kriegspiel::Try> {
    let events = game.events(Color::White);
    let known = start.after_events(events);
    let repetitions = RepetitionTable::of(start.own(), events);
    choose(search, &known.as_lone_king()?, &game.candidates(), &repetitions, known.clock())
}

/// White's pieces and both kings on random squares, White to move, Black not in check and the game
/// not over.
fn random_start(material: &Material, rng: &mut impl Rng) -> Position {
    loop {
        let mut squares = [None; 64];
        let mut put = |letter: char, random_square: &mut dyn FnMut() -> usize| loop {
            let at = random_square();
            if squares[at].is_none() && (letter != 'P' || (8..56).contains(&at)) {
                squares[at] = Some(letter);
                break;
            }
        };
        let mut random_square = || rng.random_range(0..64);
        put('K', &mut random_square);
        put('k', &mut random_square);
        for piece in &material.0 {
            put(char::from(*piece).to_ascii_uppercase(), &mut random_square);
        }
        let position = position(&squares).filter(|position| is_playable(material, position));
        if let Some(position) = position {
            return position;
        }
    }
}

/// Whether the game is not over and a pair of bishops stands on both colours.
fn is_playable(material: &Material, position: &Position) -> bool {
    let bishops = position.own(Color::White).pieces(Piece::Bishop);
    let dark = bishops & games::kriegspiel::BitBoard::DARK_SQUARES;
    let pair = material.0.len() != 2 || bishops.len() != 2 || dark.len() == 1;
    pair && position.termination().is_none()
}

fn position(squares: &[Option<char>; 64]) -> Option<Position> {
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

    fn won(material: &str, king: KingPolicy, starts: u32) -> u32 {
        run_trials(&material.parse().unwrap(), king, starts, 1, &EndgameSearch::default()).won
    }

    #[test]
    fn queen_and_rook_mate() {
        for king in [KingPolicy::Random, KingPolicy::Fleeing] {
            assert!(won("Q", king, 12) >= 11, "{king:?}");
            assert!(won("R", king, 20) >= 18, "{king:?}");
        }
    }

    #[test]
    fn two_bishops_usually_mate() {
        for king in [KingPolicy::Random, KingPolicy::Fleeing] {
            assert!(won("BB", king, 12) >= 8, "{king:?}");
        }
    }

    #[test]
    fn more_material_mates_too() {
        for material in ["QR", "RR", "QQ", "QP"] {
            assert!(won(material, KingPolicy::Fleeing, 10) >= 9, "{material}");
        }
    }

    /// A rook that can move next to its king is safe at once; one that cannot may be captured.
    #[test]
    fn some_starts_have_an_unavoidable_risk() {
        let material = "R".parse().unwrap();
        let risks: Vec<f64> = (0..200).map(|seed| min_capture_risk(&material, seed)).collect();
        assert!(risks.contains(&0.0));
        assert!(risks.iter().all(|&risk| risk <= 5.0 / 30.0));
        let mean = risks.iter().sum::<f64>() / 200.0;
        assert!((0.005..0.04).contains(&mean), "{mean}");
    }

    #[test]
    fn the_same_seed_gives_the_same_endgames() {
        let tally = || {
            run_trials(&"Q".parse().unwrap(), KingPolicy::Random, 8, 5, &EndgameSearch::default())
        };
        assert_eq!(tally(), tally());
    }

    #[test]
    fn bad_material_is_refused() {
        for wrong in ["", "K", "Qx", "QQQQQQQ"] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }
}
