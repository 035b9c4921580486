//! A site of one's own: this very program, started once more.

use crate::Failure;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A site that runs, and is killed with the value.
pub(super) struct Site {
    child: Child,
    pub(super) address: String,
}

impl Site {
    /// Starts one at a free port with its data in a folder.
    pub(super) fn start(data: &Path) -> Result<Site, Failure> {
        let failed = |error: std::io::Error| format!("the site cannot be started: {error}");
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--json",
                "--unlimited",
                "--log-level",
                "warn",
                "--data",
            ])
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        let said = child.stdout.take();
        // From here on it ends with the value, whatever it says.
        let mut site = Site { child, address: String::new() };
        if let Some(said) = said {
            BufReader::new(said).read_line(&mut line).map_err(failed)?;
        }
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let address = said["address"].as_str().ok_or("the site did not start; see above")?;
        site.address = address.to_owned();
        Ok(site)
    }

    /// The most memory that it had, where the system tells.
    pub(super) fn memory_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        most.trim().strip_suffix(" kB")?.parse().ok().map(|kb: f64| kb / 1024.0)
    }

    /// Ends it without a warning.
    pub(super) fn kill(mut self) -> Result<(), Failure> {
        let killed = self.child.kill().and_then(|()| self.child.wait());
        killed.map(drop).map_err(|error| format!("the site cannot be killed: {error}"))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
