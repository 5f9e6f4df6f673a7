//! The door for answers, and what answers add up to.

use std::any::Any;
use std::cell::RefCell;

use beget::heap::HeapGraph;
use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_oracle::{
    ApplicableContracts, BreachGroup, BreachPart, Contracts, Desk, Inquiry, MAKING, Matter, Oracle,
    Shelf, SparedQuestions, StructureSource, StructureView, Structures, Tally, Verdicts,
    has_elements,
};
use beget_plan::finding::Problem;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_run::{Catalog, Input};
use beget_suite::TypeIdx;

/// Two bytes.
#[derive(Clone, Debug, Heap)]
pub struct Pair {
    items: [u8; 2],
}

#[beget::api]
impl Pair {
    /// Two bytes, of which the second is 7.
    pub fn new(item: u8) -> Self {
        Pair { items: [item, 7] }
    }
}

pub(crate) fn plan() -> Plan {
    plan_of(Pair::suite())
}

fn plan_of(suite: Suite) -> Plan {
    let text = format!(
        r#"Scope(suite: "{}", k: 3, objects: {{"*": "k"}}, ints: "0..k", misuse: (panics: ["bad luck"]))"#,
        suite.name
    );
    let input = Input::of_text("test.ron", text, Catalog::new(vec![suite])).unwrap();
    input.resolve(&Default::default()).unwrap().plan
}

fn part(number: u64) -> BreachPart {
    BreachPart { number, clause: "clause".into() }
}

fn breach(question: usize, id: u64) -> BreachGroup {
    let problem = Problem::contract("name", &format!("message {id}"));
    BreachGroup::of_structure(question, problem, TypeIdx::new(1), id)
}

/// Two questions: asked three times and twice, broken twice and once.
fn tally(first: u64) -> Tally {
    let mut tally = Tally::of(vec!["one", "other"]);
    let mut verdicts = Verdicts::new(&mut tally, Desk::default());
    verdicts.holds(0);
    verdicts.broken(0, part(4), || breach(0, first));
    verdicts.broken(0, part(4), || breach(0, first + 1));
    verdicts.holds(1);
    verdicts.broken(1, part(4), || breach(1, first + 2));
    tally
}

fn counts(tally: &Tally) -> (Vec<(u64, u64)>, u64) {
    let of = tally.questions.iter().map(|question| (question.asked, question.broken));
    (of.collect(), tally.n_broken())
}

fn groups(tally: &Tally) -> Vec<(usize, u64, Vec<u64>)> {
    let of = tally.breaches().into_iter();
    of.map(|(_, breach)| (breach.question, breach.count, breach.ids.clone())).collect()
}

#[test]
fn answers_are_counted_and_the_first_of_a_part_is_kept() {
    let tally = tally(10);
    assert_eq!(counts(&tally), (vec![(3, 2), (2, 1)], 3));
    assert_eq!((tally.n_breaches(), groups(&tally)), (2, vec![(0, 2, vec![10]), (1, 1, vec![12])]));
    assert_eq!(BreachPart::of_type(TypeIdx::new(3)), BreachPart { number: 3, clause: "".into() });
}

#[test]
fn tallies_of_structures_that_follow_add_up() {
    let mut all = tally(10);
    let mut next = tally(20);
    next.add(part(5), breach(1, 25));
    assert_eq!(counts(&next), (vec![(3, 2), (2, 1)], 4));
    next.add(part(5), breach(1, 26));
    all.append(next);
    assert_eq!(counts(&all), (vec![(6, 4), (4, 2)], 8));
    assert_eq!(groups(&all), [(0, 4, vec![10]), (1, 2, vec![12]), (1, 2, vec![25])]);
}

