//! Studies: the researcher's desk, and the participant's way through.

use super::form::Form;
use super::layout::{Page, html};
use crate::app::{App, Shared};
use crate::context::RequestContext;
use crate::extract::Path;
use crate::problem::Problem;
use crate::refusals::why_no_study;
use crate::words::Words;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html as markup};
use serde::Deserialize;
use service::rate_limit::RateLimit;
use service::store::Study;
use service::studies::{self, NewStudy, Participation, StudyRefusal, participation};

pub(super) async fn list(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    context.expect_operator()?;
    desk(&app, &context, None, &Draft::default()).await
}

/// The form of a new study as it was filled in.
#[derive(Deserialize)]
pub(super) struct Draft {
    title: String,
    consent: String,
    #[serde(default)]
    puzzles: String,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    count: String,
    #[serde(default)]
    limit_seconds: String,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            title: String::new(),
            consent: String::new(),
            puzzles: String::new(),
            filter: String::new(),
            count: String::new(),
            limit_seconds: "90".into(),
        }
    }
}

impl Draft {
    fn study(&self) -> Result<NewStudy, StudyRefusal> {
        let number = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| StudyRefusal::no_number(text)),
        };
        Ok(NewStudy {
            title: self.title.clone(),
            consent: self.consent.clone(),
            puzzles: self.puzzles.split_whitespace().map(str::to_owned).collect(),
            // What is copied from the address of a list may begin with the address.
            filter: self.filter.trim().rsplit('?').next().unwrap_or("").to_owned(),
            count: number(&self.count)?.map(|count: i64| count.max(0) as usize),
            limit_seconds: number(&self.limit_seconds)?.unwrap_or(0),
        })
    }
}

pub(super) async fn create(
    State(app): State<Shared>,
    context: RequestContext,
    Form(draft): Form<Draft>,
) -> Result<Response, Problem> {
    context.expect_operator()?;
    match draft.study().and_then(|study| study.check(&app.service)) {
        Ok(study) => {
            studies::add(&app.service, &study).await?;
            Ok(Redirect::to("/studies").into_response())
        }
        Err(refusal) => {
            let problem = why_no_study(refusal, context.words);
            let page = desk(&app, &context, Some(&problem), &draft).await?;
            Ok((problem.status, page).into_response())
        }
    }
}

/// All studies, and a form for a new one.
async fn desk(
    app: &App,
    context: &RequestContext,
    problem: Option<&Problem>,
    draft: &Draft,
) -> Result<Markup, Problem> {
    let words = context.words;
    let studies = app.service.store.studies().await?;
    let content = markup! {
        h1 { (words.get("studies.title")) }
        p { (words.get("studies.lead")) }
        @if studies.is_empty() { p.note { (words.get("studies.none")) } } @else {
            (table(app, &studies, words))
            p.note { (words.get("studies.seen-note")) }
        }
        h2 { (words.get("studies.new")) }
        @if let Some(problem) = problem { p.field-error role="alert" { (problem.message(words)) } }
        (form(draft, words))
    };
    let page = Page { address: "/studies", public: false, ..Page::new(words.get("studies.title")) };
    Ok(html(app, context, &page, &content))
}

fn table(app: &App, studies: &[(Study, i64)], words: &Words) -> Markup {
    let public = app.public.as_deref().unwrap_or("").trim_end_matches('/');
    markup! {
        div.table-place { table {
            thead { tr {
                th scope="col" { (words.get("studies.name")) }
                th.number scope="col" { (words.get("studies.puzzles-count")) }
                th.number scope="col" { (words.get("studies.participants")) }
                th scope="col" { (words.get("studies.link")) }
                th scope="col" { (words.get("studies.answers")) }
                th scope="col" { (words.get("studies.state")) }
            } }
            tbody { @for (study, people) in studies { tr {
                th scope="row" { (study.title) }
                td.number { (study.puzzles.len()) }
                td.number { (people) }
                td { a.code href={ "/study/" (study.id) } { (public) "/study/" (study.id) } }
                td { a href={ "/studies/" (study.id) "/ratings.csv" } download { (words.get("studies.download")) } }
                td {
                    form action={ "/studies/" (study.id) } method="post" {
                        @let name = if study.closed { "studies.open" } else { "studies.close" };
                        button.button.small type="submit" name="closed" value=(!study.closed) { (words.get(name)) }
                    }
                }
            } } }
        } }
    }
}

