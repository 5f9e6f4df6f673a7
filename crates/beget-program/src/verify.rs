//! `beget verify`.

use std::path::Path;

use crate::records::{
    AdmittedWriter, DifferenceRecord, Header, REPOSITORY_FILE, RepokSummary, SCOPE_FILE,
    VerifySummary, VerifyText, WrittenDir,
};
use beget_args::cli::{General, VerifyArgs};
use beget_engine::Settings;
use beget_heap::FormRef;
use beget_oracle::rep_ok::Checker;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, MethodsOverride, Overrides, Plan};
use beget_run::{Input, MAX_READS, StoreKind, Watch};
use beget_search::builders_file::{BuildersFile, FileError};
use beget_search::run::{BuildersPlan, RepOkSpace, search_rep_ok};

use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::literals::read_repository;
use crate::measure::Start;
use crate::open::read;
use crate::reading::file_text;
use crate::{Catalog, Exit, interrupt, print};

/// The result of a check.
struct VerifyResult {
    header: Header,
    written: &'static str,
    structures: u64,
    differences: Vec<DifferenceRecord>,
}

pub(crate) fn run(
    args: &VerifyArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let check = Check { args, general, catalog };
    interrupt::listen();
    let start = Start::now();
    let checked = match args.path.is_file() {
        true => check.certificate(),
        false => check.directory(),
    }?;
    let VerifyResult { header, written, structures, differences } = checked;
    let verified = header.complete && differences.is_empty();
    let exit = Exit::of(!differences.is_empty(), header.complete);
    let written = written.to_owned();
    let spent = start.spent();
    let summary = VerifySummary { header, written, structures, verified, differences, spent };
    print::summary(args.summary, &summary, exit, || VerifyText(&summary).to_string())?;
    Ok(exit)
}

/// A written result, with the inputs to repeat it.
struct Check<'a> {
    args: &'a VerifyArgs,
    general: &'a General,
    catalog: Catalog,
}

/// The plan of the run that wrote the directory at `path`; for an incomplete run, up to its last
/// structure. `budget` has the most structures needed.
pub(crate) fn plan_of(
    dir: &WrittenDir,
    path: &Path,
    input: &Input<'_>,
    budget: impl FnOnce(Option<u64>) -> Budget,
) -> Result<Plan, CliError> {
    let Header { k, methods, complete, .. } = dir.header();
    let most = if *complete { None } else { Some(dir.n_structures()?.max(1)) };
    let overrides = Overrides {
        k: Some(*k),
        methods: Some(MethodsOverride::Only(methods.clone())),
        slack: Some(dir.slack()),
        budget: budget(most),
        ..Overrides::default()
    };
    let plan = input.resolve(&overrides)?.plan;
    let repository = path.join(REPOSITORY_FILE);
    match repository.exists() {
        true => Ok(read_repository(&repository, &plan)?.with_literals(plan).0),
        false => Ok(plan),
    }
}

