//! The gains of the variants, as bars with confidence intervals.

use super::{Field, Gain, Outcome};
use crate::LabError;
use crate::figure::{COLOURS, FONT, Figure, GRID, INK, failed};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Sizes in pixels: a row, the names on the left, all of the width, and what is above the rows.
const ROW: i32 = 18;
const NAMES: i32 = 170;
const WIDTH: i32 = 760;
const HEAD: i32 = 64;

/// The bars of a field's variants.
pub(super) fn draw(field: &Field, outcomes: &[Outcome<'_>]) -> Result<Figure, LabError> {
    let rows: Vec<(&str, Gain)> = outcomes
        .iter()
        .filter(|one| std::ptr::eq(one.field, field))
        .filter_map(|one| Some((one.variant.name.as_str(), one.gain?)))
        .collect();
    let ends = rows.iter().flat_map(|(_, gain)| [gain.interval.low, gain.interval.high]);
    // At least a tenth, so that small gains do not look large.
    let most = ends.fold(0.1_f64, |most, end| most.max(end.abs()));
    let scale = Scale { most };
    let height = HEAD + ROW * rows.len() as i32 + 14;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32));
        let root = root.into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let words = |size: u32, side: HPos| {
            let style = TextStyle::from((FONT, size).into_font()).color(&INK);
            style.pos(Pos::new(side, VPos::Center))
        };
        let title = format!(
            "Depth {} against {}: points more than as it is, in per cent",
            field.depth, field.against
        );
        let title = Text::new(title, (WIDTH / 2, 18), words(16, HPos::Center));
        root.draw(&title).map_err(failed)?;
        for mark in scale.marks() {
            let x = scale.x(mark);
            let line = vec![(x, HEAD - 8), (x, height - 8)];
            let style = if mark == 0.0 { INK } else { GRID };
            root.draw(&PathElement::new(line, style)).map_err(failed)?;
            let label = format!("{:+.0}", 100.0 * mark);
            root.draw(&Text::new(label, (x, HEAD - 18), words(13, HPos::Center)))
                .map_err(failed)?;
        }
        for (at, (name, gain)) in (0..).zip(&rows) {
            let y = HEAD + ROW * at + ROW / 2;
            let name = Text::new((*name).to_owned(), (NAMES - 8, y), words(13, HPos::Right));
            root.draw(&name).map_err(failed)?;
            let colour = COLOURS[usize::from(gain.is_beyond_chance())];
            let bar = [(scale.x(0.0), y - 5), (scale.x(gain.mean), y + 5)];
            root.draw(&Rectangle::new(bar, colour.mix(0.6).filled())).map_err(failed)?;
            let whisker = [gain.interval.low, gain.interval.high].map(|end| (scale.x(end), y));
            root.draw(&PathElement::new(whisker.to_vec(), INK)).map_err(failed)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Figure { name: field.figure, svg })
}

/// From gains to pixels.
struct Scale {
    most: f64,
}

impl Scale {
    fn x(&self, gain: f64) -> i32 {
        let half = f64::from(WIDTH - NAMES - 24) / 2.0;
        NAMES + (half * (1.0 + gain / self.most)).round() as i32
    }

    /// Round numbers, a handful on either side.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let step = [0.02, 0.05, 0.1, 0.2].into_iter().find(|step| self.most / step <= 6.0);
        let step = step.unwrap_or(0.5);
        let count = (self.most / step).floor() as i32;
        (-count..=count).map(move |at| f64::from(at) * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_drawn_outside() {
        let scale = Scale { most: 0.3 };
        assert_eq!([scale.x(-0.3), scale.x(0.3)], [NAMES, WIDTH - 24]);
        let marks: Vec<f64> = scale.marks().collect();
        assert!(marks.len() <= 13 && marks.contains(&0.0), "{marks:?}");
        assert!(marks.iter().all(|mark| mark.abs() <= 0.3 + 1e-9));
    }
}
