//! A published defect that needs more than a small scope has.

use crate::run::{Run, Shown};

/// A published defect of a crate, the random run that finds it, and the small scope that has it not.
#[derive(Debug)]
pub struct DeepDefect {
    /// The crate and the version that has the defect.
    pub old: &'static str,
    /// The first version without it.
    pub fixed: &'static str,
    /// The issue that tells of it.
    pub claim: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// What does not hold, of the first finding.
    pub name: &'static str,
    /// The calls of its minimised sequence.
    pub n_calls: usize,
    /// The random run.
    pub random: fn() -> Run,
    /// The small scope.
    pub exhaustive: fn() -> Run,
}

/// No sequence with fewer calls shows a defect that is here.
const FEWEST_CALLS: usize = 13;

impl DeepDefect {
    /// The finding of the old version.
    ///
    /// # Panics
    /// If it is not there as it should be.
    pub fn find<'r>(&self, run: &'r Run) -> &'r Shown {
        let is_it = |found: &&Shown| {
            let has_name = found.name.as_deref() == Some(self.name);
            found.kind == "contract" && has_name && found.recipe.lines().count() == self.n_calls
        };
        assert!(self.n_calls >= FEWEST_CALLS, "{} calls", self.n_calls);
        let found = run.findings.first().filter(is_it);
        found.unwrap_or_else(|| panic!("{}: {run:#?}", self.old))
    }
}

/// Defines `DEFECT` and its tests. `own` is the text with which it is found: `random` makes the run
/// that shows it, `exhaustive` exhausts a small scope.
#[macro_export]
macro_rules! deep_defect {
    (
        old: $old:literal,
        fixed: $fixed:literal,
        claim: $claim:literal,
        what: $what:literal,
        shown: $name:literal, $n_calls:literal,
        own: { $($own:tt)* }
    ) => {
        use $crate::{check, random, run::Run};

        $($own)*

        /// See the module.
        pub const DEFECT: $crate::DeepDefect = $crate::DeepDefect {
            old: $old,
            fixed: $fixed,
            claim: $claim,
            what: $what,
            name: $name,
            n_calls: $n_calls,
            random,
            exhaustive,
        };

        #[test]
        #[cfg(not(feature = "fixed"))]
        fn chance_finds_it() {
            DEFECT.find(&random());
        }

        #[test]
        #[cfg(feature = "fixed")]
        fn chance_finds_nothing() {
            let run = random();
            assert_eq!(run.findings, [], "{run:#?}");
        }

        #[test]
        fn a_small_scope_has_it_not() {
            let run = exhaustive();
            assert_eq!(run.findings, [], "{run:#?}");
        }
    };
}
