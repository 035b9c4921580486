//! Standard input line by line, worked on by several threads, answered in order.
//!
//! A line is answered as soon as it and all before it are done, so that another program may ask
//! and wait. However long the input or one of its lines, memory stays bounded: an overlong line is
//! cut, and reading stops while too many answers wait for a slow one before them.

use crate::Failure;
use crate::output::Reader;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Longer lines are cut; no position is nearly as long.
const LONGEST_LINE: u64 = 4096;

/// So many lines may be read but not answered.
const IN_FLIGHT: usize = 1024;

/// How often a waiting stream looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// A line of the input and its number, from 1.
pub(crate) struct Line {
    pub(crate) number: usize,
    /// The text without its end; what is no UTF-8 is replaced, and an overlong line is cut.
    pub(crate) text: String,
}

/// How a stream ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// All lines are answered, or nobody reads the answers any more.
    Done,
    /// Ctrl-C.
    Interrupted,
}

/// Answers each line of standard input with `work`, on `threads` threads, and hands the answers to
/// `emit` in the order of the lines.
///
/// `worker` makes what each thread keeps for itself. After an interruption the threads are left to
/// end with the program.
pub(crate) fn answer_in_order<W: 'static, A: Send + 'static>(
    threads: u32,
    worker: impl Fn() -> W + Clone + Send + 'static,
    work: impl Fn(&mut W, Line) -> A + Clone + Send + 'static,
    interrupted: &'static AtomicBool,
    mut emit: impl FnMut(A) -> Result<Reader, Failure>,
) -> Result<End, Failure> {
    let (room, places) = channel();
    (0..IN_FLIGHT).for_each(|_| room.send(()).unwrap_or_default());
    let (lines, jobs) = channel();
    let reader = thread::spawn(move || read_lines(&places, &lines));
    let jobs = Arc::new(Mutex::new(jobs));
    let (answers, done) = channel();
    for _ in 0..threads {
        let (jobs, answers) = (Arc::clone(&jobs), answers.clone());
        let (worker, work) = (worker.clone(), work.clone());
        thread::spawn(move || {
            let mut worker = worker();
            while let Some(line) = next_line(&jobs) {
                let number = line.number;
                if answers.send((number, work(&mut worker, line))).is_err() {
                    return;
                }
            }
        });
    }
    drop(answers);
    let mut waiting = BTreeMap::new();
    let mut next = 1;
    loop {
        match done.recv_timeout(LOOK) {
            Ok((number, answer)) => drop(waiting.insert(number, answer)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(answer) = waiting.remove(&next) {
            if emit(answer)? == Reader::Gone {
                return Ok(End::Done);
            }
            next += 1;
            room.send(()).unwrap_or_default();
        }
        if interrupted.load(SeqCst) && waiting.is_empty() {
            return Ok(End::Interrupted);
        }
    }
    match reader.join() {
        Ok(Ok(())) => Ok(End::Done),
        Ok(Err(error)) => Err(format!("cannot read standard input: {error}")),
        Err(_) => Err("cannot read standard input".into()),
    }
}

fn next_line(jobs: &Mutex<Receiver<Line>>) -> Option<Line> {
    jobs.lock().ok()?.recv().ok()
}

fn read_lines(places: &Receiver<()>, lines: &Sender<Line>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    for number in 1.. {
        if places.recv().is_err() {
            break;
        }
        let Some(text) = read_line(&mut input, LONGEST_LINE)? else { break };
        if lines.send(Line { number, text }).is_err() {
            break;
        }
    }
    Ok(())
}

/// The next line without its end, cut to `longest` bytes; `None` at the end of the input. What is no
/// UTF-8 is replaced.
pub(crate) fn read_line(
    input: &mut (impl BufRead + ?Sized),
    longest: u64,
) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.take(longest).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_counted() {
        let long = "x".repeat(1 << 20);
        let text = format!("one\n{long}\n\nlast");
        let mut input = io::Cursor::new(text.into_bytes());
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input, LONGEST_LINE).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].as_str(), lines[2].as_str(), lines[3].as_str()), ("one", "", "last"));
        assert_eq!(lines[1].len() as u64, LONGEST_LINE);
    }

    #[test]
    fn a_line_of_just_the_longest_length_swallows_no_other() {
        let exact = "y".repeat(LONGEST_LINE as usize);
        let mut input = io::Cursor::new(format!("{exact}\nnext\n").into_bytes());
        assert_eq!(read_line(&mut input, LONGEST_LINE).unwrap().unwrap(), exact);
        assert_eq!(read_line(&mut input, LONGEST_LINE).unwrap().unwrap(), "next");
        assert_eq!(read_line(&mut input, LONGEST_LINE).unwrap(), None);
    }
}
