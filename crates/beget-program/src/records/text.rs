//! A summary for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use beget_args::cli::Verbosity;
use beget_plan::finding::StopReason;
use beget_plan::scope::Budget;
use beget_process::guard::short_place;

use crate::records::{
    FindingRecord, Header, LevelRecord, Measures, PassedRecord, ProbesRecord, ResourceUse, Summary,
};

/// The end of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunEnd {
    /// The stop reason with its number.
    pub reason: StopReason,
    /// True if the run did its whole job, even if it is only a part: the scope says that this is
    /// enough.
    pub is_enough: bool,
}

impl RunEnd {
    /// The end of a run with this budget.
    pub fn new(reason: StopReason, budget: &Budget) -> Self {
        RunEnd { reason, is_enough: reason.is_enough(budget) }
    }

    /// The end of a run that has to do all.
    pub(crate) fn of_all(reason: StopReason) -> Self {
        RunEnd { reason, is_enough: reason.is_exhausted() }
    }
}

/// Displays a summary as text. The last lines say why the run ended and how to repeat it.
#[derive(Clone, Copy, Debug)]
pub struct TextSummary<'s> {
    /// The summary.
    pub summary: &'s Summary,
    /// The findings to show as failures of calls.
    pub failures: &'s [FindingRecord],
    /// The end of the run.
    pub end: RunEnd,
    /// The level of detail.
    pub verbosity: Verbosity,
    /// Further lines, before the version.
    pub details: &'s str,
    /// The verdict of `diff`, and of `check` without findings, instead of the number of causes.
    pub verdict: Option<&'s str>,
    /// The command that reruns the first failure, if there is one.
    pub rerun: Option<&'s str>,
}

/// Of how many findings witnesses are shown without `-v`.
const SHOWN_WITNESSES: usize = 5;

impl fmt::Display for TextSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        write_failures(f, self.failures, self.verbosity)?;
        let Header { suite, k, methods, .. } = &summary.header;
        writeln!(f, "scope       {suite}, k = {k}, methods {}", methods.join(", "))?;
        self.structures(f)?;
        writeln!(
            f,
            "calls       {} = {} kept + {} matched + {} out of scope + {} misuse + {}",
            grouped(summary.explored),
            grouped(summary.kept),
            grouped(summary.matched),
            grouped(summary.out_of_scope),
            grouped(summary.misuse),
            counted(summary.failures, "failure")
        )?;
        self.passed(f)?;
        self.expected_panics(f)?;
        if let Some(probes) = &summary.probes {
            writeln!(f, "probes      {probes}")?;
        }
        summary.doubted.iter().try_for_each(|doubted| writeln!(f, "doubted     {doubted}"))?;
        if self.verbosity == Verbosity::Verbose {
            summary.levels.iter().try_for_each(|level| write_level(f, level))?;
        }
        if let Some(measures) = &summary.measures {
            self.measures(f, measures)?;
        }
        writeln!(f, "digest      {}", summary.digest)?;
        self.ending(f)
    }
}

