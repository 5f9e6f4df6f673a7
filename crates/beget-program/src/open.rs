//! From typed arguments to what a run takes.

use beget_engine::{CopyOptions, Settings};
use beget_run::{Input, InputError, StoreKind};
use beget_scope::{MethodsOverride, Overrides, Plan, Resolution};

use crate::args::{Budgets, Copies, General, Making, MethodsArg, RunArgs, ScopeArgs};
use crate::error::CliError;
use crate::{Catalog, print, supervision};

/// The scope file with its suite, from `catalog`.
pub(crate) fn read(path: &std::path::Path, catalog: Catalog) -> Result<Input<'static>, InputError> {
    Input::read(path, catalog, &|path| std::fs::read_to_string(path))
}

/// The plan of a scope file, and the file. What is wrong with the input is found here, before
/// anything runs.
pub(crate) fn open_plan(
    scope: &ScopeArgs,
    budgets: &Budgets,
    catalog: Catalog,
    general: &General,
) -> Result<(Input<'static>, Plan), CliError> {
    let input = read(&scope.scope, catalog)?;
    if scope.methods == Some(MethodsArg::Builders) {
        input.require_builders()?;
    }
    let resolved = input.resolve(&overrides(scope, budgets))?;
    warn(&resolved, general);
    Ok((input, resolved.plan))
}

/// Tells what has no effect.
pub(crate) fn warn(resolved: &Resolution, general: &General) {
    // A worker would say again what its supervisor has said.
    if !general.quiet && !supervision::is_at_work() {
        resolved.warnings.iter().for_each(print::warning);
    }
}

pub(crate) fn overrides(scope: &ScopeArgs, budgets: &Budgets) -> Overrides {
    Overrides {
        k: scope.k,
        methods: methods_override(scope.methods.as_ref()),
        slack: scope.slack,
        budget: budgets.to_budget(),
    }
}

pub(crate) fn methods_override(methods: Option<&MethodsArg>) -> Option<MethodsOverride> {
    match methods? {
        MethodsArg::All => Some(MethodsOverride::All),
        // Those that the file names.
        MethodsArg::Builders => None,
        MethodsArg::Only(names) => Some(MethodsOverride::Only(names.clone())),
    }
}

/// How to run, as opposed to what.
pub(crate) fn settings(args: &RunArgs) -> Settings {
    Settings { threads: args.threads.unwrap_or(0), copy_options: copy_options(args) }
}

pub(crate) fn copy_options(args: &RunArgs) -> CopyOptions {
    CopyOptions {
        no_decode: args.making == Making::Replay,
        no_region: args.copies != Copies::Region,
        no_clone: args.copies == Copies::Remake,
    }
}

/// Where to keep the structures.
pub(crate) fn store_kind(args: &RunArgs) -> StoreKind {
    match args.store.most_structures {
        _ if args.budgets.no_state_matching => StoreKind::Unmatched,
        Some(most) => StoreKind::Small(most),
        None => StoreKind::Exact,
    }
}
