//! The home page: the puzzle of the day, the visitor's rating, and what to do next.

use super::browse::{card_title, picture};
use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::problem::Problem;
use crate::words::Words;
use axum::extract::State;
use maud::{Markup, html as markup};
use service::catalogue::Entry;
use service::exposure;
use service::store::Person;
use service::training::{next_for, played_by, standing_of, streak_of};

pub(super) async fn home(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    let (words, person) = (context.words, &context.visitor.id);
    let visitor = app.service.store.person(person).await?;
    let played = played_by(&app.service, person).await?;
    let daily = app.service.daily_puzzle()?;
    exposure::note(&app.service, &context.caller, [daily.id.as_str()]).await?;
    let open = app.service.store.open_attempt(person).await?;
    let open = open.and_then(|id| app.service.catalogue.get(&id));
    let next = next_for(&app.service, person, None).await?;
    let streak = streak_of(&app.service, person).await?;
    let review = played.values().filter(|played| played.to_review()).count();
    let content = markup! {
        section.hero {
            div {
                h1 { (words.get("home.title")) }
                p.lead { (words.get("home.lead")) }
                @if let Some(entry) = open { (continue_link(entry, words)) }
                @if let Some(next) = &next {
                    p { a.button.primary href={ "/puzzle/" (next) } { (words.get("home.start")) } }
                }
                @if visitor.counted == 0 {
                    p { (words.get("home.new-here")) " " a href="/rules" { (words.get("home.rules")) } }
                } @else {
                    (standing(&visitor, words))
                }
            }
            (of_the_day(daily, standing_of(played.get(&daily.id)), words))
        }
        ul.cards {
            li { (card("/streak", words.get("home.streak"), words.get("home.streak-text"), (streak.best > 0).then(|| words.with("home.streak-best", &[("n", &streak.best)])))) }
            li { (card("/review", words.get("home.review"), words.get("home.review-text"), (review > 0).then(|| words.with("review.due", &[("n", &review)])))) }
            li { (card("/analysis", words.get("home.analysis"), words.get("home.analysis-text"), None)) }
            li { (card("/puzzles", words.get("home.browse"), &words.with("home.browse-text", &[("n", &app.service.catalogue.entries().len())]), None)) }
        }
    };
    let page = Page { at: "/", ..Page::new(words.get("site.name")) };
    Ok(html(&app, &context, &page, &content))
}

/// An attempt that waits to be finished.
fn continue_link(entry: &Entry, words: &Words) -> Markup {
    markup! {
        p {
            a.button href={ "/puzzle/" (entry.id) "?resume" } {
                (words.get("home.continue")) ": " (card_title(entry, words))
            }
        }
    }
}

/// Rating and what was solved.
fn standing(person: &Person, words: &Words) -> Markup {
    markup! {
        dl.facts {
            div {
                dt { (words.get("progress.rating")) }
                dd { (person.rating.rating.round()) " " (words.with("progress.deviation", &[("n", &person.rating.deviation.round())])) }
            }
            div {
                dt { (words.get("progress.solved")) }
                dd { (words.with("home.solved-of", &[("solved", &person.solved), ("n", &person.counted)])) }
            }
        }
    }
}

fn of_the_day(entry: &Entry, standing: &str, words: &Words) -> Markup {
    markup! {
        a.card.(standing) href="/daily" {
            span.card-title { (words.get("home.daily")) }
            p { (card_title(entry, words)) }
            (picture(entry, words))
            p { (words.get("home.daily-text")) }
        }
    }
}

fn card(address: &str, title: &str, text: &str, more: Option<String>) -> Markup {
    markup! {
        a.card href=(address) {
            span.card-title { (title) }
            p { (text) }
            @if let Some(more) = more { p { strong { (more) } } }
        }
    }
}
