//! The progress page: the rating as a curve, and themes as bars.

use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::problem::Problem;
use crate::words::Words;
use axum::extract::State;
use maud::{Markup, html as markup};
use service::store::RatedAt;
use service::training::{HISTORY, ThemeProgress, by_theme, played_by};

pub(super) async fn progress(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    let (words, person) = (context.words, &context.visitor.id);
    let standing = app.service.store.person(person).await?;
    let played = played_by(&app.service, person).await?;
    let history = app.service.store.rating_history(person, HISTORY).await?;
    let themes = by_theme(&app.service, &played);
    let solved = played.values().filter(|played| played.solved).count();
    let facts = [
        (
            "progress.rating",
            format!(
                "{:.0} {}",
                standing.rating.rating,
                words.with("progress.deviation", &[("n", &standing.rating.deviation.round())])
            ),
        ),
        ("progress.attempts", played.len().to_string()),
        ("progress.solved", solved.to_string()),
        ("progress.best-streak", standing.streak_best.to_string()),
    ];
    let content = markup! {
        h1 { (words.get("progress.title")) }
        @if played.is_empty() { p { (words.get("progress.none")) } }
        dl.facts {
            @for (name, value) in &facts { div { dt { (words.get(name)) } dd { (value) } } }
        }
        h2 { (words.get("progress.chart")) }
        @if history.len() < 2 { p.note { (words.get("progress.chart-empty")) } } @else { (curve(&history, words)) }
        h2 { (words.get("progress.by-theme")) }
        (bars(&themes, words))
    };
    let page = Page {
        at: "/progress",
        address: "/progress",
        public: false,
        ..Page::new(words.get("progress.title"))
    };
    Ok(html(&app, &context, &page, &content))
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 44.0;

/// The rating after each attempt.
fn curve(history: &[RatedAt], words: &Words) -> Markup {
    let ratings = history.iter().map(|one| one.rating);
    let lowest = (ratings.clone().fold(f64::INFINITY, f64::min) / 50.0).floor() * 50.0;
    let highest = (ratings.clone().fold(f64::NEG_INFINITY, f64::max) / 50.0).ceil() * 50.0;
    let span = (highest - lowest).max(50.0);
    let x = |at: usize| LEFT + (WIDTH - LEFT - 8.0) * at as f64 / (history.len() - 1) as f64;
    let y = |rating: f64| 10.0 + (HEIGHT - 30.0) * (1.0 - (rating - lowest) / span);
    let points: Vec<String> =
        ratings.enumerate().map(|(at, rating)| format!("{:.1},{:.1}", x(at), y(rating))).collect();
    let ticks = [lowest, lowest + span / 2.0, lowest + span];
    let (first, last) = (history[0].rating, history[history.len() - 1].rating);
    let label = words.with(
        "progress.chart-told",
        &[("n", &history.len()), ("from", &first.round()), ("to", &last.round())],
    );
    markup! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            @for tick in ticks {
                line.tick x1=(LEFT) x2=(WIDTH) y1=(y(tick)) y2=(y(tick)) {}
                text x=(LEFT - 8.0) y=(y(tick) + 4.0) text-anchor="end" { (tick.round()) }
            }
            polyline.series points=(points.join(" ")) {}
            circle.point cx=(x(history.len() - 1)) cy=(y(last)) r="4" {}
        }
    }
}

/// A row for each theme that was met: name, a bar of what was solved, the numbers.
fn bars(themes: &[ThemeProgress], words: &Words) -> Markup {
    let met: Vec<&ThemeProgress> = themes.iter().filter(|theme| theme.tried > 0).collect();
    markup! {
        @if met.is_empty() { p.note { (words.get("progress.none")) } } @else {
            div.table-place { table {
                thead { tr {
                    th scope="col" { (words.get("browse.theme")) }
                    th scope="col" { (words.get("progress.share")) }
                    th.number scope="col" { (words.get("progress.solved")) }
                    th.number scope="col" { (words.get("progress.attempts")) }
                } }
                tbody { @for theme in met { (bar(theme, words)) } }
            } }
        }
    }
}

fn bar(theme: &ThemeProgress, words: &Words) -> Markup {
    let share = 100 * theme.solved / theme.tried.max(1);
    markup! {
        tr {
            th scope="row" {
                a href={ "/puzzles?theme=" (theme.theme) "&standing=unsolved" } { (words.get(&format!("theme.{}", theme.theme))) }
            }
            td {
                svg.chart.narrow viewBox="0 0 200 16" role="img" aria-label=(words.with("number.percent", &[("n", &share)])) {
                    rect.bar-rest width="200" height="16" rx="4" {}
                    rect.bar width=(2 * share) height="16" rx="4" {}
                }
            }
            td.number { (theme.solved) }
            td.number { (theme.tried) }
        }
    }
}
