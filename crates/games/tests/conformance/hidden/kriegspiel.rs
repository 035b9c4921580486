//! The conformance tests of Kriegspiel, from the start and from smaller positions.

use super::{Line, Subject, laws, playthrough, reach};
use games::hidden::{InformationState, NoSetup};
use games::kriegspiel::{
    Color, Game, Metaposition, Observation, OwnPieces, Position, Rank, Square,
};

fn letter(own: &OwnPieces, square: Square) -> Option<char> {
    let letter = char::from(own.piece_on(square)?);
    Some(if own.color() == Color::White { letter.to_ascii_uppercase() } else { letter })
}

fn board(piece: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.extend(
            Square::ALL
                .into_iter()
                .filter(|at| at.rank() == rank)
                .map(|at| piece(at).unwrap_or('.')),
        );
        text.push('\n');
    }
    text
}

impl Subject for Game {
    type Folded = Metaposition;
    const GAMES: usize = 20;
    const MAX_STEPS: usize = 30;

    fn starts() -> Vec<Position> {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/2p1p3/8/3P4/8/8/P7/R3K3 b Q - 0 1",
            "8/1P3k2/8/8/8/8/5K1p/8 w - - 95 80",
        ];
        fens.map(|fen| fen.parse().unwrap()).into()
    }

    fn truth(&self) -> String {
        let [white, black] = Color::ALL.map(|color| self.position().own(color));
        let board = board(|square| letter(&white, square).or(letter(&black, square)));
        let fen = self.position().to_string();
        let rest = fen.split_once(' ').map_or("", |(_, rest)| rest);
        format!("{board}{rest}")
    }

    fn view(seen: &Observation) -> String {
        let turn = if seen.to_move { "to move" } else { "waits" };
        format!("{}{turn}", board(|square| letter(&seen.own, square)))
    }

    fn line(&self, _: &InformationState<Game>) -> Line<Game> {
        ([NoSetup; 2], self.attempts().collect())
    }
}

#[test]
fn the_laws_of_hidden_games_hold() {
    let met = laws::examine::<Game>();
    assert!(met.drawn > 2_000 && met.other > 1_000, "{} drawn, {} other", met.drawn, met.other);
    assert!(met.refused > 100 && met.ended > 2, "{} refused, {} ended", met.refused, met.ended);
}

#[test]
fn every_game_that_agrees_is_drawn_and_no_other() {
    let few = "4k3/3p4/8/2p5/3P4/8/4P3/4K3 w - - 0 1".parse().unwrap();
    assert!(reach::examine::<Game>(&few, 10, 5) > 5);
}

#[test]
fn a_golden_game_is_replayed() {
    playthrough::golden::<Game>("hidden-kriegspiel.txt", 11, 40);
}
