//! `beget generate`.

use std::path::Path;

use beget_emit::{Measures, OutputDir, Summary, TextSummary};
use beget_engine::store::Store;
use beget_engine::{Corpus, Lent, Report, generate_watched};
use beget_finding::StopReason;
use beget_scope::Plan;
use beget_suite::Suite;

use crate::args::{General, GenerateArgs, RunArgs, ScopeArgs, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::open::{open_plan, settings, wishes};
use crate::output::prepare_dir;
use crate::watchdog::Watchdog;
use crate::{Exit, exit_of, interrupt, print, watchdog};

pub(crate) fn run(
    args: &GenerateArgs,
    general: &General,
    suites: Vec<Suite>,
) -> Result<Exit, CliError> {
    let plan = open_plan(&args.scope, &args.run.budgets, suites, general)?;
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    interrupt::listen();
    let mut control = Control::new(plan.budget, general);
    let start = *control.start();
    let mut output = output;
    let mut rescue = |corpus: Corpus<Lent<'_>>| {
        let measures = start.measure(Measures::of(&corpus, wishes(&args.run)));
        exit_of(finish(args, general, &corpus, measures, output.take()))
    };
    let corpus = search_under_watch(&mut control, plan, &args.run, &mut rescue);
    let measures = start.measure(Measures::of(&corpus, wishes(&args.run)));
    control.finish();
    finish(args, general, &corpus, measures, output)
}

/// Writes what a run left.
fn finish<S: Store>(
    args: &GenerateArgs,
    general: &General,
    corpus: &Corpus<S>,
    measures: Measures,
    output: Option<OutputDir>,
) -> Result<Exit, CliError> {
    let summary = Summary::of(corpus);
    if let Some(output) = output {
        output.write(corpus, &summary)?;
    }
    let summary = summary.with(measures);
    print::result(&format_summary(args, general, corpus, &summary)?)?;
    Ok(Exit::of(summary.has_findings(), summary.complete))
}

/// Makes the run, with progress and interrupts.
pub(crate) fn search(plan: Plan, run: &RunArgs, general: &General) -> (Corpus, Measures) {
    interrupt::listen();
    let mut control = Control::new(plan.budget, general);
    let corpus = search_under(&mut control, plan, run);
    let measures = control.start().measure(Measures::of(&corpus, wishes(run)));
    control.finish();
    (corpus, measures)
}

/// Makes a run under a control that may have seen others.
pub(crate) fn search_under(control: &mut Control, plan: Plan, run: &RunArgs) -> Corpus {
    search_under_watch(control, plan, run, &mut |corpus| {
        let Report { stop_reason, notes, .. } = corpus.report;
        watchdog::without_results(stop_reason.name(), &notes)
    })
}

/// As [`search_under`]; `rescue` writes what a run has whose calls do not end.
fn search_under_watch(
    control: &mut Control,
    plan: Plan,
    run: &RunArgs,
    rescue: &mut dyn FnMut(Corpus<Lent<'_>>) -> Exit,
) -> Corpus {
    control.begin_run();
    generate_watched(plan, settings(run), &mut Watchdog::new(control, rescue))
}

fn format_summary<S: Store>(
    args: &GenerateArgs,
    general: &General,
    corpus: &Corpus<S>,
    summary: &Summary,
) -> Result<String, CliError> {
    if args.summary == SummaryFormat::Json {
        return Ok(serde_json::to_string(summary)? + "\n");
    }
    let stop_reason = corpus.report.stop_reason;
    Ok(text_of_run(summary, stop_reason, &args.scope, general, |text| text.to_string()))
}

/// The summary as text, as `show` has it.
pub(crate) fn text_of_run(
    summary: &Summary,
    stop_reason: StopReason,
    scope: &ScopeArgs,
    general: &General,
    show: impl FnOnce(TextSummary<'_>) -> String,
) -> String {
    let verbosity = general.verbosity();
    let rerun = rerun_first_failure(&program_name(), scope, summary);
    let failures = &summary.findings;
    show(TextSummary { summary, failures, stop_reason, verbosity, rerun: rerun.as_deref() })
}

/// A run with no methods but those of the first witness: it is smaller and meets the same failure.
fn rerun_first_failure(program: &str, scope: &ScopeArgs, summary: &Summary) -> Option<String> {
    let first = summary.findings.first()?;
    let path = shell_quoted(&scope.scope.to_string_lossy());
    let slack = scope.slack.map_or_else(String::new, |slack| format!(" --slack {slack}"));
    let (k, methods) = (summary.k, first.methods.join(","));
    Some(format!("{program} generate {path} -k {k} --methods {methods}{slack}"))
}

fn program_name() -> String {
    let program = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&program).file_stem().unwrap_or_default();
    if name.is_empty() { "beget".to_owned() } else { name.to_string_lossy().into_owned() }
}

fn shell_quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+=:@,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(shell_quoted("scopes/tree.ron"), "scopes/tree.ron");
        assert_eq!(shell_quoted("it's here"), r"'it'\''s here'");
    }
}