#[test]
fn an_answer_that_is_replaced_counts_once() {
    let mut tally = tally(10);
    let of = |count| BreachGroup { count, ..breach(1, 30) };
    let replace = |tally: &mut Tally, asked, breach| {
        Verdicts::new(tally, Desk::default()).replace(1, part(9), asked, breach);
    };
    replace(&mut tally, 7, Some(of(5)));
    assert_eq!(counts(&tally), (vec![(3, 2), (9, 6)], 8));
    replace(&mut tally, 11, Some(of(2)));
    assert_eq!(counts(&tally), (vec![(3, 2), (13, 3)], 5));
    assert_eq!(groups(&tally)[2], (1, 2, vec![30]));
    // It can be saved as plain data and continued.
    let mut again = Tally::from_parts(vec!["one", "other"], tally.to_parts());
    assert_eq!(again, tally);
    replace(&mut again, 12, None);
    assert_eq!(counts(&again), (vec![(3, 2), (14, 1)], 3));
    assert_eq!(again.n_breaches(), 2);
}

#[test]
fn questions_that_are_spared_are_not_asked_and_all_others_are_noted() {
    let noted = RefCell::new(Vec::new());
    let note = &|id, question| noted.borrow_mut().push((id, question));
    let of = Matter::Structure;
    let spared = SparedQuestions::from([(0, Some(of(5))), (1, None)]);
    let mut tally = Tally::of(vec!["one", "other", "third"]);
    let desk = Desk { note, is_stopped: &|| true, spared: &spared };
    let mut verdicts = Verdicts::new(&mut tally, desk);
    assert!(verdicts.is_stopped());
    let asked = [(0, 4), (0, 5), (1, 4), (1, 5), (2, 5)].map(|(question, id)| {
        let is_asked = verdicts.begin(question, id);
        verdicts.end(id + 100);
        is_asked
    });
    assert_eq!(asked, [true, false, false, false, true]);
    let making = |id| (of(id), MAKING);
    let wanted =
        [(of(4), 0), making(104), making(105), making(104), making(105), (of(5), 2), making(105)];
    assert_eq!(*noted.borrow(), wanted);
    assert!(!Verdicts::new(&mut Tally::of(vec![]), Desk::default()).is_stopped());
}

#[test]
fn calls_are_spared_one_by_one_or_with_their_method_and_types_by_themselves() {
    let of_call = |id, planned, tuple| Matter::Call(id, (PlannedIdx::new(planned), tuple));
    let of_type = |ty| Matter::Type(TypeIdx::new(ty));
    let of_method = Matter::Method(PlannedIdx::new(3));
    let spared = SparedQuestions::from([
        (0, Some(of_call(Some(7), 2, 1))),
        (0, Some(of_method)),
        (0, Some(of_type(1))),
        (1, None),
    ]);
    let mut tally = Tally::of(vec!["one", "other"]);
    let mut verdicts = Verdicts::new(&mut tally, Desk { spared: &spared, ..Desk::default() });
    let mut is_asked = |question, matter| verdicts.begin_on(question, matter);
    assert!(!is_asked(0, of_call(Some(7), 2, 1)));
    for other in [of_call(Some(7), 2, 0), of_call(Some(6), 2, 1), of_call(None, 2, 1)] {
        assert!(is_asked(0, other), "{other:?}");
        assert!(!is_asked(1, other), "{other:?}");
    }
    assert!(!is_asked(0, of_call(None, 3, 0)) && !is_asked(0, of_call(Some(7), 3, 9)));
    assert!(!is_asked(0, of_type(1)) && is_asked(0, of_type(0)));
    assert!(is_asked(0, Matter::Structure(7)), "only one of its calls is spared");
}

/// Makes pairs of their numbers, but not of 9.
struct Pairs;

impl StructureSource for Pairs {
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        (id != 9).then(|| Box::new(Pair { items: [id as u8, 7] }) as Box<dyn Any>)
    }
}

fn judged(
    spared: &SparedQuestions,
    judge: impl Fn(&mut StructureView<'_, '_>) -> Result<(), Problem>,
) -> Tally {
    let (plan, mut source, mut shelf) = (plan(), Pairs, Shelf::default());
    let mut structures = Structures::new(&plan, &mut source, &mut shelf);
    let mut tally = Tally::of(vec!["law"]);
    let desk = Desk { spared, ..Desk::default() };
    for id in 3..6 {
        let structures = &mut structures;
        let mut view = StructureView { id, ty: TypeIdx::new(0), structures };
        Verdicts::new(&mut tally, desk).judge(&mut view, &judge);
    }
    tally
}

