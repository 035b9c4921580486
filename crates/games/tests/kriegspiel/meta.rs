//! Metapositions are sound: whatever happened, the truth is among what they stand for.

use crate::common::golden::Numbers;
use crate::meta_twin::MetaTwin;
use crate::play;
use games::kriegspiel::{
    Announcement, BitBoard, CapturedKind, Check, Color, Event, Game, InferenceRules, Metaposition,
    Piece, Reply, Square, Termination, Try,
};
use std::collections::BTreeMap;

/// Every conclusion alone, none, and all.
fn all_sharpness() -> Vec<InferenceRules> {
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

/// What may be heard in a game, by name, for counting that all of it was.
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

/// Every kind that must occur, or the test has not looked at everything.
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

/// Follows a game with the knowledge of both sides, of each sharpness, and shows it after each try.
fn follow(
    seed: u64,
    plies: usize,
    sharpness: &[InferenceRules],
    mut visit: impl FnMut(&Game, Try, Reply, &Game, &[Metaposition]),
) {
    let mut metas: Option<Vec<Metaposition>> = None;
    play::play(seed, plies, |before, attempt, reply, after| {
        let metas = metas.get_or_insert_with(|| {
            let start = |color: Color| {
                let known = Metaposition::from_position(before.start(), color);
                sharpness.iter().map(move |&s| known.clone().with_rules(s))
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

/// Nothing is on two own squares, and every other square has an answer.
fn assert_whole(meta: &Metaposition) {
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
                assert_whole(meta);
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
fn every_conclusion_is_sound_alone_and_only_sharpens() {
    let sharpness = all_sharpness();
    for seed in 10_000..10_150 {
        follow(seed, 150, &sharpness, |_, attempt, _, after, metas| {
            for metas in metas.chunks(sharpness.len()) {
                let blunt = &metas[1];
                for (meta, sharpness) in metas.iter().zip(&sharpness) {
                    assert!(
                        meta.contains(after.position()),
                        "seed {seed} {attempt} {sharpness:?} {}",
                        after.position()
                    );
                    let within =
                        |piece| meta.pseudopieces(piece).is_subset(blunt.pseudopieces(piece));
                    assert!(Piece::ALL.into_iter().all(within), "seed {seed} {sharpness:?}");
                    assert!(meta.may_be_empty().is_subset(blunt.may_be_empty()));
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
fn words_that_a_search_makes_up_break_nothing() {
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
            assert_whole(&meta);
        }
    }
}

#[test]
fn unseen_moves_are_those_of_the_slow_twin() {
    for seed in 0..150 {
        let mut old: Vec<Metaposition> = Vec::new();
        follow(seed, 120, &[MetaTwin::SHARPNESS], |before, _, reply, after, metas| {
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

fn heard(to_move: Color) -> Announcement {
    let silence = Metaposition::start(to_move).silent_announcement();
    Announcement { to_move, ..silence }
}

fn squares(text: &str) -> BitBoard {
    text.split_ascii_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn known(fen: &str, color: Color) -> Metaposition {
    Metaposition::from_position(&fen.parse().unwrap(), color)
}

#[test]
fn what_is_concluded() {
    // The lone king has to move, and not to where the rook or the king keep it from.
    let meta = known("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1", Color::White).meta(&heard(Color::White));
    assert_eq!(meta.pseudopieces(Piece::King), squares("c4 d4 c5 c6 d6"));
    // Check on the rank: it is on one of the rook's.
    let e4 = Announcement { checks: [Check::Rank].into_iter().collect(), ..heard(Color::Black) };
    let meta = meta.pseudo("e2e4".parse().unwrap(), &e4);
    assert_eq!(meta.pseudopieces(Piece::King), squares("c4 d4"));
    // A king's try that is illegal has the other king beside it.
    let meta = known("8/8/8/3k4/8/3K4/8/7R b - - 0 1", Color::White).meta(&heard(Color::White));
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5 c6 d6 e6"));
    let meta = meta.refused("d3d4".parse().unwrap());
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5"));
    // A rook that does not get through has the king in its way, who is nowhere else.
    let meta = meta.refused("h1h5".parse().unwrap());
    assert_eq!(meta.pseudopieces(Piece::King), squares("c5 e5"));
    // Before the first move nothing but pawns and knights can have moved afterwards.
    let meta = Metaposition::start(Color::White)
        .pseudo("e2e4".parse().unwrap(), &heard(Color::Black))
        .meta(&heard(Color::White));
    assert_eq!(meta.pseudopieces(Piece::Rook), squares("a8 h8"));
    assert_eq!(meta.pseudopieces(Piece::Knight), squares("b8 g8 a6 c6 f6 h6"));
    assert_eq!(meta.occupied(), squares("a8 c8 d8 e8 f8 h8"));
    // No pawn tries: nothing stands on d5 or f5.
    assert!((meta.may_be_occupied() & squares("d5 f5")).is_empty());
    assert_eq!((meta.age(Square::D5), meta.age(Square::A5), meta.age(Square::A8)), (0, 1, 0));
    // One capture on e4: by the queen's pawn or king's bishop pawn alone, if these were there.
    let meta = known("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1", Color::White);
    let taken = games::kriegspiel::Capture { kind: CapturedKind::Pawn, square: Square::E4 };
    let meta = meta.meta(&Announcement { capture: Some(taken), ..heard(Color::White) });
    assert_eq!(meta.pseudopieces(Piece::Pawn), squares("e4"));
    assert_eq!(meta.occupied(), squares("e4 e8"));
}

#[test]
fn uncertainty_grows_with_unseen_moves_and_falls_with_own_ones() {
    let (mut grown, mut fallen) = (0, 0);
    for seed in 0..100 {
        let mut old: Vec<Metaposition> = Vec::new();
        follow(seed, 100, &[InferenceRules::NONE], |before, _, reply, after, metas| {
            for (now, then) in metas.iter().zip(&old) {
                let event = after.events(now.color()).last().copied();
                match event.filter(|_| reply != Reply::Illegal) {
                    Some(Event::Opponent(heard)) if heard.capture.is_none() => {
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
