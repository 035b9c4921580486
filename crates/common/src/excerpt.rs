//! Untrusted text in messages: truncated and escaped, so that a message is always one short line.

/// The maximum characters of a quoted text.
const MAX_QUOTED_CHARS: usize = 60;
/// The maximum characters of a JSON parser message, which repeats names and values of the input.
const MAX_REPORTED_CHARS: usize = 200;

/// The beginning of a text, with at most `max_chars` characters after escaping.
fn cut(text: &str, max_chars: usize) -> String {
    let (mut shown, mut length) = (String::new(), 0);
    for character in text.chars() {
        let escaped = character.escape_debug();
        length += escaped.len();
        if length > max_chars {
            return shown + "...";
        }
        shown.extend(escaped);
    }
    shown
}

/// The beginning of a text in quotation marks.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(text, MAX_QUOTED_CHARS))
}

/// The message of a JSON error with its position.
pub fn json_error(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match full.strip_suffix(&place) {
        // Quotation marks stay as the reader wrote them.
        Some(reason) => {
            cut(reason, MAX_REPORTED_CHARS).replace("\\\"", "\"").replace("\\'", "'") + &place
        }
        None => cut(&full, MAX_REPORTED_CHARS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_short_and_on_one_line() {
        assert_eq!(quoted("a \"b\""), "\"a \\\"b\\\"\"");
        assert_eq!(quoted("a\nb\u{0}"), "\"a\\nb\\0\"");
        assert_eq!(quoted(&"ü".repeat(60)), format!("\"{}\"", "ü".repeat(60)));
        assert_eq!(quoted(&"ü".repeat(61)), format!("\"{}...\"", "ü".repeat(60)));
        assert!(quoted(&"\u{7f}".repeat(60)).len() <= 65);
    }

    #[test]
    fn json_errors_say_what_and_where_in_one_short_line() {
        let reason = |text: &str| json_error(&serde_json::from_str::<Vec<bool>>(text).unwrap_err());
        assert_eq!(reason("[true"), "EOF while parsing a list at line 1 column 5");
        let long = format!("[\"{}\"]", "x\\n".repeat(5000));
        assert!(reason(&long).starts_with("invalid type: string \"x\\"), "{}", reason(&long));
        assert!(reason(&long).contains("... at line 1 column "), "{}", reason(&long));
        assert!(reason(&long).len() < 500 && !reason(&long).contains('\n'));
    }
}
