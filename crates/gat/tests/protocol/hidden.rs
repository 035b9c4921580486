//! Hidden stays hidden.

use crate::wire::{SIDES, options, serve, set};
use games::Seat;
use games::geister::{Game, Move};
use gat::pieces::{Pieces, index, placement};
use gat::referee::{MoveResult, Referee};
use gat::server::Options;
use gat::text::{Colour, MoveCommand, Piece, SetCommand};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A game without an end, and other colours of `hider` that nobody has seen.
pub(crate) struct Twins {
    pub(crate) sets: [[SetCommand; 2]; 2],
    pub(crate) commands: Vec<MoveCommand>,
}

pub(crate) fn twins(seed: u64, hider: Seat) -> Option<Twins> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let letters = ["ABCD", "EFGH", "ACEG", "BCFG", "ABEH"];
    let sets = [set(letters.choose(&mut rng).unwrap()), set(letters.choose(&mut rng).unwrap())];
    let mut pieces = Pieces::new([sets[0].red, sets[1].red]);
    let mut game = Game::new(placement(&sets[0].red)?, placement(&sets[1].red)?, 1000);
    let mut commands = Vec::new();
    for _ in 0..rng.random_range(10..80) {
        let goes_on = |mv: &Move| game.play(*mv).is_ok_and(|after| after.outcome().is_none());
        let moves: Vec<Move> = game.legal_moves().into_iter().filter(goes_on).collect();
        let mv = *moves.choose(&mut rng)?;
        commands.push(pieces.command(game.turn(), mv)?);
        pieces.play(game.turn(), mv);
        game = game.play(mv).ok()?;
    }
    let hidden = |colour| {
        let view = pieces.view(hider, false);
        let fits = |piece: &Piece| piece.place.square().is_some() && piece.colour == Some(colour);
        view.own.iter().position(fits)
    };
    let mut other = sets.clone();
    let changed = &mut other[index(hider)].red;
    changed.swap(hidden(Colour::Red)?, hidden(Colour::Blue)?);
    assert_ne!(sets, other);
    Some(Twins { sets: [sets, other], commands })
}

/// Everything that the server sends to `viewer` before the end.
fn bytes_to(viewer: Seat, sets: &[SetCommand; 2], commands: &[MoveCommand]) -> Vec<u8> {
    let draw_limit = commands.len() as u32;
    let running = serve(Options { draw_limit, pause: Duration::ZERO, ..options() });
    let mut wires = [running.wire(0), running.wire(1)];
    let mut heard: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    for (seat, wire) in wires.iter_mut().enumerate() {
        heard[seat].push(wire.line().unwrap());
        wire.say(&sets[seat].to_string());
        heard[seat].push(wire.line().unwrap());
    }
    for (ply, command) in commands.iter().enumerate() {
        let seat = ply % 2;
        heard[seat].push(wires[seat].line().unwrap());
        wires[seat].say(&command.to_string());
        heard[seat].push(wires[seat].line().unwrap());
    }
    wires.iter_mut().for_each(|wire| drop(wire.expect("DRW:")));
    drop(wires);
    running.finish();
    heard[index(viewer)].join("\r\n").into_bytes()
}

#[test]
fn hidden_colours_change_no_byte_before_the_end() {
    let mut compared = 0;
    for seed in 0..12 {
        let hider = SIDES[seed as usize % 2];
        let Some(twins) = twins(seed, hider) else { continue };
        let [one, other] =
            [0, 1].map(|twin| bytes_to(hider.opponent(), &twins.sets[twin], &twins.commands));
        assert_eq!(one, other);
        // The one who hides them sees them, of course.
        let own = [0, 1].map(|twin| bytes_to(hider, &twins.sets[twin], &twins.commands));
        assert_ne!(own[0], own[1]);
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn hidden_colours_change_no_line_of_the_judge() {
    let mut captures = 0;
    for seed in 100..600 {
        let hider = SIDES[seed as usize % 2];
        let Some(twins) = twins(seed, hider) else { continue };
        let told = twins.sets.map(|sets| {
            let mut referee = Referee::new(sets, 1000).unwrap();
            let mut lines = Vec::new();
            for &command in &twins.commands {
                let mover = referee.turn();
                let move_request = referee.move_request();
                let MoveResult::Played(captured) = referee.play(command) else { panic!() };
                if mover != hider {
                    lines.push((move_request.to_string(), captured));
                }
            }
            lines
        });
        assert_eq!(told[0], told[1]);
        captures += told[0].iter().filter(|(_, captured)| captured.is_some()).count();
    }
    assert!(captures > 100, "{captures}");
}
