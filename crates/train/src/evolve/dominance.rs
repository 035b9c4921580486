//! The dominance relation between styles, and its cycles.

/// The minimum score of a style that dominates another (P5 5.2).
pub const DOMINANCE_THRESHOLD: f64 = 0.6;

/// The pairs of which the first dominates the second; `shares[x][y]` is the score of x against y.
pub fn edges(shares: &[Vec<Option<f64>>]) -> Vec<(usize, usize)> {
    let pairs = (0..shares.len()).flat_map(|x| (0..shares.len()).map(move |y| (x, y)));
    // A score of 0.6 may be a rounding error below it.
    pairs
        .filter(|&(x, y)| shares[x][y].is_some_and(|share| share > DOMINANCE_THRESHOLD - 1e-9))
        .collect()
}

/// Every cycle of three or more, each once, starting at its least member.
pub fn cycles(edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut starts: Vec<usize> = edges.iter().map(|(from, _)| *from).collect();
    starts.sort_unstable();
    starts.dedup();
    for start in starts {
        walk(edges, &mut vec![start], &mut found);
    }
    found.sort_by_key(|cycle| (cycle.len(), cycle.clone()));
    found
}

/// Extends `way` from its last member over members greater than its first.
fn walk(edges: &[(usize, usize)], way: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let (start, last) = (way[0], way[way.len() - 1]);
    for &(_, next) in edges.iter().filter(|(from, _)| *from == last) {
        if next == start && way.len() >= 3 {
            found.push(way.clone());
        } else if next > start && !way.contains(&next) {
            way.push(next);
            walk(edges, way, found);
            way.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P5's table 2: the edges of figure 7, and its circle. The text below the figure has the
    /// circle the wrong way round; by the table A beats D, D beats C and C beats A.
    #[test]
    fn the_papers_table() {
        let table = [
            [0.0, 0.375, 0.312, 0.625, 0.813],
            [0.625, 0.0, 0.437, 0.406, 0.563],
            [0.688, 0.563, 0.0, 0.250, 0.688],
            [0.375, 0.594, 0.750, 0.0, 0.625],
            [0.187, 0.437, 0.312, 0.375, 0.0],
        ];
        let shares: Vec<Vec<Option<f64>>> =
            table.iter().map(|row| row.iter().map(|share| Some(*share)).collect()).collect();
        let edges = edges(&shares);
        assert_eq!(edges, [(0, 3), (0, 4), (1, 0), (2, 0), (2, 4), (3, 2), (3, 4)]);
        assert_eq!(cycles(&edges), [[0, 3, 2]]);
    }

    #[test]
    fn circles_are_found_once() {
        assert!(cycles(&[(0, 1), (1, 0), (1, 2)]).is_empty());
        assert_eq!(cycles(&[(2, 1), (1, 3), (3, 2)]), [[1, 3, 2]]);
        let two = cycles(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)]);
        assert_eq!(two, [vec![0, 1, 2], vec![0, 1, 2, 3]]);
    }
}
