//! Any player on any server of the protocol.
//!
//! Servers differ, and the client takes them as they are: several games on one connection, or a new
//! one for each; sides exchanged or not; a draw after 200 plies or 300; names wanted or unknown; moves
//! refused that may be sent again. It connects only while the server listens, sends one command per
//! write and never an empty line.

use super::frame::{Framed, LineReader, NoLine, write_line};
use super::pieces::red_pieces;
use super::text::{Ending, FromServer, PIECES, SetCommand, View};
use super::track::{Tracker, how_it_ended};
use common::rng::derive_seed;
use games::geister::{Move, ObservationError, Standard};
use players::player::{Player, Thinking};
use players::random::moves_of;
use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server that does not take bytes for so long is gone.
const WRITE: Duration = Duration::from_secs(10);
/// Between two attempts to connect.
const AGAIN: Duration = Duration::from_millis(100);
/// After a refused move the end comes at once, or never: then another move is sent.
const AFTER_REFUSAL: Duration = Duration::from_secs(1);
/// So many lines of a game may be none of the protocol.
const MOST_UNKNOWN: u32 = 1000;

/// Where and how to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The name to give, for servers that want one.
    pub name: Option<String>,
    /// Time for a move.
    pub time: Duration,
    /// The seed of the series. Together with the port it gives the chance of each game.
    pub seed: u64,
    /// Games to play.
    pub games: u32,
    /// The draw limit that the player expects; the server's word counts.
    pub draw_limit: u32,
    /// So long a server that does not listen yet, or refuses, is tried again.
    pub patience: Duration,
    /// A server that says nothing for so long is given up.
    pub silence: Duration,
    /// So long another game is waited for on the same connection; then it is closed, and the server
    /// tried anew.
    pub between: Duration,
}

impl Options {
    /// One game at a place, a second for a move.
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

    /// The seed of a game. Two clients on one server with the same seed would otherwise set up alike.
    fn seed_of(&self, number: u32) -> u64 {
        derive_seed(derive_seed(self.seed, u64::from(self.port)), u64::from(number))
    }
}

/// A game that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended for us.
    pub ending: Ending,
    /// Why: `escape`, `last-blue`, `last-red`, `draw`, or `forfeit`.
    pub how: &'static str,
    /// Whether we began; not known if we never had a turn.
    pub began: Option<bool>,
    /// Plies, as far as we saw.
    pub plies: u32,
    /// Our red pieces.
    pub red: [bool; PIECES],
    /// How often the server told something that no move explains.
    pub restarts: u32,
}

