//! Published and measured counts as a Markdown page.

use std::fmt::Write as _;

use super::results::{Results, Verdict};
use super::{Entry, Published, Subject};
use crate::machine::Machine;
use crate::table::grouped;

const INTRODUCTION: &str = "\
What Korat counts with the repOKs of the case studies, and what `beget repok` counts: structures are the candidates that the repOK admits,
candidates the runs of it. The published counts were *run* with the original tool on the original classes, or are *printed* in
Table 1 of the BEAPI paper (FASE 2023), or both. Seconds are those of the whole process, start-up included.
";

const HEAD: &str = "\
| k | structures | candidates | published counts | verdict | seconds | candidates/s | peak RSS MB | threads |
|---:|---:|---:|---|---|---:|---:|---:|---:|
";

/// The whole page.
#[must_use]
pub fn page(published: &Published, results: &Results, machine: &Machine) -> String {
    let of =
        |verdict| published.entries().filter(|entry| results.verdict(entry) == verdict).count();
    let (equal, wrong, not_run) = (of(Verdict::Equal), of(Verdict::Wrong), of(Verdict::NotRun));
    let mut text = format!(
        "# The counts of Korat\n\n{INTRODUCTION}\nMachine of the last run: {machine}.\n\n\
         Rows: {equal} equal, {wrong} wrong, {not_run} not run.\n"
    );
    for subject in &published.subjects {
        push_subject(&mut text, subject, results);
    }
    text
}

fn push_subject(text: &mut String, subject: &Subject, results: &Results) {
    let Subject { scope, repok, note, rows } = subject;
    write!(text, "\n## {scope}, {repok}\n\n").expect("a string takes all text");
    if let Some(note) = note {
        write!(text, "{note}\n\n").expect("a string takes all text");
    }
    text.push_str(HEAD);
    for &row in rows {
        push_row(text, &Entry { subject, row }, results);
    }
}

fn push_row(text: &mut String, entry: &Entry<'_>, results: &Results) {
    let row = entry.row;
    let (generated, explored) = (grouped(row.generated), grouped(row.explored));
    let verdict = results.verdict(entry);
    write!(text, "| {} | {generated} | {explored} | {} | ", row.k, row.mark)
        .expect("a string takes all text");
    let Some(measured) = results.get(entry) else {
        return text.push_str("not run | | | | |\n");
    };
    let counts = measured.counts;
    let counted = match verdict {
        Verdict::Wrong => {
            format!(": {} / {}", grouped(counts.generated), grouped(counts.explored))
        }
        _ => String::new(),
    };
    writeln!(
        text,
        "{}{counted} | {:.2} | {} | {:.1} | {} |",
        verdict.word(),
        measured.seconds,
        grouped(measured.rate() as u64),
        measured.peak_rss as f64 / 1e6,
        measured.threads,
    )
    .expect("a string takes all text");
}
