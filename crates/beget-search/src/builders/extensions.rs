//! The field extensions of sets of structures.
//!
//! They represent a set of structures in the genetic search: every (field, source, target) that
//! occurs in one of them. See [`crate::extensions`] for those of one structure.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use fixedbitset::FixedBitSet;

use crate::extensions::{Extension, field_extensions};

/// The field extensions of all structures of a corpus together.
///
/// # Errors
/// If the store cannot read them.
pub fn extensions_of<S: Store>(corpus: &Corpus<S>) -> Result<BTreeSet<Extension>, StoreError> {
    let mut all = BTreeSet::new();
    for id in (0..corpus.store.len()).map(StructureId::new) {
        all.extend(corpus.graph(id)?.iter().flat_map(field_extensions));
    }
    Ok(all)
}

/// The field extensions of each structure of a space, numbered.
#[derive(Debug)]
pub(crate) struct Extensions {
    /// In order.
    all: Vec<Extension>,
    /// Those of structure `s` are `numbers[starts[s]..starts[s + 1]]`.
    numbers: Vec<u32>,
    starts: Vec<usize>,
}

impl Extensions {
    pub(crate) fn new(by_structure: Vec<BTreeSet<Extension>>) -> Self {
        let all: BTreeSet<&Extension> = by_structure.iter().flatten().collect();
        let number_of: BTreeMap<&Extension, u32> = all.iter().copied().zip(0..).collect();
        let mut numbers = Vec::new();
        let mut starts = vec![0];
        for extensions in &by_structure {
            numbers.extend(extensions.iter().map(|extension| number_of[extension]));
            starts.push(numbers.len());
        }
        Extensions { all: all.into_iter().cloned().collect(), numbers, starts }
    }

    /// The number of different ones in `structures`.
    pub(crate) fn count(&self, structures: &FixedBitSet) -> usize {
        self.union(structures).count_ones(..)
    }

    /// The different ones of `structures`, in order.
    pub(crate) fn of(&self, structures: &FixedBitSet) -> Vec<&Extension> {
        self.union(structures).ones().map(|number| &self.all[number]).collect()
    }

    fn union(&self, structures: &FixedBitSet) -> FixedBitSet {
        let mut union = FixedBitSet::with_capacity(self.all.len());
        for structure in structures.ones() {
            for &number in &self.numbers[self.starts[structure]..self.starts[structure + 1]] {
                union.insert(number as usize);
            }
        }
        union
    }
}
