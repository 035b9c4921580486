//! The view of a game of phantom tic-tac-toe.

use crate::games::site_game::{Knowledge, Observed, ViewedGame};
use games::Seat;
use games::hidden::InformationState;
use games::phantom_tic_tac_toe::{Event, Game, Square, Squares};
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of the game log.
#[derive(Serialize)]
struct LogView {
    /// `X` or `O`: who tried.
    by: char,
    /// The square, if the viewer may know it.
    square: Option<String>,
    refused: bool,
}

/// A turn, once the game is over.
#[derive(Serialize)]
struct TurnView {
    refused: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
}

/// A game of phantom tic-tac-toe.
#[derive(Serialize)]
pub struct PhantomView {
    /// `X` or `O`; `None` for spectators.
    side: Option<char>,
    /// `X` or `O` for each square whose mark the viewer knows.
    marks: BTreeMap<String, char>,
    /// The squares that may be empty as far as the player knows.
    tries: Vec<String>,
    /// The number of the opponent's marks that the player has not found.
    hidden: usize,
    log: Vec<LogView>,
    turns: Option<Vec<TurnView>>,
}

const fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'X',
        Seat::Second => 'O',
    }
}

fn text(square: Square) -> String {
    square.to_string()
}

impl ViewedGame for Game {
    /// The number of marks that were placed.
    type Public = usize;
    type View = PhantomView;

    fn public([first, second]: &[InformationState<Game>; 2]) -> usize {
        // Each hears of the other's.
        first.now().opponent_marks + second.now().opponent_marks
    }

    fn view(knowledge: &Knowledge<'_, Game>) -> PhantomView {
        let own = match knowledge.observed {
            Observed::Own(information) => Some(information),
            _ => None,
        };
        let on_turn = own.filter(|_| knowledge.to_move);
        let hidden = |own: &InformationState<Game>| {
            own.now().opponent_marks.saturating_sub(own.now().refused.len())
        };
        PhantomView {
            side: knowledge.seat.map(letter),
            marks: marks(knowledge),
            tries: on_turn
                .map_or_else(Vec::new, |own| own.candidates().into_iter().map(text).collect()),
            hidden: own.map_or(0, hidden),
            log: match &knowledge.observed {
                Observed::Nothing => Vec::new(),
                Observed::Own(information) => own_log(information),
                Observed::Public(placed) => (0..*placed).map(public_line).collect(),
            },
            turns: knowledge.truth.and_then(|truth| truth.state()).map(turns),
        }
    }
}

/// The own marks and those of the opponent that were found; all of them once the game is over.
fn marks(knowledge: &Knowledge<'_, Game>) -> BTreeMap<String, char> {
    let known = match (knowledge.truth.and_then(|truth| truth.state()), &knowledge.observed) {
        (Some(state), _) => Seat::ALL.map(|seat| (seat, state.marks(seat))),
        (None, Observed::Own(information)) => {
            let (seat, now) = (information.seat(), information.now());
            [(seat, now.own), (seat.opponent(), now.refused)]
        }
        (None, _) => Seat::ALL.map(|seat| (seat, Squares::EMPTY)),
    };
    let of_seat = |(seat, squares): (Seat, Squares)| {
        squares.iter().map(move |square| (text(square), letter(seat)))
    };
    known.into_iter().flat_map(of_seat).collect()
}

fn own_log(information: &InformationState<Game>) -> Vec<LogView> {
    let seat = information.seat();
    let (own, other) = (letter(seat), letter(seat.opponent()));
    let line = |event: &Event| match *event {
        Event::Refused(square) => LogView { by: own, square: Some(text(square)), refused: true },
        Event::Placed { square, .. } => {
            LogView { by: own, square: Some(text(square)), refused: false }
        }
        Event::OpponentMoved { .. } => LogView { by: other, square: None, refused: false },
    };
    information.events().map(line).collect()
}

/// A line of the game log for spectators: the players take turns.
fn public_line(ply: usize) -> LogView {
    LogView { by: letter(Seat::ALL[ply % 2]), square: None, refused: false }
}

fn turns(game: &Game) -> Vec<TurnView> {
    let mut turns = Vec::new();
    let (mut refused, mut placed) = (Vec::new(), Squares::EMPTY);
    for &square in game.tries() {
        if placed.has(square) {
            refused.push(text(square));
        } else {
            placed = placed.with(square);
            turns.push(TurnView { refused: std::mem::take(&mut refused), mv: text(square) });
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_session::Role;
    use crate::games::hosted_game::{HostedGame, Viewer};
    use crate::games::played_game::PlayedGame;
    use serde_json::{Value, json};

    fn seen(tries: &[&str], role: Role, over: bool) -> Value {
        let tries = tries.iter().map(|one| one.parse().unwrap());
        let game = PlayedGame::<Game>::new([None, None], tries).unwrap();
        let viewer = Viewer { role, to_move: false, over, notes: "" };
        serde_json::from_str(HostedGame::view(&game, &viewer).get()).unwrap()
    }

    #[test]
    fn a_player_sees_its_marks_and_those_it_found() {
        let tries = ["b2", "b2", "a1", "c3"];
        let view = seen(&tries, Role::Player(Seat::Second), false);
        assert_eq!(view["marks"], json!({ "a1": "O", "b2": "X" }));
        assert_eq!((&view["side"], &view["hidden"]), (&json!("O"), &json!(1)));
        assert_eq!(view["log"].as_array().unwrap().len(), 4);
        assert_eq!(view["log"][1], json!({ "by": "O", "square": "b2", "refused": true }));
        assert_eq!(view["log"][3], json!({ "by": "X", "square": null, "refused": false }));
        assert_eq!(view["turns"], Value::Null);
    }

    #[test]
    fn neither_the_opponent_nor_a_spectator_learns_of_a_refused_try() {
        for role in [Role::Player(Seat::First), Role::Spectator] {
            let found = seen(&["b2", "b2", "a1", "c3"], role, false);
            assert_eq!(found, seen(&["b2", "a3", "c3"], role, false), "{role:?}");
        }
        let watched = seen(&["b2", "b2", "a1"], Role::Spectator, false);
        assert_eq!((&watched["marks"], &watched["side"]), (&json!({}), &Value::Null));
        assert_eq!(watched["log"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn everything_is_shown_at_the_end() {
        let tries = ["a1", "a1", "b2", "b1", "c3", "c1"];
        let view = seen(&tries, Role::Spectator, true);
        assert_eq!(view["marks"].as_object().unwrap().len(), 5);
        assert_eq!(view["turns"][1], json!({ "refused": ["a1"], "move": "b2" }));
        assert_eq!(view["turns"].as_array().unwrap().len(), 5);
    }
}
