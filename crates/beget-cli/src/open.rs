//! From typed arguments to what runs: the scope file is read, its suite found, the plan made.

use std::path::Path;
use std::sync::Arc;

use beget_builders::BuildersFile;
use beget_engine::{Settings, Wishes};
use beget_scope::{MethodsOverride, Overrides, Plan, Resolved, ScopeFile, unknown_suite};
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
    let opened = Opened::read(&scope.scope, suites)?;
    if scope.methods == Some(Methods::Builders) {
        opened.names_builders()?;
    }
    let resolved = opened.resolve(&overrides(scope, budgets))?;
    warn(&resolved, general);
    Ok(resolved.plan)
}

/// A scope file with its suite.
#[derive(Debug)]
pub(crate) struct Opened {
    file: ScopeFile,
    suite: Arc<Suite>,
}

impl Opened {
    /// Reads the file and finds its suite.
    pub(crate) fn read(path: &Path, suites: Vec<Suite>) -> Result<Opened, CliError> {
        let unreadable = |source| CliError::Unreadable { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let file = ScopeFile::parse(&path.to_string_lossy(), &text)?;
        let suite = find_suite(&file, suites)?;
        Ok(Opened { file, suite })
    }

    pub(crate) fn resolve(&self, overrides: &Overrides) -> Result<Resolved, CliError> {
        let builders = |path: &str| read_builders(path, &self.suite);
        Ok(self.file.resolve(&self.suite, overrides, &builders)?)
    }

    /// Refuses `--methods builders` where the scope does not say which they are.
    fn names_builders(&self) -> Result<(), CliError> {
        let path = self.file.path();
        self.file.builders().map(|_| ()).ok_or_else(|| {
            CliError::Usage(format!(
                "`{path}` names no file of builders: find them with `builders {path} -o FILE`, then write \
                 `methods: Builders(\"FILE\")` in the scope, FILE as seen from there"
            ))
        })
    }
}

/// Tells what has no effect.
pub(crate) fn warn(resolved: &Resolved, general: &General) {
    if !general.quiet {
        resolved.warnings.iter().for_each(|warning| print::message(&warning.to_string()));
    }
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

/// The text of a file of builders that is for `suite` as it is today.
fn read_builders(path: &str, suite: &Suite) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let checked = BuildersFile::from_ron(&text).and_then(|builders| builders.check(suite));
    checked.map(|()| text).map_err(|error| error.to_string())
}

fn overrides(scope: &ScopeArgs, budgets: &Budgets) -> Overrides {
    Overrides {
        k: scope.k,
        methods: scope.methods.as_ref().and_then(|methods| match methods {
            Methods::All => Some(MethodsOverride::All),
            // Those that the file names.
            Methods::Builders => None,
            Methods::Only(names) => Some(MethodsOverride::Only(names.clone())),
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
