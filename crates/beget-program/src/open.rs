//! Typed arguments become a plan, settings and directories.

use std::path::{Path, PathBuf};

use beget_args::cli::{
    Budgets, Copies, General, GoingOnArgs, Making, MethodsArg, RunArgs, ScopeArgs, ScopeFileArgs,
    SequenceArgs, StoreArg,
};
use beget_engine::{CopyOptions, Settings};
use beget_plan::scope::{MethodsOverride, Overrides, Plan, Resolution};
use beget_run::{Input, InputError, StoreKind, Widening};

use crate::error::CliError;
use crate::saving::SavingStores;
use crate::{Catalog, literals, name, print, reading, supervision};

/// The scope file with its suite, from `catalog`.
pub(crate) fn read(path: &std::path::Path, catalog: Catalog) -> Result<Input<'static>, InputError> {
    let input = Input::read(path, catalog, &|path| reading::file_text(path));
    if let Err(InputError::UnknownSuite(_)) = &input
        && let Some(package) = package_of(path)
    {
        let place = package.display();
        print::note_after_error(format!(
            "suites of the package in `{place}` are run there by `{}`",
            name::CARGO
        ));
    }
    input
}

/// The directory of the package that a scope file belongs to, if this program does not.
fn package_of(scope: &Path) -> Option<PathBuf> {
    if name::is_cargo() {
        return None;
    }
    let is_package = |directory: &&Path| {
        let manifest = std::fs::read_to_string(directory.join("Cargo.toml"));
        manifest.is_ok_and(|text| text.lines().any(|line| line.trim() == "[package]"))
    };
    let scope = scope.canonicalize().ok()?;
    scope.ancestors().skip(1).find(is_package).map(Path::to_owned)
}

/// The scope file with its suite, from `catalog`; with `--methods builders` it must name a file of
/// builders.
pub(crate) fn open(file: &ScopeFileArgs, catalog: Catalog) -> Result<Input<'static>, InputError> {
    let input = match &file.suite {
        Some(suite) => default_input(&file.path, suite, catalog)?,
        None => read(&file.path, catalog)?,
    };
    if file.methods == Some(MethodsArg::Builders) {
        input.require_builders()?;
    }
    Ok(input)
}

/// The scope that `beget::check!` takes for a suite.
fn default_input(
    name: &std::path::Path,
    suite: &str,
    catalog: Catalog,
) -> Result<Input<'static>, InputError> {
    let given = vec![("k".to_owned(), "Auto".to_owned())];
    Input::of_default_scope(&name.to_string_lossy(), suite, given, catalog)
}

/// The plan of a scope file, and the file. All errors of the input are found here, before anything
/// runs.
pub(crate) fn open_plan(
    scope: &ScopeArgs,
    budgets: &Budgets,
    catalog: Catalog,
    general: &General,
) -> Result<(Input<'static>, Plan), CliError> {
    let input = open(&scope.file, catalog)?;
    let resolved = resolve(&input, scope, budgets, general)?;
    warn(&resolved, general);
    Ok((input, resolved.plan))
}

/// Resolves a scope file, with the literals of a repository of calls if one is named.
pub(crate) fn resolve(
    input: &Input<'_>,
    scope: &ScopeArgs,
    budgets: &Budgets,
    general: &General,
) -> Result<Resolution, CliError> {
    resolve_as(input, scope, &overrides(scope, budgets), &Widening::default(), general)
}

/// Like [`resolve`], for a run that ends with the first level that shows a failure, unless `--all`
/// is given, and with wider bounds of the default scope.
pub(crate) fn resolve_until_failure(
    input: &Input<'_>,
    scope: &ScopeArgs,
    run: &RunArgs,
    going_on: &GoingOnArgs,
    widening: &Widening,
    general: &General,
) -> Result<Resolution, CliError> {
    let overrides = Overrides { ends_at_failure: !going_on.all, ..overrides(scope, &run.budgets) };
    resolve_as(input, scope, &overrides, widening, general)
}

fn resolve_as(
    input: &Input<'_>,
    scope: &ScopeArgs,
    overrides: &Overrides,
    widening: &Widening,
    general: &General,
) -> Result<Resolution, CliError> {
    let mut resolved = input.resolve_wider(overrides, widening)?;
    if let Some(path) = &scope.repository {
        let repository = literals::read_repository(path, &resolved.plan)?;
        let n;
        (resolved.plan, n) = repository.with_literals(resolved.plan);
        if !general.quiet && !supervision::is_at_work() {
            print::note(&format!("{n} literals are those of `{}`", path.display()));
        }
    }
    Ok(resolved)
}

/// Like [`open_plan`], for random sequences: they have no slack.
pub(crate) fn open_sequences(
    args: &SequenceArgs,
    catalog: Catalog,
    general: &General,
) -> Result<(Input<'static>, Plan), CliError> {
    let input = open(&args.file, catalog)?;
    let methods = methods_override(args.file.methods.as_ref());
    let budget = args.to_budget();
    let overrides =
        Overrides { k: args.file.k, methods, slack: Some(0), budget, ..Overrides::default() };
    let resolved = input.resolve(&overrides)?;
    warn(&resolved, general);
    Ok((input, resolved.plan))
}

/// Prints warnings about settings without effect.
pub(crate) fn warn(resolved: &Resolution, general: &General) {
    // The supervisor has printed the same.
    if !general.quiet && !supervision::is_at_work() {
        resolved.warnings.iter().for_each(print::warning);
    }
}

pub(crate) fn overrides(scope: &ScopeArgs, budgets: &Budgets) -> Overrides {
    Overrides {
        k: scope.file.k,
        methods: methods_override(scope.file.methods.as_ref()),
        slack: scope.slack,
        budget: budgets.to_budget(),
        ..Overrides::default()
    }
}

pub(crate) fn methods_override(methods: Option<&MethodsArg>) -> Option<MethodsOverride> {
    match methods? {
        MethodsArg::All => Some(MethodsOverride::All),
        // The builders that the file names.
        MethodsArg::Builders => None,
        MethodsArg::Only(names) => Some(MethodsOverride::Only(names.clone())),
    }
}

/// The settings of a run, which do not change its result.
pub(crate) fn settings(args: &RunArgs) -> Settings {
    Settings { threads: args.threads.unwrap_or(0), copy_options: copy_options(args) }
}

/// The number of cores.
pub(crate) fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn copy_options(args: &RunArgs) -> CopyOptions {
    CopyOptions {
        no_decode: args.ways.making == Making::Replay,
        no_region: args.ways.copies != Copies::Region,
        no_clone: args.ways.copies == Copies::Remake,
    }
}

/// Returns the place of structures: the opened directory, if there is one.
pub(crate) fn store_kind<'s>(args: &RunArgs, directory: Option<&'s SavingStores>) -> StoreKind<'s> {
    match (directory, &args.store) {
        (Some(directory), _) => directory.kind(),
        _ if args.budgets.no_state_matching => StoreKind::Unmatched,
        (None, &StoreArg::Small(most)) => StoreKind::Small(most),
        (None, _) => StoreKind::Exact,
    }
}
