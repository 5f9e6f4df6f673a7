//! From typed arguments to what runs: the scope file is read, its suite found, the plan made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use beget_builders::BuildersFile;
use beget_engine::{Settings, Wishes};
use beget_repok::{Finitization, Predicate, Space, Subject};
use beget_scope::{MethodsOverride, Overrides, Plan, Resolved, ScopeFile, suggest, unknown_suite};
use beget_suite::Suite;

use crate::Catalog;
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
    let opened = Opened::read(&scope.scope, Catalog::new(suites))?;
    if scope.methods == Some(Methods::Builders) {
        opened.names_builders()?;
    }
    let resolved = opened.resolve(&overrides(scope, budgets))?;
    warn(&resolved, general);
    Ok(resolved.plan)
}

/// The name of the repOK that is to be right.
pub(crate) const CORRECTED: &str = "corrected";

/// A scope file with its suite, and the repOKs of the suite's main type.
#[derive(Debug)]
pub(crate) struct Opened {
    path: PathBuf,
    file: ScopeFile,
    suite: Arc<Suite>,
    subject: Option<Subject>,
}

/// A repOK with the space of its search.
#[derive(Debug)]
pub(crate) struct Chosen<'o> {
    pub(crate) subject: &'o Subject,
    pub(crate) rep_ok: &'o Predicate,
    pub(crate) space: Space,
}

impl Opened {
    /// Reads the file and finds its suite.
    pub(crate) fn read(path: &Path, catalog: Catalog) -> Result<Opened, CliError> {
        let unreadable = |source| CliError::Unreadable { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let file = ScopeFile::parse(&path.to_string_lossy(), &text)?;
        let subject = catalog.subject(file.suite_name()).cloned();
        let suite = find_suite(&file, catalog.suites)?;
        Ok(Opened { path: path.to_owned(), file, suite, subject })
    }

    pub(crate) fn resolve(&self, overrides: &Overrides) -> Result<Resolved, CliError> {
        let builders = |path: &str| read_builders(path, &self.suite);
        Ok(self.file.resolve(&self.suite, overrides, &builders)?)
    }

    /// The slack that the file asks for.
    pub(crate) fn slack(&self) -> u32 {
        self.file.slack()
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

    /// The repOKs of the suite's main type.
    pub(crate) fn subject(&self) -> Result<&Subject, CliError> {
        let subject = self.subject.as_ref().filter(|subject| !subject.rep_oks.is_empty());
        subject.ok_or_else(|| {
            let name = &self.suite.name;
            CliError::Usage(format!(
                "no repOK is known for suite `{name}`: give the catalog of the program one with `with_rep_oks`"
            ))
        })
    }

    /// The repOK of that name.
    pub(crate) fn rep_ok(&self, name: &str) -> Result<&Predicate, CliError> {
        let subject = self.subject()?;
        subject.rep_ok(name).ok_or_else(|| {
            let known = subject.rep_oks.iter().map(|rep_ok| rep_ok.name);
            let help = suggest(name, known).unwrap_or_default();
            CliError::Usage(format!(
                "no repOK named `{name}` for suite `{}`: {help}",
                self.suite.name
            ))
        })
    }

    /// The repOK of that name, or else `corrected`, or else the first, with its space in the scope.
    pub(crate) fn choose(
        &self,
        name: Option<&str>,
        resolved: &Resolved,
    ) -> Result<Chosen<'_>, CliError> {
        let subject = self.subject()?;
        let rep_ok = match name {
            Some(name) => self.rep_ok(name)?,
            None => subject.rep_ok(CORRECTED).unwrap_or(&subject.rep_oks[0]),
        };
        let space = self.space(subject, rep_ok.name, resolved)?;
        Ok(Chosen { subject, rep_ok, space })
    }

    fn space(&self, subject: &Subject, name: &str, resolved: &Resolved) -> Result<Space, CliError> {
        let path = self.path.display();
        let given = resolved.finitizations.iter().find(|given| given.name == name);
        let given = given.ok_or_else(|| {
            CliError::Usage(format!(
                "`{path}` does not bound the search from repOK `{name}`: add `repoks: {{\"{name}\": \
                 (objects: ..., fields: ...)}}` with a domain for each field"
            ))
        })?;
        let finitization = Finitization::of_scope(given, &subject.shapes);
        let space = finitization.and_then(|finitization| subject.space(&finitization));
        space.map_err(|error| CliError::Usage(format!("`{path}`, repoks, `{name}`: {error}")))
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

pub(crate) fn overrides(scope: &ScopeArgs, budgets: &Budgets) -> Overrides {
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
