//! A golden file of one game, try by try.

use crate::common::golden::assert_golden;
use crate::play;
use games::kriegspiel::{Reply, color_name};
use std::fmt::Write;

#[test]
fn a_random_game_is_unchanged() {
    let mut text = "A random game with a liking for events, seed 5.\n".to_owned();
    play::play(5, 200, |before, attempt, reply, after| {
        let answer = match reply {
            Reply::Illegal => "Illegal.".into(),
            Reply::Legal(announcement) => format!("{announcement}\n{}", after.position()),
        };
        writeln!(text, "{} tries {attempt}: {answer}", color_name(before.turn())).unwrap();
    });
    assert_golden("kriegspiel.txt", &text);
}
