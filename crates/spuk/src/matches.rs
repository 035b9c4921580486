//! `spuk match`: players against each other, with Elo and its error margin.

use crate::hidden_games::{MatchChoice, MatchGame};
use crate::output::{print, quoted};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::tablebase::UsedTables;
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use common::file_lock;
use games::geister::{self, DrawLimit, Small};
use play::elo::MatchScore;
use play::matches::{Played, Summary, Terms, play};
use serde::{Serialize, Serializer};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// The board.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BoardChoice {
    #[value(name = "6x6")]
    Standard,
    #[value(name = "4x5")]
    Small,
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// Two or more players; every pair plays a match.
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "geister")]
    game: MatchChoice,
    /// Number of games for each pairing.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Thinking time for each move, such as 50ms or 1s.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = crate::limits::parse_time)]
    time: Duration,
    /// Seed of the set-ups and of the players' random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Geister: the board [default: 6x6].
    #[arg(long, value_name = "BOARD")]
    board: Option<BoardChoice>,
    /// Geister: number of plies after which a game is drawn [default: 300].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: Option<u32>,
    /// Geister: players choose their set-ups; otherwise set-ups are random and each is played from both
    /// sides.
    #[arg(long)]
    own_placements: bool,
    #[command(flatten)]
    tables: UsedTables,
    /// Number of games played at a time [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write every game to this file: one JSON record per line, or PGN for Kriegspiel.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object for each pairing.
    #[arg(long)]
    json: bool,
}

/// The result of a pairing, from the first player's view.
#[derive(Serialize)]
struct Record {
    v: u32,
    game: &'static str,
    players: [String; 2],
    games: u32,
    wins: u32,
    losses: u32,
    draws: u32,
    /// Null without games, or where the score is 0 or 100 %.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    plies: f64,
    seconds_per_move: f64,
    opponent_seconds_per_move: f64,
    /// Tries for a move, in games where a try may be refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    tries_per_move: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_tries_per_move: Option<f64>,
    #[serde(serialize_with = "as_map")]
    ends: Vec<(String, u32)>,
    seed: u64,
}

/// Pairs as one JSON object, in their order.
fn as_map<S: Serializer>(pairs: &[(String, u32)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, count)| (name, count)))
}

impl Record {
    fn new<G: MatchGame>(players: [&str; 2], summary: &Summary, seed: u64) -> Record {
        let hundredth = |tries: f64| G::HAS_REFUSALS.then(|| (tries * 100.0).round() / 100.0);
        let [tries_per_move, opponent_tries_per_move] = summary.tries_per_move.map(hundredth);
        let ends = summary.reasons.iter().map(|&(reason, count)| (G::reason_key(reason), count));
        Record {
            plies: tenth(summary.plies),
            seconds_per_move: summary.seconds_per_move[0],
            opponent_seconds_per_move: summary.seconds_per_move[1],
            tries_per_move,
            opponent_tries_per_move,
            ends: ends.collect(),
            ..Record::scored(G::NAME, players, summary.score, seed)
        }
    }

    /// The record with the score alone.
    fn scored(game: &'static str, players: [&str; 2], score: MatchScore, seed: u64) -> Record {
        let elo = score.elo();
        Record {
            v: VERSION,
            game,
            players: players.map(str::to_owned),
            games: score.games(),
            wins: score.wins,
            losses: score.losses,
            draws: score.draws,
            elo: elo.and_then(|elo| elo.points).map(tenth),
            elo_low: elo.and_then(|elo| elo.low).map(tenth),
            elo_high: elo.and_then(|elo| elo.high).map(tenth),
            plies: 0.0,
            seconds_per_move: 0.0,
            opponent_seconds_per_move: 0.0,
            tries_per_move: None,
            opponent_tries_per_move: None,
            ends: Vec::new(),
            seed,
        }
    }

    /// The share of points of the first player.
    fn share(&self) -> f64 {
        MatchScore { wins: self.wins, draws: self.draws, losses: self.losses }.share()
    }

