//! Films of findings: what each call of a witness returned, left and changed.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use beget::{HasSuite, Heap};
use beget_plan::finding::{Finding, Kind, Problem, Witness};
use beget_run::{FilmMaker, FilmStep};
use beget_suite::{Argument, MethodIdx, Recipe};
use common::plan;

/// A list that owns its nodes.
#[derive(Clone, Heap)]
pub struct Chain {
    first: Option<Box<Link>>,
}

#[derive(Clone, Heap)]
struct Link {
    value: u8,
    next: Option<Box<Link>>,
}

/// A chain of small numbers.
#[beget::api(name = "chain")]
impl Chain {
    /// Nothing.
    pub fn new() -> Self {
        Chain { first: None }
    }

    /// One more in front.
    pub fn push(&mut self, value: u8) {
        let next = self.first.take();
        self.first = Some(Box::new(Link { value, next }));
    }

    /// The one in front.
    pub fn pop(&mut self) -> Option<u8> {
        let first = self.first.take()?;
        self.first = first.next;
        Some(first.value)
    }

    /// Takes the links of another one.
    pub fn steal(&mut self, other: &mut Chain) {
        self.first = other.first.take();
    }

    /// All but the one in front.
    pub fn rest(&self) -> Option<Chain> {
        let first = self.first.as_ref()?;
        Some(Chain { first: first.next.clone() })
    }

    /// Panics when it has taken the links.
    pub fn lose(&mut self) {
        let n_lost = self.first.take().map_or(0, |first| first.value);
        panic!("{n_lost} is lost");
    }
}

fn new() -> Recipe {
    Recipe { method: MethodIdx::new(0), arguments: Vec::new(), output: 0, panics: false }
}

/// A call of a method on the receiver of `recipe` and other arguments.
fn then(recipe: Recipe, method: usize, mut others: Vec<Argument>) -> Recipe {
    let mut arguments = vec![Argument::Structure(Box::new(recipe))];
    arguments.append(&mut others);
    Recipe { method: MethodIdx::new(method), arguments, output: 0, panics: false }
}

fn push(recipe: Recipe, value: u8) -> Recipe {
    then(recipe, 1, vec![Argument::Literal(value.to_string())])
}

fn film_of(witness: Witness) -> Vec<FilmStep> {
    let plan = plan(Chain::suite(), r#"k: 3, objects: {"*": "k"}, ints: "0..k""#);
    let problem = Problem::new(Kind::Property, "it does not hold");
    let film = FilmMaker::new(&plan).film(&Finding { problem, count: 1, witness });
    assert_eq!(film.gap, None);
    film.steps
}

fn changes(step: &FilmStep) -> Vec<String> {
    step.changes.iter().map(|(variable, change)| format!("{variable}: {change}")).collect()
}

#[test]
fn what_lives_on_keeps_its_identity() {
    let recipe = then(push(push(new(), 1), 2), 2, Vec::new());
    let [new, first, second, pop] = &film_of(Witness::of_recipe(recipe))[..] else { panic!() };
    assert_eq!(new.returned.as_deref(), Some("Chain#0 { first: None }"));
    assert_eq!(new.source, "let mut chain = Chain::new();");
    let pushed = ["chain: ~ Chain#0 first: None -> #1", "chain: + Link#1 { next: None, value: 1 }"];
    assert_eq!(changes(first), pushed);
    let pushed = ["chain: ~ Chain#0 first: #2 -> #1", "chain: + Link#1 { next: #2, value: 2 }"];
    assert_eq!(changes(second), pushed);
    let popped = [
        "chain: ~ Chain#0 first: a Link that is gone -> #1",
        "chain: - Link#1 { next: #1, value: 2 }",
    ];
    assert_eq!(
        (changes(pop), pop.returned.as_deref()),
        (popped.map(str::to_owned).to_vec(), Some("Some(2)"))
    );
    let heap = pop.heap.as_ref().unwrap();
    assert_eq!(heap.lines(), ["Chain#0 { first: #1 }", "Link#1 { next: None, value: 1 }"]);
}

#[test]
fn a_call_may_change_two_structures() {
    let other = Argument::Structure(Box::new(push(new(), 1)));
    let steps = film_of(Witness::of_recipe(then(new(), 3, vec![other])));
    let stolen = [
        "chain: ~ Chain#0 first: None -> #1",
        "chain: + Link#1 { next: None, value: 1 }",
        "chain_2: ~ Chain#0 first: a Link that is gone -> None",
        "chain_2: - Link#1 { next: None, value: 1 }",
    ];
    assert_eq!(changes(steps.last().unwrap()), stolen);
}

#[test]
fn a_structure_that_a_call_returns_is_new_as_a_whole() {
    let mut recipe = then(push(push(new(), 1), 2), 4, Vec::new());
    recipe.output = 1;
    let steps = film_of(Witness::of_recipe(recipe));
    let rest = steps.last().unwrap();
    let lines = ["Chain#0 { first: #1 }", "Link#1 { next: None, value: 1 }"];
    assert_eq!(rest.heap.as_ref().unwrap().lines(), lines);
    assert_eq!((changes(rest), rest.variable.as_deref()), (Vec::new(), Some("chain_2")));
}

#[test]
fn what_a_panic_leaves_is_shown() {
    let steps = film_of(Witness::of_call(then(push(new(), 2), 5, Vec::new())));
    let lost = steps.last().unwrap();
    assert_eq!(lost.returned.as_deref(), Some("panicked: 2 is lost"));
    assert_eq!(lost.heap.as_ref().unwrap().lines(), ["Chain#0 { first: None }"]);
    assert_eq!(changes(lost)[0], "chain: ~ Chain#0 first: a Link that is gone -> None");
}

#[test]
fn of_long_recipes_the_last_steps_have_heaps() {
    let recipe = (0..100).fold(new(), |recipe, number| push(recipe, number % 3));
    let steps = film_of(Witness::of_recipe(recipe));
    assert_eq!(steps.len(), 101);
    let sizes: Vec<usize> = steps
        .iter()
        .map(|step| step.heap.as_ref().map_or(0, |heap| heap.objects().len()))
        .collect();
    assert_eq!((sizes[50], sizes[51], sizes[100]), (0, 52, 101));
    assert!(steps.iter().all(|step| step.returned.is_some()));
    // 98 + 99 + 100 + 101 objects and so on back are more than are kept.
    let recipe = (0..400).fold(new(), |recipe, number| push(recipe, number as u8 % 3));
    let steps = film_of(Witness::of_recipe(recipe));
    let n_heaps = steps.iter().filter(|step| step.heap.is_some()).count();
    let kept: usize = (0..n_heaps).map(|back| 401 - back).sum();
    assert_eq!((n_heaps, kept <= 5_000, kept + 401 - n_heaps > 5_000), (12, true, true));
}

/// Of more than 2,000 links no heap is shown, and 5,000 objects are kept.
#[test]
fn of_thousands_of_objects_there_is_no_heap() {
    let recipe = (0..2_001).fold(new(), |recipe, number| push(recipe, (number % 3) as u8));
    let steps = film_of(Witness::of_recipe(recipe));
    let sizes = steps.iter().rev().map(|step| step.heap.as_ref().map(|heap| heap.objects().len()));
    assert_eq!(sizes.take(4).collect::<Vec<_>>(), [None, Some(2_001), Some(2_000), None]);
}
