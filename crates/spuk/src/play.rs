//! `spuk play`: a game in the terminal against one of the players, with the information of a real one.

mod kriegspiel;

use crate::output::{Reader, print, quoted};
use crate::tablebase::UsedTables;
use crate::{Failure, exit};
use clap::{Args, Subcommand};
use games::Seat;
use games::geister::{Bitboard, Board, Game, Move, Outcome, Placement, Reason, Square, Standard};
use players::history::History;
use players::player::{Player, Thinking};
use players::random::any_placement;
use players::record::GameRecord;
use players::roster::Roster;
use puzzle::export::diagram::text;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    game: GameChoice,
}

#[derive(Subcommand)]
enum GameChoice {
    /// Geister on the 6x6 board.
    Geister(Geister),
    /// Kriegspiel: chess without seeing the other side.
    Kriegspiel(kriegspiel::Kriegspiel),
}

#[derive(Args)]
struct Geister {
    /// Who plays against you.
    #[arg(long, value_name = "PLAYER", default_value = "careful")]
    against: String,
    /// Your reds: four squares of your home, such as b1,c1,d1,e1; otherwise drawn by chance.
    #[arg(long, value_name = "SQUARES")]
    red: Option<String>,
    /// Let the opponent begin.
    #[arg(long)]
    second: bool,
    /// Time for the opponent's moves.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = crate::limits::parse_time)]
    time: Duration,
    #[command(flatten)]
    tables: UsedTables,
    /// Plies after which the game is drawn.
    #[arg(long, value_name = "PLIES", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: u32,
    /// The seed of set-ups and of the opponent's chance.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Write the game to this file when it is over.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Plays and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.game {
        GameChoice::Geister(arguments) => Table::new(arguments)?.play(),
        GameChoice::Kriegspiel(arguments) => kriegspiel::run(arguments),
    }
}

/// What people can type.
const HELP: &str = "Type a move such as b2b3, or a6-out to leave; moves, help, or resign.\n";

/// A game at a table: you, the opponent, and the truth that neither sees.
struct Table<'a> {
    arguments: &'a Geister,
    opponent: Box<dyn Player<Standard>>,
    thinking: Thinking,
    you: Seat,
    start: Game,
    game: Game,
    moves: Vec<Move>,
    histories: [History; 2],
}

