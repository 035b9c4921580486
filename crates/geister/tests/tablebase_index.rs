//! Classes of endings against play, and their index against placing ghosts one by one.
//!
//! Random values come from a fixed seed. To look further:
//! `PROPTEST_RNG_SEED=7 PROPTEST_CASES=20000 cargo test -p geister --release`.

use games::Seat;
use games::geister::{Bitboard, Count, Ghost, Outcome, Position, Setup, Square};
use geister::board::{ALL_SQUARES, mirrored_square};
use geister::tablebase::{Captured, Class, Index, RefusedClass};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use std::collections::BTreeSet;

/// Checks `property`, which panics when it does not hold, on random values.
fn for_all<S: Strategy>(strategy: S, property: impl Fn(S::Value)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x5075_6b00);
    }
    let run = TestRunner::new(config).run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
}

fn class(text: &str) -> Class {
    text.parse().expect("the text of a class")
}

/// Every class with up to so many ghosts that a puzzle can start with or lead to.
fn classes_up_to(pieces: u32) -> Vec<Class> {
    Class::closure(&(0..=pieces).flat_map(Class::all_with).collect::<Vec<_>>())
}

/// The ghosts of `class`, each kind by itself, on `squares` in order.
fn place(class: Class, squares: &[Square]) -> [Bitboard; 5] {
    let mut squares = squares.iter().copied();
    Ghost::ALL.map(|ghost| squares.by_ref().take(class.ghosts(ghost) as usize).collect())
}

/// A random position of any of `classes`, in the lowest `area` squares.
fn position_of(classes: Vec<Class>, area: usize) -> impl Strategy<Value = (Class, Position)> {
    let squares: Vec<Square> = ALL_SQUARES.take(area).collect();
    (select(classes), Just(squares).prop_shuffle()).prop_map(|(class, squares)| {
        (class, Position::from_ghosts(place(class, &squares), class.hidden_blue()))
    })
}

mod classes {
    use super::*;

    #[test]
    fn every_class_has_one_text() {
        let classes = classes_up_to(6);
        let texts: BTreeSet<String> = classes.iter().map(Class::to_string).collect();
        assert_eq!(texts.len(), classes.len());
        for &one in &classes {
            assert_eq!(one.to_string().parse(), Ok(one));
            assert_eq!(Class::new(one.count()), Ok(one));
        }
        let by_text: Vec<String> = classes.iter().map(Class::to_string).collect();
        assert!(by_text.is_sorted_by_key(|text| (text.len(), text.clone())));
    }

    /// Every text of up to four letters is refused or comes out as it went in.
    #[test]
    fn other_texts_are_refused() {
        let mut letters = vec![String::new()];
        let mut read = BTreeSet::new();
        for _ in 0..=4 {
            for text in letters.iter().flat_map(|s| (0..=9).map(move |blue| format!("{s}:{blue}")))
            {
                if let Ok(class) = text.parse::<Class>() {
                    assert_eq!(class.to_string(), text);
                    read.insert(class);
                }
            }
            letters = letters
                .iter()
                .flat_map(|s| "BRbru".chars().map(move |c| format!("{s}{c}")))
                .collect();
        }
        assert!(classes_up_to(4).into_iter().all(|class| read.contains(&class)));
    }

