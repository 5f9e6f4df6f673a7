//! Times the hand-written tree suite: `tree K THREADS WISHES` (wishes: bits no_decode, no_region, no_clone).
#[path = "../tests/common/mod.rs"]
mod common;

beget_alloc::install!(unsafe);

use beget_engine::store::Store;
use beget_engine::{Settings, Wishes, generate};

fn main() {
    let arguments: Vec<u32> = std::env::args().skip(1).map(|text| text.parse().expect("a number")).collect();
    let bits = arguments.get(2).copied().unwrap_or(0);
    let wishes = Wishes { no_decode: bits & 1 != 0, no_region: bits & 2 != 0, no_clone: bits & 4 != 0 };
    let settings = Settings { threads: arguments[1] as usize, wishes };
    let start = std::time::Instant::now();
    let corpus = generate(common::plan(common::suite(), &["new", "insert"], arguments[0]), settings, &mut |_| None);
    let seconds = start.elapsed().as_secs_f64();
    let explored = corpus.report.counters.explored();
    println!(
        "{} structures, {explored} calls, {seconds:.3} s, {:.1} ns a call, {:.1} bytes a structure, {:?}",
        corpus.store.len(),
        seconds * 1e9 / explored as f64,
        corpus.store.bytes() as f64 / f64::from(corpus.store.len()),
        corpus.report.notes
    );
}
