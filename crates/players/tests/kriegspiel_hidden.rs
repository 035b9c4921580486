//! No player cheats in Kriegspiel: in two games with the same observations a player chooses the same
//! try, whatever the opponent's hidden moves were.

#![allow(clippy::unwrap_used)]

use games::kriegspiel::{Color, Game, Position, Reply, Try};
use play::Thinking;
use players::kriegspiel::roster::player;
use rand::seq::SliceRandom;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// The starting positions, which both sides know.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/5ppp/8/8/8/8/PPP5/1KR4R b - - 0 1",
    "8/5k2/2b2n2/8/8/2N2B2/PP3K2/8 w - - 0 1",
];

/// Two games that `watcher` cannot distinguish.
struct Twins {
    watcher: Color,
    games: [Game; 2],
}

impl Twins {
    fn new(fen: &str, watcher: Color) -> Twins {
        let position: Position = fen.parse().unwrap();
        let game = Game::new(position);
        Twins { watcher, games: [game.clone(), game] }
    }

    fn are_in_progress(&self) -> bool {
        self.games.iter().all(|game| game.termination().is_none())
    }

    fn differ(&self) -> bool {
        self.games[0].position() != self.games[1].position()
    }

    /// Makes these tries if the watcher still cannot distinguish the games afterwards.
    fn try_both(&mut self, tries: [Try; 2]) -> bool {
        let mut games = self.games.clone();
        for (game, attempt) in games.iter_mut().zip(tries) {
            if game.attempt(attempt).unwrap() == Reply::Illegal && game.turn() != self.watcher {
                return false;
            }
        }
        let same = self.looks_the_same(&games);
        if same {
            self.games = games;
        }
        same
    }

    fn looks_the_same(&self, [one, other]: &[Game; 2]) -> bool {
        let watcher = self.watcher;
        one.observe(watcher) == other.observe(watcher)
            && one.events(watcher) == other.events(watcher)
    }

    /// Makes one try of the watcher in both games, or a hidden move in each, different ones if
    /// possible; false if every choice would distinguish the games.
    fn step(&mut self, rng: &mut ChaCha8Rng) -> bool {
        let [mut one, mut other] = [0, 1].map(|at| self.moves(at));
        one.shuffle(rng);
        other.shuffle(rng);
        if self.games[0].turn() == self.watcher {
            return one.into_iter().any(|attempt| self.try_both([attempt; 2]));
        }
        let pairs = one.iter().flat_map(|first| other.iter().map(move |second| [*first, *second]));
        let (same, different): (Vec<_>, Vec<_>) = pairs.partition(|[one, other]| one == other);
        different.into_iter().chain(same).any(|pair| self.try_both(pair))
    }

    /// The candidates of the watcher, or the legal moves of its opponent.
    fn moves(&self, at: usize) -> Vec<Try> {
        let game = &self.games[at];
        if game.turn() == self.watcher {
            return game.candidates();
        }
        let mut moves = game.position().legal_moves();
        moves.sort();
        moves
    }
}

/// A player that can see the true state and might cheat.
type Chooser<'a> = &'a dyn Fn(&Game, Color, &Thinking) -> Try;

/// How often a player had to choose in two games that differ only in hidden pieces, and how often it
/// chose different tries.
fn asked_and_differed(choose: Chooser<'_>, games: u64, plies: usize) -> (u32, u32) {
    let (mut asked, mut differed) = (0, 0);
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let watcher = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut twins = Twins::new(STARTS[(seed / 2) as usize % STARTS.len()], watcher);
        // A search of depth 1 never takes this long, so the clock does not matter.
        let thinking = Thinking { time: Duration::from_secs(3600), seed: rng.next_u64() };
        while twins.are_in_progress() && twins.games[0].turns().len() < plies {
            if twins.games[0].turn() == watcher && twins.differ() {
                let [one, other] = [0, 1].map(|at| choose(&twins.games[at], watcher, &thinking));
                asked += 1;
                differed += u32::from(one != other);
            }
            if !twins.step(&mut rng) {
                break;
            }
        }
    }
    (asked, differed)
}

#[test]
fn hidden_pieces_do_not_change_a_choice() {
    for name in ["random", "greedy", "darkboard:depth=1"] {
        let choose = |game: &Game, color: Color, thinking: &Thinking| {
            player(name).unwrap().choose(&game.information_state(color.into()), thinking)
        };
        let (asked, differed) = asked_and_differed(&choose, 80, 60);
        assert!(asked > 1000, "{name} was asked {asked} times only");
        assert_eq!(differed, 0, "{name} sees what it cannot, of {asked} times");
    }
}

/// The test above can fail: it detects players that look at the board.
#[test]
fn a_cheating_player_is_detected() {
    let first_legal = |game: &Game, _: Color, _: &Thinking| {
        game.position().legal_moves().into_iter().min().unwrap()
    };
    let captures = |game: &Game, color: Color, thinking: &Thinking| {
        let others = game.position().own(!color).all();
        let hit = game.candidates().into_iter().find(|attempt| others.has(attempt.to));
        hit.unwrap_or_else(|| {
            player("greedy").unwrap().choose(&game.information_state(color.into()), thinking)
        })
    };
    let cheats: [Chooser<'_>; 2] = [&first_legal, &captures];
    for cheat in cheats {
        let (asked, differed) = asked_and_differed(cheat, 20, 60);
        assert!(differed > 10, "{differed} of {asked}");
    }
}