impl TextSummary<'_> {
    fn found(&self) -> String {
        let causes = || causes(&self.summary.findings);
        self.verdict.map_or_else(causes, |verdict| format!("{verdict}; "))
    }

    fn structures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        write!(f, "structures  {}", grouped(summary.generated))?;
        if summary.generated_by_type.len() > 1 {
            let by_type = summary.generated_by_type.iter();
            let counts: Vec<_> = by_type.map(|(ty, n)| format!("{} {ty}", grouped(*n))).collect();
            write!(f, " of the main type; {}", counts.join(", "))?;
        }
        let by_objects = summary.generated_by_objects.iter();
        let by_objects: Vec<_> =
            by_objects.map(|(n, count)| format!("{n}: {}", grouped(*count))).collect();
        if by_objects.len() > 1 {
            write!(f, " (by number of objects {})", by_objects.join(", "))?;
        }
        writeln!(f)?;
        match summary.written_of() {
            Some(written) => writeln!(f, "written     {written}: writing was cut short"),
            None => Ok(()),
        }
    }

    /// Integers that left their ranges are always shown: they are easily overlooked.
    fn passed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_shown = |passed: &&PassedRecord| {
            ["fields", "ties"].contains(&&*passed.bound.bound)
                || self.verbosity == Verbosity::Verbose
        };
        let shown = self.summary.out_of_scope_by.iter().filter(is_shown);
        let shown: Vec<_> = shown.map(ToString::to_string).collect();
        match shown.is_empty() {
            true => Ok(()),
            false => writeln!(f, "beyond      {}", shown.join(", ")),
        }
    }

    /// Patterns that expect panics at several places are shown always: one may be no rule of use.
    fn expected_panics(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for panic in &self.summary.expected_panics {
            places.entry(&panic.pattern).or_default().insert(&panic.place);
        }
        for (pattern, places) in places {
            if places.len() > 1 || self.verbosity == Verbosity::Verbose {
                let n_places = places.len();
                let plural = if n_places == 1 { "" } else { "s" };
                let shown: Vec<_> = places.into_iter().map(short_place).collect();
                let shown = shown.join(", ");
                writeln!(
                    f,
                    "expected    panics of `{pattern}` at {n_places} place{plural}: {shown}"
                )?;
            }
        }
        Ok(())
    }

    fn measures(&self, f: &mut fmt::Formatter<'_>, measures: &Measures) -> fmt::Result {
        if self.verbosity == Verbosity::Verbose {
            for (ty, way) in &measures.ways {
                writeln!(f, "rebuilt     {ty}: {way}")?;
            }
            measures.notes.iter().try_for_each(|note| writeln!(f, "note        {note}"))?;
        }
        measures.omissions.iter().try_for_each(|one| writeln!(f, "left out    {one}"))?;
        write!(
            f,
            "took        {:.2} s, {:.2} s of CPU; memory {} at most, {} in the store",
            measures.seconds,
            measures.cpu_seconds,
            Bytes(measures.peak_rss_bytes),
            Bytes(measures.store_bytes)
        )?;
        match measures.disk_bytes {
            0 => writeln!(f),
            on_disk => writeln!(f, "; {} on disk", Bytes(on_disk)),
        }
    }

    fn ending(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(advice) = &self.summary.advice {
            writeln!(f, "{advice}")?;
        }
        if let Some(rerun) = self.rerun {
            writeln!(f, "to see the first failure again: {rerun}")?;
        }
        f.write_str(self.details)?;
        write_version(f)?;
        write_stop_reason(f, &self.found(), self.end)
    }
}

/// From how many equal lines on they are shown as one.
const MANY: usize = 5;

/// Calls, one a line, with many equal ones in a row as one.
fn write_calls(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    for equal in lines.chunk_by(|one, other| one == other) {
        match equal.len() {
            n if n >= MANY => writeln!(f, "    {} // {n} times", equal[0])?,
            _ => equal.iter().try_for_each(|line| writeln!(f, "    {line}"))?,
        }
    }
    Ok(())
}

/// The most lines of a state, or of changes, that are shown.
const MOST_LINES: usize = 12;

/// Lines under a heading; nothing if there are none.
pub(crate) fn write_section(
    f: &mut fmt::Formatter<'_>,
    heading: &str,
    lines: &[String],
) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {heading}")?;
    lines.iter().take(MOST_LINES).try_for_each(|line| writeln!(f, "    {line}"))?;
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => writeln!(f, "    ({more} more lines)"),
    }
}

/// The findings, some of them with the calls that show them.
pub(crate) fn write_failures(
    f: &mut fmt::Formatter<'_>,
    failures: &[FindingRecord],
    verbosity: Verbosity,
) -> fmt::Result {
    let all = verbosity == Verbosity::Verbose;
    let n_shown = if all { failures.len() } else { SHOWN_WITNESSES };
    let (shown, more) = failures.split_at(n_shown.min(failures.len()));
    for finding in shown {
        writeln!(f, "failure     {}", finding.message)?;
        write_calls(f, &finding.recipe)?;
        match finding.after.is_empty() {
            true => write_section(f, "before the last call", &finding.before)?,
            false => write_section(f, "after the last call", &finding.after)?,
        }
        write_section(f, "changed by the last call", &finding.changed)?;
        if finding.witnesses > 1 {
            writeln!(f, "            and {} more like it", finding.witnesses - 1)?;
        }
    }
    for finding in more {
        let message = finding.message.lines().next().unwrap_or_default();
        writeln!(f, "failure     {message} ({} in all)", finding.witnesses)?;
    }
    match more.len() {
        0 => Ok(()),
        _ => writeln!(f, "            the calls that show these with -v or --summary json"),
    }
}

