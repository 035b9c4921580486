//! Geister: the purple position and the full game, on every board. Their own test files look
//! closer; here they pass what every game passes.

use crate::common::twin::Twin as Grid;
use crate::kit::{self, Subject, Twin};
use games::Seat;
use games::geister::{Board, FiveByFive, Game, Placement, Position, Small, Standard};
use games::{Ending, TwoPlayer};

/// Nothing ends a puzzle that nobody wins, so that random play is cut here.
const PURPLE_PLIES: u32 = 300;

/// The twin of a purple position, its plies counted.
#[derive(Clone)]
pub(crate) struct Purple {
    grid: Grid,
    plies: u32,
}

/// A purple position whose play ends after [`PURPLE_PLIES`], by which nobody wins.
#[derive(Clone, PartialEq, Debug)]
struct Bounded<B: Board> {
    position: Position<B>,
    plies: u32,
}

impl<B: Board> games::Rules for Bounded<B> {
    type Move = games::geister::Move;

    fn legal_moves(&self) -> Vec<Self::Move> {
        if self.plies < PURPLE_PLIES { self.position.legal_moves() } else { Vec::new() }
    }

    fn play_unchecked(&self, mv: Self::Move) -> Bounded<B> {
        Bounded { position: self.position.play_unchecked(mv), plies: self.plies + 1 }
    }
}

impl Twin for Purple {
    fn steps(&self) -> Vec<String> {
        let moves = if self.plies < PURPLE_PLIES { self.grid.moves() } else { Vec::new() };
        moves.iter().map(ToString::to_string).collect()
    }

    fn after(&self, step: &str) -> Purple {
        Purple { grid: self.grid.after(step.parse().unwrap()), plies: self.plies + 1 }
    }

    fn text(&self) -> String {
        let note = if self.grid.turn() == Seat::Second { " (top to move)" } else { "" };
        self.grid.compact() + note
    }

    fn ending(&self) -> Option<Ending> {
        self.grid.outcome().map(Ending::from)
    }
}

/// Positions to start from, which fit on the board.
fn purple_starts<B: Board>() -> Vec<Position<B>> {
    let four_by_five = [".u.uB..u....R.uB..R. 2", "u..r.b......B..R..BR 1"];
    let six_by_six = ["6/4u1/B5/6/6/Ru4 1", "1uRb1r/u5/2B1b1/r2R2/1B2u1/R3B1 4"];
    let five_by_five = ["u2rb/5/B3R/2u2/B1R2 2", "1uu2/1r3/2B2/5/R3B 1"];
    let texts = match B::COLUMNS {
        4 => four_by_five,
        5 => five_by_five,
        _ => six_by_six,
    };
    texts.map(|text| text.parse().unwrap()).into()
}

impl<B: Board> Subject for Bounded<B> {
    type Twin = Purple;
    const MAX_PLAYOUT_PLIES: usize = PURPLE_PLIES as usize;
    const GAMES: usize = 100;

    fn starts() -> Vec<(Bounded<B>, Purple)> {
        let start = |position: Position<B>| {
            let grid = Grid::purple(&position.compact(), B::COLUMNS as usize);
            (Bounded { position, plies: 0 }, Purple { grid, plies: 0 })
        };
        purple_starts().into_iter().map(start).collect()
    }

    fn text(&self) -> String {
        self.position.compact()
    }

    fn ending(&self) -> Option<Ending> {
        TwoPlayer::ending(&self.position)
    }

    /// The escape of a ghost is in the key and not in the text, so that ended games have none here.
    fn key(&self) -> Option<u64> {
        self.position.outcome().is_none().then(|| self.position.key())
    }

    /// Only positions in play are read, and with the bottom side to move.
    fn read_again(&self) -> Option<Bounded<B>> {
        let position = Position::from_setup(self.position.setup()).ok()?;
        let readable = self.position.turn() == Seat::First && position == self.position;
        let read = || self.position.compact().parse().expect("what is written can be read");
        readable.then(|| Bounded { position: read(), plies: self.plies })
    }
}

impl Twin for Grid {
    fn steps(&self) -> Vec<String> {
        self.moves().iter().map(ToString::to_string).collect()
    }

    fn after(&self, step: &str) -> Grid {
        self.after(step.parse().unwrap())
    }

    fn text(&self) -> String {
        self.diagram()
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(Ending::from)
    }
}

impl<B: Board> Subject for Game<B> {
    type Twin = Grid;
    const MAX_PLAYOUT_PLIES: usize = 300;
    const GAMES: usize = 60;

    fn starts() -> Vec<(Game<B>, Grid)> {
        let placements: Vec<Placement<B>> = Placement::all().collect();
        let pairs = placements.iter().zip(placements.iter().rev()).take(6);
        let start = |(&bottom, &top)| {
            let game = Game::new(bottom, top, 300);
            (game, Grid::full(&game.diagram(), 300))
        };
        pairs.map(start).collect()
    }

    fn text(&self) -> String {
        self.diagram()
    }

    fn ending(&self) -> Option<Ending> {
        TwoPlayer::ending(self)
    }

    fn key(&self) -> Option<u64> {
        None
    }

    fn read_again(&self) -> Option<Game<B>> {
        None
    }
}

#[test]
fn purple_positions_conform() {
    kit::examine::<Bounded<Standard>>();
    kit::examine::<Bounded<Small>>();
    kit::examine::<Bounded<FiveByFive>>();
}

#[test]
fn full_games_conform() {
    kit::examine::<Game<Standard>>();
    kit::examine::<Game<Small>>();
    kit::examine::<Game<FiveByFive>>();
}
