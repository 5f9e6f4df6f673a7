//! Parameters whose literals are lent, listed or at a chosen type.
#![allow(missing_docs)]

use std::num::NonZeroU8;
use std::ops::Range;
use std::path::Path;
use std::rc::{Rc, Weak};
use std::time::Duration;

use beget::{Domain, HasSuite, Heap};
use beget_suite::{Call, DomainError, Frame, Literal, Method, Pools};

/// A type of another crate, as far as this one knows: without a domain.
mod foreign {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Mode {
        Read,
        Write(u8),
    }
}
use foreign::Mode;

/// A parameter of one's own that borrows.
#[derive(Clone, Debug, Domain)]
pub enum Event<'a> {
    Quiet,
    Said { text: &'a str, by: Option<&'a str> },
}

#[derive(Clone, Debug, Default, Heap)]
pub struct Log {
    lines: Vec<String>,
}

#[beget::api]
impl Log {
    pub fn new() -> Self {
        Log::default()
    }

    pub fn names(&mut self, names: &[&str]) {
        self.note(&names);
    }

    pub fn name(&mut self, name: Option<&str>) {
        self.note(&name);
    }

    pub fn pair(&mut self, pair: (&str, Option<&u8>)) {
        self.note(&pair);
    }

    pub fn all(&mut self, all: Vec<&str>, two: [&u8; 2]) {
        self.note(&(all, two));
    }

    pub fn path(&mut self, path: &Path) {
        self.note(&path);
    }

    pub fn range(&mut self, range: &Range<u8>, wait: Duration, by: NonZeroU8) {
        self.note(&(range, wait, by));
    }

    pub fn event(&mut self, event: Event<'_>, again: &Event<'_>) {
        self.note(&event);
        assert!(!format!("{again:?}").is_empty());
    }

    #[api(values(mode = [Mode::Read, Mode::Write(7)], other = [Mode::Read]))]
    pub fn open(&mut self, mode: Mode, other: &Mode) {
        self.note(&(mode, other));
    }

    #[api(at(lines = Vec<String>), name = "add_all")]
    pub fn extend(&mut self, lines: impl IntoIterator<Item = String>) {
        self.lines.extend(lines);
    }

    #[api(at(T = u8))]
    pub fn show<T: std::fmt::Debug>(&mut self, value: T, _: Option<T>) {
        self.note(&value);
    }

    #[api(values(value = [Box::new(7), Box::new("a")], rest = [vec![true], 'b']))]
    pub fn debug(&mut self, value: Box<dyn std::fmt::Debug>, rest: &dyn std::fmt::Debug) {
        self.note(&(value, rest));
    }

    #[api(values(next = [std::iter::empty(), 1..3], by = [|n| n, |n: u8| n + 5]))]
    pub fn take(&mut self, next: &mut dyn Iterator<Item = u8>, by: &dyn Fn(u8) -> u8) {
        self.note(&next.next().map(by));
    }

    #[api(values(text = [Rc::from("a")], none = [Weak::new()]))]
    pub fn share(&mut self, text: Rc<str>, none: &Weak<u8>) {
        self.note(&(text, none));
    }

    fn note(&mut self, value: &dyn std::fmt::Debug) {
        self.lines.push(format!("{value:?}"));
    }
}

fn pools() -> Pools {
    let strings = Some(vec!["a".to_owned()]);
    Pools { ints: Some(vec![1, 2]), strings, longest: 1, ..Pools::default() }
}

