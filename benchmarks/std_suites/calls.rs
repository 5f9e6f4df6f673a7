//! The scopes of the standard library: each has its suite, and each of its methods is called.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use beget_run::{Catalog, Input};
use beget_plan::scope::Overrides;
use beget::suites::Suite;
use beget_search::heuristic::{CallOptions, call, plan_for};
use beget_run::random::InProgress;
use std_suites::suites::suites;

fn scopes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scopes")
}

#[test]
fn every_scope_has_its_suite() {
    let files = fs::read_dir(scopes()).unwrap().map(|file| file.unwrap().path());
    let name = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let scopes: BTreeSet<String> = files.map(name).collect();
    let suites = suites();
    let suites: BTreeSet<&str> =
        suites.iter().map(|suite| suite.name.strip_prefix("std::").unwrap()).collect();
    assert_eq!(scopes.iter().map(String::as_str).collect::<BTreeSet<_>>(), suites);
    assert_eq!(suites.len(), 115);
}

/// How many methods there are, and those that are not called, with the reasons.
fn called(suite: Suite) -> (usize, Vec<String>) {
    let path = scopes().join(suite.name.strip_prefix("std::").unwrap()).with_extension("ron");
    let text = fs::read_to_string(&path).unwrap();
    let name = suite.name.clone();
    let input = Input::of_text(&name, text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap_or_else(|wrong| panic!("{wrong}")).plan;
    let options = CallOptions::default();
    let plan = plan_for(plan, &options);
    let (report, _) = call(&plan, options, None, &InProgress::default(), &mut |_| None);
    let methods = plan.planned_idxs().zip(&report.methods);
    let not_called = methods.filter(|(_, method)| method.success.is_none());
    let reasons = not_called
        .map(|(idx, method)| format!("{name}: {}: {:?}", plan.method_name(idx), method.reason));
    (report.methods.len(), reasons.collect())
}

/// As `beget call` finds on each of them.
#[test]
fn every_method_is_called() {
    let found: Vec<_> = suites().into_iter().map(called).collect();
    let not_called: Vec<_> = found.iter().flat_map(|(_, reasons)| reasons).collect();
    assert_eq!(not_called, [""; 0]);
    assert_eq!(found.iter().map(|(n, _)| n).sum::<usize>(), 3683);
}
