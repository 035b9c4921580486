//! Quality and themes on boards made by hand, and against a slow twin that plays all lines.

#![allow(clippy::unwrap_used)]

mod common;

use common::{verified, verify};
use games::Seat;
use games::geister::Position;
use puzzle::Theme;
use puzzle::compose::{Criteria, Idle, Rejection};
use search::minimax::wins_within;
use std::collections::BTreeSet;

fn keys(text: &str) -> Vec<String> {
    verified(text).keys().map(|mv| mv.to_string()).collect()
}

fn has(text: &str, theme: Theme) -> bool {
    verified(text).themes.contains(&theme)
}

#[test]
fn the_key_is_unique_if_one_move_alone_is_as_short() {
    // A blue beside an empty corner: three moves, and a detour takes five.
    let straight = verified("6/B5/6/6/u4u/R5 1");
    assert_eq!((straight.m_win, straight.quality.keys), (3, 1));
    // Two blues, each beside an empty corner.
    let twice = verified("6/B4B/6/6/u4u/2R3 1");
    assert_eq!((twice.m_win, twice.quality.keys), (3, 2));
    assert_eq!(keys("6/B4B/6/6/u4u/2R3 1"), ["a5a6", "f5f6"]);
    assert!(twice.quality.winning_first_moves >= 2);
}

#[test]
fn purity_is_the_share_of_forced_own_moves() {
    // From b4 there are two ways round to a6 and one move is left when they meet.
    let choice = verified("5u/5u/1B4/6/6/R5 1");
    assert!(choice.quality.purity < 1.0, "{choice:?}");
    let forced = verified("6/B5/6/6/u4u/R5 1");
    assert_eq!(forced.quality.purity, 1.0);
}

#[test]
fn an_idle_ghost_can_be_taken_off() {
    // The blue runs along row 6; the red far below and the ghost beside it have no part in it, but
    // the red is the only one. A second one is idle.
    let lean = verified("6/B5/6/6/u4u/R5 1");
    let fat = verified("6/B5/6/6/u4u/RR4 1");
    assert!(fat.quality.idle.len() > lean.quality.idle.len(), "{:?}", fat.quality);
    let criteria = Criteria { idle: Idle::Refused, ..Criteria::default() };
    assert_eq!(verify("6/B5/6/6/u4u/RR4 1", &criteria), Err(Rejection::Idle));
    let criteria = Criteria { idle: Idle::Stripped, ..Criteria::default() };
    let stripped = verify("6/B5/6/6/u4u/RR4 1", &criteria).unwrap();
    assert!(stripped.quality.idle.is_empty());
    assert_eq!((stripped.m_win, stripped.quality.keys), (fat.m_win, fat.quality.keys));
    let ghosts = |p: &Position| (p.army(Seat::First) | p.army(Seat::Second)).count();
    assert!(ghosts(&stripped.position) < ghosts(&fat.position));
}

#[test]
fn an_attack_is_futile_if_it_only_adds_plies() {
    // The idea of example 13b of Hsueh et al. (2025): the blue on b5 needs four moves, but first
    // the red has to come down twice against the ghost on d1. Then nothing is left of the attack.
    let futile = verified("R5/1B4/5R/6/6/1r1b2 1");
    assert_eq!((futile.m_win, futile.quality.futile_plies), (11, Some(4)));
    // The idea of 13c: one move against the attack, and then a race won by a tempo.
    let race = verified("2B2u/6/1R4/4u1/4B1/4u1 1");
    assert_eq!((race.m_win, race.quality.futile_plies), (7, Some(0)));
    assert!(race.themes.contains(&Theme::TempoRace));
}

