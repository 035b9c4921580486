//! Kriegspiel.

use super::{MatchGame, TerminalGame};
use crate::Failure;
use crate::output::quoted;
use crate::play::SessionArguments;
use clap::Args;
use games::Seat;
use games::hidden::InformationState;
use games::kriegspiel::{
    AlgebraicError, Color, Event, Game, Observation, OwnPieces, Position, Rank, Square,
    Termination, Try, algebraic, color, color_name,
};
use play::Roster;
use play::matches::Seeding;
use play::record::RecordFormat;
use players::kriegspiel::record::Pgn;
use players::kriegspiel::roster::roster;

impl MatchGame for Game {
    type Resources = ();

    const FORMAT: &'static dyn RecordFormat<Self> = &Pgn;
    const SEEDING: Seeding = Seeding::Seats;
    const HAS_REFUSALS: bool = true;

    fn roster() -> Roster<Game> {
        roster()
    }
}

/// The arguments of `spuk play kriegspiel`.
#[derive(Args)]
pub(crate) struct PlayArguments {
    /// Your opponent, by its name in `spuk match`.
    #[arg(long, value_name = "PLAYER", default_value = "darkboard")]
    against: String,
    /// Start from this position, which both sides know.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    #[command(flatten)]
    session: SessionArguments,
}

impl PlayArguments {
    /// Plays and returns the exit code.
    pub(super) fn play(&self) -> Result<u8, Failure> {
        let start = match &self.fen {
            None => Position::start(),
            Some(fen) => {
                fen.parse().map_err(|error| format!("invalid position {}: {error}", quoted(fen)))?
            }
        };
        self.session.play::<Game>(&self.against, &(), start, None)
    }
}

impl TerminalGame for Game {
    const HELP: &'static str = "Type a try such as e2e4, Nf3, exd5, O-O or e8=Q; tries for all of them, help, or resign.\n";
    const LIST_WORDS: &'static [&'static str] = &["tries", "moves"];
    const RECORDS_RESIGNED: bool = true;

    fn side(seat: Seat) -> &'static str {
        color_name(color(seat))
    }

    /// The own pieces.
    fn view(information: &InformationState<Game>) -> String {
        let own = &information.now().own;
        format!("\n{}", board(own.color(), |square| letter(own, square)))
    }

    fn read(word: &str, information: &InformationState<Game>) -> Result<Try, String> {
        read(word, &information.now().own)
            .map_err(|reason| format!("{} is refused: {reason}.\n", quoted(word)))
    }

    fn own_event(event: &Event) -> String {
        match event {
            Event::Refused(attempt) => format!("{attempt}: illegal. Try another move.\n"),
            Event::Moved { played, announcement } => format!("{played}: {announcement}\n"),
            Event::Opponent(_) => String::new(),
        }
    }

    /// The illegal tries of the opponent are not announced.
    fn opponent_event(opponent: &str, _: &Observation, event: &Event) -> String {
        match event {
            Event::Opponent(announcement) => format!("{opponent}: {announcement}\n"),
            Event::Refused(_) | Event::Moved { .. } => String::new(),
        }
    }

    fn game_over(&self, seat: Seat) -> String {
        let result = match (self.termination(), self.winner()) {
            (Some(Termination::Checkmate), Some(winner)) if winner == color(seat) => {
                "You win by checkmate."
            }
            (Some(Termination::Checkmate), _) => "You lose by checkmate.",
            _ => "Nobody wins.",
        };
        let [white, black] = Color::ALL.map(|color| self.position().own(color));
        let board = board(color(seat), |square| letter(&white, square).or(letter(&black, square)));
        format!("\n{board}{result}\n")
    }
}

/// Reads a try in coordinates or in algebraic notation; the error is one sentence.
fn read(word: &str, own: &OwnPieces) -> Result<Try, String> {
    let attempt = match word.parse::<Try>() {
        Ok(attempt) => attempt,
        Err(_) => algebraic(word, own).map_err(|error: AlgebraicError| error.to_string())?,
    };
    let tries = own.tries(true);
    let needs_promotion = tries.iter().any(|one| (one.from, one.to) == (attempt.from, attempt.to));
    match own.piece_on(attempt.from) {
        _ if tries.contains(&attempt) => Ok(attempt),
        None => Err(format!("you have no piece on {}", attempt.from)),
        Some(_) if needs_promotion => {
            Err("name the piece that the pawn promotes to, as in e7e8q".into())
        }
        Some(_) => Err("your piece cannot move there; type tries to list all tries".into()),
    }
}

/// The letter of a piece, White's in capitals.
fn letter(own: &OwnPieces, square: Square) -> Option<char> {
    let letter = char::from(own.piece_on(square)?);
    Some(if own.color() == Color::White { letter.to_ascii_uppercase() } else { letter })
}

/// The board with the side of `you` at the bottom.
fn board(you: Color, letter: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev().map(|rank| rank.relative_to(you)) {
        text += &format!("{rank} ");
        for square in files(you).into_iter().map(|file| Square::new(file, rank)) {
            text += &format!(" {}", letter(square).unwrap_or('.'));
        }
        text += "\n";
    }
    let files: Vec<String> = files(you).iter().map(ToString::to_string).collect();
    text + "   " + &files.join(" ") + "\n"
}

fn files(you: Color) -> Vec<games::kriegspiel::File> {
    let mut files = games::kriegspiel::File::ALL.to_vec();
    if you == Color::Black {
        files.reverse();
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_parsed_in_both_notations() {
        let own = Position::start().own(Color::White);
        assert_eq!(read("e2e4", &own), read("e4", &own));
        assert_eq!(read("Nf3", &own), read("g1f3", &own));
        for wrong in ["e3e4", "e2e5", "Nf6", "x", "", "e2e4q"] {
            assert!(read(wrong, &own).is_err(), "{wrong}");
        }
    }
}
