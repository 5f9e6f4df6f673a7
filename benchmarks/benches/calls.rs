//! `apache::ncl`: a call of 34 of 34 methods.
//!
//! Written by this command, which overwrites it:
//!
//! ```sh
//! beget call scopes/apache/ncl.ron -k 3 --methods all --seed 0 --goal ok \
//!     -o benchmarks/benches/calls.rs
//! ```
#![allow(clippy::all, deprecated, missing_docs, unused_imports)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use beget_subjects::apache::ncl::NodeCachingLinkedList;
use beget_subjects::apache::ncl::*;
use criterion::{Criterion, criterion_group, criterion_main};

fn call_new(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/new", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let start = Instant::now();
                let _returned = black_box(NodeCachingLinkedList::new());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_from_collection(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/from_collection", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(NodeCachingLinkedList::from_collection(&node_caching_linked_list));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_with_maximum_cache_size(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/with_maximum_cache_size", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let start = Instant::now();
                let _returned = black_box(NodeCachingLinkedList::with_maximum_cache_size(8));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.add(1));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add_at(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add_at", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.add_at(0, 2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add_all(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add_all", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.add_all(&node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add_all_at(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add_all_at", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.add_all_at(0, &node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add_first(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add_first", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.add_first(2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_add_last(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/add_last", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.add_last(0));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_clear(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/clear", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.clear());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_contains(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/contains", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.contains(2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_contains_all(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/contains_all", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.contains_all(&node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_equals(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/equals", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.equals(&node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_get(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/get", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.get(0));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_get_first(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/get_first", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(0);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.get_first());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_get_last(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/get_last", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(0);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.get_last());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_hash_code(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/hash_code", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.hash_code());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_index_of(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/index_of", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.index_of(1));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_is_empty(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/is_empty", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.is_empty());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_iterator(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/iterator", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.iterator());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_last_index_of(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/last_index_of", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.last_index_of(1));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_list_iterator(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/list_iterator", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.list_iterator(0));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_remove_at(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/remove_at", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.remove_at(0));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_remove(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/remove", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.remove(1));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_remove_all(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/remove_all", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.remove_all(&node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_remove_first(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/remove_first", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(0);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.remove_first());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_remove_last(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/remove_last", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(0);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.remove_last());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_retain_all(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/retain_all", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let mut node_caching_linked_list_2 = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list_2.add(1);
                let start = Instant::now();
                let _returned =
                    black_box(node_caching_linked_list.retain_all(&node_caching_linked_list_2));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_set(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/set", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.set(0, 1));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_size(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/size", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.size());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_sub_list(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/sub_list", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.sub_list(0, 0));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_to_array(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/to_array", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.to_array());
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_to_array_in(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/to_array_in", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.to_array_in(vec![2]));
                time += start.elapsed();
            }
            time
        });
    });
}

fn call_to_text(criterion: &mut Criterion) {
    criterion.bench_function("apache::ncl/to_text", |bencher| {
        bencher.iter_custom(|n| {
            let mut time = Duration::ZERO;
            for _ in 0..n {
                let mut node_caching_linked_list = NodeCachingLinkedList::new();
                let _ = node_caching_linked_list.add(1);
                let start = Instant::now();
                let _returned = black_box(node_caching_linked_list.to_text());
                time += start.elapsed();
            }
            time
        });
    });
}

criterion_group!(
    calls,
    call_new,
    call_from_collection,
    call_with_maximum_cache_size,
    call_add,
    call_add_at,
    call_add_all,
    call_add_all_at,
    call_add_first,
    call_add_last,
    call_clear,
    call_contains,
    call_contains_all,
    call_equals,
    call_get,
    call_get_first,
    call_get_last,
    call_hash_code,
    call_index_of,
    call_is_empty,
    call_iterator,
    call_last_index_of,
    call_list_iterator,
    call_remove_at,
    call_remove,
    call_remove_all,
    call_remove_first,
    call_remove_last,
    call_retain_all,
    call_set,
    call_size,
    call_sub_list,
    call_to_array,
    call_to_array_in,
    call_to_text,
);
criterion_main!(calls);
