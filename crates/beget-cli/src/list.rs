//! `beget list`.

use beget_emit::{list_plan, list_suites};

use crate::args::{Budgets, General, ListArgs, ScopeArgs};
use crate::error::CliError;
use crate::open::open_plan;
use crate::{Catalog, Exit, print};

pub(crate) fn run(args: &ListArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let text = match &args.scope {
        None => list_suites(&catalog.suites),
        Some(scope) => {
            let scope = ScopeArgs {
                scope: scope.clone(),
                k: args.k,
                methods: args.methods.clone(),
                slack: args.slack,
            };
            list_plan(&open_plan(&scope, &Budgets::default(), catalog, general)?)
        }
    };
    print::result(&text)?;
    Ok(Exit::Done)
}
