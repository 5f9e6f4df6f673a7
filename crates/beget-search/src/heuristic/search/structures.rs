//! The structures left by calls: measured, kept, enlarged and shrunk.

use std::sync::Arc;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_run::random::{CallStep, Fragment, LeftValue, TrialOutcome, TrialReturn};
use beget_suite::{Literal, ParamKind, Passing, TypeIdx, Variable};

use super::{CallCandidate, CallSearch};
use crate::heuristic::effects::{RelativeOperation, Size, SizeChange};
use crate::heuristic::literals::LiteralRole;
use crate::heuristic::pool::{PoolIdx, SizedStructure};

/// Names of methods that return the number of elements.
const LENGTH_NAMES: [&str; 5] = ["len", "size", "count", "length", "n_elements"];

/// The most relative operations tried as alternatives, and the most literals of each.
const MOST_OPERATIONS: usize = 4;
const MOST_TRIES: usize = 4;

/// For each type the method that returns the number of elements of a structure: it takes only
/// `&self`, has such a name, and returns an integer.
pub(super) fn length_methods(plan: &Plan) -> Vec<Option<PlannedIdx>> {
    let of_type = |number: usize| {
        let is_one = |name: &str, idx: PlannedIdx| {
            let method = plan.method(idx);
            let receiver = ParamKind::Structure { ty: TypeIdx::new(number), passing: Passing::Ref };
            let takes_it = match method.params.as_slice() {
                [only] => matches!(
                    (only.kind, receiver),
                    (
                        ParamKind::Structure { ty, passing: Passing::Ref },
                        ParamKind::Structure { ty: wanted, .. }
                    ) if ty == wanted
                ),
                _ => false,
            };
            takes_it && method.outputs.is_empty() && method.name.rsplit("::").next() == Some(name)
        };
        LENGTH_NAMES.iter().find_map(|name| plan.planned_idxs().find(|idx| is_one(name, *idx)))
    };
    (0..plan.suite.types.len()).map(of_type).collect()
}

