//! Films of calls on spools of pictures.
#![allow(
    unreachable_pub,
    missing_docs,
    clippy::new_without_default,
    reason = "the type stands for one of a library"
)]

use beget::{HasSuite as _, Heap};
use beget_plan::finding::Witness;

use super::*;
use crate::random::tests::{call, plan_of, sequence};

/// Pictures in a row.
#[derive(Clone, Debug, Heap)]
#[allow(clippy::vec_box, reason = "each picture is an object")]
pub struct Spool {
    pictures: Vec<Box<bool>>,
}

impl Spool {
    fn of(n: usize) -> Self {
        Spool { pictures: vec![Box::new(true); n] }
    }
}

#[beget::api(name = "test::spool")]
impl Spool {
    pub fn new() -> Self {
        Spool::of(0)
    }

    pub fn add(&mut self) {
        self.pictures.push(Box::new(true));
    }

    /// More pictures than are shown.
    pub fn long() -> Self {
        Spool::of(2_001)
    }

    pub fn copy(&self) -> Self {
        self.clone()
    }

    pub fn copy_if_long(&self) -> Option<Self> {
        (self.pictures.len() > 100).then(|| self.clone())
    }

    /// Only the second is wrong.
    pub fn two(&self) -> (Self, Self) {
        (Spool::of(1), Spool::of(5))
    }

    pub fn tear(&mut self) {
        panic!("it is torn");
    }

    pub fn burn(&mut self) {
        std::process::abort();
    }

    #[beget::invariant]
    fn is_short(&self) -> bool {
        self.pictures.len() < 4
    }
}

/// A spool, on which these are called.
fn calls(plan: &Plan, names: &[&str]) -> Sequence {
    let new = call(plan, "new", &[], Some(0));
    let others = names.iter().map(|name| call(plan, name, &[0], None));
    let result = Some(Variable(0));
    Sequence { result, ..sequence(&std::iter::once(new).chain(others).collect::<Vec<_>>()) }
}

/// A film of a problem that the last call of a sequence shows.
fn film(plan: &Plan, problem: Problem, calls: Sequence) -> Film {
    let witness = Witness { is_call: true, ..Witness::of_sequence(calls) };
    FilmMaker::new(plan).film(&Finding { problem, count: 1, witness })
}

fn panic() -> Problem {
    Problem::new(Kind::Panic, "it panicked")
}

fn returned(film: &Film) -> Vec<Option<&str>> {
    film.steps.iter().map(|step| step.returned.as_deref()).collect()
}

const EMPTY: &str = "Spool#0 { pictures: #1 }; Vec<alloc::boxed::Box<bool>>#1 { length: 0 }";

/// The structure that the witness names is what the call was made on.
#[test]
fn the_last_call_of_a_film_shows_what_it_returns() {
    let plan = plan_of(Spool::suite());
    let last = |name: &str, problem: Problem| {
        let film = film(&plan, problem, calls(&plan, &[name]));
        let step = film.steps.last().unwrap();
        let n_objects = step.heap.as_ref().map(|heap| heap.objects().len());
        (step.returned.clone().unwrap(), step.variable.clone().unwrap(), n_objects)
    };
    let spool = "spool".to_owned();
    assert_eq!(last("copy", panic()), (EMPTY.to_owned(), spool.clone(), Some(2)));
    assert_eq!(last("copy_if_long", panic()), ("None".to_owned(), spool.clone(), Some(2)));
    assert_eq!(last("two", panic()), ("_".to_owned(), spool, Some(2)));
    // Without a variable of its own, and of more than one object.
    let invariant = Problem::new(Kind::Invariant, "it breaks").with_name("is_short");
    assert_eq!(last("two", invariant), ("_".to_owned(), "_".to_owned(), Some(7)));
}

#[test]
fn a_structure_that_is_too_large_is_not_shown() {
    let plan = plan_of(Spool::suite());
    let long = sequence(&[call(&plan, "long", &[], Some(0))]);
    let film = FilmMaker::new(&plan).film_calls(&long);
    assert_eq!((returned(&film), film.steps[0].heap.is_none()), (vec![Some("_")], true));
}

/// Of a call in the middle the result, and of the last one its first argument.
#[test]
fn a_film_shows_the_structure_that_a_call_is_about() {
    let plan = plan_of(Spool::suite());
    let copies = [0, 1].map(|from| call(&plan, "copy", &[from], Some(from + 1)));
    let calls = sequence(&[&[call(&plan, "new", &[], Some(0))], &copies[..]].concat());
    let film = FilmMaker::new(&plan).film_calls(&calls);
    let about: Vec<_> = film.steps.iter().map(|step| step.variable.as_deref()).collect();
    assert_eq!(about, [Some("spool"), Some("spool_2"), Some("spool_2")]);
    assert_eq!((returned(&film), film.gap), (vec![Some(EMPTY); 3], None));
}

#[test]
fn a_call_that_may_end_its_process_is_not_made_again() {
    let plan = plan_of(Spool::suite());
    let of = |problem: Problem| {
        let film = film(&plan, problem, calls(&plan, &["add", "add"]));
        (returned(&film).iter().flatten().count(), film.gap)
    };
    let lies = panic().with_name(ELEMENTS_SURVIVE_LIES);
    let not_made = Some(FilmGap::LastCallNotMade);
    assert_eq!([of(Problem::new(Kind::Crash, "it died")), of(lies)], [(2, not_made); 2]);
    assert_eq!(of(panic()), (3, None));
}

#[test]
fn calls_after_a_panic_are_not_made_again() {
    let plan = plan_of(Spool::suite());
    let film = film(&plan, panic(), calls(&plan, &["tear", "add"]));
    let torn = vec![Some(EMPTY), Some("panicked: it is torn"), None];
    assert_eq!((returned(&film), film.gap), (torn, Some(FilmGap::Differs)));
}

#[cfg(target_os = "linux")]
#[test]
fn no_films_are_made_after_three_threads_are_left() {
    let plan = plan_of(Spool::suite());
    let mut films = FilmMaker::new(&plan);
    let gaps = [(); 4].map(|()| films.film_calls(&calls(&plan, &["burn"])).gap.unwrap());
    let stopped = FilmGap::Stopped;
    assert_eq!(gaps, [stopped, stopped, stopped, FilmGap::NotMade]);
}

#[test]
fn of_the_last_calls_five_thousand_objects_are_kept() {
    let kept = |pictures: usize, n: usize| {
        let heap = Some(HeapGraph::of(&Spool::of(pictures)));
        let mut steps = vec![FilmStep { heap, ..FilmStep::default() }; n];
        cut_heaps(&mut steps);
        steps.iter().filter(|step| step.heap.is_some()).count()
    };
    // Each spool is two objects more. The last one is always kept.
    assert_eq!([kept(48, 102), kept(49, 102), kept(5_000, 2)], [100, 98, 1]);
}
