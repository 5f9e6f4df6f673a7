//! The page of a run: what it says, in which order.
//!
//! The module reads a [`CiReport`] and fills the template beside it. It knows no engine: numbers
//! come from the summary's JSON, pictures from records of heaps, so a run that was written to a
//! directory has the same page as one that has just ended.

use std::path::Path;

use askama::Template;
use serde_json::{Map, Value};

use beget_args::name;

use crate::ci::{CiReport, HeldClause};
use crate::records::{
    ChangeMarks, ChangeRecord, FindingRecord, NearestRecord, NeedRecord, SidesRecord, StepRecord,
    StructureRecord, WitnessRecord, counted, figure, grouped, marks_of,
};

use super::since::{RunMark, SinceLast};
use super::source::{Excerpt, excerpt};
use super::tables::{PageTable, resources_of, tables_of};
use super::{PageFigure, PageText};

/// The most causes whose cards have a film.
const MOST_FILMS: usize = 50;
/// The most calls of a film: its last ones.
const MOST_FRAMES: usize = 16;
/// The most structures of a gallery.
pub(super) const MOST_PICTURES: usize = 24;
/// More methods than these are counted and not listed.
const MOST_METHODS: usize = 12;

/// The page as HTML.
pub(super) fn to_html(
    report: &CiReport<'_>,
    last: Option<&RunMark>,
) -> Result<String, askama::Error> {
    let mark = RunMark::of(report);
    let since = last.and_then(|last| mark.since(last));
    let page = Page { mark: mark.to_attribute(), since, ..Page::of(report) };
    PageTemplate { page: &page }.render()
}

#[derive(Template)]
#[template(path = "report/page.html", whitespace = "preserve")]
struct PageTemplate<'p> {
    page: &'p Page,
}

