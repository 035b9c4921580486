//! Lines out of bytes: they end with CR LF and nothing else, however the network cut or joined them.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The longest line that is taken, CR LF not counted. The protocol's own have 52 characters, or 78
/// with the longest name.
pub const LONGEST_LINE: usize = 256;

/// Bytes that are read at once.
const CHUNK: usize = 1024;

/// How often somebody who waits for bytes looks whether to stop.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// A line, or what stands in the place of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framed {
    /// A line without its end.
    Line(String),
    /// A line that was too long, or not ASCII; it is left out.
    Garbage,
}

/// Finds lines in bytes as they come, and keeps little.
#[derive(Debug, Default)]
pub struct Framer {
    pending: Vec<u8>,
    /// The rest of a line that was too long is on its way.
    skipping: bool,
}

impl Framer {
    /// Adds bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next line, if its end is there. A line that grows too long is told at once, and what
    /// follows is left out up to its end.
    pub fn next_line(&mut self) -> Option<Framed> {
        while let Some(end) = self.pending.windows(2).position(|pair| pair == b"\r\n") {
            let line: Vec<u8> = self.pending.drain(..end + 2).take(end).collect();
            if !std::mem::take(&mut self.skipping) {
                return Some(framed(line));
            }
        }
        // The last byte may be the CR of an end.
        if self.pending.len() > LONGEST_LINE + 1 || self.skipping {
            let keep_from = self.pending.len().saturating_sub(1);
            self.pending.drain(..keep_from);
            let told = std::mem::replace(&mut self.skipping, true);
            return (!told).then_some(Framed::Garbage);
        }
        None
    }
}

fn framed(line: Vec<u8>) -> Framed {
    if line.len() > LONGEST_LINE || !line.is_ascii() {
        return Framed::Garbage;
    }
    String::from_utf8(line).map_or(Framed::Garbage, Framed::Line)
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The other end is gone.
    Closed,
    /// It said nothing in time.
    Silent,
    /// We were asked to stop.
    Stopped,
}

/// Lines of a connection.
#[derive(Debug)]
pub struct LineReader {
    stream: TcpStream,
    framer: Framer,
}

impl LineReader {
    /// Reads from this connection.
    ///
    /// # Errors
    /// If it takes no time limit.
    pub fn new(stream: TcpStream) -> io::Result<LineReader> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(LOOK))?;
        Ok(LineReader { stream, framer: Framer::default() })
    }

    /// The next line, waited for until `deadline` if there is one.
    ///
    /// # Errors
    /// If none comes: why.
    pub fn read_line(
        &mut self,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Result<Framed, NoLine> {
        loop {
            if let Some(line) = self.framer.next_line() {
                return Ok(line);
            }
            if stop.load(Relaxed) {
                return Err(NoLine::Stopped);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(NoLine::Silent);
            }
            self.read_some()?;
        }
    }

    /// Waits a moment for bytes.
    fn read_some(&mut self) -> Result<(), NoLine> {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(NoLine::Closed),
            Ok(count) => {
                self.framer.feed(&chunk[..count]);
                Ok(())
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
                _ => Err(NoLine::Closed),
            },
        }
    }
}

/// Writes a line at once, with its end: one command is one write.
///
/// # Errors
/// If the connection does not take it.
pub fn write_line(mut stream: &TcpStream, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\r\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(framer: &mut Framer) -> Vec<Framed> {
        std::iter::from_fn(|| framer.next_line()).collect()
    }

    fn line(text: &str) -> Framed {
        Framed::Line(text.into())
    }

    #[test]
    fn lines_are_found_wherever_they_are_cut() {
        let bytes = b"SET?\r\nOK \r\n\r\nMOV?x\ny\rz\r\r\nWON:\r\n";
        let expected = [line("SET?"), line("OK "), line(""), line("MOV?x\ny\rz\r"), line("WON:")];
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let mut framer = Framer::default();
                let mut found = Vec::new();
                for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    framer.feed(part);
                    found.extend(lines(&mut framer));
                }
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn lines_that_are_too_long_are_told_once_and_left_out() {
        for chunk in [1, 2, 7, 100, 1024] {
            let mut bytes = vec![b'x'; 10_000];
            bytes.extend(b"\r\nSET?\r\n");
            let (mut framer, mut found) = (Framer::default(), Vec::new());
            for part in bytes.chunks(chunk) {
                framer.feed(part);
                found.extend(lines(&mut framer));
                assert!(framer.pending.len() <= LONGEST_LINE + 1 + chunk);
            }
            assert_eq!(found, [Framed::Garbage, line("SET?")], "{chunk}");
        }
        let mut framer = Framer::default();
        let longest = "y".repeat(LONGEST_LINE);
        framer.feed(format!("{longest}\r\n{longest}y\r\nok\r\n").as_bytes());
        assert_eq!(lines(&mut framer), [line(&longest), Framed::Garbage, line("ok")]);
    }

    #[test]
    fn what_is_not_ascii_is_garbage() {
        let mut framer = Framer::default();
        framer.feed(b"\xff\xfe\r\nMOV:\xc3\xa9\r\nOK \r\n");
        assert_eq!(lines(&mut framer), [Framed::Garbage, Framed::Garbage, line("OK ")]);
    }
}
