//! A situation for the tests of strategies.

use beget_heap::Form;
use beget_plan::scope::Plan;

use crate::common::{plan, suite};
use crate::data::ids::CallIdx;
use crate::store::{Candidate, Candidates, ExactStore, Store};

/// Five structures, and a plan of insertions with 2^14 literals: two parents for a block.
pub(crate) fn many_literals() -> (Plan, ExactStore) {
    let plan = plan(suite(), &["insert"], 1).with(|draft| {
        let literals = &mut draft.methods[0].domains[0];
        let one = literals[0].clone();
        literals.resize(1 << 14, one);
    });
    let mut candidates = Candidates::default();
    for word in 1..=5 {
        candidates.push(Candidate {
            form: Form { words: &[word], len: 1 },
            call: CallIdx::new(0),
            arguments: &[],
            objects: 0,
            continues_call: false,
        });
    }
    let mut store = ExactStore::of(&plan);
    store.commit(&[candidates]).unwrap();
    (plan, store)
}
