//! The methods that a search calls: those of the main type, of all types, and of traits.

use std::hash::{Hash, Hasher};

use beget::Heap;
use beget::suites::HasSuite;
use beget_plan::scope::Plan;
use beget_process::coverage::marks;
use beget_run::random::{GenePlan, PoolBounds, Targets};

use super::{SMALL, plan_of, read, search_of, text_of};
use crate::evolve::*;

marks! {
    /// A point for each function of [`Lamp`], [`Switch`] and [`Fuse`].
    static MARKS: 7 points, 1;
}

/// Is as its switch.
#[derive(Clone, Debug, Heap)]
pub struct Lamp {
    is_on: bool,
}

/// An argument of lamps.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Switch {
    is_on: bool,
}

/// An argument of switches, but not of lamps.
#[derive(Clone, Debug, Heap)]
pub struct Fuse {
    is_blown: bool,
}

impl Lamp {
    fn new() -> Self {
        MARKS.note(0, 0);
        Lamp { is_on: false }
    }

    fn set(&mut self, switch: &Switch) {
        MARKS.note(1, 0);
        self.is_on = switch.is_on;
    }
}

impl Switch {
    fn new() -> Self {
        MARKS.note(2, 0);
        Switch { is_on: false }
    }

    fn turn(&mut self) {
        MARKS.note(3, 0);
        self.is_on = !self.is_on;
    }

    fn trip(&mut self, fuse: Fuse) {
        MARKS.note(4, 0);
        self.is_on &= !fuse.is_blown;
    }
}

impl Fuse {
    fn new() -> Self {
        MARKS.note(5, 0);
        Fuse { is_blown: false }
    }
}

impl Hash for Lamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        MARKS.note(6, 0);
        self.is_on.hash(state);
    }
}

beget::suite! {
    #[name = "test::lamps"]
    suite Lamps {
        for Lamp {
            fn new() -> Self;
            fn set(&mut self, switch: &Switch);
        }
        for Switch {
            fn switch() -> Self = Self::new;
            fn turn(&mut self);
            fn trip(&mut self, fuse: Fuse);
        }
        for Fuse {
            fn fuse() -> Self = Self::new;
        }
    }
}

fn called(plan: &Plan, targets: Targets) -> Vec<&'static str> {
    let genes = GenePlan::new(plan, targets);
    let methods = plan.planned_idxs().zip(&genes.methods);
    let called = methods.filter(|(_, method)| method.is_target);
    called.map(|(idx, _)| plan.method_name(idx)).collect()
}

const OF_MAIN: [&str; 3] = ["new", "set", "switch"];
const OF_ALL: [&str; 6] = ["new", "set", "switch", "turn", "trip", "fuse"];

#[test]
fn targets_are_methods_of_the_main_type_with_constructors_or_of_all_types() {
    let plan = plan_of(Lamps::suite());
    assert_eq!(called(&plan, Targets::MainType), OF_MAIN);
    assert_eq!(called(&plan, Targets::Deep), OF_ALL);
    let enriched = plan.enriched();
    assert_eq!(called(&enriched, Targets::MainType), [&OF_MAIN[..], &["clone", "hash"]].concat());
    let of_traits = ["clone", "hash", "Switch::clone", "Switch::eq", "Fuse::clone"];
    assert_eq!(called(&enriched, Targets::Deep), [&OF_ALL[..], &of_traits].concat());
}

#[test]
fn a_search_covers_what_its_targets_do_and_nothing_else() {
    let plan = plan_of(Lamps::suite());
    let covers = |plan: &Plan, targets| {
        let options = EvolveOptions { targets, ..SMALL };
        let report = search_of(&options, PointSource::Blocks(&MARKS), plan);
        report.generations.last().map(|last| last.most_points)
    };
    let enriched = plan.clone().enriched();
    assert_eq!(covers(&plan, Targets::MainType), Some(3));
    assert_eq!(covers(&enriched, Targets::MainType), Some(4));
    assert_eq!(covers(&plan, Targets::Deep), Some(6));
    assert_eq!(covers(&enriched, Targets::Deep), Some(7));
}

#[test]
fn genes_of_trait_methods_are_read_where_these_take_part() {
    let plan = plan_of(Lamps::suite());
    let enriched = plan.clone().enriched();
    let of = |plan: &Plan| GenePlan::new(plan, Targets::Deep);
    let genes = of(&enriched);
    let mut chromosome = template(&genes);
    chromosome.methods.iter_mut().for_each(|method| method.weight += 1);
    assert_eq!(chromosome.pools[0][0].bounds, PoolBounds::Unbounded);
    let text = text_of(&enriched, &genes, &chromosome);
    assert_eq!(read(&text, &enriched, &genes).as_ref(), Ok(&chromosome));
    let message = read(&text, &plan, &of(&plan)).unwrap_err().to_string();
    assert!(
        message.contains("`Fuse::clone`; it is of a trait: `enrich: true` adds these"),
        "{message}"
    );
    assert!(text.contains("enrich: true"));
    let without = text_of(&plan, &of(&plan), &template(&of(&plan)));
    let other = without.replacen("\"switch\": Method", "\"swich\": Method", 1);
    let message = read(&other, &plan, &of(&plan)).unwrap_err().to_string();
    assert!(message.contains("`swich`; did you mean `switch`?"), "{message}");
    let message = read(&without, &enriched, &genes).unwrap_err().to_string();
    assert!(message.contains("there are no genes for `clone`"), "{message}");
}
