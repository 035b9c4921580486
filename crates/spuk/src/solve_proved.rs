//! `spuk solve --algorithm`: the game-theoretic value by a proof-number or Monte-Carlo solver.

use crate::report::{VERSION, json_line, stop_name, stop_phrase};
use crate::solve::Arguments;
use crate::solve_scored::{Scored, SolveReport, answer, board_and_result, outcome_name};
use crate::{Failure, exit};
use clap::Args;
use classic::exact::Outcome;
use classic::forced::{GameValue, game_value};
use search::{Algorithm, Budget, Limits, Playouts, Settings, Stop};
use serde::Serialize;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The solver and its settings.
#[derive(Args, Clone)]
#[command(next_help_heading = "Solvers for Connect Four and Othello")]
pub(crate) struct SolverArguments {
    /// The solver: exact (alpha-beta), pns, mcpns, ppns, uct or mcts.
    #[arg(long, value_name = "NAME", default_value = "exact", value_parser = parse_algorithm)]
    algorithm: Choice,
    /// Number of random playouts for each leaf (mcpns, ppns, uct, mcts).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    playouts: Option<u32>,
    /// Minimum distance of a leaf's probability from 0 and 1 (ppns; above 0, up to 0.5).
    #[arg(long, value_name = "NUMBER", value_parser = parse_theta)]
    theta: Option<f64>,
    /// Stop when the probability is this close to 0 or 1 (ppns; 0 means never, below 0.5).
    #[arg(long, value_name = "NUMBER", value_parser = parse_precision)]
    pr: Option<f64>,
    /// Seed of the playouts.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Exact,
    Proving(Algorithm),
}

fn parse_algorithm(text: &str) -> Result<Choice, String> {
    match text {
        "exact" => Ok(Choice::Exact),
        name => name
            .parse()
            .map(Choice::Proving)
            .map_err(|error: search::algorithm::UnknownAlgorithm| format!("{error}, and exact")),
    }
}

fn parse_theta(text: &str) -> Result<f64, String> {
    number_where(text, "above 0, up to 0.5", |theta| theta > 0.0 && theta <= 0.5)
}

fn parse_precision(text: &str) -> Result<f64, String> {
    number_where(text, "from 0 to below 0.5", |pr| (0.0..0.5).contains(&pr))
}

fn number_where(text: &str, range: &str, fits: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| fits(number));
    number.ok_or_else(|| format!("give a number {range}"))
}

/// A selected solver with its settings.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    algorithm: Algorithm,
    settings: Settings,
}

