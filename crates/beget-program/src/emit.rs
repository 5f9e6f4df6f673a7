//! `beget emit`.

mod rustfmt;
pub(crate) mod trial;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::records::{
    EmitSummary, EmitText, Header, Measures, RegressionTests, RunEnd, Summary, TestFile, TestPlace,
    TextSummary, is_written_by_beget,
};
use beget_args::cli::{EmitArgs, General, MethodsArg, SummaryFormat, TestsOf};
use beget_engine::store::StructureId;
use beget_plan::finding::StopReason;
use beget_plan::scope::{MethodsOverride, Overrides, Plan};
use beget_run::{CheckRun, FailureTest, Input, RepOkSource, Watch, failure_tests};
use beget_search::run::{Behaviors, Selection, behaviors};
use beget_suite::TestFunction;

use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::generate::text_of_run;
use crate::open::{copy_options, open_plan, overrides, settings, store_kind};
use crate::output::prepare_file;
use crate::saving::{Purpose, SavingStores, saving_watch, tell_saved};
use crate::{Catalog, Exit, interrupt, name, print};

/// The number of omissions printed on stderr.
const MOST_NOTES: usize = 10;

pub(crate) fn run(args: &EmitArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let (input, plan) = open_plan(&args.scope, &args.run.budgets, catalog, general)?;
    let wide = plan_of_all(&input, args);
    refuse_foreign(&args.output, args.force)?;
    let stores = SavingStores::open(&args.run, &plan, Purpose::Contracts, general)?;
    make_directory(&args.output);
    let output = prepare_file(&args.output)?;
    // A test can only use the repOKs of a type.
    let asks_rep_oks = name::is_cargo() && args.wants(TestsOf::Failures);
    let rep_oks = if asks_rep_oks { input.rep_oks(None)? } else { Vec::new() };
    interrupt::listen();
    let budget = plan.budget;
    let control = RunControl::new(budget, begun(&plan), general).without_rescue();
    let watch = saving_watch(Watch::new(budget, &control), &args.run);
    let (settings, store) = (settings(&args.run), store_kind(&args.run, stores.as_ref()));
    let run = beget_run::check(&input, &rep_oks, plan, settings, store, &watch)?;
    let measures = control.start().measure(Measures::of(&run.corpus, copy_options(&args.run)));
    tell_saved(&run.corpus, stores.as_ref());
    input.require_built(&run.corpus)?;
    let mut tests = Tests::of(args, &run, wide.as_ref(), &watch)?;
    control.finish();
    let stop_reason = tests.stopped.unwrap_or(run.stop_reason);
    let header = Header::new(&run.corpus.plan, stop_reason);
    let text = tests.write(&run, &header, args, general)?;
    output.write(&text)?;
    let summary = Summary { header, ..Summary::of(&run.corpus)?.with(measures) };
    let findings = crate::records::CheckSummary::of(&run)?.summary.findings;
    let emitted = EmitSummary {
        summary: Summary { findings, ..summary },
        tests: tests.len(),
        failure_tests: tests.failures.len(),
        left_out: tests.left_out,
    };
    tell_left_out(&emitted.left_out, general);
    let end = RunEnd::new(stop_reason, &budget);
    print::result(&text_of(&emitted, end, args, general)?)?;
    Ok(Exit::of_run(stop_reason, &budget, run.has_findings()))
}

/// Makes the directory of a file, if only that is missing: a package need not have `tests/`.
fn make_directory(file: &Path) {
    // An error is reported when the file is made.
    if let Some(directory) = file.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        let _ = std::fs::create_dir(directory);
    }
}

/// Returns the plan with all methods of the suite, if the scope has literals for all of them:
/// methods that take no part may still observe structures.
fn plan_of_all(input: &Input<'_>, args: &EmitArgs) -> Option<Plan> {
    let overrides = overrides(&args.scope, &args.run.budgets);
    if matches!(args.scope.file.methods, Some(MethodsArg::All)) {
        return None;
    }
    let all = Overrides { methods: Some(MethodsOverride::All), ..overrides };
    input.resolve(&all).ok().map(|resolved| resolved.plan)
}

/// Rejects a file that was not generated, unless `--force` is given.
pub(crate) fn refuse_foreign(path: &Path, force: bool) -> Result<(), CliError> {
    if force || is_replaceable(path) {
        return Ok(());
    }
    Err(CliError::Usage(format!(
        "`{}` exists and was not written by beget: name another file, or say --force",
        path.display()
    )))
}

/// Returns whether no file has the name, or one that beget wrote.
pub(crate) fn is_replaceable(path: &Path) -> bool {
    // Of what is no file, `prepare_file` says so; to open a pipe may take for ever.
    !path.is_file() || File::open(path).is_ok_and(|file| is_written_by_beget(BufReader::new(file)))
}

