//! The client: connects a player to a server.
//!
//! The client adapts to differences between servers: several games on one connection, or a new one
//! for each; swapped sides or not; a draw after 200 or 300 plies; names required or unknown;
//! refused moves that may be sent again. It sends one command per write and never an empty line.

use super::frame::{Framed, LineReader, ReadError, write_line};
use super::pieces::red_pieces;
use super::text::{Ending, FromServer, PIECES_PER_SIDE, SetCommand, View};
use super::track::{Tracker, ending_reason};
use common::rng::derive_seed;
use games::geister::{DrawLimit, Game, Move, ObservationError};
use play::{Player, Thinking};
use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server that accepts no bytes for this long is considered gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval between two connection attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);
/// How long to wait for the end of the game after a refused move before another move is sent.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum number of consecutive unknown lines.
const MAX_UNKNOWN_LINES: u32 = 1000;

/// The options of a client.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The player name, for servers that require one.
    pub name: Option<String>,
    /// Time for a move.
    pub time: Duration,
    /// The seed of the series. Together with the port it determines the random choices of each
    /// game.
    pub seed: u64,
    /// Games to play.
    pub games: u32,
    /// The draw limit that the player expects; the server decides.
    pub draw_limit: u32,
    /// How long to retry while the server does not listen yet or refuses.
    pub patience: Duration,
    /// How long to wait for a line from the server.
    pub silence: Duration,
    /// How long to wait for another game on the same connection before reconnecting.
    pub between: Duration,
}

impl Options {
    /// One game, one second per move.
    pub fn new(host: &str, port: u16) -> Options {
        Options {
            host: host.to_owned(),
            port,
            name: None,
            time: Duration::from_secs(1),
            seed: 1,
            games: 1,
            draw_limit: 300,
            patience: Duration::from_secs(30),
            silence: Duration::from_secs(3600),
            between: Duration::from_secs(3),
        }
    }

    /// The seed of a game. It depends on the port, so that two clients on one server with the same
    /// seed choose different set-ups.
    fn game_seed(&self, number: u32) -> u64 {
        derive_seed(derive_seed(self.seed, u64::from(self.port)), u64::from(number))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// How it ended for us.
    pub ending: Ending,
    /// The reason: `escape`, `last-blue`, `last-red`, `draw`, or `forfeit`.
    pub reason: &'static str,
    /// Whether we moved first; unknown if we never had a turn.
    pub began: Option<bool>,
    /// The number of plies observed.
    pub plies: u32,
    /// Our red pieces.
    pub red: [bool; PIECES_PER_SIDE],
    /// How often the server sent a view that no move explains.
    pub restarts: u32,
}

/// Why a series of games was aborted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientError {
    /// The server cannot be reached.
    Unreachable(String),
    /// It closed the connection, or broke it.
    Closed,
    /// It sent nothing for too long.
    TimedOut,
    /// The stop flag was set.
    Stopped,
    /// It refused our set-up.
    SetRefused,
    /// It refused all our legal moves.
    MovesRefused,
    /// It sent an invalid position.
    Position(ObservationError),
    /// It does not speak the protocol.
    Unknown,
    /// The player made a move that is not legal.
    Player(Move),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            ClientError::Closed => f.write_str("the server closed the connection"),
            ClientError::TimedOut => f.write_str("the server did not respond in time"),
            ClientError::Stopped => f.write_str("interrupted"),
            ClientError::SetRefused => f.write_str("the server refused the set-up"),
            ClientError::MovesRefused => f.write_str("the server refused every legal move"),
            ClientError::Position(error) => {
                write!(f, "the server sent an invalid position: {error}")
            }
            ClientError::Unknown => f.write_str("the server does not speak the protocol"),
            ClientError::Player(mv) => write!(f, "the player made the illegal move {mv}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<ReadError> for ClientError {
    fn from(why: ReadError) -> ClientError {
        match why {
            ReadError::Closed => ClientError::Closed,
            ReadError::TimedOut => ClientError::TimedOut,
            ReadError::Stopped => ClientError::Stopped,
        }
    }
}

/// The result of a series of games.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The finished games.
    pub games: Vec<FinishedGame>,
    /// Why there are fewer than requested, if there are.
    pub error: Option<ClientError>,
}

