//! A site of one's own for measurements: `spuk serve` as another process, and what speaks to it.

pub(crate) mod folder;
pub mod http;

use crate::Failure;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A site that runs, and is killed with the value.
pub(crate) struct Site {
    child: Child,
    pub(crate) address: String,
}

impl Site {
    /// Starts one at a free port with its data in a folder.
    pub(crate) fn start(data: &Path) -> Result<Site, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| format!("the site cannot be started: {error}"))?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--unlimited"]);
        command.args(["--log-level", "warn", "--data"]).arg(data);
        Site::launch(command)
    }

    /// Starts one by a command, which has to be `spuk serve --json` with whatever it needs.
    pub(crate) fn launch(mut command: Command) -> Result<Site, Failure> {
        let failed = |error: std::io::Error| format!("the site cannot be started: {error}");
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut line = String::new();
        let said = child.stdout.take();
        // From here on it ends with the value, whatever it says.
        let mut site = Site { child, address: String::new() };
        if let Some(said) = said {
            BufReader::new(said).read_line(&mut line).map_err(failed)?;
        }
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(address) = said["address"].as_str() else {
            return Err("the site did not start; see its log".to_owned());
        };
        site.address = address.to_owned();
        Ok(site)
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether its process has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// The most memory that it had, where the system tells.
    pub(crate) fn memory_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        most.trim().strip_suffix(" kB")?.parse().ok().map(|kb: f64| kb / 1024.0)
    }

    /// Ends it without a warning.
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
