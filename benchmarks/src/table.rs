//! Samples as a Markdown table.

use std::fmt::Write as _;
use std::time::Duration;

use crate::child::Sample;
use crate::machine::Machine;

/// The samples of one row. Invariant: there is at least one, and all have the same counts.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// First column.
    pub name: String,
    /// The command as given in the plan.
    pub command: String,
    /// One sample per repeat.
    pub samples: Vec<Sample>,
}

const HEAD: &str = "\
| engine | generated | explored | CPU s | wall s | peak RSS MB | ns CPU/call | B/structure |
|---|---:|---:|---:|---:|---:|---:|---:|
";

const NOTE: &str = "\
CPU is user and system time of the whole process. Times and memory are medians, with the least and
the largest sample in brackets. A call is one explored, dropped or not; bytes per structure are the
median peak divided by the structures generated.
";

/// The whole document: heading, machine, table, commands.
#[must_use]
pub fn markdown(title: &str, machine: &Machine, measurements: &[Measurement]) -> String {
    let n_runs = measurements.iter().map(|row| row.samples.len()).max().unwrap_or(0);
    let mut text = format!("# {title}\n\nMachine: {machine}. Runs per row: {n_runs}.\n\n{HEAD}");
    for measurement in measurements {
        push_row(&mut text, measurement);
    }
    write!(text, "\n{NOTE}\n## Commands\n\n").expect("a string takes all text");
    for Measurement { name, command, .. } in measurements {
        writeln!(text, "- {name}: `{command}`").expect("a string takes all text");
    }
    text
}

fn push_row(text: &mut String, Measurement { name, samples, .. }: &Measurement) {
    let counts = samples[0].counts;
    let cpu = Spread::of(samples.iter().map(|sample| seconds(sample.cpu)));
    let wall = Spread::of(samples.iter().map(|sample| seconds(sample.wall)));
    let rss = Spread::of(samples.iter().map(|sample| sample.peak_rss as f64));
    writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} | {:.0} | {:.0} |",
        grouped(counts.generated),
        grouped(counts.explored),
        cpu.show(2),
        wall.show(2),
        rss.scaled(1e-6).show(1),
        cpu.median * 1e9 / counts.explored as f64,
        rss.median / counts.generated as f64,
    )
    .expect("a string takes all text");
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// Some samples of one quantity.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The least.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The largest.
    pub largest: f64,
}

impl Spread {
    /// The spread of values, of which there must be one. The median of an even number of them is
    /// the mean of the middle two.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let median = f64::midpoint(values[(n - 1) / 2], values[n / 2]);
        Self { least: values[0], median, largest: values[n - 1] }
    }

    fn scaled(&self, factor: f64) -> Self {
        let Self { least, median, largest } = self;
        Self { least: least * factor, median: median * factor, largest: largest * factor }
    }

    /// The median, with the extremes in brackets.
    #[must_use]
    pub fn show(&self, digits: usize) -> String {
        let Self { least, median, largest } = self;
        format!("{median:.digits$} [{least:.digits$}, {largest:.digits$}]")
    }
}

/// Decimal digits in groups of three.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (head, tail) = digits.split_at(digits.len() % 3);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group));
    let head = (!head.is_empty()).then(|| head.into());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Counts;

    fn sample(cpu_ms: u64) -> Sample {
        Sample {
            cpu: Duration::from_millis(cpu_ms),
            wall: Duration::from_millis(cpu_ms / 2),
            peak_rss: 4_000_000,
            counts: Counts { generated: 1_000, explored: 2_000_000 },
        }
    }

    #[test]
    fn row_shows_median_and_extremes() {
        let mut text = String::new();
        let samples = [3_000, 1_000, 1_500].map(sample).to_vec();
        push_row(&mut text, &Measurement { name: "a".into(), command: "a -k 3".into(), samples });
        assert_eq!(
            text,
            "| a | 1,000 | 2,000,000 | 1.50 [1.00, 3.00] | 0.75 [0.50, 1.50] | 4.0 [4.0, 4.0] | 750 | 4000 |\n"
        );
    }

    #[test]
    fn median_of_two_is_their_mean() {
        assert_eq!(Spread::of([1.0, 4.0].into_iter()).show(1), "2.5 [1.0, 4.0]");
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let shown = [0, 12, 123, 1_234, 123_456, 43_826_192].map(grouped);
        assert_eq!(shown, ["0", "12", "123", "1,234", "123,456", "43,826,192"]);
    }
}
