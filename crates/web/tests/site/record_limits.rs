//! No game holds more than `play::limits` allow, played here or imported.

use crate::games::{act, begin, id, look, pair, play};
use crate::harness::{Site, on_every_site};
use games::kriegspiel::pgn::Record;
use games::kriegspiel::{Color, Game, Piece, Ruling, Try, umpire};
use serde_json::{Value, json};
use service::games::kriegspiel::{
    MAX_PLIES as KRIEGSPIEL_PLIES, MAX_REFUSED_TRIES as REFUSED_TRIES,
};
use service::games::limits::{IMPORT_BODY, RECORD_BYTES};

/// The programs that play Kriegspiel here.
const KRIEGSPIEL_PROGRAMS: [&str; 2] = ["greedy", "darkboard-glance"];

/// No piece moves like that.
const NEVER_LEGAL: &str = "a1b8";

/// A game of this length that no rule ends, with some refused tries in each turn.
fn long_game(plies: usize, refused_in_a_turn: usize) -> Game {
    let mut game = Game::default();
    while game.turns().len() < plies {
        let (ply, tries) = (game.turns().len(), game.candidates());
        for _ in 0..refused_in_a_turn {
            game.attempt(NEVER_LEGAL.parse().unwrap()).unwrap();
        }
        game = quiet_move(&game, &tries, ply);
    }
    game
}

/// The game after a move that ends nothing, if possible without a capture; a pawn moves now and then.
fn quiet_move(game: &Game, tries: &[Try], ply: usize) -> Game {
    let board = game.position().board();
    let pawn = |attempt: &Try| board.piece_on(attempt.from) == Some(Piece::Pawn);
    let loud = |attempt: &Try| board.piece_on(attempt.to).is_some() || attempt.promotion.is_some();
    let mut order = tries.to_vec();
    let start = crate::games::mix(ply, 5) % order.len();
    order.rotate_left(start);
    order.sort_by_key(|attempt| (loud(attempt), pawn(attempt) != (ply % 80 < 2)));
    let played = order.into_iter().find_map(|attempt| {
        let mut next = game.clone();
        let before = next.turns().len();
        next.attempt(attempt).unwrap();
        (next.turns().len() > before && next.termination().is_none()).then_some(next)
    });
    played.expect("a move that ends nothing")
}

