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
    /// The number of bytes of the text up to the end of the line, its line break included.
    pub end: u64,
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

/// The byte order mark of UTF-8, which some editors write at the start of a text.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A reader of numbered lines. It keeps at most one line in memory, and skips a byte order mark.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    max_bytes: usize,
    number: usize,
    /// The number of bytes read.
    offset: u64,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines from `input`; the part of a line beyond `max_bytes` is skipped.
    pub fn new(input: R, max_bytes: usize) -> LineReader<R> {
        LineReader { input, max_bytes, number: 0, offset: 0 }
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
        self.offset += bytes.len() as u64;
        let is_complete = bytes.pop_if(|last| *last == b'\n').is_some();
        if !is_complete {
            self.offset += self.input.skip_until(b'\n')? as u64;
        }
        self.number += 1;
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Line { number: self.number, bytes, is_complete, end: self.offset }))
    }

    /// The next line that is not blank; none at the end of the input. Blank lines count in the line
    /// numbers.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_non_blank_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            match self.next_line()? {
                Some(line) if line.is_blank() => {}
                line => return Ok(line),
            }
        }
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
    fn a_byte_order_mark_and_blank_lines_are_skipped() {
        let mut reader = reader("\u{feff}\r\n \t\none\n\n\u{feff}two".into());
        let mut lines = Vec::new();
        while let Some(line) = reader.next_non_blank_line().unwrap() {
            lines.push((line.number, line.end, line.text().unwrap().to_owned()));
        }
        // Within a text it is no byte order mark but a character.
        assert_eq!(lines, [(3, 12, "one".into()), (5, 19, "\u{feff}two".into())]);
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
