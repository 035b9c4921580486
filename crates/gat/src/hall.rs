//! Who sits where: the connections of a server's two ports, and what is heard from them.
//!
//! A thread for each port takes connections in and one for each seat reads lines; everything comes
//! together in one queue of bounded length, so that a client that floods the server waits, and the
//! one who judges has a single thing to listen to.

use super::frame::{Framed, LOOK, LineReader, NoLine, write_line};
use super::text::FromServer;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, Scope, sleep};
use std::time::{Duration, Instant};

/// Events that may wait.
const QUEUE: usize = 64;
/// Between two looks for a connection.
const ACCEPT: Duration = Duration::from_millis(5);
/// A client that does not take bytes for so long is gone.
const WRITE: Duration = Duration::from_secs(2);
/// Whoever comes to a taken seat may wait so long: the one who sits there may just be leaving.
const AT_THE_DOOR: Duration = Duration::from_millis(300);
/// So many may wait at a door.
const MOST_AT_THE_DOOR: usize = 8;

/// What threads tell.
enum Event {
    Came { seat: usize, stream: TcpStream },
    Said { seat: usize, id: u64, at: Instant, line: Framed },
    Left { seat: usize, id: u64 },
}

/// What is heard.
#[derive(Debug)]
pub(crate) enum Heard {
    /// Somebody has sat down.
    Came { seat: usize },
    /// Somebody said something, at this time.
    Said { seat: usize, at: Instant, line: Framed },
    /// Somebody is gone, and the seat free.
    Left { seat: usize },
    /// Nothing until the deadline.
    Quiet,
    /// The server is asked to stop.
    Stopped,
}

struct Connection {
    id: u64,
    stream: TcpStream,
    last_line: Option<Instant>,
}

#[derive(Default)]
struct Seat {
    connection: Option<Connection>,
    door: VecDeque<(TcpStream, Instant)>,
}

/// The hall. Its threads end when it is dropped.
pub(crate) struct Hall<'scope, 'env> {
    seats: [Seat; 2],
    /// Told before anything that waits in the queue.
    first: VecDeque<Heard>,
    queue: Receiver<Event>,
    sender: SyncSender<Event>,
    scope: &'scope Scope<'scope, 'env>,
    closed: &'scope AtomicBool,
    stop: &'scope AtomicBool,
    pause: Duration,
    next_id: u64,
}

impl Drop for Hall<'_, '_> {
    fn drop(&mut self) {
        self.closed.store(true, Relaxed);
        (0..2).for_each(|seat| self.free(seat));
    }
}

