//! The suites of a program, so that `cargo beget` finds them without a list.
//!
//! With the feature `command-line`, which only `cargo beget` turns on, each suite that a macro
//! declares is registered, and a module of tests gets one more test, which hands over to the
//! command line. Without the feature the macros leave no trace of this.

use beget_oracle::rep_ok::Subject;
use beget_program::cargo;
use beget_run::Catalog;
use beget_suite::Suite;

pub use inventory;

/// A suite that a macro has declared.
#[derive(Debug)]
pub struct RegisteredSuite {
    /// Makes the suite.
    pub suite: fn() -> Suite,
    /// Its main type with its repOKs, if it has some.
    pub subject: fn() -> Option<Subject>,
}

inventory::collect!(RegisteredSuite);

/// Hands over to the command line if `cargo beget` has started the test; else does nothing. The
/// test that a macro emits calls it.
pub fn enter() {
    cargo::answer(catalog);
}

/// Returns all suites, by name: the linker determines the order of their registration.
fn catalog() -> Catalog {
    let mut all: Vec<(Suite, Option<Subject>)> = inventory::iter::<RegisteredSuite>
        .into_iter()
        .map(|registered| ((registered.suite)(), (registered.subject)()))
        .collect();
    all.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
    let subjects = all.iter().map(|(suite, subject)| (suite.name.clone(), subject.clone()));
    let subjects: Vec<_> = subjects.collect();
    let catalog = Catalog::new(all.into_iter().map(|(suite, _)| suite).collect());
    subjects.into_iter().fold(catalog, |catalog, (suite, subject)| match subject {
        Some(subject) => catalog.with_rep_oks(&suite, subject),
        None => catalog,
    })
}
