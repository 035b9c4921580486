//! What is hidden stays hidden, on the bytes: before an attempt is decided nothing that leaves the
//! server depends on the solution, the grade or the themes.

use crate::harness::{
    Answer, Browser, Setup, Site, on_every_site, puzzles, right_move, sample, with_setup,
};
use puzzle::{Puzzle, Theme};
use search::Verdict;
use serde_json::{Value, json};
use std::sync::Mutex;

/// Words of a record that no answer of the interface has before the end.
const SECRETS: [&str; 14] = [
    "\"line\"",
    "grade",
    "difficulty",
    "interest",
    "rating",
    "deviation",
    "theme",
    "red_wall",
    "red-wall",
    "capture_win",
    "capture-win",
    "first_moves",
    "quality",
    "reasons",
];

/// Headers and body; not the cookie, whose random letters may look like a move.
fn everything(answer: &Answer) -> String {
    let mut headers = answer.headers.clone();
    headers.remove("set-cookie");
    headers.remove("x-request-id");
    format!("{headers:?}\n{}", answer.text())
}

/// The JSON without the list of all legal moves, which has to be complete and in the board's order.
fn without_legal(mut attempt: Value) -> String {
    let open = attempt["state"] == "open";
    if let Some(position) = attempt["position"].as_str().filter(|_| open) {
        let position: games::geister::Position = position.parse().unwrap();
        let all: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
        assert_eq!(attempt["legal"], json!(all));
    }
    attempt["legal"] = json!([]);
    attempt.to_string()
}

fn expect_no_secrets(text: &str, puzzle: &Puzzle) {
    for secret in SECRETS.into_iter().chain(puzzle.themes.iter().map(|theme| theme.name())) {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[test]
fn nothing_is_revealed_before_the_end() {
    on_every_site(async |site| {
        for puzzle in sample(40, 7..=13) {
            let browser = site.browser();
            let line: Vec<String> = puzzle.line.iter().map(ToString::to_string).collect();
            let told = everything(&browser.get(&format!("/puzzles/{}", puzzle.id())).await);
            expect_no_secrets(&told, puzzle);
            line.iter().for_each(|mv| assert!(!told.contains(mv), "{mv} in {told}"));
            let begun =
                browser.post(&format!("/puzzles/{}/attempts", puzzle.id()), json!({})).await;
            expect_no_secrets(&everything(&begun), puzzle);
            let bare = without_legal(begun.json());
            line.iter().for_each(|mv| assert!(!bare.contains(mv), "{mv} in {bare}"));
            let body = json!({ "move": line[0], "ply": 0 });
            let moved = browser.act(&begun.json(), "moves", body).await;
            expect_no_secrets(&everything(&moved), puzzle);
            let bare = without_legal(moved.json());
            // What was played is told, twice; a later move may happen to be the same.
            let events = moved.json()["events"].to_string();
            for mv in line[2..].iter().filter(|mv| !events.contains(*mv)) {
                assert!(!bare.contains(mv), "{mv} in {bare}");
            }
        }
    });
}

/// The same puzzle with another solution, grade and kind. Only what is shown is kept.
fn changed(puzzle: &Puzzle) -> Puzzle {
    let mut other = puzzle.clone();
    other.line.reverse();
    other.red_wall = !other.red_wall;
    other.capture_win = !other.capture_win;
    other.themes = Theme::ALL.into_iter().filter(|theme| !puzzle.themes.contains(theme)).collect();
    other.first_moves.clear();
    other.quality.keys += 7;
    other.quality.purity = 1.0 - other.quality.purity;
    other.quality.idle.clear();
    other.quality.futile_plies = Some(99);
    other.origin.seed += 1;
    other.version = "another".into();
    if let Some(graded) = &mut other.grade {
        graded.grade.difficulty = -graded.grade.difficulty + 0.01;
        graded.grade.interest = -graded.grade.interest + 0.01;
        graded.reasons.clear();
    }
    other
}

/// What stands before the puzzle that the first page suggests.
const SUGGESTION: &str = "class=\"button primary\" href=\"/puzzle/";

/// What differs between two sites by chance or time, made equal.
fn masked(answer: &Answer, attempt: Option<&Value>) -> String {
    let mut text = answer.text();
    if let Some(id) = attempt.and_then(|attempt| attempt["attempt"].as_str()) {
        text = text.replace(id, "ATTEMPT");
    }
    if let Some(start) = text.find("\"elapsed_seconds\":") {
        let end = start + text[start..].find(',').unwrap();
        text.replace_range(start..end, "\"elapsed_seconds\":0");
    }
    // Which puzzle the first page suggests next is chosen by difficulty; that tells nothing about
    // the ones that are looked at.
    if let Some(start) = text.find(SUGGESTION) {
        let start = start + SUGGESTION.len();
        let end = start + text[start..].find('"').unwrap();
        text.replace_range(start..end, "SUGGESTED");
    }
    let mut headers: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "set-cookie" && *name != "x-request-id")
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    // The number of digits of a time shows in the length.
    headers.retain(|header| !header.starts_with("content-length"));
    format!("{} {headers:?}\n{text}", answer.status)
}

/// The answers before the end, and the one that is the end.
type Visit = (Vec<String>, String);

/// Everything a browser gets about a puzzle.
async fn visit(browser: &Browser, puzzle: &Puzzle) -> Visit {
    let id = puzzle.id();
    let mut seen = Vec::new();
    for path in ["/puzzles", "/puzzles/daily", "/me", "/puzzles?length_min=7", "//", "//puzzles"] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        seen.push(masked(&answer, None));
    }
    for path in [format!("/puzzles/{id}"), format!("//puzzle/{id}")] {
        let answer = browser.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        seen.push(masked(&answer, None));
    }
    let begun = browser.post(&format!("/puzzles/{id}/attempts"), json!({})).await;
    let mut attempt = begun.json();
    seen.push(masked(&begun, Some(&attempt)));
    let longer = Verdict::Win(puzzle.m_win + 2);
    let longer = puzzle.first_moves.iter().find(|first| first.verdict == longer);
    if let Some(first) = longer {
        let body = json!({ "move": first.mv.to_string(), "ply": 0 });
        for (what, body) in [("moves", body), ("back", json!({}))] {
            let answer = browser.act(&attempt, what, body).await;
            assert_eq!(answer.json()["state"], "open");
            seen.push(masked(&answer, Some(&attempt)));
        }
    }
    let mv = right_move(&attempt);
    let moved = browser.act(&attempt, "moves", json!({ "move": mv, "ply": 0 })).await;
    seen.push(masked(&moved, Some(&attempt)));
    attempt = moved.json();
    for what in ["hint", "back"] {
        let answer = browser.act(&attempt, what, json!({})).await;
        seen.push(masked(&answer, Some(&attempt)));
    }
    let path = format!("/attempts/{}", attempt["attempt"].as_str().unwrap());
    seen.push(masked(&browser.get(&path).await, Some(&attempt)));
    // The page of a puzzle that is under way.
    seen.push(masked(&browser.get(&format!("//puzzle/{id}")).await, Some(&attempt)));
    let shown = browser.act(&attempt, "solution", json!({})).await;
    (seen, masked(&shown, Some(&attempt)))
}

