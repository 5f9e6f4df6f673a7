//! Checks of a suite within a small scope.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

pub mod table;

use beget::suites::Suite;
use beget_engine::Settings;
use beget_run::{Catalog, CheckRun, Host, Input, RandomOptions, RandomRun, StoreKind, Watch};

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }

    /// Whoever runs the test sees it.
    fn outlives_calls(&self) -> bool {
        true
    }
}

/// Every structure of at most two elements out of 0, 1 and 2. `fields` follow those of the scope.
pub fn check(suite: Suite, fields: &str, threads: usize) -> CheckRun {
    check_within(suite, &format!(r#"arrays: 2, ints: "0..k"{fields}"#), threads)
}

/// Every structure of a scope with these fields.
pub fn check_within(suite: Suite, fields: &str, threads: usize) -> CheckRun {
    let name = suite.name.clone();
    let text = format!(r#"Scope(suite: "{name}", k: 3, objects: {{"*": "k"}}, {fields})"#);
    let input = Input::of_text("test.ron", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Default::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, &NoClock);
    let settings = Settings { threads, ..Settings::default() };
    beget_run::check(&input, &[], plan, settings, StoreKind::Exact, &watch).unwrap()
}

/// A random run of so many calls with the literals 0, 1 and 2, of bags of at most 3: as many
/// as are kept for contracts of several values.
pub fn by_chance(suite: Suite, max_calls: u64) -> RandomRun {
    let name = suite.name.clone();
    let text =
        format!(r#"Scope(suite: "{name}", k: 3, objects: {{"*": "k"}}, arrays: 3, ints: "0..k")"#);
    let input = Input::of_text("test.ron", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Default::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, &NoClock);
    let options = RandomOptions { max_calls, is_bounded: true, ..RandomOptions::default() };
    beget_run::random(&input, &[], plan, options, &watch)
}

/// What the findings of a run say.
pub fn told(run: &CheckRun) -> Vec<String> {
    run.findings().map(|finding| finding.problem.to_string()).collect()
}
