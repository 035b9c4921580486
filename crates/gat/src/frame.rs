//! Framing: splits a byte stream into lines that end with CR LF and nothing else.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The maximum length of a line without CR LF. The protocol's own lines have 52 characters, or 78
/// with the longest name.
pub const MAX_LINE_BYTES: usize = 256;

/// The size of a read.
const READ_CHUNK_BYTES: usize = 1024;

/// How often a blocked reader checks the stop flag.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A line, or a placeholder for an invalid one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framed {
    /// A line without CR LF.
    Line(String),
    /// A line that is too long or not ASCII; its content is dropped.
    Garbage,
}

/// An incremental line splitter with bounded memory.
#[derive(Debug, Default)]
pub struct Framer {
    pending: Vec<u8>,
    /// Whether the rest of an overlong line is being skipped.
    skipping: bool,
}

impl Framer {
    /// Adds bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next line, if it is complete. An overlong line is reported immediately, and the rest of
    /// it is skipped.
    pub fn next_line(&mut self) -> Option<Framed> {
        while let Some(end) = self.pending.windows(2).position(|pair| pair == b"\r\n") {
            let line: Vec<u8> = self.pending.drain(..end + 2).take(end).collect();
            if !std::mem::take(&mut self.skipping) {
                return Some(framed(line));
            }
        }
        // The last byte may be the CR of a line end.
        if self.pending.len() > MAX_LINE_BYTES + 1 || self.skipping {
            let keep_from = self.pending.len().saturating_sub(1);
            self.pending.drain(..keep_from);
            let reported = std::mem::replace(&mut self.skipping, true);
            return (!reported).then_some(Framed::Garbage);
        }
        None
    }
}

fn framed(line: Vec<u8>) -> Framed {
    if line.len() > MAX_LINE_BYTES || !line.is_ascii() {
        return Framed::Garbage;
    }
    String::from_utf8(line).map_or(Framed::Garbage, Framed::Line)
}

/// Why no line was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The peer closed the connection.
    Closed,
    /// The deadline passed.
    TimedOut,
    /// The stop flag was set.
    Stopped,
}

/// A line reader of a connection.
#[derive(Debug)]
pub struct LineReader {
    stream: TcpStream,
    framer: Framer,
}

impl LineReader {
    /// Reads from this connection.
    ///
    /// # Errors
    /// If the read timeout cannot be set.
    pub fn new(stream: TcpStream) -> io::Result<LineReader> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(POLL_INTERVAL))?;
        Ok(LineReader { stream, framer: Framer::default() })
    }

    /// Waits for the next line, until `deadline` if there is one.
    ///
    /// # Errors
    /// Why no line was read.
    pub fn read_line(
        &mut self,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Result<Framed, ReadError> {
        loop {
            if let Some(line) = self.framer.next_line() {
                return Ok(line);
            }
            if stop.load(Relaxed) {
                return Err(ReadError::Stopped);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(ReadError::TimedOut);
            }
            self.read_some()?;
        }
    }

    /// Waits a moment for bytes.
    fn read_some(&mut self) -> Result<(), ReadError> {
        let mut chunk = [0; READ_CHUNK_BYTES];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(ReadError::Closed),
            Ok(count) => {
                self.framer.feed(&chunk[..count]);
                Ok(())
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
                _ => Err(ReadError::Closed),
            },
        }
    }
}

/// Writes a line with CR LF in a single write.
///
/// # Errors
/// If the write fails.
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
    fn lines_are_assembled_from_any_fragments() {
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
    fn overlong_lines_are_reported_once_and_skipped() {
        for chunk in [1, 2, 7, 100, 1024] {
            let mut bytes = vec![b'x'; 10_000];
            bytes.extend(b"\r\nSET?\r\n");
            let (mut framer, mut found) = (Framer::default(), Vec::new());
            for part in bytes.chunks(chunk) {
                framer.feed(part);
                found.extend(lines(&mut framer));
                assert!(framer.pending.len() <= MAX_LINE_BYTES + 1 + chunk);
            }
            assert_eq!(found, [Framed::Garbage, line("SET?")], "{chunk}");
        }
        let mut framer = Framer::default();
        let longest = "y".repeat(MAX_LINE_BYTES);
        framer.feed(format!("{longest}\r\n{longest}y\r\nok\r\n").as_bytes());
        assert_eq!(lines(&mut framer), [line(&longest), Framed::Garbage, line("ok")]);
    }

    #[test]
    fn non_ascii_bytes_are_garbage() {
        let mut framer = Framer::default();
        framer.feed(b"\xff\xfe\r\nMOV:\xc3\xa9\r\nOK \r\n");
        assert_eq!(lines(&mut framer), [Framed::Garbage, Framed::Garbage, line("OK ")]);
    }
}
