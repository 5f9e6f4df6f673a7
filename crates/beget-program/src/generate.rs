//! `beget generate`.

use std::path::Path;

use crate::records::{
    Detail, FindingRecord, Measures, OutputDir, REPOSITORY_FILE, RunEnd, SCOPE_FILE, Summary,
    TextSummary,
};
use beget_args::cli::{General, GenerateArgs, Keep, RunArgs, ScopeArgs};
use beget_engine::store::Store;
use beget_engine::{Corpus, NeedsForms, Settings, StoreView};
use beget_oracle::contract_names;
use beget_plan::finding::{ELEMENTS_SURVIVE_LIES, StopReason};
use beget_plan::scope::Plan;
use beget_run::{Input, StoreKind, Watch};

use crate::bytes::{is_by_bytes, peers, refuse_on_machines};
use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::interrupt::WriteLimit;
use crate::machines::RunProcesses;
use crate::measure::Start;
use crate::open::{copy_options, open, resolve, settings, store_kind, warn};
use crate::output::prepare_dir;
use crate::saving::{Purpose, SavingStores, saving_watch, tell_saved, wanted};
use crate::supervision::workers;
use crate::{Catalog, Exit, exit_of, interrupt, literals, machines, name, print};

pub(crate) fn run(
    args: &GenerateArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let input = open(&args.scope.file, catalog)?.with_peers();
    let resolved = resolve(&input, &args.scope, &args.run.budgets, general)?;
    warn(&resolved, general);
    let plan = resolved.plan;
    if args.keep == Keep::None {
        require_no_structures(args, &plan)?;
    }
    let workers = workers(&args.supervision, &args.run, &plan, None)?;
    let peers = match args.machines.hosts {
        None => peers(&args.supervision, &args.run, &plan)?,
        Some(_) => refuse_on_machines(&plan)?,
    };
    let is_first = machines::is_first(&args.machines);
    let output = args.output.as_deref().filter(|_| is_first);
    let mut output = output.map(|dir| prepare_corpus(dir, args, &input)).transpose()?;
    let ci = is_first.then(|| CiOutput::prepare(&args.ci)).transpose()?;
    let ci = ci.as_ref();
    interrupt::listen();
    let together = RunProcesses::of(args, &plan, general)?;
    let stores = match &together {
        None => SavingStores::open(&args.run, &plan, Purpose::Structures, general)?,
        // Each process has a directory of its own.
        Some(_) => None,
    };
    let general = &General { quiet: general.quiet || !is_first, ..general.clone() };
    let mut rescue = |corpus: Corpus<StoreView<'_>>, start: &Start| {
        let measures = start.measure(Measures::of(&corpus, copy_options(&args.run)));
        exit_of(finish(args, general, &corpus, measures, (output.take(), ci)))
    };
    let control = RunControl::new(plan.budget, begun(&plan), general);
    let control = control.with_workers(workers).with_peers(peers);
    let control = control.with_machines(together.as_ref().map(RunProcesses::machines));
    let control = if is_first { control.with_rescue(&mut rescue) } else { control };
    let settings = machines::share_of(&args.machines, settings(&args.run));
    let kind = match args.keep {
        Keep::All => store_kind(&args.run, stores.as_ref()),
        Keep::None => StoreKind::Dropping,
    };
    let (corpus, measures) = search_under(&control, plan, &args.run, settings, kind);
    tell_saved(&corpus, stores.as_ref());
    drop(control);
    if let Some(together) = together.as_ref().filter(|_| is_first) {
        together.tell_saved(&corpus);
    }
    let finish = || {
        input.require_built(&corpus)?;
        finish(args, general, &corpus, measures, (output, ci))
    };
    match together {
        None => finish(),
        Some(together) => together.finish(general.verbose > 0, finish),
    }
}

/// Rejects `--keep none` if the structures are needed for the output or by the run.
fn require_no_structures(args: &GenerateArgs, plan: &Plan) -> Result<(), CliError> {
    let asked_for = [
        ("--output", args.output.is_some()),
        ("--hosts", args.machines.hosts.is_some()),
        ("--no-state-matching", args.run.budgets.no_state_matching),
        ("`state: Bytes`", is_by_bytes(plan)),
        ("--store, --checkpoint and --resume", wanted(&args.run)?.is_some()),
    ];
    if let Some((option, _)) = asked_for.into_iter().find(|(_, is_given)| *is_given) {
        return Err(CliError::Usage(format!(
            "`--keep none` is for totals and findings of a run in memory: leave it out, or {option}"
        )));
    }
    match NeedsForms::of(plan) {
        None => Ok(()),
        Some(reason) => Err(CliError::Usage(format!("`--keep none` cannot be: {reason}"))),
    }
}

/// A directory for structures, with the scope file and the arguments to repeat the run.
fn prepare_corpus(
    path: &Path,
    args: &GenerateArgs,
    input: &Input<'_>,
) -> Result<OutputDir, CliError> {
    let output = prepare_dir(path)?;
    if args.run.budgets.no_state_matching {
        // The result of such a run is not a set of structures.
        return Ok(output);
    }
    output.write_file(SCOPE_FILE, input.scope_text())?;
    if let Some(repository) = &args.scope.repository {
        output.write_file(REPOSITORY_FILE, &literals::read_text(repository)?)?;
    }
    Ok(output)
}