/// The path of a file with that name.
pub(crate) fn place_of(path: &Path) -> TestPlace {
    let is_below = path.parent().is_some_and(|parent| {
        let parent = std::path::absolute(parent).unwrap_or_else(|_| parent.to_owned());
        parent.components().any(|part| part.as_os_str() == "tests")
    });
    if !name::is_cargo() || is_below { TestPlace::Target } else { TestPlace::Module }
}

/// The tests of a run.
struct Tests {
    /// The reason why there are fewer of structures than requested.
    stopped: Option<StopReason>,
    structures: RegressionTests,
    failures: Vec<TestFunction>,
    left_out: Vec<String>,
}

impl Tests {
    fn of(
        args: &EmitArgs,
        run: &CheckRun,
        wide: Option<&Plan>,
        watch: &Watch<'_>,
    ) -> Result<Tests, CliError> {
        let corpus = &run.corpus;
        let mut behaviors = match args.wants(TestsOf::Structures) {
            true => {
                let chosen = chosen(args, run)?;
                behaviors(corpus, wide.unwrap_or(&corpus.plan), &chosen, watch)?
            }
            false => Behaviors::default(),
        };
        let mut left_out = std::mem::take(&mut behaviors.left_out);
        let mut failures = Vec::new();
        if args.wants(TestsOf::Failures) {
            for FailureTest { finding, function, verdict } in failure_tests(run, RepOkSource::Type)
            {
                match verdict {
                    Ok(()) => failures.push(function),
                    Err(reason) => left_out.push(format!("{}: {reason}", finding.problem)),
                }
            }
        }
        let stopped = behaviors.stopped;
        let structures = RegressionTests::of_structures(behaviors);
        Ok(Tests { stopped, structures, failures, left_out })
    }

    fn len(&self) -> usize {
        self.structures.len() + self.failures.len()
    }

    /// The text of the file, without tests that fail the trial.
    fn write(
        &mut self,
        run: &CheckRun,
        header: &Header,
        args: &EmitArgs,
        general: &General,
    ) -> Result<String, CliError> {
        let text = self.text(run, header, args);
        if !trial::is_possible(&args.output) || self.len() == 0 {
            return Ok(text);
        }
        let wrong = trial::run_twice(&args.output, &text, general, &self.failures)?;
        if wrong.is_empty() {
            return Ok(text);
        }
        let suite = &run.corpus.plan.suite;
        let note = |what: &str, name: &str| format!("the test `{name}`: {what}");
        let fails = self.structures.remove(suite, &wrong);
        let fails = fails.iter().map(|name| note("it fails in a process of its own", name));
        self.left_out.extend(fails);
        let passes = self.failures.iter().filter(|test| wrong.contains(&test.name));
        let passes = passes.map(|test| note("it passes in a process of its own", &test.name));
        self.left_out.extend(passes);
        self.failures.retain(|test| !wrong.contains(&test.name));
        Ok(self.text(run, header, args))
    }

    fn text(&self, run: &CheckRun, header: &Header, args: &EmitArgs) -> String {
        let file = TestFile {
            suite: &run.corpus.plan.suite,
            header,
            is_done: header.complete,
            command: &command(args, header.k),
            place: place_of(&args.output),
            regressions: &self.structures,
            failures: &self.failures,
        };
        let text = file.to_text();
        if args.rustfmt { rustfmt::formatted(text, &args.output) } else { text }
    }
}

/// The structures that have tests.
fn chosen(args: &EmitArgs, run: &CheckRun) -> Result<Vec<StructureId>, CliError> {
    let generated = run.corpus.reader().generated()?;
    match args.most {
        Some(most) if most < generated.len() => Ok(Selection::Gallery(most).of(&run.corpus)?),
        _ => Ok(generated),
    }
}

/// The command that repeats the file.
fn command(args: &EmitArgs, k: u32) -> String {
    let mut command = name::command_on("emit", &args.scope.file, k);
    command += &name::wider_scope(&args.scope);
    match args.only {
        None => {}
        Some(TestsOf::Structures) => command += " --only structures",
        Some(TestsOf::Failures) => command += " --only failures",
    }
    if let Some(most) = args.most {
        command += &format!(" --most {most}");
    }
    if args.rustfmt {
        command += " --rustfmt";
    }
    command + " -o " + &name::quoted_path(&args.output)
}

pub(crate) fn tell_left_out(left_out: &[String], general: &General) {
    if general.quiet {
        return;
    }
    let shown = left_out.iter().take(MOST_NOTES);
    shown.for_each(|one| print::note(&format!("left out: {one}")));
    let more = left_out.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        print::note(&format!("{more} more are left out: --summary json names them"));
    }
}

fn text_of(
    emitted: &EmitSummary,
    end: RunEnd,
    args: &EmitArgs,
    general: &General,
) -> Result<String, CliError> {
    if args.summary == SummaryFormat::Json {
        return Ok(serde_json::to_string(emitted)? + "\n");
    }
    let (summary, scope) = (&emitted.summary, &args.scope);
    let show = |run: TextSummary<'_>| EmitText { emitted, run }.to_string();
    Ok(text_of_run("check", summary, &summary.findings, end, scope, general, show))
}
