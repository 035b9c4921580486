//! What every page has around its content.

use crate::app::App;
use crate::context::RequestContext;
use crate::words::Words;
use common::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use puzzle::export::diagram::svg;
use std::sync::OnceLock;

/// What differs from page to page beside the content.
pub(super) struct Page<'a> {
    /// Its name.
    pub(super) title: &'a str,
    /// The menu entry that is lit.
    pub(super) at: &'a str,
    /// Modules that the page needs.
    pub(super) modules: &'a [&'a str],
    /// A sentence for link previews.
    pub(super) description: Option<String>,
    /// A picture for link previews.
    pub(super) picture: Option<String>,
    /// The page has a board.
    pub(super) board: bool,
    /// The address that the switch of languages leads back to.
    pub(super) address: &'a str,
    /// Search engines may list the page.
    pub(super) public: bool,
}

impl<'a> Page<'a> {
    /// A page with this title.
    pub(super) fn new(title: &'a str) -> Page<'a> {
        Page {
            title,
            at: "",
            modules: &[],
            description: None,
            picture: None,
            board: false,
            address: "/",
            public: true,
        }
    }
}

/// The menu: the name of its words and the address.
const MENU: [(&str, &str); 8] = [
    ("nav.play", "/play"),
    ("nav.daily", "/daily"),
    ("nav.browse", "/puzzles"),
    ("nav.streak", "/streak"),
    ("nav.review", "/review"),
    ("nav.analysis", "/analysis"),
    ("nav.progress", "/progress"),
    ("nav.rules", "/rules"),
];

/// The whole page.
pub(super) fn html(
    app: &App,
    context: &RequestContext,
    page: &Page<'_>,
    content: &Markup,
) -> Markup {
    let words = context.words;
    let assets = app.assets.base();
    let name = words.get("site.name");
    let title =
        if page.title == name { name.to_owned() } else { format!("{} · {name}", page.title) };
    markup! {
        (DOCTYPE)
        html lang=(words.language().code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                (preview(app, page, &title, words))
                @if !page.public { meta name="robots" content="noindex"; }
                link rel="icon" type="image/svg+xml" href={ (assets) "/icon.svg" };
                link rel="stylesheet" href={ (assets) "/style.css" };
                script src={ (assets) "/theme.js" } {}
                @for module in page.modules.iter().chain(&["site.js"]) {
                    script type="module" src={ (assets) "/" (module) } {}
                }
            }
            body data-language=(words.language().code()) data-assets=(assets) {
                @if page.board { (PreEscaped(symbols())) }
                a.skip href="#content" { (words.get("nav.skip")) }
                (header(page, words))
                main #content tabindex="-1" { (content) }
                (footer(words))
            }
        }
    }
}

/// What other sites show of a link.
fn preview(app: &App, page: &Page<'_>, title: &str, words: &Words) -> Markup {
    let description = page.description.as_deref().unwrap_or(words.get("site.description"));
    let public = app.public.as_deref().unwrap_or("").trim_end_matches('/');
    markup! {
        meta name="description" content=(description);
        meta property="og:title" content=(title);
        meta property="og:description" content=(description);
        meta property="og:site_name" content=(words.get("site.name"));
        meta property="og:type" content="website";
        @if let Some(picture) = &page.picture {
            meta property="og:image" content={ (public) (picture) };
            meta property="og:image:width" content=(super::preview::WIDTH);
            meta property="og:image:height" content=(super::preview::HEIGHT);
            meta name="twitter:card" content="summary_large_image";
        }
    }
}

/// The ghosts that boards are drawn with.
fn symbols() -> &'static str {
    static SYMBOLS: OnceLock<String> = OnceLock::new();
    SYMBOLS.get_or_init(svg::symbols)
}

fn header(page: &Page<'_>, words: &Words) -> Markup {
    markup! {
        header.site-header {
            a.brand href="/" aria-current=[(page.at == "/").then_some("page")] {
                (PreEscaped(svg::icon(games::geister::Ghost::Hidden)))
                span { (words.get("site.name")) }
            }
            nav #nav .site-nav aria-label=(words.get("nav.label")) {
                @for (name, address) in MENU {
                    a href=(address) aria-current=[(page.at == address).then_some("page")] { (words.get(name)) }
                }
            }
            div.site-tools {
                button #theme type="button" hidden {}
                (switch(page, words))
                button #menu type="button" aria-expanded="false" aria-controls="nav" {
                    span aria-hidden="true" { "☰" }
                    span.unseen { (words.get("nav.menu")) }
                }
            }
        }
    }
}

/// The switch to the other language, written in that language.
fn switch(page: &Page<'_>, words: &Words) -> Markup {
    let (other, name) = match words.language() {
        Language::English => (Language::Japanese, "日本語"),
        Language::Japanese => (Language::English, "English"),
    };
    markup! {
        form action="/language" method="post" {
            input type="hidden" name="back" value=(page.address);
            button type="submit" name="language" value=(other.code()) lang=(other.code()) { (name) }
        }
    }
}

fn footer(words: &Words) -> Markup {
    markup! {
        footer.site-footer {
            p { (words.get("footer.about")) " " (words.get("footer.privacy")) }
            p {
                a href="/settings" { (words.get("nav.settings")) } " · "
                a href="/gallery" { (words.get("nav.gallery")) } " · "
                a href="/studies" { (words.get("nav.studies")) } " · "
                a href="/api/v1/openapi.json" { (words.get("footer.api")) }
            }
        }
    }
}
