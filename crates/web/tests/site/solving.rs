//! An attempt from its beginning to its end, whichever way it goes.

use crate::harness::{
    Browser, first_move, losable, on_every_site, position_of, puzzles, right_move, sample,
    wins_within,
};
use games::geister::Move;
use puzzle::Puzzle;
use search::Verdict;
use serde_json::{Value, json};
use service::glicko::{self, Rating};
use service::rating_policy::{History, weigh};

fn close(told: &Value, expected: f64) -> bool {
    told.as_f64().is_some_and(|told| (told - expected).abs() < 1e-6)
}

fn start_rating(puzzle: &Puzzle) -> Rating {
    Rating::of_difficulty(puzzle.grade.as_ref().unwrap().grade.difficulty)
}

/// The rating of a player with this number of counted attempts on one day after another one.
fn rated(player: Rating, counted: i64, puzzle: &Puzzle, solved: bool) -> Rating {
    let weights = weigh(History { counted, days: 1 }, None).unwrap();
    player.moved(glicko::after(player, start_rating(puzzle), solved).0, weights.player)
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// Fails unless the attempt stands at a win in exactly the plies it tells.
fn expect_exact(attempt: &Value) {
    let (position, plies) = (position_of(attempt), attempt["plies"].as_u64().unwrap() as u32);
    assert!(wins_within(&position, plies), "{attempt}");
    assert!(plies < 2 || !wins_within(&position, plies - 2), "{attempt}");
}

/// Plays the shipped line; where the site defends as long by another move, right moves from there.
async fn solve_by_line(browser: &Browser, puzzle: &Puzzle) -> Value {
    let mut attempt = browser.begin(&puzzle.id()).await;
    assert_eq!((&attempt["state"], &attempt["counts"]), (&json!("open"), &json!(true)));
    assert_eq!(attempt["start"], puzzle.position.to_string());
    let line = texts(&puzzle.line);
    let mut left = puzzle.m_win;
    while attempt["state"] == "open" {
        assert_eq!((&attempt["plies"], &attempt["result"]), (&json!(left), &Value::Null));
        expect_exact(&attempt);
        let played: Vec<&str> = attempt["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["move"].as_str().unwrap())
            .collect();
        let on_line = line.iter().zip(&played).all(|(one, other)| one == other);
        let mv = if on_line { line[played.len()].clone() } else { right_move(&attempt) };
        attempt = browser.play(&attempt, &mv).await;
        let judgement = &attempt["judgement"];
        assert_eq!((&judgement["verdict"], &judgement["by"]), (&json!("right"), &Value::Null));
        assert_eq!(
            (&judgement["own"]["move"], &judgement["own"]["side"]),
            (&json!(mv), &json!("own"))
        );
        assert_eq!(judgement["reply"].is_null(), left == 1);
        assert_eq!(attempt["can_take_back"], false);
        left = left.saturating_sub(2);
    }
    attempt
}

#[test]
fn the_shipped_line_solves_and_ratings_move() {
    on_every_site(async |site| {
        let browser = site.browser();
        let mut player = Rating::NEW_PLAYER;
        for (counted, puzzle) in sample(12, 1..=13).into_iter().enumerate() {
            let attempt = solve_by_line(&browser, puzzle).await;
            let after = rated(player, counted as i64, puzzle, true);
            let result = &attempt["result"];
            assert_eq!(attempt["state"], "solved");
            assert_eq!((&attempt["plies"], &attempt["legal"]), (&json!(0), &json!([])));
            assert_eq!(attempt["judgement"]["winner"], "own");
            assert_eq!(
                (&result["outcome"], &result["counted"], &result["longer_by"]),
                (&json!("solved"), &json!(true), &json!(0))
            );
            assert_eq!(result["line"], json!(texts(&puzzle.line)));
            let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
            assert_eq!(result["themes"], json!(themes));
            let grade = &puzzle.grade.as_ref().unwrap().grade;
            assert!(close(&result["difficulty"], grade.difficulty));
            assert!(close(&result["interest"], grade.interest));
            assert!(close(&result["player"]["before"], player.rating));
            assert!(
                close(&result["player"]["after"], after.rating) && after.rating > player.rating
            );
            // Newcomers do not move the ratings of puzzles.
            assert!(close(&result["rating"], start_rating(puzzle).rating));
            assert_eq!((&result["attempts"], &result["solved"]), (&json!(0), &json!(0)));
            assert_eq!(
                (&result["unrated"], &result["puzzle_counted"]),
                (&Value::Null, &json!(false))
            );
            assert!(result["next"].is_string() && result["next"] != json!(puzzle.id()));
            player = after;
            let path = format!("/attempts/{}", attempt["attempt"].as_str().unwrap());
            let again = browser.get(&path).await.json();
            assert_eq!((&again["events"], &again["result"]), (&attempt["events"], result));
        }
        let me = browser.get("/me").await.json();
        assert_eq!((&me["attempts"], &me["solved"]), (&json!(12), &json!(12)));
        assert!(close(&me["rating"], player.rating) && close(&me["deviation"], player.deviation));
        assert_eq!(browser.get("/progress").await.json()["ratings"].as_array().unwrap().len(), 12);
    });
}

/// A shipped puzzle with a first move that wins later, that move, and how much later.
fn longer() -> (&'static Puzzle, String, u32) {
    let plies = |verdict| match verdict {
        Verdict::Win(plies) => plies,
        _ => 0,
    };
    let with = |puzzle: &'static Puzzle| {
        let later = |verdict| plies(verdict) > puzzle.m_win;
        let mv = first_move(puzzle, later)?;
        let first = puzzle.first_moves.iter().find(|first| first.mv == mv)?;
        Some((puzzle, mv.to_string(), plies(first.verdict) - puzzle.m_win))
    };
    puzzles().iter().filter(|puzzle| puzzle.m_win == 7).find_map(with).unwrap()
}

#[test]
fn a_longer_win_can_be_taken_back_or_continued() {
    on_every_site(async |site| {
        let (puzzle, mv, by) = longer();
        let browser = site.browser();
        let start = browser.begin(&puzzle.id()).await;
        let longer = browser.play(&start, &mv).await;
        assert_eq!(longer["judgement"]["verdict"], "longer");
        assert_eq!(longer["judgement"]["by"], by);
        assert_eq!(
            (&longer["state"], &longer["can_take_back"], &longer["counts"]),
            (&json!("open"), &json!(true), &json!(true))
        );
        expect_exact(&longer);
        let back = browser.act(&longer, "back", json!({})).await.json();
        for field in ["state", "position", "plies", "legal", "events", "counts", "result"] {
            assert_eq!(back[field], start[field], "{field}");
        }
        assert_eq!(
            browser.act(&back, "back", json!({})).await.refusal(409),
            "nothing-to-take-back"
        );
        let longer = browser.play(&back, &mv).await;
        let solved = browser.win(longer).await;
        assert_eq!(solved["result"]["longer_by"], by);
        let expected = rated(Rating::NEW_PLAYER, 0, puzzle, true);
        assert!(close(&solved["result"]["player"]["after"], expected.rating));
        assert_eq!(
            browser.act(&solved, "back", json!({})).await.refusal(409),
            "nothing-to-take-back"
        );
    });
}

/// A move that is not right, and of which nobody can say in time whether it still wins, is told as
/// that; it has to be taken back, and costs nothing.
#[test]
fn moves_that_cannot_be_judged_in_time_do_not_count() {
    on_every_site(async |site| {
        let browser = site.browser();
        let (attempt, unclear) = unclear_move(&browser).await;
        assert_eq!((&unclear["state"], &unclear["plies"]), (&json!("open"), &Value::Null));
        assert_eq!((&unclear["legal"], &unclear["can_take_back"]), (&json!([]), &json!(true)));
        assert!(unclear["result"].is_null());
        let back = browser.act(&unclear, "back", json!({})).await.json();
        assert_eq!((&back["state"], &back["plies"]), (&json!("open"), &attempt["plies"]));
        assert_eq!((&back["counts"], &back["events"]), (&json!(true), &attempt["events"]));
    });
}

/// An attempt, and the answer to a move in it that is judged as unclear: looked for among the second
/// moves of long puzzles, of which no record says anything.
async fn unclear_move(browser: &Browser) -> (Value, Value) {
    for puzzle in puzzles().iter().filter(|puzzle| puzzle.m_win == 15) {
        let start = browser.begin(&puzzle.id()).await;
        let mut attempt = browser.play(&start, &puzzle.line[0].to_string()).await;
        let legal = attempt["legal"].as_array().unwrap().clone();
        for mv in legal.iter().map(|mv| mv.as_str().unwrap()) {
            let answer = browser.play(&attempt, mv).await;
            match answer["judgement"]["verdict"].as_str().unwrap() {
                "unclear" => return (attempt, answer),
                "longer" => attempt = browser.act(&answer, "back", json!({})).await.json(),
                // Right moves stay, and a lost one counts: with another puzzle, then.
                _ => break,
            }
        }
    }
    panic!("no move of the collection is unclear")
}

#[test]
fn a_losing_move_is_rated_once_and_practice_is_not() {
    on_every_site(async |site| {
        let (puzzle, mv) = losable();
        let browser = site.browser();
        let start = browser.begin(&puzzle.id()).await;
        let lost = browser.play(&start, &mv).await;
        assert_eq!((&lost["state"], &lost["plies"]), (&json!("failed"), &Value::Null));
        assert_eq!((&lost["legal"], &lost["can_take_back"]), (&json!([]), &json!(true)));
        assert_eq!(lost["judgement"]["verdict"], "lost");
        let depth = lost["judgement"]["depth"].as_u64().unwrap();
        assert!(depth >= u64::from(puzzle.m_win));
        if lost["judgement"]["end"].is_null() {
            assert_eq!(lost["judgement"]["reply"]["side"], "top");
            assert!(!wins_within(&position_of(&lost), puzzle.m_win), "no refutation: {lost}");
        }
        let expected = rated(Rating::NEW_PLAYER, 0, puzzle, false);
        let result = &lost["result"];
        assert_eq!((&result["outcome"], &result["line"]), (&json!("failed"), &Value::Null));
        assert!(close(&result["player"]["after"], expected.rating));
        let me = browser.get("/me").await.json();
        assert!(me["rating"].as_f64().unwrap() < 1500.0);
        // Nothing is played from a lost position, and no hint is given there.
        for what in ["hint", "moves"] {
            let ply = lost["events"].as_array().unwrap().len();
            let body = if what == "moves" { json!({ "move": mv, "ply": ply }) } else { json!({}) };
            assert_eq!(browser.act(&lost, what, body).await.refusal(409), "take-back-first");
        }
        let back = browser.act(&lost, "back", json!({})).await.json();
        assert_eq!((&back["state"], &back["plies"]), (&json!("failed"), &start["plies"]));
        let twice = browser.play(&back, &mv).await;
        assert_eq!(twice["result"]["player"], result["player"]);
        let back = browser.act(&twice, "back", json!({})).await.json();
        let practised = browser.win(back).await;
        assert_eq!(practised["result"]["outcome"], "failed");
        assert_eq!(practised["result"]["player"], result["player"]);
        assert_eq!(practised["result"]["line"], json!(texts(&puzzle.line)));
        assert_eq!(browser.get("/me").await.json(), me);
        let progress = browser.get("/progress").await.json();
        assert_eq!(progress["to_review"], json!([puzzle.id()]));
        assert_eq!(progress["ratings"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn a_hint_names_a_right_ghost_and_makes_the_attempt_unrated() {
    on_every_site(async |site| {
        let browser = site.browser();
        let puzzle = sample(1, 9..=9)[0];
        let start = browser.begin(&puzzle.id()).await;
        let hinted = browser.act(&start, "hint", json!({})).await.json();
        assert_eq!((&hinted["counts"], &hinted["state"]), (&json!(false), &json!("open")));
        let square = hinted["hint"].as_str().unwrap();
        let position = position_of(&hinted);
        let right = |mv: &Move| wins_within(&position.play(*mv).unwrap(), puzzle.m_win - 1);
        let from = |mv: &&Move| mv.from().to_string() == square;
        assert!(position.legal_moves().iter().filter(from).any(right), "{hinted}");
        let next = browser.play(&hinted, &right_move(&hinted)).await;
        assert_eq!(next["hint"], Value::Null);
        let solved = browser.win(next).await;
        assert_eq!(
            (&solved["result"]["counted"], &solved["result"]["player"]),
            (&json!(false), &Value::Null)
        );
        assert_eq!(solved["result"]["unrated"], "hint");
        let me = browser.get("/me").await.json();
        assert_eq!((&me["attempts"], &me["rating"]), (&json!(0), &json!(1500.0)));
    });
}

#[test]
fn a_shown_solution_counts_as_failed() {
    on_every_site(async |site| {
        let browser = site.browser();
        let puzzle = sample(1, 9..=9)[0];
        let start = browser.begin(&puzzle.id()).await;
        let shown = browser.act(&start, "solution", json!({})).await.json();
        assert_eq!(
            (&shown["state"], &shown["result"]["outcome"]),
            (&json!("shown"), &json!("shown"))
        );
        assert_eq!(shown["result"]["line"], json!(texts(&puzzle.line)));
        let expected = rated(Rating::NEW_PLAYER, 0, puzzle, false);
        assert!(close(&shown["result"]["player"]["after"], expected.rating));
        let again = browser.act(&start, "solution", json!({})).await.json();
        assert_eq!(again["result"], shown["result"]);
        for (what, body) in
            [("hint", json!({})), ("moves", json!({ "move": texts(&puzzle.line)[0], "ply": 0 }))]
        {
            assert_eq!(browser.act(&start, what, body).await.refusal(409), "attempt-over");
        }
        let me = browser.get("/me").await.json();
        assert_eq!(
            (&me["attempts"], &me["solved"], &me["to_review"]),
            (&json!(1), &json!(0), &json!(1))
        );
    });
}

#[test]
fn a_repeated_request_is_harmless_and_others_are_out_of_step() {
    on_every_site(async |site| {
        let browser = site.browser();
        let puzzle = sample(1, 9..=9)[0];
        let start = browser.begin(&puzzle.id()).await;
        let mv = right_move(&start);
        let once = browser.play(&start, &mv).await;
        let twice = browser.play(&start, &mv).await;
        for field in ["attempt", "events", "position", "plies", "legal", "state"] {
            assert_eq!(once[field], twice[field], "{field}");
        }
        assert!(twice.get("judgement").is_none());
        let play = async |mv: &str, ply: usize| {
            browser.act(&once, "moves", json!({ "move": mv, "ply": ply })).await
        };
        let next = right_move(&once);
        for ply in [0, 1, 3, 99] {
            assert_eq!(play(&next, ply).await.refusal(409), "out-of-step", "{ply}");
        }
        for mv in ["", "a1", "a1a9", "a1a3x", "ａ１ａ２", "a1-out-out", "null"] {
            assert_eq!(play(mv, 2).await.refusal(400), "bad-move", "{mv:?}");
        }
        let legal = once["legal"].as_array().unwrap();
        for mv in ["a1f6", "f6-out", "a6-out", "c3c4"] {
            if !legal.contains(&json!(mv)) {
                assert_eq!(play(mv, 2).await.refusal(400), "illegal-move", "{mv}");
            }
        }
        assert_eq!(play(&next, 2).await.json()["judgement"]["verdict"], "right");
    });
}

#[test]
fn only_the_first_attempt_is_rated_and_an_open_one_is_resumed() {
    on_every_site(async |site| {
        let browser = site.browser();
        let id = &sample(1, 7..=7)[0].id();
        let path = &format!("/puzzles/{id}/attempts");
        let first = browser.begin(id).await;
        let moved = browser.play(&first, &right_move(&first)).await;
        let reloaded = browser.begin(id).await;
        assert_eq!(
            (&reloaded["attempt"], &reloaded["events"]),
            (&first["attempt"], &moved["events"])
        );
        browser.win(moved).await;
        let me = browser.get("/me").await.json();
        // A long look before must not put the second attempt before the first.
        let body = json!({ "mode": "review", "waited": 3600 });
        let second = browser.post(path, body.clone()).await.json();
        assert_ne!(second["attempt"], first["attempt"]);
        assert_eq!((&second["counts"], &second["mode"]), (&json!(false), &json!("review")));
        assert_eq!(browser.post(path, body).await.json()["attempt"], second["attempt"]);
        let anew = browser.post(path, json!({ "again": true })).await.json();
        assert!(anew["attempt"] != second["attempt"] && anew["counts"] == false);
        assert_eq!(browser.begin(id).await["attempt"], anew["attempt"]);
        let solved = browser.win(anew).await;
        let result = &solved["result"];
        assert_eq!((&result["counted"], &result["unrated"]), (&json!(false), &json!("repeated")));
        assert_eq!(browser.get("/me").await.json(), me);
    });
}

#[test]
fn time_before_the_first_move_is_recorded_and_bounded() {
    on_every_site(async |site| {
        let id = &sample(1, 7..=7)[0].id();
        for (said, least, most) in [(12.5, 12.4, 60.0), (1e300, 3599.0, 3700.0), (-5.0, 0.0, 60.0)]
        {
            let body = json!({ "waited": said });
            let path = format!("/puzzles/{id}/attempts");
            let attempt = site.browser().post(&path, body).await.json();
            let elapsed = attempt["elapsed_seconds"].as_f64().unwrap();
            assert!((least..most).contains(&elapsed), "{said} {elapsed}");
        }
    });
}
