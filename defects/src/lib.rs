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
        generational_arena,
        hashlink,
        id_map,
        id_map_from_iter,
        min_max_heap,
        petgraph_graph_map,
        petgraph_matrix_graph,
        petgraph_stable_graph,
        priority_queue,
        qwutils,
        radix_trie,
        rangemap_coalesce,
        rangemap_hash,
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

/// What the book shows of these files is what is there.
#[test]
#[cfg(not(feature = "fixed"))]
fn the_book_shows_own_texts() {
    let page = include_str!("../../docs/src/defects.md");
    let shown: Vec<&str> = page.split("```rust,ignore\n").skip(1).collect();
    assert_eq!(shown.len(), 1);
    let is_own = |text: &str| {
        let lines =
            |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let text = lines(text).join("\n");
        DEFECTS.iter().any(|defect| lines(defect.source).join("\n").contains(&text))
    };
    for block in shown {
        let (text, _) = block.split_once("```").expect("the block ends");
        assert!(is_own(text), "{text}");
    }
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
