//! A site for measurements: `spuk serve` as a child process, and an HTTP client.

pub(crate) mod folder;
pub mod http;

use crate::Failure;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running site, killed when dropped.
pub(crate) struct Site {
    child: Child,
    pub(crate) address: String,
}

impl Site {
    /// Starts a site on a free port with its data in a folder.
    pub(crate) fn start(data: &Path) -> Result<Site, Failure> {
        let program =
            std::env::current_exe().map_err(|error| format!("cannot start the site: {error}"))?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--unlimited"]);
        command.args(["--log-level", "warn", "--data"]).arg(data);
        Site::launch(command)
    }

    /// Starts a site by a command, which has to be `spuk serve --json` with further flags.
    pub(crate) fn launch(mut command: Command) -> Result<Site, Failure> {
        let failed = |error: std::io::Error| format!("cannot start the site: {error}");
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut line = String::new();
        let stdout = child.stdout.take();
        // From here on the process is killed when `site` is dropped.
        let mut site = Site { child, address: String::new() };
        if let Some(stdout) = stdout {
            BufReader::new(stdout).read_line(&mut line).map_err(failed)?;
        }
        let announcement: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(address) = announcement["address"].as_str() else {
            return Err("the site did not start; see its log".to_owned());
        };
        site.address = address.to_owned();
        Ok(site)
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether its process has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Its peak memory, where the system reports it.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        peak.trim().strip_suffix(" kB")?.parse().ok().map(|kb: f64| kb / 1024.0)
    }

    /// Kills it without warning.
    pub(crate) fn kill(mut self) -> Result<(), Failure> {
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
