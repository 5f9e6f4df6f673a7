//! The observations of single calls: problems, and changes of arguments by calls that ended badly.

use beget_plan::finding::{Finding, Kind, Problem, ShownProblem, Sightings, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::PanicReport;
use beget_suite::to_call_source;

use crate::data::after_panic::{PanicStepIdx, step_after_panic};
use crate::data::calls::{CallTable, recipe_of_call};
use crate::data::ids::CallIdx;
use crate::data::ids::StructureId;
use crate::data::origin::Recipes;
use crate::data::wire::{Wire, packs_fields};

/// The ending of a call that may be misuse but changed an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedBy {
    /// It returned `Err`.
    Error,
    /// It panicked as the scope expects.
    Panic,
}

/// A call that changed an argument but ended badly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangeNote {
    pub(crate) by: ChangedBy,
    /// The method, by its position in the plan.
    pub(crate) method: PlannedIdx,
    pub(crate) call: CallIdx,
    /// The structures passed.
    pub(crate) arguments: Vec<StructureId>,
    /// The note on it; empty until the run has taken its block.
    pub(crate) text: String,
}

packs_fields! { ChangeNote { by, method, call, arguments, text } }

impl Wire for ChangedBy {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(match self {
            ChangedBy::Error => 0,
            ChangedBy::Panic => 1,
        });
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        match u32::unpack(bytes)? {
            0 => Some(ChangedBy::Error),
            1 => Some(ChangedBy::Panic),
            _ => None,
        }
    }
}

impl ChangeNote {
    /// Returns whether a call of the same method ended in the same way.
    pub(crate) fn is_like(&self, other: &ChangeNote) -> bool {
        (self.by, self.method) == (other.by, other.method)
    }

    /// The text of the note, with the recipe of the call.
    pub(crate) fn to_text(&self, plan: &Plan, calls: &CallTable, recipes: &dyn Recipes) -> String {
        let name = plan.method(self.method).name;
        let what = match self.by {
            ChangedBy::Error => format!(
                "`{name}` returned `Err` and changed an argument: such calls count as calls that returned; \
                 with `misuse: (errors: true)` they would be left out, and what they leave would not be tested"
            ),
            ChangedBy::Panic => format!(
                "`{name}` panicked as expected and changed an argument, which is left out; write \
                 `keep_panicked: true` in `misuse` to keep it"
            ),
        };
        match example_text(plan, calls, recipes, self.call, &self.arguments) {
            Some(example) => format!("{what}; {example}"),
            None => what,
        }
    }
}

/// A call as an example in a note; `None` if its recipe is too long.
pub(crate) fn example_text(
    plan: &Plan,
    calls: &CallTable,
    recipes: &dyn Recipes,
    call: CallIdx,
    arguments: &[StructureId],
) -> Option<String> {
    const MOST_CALLS: usize = 20;
    let recipe = recipe_of_call(plan, calls, recipes, calls.parts(call), arguments).ok()?;
    let is_short = recipe.n_calls() <= MOST_CALLS;
    is_short
        .then(|| format!("for example {}", to_call_source(&plan.suite, &recipe).replace('\n', " ")))
}

/// A problem and the call, or structure, that shows it, during the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// The problem.
    pub(crate) problem: Problem,
    /// The number of the call; for panics, the structure meant in it is meaningless.
    pub(crate) call: CallIdx,
    /// The structures passed.
    pub(crate) arguments: Vec<StructureId>,
    /// The number of calls that show it, of which this is the first.
    pub(crate) count: u64,
    /// The step after the call's panic that shows it, if it is not the call itself.
    pub(crate) after: Option<PanicStepIdx>,
}

packs_fields! { Sighting { problem, call, arguments, count, after } }

impl Sighting {
    /// One call, or structure.
    pub(crate) fn new(problem: Problem, call: CallIdx, arguments: Vec<StructureId>) -> Self {
        Sighting { problem, call, arguments, count: 1, after: None }
    }

    /// The same, for a step after the panic of the call.
    pub(crate) fn after_panic(self, step: PanicStepIdx) -> Self {
        Sighting { after: Some(step), ..self }
    }

