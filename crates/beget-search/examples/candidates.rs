//! Candidates a second on search trees: `candidates [k] [threads]`.
#![allow(clippy::disallowed_methods, reason = "the example measures")]
#![allow(missing_docs)]

#[path = "../tests/it/repok/common.rs"]
mod common;

use std::time::Instant;

use beget::heap::view::Table;
use beget_search::repok::{Search, count};

use common::{space, tree};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let k: u32 = arguments.next().unwrap_or(9);
    let threads: u32 = arguments.next().unwrap_or(1);
    let space = space::<tree::SearchTree>(&tree::finitization(k));
    let check = |table: &Table| tree::REP_OK.check(table);
    let mut search = Search::new(&space, &check);
    search.settings.threads = threads as usize;
    let started = Instant::now();
    let report = count(&search);
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "search trees, k = {k}, {threads} threads: {} generated, {} explored, {seconds:.2} s, {:.1} M/s",
        report.generated,
        report.explored,
        report.explored as f64 / seconds / 1e6
    );
}