    #[test]
    fn bad_texts_are_refused_with_the_reason() {
        let reason = |text: &str| text.parse::<Class>().unwrap_err().reason;
        for text in ["", ":", "BRuu", "BRuu:", "BRuu:01", "BRuu:x", "RBuu:1", "BRub:1", "BRuu:1 "] {
            assert_eq!(reason(text), RefusedClass::Form, "{text}");
        }
        for text in ["BRuu:3", "BRbbr:1", "BRbr:2"] {
            assert_eq!(reason(text), RefusedClass::Blue, "{text}");
        }
        for text in ["BBBBBRuu:1", "BRuuuuuu:1", "BRrrrrruuuuuuuuuuuu:1", "BRbbbbbr:5"] {
            assert_eq!(reason(text), RefusedClass::TooMany, "{text}");
        }
        assert_eq!(reason("Ruu:1"), RefusedClass::NoneOwn(Ghost::OwnBlue));
        assert_eq!(reason("Buu:1"), RefusedClass::NoneOwn(Ghost::OwnRed));
        assert_eq!((reason("BRu:1"), reason("BRr:0")), (RefusedClass::Lost, RefusedClass::Won));
        let error = "BRu:1".parse::<Class>().unwrap_err().to_string();
        let wanted = "\"BRu:1\" is no class of endings: the game is lost when the opposing ghosts \
                      are all blue, so add an `r` or lower BLUE";
        assert_eq!(error, wanted);
        let long = "B".repeat(1 << 20).parse::<Class>().unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn senseless_counts_are_refused() {
        let most = u32::MAX;
        let [own_blue, own_red, shown_blue, shown_red, hidden, hidden_blue] = [most; 6];
        let count = Count { own_blue, own_red, shown_blue, shown_red, hidden, hidden_blue };
        assert_eq!(Class::new(count), Err(RefusedClass::TooMany));
    }

    #[test]
    fn the_number_of_classes_is_known() {
        let counts: Vec<usize> = (0..=17).map(|pieces| Class::all_with(pieces).len()).collect();
        assert_eq!(counts, COUNTS);
        let texts: Vec<String> = Class::all_with(4).iter().map(Class::to_string).collect();
        assert_eq!(texts, ["BRbr:1", "BRbu:1", "BRru:1", "BRuu:1"]);
        // Captures add classes without a blue: `BRu:0`, `BRru:0`, `BRuu:0`, `BBRu:0` and `BRRu:0`.
        assert_eq!(classes_up_to(5).len(), 4 + 20 + 5);
        assert_eq!(classes_up_to(6).len(), 4 + 20 + 61 + 5 + 10);
    }

    const COUNTS: [usize; 18] =
        [0, 0, 0, 0, 4, 20, 61, 146, 269, 408, 522, 548, 486, 356, 201, 90, 25, 0];

    #[test]
    fn dependencies_of_a_class_come_before_it() {
        let texts = |classes: &[Class]| classes.iter().map(Class::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&class("BBRRru:1").needs()), ["BBRru:1", "BRRru:1"]);
        assert_eq!(texts(&class("BRbru:1").needs()), ["BRbr:1", "BRbu:1", "BRru:0"]);
        assert_eq!(
            texts(&Class::closure(&[class("BRbru:1"), class("BRbr:1")])),
            ["BRu:0", "BRbr:1", "BRbu:1", "BRru:0", "BRbru:1"]
        );
        let all = classes_up_to(6);
        for (at, one) in all.iter().enumerate() {
            assert!(one.needs().iter().all(|need| all[..at].contains(need)), "{one}");
            assert!(one.needs().iter().all(|need| need.pieces() + 1 == one.pieces()), "{one}");
        }
    }

    /// What `class` says that taking `ghost` leads to.
    fn foretold(class: Class, ghost: Ghost) -> Captured {
        match ghost {
            Ghost::OwnBlue => class.without_own_blue().map_or(Captured::Lost, Captured::Class),
            Ghost::OwnRed => class.without_own_red().map_or(Captured::Won, Captured::Class),
            Ghost::ShownBlue => class.without_shown_blue(),
            Ghost::ShownRed => class.without_shown_red(),
            Ghost::Hidden => class.without_hidden(),
        }
    }

    /// What the rules say about a position after a capture.
    fn reached(position: &Position) -> Captured {
        match position.outcome() {
            Some(Outcome::Win { winner: Seat::First, .. }) => Captured::Won,
            Some(_) => Captured::Lost,
            None => Captured::Class(Class::of(position).expect("the game goes on")),
        }
    }

    /// Every capture in the position, and in those after a quiet move, by ghost and result.
    fn captures(position: &Position) -> Vec<(Ghost, Captured)> {
        let quiet = position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
        let quiet = quiet.filter(|next| next.count() == position.count());
        let all = std::iter::once(*position).chain(quiet);
        let of = |position: Position| {
            let taking =
                move |mv| Some((position.captured(mv)?, reached(&position.play(mv).ok()?)));
            position.legal_moves().into_iter().filter_map(taking)
        };
        all.flat_map(of).collect()
    }

    #[test]
    fn captures_lead_where_the_class_says() {
        let classes = (0..=16).flat_map(Class::all_with).collect::<Vec<_>>();
        for_all(position_of(Class::closure(&classes), 18), |(class, position)| {
            assert_eq!(Class::of(&position), Some(class));
            for (ghost, result) in captures(&position) {
                assert_eq!(result, foretold(class, ghost), "{position} {ghost:?}");
            }
        });
    }

