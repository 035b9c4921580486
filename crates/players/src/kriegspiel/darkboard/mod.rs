//! Darkboard (P2): weighted maximax over metapositions, and a method against the bare king.

mod density;
mod evaluation;
mod options;
mod weights;

pub use evaluation::entropy;
pub use options::{OptionError, Options};
pub use weights::Weights;

use super::endgames::{self, Hunter};
use super::placements::Placements;
use density::{Density, Fading};
use evaluation::Ending;
use games::hidden::InformationState;
use games::kriegspiel::{
    Announcement, Game, InferenceRules, Metaposition, OwnPieces, Piece, Try, color, refused_tries,
};
use play::Player;
use play::Thinking;
use search::maximax::{Maximax, Metaposition as Searched, Value};
use search::{Budget, Limits};
use std::cell::OnceCell;

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Darkboard {
    options: Options,
    /// Nodes for a try instead of time, so that it repeats exactly.
    nodes: Option<u64>,
}

/// What does not change during a search.
struct Context<'a> {
    options: Options,
    fading: Fading,
    placements: &'a Placements,
}

impl<'a> Context<'a> {
    fn new(options: Options, placements: &'a Placements) -> Context<'a> {
        let fading = if options.age { Fading::by(&options.weights) } else { Fading::at_once() };
        Context { options, fading, placements }
    }
}

/// A metaposition as the search sees it.
struct View<'a> {
    context: &'a Context<'a>,
    meta: Metaposition,
    /// Where men are likely to be: for a whole turn the same.
    density: OnceCell<Density>,
    /// How likely the last own move has ended the game.
    ending: Ending,
    /// How likely an own move before that has drawn it.
    drawn: f32,
}

impl<'a> View<'a> {
    fn new(context: &'a Context<'a>, meta: Metaposition) -> View<'a> {
        let ending = Ending::default();
        View { context, meta, density: OnceCell::new(), ending, drawn: 0.0 }
    }

    fn hopes(&self) -> &Density {
        let Context { options, fading, .. } = self.context;
        self.density.get_or_init(|| Density::of(&self.meta, &options.weights, fading))
    }
}

/// What is worth trying: a pawn becomes a queen.
fn is_sensible(attempt: &Try) -> bool {
    matches!(attempt.promotion, None | Some(Piece::Queen))
}

impl Searched for View<'_> {
    type Move = Try;

    fn moves(&self) -> Vec<Try> {
        let mut tries = self.meta.tries();
        tries.retain(is_sensible);
        tries
    }

    fn pseudo(&self, mv: Try) -> Self {
        let answer = self.meta.simulated_announcement(mv);
        let meta = self.meta.pseudo(mv, &answer);
        let ending = |after: &Metaposition| {
            Ending::of(&self.context.options.weights, &self.meta, self.hopes(), mv, after)
        };
        let ending = if answer.pawn_tries == 0 {
            ending(&meta)
        } else {
            // A side that has a pawn try is not stalemated: it may be where it has none.
            let quiet = Announcement { pawn_tries: 0, ..answer };
            ending(&self.meta.pseudo(mv, &quiet))
        };
        View { ending, drawn: self.drawn, ..View::new(self.context, meta) }
    }

    fn meta(&self) -> Self {
        let drawn = self.drawn + self.ending.stalemated;
        View { drawn, ..View::new(self.context, self.meta.meta(&self.meta.silent_announcement())) }
    }

    fn evaluate(&self, mv: Try, after: &Self) -> Value {
        let ending = after.ending.or_drawn(self.drawn);
        let value =
            evaluation::value(self.context, &self.meta, self.hopes(), mv, &after.meta, ending);
        Value::Score(f64::from(value))
    }
}

/// How much the static value counts: the side that is ahead plays openly, the other one for the
/// moment.
fn alpha(view: &View<'_>) -> f64 {
    let Options { alpha: fixed, weights: w, .. } = &view.context.options;
    fixed.unwrap_or_else(|| {
        let wanted = w.alpha_even - w.alpha_pawn * evaluation::balance(w, &view.meta);
        wanted.max(w.alpha_least).min(w.alpha_most).clamp(0.0, 1.0).into()
    })
}

impl Darkboard {
    /// With these options.
    pub fn new(options: Options) -> Darkboard {
        Darkboard { options, nodes: None }
    }

