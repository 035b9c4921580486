//! Lists of puzzles: all of them by filters, and those to review.

use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::Query as Pairs;
use crate::problem::Problem;
use crate::words::Words;
use axum::extract::State;
use maud::{Markup, PreEscaped, html as markup};
use puzzle::Theme;
use puzzle::export::diagram::svg;
use service::catalogue::{Category, Entry, Filter};
use service::exposure;
use service::query::{Order, PAGE, Query, Standing};
use service::store::PlayedPuzzle;
use service::training::{played_by, standing_of, to_review};
use std::collections::HashMap;
use std::ops::RangeInclusive;

pub(super) async fn browse(
    State(app): State<Shared>,
    context: RequestContext,
    Pairs(pairs): Pairs<Vec<(String, String)>>,
) -> Result<Markup, Problem> {
    let words = context.words;
    let query = Query::read(&pairs)?;
    let played = played_by(&app.service, &context.visitor.id).await?;
    let found = query.find(app.service.catalogue.entries(), &played);
    let pages = found.len().div_ceil(PAGE).max(1);
    let page = found.iter().skip((query.page - 1) * PAGE).take(PAGE).copied();
    exposure::note(&app.service, &context.caller, page.clone().map(|entry| entry.id.as_str()))
        .await?;
    let content = markup! {
        h1 { (words.get("browse.title")) }
        details open[query != Query { page: query.page, ..Query::default() }] {
            summary { (words.get("browse.filter")) }
            (filters(&query, words))
        }
        p.note { (words.get("browse.spoiler")) }
        p role="status" { (words.with("browse.found", &[("n", &found.len())])) }
        @if found.is_empty() { p { (words.get("browse.none")) } }
        (cards(page, &played, "", words))
        (turn(&query, pages, words))
    };
    let address = format!("/puzzles?{}", query.address(query.page));
    let page = Page { at: "/puzzles", address: &address, ..Page::new(words.get("browse.title")) };
    Ok(html(&app, &context, &page, &content))
}

pub(super) async fn review(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    let words = context.words;
    let played = played_by(&app.service, &context.visitor.id).await?;
    let failed = to_review(&played);
    let entries = failed.iter().filter_map(|id| app.service.catalogue.get(id)).take(PAGE);
    let content = markup! {
        h1 { (words.get("review.title")) }
        p { (words.get("review.lead")) }
        @if failed.is_empty() {
            p { (words.get("review.none")) }
        } @else {
            p role="status" { (words.with("review.due", &[("n", &failed.len())])) }
            p { a.button.primary href={ "/puzzle/" (failed[0]) "?mode=review" } { (words.get("review.start")) } }
        }
        (cards(entries, &played, "?mode=review", words))
    };
    let page = Page {
        at: "/review",
        address: "/review",
        public: false,
        ..Page::new(words.get("review.title"))
    };
    Ok(html(&app, &context, &page, &content))
}

/// Small boards with what a book would print above them, and nothing that gives the solution away.
fn cards<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    played: &HashMap<String, PlayedPuzzle>,
    mode: &str,
    words: &Words,
) -> Markup {
    markup! {
        ul.cards.boards {
            @for entry in entries {
                @let standing = standing_of(played.get(&entry.id));
                li {
                    a.card.(standing) href={ "/puzzle/" (entry.id) (mode) } {
                        span.card-title { (card_title(entry, words)) }
                        p {
                            (words.get(&format!("revealed.{}", entry.revealed())))
                            @if standing != "new" { " · " (words.get(&format!("browse.state.{standing}"))) }
                        }
                        (picture(entry, words))
                    }
                }
            }
        }
    }
}

/// The title of a puzzle's card.
pub(super) fn card_title(entry: &Entry, words: &Words) -> String {
    win_title(entry.puzzle.m_win, words)
}

/// `Win in 5 moves`: English counts the player's own moves, Japanese all moves.
pub(super) fn win_title(plies: u32, words: &Words) -> String {
    words.with("puzzle.win", &[("n", &plies.div_ceil(2)), ("plies", &plies)])
}

