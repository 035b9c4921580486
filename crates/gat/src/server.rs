//! The server: two ports, a series of games, every move checked.
//!
//! A game starts when both players have set up. A client that disconnects before only gives up its
//! seat; one that disconnects later loses. After a game the clients may stay, and are start to set
//! up for the next one, or reconnect.

use super::clock::Clock;
use super::frame::Framed;
use super::lobby::{Lobby, LobbyEvent};
use super::log::GameLog;
use super::pieces::index;
use super::referee::{EndReason, GameResult, MoveResult, Referee};
use super::text::{FromClient, FromServer, SetCommand};
use games::Seat;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long clients may take to close the connection after the last game.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen at.
    pub listen: IpAddr,
    /// The ports of the first and the second player; 0 for any free port.
    pub ports: [u16; 2],
    /// Time budget of a game, in addition to the time per move.
    pub budget: Duration,
    /// Time per move.
    pub per_move: Duration,
    /// The time limit for setting up, and for reconnecting between two games of a series.
    pub silence: Duration,
    /// Plies after which a game is drawn.
    pub draw_limit: u32,
    /// The number of games.
    pub games: u32,
    /// Whether the players alternate moving first.
    pub swap: bool,
    /// Whether a player may send another move after an illegal one.
    pub lenient: bool,
    /// The minimum pause between two lines to the same client.
    pub pause: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: IpAddr::from([127, 0, 0, 1]),
            ports: [10_000, 10_001],
            budget: Duration::from_secs(600),
            per_move: Duration::from_secs(10),
            silence: Duration::from_secs(60),
            draw_limit: 300,
            games: 1,
            swap: false,
            lenient: false,
            pause: Duration::from_millis(4),
        }
    }
}

/// A finished game. Seats are the ports in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefereedGame {
    /// Its number, from 0.
    pub number: u32,
    /// The seat that moved first.
    pub first_seat: usize,
    /// The result; the bottom side moved first.
    pub finish: GameResult,
    /// The record.
    pub log: GameLog,
}

impl RefereedGame {
    /// The seat of a side.
    pub const fn seat(&self, side: Seat) -> usize {
        seat_of(self.first_seat, side)
    }

    /// The seat that won.
    pub fn winning_seat(&self) -> Option<usize> {
        self.finish.winner.map(|side| self.seat(side))
    }
}

/// Why a series ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesEnd {
    /// All games were played.
    Done,
    /// A player did not connect for the next game.
    Deserted,
    /// The stop flag was set.
    Stopped,
}

/// The result of a series of games.
#[derive(Clone, Debug)]
pub struct Series {
    /// The games.
    pub games: Vec<RefereedGame>,
    /// Why the series ended.
    pub end: SeriesEnd,
}

impl Series {
    /// The number of wins of each seat, and of draws.
    pub fn score(&self) -> ([u32; 2], u32) {
        let (mut wins, mut draws) = ([0; 2], 0);
        for game in &self.games {
            match game.winning_seat() {
                Some(seat) => wins[seat] += 1,
                None => draws += 1,
            }
        }
        (wins, draws)
    }
}

/// A server with open ports.
#[derive(Debug)]
pub struct Server {
    options: Options,
    listeners: [TcpListener; 2],
    addresses: [SocketAddr; 2],
}

const fn seat_of(first_seat: usize, side: Seat) -> usize {
    match side {
        Seat::First => first_seat,
        Seat::Second => 1 - first_seat,
    }
}

impl Server {
    /// Opens the ports.
    ///
    /// # Errors
    /// If a port is in use or not permitted.
    pub fn bind(options: Options) -> io::Result<Server> {
        let bind = |port: u16| TcpListener::bind((options.listen, port));
        let listeners = [bind(options.ports[0])?, bind(options.ports[1])?];
        let addresses = [listeners[0].local_addr()?, listeners[1].local_addr()?];
        Ok(Server { options, listeners, addresses })
    }

    /// Where clients connect.
    pub const fn addresses(&self) -> [SocketAddr; 2] {
        self.addresses
    }

