//! `beget diff`.

use crate::records::{DiffSummary, DiffText, Measures, RunEnd, TextSummary};
use beget_args::cli::{DiffArgs, General};
use beget_engine::store::Store;
use beget_engine::{Corpus, StoreView};
use beget_run::{DiffPlan, DiffRun, Input, Watch, Widening};

use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::generate::text_of_run;
use crate::measure::Start;
use crate::open::{copy_options, open, resolve_until_failure, settings, store_kind, warn};
use crate::saving::{Purpose, SavingStores, saving_watch, tell_saved};
use crate::supervision::workers;
use crate::{Catalog, Exit, exit_of, interrupt, print};

pub(crate) fn run(args: &DiffArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let against = catalog.against(&args.against)?.clone();
    let input = open(&args.scope.file, catalog)?;
    let resolved = resolve_until_failure(
        &input,
        &args.scope,
        &args.run,
        &args.going_on,
        &Widening::default(),
        general,
    )?;
    warn(&resolved, general);
    let plan = DiffPlan::new(resolved.plan, &against)?;
    let workers = workers(&args.supervision, &args.run, plan.plan(), None)?;
    let stores = SavingStores::open(&args.run, plan.plan(), Purpose::Differences, general)?;
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = plan.plan().budget;
    let mut rescue = |corpus: Corpus<StoreView<'_>>, start: &Start| {
        let measures = start.measure(Measures::of(&corpus, copy_options(&args.run)));
        exit_of(finish(args, general, &input, (&plan.result(corpus), measures), &ci))
    };
    let control = RunControl::new(budget, begun(plan.plan()), general);
    let control = control.with_workers(workers).with_rescue(&mut rescue);
    let watch = saving_watch(Watch::new(budget, &control), &args.run);
    let run = plan.run(settings(&args.run), store_kind(&args.run, stores.as_ref()), &watch);
    let measures = control.start().measure(Measures::of(&run.corpus, copy_options(&args.run)));
    control.finish();
    tell_saved(&run.corpus, stores.as_ref());
    drop(control);
    finish(args, general, &input, (&run, measures), &ci)
}

/// Writes the results of a run.
fn finish<S: Store>(
    args: &DiffArgs,
    general: &General,
    input: &Input<'_>,
    (run, measures): (&DiffRun<S>, Measures),
    ci: &CiOutput,
) -> Result<Exit, CliError> {
    input.require_built(&run.corpus)?;
    let budget = run.corpus.plan.budget;
    let diff = DiffSummary::of(run)?;
    let diff = DiffSummary { summary: diff.summary.with(measures), ..diff };
    let stop_reason = run.corpus.report.stop_reason;
    let end = RunEnd::new(stop_reason, &budget);
    let exit = Exit::of_run(stop_reason, &budget, diff.summary.has_findings());
    print::summary(args.summary, &diff, exit, || {
        let show = |run: TextSummary<'_>| DiffText { diff: &diff, run }.to_string();
        let command = format!("diff --against {}", diff.against);
        let findings = &diff.summary.findings;
        text_of_run(&command, &diff.summary, findings, end, &args.scope, general, show)
    })?;
    let summary = &diff.summary;
    ci.write(&CiReport {
        command: "diff",
        scope: &args.scope.file.path,
        header: &summary.header,
        findings: &summary.findings,
        held: HeldClause::of_calls(summary.explored, summary.failures),
        is_done: stop_reason.is_enough(&budget),
        seconds: summary.measures.as_ref().map(|measures| measures.seconds),
        page: ci.page_of(&diff, &run.corpus)?,
    })?;
    Ok(exit)
}
