//! Scope files of the case studies, resolved in this process: for benches of single parts.

use std::path::Path;
use std::sync::Arc;

use beget::repok::{Finitization, Predicate, Space, Subject};
use beget::scope::{Overrides, Plan, Resolved, ScopeFile};

/// What the scope file `scopes/{name}.ron` comes to at scope `k`.
///
/// # Panics
/// If there is no such file, or it is wrong.
#[track_caller]
pub fn resolved(name: &str, k: u32) -> Resolved {
    let path = format!("scopes/{name}.ron");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join(&path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let file = ScopeFile::parse(&path, &text).unwrap_or_else(|problems| panic!("\n{problems}"));
    let mut suites = beget_subjects::suites().into_iter();
    let suite = suites.find(|suite| suite.name == file.suite_name()).expect("a suite of that name");
    let overrides = Overrides { k: Some(k), ..Overrides::default() };
    let no_files = |path: &str| Err(format!("{path}: scopes of benches stand alone"));
    file.resolve(&Arc::new(suite), &overrides, &no_files).unwrap_or_else(|e| panic!("\n{e}"))
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
    pub space: Space,
}

/// The repOK of that name of the scope file `scopes/{name}.ron`, at scope `k`.
///
/// # Panics
/// As [`resolved`], or if the case study has no such repOK.
#[track_caller]
pub fn rep_ok(name: &str, rep_ok: &str, k: u32) -> RepOkCase {
    let resolved = resolved(name, k);
    let mut subjects = beget_subjects::subjects().into_iter();
    let suite = &resolved.plan.suite.name;
    let subject = subjects.find(|subject| *suite == subject.suite).expect("a subject").subject;
    let given = resolved.finitizations.iter().find(|given| given.name == rep_ok);
    let finitization =
        Finitization::of_scope(given.expect("a finitization of that name"), &subject.shapes);
    let space = subject.space(&finitization.expect("it fits")).expect("it fits");
    let rep_ok = subject.rep_ok(rep_ok).expect("a repOK of that name").clone();
    RepOkCase { subject, rep_ok, space }
}