    fn text(&self) -> String {
        let Record { players, wins, losses, draws, plies, .. } = self;
        let [first, second] = players;
        let ends: Vec<String> = self
            .ends
            .iter()
            .map(|(name, count)| format!("{} {count}", name.replace(['_', '-'], " ")))
            .collect();
        let tries = match (self.tries_per_move, self.opponent_tries_per_move) {
            (Some(one), Some(other)) => format!("{one:.1} and {other:.1} tries a move; "),
            _ => String::new(),
        };
        format!(
            "{first} against {second}: {wins} won, {losses} lost, {draws} drawn; {}\n    \
             {plies:.0} plies a game; {:.1} and {:.1} ms a move; {tries}ended by {}\n",
            self.elo_text(),
            1e3 * self.seconds_per_move,
            1e3 * self.opponent_seconds_per_move,
            ends.join(", "),
        )
    }
}

impl Record {
    /// The difference in strength with its error margin, as far as the games tell.
    fn elo_text(&self) -> String {
        match (self.elo, self.elo_low, self.elo_high) {
            (Some(elo), Some(low), Some(high)) => {
                format!("Elo {elo:+.0} ({low:+.0} to {high:+.0})")
            }
            (None, Some(low), None) => format!("Elo at least {low:+.0}"),
            (None, None, Some(high)) => format!("Elo at most {high:+.0}"),
            _ => "no Elo without games".to_owned(),
        }
    }
}

fn tenth(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// Plays the matches and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    if let Some(threads) = arguments.threads {
        // Only the first call of a process can set this, and this is the only one.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    arguments.game.run(arguments, stop)
}

/// Matches of Geister, on the board of the arguments.
pub(crate) fn run_geister(arguments: &Arguments, stop: &AtomicBool) -> Result<u8, Failure> {
    let start = DrawLimit(arguments.draw.unwrap_or(DrawLimit::default().0));
    let tables = || arguments.tables.open();
    match arguments.board {
        None | Some(BoardChoice::Standard) => {
            run_game::<geister::Game>(arguments, start, tables, stop)
        }
        Some(BoardChoice::Small) => {
            run_game::<geister::Game<Small>>(arguments, start, tables, stop)
        }
    }
}

/// Matches of a game that has no arguments and no resources of its own.
pub(crate) fn run_plain<G: MatchGame<Resources = ()>>(
    arguments: &Arguments,
    start: G::Start,
    stop: &AtomicBool,
) -> Result<u8, Failure> {
    refuse_flags_of_geister(arguments)?;
    run_game::<G>(arguments, start, || Ok(()), stop)
}

fn refuse_flags_of_geister(arguments: &Arguments) -> Result<(), Failure> {
    let flags = [
        ("--board", arguments.board.is_some()),
        ("--draw", arguments.draw.is_some()),
        ("--own-placements", arguments.own_placements),
    ];
    match flags.into_iter().chain(arguments.tables.flags()).find(|&(_, given)| given) {
        Some((flag, _)) => Err(format!("{flag} is for Geister only; omit it")),
        None => Ok(()),
    }
}

fn run_game<G: MatchGame>(
    arguments: &Arguments,
    start: G::Start,
    resources: impl FnOnce() -> Result<G::Resources, Failure>,
    stop: &AtomicBool,
) -> Result<u8, Failure> {
    // A wrong name is reported before anything is opened.
    for name in &arguments.players {
        G::roster().player(name, &G::Resources::default()).map_err(|error| error.to_string())?;
    }
    let resources = resources()?;
    let terms = Terms {
        games: arguments.games,
        time: arguments.time,
        seed: arguments.seed,
        start,
        seeding: G::SEEDING,
        own_setups: arguments.own_placements,
    };
    round_robin(arguments, stop, |pair| {
        let games = pairing::<G>(&terms, pair, &resources, stop)?;
        let record = Record::new::<G>(pair, &Summary::of(&games), arguments.seed);
        let text = |game: &Played<G>| {
            let text = G::FORMAT.write(&game.record)?;
            Ok::<String, Failure>(text + G::FORMAT.separator())
        };
        Ok((record, games.iter().map(text).collect::<Result<_, _>>()?))
    })
}