/// Why no more games were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The server cannot be reached.
    Unreachable(String),
    /// It closed the connection, or broke it.
    Closed,
    /// It said nothing for too long.
    Silent,
    /// We were asked to stop.
    Stopped,
    /// It did not take our set-up.
    SetRefused,
    /// It took none of our legal moves.
    MovesRefused,
    /// It told a position that is none.
    Position(ObservationError),
    /// It told nothing that we understand.
    Unknown,
    /// The player made a move that is not legal.
    Player(Move),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            Trouble::Closed => f.write_str("the server closed the connection"),
            Trouble::Silent => f.write_str("the server said nothing for too long"),
            Trouble::Stopped => f.write_str("interrupted"),
            Trouble::SetRefused => f.write_str("the server does not take the set-up"),
            Trouble::MovesRefused => f.write_str("the server takes no legal move"),
            Trouble::Position(error) => {
                write!(f, "the server told a position that is none: {error}")
            }
            Trouble::Unknown => f.write_str("the server does not speak the protocol"),
            Trouble::Player(mv) => write!(f, "the player made the illegal move {mv}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<NoLine> for Trouble {
    fn from(why: NoLine) -> Trouble {
        match why {
            NoLine::Closed => Trouble::Closed,
            NoLine::Silent => Trouble::Silent,
            NoLine::Stopped => Trouble::Stopped,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The games that came to their end.
    pub games: Vec<Finished>,
    /// Why they are fewer than were wanted, if they are.
    pub trouble: Option<Trouble>,
}

impl Series {
    /// Games that ended so.
    pub fn count(&self, ending: Ending) -> usize {
        self.games.iter().filter(|game| game.ending == ending).count()
    }
}

/// Plays; each game has a player of its own. Tells every game as it ends.
pub fn play(
    options: &Options,
    make_player: &dyn Fn() -> Box<dyn Player<Standard>>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(&Finished),
) -> Series {
    let mut series = Series::default();
    let mut kept = None;
    for number in 0..options.games {
        let thinking = Thinking { time: options.time, seed: options.seed_of(number) };
        let played = seated(options, kept.take(), stop).and_then(|mut connection| {
            let mut player = make_player();
            let finished = connection.play_game(options, player.as_mut(), &thinking, stop)?;
            Ok((finished, connection))
        });
        match played {
            Ok((finished, connection)) => {
                told(&finished);
                series.games.push(finished);
                kept = Some(connection);
            }
            Err(trouble) => {
                series.trouble = Some(trouble);
                break;
            }
        }
    }
    series
}

/// A connection on which the server has asked for a set-up: the one that is there, or a new one.
fn seated(
    options: &Options,
    kept: Option<Connection>,
    stop: &AtomicBool,
) -> Result<Connection, Trouble> {
    if let Some(mut connection) = kept {
        match connection.wait_for_set(options.between, stop) {
            Ok(()) => return Ok(connection),
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(_) => {} // closed or silent: this server wants a new connection for every game
        }
    }
    let give_up = Instant::now() + options.patience;
    loop {
        let mut connection = Connection::open(options, give_up, stop)?;
        match connection.wait_for_set(options.silence, stop) {
            // Whoever closes at once, or says no, has no seat for us yet.
            Err(Trouble::Closed | Trouble::SetRefused) if Instant::now() < give_up => {
                drop(connection);
                sleep(AGAIN);
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
    /// Connects, and tries again until `give_up` while nobody listens.
    fn open(options: &Options, give_up: Instant, stop: &AtomicBool) -> Result<Connection, Trouble> {
        loop {
            let error = match Connection::try_open(options) {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            if stop.load(Relaxed) {
                return Err(Trouble::Stopped);
            }
            // A name that does not exist will not begin to.
            let hopeless = error.kind() == io::ErrorKind::InvalidInput;
            if hopeless || Instant::now() >= give_up {
                return Err(Trouble::Unreachable(error.to_string()));
            }
            sleep(AGAIN);
        }
    }

    fn try_open(options: &Options) -> io::Result<Connection> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in (options.host.as_str(), options.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, WRITE) {
                Ok(stream) => return Connection::over(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn over(stream: TcpStream) -> io::Result<Connection> {
        // Trying a port of this machine that nobody listens to, one may meet oneself.
        if stream.local_addr()? == stream.peer_addr()? {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE))?;
        let reader = LineReader::new(stream.try_clone()?)?;
        Ok(Connection { stream, reader })
    }

    fn say(&self, command: &impl fmt::Display) -> Result<(), Trouble> {
        write_line(&self.stream, &command.to_string()).map_err(|_| Trouble::Closed)
    }

    /// The next line that the protocol knows.
    fn hear(&mut self, patience: Duration, stop: &AtomicBool) -> Result<FromServer, Trouble> {
        let deadline = Instant::now().checked_add(patience);
        for _ in 0..MOST_UNKNOWN {
            if let Framed::Line(line) = self.reader.read_line(deadline, stop)?
                && let Ok(said) = FromServer::parse(&line)
            {
                return Ok(said);
            }
        }
        Err(Trouble::Unknown)
    }

    /// Waits until the server asks for a set-up.
    fn wait_for_set(&mut self, patience: Duration, stop: &AtomicBool) -> Result<(), Trouble> {
        match self.hear(patience, stop)? {
            FromServer::AskSet => Ok(()),
            FromServer::Refused => Err(Trouble::SetRefused),
            _ => Err(Trouble::Unknown),
        }
    }

    /// Sets up; a server that does not know names gets none.
    fn set_up(
        &mut self,
        options: &Options,
        red: [bool; PIECES],
        stop: &AtomicBool,
    ) -> Result<(), Trouble> {
        let mut set = SetCommand { red, name: options.name.clone() };
        self.say(&set)?;
        loop {
            match self.hear(options.silence, stop)? {
                FromServer::Accepted(_) => return Ok(()),
                FromServer::Refused if set.name.take().is_some() => self.say(&set)?,
                FromServer::Refused => return Err(Trouble::SetRefused),
                FromServer::AskSet => {} // asked again after a refusal; the answer is under way
                FromServer::AskMove(_) | FromServer::End(..) => return Err(Trouble::Unknown),
            }
        }
    }

    /// Plays a game for which the server has asked to set up.
    fn play_game(
        &mut self,
        options: &Options,
        player: &mut dyn Player<Standard>,
        thinking: &Thinking,
        stop: &AtomicBool,
    ) -> Result<Finished, Trouble> {
        let red = red_pieces(&player.place(thinking));
        self.set_up(options, red, stop)?;
        let mut game = Playing { tracker: Tracker::new(red, options.draw_limit), turn: None };
        loop {
            let patience = game.patience(options);
            match self.hear(patience, stop) {
                Ok(FromServer::AskMove(view)) => {
                    let mv = game.choose(&view, player, thinking)?;
                    self.send_move(&mut game, mv)?;
                }
                Ok(FromServer::End(ending, last)) => return Ok(game.finished(ending, &last)),
                Ok(FromServer::Refused) => game.refused(),
                Ok(FromServer::Accepted(_)) => game.turn = None, // the next view tells what it took
                Ok(FromServer::AskSet) => return Err(Trouble::Unknown),
                Err(Trouble::Silent) if game.may_send_again() => {
                    let mv = game.another_move().ok_or(Trouble::MovesRefused)?;
                    self.send_move(&mut game, mv)?;
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    fn send_move(&mut self, game: &mut Playing, mv: Move) -> Result<(), Trouble> {
        let command = game.tracker.command(mv).ok_or(Trouble::Player(mv))?;
        game.tracker.moved(mv);
        if let Some(turn) = &mut game.turn {
            turn.sent = Some(mv);
        }
        self.say(&command)
    }
}

/// An own turn that the server has not taken a move for.
struct Turn {
    /// The legal moves that were not refused.
    left: Vec<Move>,
    /// The move that waits for its answer.
    sent: Option<Move>,
}

struct Playing {
    tracker: Tracker,
    turn: Option<Turn>,
}

impl Playing {
    fn choose(
        &mut self,
        view: &View,
        player: &mut dyn Player<Standard>,
        thinking: &Thinking,
    ) -> Result<Move, Trouble> {
        if self.may_send_again() {
            // Asked once more after a refusal: the player would say the same.
            return self.another_move().ok_or(Trouble::MovesRefused);
        }
        let history = self.tracker.turn(view).map_err(Trouble::Position)?;
        let left = moves_of(history.now());
        let chosen = player.choose(history, thinking);
        if !left.contains(&chosen) {
            return Err(Trouble::Player(chosen));
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

    /// A move was refused, and none is under way.
    fn may_send_again(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.sent.is_none())
    }

    fn another_move(&self) -> Option<Move> {
        self.turn.as_ref()?.left.first().copied()
    }

    fn patience(&self, options: &Options) -> Duration {
        if self.may_send_again() { AFTER_REFUSAL } else { options.silence }
    }

    fn finished(&self, ending: Ending, last: &View) -> Finished {
        Finished {
            ending,
            how: how_it_ended(ending, last),
            began: self.tracker.began(),
            plies: self.tracker.plies(last),
            red: *self.tracker.red(),
            restarts: self.tracker.restarts(),
        }
    }
}
