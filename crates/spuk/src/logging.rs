//! The log of `spuk serve`: its flags, and panics as events.

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser};
use service::Log;
use service::log::{Format, Level, Value};
use std::io::IsTerminal;

#[derive(Args, Default)]
pub(crate) struct Logging {
    /// Format of the log on standard error [default: text].
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["text", "json"]).try_map(|text| text.parse::<Format>()))]
    log_format: Option<Format>,
    /// Minimum level of logged events [default: info, or warn on a terminal].
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(["error", "warn", "info", "debug"]).try_map(|text| text.parse::<Level>()))]
    log_level: Option<Level>,
}

impl Logging {
    /// The log. A person at a terminal is not flooded with requests.
    pub(crate) fn open(&self) -> Log {
        let default = if std::io::stderr().is_terminal() { Level::Warn } else { Level::Info };
        let level = self.log_level.unwrap_or(default);
        Log::new(level, self.log_format.unwrap_or(Format::Text), std::io::stderr())
    }
}

/// Logs panics as events. At the level `error` only the place is logged: the message may quote hidden
/// information, and is logged at the level `debug`.
pub(crate) fn log_panics(log: Log) {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        log.error("panic", &[("place", Value::error(&place))]);
        let message = text_of(panic.payload());
        log.debug("panic message", &[("error", Value::error(&message))]);
    }));
}

/// The message of a panic.
fn text_of(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("")
}
