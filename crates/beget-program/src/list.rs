//! `beget list`.

use std::path::Path;

use crate::records::{list_plan, list_suites};
use beget_args::cli::{Budgets, General, ListArgs, ScopeArgs, ScopeFileArgs};
use beget_oracle::ApplicableContracts;
use beget_plan::scope::suggest;

use crate::error::CliError;
use crate::open::open_plan;
use crate::{Catalog, Exit, print};

pub(crate) fn run(args: &ListArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let text = match &args.scope {
        None => list_suites(&catalog.suites),
        Some(name) if !name.exists() && is_name(name, &catalog) => {
            return Err(CliError::Usage(hint(name, &catalog)));
        }
        Some(scope) => {
            let (path, methods) = (scope.clone(), args.methods.clone());
            let file = ScopeFileArgs { path, k: args.k, methods, suite: None };
            let scope = ScopeArgs { file, slack: args.slack, repository: None };
            let (input, plan) = open_plan(&scope, &Budgets::default(), catalog, general)?;
            let oracle = ApplicableContracts::new(&plan, &|name| input.asks_contract(name));
            list_plan(&plan, &oracle, general.verbosity())
        }
    };
    print::result(&text)?;
    Ok(Exit::Done)
}

/// Returns whether the argument looks like the name of a suite.
fn is_name(name: &Path, catalog: &Catalog) -> bool {
    name.extension().is_none() || catalog.suites.iter().any(|suite| name == Path::new(&suite.name))
}

/// Explains that a name is not a scope file.
fn hint(name: &Path, catalog: &Catalog) -> String {
    let name = name.to_string_lossy();
    let names = catalog.suites.iter().map(|suite| suite.name.as_str());
    match catalog.suites.iter().any(|suite| suite.name == *name) {
        true => format!(
            "`{name}` is a suite, not a scope file: `list SCOPE` shows its methods, SCOPE being a file with \
             `suite: \"{name}\"`"
        ),
        false => {
            let help = suggest(&name, names).unwrap_or_default();
            format!("there is neither a scope file nor a suite `{name}`: {help}")
        }
    }
}
