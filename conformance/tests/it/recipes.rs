//! Printed recipes are Rust: a sample of each awkward suite's is compiled into this test and run.
//!
//! `recipes/recorded.rs` holds them as beget prints them; `BEGET_CONFORMANCE_BLESS=1` writes it
//! anew.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use beget_conformance::awkward;
use beget_conformance::compare::{Truth, plan, truth};
use beget_engine::store::{Store as _, StructureId};
use beget_engine::{CopyOptions, Run, Settings};
use beget_run::FailureTest;
use beget_suite::to_source;

#[allow(clippy::all, unused, reason = "as beget prints it")]
#[rustfmt::skip]
mod recorded {
    use super::{Check, Fails};

    include!("recipes/recorded.rs");
}

/// Looks at the structure of a suite by its number.
type Check<'c> = &'c mut dyn FnMut(&str, usize, &dyn Any);

/// Makes calls that panic with a message.
type Fails<'f> = &'f mut dyn FnMut(&str, &mut dyn FnMut());

/// Recipes of each suite, evenly spaced, the last among them.
const SAMPLE: u32 = 8;

/// The suites whose structures share with what they are made from: all their recipes are run, and
/// the calls that panic.
const SHARING: [&str; 3] =
    ["awkward::lent_ends", "awkward::lent_twice", "awkward::sharing_results"];

/// Where destructors panic, the end of a block would, too. Where structures carry keys, a value
/// alone is not the structure.
const LEFT_OUT: [&str; 4] = [
    "awkward::panicking_destructors",
    "awkward::dropping_panics",
    "awkward::late_drops",
    "awkward::foreign_keys",
];

fn printed() -> String {
    let mut out = String::from("pub(crate) fn all(check: Check<'_>, fails: Fails<'_>) {\n");
    for case in awkward::all() {
        if LEFT_OUT.contains(&&*case.name) {
            continue;
        }
        let wishes = CopyOptions { no_decode: true, no_region: true, no_clone: true };
        let settings = Settings { copy_options: wishes, ..Settings::default() };
        let corpus = Run::new(plan(&case)).settings(settings).go();
        let n = corpus.store.len();
        let is_sharing = SHARING.contains(&&*case.name);
        let n_sampled = if is_sharing { n } else { SAMPLE };
        let ids: std::collections::BTreeSet<u32> =
            (0..n_sampled).map(|index| (n - 1) * index / (n_sampled - 1)).collect();
        for id in ids {
            let recipe = corpus.recipe(StructureId::new(id)).expect("a store in memory is read");
            let (source, variable) = to_source(&corpus.plan.suite, &recipe);
            let name = &case.name;
            writeln!(out, "{{\nuse beget_conformance::{name}::*;\n{source}").expect("a string");
            writeln!(out, "check({name:?}, {id}, &{variable});\n}}").expect("a string");
        }
        for finding in corpus.report.findings.iter().filter(|_| is_sharing) {
            let test = FailureTest::of(&corpus.plan, finding, 1, None);
            assert_eq!(test.verdict, Ok(()), "{}", finding.problem);
            let (name, body) = (&case.name, test.function.body.join("\n"));
            let message = finding.problem.message.to_string();
            writeln!(out, "fails({message:?}, &mut || {{\nuse beget_conformance::{name}::*;")
                .expect("a string");
            writeln!(out, "{body}\n}});").expect("a string");
        }
    }
    out.push_str("}\n");
    out
}

#[test]
fn printed_recipes_compile_and_build_what_they_claim() {
    let printed = printed();
    if std::env::var_os("BEGET_CONFORMANCE_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/recipes/recorded.rs");
        std::fs::write(path, &printed).expect("the recipes are written");
        return;
    }
    assert_eq!(printed, include_str!("recipes/recorded.rs"), "other recipes than those recorded");
    let of = |case| truth(&case, 100_000).expect("it is small");
    let truths: BTreeMap<String, Truth> =
        awkward::all().into_iter().map(|case| (case.name.clone(), of(case))).collect();
    let (mut n, mut n_failing) = (0, 0);
    let mut check = |name: &str, id: usize, value: &dyn Any| {
        let truth = &truths[name];
        let found = &truth.all.found[id];
        assert_eq!(truth.space.form(value), Some((found.ty, found.form.clone())), "{name} {id}");
        n += 1;
    };
    let mut fails = |message: &str, calls: &mut dyn FnMut()| {
        let payload = catch_unwind(AssertUnwindSafe(calls)).expect_err(message);
        let said = payload.downcast_ref::<String>().expect("a formatted message");
        assert!(message.ends_with(said.as_str()), "{said:?}, not {message:?}");
        n_failing += 1;
    };
    recorded::all(&mut check, &mut fails);
    assert!(n > 200, "{n} recipes");
    assert!(n_failing > 0, "calls that panic");
}