    /// Splitmix64 (Steele, Lea and Flood 2014).
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    #[test]
    fn play_finds_everything_that_a_class_needs() {
        let corner = ALL_SQUARES.filter(|square| square.column() < 3 && square.row() < 3);
        let mut squares: Vec<Square> = corner.collect();
        let mut state = 0;
        for one in classes_up_to(6) {
            let mut seen = BTreeSet::new();
            for _ in 0..60 {
                squares.sort_by_cached_key(|_| next(&mut state));
                let position = Position::from_ghosts(place(one, &squares), one.hidden_blue());
                seen.extend(captures(&position).into_iter().filter_map(
                    |(_, result)| match result {
                        Captured::Class(class) => Some(class),
                        _ => None,
                    },
                ));
            }
            assert_eq!(Vec::from_iter(seen), one.needs(), "{one}");
        }
    }
}

mod index {
    use super::*;

    /// Calls `visit` with every placement of the class, ghost by ghost.
    fn every_placement(class: Class, visit: &mut impl FnMut(&Setup)) {
        let ghosts: Vec<Ghost> = Ghost::ALL
            .into_iter()
            .flat_map(|ghost| std::iter::repeat_n(ghost, class.ghosts(ghost) as usize))
            .collect();
        let mut setup = Setup::empty();
        setup.blue = class.blue();
        place_all(&ghosts, 0, &mut setup, visit);
    }

    /// Equal ghosts are placed in the order of their squares, the next one from `from` on.
    fn place_all(ghosts: &[Ghost], from: usize, setup: &mut Setup, visit: &mut impl FnMut(&Setup)) {
        let Some((&ghost, rest)) = ghosts.split_first() else { return visit(setup) };
        for square in ALL_SQUARES.skip(from) {
            if setup.get(square).is_none() {
                setup.set(square, Some(ghost));
                let next = if rest.first() == Some(&ghost) { square.index() + 1 } else { 0 };
                place_all(rest, next, setup, visit);
                setup.set(square, None);
            }
        }
    }

    fn position(setup: &Setup) -> Position {
        Position::from_setup(setup.clone()).expect("a position")
    }

    /// The ranks of all placements are all ranks, each met as often as it weighs.
    fn check_whole(text: &str, positions: u64) {
        let class = class(text);
        let index = Index::new(class);
        let mut met = vec![0; index.size() as usize];
        let mut distinct = 0;
        every_placement(class, &mut |setup| {
            let position = position(setup);
            let canonical = position.canonical();
            let rank = index.rank(&position);
            assert_eq!(index.position(rank).canonical(), canonical);
            met[rank as usize] += 1;
            distinct += u64::from(position == canonical);
        });
        assert_eq!((index.positions(), index.size()), (positions, distinct), "{text}");
        assert_eq!(met.iter().sum::<u64>(), positions, "{text}");
        for (rank, &times) in met.iter().enumerate() {
            assert_eq!(index.weight(rank as u64), times, "{text} {rank}");
        }
    }

    #[test]
    fn two_against_two_hidden() {
        check_whole("BRuu:1", 706_860);
    }

    #[test]
    fn two_against_two_shown() {
        check_whole("BRbr:1", 1_413_720);
    }

    #[test]
    fn other_small_classes() {
        check_whole("BRu:0", 42_840);
        check_whole("BBRu:0", 706_860);
        check_whole("BRRu:0", 706_860);
        check_whole("BRru:0", 1_413_720);
    }

    fn choose(n: u64, k: u64) -> u64 {
        (1..=k).fold(1, |product, i| product * (n + 1 - i) / i)
    }

    /// The placements of a class on `squares`, ghosts of one kind coming `at_once`.
    fn placements(class: Class, squares: u64, at_once: u64) -> u64 {
        let counts = Ghost::ALL.map(|ghost| u64::from(class.ghosts(ghost)));
        if counts.iter().any(|count| count % at_once != 0) {
            return 0;
        }
        let mut free = squares;
        counts
            .map(|count| {
                free -= count / at_once;
                choose(free + count / at_once, count / at_once)
            })
            .iter()
            .product()
    }

    /// Burnside: the orbits are half of the positions and of those that the mirror keeps.
    #[test]
    fn sizes_are_those_of_burnside() {
        for class in classes_up_to(8) {
            let index = Index::new(class);
            let (all, kept) = (placements(class, 36, 1), placements(class, 18, 2));
            assert_eq!((index.positions(), index.size()), (all, (all + kept) / 2), "{class}");
        }
    }