/// Every try of a game, as it is stored.
fn stored(game: &Game) -> String {
    let tries = game.turns().iter().flat_map(|turn| turn.refused.iter().chain([&turn.played]));
    tries.chain(game.refused()).map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Puts a game where another one stands.
async fn replace(site: &Site, game: &Value, truth: &Game) {
    let sql = format!("UPDATE games SET moves = '{}' WHERE id = '{}'", stored(truth), id(game));
    assert_eq!(site.database.execute(&sql).await, 1);
}

/// Some try of a game by its legality.
fn some_try(game: &Game, legal: bool) -> Option<String> {
    let fits = |attempt: &&Try| {
        matches!(umpire(game.position(), **attempt), Ruling::Legal { .. }) == legal
    };
    game.candidates().iter().find(fits).map(ToString::to_string)
}

#[test]
fn a_game_of_kriegspiel_is_drawn_at_its_limit() {
    let long = long_game(KRIEGSPIEL_PLIES - 1, 0);
    on_every_site(async |site| {
        let (one, other, game) = pair(site, "kriegspiel").await;
        replace(site, &game, &long).await;
        let now = look(&other, &game).await;
        assert_eq!((&now["stage"], &now["your_turn"]), (&json!("playing"), &json!(true)));
        let over = play(&other, &now, &some_try(&long, true).unwrap()).await.json();
        assert_eq!(over["end"], json!({ "how": "draw", "winner": null }));
        assert_eq!(over["stage"], "over");
        let late = play(&one, &over, "a2a3").await;
        assert_eq!(late.refusal(409), "game-over");
    });
}

/// A game in which a side has had all its refused tries in its first turn, some plies later.
fn used_up(side: Color, plies: usize) -> Game {
    let mut game = Game::default();
    while game.turns().len() < plies {
        let (ply, tries) = (game.turns().len(), game.candidates());
        while game.turn() == side && refused_of(&game, side) < REFUSED_TRIES {
            game.attempt(NEVER_LEGAL.parse().unwrap()).unwrap();
        }
        game = quiet_move(&game, &tries, ply);
    }
    game
}

#[test]
fn refused_tries_beyond_the_limit_are_not_kept() {
    // A position in which White may try something that is not legal.
    let mut plies = (4..).step_by(2).map(|plies| used_up(Color::White, plies));
    let full = plies.find(|game| some_try(game, false).is_some()).unwrap();
    on_every_site(async |site| {
        let (one, other, game) = pair(site, "kriegspiel").await;
        replace(site, &game, &full).await;
        let (now, heard) = (look(&one, &game).await, look(&other, &game).await);
        let refused = play(&one, &now, &some_try(&full, false).unwrap()).await;
        assert_eq!(refused.refusal(409), "too-many-tries");
        assert_eq!(look(&one, &game).await, now);
        assert_eq!(look(&other, &game).await, heard);
        let played = play(&one, &now, &some_try(&full, true).unwrap()).await.json();
        assert_eq!(played["ply"].as_u64(), now["ply"].as_u64().map(|ply| ply + 1));
        // The opponent's tries are counted by themselves.
        let mut truth = full.clone();
        truth.attempt(some_try(&full, true).unwrap().parse().unwrap()).unwrap();
        if let Some(wrong) = some_try(&truth, false) {
            let now = look(&other, &game).await;
            let heard = play(&other, &now, &wrong).await.json();
            assert_eq!(heard["ply"], now["ply"]);
        }
    });
}

fn refused_of(game: &Game, side: Color) -> usize {
    let own = game.turns().iter().skip(side as usize).step_by(2);
    let now = if game.turn() == side { game.refused().len() } else { 0 };
    own.map(|turn| turn.refused.len()).sum::<usize>() + now
}

#[test]
fn a_program_still_moves_when_its_tries_are_used_up() {
    let full = used_up(Color::Black, 60);
    on_every_site(async |site| {
        for opponent in KRIEGSPIEL_PROGRAMS {
            let browser = site.browser();
            let wish = json!({ "kind": "kriegspiel", "opponent": opponent, "seat": "first" });
            let game = begin(&browser, wish).await;
            replace(site, &game, &full).await;
            let mut truth = full.clone();
            for _ in 0..3 {
                let now = look(&browser, &game).await;
                if now["stage"] == "over" {
                    break;
                }
                play(&browser, &now, &some_try(&truth, true).unwrap()).await.json();
                let answered = crate::games::wait(&browser, &game).await;
                assert!(answered["ply"].as_u64() > now["ply"].as_u64());
                let row = site.app.service.store.game(id(&game)).await.unwrap().unwrap();
                truth = Game::default();
                for attempt in row.moves.split(' ') {
                    truth.attempt(attempt.parse().unwrap()).unwrap();
                }
                assert_eq!(refused_of(&truth, Color::Black), REFUSED_TRIES, "{opponent}");
            }
        }
    });
}

#[test]
fn records_up_to_the_limit_can_be_imported() {
    let longest = long_game(KRIEGSPIEL_PLIES, 4);
    assert_eq!([Color::White, Color::Black].map(|side| refused_of(&longest, side)), [2000; 2]);
    let pgn = |game: &Game| Record::new(game.clone(), "person", "person").to_string();
    let text = pgn(&longest);
    println!("the longest record has {} bytes", text.len());
    assert!(text.len() < RECORD_BYTES);
    let mut with_a_try = long_game(KRIEGSPIEL_PLIES - 1, 4);
    while refused_of(&with_a_try, Color::Black) <= REFUSED_TRIES {
        with_a_try.attempt(NEVER_LEGAL.parse().unwrap()).unwrap();
    }
    let resigned = |game: &Game| {
        Record::new(game.clone(), "person", "person").resigned_by(Color::White).to_string()
    };
    let too_long = [
        pgn(&long_game(KRIEGSPIEL_PLIES + 1, 0)),
        resigned(&with_a_try),
        format!("{text}{}", " ".repeat(RECORD_BYTES - text.len() + 1)),
    ];
    on_every_site(async |site| {
        let browser = site.browser();
        let read = browser.post("/games/import", json!({ "text": text })).await.json();
        assert_eq!(read["end"], json!({ "how": "draw", "winner": null }));
        let again = browser.get(&format!("/games/{}/record?form=pgn", id(&read))).await;
        assert_eq!(again.text(), text);
        for text in &too_long {
            let refused = browser.post("/games/import", json!({ "text": text })).await;
            assert_eq!(refused.refusal(413), "long-record");
        }
        let huge = json!({ "text": " ".repeat(IMPORT_BODY) });
        assert_eq!(browser.post("/games/import", huge).await.refusal(413), "bad-json");
        assert_eq!(
            act(&browser, &read, "moves", json!({ "move": "a2a3", "ply": 0 })).await.refusal(403),
            "only-watching"
        );
        let kept = site.database.execute("UPDATE games SET seed = seed").await;
        assert_eq!(kept, 1);
    });
}
