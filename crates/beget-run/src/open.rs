//! From a path to a checked plan: the scope file is read, its suite found, the plan made.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beget_engine::store::Store;
use beget_engine::{BoundCount, Corpus};
use beget_oracle::contract_names;
use beget_oracle::rep_ok::{Predicate, Subject};
use beget_plan::scope::{
    Diagnostics, Overrides, Plan, Resolution, ScopeFile, check_builders, default_scope, suggest,
    unknown_suite,
};
use beget_process::coverage::CodeMarks;
use beget_suite::Suite;

use crate::catalog::OracleMaker;
use crate::{Catalog, InputError, Widening};

/// Reads the text of a file: the scope file, and the file of builders that it names.
pub type FileReader<'r> = dyn Fn(&Path) -> io::Result<String> + 'r;

/// A scope file with its suite, and the repOKs of the suite's main type.
pub struct Input<'r> {
    path: PathBuf,
    /// The scope file as it is read.
    pub file: ScopeFile,
    suite: Arc<Suite>,
    subject: Option<Subject>,
    /// Oracles that the program adds.
    pub(crate) oracles: Vec<OracleMaker>,
    marks: Option<&'static CodeMarks>,
    read: &'r FileReader<'r>,
    has_peers: bool,
    /// The fields that are given of a default scope, with their values.
    given: Option<Vec<(String, String)>>,
}

impl std::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("path", &self.path)
            .field("suite", &self.suite.name)
            .finish_non_exhaustive()
    }
}

/// A result, unless there are problems: its own and those of a check.
fn both<T>(
    result: Result<T, Diagnostics>,
    check: Result<(), Diagnostics>,
) -> Result<T, Diagnostics> {
    match (result, check) {
        (Err(one), Err(other)) => Err(one.joined(other)),
        (result, check) => check.and(result),
    }
}

