//! What a call shows of its result, arguments that are one structure, and the traits of a type.
#![deny(missing_docs, warnings)]
#![allow(clippy::type_complexity, reason = "results are of every kind")]
#![forbid(unsafe_code)]

use crate::common;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use beget::{Domain, HasSuite, Heap};
use beget_suite::{Call, Frame, Literal, Outcome, ReturnValue, SameAs, Suite};
use common::{argument, literal, results, structure};

/// Numbers, with every kind of result.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Heap)]
pub struct Numbers {
    values: Vec<u8>,
}

/// Neither shown nor compared.
pub struct Secret;

/// Shown, but no literal.
#[derive(Debug)]
pub struct Report {
    /// How many.
    pub len: usize,
}

/// A literal that is not shown.
#[derive(Clone, Domain)]
pub enum Sign {
    /// Nothing there.
    Empty,
}

#[beget::api]
impl Numbers {
    /// A structure alone.
    pub fn of(value: u8) -> Self {
        Numbers { values: vec![value] }
    }

    /// Nothing.
    pub fn push(&mut self, value: u8) {
        self.values.push(value);
    }

    /// A value that may be missing.
    pub fn pop(&mut self) -> Option<u8> {
        self.values.pop()
    }

    /// A reference inside.
    pub fn first(&self) -> Option<&u8> {
        self.values.first()
    }

    /// An exclusive one.
    pub fn last_mut(&mut self) -> Option<&mut u8> {
        self.values.last_mut()
    }

    /// All in place.
    pub fn as_slice(&self) -> &[u8] {
        &self.values
    }

    /// A text.
    pub fn name(&self) -> &str {
        "one \"two\""
    }

    /// A value beside a structure.
    pub fn counted(self) -> (usize, Self) {
        (self.values.len(), self)
    }

    /// Values and structures behind everything.
    pub fn halves(&self, at: usize) -> Result<(Option<Self>, Box<(bool, Self)>, i8), String> {
        let whole = self.values.len();
        if at > whole {
            return Err(format!("only {whole}"));
        }
        let half = |values: &[u8]| Numbers { values: values.to_vec() };
        let (left, right) = self.values.split_at(at);
        Ok(((at > 0).then(|| half(left)), Box::new((at < whole, half(right))), -1))
    }

    /// An error or nothing.
    pub fn check(&self) -> Result<(), Secret> {
        if self.values.is_empty() { Err(Secret) } else { Ok(()) }
    }

    /// Shown, without a literal.
    pub fn report(&self) -> (Report, bool) {
        (Report { len: self.values.len() }, true)
    }

    /// A literal that is not shown.
    pub fn sign(&self) -> Sign {
        Sign::Empty
    }

    /// Borrowed, and without a name.
    pub fn iter(&mut self) -> impl Iterator<Item = u8> {
        self.values.drain(..)
    }

    /// Both may be the same.
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.values.starts_with(&self.values)
    }

    /// The last two may be the same.
    pub fn add_both(&mut self, one: &Self, other: &Self) -> usize {
        self.values.extend(one.values.iter().chain(&other.values));
        self.values.len()
    }

    /// Neither may.
    pub fn take_all(&mut self, other: &mut Self) {
        self.values.append(&mut other.values);
    }

    /// Nor here.
    pub fn joined(mut self, other: &Self) -> Self {
        self.values.extend(&other.values);
        self
    }
}

fn numbers(values: &[u8]) -> Numbers {
    Numbers { values: values.to_vec() }
}

/// Calls `method` both ways, which must leave the same frame; what it showed.
#[track_caller]
fn observe(method: &str, values: &[u8], literals: &[Literal]) -> (Frame, Option<ReturnValue>) {
    let suite = Numbers::suite();
    let literals: Vec<_> = literals.iter().collect();
    let frame = || Frame { arguments: vec![Some(structure(numbers(values)))], results: vec![] };
    let (mut plain, mut observed) = (frame(), frame());
    let method = suite.method_named(method).unwrap();
    let outcome = (method.call)(&mut Call::new(&mut plain, &literals));
    let (observed_outcome, shown) = method.observe(&mut Call::new(&mut observed, &literals));
    assert_eq!(outcome, observed_outcome);
    assert_eq!(results::<Numbers>(&plain), results::<Numbers>(&observed));
    assert_eq!(argument::<Numbers>(&plain, 0), argument::<Numbers>(&observed, 0));
    (observed, shown)
}

