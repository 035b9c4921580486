//! Tries in coordinates and in algebraic notation.

use games::kriegspiel::{Color, Position, Try, algebraic};

fn read(fen: &str, text: &str) -> String {
    let position: Position = fen.parse().unwrap();
    algebraic(text, &position.own(Color::White))
        .map_or_else(|error| error.to_string(), |attempt| attempt.to_string())
}

#[test]
fn notation_is_resolved_by_own_pieces() {
    let fen = "4k3/1P6/8/8/8/3P4/P7/R3K2R w KQ - 0 1";
    let cases = [
        ("a4", "a2a4"),
        ("d4", "d3d4"),
        ("dxe4", "d3e4"),
        ("axb3", "a2b3"),
        ("b8=Q", "b7b8q"),
        ("bxa8=N+", "b7a8n"),
        ("O-O", "e1g1"),
        ("O-O-O", "e1c1"),
        ("Rhg1", "h1g1"),
        ("Rxh8#", "h1h8"),
        ("Kd2", "e1d2"),
        ("Rad1", "a1d1"),
    ];
    for (text, attempt) in cases {
        assert_eq!(read(fen, text), attempt, "{text}");
    }
    assert_eq!(
        read("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1"),
        "this may be a1d1 or h1d1; write one of them"
    );
    for text in ["Nf3", "e4", "b8", "O-O-O-O", "Qd1", "b8=K"] {
        assert!(read(fen, text).contains("; ") || read(fen, text).contains("like"), "{text}");
    }
    for text in ["", "x", "é4", "Kx", "=Q", "e4=", "🨀🨀", "Raad1", "R1ad1"] {
        let refusal = read(fen, text);
        assert!(
            refusal.starts_with("this is no move") || refusal.starts_with("none"),
            "{text}: {refusal}"
        );
    }
}

#[test]
fn coordinates_round_trip() {
    for text in ["e2e4", "e7e8q", "a7b8n", "e1g1", "h2h1r", "h2h1b"] {
        assert_eq!(text.parse::<Try>().unwrap().to_string(), text);
    }
    for text in ["", "e2", "e2e9", "i2e4", "e7e8k", "e7e8Q", "e2e4e5", "é2e", "e2-e4"] {
        let refusal = text.parse::<Try>().unwrap_err().to_string();
        assert!(refusal.contains("e2e4") || refusal.contains("e7e8q"), "{text}: {refusal}");
    }
}
