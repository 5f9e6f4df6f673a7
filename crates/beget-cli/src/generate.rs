//! `beget generate`.

use std::path::Path;

use beget_emit::{Measures, OutputDir, Summary, TextSummary, Verbosity};
use beget_engine::{Corpus, generate};
use beget_scope::Plan;
use beget_suite::Suite;

use crate::args::{General, GenerateArgs, RunArgs, ScopeArgs, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::open::{open_plan, settings, wishes};
use crate::{Exit, interrupt, print};

pub(crate) fn run(
    args: &GenerateArgs,
    general: &General,
    suites: Vec<Suite>,
) -> Result<Exit, CliError> {
    let plan = open_plan(&args.scope, &args.run.budgets, suites, general)?;
    let output = args.output.as_deref().map(OutputDir::prepare).transpose()?;
    let (corpus, measures) = search(plan, &args.run, general);
    let summary = Summary::of(&corpus);
    if let Some(output) = output {
        output.write(&corpus, &summary)?;
    }
    let summary = summary.with(measures);
    print::result(&format_summary(args, general, &corpus, &summary)?)?;
    Ok(exit_of(&summary))
}

/// Makes the run, with progress and interrupts.
pub(crate) fn search(plan: Plan, run: &RunArgs, general: &General) -> (Corpus, Measures) {
    interrupt::listen();
    let mut control = Control::new(plan.budget, general);
    let corpus = generate(plan, settings(run), &mut |progress| control.check(progress));
    let measures = control.start().measure(Measures::of(&corpus, wishes(run)));
    control.finish();
    (corpus, measures)
}

fn exit_of(summary: &Summary) -> Exit {
    if summary.has_findings() {
        Exit::Findings
    } else if summary.complete {
        Exit::Done
    } else {
        Exit::Stopped
    }
}

fn format_summary(
    args: &GenerateArgs,
    general: &General,
    corpus: &Corpus,
    summary: &Summary,
) -> Result<String, CliError> {
    if args.summary == SummaryFormat::Json {
        return Ok(serde_json::to_string(summary)? + "\n");
    }
    let verbosity = match general.verbose {
        0 => Verbosity::Normal,
        _ => Verbosity::Verbose,
    };
    let rerun = rerun_first_failure(&program_name(), &args.scope, summary);
    let stop_reason = corpus.report.stop_reason;
    let text = TextSummary { summary, stop_reason, verbosity, rerun: rerun.as_deref() };
    Ok(text.to_string())
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
