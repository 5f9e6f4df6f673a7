//! `compact::Vec::remove` takes a copy of the vector for the time of the call: where the index is
//! out of range, both are dropped. No version without it was published.
//!
//! Elements that take no space have no buffer, which would be freed twice and end the process.

crate::defect! {
    old: "ordnung 0.0.1",
    fixed: "none",
    claim: "RUSTSEC-2020-0038",
    what: "`compact::Vec::remove` out of range drops everything twice",
    shown: 1, "contract", "elements_dropped_once", "let _ = compact.remove(1);",
    own: {
        beget::suite! {
            pub suite List for ordnung::compact::Vec<TrackedUnit> as Compact {
                abstraction |list| -> Vec<TrackedUnit> { list.to_vec() };
                fn new() -> Self;
                fn push(&mut self, value: TrackedUnit);
                fn pop(&mut self) -> Option<TrackedUnit>;
                fn remove(&mut self, index: usize) -> TrackedUnit;
            }
        }
        pub fn run() -> Run { check!(List, k = 2, misuse = (panics: ["removal index"])) }
    }
}
