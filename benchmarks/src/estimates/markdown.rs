//! The table of the error bars.

use std::fmt::Write as _;

use beget_search::estimate::{CONFIDENCE, ErrorBar, FACTOR};
use beget_search::run::{CountedScope, ScopeEstimate};

use super::beyond::{Answer, Bar};
use super::elsewhere::Trial;
use super::{
    COUNTS, Class, Counted, Coverage, Farther, Printed, Row, distinct, factor_that_holds, left_out,
};
use crate::table::grouped;

const HEAD: &str = "\
# What `beget estimate` is worth

Written by `just estimate` from `table1.csv`, the counts of all 267 rows of Table 1 of the BEAPI paper and of the smaller \
scopes of its classes. Each row is estimated from the rows of its class with a smaller k, by the same code as the command; \
then it is seen whether the truth lies in the range.
";

/// The whole file.
pub fn markdown(classes: &[Class], printed: &Printed) -> String {
    let mut text = HEAD.to_owned();
    write_coverage(&mut text, classes);
    write_farther(&mut text, classes);
    write_rates(&mut text, classes);
    write_elsewhere(&mut text, &printed.elsewhere);
    write_beyond(&mut text, classes, &printed.beyond);
    write_rows(&mut text, classes);
    text
}

/// How often bars of counts hold.
fn write_coverage(text: &mut String, classes: &[Class]) {
    let n_growths = distinct(classes).len();
    let percent = CONFIDENCE * 100.0;
    let _ = write!(
        text,
        "\n## How often the ranges of {percent:.0} % hold: the next row\n\n\
         Many classes grow alike, since a list is a list: the {} classes have {n_growths} growths. \
         The column *once each* counts each growth once. The factor of the ranges, {FACTOR}, was \
         chosen on these growths; the last column says how often ranges hold whose factor is \
         chosen without the growth that they are asked of.\n\n\
         | count | rows | too little to go on | estimated | hold | share | once each | factor chosen without the growth |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
        classes.len(),
    );
    for (name, of, count) in COUNTS {
        let rows: Vec<Row> = classes.iter().flat_map(Class::rows).collect();
        let all = coverage(&rows, of, count);
        let once: Vec<Row> = distinct(classes).into_iter().flat_map(Class::rows).collect();
        let once = coverage(&once, of, count);
        let without = left_out(classes, count);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            rows.len(),
            rows.len() - all.all,
            all.all,
            all.hold,
            share(all),
            fraction(once),
            fraction(without),
        );
    }
    let needed: Vec<String> = COUNTS
        .iter()
        .map(|(name, _, count)| {
            let next = distinct(classes).into_iter().flat_map(|class| class.next(*count));
            let factors = next.map(|one| one.factor).collect();
            format!("{:.2} for {name}", factor_that_holds(factors))
        })
        .collect();
    let _ = writeln!(
        text,
        "\nThe least factor at which {percent:.0} % hold, once each: {}.",
        needed.join(", ")
    );
}

fn coverage(
    rows: &[Row],
    of: fn(&ScopeEstimate) -> ErrorBar,
    count: fn(&CountedScope) -> u64,
) -> Coverage {
    Coverage::of(rows.iter().filter_map(|row| Some((row.bar(of)?, count(&row.truth) as f64))))
}

/// How often they hold by what is known and by how far they go.
fn write_farther(text: &mut String, classes: &[Class]) {
    text.push_str(
        "\n## Farther ahead, and by how much is known\n\nEach growth once; each row estimated from \
         the first two, three and more rows before it. The *half width* is by which factor the \
         median range goes up or down.\n",
    );
    for (name, _, count) in COUNTS {
        let all: Vec<Farther> =
            distinct(classes).into_iter().flat_map(|class| class.farther(count)).collect();
        let _ = write!(
            text,
            "\n| {name}: known counts | 1 step | 2 steps | 3 steps | 4 steps | more |\n|---|---:|---:|---:|---:|---:|\n"
        );
        for (known, label) in
            [(2..3, "2"), (3..4, "3"), (4..5, "4"), (5..6, "5"), (6..99, "6 and more")]
        {
            let _ = write!(text, "| {label} |");
            for steps in [1..2, 2..3, 3..4, 4..5, 5..99] {
                let chosen: Vec<&Farther> = all
                    .iter()
                    .filter(|one| known.contains(&one.n_known) && steps.contains(&one.steps))
                    .collect();
                let _ = write!(text, " {} |", cell(&chosen));
            }
            text.push('\n');
        }
    }
}

