//! One game, try by try, as it was written down.

use crate::common::golden::assert_golden;
use crate::play;
use games::kriegspiel::{Reply, color_name};
use std::fmt::Write;

#[test]
fn a_game_is_as_it_was() {
    let mut text = "A random game with a liking for events, seed 5.\n".to_owned();
    play::play(5, 200, |before, attempt, reply, after| {
        let words = match reply {
            Reply::Illegal => "Illegal.".into(),
            Reply::Legal(announcement) => format!("{announcement}\n{}", after.position()),
        };
        writeln!(text, "{} tries {attempt}: {words}", color_name(before.turn())).unwrap();
    });
    assert_golden("kriegspiel.txt", &text);
}
