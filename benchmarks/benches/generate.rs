//! The engine on one thread, by subject and by copy strategy.
#![allow(missing_docs, reason = "the macros of criterion make undocumented items")]
#![allow(
    unsafe_code,
    reason = "whoever installs the allocator promises that the case studies are confined"
)]

use beget_benchmarks::scopes::plan;
use beget_engine::{CopyOptions, Run, Settings};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

beget_process::alloc::install!(unsafe);

fn run(scope: &str, k: u32, copy_options: CopyOptions) -> u64 {
    let settings = Settings { threads: 1, copy_options };
    Run::new(plan(scope, k)).settings(settings).go().report.ledger.counters.explored()
}

fn subjects(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate");
    group.sample_size(10);
    for (scope, k) in [
        ("roops/ncl", 6),
        ("korat/slist", 6),
        ("korat/searchtree", 8),
        ("kiasan/treeset", 9),
        ("korat/fibheap", 5),
        ("kiasan/disjsets_fast", 6),
    ] {
        group.throughput(Throughput::Elements(run(scope, k, CopyOptions::default())));
        group.bench_function(format!("{scope} {k}"), |b| {
            b.iter(|| run(scope, k, CopyOptions::default()));
        });
    }
    group.finish();
}

fn ways(c: &mut Criterion) {
    let mut group = c.benchmark_group("roops/ncl 6, copies by");
    group.sample_size(10);
    let image = CopyOptions::default();
    let clone = CopyOptions { no_region: true, ..image };
    let remake = CopyOptions { no_clone: true, ..clone };
    for (name, copy_options) in [("image", image), ("clone", clone), ("remake", remake)] {
        group.throughput(Throughput::Elements(run("roops/ncl", 6, copy_options)));
        group.bench_function(name, |b| b.iter(|| run("roops/ncl", 6, copy_options)));
    }
    group.finish();
}

criterion_group!(benches, subjects, ways);
criterion_main!(benches);
