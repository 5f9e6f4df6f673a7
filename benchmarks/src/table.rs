//! Samples as a Markdown table.

use std::fmt::Write as _;
use std::time::Duration;

use crate::child::Sample;
use crate::machine::Machine;
use crate::plan::Counts;
use crate::table1::published::{self, Beapi, Korat};

/// The samples of one row. Invariant: there is at least one, and all have the same counts.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// First column.
    pub name: String,
    /// The scope, if rows of the same scope are compared.
    pub k: Option<u32>,
    /// The command as given in the plan.
    pub command: String,
    /// One sample per repeat.
    pub samples: Vec<Sample>,
}

/// A run that others have published, made on another machine.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRun {
    /// First column.
    pub name: String,
    /// The scope.
    pub k: u32,
    /// What it counted.
    pub counts: Counts,
    /// How long it took by the clock.
    pub seconds: f64,
}

impl PublishedRun {
    /// What is printed about a scope, of runs that ended and whose time is printed.
    pub fn of(row: &published::Row) -> Vec<PublishedRun> {
        let run = |name: &str, counts, seconds| PublishedRun {
            name: format!("{name}, as published"),
            k: row.k,
            counts,
            seconds,
        };
        let mut runs = Vec::new();
        if let Beapi::Finished { published_seconds: Some(seconds) } = row.beapi
            && let (Some(generated), Some(explored)) = (row.generated, row.explored)
        {
            runs.push(run("BEAPI", Counts { generated, explored }, seconds));
        }
        if let Korat::Finished { generated, explored, published_seconds: Some(seconds) } = row.korat
        {
            runs.push(run("Korat", Counts { generated, explored }, seconds));
        }
        runs
    }
}

const HEAD: &str = "\
| engine | k | generated | explored | CPU s | wall s | ratio | peak RSS MB | ns CPU/call | B/structure |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
";

const NOTE: &str = "\
CPU is user and system time of the whole process. Times and memory are medians, with the least and
the largest sample in brackets. A call is one explored, dropped or not; bytes per structure are the
median peak divided by the structures generated. A ratio is of wall time to that of the first row of
the same k.
";

const PUBLISHED_NOTE: &str = "\
Published times are those of Table 1 of the BEAPI paper (FASE 2023), taken on an Intel Core i7-8700
with 16 GB (section 4): on another machine, in Java. Korat counts the candidates of its repOK.
";

const DASH: &str = "\u{2013}";

/// The whole document: heading, machine, table, commands. Published runs stand behind those of the
/// same scope.
#[must_use]
pub fn markdown(
    title: &str,
    machine: &Machine,
    measurements: &[Measurement],
    published: &[PublishedRun],
) -> String {
    let n_runs = measurements.iter().map(|row| row.samples.len()).max().unwrap_or(0);
    let mut text = format!("# {title}\n\nMachine: {machine}. Runs per row: {n_runs}.\n\n{HEAD}");
    for group in measurements.chunk_by(|one, next| one.k == next.k) {
        let k = group[0].k;
        let basis = k.map(|_| wall(&group[0]).median);
        group.iter().for_each(|measurement| push_row(&mut text, measurement, basis));
        for run in published.iter().filter(|run| Some(run.k) == k) {
            push_published(&mut text, run, basis);
        }
    }
    write!(text, "\n{NOTE}").expect("a string takes all text");
    if !published.is_empty() {
        write!(text, "\n{PUBLISHED_NOTE}").expect("a string takes all text");
    }
    text.push_str("\n## Commands\n\n");
    for Measurement { name, k, command, .. } in measurements {
        let k = k.map_or_else(String::new, |k| format!(", k={k}"));
        writeln!(text, "- {name}{k}: `{command}`").expect("a string takes all text");
    }
    text
}

fn wall(measurement: &Measurement) -> Spread {
    Spread::of(measurement.samples.iter().map(|sample| seconds(sample.wall)))
}

fn push_row(text: &mut String, measurement: &Measurement, basis: Option<f64>) {
    let Measurement { name, k, samples, .. } = measurement;
    let counts = samples[0].counts;
    let cpu = Spread::of(samples.iter().map(|sample| seconds(sample.cpu)));
    let rss = Spread::of(samples.iter().map(|sample| sample.peak_rss as f64));
    let wall = wall(measurement);
    writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {:.0} | {:.0} |",
        k.map_or_else(|| DASH.to_owned(), |k| k.to_string()),
        grouped(counts.generated),
        grouped(counts.explored),
        cpu.show(2),
        wall.show(2),
        ratio(wall.median, basis),
        rss.scaled(1e-6).show(1),
        cpu.median * 1e9 / counts.explored as f64,
        rss.median / counts.generated as f64,
    )
    .expect("a string takes all text");
}

fn push_published(text: &mut String, run: &PublishedRun, basis: Option<f64>) {
    let PublishedRun { name, k, counts, seconds } = run;
    let (generated, explored) = (grouped(counts.generated), grouped(counts.explored));
    let ratio = ratio(*seconds, basis);
    writeln!(
        text,
        "| {name} | {k} | {generated} | {explored} | {DASH} | {seconds} | {ratio} | {DASH} | {DASH} | {DASH} |"
    )
    .expect("a string takes all text");
}

/// How often the time of `basis` goes into `seconds`, to two digits.
fn ratio(seconds: f64, basis: Option<f64>) -> String {
    let Some(basis) = basis else { return DASH.to_owned() };
    let ratio = seconds / basis;
    let digits = if ratio < 10.0 { 1 } else { 0 };
    format!("{ratio:.digits$}")
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

    fn sample(cpu_ms: u64) -> Sample {
        Sample {
            cpu: Duration::from_millis(cpu_ms),
            wall: Duration::from_millis(cpu_ms / 2),
            peak_rss: 4_000_000,
            counts: Counts { generated: 1_000, explored: 2_000_000 },
        }
    }

    fn measurement(name: &str, k: Option<u32>, cpu_ms: [u64; 3]) -> Measurement {
        let samples = cpu_ms.map(sample).to_vec();
        Measurement { name: name.into(), k, command: "a -k 3".into(), samples }
    }

    fn rows(measurements: &[Measurement], published: &[PublishedRun]) -> Vec<String> {
        let text = markdown("t", &Machine::read(), measurements, published);
        let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
        rows.map(str::to_owned).collect()
    }

    #[test]
    fn row_shows_median_and_extremes() {
        assert_eq!(
            rows(&[measurement("a", None, [3_000, 1_000, 1_500])], &[]),
            [
                "| a | \u{2013} | 1,000 | 2,000,000 | 1.50 [1.00, 3.00] | 0.75 [0.50, 1.50] | \u{2013} | 4.0 [4.0, 4.0] | 750 | 4000 |"
            ]
        );
    }

    #[test]
    fn runs_of_the_same_scope_are_compared_with_the_first() {
        let measured = [
            measurement("a", Some(3), [1_000; 3]),
            measurement("b", Some(3), [250; 3]),
            measurement("a", Some(4), [500; 3]),
        ];
        let run = |k, seconds| {
            let counts = Counts { generated: 18, explored: 114 };
            PublishedRun { name: "p".into(), k, counts, seconds }
        };
        let rows = rows(&measured, &[run(4, 2.5), run(3, 33.89)]);
        let ratios: Vec<_> =
            rows.iter().map(|row| row.split(" | ").nth(6).expect("a ratio")).collect();
        assert_eq!(ratios, ["1.0", "0.2", "68", "1.0", "10"]);
        assert!(rows[2].starts_with("| p | 3 | 18 | 114 | \u{2013} | 33.89 | 68 |"), "{rows:?}");
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
