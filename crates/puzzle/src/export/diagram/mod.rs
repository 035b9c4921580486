//! Pictures of a Geister position: [`svg`] for paper and pages, [`text`] for a terminal, and
//! [`describe`] for those who cannot see either.

pub mod svg;
pub mod text;

use super::words::Words;
use common::Language;
use games::Seat;
use games::geister::{Board, Ghost, Position};

/// The position in plain words.
///
/// "6 by 6 board. Own blue on a4; own red on a1; unknown on b1, e5. 1 of the opponent's 2 ghosts
/// is blue. Own side to move."
pub fn describe<B: Board>(position: &Position<B>, language: Language) -> String {
    let words = Words(language);
    let ghosts = Ghost::ALL.into_iter().filter_map(|ghost| {
        let squares = position.ghosts(ghost);
        squares.any().then(|| words.ghosts_on(ghost, squares))
    });
    let ghosts = words.list_of_ghosts(&ghosts.collect::<Vec<_>>());
    let (blue, red) = blue_and_red(position);
    let turn = position.outcome().is_none().then_some(position.turn());
    [
        words.board(B::COLUMNS, B::ROWS),
        ghosts,
        words.colours(blue, red),
        words.turn(turn).to_owned(),
    ]
    .join(language.pick(" ", ""))
}

/// How many of the opponent's ghosts on the board are blue, and how many are red.
pub(super) fn blue_and_red<B: Board>(position: &Position<B>) -> (u32, u32) {
    let (all, blue) = (position.army(Seat::Second).count(), position.blue_count());
    (blue, all.saturating_sub(blue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::Small;

    fn described(text: &str) -> String {
        describe(&text.parse::<Position>().unwrap(), Language::English)
    }

    #[test]
    fn a_description_names_every_ghost_and_the_colours() {
        assert_eq!(
            described("6/4u1/B5/6/6/Ru4 1"),
            "6 by 6 board. Own blue on a4; own red on a1; unknown on b1, e5. \
             1 of the opponent's 2 ghosts is blue. Own side to move."
        );
        assert_eq!(
            described("b5/4b1/B1B3/6/6/Rr4 2"),
            "6 by 6 board. Own blue on a4, c4; own red on a1; opponent's blue on e5, a6; \
             opponent's red on b1. 2 of the opponent's 3 ghosts are blue. Own side to move."
        );
    }

    #[test]
    fn a_description_says_whose_turn_it_is_or_that_the_game_is_over() {
        let position: Position<Small> = "Bu2/4/4/4/R2u 1".parse().unwrap();
        let step = position.play("a5a4".parse().unwrap()).unwrap();
        assert!(describe(&step, Language::English).starts_with("4 by 5 board. Own blue on a4; "));
        assert!(describe(&step, Language::English).ends_with(". Opponent to move."));
        let out = position.play("a5-out".parse().unwrap()).unwrap();
        assert!(describe(&out, Language::English).starts_with("4 by 5 board. Own red on a1; "));
        assert!(describe(&out, Language::English).ends_with(". The game is over."));
    }

    #[test]
    fn a_description_is_there_in_japanese() {
        let position: Position = "b5/4b1/B1B3/6/6/Rr4 2".parse().unwrap();
        assert_eq!(
            describe(&position, Language::Japanese),
            "盤は6×6。自分の青駒：a4、c4。自分の赤駒：a1。相手の青駒：e5、a6。相手の赤駒：b1。\
             相手の駒3つのうち青駒は2つ。自分の手番。"
        );
    }
}
