//! Text that is safe inside SVG and HTML.

/// Text for XML and HTML, between tags or in a quoted attribute: special characters as entities,
/// and what XML forbids as `U+FFFD`.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            letter if letter.is_control() => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escaped() {
        let hostile = "</title><script>alert('x')</script> & \"y\"\u{0}\u{1b}";
        let safe = escaped(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{0}', '\u{1b}']), "{safe}");
        assert!(safe.starts_with("&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)"));
        assert_eq!(escaped("詰めガイスター a4"), "詰めガイスター a4");
    }
}
