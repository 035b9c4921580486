//! A small disk that can be filled: a tmpfs in a mount namespace of its own. Root creates the namespace
//! directly, other users within a user namespace. The file system is gone with the last process in it.

use crate::Failure;
use rustix::process::{geteuid, getgid, getuid};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Mounts the disk, reports it, and stays until its standard input ends: at the latest when this process ends.
const MOUNT_SCRIPT: &str =
    r#"mount -t tmpfs -o size="$1",mode=1777 none "$2" && echo mounted && exec cat"#;

/// The disk, and the process that keeps it mounted.
pub(super) struct Disk {
    holder: Child,
    folder: PathBuf,
}

impl Disk {
    /// A disk of this many megabytes at a folder, which has to be there.
    pub(super) fn mount(folder: &Path, megabytes: u32) -> Result<Disk, Failure> {
        let failed = |why: String| format!("no small disk can be mounted: {why}");
        let mut command = Command::new("unshare");
        command.arg("--mount");
        if !geteuid().is_root() {
            command.args(["--user", "--map-root-user"]);
        }
        let holder = command
            .args(["sh", "-c", MOUNT_SCRIPT, "sh", &format!("{megabytes}m")])
            .arg(folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("unshare: {error}")))?;
        let mut disk = Disk { holder, folder: folder.to_owned() };
        let mut line = String::new();
        if let Some(said) = disk.holder.stdout.take() {
            BufReader::new(said).read_line(&mut line).map_err(|error| failed(error.to_string()))?;
        }
        if line.trim() != "mounted" {
            let mut why = String::new();
            if let Some(said) = disk.holder.stderr.take() {
                let _ = BufReader::new(said).read_line(&mut why);
            }
            return Err(failed(why.trim().to_owned()));
        }
        Ok(disk)
    }

    /// The prefix of a command line that runs a program in the namespace of the disk.
    pub(super) fn enter(&self) -> Vec<OsString> {
        let pid = self.holder.id().to_string();
        let mut words = vec!["nsenter", "--target", &pid, "--mount"];
        if !geteuid().is_root() {
            words.extend(["--user", "--preserve-credentials"]);
        }
        words.push("--");
        words.iter().map(OsString::from).collect()
    }

    /// The same for a program that refuses to run as root, which other users are in their namespace.
    pub(super) fn enter_as_user(&self) -> Vec<OsString> {
        let mut words = self.enter();
        if !geteuid().is_root() {
            let user = format!("--map-user={}", getuid().as_raw());
            let group = format!("--map-group={}", getgid().as_raw());
            words.extend(["unshare", "--user", &user, &group].map(OsString::from));
        }
        words
    }

    /// The path of a file on the disk, seen from outside the namespace.
    pub(super) fn outside(&self, file: &Path) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(file.strip_prefix("/").unwrap_or(file))
    }

    /// The file that fills the disk.
    fn ballast(&self) -> PathBuf {
        self.outside(&self.folder.join("ballast"))
    }

    /// Fills the disk up to this many free bytes.
    pub(super) fn fill(&self, left: u64) -> Result<(), Failure> {
        let failed = |error: std::io::Error| format!("the disk cannot be filled: {error}");
        let mut file = File::create(self.ballast()).map_err(failed)?;
        let block = [0; 1 << 16];
        while file.write_all(&block).is_ok() {}
        let file = OpenOptions::new().write(true).open(self.ballast()).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        file.set_len(length.saturating_sub(left)).map_err(failed)
    }

    /// Frees the space again.
    pub(super) fn free(&self) -> Result<(), Failure> {
        match std::fs::remove_file(self.ballast()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("the disk cannot be freed: {error}"))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
