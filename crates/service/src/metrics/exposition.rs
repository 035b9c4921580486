//! The text format itself: families with HELP and TYPE, samples with escaped labels.

use super::Histogram;
use super::histogram::BOUNDS;
use std::fmt::Write;

/// A text in the exposition format, written family by family.
#[derive(Default)]
pub struct Exposition(String);

impl Exposition {
    /// Begins a family; its samples follow.
    pub fn family(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        self.line(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"));
    }

    /// One sample.
    pub fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    /// A family with one sample.
    pub fn gauge(&mut self, name: &str, help: &str, value: f64) {
        self.family(name, "gauge", help);
        self.sample(name, &[], value);
    }

    /// All samples of a histogram.
    pub fn histogram(&mut self, name: &str, labels: &[(&str, &str)], times: &Histogram) {
        let (buckets, seconds) = times.read();
        let bucket = format!("{name}_bucket");
        let bounds = BOUNDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        let mut cumulative = 0;
        for (bound, count) in bounds.zip(buckets) {
            cumulative += count;
            let labels: Vec<_> = labels.iter().copied().chain([("le", bound.as_str())]).collect();
            self.sample(&bucket, &labels, cumulative as f64);
        }
        self.sample(&format!("{name}_sum"), labels, seconds);
        self.sample(&format!("{name}_count"), labels, cumulative as f64);
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.0
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }
}

/// The value of a label as the format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn labels_are_escaped() {
        let mut text = Exposition::default();
        text.family("x", "gauge", "A\nB \\");
        text.sample("x", &[("a", "\"\\\n"), ("b", "")], 0.5);
        let expected = "# HELP x A\\nB \\\\\n# TYPE x gauge\nx{a=\"\\\"\\\\\\n\",b=\"\"} 0.5\n";
        assert_eq!(text.finish(), expected);
    }

    #[test]
    fn buckets_are_cumulative() {
        let times = Histogram::default();
        for millis in [0, 3, 3, 700, 1_000_000] {
            times.record(Duration::from_millis(millis));
        }
        let mut text = Exposition::default();
        text.histogram("t", &[], &times);
        let text = text.finish();
        for line in [
            "t_bucket{le=\"0.001\"} 1\n",
            "t_bucket{le=\"0.005\"} 3\n",
            "t_bucket{le=\"0.5\"} 3\n",
            "t_bucket{le=\"1\"} 4\n",
            "t_bucket{le=\"+Inf\"} 5\n",
            "t_sum 1000.706\n",
            "t_count 5\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
    }
}