    /// The same player with so many nodes for a try, whatever the clock says.
    #[must_use]
    pub const fn with_nodes(self, nodes: u64) -> Darkboard {
        Darkboard { nodes: Some(nodes), ..self }
    }

    /// The time of a move is for all its tries: each takes half of what is left.
    fn limits(&self, refused: usize, thinking: &Thinking) -> Limits {
        let tries = refused.min(12) as i32;
        let time = thinking.time.mul_f64(0.5_f64.powi(tries + 1));
        Limits {
            depth: self.options.depth - 1,
            nodes: self.nodes,
            time: self.nodes.is_none().then_some(time),
            ..Limits::default()
        }
    }

    fn search(
        &self,
        known: Metaposition,
        own: &OwnPieces,
        refused: &[Try],
        placements: &Placements,
        limits: &Limits,
    ) -> Option<Try> {
        let context = Context::new(self.options, placements);
        let root = View::new(&context, known);
        let mut tries = root.moves();
        tries.retain(|attempt| !refused.contains(attempt));
        let fresh = |attempt: &Try| placements.count(&own.moved(*attempt)) < 2;
        if tries.iter().any(fresh) {
            tries.retain(fresh);
        }
        let plan = Maximax { beam: self.options.beam, ..Maximax::new(alpha) };
        let ranking = plan.deepen_among(&root, tries, &mut Budget::new(limits));
        ranking.moves.first().map(|best| best.mv)
    }
}

