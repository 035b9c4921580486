//! Geister.

use super::{MatchGame, TerminalGame};
use crate::Failure;
use crate::output::quoted;
use crate::play::SessionArguments;
use crate::tablebase::UsedTables;
use clap::Args;
use games::Seat;
use games::geister::{
    Bitboard, Board, DrawLimit, Game, Move, Observation, Outcome, Placement, Reason, Square,
    Standard,
};
use games::hidden::InformationState;
use geister::tablebase::Tablebase;
use play::Roster;
use play::matches::Seeding;
use play::record::RecordFormat;
use players::record::GeisterJson;
use players::roster::BoardRoster;
use puzzle::export::diagram::text;

impl<B: BoardRoster> MatchGame for Game<B> {
    type Resources = Tablebase;

    const FORMAT: &'static dyn RecordFormat<Self> = &GeisterJson;
    const SEEDING: Seeding = Seeding::Pairs;
    const HAS_REFUSALS: bool = false;

    fn roster() -> Roster<Game<B>, Tablebase> {
        B::roster()
    }

    fn reason_key(reason: &'static str) -> String {
        reason.replace('-', "_")
    }
}

/// The arguments of `spuk play geister`.
#[derive(Args)]
pub(crate) struct PlayArguments {
    /// Your opponent, by its name in `spuk match`.
    #[arg(long, value_name = "PLAYER", default_value = "careful")]
    against: String,
    /// Your red ghosts: four squares of your home, such as b1,c1,d1,e1 [default: random].
    #[arg(long, value_name = "SQUARES")]
    red: Option<String>,
    #[command(flatten)]
    tables: UsedTables,
    /// Number of plies after which the game is drawn.
    #[arg(long, value_name = "PLIES", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: u32,
    #[command(flatten)]
    session: SessionArguments,
}

impl PlayArguments {
    /// Plays and returns the exit code.
    pub(super) fn play(&self) -> Result<u8, Failure> {
        let setup = self.red.as_deref().map(read_placement).transpose()?;
        self.session.play::<Game>(&self.against, &self.tables.open()?, DrawLimit(self.draw), setup)
    }
}

impl<B: BoardRoster> TerminalGame for Game<B> {
    const HELP: &'static str =
        "Type a move such as b2b3, or a6-out to leave; moves, help, or resign.\n";
    const LIST_WORDS: &'static [&'static str] = &["moves"];
    const RECORDS_RESIGNED: bool = false;

    fn side(_: Seat) -> &'static str {
        "upwards"
    }

    /// The board, what was captured, and how far the game is.
    fn view(information: &InformationState<Game<B>>) -> String {
        let now = information.now();
        let board = now.purple().map_or_else(String::new, |position| text::draw(&position));
        let [(lost_blue, lost_red), (won_blue, won_red)] =
            [now.own_captured(), now.opponent_captured()];
        format!(
            "\n{board}You lost {lost_blue} blue, {lost_red} red; you captured {won_blue} blue, {won_red} red. \
             Ply {} of {}.\n",
            now.ply() + 1,
            now.draw_limit(),
        )
    }

    fn read(word: &str, information: &InformationState<Game<B>>) -> Result<Move, String> {
        match word.parse::<Move>() {
            Ok(mv) if information.candidates().contains(&mv) => Ok(mv),
            Ok(mv) => Err(format!("{mv} is not legal here; type moves for the legal ones.\n")),
            Err(_) => Err(format!("{} is not a move. {}", quoted(word), Self::HELP)),
        }
    }

    fn own_event(_: &Move) -> String {
        String::new()
    }

    fn opponent_event(opponent: &str, before: &Observation<B>, mv: &Move) -> String {
        let own = before.own();
        let took = mv.to().map_or("", |to| match () {
            () if own.blue.has(to) => " and captures your blue",
            () if own.red.has(to) => " and captures your red",
            () => "",
        });
        format!("{opponent} plays {mv}{took}.\n")
    }

    fn game_over(&self, seat: Seat) -> String {
        let result = match self.outcome() {
            Some(Outcome::Win { winner, reason }) => {
                let who = if winner == seat { "You win" } else { "You lose" };
                let how = match (reason, winner == seat) {
                    (Reason::Escape, true) => "your blue is out",
                    (Reason::Escape, false) => "a blue of the opponent is out",
                    (Reason::BluesCaptured, true) => "you captured all blues",
                    (Reason::BluesCaptured, false) => "all your blues are captured",
                    (Reason::RedsCaptured, true) => "the opponent captured all your reds",
                    (Reason::RedsCaptured, false) => "you captured all reds",
                };
                format!("{who}: {how}.")
            }
            _ => "Nobody wins: the game took too long.".to_owned(),
        };
        format!("\n{}\n{result}\n", self.diagram())
    }
}

/// A placement by four squares of the home.
fn read_placement(text: &str) -> Result<Placement, Failure> {
    let squares: Option<Vec<Square>> =
        text.split(',').map(|name| Square::from_name(name.trim())).collect();
    let red: Option<Bitboard> = squares.map(|squares| squares.into_iter().collect());
    red.and_then(|red| Placement::with_red(red).ok()).ok_or_else(|| {
        let home: Vec<String> = Standard::HOME.map(|square| square.to_string()).collect();
        format!(
            "{} does not name four different squares of your home; choose from {}",
            quoted(text),
            home.join(",")
        )
    })
}