impl Check<'_> {
    fn settings(&self) -> Settings {
        Settings { threads: self.args.threads.unwrap_or(0), ..Settings::default() }
    }

    /// Checks the output of `generate -o` or `repok -o`.
    fn directory(&self) -> Result<VerifyResult, CliError> {
        let dir = WrittenDir::open(&self.args.path)?;
        let scope = self.args.path.join(SCOPE_FILE);
        let input = read(&scope, self.catalog.clone())?;
        let not_made = |differences| {
            let written = if dir.rep_ok().is_some() { "admitted" } else { "corpus" };
            VerifyResult { header: dir.header().clone(), written, structures: 0, differences }
        };
        let altered = dir.altered_input();
        if !altered.is_empty() {
            return Ok(not_made(dir.with_altered(altered)));
        }
        let checked = match dir.rep_ok() {
            Some(rep_ok) => self.admitted(&dir, rep_ok, &input),
            None => self.corpus(&dir, &input),
        };
        match checked {
            Ok(checked) => {
                Ok(VerifyResult { differences: dir.with_altered(checked.differences), ..checked })
            }
            // A changed summary may contain names that do not exist.
            Err(_) if !dir.altered().is_empty() => Ok(not_made(dir.altered().to_vec())),
            Err(error) => Err(error),
        }
    }

    fn corpus(&self, dir: &WrittenDir, input: &Input<'_>) -> Result<VerifyResult, CliError> {
        let plan = plan_of(dir, &self.args.path, input, |most| self.args.to_budget(most))?;
        let (control, budget) = (self.control(&plan), plan.budget);
        let watch = Watch::new(budget, &control);
        let mut settings = self.settings();
        // A run by region images may miss all of them, but one that shows some shows all.
        settings.copy_options.no_region = dir.has_drop_panics();
        let corpus = beget_run::generate(plan, settings, StoreKind::Exact, &watch);
        control.finish();
        let reason = corpus.report.stop_reason;
        let differences = match reason.is_reproducible() {
            true => dir.compare(&corpus)?,
            false => Vec::new(),
        };
        let structures = dir.n_lines()?;
        let header = Header::new(&corpus.plan, reason_of_check(reason));
        Ok(VerifyResult { header, written: "corpus", structures, differences })
    }

    fn control(&self, plan: &Plan) -> RunControl<'static> {
        RunControl::new(plan.budget, begun(plan), self.general)
    }

    /// The structures that a repOK admits.
    fn admitted(
        &self,
        dir: &WrittenDir,
        rep_ok: &str,
        input: &Input<'_>,
    ) -> Result<VerifyResult, CliError> {
        let Header { k, complete, .. } = dir.header();
        let most = if *complete { u64::MAX } else { dir.n_lines()? };
        let budget = self.args.to_budget((!complete).then_some(most.max(1)));
        let overrides = Overrides { k: Some(*k), budget, ..Overrides::default() };
        let resolved = input.resolve_without_slack(&overrides)?;
        let (from, plan) = (RepOkSpace::new(input, Some(rep_ok), &resolved)?, &resolved.plan);
        let checker = Checker::new(&from.subject.shapes, plan.coding(), MAX_READS);
        let mut lines = dir.admitted_lines()?;
        let mut writer = AdmittedWriter::new(checker, plan.schema(), plan.layout(), &mut lines);
        let mut structures = 0;
        let control = self.control(plan);
        let mut failed = Ok(());
        let mut take = |form: FormRef<'_>| {
            if structures < most && failed.is_ok() {
                structures += 1;
                failed = writer.write(form);
            }
        };
        let run = search_rep_ok(
            &from,
            plan,
            self.args.threads,
            &Watch::new(plan.budget, &control),
            &mut take,
        );
        control.finish();
        failed?;
        let reason = run.report.stop_reason;
        let summary = RepokSummary::of(plan, rep_ok, &run);
        let differences = match reason.is_reproducible() {
            true => dir.compare_admitted(lines, &summary)?,
            false => Vec::new(),
        };
        let header = Header::without_methods(plan, reason_of_check(reason));
        Ok(VerifyResult { header, written: "admitted", structures, differences })
    }

    /// A file of builders with its certificate.
    fn certificate(&self) -> Result<VerifyResult, CliError> {
        let path = &self.args.path;
        let text = file_text(path).map_err(|error| refused(path, &error))?;
        let file = BuildersFile::from_ron(&text).map_err(|error| refused(path, &error))?;
        match BuildersFile::check_seal(&text) {
            Ok(()) => self.certified(&file, None),
            Err(error) => {
                let altered = difference(path, &error);
                let checked = self.certified(&file, Some(altered));
                // Changed output may contain names that do not exist.
                checked.map_err(|error| refused(path, &format!("{}; {error}", FileError::Altered)))
            }
        }
    }

    /// Repeats the claims of a certificate.
    fn certified(
        &self,
        file: &BuildersFile,
        altered: Option<DifferenceRecord>,
    ) -> Result<VerifyResult, CliError> {
        let path = &self.args.path;
        let certificate = &file.certificate;
        if certificate.scope.is_empty() {
            let path = path.display();
            return Err(CliError::Usage(format!(
                "`{path}` does not say from which scope file its builders were found: find them again with `beget builders`"
            )));
        }
        let name = format!("the scope in {}", path.display());
        let input = Input::of_text(&name, certificate.scope.clone(), self.catalog.clone())?;
        let methods = match certificate.among.is_empty() {
            true => MethodsOverride::WithLiterals,
            false => MethodsOverride::Only(certificate.among.clone()),
        };
        let overrides = Overrides {
            k: Some(certificate.k),
            methods: Some(methods),
            slack: Some(certificate.slack),
            budget: self.args.to_budget(None),
            ..Overrides::default()
        };
        let larger: Vec<u32> = certificate.confirmed.iter().map(|one| one.k).collect();
        let plan = BuildersPlan::new(&input, &overrides, &larger)?;
        let control = self.control(&plan.resolved.plan);
        let watch = Watch::new(plan.resolved.plan.budget, &control);
        let rechecked = plan.recheck(file, self.settings(), &watch);
        control.finish();
        let (reason, mut differences) = match rechecked {
            Ok(()) => (StopReason::Exhausted, Vec::new()),
            Err(FileError::Stopped(reason)) => (reason, Vec::new()),
            Err(FileError::File(error)) => return Err(refused(path, &error)),
            Err(error) => (StopReason::Exhausted, vec![difference(path, &error)]),
        };
        differences.extend(altered);
        let header = Header::new(&plan.resolved.plan, reason);
        let structures = certificate.full.structures;
        Ok(VerifyResult { header, written: "certificate", structures, differences })
    }
}

/// Returns the reason for a check that ran to its end: exhausted, whatever budget ended its run.
fn reason_of_check(reason: StopReason) -> StopReason {
    if reason.is_reproducible() { StopReason::Exhausted } else { reason }
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> CliError {
    CliError::Usage(format!("cannot check `{}`: {reason}", path.display()))
}

fn difference(path: &Path, error: &FileError) -> DifferenceRecord {
    DifferenceRecord {
        file: path.display().to_string(),
        line: None,
        id: None,
        lines: None,
        message: error.to_string(),
    }
}
