//! Making calls that show something fewer and simpler.
//!
//! Statements are deleted, in halves, quarters, and so on down to one (Zeller and Hildebrandt,
//! Simplifying and isolating failure-inducing input, TSE 2002), each with those that depend on it;
//! a structure takes the place of another one of its type; literals become simpler. What is kept
//! shows the same, so the result does as well. It is no longer than it need be in the sense that
//! none of these steps makes it shorter.

use std::collections::BTreeSet;

use beget_heap::CanonicalForm;
use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_process::guard::guarded;
use beget_suite::{DomainKind, Literal, LiteralDomain, Operand, Pools, Sequence, Variable};

use crate::random::fragment::{steps_of, to_sequence};
use crate::random::inspect::Inspector;
use crate::random::live::Live;
use crate::random::trial::like;
use crate::random::{CallStep, Fragment};

/// Most calls that are made to minimise one finding.
const MOST_CALLS: usize = 1_000_000;

/// Most variables of which each is tried in place of each other one.
const MOST_MERGED: usize = 24;

/// Most literals that are tried in place of one.
const MOST_LITERALS: usize = 32;

/// The calls of `sequence` without what is not needed for its last call to show `problem`, and what
/// the remaining calls show: a problem of the same cause. `None` if they do not show it, or it is
/// none of calls.
///
/// The sequence may come from any run: its literals are those of the plan.
pub fn minimize(
    plan: &Plan,
    sequence: &Sequence,
    problem: &Problem,
) -> Option<(Sequence, Problem)> {
    let (steps, _) = steps_of(plan, sequence)?;
    let (steps, problem) = minimize_steps(plan, steps, problem)?;
    Some((to_sequence(&steps, None), problem))
}

/// The calls of `sequence` without what is not needed for `shows` to be true of it, with the last
/// call; `None` if it is not true of the whole.
pub fn minimize_by(
    plan: &Plan,
    sequence: &Sequence,
    shows: &dyn Fn(&Sequence) -> bool,
) -> Option<Sequence> {
    let (steps, _) = steps_of(plan, sequence)?;
    let last = steps.last()?.statement.method;
    let shows = |candidate: &Reduction| {
        let is_last = candidate.steps.last().is_some_and(|step| step.statement.method == last);
        is_last && shows(&to_sequence(&candidate.steps, None))
    };
    let whole = Reduction { steps, marks: Vec::new() };
    let candidate = shows(&whole).then(|| Shrinker::new(plan, &shows).shrink(whole))?;
    Some(to_sequence(&candidate.steps, None))
}

/// Like [`minimize_by`], where it takes long to ask about one sequence: `first` says which of some
/// is the first that shows it.
pub fn minimize_by_many(
    plan: &Plan,
    sequence: &Sequence,
    first: &dyn Fn(&[Sequence]) -> Option<usize>,
) -> Option<Sequence> {
    let (steps, _) = steps_of(plan, sequence)?;
    let last = steps.last()?.statement.method;
    let first = |candidates: &[Reduction]| {
        let ends_so = |candidate: &Reduction| {
            candidate.steps.last().is_some_and(|step| step.statement.method == last)
        };
        let ending: Vec<usize> =
            (0..candidates.len()).filter(|&at| ends_so(&candidates[at])).collect();
        let sequences: Vec<Sequence> =
            ending.iter().map(|&at| to_sequence(&candidates[at].steps, None)).collect();
        first(&sequences).map(|found| ending[found])
    };
    let whole = Reduction { steps, marks: Vec::new() };
    first(std::slice::from_ref(&whole))?;
    let candidate = Shrinker::by_many(plan, &first).shrink(whole);
    Some(to_sequence(&candidate.steps, None))
}

/// Like [`minimize`], for steps with any literals.
pub(crate) fn minimize_steps(
    plan: &Plan,
    steps: Vec<CallStep>,
    problem: &Problem,
) -> Option<(Vec<CallStep>, Problem)> {
    like(plan, &steps, problem)?;
    let last = steps.last()?.statement.method;
    let shows_same = |candidate: &Reduction| {
        let is_last = candidate.steps.last().is_some_and(|step| step.statement.method == last);
        is_last && like(plan, &candidate.steps, problem).is_some()
    };
    let whole = Reduction { steps, marks: Vec::new() };
    let Reduction { steps, .. } = Shrinker::new(plan, &shows_same).shrink(whole);
    let problem = like(plan, &steps, problem)?;
    Some((steps, problem))
}