/// The position as a picture.
pub(super) fn picture(entry: &Entry, words: &Words) -> Markup {
    let options = svg::Options { language: words.language(), ..svg::Options::default() };
    let drawn = svg::draw(&entry.puzzle.position, &options);
    markup! { div.picture { (PreEscaped(drawn)) } }
}

fn filters(query: &Query, words: &Words) -> Markup {
    let Query { filter, standing, order, .. } = query;
    let all = Filter::default();
    markup! {
        form.filters action="/puzzles" method="get" {
            (range("length", "browse.length", &filter.length, &all.length, "1", words))
            (range("ghosts", "browse.ghosts", &filter.ghosts, &all.ghosts, "1", words))
            (range("difficulty", "browse.difficulty", &filter.difficulty, &all.difficulty, "0.1", words))
            (select("revealed", "browse.revealed", &["none", "partly", "fully"], filter.revealed.as_deref(), |name| format!("revealed.{name}"), words))
            (select("category", "browse.category", &Category::ALL.map(Category::name), filter.category.map(Category::name), |name| format!("category.{name}"), words))
            (select("standing", "browse.state", &Standing::ALL[1..].iter().map(|one| one.name()).collect::<Vec<_>>(), Some(standing.name()), |name| format!("browse.state.{name}"), words))
            (select("order", "browse.sort", &Order::ALL.map(Order::name), Some(order.name()), |name| format!("browse.sort.{name}"), words))
            (themes(&filter.themes, words))
            div.actions {
                button.button.primary type="submit" { (words.get("browse.apply")) }
                a.button.quiet href="/puzzles" { (words.get("browse.reset")) }
            }
        }
    }
}

/// Two numbers; one that is at its end is left empty.
fn range<T: std::fmt::Display + PartialEq>(
    name: &str,
    label: &str,
    range: &RangeInclusive<T>,
    all: &RangeInclusive<T>,
    step: &str,
    words: &Words,
) -> Markup {
    let field = |end: &str, of: fn(&RangeInclusive<T>) -> &T, hint: &str| {
        let value = (of(range) != of(all)).then(|| of(range));
        markup! {
            input type="number" name={ (name) "_" (end) } min=(all.start()) max=(all.end()) step=(step)
                value=[value] placeholder=(of(all)) aria-label={ (words.get(label)) " " (words.get(hint)) };
        }
    };
    markup! {
        fieldset.plain {
            legend { (words.get(label)) }
            div.pair {
                (field("min", RangeInclusive::start, "browse.from"))
                span aria-hidden="true" { "–" }
                (field("max", RangeInclusive::end, "browse.to"))
            }
        }
    }
}

fn select(
    name: &str,
    label: &str,
    values: &[&str],
    chosen: Option<&str>,
    key: impl Fn(&str) -> String,
    words: &Words,
) -> Markup {
    markup! {
        label {
            span { (words.get(label)) }
            select name=(name) {
                @if name != "order" { option value="" { (words.get("browse.any")) } }
                @for value in values {
                    option value=(value) selected[chosen == Some(*value)] { (words.get(&key(value))) }
                }
            }
        }
    }
}

/// As many themes as one likes.
fn themes(chosen: &[Theme], words: &Words) -> Markup {
    markup! {
        fieldset.plain.wide {
            legend { (words.get("browse.theme")) }
            div.chips {
                @for theme in Theme::ALL {
                    label.chip {
                        input type="checkbox" name="theme" value=(theme) checked[chosen.contains(&theme)];
                        " " (words.get(&format!("theme.{theme}")))
                    }
                }
            }
        }
    }
}

/// The other pages.
fn turn(query: &Query, pages: usize, words: &Words) -> Markup {
    let at = query.page.min(pages);
    markup! {
        nav.pages aria-label=(words.get("browse.pages")) {
            @if at > 1 { a.button rel="prev" href={ "/puzzles?" (query.address(at - 1)) } { (words.get("browse.previous")) } }
            span { (words.with("browse.page", &[("n", &at), ("total", &pages)])) }
            @if at < pages { a.button rel="next" href={ "/puzzles?" (query.address(at + 1)) } { (words.get("browse.next")) } }
        }
    }
}