impl<'a> Table<'a> {
    fn new(arguments: &'a Geister) -> Result<Table<'a>, Failure> {
        let make = Standard::maker(&arguments.against, &arguments.tables.open());
        let mut opponent = make.map_err(|error| error.to_string())?();
        let thinking = Thinking { time: arguments.time, seed: arguments.seed };
        let own = match &arguments.red {
            Some(text) => placement(text)?,
            None => any_placement(&mut thinking.rng(u32::MAX)),
        };
        let other = opponent.place(&thinking);
        let (you, [bottom, top]) = if arguments.second {
            (Seat::Second, [other, own])
        } else {
            (Seat::First, [own, other])
        };
        let start = Game::new(bottom, top, arguments.draw);
        let histories = [Seat::First, Seat::Second].map(|side| History::new(start.observe(side)));
        Ok(Table {
            arguments,
            opponent,
            thinking,
            you,
            start,
            game: start,
            moves: Vec::new(),
            histories,
        })
    }

    fn history(&self, side: Seat) -> &History {
        &self.histories[usize::from(side == Seat::Second)]
    }

    fn play(mut self) -> Result<u8, Failure> {
        print(&format!("You play upwards against {}. {HELP}", self.arguments.against))?;
        while self.game.outcome().is_none() {
            if self.game.turn() != self.you {
                self.answer()?;
                continue;
            }
            print(&self.view())?;
            let Some(mv) = self.ask()? else {
                print("You gave up.\n")?;
                return Ok(exit::NO);
            };
            self.make(mv);
        }
        self.finish()
    }

    /// What you see: the board, what was captured, and how far the game is.
    fn view(&self) -> String {
        let now = self.history(self.you).now();
        let board = now.purple().map_or_else(String::new, |position| text::draw(&position));
        let [(lost_blue, lost_red), (won_blue, won_red)] =
            [now.own_captured(), now.others_captured()];
        format!(
            "\n{board}You lost {lost_blue} blue, {lost_red} red; you captured {won_blue} blue, {won_red} red. \
             Ply {} of {}.\n",
            now.ply() + 1,
            self.arguments.draw,
        )
    }

    /// Your move; `None` if you give up or there is nothing more to read.
    fn ask(&self) -> Result<Option<Move>, Failure> {
        let legal: Vec<Move> = self.game.legal_moves();
        let now = self.history(self.you).now();
        let seen: Vec<Move> = legal.iter().map(|&mv| now.seen(mv)).collect();
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| format!("cannot read what you type: {error}"))?;
            let word = line.trim();
            let told = match word {
                "" => continue,
                "resign" | "quit" => return Ok(None),
                "help" => HELP.to_owned(),
                "moves" => seen.iter().map(Move::to_string).collect::<Vec<_>>().join(" ") + "\n",
                word => match word.parse::<Move>() {
                    Ok(mv) if seen.contains(&mv) => return Ok(Some(now.played(mv))),
                    Ok(mv) => {
                        format!("{mv} cannot be played here; type moves for those that can.\n")
                    }
                    Err(_) => format!("{} is no move. {HELP}", quoted(word)),
                },
            };
            if print(&told)? == Reader::Gone {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The opponent's move, as you see it.
    fn answer(&mut self) -> Result<(), Failure> {
        let history = self.history(self.you.opponent()).clone();
        let chosen = self.opponent.choose(&history, &self.thinking);
        let mv = history.now().played(chosen);
        let now = *self.history(self.you).now();
        let seen = now.seen(mv);
        let own = now.own();
        let took = seen.to().map_or("", |to| match () {
            () if own.blue.has(to) => " and captures your blue",
            () if own.red.has(to) => " and captures your red",
            () => "",
        });
        print(&format!("{} plays {seen}{took}.\n", self.arguments.against))?;
        self.make(mv);
        Ok(())
    }

    fn make(&mut self, mv: Move) {
        self.game = self.game.play_unchecked(mv);
        self.moves.push(mv);
        for (history, side) in self.histories.iter_mut().zip([Seat::First, Seat::Second]) {
            let seen = history.now().seen(mv);
            history.see(seen, self.game.observe(side));
        }
    }

    /// The end, with all colours shown.
    fn finish(self) -> Result<u8, Failure> {
        let told = match self.game.outcome() {
            Some(Outcome::Win { winner, reason }) => {
                let who = if winner == self.you { "You win" } else { "You lose" };
                let how = match (reason, winner == self.you) {
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
        print(&format!("\n{}\n{told}\n", self.game.diagram()))?;
        if let Some(path) = &self.arguments.out {
            let names = if self.you == Seat::First {
                ["you".to_owned(), self.arguments.against.clone()]
            } else {
                [self.arguments.against.clone(), "you".to_owned()]
            };
            let record = GameRecord::new(names, &self.start, &self.moves, self.arguments.seed);
            crate::output::write_file(path, &crate::report::json_line(&record))?;
        }
        Ok(exit::YES)
    }
}

/// Four squares of the home.
fn placement(text: &str) -> Result<Placement<Standard>, Failure> {
    let squares: Option<Vec<Square>> =
        text.split(',').map(|name| Square::from_name(name.trim())).collect();
    let red: Option<Bitboard> = squares.map(|squares| squares.into_iter().collect());
    red.and_then(|red| Placement::with_red(red).ok()).ok_or_else(|| {
        let home: Vec<String> = Standard::HOME.map(|square| square.to_string()).collect();
        format!(
            "the reds {} are not four squares of the home; choose from {}",
            quoted(text),
            home.join(",")
        )
    })
}