/// The calls without what is not needed for `variable` to hold a structure of which `shows` is
/// true, by its canonical form in the coding of the plan; `None` if it is not true of what the
/// calls give.
pub(crate) fn minimize_structure(
    plan: &Plan,
    fragment: &Fragment,
    variable: Variable,
    shows: &dyn Fn(&CanonicalForm) -> bool,
) -> Option<(Vec<CallStep>, Variable)> {
    let shows = |candidate: &Reduction| {
        let mut live = Live::new(plan);
        let ran = candidate.steps.iter().try_for_each(|step| live.repeat(0, step));
        let form = |mark| guarded(|| Inspector::new(plan).form(&live, mark)).ok().flatten();
        let forms = candidate.marks.iter().map(|&mark| form(mark));
        ran.is_ok() && forms.into_iter().all(|left| left.is_some_and(|left| shows(&left.form)))
    };
    let whole = Reduction { steps: fragment.to_steps(), marks: vec![variable] };
    let candidate = shows(&whole).then(|| Shrinker::new(plan, &shows).shrink(whole))?;
    Some((candidate.steps, candidate.marks[0]))
}

/// Calls that may show the same.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub(crate) steps: Vec<CallStep>,
    /// The structures that are meant, if it is not the last call that is.
    pub(crate) marks: Vec<Variable>,
}

/// A shrinking in progress.
pub(crate) struct Shrinker<'s> {
    plan: &'s Plan,
    shows: Shows<'s>,
    /// How many calls may still be made.
    left: usize,
}

