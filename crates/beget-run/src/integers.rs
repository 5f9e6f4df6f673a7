//! The ranges of the integers in structures, if the scope file sets none.
//!
//! A counter in a field (a generation, a number of operations) would make every scope endless. So
//! integers have bounds as objects have: those of the literals, a little wider. Constants that a
//! constructor sets do not count as growth, so constructors are called first, to collect them.

use std::collections::BTreeSet;

use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Run, RunSpec, Settings};
use beget_heap::graph::Value;
use beget_plan::scope::{Budget, Plan};

use crate::{Event, Watch};

/// Level 1 makes the calls without structures.
const CONSTRUCTORS: Budget = Budget {
    max_calls: None,
    max_structures: None,
    max_seconds: None,
    max_memory_mib: None,
    max_levels: Some(1),
    is_enough: false,
};

/// `plan` with ranges for the integers that the scope says nothing about.
pub fn with_int_ranges(plan: Plan, settings: Settings, watch: &Watch<'_>) -> Plan {
    watch.begin_search(None, &plan.doubts);
    if plan.derived_ints.is_none() {
        return plan;
    }
    let first = plan.clone().with(|draft| {
        draft.budget = CONSTRUCTORS;
        draft.probe = 0;
    });
    watch.report(Event::Begin);
    let spec = RunSpec { plan: first, settings };
    let mut observer = &watch.without_levels();
    let corpus = Run::new(spec).backend(watch.runner()).observe(&mut observer).go();
    let ints = ints_in(&corpus);
    watch.begin_search(Some(&ints), &plan.doubts);
    plan.limit_ints(&ints)
}

/// The integers in the structures of a corpus. Skips structures that cannot be read or
/// reconstructed: the run itself will report them.
fn ints_in(corpus: &Corpus) -> BTreeSet<i128> {
    let mut reader = corpus.reader();
    let mut ints = BTreeSet::new();
    for id in (0..corpus.store.len()).map(StructureId::new) {
        let Ok(Some(heap)) = reader.graph(id) else { continue };
        let values = heap.objects().iter().flat_map(|object| &object.values);
        ints.extend(values.filter_map(|(_, value)| int_of(value)));
    }
    ints
}

fn int_of(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(*value),
        _ => None,
    }
}
