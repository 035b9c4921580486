//! The umpire agrees with its slow twin and with the written rules.

use crate::common::golden::Numbers;
use crate::play;
use crate::twin::{Twin, Verdict};
use games::kriegspiel::{Check, Position, Ruling, Square, Termination, Try, umpire};

fn verdict(position: &Position, attempt: Try) -> Option<Verdict> {
    let Ruling::Legal { announcement, after } = umpire(position, attempt) else { return None };
    assert_eq!(after.turn(), !position.turn());
    assert_eq!(announcement.to_move, after.turn());
    Some(Verdict {
        capture: announcement.capture.map(|c| (c.kind, c.square.to_string())),
        checks: announcement.checks.iter().collect(),
        pawn_tries: usize::from(announcement.pawn_tries),
        termination: announcement.termination,
        placement: after.to_string().split(' ').next().unwrap().to_owned(),
    })
}

fn any_try(numbers: &mut Numbers) -> Try {
    let promotion = "e7e8q e7e8n".split(' ').nth((numbers.next() % 40) as usize);
    let promotion = promotion.and_then(|text| text.parse::<Try>().unwrap().promotion);
    let mut square = || numbers.choose(&Square::ALL).unwrap();
    Try { from: square(), to: square(), promotion }
}

#[test]
fn the_umpire_agrees_with_its_slow_twin() {
    let mut legal = 0;
    for seed in 0..60 {
        let mut numbers = Numbers(seed ^ 0xabc);
        play::play(seed, 120, |before, attempt, _, _| {
            let position = before.position();
            let twin = Twin::new(position);
            for attempt in [attempt, any_try(&mut numbers), any_try(&mut numbers)] {
                let found = verdict(position, attempt);
                legal += usize::from(found.is_some());
                assert_eq!(found, twin.answer(attempt), "{position} {attempt}");
            }
        });
    }
    assert!(legal > 2000, "{legal}");
}

#[test]
fn legal_moves_are_the_tries_that_are_not_refused() {
    for seed in 0..6 {
        play::play(seed, 60, |before, _, _, _| {
            let position = before.position();
            let mut moves = position.legal_moves();
            moves.sort();
            let own = position.own(position.turn());
            let mut found = own.tries(true);
            found.retain(|&attempt| umpire(position, attempt) != Ruling::Illegal);
            found.sort();
            assert_eq!(found, moves, "{position}");
        });
    }
}

#[test]
fn own_pieces_follow_the_moves() {
    for seed in 0..200 {
        play::play(seed, 120, |before, attempt, _, after| {
            let mover = before.turn();
            let (own, others) = (before.position().own(mover), before.position().own(!mover));
            if let [.., last] = after.turns()
                && after.turns().len() > before.turns().len()
            {
                assert_eq!(own.moved(attempt), after.position().own(mover));
                let square = last.announcement.capture.map(|capture| capture.square);
                let others = square.map_or(others, |square| others.captured(square));
                assert_eq!(others, after.position().own(!mover));
            }
        });
    }
}

fn answer(fen: &str, attempt: &str) -> String {
    let position: Position = fen.parse().unwrap();
    match umpire(&position, attempt.parse().unwrap()) {
        Ruling::Illegal => "illegal".into(),
        Ruling::Legal { announcement, .. } => announcement.to_string(),
    }
}

#[test]
fn announcements_are_those_of_the_rules() {
    let cases = [
        // En passant announces the square of the captured pawn.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "Black to move. Pawn captured at d5."),
        // A double check has two directions.
        (
            "3k4/8/8/8/3N4/8/8/3RK3 w - - 0 1",
            "d4e6",
            "Black to move. Check on the file and by a knight.",
        ),
        ("4k3/8/8/8/8/8/4B3/R3K3 w - - 0 1", "a1a8", "Black to move. Check on the rank."),
        ("8/8/8/3k4/8/8/6P1/4K2B w - - 0 1", "g2g3", "Black to move. Check on the long diagonal."),
        ("8/8/8/8/2k5/8/8/3BK1R1 w - - 0 1", "d1e2", "Black to move. Check on the short diagonal."),
        // A promoted pawn is a piece, and a capture that promotes is one try.
        ("3nk3/2P1P3/8/8/8/8/7r/4K3 b - - 0 1", "h2h3", "White to move. 2 pawn tries."),
        // A pinned pawn cannot capture, and in check only captures that end it count.
        ("4k3/8/8/8/3r4/4P3/8/4K3 b - - 0 1", "e8d8", "White to move. 1 pawn try."),
        ("4r1k1/8/8/8/3r4/4P3/8/4K3 b - - 0 1", "g8h8", "White to move."),
        ("6k1/7r/8/8/3r4/4P3/8/4K3 b - - 0 1", "h7h1", "White to move. Check on the rank."),
        // A move that ends the game announces only the termination.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Checkmate, White wins."),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "Stalemate, a draw."),
        ("8/8/8/8/8/8/4kn2/6K1 w - - 0 1", "g1f2", "illegal"),
        (
            "8/8/8/8/8/2k5/5n2/6K1 w - - 0 1",
            "g1f2",
            "Piece captured at f2. Neither side can mate, a draw.",
        ),
        // Castling is the king's move; onto its own rook it is illegal.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "Black to move."),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "illegal"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1g1", "illegal"),
        // A promotion needs a letter, and any other move must not have one.
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "illegal"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "Neither side can mate, a draw."),
        ("8/8/P6k/8/8/8/8/K7 w - - 0 1", "a6a7q", "illegal"),
    ];
    for (fen, attempt, expected) in cases {
        assert_eq!(answer(fen, attempt), expected, "{fen} {attempt}");
    }
}

#[test]
fn the_two_diagonals_of_a_king_differ_in_length() {
    for king in Square::ALL {
        let diagonal = |dx: i8, dy: i8| king.try_offset(dx, dy).map(|at| Check::between(king, at));
        let rising = diagonal(1, 1).or(diagonal(-1, -1));
        let falling = diagonal(1, -1).or(diagonal(-1, 1));
        assert_ne!(rising, falling, "{king}");
    }
}

#[test]
fn clocks_continue_beyond_a_hundred() {
    let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 117 142".parse().unwrap();
    let Ruling::Legal { announcement, after } = umpire(&position, "a1a2".parse().unwrap()) else {
        panic!("the move is legal");
    };
    assert_eq!(announcement.termination, None::<Termination>);
    assert_eq!(after.to_string(), "4k3/8/8/8/8/8/R7/4K3 b - - 118 142");
}