/// Says which candidates show it.
enum Shows<'s> {
    /// Tests one candidate.
    Each(&'s dyn Fn(&Reduction) -> bool),
    /// Finds the first of some candidates that shows it.
    First(&'s dyn Fn(&[Reduction]) -> Option<usize>),
}

impl<'s> Shrinker<'s> {
    /// For calls of `plan`.
    pub(crate) fn new(plan: &'s Plan, shows: &'s dyn Fn(&Reduction) -> bool) -> Self {
        Shrinker { plan, shows: Shows::Each(shows), left: MOST_CALLS }
    }

    /// For calls of `plan`, of whom it takes long to ask about one: many are asked about at once.
    fn by_many(plan: &'s Plan, first: &'s dyn Fn(&[Reduction]) -> Option<usize>) -> Self {
        Shrinker { plan, shows: Shows::First(first), left: MOST_CALLS }
    }

    /// A smaller candidate that shows the same as `candidate`, which does.
    pub(crate) fn shrink(mut self, mut candidate: Reduction) -> Reduction {
        loop {
            let before = candidate.steps.len();
            self.delete(&mut candidate);
            self.merge(&mut candidate);
            if candidate.steps.len() == before {
                break;
            }
        }
        self.simplify(&mut candidate);
        self.delete(&mut candidate);
        candidate
    }

    /// The first of those tried that is a sequence and shows the same, with its position.
    fn first(
        &mut self,
        tried: impl Iterator<Item = Option<Reduction>>,
    ) -> Option<(usize, Reduction)> {
        let Shrinker { plan, ref shows, ref mut left } = *self;
        let is_sequence =
            |tried: &Reduction| to_sequence(&tried.steps, None).check(&plan.suite).is_ok();
        let tried = tried.enumerate().filter_map(|(at, tried)| Some((at, tried?)));
        let mut tried = tried.filter(|(_, tried)| {
            let is_tried = tried.steps.len() <= *left && is_sequence(tried);
            *left -= if is_tried { tried.steps.len() } else { 0 };
            is_tried
        });
        match shows {
            Shows::Each(shows) => tried.find(|(_, tried)| shows(tried)),
            Shows::First(first) => {
                let (positions, mut tried): (Vec<usize>, Vec<Reduction>) = tried.unzip();
                let found = (!tried.is_empty()).then(|| first(&tried)).flatten()?;
                Some((positions[found], tried.swap_remove(found)))
            }
        }
    }

    fn delete(&mut self, candidate: &mut Reduction) {
        let mut size = candidate.steps.len().div_ceil(2);
        while size > 0 {
            // From the end: what others depend on is deleted after them.
            let mut end = candidate.steps.len();
            loop {
                let ends = (0..=end).rev().step_by(size).take_while(|&end| end > 0);
                let ranges = ends.map(|end| end.saturating_sub(size)..end);
                let found = self.first(ranges.map(|range| candidate.without(range)));
                let Some((at, shorter)) = found else { break };
                *candidate = shorter;
                end = end.saturating_sub((at + 1) * size).min(candidate.steps.len());
            }
            size /= 2;
        }
    }

    fn merge(&mut self, candidate: &mut Reduction) {
        let mut number = candidate.types(self.plan).len();
        if number > MOST_MERGED {
            return;
        }
        while number > 0 {
            number -= 1;
            let types = candidate.types(self.plan);
            if number >= types.len() || !candidate.uses(Variable(number)) {
                continue;
            }
            let earlier = (0..number).filter(|&earlier| types[earlier] == types[number]);
            let merged = earlier
                .map(|earlier| Some(candidate.with_other(Variable(number), Variable(earlier))));
            if let Some((_, merged)) = self.first(merged) {
                *candidate = merged;
            }
        }
    }

    fn simplify(&mut self, candidate: &mut Reduction) {
        for step in 0..candidate.steps.len() {
            for literal in 0..candidate.steps[step].literals.len() {
                let simpler = self.simpler(&candidate.steps[step], literal).into_iter();
                let simpler =
                    simpler.map(|simpler| Some(candidate.with_literal(step, literal, simpler)));
                if let Some((_, simpler)) = self.first(simpler) {
                    *candidate = simpler;
                }
            }
        }
    }

    /// Literals that are simpler than one of a step, the simplest first: those of the scope that
    /// come before it, and integers nearer to 0.
    fn simpler(&self, step: &CallStep, index: usize) -> Vec<Literal> {
        let Some(planned) = self.plan.find_planned(step.statement.method) else {
            return Vec::new();
        };
        let source = &step.literals[index].source;
        let of_scope = &self.plan.planned(planned).domains[index];
        let before = of_scope.iter().take_while(|literal| literal.source != *source);
        let mut simpler: Vec<Literal> = before.take(MOST_LITERALS).cloned().collect();
        let param = self.plan.method(planned).literal_params().nth(index);
        if let Some((_, domain)) = param
            && domain.kind == DomainKind::Ints
            && let Ok(int) = source.parse::<i128>()
            && !of_scope.iter().any(|literal| literal.source == *source)
        {
            simpler.extend(smaller_ints(domain, int));
        }
        simpler
    }
}

/// Integers nearer to 0 as literals.
fn smaller_ints(domain: &LiteralDomain, int: i128) -> Vec<Literal> {
    let mut ints = vec![0, int.signum(), int / 4, int / 2, int - int.signum()];
    ints.retain(|smaller| smaller.unsigned_abs() < int.unsigned_abs());
    ints.dedup();
    let pools = Pools { ints: Some(ints), clamp: true, ..Pools::default() };
    (domain.literals)(&pools).unwrap_or_default()
}

impl Reduction {
    /// The types of all variables, by number.
    fn types(&self, plan: &Plan) -> Vec<usize> {
        let outputs = self.steps.iter().flat_map(|step| {
            let outputs = &plan.suite.method(step.statement.method).outputs;
            step.statement.bindings.iter().map(|binding| outputs[binding.output].ty.index())
        });
        outputs.collect()
    }

    fn uses(&self, variable: Variable) -> bool {
        self.marks.contains(&variable)
            || self.steps.iter().any(|step| step.structures().contains(&variable))
    }

    /// Without some steps and those that take what they give; `None` if something is meant that
    /// these give, or nothing would be left.
    pub(crate) fn without(&self, range: std::ops::Range<usize>) -> Option<Reduction> {
        let mut gone = BTreeSet::new();
        let mut kept = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            let depends = step.structures().iter().any(|variable| gone.contains(variable));
            match range.contains(&index) || depends {
                true => gone.extend(step.statement.bindings.iter().map(|one| one.variable)),
                false => kept.push(step.clone()),
            }
        }
        let is_meant = self.marks.iter().any(|mark| gone.contains(mark));
        let ends_else = self.marks.is_empty() && range.end == self.steps.len();
        (!is_meant && !ends_else && !kept.is_empty())
            .then(|| Reduction { steps: kept, marks: self.marks.clone() }.numbered())
    }

    /// With the steps that the value of one variable depends on, and that alone.
    pub(crate) fn only(&self, mark: Variable) -> Reduction {
        let (mut wanted, mut kept) = (BTreeSet::from([mark]), BTreeSet::new());
        // A step that touches what is wanted may change it, by way of all that it takes.
        loop {
            let before = kept.len();
            for (index, step) in self.steps.iter().enumerate() {
                let bound = step.statement.bindings.iter().map(|binding| binding.variable);
                let touched: Vec<Variable> = step.structures().into_iter().chain(bound).collect();
                if touched.iter().any(|variable| wanted.contains(variable)) {
                    kept.insert(index);
                    wanted.extend(touched);
                }
            }
            if kept.len() == before {
                break;
            }
        }
        let steps = kept.into_iter().map(|index| self.steps[index].clone()).collect();
        Reduction { steps, marks: vec![mark] }.numbered()
    }

    /// With the variables numbered without gaps.
    fn numbered(self) -> Reduction {
        let bound = self.steps.iter().flat_map(|step| &step.statement.bindings);
        let numbers: std::collections::BTreeMap<Variable, Variable> =
            bound.enumerate().map(|(number, one)| (one.variable, Variable(number))).collect();
        let number = |variable: Variable| numbers.get(&variable).copied().unwrap_or(variable);
        Reduction {
            steps: self.steps.iter().map(|step| step.renumbered(number)).collect(),
            marks: self.marks.into_iter().map(number).collect(),
        }
    }

    /// With `other` wherever `variable` is passed or meant.
    fn with_other(&self, variable: Variable, other: Variable) -> Reduction {
        let replaced = |passed: Variable| if passed == variable { other } else { passed };
        let mut candidate = self.clone();
        for step in &mut candidate.steps {
            for argument in &mut step.statement.arguments {
                if let Operand::Variable(passed) = argument {
                    *passed = replaced(*passed);
                }
            }
        }
        candidate.marks.iter_mut().for_each(|mark| *mark = replaced(*mark));
        candidate
    }

    fn with_literal(&self, step: usize, index: usize, literal: Literal) -> Reduction {
        let mut candidate = self.clone();
        let mut literals = candidate.steps[step].literals.clone();
        literals[index] = literal;
        candidate.steps[step] = candidate.steps[step].with_literals(literals);
        candidate
    }
}

