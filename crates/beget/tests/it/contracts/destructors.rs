//! Values whose destructors panic: contracts are asked all the same, and nothing aborts.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the type stands for one of a library, with defects"
)]

use super::common;

use beget::{HasSuite, Heap};
use common::{check, told};

/// A number that cannot be dropped once it is 1, and cannot be compared then either.
#[derive(Debug, Heap)]
pub struct Fragile {
    n: u8,
}

#[beget::api(name = "fragile")]
impl Fragile {
    pub fn new() -> Self {
        Fragile { n: 0 }
    }

    pub fn up(&mut self) {
        self.n = (self.n + 1).min(2);
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.n != 1, "1 cannot be dropped");
    }
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        Fragile { n: self.n }
    }
}

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        assert!(self.n != 1, "1 cannot be compared");
        self.n == other.n
    }
}

impl Eq for Fragile {}

#[test]
fn two_destructors_that_panic_at_once_do_not_abort() {
    let run = check(Fragile::suite(), "", 1);
    let shown = told(&run);
    // Comparing it panics with a clone at hand, whose destructor panics too.
    let compared: Vec<_> =
        shown.iter().filter(|text| text.contains("1 cannot be compared")).collect();
    assert!(compared.iter().any(|text| text.contains("eq_reflexive")), "{shown:#?}");
    assert!(compared.iter().any(|text| text.contains("clone_equal")), "{shown:#?}");
    let of_contracts = shown.iter().filter(|text| text.contains("the contract `"));
    assert!(of_contracts.clone().all(|text| !text.contains("cannot be dropped")), "{shown:#?}");
}
