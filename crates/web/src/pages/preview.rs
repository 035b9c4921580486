//! The picture that other sites show of a link to a puzzle.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::Path;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::{HeaderName, header};
use games::geister::Position;
use puzzle::export::diagram::svg;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use service::exposure;
use service::rate_limit::RateLimit;
use service::scheduler::Lane;

/// The width of link previews.
pub(super) const WIDTH: u32 = 1200;
/// Their height.
pub(super) const HEIGHT: u32 = 630;

pub(super) async fn preview(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<([(HeaderName, &'static str); 2], Vec<u8>), Problem> {
    let position = app.service.puzzle(&id).await?.puzzle.position;
    context.check_rate(RateLimit::Analysis)?;
    // Responses of a shared cache are not noted.
    let studied = exposure::note(&app.service, &context.caller, [id.as_str()]).await?;
    let caching = if studied { "no-store" } else { "public, max-age=604800" };
    let drawn = app
        .service
        .scheduler
        .run(Lane::Interactive, &context.caller.client, move |_| png(&position))
        .await?;
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, caching)];
    Ok((headers, drawn.ok_or(Problem::NOT_FOUND)?))
}

/// The board in the middle of a wide picture. There are no fonts here: numbers and letters are left
/// to the words beside the picture.
fn png(position: &Position) -> Option<Vec<u8>> {
    let drawn = svg::draw(position, &svg::Options::default());
    let tree = Tree::from_str(&drawn, &Options::default()).ok()?;
    let mut picture = Pixmap::new(WIDTH, HEIGHT)?;
    picture.fill(Color::WHITE);
    let size = tree.size();
    let scale = HEIGHT as f32 / size.height();
    let left = (WIDTH as f32 - scale * size.width()) / 2.0;
    let place = Transform::from_scale(scale, scale).post_translate(left, 0.0);
    resvg::render(&tree, place, &mut picture.as_mut());
    picture.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_a_png_that_is_not_blank() {
        let drawn = png(&"6/4u1/B5/6/6/Ru4 1".parse().unwrap()).unwrap();
        let picture = Pixmap::decode_png(&drawn).unwrap();
        assert_eq!((picture.width(), picture.height()), (WIDTH, HEIGHT));
        let blue = picture.pixels().iter().filter(|one| (one.red(), one.blue()) == (0x1c, 0x9c));
        assert!(blue.count() > 1000);
    }
}
