//! Pictures of a Geister position: [`svg`] for paper and pages, [`text`] for a terminal, and
//! [`describe`] for those who cannot see either.

pub mod svg;
pub mod text;

use games::geister::{Bitboard, Board, Ghost, Position, Side};

/// The position in plain words.
///
/// "6 by 6 board. Own blue on a4; own red on a1; unknown on b1, e5. 1 of the opponent's 2 ghosts
/// is blue. Own side to move."
pub fn describe<B: Board>(position: &Position<B>) -> String {
    let ghosts = Ghost::ALL.into_iter().filter_map(|ghost| {
        let squares = position.ghosts(ghost);
        squares.any().then(|| format!("{} on {}", kind(ghost), names(squares)))
    });
    let ghosts = capitalised(&ghosts.collect::<Vec<_>>().join("; "));
    let size = format!("{} by {} board", B::COLUMNS, B::ROWS);
    format!("{size}. {ghosts}. {}. {}.", colours(position), turn(position))
}

/// What a ghost is called in a description.
fn kind(ghost: Ghost) -> &'static str {
    match ghost {
        Ghost::OwnBlue => "own blue",
        Ghost::OwnRed => "own red",
        Ghost::ShownBlue => "opponent's blue",
        Ghost::ShownRed => "opponent's red",
        Ghost::Hidden => "unknown",
    }
}

fn names(squares: Bitboard) -> String {
    squares.map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}

fn colours<B: Board>(position: &Position<B>) -> String {
    let (blue, red) = blue_and_red(position);
    let verb = if blue == 1 { "is" } else { "are" };
    match blue + red {
        1 => format!("The opponent's ghost is {}", if blue == 1 { "blue" } else { "red" }),
        all => format!("{blue} of the opponent's {all} ghosts {verb} blue"),
    }
}

fn turn<B: Board>(position: &Position<B>) -> &'static str {
    match (position.outcome(), position.turn()) {
        (Some(_), _) => "The game is over",
        (None, Side::Bottom) => "Own side to move",
        (None, Side::Top) => "Opponent to move",
    }
}

/// How many of the opponent's ghosts on the board are blue, and how many are red.
fn blue_and_red<B: Board>(position: &Position<B>) -> (u32, u32) {
    let (all, blue) = (position.army(Side::Top).count(), position.blue_count());
    (blue, all.saturating_sub(blue))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::Small;

    fn described(text: &str) -> String {
        describe(&text.parse::<Position>().unwrap())
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
        assert!(describe(&step).starts_with("4 by 5 board. Own blue on a4; "));
        assert!(describe(&step).ends_with(". Opponent to move."));
        let out = position.play("a5-out".parse().unwrap()).unwrap();
        assert!(describe(&out).starts_with("4 by 5 board. Own red on a1; "));
        assert!(describe(&out).ends_with(". The game is over."));
    }
}
