//! Elements followed in the calls of a drawer that mistreats them.
#![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]
#![allow(unsafe_code, reason = "elements are to be dropped twice, which is counted")]

use beget::elements::Tracked;
use beget::{HasSuite as _, Heap};
use beget_oracle::{ContractTally, Desk, Shelf, StructureSource, Tally};
use beget_plan::finding::Finding;
use beget_plan::scope::Overrides;
use beget_suite::Binding;

use super::*;
use crate::failure_test::{FailureTest, NoFailure};
use crate::{Catalog, Input};

/// Drops what it keeps, but not what it loses.
#[derive(Debug, Default, Heap)]
pub struct Drawer {
    kept: Vec<Tracked>,
}

#[beget::api(name = "test::drawer")]
impl Drawer {
    pub fn new() -> Self {
        Drawer::default()
    }

    pub fn keep(&mut self, value: Tracked) {
        self.kept.push(value);
    }

    pub fn lose(&mut self) {
        std::mem::forget(self.kept.pop());
    }

    pub fn lose_and_fail(&mut self) {
        self.lose();
        panic!("it is stuck");
    }

    pub fn wasted() -> Self {
        std::mem::forget(Tracked::new(0));
        Drawer::default()
    }

    pub fn drop_again(&mut self) {
        drop(self.again());
    }

    /// Drops it again only if the comparison panics.
    pub fn compare(&mut self) {
        let again = self.again();
        let _ = again.as_ref() == self.kept.last();
        std::mem::forget(again);
    }

    /// Drops it again only if the destructor of another one panics.
    pub fn exchange(&mut self) {
        let again = self.again();
        drop(Tracked::new(0));
        std::mem::forget(again);
    }
}

impl Drawer {
    /// The last element, which it still has.
    fn again(&self) -> Option<Tracked> {
        // SAFETY: elements own nothing, so dropping one twice is harmless.
        self.kept.last().map(|last| unsafe { std::ptr::read(last) })
    }
}

fn drawers() -> Plan {
    let text =
        r#"Scope(suite: "test::drawer", k: 1, objects: {"*": "k"}, arrays: "k", ints: "0..1")"#;
    let catalog = Catalog::new(vec![Drawer::suite()]);
    let input = Input::of_text("drawer.ron", text.to_owned(), catalog).unwrap();
    input.resolve(&Overrides::default()).unwrap().plan
}

/// Calls on a drawer that the first of them makes.
fn on_drawer(plan: &Plan, names: &[&str]) -> Sequence {
    let statement = |(index, name): (usize, &&str)| {
        let method = plan.suite.find_method(name).expect("a method");
        let literals = &plan.planned(plan.find_planned(method).unwrap()).domains;
        let literals = literals.iter().map(|all| Operand::Literal(all[0].source.clone()));
        let is_first = index == 0;
        let takes = (!is_first).then_some(Operand::Variable(Variable(0)));
        let binding = Binding { output: 0, variable: Variable(0) };
        Statement {
            method,
            arguments: takes.into_iter().chain(literals).collect(),
            bindings: if is_first { vec![binding] } else { Vec::new() },
            ends: Vec::new(),
            panics: false,
        }
    };
    let statements = names.iter().enumerate().map(statement).collect();
    Sequence { statements, result: Some(Variable(0)) }
}

#[test]
fn a_sequence_shows_again_how_an_element_is_mistreated_and_nothing_else() {
    let plan = drawers();
    let shows = |names: &[&str], contract: &Contract| {
        let problem = Problem::contract(contract.name, "as above");
        breaks_again(&plan, &on_drawer(&plan, names), &problem)
    };
    assert!(shows(&["new", "keep", "lose"], &ELEMENTS_DROPPED));
    assert!(!shows(&["new", "keep", "lose"], &ELEMENTS_DROPPED_ONCE));
    assert!(!shows(&["new", "keep"], &ELEMENTS_DROPPED));
    // A panic may leave elements.
    assert!(!shows(&["new", "keep", "lose_and_fail"], &ELEMENTS_DROPPED));
    assert!(shows(&["new", "keep", "drop_again"], &ELEMENTS_DROPPED_ONCE));
    assert!(shows(&["new", "keep", "compare"], &ELEMENTS_SURVIVE_PANICS));
    assert!(!shows(&["new", "keep", "compare"], &ELEMENTS_SURVIVE_DROP_PANICS));
    assert!(shows(&["new", "keep", "exchange"], &ELEMENTS_SURVIVE_DROP_PANICS));
    assert!(!shows(&["new", "keep", "exchange"], &ELEMENTS_SURVIVE_PANICS));
}