    /// Runs the series and calls `on_game` after each game. There is no time limit for the first
    /// game to start.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn run(
        &self,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&RefereedGame),
    ) -> io::Result<Series> {
        let closed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let lobby = Lobby::open(scope, &self.listeners, [&closed, stop], self.options.pause);
            if lobby.is_err() {
                closed.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            Ok(self.series(lobby?, on_game))
        })
    }

    fn series(&self, mut lobby: Lobby<'_, '_>, on_game: &mut dyn FnMut(&RefereedGame)) -> Series {
        let mut series = Series { games: Vec::new(), end: SeriesEnd::Done };
        for number in 0..self.options.games {
            match self.game(&mut lobby, number) {
                Ok(game) => {
                    on_game(&game);
                    series.games.push(game);
                }
                Err(end) => {
                    series.end = end;
                    return series;
                }
            }
        }
        wait_for_close(&mut lobby);
        series
    }

    fn game(&self, lobby: &mut Lobby<'_, '_>, number: u32) -> Result<RefereedGame, SeriesEnd> {
        let sets = SetupPhase::new(&self.options, number > 0).run(lobby)?;
        let first_seat = if self.options.swap { (number % 2) as usize } else { 0 };
        let [one, other] = sets;
        let sets = if first_seat == 0 { [one, other] } else { [other, one] };
        // An accepted command is a valid set-up, so this does not fail.
        let referee = Referee::new(sets, self.options.draw_limit).ok_or(SeriesEnd::Stopped)?;
        let clock = Clock::new(self.options.per_move, self.options.budget);
        let lenient = self.options.lenient;
        let mut session = GameSession { referee, first_seat, clocks: [clock; 2], lenient };
        let finish = session.play(lobby).ok_or(SeriesEnd::Stopped)?;
        for side in [session.referee.turn().opponent(), session.referee.turn()] {
            lobby.send(seat_of(first_seat, side), &session.referee.final_line(side, &finish));
        }
        Ok(RefereedGame { number, first_seat, finish, log: session.referee.log(&finish) })
    }
}

/// Waits until the clients close their connections, but not longer than [`CLOSE_TIMEOUT`].
fn wait_for_close(lobby: &mut Lobby<'_, '_>) {
    let deadline = Instant::now() + CLOSE_TIMEOUT;
    while (lobby.is_taken(0) || lobby.is_taken(1)) && Instant::now() < deadline {
        match lobby.next_event(Some(deadline)) {
            LobbyEvent::Connected { seat } => lobby.disconnect(seat),
            LobbyEvent::TimedOut | LobbyEvent::Stopped => return,
            LobbyEvent::Received { .. } | LobbyEvent::Disconnected { .. } => {}
        }
    }
}

/// The set-up phase of a game.
struct SetupPhase {
    sets: [Option<SetCommand>; 2],
    /// The deadline of each seat to set up, or to be taken.
    deadlines: [Option<Instant>; 2],
    silence: Duration,
    /// Whether empty seats have a deadline too.
    within_a_series: bool,
}

impl SetupPhase {
    fn new(options: &Options, within_a_series: bool) -> SetupPhase {
        let silence = options.silence;
        SetupPhase { sets: [None, None], deadlines: [None; 2], silence, within_a_series }
    }

    fn run(mut self, lobby: &mut Lobby<'_, '_>) -> Result<[SetCommand; 2], SeriesEnd> {
        for seat in 0..2 {
            if lobby.is_taken(seat) { self.ask(lobby, seat) } else { self.emptied(seat) }
        }
        loop {
            if let [Some(one), Some(other)] = &self.sets {
                return Ok([one.clone(), other.clone()]);
            }
            self.disconnect_idle(lobby)?;
            let deadline = self.deadlines.iter().flatten().min().copied();
            match lobby.next_event(deadline) {
                LobbyEvent::Connected { seat } => self.ask(lobby, seat),
                LobbyEvent::Disconnected { seat } => self.emptied(seat),
                LobbyEvent::Received { seat, line, .. } => self.answer(lobby, seat, &line),
                LobbyEvent::TimedOut => {}
                LobbyEvent::Stopped => return Err(SeriesEnd::Stopped),
            }
        }
    }

    fn ask(&mut self, lobby: &mut Lobby<'_, '_>, seat: usize) {
        self.sets[seat] = None;
        self.deadlines[seat] = Instant::now().checked_add(self.silence);
        lobby.send(seat, &FromServer::AskSet);
    }

    fn emptied(&mut self, seat: usize) {
        self.sets[seat] = None;
        let deadline = Instant::now().checked_add(self.silence);
        self.deadlines[seat] = deadline.filter(|_| self.within_a_series);
    }