/// Writes the results of a run.
fn finish<S: Store>(
    args: &GenerateArgs,
    general: &General,
    corpus: &Corpus<S>,
    measures: Measures,
    (output, ci): (Option<OutputDir>, Option<&CiOutput>),
) -> Result<Exit, CliError> {
    let summary = Summary::of(corpus)?;
    let summary = match output {
        Some(output) => write(args, corpus, summary, output)?,
        None => summary,
    };
    if let Some(note) = corpus.dropping_note().filter(|_| !general.quiet) {
        print::note(&note);
    }
    let summary = summary.with(measures);
    let stop_reason = stop_reason_of(corpus, &summary);
    let exit = Exit::of_run(stop_reason, &corpus.plan.budget, summary.has_findings());
    print::summary(args.summary, &summary, exit, || {
        let end = RunEnd::new(stop_reason, &corpus.plan.budget);
        let failures = &summary.findings;
        let show = |text: TextSummary<'_>| text.to_string();
        text_of_run("generate", &summary, failures, end, &args.scope, general, show)
    })?;
    if let Some(ci) = ci {
        ci.write(&CiReport {
            command: "generate",
            scope: &args.scope.file.path,
            header: &summary.header,
            findings: &summary.findings,
            held: HeldClause::of_calls(summary.explored, summary.failures),
            is_done: stop_reason.is_enough(&corpus.plan.budget),
            seconds: summary.measures.as_ref().map(|measures| measures.seconds),
            page: ci.page_of(&summary, corpus)?,
        })?;
    }
    Ok(exit)
}

/// Writes the structures of a run, within the time that an interrupt allows.
fn write<S: Store>(
    args: &GenerateArgs,
    corpus: &Corpus<S>,
    summary: Summary,
    output: OutputDir,
) -> Result<Summary, CliError> {
    let limit = WriteLimit::begin();
    // Structures that lie on several machines are asked for one after another.
    let threads = match args.machines.hosts {
        None => settings(&args.run).threads,
        Some(_) => 1,
    };
    let detail = if args.full { Detail::Full } else { Detail::Brief };
    let summary = output.write(corpus, summary, detail, threads, &mut || !limit.is_over())?;
    if let (Some(written), Some(path)) = (summary.written_of(), &args.output) {
        let path = path.display();
        print::note(&format!("the interrupt has cut writing short: `{path}` has {written}"));
    }
    Ok(summary)
}

/// The stop reason or the output of a run.
fn stop_reason_of<S: Store>(corpus: &Corpus<S>, summary: &Summary) -> StopReason {
    match corpus.report.stop_reason {
        reason if reason.is_exhausted() && summary.written.is_some() => StopReason::Interrupted,
        reason => reason,
    }
}

/// Makes the run, with progress and interrupts.
pub(crate) fn search(
    plan: Plan,
    run: &RunArgs,
    general: &General,
) -> Result<(Corpus, Measures), CliError> {
    let stores = SavingStores::open(run, &plan, Purpose::Structures, general)?;
    interrupt::listen();
    let control = RunControl::new(plan.budget, begun(&plan), general).without_rescue();
    let kind = store_kind(run, stores.as_ref());
    let made = search_under(&control, plan, run, settings(run), kind);
    tell_saved(&made.0, stores.as_ref());
    Ok(made)
}

fn search_under(
    control: &RunControl<'_>,
    plan: Plan,
    run: &RunArgs,
    settings: Settings,
    store: StoreKind<'_>,
) -> (Corpus, Measures) {
    let watch = saving_watch(Watch::new(plan.budget, control), run);
    let corpus = beget_run::generate(plan, settings, store, &watch);
    let measures = control.start().measure(Measures::of(&corpus, copy_options(run)));
    control.finish();
    (corpus, measures)
}

/// The summary as text, as in `show`, with the failures of calls and the `command` that repeats
/// them.
pub(crate) fn text_of_run(
    command: &str,
    summary: &Summary,
    failures: &[FindingRecord],
    end: RunEnd,
    scope: &ScopeArgs,
    general: &General,
    show: impl FnOnce(TextSummary<'_>) -> String,
) -> String {
    let verbosity = general.verbosity();
    let rerun = failures
        .first()
        .map(|first| rerun(&name::program(), command, scope, summary.header.k, first));
    show(TextSummary {
        summary,
        failures,
        end,
        verbosity,
        details: "",
        verdict: None,
        rerun: rerun.as_deref(),
    })
}

/// The command of a smaller run that shows the same failure: only with the methods of the first
/// witness, and those that a broken contract calls.
fn rerun(program: &str, command: &str, scope: &ScopeArgs, k: u32, first: &FindingRecord) -> String {
    let (command, path) = match &scope.file.suite {
        Some(suite) => ("check", format!("--suite {}", name::shell_quoted(suite))),
        None => (command, name::quoted_path(&scope.file.path)),
    };
    let wider = name::wider_scope(scope);
    let name = first.name.as_deref().unwrap_or_default();
    let is_fatal = first.kind.is_fatal() || name == ELEMENTS_SURVIVE_LIES;
    let processes = if is_fatal { " --processes 1" } else { "" };
    if contract_names().contains(&name) {
        return format!("{program} check {path} -k {k}{wider}{processes}");
    }
    let methods = first.methods.join(",");
    format!("{program} {command} {path} -k {k} --methods {methods}{wider}{processes}")
}
