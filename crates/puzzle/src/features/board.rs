//! Features of the board: 1 to 15 and 26 to 29.

use super::{Feature, Features};
use games::Seat;
use games::geister::{Bitboard, Board, Ghost, Position, Square, Standard};
use geister::board::TOP_EXITS;

/// Fills in the features of the board.
pub(super) fn fill(position: &Position, features: &mut Features) {
    counts(position, features);
    distances(position, features);
    halves(position, features);
}

fn counts(position: &Position, features: &mut Features) {
    let count = position.count();
    let blue = position.blue_count();
    let own = count.own_blue + count.own_red;
    let top = count.hidden + count.shown_blue + count.shown_red;
    for (feature, value) in [
        (Feature::OwnBlues, count.own_blue),
        (Feature::OwnReds, count.own_red),
        (Feature::TopBlues, blue),
        (Feature::TopReds, top - blue.min(top)),
        (Feature::OwnGhosts, own),
        (Feature::TopGhosts, top),
        (Feature::ShownBlues, count.shown_blue),
        (Feature::ShownReds, count.shown_red),
    ] {
        features.set(feature, f64::from(value));
    }
}

fn distances(position: &Position, features: &mut Features) {
    let own = position.army(Seat::First);
    let top = position.army(Seat::Second);
    let top_leavers = position.leavers(Seat::Second);
    let (up, down) = (<Position>::exits(Seat::First), TOP_EXITS);
    for (feature, from, to) in [
        (Feature::OwnBlueToExit, position.ghosts(Ghost::OwnBlue), up),
        (Feature::TopLeaverToExit, top_leavers, down),
        (Feature::TopGhostToOwnExit, top, up),
        (Feature::OwnGhostToTopExit, own, down),
    ] {
        features.set_known(feature, from.filter_map(|square| nearest(square, to)).min());
    }
    let chase = |prey: Square| nearest(prey, own);
    features.set_known(Feature::NearestPrey, top_leavers.filter_map(chase).min());
    features.set_known(Feature::FarthestPrey, top_leavers.filter_map(chase).max());
}

/// The distance from a square to the nearest of `others`.
fn nearest(square: Square, mut others: Bitboard) -> Option<u32> {
    others.by_ref().map(|other| square.distance(other)).min()
}

fn halves(position: &Position, features: &mut Features) {
    let (own, top) = (position.army(Seat::First), position.army(Seat::Second));
    let is_up = |square: Square| square.row() >= Standard::ROWS / 2;
    let is_left = |square: Square| square.column() < Standard::COLUMNS / 2;
    let share = |of: Bitboard, is: &dyn Fn(Square) -> bool| {
        let count = of.count();
        of.filter(|&square| is(square)).count() as f64 / f64::from(count.max(1))
    };
    features.set(Feature::OwnInTopHalf, share(own, &is_up));
    features.set(Feature::TopInBottomHalf, share(top, &|square| !is_up(square)));
    features.set(Feature::TopInTopHalf, share(top, &is_up));
    features.set(Feature::AllInTopHalf, share(own | top, &is_up));
    features.set(Feature::AllInLeftHalf, share(own | top, &is_left));
}
