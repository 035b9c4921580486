//! One full game on each board, written out ply by ply and compared with `tests/golden/*.txt`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p games --test golden` writes the files anew; read the difference
//! before it is kept.

mod common;

use common::pick;
use games::geister::{Board, Game, Observation, Placement, Side, Small, Square, Standard};
use std::fmt::Write;
use std::path::Path;

/// Splitmix64 (Steele, Lea and Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn placement<B: Board>(&mut self) -> Placement<B> {
        let all: Vec<Placement<B>> = Placement::all().collect();
        all[(self.next() % all.len() as u64) as usize]
    }
}

/// The board as the viewer sees it, the own home at the bottom, `u` for the other side's ghosts.
fn board_of<B: Board>(seen: &Observation<B>) -> Vec<String> {
    let letter = |square| match square {
        s if seen.own().blue.has(s) => 'B',
        s if seen.own().red.has(s) => 'R',
        s if seen.others().has(s) => 'u',
        _ => '.',
    };
    let row = |row| (0..B::COLUMNS).filter_map(move |column| Square::at(column, row)).map(letter);
    (0..B::ROWS).rev().map(|number| row(number).collect()).collect()
}

fn facts_of<B: Board>(seen: &Observation<B>) -> String {
    let (lost, took) = (seen.own_captured(), seen.others_captured());
    let turn = if seen.to_move() { "to move" } else { "not to move" };
    let worlds = seen.colourings().count();
    let (viewer, blue, ghosts) = (seen.viewer(), seen.others_blue(), seen.others().count());
    format!(
        "{viewer} is {turn}, lost {} blue {} red, took {} blue {} red, {blue} of {ghosts} u are \
         blue in one of {worlds} ways",
        lost.0, lost.1, took.0, took.1
    )
}

fn describe<B: Board>(text: &mut String, game: &Game<B>) -> std::fmt::Result {
    let (bottom, top) = (game.observe(Side::Bottom), game.observe(Side::Top));
    writeln!(text, "\nply {} of {}, {} to move", game.ply(), game.draw_limit(), game.turn())?;
    for ((truth, left), right) in game.diagram().lines().zip(board_of(&bottom)).zip(board_of(&top))
    {
        writeln!(text, "  {truth}   {left}   {right}")?;
    }
    writeln!(text, "{}\n{}", facts_of(&bottom), facts_of(&top))
}

fn playthrough<B: Board>(seed: u64) -> Result<String, std::fmt::Error> {
    let mut numbers = Numbers(seed);
    let mut game = Game::<B>::new(numbers.placement(), numbers.placement(), 300);
    let mut text = format!(
        "A game of random moves on {}x{}, seed {seed}.\n\
         The boards are the truth, what the bottom side sees, and what the top side sees.\n",
        B::COLUMNS,
        B::ROWS
    );
    describe(&mut text, &game)?;
    while let Some(mv) = pick(&game, numbers.next() as u16) {
        let seen = game.observe(game.turn()).seen(mv);
        writeln!(text, "{} plays {mv}, to itself {seen}", game.turn())?;
        game = game.play(mv).expect("a picked move is legal");
        describe(&mut text, &game)?;
    }
    let outcome = game.outcome().expect("there are moves until the game is over");
    writeln!(text, "{outcome}")?;
    Ok(text)
}

fn assert_golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden file can be read");
    let first = golden.lines().zip(found.lines()).position(|(golden, found)| golden != found);
    if let Some(line) = first {
        let at = |text: &str| text.lines().nth(line).map(str::to_owned);
        assert_eq!(at(found), at(&golden), "{name}, line {}", line + 1);
    }
    assert_eq!(found.len(), golden.len(), "{name} has another length");
}

#[test]
fn a_game_on_the_standard_board() {
    assert_golden("game-6x6.txt", &playthrough::<Standard>(41).unwrap());
}

#[test]
fn a_game_on_the_small_board() {
    assert_golden("game-4x5.txt", &playthrough::<Small>(48).unwrap());
}
