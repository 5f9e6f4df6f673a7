//! `beget check`.

use crate::records::{CheckSummary, CheckText, Measures, Summary, TextSummary};
use beget_oracle::rep_ok::Predicate;
use beget_plan::finding::StopReason;
use beget_run::{Input, Watch};

use crate::args::{CheckArgs, General, SummaryFormat};
use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::generate::text_of_run;
use crate::open::{copy_options, open, resolve_until_failure, settings, store_kind, warn};
use crate::report::{PageParts, tests_of};
use crate::saving::{Purpose, SavingStores, saving_watch, tell_saved};
use crate::supervision::{peers, workers};
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(args: &CheckArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let input = open(&args.scope.file, catalog)?.with_peers();
    let resolved = resolve_until_failure(&input, &args.scope, &args.run, &args.going_on, general)?;
    let workers = workers(&args.supervision, &args.run, &resolved.plan)?;
    let peers = peers(&args.supervision, &args.run, &resolved.plan)?;
    let rep_oks = rep_oks(args, general, &input)?;
    let stores = SavingStores::open(&args.run, &resolved.plan, Purpose::Contracts, general)?;
    warn(&resolved, general);
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = resolved.plan.budget;
    let control = RunControl::new(budget, begun(&resolved.plan), general);
    let control = control.with_workers(workers).with_peers(peers);
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
    input.require_built(&run.corpus)?;
    let check = CheckSummary::of(&run)?;
    let check = CheckSummary { summary: check.summary.with(measures), ..check };
    print::result(&text_of(&check, args, general, run.stop_reason)?)?;
    let tests = if ci.wants_page() { tests_of(&run) } else { Vec::new() };
    ci.write(&CiReport {
        command: "check",
        scope: &args.scope.file.path,
        header: &check.summary.header,
        findings: &check.summary.findings,
        held: HeldClause::of_check(&check),
        is_done: run.stop_reason.is_enough(&budget),
        seconds: check.summary.measures.as_ref().map(|measures| measures.seconds),
        page: PageParts { tests, ..ci.page_of(&check, &run.corpus)? },
    })?;
    Ok(Exit::of_run(run.stop_reason, &budget, run.has_findings()))
}

fn text_of(
    check: &CheckSummary,
    args: &CheckArgs,
    general: &General,
    stop_reason: StopReason,
) -> Result<String, CliError> {
    if args.summary == SummaryFormat::Json {
        return Ok(serde_json::to_string(check)? + "\n");
    }
    let show = |run: TextSummary<'_>| CheckText { check, run }.to_string();
    let summary: &Summary = &check.summary;
    Ok(text_of_run("generate", summary, check.failures(), stop_reason, &args.scope, general, show))
}

/// The repOK that was asked for, or all that there are.
fn rep_oks<'i>(
    args: &CheckArgs,
    general: &General,
    input: &'i Input<'_>,
) -> Result<Vec<&'i Predicate>, CliError> {
    let rep_oks = input.rep_oks(args.repok.as_deref())?;
    if rep_oks.is_empty() && !general.quiet {
        print::note("no repOK is known for the suite: only calls and contracts are checked");
    }
    Ok(rep_oks)
}
