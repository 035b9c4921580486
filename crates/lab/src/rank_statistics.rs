//! Rank statistics: Spearman's correlation, and the stratified area under the ROC curve.

use crate::statistics::Interval;
use rand::Rng;
use rand::seq::SliceRandom;

/// Ranks from 1; ties share their mean rank.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = |&&index: &&usize| values[index] == values[order[start]];
        let end = start + order[start..].iter().take_while(same).count();
        let shared = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|&index| ranks[index] = shared);
        start = end;
    }
    ranks
}

/// Spearman's rank correlation; 0 if one side is constant.
pub(crate) fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let middle = (a.len() + 1) as f64 / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - middle) * (y - middle)).sum()
    };
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    if spread > 0.0 { product(&a, &b) / spread } else { 0.0 }
}

/// The p-value of a permutation test: the proportion of random orders whose rank correlation is at
/// least as far from 0 as that of `a` and `b`.
pub(crate) fn spearman_p(a: &[f64], b: &[f64], shuffles: u32, rng: &mut impl Rng) -> f64 {
    let found = spearman(a, b).abs();
    let mut shuffled = b.to_vec();
    let as_far = |_: &u32| {
        shuffled.shuffle(rng);
        spearman(a, &shuffled).abs() >= found - 1e-9
    };
    one_more(u64::from(shuffles), (0..shuffles).filter(as_far).count() as u64)
}

/// A value, the group it belongs to, and the stratum within which it may be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) value: f64,
    pub(crate) inside: bool,
    pub(crate) stratum: u32,
}

/// How well a measure separates the inside from the outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Separation {
    pub(crate) inside: u64,
    pub(crate) outside: u64,
    /// The chance that one of the inside has a greater value than one of the outside of the same
    /// stratum, ties counting half: the area under the ROC curve. A half means no difference.
    pub(crate) area: f64,
    pub(crate) interval: Interval,
    /// The share of random regroupings within the strata that separate as well.
    pub(crate) p: f64,
}

/// One stratum: values as ranks, and their groups.
struct Stratum {
    ranks: Vec<f64>,
    inside: Vec<bool>,
}

impl Stratum {
    fn sizes(&self) -> (f64, f64) {
        let inside = self.inside.iter().filter(|&&inside| inside).count();
        (inside as f64, (self.inside.len() - inside) as f64)
    }

    /// Pairs in favour of the inside, ties counting half (Mann and Whitney).
    fn pairs_won(&self) -> f64 {
        let (inside, _) = self.sizes();
        let of_inside = self.ranks.iter().zip(&self.inside).filter(|(_, inside)| **inside);
        of_inside.map(|(rank, _)| rank).sum::<f64>() - inside * (inside + 1.0) / 2.0
    }

    /// The variance of the area of this stratum (DeLong, DeLong and Clarke-Pearson 1988).
    fn variance(&self) -> f64 {
        let (m, n) = self.sizes();
        let group = |inside: bool| -> Vec<f64> {
            let members = self.ranks.iter().zip(&self.inside).filter(|(_, i)| **i == inside);
            members.map(|(rank, _)| *rank).collect()
        };
        // A value's rank among all, less that among its own, counts those it beats of the others.
        let spread = |group: &[f64], others: f64| {
            let own = ranks(group);
            let placed: Vec<f64> =
                group.iter().zip(&own).map(|(all, own)| (all - own) / others).collect();
            let mean = placed.iter().sum::<f64>() / placed.len() as f64;
            placed.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (placed.len() as f64 - 1.0)
        };
        spread(&group(true), n) / m + spread(&group(false), m) / n
    }
}

