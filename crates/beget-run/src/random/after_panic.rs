//! Following panics: can a program that catches one go on?
//!
//! The calls of a sequence are repeated up to the one that panics. Its values are inspected and
//! dropped; then the same again, with one more call before the drop, for each call that may follow.
//! `check` does this after a panic (`beget-engine/src/worker/panics.rs`) on structures by recipes.
//! A second panic is ignored, because a method may refuse to work after a panic. A broken invariant
//! or a panicking destructor is a problem, unless it also occurs without the call that panics.

use std::collections::BTreeMap;
use std::sync::Arc;

use beget_engine::{AfterPanicFault, PanicTally, broken_invariant, look_at_value};
use beget_plan::finding::Problem;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Literal, Passing, TypeIdx, Variable};

use crate::random::live::{Live, MadeCall};
use crate::random::policy::may_take;
use crate::random::{CallStep, InProgress};

/// The panics of one method and place that are followed.
const MOST_FOLLOWED: u32 = 4;

/// The number of tuples of literals for a following call.
const MOST_TUPLES: usize = 2;

/// Follows panics, if there are not too many like them.
#[derive(Default)]
pub(crate) struct PanicFollower {
    n_followed: BTreeMap<(PlannedIdx, String), u32>,
    pub(crate) tally: PanicTally,
}

impl PanicFollower {
    /// Returns whether another panic of a method, at this place, is followed. It counts as one
    /// then.
    pub(crate) fn is_due(&mut self, method: PlannedIdx, place: &str) -> bool {
        let n_followed = self.n_followed.entry((method, place.to_owned())).or_default();
        *n_followed += 1;
        *n_followed <= MOST_FOLLOWED
    }

    /// The problem after `steps`, the last of which panics, with the calls that show it. Problems
    /// that the run reports itself are left out: it drops the results of a sequence, and checks
    /// invariants on the values of a panic that `is_kept`.
    pub(crate) fn follow(
        &mut self,
        plan: &Plan,
        in_progress: &InProgress,
        steps: &[CallStep],
        is_kept: bool,
    ) -> Option<(Problem, Vec<CallStep>)> {
        self.tally.followed += 1;
        let told = fault_after_panic(plan, steps);
        if matches!(told, Some(AfterPanicFault::Invariant(_))) && !is_kept {
            self.tally.broken += 1;
            return Some((told?.problem(&when(plan, steps)?), steps.to_vec()));
        }
        let found = calls_after_panic(plan, steps).into_iter().find_map(|next| {
            in_progress.push(Arc::new(next.clone()));
            let steps = [steps, &[next]].concat();
            let fault = fault_after_panic(plan, &steps);
            in_progress.pop();
            let is_told =
                |fault: &AfterPanicFault| told.as_ref().is_some_and(|told| told.is_like(fault));
            let fault = fault.filter(|fault| !is_told(fault))?;
            Some((fault.problem(&when(plan, &steps)?), steps))
        });
        self.tally.broken += u64::from(found.is_some());
        found
    }
}

/// The problem after the panic of the last call, or of the one before it.
pub(crate) fn problem_after_panic(plan: &Plan, steps: &[CallStep]) -> Option<Problem> {
    Some(fault_after_panic(plan, steps)?.problem(&when(plan, steps)?))
}

/// The position of the call that panics, which is the last one or the one before.
fn panicking(steps: &[CallStep]) -> Option<usize> {
    let at = steps.iter().rposition(|step| step.statement.panics)?;
    (at + 2 >= steps.len()).then_some(at)
}

/// When something happened, for people.
fn when(plan: &Plan, steps: &[CallStep]) -> Option<String> {
    let name = |step: &CallStep| Some(plan.method_name(plan.find_planned(step.statement.method)?));
    let at = panicking(steps)?;
    let panicked = name(&steps[at])?;
    Some(match steps.get(at + 1) {
        None => format!("after the panic in `{panicked}`"),
        Some(next) => format!("after the panic in `{panicked}` and a call of `{}`", name(next)?),
    })
}

/// The fault that shows with the call that panics, but not without it.
fn fault_after_panic(plan: &Plan, steps: &[CallStep]) -> Option<AfterPanicFault> {
    let at = panicking(steps)?;
    let (before, [panicked, next @ ..]) = steps.split_at(at) else { return None };
    let found = try_calls(plan, before, Some(panicked), next.first().ok_or(panicked))?;
    let without = try_calls(plan, before, None, next.first().ok_or(panicked));
    without.is_none_or(|without| !found.is_like(&without)).then_some(found)
}

/// Makes calls that go well, and one that panics, if there is one. Then one more is made, or the
/// arguments of a call are looked at, and all is dropped.
fn try_calls(
    plan: &Plan,
    before: &[CallStep],
    panicked: Option<&CallStep>,
    last: Result<&CallStep, &CallStep>,
) -> Option<AfterPanicFault> {
    let mut live = Live::new(plan);
    before.iter().chain(panicked).try_for_each(|step| live.repeat(0, step)).ok()?;
    let broken = match last {
        Ok(next) => match live.make(0, next, false) {
            MadeCall::Returned(outcome, _) if outcome.leaves_structures() => {
                let results = next.statement.bindings.iter().map(|binding| binding.variable);
                broken_of(plan, &live, next.structures().into_iter().chain(results))
            }
            _ => None,
        },
        Err(looked_at) => {
            let left = looked_at.structures();
            let broken = broken_of(plan, &live, left.iter().copied());
            for variable in left {
                if let Some(value) = live.value(variable) {
                    look_at_value(&plan.suite.types[live.type_of(variable).index()].traits, value);
                }
            }
            broken
        }
    };
    let dropped = live.end().err();
    broken.map(AfterPanicFault::Invariant).or(dropped.map(AfterPanicFault::Drop))
}