/// Plays a match between every two players and prints the results. `play_match` returns a result and
/// the text of the games for the file.
fn round_robin(
    arguments: &Arguments,
    stop: &AtomicBool,
    play_match: impl Fn([&str; 2]) -> Result<(Record, String), Failure>,
) -> Result<u8, Failure> {
    let mut out = arguments.out.as_ref().map(open).transpose()?;
    let names = &arguments.players;
    let mut shares = vec![vec![None; names.len()]; names.len()];
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let (record, games) = play_match([names[first].as_str(), names[second].as_str()])?;
            if let Some(out) = &mut out {
                write_games(out, &games)?;
            }
            print(&if arguments.json { json_line(&record) } else { record.text() })?;
            if stop.load(Relaxed) {
                return Ok(exit::UNKNOWN);
            }
            shares[first][second] = Some(record.share());
            shares[second][first] = Some(1.0 - record.share());
        }
    }
    if !arguments.json && names.len() > 2 {
        print(&crosstable(names, &shares))?;
    }
    Ok(exit::YES)
}

/// The games of two players, with progress.
fn pairing<G: MatchGame>(
    terms: &Terms<G>,
    names: [&str; 2],
    resources: &G::Resources,
    stop: &AtomicBool,
) -> Result<Vec<Played<G>>, Failure> {
    // A file of weights may have been removed since the names were checked; from here on it may be.
    let roster = G::roster();
    let maker = |name: &str| roster.maker(name, resources).map_err(|error| error.to_string());
    let [first, second] = [maker(names[0])?, maker(names[1])?];
    let play =
        |on_game: &(dyn Fn() + Sync)| play(names, [&*first, &*second], terms, stop, &|_| on_game());
    Ok(with_progress(names, terms.games, play))
}

/// Runs a match that calls back after each of its games.
fn with_progress<T>(
    names: [&str; 2],
    games: u32,
    run: impl FnOnce(&(dyn Fn() + Sync)) -> Vec<T>,
) -> Vec<T> {
    let (line, done) = (Line::new(), AtomicU32::new(0));
    let played = run(&|| {
        let done = done.fetch_add(1, Relaxed) + 1;
        line.say(format!("{} against {}: {done} of {games} games", names[0], names[1]));
    });
    line.clear();
    played
}

fn open(path: &PathBuf) -> Result<BufWriter<File>, Failure> {
    let name = quoted(&path.to_string_lossy());
    let failed = |error: &dyn std::fmt::Display| {
        format!("cannot write {name}: {error}; name another file with --out")
    };
    let mut options = File::options();
    let file = options.create(true).truncate(false).write(true).open(path);
    let file = file.map_err(|error| failed(&error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        // The games of a run in progress must not be lost.
        file_lock::lock(&file).map_err(|error| failed(&error))?;
        file.set_len(0).map_err(|error| failed(&error))?;
    }
    Ok(BufWriter::new(file))
}

fn write_games(out: &mut impl Write, games: &str) -> Result<(), Failure> {
    let written = out.write_all(games.as_bytes()).and_then(|()| out.flush());
    written
        .map_err(|error| format!("cannot write the games: {error}; name another file with --out"))
}

/// The crosstable, in per cent of the points.
fn crosstable(names: &[String], shares: &[Vec<Option<f64>>]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let cell = |text: String| format!(" {text:>width$}");
    let mut text = cell(String::new());
    text.extend(names.iter().map(|name| cell(name.clone())));
    for (name, row) in names.iter().zip(shares) {
        text.push('\n');
        text += &cell(name.clone());
        let share =
            |share: &Option<f64>| share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share));
        text.extend(row.iter().map(|one| cell(share(one))));
    }
    text + "\n"
}
