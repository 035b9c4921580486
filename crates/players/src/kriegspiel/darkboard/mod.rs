//! Darkboard (P2): weighted maximax over metapositions, and an endgame search against a lone king.

mod evaluation;
mod occupancy;
mod options;
mod weights;

pub use evaluation::entropy;
pub use options::{OptionError, Options};
pub use weights::Weights;

use super::endgames::{self, EndgameSearch};
use super::repetitions::RepetitionTable;
use evaluation::EndProbabilities;
use games::hidden::InformationState;
use games::kriegspiel::{
    Announcement, Game, InferenceRules, Metaposition, OwnPieces, Piece, Try, color, refused_tries,
};
use occupancy::{EmptinessDecay, Occupancy};
use play::Player;
use play::Thinking;
use search::maximax::{Maximax, Metaposition as MaximaxNode, Value};
use search::{Budget, Limits};
use std::cell::OnceCell;

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Darkboard {
    options: Options,
    /// A node limit for each try instead of time, which makes the choice repeatable.
    nodes: Option<u64>,
}

/// What is constant during a search.
struct Context<'a> {
    options: Options,
    decay: EmptinessDecay,
    repetitions: &'a RepetitionTable,
}

impl<'a> Context<'a> {
    fn new(options: Options, repetitions: &'a RepetitionTable) -> Context<'a> {
        let decay = if options.age {
            EmptinessDecay::new(&options.weights)
        } else {
            EmptinessDecay::immediate()
        };
        Context { options, decay, repetitions }
    }
}

/// A node of the search: a metaposition and what the moves before it may have caused.
struct Node<'a> {
    context: &'a Context<'a>,
    meta: Metaposition,
    /// Computed on demand, once for all moves of the node.
    occupancy: OnceCell<Occupancy>,
    /// The probabilities that the last own move has ended the game.
    end: EndProbabilities,
    /// The probability that an earlier own move has drawn the game.
    drawn: f32,
}

impl<'a> Node<'a> {
    fn new(context: &'a Context<'a>, meta: Metaposition) -> Node<'a> {
        let end = EndProbabilities::default();
        Node { context, meta, occupancy: OnceCell::new(), end, drawn: 0.0 }
    }

    fn occupancy(&self) -> &Occupancy {
        let Context { options, decay, .. } = self.context;
        self.occupancy.get_or_init(|| Occupancy::of(&self.meta, &options.weights, decay))
    }
}

/// Whether the search considers a try: underpromotions are left out.
fn is_considered(attempt: &Try) -> bool {
    matches!(attempt.promotion, None | Some(Piece::Queen))
}

impl MaximaxNode for Node<'_> {
    type Move = Try;

    fn moves(&self) -> Vec<Try> {
        let mut tries = self.meta.tries();
        tries.retain(is_considered);
        tries
    }

    fn pseudo(&self, mv: Try) -> Self {
        let answer = self.meta.simulated_announcement(mv);
        let meta = self.meta.pseudo(mv, &answer);
        let end = |after: &Metaposition| {
            EndProbabilities::of(
                &self.context.options.weights,
                &self.meta,
                self.occupancy(),
                mv,
                after,
            )
        };
        let end = if answer.pawn_tries == 0 {
            end(&meta)
        } else {
            // The simulated pawn try may not exist, so stalemate is judged without it.
            let quiet = Announcement { pawn_tries: 0, ..answer };
            end(&self.meta.pseudo(mv, &quiet))
        };
        Node { end, drawn: self.drawn, ..Node::new(self.context, meta) }
    }

    fn meta(&self) -> Self {
        let drawn = self.drawn + self.end.stalemated;
        Node { drawn, ..Node::new(self.context, self.meta.meta(&self.meta.silent_announcement())) }
    }

    fn evaluate(&self, mv: Try, after: &Self) -> Value {
        let end = after.end.with_earlier_draw(self.drawn);
        let value =
            evaluation::evaluate(self.context, &self.meta, self.occupancy(), mv, &after.meta, end);
        Value::Score(f64::from(value))
    }
}

/// The weight of the static value (P2's alpha): less when ahead, to look further ahead, and more when
/// behind.
fn alpha(node: &Node<'_>) -> f64 {
    let Options { alpha: fixed, weights: w, .. } = &node.context.options;
    fixed.unwrap_or_else(|| {
        let wanted = w.alpha_even - w.alpha_pawn * evaluation::material_balance(w, &node.meta);
        wanted.max(w.alpha_least).min(w.alpha_most).clamp(0.0, 1.0).into()
    })
}

impl Darkboard {
    /// A player with these options.
    pub fn new(options: Options) -> Darkboard {
        Darkboard { options, nodes: None }
    }

    /// The same player with a limit of `nodes` for each try instead of a time limit.
    #[must_use]
    pub const fn with_nodes(self, nodes: u64) -> Darkboard {
        Darkboard { nodes: Some(nodes), ..self }
    }

