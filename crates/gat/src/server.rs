//! A server of the protocol: two ports, any number of games, every move judged.
//!
//! A game begins when both players have set up. Whoever leaves before has given up its seat and nothing
//! else; whoever leaves later has lost. After a game the clients may stay, and are asked to set up
//! for the next one, or leave and come again.

use super::clock::Clock;
use super::frame::Framed;
use super::hall::{Hall, Heard};
use super::log::GameLog;
use super::pieces::index;
use super::referee::{Finish, Judged, Referee, Why};
use super::text::{FromClient, FromServer, SetCommand};
use games::Seat;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// After the last game the clients have so long to close.
const FAREWELL: Duration = Duration::from_secs(2);

/// How games are held.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen at.
    pub listen: IpAddr,
    /// The ports of the first and of the second player; 0 takes any that is free.
    pub ports: [u16; 2],
    /// Time for a whole game, beyond that for each move.
    pub budget: Duration,
    /// Time for each move.
    pub per_move: Duration,
    /// A client that does not set up within this time is sent away; and so long the others of a
    /// series are waited for between two games.
    pub silence: Duration,
    /// Plies after which a game is drawn.
    pub draw_limit: u32,
    /// Games to hold.
    pub games: u32,
    /// The two begin by turns.
    pub swap: bool,
    /// An illegal move may be sent again.
    pub lenient: bool,
    /// At least so long between two lines to the same client.
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

/// A game that was held. Seats are the ports by their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its number, from 0.
    pub number: u32,
    /// The seat that began.
    pub first_seat: usize,
    /// How it ended; the bottom side is the one that began.
    pub finish: Finish,
    /// The record.
    pub log: GameLog,
}

impl Held {
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
    /// All games were held.
    Done,
    /// Somebody did not come for the next game.
    Deserted,
    /// The server was asked to stop.
    Stopped,
}

/// What came of a series.
#[derive(Clone, Debug)]
pub struct Series {
    /// The games.
    pub games: Vec<Held>,
    /// Why there are no more.
    pub end: SeriesEnd,
}

impl Series {
    /// Games that each seat won, and those that were drawn.
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

/// A server whose ports are open.
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
    /// If one is taken or not allowed.
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

    /// Holds the games and tells each as it ends. The first is waited for as long as it takes.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn run(&self, stop: &AtomicBool, told: &mut dyn FnMut(&Held)) -> io::Result<Series> {
        let closed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let hall = Hall::open(scope, &self.listeners, [&closed, stop], self.options.pause);
            if hall.is_err() {
                closed.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            Ok(self.series(hall?, told))
        })
    }

    fn series(&self, mut hall: Hall<'_, '_>, told: &mut dyn FnMut(&Held)) -> Series {
        let mut series = Series { games: Vec::new(), end: SeriesEnd::Done };
        for number in 0..self.options.games {
            match self.game(&mut hall, number) {
                Ok(held) => {
                    told(&held);
                    series.games.push(held);
                }
                Err(end) => {
                    series.end = end;
                    return series;
                }
            }
        }
        say_farewell(&mut hall);
        series
    }

    fn game(&self, hall: &mut Hall<'_, '_>, number: u32) -> Result<Held, SeriesEnd> {
        let sets = SettingUp::new(&self.options, number > 0).run(hall)?;
        let first_seat = if self.options.swap { (number % 2) as usize } else { 0 };
        let [one, other] = sets;
        let sets = if first_seat == 0 { [one, other] } else { [other, one] };
        // A command that was taken is a set-up; if it were not, there would be no game to go on with.
        let referee = Referee::new(sets, self.options.draw_limit).ok_or(SeriesEnd::Stopped)?;
        let clock = Clock::new(self.options.per_move, self.options.budget);
        let lenient = self.options.lenient;
        let mut table = Table { referee, first_seat, clocks: [clock; 2], lenient };
        let finish = table.play(hall).ok_or(SeriesEnd::Stopped)?;
        for side in [table.referee.turn().opponent(), table.referee.turn()] {
            hall.say(seat_of(first_seat, side), &table.referee.farewell(side, &finish));
        }
        Ok(Held { number, first_seat, finish, log: table.referee.log(&finish) })
    }
}

/// The clients close, not the server; but it does not wait for ever.
fn say_farewell(hall: &mut Hall<'_, '_>) {
    let deadline = Instant::now() + FAREWELL;
    while (hall.is_taken(0) || hall.is_taken(1)) && Instant::now() < deadline {
        match hall.listen(Some(deadline)) {
            Heard::Came { seat } => hall.dismiss(seat),
            Heard::Quiet | Heard::Stopped => return,
            Heard::Said { .. } | Heard::Left { .. } => {}
        }
    }
}

/// Both players are asked to set up.
struct SettingUp {
    sets: [Option<SetCommand>; 2],
    /// When a seat that has to act has to have acted: set up, or be taken.
    deadlines: [Option<Instant>; 2],
    silence: Duration,
    /// Empty seats are not waited for without end.
    within_a_series: bool,
}

impl SettingUp {
    fn new(options: &Options, within_a_series: bool) -> SettingUp {
        let silence = options.silence;
        SettingUp { sets: [None, None], deadlines: [None; 2], silence, within_a_series }
    }

