//! Constants that a suite names are tried first, and make calls go well that nothing else does.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the type stands for one of a library"
)]

use beget::Heap;
use beget::suites::{HasSuite, Suite};
use beget_plan::scope::{Overrides, default_scope};
use beget_run::random::InProgress;
use beget_run::{Catalog, Input};
use beget_search::heuristic::{CallOptions, call, plan_for};

const CODE: u64 = 0x5eed_c0de;

/// A lock with a code that no message tells.
#[derive(Clone, Debug, Heap)]
pub struct Lock {
    is_open: bool,
}

#[beget::api(consts(CODE))]
impl Lock {
    pub fn new() -> Self {
        Lock { is_open: false }
    }

    pub fn open(&mut self, code: u64) {
        assert!(code == CODE, "wrong");
        self.is_open = true;
    }
}

/// The attempts at `open`, and whether it was called.
fn attempts(suite: Suite) -> (u64, bool) {
    let fields = [("ints".to_owned(), "0..100".to_owned())];
    let text = default_scope(&suite, &fields);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    let options = CallOptions::default();
    let plan = plan_for(input.resolve(&Overrides::default()).unwrap().plan, &options);
    let (report, _) = call(&plan, options, None, &InProgress::default(), &mut |_| None);
    let open = plan.planned_idxs().position(|idx| plan.method_name(idx) == "open").unwrap();
    let open = &report.methods[open];
    (open.attempts.into(), open.success.is_some())
}

#[test]
fn a_constant_is_the_first_that_is_tried() {
    assert_eq!(attempts(Lock::suite()), (1, true));
    let without = Suite { constants: Vec::new(), ..Lock::suite() };
    assert!(!attempts(without).1);
}
