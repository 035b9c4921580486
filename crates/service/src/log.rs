//! Structured logs: a line for each event, as text or as JSON, with the time in UTC and a level.
//!
//! Each site has a log of its own, so that a test reads the lines of one site and no others. A field
//! takes a text that is fixed in the program, a number, a request id or an error: a handler cannot log
//! a path, a body, a cookie or a token without meaning to. Ids of games and invitations are secrets,
//! and a log is read by more people than a database.

use crate::request_id::RequestId;
use crate::store::now;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// The level of an event, the most important one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something failed, and an operator has to look at it.
    Error,
    /// Something is not as it should be.
    Warn,
    /// What the site does.
    Info,
    /// What the site does, in detail.
    Debug,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 4] = [Level::Error, Level::Warn, Level::Info, Level::Debug];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Level, &'static str> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or("the level is error, warn, info or debug")
    }
}

/// The format of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `TIME LEVEL MESSAGE name=value …`
    Text,
    /// A JSON object.
    Json,
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Format, &'static str> {
        match text {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            _ => Err("the format is text or json"),
        }
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text of the program.
    Fixed(&'static str),
    /// A route's pattern.
    Route(String),
    /// A count.
    Count(u64),
    /// A time in milliseconds.
    Millis(f64),
    /// Which request.
    Request(RequestId),
    /// Why something failed.
    Error(String),
}

impl Value {
    /// Why something failed.
    pub fn error(error: &impl fmt::Display) -> Value {
        Value::Error(error.to_string())
    }

    fn write(&self, format: Format, line: &mut String) {
        let text = match self {
            Value::Count(count) => return line.push_str(&count.to_string()),
            Value::Millis(millis) => return line.push_str(&format!("{millis:.1}")),
            Value::Fixed(text) => text,
            Value::Route(text) | Value::Error(text) => text.as_str(),
            Value::Request(id) => id.as_str(),
        };
        let plain = |text: &str| {
            !text.is_empty()
                && !text.contains(|c: char| c == '"' || c.is_whitespace() || c.is_control())
        };
        if format == Format::Text && plain(text) {
            line.push_str(text);
        } else {
            // JSON escapes line breaks, so that no value can forge a line.
            line.push_str(&serde_json::Value::from(text).to_string());
        }
    }
}

/// A name and a value.
pub type Field = (&'static str, Value);

struct Inner {
    level: Level,
    format: Format,
    sink: Mutex<Box<dyn Write + Send>>,
}

/// The log of a site.
#[derive(Clone)]
pub struct Log(Arc<Inner>);

impl Default for Log {
    /// Warnings and errors as text, to standard error.
    fn default() -> Log {
        Log::new(Level::Warn, Format::Text, std::io::stderr())
    }
}

impl Log {
    /// A log that writes events of this level and more important ones to `sink`.
    pub fn new(level: Level, format: Format, sink: impl Write + Send + 'static) -> Log {
        Log(Arc::new(Inner { level, format, sink: Mutex::new(Box::new(sink)) }))
    }

    /// Something failed, and an operator has to look at it.
    pub fn error(&self, message: &'static str, fields: &[Field]) {
        self.event(Level::Error, message, fields);
    }

    /// Something is not as it should be.
    pub fn warn(&self, message: &'static str, fields: &[Field]) {
        self.event(Level::Warn, message, fields);
    }

    /// What the site does.
    pub fn info(&self, message: &'static str, fields: &[Field]) {
        self.event(Level::Info, message, fields);
    }

    /// What the site does, in detail.
    pub fn debug(&self, message: &'static str, fields: &[Field]) {
        self.event(Level::Debug, message, fields);
    }

    /// Writes an event, unless its level is below that of the log.
    pub fn event(&self, level: Level, message: &'static str, fields: &[Field]) {
        if level > self.0.level {
            return;
        }
        let line = line(self.0.format, now(), level, message, fields);
        let mut sink = self.0.sink.lock().unwrap_or_else(PoisonError::into_inner);
        // One write for the whole line: those of several processes do not mix. A log that cannot be
        // written must not stop the site.
        let _ = sink.write_all(line.as_bytes());
    }
}

fn line(format: Format, time: i64, level: Level, message: &str, fields: &[Field]) -> String {
    let time = rfc3339(time);
    let mut line = match format {
        Format::Text => format!("{time} {:<5} {message}", level.name()),
        Format::Json => format!(
            r#"{{"time":"{time}","level":"{}","message":{}"#,
            level.name(),
            serde_json::Value::from(message)
        ),
    };
    for (name, value) in fields {
        // Writing to a string does not fail.
        let _ = match format {
            Format::Text => write!(line, " {name}="),
            Format::Json => write!(line, ",\"{name}\":"),
        };
        value.write(format, &mut line);
    }
    line.push_str(match format {
        Format::Text => "\n",
        Format::Json => "}\n",
    });
    line
}

/// Milliseconds since 1970 as RFC 3339 writes them, in UTC.
fn rfc3339(millis: i64) -> String {
    let (days, millis) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    // Hinnant's "civil from days": years begin in March, so that a leap day is the last one.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_calendar_times() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
            (1_794_999_890_123, "2026-11-18T11:04:50.123Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(rfc3339(millis), text);
        }
    }

    #[test]
    fn a_line_is_one_line_whatever_an_error_says() {
        let fields = [
            ("error", Value::error(&"a \"b\"\n2026 info forged")),
            ("route", Value::Route("/games/{id}".into())),
            ("count", Value::Count(7)),
            ("ms", Value::Millis(1.25)),
        ];
        let text = line(Format::Text, 0, Level::Warn, "it failed", &fields);
        let expected = "1970-01-01T00:00:00.000Z warn  it failed \
                        error=\"a \\\"b\\\"\\n2026 info forged\" route=/games/{id} count=7 ms=1.2\n";
        assert_eq!(text, expected);
        let json = line(Format::Json, 0, Level::Warn, "it failed", &fields);
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json.matches('\n').count(), 1);
        assert_eq!(
            read,
            serde_json::json!({ "time": "1970-01-01T00:00:00.000Z", "level": "warn",
                "message": "it failed", "error": "a \"b\"\n2026 info forged",
                "route": "/games/{id}", "count": 7, "ms": 1.2 })
        );
    }

    #[test]
    fn events_below_the_log_level_are_dropped() {
        for level in Level::ALL {
            let lines = Arc::new(Mutex::new(Vec::new()));
            struct Shared(Arc<Mutex<Vec<u8>>>);
            impl Write for Shared {
                fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                    self.0.lock().unwrap().extend_from_slice(bytes);
                    Ok(bytes.len())
                }
                fn flush(&mut self) -> std::io::Result<()> {
                    Ok(())
                }
            }
            let log = Log::new(level, Format::Text, Shared(lines.clone()));
            for written in Level::ALL {
                log.event(written, "x", &[]);
            }
            let text = String::from_utf8(lines.lock().unwrap().clone()).unwrap();
            assert_eq!(text.lines().count(), level as usize + 1);
        }
    }
}