/// The result of a call as text and as source.
#[track_caller]
fn check(method: &str, values: &[u8], literals: &[Literal], text: &str, source: Option<&str>) {
    let (_, shown) = observe(method, values, literals);
    let shown = shown.expect("there are plain values in the result");
    assert_eq!((shown.to_string().as_str(), shown.source().as_deref()), (text, source));
}

#[test]
fn plain_results_are_shown_as_text_and_as_source() {
    check("pop", &[1], &[], "Some(1)", Some("Some(1)"));
    check("pop", &[], &[], "None", Some("None"));
    check("first", &[3, 4], &[], "Some(3)", Some("Some(&3)"));
    check("last_mut", &[3, 4], &[], "Some(4)", Some("Some(&mut 4)"));
    check("as_slice", &[3, 4], &[], "[3, 4]", Some("&[3, 4]"));
    check("name", &[], &[], r#""one \"two\"""#, Some(r#""one \"two\"""#));
}

#[test]
fn shown_sources_are_expressions_of_the_result_type() {
    let mut stack = numbers(&[3, 4]);
    assert_eq!(stack.first(), Some(&3));
    assert_eq!(stack.last_mut(), Some(&mut 4));
    assert_eq!(stack.as_slice(), &[3, 4]);
    assert_eq!(stack.name(), "one \"two\"");
}

#[test]
fn structures_beside_plain_results_are_placeholders() {
    check("counted", &[1, 2], &[], "(2, _)", None);
    let at = |at: usize| [literal(at)];
    check("halves", &[1], &at(0), "Ok((None, (true, _), -1))", None);
    check("halves", &[1], &at(1), "Ok((Some(_), (false, _), -1))", None);
    check("halves", &[1], &at(2), r#"Err("only 1")"#, Some(r#"Err(String::from("only 1"))"#));
    let (frame, shown) = observe("halves", &[1, 2], &at(1));
    assert_eq!(results::<Numbers>(&frame), [Some(numbers(&[1])), Some(numbers(&[2]))]);
    let shown = shown.unwrap();
    let values = shown.plain_values().into_iter().map(|value| (value.ty, value.to_string()));
    assert_eq!(values.collect::<Vec<_>>(), [("bool", "true".into()), ("i8", "-1".into())]);
    let ReturnValue::Ok(parts) = shown else { panic!("not an error") };
    let ReturnValue::Tuple(parts) = *parts else { panic!("a tuple") };
    let ReturnValue::Some(first) = &parts[0] else { panic!("the left half") };
    assert!(matches!(**first, ReturnValue::Structure(0)));
    let ReturnValue::Boxed(second) = &parts[1] else { panic!("a box") };
    let ReturnValue::Tuple(second) = &**second else { panic!("a pair") };
    assert!(matches!(second[1], ReturnValue::Structure(1)));
}

#[test]
fn results_without_debug_are_opaque_and_those_without_domain_are_no_literals() {
    check("check", &[1], &[], "Ok(())", Some("Ok(())"));
    check("check", &[], &[], "Err(<opaque it::observed::Secret>)", None);
    check("report", &[1], &[], "(Report { len: 1 }, true)", None);
    check("sign", &[], &[], "<opaque it::observed::Sign>", Some("Sign::Empty"));
    let (_, shown) = observe("iter", &[1], &[]);
    let shown = shown.unwrap();
    assert_eq!(
        shown.to_string(),
        format!("<opaque {}>", std::any::type_name_of_val(&numbers(&[]).iter()))
    );
    let [value] = shown.plain_values()[..] else { panic!("one value") };
    assert!(value.is_opaque() && value.literal.is_none());
}

#[test]
fn a_shown_literal_can_be_passed_to_a_parameter_of_its_type() {
    let (_, shown) = observe("pop", &[7], &[]);
    let popped = shown.unwrap().plain_values()[0].literal.clone().unwrap();
    let (frame, _) = observe("push", &[1], &[popped]);
    assert_eq!(argument::<Numbers>(&frame, 0), Some(numbers(&[1, 7])));
}

#[test]
fn nothing_is_shown_where_a_result_has_no_plain_values() {
    let suite = Numbers::suite();
    let hidden = suite.methods.iter().filter(|method| method.call_observed.is_none());
    let hidden: Vec<_> = hidden.map(|method| method.name).collect();
    assert_eq!(hidden, ["of", "push", "take_all", "joined"]);
    assert!(observe("push", &[], &[literal(1_u8)]).1.is_none());
}

/// Calls `method` with structures and repeated arguments.
fn call_aliased(suite: &Suite, method: &str, mut frame: Frame) -> (Frame, Option<String>) {
    let method = suite.method_named(method).unwrap();
    let (outcome, shown) = method.observe(&mut Call::new(&mut frame, &[]));
    assert_eq!(outcome, Outcome::Returned);
    (frame, shown.map(|shown| shown.to_string()))
}

fn frame(arguments: Vec<Box<dyn std::any::Any>>) -> Frame {
    Frame { arguments: arguments.into_iter().map(Some).collect(), results: vec![] }
}

#[test]
fn shared_arguments_can_be_one_structure() {
    let suite = Numbers::suite();
    let one = || structure(numbers(&[1]));
    let pair = frame(vec![one(), structure(SameAs(0))]);
    let (left, shown) = call_aliased(&suite, "is_prefix_of", pair);
    assert_eq!(shown.as_deref(), Some("true"));
    assert_eq!(argument::<Numbers>(&left, 0), Some(numbers(&[1])));
    let apart = frame(vec![one(), structure(numbers(&[2]))]);
    assert_eq!(call_aliased(&suite, "is_prefix_of", apart).1.as_deref(), Some("false"));
    let triple = frame(vec![one(), structure(numbers(&[2])), structure(SameAs(1))]);
    let (left, shown) = call_aliased(&suite, "add_both", triple);
    assert_eq!(shown.as_deref(), Some("3"));
    assert_eq!(argument::<Numbers>(&left, 0), Some(numbers(&[1, 2, 2])));
}

#[test]
fn only_two_shared_arguments_of_one_type_may_be_the_same() {
    let suite = Numbers::suite();
    let may = |method: &str, one, other| suite.method_named(method).unwrap().may_alias(one, other);
    assert!(may("is_prefix_of", 0, 1) && may("add_both", 1, 2) && may("add_both", 2, 1));
    assert!(!may("add_both", 0, 1) && !may("add_both", 1, 1) && !may("add_both", 1, 3));
    assert!(!may("take_all", 0, 1) && !may("joined", 0, 1));
}

#[test]
#[should_panic(expected = "is no other one if it is passed by `&mut`")]
fn an_exclusive_argument_is_never_another_one() {
    let same = frame(vec![structure(numbers(&[1])), structure(SameAs(0)), structure(numbers(&[]))]);
    call_aliased(&Numbers::suite(), "add_both", same);
}

/// Has no trait at all.
#[derive(Heap)]
pub struct Bare(u8);

/// Has equality that is no equivalence.
#[derive(Clone, Debug, PartialEq, PartialOrd, Heap)]
pub struct Partial(f64);

beget::suite! {
    /// Types with different traits.
    pub suite Traits {
        for Bare {}
        for Partial {}
        for Numbers {}
        for Option<Bare> as Maybe {
            abstraction |value| -> bool { value.is_some() };
        }
    }
}

#[test]
fn a_type_tells_which_common_traits_it_has() {
    let suite = Traits::suite();
    let names = |index: usize| suite.types[index].trait_names().collect::<Vec<_>>();
    assert_eq!(names(0), [""; 0]);
    assert_eq!(names(1), ["PartialEq", "PartialOrd", "Debug", "Clone"]);
    let all = ["PartialEq", "Eq", "PartialOrd", "Ord", "Hash", "Debug", "Default", "Clone"];
    assert_eq!(names(2), all);
    assert_eq!(names(3), ["Default"]);
}

#[test]
fn the_traits_of_a_type_are_used_though_it_is_forgotten() {
    let suite = Traits::suite();
    let traits = suite.types[2].traits;
    let (one, two) = (numbers(&[1]), numbers(&[2]));
    let equal = [traits.partial_eq.unwrap(), traits.eq.unwrap()];
    assert!(equal.iter().all(|equal| equal(&one, &one.clone()) && !equal(&one, &two)));
    assert_eq!(traits.partial_ord.unwrap()(&one, &two), Some(std::cmp::Ordering::Less));
    assert_eq!(traits.ord.unwrap()(&two, &one), std::cmp::Ordering::Greater);
    let (mut direct, mut forgotten) = (DefaultHasher::new(), DefaultHasher::new());
    one.hash(&mut direct);
    traits.hash.unwrap()(&one, &mut forgotten);
    assert_eq!(direct.finish(), forgotten.finish());
    assert_eq!(traits.debug_text(&one).unwrap(), "Numbers { values: [1] }");
    let default = traits.default.unwrap()();
    assert_eq!(default.downcast_ref::<Numbers>(), Some(&numbers(&[])));
    let partial = suite.types[1].traits.partial_ord.unwrap();
    assert_eq!(partial(&Partial(f64::NAN), &Partial(0.0)), None);
    assert_eq!((Bare(0).0, suite.types[0].traits.debug_text(&Bare(0))), (0, None));
}
