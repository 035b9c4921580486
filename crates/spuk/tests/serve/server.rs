//! A site as a child process.

use crate::common::{code, program, text};
use bench::site::http::Client;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// A running site, killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) site: String,
    /// What it printed when it was ready.
    pub(crate) announcement: Value,
    pub(crate) stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a site at a free port.
    pub(crate) fn start(arguments: &[&str]) -> Server {
        let quiet = [arguments, &["--log-level", "warn"]].concat();
        Server::start_with_stderr(&quiet, Stdio::inherit())
    }

    /// Starts a site at a free port with this standard error.
    pub(crate) fn start_with_stderr(arguments: &[&str], stderr: Stdio) -> Server {
        let mut command = command(&["--listen", "127.0.0.1:0", "--json", "--unlimited"]);
        command.args(arguments);
        Server::spawn(command, stderr)
    }

    /// Starts a site by a command, and waits until it is ready.
    pub(crate) fn spawn(mut command: Command, stderr: Stdio) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let announcement: Value = serde_json::from_str(&line).unwrap();
        let site = announcement["address"].as_str().unwrap().to_owned();
        Server { child, site, announcement, stdout }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.site, None).unwrap()
    }

    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Kills the site and returns its log. Standard error has to be a pipe.
    pub(crate) fn kill_and_read_log(&mut self) -> String {
        self.child.kill().unwrap();
        self.read_log()
    }

    /// The log of a site that has ended.
    pub(crate) fn read_log(&mut self) -> String {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        log
    }

    /// Waits until the process has ended.
    pub(crate) fn end_within(&mut self, limit: Duration) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < limit, "the site still runs after {limit:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("serve").args(arguments).env_remove("SPUK_TOKEN");
    command
}

/// Starts a site, which has to fail, and returns its error message.
pub(crate) fn failed_start(arguments: &[&str]) -> String {
    let output: Output = command(arguments).output().unwrap();
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

/// Counts the lines of a log that an operator should look at.
pub(crate) fn warnings(log: &str) -> usize {
    log.lines().filter(|line| !line.contains(" info ")).count()
}
