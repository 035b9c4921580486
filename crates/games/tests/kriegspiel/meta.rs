//! Metapositions are sound: they always contain the true position.

use crate::common::golden::Numbers;
use crate::meta_twin::MetaTwin;
use crate::play;
use games::kriegspiel::{
    Announcement, BitBoard, CapturedKind, Check, Color, Event, Game, InferenceRules, Metaposition,
    Piece, Reply, Square, Termination, Try,
};
use std::collections::BTreeMap;

/// All rules, none, and every rule alone.
fn rule_sets() -> Vec<InferenceRules> {
    let none = InferenceRules::NONE;
    vec![
        InferenceRules::ALL,
        none,
        InferenceRules { counting: true, ..none },
        InferenceRules { blocked_pieces: true, ..none },
        InferenceRules { lone_king: true, ..none },
        InferenceRules { capturer: true, ..none },
        InferenceRules { own_king_safety: true, ..none },
        InferenceRules { checkers: true, ..none },
        InferenceRules { opponent_king: true, ..none },
        InferenceRules { pawn_tries: true, ..none },
        InferenceRules { illegal_tries: true, ..none },
    ]
}

/// The kinds of events in one try, by name, to count whether the test met all of them.
fn kinds(before: &Game, attempt: Try, reply: Reply) -> Vec<String> {
    let mut kinds = Vec::new();
    let board = before.position().board();
    let pawn = board.piece_on(attempt.from) == Some(Piece::Pawn);
    let king = board.piece_on(attempt.from) == Some(Piece::King);
    let Reply::Legal(Announcement { capture, checks, pawn_tries, termination, .. }) = reply else {
        let piece = board.piece_on(attempt.from).unwrap();
        return vec![format!("illegal {piece:?}")];
    };
    match capture {
        Some(capture) if capture.square != attempt.to => kinds.push("en passant".into()),
        Some(capture) if capture.kind == CapturedKind::Pawn => kinds.push("pawn captured".into()),
        Some(_) if pawn => kinds.push("piece captured by pawn".into()),
        Some(_) => kinds.push("piece captured".into()),
        None => kinds.push("silent".into()),
    }
    if king && (attempt.from.file() as i8 - attempt.to.file() as i8).abs() == 2 {
        kinds.push("castling".into());
    }
    kinds.extend(attempt.promotion.map(|piece| format!("promotion {piece:?}")));
    kinds.extend(checks.iter().map(|check| format!("check {check:?}")));
    kinds.extend((checks.len() == 2).then(|| "double check".into()));
    kinds.extend((pawn_tries > 0).then(|| format!("pawn tries {}", pawn_tries.min(3))));
    kinds.extend(termination.map(|one| format!("end {one:?}")));
    kinds
}

/// Every kind that must occur, or the test has not covered everything.
fn wanted() -> Vec<String> {
    let mut wanted: Vec<String> =
        ["silent", "pawn captured", "piece captured", "piece captured by pawn", "en passant"]
            .map(String::from)
            .to_vec();
    wanted.extend(["castling", "double check"].map(String::from));
    wanted.extend(Check::ALL.map(|check| format!("check {check:?}")));
    wanted.extend((1..=3).map(|tries| format!("pawn tries {tries}")));
    wanted.extend(Piece::ALL.map(|piece| format!("illegal {piece:?}")));
    let promotions = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    wanted.extend(promotions.map(|piece| format!("promotion {piece:?}")));
    let ends = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::InsufficientMaterial,
        Termination::FiftyMoves,
    ];
    wanted.extend(ends.map(|one| format!("end {one:?}")));
    wanted
}

/// Follows a game with the metapositions of both sides by each set of rules, and visits every try.
fn follow(
    seed: u64,
    plies: usize,
    rule_sets: &[InferenceRules],
    mut visit: impl FnMut(&Game, Try, Reply, &Game, &[Metaposition]),
) {
    let mut metas: Option<Vec<Metaposition>> = None;
    play::play(seed, plies, |before, attempt, reply, after| {
        let metas = metas.get_or_insert_with(|| {
            let start = |color: Color| {
                let known = Metaposition::from_position(before.start(), color);
                rule_sets.iter().map(move |&rules| known.clone().with_rules(rules))
            };
            start(Color::White).chain(start(Color::Black)).collect()
        });
        for meta in metas.iter_mut() {
            let old = before.events(meta.color()).len();
            for event in &after.events(meta.color())[old..] {
                *meta = meta.after(event);
            }
        }
        visit(before, attempt, reply, after, metas);
    });
}