#[cfg(test)]
mod tests {
    use beget::HasSuite as _;
    use beget_plan::scope::PlannedIdx;
    use beget_suite::Statement;

    use super::*;
    use crate::random::tests::{Knob, call, pens, plan_of};

    /// The scope has 0, 1 and 2. Numbers beyond it become others that are nearer to 0.
    #[test]
    fn literals_become_the_first_of_the_simpler_ones_that_shows_the_same() {
        let plan = plan_of(Knob::suite());
        let (new, set) = (PlannedIdx::new(0), PlannedIdx::new(1));
        let simplest = |value: u8, shows: &dyn Fn(u8) -> bool| -> String {
            let literal = Literal::new(value);
            let steps = vec![
                CallStep::new(&plan, new, &[], Vec::new(), 0),
                CallStep::new(&plan, set, &[Variable(0)], vec![literal], 1),
            ];
            let shows = |candidate: &Reduction| {
                let last = candidate.steps.last().and_then(|step| step.literals.first());
                last.is_some_and(|literal| shows(literal.source.parse().unwrap()))
            };
            let whole = Reduction { steps, marks: Vec::new() };
            Shrinker::new(&plan, &shows).shrink(whole).steps[1].literals[0].source.clone()
        };
        assert_eq!(simplest(2, &|_| true), "0");
        assert_eq!(simplest(2, &|value| value != 0), "1");
        assert_eq!(
            [simplest(200, &|value| value > 2), simplest(200, &|value| value > 50)],
            ["50", "100"]
        );
    }

