//! Phantom tic-tac-toe.

use super::{Line, Subject, laws, playthrough, reach};
use games::hidden::{InformationState, NoSetup};
use games::phantom_tic_tac_toe::{EmptyBoard, Game, Metaposition, Observation, Square};

impl Subject for Game {
    type Folded = Metaposition;
    const GAMES: usize = 200;
    const MAX_STEPS: usize = 40;

    fn starts() -> Vec<EmptyBoard> {
        vec![EmptyBoard]
    }

    /// The board and the order of the marks, so that histories are told apart, too.
    fn truth(&self) -> String {
        let moves: Vec<String> = self.moves().map(|square| square.to_string()).collect();
        format!("{}\n{}", self.to_string().replace('/', "\n"), moves.join(" "))
    }

    fn view(seen: &Observation) -> String {
        let letter = |&square: &Square| match () {
            () if seen.own.has(square) => 'm',
            () if seen.refused.has(square) => 'o',
            () => '.',
        };
        let rows = Square::ALL.chunks(3).rev();
        let rows: Vec<String> = rows.map(|row| row.iter().map(letter).collect()).collect();
        let turn = if seen.to_move { "to move" } else { "waits" };
        format!("{}\n{} hidden, {turn}", rows.join("\n"), seen.opponent_marks - seen.refused.len())
    }

    fn line(&self, _: &InformationState<Game>) -> Line<Game> {
        ([NoSetup; 2], self.tries().to_vec())
    }
}

#[test]
fn the_laws_of_hidden_games_hold() {
    let met = laws::examine::<Game>();
    assert_eq!(met.ended, Game::GAMES, "every game ends");
    assert!(met.drawn > 5_000 && met.other > 2_000, "{} drawn, {} other", met.drawn, met.other);
    assert!(met.refused > 200, "{} refused", met.refused);
}

#[test]
fn every_history_that_agrees_is_drawn_and_no_other() {
    let largest = (1..=10).map(|steps| reach::examine::<Game>(&EmptyBoard, 10, steps)).max();
    assert!(largest.is_some_and(|largest| largest > 100), "{largest:?}");
}

#[test]
fn a_golden_game_is_replayed() {
    playthrough::golden::<Game>("hidden-phantom-tic-tac-toe.txt", 11, 40);
}
