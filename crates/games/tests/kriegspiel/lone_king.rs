//! Against a lone king a metaposition is not only sound but exact.

use crate::common::golden::Numbers;
use games::kriegspiel::{
    Announcement, BitBoard, Color, LoneKing, Metaposition, Piece, Position, Ruling, Square,
    Termination, Try, TryResult, umpire,
};

/// White's pieces, by kind.
const ARMIES: [&str; 4] = ["KQ", "KR", "KBB", "KBN"];

/// Every position with these pieces and the black king on any other square.
fn worlds(pieces: &[(char, Square)]) -> Vec<Position> {
    let world = |king: Square| {
        let letter = |square: Square| match pieces.iter().find(|piece| piece.1 == square) {
            Some(&(letter, _)) => letter,
            None if square == king => 'k',
            None => '1',
        };
        let rank =
            |rank: usize| (0..8).map(|file| letter(Square::index(8 * rank + file))).collect();
        let ranks: Vec<String> = (0..8).rev().map(rank).collect();
        format!("{} w - - 0 1", ranks.join("/")).parse().ok()
    };
    Square::ALL
        .into_iter()
        .filter(|king| pieces.iter().all(|piece| piece.1 != *king))
        .filter_map(world)
        .collect()
}

fn legal(position: &Position, attempt: Try) -> Option<(Announcement, Position)> {
    match umpire(position, attempt) {
        Ruling::Illegal => None,
        Ruling::Legal { announcement, after } => Some((announcement, after)),
    }
}

fn kings(worlds: &[Position]) -> BitBoard {
    worlds.iter().map(|world| world.board().king(Color::Black)).collect()
}

/// Plays random tries and compares the metaposition with the list of all possible positions.
fn compare(seed: u64) -> usize {
    let mut numbers = Numbers(seed);
    let army = ARMIES[(seed % 4) as usize];
    let mut free = Square::ALL.to_vec();
    let place = |letter| {
        let square = numbers.choose(&free).unwrap();
        free.retain(|&other| other != square);
        (letter, square)
    };
    let pieces: Vec<(char, Square)> = army.chars().map(place).collect();
    let mut worlds = worlds(&pieces);
    let Some(mut truth) = numbers.choose(&worlds) else { return 0 };
    let mut meta = Metaposition::lone_king(truth.own(Color::White));
    assert_eq!(meta.pseudopieces(Piece::King), kings(&worlds));
    let mut compared = 0;
    for _ in 0..40 {
        if truth.termination().is_some() {
            break;
        }
        let attempt = numbers.choose(&meta.tries()).unwrap();
        let answer = legal(&truth, attempt).map(|(announcement, _)| announcement);
        worlds
            .retain(|world| legal(world, attempt).map(|(announcement, _)| announcement) == answer);
        let Some(announcement) = answer else {
            meta = meta.refused(attempt);
            assert_eq!(meta.pseudopieces(Piece::King), kings(&worlds), "{truth} {attempt} refused");
            continue;
        };
        meta = meta.pseudo(attempt, &announcement);
        truth = legal(&truth, attempt).unwrap().1;
        worlds = worlds.iter().map(|world| legal(world, attempt).unwrap().1).collect();
        // Squares where it would be mated or stalemated disappear with its next move.
        assert!(kings(&worlds).is_subset(meta.pseudopieces(Piece::King)), "{truth} {attempt}");
        let Some(reply) = numbers.choose(&truth.legal_moves()) else { break };
        let (announcement, after) = legal(&truth, reply).unwrap();
        if announcement.capture.is_some() {
            break;
        }
        truth = after;
        let replies = |world: &Position| {
            let moves = world.legal_moves().into_iter();
            moves
                .filter_map(|mv| legal(world, mv))
                .filter(|(other, _)| *other == announcement)
                .map(|(_, after)| after)
                .collect::<Vec<_>>()
        };
        worlds = worlds.iter().flat_map(replies).collect();
        worlds.sort_by_key(|world| world.board().king(Color::Black));
        worlds.dedup();
        meta = meta.meta(&announcement);
        assert_eq!(meta.pseudopieces(Piece::King), kings(&worlds), "{truth}");
        compared += 1;
    }
    compared
}

#[test]
fn a_metaposition_of_a_lone_king_is_exact() {
    let compared: usize = (0..300).map(compare).sum();
    assert!(compared > 2000, "{compared}");
}

/// The squares of the king in those worlds where the answer to `attempt` is `wanted`.
fn answered(
    worlds: &[Position],
    attempt: Try,
    wanted: impl Fn(Option<&Announcement>) -> bool,
) -> BitBoard {
    let matches = |world: &&Position| {
        let announcement = legal(world, attempt).map(|(announcement, _)| announcement);
        wanted(announcement.as_ref())
    };
    let matching: Vec<Position> = worlds.iter().filter(matches).cloned().collect();
    kings(&matching)
}

/// Compares the results of every try with the umpire's answers in every world.
fn compare_answers(pieces: &[(char, Square)]) -> usize {
    let worlds = worlds(pieces);
    let Some(first) = worlds.first() else { return 0 };
    let belief = LoneKing::new(first.own(Color::White), kings(&worlds));
    let tries = belief.own().tries(false);
    for &attempt in &tries {
        let ended = |termination: Termination| {
            answered(&worlds, attempt, |said| {
                said.is_some_and(|said| said.termination == Some(termination))
            })
        };
        let (mut refused, mut mated, mut stale) =
            (BitBoard::EMPTY, BitBoard::EMPTY, BitBoard::EMPTY);
        let mut moving = BitBoard::EMPTY;
        belief.for_each_result(attempt, |answer| match answer {
            TryResult::Refused(after) => refused |= after.squares(),
            TryResult::Checkmate(from) => mated |= from,
            TryResult::Stalemate(from) => stale |= from,
            TryResult::Moves { from, .. } => {
                let said = |king: Square| {
                    let world =
                        worlds.iter().find(|world| world.board().king(Color::Black) == king);
                    legal(world.unwrap(), attempt).unwrap().0.checks
                };
                let first = said(from.next_square().unwrap());
                assert!(from.into_iter().all(|king| said(king) == first), "{pieces:?} {attempt}");
                moving |= from;
            }
        });
        assert_eq!(
            refused,
            answered(&worlds, attempt, |said| said.is_none()),
            "{pieces:?} {attempt}"
        );
        assert_eq!(mated, ended(Termination::Checkmate), "{pieces:?} {attempt}");
        assert_eq!(stale, ended(Termination::Stalemate), "{pieces:?} {attempt}");
        assert_eq!(moving | refused | mated | stale, belief.squares());
    }
    tries.len()
}

#[test]
fn results_of_a_try_are_the_answers_of_the_umpire() {
    let mut numbers = Numbers(9);
    let mut compared = 0;
    for number in 0..200 {
        let mut free = Square::ALL.to_vec();
        let place = |letter| {
            let square = numbers.choose(&free).unwrap();
            free.retain(|&other| other != square);
            (letter, square)
        };
        let pieces: Vec<(char, Square)> =
            ["KQ", "KR", "KBB", "KQN"][number % 4].chars().map(place).collect();
        compared += compare_answers(&pieces);
    }
    assert!(compared > 2_000, "{compared}");
}
