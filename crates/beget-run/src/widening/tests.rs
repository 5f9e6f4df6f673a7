//! Bounds widened step by step, and runs compared by their cuts.
#![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

use beget::{HasSuite as _, Heap};
use beget_engine::Run;
use beget_plan::scope::Overrides;

use super::*;
use crate::random::tests::{Knob, plan_of};
use crate::{Catalog, Input};

/// A number that may be missing.
#[derive(Clone, Debug, Default, Heap)]
pub struct Dimmer {
    level: Option<u8>,
}

#[beget::api(name = "test::dimmer")]
impl Dimmer {
    pub fn new() -> Self {
        Dimmer::default()
    }
}

#[test]
fn a_share_is_large_if_it_is_more_than_a_third() {
    let has_large_share = |calls, explored| {
        let most = Some((PassedBound::Ints, calls));
        Cuts { starved: Vec::new(), few: None, most, explored }.has_large_share()
    };
    assert!(!has_large_share(10, 31) && !has_large_share(10, 30) && has_large_share(10, 29));
}

/// Every step of a bound as a scope file has it, from the first to the last.
fn steps(bound: PassedBound, plan: &Plan) -> Vec<String> {
    let next = |widening: &Widening| widening.with_next(bound, plan);
    std::iter::successors(next(&Widening::default()), next).map(|one| one.to_string()).collect()
}

