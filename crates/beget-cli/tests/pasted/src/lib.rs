//! A crate with a fault in each of its types.
#![deny(warnings, missing_docs)]

pub mod open;
mod ring;
mod stack;

pub use ring::Ring;
pub use stack::{Stack, Way};

/// A private type, whose suite stands in the module of its tests.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
struct Pile {
    items: Vec<u8>,
}

/// How many items a new pile has.
pub fn count() -> usize {
    Pile::default().items.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[beget::api]
    impl Pile {
        pub(super) fn empty() -> Self {
            Pile::default()
        }

        pub fn new() -> Self {
            Pile::empty()
        }

        #[api(ensures(self.items.last() == Some(&item)))]
        pub fn push(&mut self, item: u8) {
            self.items.insert(0, item);
        }
    }

    #[test]
    fn every_pile() {
        beget::check!(Pile, k = 2, ints = 0..2);
    }

    // What `every_pile` prints.

    mod of_stacks {
        use super::{Stack, Way};

        beget::suite! {
            suite Model for Vec<Way> {
                fn new() -> Self;
                fn push(&mut self, way: Way);
                fn pop(&mut self) -> Option<Way>;
            }
        }

        #[test]
        fn every_stack_beside_its_model() {
            beget::diff!(Stack, Model, k = 2);
        }

        // What `every_stack_beside_its_model` prints.
    }
}