    /// The finding, with the recipe of the call as its witness; without a recipe if the store can
    /// no longer provide it.
    pub(crate) fn into_finding(
        self,
        plan: &Plan,
        calls: &CallTable,
        recipes: &dyn Recipes,
    ) -> Finding {
        let parts = calls.parts(self.call);
        let step = self.after.and_then(|step| step_after_panic(plan, parts.planned, step));
        let recipe = match step {
            None => recipe_of_call(plan, calls, recipes, parts, &self.arguments),
            Some(step) => step.recipe(plan, calls, recipes, parts, &self.arguments),
        };
        let witness = recipe.map(Witness::of_call).unwrap_or_default();
        Finding { problem: self.problem, count: self.count, witness }
    }
}

/// The problem of a panicking destructor.
pub(crate) fn drop_problem(report: PanicReport) -> Problem {
    Problem::drop_panics(&report.message, report.location)
}

/// The problem of a panicking call.
pub(crate) fn panic_problem(report: PanicReport) -> Problem {
    Problem::panic(&report.message, report.location)
}

impl ShownProblem for Sighting {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, more: u64) {
        self.count += more;
    }
}

/// The method that a sighting is grouped by.
pub(crate) fn method_of(sighting: &Sighting, calls: &CallTable) -> PlannedIdx {
    match sighting.problem.kind == Kind::OwnedElsewhere {
        // It belongs to the type, not to a method: reported once.
        true => PlannedIdx::new(0),
        false => calls.parts(sighting.call).planned,
    }
}

/// Adds sightings to their groups; `notes` record that there are more causes than are kept.
pub(crate) fn add_all(
    groups: &mut Sightings<Sighting>,
    sightings: impl IntoIterator<Item = Sighting>,
    calls: &CallTable,
    notes: &mut Vec<String>,
) {
    let dropped = Sightings::<Sighting>::DROPPED;
    for sighting in sightings {
        let method = method_of(&sighting, calls);
        if !groups.add(sighting, method) && !notes.iter().any(|note| note == dropped) {
            notes.push(dropped.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::common::{plan, suite};

    use super::*;

    #[test]
    fn what_changed_an_argument_comes_out_as_it_went_in() {
        for by in [ChangedBy::Error, ChangedBy::Panic] {
            let mut bytes = Vec::new();
            by.pack(&mut bytes);
            assert_eq!(ChangedBy::unpack(&mut &bytes[..]), Some(by));
        }
        assert_eq!(ChangedBy::unpack(&mut &[2][..]), None);
    }

    #[test]
    fn changes_are_alike_if_a_method_ended_in_the_same_way() {
        let note = |by, method, call| ChangeNote {
            by,
            method: PlannedIdx::new(method),
            call: CallIdx::new(call),
            arguments: Vec::new(),
            text: String::new(),
        };
        let change = note(ChangedBy::Error, 1, 5);
        assert!(change.is_like(&note(ChangedBy::Error, 1, 6)));
        assert!(!change.is_like(&note(ChangedBy::Error, 2, 5)));
        assert!(!change.is_like(&note(ChangedBy::Panic, 1, 5)));
    }

    /// Each panic is at another place, so it is a cause of its own.
    #[test]
    fn causes_that_are_too_many_are_noted_once() {
        let plan = plan(suite(), &["new"], 1);
        let calls = CallTable::new(&plan);
        let (mut groups, mut notes) = (Sightings::default(), vec!["another".to_owned()]);
        let panic = |line: usize| {
            let problem = Problem::panic("it goes wrong", format!("source.rs:{line}"));
            Sighting::new(problem, CallIdx::new(0), Vec::new())
        };
        let most = Sightings::<Sighting>::MOST;
        add_all(&mut groups, (0..most).map(panic), &calls, &mut notes);
        assert_eq!(notes, ["another"]);
        add_all(&mut groups, (most..most + 2).map(panic), &calls, &mut notes);
        assert_eq!(notes, ["another", Sightings::<Sighting>::DROPPED]);
        assert_eq!(groups.groups().len(), most);
    }
}