fn cell(chosen: &[&Farther]) -> String {
    let hold = Coverage::of(chosen.iter().map(|one| (one.range, one.truth)));
    let mut widths: Vec<f64> = chosen.iter().map(|one| one.range.high / one.range.likely).collect();
    widths.sort_by(f64::total_cmp);
    match widths.get(widths.len() / 2) {
        Some(width) => format!("{} of {}, × {}", hold.hold, hold.all, factor(*width)),
        None => "–".to_owned(),
    }
}

/// Rows with fewer calls or structures say nothing about what these cost.
const LEAST_CALLS: u64 = 50_000;
const LEAST_STRUCTURES: u64 = 30_000;

/// How often bars of time and memory hold.
fn write_rates(text: &mut String, classes: &[Class]) {
    let rows: Vec<Row> = classes.iter().flat_map(Class::rows).collect();
    let time = rows.iter().filter(|row| row.truth.cpu_seconds > 0.0);
    let time = time.filter(|row| row.truth.explored >= LEAST_CALLS);
    let time =
        time.filter_map(|row| Some((row.bar(|one| one.cpu_seconds)?, row.truth.cpu_seconds)));
    let memory = rows.iter().filter(|row| row.truth.store_bytes > 0);
    let memory = memory.filter(|row| row.truth.generated >= LEAST_STRUCTURES);
    let memory = memory
        .filter_map(|row| Some((row.bar(|one| one.memory_bytes)?, row.truth.store_bytes as f64)));
    let _ = write!(
        text,
        "\n## Time and memory\n\nThe CPU time of rows of at least {} calls, and the store of rows of \
         at least {} structures, from the rows before them: the count times what a call or a \
         structure cost there. The range has both errors. The times are single samples of one \
         machine, some of them taken beside other work.\n\n\
         | | rows | hold | share |\n|---|---:|---:|---:|\n",
        grouped(LEAST_CALLS),
        grouped(LEAST_STRUCTURES)
    );
    for (name, of) in
        [("CPU time", Coverage::of(time)), ("memory of the store", Coverage::of(memory))]
    {
        let _ = writeln!(text, "| {name} | {} | {} | {} |", of.all, of.hold, share(of));
    }
}

/// How often bars of suites hold that had no part in the choice of the factor.
fn write_elsewhere(text: &mut String, trials: &[Trial]) {
    let percent = CONFIDENCE * 100.0;
    let hold = |of: fn(&Trial) -> (Option<Bar>, u64)| {
        Coverage::of(trials.iter().filter_map(|one| {
            let (bar, truth) = of(one);
            Some((bar?.into(), truth as f64))
        }))
    };
    let _ = write!(
        text,
        "\n## Suites that are not in Table 1\n\nThe suites of `scopes` that are not in Table 1 and have \
         more than one structure: collections of the standard library and of published crates, \
         methods that take several structures among them. Each scope of at most two million calls \
         is asked about with a budget that ends before it. The factor was not chosen on these. Of \
         the ranges of {percent:.0} %, {} hold for structures and {} for calls.\n\n\
         | suite | k | structures | true | holds | calls | true | holds |\n\
         |---|---:|---|---:|---|---|---:|---|\n",
        fraction(hold(|trial| (trial.structures, trial.generated))),
        fraction(hold(|trial| (trial.calls, trial.explored))),
    );
    for trial in trials {
        let _ = write!(text, "| {} | {} |", trial.suite, trial.k);
        for (bar, truth) in [(trial.structures, trial.generated), (trial.calls, trial.explored)] {
            let (shown, holds) = match bar {
                Some(bar) if ErrorBar::from(bar).contains(truth as f64) => (range(bar), "yes"),
                Some(bar) => (range(bar), "**no**"),
                None => ("–".to_owned(), "too little"),
            };
            let _ = write!(text, " {shown} | {} | {holds} |", grouped(truth));
        }
        text.push('\n');
    }
}

/// A likely number with its bounds.
fn range(Bar { likely, low, high }: Bar) -> String {
    let [likely, low, high] = [likely, low, high].map(rough);
    format!("{likely} ({low} to {high})")
}

impl From<Bar> for ErrorBar {
    fn from(Bar { likely, low, high }: Bar) -> ErrorBar {
        ErrorBar { low, likely, high }
    }
}