struct Page {
    /// The summary that the next run reads.
    mark: String,
    since: Option<SinceLast>,
    command: &'static str,
    suite: String,
    k: u32,
    verdict: String,
    /// `good`, `bad` or `open`.
    tone: &'static str,
    bounds: String,
    rerun: String,
    meaning: Vec<String>,
    limits: Vec<String>,
    causes: Vec<Card>,
    held: Vec<HeldRow>,
    figures: Vec<PageFigure>,
    tables: Vec<PageTable>,
    texts: Vec<PageText>,
    notes: Vec<String>,
    /// Structures of one side of a comparison.
    sides: Vec<SidePair>,
    gallery: Vec<GalleryItem>,
    gallery_title: &'static str,
    gallery_note: String,
    scope_path: String,
    scope: String,
    resources: Vec<(&'static str, String)>,
    version: String,
}

/// A cause.
struct Card {
    title: String,
    message: String,
    count: String,
    source: Option<Excerpt>,
    test_title: &'static str,
    test: String,
    film: Vec<FilmFrame>,
    /// Calls before the film.
    skipped: usize,
    note: Option<String>,
}

/// A call of a film.
struct FilmFrame {
    source: String,
    /// One side, or both of two suites that are compared.
    sides: Vec<FilmSide>,
    /// True if the two sides are different from this call on.
    differs: bool,
}

/// The outcome of a call.
struct FilmSide {
    /// The suite; empty if there is only one.
    name: String,
    returned: Option<String>,
    /// The structure before the call; empty if there was none.
    before: String,
    after: String,
    changed: Vec<String>,
}

/// A structure of one side of a comparison, beside the nearest one of the other.
struct SidePair {
    title: String,
    /// Empty if none was sought or found.
    nearest: String,
    nearest_title: &'static str,
    witness: String,
    witness_title: &'static str,
    changed: Vec<String>,
    recipe: String,
}

struct HeldRow {
    kind: &'static str,
    name: String,
    asked: String,
}

/// A structure of the gallery.
struct GalleryItem {
    picture: String,
    title: String,
    recipe: String,
}

impl Page {
    fn of(report: &CiReport<'_>) -> Page {
        let CiReport { command, header, findings, held, page, .. } = report;
        let empty = Map::new();
        let summary = page.summary.as_object().unwrap_or(&empty);
        let (verdict, tone) = verdict(report, summary);
        let tests = page.tests.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        let suites = against(report, summary).map(|against| [header.suite.as_str(), against]);
        let card = |(index, (one, test))| card(one, test, index < MOST_FILMS, suites);
        let causes = findings.iter().zip(tests).enumerate().map(card).collect();
        let (gallery, gallery_title, gallery_note) = gallery(&page.gallery, summary);
        Page {
            command,
            suite: header.suite.clone(),
            k: header.k,
            verdict,
            tone,
            bounds: bounds(report),
            rerun: page.rerun.clone().unwrap_or_else(|| rerun(report)),
            meaning: meaning(report, summary),
            limits: limits(report),
            causes,
            held: held.iter().map(held_row).collect(),
            figures: page.figures.clone(),
            tables: page.tables.iter().cloned().chain(tables_of(summary)).collect(),
            texts: page.texts.clone(),
            notes: notes(summary),
            sides: sides(summary),
            gallery,
            gallery_title,
            gallery_note,
            scope_path: report.scope.display().to_string(),
            scope: std::fs::read_to_string(report.scope).unwrap_or_default(),
            resources: resources_of(summary),
            version: header.beget.clone(),
            mark: String::new(),
            since: None,
        }
    }
}

/// The verdict in one sentence, and its tone.
fn verdict(report: &CiReport<'_>, summary: &Map<String, Value>) -> (String, &'static str) {
    let suite = &report.header.suite;
    let number = |key: &str| summary.get(key).and_then(Value::as_u64).unwrap_or(0);
    if report.command == "compare" {
        let found = match summary.get("verdict").and_then(Value::as_str) {
            Some("equal") => ("The API builds exactly what the repOK admits", "good"),
            Some("under") => ("The API builds less than the repOK admits", "bad"),
            Some("over") => ("The API builds more than the repOK admits", "bad"),
            Some(_) => ("The API and the repOK each have structures that the other lacks", "bad"),
            None => ("Incomplete: the two sets could not be compared as wholes", "open"),
        };
        return (format!("{}: {suite}, k = {}", found.0, report.header.k), found.1);
    }
    if let (Some(against), n @ 1..) = (against(report, summary), report.findings.len()) {
        let differences = counted(n as u64, "difference");
        let k = report.header.k;
        return (format!("{suite} is different from {against}: {differences}, k = {k}"), "bad");
    }
    // A check ends by itself with the level that shows a failure.
    let is_as_wanted = report.is_done || report.header.stop_reason == "failure_found";
    let so_far = if is_as_wanted { "" } else { ", and the run is incomplete" };
    match report.findings.len() {
        0 if !report.is_done => {
            let reason = report.header.stop_reason.replace('_', " ");
            (format!("Incomplete ({reason}): nothing wrong with {suite} so far"), "open")
        }
        0 => (nothing_wrong(report, summary, number), "good"),
        1 => (format!("1 cause of failure in {suite}{so_far}"), "bad"),
        n => (format!("{n} causes of failure in {suite}{so_far}"), "bad"),
    }
}

/// The other suite of a `diff`.
fn against<'s>(report: &CiReport<'_>, summary: &'s Map<String, Value>) -> Option<&'s str> {
    summary.get("against").and_then(Value::as_str).filter(|_| report.command == "diff")
}

fn nothing_wrong(
    report: &CiReport<'_>,
    summary: &Map<String, Value>,
    number: impl Fn(&str) -> u64,
) -> String {
    let (suite, k) = (&report.header.suite, report.header.k);
    let generated = grouped(number("generated"));
    match report.command {
        "check" => format!("{suite} is sound within these bounds: {generated} structures, k = {k}"),
        "generate" => format!("{generated} structures of {suite}, k = {k}; no call failed"),
        "diff" => {
            let against = against(report, summary).unwrap_or("the other suite");
            format!("No difference between {suite} and {against} within these bounds, k = {k}")
        }
        "repok" => format!("{generated} structures of {suite} that the repOK admits, k = {k}"),
        "random" => {
            format!("No failure of {suite} in {} random calls", grouped(number("explored")))
        }
        "builders" => format!("A sufficient and minimal set of methods of {suite}, k = {k}"),
        "call" => format!("Every method of {suite} was called with success"),
        "evolve" => format!("Genes for random runs of {suite}"),
        _ => format!("What {suite} would take, k = {k}"),
    }
}

/// Returns whether the command makes every call within its bounds.
fn is_exhaustive(command: &str) -> bool {
    matches!(command, "check" | "generate" | "diff" | "compare")
}

fn bounds(report: &CiReport<'_>) -> String {
    let methods = &report.header.methods;
    let methods = match methods.len() {
        0 => return format!("Heaps within the scope file, k = {}.", report.header.k),
        1..=MOST_METHODS => format!("the methods {}", methods.join(", ")),
        n => format!("{n} methods"),
    };
    let calls = if is_exhaustive(report.command) { "Every sequence of calls" } else { "Calls" };
    format!(
        "{calls} of {methods}, with values and literals within the scope file, k = {}.",
        report.header.k
    )
}

/// The command line of this process, without what concerns the page alone.
fn rerun(report: &CiReport<'_>) -> String {
    let k = format!("-k {}", report.header.k);
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    command_line(arguments.collect(), &k)
}

fn command_line(arguments: Vec<String>, k: &str) -> String {
    let is_report = arguments.first().is_some_and(|command| command == "report");
    let has_value = |word: &str| match word {
        "--report" | "--color" => true,
        "-o" | "--output" => is_report,
        _ => false,
    };
    let has_k = arguments
        .iter()
        .any(|word| word == "--k" || word.starts_with("--k=") || word.starts_with("-k"));
    let mut line = name::program();
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        if has_value(option) {
            if !word.contains('=') {
                words.next();
            }
        } else if !["-q", "--quiet", "--open"].contains(&word.as_str()) {
            line += &format!(" {}", name::shell_quoted(&word));
        }
    }
    if has_k { line } else { format!("{line} {k}") }
}

