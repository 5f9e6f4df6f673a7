//! The findings of a random run as a file of tests.

use crate::records::{RandomSummary, RegressionTests, StagedFile, TestFile, WrittenDir};
use beget_args::cli::RandomArgs;
use beget_args::name;
use beget_run::{FailureTest, Input, RandomRun, RepOkSource, Watch};
use beget_search::run::{Behaviors, TestedSequences, behaviors_of_outcomes};
use beget_suite::TestFunction;

use super::recording::observing_plan;
use crate::emit::{is_replaceable, place_of, tell_left_out, trial};
use crate::error::CliError;
use crate::output::prepare_file;
use crate::random::RandomRequest;

/// Makes sure that the file can be written, if one is wanted.
pub(super) fn prepare(args: &RandomArgs) -> Result<Option<StagedFile>, CliError> {
    let Some(path) = args.tests() else { return Ok(None) };
    if !is_replaceable(&path) {
        let path = path.display();
        let problem = format!("`{path}` exists and was not written by beget: name another file");
        return Err(CliError::Usage(problem));
    }
    let is_in_dir = !args.output.contains(&path);
    if let Some(dir) = path.parent().filter(|_| is_in_dir) {
        if WrittenDir::is_at(dir) {
            return Err(CliError::Usage(format!(
                "`{}` holds the structures of a run: name another directory",
                dir.display()
            )));
        }
        let made = std::fs::create_dir_all(dir);
        made.map_err(|error| CliError::Usage(format!("cannot make `{}`: {error}", dir.display())))?;
    }
    Ok(Some(prepare_file(&path)?))
}

/// The tests of a run.
pub(super) struct FoundTests {
    /// Those that pass: of sequences that went well.
    regressions: RegressionTests,
    /// Those that fail.
    failures: Vec<TestFunction>,
    left_out: Vec<String>,
}

impl RandomRequest<'_> {
    /// Makes the calls of all tests again, to see that they do as in the run.
    pub(super) fn tests_of(
        &self,
        run: &RandomRun,
        input: &Input<'_>,
        watch: &Watch<'_>,
    ) -> FoundTests {
        let regressions = RegressionTests::of_sequences(Behaviors::default());
        let mut tests = FoundTests { regressions, failures: Vec::new(), left_out: Vec::new() };
        // Only a type of the package has its repOKs where a test can ask them.
        let rep_oks = if name::is_cargo() { RepOkSource::Type } else { RepOkSource::Elsewhere };
        for FailureTest { finding, function, verdict } in run.failure_tests(rep_oks) {
            match verdict {
                Ok(()) => tests.failures.push(function),
                Err(reason) => tests.left_out.push(format!("{}: {reason}", finding.problem)),
            }
        }
        for finding in run.findings.iter().filter(|finding| finding.problem.kind.is_fatal()) {
            let problem = &finding.problem;
            tests.left_out.push(format!("{problem}: a test of it would end its process"));
        }
        let most = self.policy.policy.error_tests;
        if tests.failures.len() > most {
            let n_more = tests.failures.len() - most;
            tests.left_out.push(format!("{n_more} tests of failures: `error_tests` is {most}"));
            tests.failures.truncate(most);
        }
        let most = self.policy.policy.regressions;
        if most > 0 {
            let plan = observing_plan(self, input, &run.plan);
            let observers = &self.policy.policy.observers;
            let tested = TestedSequences { most, observers };
            let mut behaviors = behaviors_of_outcomes(run, &plan, tested, watch);
            tests.left_out.append(&mut behaviors.left_out);
            tests.regressions = RegressionTests::of_sequences(behaviors);
        }
        tests
    }
}

impl FoundTests {
    /// Writes the tests that end as they should in processes of their own. The notes of the summary
    /// have what has no test.
    pub(super) fn write(
        mut self,
        request: &RandomRequest<'_>,
        run: &RandomRun,
        mut summary: RandomSummary,
        output: StagedFile,
    ) -> Result<RandomSummary, CliError> {
        let path = &request.args.tests().expect("the file is named");
        let mut text = self.text(request, run, &summary);
        if trial::is_possible(path) && self.regressions.len() + self.failures.len() > 0 {
            let wrong = trial::run_twice(path, &text, request.general, &self.failures)?;
            let note = |what: &str, name: &str| {
                format!("the test `{name}`: it {what} in a process of its own")
            };
            let fails = self.regressions.remove(&run.plan.suite, &wrong);
            self.left_out.extend(fails.iter().map(|name| note("fails", name)));
            let passes = self.failures.iter().filter(|test| wrong.contains(&test.name));
            self.left_out.extend(passes.map(|test| note("passes", &test.name)));
            self.failures.retain(|test| !wrong.contains(&test.name));
            text = self.text(request, run, &summary);
        }
        output.write(&text)?;
        tell_left_out(&self.left_out, request.general);
        let n_failures = self.failures.len();
        summary.regressions = self.regressions.len();
        summary.notes.push(format!("{n_failures} of {} findings have a test", run.findings.len()));
        if request.policy.policy.regressions > 0 {
            summary.notes.push(format!("{} sequences have a test", self.regressions.len()));
        }
        summary.notes.extend(self.left_out);
        Ok(summary)
    }

    fn text(
        &self,
        request: &RandomRequest<'_>,
        run: &RandomRun,
        summary: &RandomSummary,
    ) -> String {
        let path = &request.args.tests().expect("the file is named");
        let command = format!("{} -o {}", request.rerun(summary), name::quoted_path(path));
        let file = TestFile {
            suite: &run.plan.suite,
            header: &summary.header,
            is_done: run.is_done(),
            command: &command,
            place: place_of(path),
            regressions: &self.regressions,
            failures: &self.failures,
        };
        file.to_text()
    }
}
