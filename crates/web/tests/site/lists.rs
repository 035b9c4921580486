//! Lists, the next puzzle, the puzzle of the day, analysis and pictures.

use crate::harness::{on_every_site, puzzles, sample};
use puzzle::{Puzzle, Theme};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn ids(list: &Value) -> Vec<String> {
    let ids = list["puzzles"].as_array().unwrap().iter();
    ids.map(|puzzle| puzzle["id"].as_str().unwrap().to_owned()).collect()
}

fn difficulty(puzzle: &Puzzle) -> f64 {
    puzzle.grade.as_ref().map_or(0.0, |graded| graded.grade.difficulty)
}

type Accepts = fn(&Puzzle) -> bool;

#[test]
fn filters_find_exactly_the_matching_puzzles() {
    on_every_site(async |site| {
        let browser = site.browser();
        let cases: [(&str, Accepts); 8] = [
            ("", |_| true),
            ("length_min=7&length_max=9", |puzzle| (7..=9).contains(&puzzle.m_win)),
            ("theme=red-wall", |puzzle| puzzle.themes.contains(&Theme::RedWall)),
            ("theme=red-wall&theme=quiet-key&length_max=13", |puzzle| {
                puzzle.themes.contains(&Theme::RedWall)
                    && puzzle.themes.contains(&Theme::QuietKey)
                    && puzzle.m_win <= 13
            }),
            ("category=capture-win&order=hard", |puzzle| puzzle.capture_win),
            ("category=plain&revealed=fully", |puzzle| {
                !puzzle.red_wall
                    && !puzzle.capture_win
                    && puzzle.revealed() == geister::solver::Revealed::Fully
            }),
            ("difficulty_min=1&order=easy", |puzzle| difficulty(puzzle) >= 1.0),
            ("ghosts_max=4", |puzzle| {
                let count = puzzle.position.count();
                count.own_blue + count.own_red + count.shown_blue + count.shown_red + count.hidden
                    <= 4
            }),
        ];
        for (query, accepts) in cases {
            let expected: BTreeSet<String> =
                puzzles().iter().filter(|puzzle| accepts(puzzle)).map(Puzzle::id).collect();
            let first = browser.get(&format!("/puzzles?{query}")).await.json();
            assert_eq!(first["total"], expected.len(), "{query}");
            assert_eq!(first["pages"], expected.len().div_ceil(24), "{query}");
            let mut found = BTreeSet::new();
            for page in 1..=first["pages"].as_u64().unwrap().min(8) {
                let list = browser.get(&format!("/puzzles?{query}&page={page}")).await.json();
                ids(&list).into_iter().for_each(|id| assert!(found.insert(id), "twice: {query}"));
            }
            assert!(found.is_subset(&expected), "{query}");
            assert!(expected.len() > 8 * 24 || found == expected, "{query}");
        }
        let beyond = browser.get("/puzzles?page=9999").await.json();
        assert_eq!(beyond["puzzles"], json!([]));
    });
}

#[test]
fn lists_are_sorted_as_requested() {
    on_every_site(async |site| {
        let of = |id: &String| puzzles().iter().find(|puzzle| puzzle.id() == *id).unwrap();
        for (order, key) in [
            ("length", (|puzzle| f64::from(puzzle.m_win)) as fn(&Puzzle) -> f64),
            ("easy", difficulty),
            ("hard", |puzzle| -difficulty(puzzle)),
        ] {
            let list = site.browser().get(&format!("/puzzles?order={order}")).await.json();
            let keys: Vec<f64> = ids(&list).iter().map(|id| key(of(id))).collect();
            assert!(keys.len() == 24 && keys.is_sorted(), "{order} {keys:?}");
        }
    });
}