fn meaning(report: &CiReport<'_>, summary: &Map<String, Value>) -> Vec<String> {
    let number = |key: &str| summary.get(key).and_then(Value::as_u64).unwrap_or(0);
    let mut lines = Vec::new();
    let explored = number("explored");
    if is_exhaustive(report.command) && summary.contains_key("kept") {
        let (kept, matched) = (grouped(number("kept")), grouped(number("matched")));
        let calls = counted(explored, "call");
        lines.push(match report.header.complete {
            true => format!(
                "Each method was called on every value that earlier calls had built, with every literal of the scope: \
                 {calls}."
            ),
            false => format!("Methods were called on values that earlier calls had built, level by level: {calls}."),
        });
        lines.push(format!(
            "Calls that left a new value: {kept}. Calls that left a known one, which was not followed again: {matched}."
        ));
    } else if report.command == "compare" {
        let (api, repok) = (counted(number("api"), "structure"), grouped(number("repok")));
        let (only_api, only_repok) = (grouped(number("only_api")), grouped(number("only_repok")));
        lines.push(format!("Calls build {api}; the repOK admits {repok}."));
        lines.push(format!("Only built: {only_api}. Only admitted: {only_repok}."));
    } else if report.command == "random" {
        let (calls, sequences) =
            (counted(explored, "call"), counted(number("sequences"), "sequence"));
        let structures = counted(number("generated"), "structure");
        lines.push(format!("{calls} were drawn, in {sequences}; they met {structures}."));
    } else if report.command == "repok" {
        lines.push(format!("The repOK was asked about {}.", counted(explored, "candidate")));
    } else if explored > 0 {
        lines.push(format!("{} were made.", counted(explored, "call")));
    }
    let (out, misuse, failures) = (number("out_of_scope"), number("misuse"), number("failures"));
    if out > 0 && explored > 0 {
        let share = 100.0 * out as f64 / explored as f64;
        lines.push(format!(
            "{} calls ({share:.0} %) led beyond a bound; what they left was not extended.{}",
            grouped(out),
            if share > 33.0 {
                " That is much: look at the bounds that cut before you trust the verdict."
            } else {
                ""
            }
        ));
    }
    if misuse > 0 {
        lines.push(format!("{} calls broke a rule of use that the scope states, and count neither for nor against.", grouped(misuse)));
    }
    if failures > 0 {
        let causes = match report.findings.len() {
            1 => "1 cause".to_owned(),
            n => format!("{n} causes"),
        };
        lines.push(format!("{} calls failed; they have {causes}.", grouped(failures)));
    }
    if let Some(advice) = summary.get("advice").and_then(Value::as_str) {
        lines.push(advice.to_owned());
    }
    if lines.is_empty() {
        lines.push("See the numbers below.".to_owned());
    }
    lines
}

fn limits(report: &CiReport<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if report.is_done && report.header.stop_reason == "failure_found" {
        lines.push(
            "The run ended with the first level that shows a failure: longer sequences of calls may show others; \
             `--all` goes on."
                .to_owned(),
        );
    } else if !report.is_done {
        let reason = report.header.stop_reason.replace('_', " ");
        lines.push(format!(
            "The run stopped early ({reason}): the calls behind that were not made."
        ));
    }
    match is_exhaustive(report.command) {
        true => lines.push("Larger values, other literals and methods that take no part were not tried.".to_owned()),
        false if matches!(report.command, "random" | "evolve" | "call") => lines.push(
            "Calls were chosen, not exhausted: that none failed proves nothing about those not made.".to_owned(),
        ),
        false => lines.push("Larger scopes were not tried.".to_owned()),
    }
    lines.push(
        "Only what a panic, an assertion, a contract, an invariant or a repOK notices is found."
            .to_owned(),
    );
    lines
}