impl<'scope, 'env> Hall<'scope, 'env> {
    /// Opens the doors. `closed` is raised when the hall is dropped; between two lines to the same
    /// client there is at least a `pause`.
    pub(crate) fn open(
        scope: &'scope Scope<'scope, 'env>,
        listeners: &'scope [TcpListener; 2],
        [closed, stop]: [&'scope AtomicBool; 2],
        pause: Duration,
    ) -> std::io::Result<Hall<'scope, 'env>> {
        let (sender, queue) = sync_channel(QUEUE);
        let hall = Hall {
            seats: Default::default(),
            first: VecDeque::new(),
            queue,
            sender,
            scope,
            closed,
            stop,
            pause,
            next_id: 0,
        };
        for (seat, listener) in listeners.iter().enumerate() {
            listener.set_nonblocking(true)?;
            let sender = hall.sender.clone();
            let door = move || accept(seat, listener, &sender, closed);
            Builder::new().spawn_scoped(scope, door)?;
        }
        Ok(hall)
    }

    pub(crate) fn is_taken(&self, seat: usize) -> bool {
        self.seats[seat].connection.is_some()
    }

    /// Says a line to whoever sits there. If it is not taken, the client is told to have left.
    pub(crate) fn say(&mut self, seat: usize, line: &FromServer) {
        let Some(connection) = &mut self.seats[seat].connection else { return };
        // Some clients read whatever is there as one line.
        if let Some(last) = connection.last_line {
            sleep(self.pause.saturating_sub(last.elapsed()));
        }
        let written = write_line(&connection.stream, &line.to_string());
        connection.last_line = Some(Instant::now());
        if written.is_err() {
            self.dismiss(seat);
        }
    }

    /// Sends the client of a seat away; it is told to have left.
    pub(crate) fn dismiss(&mut self, seat: usize) {
        if self.is_taken(seat) {
            self.free(seat);
            self.first.push_back(Heard::Left { seat });
        }
    }

    fn free(&mut self, seat: usize) {
        if let Some(connection) = self.seats[seat].connection.take() {
            let _ = connection.stream.shutdown(Shutdown::Both); // it may be gone already
        }
    }

    /// The next thing that happens.
    pub(crate) fn listen(&mut self, deadline: Option<Instant>) -> Heard {
        loop {
            if self.stop.load(Relaxed) {
                return Heard::Stopped;
            }
            if let Some(heard) = self.first.pop_front() {
                return heard;
            }
            if let Some(seat) = (0..2).find(|&seat| self.let_in(seat)) {
                return Heard::Came { seat };
            }
            self.refuse_those_who_waited();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self.queue.recv_timeout(left.map_or(LOOK, |left| left.min(LOOK))) {
                Ok(event) => {
                    if let Some(heard) = self.take(event) {
                        return heard;
                    }
                }
                Err(RecvTimeoutError::Timeout) if left == Some(Duration::ZERO) => {
                    return Heard::Quiet;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Heard::Stopped,
            }
        }
    }

    fn take(&mut self, event: Event) -> Option<Heard> {
        match event {
            Event::Came { seat, stream } => {
                let door = &mut self.seats[seat].door;
                if door.len() < MOST_AT_THE_DOOR {
                    door.push_back((stream, Instant::now()));
                } else {
                    refuse(&stream);
                }
                None
            }
            Event::Said { seat, id, at, line } => {
                self.sits(seat, id).then_some(Heard::Said { seat, at, line })
            }
            Event::Left { seat, id } => self.sits(seat, id).then(|| {
                self.free(seat);
                Heard::Left { seat }
            }),
        }
    }

    fn sits(&self, seat: usize, id: u64) -> bool {
        self.seats[seat].connection.as_ref().is_some_and(|connection| connection.id == id)
    }

    /// Gives a free seat to whoever waits for it; whether anybody sits there now who did not before.
    fn let_in(&mut self, seat: usize) -> bool {
        while !self.is_taken(seat) {
            let Some((stream, _)) = self.seats[seat].door.pop_front() else { return false };
            if self.sit_down(seat, &stream).is_ok() {
                return true;
            }
        }
        false
    }

    fn sit_down(&mut self, seat: usize, stream: &TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE))?;
        let reader = LineReader::new(stream.try_clone()?)?;
        let (id, sender, closed) = (self.next_id, self.sender.clone(), self.closed);
        self.next_id += 1;
        let read = move || read_lines(seat, id, reader, &sender, closed);
        Builder::new().spawn_scoped(self.scope, read)?;
        let stream = stream.try_clone()?;
        self.seats[seat].connection = Some(Connection { id, stream, last_line: None });
        Ok(())
    }

    fn refuse_those_who_waited(&mut self) {
        for seat in &mut self.seats {
            while seat.door.front().is_some_and(|(_, since)| since.elapsed() >= AT_THE_DOOR) {
                if let Some((stream, _)) = seat.door.pop_front() {
                    refuse(&stream);
                }
            }
        }
    }
}

/// Says no to whoever came to a taken seat.
fn refuse(mut stream: &TcpStream) {
    // What was sent and not read would take the answer back; all of this is courtesy and may fail.
    let _ = stream.set_nonblocking(true);
    let _ = stream.read(&mut [0; 1024]);
    let _ = write_line(stream, &FromServer::Refused.to_string());
    let _ = stream.shutdown(Shutdown::Both);
}

fn accept(seat: usize, listener: &TcpListener, queue: &SyncSender<Event>, closed: &AtomicBool) {
    while !closed.load(Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                if queue.send(Event::Came { seat, stream }).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(ACCEPT),
            // Too many open files, or a client that went away at once: it passes.
            Err(_) => sleep(LOOK),
        }
    }
}

fn read_lines(
    seat: usize,
    id: u64,
    mut reader: LineReader,
    queue: &SyncSender<Event>,
    closed: &AtomicBool,
) {
    loop {
        let event = match reader.read_line(None, closed) {
            Ok(line) => Event::Said { seat, id, at: Instant::now(), line },
            Err(NoLine::Stopped) => return,
            Err(NoLine::Closed | NoLine::Silent) => Event::Left { seat, id },
        };
        let over = matches!(event, Event::Left { .. });
        if queue.send(event).is_err() || over {
            return;
        }
    }
}
