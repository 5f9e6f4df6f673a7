//! `beget estimate`.

use crate::records::{EstimateSummary, EstimateText};
use beget_args::cli::{EstimateArgs, General};
use beget_engine::Settings;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Overrides};
use beget_run::Watch;
use beget_search::run::{EstimateBudget, EstimatePlan};

use crate::ci::{CiOutput, CiReport};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::{methods_override, n_cores, open, warn};
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(
    args: &EstimateArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let input = open(&args.file, catalog)?;
    let methods = methods_override(args.file.methods.as_ref());
    let (k, slack, budget) = (args.file.k, args.slack, Budget::default());
    let plan = EstimatePlan::new(
        &input,
        &Overrides { k, methods, slack, budget, ..Overrides::default() },
    )?;
    warn(&plan.resolved, general);
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = args.budget.measured();
    let control = RunControl::new(budget, begun(&plan.resolved.plan), general).without_rescue();
    let settings = Settings { threads: args.threads.unwrap_or(0), ..Settings::default() };
    let run = plan.run(
        EstimateBudget { max_calls: args.budget.max_calls },
        settings,
        &Watch::new(budget, &control),
    )?;
    let spent = control.start().spent();
    control.finish();
    let threads = args.threads.unwrap_or_else(n_cores);
    let summary = EstimateSummary::of(&plan.resolved.plan, &run, threads).with(spent);
    let is_wrong = summary.failures > 0 || !summary.findings.is_empty();
    let exit = match run.stop_reason {
        StopReason::StoreFailed => Exit::Internal,
        // Its budget is spent in every estimate; an interrupt leaves it shorter than was asked.
        StopReason::Interrupted => Exit::of(is_wrong, false),
        _ => Exit::of(is_wrong, summary.is_known()),
    };
    print::summary(args.summary, &summary, exit, || {
        let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
        EstimateText { summary: &summary, stop_reason, verbosity }.to_string()
    })?;
    ci.write(&CiReport {
        command: "estimate",
        scope: &args.file.path,
        header: &summary.header,
        findings: &summary.findings,
        held: Vec::new(),
        is_done: summary.is_known(),
        seconds: Some(spent.seconds),
        page: ci.page(&summary)?,
    })?;
    Ok(exit)
}
