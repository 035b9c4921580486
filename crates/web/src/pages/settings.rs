//! Settings: the clock, the language, transfer codes, and deleting one's data.

use super::form::Form;
use super::layout::{Page, html};
use crate::app::Shared;
use crate::context::RequestContext;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use common::Language;
use maud::{Markup, html as markup};
use serde::Deserialize;
use service::deletion::delete_data;

pub(super) async fn settings(State(app): State<Shared>, context: RequestContext) -> Markup {
    let words = context.words;
    let content = markup! {
        div.prose {
            h1 { (words.get("settings.title")) }
            p { label.switch { input #timer-switch type="checkbox"; " " (words.get("settings.timer")) } }
            h2 { (words.get("settings.theme")) }
            p { (words.get("settings.theme-text")) }
            h2 { (words.get("settings.transfer")) }
            p { (words.get("settings.transfer-text")) }
            p { button #transfer-make .button type="button" { (words.get("settings.transfer-make")) } }
            p { (words.get("settings.transfer-code")) ": " output #transfer-code .code role="status" {} }
            form #transfer-claim .form action="/settings" method="post" {
                label {
                    span { (words.get("settings.transfer-enter")) }
                    input name="code" autocomplete="off" autocapitalize="off" spellcheck="false" required;
                }
                button.button type="submit" { (words.get("settings.transfer-claim")) }
                p #transfer-status role="status" {}
            }
            h2 { (words.get("settings.delete")) }
            p { (words.get("settings.delete-text")) }
            p { a.button href="/settings/delete" { (words.get("settings.delete")) } }
        }
    };
    html(&app, &context, &private(words.get("settings.title")), &content)
}

/// Asks for confirmation before deleting.
pub(super) async fn ask_to_delete(State(app): State<Shared>, context: RequestContext) -> Markup {
    let words = context.words;
    let content = markup! {
        div.prose {
            h1 { (words.get("settings.delete")) }
            p { (words.get("settings.delete-what")) }
            p { (words.get("settings.delete-final")) }
            form.form action="/settings/delete" method="post" {
                input type="hidden" name="confirm" value="yes";
                p {
                    button.button type="submit" { (words.get("settings.delete-confirm")) } " "
                    a.button.primary href="/settings" { (words.get("settings.delete-cancel")) }
                }
            }
        }
    };
    html(&app, &context, &private(words.get("settings.delete")), &content)
}

/// A page that no search engine lists.
fn private(title: &str) -> Page<'_> {
    Page { address: "/settings", public: false, ..Page::new(title) }
}

/// The answer to the question whether to delete.
#[derive(Deserialize)]
pub(super) struct Confirmation {
    #[serde(default)]
    confirm: String,
}

pub(super) async fn delete(
    State(app): State<Shared>,
    context: RequestContext,
    Form(form): Form<Confirmation>,
) -> Result<Response, Problem> {
    if form.confirm != "yes" {
        return Err(Problem::bad("not-confirmed"));
    }
    delete_data(&app.service, &context.caller).await?;
    let cookie = app.signer.new_person_cookie();
    let mut response = Redirect::to("/settings/deleted").into_response();
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}

pub(super) async fn deleted(State(app): State<Shared>, context: RequestContext) -> Markup {
    let words = context.words;
    let content = markup! {
        div.prose {
            h1 { (words.get("settings.deleted-title")) }
            p { (words.get("settings.deleted")) }
            p { a.button.primary href="/" { (words.get("error.home")) } }
        }
    };
    html(&app, &context, &private(words.get("settings.deleted-title")), &content)
}

/// A language that was chosen.
#[derive(Deserialize)]
pub(super) struct Choice {
    language: String,
    #[serde(default)]
    back: String,
}

pub(super) async fn language(Form(choice): Form<Choice>) -> Result<Response, Problem> {
    let language: Language = choice.language.parse().map_err(|_| Problem::bad("bad-language"))?;
    let mut response = Redirect::to(own_address(&choice.back)).into_response();
    let cookie = format!("lang={language}; Path=/; Max-Age=63072000; SameSite=Lax; HttpOnly");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// A path of this site, or its first page: no open redirect.
fn own_address(back: &str) -> &str {
    let own = back.starts_with('/')
        && !back.starts_with("//")
        && !back.contains('\\')
        && back.chars().all(|letter| letter.is_ascii_graphic());
    if own { back } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_site() {
        for foreign in ["", "//evil", "https://evil", "/\\evil", "/\tevil", "javascript:x", "evil"]
        {
            assert_eq!(own_address(foreign), "/", "{foreign}");
        }
        assert_eq!(own_address("/puzzles?theme=solo"), "/puzzles?theme=solo");
    }
}
