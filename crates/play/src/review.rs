//! Reviews of finished games, for either seat: wins that were missed, what the opponent knew or
//! believed, and how the game felt (P4 IV to VI).
//!
//! What a win is, and what there is to know, a [`Reviewer`] of the game says; the walk through the
//! game is the same for all games.

mod feel;

pub use feel::{Feel, Turn, TurningPoint};

use games::Seat;
use games::hidden::{GameOutcome, HiddenGame, InformationState, ObservedGame, Reply};

/// A turn of the reviewed seat, before its first try.
#[derive(Debug)]
pub struct OwnTurn<'a, G: HiddenGame> {
    /// The true state.
    pub state: &'a G,
    /// What the seat has observed.
    pub information: &'a InformationState<G>,
    /// The action that was played in the end, in the coordinates of the seat.
    pub played: G::Action,
}

/// What a seat made of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opportunity<A, P> {
    /// No win was found.
    None,
    /// There was a win, and the action kept it.
    Kept,
    /// There was a win, and the action gave it away.
    Missed(MissedWin<A, P>),
}

/// A win that was given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedWin<A, P> {
    /// The plies that the win would have taken.
    pub plies: u32,
    /// Its first action, in the coordinates of the seat.
    pub best: A,
    /// The position in which it was there.
    pub position: P,
}

/// What a game contributes to its reviews. One reviewer looks at one game for one seat, from the
/// first turn to the last.
pub trait Reviewer<G: HiddenGame> {
    /// The position of a missed win as reports show it.
    type Position;
    /// What the opponent knew or believed.
    type Knowledge;

    /// The single conspiracy number of the reviewed seat, `Some(None)` if it is infinite; `None` if
    /// there is none or a limit was hit.
    fn conspiracy_number(&mut self, turn: &OwnTurn<'_, G>) -> Option<Option<u32>> {
        let _ = turn;
        None
    }

    /// What the seat made of this turn.
    fn opportunity(&mut self, turn: &OwnTurn<'_, G>) -> Opportunity<G::Action, Self::Position>;

    /// What the opponent knew or believed with this information: asked before each of its turns and
    /// at the end of the game.
    fn opponent_knowledge(&mut self, information: &InformationState<G>) -> Option<Self::Knowledge> {
        let _ = information;
        None
    }
}

/// A missed win of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed<A, P> {
    /// The plies before it.
    pub ply: usize,
    /// What was played, in the coordinates of the seat.
    pub played: A,
    /// The win.
    pub win: MissedWin<A, P>,
}

/// What the opponent knew or believed at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<K> {
    /// The plies before it: before a turn of the opponent, or all of the game.
    pub ply: usize,
    /// What it knew or believed.
    pub knowledge: K,
}

/// The review of a game for one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Review<A, P, K> {
    /// How the game felt.
    pub feel: Feel,
    /// Wins that were missed.
    pub missed: Vec<Missed<A, P>>,
    /// Turns in which there was a win and the seat kept it.
    pub kept: u32,
    /// What the opponent knew or believed.
    pub known: Vec<Known<K>>,
}

/// Reviews a game for `seat`. `actions` are in the coordinates of the first seat, refused tries
/// included; the review ends at the first one that cannot be applied.
pub fn review<G: HiddenGame, R: Reviewer<G>>(
    start: &G::Start,
    setups: [G::Setup; 2],
    actions: &[G::Action],
    seat: Seat,
    reviewer: &mut R,
) -> Review<G::Action, R::Position, R::Knowledge> {
    let mut game = ObservedGame::<G>::begin(start, setups);
    let (mut numbers, mut missed, mut kept, mut known) = (Vec::new(), Vec::new(), 0, Vec::new());
    let (mut ply, mut applied) = (0, 0);
    for index in played(game.state().clone(), actions) {
        if game.state().turn() == seat {
            let played = G::turned(actions[index], seat);
            let turn = OwnTurn { state: game.state(), information: game.of(seat), played };
            numbers.extend(reviewer.conspiracy_number(&turn).map(|number| (ply, number)));
            match reviewer.opportunity(&turn) {
                Opportunity::None => {}
                Opportunity::Kept => kept += 1,
                Opportunity::Missed(win) => missed.push(Missed { ply, played, win }),
            }
        } else {
            let knowledge = reviewer.opponent_knowledge(game.of(seat.opponent()));
            known.extend(knowledge.map(|knowledge| Known { ply, knowledge }));
        }
        for &action in &actions[applied..=index] {
            // It was applied before.
            let _ = game.apply(action);
        }
        (ply, applied) = (ply + 1, index + 1);
    }
    let knowledge = reviewer.opponent_knowledge(game.of(seat.opponent()));
    known.extend(knowledge.map(|knowledge| Known { ply, knowledge }));
    if let Some(outcome) = game.state().outcome().filter(|_| !numbers.is_empty()) {
        // The goal is reached, or out of reach.
        numbers.push((ply, (outcome.winner() == Some(seat)).then_some(0)));
    }
    Review { feel: Feel::new(&numbers), missed, kept, known }
}

/// The indices of the actions that were played, without the refused tries.
fn played<G: HiddenGame>(mut state: G, actions: &[G::Action]) -> Vec<usize> {
    let replies = actions.iter().map_while(|&action| Some(state.apply(action).ok()?.reply));
    let played = replies.enumerate().filter(|(_, reply)| *reply == Reply::Played);
    played.map(|(index, _)| index).collect()
}
