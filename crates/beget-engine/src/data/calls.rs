//! Call numbers: every (method, meant structure, tuple of literals) of a plan as one small number.
//!
//! Recipes store call numbers, so their order must depend on the plan alone: methods in suite
//! order, then the structure that is meant (arguments, then results), then tuples of literals.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Argument, Literal, Param, ParamKind, Recipe, TypeIdx};

use crate::data::ids::{CallIdx, StructureId};
use crate::data::origin::{Origin, Recipes, StoreError};

/// The place of one method's calls in the numbering.
#[derive(Clone, Debug)]
struct MethodCalls {
    first: u32,
    n_tuples: u32,
    /// The structures that a returning call can mean. The arguments of panicking calls come after
    /// them.
    n_outputs: u32,
}

/// The meaning of a call number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallParts {
    /// The method's position in the plan.
    pub planned: PlannedIdx,
    /// The structure meant: among the arguments, then among the results.
    pub output: usize,
    /// The number of the tuple of literals.
    pub tuple: usize,
    /// True if the call panics: the structure meant is an argument as the panic left it.
    pub panics: bool,
}

/// The numbering of a plan's calls.
#[derive(Clone, Debug)]
pub struct CallTable {
    methods: Vec<MethodCalls>,
    n_calls: u32,
}

impl CallTable {
    /// Numbers the calls of `plan`.
    ///
    /// # Panics
    /// If there are more than 2^32 of them.
    pub fn new(plan: &Plan) -> Self {
        let mut first = 0_u32;
        let mut methods = Vec::new();
        for planned in &plan.methods {
            let method = plan.suite.method(planned.method);
            let n_structures = planned.structures.len() as u32;
            // A method that leaves no structure is numbered too: its panics are findings.
            let n_outputs = (n_structures + method.outputs.len() as u32).max(1);
            let n_tuples =
                u32::try_from(planned.n_tuples()).expect("fewer than 2^32 tuples of literals");
            methods.push(MethodCalls { first, n_tuples, n_outputs });
            let n_panicked = if plan.misuse.keeps_panicked { n_structures } else { 0 };
            let n_calls = (n_outputs + n_panicked)
                .checked_mul(n_tuples)
                .and_then(|calls| first.checked_add(calls));
            first = n_calls.expect("fewer than 2^32 different calls");
        }
        CallTable { methods, n_calls: first }
    }

    /// The call of a method with a tuple of literals that means structure number `output`.
    #[inline(always)]
    pub(crate) fn call(&self, planned: PlannedIdx, output: u32, tuple: u32) -> CallIdx {
        let MethodCalls { first, n_tuples, .. } = self.methods[planned.index()];
        CallIdx::new(first + output * n_tuples + tuple)
    }

    /// The number of the first argument of a panicking call among the structures that a method's
    /// calls can mean.
    pub(crate) fn first_panicked(&self, planned: PlannedIdx) -> u32 {
        self.methods[planned.index()].n_outputs
    }

    /// The meaning of a call number.
    pub fn parts(&self, call: CallIdx) -> CallParts {
        let number = call.number();
        let planned = self.methods.partition_point(|method| method.first <= number) - 1;
        // A method without tuples has no calls and shares its number with the next one, which is
        // the one found.
        let method = &self.methods[planned];
        let offset = number - method.first;
        let output = offset / method.n_tuples;
        let argument = output.checked_sub(method.n_outputs);
        CallParts {
            planned: PlannedIdx::new(planned),
            output: argument.unwrap_or(output) as usize,
            tuple: (offset % method.n_tuples) as usize,
            panics: argument.is_some(),
        }
    }

    /// The number of calls.
    pub fn n_calls(&self) -> u32 {
        self.n_calls
    }
}

/// The literals of a call.
pub(crate) fn literals_of(plan: &Plan, parts: CallParts) -> Vec<&Literal> {
    plan.planned(parts.planned).tuple(parts.tuple)
}