impl<'r> Input<'r> {
    /// Reads the scope file at `path` by `read` and finds its suite in `catalog`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no scope file, or names an unknown suite.
    pub fn read(
        path: &Path,
        catalog: Catalog,
        read: &'r FileReader<'r>,
    ) -> Result<Input<'r>, InputError> {
        let unreadable = |source| InputError::Unreadable { path: path.to_owned(), source };
        let text = read(path).map_err(unreadable)?;
        Input::parse(path, &text, catalog, read)
    }

    fn parse(
        path: &Path,
        text: &str,
        catalog: Catalog,
        read: &'r FileReader<'r>,
    ) -> Result<Input<'r>, InputError> {
        let file = ScopeFile::parse(&path.to_string_lossy(), text)?;
        let subject = catalog.subject(file.suite_name()).cloned();
        let marks = catalog.marks(file.suite_name());
        let oracles = catalog.oracles;
        let suite = find_suite(&file, catalog.suites)?;
        Ok(Input {
            path: path.to_owned(),
            file,
            suite,
            subject,
            oracles,
            marks,
            read,
            has_peers: false,
            given: None,
        })
    }

    /// The same for a run that [compares](crate::Host::peers) the results of several processes.
    #[must_use]
    pub fn with_peers(self) -> Self {
        Input { has_peers: true, ..self }
    }

    /// Like [`Input::read`], for a scope file's `text` under its own `name`. It cannot name other
    /// files.
    ///
    /// # Errors
    ///
    /// Those of [`Input::read`].
    pub fn of_text(
        name: &str,
        text: String,
        catalog: Catalog,
    ) -> Result<Input<'static>, InputError> {
        let no_file: &FileReader<'static> = &|_| Err(io::ErrorKind::Unsupported.into());
        Input::parse(Path::new(name), &text, catalog, no_file)
    }

    /// The default scope of a suite of the catalog, with fields `given` in their places or besides.
    ///
    /// # Errors
    ///
    /// If a field is wrong or the catalog has no such suite.
    pub fn of_default_scope(
        name: &str,
        suite: &str,
        given: Vec<(String, String)>,
        catalog: Catalog,
    ) -> Result<Input<'static>, InputError> {
        let suite = Suite { name: suite.to_owned(), ..Suite::default() };
        let input = Input::of_text(name, default_scope(&suite, &given), catalog)?;
        Ok(Input { given: Some(given), ..input })
    }

    /// Returns whether a field of the scope has its default value, and may have another.
    pub(crate) fn may_widen(&self, field: &str) -> bool {
        self.given.as_ref().is_some_and(|given| given.iter().all(|(name, _)| name != field))
    }

    /// Like [`Input::resolve`], with wider bounds of the default scope.
    ///
    /// # Errors
    ///
    /// All mistakes of the scope for its suite.
    pub fn resolve_wider(
        &self,
        overrides: &Overrides,
        widening: &Widening,
    ) -> Result<Resolution, InputError> {
        let Some(given) = self.given.as_ref().filter(|_| !widening.is_empty()) else {
            return self.resolve(overrides);
        };
        let fields = [given.clone(), widening.scope_fields()].concat();
        let file = ScopeFile::parse(self.file.path(), &default_scope(&self.suite, &fields))?;
        let no_builders = |path: &str| self.read_builders(path);
        Ok(file.resolve(&self.suite, overrides, &no_builders)?)
    }

    /// The plan with everything that belongs to it. A file of builders that the scope names is
    /// rejected if its suite has changed since, or if its own certificate says that the set does
    /// not suffice.
    ///
    /// # Errors
    ///
    /// All mistakes of the scope for its suite.
    pub fn resolve(&self, overrides: &Overrides) -> Result<Resolution, InputError> {
        if !self.has_peers {
            self.file.refuse_bytes()?;
        }
        let builders = |path: &str| self.read_builders(path);
        let resolved = self.file.resolve(&self.suite, overrides, &builders);
        let contracts = self.file.check_contracts(&contract_names());
        Ok(both(both(resolved, contracts), self.check_repoks())?)
    }

    /// Rejects `repoks` that the main type does not have, if it has any.
    fn check_repoks(&self) -> Result<(), Diagnostics> {
        match &self.subject {
            Some(Subject { rep_oks, .. }) if !rep_oks.is_empty() => {
                let known: Vec<&str> = rep_oks.iter().map(|rep_ok| rep_ok.name).collect();
                self.file.check_repoks(&known)
            }
            _ => Ok(()),
        }
    }

    /// The marks in the code of the suite.
    pub fn marks(&self) -> Option<&'static CodeMarks> {
        self.marks
    }

    /// Returns whether a check includes the contract of that name.
    pub fn asks_contract(&self, name: &str) -> bool {
        self.file.asks_contract(name)
    }

    /// Like [`Input::resolve`], for a search from a repOK: slack is for calls, and without it the
    /// forms are those of a run without slack.
    ///
    /// # Errors
    ///
    /// Those of [`Input::resolve`].
    pub fn resolve_without_slack(&self, overrides: &Overrides) -> Result<Resolution, InputError> {
        self.resolve(&Overrides { slack: Some(0), ..overrides.clone() })
    }

    /// Rejects a run that ended without a structure of the main type, because calls passed a bound.
    ///
    /// # Errors
    ///
    /// [`InputError::NothingBuilt`], with the bound that most of these calls passed.
    pub fn require_built<S: Store>(&self, corpus: &Corpus<S>) -> Result<(), InputError> {
        let Corpus { plan, store, report, .. } = corpus;
        let is_built = store.totals().by_type.first().is_some_and(|&count| count > 0);
        let reason = report.stop_reason;
        let is_told = report.ledger.counters.failures > 0 || !report.findings.is_empty();
        if is_built || is_told || !(reason.is_exhausted() || reason.can_be_enough()) {
            return Ok(());
        }
        self.refuse_passed(&report.ledger.passed, plan)
    }

    /// Refuses a run that built nothing, if calls passed these bounds.
    ///
    /// # Errors
    /// [`InputError::NothingBuilt`], with the bound that most of these calls passed.
    pub fn refuse_passed(&self, passed: &[BoundCount], plan: &Plan) -> Result<(), InputError> {
        // Of equal ones the first.
        let most = passed.iter().rev().max_by_key(|passed| passed.calls);
        most.map_or(Ok(()), |&BoundCount { bound, calls }| {
            let problem = self.file.nothing_built(bound, calls, plan.schema());
            Err(InputError::NothingBuilt(Box::new(problem)))
        })
    }

    /// The text of a file of builders that matches the current suite.
    fn read_builders(&self, path: &str) -> Result<String, String> {
        let text = (self.read)(Path::new(path)).map_err(|error| error.to_string())?;
        check_builders(&text, &self.suite).map_err(|flaw| flaw.to_string())?;
        Ok(text)
    }

    /// The path of the scope file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the scope file.
    pub fn scope_text(&self) -> &str {
        self.file.text()
    }

    /// Returns whether the file has `k: Auto`.
    pub fn deepens(&self) -> bool {
        self.file.k().is_none()
    }

    /// Rejects a scope that does not name builders.
    ///
    /// # Errors
    ///
    /// [`InputError::NoBuilders`].
    pub fn require_builders(&self) -> Result<(), InputError> {
        let no_builders = || InputError::NoBuilders(self.file.path().to_owned());
        self.file.builders().map(|_| ()).ok_or_else(no_builders)
    }

    /// The suite's main type with its repOKs, which see structures as the suite does.
    ///
    /// # Errors
    /// If it has none.
    pub fn subject(&self) -> Result<&Subject, InputError> {
        let is_seen_so = self.file.state().is_none_or(|state| state == self.suite.types[0].state);
        let subject = self.subject.as_ref().filter(|subject| !subject.rep_oks.is_empty());
        let subject = subject.filter(|_| is_seen_so);
        subject.ok_or_else(|| InputError::NoRepOk(self.suite.name.clone()))
    }

    /// The repOK of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn rep_ok(&self, name: &str) -> Result<&Predicate, InputError> {
        let subject = self.subject()?;
        subject.rep_ok(name).ok_or_else(|| {
            let known = subject.rep_oks.iter().map(|rep_ok| rep_ok.name);
            let help = suggest(name, known).unwrap_or_default();
            let (name, suite) = (name.to_owned(), self.suite.name.clone());
            InputError::UnknownRepOk { name, suite, help }
        })
    }

    /// All repOKs, or the named one; none if the suite has none and none is requested.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn rep_oks(&self, name: Option<&str>) -> Result<Vec<&Predicate>, InputError> {
        match name {
            Some(name) => Ok(vec![self.rep_ok(name)?]),
            None => Ok(self
                .subject()
                .map_or_else(|_| Vec::new(), |subject| subject.rep_oks.iter().collect())),
        }
    }
}

