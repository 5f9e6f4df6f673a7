//! `beget repok`.

use beget_emit::{AdmittedWriter, EmitError, FindingRecord, OutputDir, RepokSummary, RepokText};
use beget_engine::store::digest_of;
use beget_engine::tag_bits;
use beget_finding::StopReason;
use beget_repok::{Checker, Search, Settings, search};
use beget_scope::{Budget, Overrides, Plan, Resolved};

use crate::args::{General, RepokArgs, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::open::{Chosen, Opened, warn};
use crate::output::prepare_dir;
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(args: &RepokArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let opened = Opened::read(&args.scope, catalog)?;
    // Slack is for calls; without it the forms are those of `generate`.
    let overrides = Overrides {
        k: args.k,
        slack: Some(0),
        budget: args.budgets.to_budget(),
        ..Overrides::default()
    };
    let resolved = opened.resolve(&overrides)?;
    let chosen = opened.choose(args.repok.as_deref(), &resolved)?;
    warn(&resolved, general);
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    let (summary, stop_reason) = find_all(args, general, &resolved, &chosen, output)?;
    print::result(&match args.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => RepokText { summary: &summary, stop_reason }.to_string(),
    })?;
    Ok(Exit::of(!summary.findings.is_empty(), summary.complete))
}

/// Makes the search and fills the directory.
fn find_all(
    args: &RepokArgs,
    general: &General,
    resolved: &Resolved,
    chosen: &Chosen<'_>,
    output: Option<OutputDir>,
) -> Result<(RepokSummary, StopReason), CliError> {
    let plan = &resolved.plan;
    let mut sink = Sink::new(plan, chosen, output.as_ref())?;
    interrupt::listen();
    let control = Control::new(plan.budget, general);
    let settings = search_settings(args.threads, plan.budget);
    let report = searching(chosen, plan, settings, &control, |from| {
        search(from, &plan.layout, &mut |found| sink.take(found.form))
    });
    let stop_reason = report.stop_reason;
    let spent = control.start().spent();
    control.finish();
    let summary = RepokSummary {
        suite: plan.suite.name.clone(),
        k: plan.k,
        repok: chosen.rep_ok.name.to_owned(),
        complete: stop_reason.is_exhausted(),
        stop_reason: stop_reason.name().to_owned(),
        generated: report.generated,
        unrepresentable: report.unrepresentable,
        explored: report.explored,
        digest: format!("{:032x}", sink.finish()?),
        findings: report
            .findings
            .iter()
            .map(|finding| FindingRecord::of(&plan.suite, finding))
            .collect(),
        spent: None,
    };
    if let Some(output) = output {
        finish_directory(output, &summary, stop_reason)?;
    }
    Ok((RepokSummary { spent: Some(spent), ..summary }, stop_reason))
}

fn finish_directory(
    output: OutputDir,
    summary: &RepokSummary,
    stop_reason: StopReason,
) -> Result<(), EmitError> {
    output.write_summary(summary)?;
    if !summary.complete {
        output.mark_incomplete(stop_reason)?;
    }
    output.commit()
}

/// Takes the canonical forms of a search: into the digest, and into a file.
struct Sink<'a> {
    digest: u128,
    writer: Option<AdmittedWriter<'a, std::io::BufWriter<std::fs::File>>>,
    /// Nothing is written after it.
    error: Option<EmitError>,
}

impl<'a> Sink<'a> {
    fn new(
        plan: &'a Plan,
        chosen: &'a Chosen<'_>,
        output: Option<&OutputDir>,
    ) -> Result<Self, CliError> {
        let file = output.map(|output| output.create("structures.jsonl")).transpose()?;
        let writer = file.map(|file| {
            let checker =
                Checker::new(&chosen.subject.shapes, &plan.layout, tag_bits(plan), MAX_READS);
            AdmittedWriter::new(checker, &plan.schema, &plan.layout, file)
        });
        Ok(Sink { digest: 0, writer, error: None })
    }

    fn take(&mut self, form: &[u8]) {
        self.digest = self.digest.wrapping_add(digest_of(form));
        if let (Some(writer), None) = (&mut self.writer, &self.error) {
            self.error = writer.write(form).err();
        }
    }

    fn finish(self) -> Result<u128, EmitError> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.map_or(Ok(()), AdmittedWriter::finish).map(|()| self.digest),
        }
    }
}

/// Fields that a repOK may read on one heap.
pub(crate) const MAX_READS: u64 = 10_000_000;

/// How to search, within the budget; time, memory and interrupts are the control's.
pub(crate) fn search_settings(threads: Option<usize>, budget: Budget) -> Settings {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Settings {
        threads: threads.unwrap_or_else(cores),
        max_explored: budget.max_calls.unwrap_or(u64::MAX),
        max_generated: budget.max_structures.unwrap_or(u64::MAX),
        max_reads: MAX_READS,
    }
}

/// Makes a search under the control.
pub(crate) fn searching<R>(
    chosen: &Chosen<'_>,
    plan: &Plan,
    settings: Settings,
    control: &Control,
    make: impl FnOnce(&Search<'_>) -> R,
) -> R {
    make(&Search {
        settings,
        tag: (0, tag_bits(plan)),
        control: &|progress| control.check_search(progress),
        ..Search::new(&chosen.space, chosen.rep_ok.as_fn())
    })
}
