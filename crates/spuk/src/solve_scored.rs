//! `spuk solve` for games with exact scores: Connect Four and Othello.

use crate::output::{print, quoted};
use crate::report::{VERSION, capitalised, json_line, stop_name, stop_phrase};
use crate::solve::{Arguments, DEFAULT_FIRST_MOVES_TIME, Reply, answer_stream, memory_per_thread};
use crate::stream::Line;
use crate::{Failure, exit};
use classic::exact::{GameScore, Outcome};
use classic::{connect_four, othello};
use games::connect_four::{CELLS, Column, Position as ConnectFourPosition, ROWS};
use games::othello::Position as OthelloPosition;
use games::{Keyed, TwoPlayer};
use search::{Budget, Limits, Stop};
use serde::Serialize;
use std::fmt::{Debug, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game with exact scores.
pub(crate) trait Scored: Sized + 'static {
    /// Its name on the command line.
    const NAME: &'static str;
    /// The maximum number of plies of a game.
    const MAX_PLIES: u32;
    type Solver: 'static;
    type Position: TwoPlayer<Move: Eq + Debug> + Keyed;

    /// Parses a position.
    fn read(text: &str) -> Result<Self, String>;
    fn text(&self) -> String;
    fn position(&self) -> &Self::Position;
    /// The board as text, with its caption.
    fn draw(&self) -> String;
    /// The letter of the side to move.
    fn mover(&self) -> char;
    fn solver(memory: usize) -> Self::Solver;
    fn score(&self, solver: &mut Self::Solver, budget: &mut Budget<'_>) -> GameScore;
    /// The moves that reach the exact score.
    fn best_moves(
        &self,
        solver: &mut Self::Solver,
        score: i32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<String>, Stop>;
}

/// Connect Four; the text stays as it was given, moves or rows.
pub(crate) struct ConnectFour {
    position: ConnectFourPosition,
    text: String,
}

impl Scored for ConnectFour {
    const NAME: &'static str = "connect-four";
    const MAX_PLIES: u32 = CELLS;
    type Solver = connect_four::Solver;
    type Position = ConnectFourPosition;

    fn read(text: &str) -> Result<ConnectFour, String> {
        let position = text.parse().map_err(|error| format!("{error}"))?;
        Ok(ConnectFour { position, text: text.trim_ascii().to_owned() })
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn position(&self) -> &ConnectFourPosition {
        &self.position
    }

    fn draw(&self) -> String {
        let row = |row| spaced(Column::all().map(|column| self.position.letter(column, row)));
        let rows: String = (0..ROWS).rev().map(row).collect();
        rows + &spaced('1'..='7')
    }

    fn mover(&self) -> char {
        if self.position.plies().is_multiple_of(2) { 'X' } else { 'O' }
    }

    fn solver(memory: usize) -> connect_four::Solver {
        connect_four::Solver::new(memory)
    }

    fn score(&self, solver: &mut connect_four::Solver, budget: &mut Budget<'_>) -> GameScore {
        solver.solve(&self.position, budget)
    }

    fn best_moves(
        &self,
        solver: &mut connect_four::Solver,
        score: i32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<String>, Stop> {
        Ok(names(&solver.best_moves(&self.position, score, budget)?))
    }
}

/// Othello.
pub(crate) struct Othello(OthelloPosition);

impl Scored for Othello {
    const NAME: &'static str = "othello";
    /// Sixty moves, and no two passes in a row.
    const MAX_PLIES: u32 = 120;
    type Solver = othello::Solver;
    type Position = OthelloPosition;

    /// Collections append known scores after a semicolon.
    fn read(text: &str) -> Result<Othello, String> {
        let position = text.split(';').next().unwrap_or(text);
        position.parse().map(Othello).map_err(|error| format!("{error}"))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn position(&self) -> &OthelloPosition {
        &self.0
    }

    fn draw(&self) -> String {
        let letters: Vec<char> = self.text().chars().take(64).collect();
        let rows = (1..).zip(letters.chunks(8));
        let row =
            |(number, row): (u32, &[char])| format!("{number} {}", spaced(row.iter().copied()));
        rows.map(row).collect::<String>() + "  " + &spaced('a'..='h')
    }

    fn mover(&self) -> char {
        self.text().chars().last().unwrap_or('X')
    }

    fn solver(memory: usize) -> othello::Solver {
        othello::Solver::new(memory)
    }

    fn score(&self, solver: &mut othello::Solver, budget: &mut Budget<'_>) -> GameScore {
        solver.solve(&self.0, budget)
    }

    fn best_moves(
        &self,
        solver: &mut othello::Solver,
        score: i32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<String>, Stop> {
        Ok(names(&solver.best_moves(&self.0, score, budget)?))
    }
}

fn names(moves: &[impl ToString]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The letters with blanks between them, as a line.
fn spaced(letters: impl Iterator<Item = char>) -> String {
    letters.map(String::from).collect::<Vec<_>>().join(" ") + "\n"
}

/// The board with its caption, the side to move, and the result.
pub(crate) fn board_and_result<G: Scored>(game: &G, phrase: &str) -> String {
    format!("{}\n{} to move. {}.\n", game.draw(), game.mover(), capitalised(phrase))
}

/// A solved position.
struct Solved<G> {
    game: G,
    score: GameScore,
    nodes: u64,
    time: Duration,
    /// The best moves if they were requested; the inner option is empty if they were not found.
    best: Option<Option<Vec<String>>>,
}

/// The JSON record. README documents the fields.
#[derive(Serialize)]
struct Record {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_number: Option<usize>,
    game: &'static str,
    position: String,
    result: &'static str,
    score: Option<i32>,
    #[serde(flatten)]
    bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Option<Vec<String>>>,
    nodes: u64,
    seconds: f64,
}

/// The bounds of a score that is not exact.
#[derive(Serialize)]
struct Bounds {
    least: i32,
    most: i32,
    stop: &'static str,
}

/// The output of a solved position.
pub(crate) trait SolveReport {
    fn json(&self, line_number: Option<usize>) -> String;
    /// One line.
    fn short_text(&self) -> String;
    /// The board and everything else.
    fn long_text(&self) -> String;
    fn code(&self) -> u8;
}

/// Solves one position or a stream, and returns the exit code. `worker` makes what each thread needs
/// for itself, given its memory in bytes.
pub(crate) fn answer<G: Scored, W: 'static, T: SolveReport>(
    arguments: &Arguments,
    text: &str,
    stop: &'static AtomicBool,
    worker: impl Fn(usize) -> W + Clone + Send + 'static,
    solve: impl Fn(G, &mut W, &Arguments) -> T + Clone + Send + 'static,
) -> Result<u8, Failure> {
    if text == "-" {
        let (memory, for_work) = (memory_per_thread(arguments), arguments.clone());
        let reply = move |worker: &mut W, line: Line| match read::<G>(&line.text) {
            Ok(game) => {
                let report = solve(game, worker, &for_work);
                let number = Some(line.number);
                let output = if for_work.json { report.json(number) } else { report.short_text() };
                Reply::new(output, report.code())
            }
            Err(failure) => Reply::refusal(&failure, &line, for_work.json),
        };
        return answer_stream(arguments, stop, move || worker(memory), reply);
    }
    let report = solve(read::<G>(text)?, &mut worker(arguments.limits.memory), arguments);
    print(&if arguments.json { report.json(None) } else { report.long_text() })?;
    Ok(report.code())
}

/// Calculates exact scores and returns the exit code.
pub(crate) fn run<G: Scored>(
    arguments: &Arguments,
    text: &str,
    stop: &'static AtomicBool,
) -> Result<u8, Failure> {
    answer(arguments, text, stop, G::solver, move |game: G, solver, arguments| {
        solve(game, solver, arguments, stop)
    })
}

fn read<G: Scored>(text: &str) -> Result<G, Failure> {
    G::read(text).map_err(|error| {
        format!("position {}: {error}; see `spuk solve --help` for the form", quoted(text))
    })
}

fn solve<G: Scored>(
    game: G,
    solver: &mut G::Solver,
    arguments: &Arguments,
    stop: &AtomicBool,
) -> Solved<G> {
    let limits = arguments.limits(0);
    let mut budget = Budget::new(&limits).stopped_by(stop);
    let score = game.score(solver, &mut budget);
    let (nodes, time) = (budget.nodes(), budget.elapsed());
    let best = (!arguments.brief).then(|| {
        let time = Some(arguments.limits.time.unwrap_or(DEFAULT_FIRST_MOVES_TIME));
        let mut budget = Budget::new(&Limits { time, ..limits }).stopped_by(stop);
        score.exact().and_then(|score| game.best_moves(solver, score, &mut budget).ok())
    });
    Solved { game, score, nodes, time, best }
}

fn result_name(score: GameScore) -> &'static str {
    score.outcome().map_or("unknown", outcome_name)
}

/// An outcome in one word.
pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// The result as a phrase, such as `win, score +4`.
fn phrase(score: GameScore) -> String {
    let name = result_name(score);
    match score {
        GameScore::Exact(0) => format!("{name}, score 0"),
        GameScore::Exact(score) => format!("{name}, score {score:+}"),
        GameScore::Between { lower, upper, stop } => {
            format!("{name}, score {lower:+} to {upper:+}, then {}", stop_phrase(stop))
        }
    }
}

impl<G: Scored> SolveReport for Solved<G> {
    fn json(&self, line_number: Option<usize>) -> String {
        let bounds = match self.score {
            GameScore::Exact(_) => None,
            GameScore::Between { lower, upper, stop } => {
                Some(Bounds { least: lower, most: upper, stop: stop_name(stop) })
            }
        };
        json_line(&Record {
            v: VERSION,
            line_number,
            game: G::NAME,
            position: self.game.text(),
            result: result_name(self.score),
            score: self.score.exact(),
            bounds,
            best: self.best.clone(),
            nodes: self.nodes,
            seconds: self.time.as_secs_f64(),
        })
    }

    fn short_text(&self) -> String {
        format!("{}: {}\n", self.game.text(), phrase(self.score))
    }

    fn long_text(&self) -> String {
        let mut text = board_and_result(&self.game, &phrase(self.score));
        if let Some(Some(best)) = self.best.as_ref().filter(|best| **best != Some(Vec::new())) {
            let _ = writeln!(text, "Best moves: {}.", best.join(" "));
        }
        let seconds = self.time.as_secs_f64();
        let _ = writeln!(text, "Searched {} nodes in {seconds:.3} s.", self.nodes);
        if self.score.exact().is_none() {
            text.push_str("Try a larger --time, --nodes or --memory.\n");
        }
        text
    }

    fn code(&self) -> u8 {
        match self.score.outcome() {
            Some(Outcome::Win) => exit::YES,
            Some(Outcome::Draw | Outcome::Loss) => exit::NO,
            None => exit::UNKNOWN,
        }
    }
}
