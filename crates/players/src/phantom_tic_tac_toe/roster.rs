//! Players of phantom tic-tac-toe by name.

use super::evaluation::Lines;
use games::phantom_tic_tac_toe::{Game, Metaposition};
use play::{Determinized, Maximax, NoSuchPlayer, Player, Random, Roster};

/// Own tries that maximax foresees after the first.
const DEPTH: u32 = 2;

/// The players.
pub fn roster() -> Roster<Game> {
    Roster::default()
        .with("random", "any try", |_, ()| Ok(Box::new(|| Box::new(Random))))
        .with("maximax", "weighted maximax over metapositions", |_, ()| {
            Ok(Box::new(|| Box::new(Maximax::<Metaposition, Lines>::new(Lines, DEPTH))))
        })
        .with("determinized", "information-set Monte Carlo tree search", |_, ()| {
            Ok(Box::new(|| Box::new(Determinized::default())))
        })
}

/// The player of this name.
///
/// # Errors
/// If no player has the name.
pub fn player(name: &str) -> Result<Box<dyn Player<Game>>, NoSuchPlayer> {
    roster().player(name, &())
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;
    use games::hidden::{InformationState, NoSetup};
    use games::phantom_tic_tac_toe::{EmptyBoard, Square};
    use play::Thinking;
    use play::matches::{Seeding, Summary, Terms, play};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// No choice takes this long: the clock decides nothing.
    const TIME: Duration = Duration::from_secs(60);

    fn chosen(name: &str, tries: &str, seat: Seat) -> String {
        let tries: Vec<Square> = tries.split_whitespace().map(|one| one.parse().unwrap()).collect();
        let state = InformationState::replay(&EmptyBoard, [NoSetup; 2], &tries, seat).unwrap();
        player(name).unwrap().choose(&state, &Thinking { time: TIME, seed: 1 }).to_string()
    }

    #[test]
    fn searchers_complete_their_line_and_stop_the_line_they_know() {
        for name in ["maximax", "determinized"] {
            // X has a1 and b1, and knows that O has b2.
            assert_eq!(chosen(name, "a1 b2 b1 c3 b2", Seat::First), "c1", "{name}");
            // O knows of a1 and b1.
            assert_eq!(chosen(name, "a1 a1 b2 b1 b1", Seat::Second), "c1", "{name}");
        }
    }

    #[test]
    fn searchers_beat_random_tries() {
        let roster = roster();
        for name in ["maximax", "determinized"] {
            let [one, other] = [name, "random"].map(|name| roster.maker(name, &()).unwrap());
            let terms = Terms {
                games: 100,
                time: TIME,
                seed: 1,
                start: EmptyBoard,
                seeding: Seeding::Seats,
                own_setups: false,
            };
            let stop = AtomicBool::new(false);
            let games = play([name, "random"], [&*one, &*other], &terms, &stop, &|_| {});
            let share = Summary::of(&games).score.share();
            assert!(share > 0.7, "{name} has {share}");
        }
    }
}
