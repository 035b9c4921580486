//! `spuk match`: players against each other, with Elo and what it leaves open.

use crate::output::{print, quoted};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use games::geister::{Small, Standard};
use players::matches::{Maker, Played, Summary, Terms, play};
use players::roster::Roster;
use serde::Serialize;
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
    /// Two players or more; each meets each.
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Games of each pairing.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Time for a move.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = crate::limits::parse_time)]
    time: Duration,
    /// The seed of set-ups and chance.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The board.
    #[arg(long, value_name = "BOARD", default_value = "6x6")]
    board: BoardChoice,
    /// Plies after which a game is drawn.
    #[arg(long, value_name = "PLIES", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: u32,
    /// Players set up their ghosts themselves; otherwise set-ups are drawn and exchanged.
    #[arg(long)]
    own_placements: bool,
    /// Games at a time (all cores).
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write every game to this file, one record a line.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object for each pairing.
    #[arg(long)]
    json: bool,
}

/// What came of a pairing, for the first player.
#[derive(Serialize)]
struct Record {
    v: u32,
    game: &'static str,
    players: [String; 2],
    games: u32,
    wins: u32,
    losses: u32,
    draws: u32,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    plies: f64,
    seconds_per_move: f64,
    opponent_seconds_per_move: f64,
    ends: Ends,
    seed: u64,
}

#[derive(Serialize)]
struct Ends {
    escape: u32,
    last_blue: u32,
    last_red: u32,
    draw: u32,
}

impl Record {
    fn new(players: [&str; 2], summary: &Summary, seed: u64) -> Record {
        let elo = summary.score.elo();
        let tenth = |points: f64| (points * 10.0).round() / 10.0;
        let [escape, last_blue, last_red, draw] = summary.ends;
        Record {
            v: VERSION,
            game: "geister",
            players: players.map(str::to_owned),
            games: summary.score.games(),
            wins: summary.score.wins,
            losses: summary.score.losses,
            draws: summary.score.draws,
            elo: tenth(elo.points),
            elo_low: tenth(elo.low),
            elo_high: tenth(elo.high),
            plies: tenth(summary.plies),
            seconds_per_move: summary.seconds_per_move[0],
            opponent_seconds_per_move: summary.seconds_per_move[1],
            ends: Ends { escape, last_blue, last_red, draw },
            seed,
        }
    }

    fn text(&self) -> String {
        let Record { players, wins, losses, draws, elo, elo_low, elo_high, plies, ends, .. } = self;
        let [first, second] = players;
        format!(
            "{first} against {second}: {wins} won, {losses} lost, {draws} drawn; Elo {elo:+.0} ({elo_low:+.0} to {elo_high:+.0})\n    \
             {plies:.0} plies a game; {:.1} and {:.1} ms a move; ended by escape {}, last blue {}, last red {}, draw {}\n",
            1e3 * self.seconds_per_move,
            1e3 * self.opponent_seconds_per_move,
            ends.escape,
            ends.last_blue,
            ends.last_red,
            ends.draw,
        )
    }
}

/// Plays and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    if let Some(threads) = arguments.threads {
        // Only the first call of a process can set this, and this is the only one.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    match arguments.board {
        BoardChoice::Standard => run_on::<Standard>(arguments, stop),
        BoardChoice::Small => run_on::<Small>(arguments, stop),
    }
}

fn run_on<B: Roster>(arguments: &Arguments, stop: &AtomicBool) -> Result<u8, Failure> {
    for name in &arguments.players {
        B::player(name).map_err(|error| error.to_string())?;
    }
    let mut out = arguments.out.as_ref().map(open).transpose()?;
    let names = &arguments.players;
    let mut shares = vec![vec![None; names.len()]; names.len()];
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let pair = [names[first].as_str(), names[second].as_str()];
            let games = pairing::<B>(arguments, pair, stop);
            if let Some(out) = &mut out {
                write_games(out, &games)?;
            }
            let summary = Summary::of(&games);
            let record = Record::new(pair, &summary, arguments.seed);
            print(&if arguments.json { json_line(&record) } else { record.text() })?;
            if stop.load(Relaxed) {
                return Ok(exit::UNKNOWN);
            }
            shares[first][second] = Some(summary.score.share());
            shares[second][first] = Some(1.0 - summary.score.share());
        }
    }
    if !arguments.json && names.len() > 2 {
        print(&crosstable(names, &shares))?;
    }
    Ok(exit::YES)
}

/// The games of two players, with progress.
fn pairing<B: Roster>(arguments: &Arguments, names: [&str; 2], stop: &AtomicBool) -> Vec<Played> {
    let terms = Terms {
        games: arguments.games,
        time: arguments.time,
        seed: arguments.seed,
        draw_limit: arguments.draw,
        own_placements: arguments.own_placements,
    };
    let make = |name: &str| B::player(name).expect("names were looked up before");
    let makers: [&Maker<'_, B>; 2] = [&|| make(names[0]), &|| make(names[1])];
    let (line, done) = (Line::new(), AtomicU32::new(0));
    let told = |_: &Played| {
        let done = done.fetch_add(1, Relaxed) + 1;
        line.say(format!("{} against {}: {done} of {} games", names[0], names[1], terms.games));
    };
    let games = play::<B>(names, makers, &terms, stop, &told);
    line.clear();
    games
}

fn open(path: &PathBuf) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).map_err(|error| {
        format!(
            "cannot write {}: {error}; name another file with --out",
            quoted(&path.to_string_lossy())
        )
    })?;
    Ok(BufWriter::new(file))
}

fn write_games(out: &mut impl Write, games: &[Played]) -> Result<(), Failure> {
    for game in games {
        out.write_all(json_line(&game.record).as_bytes())
            .map_err(|error| format!("the games cannot be written: {error}"))?;
    }
    out.flush().map_err(|error| format!("the games cannot be written: {error}"))
}

/// Everybody against everybody, in per cent of the points.
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
