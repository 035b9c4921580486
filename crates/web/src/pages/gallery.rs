//! The gallery: records of the tablebases on a live board, and figures of the lab.

use super::browse::win_title;
use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::gallery::{FIGURES, Record, records};
use crate::words::Words;
use axum::extract::State;
use maud::{Markup, html as markup};

pub(super) async fn gallery(State(app): State<Shared>, context: RequestContext) -> Markup {
    let words = context.words;
    let content = markup! {
        h1 { (words.get("gallery.title")) }
        section {
            h2 { (words.get("gallery.records")) }
            p { (words.get("gallery.records-text")) }
            div #gallery {
                ul.records { @for record in records() { li { (record_button(record, words)) } } }
                div.play {
                    div #board { noscript { p { (words.get("play.no-script")) } } }
                    div #panel {}
                }
            }
        }
        section {
            h2 { (words.get("gallery.figures")) }
            p { (words.get("gallery.figures-text")) }
            div.figures {
                @for (name, _) in FIGURES { (figure(app.assets.base(), name, words)) }
            }
        }
    };
    let page = Page {
        modules: &["gallery.js"],
        board: true,
        address: "/gallery",
        ..Page::new(words.get("gallery.title"))
    };
    html(&app, &context, &page, &content)
}

fn record_button(record: &Record, words: &Words) -> Markup {
    markup! {
        button.record type="button" data-position=(record.position) data-line=(record.line) aria-pressed="false" {
            strong { (win_title(record.plies(), words)) }
            span.note {
                (words.with("gallery.ghosts", &[("n", &record.ghosts())])) (words.get("list.comma"))
                (words.get(&format!("revealed.{}", record.revealed)))
            }
        }
    }
}

fn figure(assets: &str, name: &str, words: &Words) -> Markup {
    let key = format!("gallery.{}", name.trim_end_matches(".svg"));
    let caption = words.get(&key);
    let address = format!("{assets}/{name}");
    markup! {
        figure {
            a href=(address) { img src=(address) alt=(caption) loading="lazy"; }
            figcaption { (caption) }
        }
    }
}
