//! The failures of a random run as a file of tests.

use beget_emit::{RandomSummary, StagedFile, TestFile};
use beget_run::{FailureTest, RandomRun, RepOkSource};
use beget_suite::TestFunction;

use super::rerun;
use crate::args::{General, RandomArgs};
use crate::emit::{place_of, refuse_foreign, rustfmt, tell_left_out, trial};
use crate::error::CliError;
use crate::name;
use crate::output::prepare_file;

/// Makes sure that the file can be written, if one is wanted.
pub(super) fn prepare(args: &RandomArgs) -> Result<Option<StagedFile>, CliError> {
    let Some(path) = &args.output else { return Ok(None) };
    refuse_foreign(path, args.force)?;
    Ok(Some(prepare_file(path)?))
}

/// Writes the tests. The notes of the summary have what has no test.
pub(super) fn write(
    args: &RandomArgs,
    general: &General,
    run: &RandomRun,
    mut summary: RandomSummary,
    output: StagedFile,
) -> Result<RandomSummary, CliError> {
    let path = args.output.as_deref().expect("the file is named");
    // Only a type of the package has its repOKs where a test can ask them.
    let rep_oks = if name::is_cargo() { RepOkSource::Type } else { RepOkSource::Elsewhere };
    let (mut tests, mut left_out) = (Vec::new(), Vec::new());
    for FailureTest { finding, function, verdict } in run.failure_tests(rep_oks) {
        match verdict {
            Ok(()) => tests.push(function),
            Err(reason) => left_out.push(format!("{}: {reason}", finding.problem)),
        }
    }
    let command =
        format!("{} -o {}", rerun(args, &summary), name::shell_quoted(&path.to_string_lossy()));
    let text = |tests: &[TestFunction], summary: &RandomSummary| {
        let file = TestFile {
            suite: &run.plan.suite,
            header: &summary.header,
            command: &command,
            place: place_of(path),
            structures: &[],
            failures: tests,
        };
        rustfmt::formatted(file.to_string(), path)
    };
    let mut written = text(&tests, &summary);
    if trial::is_possible(path) && !tests.is_empty() {
        let wrong = trial::run_twice(path, &written, general, &tests)?;
        let is_wrong = |test: &TestFunction| wrong.contains(&test.name);
        for test in tests.iter().filter(|test| is_wrong(test)) {
            left_out.push(format!("the test `{}`: it passes in a process of its own", test.name));
        }
        tests.retain(|test| !is_wrong(test));
        written = text(&tests, &summary);
    }
    output.write(&written)?;
    tell_left_out(&left_out, general);
    summary.notes.push(format!("{} of {} findings have a test", tests.len(), run.findings.len()));
    summary.notes.extend(left_out);
    Ok(summary)
}