/// The first invariant that does not hold of a variable.
fn broken_of(
    plan: &Plan,
    live: &Live<'_>,
    mut variables: impl Iterator<Item = Variable>,
) -> Option<Problem> {
    variables.find_map(|variable| {
        let value = live.value(variable)?;
        broken_invariant(&plan.suite.invariants, live.type_of(variable), value)
    })
}

/// The calls that are tried after the panic of the last of `steps`: of each method that takes first
/// what it left.
fn calls_after_panic(plan: &Plan, steps: &[CallStep]) -> Vec<CallStep> {
    let mut live = Live::new(plan);
    let Some(panicked) = steps.last() else { return Vec::new() };
    if steps.iter().try_for_each(|step| live.repeat(0, step)).is_err() {
        return Vec::new();
    }
    let passings = plan.suite.method(panicked.statement.method).structure_params();
    let left = panicked.structures().into_iter().zip(passings);
    let left = left.filter(|(_, (_, passing))| *passing != Passing::Value);
    let left: Vec<(Variable, TypeIdx)> = left.map(|(variable, (ty, _))| (variable, ty)).collect();
    let first = live.n_variables();
    plan.planned_idxs()
        .filter_map(|next| Some((next, structures_for(plan, next, &left, &live.values())?)))
        .flat_map(|(next, structures)| {
            let tuples = first_tuples(plan, next).into_iter();
            tuples.map(move |literals| CallStep::new(plan, next, &structures, literals, first))
        })
        .collect()
}

/// Variables for all structure parameters, the first of them one of `left`.
fn structures_for(
    plan: &Plan,
    next: PlannedIdx,
    left: &[(Variable, TypeIdx)],
    all: &[(Variable, TypeIdx)],
) -> Option<Vec<Variable>> {
    let method = plan.method(next);
    let mut chosen = Vec::new();
    for (index, (ty, _)) in method.structure_params().enumerate() {
        let among = if index == 0 { left } else { all };
        let fits = |&&(variable, of): &&(Variable, TypeIdx)| {
            of == ty && may_take(method, index, variable, &chosen)
        };
        let (variable, _) = among.iter().find(fits)?;
        chosen.push(*variable);
    }
    (!chosen.is_empty()).then_some(chosen)
}

/// The first literals of each parameter, then the second ones.
fn first_tuples(plan: &Plan, next: PlannedIdx) -> Vec<Vec<Literal>> {
    let domains = &plan.planned(next).domains;
    let n_tuples = domains.iter().map(Vec::len).max().unwrap_or(1).min(MOST_TUPLES);
    let literal = |of: &Vec<Literal>, at: usize| of.get(at).or(of.last()).cloned();
    let tuple = |at| domains.iter().map(|domain| literal(domain, at)).collect::<Option<_>>();
    (0..n_tuples).filter_map(tuple).collect()
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_suite::Statement;

    use super::*;
    use crate::random::tests::{call, pens, plan_of};

    /// Once it was knocked over, it breaks when it is filled or tipped.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Flowerpot {
        is_cracked: bool,
        is_broken: bool,
    }

    impl Flowerpot {
        pub fn new() -> Self {
            Flowerpot::default()
        }

        pub fn knock(&mut self) {
            self.is_cracked = true;
            panic!("it falls");
        }

        pub fn fill(&mut self) {
            self.is_broken = self.is_cracked;
        }

        pub fn tip(&mut self) {
            self.fill();
        }

        pub fn is_whole(&self) -> bool {
            !self.is_broken
        }
    }

    beget::suite! {
        #[name = "test::flowerpot"]
        pub suite Flowerpots for Flowerpot {
            fn new() -> Self;
            fn knock(&mut self);
            #[ensures(!self.is_broken)]
            fn fill(&mut self);
            fn tip(&mut self);
            #[invariant]
            fn is_whole(&self) -> bool;
        }
    }

    /// The postcondition of a call is reported where the call is made in a run.
    #[test]
    fn after_a_panic_a_call_must_keep_invariants_unless_it_breaks_a_contract_of_its_own() {
        let plan = plan_of(Flowerpots::suite());
        let step = |statement| CallStep { statement, literals: Vec::new() };
        let problem = |next| {
            let knock = Statement { panics: true, ..call(&plan, "knock", &[0], None) };
            let calls = [call(&plan, "new", &[], Some(0)), knock, call(&plan, next, &[0], None)];
            problem_after_panic(&plan, &calls.map(step)).map(|problem| problem.to_string())
        };
        let message = problem("tip").unwrap();
        assert!(message.contains("after the panic in `knock` and a call of `tip`"), "{message}");
        assert_eq!(problem("fill"), None);
    }

    #[test]
    fn a_call_after_a_panic_takes_first_what_that_left() {
        let plan = pens("");
        let is_like = plan.find_planned(plan.suite.find_method("is_like").unwrap()).unwrap();
        let of = |types: [usize; 2]| {
            [0, 1].map(|number| (Variable(number), TypeIdx::new(types[number])))
        };
        let chosen = |left, all: [_; 2]| structures_for(&plan, is_like, &[left], &all);
        let [pen, other] = of([0, 1]);
        let both = of([0, 0]);
        assert_eq!(chosen(both[1], both), Some(vec![Variable(1), Variable(0)]));
        assert_eq!(chosen(pen, [other, pen]), Some(vec![Variable(0); 2]));
        assert_eq!(chosen(other, [pen, other]), None);
    }
}
