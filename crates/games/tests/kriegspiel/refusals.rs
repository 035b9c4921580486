//! Invalid positions are refused with the reason in one sentence.

use crate::play::{self, STARTS};
use games::kriegspiel::Position;

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let cases = [
        ("", "there are 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - -", "there are 4"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 9"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 has 7"),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "rank 5 has 9"),
        ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "'x'"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "neither w nor b"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn stands on h1"),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", "more than 16"),
        ("4k3/8/8/8/8/4P3/PPPPPPPP/4K3 w - - 0 1", "more than 8 pawns"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "Black is in check and not to move"),
        ("4k3/8/8/8/8/8/4q3/4K3 b - - 0 1", "White is in check and not to move"),
        ("8/8/8/8/8/8/8/3kK3 w - - 0 1", "side by side"),
        ("4k3/8/8/1b2r3/8/3n4/3p4/4K3 w - - 0 1", "more than two"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "by K"),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", "by k"),
        ("4k3/8/8/8/8/8/8/R3K2R w QK - 0 1", "KQkq"),
        ("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", "KQkq"),
        ("4k3/8/8/8/8/8/8/R3K2R w AH - 0 1", "KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - x9 0 1", "en-passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 70000 1", "half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "move number"),
    ];
    for (fen, reason) in cases {
        let refusal = fen.parse::<Position>().expect_err(fen).to_string();
        assert!(refusal.contains(reason), "{fen}: {refusal}");
        assert!(!refusal.contains('\n'));
    }
    let long = "8/".repeat(1 << 20);
    assert!(long.parse::<Position>().unwrap_err().to_string().contains("bytes"));
}

#[test]
fn fens_round_trip() {
    for fen in STARTS {
        assert_eq!(fen.parse::<Position>().unwrap().to_string(), fen);
    }
    for seed in 0..20 {
        play::play(seed, 80, |_, _, _, after| {
            let text = after.position().to_string();
            let again: Position = text.parse().unwrap();
            assert_eq!(&again, after.position());
            assert_eq!(again.to_string(), text);
            assert_eq!(again.key(), after.position().key());
        });
    }
}

#[test]
fn an_en_passant_square_without_a_capture_is_dropped() {
    let position: Position = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".parse().unwrap();
    assert_eq!(position.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
}
