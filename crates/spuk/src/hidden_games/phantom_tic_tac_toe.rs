//! Phantom tic-tac-toe.

use super::{MatchGame, TerminalGame};
use crate::Failure;
use crate::output::quoted;
use crate::play::SessionArguments;
use clap::Args;
use games::Seat;
use games::hidden::InformationState;
use games::phantom_tic_tac_toe::{EmptyBoard, Event, Game, Observation, Outcome, Square};
use play::Roster;
use play::matches::Seeding;
use play::record::{Json, RecordFormat};
use players::phantom_tic_tac_toe::roster::roster;

impl MatchGame for Game {
    type Resources = ();

    const FORMAT: &'static dyn RecordFormat<Self> = &Json;
    const SEEDING: Seeding = Seeding::Seats;
    const HAS_REFUSALS: bool = true;

    fn roster() -> Roster<Game> {
        roster()
    }
}

/// The arguments of `spuk play phantom-tic-tac-toe`.
#[derive(Args)]
pub(crate) struct PlayArguments {
    /// Your opponent, by its name in `spuk match`.
    #[arg(long, value_name = "PLAYER", default_value = "determinized")]
    against: String,
    #[command(flatten)]
    session: SessionArguments,
}

impl PlayArguments {
    /// Plays and returns the exit code.
    pub(super) fn play(&self) -> Result<u8, Failure> {
        self.session.play::<Game>(&self.against, &(), EmptyBoard, None)
    }
}

impl TerminalGame for Game {
    const HELP: &'static str =
        "Type a square from a1 to c3; moves for all that you can try, help, or resign.\n";
    const LIST_WORDS: &'static [&'static str] = &["moves", "tries"];
    const RECORDS_RESIGNED: bool = true;

    fn side(seat: Seat) -> &'static str {
        match seat {
            Seat::First => "X",
            Seat::Second => "O",
        }
    }

    /// The own marks, and those of the opponent that were found.
    fn view(information: &InformationState<Game>) -> String {
        let now = information.now();
        let (own, other) =
            (Self::side(information.seat()), Self::side(information.seat().opponent()));
        let board = board(|square| match () {
            () if now.own.has(square) => own,
            () if now.refused.has(square) => other,
            () => ".",
        });
        let hidden = now.opponent_marks - now.refused.len();
        format!("\n{board}Marks of the opponent that you do not see: {hidden}.\n")
    }

    fn read(word: &str, information: &InformationState<Game>) -> Result<Square, String> {
        match word.parse::<Square>() {
            Ok(square) if information.candidates().contains(&square) => Ok(square),
            Ok(square) => Err(format!("{square} is not empty.\n")),
            Err(error) => Err(format!("{} is refused: {error}.\n", quoted(word))),
        }
    }

    fn own_event(event: &Event) -> String {
        match event {
            Event::Refused(square) => {
                format!("{square}: your opponent has it. Try another square.\n")
            }
            Event::Placed { .. } | Event::OpponentMoved { .. } => String::new(),
        }
    }

    fn opponent_event(opponent: &str, _: &Observation, event: &Event) -> String {
        match event {
            Event::OpponentMoved { .. } => format!("{opponent} has moved.\n"),
            Event::Refused(_) | Event::Placed { .. } => String::new(),
        }
    }

    fn game_over(&self, seat: Seat) -> String {
        let board = board(|square| match () {
            () if self.marks(Seat::First).has(square) => Self::side(Seat::First),
            () if self.marks(Seat::Second).has(square) => Self::side(Seat::Second),
            () => ".",
        });
        let result = match self.outcome() {
            Some(Outcome::Win(winner)) if winner == seat => "You win with three in a row.",
            Some(Outcome::Win(_)) => "You lose: your opponent has three in a row.",
            _ => "A draw: the board is full.",
        };
        format!("\n{board}{result}\n")
    }
}

/// The board with the third row on top.
fn board(mark: impl Fn(Square) -> &'static str) -> String {
    let rows = Square::ALL.chunks(3).enumerate().rev();
    let row = |(index, row): (usize, &[Square])| {
        let marks: Vec<&str> = row.iter().map(|&square| mark(square)).collect();
        format!("{}  {}\n", index + 1, marks.join(" "))
    };
    rows.map(row).collect::<String>() + "   a b c\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::hidden::NoSetup;

    #[test]
    fn the_view_shows_own_marks_and_refused_squares() {
        let tries = ["b2", "b2", "a1", "c3"].map(|square| square.parse().unwrap());
        let state =
            InformationState::<Game>::replay(&EmptyBoard, [NoSetup; 2], &tries, Seat::Second);
        let state = state.unwrap();
        let board = "\n3  . . .\n2  . X .\n1  O . .\n   a b c\n";
        let hidden = "Marks of the opponent that you do not see: 1.\n";
        assert_eq!(Game::view(&state), format!("{board}{hidden}"));
        assert_eq!(Game::read("c3", &state).map(|square| square.to_string()), Ok("c3".into()));
        for wrong in ["b2", "a1", "d4", "", "Nf3"] {
            assert!(Game::read(wrong, &state).is_err(), "{wrong}");
        }
    }
}
