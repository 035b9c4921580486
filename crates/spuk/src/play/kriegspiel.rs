//! `spuk play kriegspiel`: you see your men and hear the umpire, and so does the opponent.

use crate::output::{Reader, print, quoted};
use crate::{Failure, exit};
use clap::Args;
use games::kriegspiel::{
    AlgebraicError, Color, End, Game, Observation, Own, Position, Rank, Reply, Square, Try,
    algebraic, name, pgn,
};
use players::kriegspiel::{Player, roster};
use players::player::Thinking;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(super) struct Kriegspiel {
    /// Who plays against you.
    #[arg(long, value_name = "PLAYER", default_value = "darkboard")]
    against: String,
    /// Let the opponent begin: you play Black.
    #[arg(long)]
    second: bool,
    /// Time for the opponent's moves.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = crate::limits::parse_time)]
    time: Duration,
    /// The seed of the opponent's chance.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Start from this position; both sides know it.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Write the game to this file when it is over, as PGN.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What people can type.
const HELP: &str =
    "Type a try such as e2e4, Nf3, exd5, O-O or e8=Q; tries for all of them, help, or resign.\n";

/// A game at a table: you, the opponent, and the truth that neither sees.
struct Table<'a> {
    arguments: &'a Kriegspiel,
    opponent: Box<dyn Player>,
    you: Color,
    game: Game,
}

/// Plays and returns the exit code.
pub(super) fn run(arguments: &Kriegspiel) -> Result<u8, Failure> {
    let opponent = roster::player(&arguments.against).map_err(|error| error.to_string())?;
    let position = match &arguments.fen {
        None => Position::start(),
        Some(fen) => fen
            .parse()
            .map_err(|error| format!("the position {} cannot be used: {error}", quoted(fen)))?,
    };
    let you = if arguments.second { Color::Black } else { Color::White };
    Table { arguments, opponent, you, game: Game::new(position) }.play()
}

impl Table<'_> {
    fn play(mut self) -> Result<u8, Failure> {
        let (you, against) = (name(self.you), &self.arguments.against);
        print(&format!("You play {you} against {against}. {HELP}"))?;
        while self.game.end().is_none() {
            if self.game.turn() != self.you {
                self.answer()?;
                continue;
            }
            print(&view(&self.game.observe(self.you)))?;
            if !self.turn()? {
                print("You gave up.\n")?;
                self.write()?;
                return Ok(exit::NO);
            }
        }
        self.finish()
    }

    /// Your turn, until a try is legal; false if you give up or there is nothing more to read.
    fn turn(&mut self) -> Result<bool, Failure> {
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| format!("cannot read what you type: {error}"))?;
            let own = self.game.observe(self.you).own;
            let told = match line.trim() {
                "" => continue,
                "resign" | "quit" => return Ok(false),
                "help" => HELP.to_owned(),
                "tries" | "moves" => listed(&self.game.candidates()),
                word => match read(word, &own) {
                    Err(reason) => format!("{} is refused: {reason}.\n", quoted(word)),
                    Ok(attempt) => match self.game.attempt(attempt) {
                        Err(over) => format!("{over}.\n"),
                        Ok(Reply::Illegal) => format!("{attempt}: illegal. Try another move.\n"),
                        Ok(Reply::Legal(heard)) => {
                            print(&format!("{attempt}: {heard}\n"))?;
                            return Ok(true);
                        }
                    },
                },
            };
            if print(&told)? == Reader::Gone {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The opponent's turn, as you hear it: its illegal tries are not announced.
    fn answer(&mut self) -> Result<(), Failure> {
        let thinking = Thinking { time: self.arguments.time, seed: self.arguments.seed };
        let attempt =
            self.opponent.choose(&self.game.information_state((!self.you).into()), &thinking);
        if let Ok(Reply::Legal(heard)) = self.game.attempt(attempt) {
            print(&format!("{}: {heard}\n", self.arguments.against))?;
        }
        Ok(())
    }

    /// The end, with all men shown.
    fn finish(self) -> Result<u8, Failure> {
        let told = match (self.game.end(), self.game.winner()) {
            (Some(End::Checkmate), Some(winner)) if winner == self.you => "You win by checkmate.",
            (Some(End::Checkmate), _) => "You lose by checkmate.",
            _ => "Nobody wins.",
        };
        let position = self.game.position();
        let [white, black] = Color::ALL.map(|side| position.own(side));
        let board = board(self.you, |square| letter(&white, square).or(letter(&black, square)));
        print(&format!("\n{board}{told}\n"))?;
        self.write()?;
        Ok(exit::YES)
    }

    fn write(&self) -> Result<(), Failure> {
        let Some(path) = &self.arguments.out else { return Ok(()) };
        let against = self.arguments.against.as_str();
        let (white, black) =
            if self.you == Color::White { ("you", against) } else { (against, "you") };
        let record = pgn::Record::new(self.game.clone(), white, black);
        crate::output::write_file(path, &record.to_string())
    }
}

/// A try in coordinates or in algebraic notation, as one sentence says why not.
fn read(word: &str, own: &Own) -> Result<Try, String> {
    let attempt = match word.parse::<Try>() {
        Ok(attempt) => attempt,
        Err(_) => algebraic(word, own).map_err(|error: AlgebraicError| error.to_string())?,
    };
    let tries = own.tries(true);
    let needs = tries.iter().any(|one| (one.from, one.to) == (attempt.from, attempt.to));
    match own.piece_on(attempt.from) {
        _ if tries.contains(&attempt) => Ok(attempt),
        None => Err(format!("you have no man on {}", attempt.from)),
        Some(_) if needs => Err("say what the pawn becomes, as in e7e8q".into()),
        Some(_) => Err("your man cannot move so; type tries for all that can be tried".into()),
    }
}

fn listed(tries: &[Try]) -> String {
    tries.iter().map(Try::to_string).collect::<Vec<_>>().join(" ") + "\n"
}

/// What you see: your own men.
fn view(seen: &Observation) -> String {
    format!("\n{}", board(seen.side(), |square| letter(&seen.own, square)))
}

/// The letter of a man, White's in capitals.
fn letter(own: &Own, square: Square) -> Option<char> {
    let letter = char::from(own.piece_on(square)?);
    Some(if own.side() == Color::White { letter.to_ascii_uppercase() } else { letter })
}

/// The board from the side of `you`.
fn board(you: Color, man: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev().map(|rank| rank.relative_to(you)) {
        text += &format!("{rank} ");
        for square in files(you).into_iter().map(|file| Square::new(file, rank)) {
            text += &format!(" {}", man(square).unwrap_or('.'));
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
    fn tries_are_read_both_ways_and_refused_with_a_reason() {
        let own = Position::start().own(Color::White);
        assert_eq!(read("e2e4", &own), read("e4", &own));
        assert_eq!(read("Nf3", &own), read("g1f3", &own));
        for wrong in ["e3e4", "e2e5", "Nf6", "x", "", "e2e4q"] {
            assert!(read(wrong, &own).is_err(), "{wrong}");
        }
    }
}
