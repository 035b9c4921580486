//! A side observes its own pieces and the announcements, and nothing else.

use crate::play::{self, played};
use games::kriegspiel::{Color, Event, Game, Reply};

#[test]
fn the_opponent_does_not_hear_of_illegal_tries() {
    let (quiet, busy) = (played("e2e4 d7d5"), played("e2e4 d8d5 a8a4 d7d5"));
    let known = |game: &Game, color: Color| game.information_state(color.into());
    assert_eq!(known(&quiet, Color::White), known(&busy, Color::White));
    assert_ne!(known(&quiet, Color::Black), known(&busy, Color::Black));
    assert_eq!(busy.turns()[1].refused.len(), 2);
}

#[test]
fn moves_with_the_same_announcement_look_the_same() {
    let (left, right) = (played("e2e4 a7a6 g1f3 h7h5"), played("e2e4 g8h6 g1f3 a7a5"));
    let known = |game: &Game| game.information_state(Color::White.into());
    assert_eq!(known(&left), known(&right));
    assert_ne!(left.position(), right.position());
    let (silent, loud) = (played("e2e4 a7a6"), played("e2e4 d7d5"));
    assert_ne!(known(&silent), known(&loud));
    assert_ne!(silent.observe(Color::White), loud.observe(Color::White));
}

/// A side observes its pieces, the side to move, and the opponent's moves by their announcements.
#[test]
fn observations_contain_only_own_moves_and_announcements() {
    for seed in 0..100 {
        play::play(seed, 100, |before, attempt, reply, after| {
            let mover = before.turn();
            let (own, opponent) = (after.observe(mover), after.observe(!mover));
            let seen = before.events(!mover).len();
            match reply {
                Reply::Illegal => {
                    assert_eq!(after.events(mover).last(), Some(&Event::Refused(attempt)));
                    assert_eq!(opponent, before.observe(!mover));
                    assert_eq!(after.events(!mover), before.events(!mover));
                    assert!(!after.candidates().contains(&attempt));
                }
                Reply::Legal(announcement) => {
                    let moved = Event::Moved { played: attempt, announcement };
                    assert_eq!(after.events(mover).last(), Some(&moved));
                    assert_eq!(after.events(!mover)[seen..], [Event::Opponent(announcement)]);
                    assert_eq!(opponent.announcement, Some(announcement));
                }
            }
            assert_eq!(own.own, after.position().own(mover));
        });
    }
}

#[test]
fn every_legal_move_is_among_the_tries() {
    for seed in 0..60 {
        play::play(seed, 100, |before, _, _, _| {
            let tries = before.candidates();
            assert!(before.position().legal_moves().iter().all(|mv| tries.contains(mv)));
        });
    }
}