#[test]
fn invalid_filters_are_refused() {
    on_every_site(async |site| {
        for query in
            ["length_min=x", "theme=dragon", "page=0", "order=best", "drop=table", "standing=1"]
        {
            let answer = site.browser().get(&format!("/puzzles?{query}")).await;
            assert_eq!(answer.refusal(400), "bad-filter", "{query}");
            assert!(answer.text().contains(query.split('=').next().unwrap()));
        }
        let empty = site.browser().get("/puzzles?length_min=&theme=").await.json();
        assert_eq!(empty["total"], puzzles().len());
    });
}

#[test]
fn lists_filter_by_the_visitors_own_results() {
    on_every_site(async |site| {
        let browser = site.browser();
        let [won, lost] = [sample(2, 7..=7)[0], sample(2, 7..=7)[1]].map(Puzzle::id);
        browser.solve(&won).await;
        let attempt = browser.begin(&lost).await;
        browser.act(&attempt, "solution", json!({})).await.json();
        let list = async |standing: &str| {
            ids(&browser.get(&format!("/puzzles?standing={standing}")).await.json())
        };
        assert_eq!(list("solved").await, vec![won.clone()]);
        assert_eq!(list("failed").await, vec![lost.clone()]);
        let unsolved = browser.get("/puzzles?standing=unsolved").await.json();
        assert_eq!(unsolved["total"], puzzles().len() - 1);
        assert_eq!(site.browser().get("/puzzles?standing=solved").await.json()["total"], 0);
        browser.solve(&lost).await;
        assert_eq!(list("failed").await, Vec::<String>::new());
    });
}

#[test]
fn the_next_puzzle_is_new_and_the_day_has_one_for_all() {
    on_every_site(async |site| {
        let browser = site.browser();
        let mut seen = BTreeSet::new();
        for _ in 0..3 {
            let next = browser.get("/puzzles/next").await.json();
            let id = next["id"].as_str().unwrap().to_owned();
            let puzzle = puzzles().iter().find(|puzzle| puzzle.id() == id).unwrap();
            // Somebody new starts with something easy.
            assert!(seen.len() > 1 || difficulty(puzzle) < 0.0, "{}", difficulty(puzzle));
            assert!(seen.insert(id.clone()));
            browser.act(&browser.begin(&id).await, "solution", json!({})).await.json();
        }
        let [one, other] = [site.browser(), site.browser()];
        let daily = one.get("/puzzles/daily").await.json();
        // Midnight may pass between the two.
        let again = other.get("/puzzles/daily").await.json();
        let once_more = one.get("/puzzles/daily").await.json();
        assert!(again == daily || again == once_more);
    });
}

#[test]
fn analysis_proves_and_pictures_show() {
    on_every_site(async |site| {
        let browser = site.browser();
        for puzzle in sample(6, 5..=9) {
            let position = puzzle.position.to_string().replace('/', "%2F").replace(' ', "%20");
            let told = browser.get(&format!("/analysis?position={position}")).await.json();
            assert_eq!((&told["verdict"], &told["plies"]), (&json!("win"), &json!(puzzle.m_win)));
            let moves = told["moves"].as_array().unwrap();
            assert_eq!(moves.len(), puzzle.position.legal_moves().len());
            let best: BTreeSet<String> = moves
                .iter()
                .filter(|one| one["best"] == true)
                .map(|one| one["move"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(best, puzzle.keys().map(|mv| mv.to_string()).collect());
            let key = puzzle.line[0];
            let path = format!("/analysis?position={position}&moves={key}");
            let after = browser.get(&path).await.json();
            assert_eq!(
                (&after["turn"], &after["plies"]),
                (&json!("top"), &json!(puzzle.m_win - 1))
            );
            let all: Vec<String> = puzzle.line.iter().map(ToString::to_string).collect();
            let path = format!("/analysis?position={position}&moves={}", all.join(","));
            let over = browser.get(&path).await.json();
            assert_eq!((&over["verdict"], &over["winner"]), (&json!("over"), &json!("own")));
            let picture = browser.get(&format!("/board.svg?position={position}&marks={key}")).await;
            assert!(picture.text().starts_with("<svg") || picture.text().starts_with("<?xml"));
        }
    });
}
