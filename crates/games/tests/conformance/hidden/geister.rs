//! Geister on every board.

use super::{Line, Subject, laws, playthrough, reach};
use games::Seat;
use games::geister::{
    Bitboard, Board, DrawLimit, FiveByFive, Game, Move, Observation, Placement, Position, Small,
    Square, Standard,
};
use games::hidden::{HiddenGame, InformationState};

/// An opponent's ghost: where it stood at first, where it stands, and whether it is red, if that is
/// known.
struct Tracked {
    home: Square,
    at: Option<Square>,
    red: Option<bool>,
}

/// The opponent's ghosts after all steps, with the colours of those that were captured.
fn track<B: Board>(information: &InformationState<Game<B>>) -> Vec<Tracked> {
    let steps = information.steps();
    let first = steps.first().map_or(information.now(), |step| &step.before);
    let mut ghosts: Vec<Tracked> =
        first.opponent().map(|home| Tracked { home, at: Some(home), red: None }).collect();
    for (index, step) in steps.iter().enumerate() {
        let after = steps.get(index + 1).map_or(information.now(), |next| &next.before);
        let Move::Step { from, to } = step.event else { continue };
        if step.before.to_move() {
            if let Some(taken) = ghosts.iter_mut().find(|ghost| ghost.at == Some(to)) {
                taken.at = None;
                taken.red = Some(after.opponent_captured().1 > step.before.opponent_captured().1);
            }
        } else if let Some(moved) = ghosts.iter_mut().find(|ghost| ghost.at == Some(from)) {
            moved.at = Some(to);
        }
    }
    ghosts
}

impl<B: Board> Subject for Game<B> {
    type Folded = Position<B>;
    const GAMES: usize = 30;
    const MAX_STEPS: usize = 300;

    fn starts() -> Vec<DrawLimit> {
        vec![DrawLimit(200), DrawLimit(40)]
    }

    fn truth(&self) -> String {
        self.diagram()
    }

    fn view(seen: &Observation<B>) -> String {
        let letter = |square| match square {
            s if seen.own().blue.has(s) => 'B',
            s if seen.own().red.has(s) => 'R',
            s if seen.opponent().has(s) => 'u',
            _ => '.',
        };
        let row = |row| -> String {
            (0..B::COLUMNS).filter_map(|column| Square::at(column, row)).map(letter).collect()
        };
        let rows: Vec<String> = (0..B::ROWS).rev().map(row).collect();
        let (lost, took) = (seen.own_captured(), seen.opponent_captured());
        format!(
            "{}\nlost {}+{}, took {}+{}, {} of {} blue, ply {}{}",
            rows.join("\n"),
            lost.0,
            lost.1,
            took.0,
            took.1,
            seen.opponent_blue(),
            seen.opponent().count(),
            seen.ply(),
            if seen.to_move() { ", to move" } else { "" }
        )
    }

    fn line(&self, information: &InformationState<Game<B>>) -> Line<Game<B>> {
        let seat = information.seat();
        let view = |square: Square| if seat == Seat::First { square } else { B::turned(square) };
        let red: Bitboard = self.army(seat.opponent()).red.map(view).collect();
        let reds = track(information).into_iter().filter(|ghost| {
            ghost.red.or(ghost.at.map(|at| red.has(at))).expect("a ghost is somewhere")
        });
        // What is at the viewer's top is at the opponent's bottom.
        let theirs = reds.map(|ghost| B::turned(ghost.home)).collect();
        let first = information.steps().first().map_or(information.now(), |step| &step.before);
        let [own, theirs] =
            [first.own().red, theirs].map(|red| Placement::with_red(red).expect("half are red"));
        let setups = if seat == Seat::First { [own, theirs] } else { [theirs, own] };
        let actions = information.events().map(|&event| Self::turned(event, seat)).collect();
        (setups, actions)
    }
}

fn keeps_the_laws<B: Board>() {
    let met = laws::examine::<Game<B>>();
    assert!(met.ended > 20 && met.drawn > 3000 && met.other > 1000, "{} other", met.other);
    assert_eq!(met.refused, 0, "every candidate of Geister is legal");
}

#[test]
fn standard_keeps_the_laws() {
    keeps_the_laws::<Standard>();
}

#[test]
fn small_keeps_the_laws() {
    keeps_the_laws::<Small>();
}

#[test]
fn five_by_five_keeps_the_laws() {
    keeps_the_laws::<FiveByFive>();
}

#[test]
fn every_colouring_that_agrees_is_drawn_and_no_other() {
    assert_eq!(reach::examine::<Game<Standard>>(&DrawLimit(100), 4, 12), 70);
    assert_eq!(reach::examine::<Game<Small>>(&DrawLimit(100), 12, 6), 6);
    assert_eq!(reach::examine::<Game<FiveByFive>>(&DrawLimit(100), 6, 4), 20);
    assert!(reach::examine::<Game<Small>>(&DrawLimit(100), 12, 25) > 0);
}

#[test]
fn golden_games_are_replayed() {
    playthrough::golden::<Game<Standard>>("hidden-geister-6x6.txt", 3, 200);
    playthrough::golden::<Game<Small>>("hidden-geister-4x5.txt", 48, 200);
    playthrough::golden::<Game<FiveByFive>>("hidden-geister-5x5.txt", 5, 200);
}