/// The last line of a summary: what was `found`, and why the run ended.
pub(crate) fn write_stop_reason(
    f: &mut fmt::Formatter<'_>,
    found: &str,
    RunEnd { reason, is_enough }: RunEnd,
) -> fmt::Result {
    match reason {
        // Where a failure ended the run, nothing was enough.
        _ if is_enough && !reason.is_exhausted() && reason != StopReason::FailureFound => {
            writeln!(f, "{found}a part, and enough: {reason}")
        }
        StopReason::Exhausted => writeln!(f, "{found}complete: {reason}"),
        StopReason::Doubted => writeln!(f, "{found}complete but for what is doubted: {reason}"),
        StopReason::FailureFound => writeln!(f, "{found}INCOMPLETE: {reason}; `--all` goes on"),
        _ => write_end(f, found, reason, false),
    }
}

/// The last line of the summary of a run that is never complete; whether it has done what it was to
/// do.
pub(crate) fn write_end(
    f: &mut fmt::Formatter<'_>,
    found: &str,
    reason: StopReason,
    is_done: bool,
) -> fmt::Result {
    match (is_done, reason.is_reproducible()) {
        (true, _) => writeln!(f, "{found}done: {reason}"),
        (false, true) => writeln!(f, "{found}INCOMPLETE: {reason}"),
        (false, false) => writeln!(f, "{found}INCOMPLETE, and not reproducible: {reason}"),
    }
}

/// The number of causes for a verdict; nothing if there are none.
pub(crate) fn causes(findings: &[FindingRecord]) -> String {
    match findings.len() {
        0 => String::new(),
        1 => "1 cause of failure; ".to_owned(),
        n => format!("{} causes of failure; ", grouped(n as u64)),
    }
}

/// A number of things, with an `s` behind the word unless there is one.
pub(crate) fn counted(n: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// The time and memory of a run that keeps nothing in a store, if they are shown.
pub(crate) fn write_resources(
    f: &mut fmt::Formatter<'_>,
    resources: Option<ResourceUse>,
) -> fmt::Result {
    let Some(ResourceUse { seconds, cpu_seconds, peak_rss_bytes }) = resources else {
        return Ok(());
    };
    let mib = peak_rss_bytes as f64 / f64::from(1 << 20);
    writeln!(
        f,
        "took        {seconds:.2} s, {cpu_seconds:.2} s of CPU; memory {mib:.1} MiB at most"
    )
}

/// The line of every summary before its verdict.
pub(crate) fn write_version(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "beget {}", env!("CARGO_PKG_VERSION"))
}

fn write_level(f: &mut fmt::Formatter<'_>, level: &LevelRecord) -> fmt::Result {
    let (new, explored) = (grouped(level.new), counted(level.explored, "call"));
    writeln!(f, "level {:<5} {new} new, {explored}", level.calls)
}

impl fmt::Display for PassedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PassedRecord { bound, calls } = self;
        let plural = if *calls == 1 { "" } else { "s" };
        write!(f, "{bound}: {calls} call{plural}")
    }
}

impl fmt::Display for ProbesRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProbesRecord { extended, calls, failures, unknown } = self;
        write!(f, "{calls} calls on {extended} matched values, {failures} failures")?;
        match unknown {
            0 => Ok(()),
            n => write!(f, "; {n} of the values that they left are no structure of the run"),
        }
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in a unit that suits it.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes < 1 << 20 => write!(f, "{} KiB", bytes.div_ceil(1 << 10)),
            bytes if bytes < 1 << 30 => write!(f, "{:.1} MiB", bytes as f64 / (1 << 20) as f64),
            bytes => write!(f, "{:.2} GiB", bytes as f64 / (1 << 30) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
