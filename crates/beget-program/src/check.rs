//! `beget check`.

use crate::records::{
    CheckSummary, CheckText, DeepeningRecord, Measures, RunEnd, Summary, TextSummary,
};
use beget_args::cli::{CheckArgs, General, ScopeArgs};
use beget_engine::StoreView;
use beget_engine::store::Store;
use beget_oracle::rep_ok::Predicate;
use beget_plan::finding::StopReason;
use beget_plan::scope::Budget;
use beget_run::{
    CheckRun, DeepenedRun, Deepening, Depth, Input, OracleSet, SpaceVerdict, Watch, Widening,
    first_plan,
};

use crate::bytes::{is_by_bytes, peers};
use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::generate::text_of_run;
use crate::measure::Start;
use crate::open::{copy_options, open, resolve_until_failure, settings, store_kind, warn};
use crate::report::{PageParts, tests_of};
use crate::saving::{Purpose, SavingStores, saving_watch, tell_saved, wanted};
use crate::supervision::{is_at_work, workers};
use crate::{Catalog, Exit, exit_of, interrupt, name, print};

pub(crate) fn run(args: &CheckArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let scope = &args.scope.chosen(&catalog.suites).map_err(CliError::Usage)?;
    let input = open(&scope.file, catalog)?.with_peers();
    let request = CheckRequest { args, scope, general };
    if scope.file.k.is_none() && input.deepens() {
        return run_deepening(request, &input);
    }
    if args.at_least.is_some() {
        let problem = "`--at-least` goes with a scope with `k: Auto`, and without `-k`";
        return Err(CliError::Usage(problem.to_owned()));
    }
    let (run_args, going_on, given) = (&args.run, &args.going_on, Widening::default());
    let resolved = resolve_until_failure(&input, scope, run_args, going_on, &given, general)?;
    let rep_oks = rep_oks(args, general, &input)?;
    let oracles = OracleSet::of(&input, &rep_oks);
    let workers = workers(&args.supervision, &args.run, &resolved.plan, Some(&oracles))?;
    let peers = peers(&args.supervision, &args.run, &resolved.plan)?;
    let stores = SavingStores::open(&args.run, &resolved.plan, Purpose::Contracts, general)?;
    warn(&resolved, general);
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = resolved.plan.budget;
    let mut rescue = |run: CheckRun<StoreView<'_>>, start: &Start, _: Option<u32>| {
        let measures = start.measure(Measures::of(&run.corpus, copy_options(&args.run)));
        let end = CheckEnd { run, depth: None, is_done: false, measures, verdict: None };
        exit_of(finish(request, &input, end, &ci))
    };
    let control = RunControl::new(budget, begun(&resolved.plan), general);
    let control = control.with_workers(workers).with_peers(peers).with_check_rescue(&mut rescue);
    let watch = saving_watch(Watch::new(budget, &control), &args.run);
    let run = beget_run::check(
        &input,
        &rep_oks,
        resolved.plan,
        settings(&args.run),
        store_kind(&args.run, stores.as_ref()),
        &watch,
    )?;
    let measures = control.start().measure(Measures::of(&run.corpus, copy_options(&args.run)));
    control.finish();
    tell_saved(&run.corpus, stores.as_ref());
    drop(control);
    let is_done = run.stop_reason.is_enough(&budget);
    let verdict = verdict_of(request, &input, &run, None, is_done);
    finish(request, &input, CheckEnd { run, depth: None, is_done, measures, verdict }, &ci)
}

/// The arguments of a check.
#[derive(Clone, Copy)]
struct CheckRequest<'a> {
    args: &'a CheckArgs,
    scope: &'a ScopeArgs,
    general: &'a General,
}

