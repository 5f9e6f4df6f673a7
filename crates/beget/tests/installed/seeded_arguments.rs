//! One defect for each kind of argument, which shows with one value of that kind only.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::needless_pass_by_value,
    clippy::boxed_local,
    reason = "the type stands for one of a library"
)]

use crate::common;
use crate::table;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::ErrorKind;
use std::num::NonZeroU8;
use std::ops::{Bound, Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use beget::suites::to_source;
use beget::{Domain, HasSuite, Heap};
use common::{RECONSTRUCT, run};

/// Whether the defects are there at the time.
static IS_SEEDED: AtomicBool = AtomicBool::new(false);

/// Panics where a defect shows.
fn show(shows: bool) {
    assert!(!(shows && IS_SEEDED.load(Relaxed)), "the defect shows");
}

#[derive(Clone, Debug, PartialEq, Domain)]
pub enum Command {
    Clear,
    Set { key: u8, on: bool },
}

/// An iterator over zeros that says more than there is to come.
#[derive(Clone)]
pub struct Steps {
    left: usize,
    lie: usize,
}

impl Iterator for Steps {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.left = self.left.checked_sub(1)?;
        Some(0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left + self.lie, None)
    }
}

fn always(_: &u8) -> bool {
    true
}

fn never(_: &u8) -> bool {
    false
}

fn panicking(value: &u8) -> bool {
    assert!(*value != 1, "the closure panics");
    true
}

/// Nothing but its methods, and a number.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Taker {
    number: u8,
}

