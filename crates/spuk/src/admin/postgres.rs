//! Backups of PostgreSQL by its own programs, `pg_dump` and `pg_restore`.

use service::store::backup::{BackupError, clear_postgres, expect_known, write_new};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(super) async fn back_up(url: &str, file: &Path) -> Result<u64, BackupError> {
    write_new(file, async |part| {
        let server = Server::of(url);
        server.run("pg_dump", &["--format=custom", "--file"], part)?;
        // Reads the whole table of contents.
        server.read("pg_restore", &["--list"], part).map(|_| ())
    })
    .await
}

pub(super) async fn restore(url: &str, file: &Path, replace: bool) -> Result<(), BackupError> {
    let server = Server::of(url);
    let versions =
        server.read("pg_restore", &["--data-only", "--table=spuk_schema", "--file=-"], file)?;
    // Lines of a COPY: the numbers of all versions.
    let newest = versions.lines().filter_map(|line| line.trim().parse().ok()).max();
    let foreign = || BackupError::Damaged(file.to_owned(), "it has no schema of Spuk".into());
    expect_known(newest.ok_or_else(foreign)?)?;
    clear_postgres(url, &server.name, replace).await?;
    let how = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"];
    server.run("pg_restore", &how, file)
}

/// A database on a server: its password is passed by the environment, where other users cannot see
/// it.
struct Server {
    /// The address without the password.
    name: String,
    password: Option<String>,
}

impl Server {
    fn of(url: &str) -> Server {
        let whole = Server { name: url.to_owned(), password: None };
        let Some((scheme, rest)) = url.split_once("://") else { return whole };
        let authority = rest.split(['/', '?']).next().unwrap_or("");
        let Some((login, _)) = authority.rsplit_once('@') else { return whole };
        let Some((user, password)) = login.split_once(':') else { return whole };
        let name = format!("{scheme}://{user}{}", &rest[login.len()..]);
        Server { name, password: Some(decoded(password)) }
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        if let Some(password) = &self.password {
            command.env("PGPASSWORD", password);
        }
        command
    }

    /// Runs a program at the database, with a file as the last argument.
    fn run(&self, program: &str, arguments: &[&str], file: &Path) -> Result<(), BackupError> {
        let mut command = self.command(program, arguments);
        command.arg(file).arg("--dbname").arg(&self.name);
        output_of(program, command).map(|_| ())
    }

    /// Runs a program that only reads the file.
    fn read(&self, program: &str, arguments: &[&str], file: &Path) -> Result<String, BackupError> {
        let mut command = self.command(program, arguments);
        command.arg(file);
        output_of(program, command)
    }
}

/// The output of a program, if it succeeded.
fn output_of(program: &str, mut command: Command) -> Result<String, BackupError> {
    let failed =
        |why: String| BackupError::File(PathBuf::from(program), std::io::Error::other(why));
    let output = command.output().map_err(|error| {
        failed(format!("{error}; install PostgreSQL's client programs and put {program} in PATH"))
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }
}

/// Decodes percent-encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let byte =
            digits.filter(|_| first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_left_in_the_address() {
        let split = |url: &str| {
            let Server { name, password } = Server::of(url);
            (name, password)
        };
        let secret = Some("p@ss:w%".to_owned());
        assert_eq!(
            split("postgres://me:p%40ss:w%25@db:5432/spuk?sslmode=require"),
            ("postgres://me@db:5432/spuk?sslmode=require".into(), secret)
        );
        for plain in ["postgres://me@db/spuk", "postgres://db/spuk", "postgres:///spuk?host=/tmp"] {
            assert_eq!(split(plain), (plain.to_owned(), None));
        }
    }
}
