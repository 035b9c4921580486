//! The lobby and the page of a game, which `game.js` brings to life.

use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::{Path, Query};
use crate::problem::Problem;
use crate::words::Words;
use axum::extract::State;
use maud::{Markup, html as markup};
use serde::Deserialize;
use service::games::{GAMES, HostedRules, Stage, Summary, game_service, records};
use service::rate_limit::RateLimit;
use service::secrets::is_id;

/// Open and finished games that are listed, each.
const LISTED: usize = 12;

pub(super) async fn lobby(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    context.check_rate(RateLimit::Read)?;
    let words = context.words;
    let games = game_service::list(&app.service, &context.visitor.id).await?;
    let over = |one: &&Summary| one.stage == Stage::Over.name();
    let open: Vec<&Summary> = games.iter().filter(|one| !over(one)).take(LISTED).collect();
    let done: Vec<&Summary> = games.iter().filter(over).take(LISTED).collect();
    let content = markup! {
        h1 { (words.get("play.title")) }
        p.lead { (words.get("play.lead")) }
        noscript { p { (words.get("play.no-script")) } }
        @if !open.is_empty() { (list("play.open", &open, words)) }
        div.lobby {
            @for rules in GAMES { (new_game(*rules, words)) }
        }
        @if !done.is_empty() { (list("play.done", &done, words)) }
        (import(words))
    };
    let page = Page {
        at: "/play",
        modules: &["play.js"],
        address: "/play",
        ..Page::new(words.get("play.title"))
    };
    Ok(html(&app, &context, &page, &content))
}

/// A game that was played elsewhere, to be looked at here.
fn import(words: &Words) -> Markup {
    let mut endings: Vec<&str> = Vec::new();
    for ending in records::formats().map(|(_, format)| format.name).chain(["txt"]) {
        if !endings.contains(&ending) {
            endings.push(ending);
        }
    }
    let accept = endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(",");
    markup! {
        details.record-import {
            summary { (words.get("play.import")) }
            p { (words.get("play.import-text")) }
            form.import {
                p { label { (words.get("play.import-paste")) br; textarea name="text" rows="6" {} } }
                p { label { (words.get("play.import-file")) " " input type="file" name="file" accept=(accept); } }
                p { button.button type="submit" { (words.get("play.import-open")) } }
                p.form-status role="status" {}
            }
        }
    }
}

/// The form of a new game.
fn new_game(rules: &dyn HostedRules, words: &Words) -> Markup {
    let (name, programs) = (rules.name(), rules.opponents());
    let seats = ["", "first", "second"];
    markup! {
        section.card {
            h2 { (words.get(&format!("play.{name}"))) }
            p { (words.get(&format!("play.{name}-text"))) }
            form.new-game data-kind=(name) {
                fieldset {
                    legend { (words.get("play.against")) }
                    @for (at, one) in programs.iter().enumerate() {
                        label.opponent {
                            input type="radio" name="opponent" value=(one.id) checked[at + 1 == programs.len()];
                            span {
                                strong { (words.get(&format!("opponent.{}", one.id))) }
                                span.note { (words.get(&format!("opponent.{}.text", one.id))) }
                            }
                        }
                    }
                    label.opponent {
                        input type="radio" name="opponent" value="";
                        span {
                            strong { (words.get("play.person")) }
                            span.note { (words.get("play.person-text")) }
                        }
                    }
                }
                label {
                    (words.get("play.seat")) " "
                    select name="seat" {
                        @for seat in seats { option value=(seat) { (words.get(&seat_key(name, seat))) } }
                    }
                }
                p { button.button.primary type="submit" { (words.get("play.start")) } }
                p.form-status role="status" {}
            }
        }
    }
}

/// The words for a seat: random, by who begins, or by colour.
fn seat_key(game: &str, seat: &str) -> String {
    match seat {
        "" => "play.seat.any".to_owned(),
        seat => format!("play.seat.{game}.{seat}"),
    }
}

fn list(title: &str, games: &[&Summary], words: &Words) -> Markup {
    markup! {
        section {
            h2 { (words.get(title)) }
            ul.games {
                @for one in games {
                    li {
                        a href={ "/game/" (one.game) } {
                            strong { (words.get(&format!("play.{}", one.kind))) }
                            " · " (opponent_name(one.opponent.as_deref(), words))
                            " · " (words.with("play.moves", &[("n", &one.ply)]))
                            @if one.your_turn { " · " strong { (words.get("play.your-turn")) } }
                            @if let Some(result) = one.result { " · " (words.get(&format!("play.result.{result}"))) }
                        }
                    }
                }
            }
        }
    }
}

fn opponent_name(id: Option<&str>, words: &Words) -> String {
    match id {
        Some(id) => words.get(&format!("opponent.{id}")).to_owned(),
        None => words.get("play.person").to_owned(),
    }
}

/// The query of a game's page.
#[derive(Deserialize)]
pub(super) struct GameQuery {
    /// The secret of the invite link.
    #[serde(default)]
    join: String,
}

pub(super) async fn game(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Query(query): Query<GameQuery>,
) -> Result<Markup, Problem> {
    context.check_rate(RateLimit::Read)?;
    let words = context.words;
    let (session, _) = game_service::open(&app.service, &context.visitor.id, &id).await?;
    let title = words.get(&format!("play.{}", session.rules().name())).to_owned();
    let content = markup! {
        h1.unseen { (title) }
        div #game data-game=(session.row.id) data-kind=(session.rules().name())
            data-invite=[(!query.join.is_empty()).then_some(&query.join)]
        {
            div.play {
                div #board { noscript { p { (words.get("play.no-script")) } } }
                div #panel {}
            }
        }
    };
    let invited = is_id(&query.join, game_service::INVITE_DIGITS);
    let join = if invited { format!("?join={}", query.join) } else { String::new() };
    let address = format!("/game/{}{join}", session.row.id);
    let page = Page {
        at: "/play",
        modules: &["game.js"],
        board: true,
        address: &address,
        public: false,
        ..Page::new(&title)
    };
    Ok(html(&app, &context, &page, &content))
}