impl Player<Game> for Darkboard {
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Try {
        let rules = if self.options.sharp { InferenceRules::ALL } else { InferenceRules::NONE };
        let start = Metaposition::from_position(information.start(), color(information.seat()));
        let placements = Placements::of(start.own(), information.events());
        let known = start.with_rules(rules).after_events(information.events());
        let candidates = information.candidates();
        let own = &information.now().own;
        let found = match known.as_lone_king() {
            Some(king) => {
                endgames::choose(&Hunter::default(), &king, &candidates, &placements, known.clock())
            }
            None => {
                let refused = refused_tries(information.events());
                let limits = self.limits(refused.len(), thinking);
                self.search(known, own, &refused, &placements, &limits)
            }
        };
        // In a game that goes on there is always a legal move, and it was not refused.
        found.or_else(|| candidates.first().copied()).unwrap_or_else(|| own.tries(true)[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::kriegspiel::{Color, Position, Reply};
    use std::time::Duration;

    const THINKING: Thinking = Thinking { time: Duration::from_millis(1), seed: 4 };

    fn chosen(game: &Game, color: Color) -> Try {
        let information = game.information_state(color.into());
        Darkboard::default().with_nodes(40).choose(&information, &THINKING)
    }

    #[test]
    fn what_it_cannot_see_does_not_matter() {
        // Black's rook pawns have moved, and White cannot know which of them.
        let mut games = [Game::default(), Game::default()];
        for (game, black) in games.iter_mut().zip(["a7a6", "h7h6"]) {
            for attempt in ["e2e4", black] {
                let reply = game.attempt(attempt.parse().unwrap()).unwrap();
                assert_ne!(reply, Reply::Illegal);
            }
        }
        let [one, other] = &games;
        assert_ne!(one.position(), other.position());
        assert_eq!(one.events(Color::White), other.events(Color::White));
        assert_eq!(chosen(one, Color::White), chosen(other, Color::White));
    }

    #[test]
    fn it_takes_a_hanging_queen_that_it_knows_of() {
        let position: Position = "4k3/8/8/3q4/8/4N3/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(chosen(&Game::new(position), Color::White).to_string(), "e3d5");
    }

    #[test]
    fn its_king_does_not_walk_into_the_open() {
        // A game that was lost: e6d5 followed, and the queen mated on c4.
        let moves = "d2d4 e7e6 c2c4 f7f6 f2f4 e8e7 a2a4 e7f7 f4f5 e6f5 b2b3 f7e7 g1f3 e7e8 c1d2 \
                     d7d5 h2h3 d5c4 e1f2 c4b3 e2e4 f5e4 f3h2 e8d7 d1e1 d7e7 d2f4 e7f7 e1e2 f7e6 f2e1";
        let mut game = Game::default();
        for attempt in moves.split_whitespace() {
            let reply = game.attempt(attempt.parse().unwrap()).unwrap();
            assert_ne!(reply, Reply::Illegal, "{attempt}");
        }
        assert_ne!(chosen(&game, Color::Black).to_string(), "e6d5");
    }

    /// The root after a move of Black that White has not seen.
    fn unseen<'a>(context: &'a Context<'a>, fen: &str) -> View<'a> {
        let position: Position = fen.parse().unwrap();
        View::new(context, Metaposition::from_position(&position, Color::White)).meta()
    }

    fn worth(view: &View<'_>, mv: &str) -> f64 {
        let mv = mv.parse().unwrap();
        match view.evaluate(mv, &view.pseudo(mv)) {
            Value::Score(worth) => worth,
            decided => panic!("{decided:?}"),
        }
    }

    #[test]
    fn a_king_that_is_given_check_takes_what_is_not_guarded() {
        let placements = Placements::default();
        let careful = Context::new(Options::default(), &placements);
        let careless = Context::new("risk_by_king=0".parse().unwrap(), &placements);
        // Beside the king, which has moved or not.
        let alone = "4k3/pppppppp/8/8/8/8/3Q4/6K1 b - - 0 1";
        let [mv, other] = ["d2d7", "d2d3"];
        let [prudent, rash] = [&careful, &careless].map(|context| unseen(context, alone));
        assert!(worth(&rash, mv) > worth(&rash, other));
        assert!(worth(&prudent, mv) < worth(&prudent, other));
        assert_eq!(worth(&prudent, other), worth(&rash, other));
        let guarded = "4k3/pppppppp/8/1B6/8/8/3Q4/6K1 b - - 0 1";
        let [prudent, rash] = [&careful, &careless].map(|context| unseen(context, guarded));
        assert_eq!(worth(&prudent, mv), worth(&rash, mv));
    }

    #[test]
    fn a_capture_or_a_pawn_try_that_is_only_likely_hides_no_stalemate() {
        let placements = Placements::default();
        let context = Context::new(Options::default(), &placements);
        let stalemated = |fen: &str, mv: &str| {
            unseen(&context, fen).pseudo(mv.parse().unwrap()).ending.stalemated
        };
        // The king cannot move: if the pawn is still on a4, its capture is a stalemate.
        let capture = stalemated("7k/8/5KQ1/8/pR6/8/8/8 b - - 0 1", "b4a4");
        assert!(capture > 0.3, "{capture}");
        // Only a pawn on f7 could take the queen; on f6 it cannot move.
        let quiet = stalemated("5N1k/5p2/8/5P2/8/8/8/K5Q1 b - - 0 1", "g1g6");
        assert!(quiet > 0.7, "{quiet}");
    }

    #[test]
    fn what_is_drawn_stays_drawn() {
        // The queen on g6 leaves the king no square, and its pawn cannot move.
        let position: Position = "7k/8/5K2/8/8/p7/P7/6Q1 w - - 0 1".parse().unwrap();
        let placements = Placements::default();
        let context = Context::new(Options::default(), &placements);
        let root = View::new(&context, Metaposition::from_position(&position, Color::White));
        let next = "f6e7";
        for (mv, lost) in [("g1g6", Weights::default().stalemate), ("g1g5", 0.0)] {
            let later = root.pseudo(mv.parse().unwrap()).meta();
            let as_if_nothing = View::new(&context, later.meta.clone());
            let less = worth(&as_if_nothing, next) - worth(&later, next);
            assert!((less - f64::from(lost)).abs() < 1e-3, "{mv}: {less}");
        }
    }

    #[test]
    fn entropy_rises_with_meta_and_falls_with_pseudo() {
        let mut known = Metaposition::start(Color::White);
        for attempt in ["e2e4", "d2d4", "g1f3", "f1c4", "e1g1"] {
            let attempt: Try = attempt.parse().unwrap();
            let moved = known.pseudo(attempt, &known.simulated_announcement(attempt));
            assert!(entropy(&moved) <= entropy(&known), "{attempt}");
            known = moved.meta(&moved.silent_announcement());
            assert!(entropy(&known) >= entropy(&moved), "{attempt}");
        }
    }
}