impl CallSearch<'_> {
    /// Keeps the structures that a call left, and notes its effect on the sizes of its arguments.
    pub(super) fn keep(
        &mut self,
        method: PlannedIdx,
        prefix: &Arc<Fragment>,
        step: &Arc<CallStep>,
        returned: TrialReturn,
        taken: &[PoolIdx],
    ) -> Vec<(Variable, PoolIdx)> {
        let whole = Arc::new(Fragment::new(vec![prefix.clone()], vec![step.clone()]));
        let mut kept = Vec::new();
        for left in returned.left.into_iter().flatten() {
            let Some(ty) = self.type_of(method, step, left.variable) else { continue };
            let is_blank = returned.blank.contains(&left.variable);
            let idx = self.pool_left(ty, &whole, &left, is_blank);
            kept.push((left.variable, idx));
        }
        for ((number, variable), before) in step.statement.variables().zip(taken) {
            let after = kept.iter().find(|(kept, _)| *kept == variable);
            if let Some((_, after)) = after {
                let (before, after) = (self.pool.get(*before).size, self.pool.get(*after).size);
                self.effects.note(method, number, before, after);
            }
        }
        kept
    }

    /// The type of a variable that a call takes or returns.
    fn type_of(&self, method: PlannedIdx, step: &CallStep, variable: Variable) -> Option<TypeIdx> {
        let method = self.plan.method(method);
        let mut taken = step.statement.variables().zip(method.structure_params());
        let taken = taken.find(|((_, taken), _)| *taken == variable).map(|(_, (ty, _))| ty);
        let given = step.statement.bindings.iter().find(|binding| binding.variable == variable);
        taken.or_else(|| given.map(|binding| method.outputs[binding.output].ty))
    }

    fn pool_left(
        &mut self,
        ty: TypeIdx,
        whole: &Arc<Fragment>,
        left: &LeftValue,
        is_blank: bool,
    ) -> PoolIdx {
        let form = left.form.as_bytes();
        if let Some(known) = self.pool.find(ty, form) {
            return known;
        }
        let length = self.measured_length(ty, whole, left.variable);
        let (n_objects, n_bytes) = (left.n_objects, form.len());
        let size = Size { length: length.unwrap_or(0), n_objects, n_bytes };
        let is_empty = length.map_or(is_blank, |length| length == 0);
        let (fragment, variable) = (whole.clone(), left.variable);
        let structure = SizedStructure { ty, fragment, variable, length, is_empty, size };
        self.pool.add(structure, form)
    }

    /// Measures the number of elements of a structure.
    fn measured_length(
        &mut self,
        ty: TypeIdx,
        whole: &Arc<Fragment>,
        variable: Variable,
    ) -> Option<u64> {
        let method = self.length_methods[ty.index()]?;
        let step = CallStep::new(self.plan, method, &[variable], Vec::new(), whole.n_variables());
        match self.runner.run(whole, &Arc::new(step)) {
            TrialOutcome::Returned(TrialReturn { value, .. }) => value?.source()?.parse().ok(),
            _ => None,
        }
    }

    /// A structure enlarged or shrunk by at most this many calls of relative operations; `None` if
    /// none of them works. The first call has the `wanted` literals, if they fit.
    pub(super) fn resized(
        &mut self,
        structure: PoolIdx,
        change: SizeChange,
        times: usize,
        wanted: &[Literal],
    ) -> Option<PoolIdx> {
        let ty = self.pool.get(structure).ty;
        let operations = self.effects.operations(self.plan, ty, change);
        operations.into_iter().take(MOST_OPERATIONS).find_map(|operation| {
            let (mut current, mut number) = (structure, 0);
            while number < times {
                let Some(next) = self.operate(operation, current, change, number, wanted) else {
                    break;
                };
                (current, number) = (next, number + 1);
            }
            (number > 0).then_some(current)
        })
    }

    /// The result of one call of a relative operation on a structure, if it changes the size in
    /// this direction.
    fn operate(
        &mut self,
        (method, param): RelativeOperation,
        structure: PoolIdx,
        change: SizeChange,
        number: usize,
        wanted: &[Literal],
    ) -> Option<PoolIdx> {
        (0..MOST_TRIES).find_map(|more| {
            let mut candidate = self.generated(method, 0)?;
            candidate.structures[param] = structure;
            let structures = candidate.structures.clone();
            candidate.literals = self.generated_literals(method, &structures, 0);
            self.vary(method, &mut candidate, number + more, wanted);
            let (prefix, step) = self.calls_of(method, &candidate);
            let TrialOutcome::Returned(returned) = self.runner.run(&prefix, &step) else {
                return None;
            };
            let kept = self.keep(method, &prefix, &step, returned, &candidate.structures);
            let (_, variable) = step.statement.variables().nth(param)?;
            let (_, after) = kept.into_iter().find(|(kept, _)| *kept == variable)?;
            let (old, new) = (self.pool.get(structure).size, self.pool.get(after).size);
            let is_so = match change {
                SizeChange::Grows => new > old,
                SizeChange::Shrinks => new < old,
            };
            is_so.then_some(after)
        })
    }

    /// Varies the literals of each call of a relative operation, so that sets and maps grow too.
    fn vary(
        &self,
        method: PlannedIdx,
        candidate: &mut CallCandidate,
        number: usize,
        wanted: &[Literal],
    ) {
        let menus = &self.menus[method.index()];
        let mut wanted = wanted.iter();
        for (literal, menu) in candidate.literals.iter_mut().zip(menus) {
            let same_type =
                |other: &&Literal| (*other.value).type_id() == (*literal.value).type_id();
            let from_wanted = wanted.clone().find(same_type).filter(|_| number == 0);
            if let Some(from_wanted) = from_wanted {
                wanted.next();
                *literal = from_wanted.clone();
            } else if menu.role != LiteralRole::Index {
                // An index stays within its bounds.
                *literal = menu.literals[number % menu.literals.len()].clone();
            }
        }
    }
}
