//! `spuk bench play`.

use crate::common::{code, program, text};
use serde_json::Value;

#[test]
fn many_games_at_once_are_measured_and_kept() {
    let output = program()
        .args([
            "bench",
            "play",
            "--games",
            "12",
            "--seconds",
            "2",
            "--opponent",
            "random",
            "--json",
        ])
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = |name: &str| record[name].as_u64().unwrap();
    assert!(count("begun") >= 12 && count("moves") >= 12 && count("answers") >= 24, "{record}");
    assert_eq!(count("kept"), count("begun"), "{record}");
    let wrong =
        program().args(["bench", "play", "--games", "2", "--opponent", "nobody"]).output().unwrap();
    assert_eq!(code(&wrong), 2);
    assert!(text(&wrong.stderr).contains("no-opponent"), "{}", text(&wrong.stderr));
}
