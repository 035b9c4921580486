//! `spuk play`: a game in the terminal against the computer; both see only what their seats may see.

use crate::hidden_games::{PlayChoice, TerminalGame};
use crate::output::{Reader, print};
use crate::stream::MAX_LINE_BYTES;
use crate::{Failure, exit};
use clap::Args;
use common::lines::LineReader;
use games::Seat;
use games::hidden::{InformationState, ObservedGame, Reply};
use play::{Player, Record, Thinking, random_setup};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    game: PlayChoice,
}

/// Plays and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    arguments.game.play()
}

/// The arguments that every game has.
#[derive(Args)]
pub(crate) struct SessionArguments {
    /// Let the opponent move first.
    #[arg(long)]
    second: bool,
    /// Thinking time for each of the opponent's moves.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = crate::limits::parse_time)]
    time: Duration,
    /// Seed of the opponent's random numbers and of random set-ups [default: random].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the game to this file when it is over.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl SessionArguments {
    /// Plays a game against the player of this name and returns the exit code. Without a set-up a
    /// random one is used.
    pub(crate) fn play<G: TerminalGame>(
        &self,
        against: &str,
        resources: &G::Resources,
        start: G::Start,
        setup: Option<G::Setup>,
    ) -> Result<u8, Failure> {
        let opponent = G::roster().player(against, resources).map_err(|error| error.to_string())?;
        let terms = Terms {
            start,
            setup,
            seat: if self.second { Seat::Second } else { Seat::First },
            thinking: Thinking { time: self.time, seed: self.seed.unwrap_or_else(random_seed) },
        };
        Session::<G>::new(against, opponent, terms, self.out.as_ref()).play()
    }
}

/// The terms of a game against a person.
struct Terms<G: TerminalGame> {
    start: G::Start,
    /// The set-up of the person; otherwise it is random.
    setup: Option<G::Setup>,
    /// The seat of the person.
    seat: Seat,
    thinking: Thinking,
}

/// A game between a person and a computer player, with the true state that neither sees.
struct Session<'a, G: TerminalGame> {
    against: &'a str,
    opponent: Box<dyn Player<G>>,
    seat: Seat,
    thinking: Thinking,
    out: Option<&'a PathBuf>,
    game: ObservedGame<G>,
    record: Record<G>,
}

impl<'a, G: TerminalGame> Session<'a, G> {
    fn new(
        against: &'a str,
        mut opponent: Box<dyn Player<G>>,
        terms: Terms<G>,
        out: Option<&'a PathBuf>,
    ) -> Session<'a, G> {
        let Terms { start, setup, seat, thinking } = terms;
        // A number that no step of a game has, so that the set-up has random numbers of its own.
        let random = || random_setup::<G>(&start, &mut thinking.rng(u32::MAX));
        let own = setup.unwrap_or_else(random);
        let other = opponent.set_up(&start, &thinking);
        let by_seat = |own, other| if seat == Seat::First { [own, other] } else { [other, own] };
        let setups = match seat {
            Seat::First => [own, other],
            Seat::Second => [other, own],
        };
        let game = ObservedGame::<G>::begin(&start, setups);
        let record = Record {
            setups,
            actions: Vec::new(),
            players: by_seat("you", against).map(str::to_owned),
            seed: thinking.seed,
            resigned: None,
            start,
        };
        Session { against, opponent, seat, thinking, out, game, record }
    }

    fn own(&self) -> &InformationState<G> {
        self.game.of(self.seat)
    }

    /// Plays to the end and returns the exit code.
    fn play(mut self) -> Result<u8, Failure> {
        let side = G::side(self.seat);
        let (against, seed) = (self.against, self.thinking.seed);
        print(&format!("You play {side} against {against} (seed {seed}). {}", G::HELP))?;
        while self.game.state().outcome().is_none() {
            if self.game.state().turn() != self.seat {
                self.opponents_action()?;
                continue;
            }
            print(&G::view(self.own()))?;
            if !self.own_turn()? {
                print("You resigned.\n")?;
                if G::RECORDS_RESIGNED {
                    self.write()?;
                }
                return Ok(exit::NO);
            }
        }
        print(&self.game.state().game_over(self.seat))?;
        self.write()?;
        Ok(exit::YES)
    }

    /// The person's turn, until an action is played; false if the person resigns or the input ends.
    fn own_turn(&mut self) -> Result<bool, Failure> {
        // Standard input has a buffer of its own, so that no line is lost between two turns.
        let mut input = LineReader::new(std::io::stdin().lock(), MAX_LINE_BYTES);
        while let Some(line) = input
            .next_non_blank_line()
            .map_err(|error| format!("cannot read standard input: {error}; start the game again"))?
        {
            let answer = match line.text_lossy().trim() {
                "resign" | "quit" => return Ok(false),
                "help" => G::HELP.to_owned(),
                word if G::LIST_WORDS.contains(&word) => listed(&self.own().candidates()),
                word => match G::read(word, self.own()) {
                    Err(answer) => answer,
                    Ok(action) => match self.apply(action)? {
                        (true, event) => {
                            print(&G::own_event(&event))?;
                            return Ok(true);
                        }
                        (false, event) => G::own_event(&event),
                    },
                },
            };
            if print(&answer)? == Reader::Gone {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// An action of the opponent, as the person perceives it.
    fn opponents_action(&mut self) -> Result<(), Failure> {
        let action = self.opponent.choose(self.game.of(self.seat.opponent()), &self.thinking);
        let (before, steps) = (self.own().now().clone(), self.own().steps().len());
        self.apply(action)?;
        match self.own().steps().get(steps) {
            Some(step) => {
                print(&G::opponent_event(self.against, &before, &step.event))?;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Applies an action of the seat to move, in its coordinates: whether it was played, and what
    /// the seat perceived.
    fn apply(&mut self, action: G::Action) -> Result<(bool, G::Event), Failure> {
        let seat = self.game.state().turn();
        let action = G::turned(action, seat);
        let reply = self.game.apply(action).map_err(|error| format!("{action}: {error}"))?;
        self.record.actions.push(action);
        let own = self.game.of(seat).steps().last().map(|step| step.event.clone());
        let event = own.ok_or("a seat perceives its own action")?;
        Ok((reply == Reply::Played, event))
    }

    fn write(&self) -> Result<(), Failure> {
        let Some(path) = self.out else { return Ok(()) };
        crate::output::write_file(path, &G::FORMAT.write(&self.record)?)
    }
}

fn listed<A: ToString>(actions: &[A]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n"
}

/// A random seed, short enough to be typed again.
pub(crate) fn random_seed() -> u64 {
    rand::random::<u32>().into()
}