fn card(
    finding: &FindingRecord,
    test: Option<&str>,
    has_film: bool,
    suites: Option<[&str; 2]>,
) -> Card {
    let method = finding.method.as_ref().map(|method| format!(" in {method}")).unwrap_or_default();
    let witnesses = match finding.witnesses {
        1 => "1 call shows it".to_owned(),
        n => format!("{} calls show it", grouped(n)),
    };
    let count = match finding.calls {
        0 => String::new(),
        1 => format!("{witnesses}; the shortest sequence has 1 call."),
        n => format!("{witnesses}; the shortest sequence has {n} calls."),
    };
    let (test_title, test) = match test {
        Some(test) => ("The test, ready to paste:", test.to_owned()),
        None => ("The calls that show it:", finding.recipe.join("\n")),
    };
    let steps = if has_film { &finding.steps[..] } else { &[] };
    let skipped = steps.len().saturating_sub(MOST_FRAMES);
    let suites = suites.filter(|_| finding.kind.name() == "model");
    let candidate = finding.candidate.as_ref().map(|lines| format!("\n{}", lines.join("\n")));
    let title = match (finding.kind.name(), finding.name.as_deref()) {
        ("model", Some("result")) => format!("different result{method}"),
        ("compare", _) => "the structures of the two sides differ".to_owned(),
        (kind, Some(name)) => format!("{}: {name}{method}", kind.replace('_', " ")),
        (kind, None) => format!("{}{method}", kind.replace('_', " ")),
    };
    Card {
        title,
        message: format!("{}{}", finding.message, candidate.unwrap_or_default()),
        count,
        source: finding.place.as_deref().and_then(excerpt),
        test_title,
        test,
        film: (skipped..steps.len()).map(|at| frame(steps, at, suites)).collect(),
        skipped,
        note: finding.steps_note.clone(),
    }
}

/// The call at a place of a film. `suites` are the names of two that are compared; their first
/// difference is in the last call, because a search for differences ends a sequence with it.
fn frame(steps: &[StepRecord], at: usize, suites: Option<[&str; 2]>) -> FilmFrame {
    let left: Vec<&StepRecord> = steps.iter().collect();
    let right: Vec<&StepRecord> = steps.iter().filter_map(|step| step.other.as_deref()).collect();
    let differs = right.len() == steps.len() && at + 1 == steps.len();
    let sides = match suites.filter(|_| right.len() == steps.len()) {
        Some([one, other]) => vec![film_side(&left, at, one), film_side(&right, at, other)],
        None => vec![film_side(&left, at, "")],
    };
    FilmFrame { source: steps[at].source.clone(), sides, differs }
}

/// A call of one suite, between the pictures before and after it.
fn film_side(steps: &[&StepRecord], at: usize, name: &str) -> FilmSide {
    let step = steps[at];
    let variable = step.variable.as_deref();
    let earlier = steps[..at].iter().rev().find(|other| other.variable.as_deref() == variable);
    let picture = |step: Option<&StepRecord>, word: &str, is_before| {
        let title = format!("{} {word} the call", variable.unwrap_or("The structure"));
        let marks = marks_of(&steps[at].changed, variable, is_before);
        step?.heap.as_deref().and_then(|heap| figure(heap, &title, &marks))
    };
    let earlier = earlier.filter(|_| variable.is_some()).copied();
    FilmSide {
        name: name.to_owned(),
        returned: step.returned.clone().filter(|text| is_telling(text)),
        before: picture(earlier, "before", true).unwrap_or_default(),
        after: picture(Some(step), "after", false).unwrap_or_default(),
        changed: step.changed.iter().map(change).collect(),
    }
}

/// A unit says nothing, and a structure is in the picture.
fn is_telling(returned: &str) -> bool {
    returned != "()" && !returned.contains("#0 {")
}

fn change(change: &ChangeRecord) -> String {
    let ChangeRecord { variable, object, class, field, before, after } = change;
    let class = class.rsplit("::").next().unwrap_or(class);
    let nothing = || "nothing".to_owned();
    match field {
        Some(field) => format!(
            "~ {variable}: {class}#{object}.{field}: {} -> {}",
            before.clone().unwrap_or_else(nothing),
            after.clone().unwrap_or_else(nothing)
        ),
        None if before.is_none() => format!("+ {variable}: {class}#{object}"),
        None => format!("- {variable}: {class}#{object}"),
    }
}

