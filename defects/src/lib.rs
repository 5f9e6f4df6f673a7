//! Published defects of data-structure crates, found by beget with a few lines each.
//!
//! Each module is one defect: what is published of it, the version that has it, the first version
//! without it, and the text with which beget finds it. The tests run the text on both.
#![allow(missing_docs, reason = "modules say what they are on top of their files")]

pub mod defect;
pub mod run;

pub use defect::Defect;

macro_rules! defects {
    (fixed: [$($fixed:ident),* $(,)?], never_fixed: [$($never_fixed:ident),* $(,)?]) => {
        $(mod $fixed;)*
        $(#[cfg(not(feature = "fixed"))] mod $never_fixed;)*

        /// All defects.
        pub const DEFECTS: &[Defect] = &[
            $($fixed::DEFECT,)*
            $(#[cfg(not(feature = "fixed"))] $never_fixed::DEFECT,)*
        ];
    };
}

defects! {
    fixed: [
        array_queue,
        array_queue_push,
        arrayvec,
        fixedbitset,
        hashlink,
        id_map,
        id_map_from_iter,
        petgraph_graph_map,
        petgraph_matrix_graph,
        petgraph_stable_graph,
        qwutils,
        rangemap_coalesce,
        rangemap_eq,
        simple_slab,
        sized_chunks,
        skiplist,
        skiplist_map,
        slab,
        stack_dst,
        thunderdome,
        toodee,
    ],
    never_fixed: [arenavec, emap, insert_many, ordnung, petgraph_matrix_count, slice_deque]
}
