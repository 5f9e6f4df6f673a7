//! Compares what printed recipes build with the truth: a program made of recipes calls this.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::awkward;
use crate::compare::{Truth, truth};

/// The truths of the awkward suites, and the number of recipes that agreed with them.
#[derive(Debug, Default)]
pub struct RecipeChecks {
    truths: BTreeMap<String, Truth>,
    /// Recipes whose structure was compared.
    pub n_compared: usize,
    /// Recipes that ended with their panic.
    pub n_panics: usize,
}

impl RecipeChecks {
    /// Compares a value with structure `id` of a suite.
    ///
    /// # Panics
    /// If they differ, or no suite has that name.
    pub fn check(&mut self, suite: &str, id: usize, value: &dyn Any) {
        let truth = self.truths.entry(suite.to_string()).or_insert_with(|| {
            let case = awkward::all().into_iter().find(|case| case.name == suite);
            truth(&case.expect("a suite of that name"), 100_000).expect("it is small")
        });
        let found = &truth.all.found[id];
        assert_eq!(truth.space.form(value), Some((found.ty, found.form.clone())), "{suite} {id}");
        self.n_compared += 1;
    }

    /// Makes calls that end with a panic of this message.
    ///
    /// # Panics
    /// If they end without a panic, or with another.
    pub fn fails(&mut self, message: &str, calls: impl FnOnce()) {
        let payload = catch_unwind(AssertUnwindSafe(calls)).expect_err(message);
        let said = payload.downcast_ref::<String>().expect("a formatted message");
        assert!(message.ends_with(said.as_str()), "{said:?}, not {message:?}");
        self.n_panics += 1;
    }
}