fn notes(summary: &Map<String, Value>) -> Vec<String> {
    let notes = summary.get("notes").and_then(Value::as_array);
    notes.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn held_row(clause: &HeldClause) -> HeldRow {
    HeldRow { kind: clause.kind, name: clause.name.clone(), asked: grouped(clause.asked) }
}

/// Structures of the run; of a search for builders, those that are lost without one.
fn gallery(
    structures: &[StructureRecord],
    summary: &Map<String, Value>,
) -> (Vec<GalleryItem>, &'static str, String) {
    if let Ok(needs) =
        serde_json::from_value::<Vec<NeedRecord>>(summary.get("needs").cloned().unwrap_or_default())
        && !needs.is_empty()
    {
        let shown = needs.iter().filter_map(of_need).take(MOST_PICTURES).collect();
        let note = "Each builder is there for a structure such as this one, which the others do not build.";
        return (shown, "What is lost without each builder", note.to_owned());
    }
    let shown: Vec<GalleryItem> = structures.iter().filter_map(of_structure).collect();
    let note = match summary.get("generated").and_then(Value::as_u64) {
        Some(all) if all > shown.len() as u64 => format!(
            "{} of {} structures: of some hundred that are evenly spread over the run, one of each shape, from the \
             smallest to the largest.",
            shown.len(),
            grouped(all)
        ),
        _ => "All structures of the run.".to_owned(),
    };
    (shown, "Some of the structures", note)
}

fn of_structure(record: &StructureRecord) -> Option<GalleryItem> {
    let StructureRecord { id, ty, calls, recipe, heap, .. } = record;
    let plural = if *calls == 1 { "" } else { "s" };
    let title = format!("{ty} {id}: {calls} call{plural}");
    let picture = figure(heap.as_deref()?, &title, &ChangeMarks::default())?;
    Some(GalleryItem { picture, title, recipe: recipe.join("\n") })
}

/// A structure that is lost without a builder.
fn of_need(need: &NeedRecord) -> Option<GalleryItem> {
    let lost = need.lost.as_ref()?;
    let title = format!("without {}", need.method);
    let picture = figure(&lost.heap, &title, &ChangeMarks::default())?;
    Some(GalleryItem { picture, title, recipe: lost.recipe.join("\n") })
}

/// The structures that one side of a comparison lacks.
fn sides(summary: &Map<String, Value>) -> Vec<SidePair> {
    let sides = summary.get("witnesses").cloned().unwrap_or_default();
    let Ok(sides) = serde_json::from_value::<SidesRecord>(sides) else { return Vec::new() };
    let of_api = sides.only_api.iter().filter_map(|one| {
        side_pair(one, "only built by calls", "the nearest that the repOK admits")
    });
    let of_repok = sides.only_repok.iter().filter_map(|one| {
        side_pair(one, "only admitted by the repOK", "the nearest that calls build")
    });
    of_api.take(MOST_PICTURES).chain(of_repok.take(MOST_PICTURES)).collect()
}

fn side_pair(
    record: &WitnessRecord,
    witness_title: &'static str,
    nearest_title: &'static str,
) -> Option<SidePair> {
    let clause = record.clause.as_ref().map(|clause| format!(", rejected by “{clause}”"));
    let count = counted(record.count, "structure");
    let title = format!("{witness_title}{}: {count} of this kind", clause.unwrap_or_default());
    let changes = record.nearest.as_ref().map_or(&[][..], |nearest| &nearest.changed);
    let marks = |is_before| marks_of(changes, Some(NearestRecord::VARIABLE), is_before);
    let nearest = record.nearest.as_ref();
    let nearest = nearest.and_then(|one| figure(&one.heap, nearest_title, &marks(true)));
    Some(SidePair {
        nearest: nearest.unwrap_or_default(),
        nearest_title,
        witness: figure(&record.heap, witness_title, &marks(false))?,
        witness_title,
        changed: changes.iter().map(change).collect(),
        recipe: record.recipe.clone().unwrap_or_default().join("\n"),
        title,
    })
}

/// The path of the page of a command that names none.
pub(super) fn default_path() -> &'static Path {
    Path::new("target/beget/report.html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_copy_is_that_of_the_run_without_its_page() {
        let line = |words: &str| {
            let words = words.split(' ').map(str::to_owned).collect();
            command_line(words, "-k 3").split_once(' ').unwrap().1.to_owned()
        };
        let long = "diff a.ron --against b --report x.html --quiet";
        assert_eq!(line(long), "diff a.ron --against b -k 3");
        assert_eq!(line("report a.ron -k 4 -o x.html --open"), "report a.ron -k 4");
        assert_eq!(line("generate a.ron -o out --report=x.html -k4"), "generate a.ron -o out -k4");
    }
}
