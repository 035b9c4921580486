//! How games end, and that they accept no tries afterwards.

use crate::play;
use games::kriegspiel::{Color, Game, Reply, Termination};

fn played(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    for mv in moves.split_ascii_whitespace() {
        let reply = game.attempt(mv.parse().unwrap()).unwrap();
        assert_ne!(reply, Reply::Illegal, "{mv}");
    }
    game
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn threefold_repetition_ends_a_game() {
    let round = "g1f3 g8f6 f3g1 f6g8 ";
    assert_eq!(played(START, round).termination(), None);
    assert_eq!(played(START, &round.repeat(2)).termination(), Some(Termination::Repetition));
    // A position with an en passant capture differs from the same placement without it.
    let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let round = "e8d8 e1d1 d8e8 d1e1 ";
    assert_eq!(played(fen, &format!("e2e4 {}", round.repeat(2))).termination(), None);
    assert_eq!(
        played(fen, &format!("e2e4 {}e8d8", round.repeat(2))).termination(),
        Some(Termination::Repetition)
    );
}

#[test]
fn fifty_moves_end_a_game_but_mate_takes_precedence() {
    let game = played("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a2");
    assert_eq!((game.termination(), game.winner()), (Some(Termination::FiftyMoves), None));
    let game = played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "a1a8");
    assert_eq!(
        (game.termination(), game.winner()),
        (Some(Termination::Checkmate), Some(Color::White))
    );
}

#[test]
fn a_draw_by_history_announces_only_the_termination() {
    let game = played("7k/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a8");
    let announcement = game.turns()[0].announcement;
    assert!(announcement.checks.is_empty());
    assert_eq!(announcement.to_string(), "Fifty moves without capture or pawn move, a draw.");
}

#[test]
fn a_try_after_the_end_is_refused_with_a_reason() {
    let mut game = played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
    let before = game.clone();
    let refusal = game.attempt("g8h8".parse().unwrap()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the game has ended by checkmate and takes no more tries; start a new one"
    );
    assert_eq!(game, before);
    assert_eq!(
        Game::new("k7/8/8/8/8/8/8/K7 w - - 0 1".parse().unwrap()).termination(),
        Some(Termination::InsufficientMaterial)
    );
}

#[test]
fn random_games_end_in_every_way() {
    let mut ends: Vec<Option<Termination>> =
        (0..600).map(|seed| play::play(seed, 400, |_, _, _, _| {}).termination()).collect();
    ends.sort();
    ends.dedup();
    assert!(
        ends.contains(&Some(Termination::Checkmate))
            && ends.contains(&Some(Termination::InsufficientMaterial))
    );
    assert!(
        ends.contains(&Some(Termination::FiftyMoves))
            || ends.contains(&Some(Termination::Repetition))
    );
}