impl Series {
    /// The number of games with this ending.
    pub fn count(&self, ending: Ending) -> usize {
        self.games.iter().filter(|session| session.ending == ending).count()
    }
}

/// Plays a series; each game has its own player. Calls `on_game` after each finished game.
pub fn play(
    options: &Options,
    make_player: &dyn Fn() -> Box<dyn Player<Game>>,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(&FinishedGame),
) -> Series {
    let mut series = Series::default();
    let mut previous = None;
    for number in 0..options.games {
        let thinking = Thinking { time: options.time, seed: options.game_seed(number) };
        let played = ready_connection(options, previous.take(), stop).and_then(|mut connection| {
            let mut player = make_player();
            let finished = connection.play_game(options, player.as_mut(), &thinking, stop)?;
            Ok((finished, connection))
        });
        match played {
            Ok((finished, connection)) => {
                on_game(&finished);
                series.games.push(finished);
                previous = Some(connection);
            }
            Err(error) => {
                series.error = Some(error);
                break;
            }
        }
    }
    series
}

/// A connection on which the server has asked for a set-up: the previous one, or a new one.
fn ready_connection(
    options: &Options,
    previous: Option<Connection>,
    stop: &AtomicBool,
) -> Result<Connection, ClientError> {
    if let Some(mut connection) = previous {
        match connection.wait_for_set(options.between, stop) {
            Ok(()) => return Ok(connection),
            Err(ClientError::Stopped) => return Err(ClientError::Stopped),
            Err(_) => {} // closed or silent: this server wants a new connection for every game
        }
    }
    let give_up = Instant::now() + options.patience;
    loop {
        let mut connection = Connection::open(options, give_up, stop)?;
        match connection.wait_for_set(options.silence, stop) {
            // A server that closes or refuses immediately has no free seat yet.
            Err(ClientError::Closed | ClientError::SetRefused) if Instant::now() < give_up => {
                drop(connection);
                sleep(RETRY_INTERVAL);
            }
            other => return other.map(|()| connection),
        }
    }
}

struct Connection {
    stream: TcpStream,
    reader: LineReader,
}