/// Compares inside and outside within each stratum that has two of both at least; pairs of all
/// strata weigh the same. `None` if there is no such stratum.
pub(crate) fn separation(cases: &[Case], shuffles: u32, rng: &mut impl Rng) -> Option<Separation> {
    let mut strata = strata(cases);
    let pairs: f64 = strata.iter().map(|s| s.sizes().0 * s.sizes().1).sum();
    if strata.is_empty() {
        return None;
    }
    let area = |strata: &[Stratum]| strata.iter().map(Stratum::pairs_won).sum::<f64>() / pairs;
    let found = area(&strata);
    let weighted =
        strata.iter().map(|s| (s.sizes().0 * s.sizes().1 / pairs).powi(2) * s.variance());
    let deviation = weighted.sum::<f64>().sqrt();
    let sizes = strata.iter().map(Stratum::sizes);
    let (inside, outside) = sizes.fold((0.0, 0.0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
    let mut as_far = 0;
    for _ in 0..shuffles {
        strata.iter_mut().for_each(|stratum| stratum.inside.shuffle(rng));
        as_far += u64::from((area(&strata) - 0.5).abs() >= (found - 0.5).abs() - 1e-12);
    }
    let Interval { low, high } = Interval::normal(found, deviation);
    Some(Separation {
        inside: inside as u64,
        outside: outside as u64,
        area: found,
        interval: Interval { low: low.max(0.0), high: high.min(1.0) },
        p: one_more(u64::from(shuffles), as_far),
    })
}

fn strata(cases: &[Case]) -> Vec<Stratum> {
    let mut names: Vec<u32> = cases.iter().map(|case| case.stratum).collect();
    names.sort_unstable();
    names.dedup();
    let stratum = |name: u32| {
        let members: Vec<&Case> = cases.iter().filter(|case| case.stratum == name).collect();
        let values: Vec<f64> = members.iter().map(|case| case.value).collect();
        Stratum { ranks: ranks(&values), inside: members.iter().map(|case| case.inside).collect() }
    };
    let both = |stratum: &Stratum| stratum.sizes().0 >= 2.0 && stratum.sizes().1 >= 2.0;
    names.into_iter().map(stratum).filter(both).collect()
}

/// The share of `hits`, the sample itself being one more.
fn one_more(of: u64, hits: u64) -> f64 {
    (hits + 1) as f64 / (of + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::rng::stream;

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn rank_correlation_by_hand() {
        let up = [1.0, 2.0, 3.0, 4.0];
        assert!((spearman(&up, &[10.0, 100.0, 1e3, 1e4]) - 1.0).abs() < 1e-12);
        assert!((spearman(&up, &[4.0, 3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        // One exchange of neighbours: 1 - 6 * 2 / (4 * 15).
        assert!((spearman(&up, &[2.0, 1.0, 3.0, 4.0]) - 0.8).abs() < 1e-12);
        assert_eq!(spearman(&up, &[5.0; 4]), 0.0);
        // 2 of the 24 orders are perfect either way.
        let p = spearman_p(&up, &up, 2000, &mut stream(1, 0));
        assert!((p - 2.0 / 24.0).abs() < 0.03, "{p}");
    }

    fn cases(values: &[(u32, f64, bool)]) -> Vec<Case> {
        values.iter().map(|&(stratum, value, inside)| Case { value, inside, stratum }).collect()
    }

    /// Within strata the inside is greater in 3 of 4 and in 4 of 4 pairs, whatever the strata are
    /// worth.
    #[test]
    fn only_pairs_of_one_stratum_count() {
        let cases = cases(&[
            (1, 100.0, true),
            (1, 50.0, true),
            (1, 70.0, false),
            (1, 40.0, false),
            (2, 4.0, true),
            (2, 3.0, true),
            (2, 2.0, false),
            (2, 1.0, false),
            (3, 9.0, true),
        ]);
        let found = separation(&cases, 500, &mut stream(1, 0)).unwrap();
        assert!((found.area - 7.0 / 8.0).abs() < 1e-12);
        assert_eq!((found.inside, found.outside), (4, 4));
        // 2 of the 36 regroupings win 8 or 0 pairs, 4 win 7 or 1.
        assert!((found.p - 6.0 / 36.0).abs() < 0.05, "{found:?}");
        assert!(found.interval.low < found.area && found.interval.high <= 1.0);
    }

    /// A stratum by hand: the inside beats 2 and 1 of 2, the outside is beaten by 1 and 2 of 2.
    #[test]
    fn the_variance_by_hand() {
        let cases = cases(&[(1, 4.0, true), (1, 2.0, true), (1, 3.0, false), (1, 1.0, false)]);
        let found = separation(&cases, 10, &mut stream(1, 0)).unwrap();
        let deviation = (0.125_f64 / 2.0 + 0.125 / 2.0).sqrt();
        assert!((found.area - 0.75).abs() < 1e-12);
        assert!((found.interval.low - (0.75 - 1.959_964 * deviation)).abs() < 1e-9);
    }

    #[test]
    fn a_single_group_has_no_separation() {
        let cases = cases(&[(1, 4.0, true), (1, 2.0, true), (2, 1.0, false), (2, 3.0, false)]);
        assert!(separation(&cases, 10, &mut stream(1, 0)).is_none());
    }
}