#[test]
fn a_judge_says_what_is_wrong_and_may_panic() {
    let none = SparedQuestions::new();
    let right = judged(&none, |_| Ok(()));
    assert_eq!(counts(&right), (vec![(3, 0)], 0));
    let wrong = judged(&none, |view| match view.id {
        4 => Err(Problem::contract("law", "four is wrong")),
        _ => Ok(()),
    });
    assert_eq!(counts(&wrong), (vec![(3, 1)], 1));
    let (of, breach) = wrong.breaches()[0];
    assert_eq!((of.number, &breach.ids[..], breach.count), (0, &[4][..], 1));
    assert!(breach.problem.message.contains("four is wrong"), "{}", breach.problem);
    let panics = judged(&none, |view| match view.id {
        3 => panic!("bad luck, which the scope expects"),
        4 => panic!("worse"),
        _ => Ok(()),
    });
    assert_eq!(counts(&panics), (vec![(2, 1)], 1));
    let message = panics.breaches()[0].1.problem.message.to_string();
    assert!(message.contains("worse"), "{message}");
    let spared = SparedQuestions::from([(0, Some(Matter::Structure(4)))]);
    let spares = judged(&spared, |view| {
        assert_ne!(view.id, 4, "it is not asked about");
        Ok(())
    });
    assert_eq!(counts(&spares), (vec![(2, 0)], 0));
}

/// An oracle that says no more than it must.
struct Shortest;

impl Oracle for Shortest {
    fn name(&self) -> &'static str {
        "shortest"
    }

    fn on_structure(&mut self, _: &mut StructureView<'_, '_>, _: &mut Verdicts<'_>) {}
}

#[test]
fn an_oracle_has_one_question_about_all_structures_and_remembers_nothing() {
    let plan = plan();
    let mut oracle = Shortest;
    assert_eq!(oracle.questions(), ["shortest"]);
    assert!(oracle.applies(&plan) && oracle.judges(TypeIdx::new(0)));
    assert_eq!(oracle.memory(), [0; 0]);
}

#[test]
fn a_view_shows_the_value_and_its_heap() {
    let (plan, mut source, mut shelf) = (plan(), Pairs, Shelf::default());
    let mut structures = Structures::new(&plan, &mut source, &mut shelf);
    let mut view = StructureView { id: 5, ty: TypeIdx::new(0), structures: &mut structures };
    assert_eq!(view.with(|pair: &Pair| pair.items), Some([5, 7]));
    assert_eq!(view.with(|_: &u8| ()), None);
    let heap = view.graph().expect("it can be made");
    assert_eq!(heap.to_text(), HeapGraph::of(&Pair { items: [5, 7] }).to_text());
    // Its source says nothing more.
    assert!(view.form().is_none());
    assert!(view.structures.recipe(5).is_none() && view.structures.sequence(5).is_none());
    view.id = 9;
    assert!(view.graph().is_none() && view.with(|_: &Pair| ()).is_none());
}

/// The process that asks may die; another one goes on with these numbers.
#[test]
fn contracts_go_on_with_what_others_remember() {
    let plan = plan_of(Odd::suite());
    let mut tallies = Vec::new();
    let mut ask = |contracts: &mut Contracts, ids: std::ops::Range<u64>| {
        let (mut source, mut shelf) = (Odds, Shelf::default());
        let mut structures = Structures::new(&plan, &mut source, &mut shelf);
        let mut tally = Tally::of(contracts.questions());
        for id in ids {
            let view = &mut StructureView { id, ty: TypeIdx::new(0), structures: &mut structures };
            contracts.on_structure(view, &mut Verdicts::new(&mut tally, Desk::default()));
        }
        contracts.finish(&mut structures, &mut Verdicts::new(&mut tally, Desk::default()));
        tallies.push(counts(&tally).0);
    };
    let new = || {
        let mut contracts = Contracts::new(|_| true);
        assert!(contracts.applies(&plan) && contracts.judges(TypeIdx::new(0)));
        assert_eq!(contracts.name(), "contract");
        contracts
    };
    let [mut first, mut second, mut other] = [new(), new(), new()];
    ask(&mut first, 0..5);
    second.recall(&first.memory());
    assert_eq!(second.memory(), first.memory());
    ask(&mut first, 5..7);
    ask(&mut second, 5..7);
    ask(&mut other, 5..7);
    assert_eq!(second.memory(), first.memory());
    assert_ne!(other.memory(), first.memory());
    assert_eq!(tallies[1], tallies[2]);
    // Pairs are made with the structures before.
    assert_ne!(tallies[1], tallies[3]);
}