/// A call on structures that are named by their numbers, as `#3.add(4)`.
pub(crate) fn numbered_call(plan: &Plan, parts: CallParts, structures: &[StructureId]) -> String {
    let names: Vec<String> = structures.iter().map(|id| format!("#{}", id.number())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let literals = literals_of(plan, parts);
    let literals: Vec<&str> = literals.iter().map(|literal| &*literal.source).collect();
    plan.method(parts.planned).to_call_source(&names, &literals)
}

/// The recipe of a stored structure.
///
/// # Errors
/// If the store cannot read it.
pub fn recipe_of(
    plan: &Plan,
    calls: &CallTable,
    recipes: &dyn Recipes,
    id: StructureId,
) -> Result<Recipe, StoreError> {
    let origin = recipes.origin_of(id)?;
    let parts = calls.parts(origin.call);
    recipe_of_call(plan, calls, recipes, parts, &origin.arguments)
}

/// The recipe of a call on stored structures.
///
/// # Errors
/// If the store cannot read it.
pub fn recipe_of_call(
    plan: &Plan,
    calls: &CallTable,
    recipes: &dyn Recipes,
    parts: CallParts,
    structures: &[StructureId],
) -> Result<Recipe, StoreError> {
    let mut steps = vec![RecipeStep::Begin(parts, structures.to_vec())];
    let mut made = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            RecipeStep::Begin(parts, structures) => {
                steps.push(RecipeStep::Finish(parts));
                // The first argument is made first.
                for &id in structures.iter().rev() {
                    let Origin { call, arguments } = recipes.origin_of(id)?;
                    steps.push(RecipeStep::Begin(calls.parts(call), arguments));
                }
            }
            RecipeStep::Finish(parts) => {
                let recipe = recipe_with(plan, parts, &mut made);
                made.push(recipe);
            }
        }
    }
    Ok(made.pop().expect("the call itself"))
}

/// A step of building a recipe, which may be deeper than a stack.
enum RecipeStep {
    /// Make the arguments, then the call.
    Begin(CallParts, Vec<StructureId>),
    /// Make the call; its arguments are the last ones made.
    Finish(CallParts),
}

/// The recipe of a call whose structures' recipes are the last ones of `made`, which are taken.
pub(crate) fn recipe_with(plan: &Plan, parts: CallParts, made: &mut Vec<Recipe>) -> Recipe {
    let method = plan.planned(parts.planned).method;
    let params = &plan.suite.method(method).params;
    let is_structure = |param: &&Param| matches!(param.kind, ParamKind::Structure { .. });
    let n_structures = params.iter().filter(is_structure).count();
    let mut structures = made.split_off(made.len() - n_structures).into_iter();
    let mut literals = literals_of(plan, parts).into_iter();
    let arguments = params.iter().map(|param| match param.kind {
        ParamKind::Structure { .. } => {
            let recipe = structures.next().expect("an argument for each structure parameter");
            Argument::Structure(Box::new(recipe))
        }
        ParamKind::Literal { .. } => {
            let literal = literals.next().expect("a literal for each literal parameter");
            Argument::Literal(literal.source.clone())
        }
    });
    let CallParts { output, panics, .. } = parts;
    Recipe { method, arguments: arguments.collect(), output, panics }
}

/// Methods with the same types of structure arguments: they share one frame per tuple of
/// structures.
#[derive(Clone, Debug)]
pub struct CallGroup {
    /// The types of the structures that they take.
    pub types: Vec<TypeIdx>,
    /// Their positions in the plan.
    pub methods: Vec<PlannedIdx>,
}

/// The plan's methods by signature, in the order of their first method, then each method alone; and
/// the number of signatures.
pub(crate) fn groups(plan: &Plan) -> (Vec<CallGroup>, usize) {
    let mut groups: Vec<CallGroup> = Vec::new();
    let alone = |idx: PlannedIdx| CallGroup {
        types: plan.planned(idx).structures.clone(),
        methods: vec![idx],
    };
    for idx in plan.planned_idxs() {
        let own = &plan.planned(idx).structures;
        match groups.iter_mut().find(|group| group.types == *own) {
            Some(group) => group.methods.push(idx),
            None => groups.push(alone(idx)),
        }
    }
    let n_signatures = groups.len();
    groups.extend(plan.planned_idxs().map(alone));
    (groups, n_signatures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{plan, suite};

    /// After those of calls that return: an argument and two results of `split`, two arguments of
    /// `absorb`. `new` leaves one.
    #[test]
    fn what_panics_leave_is_numbered_after_what_else_a_call_leaves() {
        let plan = plan(suite(), &["new", "absorb", "split"], 2);
        let plan = plan.with(|draft| draft.misuse.keeps_panicked = true);
        let calls = CallTable::new(&plan);
        let first = |method| calls.first_panicked(PlannedIdx::new(method));
        assert_eq!([first(0), first(1), first(2)], [1, 2, 3]);
        let panicked = calls.parts(calls.call(PlannedIdx::new(2), 3, 0));
        assert!(panicked.panics);
        assert_eq!((panicked.planned.index(), panicked.output), (2, 0));
        // `new`, each argument of `absorb` twice, and of `split` once more than its structures.
        assert_eq!(calls.n_calls(), 1 + 4 + 4);
    }
}
