//! Games whose answers can be had by thought alone.

use crate::agreement::{ROOMY, run};
use crate::toys::Heaps;
use search::{
    AlphaBeta, AndOr, Budget, DepthSearch, DfPn, Limits, Player, Pns, RootMaxima, Steps, Verdict,
    deepen,
};

/// One heap, one to three at a time: lost for the mover exactly when four divides it. The loser
/// takes one each time, the winner the rest of four.
fn one_heap(heap: u8) -> Verdict {
    if heap.is_multiple_of(4) {
        Verdict::NoWin { depth: 29 }
    } else {
        Verdict::Win(2 * (heap as u32 / 4) + 1)
    }
}

#[test]
fn one_heap_is_won_unless_four_divides_it() {
    for heap in 1..=24 {
        let (game, steps) = (Heaps::new(&[heap]), Steps::default());
        assert_eq!(run(AlphaBeta::with_table(ROOMY), &game, steps, 30), one_heap(heap));
        assert_eq!(run(DfPn::new(ROOMY), &game, steps, 30), one_heap(heap));
        if heap <= 12 {
            assert_eq!(run(Pns::new(64 * ROOMY), &game, steps, 30), one_heap(heap));
            assert_eq!(run(AlphaBeta::plain(), &game, steps, 30), one_heap(heap));
            assert_eq!(run(DfPn::new(500), &game, steps, 30), one_heap(heap));
        }
    }
}

#[test]
fn a_table_saves_nodes_where_paths_meet() {
    fn nodes(mut search: impl DepthSearch<Heaps>) -> u64 {
        let mut budget = Budget::new(&Limits::default());
        let game = Heaps::new(&[3, 3, 2]);
        assert_eq!(search.prove(&game, 9, &mut budget), Ok(true));
        budget.nodes()
    }
    assert!(nodes(AlphaBeta::with_table(ROOMY)) < nodes(AlphaBeta::plain()));
    assert!(nodes(DfPn::new(ROOMY)) < nodes(DfPn::new(0)));
}

#[test]
fn dfpn_counts_its_expansions() {
    let (mut dfpn, mut budget) = (DfPn::new(ROOMY), Budget::new(&Limits::default()));
    let game = Heaps::new(&[7, 6]);
    let mut sum = 0;
    for depth in [1, 3, 5] {
        dfpn.prove(&game, depth, &mut budget).unwrap();
        sum += dfpn.expanded_at_last_depth();
    }
    assert_eq!((dfpn.expanded(), sum), (budget.nodes(), budget.nodes()));
    assert_eq!(dfpn.root_maxima(), None);
}

#[test]
fn recording_the_root_changes_no_step() {
    let game = Heaps::new(&[7, 6, 5]);
    let expanded = |mut dfpn: DfPn| {
        let mut budget = Budget::new(&Limits { nodes: Some(5000), ..Limits::default() });
        let verdict = deepen(&mut dfpn, &game, Steps::default(), &mut budget, &mut ());
        (verdict, dfpn.expanded(), dfpn.expanded_at_last_depth())
    };
    assert_eq!(expanded(DfPn::new(ROOMY)), expanded(DfPn::new(ROOMY).recording_root()));
}

/// A full tree of two levels: OR has the inner `Vec`s to choose from, AND their values.
#[derive(Clone)]
struct TwoLevels {
    values: Vec<Vec<bool>>,
    chosen: Vec<usize>,
}

impl AndOr for TwoLevels {
    type Move = usize;
    fn to_move(&self) -> Player {
        if self.chosen.is_empty() { Player::Or } else { Player::And }
    }
    fn decided(&self) -> Option<bool> {
        match self.chosen[..] {
            [a, b] => Some(self.values[a][b]),
            _ => None,
        }
    }
    fn moves(&self, out: &mut Vec<usize>) {
        match self.chosen[..] {
            [] => out.extend(0..self.values.len()),
            [a] => out.extend(0..self.values[a].len()),
            _ => {}
        }
    }
    fn play(&self, m: usize) -> Self {
        let mut next = self.clone();
        next.chosen.push(m);
        next
    }
    fn key(&self) -> u64 {
        self.chosen.iter().fold(1, |key, &m| key * 10 + m as u64)
    }
}

#[test]
fn root_maxima_are_those_of_the_last_depth() {
    let values = vec![vec![true, false], vec![true, true], vec![true]];
    let game = TwoLevels { values, chosen: Vec::new() };
    let mut dfpn = DfPn::new(ROOMY).recording_root();
    let mut budget = Budget::new(&Limits::default());
    // At depth 1 all children are over the horizon: the root goes from (1, 1) to infinity.
    assert_eq!(dfpn.prove(&game, 1, &mut budget), Ok(false));
    assert_eq!(dfpn.root_maxima(), Some(RootMaxima { proof: 1, disproof: 1 }));
    // At depth 2: (1, 1), expanded (1, 3), first child refuted (1, 2), second child proved.
    assert_eq!(dfpn.prove(&game, 2, &mut budget), Ok(true));
    assert_eq!(dfpn.root_maxima(), Some(RootMaxima { proof: 1, disproof: 3 }));
    assert_eq!(dfpn.prove(&game, 0, &mut budget), Ok(false));
    assert_eq!(dfpn.root_maxima(), Some(RootMaxima::default()));
}
