//! A server with manners of its own, for our client.

use crate::wire::{Wire, set};
use games::Seat;
use gat::log::GameLog;
use gat::referee::{GameResult, MoveResult, Referee};
use gat::text::{Direction, Ending, FromClient, FromServer, MoveCommand, PIECES_PER_SIDE};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::net::{SocketAddr, TcpListener};
use std::thread::sleep;
use std::time::Duration;

/// How lines get to the client.
#[derive(Clone, Copy)]
pub(crate) enum Delivery {
    /// As many as there are in one packet.
    Glued,
    /// Each by itself, and so long apart.
    Apart(Duration),
    /// Every byte by itself.
    Bytes,
}

/// A server made of a referee and a random opponent, with manners of its own.
#[derive(Clone, Copy)]
pub(crate) struct Fake {
    pub(crate) delivery: Delivery,
    pub(crate) client_begins: bool,
    pub(crate) draw_limit: u32,
    pub(crate) seed: u64,
}

impl Fake {
    fn deliver(&self, wire: &mut Wire, lines: &[String]) {
        match self.delivery {
            Delivery::Glued => wire.send((lines.join("\r\n") + "\r\n").as_bytes()),
            Delivery::Apart(pause) => lines.iter().for_each(|line| {
                wire.say(line);
                sleep(pause);
            }),
            Delivery::Bytes => (lines.join("\r\n") + "\r\n").bytes().for_each(|byte| {
                wire.send(&[byte]);
            }),
        }
    }

    /// A whole game, after `SET?` was asked and answered.
    pub(crate) fn play(&self, wire: &mut Wire, set_line: &str) -> (GameResult, GameLog) {
        let FromClient::Set(theirs) = FromClient::parse(set_line).unwrap() else { panic!() };
        let client = if self.client_begins { Seat::First } else { Seat::Second };
        let sets = if self.client_begins { [theirs, set("ABEF")] } else { [set("ABEF"), theirs] };
        let mut referee = Referee::new(sets, self.draw_limit).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut lines = vec!["OK ".to_owned()];
        loop {
            if let Some(finish) = referee.finish() {
                lines.push(referee.final_line(client, &finish).to_string());
                self.deliver(wire, &lines);
                return (finish, referee.log(&finish));
            }
            if referee.turn() != client {
                while !matches!(referee.play(any_command(&mut rng)), MoveResult::Played(_)) {}
                continue;
            }
            lines.push(referee.move_request().to_string());
            self.deliver(wire, &lines);
            let FromClient::Move(mv) = FromClient::parse(&wire.line().unwrap()).unwrap() else {
                panic!("no move")
            };
            let MoveResult::Played(captured) = referee.play(mv) else { panic!("illegal {mv}") };
            lines = vec![FromServer::Accepted(captured).to_string()];
        }
    }

    pub(crate) fn start_and_play(&self, wire: &mut Wire) -> (GameResult, GameLog) {
        self.deliver(wire, &["SET?".to_owned()]);
        let set_line = wire.line().unwrap();
        self.play(wire, &set_line)
    }
}

fn any_command(rng: &mut impl Rng) -> MoveCommand {
    let direction = *Direction::ALL.choose(rng).unwrap();
    MoveCommand { piece: rng.random_range(0..PIECES_PER_SIDE), direction }
}

pub(crate) fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

pub(crate) fn ending_for(finish: &GameResult, side: Seat) -> Ending {
    finish.winner.map_or(
        Ending::Drawn,
        |winner| {
            if winner == side { Ending::Won } else { Ending::Lost }
        },
    )
}