/// The lines that all calls of a method leave, each on a log of its own, and the sources of their
/// literals.
fn lines(name: &str) -> Vec<(String, String)> {
    let suite = Log::suite();
    let method = suite.method_named(name).unwrap();
    let lists: Vec<Vec<Literal>> =
        method.literal_params().map(|(_, domain)| (domain.literals)(&pools()).unwrap()).collect();
    let mut tuples: Vec<Vec<&Literal>> = vec![vec![]];
    for list in &lists {
        let longer = |tuple: &Vec<_>| {
            list.iter().map(|literal| [&tuple[..], &[literal]].concat()).collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples.iter().map(|tuple| line(method, tuple)).collect()
}

fn line(method: &Method, tuple: &[&Literal]) -> (String, String) {
    let mut frame = Frame { arguments: vec![Some(Box::new(Log::new()))], results: vec![] };
    (method.call)(&mut Call::new(&mut frame, tuple));
    let log: &Log = frame.arguments[0].as_ref().unwrap().downcast_ref().unwrap();
    let sources: Vec<&str> = tuple.iter().map(|literal| &*literal.source).collect();
    (log.lines.join(" "), sources.join(" "))
}

#[track_caller]
fn check(method: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|(line, source)| (line.to_string(), source.to_string())).collect();
    assert_eq!(lines(method), expected);
}

/// Each call has a trait object of its own: an iterator begins anew.
#[test]
fn trait_objects_are_made_for_each_call_as_the_suite_lists_them() {
    let shown = [
        ("(7, [true])", "Box::new(7) vec![true]"),
        ("(7, 'b')", "Box::new(7) 'b'"),
        (r#"("a", [true])"#, r#"Box::new("a") vec![true]"#),
        (r#"("a", 'b')"#, r#"Box::new("a") 'b'"#),
    ];
    check("debug", &shown);
    let shown = [
        ("None", "std::iter::empty() |n| n"),
        ("None", "std::iter::empty() |n: u8| n + 5"),
        ("Some(1)", "1..3 |n| n"),
        ("Some(6)", "1..3 |n: u8| n + 5"),
    ];
    check("take", &shown);
    check("take", &shown);
    check("share", &[(r#"("a", (Weak))"#, r#"Rc::from("a") Weak::new()"#)]);
}

/// A stack of anything.
#[derive(Clone, Heap)]
pub struct Stack<T: 'static>(Vec<T>);

#[beget::api(at(T = bool))]
impl<T: Copy> Stack<T> {
    pub fn of(first: T) -> Self {
        Stack(vec![first])
    }

    pub fn push_all(&mut self, more: &Stack<T>) -> Option<T> {
        self.0.extend(&more.0);
        self.0.last().copied()
    }
}

#[test]
fn a_generic_block_has_a_suite_at_chosen_types() {
    let suite = <Stack<bool> as HasSuite>::suite();
    let of = suite.method_named("of").unwrap();
    let literals =
        of.literal_params().map(|(_, domain)| (domain.literals)(&pools()).unwrap().len());
    assert_eq!((of.path, literals.collect::<Vec<_>>()), ("Stack::<bool>::of", vec![2]));
    assert_eq!(suite.method_named("push_all").unwrap().structure_params().count(), 2);
}

#[test]
fn references_inside_other_types_are_lent() {
    check("names", &[("[]", "[]"), (r#"["a"]"#, r#"["a"]"#)]);
    check("name", &[("None", "None"), (r#"Some("a")"#, r#"Some("a")"#)]);
    check(
        "pair",
        &[
            (r#"("a", None)"#, r#"("a", None)"#),
            (r#"("a", Some(1))"#, r#"("a", Some(&1))"#),
            (r#"("a", Some(2))"#, r#"("a", Some(&2))"#),
        ],
    );
    check("path", &[(r#""a""#, r#"std::path::Path::new("a")"#)]);
    // Two vectors, four arrays.
    assert_eq!(lines("all").len(), 2 * 4);
    assert_eq!(lines("all")[5], (r#"(["a"], [1, 2])"#.into(), r#"vec!["a"] [&1, &2]"#.into()));
}

#[test]
fn types_of_the_standard_library_have_domains() {
    // Four ranges, two durations, two numbers that are not 0.
    assert_eq!(lines("range").len(), 4 * 2 * 2);
    assert_eq!(lines("range")[0].0, "(1..1, 1s, 1)");
}

#[test]
fn types_with_lifetimes_have_domains() {
    // Quiet, and a text said by nobody or by somebody; each with each.
    assert_eq!(lines("event").len(), 3 * 3);
    let source = r#"Event::Said { text: "a", by: Some("a") } Event::Quiet"#;
    assert_eq!(lines("event")[6], (r#"Said { text: "a", by: Some("a") }"#.into(), source.into()));
}

#[test]
fn listed_values_are_called_by_their_source() {
    let both = [("(Read, Read)", "Mode::Read Mode::Read")];
    check("open", &[&both[..], &[("(Write(7), Read)", "Mode::Write(7) Mode::Read")]].concat());
}

#[test]
fn a_scope_chooses_among_listed_values() {
    let suite = Log::suite();
    let (_, mode) = suite.method_named("open").unwrap().literal_params().next().unwrap();
    let choosing = |names: &[&str]| {
        let names = names.iter().map(|name| name.to_string()).collect();
        (mode.literals)(&Pools { enums: [("Mode".to_owned(), names)].into(), ..pools() })
    };
    assert_eq!(choosing(&["Mode::Write(7)"]).unwrap().len(), 1);
    let error = choosing(&["Mode::Wirte"]).unwrap_err();
    let known = vec!["Mode::Read", "Mode::Write(7)"];
    assert_eq!(error, DomainError::NotListed { ty: "Mode", name: "Mode::Wirte".into(), known });
}

#[test]
fn a_function_without_fixed_types_is_called_at_the_chosen_ones() {
    check("add_all", &[("", "vec![]"), ("a", r#"vec![String::from("a")]"#)]);
    assert_eq!(Log::suite().method_named("add_all").unwrap().path, "Log::extend");
    assert_eq!(lines("show").len(), 2 * 3);
    let signature = Log::suite().method_named("show").unwrap().signature;
    assert_eq!(signature, "fn show(&mut self, value: u8, _: Option<u8>)");
}

beget::suite! {
    /// Logs, declared from outside.
    suite Declared for Log {
        fn new() -> Self;
        fn open(&mut self, #[values(Mode::Read)] mode: Mode, #[values(Mode::Read)] other: &Mode);
        #[invariant]
        fn is_short(&self) -> Result<(), String> = self::is_short;
    }
}

fn is_short(log: &Log) -> Result<(), String> {
    if log.lines.len() < 2 { Ok(()) } else { Err(format!("{} lines", log.lines.len())) }
}

#[test]
fn a_declared_suite_lists_values_and_invariants() {
    let suite = Declared::suite();
    let (_, mode) = suite.method_named("open").unwrap().literal_params().next().unwrap();
    assert_eq!((mode.literals)(&pools()).unwrap()[0].source, "Mode::Read");
    let [invariant] = &suite.invariants[..] else { panic!("{:?}", suite.invariants) };
    assert_eq!((invariant.check)(&Log::new()), Ok(()));
    let long = Log { lines: vec![String::new(); 2] };
    assert_eq!((invariant.check)(&long), Err("\"2 lines\"".into()));
}