/// What is said of rows that were not run.
fn write_beyond(text: &mut String, classes: &[Class], answers: &[Answer]) {
    text.push_str(
        "\n## What it says of scopes beyond the memory of the machine\n\nAs the command printed it \
         (`estimate.json`). *True* is what is published or, for the stack, the closed form \
         1 + k + ... + k^k.\n\n\
         | suite | k | counted up to | calls made | s | structures | true | calls | true | CPU h | memory GB | disk GB | ns a call |\n\
         |---|---:|---:|---:|---:|---|---:|---|---:|---|---|---|---:|\n",
    );
    for answer in answers {
        let last = answer.counted.last().map_or(0, |one| one.k);
        let truth = classes.iter().filter(|class| class.suite == answer.suite);
        let truth =
            truth.flat_map(|class| &class.scopes).find(|scope| scope.k == answer.k).copied();
        let truth = truth.or_else(|| stack(&answer.suite, answer.k));
        let known = |of: fn(&CountedScope) -> u64| {
            truth.as_ref().map_or("–".to_owned(), |truth| grouped(of(truth)))
        };
        let bar = |bar: &Option<Bar>, unit: f64| match *bar {
            Some(Bar { likely, low, high }) => {
                range(Bar { likely: likely / unit, low: low / unit, high: high / unit })
            }
            None => "–".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {last} | {} | {:.1} | {} | {} | {} | {} | {} | {} | {} | {} |",
            answer.suite,
            answer.k,
            grouped(answer.explored),
            answer.seconds,
            bar(&answer.structures, 1.0),
            known(|truth| truth.generated),
            bar(&answer.calls, 1.0),
            known(|truth| truth.explored),
            bar(&answer.cpu_hours, 1.0),
            bar(&answer.memory_bytes, 1e9),
            bar(&answer.disk_bytes, 1e9),
            rough(answer.nanoseconds_per_call.unwrap_or(0.0)),
        );
    }
}

/// A stack of at most k of k values, by its closed form; each has a call of `pop` and k of `push`.
fn stack(suite: &str, k: u32) -> Option<CountedScope> {
    let k64 = u64::from(k);
    let generated: u64 = (0..=k).map(|n| k64.pow(n)).sum();
    (suite == "kiasan::stack").then(|| CountedScope {
        k,
        generated,
        stored: generated,
        explored: generated * (k64 + 1) + 1,
        cpu_seconds: 0.0,
        store_bytes: 0,
    })
}

/// Row by row.
fn write_rows(text: &mut String, classes: &[Class]) {
    text.push_str(
        "\n## All rows\n\n*From* is how many smaller scopes with structures the estimate goes by, \
         *steps* how far k is beyond the last of them. A ratio is the likely number over the true \
         one.\n\n\
         | suite | k | from | steps | structures, likely | range | true | ratio | holds | calls, likely | true | ratio | holds |\n\
         |---|---:|---:|---:|---:|---|---:|---:|---|---:|---:|---:|---|\n",
    );
    for class in classes {
        for row in class.rows() {
            let Row { truth, steps, n_known, .. } = &row;
            let _ = write!(text, "| {} | {} | {n_known} | {steps} |", class.suite, truth.k);
            let [structures, calls] = COUNTS;
            write_count(text, &row, structures, true);
            write_count(text, &row, calls, false);
            text.push('\n');
        }
    }
}

fn write_count(text: &mut String, row: &Row, (_, of, count): Counted, shows_range: bool) {
    let truth = count(&row.truth);
    let _ = match row.bar(of) {
        Some(range) => {
            let shown = match shows_range {
                true => format!(" {} to {} |", rough(range.low), rough(range.high)),
                false => String::new(),
            };
            let holds = if range.contains(truth as f64) { "yes" } else { "**no**" };
            let ratio = range.likely / truth as f64;
            let (likely, truth) = (rough(range.likely), grouped(truth));
            write!(text, " {likely} |{shown} {truth} | {ratio:.2} | {holds} |")
        }
        None => {
            let none = if shows_range { " – | – |" } else { " – |" };
            write!(text, "{none} {} | – | too little |", grouped(truth))
        }
    };
}

/// A number with three digits; all of them below ten thousand.
fn rough(number: f64) -> String {
    match number {
        small if small < 1.0 => format!("{small:.2}"),
        small if small < 10.0 => format!("{small:.1}"),
        small if small < 1e4 => format!("{small:.0}"),
        large => format!("{large:.2e}"),
    }
}

fn factor(number: f64) -> String {
    match number {
        large if large >= 10.0 => format!("{large:.0}"),
        small => format!("{small:.2}"),
    }
}

fn share(coverage: Coverage) -> String {
    format!("{:.0} %", 100.0 * coverage.hold as f64 / coverage.all.max(1) as f64)
}

fn fraction(coverage: Coverage) -> String {
    format!("{} of {} ({})", coverage.hold, coverage.all, share(coverage))
}
