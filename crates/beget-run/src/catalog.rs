//! The catalog of a program: its suites and their repOKs.

use std::fmt;
use std::sync::Arc;

use beget_oracle::Oracle;
use beget_oracle::rep_ok::Subject;
use beget_plan::scope::suggest;
use beget_process::coverage::CodeMarks;
use beget_suite::Suite;

use crate::InputError;

/// The suites of a program, and the repOKs of their types.
///
/// A list of suites is a catalog without repOKs.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The suites.
    pub suites: Vec<Suite>,
    /// By the name of the suite with this main type.
    subjects: Vec<(String, Subject)>,
    pub(crate) oracles: Vec<OracleMaker>,
    /// By the name of the suite whose code they are in.
    marks: Vec<(String, &'static CodeMarks)>,
}

/// Makes an oracle for each run.
#[derive(Clone)]
pub(crate) struct OracleMaker(Arc<dyn Fn() -> Box<dyn Oracle> + Send + Sync>);

impl OracleMaker {
    pub(crate) fn make(&self) -> Box<dyn Oracle> {
        (self.0)()
    }
}

impl fmt::Debug for OracleMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OracleMaker")
    }
}

impl Catalog {
    /// These suites, without repOKs.
    pub fn new(suites: Vec<Suite>) -> Self {
        Catalog { suites, ..Catalog::default() }
    }

    /// Adds the repOKs of `subject` for the first, main type of the named suite.
    #[must_use]
    pub fn with_rep_oks(mut self, suite: &str, subject: Subject) -> Self {
        self.subjects.push((suite.to_owned(), subject));
        self
    }

    /// Checks ask one more oracle, which `make` makes for each run.
    #[must_use]
    pub fn with_oracle<O: Oracle + 'static>(
        mut self,
        make: impl Fn() -> O + Send + Sync + 'static,
    ) -> Self {
        self.oracles.push(OracleMaker(Arc::new(move || Box::new(make()))));
        self
    }

    /// The code of the suite of that name has these marks.
    #[must_use]
    pub fn with_marks(mut self, suite: &str, marks: &'static CodeMarks) -> Self {
        self.marks.push((suite.to_owned(), marks));
        self
    }

    /// The suite of that name, for a comparison.
    ///
    /// # Errors
    /// [`InputError::UnknownAgainst`], with the nearest names.
    pub fn against(&self, name: &str) -> Result<&Suite, InputError> {
        self.suites.iter().find(|suite| suite.name == name).ok_or_else(|| {
            let help = suggest(name, self.suites.iter().map(|suite| suite.name.as_str()));
            let help = help.unwrap_or_else(|| "`list` names the suites".to_owned());
            InputError::UnknownAgainst { name: name.to_owned(), help }
        })
    }

    /// The marks in the code of a suite.
    pub(crate) fn marks(&self, suite: &str) -> Option<&'static CodeMarks> {
        self.marks.iter().find(|(name, _)| name == suite).map(|(_, marks)| *marks)
    }

    /// The repOKs of the main type of a suite.
    pub fn subject(&self, suite: &str) -> Option<&Subject> {
        self.subjects.iter().find(|(name, _)| name == suite).map(|(_, subject)| subject)
    }
}

impl From<Vec<Suite>> for Catalog {
    fn from(suites: Vec<Suite>) -> Self {
        Catalog::new(suites)
    }
}
