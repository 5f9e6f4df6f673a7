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
        bit_vec,
        bytes_slice_ref,
        circular_buffer_drop,
        circular_buffer_eq,
        circular_buffer_range,
        fixed_queue,
        fixedbitset,
        fixedbitset_difference,
        generational_arena,
        generational_arena_drain,
        grid_init,
        hashlink,
        hashlink_reserve,
        heapless_deque,
        heapless_history_clear,
        heapless_history_write,
        id_map,
        id_map_from_iter,
        lru_clone,
        lru_zero,
        min_max_heap,
        petgraph_graph_map,
        petgraph_matrix_graph,
        petgraph_stable_graph,
        priority_queue,
        priority_queue_double,
        qwutils,
        radix_trie,
        rangemap_coalesce,
        rangemap_hash,
        ringbuffer_from,
        simple_slab,
        sized_chunks,
        sized_chunks_clone,
        skiplist,
        skiplist_map,
        slab,
        smallvec_drop,
        smartstring_drain,
        smartstring_remove,
        stable_vec,
        stack_dst,
        thin_vec,
        thunderdome,
        toodee,
    ],
    never_fixed: [
        arenavec,
        emap,
        emap_drop,
        insert_many,
        ordnung,
        petgraph_matrix_count,
        sized_chunks_drop,
        slice_deque,
        slice_ring_buffer,
        sp_sized_chunks,
    ]
}

/// The versions that the table names are those that the tests run on.
#[test]
#[cfg(not(feature = "fixed"))]
fn the_versions_are_pinned() {
    let pins = |manifest: &str, of: &str| {
        let (name, version) = of.split_once(' ').expect("a name and a version");
        let is_named = |line: &str| {
            line.starts_with(&format!("{name} = "))
                || line.contains(&format!("package = \"{name}\""))
        };
        let version = format!("\"={version}\"");
        manifest.lines().any(|line| is_named(line) && line.contains(&version))
    };
    for Defect { old, fixed, .. } in DEFECTS {
        assert!(pins(include_str!("../Cargo.toml"), old), "{old}");
        assert!(*fixed == "none" || pins(include_str!("../fixed/Cargo.toml"), fixed), "{fixed}");
    }
}