/// Checks at k = 1, 2, 3, ..., within the time limit.
fn run_deepening(request: CheckRequest<'_>, input: &Input<'_>) -> Result<Exit, CliError> {
    let CheckRequest { args, scope, general } = request;
    let reason = "without a k, one run is made after the other; give one (`-k 3`), or";
    if wanted(&args.run)?.is_some() {
        let options = "`--store disk:DIR`, `--checkpoint` and `--resume`";
        return Err(CliError::Usage(format!("{reason} leave {options} out")));
    }
    if args.supervision.processes.is_some() {
        return Err(CliError::Usage(format!("{reason} leave `--processes` out")));
    }
    let plan_at = |k: u32, widening: &Widening| {
        let (scope, going_on) = (&scope.at(k), &args.going_on);
        resolve_until_failure(input, scope, &args.run, going_on, widening, general)
    };
    let first = first_plan(&mut |k| plan_at(k, &Widening::default()))?;
    if is_by_bytes(&first.plan) {
        return Err(CliError::Usage(format!("{reason} tell values apart by another `state`")));
    }
    let rep_oks = rep_oks(args, general, input)?;
    warn(&first, general);
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let seconds = seconds(args, input)?;
    let budget = Budget { max_seconds: Some(seconds), ..first.plan.budget };
    let at_least = args.at_least.or(input.file.scope.at_least).unwrap_or(1);
    let mut rescue = |run: CheckRun<StoreView<'_>>, start: &Start, reached: Option<u32>| {
        let measures = start.measure(Measures::of(&run.corpus, copy_options(&args.run)));
        let depth = Some(Depth::of_ended(&run, reached, seconds, at_least));
        let end = CheckEnd { run, depth, is_done: false, measures, verdict: None };
        exit_of(finish(request, input, end, &ci))
    };
    let control = RunControl::new(budget, begun(&first.plan), general);
    let control = control.with_check_rescue(&mut rescue);
    let deepening = Deepening {
        input,
        rep_oks: &rep_oks,
        settings: settings(&args.run),
        store: store_kind(&args.run, None),
        at_least,
    };
    let plan_at =
        &mut |k: u32, widening: &Widening| plan_at(k, widening).map(|resolved| resolved.plan);
    let made = deepening.run(seconds, first.plan, plan_at, &control)?;
    let DeepenedRun { run, depth } = made;
    let measures = control.start().measure(Measures::of(&run.corpus, copy_options(&args.run)));
    control.finish();
    drop(control);
    let is_done = depth.is_done();
    let verdict = verdict_of(request, input, &run, Some(&depth), is_done);
    let depth = Some(depth);
    finish(request, input, CheckEnd { run, depth, is_done, measures, verdict }, &ci)
}

/// The seconds for all runs together, from the command line, the environment, or the scope.
fn seconds(args: &CheckArgs, input: &Input<'_>) -> Result<f64, CliError> {
    if let Some(seconds) = args.run.budgets.resources.max_seconds {
        return Ok(seconds);
    }
    let variable = std::env::var(Deepening::VARIABLE).ok();
    Deepening::seconds(variable.as_deref(), input.file.scope.budget.max_seconds)
        .map_err(CliError::Usage)
}

/// The result of a check.
struct CheckEnd<S> {
    run: CheckRun<S>,
    /// The depth that a check without a given k reached.
    depth: Option<Depth>,
    /// True if the check did its whole job.
    is_done: bool,
    measures: Measures,
    /// Of a run without findings that tried all of its scope.
    verdict: Option<SpaceVerdict>,
}

/// The verdict on the space of a run without findings that tried all of its scope.
fn verdict_of(
    request: CheckRequest<'_>,
    input: &Input<'_>,
    run: &CheckRun,
    depth: Option<&Depth>,
    is_done: bool,
) -> Option<SpaceVerdict> {
    (is_done && !run.has_findings()).then(|| {
        let accepts_thin = request.args.thin || input.file.scope.accepts_thin;
        let is_strict = if request.args.strict { Some(true) } else { input.file.scope.is_strict };
        let verdict = SpaceVerdict::of(run, depth, accepts_thin, is_strict.unwrap_or(false));
        // On a crate of one's own warnings fail unless the scope accepts them.
        let refuses_warnings = is_strict.unwrap_or(name::is_cargo());
        SpaceVerdict { refuses_warnings, ..verdict }
    })
}

