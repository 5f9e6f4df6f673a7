//! Pictures of structures with very many paths through them.

use beget::Heap;
use beget::heap::HeapGraph;
use beget_program::records::picture::{Picture, to_svg};

/// A doubly linked ring.
#[derive(Heap)]
struct Ring {
    #[heap(arena(any_order))]
    nodes: Vec<Node>,
    #[heap(link = Node)]
    first: Option<usize>,
}

#[derive(Heap)]
struct Node {
    #[heap(link = Node)]
    next: Option<usize>,
    #[heap(link = Node)]
    previous: Option<usize>,
}

fn ring(n_nodes: usize) -> Ring {
    let node = |at: usize| Node {
        next: Some((at + 1) % n_nodes),
        previous: Some((at + n_nodes - 1) % n_nodes),
    };
    Ring { nodes: (0..n_nodes).map(node).collect(), first: Some(0) }
}

/// Along all paths the layout would take years: there are 2^59 from the first node to the last.
#[test]
fn a_doubly_linked_ring_is_laid_out() {
    let heap = HeapGraph::of(&ring(60));
    assert_eq!(heap.objects().len(), 61);
    let svg = to_svg(&[Picture::of_heap(0, heap, vec!["a ring".to_owned()])]).unwrap();
    assert_eq!(svg.matches("<rect class=\"object\"").count(), 61);
    // Each node's two, and the ring's one.
    assert_eq!(svg.matches("marker-").count(), 2 * 60 + 1);
    assert!(svg.contains(">Node#1<"), "{svg}");
}
