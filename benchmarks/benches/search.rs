//! The search from a repOK, beside generate-and-filter.
#![allow(missing_docs, reason = "the macros of criterion make undocumented items")]

use beget_benchmarks::scopes::{RepOkCase, rep_ok};
use beget_heap::{Bounds, Layout};
use beget_search::repok::{Search, count, naive};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn search(c: &mut Criterion) {
    for (scope, name, k) in [
        ("korat/searchtree", "published", 7),
        ("roops/ncl", "corrected", 5),
        ("roops/ncl", "published", 5),
        ("kiasan/treeset", "corrected", 5),
    ] {
        let RepOkCase { rep_ok, space, .. } = rep_ok(scope, name, k);
        let search = Search::new(&space, rep_ok.as_fn());
        let mut group = c.benchmark_group("search");
        group.throughput(Throughput::Elements(count(&search).explored));
        group.bench_function(format!("{scope} {name} {k}"), |b| b.iter(|| count(&search)));
        group.finish();
    }
}

/// What backtracking saves: 178 candidates instead of 1,769,472.
fn beside_naive(c: &mut Criterion) {
    let RepOkCase { subject, rep_ok, space } = rep_ok("korat/searchtree", "published", 3);
    let layout = Layout::new(&subject.schema, &Bounds::unlimited());
    let search = Search::new(&space, rep_ok.as_fn());
    let found = naive(&space, rep_ok.as_fn(), &layout).len() as u64;
    assert_eq!(found, count(&search).generated, "the twins differ");
    let mut group = c.benchmark_group("korat/searchtree 3");
    group.sample_size(10);
    group.bench_function("search", |b| b.iter(|| count(&search)));
    group.bench_function("generate and filter", |b| {
        b.iter(|| naive(&space, rep_ok.as_fn(), &layout));
    });
    group.finish();
}

criterion_group!(benches, search, beside_naive);
criterion_main!(benches);