    /// The time for a move is shared by its tries: each may use half of what is left.
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
        root: Metaposition,
        own: &OwnPieces,
        refused: &[Try],
        repetitions: &RepetitionTable,
        limits: &Limits,
    ) -> Option<Try> {
        let context = Context::new(self.options, repetitions);
        let root = Node::new(&context, root);
        let mut tries = root.moves();
        tries.retain(|attempt| !refused.contains(attempt));
        // A third repetition might be a draw.
        let is_safe = |attempt: &Try| repetitions.count(&own.moved(*attempt)) < 2;
        if tries.iter().any(is_safe) {
            tries.retain(is_safe);
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
        let repetitions = RepetitionTable::of(start.own(), information.events());
        let meta = start.with_rules(rules).after_events(information.events());
        let candidates = information.candidates();
        let own = &information.now().own;
        let found = match meta.as_lone_king() {
            Some(king) => endgames::choose(
                &EndgameSearch::default(),
                &king,
                &candidates,
                &repetitions,
                meta.clock(),
            ),
            None => {
                let refused = refused_tries(information.events());
                let limits = self.limits(refused.len(), thinking);
                self.search(meta, own, &refused, &repetitions, &limits)
            }
        };
        // While the game is in progress there is a legal move, which cannot have been refused.
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
    fn invisible_differences_do_not_change_the_choice() {
        // One of Black's rook pawns has moved, and White cannot know which.
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
    fn it_captures_a_hanging_queen_that_it_knows_of() {
        let position: Position = "4k3/8/8/3q4/8/4N3/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(chosen(&Game::new(position), Color::White).to_string(), "e3d5");
    }

    #[test]
    fn its_king_does_not_walk_into_the_open() {
        // From a lost game, in which e6d5 followed and the queen mated on c4.
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
    fn unseen<'a>(context: &'a Context<'a>, fen: &str) -> Node<'a> {
        let position: Position = fen.parse().unwrap();
        Node::new(context, Metaposition::from_position(&position, Color::White)).meta()
    }

    fn score(node: &Node<'_>, mv: &str) -> f64 {
        let mv = mv.parse().unwrap();
        match node.evaluate(mv, &node.pseudo(mv)) {
            Value::Score(score) => score,
            decided => panic!("{decided:?}"),
        }
    }

    #[test]
    fn a_king_in_check_captures_an_unguarded_piece() {
        let repetitions = RepetitionTable::default();
        let careful = Context::new(Options::default(), &repetitions);
        let careless = Context::new("risk_by_king=0".parse().unwrap(), &repetitions);
        // The queen on d7 would stand next to the king, if that has not moved.
        let alone = "4k3/pppppppp/8/8/8/8/3Q4/6K1 b - - 0 1";
        let [mv, other] = ["d2d7", "d2d3"];
        let [prudent, rash] = [&careful, &careless].map(|context| unseen(context, alone));
        assert!(score(&rash, mv) > score(&rash, other));
        assert!(score(&prudent, mv) < score(&prudent, other));
        assert_eq!(score(&prudent, other), score(&rash, other));
        let guarded = "4k3/pppppppp/8/1B6/8/8/3Q4/6K1 b - - 0 1";
        let [prudent, rash] = [&careful, &careless].map(|context| unseen(context, guarded));
        assert_eq!(score(&prudent, mv), score(&rash, mv));
    }

    #[test]
    fn a_merely_likely_capture_or_pawn_try_does_not_hide_a_stalemate() {
        let repetitions = RepetitionTable::default();
        let context = Context::new(Options::default(), &repetitions);
        let stalemated =
            |fen: &str, mv: &str| unseen(&context, fen).pseudo(mv.parse().unwrap()).end.stalemated;
        // The king cannot move: if the pawn is still on a4, its capture is a stalemate.
        let capture = stalemated("7k/8/5KQ1/8/pR6/8/8/8 b - - 0 1", "b4a4");
        assert!(capture > 0.3, "{capture}");
        // Only a pawn on f7 could take the queen; on f6 it cannot move.
        let quiet = stalemated("5N1k/5p2/8/5P2/8/8/8/K5Q1 b - - 0 1", "g1g6");
        assert!(quiet > 0.7, "{quiet}");
    }

    #[test]
    fn a_drawn_game_stays_drawn() {
        // The queen on g6 leaves the king no square, and its pawn cannot move.
        let position: Position = "7k/8/5K2/8/8/p7/P7/6Q1 w - - 0 1".parse().unwrap();
        let repetitions = RepetitionTable::default();
        let context = Context::new(Options::default(), &repetitions);
        let root = Node::new(&context, Metaposition::from_position(&position, Color::White));
        let next = "f6e7";
        for (mv, lost) in [("g1g6", Weights::default().stalemate), ("g1g5", 0.0)] {
            let later = root.pseudo(mv.parse().unwrap()).meta();
            let without_history = Node::new(&context, later.meta.clone());
            let less = score(&without_history, next) - score(&later, next);
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