fn form(draft: &Draft, words: &Words) -> Markup {
    markup! {
        form.form action="/studies" method="post" {
            label { span { (words.get("studies.name")) } input name="title" required maxlength="200" value=(draft.title); }
            label {
                span { (words.get("studies.consent")) }
                textarea name="consent" required rows="6" maxlength="10000" {
                    @if draft.consent.is_empty() { (words.get("studies.consent-usual")) } @else { (draft.consent) }
                }
            }
            label { span { (words.get("studies.puzzles")) } textarea name="puzzles" rows="4" { (draft.puzzles) } }
            label {
                span { (words.get("studies.filter")) }
                input name="filter" placeholder="length_min=7&length_max=13" value=(draft.filter);
            }
            label { span { (words.get("studies.count")) } input type="number" name="count" min="1" max="500" value=(draft.count); }
            label { span { (words.get("studies.limit")) } input type="number" name="limit_seconds" min="0" max="3600" value=(draft.limit_seconds); }
            p.note { (words.get("studies.order-note")) }
            button.button.primary type="submit" { (words.get("studies.create")) }
        }
    }
}

/// Opens or closes.
#[derive(Deserialize)]
pub(super) struct Close {
    closed: bool,
}

pub(super) async fn close(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Form(body): Form<Close>,
) -> Result<Redirect, Problem> {
    context.expect_operator()?;
    studies::close(&app.service, &id, body.closed).await?;
    Ok(Redirect::to("/studies"))
}

/// The token, from the form.
#[derive(Deserialize)]
pub(super) struct SignIn {
    token: String,
}

pub(super) async fn sign_in(
    State(app): State<Shared>,
    context: RequestContext,
    Form(body): Form<SignIn>,
) -> Result<Response, Problem> {
    context.check_rate(RateLimit::Credential)?;
    if !app.token.matches(&body.token) {
        let problem = Problem::new(axum::http::StatusCode::FORBIDDEN, "bad-token");
        let page = sign_in_page(&app, &context, Some(&problem));
        return Ok((problem.status, page).into_response());
    }
    let mut response = Redirect::to("/studies").into_response();
    if let Some(cookie) = app.signer.operator_cookie() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Asks for the token.
pub(super) fn sign_in_page(
    app: &App,
    context: &RequestContext,
    problem: Option<&Problem>,
) -> Markup {
    let words = context.words;
    let content = markup! {
        div.prose {
            h1 { (words.get("studies.title")) }
            p { (words.get("studies.lead")) }
            p { (words.get("studies.token-text")) }
            @if let Some(problem) = problem { p.field-error role="alert" { (problem.message(words)) } }
            form.form action="/studies/sign-in" method="post" {
                label { span { (words.get("studies.token")) } input type="password" name="token" autocomplete="current-password" required; }
                button.button.primary type="submit" { (words.get("studies.sign-in")) }
            }
        }
    };
    let page = Page { address: "/studies", public: false, ..Page::new(words.get("studies.title")) };
    html(app, context, &page, &content)
}

pub(super) async fn take_part(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<Markup, Problem> {
    let part = participation(&app.service, &id, &context.visitor.id).await?;
    Ok(part_page(&app, &context, &id, &part))
}

pub(super) async fn consent(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<Redirect, Problem> {
    studies::consent(&app.service, &context.caller, &id).await?;
    Ok(Redirect::to(&format!("/study/{id}")))
}

fn part_page(app: &App, context: &RequestContext, id: &str, part: &Participation) -> Markup {
    let words = context.words;
    let content = if part.ready {
        markup! {
            h1.unseen { (part.title) }
            div #solve data-mode="study" data-study=(id) data-done=(part.done) data-total=(part.puzzles)
                data-limit=[(part.limit_seconds > 0).then_some(part.limit_seconds)]
                data-running=[part.running.then_some("")]
            {
                div.play {
                    div #board { noscript { p { (words.get("puzzle.no-script")) } } }
                    div #panel {}
                }
            }
        }
    } else {
        markup! {
            div.prose {
                h1 { (part.title) }
                @if part.closed {
                    p { (words.get("study.closed")) }
                } @else if part.agreed {
                    p { (words.get("study.thanks")) }
                } @else {
                    @for paragraph in part.consent.split('\n') { p { (paragraph) } }
                    @if part.limit_seconds > 0 { p { (words.with("study.limit", &[("n", &part.limit_seconds), ("puzzles", &part.puzzles)])) } }
                    p { a href="/rules" { (words.get("home.rules")) } }
                    form.form action={ "/study/" (id) } method="post" {
                        label.switch { input type="checkbox" required; " " (words.get("study.consent")) }
                        button.button.primary type="submit" { (words.get("study.take-part")) }
                    }
                }
            }
        }
    };
    let address = format!("/study/{id}");
    let page = Page {
        modules: if part.ready { &["solve.js"] } else { &[] },
        board: true,
        address: &address,
        public: false,
        ..Page::new(&part.title)
    };
    html(app, context, &page, &content)
}
