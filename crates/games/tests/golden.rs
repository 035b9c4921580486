//! One full game on each board, written out ply by ply and compared with `tests/golden/*.txt`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p games --test golden` writes the files anew; read the difference
//! before it is kept.

mod common;

use common::golden::{Numbers, assert_golden};
use common::pick;
use games::Seat;
use games::geister::{Board, Game, Observation, Placement, Small, Square, Standard, side_name};
use std::fmt::Write;

fn placement<B: Board>(numbers: &mut Numbers) -> Placement<B> {
    let all: Vec<Placement<B>> = Placement::all().collect();
    all[(numbers.next() % all.len() as u64) as usize]
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
    let (viewer, blue, ghosts) =
        (side_name(seen.viewer()), seen.others_blue(), seen.others().count());
    format!(
        "{viewer} is {turn}, lost {} blue {} red, took {} blue {} red, {blue} of {ghosts} u are \
         blue in one of {worlds} ways",
        lost.0, lost.1, took.0, took.1
    )
}

fn describe<B: Board>(text: &mut String, game: &Game<B>) -> std::fmt::Result {
    let (bottom, top) = (game.observe(Seat::First), game.observe(Seat::Second));
    writeln!(
        text,
        "\nply {} of {}, {} to move",
        game.ply(),
        game.draw_limit(),
        side_name(game.turn())
    )?;
    for ((truth, left), right) in game.diagram().lines().zip(board_of(&bottom)).zip(board_of(&top))
    {
        writeln!(text, "  {truth}   {left}   {right}")?;
    }
    writeln!(text, "{}\n{}", facts_of(&bottom), facts_of(&top))
}

fn playthrough<B: Board>(seed: u64) -> Result<String, std::fmt::Error> {
    let mut numbers = Numbers(seed);
    let mut game = Game::<B>::new(placement(&mut numbers), placement(&mut numbers), 300);
    let mut text = format!(
        "A game of random moves on {}x{}, seed {seed}.\n\
         The boards are the truth, what the bottom side sees, and what the top side sees.\n",
        B::COLUMNS,
        B::ROWS
    );
    describe(&mut text, &game)?;
    while let Some(mv) = pick(&game, numbers.next() as u16) {
        let seen = game.observe(game.turn()).seen(mv);
        writeln!(text, "{} plays {mv}, to itself {seen}", side_name(game.turn()))?;
        game = game.play(mv).expect("a picked move is legal");
        describe(&mut text, &game)?;
    }
    let outcome = game.outcome().expect("there are moves until the game is over");
    writeln!(text, "{outcome}")?;
    Ok(text)
}

#[test]
fn a_game_on_the_standard_board() {
    assert_golden("game-6x6.txt", &playthrough::<Standard>(41).unwrap());
}

#[test]
fn a_game_on_the_small_board() {
    assert_golden("game-4x5.txt", &playthrough::<Small>(48).unwrap());
}
