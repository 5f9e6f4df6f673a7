//! Prints what an allocation, an attempt and a root scan cost. Run it with `--release`.
#![allow(clippy::disallowed_methods, reason = "the example measures")]

use std::{hint::black_box, rc::Rc, time::Instant};

use beget_process::alloc::{Image, Region};

beget_process::alloc::install!(unsafe);

#[derive(Clone, Default)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Clone)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Tree {
    fn insert(&mut self, key: u8) -> bool {
        let mut link = &mut self.root;
        while let Some(node) = link {
            if key == node.key {
                return false;
            }
            link = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *link = Some(Box::new(Node { key, left: None, right: None }));
        true
    }

    fn full() -> Tree {
        let mut tree = Tree::default();
        for key in [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9] {
            tree.insert(key * 2);
        }
        tree
    }
}

/// Prints the nanoseconds that one run of `work` takes, as the best of a few rounds.
fn measure(name: &str, per_round: u32, mut work: impl FnMut()) {
    let round = |_| {
        let start = Instant::now();
        for _ in 0..per_round {
            work();
        }
        start.elapsed().as_nanos() as f64 / f64::from(per_round)
    };
    let best = (0..7).map(round).fold(f64::INFINITY, f64::min);
    println!("{name:<58} {best:>9.1} ns");
}

const N: u32 = 1_000_000;

fn attempts(image: &mut Image<'_, Tree>) {
    measure("attempt that does nothing, image of 300 bytes", N, || {
        let _ = black_box(image.attempt(|_| (), |_, (), after| after.is_changed()));
    });
    measure("attempt that finds its key present", N, || {
        let _ = black_box(
            image.attempt(|tree| tree.insert(18), |_, &new, after| (new, after.is_changed())),
        );
    });
    measure("attempt that inserts a node, restore included", N, || {
        let _ = black_box(
            image.attempt(|tree| tree.insert(19), |_, &new, after| (new, after.is_changed())),
        );
    });
    let tree = Tree::full();
    measure("the same by clone, insert and drop", N / 10, || {
        let mut tree = black_box(&tree).clone();
        black_box(tree.insert(19));
    });
    measure("root scan", 1000, || image.check_escape().expect("nothing escapes"));
}

fn main() {
    measure("Box::new and drop, before any region", N, || {
        black_box(Box::new(black_box(1_u64)));
    });
    let mut region = Region::open().expect("the allocator is installed in this binary");
    measure("Box::new and drop, region open but off", N, || {
        black_box(Box::new(black_box(1_u64)));
    });
    measure("100 boxes in one attempt", N / 100, || {
        let mut image = region.build(|| Ok::<_, ()>(0_u64)).expect("it fits");
        let call = |_: &mut u64| {
            for idx in 0..100_u64 {
                black_box(Box::new(black_box(idx)));
            }
        };
        image.attempt(call, |_, (), _| ()).expect("nothing is lost");
    });
    measure("build of a tree of 12 nodes", N / 10, || {
        black_box(region.build(|| Ok::<_, ()>(Tree::full())).is_ok());
    });
    measure("plain making and dropping of the tree", N / 10, || {
        black_box(Tree::full());
    });
    measure("build and one attempt, counted references", N / 10, || {
        let mut image = region.build(|| Ok::<_, ()>(Rc::new(Rc::new(3_u8)))).expect("it fits");
        image.attempt(|node| node.clone(), |_, _, _| ()).expect("nothing is lost");
    });
    attempts(&mut region.build(|| Ok::<_, ()>(Tree::full())).expect("it fits"));
}