/// Writes the result of a check and returns the exit code.
fn finish<S: Store>(
    request: CheckRequest<'_>,
    input: &Input<'_>,
    CheckEnd { run, depth, is_done, measures, verdict }: CheckEnd<S>,
    ci: &CiOutput,
) -> Result<Exit, CliError> {
    input.require_built(&run.corpus)?;
    let check = CheckSummary::of(&run)?;
    let deepening = depth.as_ref().map(DeepeningRecord::from);
    let thin = verdict.as_ref().and_then(|verdict| verdict.thin.as_ref());
    let check = CheckSummary {
        summary: check.summary.with(measures),
        deepening,
        thin: thin.map(|thin| thin.reasons.clone()).unwrap_or_default(),
        warnings: verdict.as_ref().map(|one| one.warnings.clone()).unwrap_or_default(),
        ..check
    };
    let end = RunEnd { reason: run.stop_reason, is_enough: is_done };
    let exit = match run.stop_reason {
        StopReason::StoreFailed => Exit::Internal,
        _ if verdict.as_ref().is_some_and(SpaceVerdict::fails) => Exit::Thin,
        _ => Exit::of(run.has_findings(), is_done),
    };
    print::summary(request.args.summary, &check, exit, || text_of(&check, request, end))?;
    verdict.iter().for_each(|verdict| print_verdict(verdict, request.general));
    // The default scope of a suite has no file to name, and wider bounds are found again.
    let rerun = request.scope.file.suite.as_ref().map(|suite| {
        let (program, suite) = (name::program(), name::shell_quoted(suite));
        match &check.deepening {
            Some(deepening) if !deepening.widened.is_empty() => {
                format!("{program} check --suite {suite}")
            }
            _ => format!("{program} check --suite {suite} -k {}", check.summary.header.k),
        }
    });
    let tests = if ci.wants_page() { tests_of(&run) } else { Vec::new() };
    ci.write(&CiReport {
        command: "check",
        scope: &request.scope.file.path,
        header: &check.summary.header,
        findings: &check.summary.findings,
        held: HeldClause::of_check(&check),
        is_done,
        seconds: check.summary.measures.as_ref().map(|measures| measures.seconds),
        page: PageParts { tests, rerun, ..ci.page_of(&check, &run.corpus)? },
    })?;
    Ok(exit)
}

/// Prints the verdict to stderr.
fn print_verdict(verdict: &SpaceVerdict, general: &General) {
    if general.quiet && !verdict.fails() {
        return;
    }
    if let Some(thin) = &verdict.thin {
        print::problem(verdict.is_refused(), &format!("this run shows little: {thin}"));
        let advice = match thin.advice.is_empty() {
            true => "`thin: true` in a scope file, or `--thin`, accepts it".to_owned(),
            false => format!(
                "write `{}` in a scope file, or accept it with `thin: true` there, or `--thin`",
                thin.advice
            ),
        };
        print::help(&advice);
    }
    for warning in &verdict.warnings {
        print::problem(verdict.refuses_warnings, warning);
    }
    if verdict.refuses_warnings && !verdict.warnings.is_empty() {
        print::help("`strict: false` in a scope file accepts this");
    }
}

fn text_of(
    check: &CheckSummary,
    CheckRequest { scope, general, .. }: CheckRequest<'_>,
    end: RunEnd,
) -> String {
    let wider = check.deepening.as_ref().is_some_and(|deepening| !deepening.widened.is_empty());
    let show = |run: TextSummary<'_>| {
        // Wider bounds are found again only by the same check.
        let rerun = run.rerun.filter(|_| !wider);
        CheckText { check, run: TextSummary { rerun, ..run } }.to_string()
    };
    let summary: &Summary = &check.summary;
    text_of_run("generate", summary, check.failures(), end, scope, general, show)
}

/// The repOK named on the command line, or all.
fn rep_oks<'i>(
    args: &CheckArgs,
    general: &General,
    input: &'i Input<'_>,
) -> Result<Vec<&'i Predicate>, CliError> {
    let rep_oks = input.rep_oks(args.repok.as_deref())?;
    if rep_oks.is_empty() && !general.quiet && !is_at_work() {
        print::note("no repOK is known for the suite: only calls and contracts are checked");
    }
    Ok(rep_oks)
}
