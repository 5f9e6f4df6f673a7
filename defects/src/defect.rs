//! A published defect: where it is told of, and what beget shows of it.

use crate::run::{Run, Shown};

/// A published defect of a crate, and the finding that shows it.
#[derive(Debug)]
pub struct Defect {
    /// The crate and the version that has the defect.
    pub old: &'static str,
    /// The first version without it, or why there is none.
    pub fixed: &'static str,
    /// The advisory, issue or changelog that tells of it.
    pub claim: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// The place of the finding in the report, from 1.
    pub rank: usize,
    /// Its kind.
    pub kind: &'static str,
    /// The contract or clause, or what differs from the model.
    pub name: &'static str,
    /// The last call of its recipe.
    pub call: &'static str,
    /// What the fixed version still shows, by kind and name; the module says why.
    pub alarms: &'static [(&'static str, &'static str)],
    /// The run of the version that this package depends on.
    pub run: fn() -> Run,
    /// The file that this stands in.
    pub source: &'static str,
}

/// Defines `DEFECT` and its test: that the old version has the finding or, with the feature
/// `fixed`, that the fixed one has not. `own` is the text with which it is found; its `run` makes
/// the run.
#[macro_export]
macro_rules! defect {
    (
        old: $old:literal,
        fixed: $fixed:literal,
        claim: $claim:literal,
        what: $what:literal,
        shown: $rank:literal, $kind:literal, $name:literal, $call:literal,
        $(alarms: $alarms:expr,)?
        own: { $($own:tt)* }
    ) => {
        #[allow(unused_imports, reason = "few need all of them")]
        use beget::elements::{Tracked, TrackedUnit};

        #[allow(unused_imports, reason = "most need one of them")]
        use $crate::{check, diff, run::Run};

        $($own)*

        /// See the module.
        pub const DEFECT: $crate::Defect = $crate::Defect {
            old: $old,
            fixed: $fixed,
            claim: $claim,
            what: $what,
            rank: $rank,
            kind: $kind,
            name: $name,
            call: $call,
            alarms: $crate::alarms!($($alarms)?),
            run,
            source: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", file!())),
        };

        #[test]
        #[cfg(not(feature = "fixed"))]
        fn is_found() {
            $crate::defect::assert_found(&DEFECT);
        }

        #[test]
        #[cfg(feature = "fixed")]
        fn is_quiet() {
            $crate::defect::assert_quiet(&DEFECT);
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! alarms {
    () => {
        &[]
    };
    ($alarms:expr) => {
        &$alarms
    };
}

/// Most lines of own text.
#[cfg(all(test, not(feature = "fixed")))]
const MOST_LINES: usize = 15;

/// Most columns of one.
#[cfg(all(test, not(feature = "fixed")))]
const MOST_COLUMNS: usize = 100;

impl Defect {
    /// The lines of own text: those between `own: {` and its end, without empty ones, as they would
    /// stand in a file of their own.
    pub fn own_lines(&self) -> impl Iterator<Item = &'static str> {
        let own = self.source.lines().skip_while(|line| line.trim() != "own: {").skip(1);
        let own = own.take_while(|line| *line != "    }").filter(|line| !line.trim().is_empty());
        own.map(|line| line.strip_prefix("        ").unwrap_or(line))
    }

    /// Where its finding stands in the report of a run, by the same call if there is one.
    pub fn rank_in(&self, run: &Run) -> Option<usize> {
        let by_call = run.findings.iter().position(|found| self.is_shown_by(found));
        let by_kind = || run.findings.iter().position(|found| self.is_of_kind(found));
        by_call.or_else(by_kind).map(|at| at + 1)
    }

    /// The rank, the structures and the calls of a run, as cells of a table.
    pub fn cells(&self, run: &Run) -> String {
        let of = run.findings.len();
        let rank = self.rank_in(run);
        let rank = rank.map_or_else(|| "-".to_owned(), |rank| format!("{rank} of {of}"));
        format!("{rank} | {} | {}", run.structures, run.calls)
    }

    /// The finding in the run of the old version.
    ///
    /// # Panics
    /// If it is not there as it should be.
    pub fn find<'r>(&self, run: &'r Run) -> &'r Shown {
        let found = run.findings.get(self.rank - 1).filter(|found| self.is_shown_by(found));
        found.unwrap_or_else(|| panic!("{}: {run:#?}", self.old))
    }

    /// Whether a finding shows the defect as the text says.
    pub fn is_shown_by(&self, found: &Shown) -> bool {
        self.is_of_kind(found) && found.calls().last() == Some(self.call)
    }

    /// Whether a finding shows the defect, by whatever call.
    pub fn is_of_kind(&self, found: &Shown) -> bool {
        found.kind == self.kind && found.name.as_deref().unwrap_or_default() == self.name
    }
}

/// That the old version has the defect, and the text is short.
#[cfg(all(test, not(feature = "fixed")))]
pub(crate) fn assert_found(defect: &Defect) {
    let n_lines = defect.own_lines().count();
    assert!((1..=MOST_LINES).contains(&n_lines), "{n_lines} lines");
    let too_long = defect.own_lines().find(|line| line.chars().count() > MOST_COLUMNS);
    assert_eq!(too_long, None, "more than {MOST_COLUMNS} columns");
    defect.find(&(defect.run)());
}

/// That the fixed version shows nothing but what is explained.
#[cfg(all(test, feature = "fixed"))]
pub(crate) fn assert_quiet(defect: &Defect) {
    let run = (defect.run)();
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let left: Vec<_> = run.findings.iter().map(|one| (one.kind.clone(), name(&one.name))).collect();
    let explained = defect.alarms.iter().map(|(kind, name)| (kind.to_string(), name.to_string()));
    assert_eq!(left, explained.collect::<Vec<_>>(), "{run:#?}");
}
