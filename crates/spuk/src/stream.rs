//! Standard input line by line, processed by several threads, answered in order. Blank lines are skipped.
//!
//! A line is answered as soon as it and all lines before it are done, so that a program can wait
//! for each answer. Memory is bounded, however long the input or one of its lines: an overlong line
//! is cut, and reading stops while too many answers wait for a slow one before them.

use crate::Failure;
use crate::output::Reader;
use common::lines::LineReader;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The maximum length of an input line; longer lines are cut. No position is nearly as long.
pub(crate) const MAX_LINE_BYTES: usize = 4096;

/// The maximum number of lines that are read but not answered.
const MAX_UNANSWERED_LINES: usize = 1024;

/// How often a waiting stream checks for Ctrl-C.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A line of the input and its number, from 1.
pub(crate) struct Line {
    pub(crate) number: usize,
    /// The text without its line break; invalid UTF-8 is replaced, and an overlong line is cut.
    pub(crate) text: String,
}

/// How a stream ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    /// All lines are answered, or standard output is closed.
    Done,
    /// Ctrl-C.
    Interrupted,
}

/// Answers each line of standard input that is not blank with `work`, on `threads` threads, and hands the answers to
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
) -> Result<StreamEnd, Failure> {
    let (room, places) = channel();
    (0..MAX_UNANSWERED_LINES).for_each(|_| room.send(()).unwrap_or_default());
    let (lines, jobs) = channel();
    let reader = thread::spawn(move || read_lines(&places, &lines));
    let jobs = Arc::new(Mutex::new(jobs));
    let (answers, done) = channel();
    for _ in 0..threads {
        let (jobs, answers) = (Arc::clone(&jobs), answers.clone());
        let (worker, work) = (worker.clone(), work.clone());
        thread::spawn(move || {
            let mut worker = worker();
            while let Some((index, line)) = next_line(&jobs) {
                if answers.send((index, work(&mut worker, line))).is_err() {
                    return;
                }
            }
        });
    }
    drop(answers);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        match done.recv_timeout(POLL_INTERVAL) {
            Ok((index, answer)) => drop(waiting.insert(index, answer)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(answer) = waiting.remove(&next) {
            if emit(answer)? == Reader::Gone {
                return Ok(StreamEnd::Done);
            }
            next += 1;
            room.send(()).unwrap_or_default();
        }
        if interrupted.load(SeqCst) && waiting.is_empty() {
            return Ok(StreamEnd::Interrupted);
        }
    }
    match reader.join() {
        Ok(Ok(())) => Ok(StreamEnd::Done),
        Ok(Err(error)) => Err(format!("cannot read standard input: {error}")),
        Err(_) => Err("cannot read standard input".into()),
    }
}

/// A line and its place among those that are answered, from 0.
type Job = (usize, Line);

fn next_line(jobs: &Mutex<Receiver<Job>>) -> Option<Job> {
    jobs.lock().ok()?.recv().ok()
}

fn read_lines(places: &Receiver<()>, jobs: &Sender<Job>) -> io::Result<()> {
    let mut input = LineReader::new(io::stdin().lock(), MAX_LINE_BYTES);
    for index in 0.. {
        if places.recv().is_err() {
            break;
        }
        let Some(line) = input.next_non_blank_line()? else { break };
        let text = line.text_lossy().into_owned();
        if jobs.send((index, Line { number: line.number, text })).is_err() {
            break;
        }
    }
    Ok(())
}
