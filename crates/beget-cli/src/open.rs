//! From typed arguments to what runs: the scope file is read, its suite found, the plan made.

use std::path::Path;
use std::sync::Arc;

use beget_engine::{Settings, Wishes};
use beget_scope::{MethodsOverride, Overrides, Plan, ScopeFile, unknown_suite};
use beget_suite::Suite;

use crate::args::{Budgets, Copies, General, Making, Methods, RunArgs, ScopeArgs};
use crate::error::CliError;
use crate::print;

/// The plan of a scope file. What is wrong with the input is found here, before anything runs.
pub(crate) fn open_plan(
    scope: &ScopeArgs,
    budgets: &Budgets,
    suites: Vec<Suite>,
    general: &General,
) -> Result<Plan, CliError> {
    let path = &scope.scope;
    let unreadable = |source| CliError::Unreadable { path: path.clone(), source };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let file = ScopeFile::parse(&path.to_string_lossy(), &text)?;
    let suite = find_suite(&file, suites)?;
    let resolved = file.resolve(&suite, &overrides(scope, budgets), &read_beside)?;
    if !general.quiet {
        resolved.warnings.iter().for_each(|warning| print::message(&warning.to_string()));
    }
    Ok(resolved.plan)
}

fn find_suite(file: &ScopeFile, suites: Vec<Suite>) -> Result<Arc<Suite>, CliError> {
    let names: Vec<String> = suites.iter().map(|suite| suite.name.clone()).collect();
    match suites.into_iter().find(|suite| suite.name == file.suite_name()) {
        Some(suite) => Ok(Arc::new(suite)),
        None => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Err(CliError::UnknownSuite(Box::new(unknown_suite(file, &names))))
        }
    }
}

fn read_beside(path: &str) -> Result<String, String> {
    std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string())
}

fn overrides(scope: &ScopeArgs, budgets: &Budgets) -> Overrides {
    Overrides {
        k: scope.k,
        methods: scope.methods.as_ref().map(|methods| match methods {
            Methods::All => MethodsOverride::All,
            Methods::Only(names) => MethodsOverride::Only(names.clone()),
        }),
        slack: scope.slack,
        budget: budgets.to_budget(),
        state_matching: budgets.no_state_matching.then_some(false),
    }
}

/// How to run, as opposed to what.
pub(crate) fn settings(args: &RunArgs) -> Settings {
    Settings { threads: args.threads.unwrap_or(0), wishes: wishes(args) }
}

pub(crate) fn wishes(args: &RunArgs) -> Wishes {
    Wishes {
        no_decode: args.making == Making::Replay,
        no_region: args.copies != Copies::Region,
        no_clone: args.copies == Copies::Remake,
    }
}
