//! Any position, analysed by the solver within bounds; and as a picture.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::Query;
use crate::problem::Problem;
use crate::refusals::why_no_position;
use crate::words::Words;
use axum::extract::State;
use axum::http::{HeaderName, header};
use games::geister::{Move, Position};
use puzzle::export::diagram::svg;
use serde::Deserialize;
use service::analysis::{self, AnalysisView, play_all};
use service::rate_limit::RateLimit;

/// A position: a text, and moves from there.
#[derive(Deserialize)]
pub(super) struct PositionQuery {
    position: String,
    #[serde(default)]
    moves: String,
}

impl PositionQuery {
    fn read(&self, words: &Words) -> Result<(Position, Position), Problem> {
        let start: Position =
            self.position.trim().parse().map_err(|error| {
                Problem::bad("bad-position").detail(why_no_position(&error, words))
            })?;
        Ok((start, play_all(start, &self.moves)?))
    }
}

pub(super) async fn analyse(
    State(app): State<Shared>,
    context: RequestContext,
    Query(query): Query<PositionQuery>,
) -> Result<axum::Json<AnalysisView>, Problem> {
    context.check_rate(RateLimit::Analysis)?;
    let (start, position) = query.read(context.words)?;
    let found = analysis::analyse(&app.service, &context.caller, start, position).await?;
    Ok(axum::Json(found))
}

/// The query for a picture of a position.
#[derive(Deserialize)]
pub(super) struct PictureQuery {
    position: String,
    #[serde(default)]
    moves: String,
    #[serde(default)]
    marks: String,
}

pub(super) async fn picture(
    context: RequestContext,
    Query(PictureQuery { position, moves, marks }): Query<PictureQuery>,
) -> Result<([(HeaderName, &'static str); 2], String), Problem> {
    let (_, position) = PositionQuery { position, moves }.read(context.words)?;
    let marks = marks.split(',').filter(|text| !text.is_empty()).take(16);
    let marks: Result<Vec<Move>, _> = marks.map(|text| text.trim().parse()).collect();
    let marks = marks.map_err(|_| Problem::bad("bad-line"))?;
    let language = context.words.language();
    let options = svg::Options { marks, language, ..svg::Options::default() };
    let headers =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")];
    Ok((headers, svg::draw(&position, &options)))
}