/// Own squares hold no pseudopieces, and every other square holds at least one, empty or not.
fn assert_consistent(meta: &Metaposition) {
    let own = meta.own().all();
    let any = meta.may_be_occupied() | meta.may_be_empty();
    assert_eq!(any & own, BitBoard::EMPTY);
    assert_eq!(any | own, BitBoard::FULL);
    let certain = !(meta.may_be_occupied() & meta.may_be_empty());
    assert!(certain.into_iter().all(|square| meta.age(square) == 0));
}

#[test]
fn the_truth_is_never_ruled_out() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let games = std::env::var("SPUK_META_GAMES").ok().and_then(|text| text.parse().ok());
    for seed in 0..games.unwrap_or(3000) {
        follow(seed, 250, &[InferenceRules::ALL], |before, attempt, reply, after, metas| {
            kinds(before, attempt, reply)
                .into_iter()
                .for_each(|kind| *counts.entry(kind).or_default() += 1);
            for meta in metas {
                assert!(
                    meta.contains(after.position()),
                    "seed {seed}, {:?}: {}\nafter {attempt} {reply:?} in {}\n{meta:?}",
                    meta.color(),
                    after.position(),
                    before.position()
                );
                assert_consistent(meta);
                assert!(meta.clock() >= after.position().clock());
            }
        });
    }
    for kind in wanted() {
        assert!(counts.contains_key(&kind), "{kind} never happened: {counts:?}");
    }
    println!("{counts:?}");
}

#[test]
fn every_rule_is_sound_alone_and_only_removes_pseudopieces() {
    let rule_sets = rule_sets();
    for seed in 10_000..10_150 {
        follow(seed, 150, &rule_sets, |_, attempt, _, after, metas| {
            for metas in metas.chunks(rule_sets.len()) {
                let without_rules = &metas[1];
                for (meta, rules) in metas.iter().zip(&rule_sets) {
                    assert!(
                        meta.contains(after.position()),
                        "seed {seed} {attempt} {rules:?} {}",
                        after.position()
                    );
                    let within = |piece| {
                        meta.pseudopieces(piece).is_subset(without_rules.pseudopieces(piece))
                    };
                    assert!(Piece::ALL.into_iter().all(within), "seed {seed} {rules:?}");
                    assert!(meta.may_be_empty().is_subset(without_rules.may_be_empty()));
                }
            }
        });
    }
}

#[test]
fn every_legal_move_is_among_the_tries() {
    for seed in 0..200 {
        follow(seed, 150, &[InferenceRules::ALL], |_, _, _, after, metas| {
            let meta = metas.iter().find(|meta| meta.color() == after.turn()).unwrap();
            let tries = meta.tries();
            if after.termination().is_none() {
                let legal = after.position().legal_moves();
                assert!(legal.iter().all(|mv| tries.contains(mv)), "{}", after.position());
            }
        });
    }
}

#[test]
fn simulated_announcements_keep_a_metaposition_consistent() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let mut meta = Metaposition::start(Color::White);
        for _ in 0..60 {
            let Some(attempt) = numbers.choose(&meta.tries()) else { break };
            if numbers.next().is_multiple_of(4) {
                meta = meta.refused(attempt);
                continue;
            }
            meta = meta.pseudo(attempt, &meta.simulated_announcement(attempt));
            assert!(!meta.pseudopieces(Piece::King).is_empty());
            meta = meta.meta(&meta.silent_announcement());
            assert!(!meta.pseudopieces(Piece::King).is_empty());
            assert_consistent(&meta);
        }
    }
}

