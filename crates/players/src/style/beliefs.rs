//! The beliefs about the colours of both sides, from the moves of the game (P5 4.2).

use super::parameters::Style;
use super::side_belief::SideBelief;
use games::geister::{Bitboard, Board, Game, Move, Observation, Square};
use games::hidden::InformationState;

/// The beliefs of a player about both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beliefs {
    /// What the opponent thinks of the own ghosts.
    pub own: SideBelief,
    /// What the player thinks of the opponent's ghosts.
    pub opponent: SideBelief,
}

impl Beliefs {
    /// The prior: every ghost of a side alike.
    pub fn new<B: Board>(seen: &Observation<B>) -> Beliefs {
        let own = seen.own();
        Beliefs {
            own: SideBelief::even(own.all(), own.blue.count()),
            opponent: SideBelief::even(seen.opponent(), seen.opponent_blue()),
        }
    }

    /// The beliefs after a history, updated move by move.
    pub fn after<B: Board>(style: &Style, history: &InformationState<Game<B>>) -> Beliefs {
        let steps = history.steps();
        let begin = steps.first().map_or(history.now(), |step| &step.before);
        let mut beliefs = Beliefs::new(begin);
        let afterwards = steps.iter().skip(1).map(|step| &step.before).chain([history.now()]);
        for (step, after) in steps.iter().zip(afterwards) {
            beliefs.see(style, step.before.to_move(), step.event, after);
        }
        beliefs
    }

    /// Updates the beliefs by a move and the observation after it.
    pub fn see<B: Board>(&mut self, style: &Style, is_own: bool, mv: Move, after: &Observation<B>) {
        let Move::Step { from, to } = mv else { return };
        let (mover, enemy, exits) = if is_own {
            (&mut self.own, &mut self.opponent, B::BOTTOM_EXITS)
        } else {
            (&mut self.opponent, &mut self.own, B::TOP_EXITS)
        };
        mover.settle_red(ignoring_exits::<B>(mover.squares(), exits, from, to));
        let change = style.change(&MoveFeatures::of::<B>(exits, enemy.squares(), from, to));
        mover.step(from, to);
        mover.add(to, change);
        if enemy.squares().has(to) {
            let blues = if is_own { after.opponent_blue() } else { after.own().blue.count() };
            enemy.capture(to, blues < enemy.blues());
        }
    }
}

/// The ghosts that would have gone for an exit if they were blue: those beside one that could have
/// stepped onto it and did not, and those on one that did not leave. One that steps from one exit's
/// side elsewhere is named by where it stood.
fn ignoring_exits<B: Board>(own: Bitboard, exits: Bitboard, from: Square, to: Square) -> Bitboard {
    let enterable = exits.without(own);
    let waiting = own & (enterable.neighbours::<B>() | exits);
    let went = exits.has(to) && !exits.has(from);
    if went { waiting.without(from.bit()) } else { waiting }
}

/// The features of a move that parameters weigh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFeatures {
    /// It ends beside an enemy.
    pub adjacent: bool,
    /// It leaves an enemy that stood beside it.
    pub away: bool,
    /// It comes nearer to the nearest exit.
    pub towards: bool,
}

