//! Lines and records as text.

use crate::hidden::twins;
use crate::wire::SIDES;
use games::Seat;
use games::geister::{Board, Square, Standard};
use gat::log::{GameLog, read_logs};
use gat::referee::{EndReason, GameResult, Referee};
use gat::text::{Colour, Ending, FromClient, FromServer, PIECES_PER_SIDE, Piece, Place, View};
use proptest::prelude::*;

fn any_piece(own: bool) -> impl Strategy<Value = Piece> {
    let colour = prop_oneof![Just(Colour::Blue), Just(Colour::Red)];
    (colour, 0..4u8, any::<bool>()).prop_map(move |(colour, off, known)| {
        // Squares are given out later.
        let place = match off {
            0 => Place::Captured,
            1 if colour == Colour::Blue => Place::Escaped,
            _ => Place::On(Square::FIRST),
        };
        let known = own || known || place.square().is_none();
        Piece { place, colour: known.then_some(colour) }
    })
}

fn any_view() -> impl Strategy<Value = View> {
    let own = proptest::collection::vec(any_piece(true), PIECES_PER_SIDE);
    let opponent = proptest::collection::vec(any_piece(false), PIECES_PER_SIDE);
    let squares = Just(Standard::FULL.collect::<Vec<_>>()).prop_shuffle();
    (own, opponent, squares).prop_map(|(own, opponent, squares)| {
        let mut squares = squares.into_iter();
        let mut put = |piece: Piece| match piece.place {
            Place::On(_) => Piece { place: Place::On(squares.next().unwrap()), ..piece },
            _ => piece,
        };
        View {
            own: std::array::from_fn(|number| put(own[number])),
            opponent: std::array::from_fn(|number| put(opponent[number])),
        }
    })
}

proptest! {
    #[test]
    fn views_round_trip(view in any_view()) {
        let text = view.to_string();
        prop_assert_eq!(text.len(), 48);
        prop_assert_eq!(View::parse(&text), Ok(view));
        for ending in Ending::ALL {
            let line = FromServer::End(ending, view);
            prop_assert_eq!(FromServer::parse(&line.to_string()), Ok(line));
        }
    }

    #[test]
    fn both_views_agree(seed in 0u64..10_000) {
        let Some(twins) = twins(seed, Seat::Second) else { return Ok(()) };
        let mut referee = Referee::new(twins.sets[0].clone(), 1000).unwrap();
        for command in twins.commands {
            referee.play(command);
        }
        let finish = GameResult { winner: None, why: EndReason::Draw };
        let [one, other] = SIDES.map(|side| match referee.final_line(side, &finish) {
            FromServer::End(_, view) => view,
            _ => unreachable!(),
        });
        let turned = |pieces: [Piece; PIECES_PER_SIDE]| {
            pieces.map(|piece| Piece { place: piece.place.turned(), ..piece })
        };
        prop_assert_eq!(one.own, turned(other.opponent));
        prop_assert_eq!(one.opponent, turned(other.own));
    }

    #[test]
    fn any_line_is_parsed_or_refused(line in ".{0,80}", kind in 0..6usize) {
        let start = ["", "SET:", "MOV:", "MOV?", "WON:", "player=0,"][kind];
        let line = format!("{start}{line}");
        let _ = (FromClient::parse(&line), FromServer::parse(&line), read_logs(&line));
    }

    #[test]
    fn logs_of_random_games_round_trip(seed in 0u64..10_000) {
        let Some(twins) = twins(seed, Seat::Second) else { return Ok(()) };
        let [sets, other] = twins.sets;
        let log = GameLog { sets, moves: twins.commands.clone(), winner: None };
        let lost = GameLog { sets: other, moves: twins.commands, winner: Some(1) };
        let text = format!("{log}\n{lost}");
        prop_assert_eq!(read_logs(&text).unwrap(), vec![log.clone(), lost.clone()]);
        let drawn = log.replay(300, 9).unwrap();
        prop_assert_eq!(GameLog::of_record(&drawn.record).unwrap(), log);
        let given_up = lost.replay(300, 9).unwrap();
        prop_assert_eq!(given_up.forfeited_by, Some(0));
        prop_assert!(GameLog::of_record(&given_up.record).is_err());
    }
}

#[test]
fn invalid_logs_are_refused_with_their_line() {
    let cases = [
        ("player=0,SET:ABCD\n", 1),
        ("player=0,SET:ABCD\nwinner=0\n", 2),
        ("player=0,SET:ABCD\nplayer=0,SET:ABCD\n", 2),
        ("player=0,MOV:A,NORTH\n", 1),
        ("player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=1,MOV:A,N\n", 3),
        ("player=2,SET:ABCD\n", 1),
        ("player=0,SET:ABCC\n", 1),
        ("winner=3\n", 1),
        ("\n\nhello\n", 3),
    ];
    for (text, line) in cases {
        assert_eq!(read_logs(text).unwrap_err().line, line, "{text}");
    }
    let start = "player=0,SET:ABCD\nplayer=1,SET:ABCD\n";
    for (rest, holds) in [
        ("winner=1\n", true),                        // somebody left at once
        ("player=0,MOV:E,NORTH\nwinner=1\n", true),  // an illegal move that lost
        ("player=0,MOV:E,NORTH\nwinner=0\n", false), // and one that won
        ("player=0,MOV:E,NORTH\nplayer=1,MOV:A,NORTH\nwinner=1\n", false),
        ("player=0,MOV:A,NORTH\nwinner=2\n", true),
    ] {
        let log = &read_logs(&format!("{start}{rest}")).unwrap()[0];
        assert_eq!(log.replay(300, 0).is_ok(), holds, "{rest}");
    }
}