#[test]
fn themes_on_boards_made_by_hand() {
    // Captures are there on b6 and on a5's side; the way is to the other exit.
    assert!(has("1uB3/1R4/6/4u1/6/6 1", Theme::FarExit));
    assert!(has("1uB3/1R4/6/4u1/6/6 1", Theme::QuietKey));
    assert!(!has("6/B5/6/6/u4u/R5 1", Theme::FarExit));
    // The ghost on f1 leaves unless it is captured, by a red that has to go down for it.
    for theme in [Theme::Defence, Theme::Retreat] {
        assert!(has("6/B5/3u2/2u3/5R/5u 1", theme), "{theme}");
    }
    // One blue walks out alone, one tempo before the other side.
    for theme in [Theme::Solo, Theme::TempoRace] {
        assert!(has("2B1u1/6/6/6/4u1/3R2 1", theme), "{theme}");
    }
    // The red that steps aside is captured by the ghost it lets in, which is captured in turn.
    assert!(has("RBBu2/1u4/5u/6/6/6 1", Theme::Sacrifice));
    // The corner around a1 is lost, but the blue is faster.
    assert!(has("5u/6/B5/2R3/6/2u3 1", Theme::CornerLock));
    assert!(has("2Ru2/2B2u/6/6/6/6 1", Theme::RedWall));
    assert!(has("u5/1RR3/6/1u4/1B2r1/6 1", Theme::CaptureWin));
}

#[test]
fn unwanted_themes_are_refused() {
    let solo = BTreeSet::from([Theme::Solo]);
    let text = "2B1u1/6/6/6/4u1/3R2 1";
    let criteria = Criteria { without: solo.clone(), ..Criteria::default() };
    assert_eq!(verify(text, &criteria), Err(Rejection::Theme));
    assert!(verify(text, &Criteria { themes: solo, ..Criteria::default() }).is_ok());
}

/// What shows in the lines of best play: played out one by one, with the slowest search there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lines {
    all_lose_a_ghost: bool,
    all_are_solo: bool,
}

fn lines(
    position: &Position,
    plies: u32,
    lost: bool,
    walker: Option<games::geister::Square>,
) -> Lines {
    if plies == 0 {
        return Lines { all_lose_a_ghost: lost, all_are_solo: true };
    }
    let own = position.turn() == Seat::First;
    let mut all = Lines { all_lose_a_ghost: true, all_are_solo: true };
    for mv in position.legal_moves() {
        let after = position.play_unchecked(mv);
        let puzzle = |p| geister::reference::Puzzle::new(p, geister::reference::Techniques::NONE);
        let best = wins_within(&puzzle(after), plies - 1)
            && (own || plies < 3 || !wins_within(&puzzle(after), plies - 3));
        let best = best && (own || after.outcome().is_none());
        if !best {
            continue;
        }
        let solo = !own || walker.is_none_or(|walker| walker == mv.from());
        let walker = if own { mv.to() } else { walker };
        let lost = lost || !own && position.captured(mv).is_some();
        let rest = lines(&after, plies - 1, lost, walker);
        all.all_lose_a_ghost &= rest.all_lose_a_ghost;
        all.all_are_solo &= solo && rest.all_are_solo;
    }
    all
}

#[test]
fn themes_of_best_play_equal_all_lines_played_out() {
    let mut seen = [0; 4];
    // Sacrifices take seven plies; the lines of two of them are enough.
    let sacrifices = ["RBBu2/1u4/5u/6/6/6 1", "R1Bu2/Ru4/2u3/2B3/6/6 1"];
    let sacrifices = sacrifices.map(|text| text.parse::<Position>().unwrap());
    for position in common::won_within(3, 900, 5).into_iter().chain(sacrifices) {
        let puzzle = common::examine_position(&position, &Criteria::default()).unwrap();
        let slow = lines(&position.canonical(), puzzle.m_win, false, None);
        let fast = Lines {
            all_lose_a_ghost: puzzle.themes.contains(&Theme::Sacrifice),
            all_are_solo: puzzle.themes.contains(&Theme::Solo),
        };
        assert_eq!(fast, slow, "{position}");
        seen[usize::from(fast.all_lose_a_ghost)] += 1;
        seen[2 + usize::from(fast.all_are_solo)] += 1;
    }
    assert!(seen.iter().all(|&times| times > 0) && seen[2] > 3, "{seen:?}");
}
