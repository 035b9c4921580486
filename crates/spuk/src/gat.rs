//! `spuk gat`: tournaments by the protocol of the yearly Geister tournament.

use crate::output::{print, quoted};
use crate::play::random_seed;
use crate::report::{VERSION, json_line};
use crate::tablebase::UsedTables;
use crate::{Failure, exit, interrupt};
use clap::{Args, Subcommand};
use games::Seat;
use games::geister::Standard;
use gat::client::{self, ClientError, FinishedGame};
use gat::server::{self, RefereedGame, SeriesEnd, Server};
use gat::text::{Ending, is_name};
use players::roster::BoardRoster;
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// Let a computer player play on a server.
    Client(ClientArguments),
    /// Run a server on which two clients play.
    Server(ServerArguments),
}

#[derive(Args)]
struct ClientArguments {
    /// Host of the server.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Port of the server: usually 10000 for the first player, 10001 for the second.
    #[arg(long, value_name = "PORT", default_value = "10000", value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// The computer player, by its name in `spuk match`.
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// Name to send, for servers that expect one.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Thinking time for each move.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = crate::limits::parse_time)]
    time: Duration,
    /// Number of games.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the set-ups and of the player's random numbers [default: random].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of plies after which the player expects a draw; the server decides.
    #[arg(long, value_name = "PLIES", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: u32,
    #[command(flatten)]
    tables: UsedTables,
    /// Maximum time to wait for a server that does not listen yet.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = crate::limits::parse_time)]
    wait: Duration,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ServerArguments {
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The ports of the two players. Port 0 picks a free port.
    #[arg(long, value_name = "PORT,PORT", default_value = "10000,10001", value_parser = parse_ports)]
    ports: [u16; 2],
    /// Time budget of each player for a game, in addition to --per-move.
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = crate::limits::parse_time)]
    budget: Duration,
    /// Time for each move.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::limits::parse_time)]
    per_move: Duration,
    /// Maximum time for a client to set up, and to reconnect between games.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = crate::limits::parse_time)]
    timeout: Duration,
    /// Number of plies after which a game is drawn.
    #[arg(long, value_name = "PLIES", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    draw: u32,
    /// Number of games.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Alternate who moves first.
    #[arg(long)]
    swap: bool,
    /// Let a player retry after an illegal move; otherwise it loses the game.
    #[arg(long)]
    lenient: bool,
    /// Write the games to this file, in the log format of the tournament.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print one JSON object each for the ports, every game and the result.
    #[arg(long)]
    json: bool,
}

fn parse_ports(text: &str) -> Result<[u16; 2], String> {
    let ports = text
        .split_once(',')
        .and_then(|(one, other)| Some([one.trim().parse().ok()?, other.trim().parse().ok()?]));
    ports
        .filter(|[one, other]: &[u16; 2]| one != other || *one == 0)
        .ok_or_else(|| "write two different ports separated by a comma, such as 10000,10001".into())
}

/// Runs the client or the server and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.role {
        Role::Client(arguments) => run_client(arguments),
        Role::Server(arguments) => run_server(arguments),
    }
}

// The client.

#[derive(Serialize)]
struct PlayedGame {
    result: &'static str,
    how: &'static str,
    began: Option<bool>,
    plies: u32,
}

impl PlayedGame {
    fn new(game: &FinishedGame) -> PlayedGame {
        let result = match game.ending {
            Ending::Won => "won",
            Ending::Lost => "lost",
            Ending::Drawn => "drawn",
        };
        PlayedGame { result, how: game.reason, began: game.began, plies: game.plies }
    }

    fn text(&self, number: usize) -> String {
        let PlayedGame { result, how, plies, .. } = self;
        format!("game {number}: {result} ({how}, {plies} plies)\n")
    }
}

#[derive(Serialize)]
struct ClientRecord<'a> {
    v: u32,
    player: &'a str,
    seed: u64,
    server: String,
    games: usize,
    wins: usize,
    losses: usize,
    draws: usize,
    results: Vec<PlayedGame>,
    error: Option<String>,
}

fn run_client(arguments: &ClientArguments) -> Result<u8, Failure> {
    let make = Standard::maker(&arguments.player, &arguments.tables.open()?);
    let make = make.map_err(|error| error.to_string())?;
    if let Some(name) = arguments.name.as_deref().filter(|name| !is_name(name)) {
        let name = quoted(name);
        return Err(format!(
            "the name {name} cannot be sent; write 1 to 64 printable ASCII characters"
        ));
    }
    let stop = interrupt::listen();
    let options = client::Options {
        name: arguments.name.clone(),
        time: arguments.time,
        seed: arguments.seed.unwrap_or_else(random_seed),
        games: arguments.games,
        draw_limit: arguments.draw,
        patience: arguments.wait,
        ..client::Options::new(&arguments.host, arguments.port)
    };
    let mut number = 0;
    let mut on_game = |game: &FinishedGame| {
        number += 1;
        if !arguments.json {
            // A closed standard output does not end the tournament.
            let _ = print(&PlayedGame::new(game).text(number));
        }
    };
    let series = client::play(&options, &make, stop, &mut on_game);
    report_client(arguments, options.seed, &series)?;
    match &series.error {
        None => Ok(exit::YES),
        Some(ClientError::Stopped) => Ok(exit::UNKNOWN),
        Some(error) => {
            let (done, all) = (series.games.len(), arguments.games);
            Err(format!("{error}; {done} of {all} games were finished"))
        }
    }
}

