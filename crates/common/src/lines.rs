//! Reading untrusted text line by line, in bounded memory: JSON Lines files and standard input.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::str::Utf8Error;

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line number, from 1.
    pub number: usize,
    /// The line without its line break, cut to the maximum length.
    pub bytes: Vec<u8>,
    /// Whether a line break was found within the maximum length. Else the line is overlong, or it is
    /// the last one of a text that does not end with a line break.
    pub is_complete: bool,
}

impl Line {
    /// The text of the line.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn text(&self) -> Result<&str, Utf8Error> {
        std::str::from_utf8(&self.bytes)
    }

    /// The text of the line; bytes that are not UTF-8 are replaced.
    pub fn text_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Whether the line has nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }
}

/// A reader of numbered lines. It keeps at most one line in memory.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    max_bytes: usize,
    number: usize,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines from `input`; the part of a line beyond `max_bytes` is skipped.
    pub fn new(input: R, max_bytes: usize) -> LineReader<R> {
        LineReader { input, max_bytes, number: 0 }
    }

    /// The next line; none at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(self.max_bytes as u64).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let is_complete = bytes.pop_if(|last| *last == b'\n').is_some();
        if !is_complete {
            self.input.skip_until(b'\n')?;
        }
        self.number += 1;
        Ok(Some(Line { number: self.number, bytes, is_complete }))
    }

    /// The input, which is positioned after the last line read.
    pub fn input(&self) -> &R {
        &self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 4096;

    fn reader(text: String) -> LineReader<io::Cursor<Vec<u8>>> {
        LineReader::new(io::Cursor::new(text.into_bytes()), MAX)
    }

    #[test]
    fn lines_are_cut_and_counted() {
        let long = "x".repeat(1 << 20);
        let mut reader = reader(format!("one\n{long}\n\nlast"));
        let mut lines = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            lines.push(line);
        }
        let numbers: Vec<usize> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        let complete: Vec<bool> = lines.iter().map(|line| line.is_complete).collect();
        assert_eq!(complete, [true, false, true, false]);
        assert_eq!([0, 2, 3].map(|at| lines[at].text().unwrap()), ["one", "", "last"]);
        assert_eq!(lines[1].bytes.len(), MAX);
        assert!(lines[2].is_blank() && !lines[3].is_blank());
    }

    #[test]
    fn a_line_of_exactly_the_maximum_length_does_not_swallow_the_next() {
        let exact = "y".repeat(MAX);
        let mut reader = reader(format!("{exact}\nnext\n"));
        assert_eq!(reader.next_line().unwrap().unwrap().text_lossy(), exact);
        assert_eq!(reader.next_line().unwrap().unwrap().text_lossy(), "next");
        assert_eq!(reader.next_line().unwrap(), None);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_an_error_or_replaced() {
        let mut reader = LineReader::new(&b"a\xff\n"[..], MAX);
        let line = reader.next_line().unwrap().unwrap();
        assert!(line.text().is_err());
        assert_eq!(line.text_lossy(), "a\u{fffd}");
    }
}
