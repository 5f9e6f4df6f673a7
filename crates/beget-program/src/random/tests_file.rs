//! The findings of a random run as a file of tests.

use crate::records::{RandomSummary, StagedFile, TestFile, sequence_test};
use beget_run::{FailureTest, Input, RandomRun, RepOkSource, Watch};
use beget_search::run::{Behaviors, behaviors_by_chance};
use beget_suite::TestFunction;

use super::recording::observing_plan;
use super::rerun;
use crate::args::{General, RandomArgs};
use crate::emit::{layout, place_of, refuse_foreign, tell_left_out, trial};
use crate::error::CliError;
use crate::name;
use crate::output::prepare_file;

/// Checks that the file can be written, if `-o` is given.
pub(super) fn prepare(args: &RandomArgs) -> Result<Option<StagedFile>, CliError> {
    let Some(path) = args.output() else { return Ok(None) };
    refuse_foreign(&path, args.force)?;
    Ok(Some(prepare_file(&path)?))
}

/// The tests of a run.
#[derive(Default)]
pub(super) struct FoundTests {
    /// The passing tests, of successful sequences.
    regressions: Vec<TestFunction>,
    /// The failing tests.
    failures: Vec<TestFunction>,
    left_out: Vec<String>,
}

impl FoundTests {
    /// Repeats all calls, to check that they end as in the run.
    pub(super) fn of(
        args: &RandomArgs,
        run: &RandomRun,
        input: &Input<'_>,
        watch: &Watch<'_>,
    ) -> Self {
        let mut tests = FoundTests::default();
        // A test can only use the repOKs of a type of the package.
        let rep_oks = if name::is_cargo() { RepOkSource::Type } else { RepOkSource::Elsewhere };
        for FailureTest { finding, function, verdict } in run.failure_tests(rep_oks) {
            match verdict {
                Ok(()) => tests.failures.push(function),
                Err(reason) => tests.left_out.push(format!("{}: {reason}", finding.problem)),
            }
        }
        if let Some(most) = args.regressions {
            let plan = observing_plan(args, input, &run.plan);
            let Behaviors { all, left_out, .. } =
                behaviors_by_chance(run, &plan, most as usize, watch);
            let suite = &run.plan.suite;
            tests.regressions = all.iter().map(|behavior| sequence_test(suite, behavior)).collect();
            tests.left_out.extend(left_out);
        }
        tests
    }

    /// Writes the tests that end as expected in processes of their own. The notes of the summary
    /// name findings without a test.
    pub(super) fn write(
        mut self,
        args: &RandomArgs,
        general: &General,
        run: &RandomRun,
        mut summary: RandomSummary,
        output: StagedFile,
    ) -> Result<RandomSummary, CliError> {
        let path = &args.output().expect("the file is named");
        let mut text = self.text(args, run, &summary);
        if trial::is_possible(path) && self.regressions.len() + self.failures.len() > 0 {
            let wrong = trial::run_twice(path, &text, general, &self.failures)?;
            let is_wrong = |test: &TestFunction| wrong.contains(&test.name);
            let groups = [(&mut self.regressions, "fails"), (&mut self.failures, "passes")];
            for (tests, what) in groups {
                let wrong = tests.iter().filter(|test| is_wrong(test));
                self.left_out.extend(wrong.map(|test| {
                    format!("the test `{}`: it {what} in a process of its own", test.name)
                }));
                tests.retain(|test| !is_wrong(test));
            }
            text = self.text(args, run, &summary);
        }
        output.write(&text)?;
        tell_left_out(&self.left_out, general);
        let n_failures = self.failures.len();
        summary.regressions = self.regressions.len();
        summary.notes.push(format!("{n_failures} of {} findings have a test", run.findings.len()));
        if args.regressions.is_some() {
            summary.notes.push(format!("{} sequences have a test", self.regressions.len()));
        }
        summary.notes.extend(self.left_out);
        Ok(summary)
    }

    fn text(&self, args: &RandomArgs, run: &RandomRun, summary: &RandomSummary) -> String {
        let path = &args.output().expect("the file is named");
        let mut command = rerun(args, summary);
        if let Some(most) = args.regressions {
            command += &format!(" --regressions {most}");
        }
        command += &format!(" -o {}", name::quoted_path(path));
        let file = TestFile {
            suite: &run.plan.suite,
            header: &summary.header,
            command: &command,
            place: place_of(path),
            structures: &self.regressions,
            failures: &self.failures,
        };
        layout::laid_out(&file.to_string())
    }
}
