//! `beget repok`.

use std::cell::RefCell;

use crate::records::{
    AdmittedWriter, EmitError, Header, OutputDir, RepokSummary, RepokText, ResourceUse, SCOPE_FILE,
};
use beget_args::cli::{General, RepokArgs};
use beget_heap::FormRef;
use beget_oracle::rep_ok::Checker;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Overrides, Plan};
use beget_run::{MAX_READS, Watch};
use beget_search::run::{RepOkRun, RepOkSpace, search_rep_ok};

use crate::ci::{CiOutput, CiReport};
use crate::control::RunControl;
use crate::error::CliError;
use crate::measure::Start;
use crate::open::{read, warn};
use crate::output::prepare_dir;
use crate::{Catalog, Exit, exit_of, interrupt, print};

pub(crate) fn run(args: &RepokArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let input = read(&args.scope, catalog)?;
    let overrides =
        Overrides { k: args.k, budget: args.budgets.to_budget(), ..Overrides::default() };
    let resolved = input.resolve_without_slack(&overrides)?;
    let from = RepOkSpace::new(&input, args.repok.as_deref(), &resolved)?;
    warn(&resolved, general);
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    if let Some(output) = &output {
        output.write_file(SCOPE_FILE, input.scope_text())?;
    }
    let ci = CiOutput::prepare(&args.ci)?;
    find_all(args, general, &resolved.plan, &from, (output, &ci))
}

/// Searches, fills the directory, and prints.
fn find_all(
    args: &RepokArgs,
    general: &General,
    plan: &Plan,
    from: &RepOkSpace<'_>,
    (output, ci): (Option<OutputDir>, &CiOutput),
) -> Result<Exit, CliError> {
    let sink = RefCell::new(Some(Sink::new(plan, from, output.as_ref())?));
    let output = RefCell::new(output);
    let finish = |run: &RepOkRun, spent| {
        sink.take().map_or(Ok(()), Sink::finish)?;
        let summary = RepokSummary::of(plan, from.rep_ok.name, run);
        show(args, summary, run.report.stop_reason, (output.take(), ci), spent)
    };
    interrupt::listen();
    let mut rescue = |run: RepOkRun, start: &Start| exit_of(finish(&run, start.spent()));
    let header = Header::without_methods(plan, StopReason::Interrupted);
    let control = RunControl::new(plan.budget, header, general).with_rep_ok_rescue(&mut rescue);
    let watch = Watch::new(plan.budget, &control);
    let mut take = |form: FormRef<'_>| {
        if let Some(sink) = &mut *sink.borrow_mut() {
            sink.take(form);
        }
    };
    let run = search_rep_ok(from, plan, args.threads, &watch, &mut take);
    let spent = control.start().spent();
    control.finish();
    finish(&run, spent)
}

/// Writes the result of a search.
fn show(
    args: &RepokArgs,
    summary: RepokSummary,
    stop_reason: StopReason,
    (output, ci): (Option<OutputDir>, &CiOutput),
    spent: ResourceUse,
) -> Result<Exit, CliError> {
    if let Some(output) = output {
        finish_directory(output, &summary, stop_reason)?;
    }
    let summary = RepokSummary { spent: Some(spent), ..summary };
    let exit = Exit::of(!summary.findings.is_empty(), summary.header.complete);
    print::summary(args.summary, &summary, exit, || {
        RepokText { summary: &summary, stop_reason }.to_string()
    })?;
    ci.write(&CiReport {
        command: "repok",
        scope: &args.scope,
        header: &summary.header,
        findings: &summary.findings,
        held: Vec::new(),
        is_done: summary.header.complete,
        seconds: Some(spent.seconds),
        page: ci.page(&summary)?,
    })?;
    Ok(exit)
}

fn finish_directory(
    output: OutputDir,
    summary: &RepokSummary,
    stop_reason: StopReason,
) -> Result<(), EmitError> {
    output.write_summary(summary)?;
    if !summary.header.complete {
        output.mark_incomplete(stop_reason, None)?;
    }
    output.write_manifest()?;
    output.commit()
}

/// Writes the canonical forms of a search to a file, if there is one.
struct Sink<'a> {
    writer: Option<AdmittedWriter<'a, std::io::BufWriter<std::fs::File>>>,
    /// The first error; nothing is written after it.
    error: Option<EmitError>,
}

impl<'a> Sink<'a> {
    fn new(
        plan: &'a Plan,
        from: &'a RepOkSpace<'_>,
        output: Option<&OutputDir>,
    ) -> Result<Self, CliError> {
        let file = output.map(|output| output.create("structures.jsonl")).transpose()?;
        let writer = file.map(|file| {
            let shapes = &from.subject.shapes;
            let checker = Checker::new(shapes, plan.coding(), MAX_READS);
            AdmittedWriter::new(checker, plan.schema(), plan.layout(), file)
        });
        Ok(Sink { writer, error: None })
    }

    fn take(&mut self, form: FormRef<'_>) {
        if let (Some(writer), None) = (&mut self.writer, &self.error) {
            self.error = writer.write(form).err();
        }
    }

    fn finish(self) -> Result<(), EmitError> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.map_or(Ok(()), AdmittedWriter::finish),
        }
    }
}
