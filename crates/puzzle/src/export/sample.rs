//! A puzzle for tests.

use crate::{Origin, Puzzle, Quality, SourceKind, Theme};
use games::geister::{Position, Square};
use geister::solver::FirstMove;
use search::Verdict;

/// The puzzle of README, with made-up measures.
pub(super) fn puzzle() -> Puzzle {
    let position: Position = "6/4u1/B5/6/6/Ru4 1".parse().unwrap();
    let verdict = |text: &str| match text {
        "a4a5" => Verdict::Win(5),
        "a4b4" => Verdict::Win(7),
        _ => Verdict::NoWin { depth: 7 },
    };
    let moves = position.legal_moves().into_iter();
    Puzzle {
        position,
        m_win: 5,
        red_wall: true,
        capture_win: false,
        themes: [Theme::RedWall, Theme::Solo].into(),
        quality: Quality {
            keys: 1,
            winning_first_moves: 1,
            purity: 2.0 / 3.0,
            idle: ["b1", "e5"].map(|name| Square::from_name(name).unwrap()).into(),
            futile_plies: Some(0),
        },
        line: ["a4a5", "b1c1", "a5a6", "c1b1", "a6-out"].map(|mv| mv.parse().unwrap()).into(),
        first_moves: moves.map(|mv| FirstMove { mv, verdict: verdict(&mv.to_string()) }).collect(),
        proved_by: crate::record::ProvedBy::Search,
        origin: Origin { kind: SourceKind::Given, trial: 3, request: String::new(), seed: 7 },
        version: "0".into(),
        grade: None,
    }
}