#[test]
fn bounds_are_widened_step_by_step() {
    let plan = crate::random::tests::pens("");
    let longer = [1, 2, 4, 8, 16, 32, 64];
    let arrays = longer.map(|more| format!(r#"arrays: "k + {more}""#));
    assert_eq!(steps(PassedBound::Arrays, &plan), arrays);
    assert_eq!(steps(PassedBound::Texts, &plan), arrays);
    let pens = longer.map(|more| format!(r#"objects: {{"*": "k", "Pen": "k + {more}"}}"#));
    assert_eq!(steps(PassedBound::Objects { class: 0 }, &plan), pens);
    let mut ints = [16, 64, 256, 1024]
        .map(|more| format!(r#"fields: {{"*": "-k - {more}..=k + {more}"}}"#))
        .to_vec();
    ints.push(r#"fields: {"*": "any"}"#.to_owned());
    assert_eq!(steps(PassedBound::Ints, &plan), ints);
    // Bytes have few values, and a truth value is no byte.
    let field = PassedBound::Field { class: 0, field: 0 };
    let bytes = steps(field, &plan_of(Knob::suite()));
    assert_eq!(bytes, [r#"fields: {"Knob.value": "any"}"#]);
    let bytes = steps(field, &plan_of(Dimmer::suite()));
    assert_eq!(bytes, [r#"fields: {"Dimmer.level": "any"}"#]);
    assert_eq!(steps(field, &plan).len(), 5);
    assert_eq!(steps(PassedBound::Returned, &plan), [""; 0]);
    assert_eq!(steps(PassedBound::Undecided, &plan), [""; 0]);
}

#[test]
fn wider_bounds_are_fields_of_a_scope_or_of_a_check() {
    let plan = crate::random::tests::pens("");
    let all = [PassedBound::Ints, PassedBound::Arrays, PassedBound::Objects { class: 0 }];
    let widening = all.into_iter().fold(Widening::default(), |widening, bound| {
        assert_eq!(widening.is_empty(), bound == PassedBound::Ints);
        widening.with_next(bound, &plan).unwrap()
    });
    let fields = |is: &str| {
        let objects = format!(r#"objects{is} {{"*": "k", "Pen": "k + 1"}}"#);
        format!(r#"{objects}, arrays{is} "k + 1", fields{is} {{"*": "-k - 16..=k + 16"}}"#)
    };
    assert_eq!([widening.to_string(), widening.in_check()], [fields(":"), fields(" =")]);
}

/// Two bounds starve methods, and are tried in their order.
#[test]
fn bounds_are_tried_in_order_until_they_are_settled() {
    let plan = crate::random::tests::pens("");
    let starved = [PassedBound::Arrays, PassedBound::Ints];
    let cuts = |starved: &[PassedBound], explored| Cuts {
        starved: starved.iter().map(|&by| (PlannedIdx::new(0), by)).collect(),
        few: None,
        most: None,
        explored,
    };
    let before = cuts(&starved, MOST_CALLS);
    let (mut widener, all) = (Widener::default(), |_: &str| true);
    let next = |widener: &mut Widener, may_widen: &dyn Fn(&str) -> bool| {
        widener.next(&before, &plan, may_widen).map(ToString::to_string)
    };
    let arrays = |more: u32| Some(format!(r#"arrays: "k + {more}""#));
    assert_eq!(next(&mut widener, &all), arrays(1));
    // A step that was no better is followed by the next one, and one that was is kept.
    assert!(!widener.learn(&before, Some(&before)) && widener.widening.is_empty());
    assert_eq!(next(&mut widener, &all), arrays(2));
    assert!(widener.learn(&before, Some(&cuts(&[PassedBound::Ints], 9))));
    assert_eq!(Some(widener.widening.to_string()), arrays(2));
    assert_eq!(next(&mut widener, &all), arrays(4));
    // A run that does not end settles its bound.
    assert!(!widener.learn(&before, None));
    let ints = r#"arrays: "k + 2", fields: {"*": "-k - 16..=k + 16"}"#;
    assert_eq!(next(&mut widener, &all).unwrap(), ints);
    widener.keep();
    assert_eq!(widener.widening.to_string(), ints);
    assert!(!widener.learn(&before, Some(&cuts(&[], 9))), "none is on trial");
    assert_eq!(next(&mut widener, &|field| field != "fields"), None);
    // One call more, and it would take too long.
    let mut widener = Widener::default();
    assert_eq!(widener.next(&cuts(&starved, MOST_CALLS + 1), &plan, &all), None);
    assert_eq!(
        next(&mut widener, &|field| field == "fields").unwrap(),
        ints.split_once(", ").unwrap().1
    );
}

/// The steps of the one, which does not help, are no part of those of the other.
#[test]
fn a_bound_is_widened_by_itself() {
    let plan = crate::random::tests::pens("");
    let starved = [PassedBound::Arrays, PassedBound::Ints];
    let starved = starved.map(|by| (PlannedIdx::new(0), by)).to_vec();
    let cuts = Cuts { starved, few: None, most: None, explored: 9 };
    let mut widener = Widener::default();
    let mut next = || {
        let next = widener.next(&cuts, &plan, &|_| true).unwrap().to_string();
        assert!(!widener.learn(&cuts, Some(&cuts)));
        next
    };
    let arrays = LONGER.map(|more| format!(r#"arrays: "k + {more}""#));
    assert_eq!(LONGER.map(|_| next()), arrays);
    assert_eq!(next(), r#"fields: {"*": "-k - 16..=k + 16"}"#);
}

/// Knobs have ten numbers, or nine.
#[test]
fn nine_structures_are_few_if_a_bound_was_passed() {
    let few = |n: u32, n_set: u32| {
        let fields = format!(r#"fields: {{"Knob.value": "0..{n}"}}, ints: "0..{n_set}""#);
        let text = format!(r#"Scope(suite: "test::knob", k: 1, {fields})"#);
        let input = Input::of_text("knob.ron", text, Catalog::new(vec![Knob::suite()]));
        let plan = input.unwrap().resolve(&Overrides::default()).unwrap().plan;
        Cuts::of(&Run::new(plan).go()).few
    };
    assert_eq!([few(10, 11), few(9, 10), few(9, 9)], [None, Some(9), None]);
}

#[test]
fn a_step_that_only_lets_more_through_is_tried_once() {
    let plan = crate::random::tests::pens("");
    let cuts = |few, calls| {
        let most = Some((PassedBound::Arrays, calls));
        Cuts { starved: Vec::new(), few, most, explored: 30 }
    };
    // A bound that cuts little is left alone, unless there are few structures.
    let of = |cuts: &Cuts| Widener::default().next(cuts, &plan, &|_| true).is_some();
    assert_eq!(
        [of(&cuts(None, 10)), of(&cuts(None, 11)), of(&cuts(Some(9), 1))],
        [false, true, true,]
    );
    for (before, has_next) in [(cuts(None, 11), false), (cuts(Some(9), 11), true)] {
        let mut widener = Widener::default();
        assert!(widener.next(&before, &plan, &|_| true).is_some());
        assert!(!widener.learn(&before, Some(&before)));
        assert_eq!(widener.next(&before, &plan, &|_| true).is_some(), has_next);
    }
    let bettered = |before: Cuts, after: Cuts| before.is_bettered_by(&after, PassedBound::Ints);
    assert!(bettered(cuts(None, 11), cuts(None, 10)) && !bettered(cuts(None, 12), cuts(None, 11)));
    assert!(!bettered(cuts(None, 10), cuts(None, 9)));
    assert!(
        bettered(cuts(Some(3), 1), cuts(Some(4), 1)) && bettered(cuts(Some(3), 1), cuts(None, 1))
    );
    assert!(
        !bettered(cuts(Some(3), 1), cuts(Some(3), 1)) && !bettered(cuts(None, 1), cuts(None, 1))
    );
    assert!(
        !bettered(cuts(None, 1), cuts(Some(3), 1)) && !bettered(cuts(Some(4), 1), cuts(Some(3), 1))
    );
}

/// The other method is starved by another bound in both, or once more.
#[test]
fn a_run_is_better_if_the_wider_bound_starves_fewer_methods() {
    let cuts = |starved: &[PassedBound]| {
        let starved = starved.iter().map(|&by| (PlannedIdx::new(0), by)).collect();
        Cuts { starved, few: None, most: None, explored: 9 }
    };
    let (ints, arrays) = (PassedBound::Ints, PassedBound::Arrays);
    let (two, one) = (cuts(&[ints, ints]), cuts(&[ints, arrays]));
    assert!(two.is_bettered_by(&one, ints) && !one.is_bettered_by(&two, ints));
    assert!(one.is_bettered_by(&two, arrays) && !two.is_bettered_by(&two, ints));
    assert!(two.is_bettered_by(&cuts(&[ints]), arrays));
}