#[test]
fn a_type_without_contracts_is_not_judged() {
    let plan = plan();
    let pairs = ApplicableContracts::new(&plan, &|_| true);
    let none = ApplicableContracts::new(&plan, &|_| false);
    assert_eq!((pairs.is_idle(), none.is_idle()), (false, true));
    assert!(!has_elements(&plan));
    let mut contracts = Contracts::new(|_| false);
    assert!(!contracts.applies(&plan) && !contracts.judges(TypeIdx::new(0)));
}

/// Odd numbers are not equal to themselves.
#[derive(Clone, Debug, Heap)]
pub struct Odd {
    number: u8,
}

#[beget::api]
impl Odd {
    /// The number.
    pub fn new(number: u8) -> Self {
        Odd { number }
    }
}

impl PartialEq for Odd {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number && self.number.is_multiple_of(2)
    }
}

impl Eq for Odd {}

struct Odds;

impl StructureSource for Odds {
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        Some(Box::new(Odd { number: id as u8 }))
    }
}

#[test]
fn an_inquiry_counts_its_breaches() {
    let plan = plan_of(Odd::suite());
    let mut inquiry = Inquiry::new(&ApplicableContracts::new(&plan, &|_| true));
    let mut seen = Vec::new();
    for id in 0..4 {
        inquiry.ask(TypeIdx::new(0), id, &mut || Odds.make(id));
        seen.push((inquiry.n_broken(), inquiry.n_breaches()));
    }
    // Structures 1 and 3, by one contract.
    assert_eq!(seen, [(0, 0), (1, 1), (1, 1), (2, 1)]);
    let breaches = inquiry.finish().breaches;
    assert_eq!(breaches.len(), 1);
    assert_eq!((&breaches[0].ids[..], breaches[0].count), (&[1][..], 2));
}

/// A number. The fifth of the sample is equal to none behind it, though these are equal to it.
#[derive(Clone, Debug, Heap)]
pub struct Late {
    number: u8,
}

#[beget::api]
impl Late {
    /// The number.
    pub fn new(number: u8) -> Self {
        Late { number }
    }
}

impl PartialEq for Late {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number || self.number > 64 && other.number == 5
    }
}

struct Lates;

impl StructureSource for Lates {
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        Some(Box::new(Late { number: id as u8 }))
    }
}

/// Pairs are made with all of the first 64, and then with one of them for sixteen structures.
#[test]
fn structures_of_the_sample_take_turns() {
    let plan = plan_of(Late::suite());
    let mut contracts = Contracts::new(|name| name == "eq_symmetric");
    assert!(contracts.applies(&plan));
    let (mut source, mut shelf) = (Lates, Shelf::default());
    let mut structures = Structures::new(&plan, &mut source, &mut shelf);
    let mut tally = Tally::of(contracts.questions());
    for id in 0..200 {
        let view = &mut StructureView { id, ty: TypeIdx::new(0), structures: &mut structures };
        contracts.on_structure(view, &mut Verdicts::new(&mut tally, Desk::default()));
    }
    // 64 of the sample with those before, and themselves; then 136 with one, and themselves.
    assert_eq!(counts(&tally), (vec![(64 * 64 + 136 * 3, 2 * 16)], 2 * 16));
}
