//! Scope files of the case studies, resolved in this process: for benches of single parts.

use std::path::Path;

use beget::repok::{Predicate, Subject};
use beget_plan::scope::{Overrides, Plan, Resolution};
use beget_run::{Catalog, Input};
use beget_search::repok::CandidateSpace;
use beget_search::run::RepOkSpace;

/// The scope file `scopes/{name}.ron` with its case study.
///
/// # Panics
/// If there is no such file, or it is wrong.
#[track_caller]
pub fn input(name: &str) -> Input<'static> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(format!("scopes/{name}.ron"));
    let catalog = Catalog::new(beget_subjects::suites());
    let subjects = beget_subjects::subjects().into_iter();
    let catalog = subjects
        .fold(catalog, |catalog, checked| catalog.with_rep_oks(&checked.suite, checked.subject));
    let input = Input::read(&path, catalog, &|path| std::fs::read_to_string(path));
    input.unwrap_or_else(|error| panic!("\n{error}"))
}

/// What the scope file `scopes/{name}.ron` comes to at scope `k`.
///
/// # Panics
/// If there is no such file, or it is wrong.
#[track_caller]
pub fn resolved(name: &str, k: u32) -> Resolution {
    resolve(&input(name), k)
}

#[track_caller]
fn resolve(input: &Input<'_>, k: u32) -> Resolution {
    let overrides = Overrides { k: Some(k), ..Overrides::default() };
    input.resolve(&overrides).unwrap_or_else(|error| panic!("\n{error}"))
}

/// What is to be generated.
///
/// # Panics
/// As [`resolved`].
#[track_caller]
pub fn plan(name: &str, k: u32) -> Plan {
    resolved(name, k).plan
}

/// A repOK of a case study with the space that its scope file gives it.
pub struct RepOkCase {
    /// The type, as searches see it.
    pub subject: Subject,
    /// The predicate.
    pub rep_ok: Predicate,
    /// Its candidates.
    pub space: CandidateSpace,
}

/// The repOK of that name of the scope file `scopes/{name}.ron`, at scope `k`.
///
/// # Panics
/// As [`resolved`], or if the case study has no such repOK.
#[track_caller]
pub fn rep_ok(name: &str, rep_ok: &str, k: u32) -> RepOkCase {
    let input = input(name);
    let space = RepOkSpace::new(&input, Some(rep_ok), &resolve(&input, k));
    let RepOkSpace { subject, rep_ok, space } = space.unwrap_or_else(|error| panic!("\n{error}"));
    RepOkCase { subject: subject.clone(), rep_ok: rep_ok.clone(), space }
}
