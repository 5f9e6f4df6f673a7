//! Graphs of structures that were made again.

use beget_heap::{FormRef, HeapGraph};
use beget_plan::scope::Plan;
use beget_suite::{TypeIdx, memory_text};

/// The heap of a structure as its form has it: where it is memory, not all of that is the same when
/// it is made again.
pub(crate) fn as_stored(graph: HeapGraph, form: FormRef<'_>, plan: &Plan) -> HeapGraph {
    let ty = TypeIdx(form.type_tag(plan.tag_bits()) as usize);
    if !plan.is_by_bytes(ty) {
        return graph;
    }
    match memory_text(form, plan.coding()) {
        Some(text) => graph.with_first_text(text),
        None => graph,
    }
}
