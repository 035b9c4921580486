//! P5's figures 5, 6 and 7, drawn from what our evolution gave.

use crate::LabError;
use crate::figure::{
    COLOURS, Chart, FONT, Figure, GRID, INK, Point, Series, SeriesStyle, draw, failed,
};
use crate::p5_styles::{Elite, OURS, Shares};
use players::style::parameters::NAMES;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use train::evolve::CLUSTERS;
use train::evolve::dominance::edges;

const SIZE: (u32, u32) = (720, 560);

/// The parameters of the agents of a cluster.
fn members<'a>(
    elites: &'a [Elite],
    of: &'a [usize],
    cluster: usize,
) -> impl Iterator<Item = [f64; 3]> + 'a {
    let all = elites.iter().zip(of);
    all.filter(move |(_, at)| **at == cluster).map(|(elite, _)| elite.style.to_array())
}

/// Figure 5: all agents that were kept, in space.
pub(crate) fn clusters_figure(elites: &[Elite], of: &[usize]) -> Result<Figure, LabError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let range = || -0.5..0.5;
        let tenth = |value: &f64| {
            let rounded = (10.0 * value).round() / 10.0;
            format!("{:.1}", rounded + 0.0) // no minus before 0
        };
        let mut chart = ChartBuilder::on(&root)
            .caption("Agents that were kept, by cluster", (FONT, 18).into_font().color(&INK))
            .margin(20)
            .build_cartesian_3d(range(), range(), range())
            .map_err(failed)?;
        chart.with_projection(|mut projection| {
            (projection.yaw, projection.pitch, projection.scale) = (0.6, 0.35, 0.75);
            projection.into_matrix()
        });
        chart
            .configure_axes()
            .label_style((FONT, 13).into_font().color(&INK))
            .light_grid_style(TRANSPARENT)
            .bold_grid_style(GRID)
            .max_light_lines(1)
            .x_formatter(&tenth)
            .y_formatter(&tenth)
            .z_formatter(&tenth)
            .draw()
            .map_err(failed)?;
        // The second axis of the library points up.
        let titles = [
            (NAMES[0], (0.0, -0.5, 0.85)),
            (NAMES[2], (-0.62, 0.1, 0.5)),
            (NAMES[1], (0.85, -0.5, 0.0)),
        ];
        let style = TextStyle::from((FONT, 15).into_font()).color(&INK);
        let style = style.pos(Pos::new(HPos::Center, VPos::Center));
        chart
            .draw_series(titles.map(|(name, at)| Text::new(name, at, style.clone())))
            .map_err(failed)?;
        for cluster in 0..CLUSTERS {
            let colour = COLOURS[cluster];
            let points = members(elites, of, cluster);
            chart
                .draw_series(
                    points.map(|[x, z, y]| Circle::new((x, y, z), 3, colour.mix(0.6).filled())),
                )
                .map_err(failed)?
                .label(format!("cluster {}", OURS[cluster]))
                .legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
        }
        chart
            .configure_series_labels()
            .label_font((FONT, 14).into_font().color(&INK))
            .border_style(GRID)
            .background_style(WHITE.mix(0.85))
            .draw()
            .map_err(failed)?;
        root.present().map_err(failed)?;
    }
    Ok(Figure { name: "clusters", svg })
}

/// Figure 5 from three sides, where distances can be read.
pub(crate) fn projections_figure(elites: &[Elite], of: &[usize]) -> Result<Figure, LabError> {
    // A mark beyond the last agent would lie outside the panel.
    let is_within = |parameter: usize, at: f64| {
        let all = || elites.iter().map(|elite| elite.style.to_array()[parameter]);
        all().any(|value| value <= at + 0.02) && all().any(|value| value >= at - 0.02)
    };
    let ticks = |parameter: usize| -> Vec<(f64, String)> {
        let marks = [-0.5, -0.25, 0.0, 0.25, 0.5].into_iter();
        marks.filter(|at| is_within(parameter, *at)).map(|at| (at, at.to_string())).collect()
    };
    let chart = |x: usize, y: usize| Chart {
        title: format!("{} and {}", NAMES[x], NAMES[y]),
        x_label: NAMES[x].into(),
        y_label: NAMES[y].into(),
        ticks: ticks(x),
        logarithmic: false,
        series: (0..CLUSTERS)
            .map(|cluster| {
                let points = members(elites, of, cluster).map(|at| Point::new(at[x], at[y]));
                Series::new(
                    format!("cluster {}", OURS[cluster]),
                    SeriesStyle::Points,
                    points.collect(),
                )
            })
            .collect(),
    };
    draw("projections", &[chart(0, 1), chart(0, 2), chart(1, 2)], 3)
}