/// Two sites whose puzzles differ only in what is hidden send the same bytes until the end.
#[test]
fn nothing_before_the_end_depends_on_what_is_hidden() {
    let real: Vec<Puzzle> = sample(20, 7..=9).into_iter().cloned().collect();
    let other: Vec<Puzzle> = real.iter().map(changed).collect();
    for (one, two) in real.iter().zip(&other) {
        assert_eq!((one.id(), &one.position, one.m_win), (two.id(), &two.position, two.m_win));
    }
    let visits: [Mutex<Vec<Visit>>; 2] = Default::default();
    for (puzzles, visits) in [real.clone(), other].into_iter().zip(&visits) {
        let setup = Setup { puzzles: Some(puzzles), ..Setup::default() };
        with_setup(&setup, async |site: &Site| {
            for puzzle in &real {
                let visit = visit(&site.browser(), puzzle).await;
                visits.lock().unwrap().push(visit);
            }
        });
    }
    let [one, two] = visits.map(|visits| visits.into_inner().unwrap());
    assert_eq!(one.len(), two.len());
    for ((before, end), (other_before, other_end)) in one.iter().zip(&two) {
        for (one, other) in before.iter().zip(other_before) {
            assert_eq!(one, other);
        }
        assert_ne!(end, other_end, "the end tells what was hidden, or this test proves nothing");
    }
}

/// What comes after a lost move is told, but not the solution.
#[test]
fn a_failed_attempt_hides_the_solution_until_requested() {
    on_every_site(async |site| {
        let (puzzle, mv) = crate::harness::losable();
        let browser = site.browser();
        let lost = browser.play(&browser.begin(&puzzle.id()).await, &mv).await;
        assert_eq!(lost["result"]["line"], Value::Null);
        let shown = browser.act(&lost, "solution", json!({})).await.json();
        assert_eq!(shown["state"], "shown");
        assert_eq!(shown["result"]["outcome"], "failed");
        assert_eq!(shown["result"]["line"].as_array().unwrap().len(), puzzle.m_win as usize);
        assert!(puzzles().len() > 2000);
    });
}