#[test]
fn unseen_moves_are_those_of_the_slow_twin() {
    for seed in 0..150 {
        let mut old: Vec<Metaposition> = Vec::new();
        follow(seed, 120, &[MetaTwin::RULES], |before, _, reply, after, metas| {
            if let Reply::Legal(announcement) = reply
                && let [.., last, _] = after.turns()
            {
                let color = after.turn();
                let of =
                    |metas: &[Metaposition]| metas.iter().find(|m| m.color() == color).cloned();
                let (then, now) = (of(&old).unwrap(), of(metas).unwrap());
                let moved = before.position().board().piece_on(last.played.to);
                let pawn = moved == Some(Piece::Pawn);
                let twin = MetaTwin::new(&then).with_double_step(Some(last.played), pawn);
                assert!(twin.meta(&announcement).agrees(&now), "seed {seed} {}", after.position());
            }
            old = metas.to_vec();
        });
    }
}

fn silent(to_move: Color) -> Announcement {
    Metaposition::start(to_move).silent_announcement()
}

fn squares(text: &str) -> BitBoard {
    text.split_ascii_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn known(fen: &str, color: Color) -> Metaposition {
    Metaposition::from_position(&fen.parse().unwrap(), color)
}

#[test]
fn inferences_by_hand() {
    // The lone king has to move, and not to a square that the rook or the king attacks.
    let meta = known("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1", Color::White).meta(&silent(Color::White));
    assert_eq!(meta.pseudopieces(Piece::King), squares("c4 d4 c5 c6 d6"));
    // Check on the rank: the king stands on the rook's rank.
    let e4 = Announcement { checks: [Check::Rank].into_iter().collect(), ..silent(Color::Black) };
    let meta = meta.pseudo("e2e4".parse().unwrap(), &e4);
    assert_eq!(meta.pseudopieces(Piece::King), squares("c4 d4"));
    // An illegal try of the king means that the opponent's king attacks that square.
    let meta = known("8/8/8/3k4/8/3K4/8/7R b - - 0 1", Color::White).meta(&silent(Color::White));
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5 c6 d6 e6"));
    let meta = meta.refused("d3d4".parse().unwrap());
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5"));
    // The opponent's only piece, its king, blocks the rook.
    let meta = meta.refused("h1h5".parse().unwrap());
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5"));
    // With the first move only pawns and knights can have moved.
    let meta = Metaposition::start(Color::White)
        .pseudo("e2e4".parse().unwrap(), &silent(Color::Black))
        .meta(&silent(Color::White));
    assert_eq!(meta.pseudopieces(Piece::Rook), squares("a8 h8"));
    assert_eq!(meta.pseudopieces(Piece::Knight), squares("b8 g8 a6 c6 f6 h6"));
    assert_eq!(meta.occupied(), squares("a8 c8 d8 e8 f8 h8"));
    // No pawn tries: d5 and f5 are empty.
    assert!((meta.may_be_occupied() & squares("d5 f5")).is_empty());
    assert_eq!((meta.age(Square::D5), meta.age(Square::A5), meta.age(Square::A8)), (0, 1, 0));
    // Only the pawn can have captured on e4.
    let meta = known("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1", Color::White);
    let taken = games::kriegspiel::Capture { kind: CapturedKind::Pawn, square: Square::E4 };
    let meta = meta.meta(&Announcement { capture: Some(taken), ..silent(Color::White) });
    assert_eq!(meta.pseudopieces(Piece::Pawn), squares("e4"));
    assert_eq!(meta.occupied(), squares("e4 e8"));
}

#[test]
fn uncertainty_grows_with_unseen_moves_and_falls_with_own_moves() {
    let (mut grown, mut fallen) = (0, 0);
    for seed in 0..100 {
        let mut old: Vec<Metaposition> = Vec::new();
        follow(seed, 100, &[InferenceRules::NONE], |before, _, reply, after, metas| {
            for (now, then) in metas.iter().zip(&old) {
                let event = after.events(now.color()).last().copied();
                match event.filter(|_| reply != Reply::Illegal) {
                    Some(Event::Opponent(announcement)) if announcement.capture.is_none() => {
                        assert!(
                            now.pseudopiece_count() >= then.pseudopiece_count(),
                            "{}",
                            before.position()
                        );
                        grown += 1;
                    }
                    Some(Event::Moved { .. }) => {
                        assert!(now.pseudopiece_count() <= then.pseudopiece_count());
                        fallen += 1;
                    }
                    _ => {}
                }
            }
            old = metas.to_vec();
        });
    }
    assert!(grown > 1000 && fallen > 1000);
}