    fn run(mut self, hall: &mut Hall<'_, '_>) -> Result<[SetCommand; 2], SeriesEnd> {
        for seat in 0..2 {
            if hall.is_taken(seat) { self.ask(hall, seat) } else { self.emptied(seat) }
        }
        loop {
            if let [Some(one), Some(other)] = &self.sets {
                return Ok([one.clone(), other.clone()]);
            }
            self.dismiss_the_silent(hall)?;
            let deadline = self.deadlines.iter().flatten().min().copied();
            match hall.listen(deadline) {
                Heard::Came { seat } => self.ask(hall, seat),
                Heard::Left { seat } => self.emptied(seat),
                Heard::Said { seat, line, .. } => self.answer(hall, seat, &line),
                Heard::Quiet => {}
                Heard::Stopped => return Err(SeriesEnd::Stopped),
            }
        }
    }

    fn ask(&mut self, hall: &mut Hall<'_, '_>, seat: usize) {
        self.sets[seat] = None;
        self.deadlines[seat] = Instant::now().checked_add(self.silence);
        hall.say(seat, &FromServer::AskSet);
    }

    fn emptied(&mut self, seat: usize) {
        self.sets[seat] = None;
        let deadline = Instant::now().checked_add(self.silence);
        self.deadlines[seat] = deadline.filter(|_| self.within_a_series);
    }

    fn answer(&mut self, hall: &mut Hall<'_, '_>, seat: usize, line: &Framed) {
        let said = match line {
            Framed::Line(line) => FromClient::parse(line).ok(),
            Framed::Garbage => None,
        };
        match said {
            Some(FromClient::Set(set)) if self.sets[seat].is_none() => {
                self.sets[seat] = Some(set);
                self.deadlines[seat] = None;
                hall.say(seat, &FromServer::Accepted(None));
            }
            _ => hall.say(seat, &FromServer::Refused),
        }
    }

    fn dismiss_the_silent(&mut self, hall: &mut Hall<'_, '_>) -> Result<(), SeriesEnd> {
        let now = Instant::now();
        for seat in 0..2 {
            if self.deadlines[seat].is_none_or(|deadline| now < deadline) {
                continue;
            }
            if !hall.is_taken(seat) {
                return Err(SeriesEnd::Deserted);
            }
            self.deadlines[seat] = None;
            hall.say(seat, &FromServer::Refused);
            hall.dismiss(seat);
        }
        Ok(())
    }
}

/// A game at the table.
struct Table {
    referee: Referee,
    first_seat: usize,
    clocks: [Clock; 2],
    lenient: bool,
}

impl Table {
    const fn seat(&self, side: Seat) -> usize {
        seat_of(self.first_seat, side)
    }

    const fn side(&self, seat: usize) -> Seat {
        if seat == self.first_seat { Seat::First } else { Seat::Second }
    }

    /// Plays to the end; `None` if the server is asked to stop.
    fn play(&mut self, hall: &mut Hall<'_, '_>) -> Option<Finish> {
        loop {
            if let Some(finish) = self.referee.finish() {
                return Some(finish);
            }
            let mover = self.referee.turn();
            hall.say(self.seat(mover), &self.referee.question());
            if let Some(finish) = self.turn(hall, mover)? {
                return Some(finish);
            }
        }
    }

    /// Waits for a move and makes it; the end if it was none. `None` if the server is asked to stop.
    fn turn(&mut self, hall: &mut Hall<'_, '_>, mover: Seat) -> Option<Option<Finish>> {
        let asked = Instant::now();
        let deadline = self.clocks[index(mover)].deadline(asked);
        loop {
            match hall.listen(Some(deadline)) {
                Heard::Said { at, .. } if at > deadline => {
                    return Some(Some(Finish::forfeit(mover, Why::Time)));
                }
                Heard::Quiet => return Some(Some(Finish::forfeit(mover, Why::Time))),
                Heard::Said { seat, .. } if self.side(seat) != mover => {
                    hall.say(seat, &FromServer::Refused);
                }
                Heard::Said { seat, at, line } => match self.judge(&line) {
                    Judged::Played(captured) => {
                        self.clocks[index(mover)].spend(at.saturating_duration_since(asked));
                        hall.say(seat, &FromServer::Accepted(captured));
                        return Some(None);
                    }
                    Judged::Illegal if self.lenient => hall.say(seat, &FromServer::Refused),
                    Judged::Illegal => {
                        return Some(Some(lost(hall, seat, mover, Why::IllegalMove)));
                    }
                    Judged::RedEscape => {
                        return Some(Some(lost(hall, seat, mover, Why::RedEscape)));
                    }
                },
                Heard::Left { seat } => {
                    return Some(Some(Finish::forfeit(self.side(seat), Why::Closed)));
                }
                // Both seats are taken as long as the game goes on.
                Heard::Came { seat } => hall.dismiss(seat),
                Heard::Stopped => return None,
            }
        }
    }

    fn judge(&mut self, line: &Framed) -> Judged {
        let said = match line {
            Framed::Line(line) => FromClient::parse(line).ok(),
            Framed::Garbage => None,
        };
        match said {
            Some(FromClient::Move(command)) => self.referee.play(command),
            _ => Judged::Illegal,
        }
    }
}

/// The mover has lost by what it said.
fn lost(hall: &mut Hall<'_, '_>, seat: usize, mover: Seat, why: Why) -> Finish {
    hall.say(seat, &FromServer::Refused);
    Finish::forfeit(mover, why)
}
