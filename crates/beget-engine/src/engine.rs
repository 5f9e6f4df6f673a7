//! Generation: every structure of a plan, by levels.

use beget_finding::Control;
use beget_heap::Bounds;
use beget_scope::Plan;

use crate::corpus::Corpus;
use crate::executor::{BlockRunner, Executor, Settings, Threads};
use crate::explorer::Explorer;
use crate::levels::Levels;
use crate::report::Report;
use crate::store::{ExactStore, Store};

/// Makes every structure of the plan and keeps them in an [`ExactStore`]. `control` is asked after each batch and may stop
/// the run.
pub fn generate(
    plan: Plan,
    settings: Settings,
    control: &mut Control<'_>,
) -> Corpus {
    let store: Box<dyn Store> = Box::new(ExactStore::of(&plan));
    generate_into(store, plan, settings, control)
}

/// As [`generate`], into a given empty store. A store that is full or fails ends the run, with what it has.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_into<S: Store>(
    store: S,
    plan: Plan,
    settings: Settings,
    control: &mut Control<'_>,
) -> Corpus<S> {
    generate_on(&Threads, store, plan, settings, control)
}

/// As [`generate_into`], with `runner` making the calls.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_on<S: Store>(
    runner: &dyn BlockRunner<S>,
    store: S,
    plan: Plan,
    settings: Settings,
    control: &mut Control<'_>,
) -> Corpus<S> {
    let explorer = Explorer::new(&plan, settings);
    let mut executor = Executor::new(&explorer, store);
    let mut levels = Levels::new();
    let stop_reason = executor.run_on(runner, &mut levels, control);
    let levels = levels.into_levels(executor.store(), executor.counters().explored());
    let report = Report {
        stop_reason,
        counters: executor.counters(),
        levels,
        findings: executor.findings(),
        notes: executor.notes().to_vec(),
    };
    let store = executor.into_store();
    let calls = explorer.into_calls();
    Corpus { plan, calls, store, report }
}

/// Bits at the start of a form that tell the types of a plan's suite apart.
pub fn tag_bits(plan: &Plan) -> u32 {
    plan.suite.types.len().next_power_of_two().trailing_zeros()
}

/// The class whose objects `generated_by_objects` counts: the one with the smallest bound above 1, or else the first that
/// pointers lead to.
pub fn counted_class(plan: &Plan) -> Option<usize> {
    let bound_of = |bounds: &Bounds, name: &str| {
        bounds.objects.get(name).copied().unwrap_or(bounds.other_objects)
    };
    let classes = plan.schema.classes().iter().enumerate();
    classes
        .filter(|(_, class)| class.is_object)
        .min_by_key(|(index, class)| {
            let bound = bound_of(&plan.bounds, class.key.name);
            (class.is_array, bound <= 1, bound, *index)
        })
        .map(|(index, _)| index)
}

/// Room for the objects of any structure in scope.
pub(crate) fn most_objects(plan: &Plan) -> usize {
    let classes = plan.schema.classes().iter().filter(|class| class.is_object);
    let bounds = classes.map(|class| {
        let name = class.key.name;
        plan.bounds.objects.get(name).copied().unwrap_or(plan.bounds.other_objects)
    });
    // Unbounded classes end up in small structures all the same; decoders fall back if not.
    (bounds.map(|bound| bound.min(1 << 12) as usize).sum::<usize>() + 8).min(1 << 14)
}