impl SolverArguments {
    /// The first flag that was given, except the algorithm itself.
    fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--playouts", self.playouts.is_some()),
            ("--theta", self.theta.is_some()),
            ("--pr", self.pr.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// Refuses all these flags.
    pub(crate) fn refuse(&self) -> Result<(), Failure> {
        let chosen = (self.algorithm != Choice::Exact).then_some("--algorithm");
        match chosen.or(self.given()) {
            Some(flag) => Err(format!("{flag} is for --game connect-four and othello; omit it")),
            None => Ok(()),
        }
    }

    /// The solver; none for the exact one.
    pub(crate) fn chosen(&self) -> Result<Option<Chosen>, Failure> {
        let defaults = Settings::default();
        let algorithm = match (self.algorithm, self.given()) {
            (Choice::Proving(algorithm), _) => algorithm,
            (Choice::Exact, None) => return Ok(None),
            (Choice::Exact, Some(flag)) => {
                return Err(format!("{flag} is for other solvers; choose one with --algorithm"));
            }
        };
        if algorithm != Algorithm::Ppns && (self.theta.is_some() || self.pr.is_some()) {
            return Err("--theta and --pr are for --algorithm ppns; omit them".into());
        }
        let playouts = Playouts {
            per_leaf: self.playouts.unwrap_or(defaults.playouts.per_leaf),
            seed: self.seed.unwrap_or(defaults.playouts.seed),
            ..defaults.playouts
        };
        let (theta, precision) = (self.theta.unwrap_or(defaults.theta), self.pr.unwrap_or(0.0));
        let settings = Settings { playouts, theta, precision, ..defaults };
        Ok(Some(Chosen { algorithm, settings }))
    }
}

/// A position with its result.
struct Solved<G> {
    game: G,
    chosen: Chosen,
    game_value: GameValue,
    iterations: u64,
    time: Duration,
}

/// The JSON record. README documents the fields.
#[derive(Serialize)]
struct Record {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_number: Option<usize>,
    game: &'static str,
    position: String,
    algorithm: &'static str,
    result: &'static str,
    /// The sign of the score, and only if it is proved.
    score: Option<i32>,
    score_is: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    believed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'static str>,
    seed: u64,
    iterations: u64,
    seconds: f64,
}

/// Runs the solver and returns the exit code.
pub(crate) fn run<G: Scored>(
    chosen: Chosen,
    arguments: &Arguments,
    text: &str,
    stop: &'static AtomicBool,
) -> Result<u8, Failure> {
    let worker = |memory| memory;
    answer(arguments, text, stop, worker, move |game: G, memory: &mut usize, arguments| {
        solve(game, chosen, arguments, *memory, stop)
    })
}

fn solve<G: Scored>(
    game: G,
    chosen: Chosen,
    arguments: &Arguments,
    memory: usize,
    stop: &AtomicBool,
) -> Solved<G> {
    let limits = Limits { memory, ..arguments.limits(G::MAX_PLIES) };
    let mut budget = Budget::new(&limits).stopped_by(stop);
    let mut solver = chosen.algorithm.solver(&chosen.settings);
    let game_value = game_value(game.position(), &mut *solver, &mut budget);
    Solved { game, chosen, game_value, iterations: budget.nodes(), time: budget.elapsed() }
}

fn sign(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

fn phrase(game_value: GameValue) -> String {
    let limit = |stop: Stop| format!("then {}", stop_phrase(stop));
    match game_value {
        GameValue::Proved(outcome) => format!("{}, proved", outcome_name(outcome)),
        GameValue::Believed(outcome) => {
            format!("{}, believed and not proved", outcome_name(outcome))
        }
        GameValue::NotWon(stop) => format!("not won, proved, {}", limit(stop)),
        GameValue::Unknown(stop) => format!("unknown, {}", limit(stop)),
    }
}

impl<G: Scored> SolveReport for Solved<G> {
    fn json(&self, line_number: Option<usize>) -> String {
        let Solved { game, chosen, game_value, iterations, time } = self;
        let (mut believed, mut stop) = (None, None);
        let (result, score) = match *game_value {
            GameValue::Proved(outcome) => (outcome_name(outcome), Some(sign(outcome))),
            GameValue::Believed(outcome) => {
                believed = Some(outcome_name(outcome));
                ("believed", None)
            }
            GameValue::NotWon(limit) => {
                stop = Some(stop_name(limit));
                ("not won", None)
            }
            GameValue::Unknown(limit) => {
                stop = Some(stop_name(limit));
                ("unknown", None)
            }
        };
        json_line(&Record {
            v: VERSION,
            line_number,
            game: G::NAME,
            position: game.text(),
            algorithm: chosen.algorithm.name(),
            result,
            score,
            score_is: "sign",
            believed,
            stop,
            seed: chosen.settings.playouts.seed,
            iterations: *iterations,
            seconds: time.as_secs_f64(),
        })
    }

    fn short_text(&self) -> String {
        format!("{}: {}\n", self.game.text(), phrase(self.game_value))
    }

    fn long_text(&self) -> String {
        let mut text = board_and_result(&self.game, &phrase(self.game_value));
        let (name, seconds) = (self.chosen.algorithm, self.time.as_secs_f64());
        let _ = writeln!(text, "{} iterations of {name} in {seconds:.3} s.", self.iterations);
        if let GameValue::NotWon(_) | GameValue::Unknown(_) = self.game_value {
            text.push_str("Try a larger --time, --nodes or --memory.\n");
        }
        text
    }

    fn code(&self) -> u8 {
        match self.game_value {
            GameValue::Proved(Outcome::Win) => exit::YES,
            GameValue::Proved(Outcome::Draw | Outcome::Loss) | GameValue::NotWon(_) => exit::NO,
            GameValue::Believed(_) | GameValue::Unknown(_) => exit::UNKNOWN,
        }
    }
}