/// Figure 6: how the clusters grow and shrink.
pub(crate) fn shares_figure(shares: &[[f64; CLUSTERS]]) -> Result<Figure, LabError> {
    let number = shares.len();
    let step = (number / 10).max(1);
    let ticks = (1..=number).filter(|at| *at == 1 || at % step == 0);
    let series = |cluster: usize| {
        let points = shares.iter().enumerate();
        let points = points.map(|(at, row)| Point::new(at as f64 + 1.0, row[cluster]));
        Series::new(format!("cluster {}", OURS[cluster]), SeriesStyle::Line, points.collect())
    };
    let chart = Chart {
        title: "Shares of the clusters among the kept".into(),
        x_label: "generation".into(),
        y_label: "share".into(),
        ticks: ticks.map(|at| (at as f64, at.to_string())).collect(),
        logarithmic: false,
        series: (0..CLUSTERS).map(series).collect(),
    };
    draw("shares", &[chart], 1)
}

/// Where a style stands in the picture of dominance, and how large it is.
const RADIUS: f64 = 170.0;
const DISC: i32 = 26;

/// Figure 7: an arrow from each style to those it dominates.
pub(crate) fn dominance_figure(shares: &Shares, names: &[&str]) -> Result<Figure, LabError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (480, 480)).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let place = |at: usize| {
            let turn = std::f64::consts::TAU * at as f64 / names.len().max(1) as f64;
            (240.0 + RADIUS * turn.sin(), 250.0 - RADIUS * turn.cos())
        };
        for (from, to) in edges(shares) {
            let (shaft, head) = arrow(place(from), place(to));
            root.draw(&PathElement::new(shaft, INK.stroke_width(2))).map_err(failed)?;
            root.draw(&Polygon::new(head, INK.filled())).map_err(failed)?;
        }
        let style = TextStyle::from((FONT, 20).into_font()).color(&WHITE);
        let style = style.pos(Pos::new(HPos::Center, VPos::Center));
        for (at, name) in names.iter().enumerate() {
            let (x, y) = place(at);
            let centre = (x as i32, y as i32);
            let colour = COLOURS[at % COLOURS.len()];
            root.draw(&Circle::new(centre, DISC, colour.filled())).map_err(failed)?;
            root.draw(&Text::new((*name).to_owned(), centre, style.clone())).map_err(failed)?;
        }
        let title = TextStyle::from((FONT, 16).into_font()).color(&INK);
        let title = title.pos(Pos::new(HPos::Center, VPos::Top));
        let text = "Who wins 60 % or more against whom".to_owned();
        root.draw(&Text::new(text, (240, 12), title)).map_err(failed)?;
        root.present().map_err(failed)?;
    }
    Ok(Figure { name: "dominance", svg })
}

type Pixels = Vec<(i32, i32)>;

/// The shaft and the head of an arrow between two discs.
fn arrow(from: (f64, f64), to: (f64, f64)) -> (Pixels, Pixels) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let gap = f64::from(DISC) + 4.0;
    let at = |along: f64, aside: f64| {
        let x = from.0 + ux * along - uy * aside;
        let y = from.1 + uy * along + ux * aside;
        (x.round() as i32, y.round() as i32)
    };
    let tip = length - gap;
    let shaft = vec![at(gap, 0.0), at(tip - 10.0, 0.0)];
    (shaft, vec![at(tip, 0.0), at(tip - 14.0, 6.0), at(tip - 14.0, -6.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominance_has_its_arrows_and_names() {
        let shares = vec![vec![None, Some(0.7)], vec![Some(0.3), None]];
        let figure = dominance_figure(&shares, &["one", "two"]).unwrap();
        assert_eq!(figure.svg.matches("<polygon").count(), 1);
        assert!(figure.svg.contains("one") && figure.svg.contains("two"));
    }

    #[test]
    fn an_arrow_ends_at_the_disc() {
        let (shaft, head) = arrow((0.0, 0.0), (100.0, 0.0));
        assert_eq!((shaft[0], head[0]), ((30, 0), (70, 0)));
    }
}
