//! The ablation as Markdown and CSV.

use std::fmt::Write as _;

use super::ablation::{Cell, NAMES, SubjectRuns};
use super::text::{field, names, seconds};

const PREAMBLE: &str = "\
*SM* is state matching, *BLD* builders in place of the full API, *NoOPT* neither. Each configuration runs at scope 1, 2 and so on, up to the first
scope that it does not finish within the limits. Without state matching a run ends after sequences of 3k calls, the limit of
rounds of the paper's tool; a call that changes nothing is not extended even then, so these columns flatter both tools' brute force. Times are wall
times of the search, without start-up and without the identification of builders. The full APIs are those of our suites: some published classes also
have public methods that only test an operation, with a container as parameter, which make theirs larger.
Rows named *published* are the seconds of Table 2 of the BEAPI paper (FASE 2023), on an Intel Core i7-8700 with 16 GB and in Java. What the
papers' texts state is listed at the end.
";

const HEAD: &str = "\
| suite | API | builders | SM/BLD | SM | BLD | NoOPT | speed-up by builders | calls | same sets |
|---|---:|---:|---:|---:|---:|---:|---|---|---|
";

pub(super) fn markdown(runs: &[SubjectRuns], about: &str, statements: &str) -> String {
    let mut text = format!("# Ablation of builders and state matching\n\n{about}\n\n{PREAMBLE}\n");
    text.push_str("## Largest scope finished\n\n");
    text.push_str(HEAD);
    runs.iter().for_each(|runs| push_summary(&mut text, runs));
    text.push_str(
        "\nSpeed-up and calls are at the largest scope that SM/BLD and SM both finish. *Same sets* says whether both give the same structures at all\nscopes that both finish; builders are identified at one of them and may lack a method that another one needs.\n",
    );
    text.push_str("\n## Seconds by scope\n\n| suite | | k: seconds |\n|---|---|---|\n");
    runs.iter().for_each(|runs| push_times(&mut text, runs));
    text.push_str("\n## The builders used\n\n");
    for SubjectRuns { subject, builders, .. } in runs {
        let builders = builders.as_ref().map_or("not identified".to_owned(), |set| names(set));
        line(&mut text, &format!("- `{}`: {builders}", subject.suite));
    }
    text.push('\n');
    text + statements
}

fn push_summary(text: &mut String, runs: &SubjectRuns) {
    let reached = runs.columns.all().map(|cells| match cells.is_empty() {
        true => "–".to_owned(),
        false => SubjectRuns::reached(cells).to_string(),
    });
    let n_builders = runs.builders.as_ref().map_or("–".to_owned(), |set| set.len().to_string());
    let unknown = || "–".to_owned();
    let speed_up = match (runs.speed_up(), runs.compared()) {
        (Some((times, k)), _) => format!("{times:.1} (k = {k})"),
        (None, Some(_)) => "too short to tell".to_owned(),
        (None, None) => unknown(),
    };
    let calls = runs.compared().and_then(n_calls).unwrap_or_else(unknown);
    let same = match runs.differs_at() {
        differs if !differs.is_empty() => format!("NOT at k = {}", differs.join(", ")),
        _ if runs.compared().is_some() => "yes".to_owned(),
        _ => unknown(),
    };
    let (suite, n_methods) = (&runs.subject.suite, runs.api.len());
    let reached = reached.join(" | ");
    line(
        text,
        &format!(
            "| `{suite}` | {n_methods} | {n_builders} | {reached} | {speed_up} | {calls} | {same} |"
        ),
    );
}

/// How many calls are made with builders and with the full API.
fn n_calls((with, without): (&Cell, &Cell)) -> Option<String> {
    let (with, without) = (with.ran.number("explored")?, without.ran.number("explored")?);
    Some(format!("{with} of {without}"))
}

fn push_times(text: &mut String, runs: &SubjectRuns) {
    let columns = NAMES.iter().zip(runs.columns.all()).zip(runs.subject.published_times.all());
    for ((name, cells), published) in columns {
        let times: Vec<String> = cells.iter().map(time).collect();
        line(text, &format!("| `{}` | {name} | {} |", runs.subject.suite, times.join(", ")));
        if let Some(published) = published {
            line(text, &format!("| `{}` | {name}, published | {published} |", runs.subject.suite));
        }
    }
}

fn time(cell: &Cell) -> String {
    match cell.is_finished() {
        true => format!("{}: {}", cell.k, seconds(cell.seconds())),
        false => format!("{}: {}", cell.k, cell.ran.stop_reason().replace('_', " ")),
    }
}

pub(super) fn csv(runs: &[SubjectRuns]) -> String {
    let mut text = "suite,configuration,methods,k,finished,stop_reason,generated,explored,\
                    seconds,cpu_seconds,peak_rss_bytes,digest\n"
        .to_owned();
    for runs in runs {
        let n_builders = runs.builders.as_ref().map_or(0, Vec::len);
        let n_methods = [n_builders, runs.api.len(), n_builders, runs.api.len()];
        for ((name, cells), n_methods) in NAMES.iter().zip(runs.columns.all()).zip(n_methods) {
            for cell in cells {
                push_csv(&mut text, &runs.subject.suite, name, n_methods, cell);
            }
        }
    }
    text
}

fn push_csv(text: &mut String, suite: &str, name: &str, n_methods: usize, cell: &Cell) {
    let number = |name: &str| cell.ran.number(name).map_or(String::new(), |n| n.to_string());
    let fields = [
        suite.to_owned(),
        name.to_owned(),
        n_methods.to_string(),
        cell.k.to_string(),
        cell.is_finished().to_string(),
        cell.ran.stop_reason().to_owned(),
        number("generated"),
        number("explored"),
        format!("{:.6}", cell.seconds()),
        format!("{:.3}", cell.ran.cpu),
        cell.ran.peak_rss().to_string(),
        cell.ran.text("digest").unwrap_or_default().to_owned(),
    ];
    line(text, &fields.map(|text| field(&text)).join(","));
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all text");
}
