//! The databases that a site can have.

use clap::ValueEnum;

/// The database of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DatabaseKind {
    /// A file in the data folder.
    Sqlite,
    /// A PostgreSQL server, which is started for the test.
    Postgres,
}

impl DatabaseKind {
    /// All of them.
    pub(super) const ALL: [DatabaseKind; 2] = [DatabaseKind::Sqlite, DatabaseKind::Postgres];

    /// The name in flags and JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            DatabaseKind::Sqlite => "sqlite",
            DatabaseKind::Postgres => "postgres",
        }
    }

    /// The reason why it cannot be used on this machine, if any.
    pub(super) fn unavailable(self) -> Option<String> {
        match self {
            DatabaseKind::Sqlite => None,
            DatabaseKind::Postgres => super::postgres::programs().is_none().then(|| {
                "PostgreSQL's initdb is not found; install PostgreSQL (Debian package postgresql)".into()
            }),
        }
    }
}