    /// Classes of all kinds, and those in which all counts are even more often than they come.
    fn any_class() -> Vec<Class> {
        let mut classes = classes_up_to(8);
        let even =
            |class: &Class| Ghost::ALL.iter().all(|&ghost| class.ghosts(ghost).is_multiple_of(2));
        let all_even: Vec<Class> = classes.iter().copied().filter(even).collect();
        assert!(all_even.contains(&class("BBRRuu:1")) && all_even.contains(&class("BBRRbbrr:2")));
        classes.extend(all_even.repeat(classes.len() / all_even.len()));
        classes
    }

    #[test]
    fn ranks_of_random_positions_lead_back() {
        for_all(position_of(any_class(), 36), |(class, position)| {
            let index = Index::new(class);
            let rank = index.rank(&position);
            assert!(rank < index.size());
            assert_eq!(index.rank(&position.mirror()), rank, "{position}");
            assert_eq!(index.position(rank).canonical(), position.canonical());
            assert_eq!(index.weight(rank) == 1, position == position.mirror(), "{position}");
        });
    }

    #[test]
    fn positions_of_random_ranks_lead_back() {
        for_all((select(any_class()), any::<u64>(), 0..5000_u64), |(class, any, last)| {
            let index = Index::new(class);
            for rank in [any % index.size(), index.size().saturating_sub(1 + last)] {
                let position = index.position(rank);
                assert_eq!(Class::of(&position), Some(class));
                assert_eq!(position.turn(), Seat::First);
                assert_eq!(index.rank(&position), rank, "{class}");
                assert_eq!(index.rank(&position.mirror()), rank, "{class}");
                assert_eq!(index.weight(rank) == 1, position == position.mirror(), "{position}");
            }
        });
    }

    /// Calls `visit` with every placement of two ghosts of each kind, one mirroring the other.
    fn every_pair(kinds: &[Ghost], setup: &mut Setup, visit: &mut impl FnMut(&Setup)) {
        let Some((&ghost, rest)) = kinds.split_first() else { return visit(setup) };
        for square in ALL_SQUARES.filter(|square| square.column() < 3) {
            if setup.get(square).is_none() {
                let both = [square, mirrored_square(square)];
                both.iter().for_each(|&square| setup.set(square, Some(ghost)));
                every_pair(rest, setup, visit);
                both.iter().for_each(|&square| setup.set(square, None));
            }
        }
    }

    /// Positions that are their own mirror images have ranks of their own, of weight 1.
    #[test]
    fn positions_that_the_mirror_keeps() {
        for (text, wanted) in [("BBRRuu:1", 18 * 17 * 16), ("BBRRbbrr:2", 18 * 17 * 16 * 15)] {
            let class = class(text);
            let index = Index::new(class);
            let mut setup = Setup::empty();
            setup.blue = class.blue();
            let mut ranks = BTreeSet::new();
            let kinds = Ghost::ALL.into_iter().filter(|&ghost| class.ghosts(ghost) > 0);
            every_pair(&kinds.collect::<Vec<_>>(), &mut setup, &mut |setup| {
                let position = position(setup);
                let rank = index.rank(&position);
                assert_eq!((index.position(rank), index.weight(rank)), (position, 1));
                assert!(ranks.insert(rank), "{position}");
            });
            assert_eq!(ranks.len(), wanted, "{text}");
            assert_eq!(2 * index.size() - index.positions(), wanted as u64, "{text}");
        }
    }

    /// Nobody is told off, and nothing is out of range.
    #[test]
    fn foreign_positions_and_ranks_stay_in_range() {
        let classes = ["BRuu:1", "BBRRuu:1", "BBBBRRRRbbrruuuu:4"].map(class);
        let indexes = classes.map(Index::new);
        let everywhere = [Bitboard(u64::MAX); 5];
        for index in &indexes {
            assert!(index.rank_of(&everywhere) < index.size());
            assert!(index.rank_of(&[Bitboard::EMPTY; 5]) < index.size());
            assert_eq!(index.position(u64::MAX), index.position(index.size() - 1));
            assert_eq!(index.weight(u64::MAX), index.weight(index.size() - 1));
        }
        let foreign = (0..=12).flat_map(Class::all_with).collect();
        for_all(position_of(foreign, 36), |(_, position)| {
            for index in &indexes {
                assert!(index.rank(&position) < index.size());
            }
        });
    }
}
