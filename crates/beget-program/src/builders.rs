//! `beget builders`.

use std::path::Path;

use crate::records::{BuildersSummary, BuildersText, Measures, StagedFile};
use beget_args::cli::{BuildersArgs, General, MethodsArg, SearchKind};
use beget_plan::finding::StopReason;
use beget_plan::scope::Overrides;
use beget_run::Watch;
use beget_search::builders::{BuilderSearch, Exact, Genetic};
use beget_search::builders_file::BuildersFile;
use beget_search::run::BuildersPlan;

use crate::ci::{CiOutput, CiReport, verdict_record};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::{methods_override, read, settings, warn};
use crate::output::prepare_file;
use crate::report::{PageParts, PageText};
use crate::saving::refuse_directories;
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(
    args: &BuildersArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    if args.methods == Some(MethodsArg::Builders) {
        let message = "`--methods builders` is what this command finds; name methods, or `all`";
        return Err(CliError::Usage(message.to_owned()));
    }
    if args.run.budgets.no_state_matching {
        let message = "builders cannot be found without state matching";
        return Err(CliError::Usage(message.to_owned()));
    }
    let reason =
        "`builders` keeps in memory what each call leads to, which is more than structures";
    refuse_directories(&args.run, reason)?;
    let input = read(&args.scope, catalog)?;
    let plan = BuildersPlan::new(&input, &overrides(args), &args.confirm_at)?;
    warn(&plan.resolved, general);
    let output = args.output.as_deref().map(prepare).transpose()?;
    let ci = CiOutput::prepare(&args.ci)?;
    let (summary, stop_reason, certificate) = find(args, general, &plan, output)?;
    let exit = exit_of(&summary);
    print::summary(args.summary, &summary, exit, || {
        BuildersText { summary: &summary, stop_reason }.to_string()
    })?;
    let mut findings = summary.findings.clone();
    if summary.is_refuted() {
        let message = "the set of methods is not sufficient and minimal".to_owned();
        findings.push(verdict_record("builders", "sufficient_and_minimal", message));
    }
    ci.write(&CiReport {
        command: "builders",
        scope: &args.scope,
        header: &summary.header,
        findings: &findings,
        held: Vec::new(),
        is_done: summary.header.complete,
        seconds: None,
        page: PageParts { texts: certificate.into_iter().collect(), ..ci.page(&summary)? },
    })?;
    Ok(exit)
}

fn overrides(args: &BuildersArgs) -> Overrides {
    Overrides {
        k: args.k,
        methods: methods_override(args.methods.as_ref()),
        slack: args.slack,
        budget: args.run.budgets.to_budget(),
        ..Overrides::default()
    }
}

/// A place for the file, which must not be there yet: a certificate is worth more than a moment's
/// search.
fn prepare(path: &Path) -> Result<StagedFile, CliError> {
    if path.symlink_metadata().is_ok() {
        return Err(CliError::Usage(format!(
            "`{}` exists already: name a file that does not exist, or remove it first",
            path.display()
        )));
    }
    Ok(prepare_file(path)?)
}

/// Finds the builders and writes the file.
fn find(
    args: &BuildersArgs,
    general: &General,
    plan: &BuildersPlan<'_>,
    output: Option<StagedFile>,
) -> Result<(BuildersSummary, StopReason, Option<PageText>), CliError> {
    interrupt::listen();
    let resolved = &plan.resolved;
    let control =
        RunControl::new(resolved.plan.budget, begun(&resolved.plan), general).without_rescue();
    let watch = Watch::new(resolved.plan.budget, &control);
    let search = search_of(args);
    let run = plan.run(search, settings(&args.run), &watch)?;
    let mut summary = BuildersSummary::new(resolved, search);
    let mut certificate = None;
    if let Some(found) = &run.found {
        summary.identified(&resolved.plan, found, &run.confirmed);
        let file = BuildersFile::new(&resolved.plan, found, &run.confirmed);
        let text = file.with_scope(plan.scope_text()).to_ron();
        output.map_or(Ok(()), |output| output.write(&text))?;
        certificate = Some(PageText {
            title: "The certificate",
            text,
            reading: "What was found, with the counts that show it. `-o FILE` writes it; `verify FILE` counts again.",
        });
    }
    summary.ended(run.stop_reason, &control.start().measure(Measures::default()));
    control.finish();
    Ok((summary, run.stop_reason, certificate))
}

fn search_of(args: &BuildersArgs) -> BuilderSearch {
    match args.search {
        SearchKind::HillClimbing => BuilderSearch::HillClimbing,
        SearchKind::Genetic => {
            BuilderSearch::Genetic(Genetic { seed: args.seed, ..Genetic::default() })
        }
        SearchKind::Exact => BuilderSearch::Exact(Exact::default()),
    }
}

fn exit_of(summary: &BuildersSummary) -> Exit {
    Exit::of(summary.is_refuted() || summary.has_failures(), summary.header.complete)
}
