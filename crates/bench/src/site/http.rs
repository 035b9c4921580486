//! A minimal HTTP/1.1 client: one connection, kept alive, with the cookie of one person.

use serde_json::Value;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The default timeout of a response; every response is faster.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// An HTTP client of one person.
pub struct Client {
    stream: BufReader<TcpStream>,
    /// The cookie of the person, once the site has set one.
    pub cookie: Option<String>,
    /// Additional header lines of each request.
    headers: String,
}

impl Client {
    /// Connects to `http://ADDRESS`, as a new person or with the cookie of one.
    pub fn new(site: &str, cookie: Option<String>) -> Result<Client> {
        Client::with_timeout(site, cookie, DEFAULT_TIMEOUT)
    }

    /// The same with a timeout for responses.
    pub fn with_timeout(site: &str, cookie: Option<String>, timeout: Duration) -> Result<Client> {
        let stream =
            TcpStream::connect(site.strip_prefix("http://").ok_or(ErrorKind::InvalidInput)?)?;
        stream.set_read_timeout(Some(timeout))?;
        stream.set_nodelay(true)?;
        Ok(Client { stream: BufReader::new(stream), cookie, headers: String::new() })
    }

    /// The same behind a proxy that forwards for this address.
    pub fn forwarded_for(self, address: &str) -> Client {
        Client { headers: format!("X-Forwarded-For: {address}\r\n"), ..self }
    }

    /// Sends a GET request; returns the status and the body, null if it is not JSON.
    ///
    /// # Errors
    /// If the connection fails.
    pub fn get(&mut self, path: &str) -> Result<(u16, Value)> {
        self.send(&format!("GET {path} HTTP/1.1\r\n"), "")
    }

    /// The same with a POST request and a JSON body.
    ///
    /// # Errors
    /// If the connection fails.
    pub fn post(&mut self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let kind = "Content-Type: application/json\r\n";
        self.send(&format!("POST {path} HTTP/1.1\r\n{kind}"), &body.to_string())
    }

    /// Sends a request that begins with `head`.
    ///
    /// # Errors
    /// If the connection fails.
    pub fn send(&mut self, head: &str, body: &str) -> Result<(u16, Value)> {
        let cookie = self.cookie.iter().map(|cookie| format!("Cookie: {cookie}\r\n"));
        let rest = format!("Host: spuk.test\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let request = format!("{head}{}{}{rest}", self.headers, cookie.collect::<String>());
        self.write(request.as_bytes())?;
        self.response()
    }

    /// Writes raw bytes.
    ///
    /// # Errors
    /// If the connection fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line)? {
            0 => Err(Error::from(ErrorKind::UnexpectedEof)),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    fn response(&mut self) -> Result<(u16, Value)> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(|_| ErrorKind::InvalidData)?,
                "set-cookie" => self.cookie = value.split(';').next().map(str::to_owned),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Ok((status.ok_or(ErrorKind::InvalidData)?, value))
    }
}
