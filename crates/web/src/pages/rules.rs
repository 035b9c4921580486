//! How to play.

use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use axum::extract::State;
use games::geister::Ghost;
use maud::{Markup, PreEscaped, html as markup};
use puzzle::export::diagram::svg;

pub(super) async fn rules(State(app): State<Shared>, context: RequestContext) -> Markup {
    let words = context.words;
    let section = |name: &str| {
        markup! {
            h2 { (words.get(&format!("rules.{name}"))) }
            p { (words.get(&format!("rules.{name}-text"))) }
        }
    };
    let content = markup! {
        div.prose {
            h1 { (words.get("rules.title")) }
            (section("game"))
            h2 { (words.get("rules.win")) }
            ul {
                @for way in ["escape", "blue", "red"] { li { (words.get(&format!("rules.win-{way}"))) } }
            }
            p { (words.get("rules.opponent")) }
            (section("puzzle"))
            (section("purple"))
            h2 { (words.get("rules.signs")) }
            ul.signs {
                @for ghost in Ghost::ALL {
                    li {
                        span.picture { (PreEscaped(svg::icon(ghost))) }
                        span { (words.get(&format!("rules.sign.{}", ghost.letter()))) }
                    }
                }
            }
            (section("hands"))
            p { a.button.primary href="/daily" { (words.get("home.solve")) } }
        }
    };
    let page = Page { at: "/rules", address: "/rules", ..Page::new(words.get("rules.title")) };
    html(&app, &context, &page, &content)
}
