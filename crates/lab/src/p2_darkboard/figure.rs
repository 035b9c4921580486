//! The gains of the variants, as bars with confidence intervals.

use super::{Gain, Matchup, Outcome};
use crate::LabError;
use crate::figure::{COLOURS, FONT, Figure, GRID, INK, failed};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The height of a row, in pixels.
const ROW_HEIGHT: i32 = 18;

/// The width of the column of names, in pixels.
const NAME_WIDTH: i32 = 170;

/// The width of the figure, in pixels.
const WIDTH: i32 = 760;

/// The height of the header above the rows, in pixels.
const HEADER_HEIGHT: i32 = 64;

/// Draws the gains of a matchup's variants as a bar chart.
pub(super) fn draw(matchup: &Matchup, outcomes: &[Outcome<'_>]) -> Result<Figure, LabError> {
    let rows: Vec<(&str, Gain)> = outcomes
        .iter()
        .filter(|one| std::ptr::eq(one.matchup, matchup))
        .filter_map(|one| Some((one.variant.name.as_str(), one.gain?)))
        .collect();
    let ends = rows.iter().flat_map(|(_, gain)| [gain.interval.low, gain.interval.high]);
    // At least a tenth, so that small gains do not look large.
    let max = ends.fold(0.1_f64, |max, end| max.max(end.abs()));
    let scale = Scale { max };
    let height = HEADER_HEIGHT + ROW_HEIGHT * rows.len() as i32 + 14;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32));
        let root = root.into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let text_style = |size: u32, alignment: HPos| {
            let style = TextStyle::from((FONT, size).into_font()).color(&INK);
            style.pos(Pos::new(alignment, VPos::Center))
        };
        let title = format!(
            "Depth {} against {}: points more than as it is, in per cent",
            matchup.depth, matchup.opponent
        );
        let title = Text::new(title, (WIDTH / 2, 18), text_style(16, HPos::Center));
        root.draw(&title).map_err(failed)?;
        for mark in scale.marks() {
            let x = scale.x(mark);
            let line = vec![(x, HEADER_HEIGHT - 8), (x, height - 8)];
            let style = if mark == 0.0 { INK } else { GRID };
            root.draw(&PathElement::new(line, style)).map_err(failed)?;
            let label = format!("{:+.0}", 100.0 * mark);
            root.draw(&Text::new(label, (x, HEADER_HEIGHT - 18), text_style(13, HPos::Center)))
                .map_err(failed)?;
        }
        for (at, (name, gain)) in (0..).zip(&rows) {
            let y = HEADER_HEIGHT + ROW_HEIGHT * at + ROW_HEIGHT / 2;
            let name =
                Text::new((*name).to_owned(), (NAME_WIDTH - 8, y), text_style(13, HPos::Right));
            root.draw(&name).map_err(failed)?;
            let colour = COLOURS[usize::from(gain.is_significant())];
            let bar = [(scale.x(0.0), y - 5), (scale.x(gain.mean), y + 5)];
            root.draw(&Rectangle::new(bar, colour.mix(0.6).filled())).map_err(failed)?;
            let whisker = [gain.interval.low, gain.interval.high].map(|end| (scale.x(end), y));
            root.draw(&PathElement::new(whisker.to_vec(), INK)).map_err(failed)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Figure { name: matchup.figure, svg })
}

/// The horizontal scale, which maps gains to pixels.
struct Scale {
    /// The greatest gain, at the right edge.
    max: f64,
}

impl Scale {
    fn x(&self, gain: f64) -> i32 {
        let half = f64::from(WIDTH - NAME_WIDTH - 24) / 2.0;
        NAME_WIDTH + (half * (1.0 + gain / self.max)).round() as i32
    }

    /// Axis marks at round numbers, at most six on each side of zero.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let step = [0.02, 0.05, 0.1, 0.2].into_iter().find(|step| self.max / step <= 6.0);
        let step = step.unwrap_or(0.5);
        let count = (self.max / step).floor() as i32;
        (-count..=count).map(move |at| f64::from(at) * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_stays_within_the_figure() {
        let scale = Scale { max: 0.3 };
        assert_eq!([scale.x(-0.3), scale.x(0.3)], [NAME_WIDTH, WIDTH - 24]);
        let marks: Vec<f64> = scale.marks().collect();
        assert!(marks.len() <= 13 && marks.contains(&0.0), "{marks:?}");
        assert!(marks.iter().all(|mark| mark.abs() <= 0.3 + 1e-9));
    }
}
