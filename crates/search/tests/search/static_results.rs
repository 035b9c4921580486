//! Sound static results change no verdict; any static result is trusted.

use crate::agreement::{ROOMY, check, run, steps, trees, truth, walks};
use crate::toys::{Heaps, scatter};
use proptest::prelude::*;
use search::{
    AlphaBeta, AndOr, Budget, DepthSearch, DfPn, Limits, Player, Pns, Steps, Verdict, wins_within,
};

/// A game with static results added.
#[derive(Clone)]
struct WithStaticResults<P> {
    game: P,
    static_result: fn(&P, u32) -> Option<bool>,
}

impl<P: AndOr> AndOr for WithStaticResults<P> {
    type Move = P::Move;
    fn to_move(&self) -> Player {
        self.game.to_move()
    }
    fn decided(&self) -> Option<bool> {
        self.game.decided()
    }
    fn moves(&self, out: &mut Vec<P::Move>) {
        self.game.moves(out);
    }
    fn play(&self, m: P::Move) -> Self {
        Self { game: self.game.play(m), ..*self }
    }
    fn key(&self) -> u64 {
        self.game.key()
    }
    fn static_result(&self, remaining: u32) -> Option<bool> {
        assert!(remaining >= 1 && self.decided().is_none());
        (self.static_result)(&self.game, remaining)
    }
}

/// The truth about the last two plies, for some positions.
fn sound<P: AndOr>(game: &P, remaining: u32) -> Option<bool> {
    let speaks = remaining <= 2 && !scatter(game.key()).is_multiple_of(3);
    speaks.then(|| wins_within(game, remaining))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn sound_static_results_change_no_verdict(
        tree in trees(), walk in walks(), steps in steps(), depth in 0..7_u32, tiny in 0..2000_usize
    ) {
        check(&WithStaticResults { game: tree, static_result: sound }, steps, depth, tiny)?;
        check(&WithStaticResults { game: walk, static_result: sound }, steps, depth, tiny)?;
    }
}

fn nodes<P: AndOr>(mut search: impl DepthSearch<P>, position: &P, depth: u32) -> u64 {
    let mut budget = Budget::new(&Limits::default());
    assert!(search.prove(position, depth, &mut budget).is_ok());
    budget.nodes()
}

#[test]
fn static_results_save_nodes() {
    let bare = Heaps::new(&[4, 4, 4]);
    let wise = WithStaticResults { game: bare.clone(), static_result: sound };
    let saves = |bare: u64, wise: u64| assert!(wise < bare, "{wise} < {bare}");
    saves(nodes(AlphaBeta::plain(), &bare, 5), nodes(AlphaBeta::plain(), &wise, 5));
    saves(nodes(Pns::new(ROOMY), &bare, 5), nodes(Pns::new(ROOMY), &wise, 5));
    saves(nodes(DfPn::new(ROOMY), &bare, 5), nodes(DfPn::new(ROOMY), &wise, 5));
}

#[test]
fn a_static_result_at_the_root_takes_no_node() {
    let game = Heaps::new(&[4]);
    assert_eq!(truth(&game, Steps::default(), 9), Verdict::NoWin { depth: 9 });
    let liar =
        WithStaticResults { game, static_result: |_, remaining| (remaining == 3).then_some(true) };
    let steps = Steps { first: 3, step: 1 };
    assert_eq!(run(AlphaBeta::plain(), &liar, steps, 9), Verdict::Win(3));
    assert_eq!(run(AlphaBeta::with_table(ROOMY), &liar, steps, 9), Verdict::Win(3));
    assert_eq!(run(Pns::new(ROOMY), &liar, steps, 9), Verdict::Win(3));
    assert_eq!(run(DfPn::new(ROOMY), &liar, steps, 9), Verdict::Win(3));
    assert_eq!(nodes(AlphaBeta::plain(), &liar, 3), 0);
    assert_eq!(nodes(Pns::new(0), &liar, 3), 0);
    assert_eq!(nodes(DfPn::new(0), &liar, 3), 0);
}