macro_rules! takers {
    ($($kind:literal: $name:ident($($argument:tt)*) if $shows:expr;)+) => {
        impl Taker {
            pub fn new(number: u8) -> Self {
                Taker { number }
            }
        }

        takers!(@methods $($name($($argument)*) if $shows;)+);

        /// The kinds with their methods.
        const KINDS: &[(&str, &str)] = &[$(($kind, stringify!($name))),+];
    };
    (@methods $($name:ident($(#[$listed:meta])? $argument:ident: $($ty:tt)+) if $shows:expr;)+) => {
        $(
            fn $name(_: &mut Taker, $argument: $($ty)+) {
                show($shows);
            }
        )+

        beget::suite! {
            /// One method for each kind of argument.
            #[name = "taker"]
            pub suite Takers {
                for Taker {
                    fn new(number: u8) -> Self;
                    $(fn $name(&mut self, $(#[$listed])? $argument: $($ty)+) = self::$name;)+
                }
            }
        }
    };
}

takers! {
    "an integer": integer(value: u8) if value == 2;
    "`NonZero`": non_zero(value: NonZeroU8) if value.get() == 2;
    "`Duration`": duration(value: Duration) if value.as_secs() == 1;
    "a range": range(value: Range<u8>) if value.start > value.end;
    "an inclusive range": inclusive(value: RangeInclusive<u8>) if value.contains(&2);
    "`Bound`": bound(value: Bound<u8>) if value == Bound::Excluded(0);
    "a float": float(value: f64) if value.is_nan();
    "a negative zero": zero(value: f32) if value == 0.0 && value.is_sign_negative();
    "`bool`": boolean(value: bool) if value;
    "`char`": letter(value: char) if value.len_utf8() == 2;
    "a text": text(value: &str) if !value.is_char_boundary(1.min(value.len()));
    "`String`": owned_text(value: String) if value.is_empty();
    "`Cow`": cow(value: Cow<'static, str>) if value.len() == 2;
    "a path": path(value: &Path) if value.as_os_str().is_empty();
    "`Option`": option(value: Option<u8>) if value.is_none();
    "`Box`": boxed(value: Box<u8>) if *value == 1;
    "`Arc`": counted(value: Arc<u8>) if *value == 1;
    "a tuple": tuple(value: (u8, bool)) if value == (1, true);
    "an array": array(value: [u8; 2]) if value[0] > value[1];
    "a slice": slice(value: &[u8]) if value == [1, 1];
    "a slice of texts": texts(value: &[&str]) if value == ["", "é"];
    "`Vec`": vector(value: Vec<u8>) if value.is_empty();
    "`VecDeque`": deque(value: VecDeque<u8>) if value.len() == 2;
    "a set": set(value: BTreeSet<u8>) if value.len() == 2;
    "a map": map(value: BTreeMap<u8, u8>) if value.get(&1) == Some(&0);
    "`Ordering`": ordering(value: Ordering) if value == Ordering::Greater;
    "an enum of one's own": command(value: Command) if value == Command::Set { key: 1, on: true };
    "an enum of another crate": foreign(
        #[values(ErrorKind::NotFound, ErrorKind::Other)] value: ErrorKind
    ) if value == ErrorKind::Other;
    "a function": function(#[values(always, never)] value: fn(&u8) -> bool) if !value(&0);
    "a closure that panics": closure(
        #[values(always, panicking)] value: fn(&u8) -> bool
    ) if std::panic::catch_unwind(|| value(&1)).is_err();
    "a trait object": object(
        #[values(|value: &u8| *value > 0, |_: &u8| true)] value: &dyn Fn(&u8) -> bool
    ) if !value(&0);
    "an iterator that lies of its length": iterator(
        #[values(Steps { left: 2, lie: 0 }, Steps { left: 1, lie: 1 })] value: Steps
    ) if value.size_hint().0 != value.count();
    "a structure by value": by_value(value: Taker) if value.number == 1;
    "a structure by `&`": by_ref(value: &Taker) if value.number == 2;
    "a structure by `&mut`": by_mut(value: &mut Taker) if value.number == 2;
    "structures in a list": listed(value: Vec<Taker>) if value.len() == 2;
}

const SCOPE: &str = r#"k: 3, objects: {"*": "k"}, arrays: 2, ints: "0..k",
    floats: [0.0, -0.0, 1.5, NaN], chars: ['a', 'é'], strings: ["", "a", "é"]"#;

/// The findings of a run with the methods that stand for this one, and how many calls were made.
fn findings(method: &str) -> (Vec<String>, u64) {
    let suite = Takers::suite();
    // A list of structures stands for a method for each length.
    let is_of_list =
        |name: &str| name.strip_prefix(method).is_some_and(|rest| rest.ends_with("_value"));
    let of_method = |name: &&str| *name == "new" || *name == method || is_of_list(name);
    let names = suite.methods.iter().map(|method| method.name).filter(of_method);
    let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    let scope = format!("{SCOPE}, methods: Only([{}])", names.join(", "));
    let corpus = run(suite, &scope, RECONSTRUCT, 1);
    let last_call = |finding: &beget_plan::finding::Finding| {
        assert_eq!(finding.problem.kind.name(), "panic");
        let recipe = finding.witness.recipe.as_ref().unwrap();
        let source = to_source(&corpus.plan.suite, recipe).0;
        let call = source.lines().last().unwrap();
        call.trim_start_matches("let _ = ").trim_end_matches(';').to_owned()
    };
    let found = corpus.report.findings.iter().map(last_call).collect();
    (found, corpus.report.ledger.counters.explored() - 3)
}

#[test]
fn every_kind_of_argument_shows_its_defect() {
    let rows: Vec<Vec<String>> = KINDS
        .iter()
        .map(|&(kind, method)| {
            IS_SEEDED.store(true, Relaxed);
            let (found, _) = findings(method);
            IS_SEEDED.store(false, Relaxed);
            let [call] = &found[..] else { panic!("{kind}: {found:?}") };
            let (sound, n_calls) = findings(method);
            let row = [kind.to_owned(), format!("`{call}`"), table::quiet(sound.len(), n_calls)];
            row.to_vec()
        })
        .collect();
    table::check_section("Arguments", &["kind", "shows with", "without"], &rows);
}