impl Connection {
    /// Connects, retrying until `give_up` while the server does not listen.
    fn open(
        options: &Options,
        give_up: Instant,
        stop: &AtomicBool,
    ) -> Result<Connection, ClientError> {
        loop {
            let error = match Connection::try_open(options) {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            if stop.load(Relaxed) {
                return Err(ClientError::Stopped);
            }
            // An invalid host name does not become valid by retrying.
            let hopeless = error.kind() == io::ErrorKind::InvalidInput;
            if hopeless || Instant::now() >= give_up {
                return Err(ClientError::Unreachable(error.to_string()));
            }
            sleep(RETRY_INTERVAL);
        }
    }

    fn try_open(options: &Options) -> io::Result<Connection> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in (options.host.as_str(), options.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, WRITE_TIMEOUT) {
                Ok(stream) => return Connection::over(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn over(stream: TcpStream) -> io::Result<Connection> {
        // TCP can connect to itself on a local port that nobody listens on (simultaneous open).
        if stream.local_addr()? == stream.peer_addr()? {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let reader = LineReader::new(stream.try_clone()?)?;
        Ok(Connection { stream, reader })
    }

    fn send(&self, command: &impl fmt::Display) -> Result<(), ClientError> {
        write_line(&self.stream, &command.to_string()).map_err(|_| ClientError::Closed)
    }

    /// The next valid line.
    fn receive(
        &mut self,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<FromServer, ClientError> {
        let deadline = Instant::now().checked_add(patience);
        for _ in 0..MAX_UNKNOWN_LINES {
            if let Framed::Line(line) = self.reader.read_line(deadline, stop)?
                && let Ok(message) = FromServer::parse(&line)
            {
                return Ok(message);
            }
        }
        Err(ClientError::Unknown)
    }

    /// Waits until the server asks for a set-up.
    fn wait_for_set(&mut self, patience: Duration, stop: &AtomicBool) -> Result<(), ClientError> {
        match self.receive(patience, stop)? {
            FromServer::AskSet => Ok(()),
            FromServer::Refused => Err(ClientError::SetRefused),
            _ => Err(ClientError::Unknown),
        }
    }

    /// Sends the set-up; without the name if the server refuses names.
    fn set_up(
        &mut self,
        options: &Options,
        red: [bool; PIECES_PER_SIDE],
        stop: &AtomicBool,
    ) -> Result<(), ClientError> {
        let mut set = SetCommand { red, name: options.name.clone() };
        self.send(&set)?;
        loop {
            match self.receive(options.silence, stop)? {
                FromServer::Accepted(_) => return Ok(()),
                FromServer::Refused if set.name.take().is_some() => self.send(&set)?,
                FromServer::Refused => return Err(ClientError::SetRefused),
                FromServer::AskSet => {} // asked again after a refusal; the answer is under way
                FromServer::AskMove(_) | FromServer::End(..) => return Err(ClientError::Unknown),
            }
        }
    }

    /// Plays a game after the server has asked for a set-up.
    fn play_game(
        &mut self,
        options: &Options,
        player: &mut dyn Player<Game>,
        thinking: &Thinking,
        stop: &AtomicBool,
    ) -> Result<FinishedGame, ClientError> {
        let red = red_pieces(&player.set_up(&DrawLimit::default(), thinking));
        self.set_up(options, red, stop)?;
        let mut session =
            GameSession { tracker: Tracker::new(red, options.draw_limit), turn: None };
        loop {
            let patience = session.patience(options);
            match self.receive(patience, stop) {
                Ok(FromServer::AskMove(view)) => {
                    let mv = session.choose(&view, player, thinking)?;
                    self.send_move(&mut session, mv)?;
                }
                Ok(FromServer::End(ending, last)) => return Ok(session.finished(ending, &last)),
                Ok(FromServer::Refused) => session.refused(),
                Ok(FromServer::Accepted(_)) => session.turn = None, // the next view shows its effect
                Ok(FromServer::AskSet) => return Err(ClientError::Unknown),
                Err(ClientError::TimedOut) if session.may_send_again() => {
                    let mv = session.another_move().ok_or(ClientError::MovesRefused)?;
                    self.send_move(&mut session, mv)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn send_move(&mut self, session: &mut GameSession, mv: Move) -> Result<(), ClientError> {
        let command = session.tracker.command(mv).ok_or(ClientError::Player(mv))?;
        session.tracker.moved(mv);
        if let Some(turn) = &mut session.turn {
            turn.sent = Some(mv);
        }
        self.send(&command)
    }
}

/// An own turn that is still open.
struct Turn {
    /// The legal moves that have not been refused.
    left: Vec<Move>,
    /// The move that awaits an answer.
    sent: Option<Move>,
}

struct GameSession {
    tracker: Tracker,
    turn: Option<Turn>,
}

impl GameSession {
    fn choose(
        &mut self,
        view: &View,
        player: &mut dyn Player<Game>,
        thinking: &Thinking,
    ) -> Result<Move, ClientError> {
        if self.may_send_again() {
            // Asked again after a refusal: the player would choose the same move.
            return self.another_move().ok_or(ClientError::MovesRefused);
        }
        let history = self.tracker.turn(view).map_err(ClientError::Position)?;
        let left = history.now().legal_moves();
        let chosen = player.choose(history, thinking);
        if !left.contains(&chosen) {
            return Err(ClientError::Player(chosen));
        }
        self.turn = Some(Turn { left, sent: None });
        Ok(chosen)
    }

    fn refused(&mut self) {
        if let Some(turn) = &mut self.turn {
            let sent = turn.sent.take();
            turn.left.retain(|mv| Some(*mv) != sent);
            self.tracker.refused();
        }
    }

    /// Whether a move was refused and no other one is pending.
    fn may_send_again(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.sent.is_none())
    }

    fn another_move(&self) -> Option<Move> {
        self.turn.as_ref()?.left.first().copied()
    }

    fn patience(&self, options: &Options) -> Duration {
        if self.may_send_again() { REFUSAL_TIMEOUT } else { options.silence }
    }

    fn finished(&self, ending: Ending, last: &View) -> FinishedGame {
        FinishedGame {
            ending,
            reason: ending_reason(ending, last),
            began: self.tracker.began(),
            plies: self.tracker.plies(last),
            red: *self.tracker.red(),
            restarts: self.tracker.restarts(),
        }
    }
}
