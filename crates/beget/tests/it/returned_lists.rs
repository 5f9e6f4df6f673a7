//! Runs of methods that return lists of structures.
#![allow(missing_docs, reason = "the signatures are what is tested")]

use std::collections::BTreeSet;

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::store::StructureId;
use beget_heap::encode::PassedBound;

/// A card of a pack. There is no other way to one than a deal.
#[derive(Clone, Debug, Heap)]
pub struct Card {
    number: u8,
}

#[beget::api]
impl Card {
    pub fn deal(n: u8) -> Vec<Self> {
        (0..n).map(|number| Card { number }).collect()
    }
}

/// Of n up to 8, all cards of each deal; 9 and 10 have more than are taken.
#[test]
fn a_run_has_the_elements_and_counts_longer_lists_as_out_of_scope() {
    let run = beget::check!(Card, k = 1, ints = 0..11);
    let dealt: BTreeSet<u8> = (0..=8).flat_map(|n| 0..n).collect();
    assert_eq!(run.generated(), dealt.len() as u64);
    let report = &run.corpus().report;
    assert_eq!((report.ledger.counters.explored(), report.ledger.counters.out_of_scope), (11, 2));
    assert_eq!(report.ledger.passed.iter().map(|passed| passed.calls).collect::<Vec<_>>(), [2]);
    assert_eq!(report.ledger.passed[0].bound, PassedBound::Returned);
    let recipe = run.corpus().recipe(StructureId::new(3)).unwrap();
    let source = to_source(&Card::suite(), &recipe).0;
    assert_eq!(source, "let card = Card::deal(4).remove(3);");
}
