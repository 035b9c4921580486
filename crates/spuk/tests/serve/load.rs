//! `spuk bench play`.

use crate::common::{code, program, text};
use serde_json::Value;

#[test]
fn bench_play_finds_every_game_after_the_kill() {
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
    let unknown =
        program().args(["bench", "play", "--games", "2", "--opponent", "nobody"]).output().unwrap();
    assert_eq!(code(&unknown), 2);
    assert!(text(&unknown.stderr).contains("no-opponent"), "{}", text(&unknown.stderr));
}