fn find_suite(file: &ScopeFile, suites: Vec<Suite>) -> Result<Arc<Suite>, InputError> {
    let names: Vec<String> = suites.iter().map(|suite| suite.name.clone()).collect();
    match suites.into_iter().find(|suite| suite.name == file.suite_name()) {
        Some(suite) => Ok(Arc::new(suite)),
        None => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Err(InputError::UnknownSuite(Box::new(unknown_suite(file, &names))))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_engine::Run;
    use beget_heap::PassedBound;
    use beget_plan::finding::{Finding, Kind, Problem, StopReason, Witness};

    use super::*;
    use crate::random::tests::{Knob, Pen, input_of, pen_input, pens};

    #[test]
    fn bounds_of_a_default_scope_may_be_wider_unless_they_are_given() {
        let catalog = Catalog::new(vec![Pen::suite()]);
        let given = vec![("strings".to_owned(), "[\"a\"]".to_owned())];
        let input = Input::of_default_scope("pen", "test::pen", given, catalog).unwrap();
        assert_eq!(["strings", "arrays"].map(|field| input.may_widen(field)), [false, true]);
        let file = pen_input("");
        assert!(!file.may_widen("arrays"));
        let wider = Widening::default().with_next(PassedBound::Arrays, &pens("")).unwrap();
        let arrays = |input: &Input<'_>, widening: &Widening| {
            let overrides = Overrides { k: Some(2), ..Overrides::default() };
            input.resolve_wider(&overrides, widening).unwrap().plan.bounds.arrays
        };
        let none = Widening::default();
        assert_eq!([arrays(&input, &none), arrays(&input, &wider)], [2, 3]);
        // The scope of a file does not change.
        assert_eq!(arrays(&file, &wider), arrays(&file, &none));
    }

    #[test]
    fn a_file_says_whether_k_is_given_and_which_contracts_are_asked() {
        let of = |fields: &str| {
            let text = format!(r#"Scope(suite: "test::pen", objects: {{"*": "k"}}, {fields})"#);
            let input = Input::of_text("pen.ron", text, Catalog::new(vec![Pen::suite()])).unwrap();
            (input.deepens(), input.asks_contract(beget_plan::finding::MEMORY_SOUND))
        };
        assert_eq!([of("k: Auto"), of("k: 2, contracts: Off")], [(true, true), (false, false)]);
    }

    /// The main type, of which no structure is within the scope below.
    #[derive(Clone, Debug, Heap)]
    pub struct Nest {
        n_eggs: u8,
    }

    impl Nest {
        pub fn new() -> Self {
            Nest { n_eggs: 0 }
        }
    }

    #[derive(Clone, Debug, Heap)]
    pub struct Chick;

    impl Chick {
        pub fn hatch() -> Self {
            Chick
        }
    }

    beget::suite! {
        #[name = "test::nests"]
        pub suite Nests {
            for Nest {
                fn new() -> Self;
            }
            for Chick {
                fn hatch() -> Self;
            }
        }
    }

    #[test]
    fn a_run_that_builds_only_further_types_is_rejected() {
        let fields = r#"k: 1, objects: {"*": "k"}, fields: {"Nest.n_eggs": "1..3"}"#;
        let text = format!(r#"Scope(suite: "test::nests", {fields})"#);
        let input = Input::of_text("nest.ron", text, Catalog::new(vec![Nests::suite()])).unwrap();
        let corpus = Run::new(input.resolve(&Overrides::default()).unwrap().plan).go();
        assert_eq!(corpus.store.len(), 1);
        assert!(input.require_built(&corpus).is_err());
    }

    /// The constructor passes the bound of the integers in knobs.
    #[test]
    fn a_run_that_builds_nothing_within_its_bounds_is_rejected_unless_it_says_more() {
        let text = r#"Scope(suite: "test::knob", k: 1, ints: [1], fields: {"Knob.value": "1..3"})"#;
        let catalog = Catalog::new(vec![Knob::suite()]);
        let input = Input::of_text("knob.ron", text.to_owned(), catalog).unwrap();
        let plan = || input.resolve(&Overrides::default()).unwrap().plan;
        let mut corpus = Run::new(plan()).go();
        let is_rejected = |corpus: &Corpus| {
            matches!(input.require_built(corpus), Err(InputError::NothingBuilt(_)))
        };
        assert!(is_rejected(&corpus));
        corpus.report.ledger.counters.failures = 1;
        assert!(!is_rejected(&corpus));
        corpus.report.ledger.counters.failures = 0;
        let problem = Problem::new(Kind::Crash, "it died");
        corpus.report.findings.push(Finding { problem, count: 1, witness: Witness::default() });
        assert!(!is_rejected(&corpus));
        corpus.report.findings.clear();
        corpus.report.stop_reason = StopReason::Interrupted;
        assert!(!is_rejected(&corpus));
        // One that builds something may pass its bounds.
        let knobs = input_of(Knob::suite());
        let built = Run::new(knobs.resolve(&Overrides::default()).unwrap().plan).go();
        assert!(knobs.require_built(&built).is_ok());
    }
}
