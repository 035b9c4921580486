//! Figures of experiments, drawn as SVG.

use crate::LabError;
use crate::statistics::Interval;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// A drawn figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The file name suffix after the experiment's name; empty for the main figure.
    pub name: &'static str,
    /// The picture.
    pub svg: String,
}

/// One panel of a figure.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    /// The ticks of the x axis with their labels.
    pub(crate) ticks: Vec<(f64, String)>,
    /// Whether the y axis is logarithmic.
    pub(crate) logarithmic: bool,
    pub(crate) series: Vec<Series>,
}

/// Ticks at every second ply.
pub(crate) fn plies(from: u32, to: u32) -> Vec<(f64, String)> {
    (from..=to).step_by(2).map(|plies| (f64::from(plies), plies.to_string())).collect()
}

/// A data series of a panel.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) style: SeriesStyle,
    pub(crate) points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesStyle {
    Points,
    Line,
    /// Points joined by a line.
    Both,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<Interval>,
}

impl Point {
    pub(crate) fn new(x: impl Into<f64>, y: f64) -> Point {
        Point { x: x.into(), y, interval: None }
    }

    pub(crate) fn with_interval(x: impl Into<f64>, y: f64, interval: Interval) -> Point {
        Point { x: x.into(), y, interval: Some(interval) }
    }
}

impl Series {
    pub(crate) fn new(name: impl Into<String>, style: SeriesStyle, points: Vec<Point>) -> Series {
        Series { name: name.into(), style, points }
    }
}

/// Colours that are dark enough for print and differ in greyscale too; the markers differ as well.
pub(crate) const COLOURS: [RGBColor; 6] = [
    RGBColor(20, 75, 140),
    RGBColor(200, 80, 20),
    RGBColor(60, 130, 60),
    RGBColor(120, 60, 130),
    RGBColor(170, 130, 20),
    RGBColor(110, 110, 110),
];
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);
pub(crate) const FONT: &str = "sans-serif";

/// The size of a panel in pixels.
const PANEL: (u32, u32) = (640, 440);

/// Draws the panels, `across` in a row.
pub(crate) fn draw(
    name: &'static str,
    charts: &[Chart],
    across: usize,
) -> Result<Figure, LabError> {
    let across = across.clamp(1, charts.len().max(1));
    let down = charts.len().div_ceil(across).max(1);
    let size = (PANEL.0 * across as u32, PANEL.1 * down as u32);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        for (chart, area) in charts.iter().zip(root.split_evenly((down, across))) {
            panel(chart, &area)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Figure { name, svg })
}

pub(crate) fn failed(error: impl std::fmt::Display) -> LabError {
    LabError::Drawing(error.to_string())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn panel(chart: &Chart, area: &Area<'_>) -> Result<(), LabError> {
    let height = |y: f64| if chart.logarithmic { y.max(1e-12).log10() } else { y };
    let (x_range, y_range, top) = ranges(chart, height);
    let marks = chart.ticks.iter().map(|(at, _)| *at).collect();
    let mut context = ChartBuilder::on(area)
        .caption(&chart.title, (FONT, 18).into_font().color(&INK))
        .margin(14)
        .x_label_area_size(46)
        .y_label_area_size(66)
        .build_cartesian_2d(Marked { axis: x_range.into(), marks }, y_range)
        .map_err(failed)?;
    // No labels in the area of the legend, since no value can be there.
    let label = |y: &f64| match *y {
        y if y > top => String::new(),
        y if chart.logarithmic => power_of_ten(y),
        y => plain(y),
    };
    let tick = |x: &f64| {
        let found = chart.ticks.iter().find(|(at, _)| (at - x).abs() < 1e-6);
        found.map_or(String::new(), |(_, name)| name.clone())
    };
    context
        .configure_mesh()
        .x_desc(chart.x_label.as_str())
        .y_desc(chart.y_label.as_str())
        .axis_desc_style((FONT, 15).into_font().color(&INK))
        .label_style((FONT, 14).into_font().color(&INK))
        .x_label_formatter(&tick)
        .y_label_formatter(&label)
        .x_labels(chart.ticks.len().max(1))
        .y_labels(8)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .draw()
        .map_err(failed)?;
    for (index, series) in chart.series.iter().enumerate() {
        draw_one(&mut context, index, series, &height).map_err(failed)?;
    }
    context
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font((FONT, 14).into_font().color(&INK))
        .background_style(WHITE.mix(0.85))
        .border_style(GRID)
        .draw()
        .map_err(failed)
}

type Axes = Cartesian2d<Marked, RangedCoordf64>;
type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Axes>;
type Failed<'b> = DrawingAreaErrorKind<<SVGBackend<'b> as DrawingBackend>::ErrorType>;

/// Draws a series: line, error bars and markers; each style has its own marker.
fn draw_one<'b>(
    context: &mut Context<'_, 'b>,
    index: usize,
    series: &Series,
    height: &impl Fn(f64) -> f64,
) -> Result<(), Failed<'b>> {
    let colour = COLOURS[index % COLOURS.len()];
    let places: Vec<(f64, f64)> = series.points.iter().map(|p| (p.x, height(p.y))).collect();
    if series.style != SeriesStyle::Points {
        let line = LineSeries::new(places.iter().copied(), colour.stroke_width(2));
        let drawn = context.draw_series(line)?;
        if series.style == SeriesStyle::Line {
            drawn.label(series.name.as_str()).legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 20, y)], colour.stroke_width(2))
            });
            return Ok(());
        }
    }
    let bars = series.points.iter().filter_map(|point| Some((point.x, point.interval?)));
    context.draw_series(bars.map(|(x, bar)| {
        PathElement::new(vec![(x, height(bar.low)), (x, height(bar.high))], colour)
    }))?;
    let (disc, edge) = (colour.filled(), colour.stroke_width(2));
    let places = places.into_iter();
    match index % 4 {
        0 => context
            .draw_series(places.map(|at| Circle::new(at, 4, disc)))?
            .label(series.name.as_str())
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, disc)),
        1 => context
            .draw_series(places.map(|at| TriangleMarker::new(at, 6, disc)))?
            .label(series.name.as_str())
            .legend(move |(x, y)| TriangleMarker::new((x + 10, y), 6, disc)),
        2 => context
            .draw_series(places.map(|at| Cross::new(at, 5, edge)))?
            .label(series.name.as_str())
            .legend(move |(x, y)| Cross::new((x + 10, y), 5, edge)),
        _ => context
            .draw_series(places.map(|at| Circle::new(at, 6, edge)))?
            .label(series.name.as_str())
            .legend(move |(x, y)| Circle::new((x + 10, y), 6, edge)),
    };
    Ok(())
}