fn report_client(
    arguments: &ClientArguments,
    seed: u64,
    series: &client::Series,
) -> Result<(), Failure> {
    let [wins, losses, draws] = Ending::ALL.map(|ending| series.count(ending));
    let text = if arguments.json {
        json_line(&ClientRecord {
            v: VERSION,
            player: &arguments.player,
            seed,
            server: format!("{}:{}", arguments.host, arguments.port),
            games: series.games.len(),
            wins,
            losses,
            draws,
            results: series.games.iter().map(PlayedGame::new).collect(),
            error: series.error.as_ref().map(ClientError::to_string),
        })
    } else {
        format!("{}: {wins} won, {losses} lost, {draws} drawn; seed {seed}\n", arguments.player)
    };
    print(&text).map(|_| ())
}

// The server.

#[derive(Serialize)]
struct RefereedGameRecord<'a> {
    v: u32,
    game: u32,
    /// The port that moved first.
    first: u16,
    /// The port that won.
    winner: Option<u16>,
    end: &'static str,
    plies: usize,
    names: [Option<&'a str>; 2],
}

impl<'a> RefereedGameRecord<'a> {
    fn new(game: &'a RefereedGame, addresses: [SocketAddr; 2]) -> RefereedGameRecord<'a> {
        let port = |seat: usize| addresses[seat].port();
        RefereedGameRecord {
            v: VERSION,
            game: game.number + 1,
            first: port(game.seat(Seat::First)),
            winner: game.winning_seat().map(port),
            end: game.finish.why.name(),
            plies: game.log.moves.len(),
            names: [0, 1].map(|player| game.log.sets[player].name.as_deref()),
        }
    }

    fn text(&self) -> String {
        let RefereedGameRecord { game, first, end, plies, .. } = self;
        let result = self.winner.map_or("drawn".into(), |port| format!("won by port {port}"));
        format!("game {game}: {result} ({end}, {plies} plies, port {first} began)\n")
    }
}

#[derive(Serialize)]
struct ServerRecord {
    v: u32,
    games: usize,
    wins: [u32; 2],
    draws: u32,
    end: &'static str,
}

fn run_server(arguments: &ServerArguments) -> Result<u8, Failure> {
    let mut records = arguments.records.as_ref().map(open_records).transpose()?;
    let stop = interrupt::listen();
    let server = Server::bind(server::Options {
        listen: arguments.listen,
        ports: arguments.ports,
        budget: arguments.budget,
        per_move: arguments.per_move,
        silence: arguments.timeout,
        draw_limit: arguments.draw,
        games: arguments.games,
        swap: arguments.swap,
        lenient: arguments.lenient,
        ..server::Options::default()
    })
    .map_err(|error| {
        let [one, other] = arguments.ports;
        format!(
            "cannot listen at {} {one} and {other}: {error}; choose others with --ports, such as 0,0",
            arguments.listen
        )
    })?;
    let addresses = server.addresses();
    print(&announcement(addresses, arguments.json))?;
    let mut failed = None;
    let mut on_game = |game: &RefereedGame| {
        let record = RefereedGameRecord::new(game, addresses);
        let text = if arguments.json { json_line(&record) } else { record.text() };
        let written = records.as_mut().map_or(Ok(()), |file| write_record(file, game));
        // The clients are in the middle of a series, so a write error is reported at its end.
        if let Err(failure) = written.and_then(|()| print(&text).map(|_| ())) {
            failed.get_or_insert(failure);
        }
    };
    let series = server.run(stop, &mut on_game).map_err(|error| {
        format!("cannot start threads: {error}; free memory or raise the limit on threads")
    })?;
    report_server(arguments, addresses, &series)?;
    match failed {
        Some(failure) => Err(failure),
        None if series.end == SeriesEnd::Done => Ok(exit::YES),
        None => Ok(exit::UNKNOWN),
    }
}

fn announcement(addresses: [SocketAddr; 2], json: bool) -> String {
    let [first, second] = addresses;
    if json {
        let record = serde_json::json!({
            "v": VERSION, "address": first.ip().to_string(), "ports": [first.port(), second.port()]
        });
        return format!("{record}\n");
    }
    format!("Players connect to {first} and {second} (Ctrl-C stops the server).\n")
}

fn report_server(
    arguments: &ServerArguments,
    addresses: [SocketAddr; 2],
    series: &server::Series,
) -> Result<(), Failure> {
    let (wins, draws) = series.score();
    let end = match series.end {
        SeriesEnd::Done => "done",
        SeriesEnd::Deserted => "deserted",
        SeriesEnd::Stopped => "interrupted",
    };
    let text = if arguments.json {
        json_line(&ServerRecord { v: VERSION, games: series.games.len(), wins, draws, end })
    } else {
        let [first, second] = addresses.map(|address| address.port());
        let open = match series.end {
            SeriesEnd::Done => "",
            SeriesEnd::Deserted => "; a client did not return for the next game",
            SeriesEnd::Stopped => "; interrupted",
        };
        format!(
            "port {first} won {}, port {second} won {}, {draws} drawn{open}\n",
            wins[0], wins[1]
        )
    };
    print(&text).map(|_| ())
}

fn open_records(path: &PathBuf) -> Result<File, Failure> {
    File::create(path).map_err(|error| {
        let path = quoted(&path.to_string_lossy());
        format!("cannot write {path}: {error}; name another file with --records")
    })
}

/// A whole game in one write, so that a file never ends in the middle of a line.
fn write_record(file: &mut File, game: &RefereedGame) -> Result<(), Failure> {
    let text = game.log.to_string();
    file.write_all(text.as_bytes()).map_err(|error| {
        format!("cannot write the games: {error}; name another file with --records")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ports_are_read() {
        assert_eq!(parse_ports("10000,10001"), Ok([10_000, 10_001]));
        assert_eq!(parse_ports("0,0"), Ok([0, 0]));
        for bad in ["", "1", "1,", "1,1", "1,2,3", "1,70000", "a,b"] {
            assert!(parse_ports(bad).is_err(), "{bad}");
        }
    }
}
