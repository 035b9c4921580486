//! A site as a child process.

use crate::common::{code, program, text};
use bench::site::http::Client;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// A site that runs, and is killed with the value.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) site: String,
    pub(crate) announced: Value,
    pub(crate) stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a site at a free port.
    pub(crate) fn start(arguments: &[&str]) -> Server {
        let quiet = [arguments, &["--log-level", "warn"]].concat();
        Server::complaining(&quiet, Stdio::inherit())
    }

    /// Starts one whose complaints go somewhere.
    pub(crate) fn complaining(arguments: &[&str], stderr: Stdio) -> Server {
        let mut command = command(&["--listen", "127.0.0.1:0", "--json", "--unlimited"]);
        command.args(arguments);
        Server::spawn(command, stderr)
    }

    /// Starts the one of a command.
    pub(crate) fn spawn(mut command: Command, stderr: Stdio) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let announced: Value = serde_json::from_str(&line).unwrap();
        let site = announced["address"].as_str().unwrap().to_owned();
        Server { child, site, announced, stdout }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.site, None).unwrap()
    }

    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Waits for the end, for so long.
    pub(crate) fn end_within(&mut self, limit: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < limit, "it still runs after {limit:?}");
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

/// A start that has to fail.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output: Output = command(arguments).output().unwrap();
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

/// Lines of a log that an operator should look at.
pub(crate) fn warnings(log: &str) -> usize {
    log.lines().filter(|line| !line.contains(" info ")).count()
}
