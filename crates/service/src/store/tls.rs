//! TLS to the database: whether connections use it, and what to do if that failed.

use super::transaction::Dialect;
use super::{Store, StoreError};
use sqlx::Row;

impl Store {
    /// Whether connections to the database are encrypted; those to a file are not.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn is_encrypted(&self) -> Result<bool, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return Ok(false);
        }
        let row = sqlx::query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
        Ok(row.fetch_one(&self.read).await?.try_get("ssl")?)
    }
}

/// The next step after an error, if it is one of TLS. rustls's own errors come as errors of the socket.
pub(super) fn advice(error: &sqlx::Error) -> Option<&'static str> {
    let text = error.to_string();
    let says = |part: &str| text.contains(part);
    match error {
        sqlx::Error::Io(io) if io.kind() == std::io::ErrorKind::NotFound => {
            Some("check that the files which the address names, such as sslrootcert, are there")
        }
        sqlx::Error::Tls(_) if says("does not support TLS") => Some(
            "set ssl = on in the server's postgresql.conf, or allow a plain connection with \
             sslmode=disable",
        ),
        sqlx::Error::Tls(_) | sqlx::Error::Io(_) if says("UnknownIssuer") => Some(
            "name the certificate of the authority that signed the server's with sslrootcert=FILE",
        ),
        sqlx::Error::Tls(_) | sqlx::Error::Io(_) if says("not valid for name") => {
            Some("connect by a host name that is in the server's certificate")
        }
        sqlx::Error::Io(_) if says("certificate") => Some("check the server's certificate"),
        sqlx::Error::Tls(_) => Some("check sslmode and sslrootcert of the address"),
        _ => None,
    }
}
