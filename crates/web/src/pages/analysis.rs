//! The analysis page.

use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::Query;
use axum::extract::State;
use maud::{Markup, html as markup};
use serde::Deserialize;

/// What a link carries. It is checked when it is analysed, and shown as text until then.
#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    position: String,
    #[serde(default)]
    moves: String,
}

/// The longest text that a link carries.
const MAX_LENGTH: usize = 3000;

pub(super) async fn analysis(
    State(app): State<Shared>,
    context: RequestContext,
    Query(link): Query<Link>,
) -> Markup {
    let words = context.words;
    let cut = |text: &str| text.chars().take(MAX_LENGTH).collect::<String>();
    let content = markup! {
        h1.unseen { (words.get("analysis.title")) }
        p.note { (words.get("analysis.lead")) }
        div #analysis data-position=(cut(&link.position)) data-moves=(cut(&link.moves)) {
            div.play {
                div #board { noscript { p { (words.get("puzzle.no-script")) } } }
                div #panel {}
            }
        }
    };
    let page = Page {
        at: "/analysis",
        modules: &["analysis.js"],
        board: true,
        address: "/analysis",
        ..Page::new(words.get("analysis.title"))
    };
    html(&app, &context, &page, &content)
}