    fn answer(&mut self, lobby: &mut Lobby<'_, '_>, seat: usize, line: &Framed) {
        let message = match line {
            Framed::Line(line) => FromClient::parse(line).ok(),
            Framed::Garbage => None,
        };
        match message {
            Some(FromClient::Set(set)) if self.sets[seat].is_none() => {
                self.sets[seat] = Some(set);
                self.deadlines[seat] = None;
                lobby.send(seat, &FromServer::Accepted(None));
            }
            _ => lobby.send(seat, &FromServer::Refused),
        }
    }

    fn disconnect_idle(&mut self, lobby: &mut Lobby<'_, '_>) -> Result<(), SeriesEnd> {
        let now = Instant::now();
        for seat in 0..2 {
            if self.deadlines[seat].is_none_or(|deadline| now < deadline) {
                continue;
            }
            if !lobby.is_taken(seat) {
                return Err(SeriesEnd::Deserted);
            }
            self.deadlines[seat] = None;
            lobby.send(seat, &FromServer::Refused);
            lobby.disconnect(seat);
        }
        Ok(())
    }
}

/// A running game.
struct GameSession {
    referee: Referee,
    first_seat: usize,
    clocks: [Clock; 2],
    lenient: bool,
}

impl GameSession {
    const fn seat(&self, side: Seat) -> usize {
        seat_of(self.first_seat, side)
    }

    const fn side(&self, seat: usize) -> Seat {
        if seat == self.first_seat { Seat::First } else { Seat::Second }
    }

    /// Plays to the end; `None` if the stop flag is set.
    fn play(&mut self, lobby: &mut Lobby<'_, '_>) -> Option<GameResult> {
        loop {
            if let Some(finish) = self.referee.finish() {
                return Some(finish);
            }
            let mover = self.referee.turn();
            lobby.send(self.seat(mover), &self.referee.move_request());
            if let Some(finish) = self.turn(lobby, mover)? {
                return Some(finish);
            }
        }
    }

    /// Waits for a move and plays it; returns the result if that ends the game. `None` if the stop
    /// flag is set.
    fn turn(&mut self, lobby: &mut Lobby<'_, '_>, mover: Seat) -> Option<Option<GameResult>> {
        let start = Instant::now();
        let deadline = self.clocks[index(mover)].deadline(start);
        loop {
            match lobby.next_event(Some(deadline)) {
                LobbyEvent::Received { at, .. } if at > deadline => {
                    return Some(Some(GameResult::forfeit(mover, EndReason::Time)));
                }
                LobbyEvent::TimedOut => {
                    return Some(Some(GameResult::forfeit(mover, EndReason::Time)));
                }
                LobbyEvent::Received { seat, .. } if self.side(seat) != mover => {
                    lobby.send(seat, &FromServer::Refused);
                }
                LobbyEvent::Received { seat, at, line } => match self.judge(&line) {
                    MoveResult::Played(captured) => {
                        self.clocks[index(mover)].spend(at.saturating_duration_since(start));
                        lobby.send(seat, &FromServer::Accepted(captured));
                        return Some(None);
                    }
                    MoveResult::Illegal if self.lenient => lobby.send(seat, &FromServer::Refused),
                    MoveResult::Illegal => {
                        return Some(Some(forfeit_with_refusal(
                            lobby,
                            seat,
                            mover,
                            EndReason::IllegalMove,
                        )));
                    }
                    MoveResult::RedEscape => {
                        return Some(Some(forfeit_with_refusal(
                            lobby,
                            seat,
                            mover,
                            EndReason::RedEscape,
                        )));
                    }
                },
                LobbyEvent::Disconnected { seat } => {
                    return Some(Some(GameResult::forfeit(self.side(seat), EndReason::Closed)));
                }
                // Both seats are taken during a game.
                LobbyEvent::Connected { seat } => lobby.disconnect(seat),
                LobbyEvent::Stopped => return None,
            }
        }
    }

    fn judge(&mut self, line: &Framed) -> MoveResult {
        let message = match line {
            Framed::Line(line) => FromClient::parse(line).ok(),
            Framed::Garbage => None,
        };
        match message {
            Some(FromClient::Move(command)) => self.referee.play(command),
            _ => MoveResult::Illegal,
        }
    }
}

/// Refuses the line of the mover, who loses by it.
fn forfeit_with_refusal(
    lobby: &mut Lobby<'_, '_>,
    seat: usize,
    mover: Seat,
    why: EndReason,
) -> GameResult {
    lobby.send(seat, &FromServer::Refused);
    GameResult::forfeit(mover, why)
}
