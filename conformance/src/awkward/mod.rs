//! Suites made to be awkward, each a file with one idea.
#![allow(missing_docs, reason = "subjects: what they do matters, not what for")]
#![allow(
    clippy::new_without_default,
    clippy::result_unit_err,
    clippy::should_implement_trait,
    clippy::wrong_self_convention,
    reason = "subjects have the methods they have"
)]

pub mod arena;
pub mod binary_heap;
pub mod borrowed_or_owned;
pub mod bounds_by_class;
pub mod boxed_slices;
pub mod broken_promises;
pub mod cells;
pub mod chars;
pub mod counted;
pub mod counted_atomically;
pub mod cycles;
pub mod deep;
pub mod deques;
pub mod destructors;
pub mod domains;
pub mod dropping_panics;
pub mod durations;
pub mod errors;
pub mod errors_and_panics;
pub mod expressions;
pub mod floats;
pub mod foreign_keys;
pub mod generations;
pub mod heaps_of_boxes;
pub mod integers_in_place;
pub mod late;
pub mod late_drops;
pub mod late_values;
pub mod leaked_borrows;
pub mod leaks;
pub mod lent_ends;
pub mod lent_twice;
pub mod linked;
pub mod lists;
pub mod logged_drops;
pub mod long_chains;
pub mod maps;
pub mod markers;
pub mod nested_maps;
pub mod niches;
pub mod nothing_in_scope;
pub mod options;
pub mod own_pointers;
pub mod pairs_and_triples;
pub mod panicking_clones;
pub mod panicking_destructors;
pub mod panics;
pub mod parts;
pub mod pointed_arrays;
pub mod priorities;
pub mod references;
pub mod rings;
pub mod same_twice;
pub mod several_types;
pub mod shared_variants;
pub mod sharing_results;
pub mod skipped;
pub mod system_texts;
pub mod texts;
pub mod tied_cycles;
pub mod tied_keys;
pub mod tied_priorities;
pub mod two_owners;
pub mod unsized_values;
pub mod weak;
pub mod weak_cycles;
pub mod wide_integers;
pub mod widest_integers;
pub mod wrapped_deques;

use crate::case::Case;

/// All of them, but for the [long chains](long_chains) and the
/// [broken promises](broken_promises).
pub fn all() -> Vec<Case> {
    vec![
        arena::case(),
        binary_heap::case(),
        borrowed_or_owned::case(),
        bounds_by_class::case(),
        boxed_slices::case(),
        cells::case(),
        chars::case(),
        counted::case(),
        counted_atomically::case(),
        cycles::case(),
        deep::case(),
        deques::case(),
        destructors::case(),
        domains::case(),
        dropping_panics::case(),
        durations::case(),
        errors::case(),
        errors_and_panics::case(),
        expressions::case(),
        floats::case(),
        foreign_keys::case(),
        generations::case(),
        heaps_of_boxes::case(),
        integers_in_place::case(),
        late::case(),
        late_drops::case(),
        late_values::case(),
        leaked_borrows::case(),
        leaks::case(),
        lent_ends::case(),
        lent_twice::case(),
        linked::case(),
        lists::case(),
        logged_drops::case(),
        maps::case(),
        markers::case(),
        nested_maps::case(),
        niches::case(),
        nothing_in_scope::case(),
        options::case(),
        own_pointers::case(),
        pairs_and_triples::case(),
        panicking_clones::case(),
        panicking_destructors::case(),
        panics::case(),
        parts::case(),
        pointed_arrays::case(),
        priorities::case(),
        references::case(),
        rings::case(),
        same_twice::case(),
        several_types::case(),
        shared_variants::case(),
        sharing_results::case(),
        skipped::case(),
        system_texts::case(),
        texts::case(),
        tied_cycles::case(),
        tied_keys::case(),
        tied_priorities::case(),
        two_owners::case(),
        unsized_values::case(),
        weak::case(),
        weak_cycles::case(),
        wide_integers::case(),
        widest_integers::case(),
        wrapped_deques::case(),
    ]
}