    #[test]
    fn integers_nearer_to_zero_are_tried_from_zero_on() {
        let smaller = |domain: LiteralDomain, int| -> Vec<String> {
            smaller_ints(&domain, int).into_iter().map(|literal| literal.source).collect()
        };
        let wide = LiteralDomain::of::<i64>("i64");
        assert_eq!(smaller(wide, 100), ["0", "1", "25", "50", "99"]);
        assert_eq!(smaller(wide, -1), ["0"]);
        assert_eq!(smaller(LiteralDomain::of::<u8>("u8"), 600), ["0", "1", "150"]);
    }

    fn reduction(statements: &[Statement], marks: &[usize]) -> Reduction {
        let step =
            |statement: &Statement| CallStep { statement: statement.clone(), literals: Vec::new() };
        let marks = marks.iter().map(|&number| Variable(number)).collect();
        Reduction { steps: statements.iter().map(step).collect(), marks }
    }

    #[test]
    fn steps_are_left_out_with_those_that_depend_on_them_but_not_what_is_meant() {
        let plan = pens("");
        let new = |number| call(&plan, "new", &[], Some(number));
        let statements = [new(0), new(1), call(&plan, "write", &[1], None)];
        let n_left = |marks: &[usize], range| {
            reduction(&statements, marks).without(range).map(|rest| rest.steps.len())
        };
        assert_eq!([n_left(&[], 0..1), n_left(&[], 1..2)], [Some(2), Some(1)]);
        // Without marks the last call is meant. Something is left.
        assert_eq!([n_left(&[], 2..3), n_left(&[], 0..2)], [None; 2]);
        assert_eq!(
            [n_left(&[1], 2..3), n_left(&[1], 1..2), n_left(&[0], 1..2)],
            [Some(2), None, Some(1)]
        );
    }

    /// The second pen is poured into the first after it was written with; the third has no part.
    #[test]
    fn a_structure_depends_on_those_that_come_to_it_by_other_ways() {
        let plan = pens("");
        let new = |number| call(&plan, "new", &[], Some(number));
        let write = call(&plan, "write", &[1], None);
        let statements = [new(0), new(1), write, new(2), call(&plan, "pour", &[0, 1], None)];
        let whole = reduction(&statements, &[]);
        let Reduction { steps, marks } = whole.only(Variable(0));
        assert_eq!((steps.len(), marks), (4, vec![Variable(0)]));
        assert_eq!(whole.only(Variable(2)).steps.len(), 1);
    }

    /// Of 12 calls, three less are tried twice, and one less once: 29 calls.
    #[test]
    fn no_more_calls_are_tried_than_there_may_be() {
        let plan = pens("");
        let mut statements = vec![call(&plan, "new", &[], Some(0))];
        statements.extend((0..10).map(|_| call(&plan, "write", &[0], None)));
        statements.push(call(&plan, "is_like", &[0, 0], None));
        let n_calls = std::cell::Cell::new(0);
        let shows = |tried: &Reduction| {
            n_calls.set(n_calls.get() + tried.steps.len());
            false
        };
        let shrinker = Shrinker { left: 30, ..Shrinker::new(&plan, &shows) };
        assert_eq!(shrinker.shrink(reduction(&statements, &[])).steps.len(), 12);
        assert_eq!(n_calls.get(), 29);
    }

    /// Only `bend` is needed. In steps of two it is tried once, then the first two calls of
    /// `write` go; in steps of one the last, `bend` and the third are tried, and `bend` once more
    /// in each of both further rounds.
    #[test]
    fn a_call_that_is_needed_is_tried_once_in_a_round() {
        let plan = pens("");
        let on_pen = |name| call(&plan, name, &[0], None);
        let mut statements = vec![call(&plan, "new", &[], Some(0))];
        statements.extend(["write", "write", "write", "bend", "write"].map(on_pen));
        statements.push(call(&plan, "is_like", &[0, 0], None));
        let bend = plan.suite.find_method("bend").unwrap();
        let n_tried = std::cell::Cell::new(0);
        let shows = |tried: &Reduction| {
            n_tried.set(n_tried.get() + 1);
            tried.steps.iter().any(|step| step.statement.method == bend)
        };
        let shrunk = Shrinker::new(&plan, &shows).shrink(reduction(&statements, &[]));
        assert_eq!((shrunk.steps.len(), n_tried.get()), (3, 7));
    }
}