impl MoveFeatures {
    /// Those of a step of a side with these exits, among these enemies.
    pub fn of<B: Board>(
        exits: Bitboard,
        enemies: Bitboard,
        from: Square,
        to: Square,
    ) -> MoveFeatures {
        let left = enemies.without(to.bit());
        let steps = |square: Square| exits.map(|exit| exit.distance(square)).min();
        MoveFeatures {
            adjacent: to.bit().neighbours::<B>().meets(left),
            // Neighbours of a square are never neighbours of the one beside it.
            away: from.bit().neighbours::<B>().meets(left),
            towards: steps(to) < steps(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;
    use games::geister::{Placement, Small};

    fn at(name: &str) -> Square {
        Square::from_name(name).unwrap()
    }

    fn set(names: &str) -> Bitboard {
        names.split_whitespace().map(at).collect()
    }

    fn history(moves: &str, viewer: Seat) -> InformationState<Game<Small>> {
        let red = |names| Placement::<Small>::with_red(set(names)).unwrap();
        let start = Game::new(red("b1 b2"), red("b1 b2"), 100);
        let moves: Vec<Move> = moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
        start.information_state(&moves, viewer).unwrap()
    }

    /// What is thought of the ghost on this square, of either side.
    fn thought(style: &Style, moves: &str, viewer: Seat, square: &str) -> f64 {
        let beliefs = Beliefs::after(style, &history(moves, viewer));
        let (own, opponent) =
            (beliefs.own.blue_at(at(square)), beliefs.opponent.blue_at(at(square)));
        (own.or(opponent).unwrap() * 1e9).round() / 1e9
    }

    const ADJACENT: Style = Style { adjacent: 0.2, away: 0.0, towards: 0.0 };
    const AWAY: Style = Style { adjacent: 0.0, away: 0.2, towards: 0.0 };
    const TOWARDS: Style = Style { adjacent: 0.0, away: 0.0, towards: 0.2 };

    #[test]
    fn everything_is_even_at_first() {
        for style in [ADJACENT, AWAY, TOWARDS] {
            for square in ["b1", "c2", "b4", "c5"] {
                assert_eq!(thought(&style, "", Seat::First, square), 0.5);
            }
        }
    }

    /// b2b3 ends beside b4; the three other ghosts give a quarter of it each.
    #[test]
    fn a_step_to_an_enemy_counts_as_adjacent() {
        for viewer in [Seat::First, Seat::Second] {
            let turn = |name: &str| {
                if viewer == Seat::Second {
                    Small::turned(at(name)).to_string()
                } else {
                    name.into()
                }
            };
            assert_eq!(thought(&ADJACENT, "b2b3", viewer, &turn("b3")), 0.65);
            assert_eq!(thought(&ADJACENT, "b2b3", viewer, &turn("c2")), 0.45);
            assert_eq!(thought(&ADJACENT, "b2b3", viewer, &turn("b4")), 0.5);
            assert_eq!(thought(&AWAY, "b2b3", viewer, &turn("b3")), 0.5);
            // From b2 to b3 the exit a5 comes nearer: four steps become three.
            assert_eq!(thought(&TOWARDS, "b2b3", viewer, &turn("b3")), 0.65);
        }
        assert_eq!(thought(&ADJACENT, "b2a2", Seat::First, "a2"), 0.5);
    }

    /// After b2b3 the top side's c4d4 comes nearer to d1, b3a3 leaves b4 and comes nearer to a5.
    #[test]
    fn a_step_from_an_enemy_counts_as_away() {
        let moves = "b2b3 c4d4 b3a3";
        assert_eq!(thought(&AWAY, moves, Seat::First, "a3"), 0.65);
        assert_eq!(thought(&AWAY, moves, Seat::First, "d4"), 0.5);
        assert_eq!(thought(&TOWARDS, moves, Seat::First, "d4"), 0.65);
        assert_eq!(thought(&TOWARDS, moves, Seat::First, "a3"), 0.8);
        assert_eq!(thought(&ADJACENT, moves, Seat::First, "a3"), 0.65);
        // Back is no way to the exit.
        assert_eq!(thought(&TOWARDS, "b2b3 c4d4 b3b2", Seat::First, "b2"), 0.65);
    }

    #[test]
    fn a_step_may_be_all_three() {
        let of = |enemies| {
            MoveFeatures::of::<Small>(Small::BOTTOM_EXITS, set(enemies), at("b2"), at("b3"))
        };
        assert_eq!(of("a4"), MoveFeatures { adjacent: false, away: false, towards: true });
        assert_eq!(of("a3"), MoveFeatures { adjacent: true, away: false, towards: true });
        assert_eq!(of("a2"), MoveFeatures { adjacent: false, away: true, towards: true });
        assert_eq!(of("c2 b4"), MoveFeatures { adjacent: true, away: true, towards: true });
        // The captured one is neither met nor left.
        assert_eq!(of("b3"), MoveFeatures { adjacent: false, away: false, towards: true });
    }

    /// b4xb3 captures a red ghost; it is known then, and the others are a little more likely blue.
    #[test]
    fn a_capture_shows_a_colour() {
        let nothing = Style::default();
        let moves = "b2b3 b4b3";
        let beliefs = Beliefs::after(&nothing, &history(moves, Seat::First));
        assert_eq!((beliefs.own.blues(), beliefs.own.probabilities.reds()), (2, 1));
        assert!((beliefs.own.blue_at(at("c2")).unwrap() - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(beliefs.opponent.blue_at(at("b3")), Some(0.5));
        assert_eq!(beliefs.own.blue_at(at("b3")), None);
    }

    #[test]
    fn a_ghost_that_ignores_an_exit_is_red() {
        // A ghost beside a5 that stays, one that goes there, one that steps elsewhere.
        let ignoring_exits = |own: &str, from: &str, to: &str| {
            super::ignoring_exits::<Small>(set(own), Small::BOTTOM_EXITS, at(from), at(to))
        };
        assert_eq!(ignoring_exits("a4 c2", "c2", "c3"), set("a4"));
        assert_eq!(ignoring_exits("a4 c2", "a4", "a5"), set(""));
        assert_eq!(ignoring_exits("a4 c2", "a4", "a3"), set("a4"));
        // Two beside exits: the one that stays is red by the letter of the paper.
        assert_eq!(ignoring_exits("a4 c5", "a4", "a5"), set("c5"));
        // The way is barred by an own ghost, which itself does not leave.
        assert_eq!(ignoring_exits("a4 a5 c2", "c2", "c3"), set("a5"));
    }

    #[test]
    fn a_settled_ghost_stays_red() {
        // c4, the top side's, runs to d2 beside d1, and stays there for a move.
        let moves = "b1a1 c4d4 a1b1 d4d3 b1a1 d3d2 a1b1";
        let before = thought(&TOWARDS, moves, Seat::First, "d2");
        assert!(before > 0.5, "{before}");
        let after = format!("{moves} c5d5");
        assert_eq!(thought(&TOWARDS, &after, Seat::First, "d2"), 0.0);
        let back = format!("{after} b1a1 d2d3 a1b1 d3d2");
        assert_eq!(thought(&TOWARDS, &back, Seat::First, "d2"), 0.0);
    }
}
