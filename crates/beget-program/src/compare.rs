//! `beget compare`.

use std::cell::Cell;

use crate::records::{CompareSummary, CompareText, FindingRecord, OutputDir, write_comparison};
use beget_args::cli::{CompareArgs, General};
use beget_engine::store::StoreError;
use beget_plan::scope::Budget;
use beget_run::{RunError, Watch};
use beget_search::run::{ComparePlan, CompareRun};

use crate::ci::{CiOutput, CiReport, HeldClause, verdict_record};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::measure::Start;
use crate::open::{open, overrides, settings, store_kind, warn};
use crate::output::prepare_dir;
use crate::saving::{SlackStores, saving_watch};
use crate::{Catalog, Exit, interrupt, print, watchdog};

pub(crate) fn run(
    args: &CompareArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    if args.run.budgets.no_state_matching {
        let message = "without state matching there is no set to compare with";
        return Err(CliError::Usage(message.to_owned()));
    }
    if args.scope.repository.is_some() {
        let message = "the domains of a repOK know nothing of a --repository";
        return Err(CliError::Usage(message.to_owned()));
    }
    let input = open(&args.scope.file, catalog)?;
    let overrides = overrides(&args.scope, &args.run.budgets);
    let plan = ComparePlan::new(&input, overrides, args.repok.as_deref())?
        .with_nearest(args.ci.report.is_some());
    warn(&plan.resolved, general);
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    let stores = SlackStores::open(&args.run, &plan, general)?;
    let ending = CompareEnding {
        args,
        general,
        output: Cell::new(output),
        ci: CiOutput::prepare(&args.ci)?,
    };
    interrupt::listen();
    let budget = plan.resolved.plan.budget;
    let mut rescue = |reason, start: &Start| {
        let run = plan.so_far(reason)?;
        Some(ending.finish(&run, start).unwrap_or_else(|error| {
            print::error(&error);
            Exit::Internal
        }))
    };
    let control = RunControl::new(budget, begun(&plan.resolved.plan), general)
        .with_compare_rescue(&mut rescue);
    let watch = saving_watch(Watch::new(budget, &control), &args.run);
    let kind = stores.as_ref().map_or(store_kind(&args.run, None), SlackStores::kind);
    let run =
        plan.run(settings(&args.run), kind, &watch).map_err(|error| match (error, &stores) {
            (RunError::Store(StoreError::Failed(reason)), Some(stores)) => {
                let reason = format!("{reason}; {}", stores.what_is_left());
                CliError::Store(StoreError::Failed(reason))
            }
            (error, _) => error.into(),
        })?;
    let exit = ending.finish(&run, control.start());
    control.finish();
    exit
}

/// The outputs of the result.
struct CompareEnding<'a> {
    args: &'a CompareArgs,
    general: &'a General,
    output: Cell<Option<OutputDir>>,
    ci: CiOutput,
}

impl CompareEnding<'_> {
    fn finish(&self, run: &CompareRun, start: &Start) -> Result<Exit, CliError> {
        print::clear_bar();
        watchdog::stand_down();
        let CompareEnding { args, general, output, ci } = self;
        let spent = start.spent();
        let summary = CompareSummary { spent: Some(spent), ..CompareSummary::of(run) };
        if let Some(output) = output.take() {
            write_comparison(output, run)?;
        }
        let stop_reason = run.stop_reason;
        // Two sets are compared as a whole.
        let nothing_less = Budget::default();
        let exit = Exit::of_run(stop_reason, &nothing_less, summary.has_findings());
        print::summary(args.summary, &summary, exit, || {
            let verbosity = general.verbosity();
            CompareText { summary: &summary, stop_reason, verbosity }.to_string()
        })?;
        ci.write(&CiReport {
            command: "compare",
            scope: &args.scope.file.path,
            header: &summary.header,
            findings: &findings_of(&summary),
            held: held(&summary),
            is_done: stop_reason.is_enough(&nothing_less),
            seconds: Some(spent.seconds),
            page: ci.page(&summary)?,
        })?;
        Ok(exit)
    }
}

/// Returns the findings: the repOK's misbehaviour, and sets that differ.
fn findings_of(summary: &CompareSummary) -> Vec<FindingRecord> {
    let mut findings = summary.findings.clone();
    if let Some(verdict) = summary.verdict.as_deref().filter(|verdict| *verdict != EQUAL) {
        let CompareSummary { repok_name, only_api, only_repok, .. } = summary;
        let message = format!(
            "the repOK `{repok_name}` and the API differ: {only_api} structures that calls build are rejected, \
             {only_repok} that it admits are not built"
        );
        findings.push(verdict_record("compare", verdict, message));
    }
    findings
}

fn held(summary: &CompareSummary) -> Vec<HeldClause> {
    let is_equal = summary.verdict.as_deref() == Some(EQUAL);
    let name = format!("`{}` and the API are equal", summary.repok_name);
    let held = HeldClause { kind: "compare", name, asked: summary.repok };
    if is_equal { vec![held] } else { Vec::new() }
}

/// The verdict on equal sets.
const EQUAL: &str = "equal";
