//! Graphs of repeated structures.

use beget_heap::{FormRef, HeapGraph};
use beget_plan::scope::Plan;
use beget_suite::{TypeIdx, memory_text};

/// The heap of a structure according to its form: if it is memory, repeating the calls does not
/// reproduce all of it.
pub(crate) fn as_stored(graph: HeapGraph, form: FormRef<'_>, plan: &Plan) -> HeapGraph {
    let ty = TypeIdx::new(form.type_tag(plan.tag_bits()) as usize);
    if plan.is_repeatable(ty) {
        return graph;
    }
    match memory_text(form, plan.coding()) {
        Some(text) => graph.with_first_text(text),
        None => graph,
    }
}
