use layout::core::geometry::Point;

use super::*;

fn shape(sizes: &[(f64, f64)], links: &[(usize, usize, &str)]) -> (Vec<BoxNode>, Vec<BoxLink>) {
    let node = |&(x, y): &(f64, f64)| BoxNode {
        size: Point::new(x, y),
        class: "Node".to_owned(),
        empty_fields: Vec::new(),
    };
    let link = |&(from, to, label): &(usize, usize, &str)| BoxLink {
        from,
        to,
        label: label.to_owned(),
        port: None,
        is_changed: false,
    };
    (sizes.iter().map(node).collect(), links.iter().map(link).collect())
}

fn arranged(n: usize, links: &[(usize, usize, &str)]) -> Arrangement {
    let (nodes, links) = shape(&vec![(60.0, 40.0); n], links);
    let found = arrange(BoxGraph { nodes: &nodes, links: &links });
    assert!(found.is_clean(), "{found:?}");
    assert_eq!(found.arrows.len(), links.len());
    found
}

#[test]
fn a_list_stands_in_a_row() {
    let found = arranged(4, &[(0, 1, "next"), (1, 2, "next"), (2, 3, "next"), (0, 3, "last")]);
    for pair in found.boxes.windows(2) {
        assert_eq!(pair[0].top, pair[1].top);
        assert!(pair[0].right < pair[1].left);
    }
}

#[test]
fn children_stand_below_their_parent_on_their_sides() {
    let links = [(0, 1, "left"), (1, 2, "right"), (0, 3, "right"), (1, 0, "parent")];
    let (mut nodes, links) = shape(&[(60.0, 40.0); 4], &links);
    nodes[1].empty_fields.push("left".to_owned());
    let found = arrange(BoxGraph { nodes: &nodes, links: &links });
    assert!(found.is_clean(), "{found:?}");
    let at = |object: usize| found.boxes[object];
    assert!(at(0).bottom < at(1).top && at(1).bottom < at(2).top);
    assert_eq!(at(1).top, at(3).top);
    assert!(at(1).middle().x < at(0).middle().x && at(0).middle().x < at(3).middle().x);
    assert!(at(1).middle().x < at(2).middle().x);
}

#[test]
fn a_single_child_stands_on_its_side() {
    let (mut nodes, links) = shape(&[(60.0, 40.0); 2], &[(0, 1, "right")]);
    nodes[0].empty_fields.push("left".to_owned());
    let found = arrange(BoxGraph { nodes: &nodes, links: &links });
    assert!(found.boxes[0].middle().x + 10.0 < found.boxes[1].middle().x);
    assert!(found.boxes[0].bottom < found.boxes[1].top);
}

#[test]
fn a_ring_goes_round() {
    for n in 2..12 {
        let mut links = vec![(0, 1, "header")];
        for place in 0..n {
            let (one, next) = (1 + place, 1 + (place + 1) % n);
            links.extend([(one, next, "next"), (next, one, "previous")]);
        }
        let found = arranged(n + 1, &links);
        let ring = &found.boxes[1..];
        let all = Rect::of_all(ring.iter().copied());
        assert!(found.boxes[0].right < all.left, "{n}");
        if n > 2 {
            assert!(!ring.iter().any(|object| object.contains(all.middle())), "{n}: {ring:?}");
            assert!(all.height() > 100.0, "{n}");
        }
    }
}

/// Every box refers to every other, which no layout but the last can show.
#[test]
fn any_heap_has_an_arrangement_without_collisions() {
    for n in 1..9 {
        let all = (0..n).flat_map(|from| (0..n).map(move |to| (from, to, "edge")));
        arranged(n, &all.collect::<Vec<_>>());
        let (nodes, links) = shape(&vec![(60.0, 40.0); n], &[]);
        assert!(Arcs::arrange_always(BoxGraph { nodes: &nodes, links: &links }).is_clean());
    }
}
