//! A server that runs, and hands to reach it: bare connections, and our client.

use games::Seat;
use games::geister::Standard;
use gat::client;
use gat::frame::{Framed, LineReader, ReadError};
use gat::server::{Options, Server};
use gat::text::{FromClient, PIECES_PER_SIDE, SetCommand};
use players::roster::BoardRoster;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

pub(crate) const SIDES: [Seat; 2] = [Seat::First, Seat::Second];
static NEVER: AtomicBool = AtomicBool::new(false);

pub(crate) fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}

pub(crate) fn options() -> Options {
    Options { ports: [0, 0], pause: milliseconds(1), ..Options::default() }
}

pub(crate) struct Running {
    pub(crate) addresses: [SocketAddr; 2],
    stop: Arc<AtomicBool>,
    thread: JoinHandle<gat::server::Series>,
}

pub(crate) fn serve(options: Options) -> Running {
    let server = Server::bind(options).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let (addresses, flag) = (server.addresses(), stop.clone());
    let thread = spawn(move || server.run(&flag, &mut |_| {}).unwrap());
    Running { addresses, stop, thread }
}

impl Running {
    pub(crate) fn wire(&self, seat: usize) -> Wire {
        Wire::open(self.addresses[seat])
    }

    /// Two who have sat down and set up.
    pub(crate) fn set_up(&self) -> [Wire; 2] {
        self.set_up_with("ABCD")
    }

    /// Two who have sat down and set up with these ghosts red.
    pub(crate) fn set_up_with(&self, reds: &str) -> [Wire; 2] {
        let mut wires = [self.wire(0), self.wire(1)];
        for wire in &mut wires {
            wire.expect("SET?");
            wire.say(&format!("SET:{reds}"));
            wire.expect("OK ");
        }
        wires
    }

    pub(crate) fn finish(self) -> gat::server::Series {
        self.thread.join().unwrap()
    }

    pub(crate) fn halt(self) -> gat::server::Series {
        self.stop.store(true, Relaxed);
        self.finish()
    }
}

/// The bare end of a connection.
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    reader: LineReader,
}

impl Wire {
    pub(crate) fn over(stream: TcpStream) -> Wire {
        stream.set_nodelay(true).unwrap();
        let reader = LineReader::new(stream.try_clone().unwrap()).unwrap();
        Wire { stream, reader }
    }

    fn open(address: SocketAddr) -> Wire {
        Wire::over(TcpStream::connect(address).unwrap())
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.send(format!("{line}\r\n").as_bytes());
    }

    fn line_within(&mut self, patience: Duration) -> Result<String, ReadError> {
        match self.reader.read_line(Some(Instant::now() + patience), &NEVER)? {
            Framed::Line(line) => Ok(line),
            Framed::Garbage => panic!("the server sent garbage"),
        }
    }

    pub(crate) fn line(&mut self) -> Result<String, ReadError> {
        self.line_within(Duration::from_secs(20))
    }

    pub(crate) fn expect(&mut self, start: &str) -> String {
        let line = self.line().unwrap_or_else(|why| panic!("{start} did not come: {why:?}"));
        assert!(line.starts_with(start), "{line} instead of {start}");
        line
    }

    pub(crate) fn expect_silence(&mut self) {
        assert_eq!(self.line_within(milliseconds(150)), Err(ReadError::TimedOut));
    }

    pub(crate) fn expect_closed(&mut self) {
        assert_eq!(self.line(), Err(ReadError::Closed));
    }
}

pub(crate) fn client_options(address: SocketAddr, games: u32, seed: u64) -> client::Options {
    client::Options {
        time: milliseconds(3),
        games,
        seed,
        patience: Duration::from_secs(10),
        ..client::Options::new(&address.ip().to_string(), address.port())
    }
}

pub(crate) fn play(name: &'static str, options: client::Options) -> JoinHandle<client::Series> {
    spawn(move || client::play(&options, &|| Standard::player(name).unwrap(), &NEVER, &mut |_| {}))
}

fn red(letters: &str) -> [bool; PIECES_PER_SIDE] {
    match FromClient::parse(&format!("SET:{letters}")).unwrap() {
        FromClient::Set(set) => set.red,
        FromClient::Move(_) => unreachable!(),
    }
}

pub(crate) fn set(letters: &str) -> SetCommand {
    SetCommand { red: red(letters), name: None }
}
