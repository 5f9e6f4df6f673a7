//! Every family of panics: at least three methods of made-up types that panic so on the first call,
//! and are repaired.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]
#![allow(
    clippy::should_implement_trait,
    clippy::len_without_is_empty,
    clippy::to_digit_is_some,
    reason = "methods have the names of those of the library"
)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};
use std::time::Duration;

use beget::Heap;
use beget::suites::{HasSuite, Suite};
use beget_plan::scope::Plan;
use beget_plan::scope::{Overrides, default_scope};
use beget_run::random::{Constants, InProgress, MethodTally, RandomOptions, RandomOracles, run};
use beget_run::{Catalog, Input};
use beget_search::heuristic::{
    CallGoal, CallOptions, CallReport, PanicFamily, TypeGraph, call, plan_for,
};

fn report_of(suite: Suite, options: CallOptions) -> (Plan, CallReport) {
    let fields = [("ints", "[0, 7, 200]"), ("strings", "[\"né\"]"), ("floats", "[-1.0]")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let text = default_scope(&suite, &fields);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    let plan = plan_for(input.resolve(&Overrides::default()).unwrap().plan, &options);
    let (report, _) = call(&plan, options, None, &InProgress::default(), &mut |_| None);
    (plan, report)
}

/// What became of the first panics of a family.
#[derive(Default)]
struct FamilyRow {
    methods: BTreeSet<&'static str>,
    panics: u32,
    repaired: BTreeMap<&'static str, u32>,
}

#[test]
fn panics_of_every_family_are_repaired() {
    let mut rows: BTreeMap<PanicFamily, FamilyRow> = BTreeMap::new();
    let mut not_called = BTreeSet::new();
    for (suite, seed) in [Row::suite(), Desk::suite()]
        .iter()
        .flat_map(|suite| (0..20).map(move |seed| (suite, seed)))
    {
        let (plan, report) =
            report_of(suite.clone(), CallOptions { seed, ..CallOptions::default() });
        for (idx, method) in plan.planned_idxs().zip(&report.methods) {
            let name = plan.method_name(idx);
            not_called.extend(method.reason.clone().map(|reason| (name, reason)));
            let Some((family, _)) = &method.first_panic else { continue };
            let row = rows.entry(*family).or_default();
            row.methods.insert(name);
            row.panics += 1;
            if let Some(repair) = method.repair() {
                *row.repaired.entry(repair.by.name()).or_default() += 1;
            }
        }
    }
    let shown = rows.iter().map(|(family, row)| {
        let FamilyRow { methods, panics, repaired } = row;
        let sum: u32 = repaired.values().sum();
        format!(
            "{family}: {} methods, {panics} panics, {sum} repaired, {repaired:?}\n",
            methods.len()
        )
    });
    insta::assert_snapshot!(shown.collect::<String>());
    assert_eq!(not_called, BTreeSet::new());
    let few = PanicFamily::ALL
        .iter()
        .filter(|family| rows.get(family).is_none_or(|row| row.methods.len() < 3));
    assert_eq!(few.collect::<Vec<_>>(), [&PanicFamily::Other; 0]);
}

/// Numbers in a row, in a list of their own.
#[derive(Clone, Debug, Heap)]
pub struct Row {
    cells: Vec<u8>,
}

#[beget::api]
impl Row {
    pub fn new() -> Self {
        Row { cells: Vec::new() }
    }

    pub fn put(&mut self, cell: u8) {
        self.cells.push(cell);
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn at(&self, index: usize) -> u8 {
        self.cells[index]
    }

    pub fn set(&mut self, index: usize, cell: u8) {
        self.cells[index] = cell;
    }

    pub fn swap(&mut self, one: usize, other: usize) {
        self.cells.swap(one, other);
    }

    pub fn first_cells(&self, most: u8) -> usize {
        self.cells[..usize::from(most)].len()
    }

    pub fn cut(&mut self, range: Range<usize>) {
        self.cells.drain(range);
    }

    pub fn copy(&mut self, from: usize, to: usize, at: usize) {
        self.cells.copy_within(from..to, at);
    }

    pub fn tail(&self, skipped: u16) -> usize {
        self.cells[usize::from(skipped)..].len()
    }

    pub fn pick(&self, low: u8, high: u8) -> usize {
        [1, 2, 3][usize::from(low % 3)..usize::from(high % 3)].len()
    }

    pub fn turn(&mut self, low: u8, high: u16) {
        self.cells[usize::from(low)..usize::from(high)].reverse();
    }

    pub fn between(&self, low: u8, high: u8) -> usize {
        self.cells[usize::from(low)..usize::from(high)].len()
    }

    pub fn insert(&mut self, place: u8, cell: u8) {
        self.cells.insert(usize::from(place), cell);
    }

    pub fn remove(&mut self, index: usize) -> u8 {
        self.cells.remove(index)
    }

    pub fn split(&mut self, place: u16) -> usize {
        self.cells.split_at(usize::from(place)).0.len()
    }

    pub fn rotate(&mut self, by: u8) {
        self.cells.rotate_left(usize::from(by));
    }

    pub fn chunks(&self, size: usize) -> usize {
        self.cells.chunks(size).count()
    }

    pub fn windows(&self, size: u8) -> usize {
        self.cells.windows(usize::from(size)).count()
    }

    pub fn every(&self, step: u8) -> usize {
        self.cells.iter().step_by(usize::from(step)).count()
    }

    pub fn fill_from(&mut self, others: &[u8]) {
        self.cells.copy_from_slice(others);
    }

    pub fn clone_from(&mut self, others: Vec<u8>) {
        self.cells.clone_from_slice(&others);
    }

    pub fn exchange(&mut self, mut others: Vec<u8>) {
        self.cells.swap_with_slice(&mut others);
    }

    pub fn top(&self) -> u8 {
        *self.cells.last().unwrap()
    }

    pub fn pop(&mut self) -> u8 {
        self.cells.pop().expect("the row has a cell")
    }

    pub fn bottom(&self) -> u8 {
        self.cells.first().copied().unwrap()
    }

    pub fn drop_first(&mut self) {
        assert!(!self.cells.is_empty(), "the row is empty");
        self.cells.remove(0);
    }

    pub fn sum(&self) -> u32 {
        assert!(!self.cells.is_empty(), "no sum of an empty row");
        self.cells.iter().copied().map(u32::from).sum()
    }

    pub fn mean(&self) -> u32 {
        match self.cells.as_slice() {
            [] => panic!("empty"),
            cells => cells.iter().copied().map(u32::from).sum::<u32>() / cells.len() as u32,
        }
    }

    pub fn open(&self, secret: u8) {
        if secret != 1 {
            panic!("wrong");
        }
    }

    pub fn heat(&self, degrees: i16) {
        if !(1..=3).contains(&degrees) {
            panic!("it melts or freezes");
        }
    }

    pub fn need_one_of_seven(&self, number: u8) {
        assert!(number % 7 == 1);
    }

    pub fn largest(&self) -> u8 {
        *self.cells.iter().max().unwrap()
    }

    pub fn need_exactly(&self, n: usize) {
        assert_eq!(self.cells.len(), n);
    }

    pub fn need_three(&self) {
        assert!(self.cells.len() >= 3, "assertion failed");
    }

    pub fn need_cell(&self, cell: u8) -> usize {
        assert!(self.cells.contains(&cell));
        0
    }

    pub fn find(&self, cell: u8) -> usize {
        self.cells.binary_search(&cell).unwrap()
    }
}

/// A size, or one that nothing has. What is between could be refused by the allocator, which ends
/// the process.
fn too_much(size: u64) -> usize {
    if size < 5 { size as usize } else { usize::MAX }
}

/// A text, a map, a cell, a bounded box: what panics in other ways.
#[derive(Debug, Heap)]
pub struct Desk {
    text: String,
    prices: BTreeMap<u8, u8>,
    is_open: bool,
    #[heap(skip)]
    drawer: RefCell<u8>,
    papers: Vec<u8>,
}

#[beget::api]
impl Desk {
    /// Its drawer is open, for good.
    pub fn new() -> Self {
        let drawer = RefCell::new(0);
        std::mem::forget(drawer.borrow_mut());
        Desk { drawer, is_open: true, ..Desk::with_text("né") }
    }

    pub fn with_text(text: &str) -> Self {
        let (prices, drawer) = (BTreeMap::from([(9, 9)]), RefCell::new(0));
        Desk { text: text.to_owned(), prices, is_open: false, drawer, papers: vec![1, 2, 3] }
    }

    pub fn with_room(room: u64) -> Self {
        Desk { papers: Vec::with_capacity(too_much(room)), ..Desk::with_text("") }
    }

    pub fn put_paper(&mut self, paper: u8) {
        assert!(self.papers.len() < 3, "the desk is full");
        self.papers.push(paper);
    }

    pub fn put_two(&mut self) {
        assert!(self.papers.len() < 2, "no room: the desk is full");
        self.papers.extend([1, 2]);
    }

    pub fn need_room(&self) {
        assert!(self.papers.len() < 2, "capacity exceeded");
    }

    pub fn take_paper(&mut self) {
        assert!(!self.papers.is_empty(), "the desk is empty");
        self.papers.pop();
    }

    pub fn len(&self) -> usize {
        self.papers.len()
    }

    pub fn look(&self) -> u8 {
        *self.drawer.borrow()
    }

    pub fn lay(&self, value: u8) {
        *self.drawer.borrow_mut() = value;
    }

    pub fn swap_drawers(&self, other: &Self) {
        self.drawer.swap(&other.drawer);
    }

    pub fn set_price(&mut self, key: u8, price: u8) {
        self.prices.insert(key, price);
    }

    pub fn price(&self, key: u8) -> u8 {
        self.prices[&key]
    }

    pub fn price_of_two(&self, one: u8, other: u8) -> u8 {
        self.prices[&one].max(self.prices[&other])
    }

    pub fn raise(&mut self, key: u8) {
        let price = self.prices[&key];
        self.prices.insert(key, price / 2);
    }

    pub fn prices_between(&self, least: u8, most: u8) -> usize {
        self.prices.range(least..most).count()
    }

    pub fn prices_in(&self, keys: (u16, u16)) -> usize {
        self.prices.range((keys.0 % 100) as u8..=(keys.1 / 2) as u8).count()
    }

    pub fn prices_beyond(&self, least: u8, most: u8) -> usize {
        let ends = (Bound::Excluded(least), Bound::Excluded(most));
        self.prices.range(ends).count()
    }

    pub fn letters_from(&self, skipped: u8) -> usize {
        self.text[usize::from(skipped)..].len()
    }

    pub fn letters_between(&self, low: u8, high: u8) -> usize {
        self.text[usize::from(low)..usize::from(high)].len()
    }

    pub fn cut_text(&mut self, most: u8) {
        self.text.truncate(usize::from(most));
    }

    pub fn insert_letter(&mut self, place: u8, letter: char) {
        self.text.insert(usize::from(place), letter);
    }

    pub fn number(&self, text: &str) -> u8 {
        text.parse().unwrap()
    }

    pub fn small(&self, number: i64) -> u8 {
        u8::try_from(number * 1000).unwrap()
    }

    pub fn add(&self, one: u8, other: u8) -> u8 {
        one + other + 255
    }

    pub fn times(&self, number: u8) -> u8 {
        (number + 1) * 128
    }

    pub fn shift(&self, bits: u32) -> u8 {
        1_u8 << (bits + 7)
    }

    pub fn divide(&self, number: u8, by: u8) -> u8 {
        number / by.saturating_sub(7)
    }

    pub fn rest(&self, number: u8, of: u8) -> u8 {
        number % (of % 2)
    }

    pub fn each(&self, per: u16) -> u16 {
        100 / (per % 7)
    }

    pub fn reserve(&mut self, room: u64) {
        self.papers.reserve(too_much(room));
    }

    pub fn repeat(&self, times: u64) -> usize {
        "ab".repeat(too_much(times)).len()
    }

    pub fn digit(&self, letter: char, radix: u32) -> bool {
        letter.to_digit(radix).is_some()
    }

    pub fn letter(&self, digit: u32, radix: u32) -> bool {
        char::from_digit(digit, radix).is_some()
    }

    pub fn read(&self, text: &str, radix: u8) -> bool {
        u8::from_str_radix(text, u32::from(radix)).is_ok()
    }

    pub fn clamp(&self, value: u8, most: u8) -> u8 {
        value.clamp(8, most)
    }

    pub fn clamp_between(&self, least: i16, most: i16) -> i16 {
        0.clamp(least + 1, most)
    }

    pub fn clamp_float(&self, least: f64, most: f64) -> f64 {
        0.0_f64.clamp(least + 1.0, most)
    }

    pub fn log(&self, number: u8) -> u32 {
        (number % 7).ilog2()
    }

    pub fn root(&self, number: i16) -> i16 {
        (number - 201).isqrt()
    }

    pub fn wait(&self, seconds: f64) -> bool {
        Duration::from_secs_f64(seconds).is_zero()
    }

    pub fn same(&self, one: u8, other: u8) {
        assert_eq!(u16::from(one) + 1, u16::from(other));
    }

    pub fn same_length(&self, text: &str) {
        assert_eq!(self.papers.len() + 1, text.len() + 2);
    }
}

/// How many methods a random run with so many calls has called.
fn called_by_chance(plan: &Plan, seed: u64, max_calls: u64) -> usize {
    let constants = Constants { has_paper: true, has_returned: true, of_source: Vec::new() };
    let options = RandomOptions { seed, max_calls, constants, ..RandomOptions::default() };
    let oracles = RandomOracles {
        asks: &|_| false,
        judge: &mut (),
        coverage: None,
        deaths: &[],
        observer: None,
    };
    let outcome = run(plan, &options, oracles, &InProgress::default(), &mut |_| None);
    let returned = |tally: &&MethodTally| {
        tally.calls.kept + tally.calls.matched + tally.calls.out_of_scope > 0
    };
    outcome.report.by_method.iter().filter(returned).count()
}

/// The same type, calls and literals; chance has the seeds of Randoop besides.
#[test]
fn chance_reaches_fewer_methods_with_as_many_calls() {
    let mut lines = String::new();
    for suite in [Row::suite(), Desk::suite()] {
        let (mut n_methods, mut n_calls, mut called, mut by_chance) = (0, 0, 0, 0);
        for seed in 0..20 {
            let options = CallOptions { seed, ..CallOptions::default() };
            let (plan, report) = report_of(suite.clone(), options);
            n_methods += plan.methods.len();
            n_calls += report.calls;
            called += report.n_called();
            by_chance += called_by_chance(&plan, seed, report.calls);
        }
        assert!(by_chance < called);
        let name = &suite.name;
        lines += &format!(
            "{name}: {called} of {n_methods} methods in {n_calls} calls, by chance {by_chance}\n"
        );
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn none_and_err_are_repaired_if_they_do_not_count() {
    let ok = CallOptions { goal: CallGoal::Ok, ..CallOptions::default() };
    let (plan, report) = report_of(Shelf::suite(), ok);
    let not_called: Vec<_> =
        report.not_called().map(|(idx, reason)| (plan.method_name(idx), reason)).collect();
    assert_eq!(not_called, []);
    let sources = plan.planned_idxs().zip(&report.methods).map(|(idx, method)| {
        let success = method.success.as_ref().unwrap();
        let statements = success.steps.iter().map(|step| step.statement.clone()).collect();
        let sequence = beget_suite::Sequence { statements, result: None };
        format!("{}\n{}\n", plan.method_name(idx), sequence.to_source(&plan.suite).0)
    });
    insta::assert_snapshot!(sources.collect::<String>());
    let failed = plan.planned_idxs().zip(&report.methods).map(|(idx, method)| {
        (plan.method_name(idx), method.failures.first().map(|first| first.cause.as_str()))
    });
    let expected = [
        ("new", None),
        ("take", Some("it returned `None`")),
        ("put", None),
        ("split", Some("it returned `None`")),
        ("find", Some("it returned `None`")),
        ("check_full", Some("it returned `Err(0)`")),
        ("if_full", Some("it returned `None`")),
    ];
    assert_eq!(failed.collect::<BTreeMap<_, _>>(), expected.into());
    let (_, all) = report_of(Shelf::suite(), CallOptions::default());
    assert!(all.methods.iter().all(|method| method.attempts == 1), "{all:?}");
}

/// What may not be there.
#[derive(Clone, Debug, Heap)]
pub struct Shelf {
    books: Vec<u8>,
}

#[beget::api]
impl Shelf {
    pub fn new() -> Self {
        Shelf { books: Vec::new() }
    }

    pub fn take(&mut self) -> Option<u8> {
        self.books.pop()
    }

    pub fn put(&mut self, book: u8) -> Result<(), String> {
        if self.books.len() == 3 {
            return Err("no room".to_owned());
        }
        self.books.push(book);
        Ok(())
    }

    pub fn split(&mut self) -> Option<Self> {
        let half = self.books.len() / 2;
        (half > 0).then(|| Shelf { books: self.books.split_off(half) })
    }

    pub fn find(&self, book: u8) -> Option<usize> {
        self.books.iter().position(|other| *other == book)
    }

    pub fn check_full(&self) -> Result<(), usize> {
        if self.books.len() == 3 { Ok(()) } else { Err(self.books.len()) }
    }

    /// A result that adds no structure, as `None` does.
    pub fn if_full(&self) -> Option<&Self> {
        (self.books.len() == 3).then_some(self)
    }
}

#[test]
fn equal_seeds_give_equal_runs() {
    let shown = |seed| {
        let options = CallOptions { seed, ..CallOptions::default() };
        let (_, report) = report_of(Row::suite(), options);
        format!("{report:?}")
    };
    assert_eq!(shown(3), shown(3));
    assert_ne!(shown(3), shown(4));
}

#[test]
fn a_budget_of_calls_ends_a_run() {
    let options = CallOptions { max_calls: 5, ..CallOptions::default() };
    let (_, report) = report_of(Row::suite(), options);
    // A call may still measure what it leaves.
    assert!((5..=7).contains(&report.calls), "{}", report.calls);
    let reasons: Vec<_> = report.not_called().map(|(_, reason)| reason.to_owned()).collect();
    let untried = "it was not tried: the budget of 5 calls is spent";
    assert!(reasons.iter().any(|reason| reason == untried), "{reasons:?}");
}

#[derive(Clone, Debug, Heap)]
pub struct Stamp(u8);

#[beget::api]
impl Stamp {
    pub fn new(number: u8) -> Self {
        Stamp(number)
    }

    pub fn is_like(&self, other: &Self, by: u8) -> bool {
        self.0.abs_diff(other.0) <= by
    }
}

/// A literal weighs 1; a structure weighs 2, with all that the simplest one takes.
#[test]
fn a_call_is_as_complex_as_all_that_it_takes() {
    let (plan, _) = report_of(Stamp::suite(), CallOptions::default());
    let graph = TypeGraph::of(&plan);
    let complexities: Vec<_> = plan.planned_idxs().map(|method| graph.complexity(method)).collect();
    assert_eq!(complexities, [Some(1), Some(2 * (2 + 1) + 1)]);
    // A type and two methods; one gives the type, and one takes it twice.
    assert_eq!((graph.graph().node_count(), graph.graph().edge_count()), (3, 3));
}