#[test]
fn a_test_fails_by_the_mistreatment_that_its_calls_show() {
    let plan = drawers();
    let tested = |names: &[&str], contract: &Contract| {
        let problem = Problem::contract(contract.name, "as above");
        let witness = Witness::of_sequence(on_drawer(&plan, names));
        let finding = Finding { problem, count: 1, witness };
        let FailureTest { verdict, function, .. } = FailureTest::of(&plan, &finding, 1, None);
        verdict.map(|()| function.body[2].clone())
    };
    // The drawer has no name, since nothing else is done with it.
    let wasted = Ok("    let _ = Drawer::wasted();".to_owned());
    assert_eq!(tested(&["wasted"], &ELEMENTS_DROPPED), wasted);
    for names in [&["new", "keep"][..], &["new", "keep", "lose_and_fail"]] {
        assert_eq!(tested(names, &ELEMENTS_DROPPED), Err(NoFailure::Gone));
        assert_eq!(tested(names, &ELEMENTS_DROPPED_ONCE), Err(NoFailure::Gone));
    }
}

/// Knows the calls that build a structure.
struct KnownCalls(Sequence);

impl StructureSource for KnownCalls {
    fn make(&mut self, _: u64) -> Option<Box<dyn std::any::Any>> {
        None
    }

    fn sequence(&mut self, _: u64) -> Option<Sequence> {
        Some(self.0.clone())
    }
}

/// The breaches that calls on a drawer of these calls show, the number of calls that were
/// asked whether they drop all elements, those that do not, and what the oracle remembers.
fn judged(names: Option<&[&str]>) -> (usize, u64, u64, Vec<u64>) {
    let plan = drawers();
    let mut elements = Elements::new(|_| true);
    assert!(elements.applies(&plan));
    let mut source = KnownCalls(on_drawer(&plan, names.unwrap_or(&["new"])));
    let (mut tally, mut shelf) = (Tally::of(elements.questions()), Shelf::default());
    let structures = &mut Structures::new(&plan, &mut source, &mut shelf);
    let verdicts = &mut Verdicts::new(&mut tally, Desk::default());
    match names {
        Some(_) => {
            let ty = TypeIdx::new(0);
            elements.on_structure(&mut StructureView { id: 0, ty, structures }, verdicts);
        }
        None => elements.finish(structures, verdicts),
    }
    let ContractTally { name, asked, broken } = tally.questions[0];
    assert_eq!(name, ELEMENTS_DROPPED.name);
    (tally.n_breaches(), asked, broken, elements.memory())
}

/// Of the two constructors one wastes an element.
#[test]
fn constructors_are_followed_though_there_is_no_structure() {
    assert_eq!(judged(None), (1, 2, 1, vec![1, 0]));
}

/// `lose` loses the element, and so on: each method breaks another contract.
#[test]
fn each_method_that_mistreats_elements_is_a_breach_of_its_own() {
    // `keep`, `lose`, `compare` and `exchange` return and drop nothing again.
    assert_eq!(judged(Some(&["new", "keep"])), (5, 2 + 4, 2, vec![1, 1]));
}

/// An element that was lost before cannot be distinguished from one that a further call loses.
#[test]
fn calls_on_a_structure_that_has_lost_elements_lose_none() {
    assert_eq!(judged(Some(&["new", "keep", "lose"])), (1, 2, 1, vec![1, 1]));
}

#[test]
fn the_first_structures_of_each_type_are_asked_about() {
    let of = |types: &[(bool, usize)], elements: Elements| {
        let elements = Elements { types: types.to_vec(), ..elements };
        let judged: Vec<bool> =
            (0..types.len()).map(|ty| elements.judges(TypeIdx::new(ty))).collect();
        (elements.name(), elements.most, judged)
    };
    let types = [(true, 99), (true, 100), (true, 999), (true, 1000), (false, 0)];
    let all = (1000, usize::MAX);
    let judged = vec![true, true, true, false, false];
    assert_eq!(of(&types, Elements::new(|_| true)), ("contract", all, judged));
    let judged = vec![true, false, false, false, false];
    assert_eq!(of(&types, Elements::new(|_| true).of_few()), ("contract", (100, 8), judged));
}

/// Of two pens the second is the structure.
#[test]
fn each_structure_of_a_call_is_built_by_itself() {
    use crate::random::tests::{call, pens};
    let plan = pens("");
    let built = |first: usize| {
        let new = |number| call(&plan, "new", &[], Some(first + number));
        [new(0), new(1), call(&plan, "write", &[first + 1], None)]
    };
    let result = Some(Variable(1));
    let building = Sequence { statements: built(0).to_vec(), result };
    let pour = plan.find_planned(plan.suite.find_method("pour").unwrap()).unwrap();
    let statements = [&built(0)[..], &built(2), &[call(&plan, "pour", &[1, 3], None)]].concat();
    assert_eq!(call_on(&plan, pour, 0, &building), Sequence { statements, result: None });
}

#[test]
fn elements_are_followed_on_where_another_process_stopped() {
    let asked = |is_begun, types: &[(bool, usize)]| Elements {
        is_begun,
        types: types.to_vec(),
        ..Elements::new(|_| true)
    };
    for is_begun in [false, true] {
        let (one, mut other) =
            (asked(is_begun, &[(true, 3), (false, 5)]), asked(!is_begun, &[(true, 0), (false, 0)]));
        other.recall(&one.memory());
        assert_eq!((other.is_begun, other.types), (is_begun, vec![(true, 3), (false, 5)]));
    }
}