/// An axis with explicit ticks.
#[derive(Clone)]
struct Marked {
    axis: RangedCoordf64,
    marks: Vec<f64>,
}

impl Ranged for Marked {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.axis.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.axis.range()
    }
}

impl ValueFormatter<f64> for Marked {
    fn format(value: &f64) -> String {
        plain(*value)
    }
}

/// The height of a legend line relative to the panel.
const LEGEND_LINE: f64 = 0.07;

/// The axis ranges with some margin and room for the legend above, and where the legend begins.
fn ranges(
    chart: &Chart,
    height: impl Fn(f64) -> f64,
) -> (std::ops::Range<f64>, std::ops::Range<f64>, f64) {
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let widened = |low: f64, high: f64, share: f64| {
        let more = if high > low { (high - low) * share } else { 1.0 };
        low - more..high + more
    };
    let min = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let max = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    if points().next().is_none() {
        return (0.0..1.0, 0.0..1.0, 1.0);
    }
    let x = widened(min(&mut points().map(|p| p.x)), max(&mut points().map(|p| p.x)), 0.05);
    let top = |p: &Point| height(p.interval.map_or(p.y, |i| i.high));
    // An interval that reaches 0 cannot be drawn on a logarithmic axis.
    let lowest = |p: &Point| if chart.logarithmic { p.y / 10.0 } else { f64::NEG_INFINITY };
    let bottom = |p: &Point| height(p.interval.map_or(p.y, |i| i.low.max(lowest(p))));
    let low = min(&mut points().map(bottom));
    let mut y = widened(low, max(&mut points().map(top)), 0.08);
    if !chart.logarithmic && low >= 0.0 {
        y.start = 0.0;
    }
    let top = y.end;
    let legend = (LEGEND_LINE * (1 + chart.series.len()) as f64).min(0.6);
    y.end += (y.end - y.start) * legend / (1.0 - legend);
    (x, y, top)
}

fn plain(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Two digits are enough beside a logarithmic axis.
fn power_of_ten(exponent: f64) -> String {
    match 10f64.powf(exponent) {
        v if !(0.0095..99_500.0).contains(&v) => format!("{v:.0e}"),
        v if v >= 9.5 => format!("{v:.0}"),
        v if v >= 0.95 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_its_labels_and_panels() {
        let interval = Interval { low: 0.1, high: 0.3 };
        let points = vec![Point::with_interval(3, 0.2, interval), Point::new(5, 0.02)];
        let chart = |logarithmic| Chart {
            title: "Success".into(),
            x_label: "plies".into(),
            y_label: "share".into(),
            ticks: plies(3, 5),
            logarithmic,
            series: [SeriesStyle::Points, SeriesStyle::Line, SeriesStyle::Both]
                .map(|style| Series::new(format!("{style:?}"), style, points.clone()))
                .to_vec(),
        };
        let figure = draw("", &[chart(false), chart(true)], 2).unwrap();
        for text in ["Success", "plies", "share", "Points", "Line", "Both"] {
            assert!(figure.svg.contains(text), "{text}");
        }
        assert!(figure.svg.starts_with("<svg") && figure.svg.trim_end().ends_with("</svg>"));
        assert_eq!(figure.svg.matches("Success").count(), 2);
    }

    #[test]
    fn a_panel_without_points_is_drawn() {
        let chart = Chart {
            title: "None".into(),
            x_label: String::new(),
            y_label: String::new(),
            ticks: Vec::new(),
            logarithmic: true,
            series: vec![Series::new("nothing", SeriesStyle::Both, Vec::new())],
        };
        assert!(draw("", &[chart], 3).is_ok());
    }

    #[test]
    fn numbers_on_axes_are_short() {
        assert_eq!([plain(-0.0), plain(0.1 + 0.2), plain(17.0)], ["0", "0.3", "17"]);
        let labels = [-6.0, -2.0, 0.5, 3.0, 6.0].map(power_of_ten);
        assert_eq!(labels, ["1e-6", "0.01", "3.2", "1000", "1e6"]);
    }
}
