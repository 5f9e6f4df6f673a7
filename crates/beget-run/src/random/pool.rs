//! The pool: sequences that may be extended, by the types of the values that they offer.

use std::collections::BTreeSet;
use std::sync::Arc;

use beget_heap::CanonicalForm;
use beget_suite::{Chooser, TypeIdx, Variable};

use crate::random::{CallStep, Fragment};

/// A sequence with the values that later sequences may use.
#[derive(Clone, Debug)]
pub struct PooledSequence {
    /// The sequence.
    pub fragment: Arc<Fragment>,
    /// The offered values: those that its last call took or gave, without filtered ones.
    pub offers: Vec<OfferedValue>,
    /// True if its last calls were made on what the calls before them gave, not on values decoded
    /// from forms.
    pub is_by_calls: bool,
}

impl PooledSequence {
    /// The memory that it takes, without what earlier sequences of the pool have too.
    fn bytes(&self, counted: &mut BTreeSet<*const CallStep>) -> usize {
        let of_offer = |offer: &OfferedValue| {
            let is_other = |whole: &&Arc<CanonicalForm>| !Arc::ptr_eq(whole, &offer.form);
            let forms = [Some(&offer.form), offer.whole.as_ref().filter(is_other)];
            let forms =
                forms.into_iter().flatten().map(|form| form.as_ref().as_ref().as_bytes().len());
            size_of::<OfferedValue>() + forms.sum::<usize>()
        };
        let offers: usize = self.offers.iter().map(of_offer).sum();
        size_of::<Self>() + offers + self.fragment.bytes(counted)
    }
}

/// A value that a sequence leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedValue {
    /// The variable that holds it.
    pub variable: Variable,
    /// Its type.
    pub ty: TypeIdx,
    /// Its canonical form, by which it is seen whether the calls give it again.
    pub form: Arc<CanonicalForm>,
    /// The form that it is made from where its calls are not made again: with all fields, also
    /// those that the scope omits. `None` if it cannot be made so.
    pub whole: Option<Arc<CanonicalForm>>,
}

/// A value of the pool: the position of its sequence, and which of the values offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PooledValue {
    /// The position of the sequence.
    pub sequence: u32,
    /// The position among its offers.
    pub offer: u32,
}

/// All sequences that may be extended, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct SequencePool {
    sequences: Vec<PooledSequence>,
    by_type: Vec<Vec<PooledValue>>,
}

impl SequencePool {
    /// An empty pool for a suite with this number of types.
    pub(crate) fn new(n_types: usize) -> Self {
        SequencePool { sequences: Vec::new(), by_type: vec![Vec::new(); n_types] }
    }

    /// Adds a sequence, which offers something.
    pub(crate) fn add(&mut self, sequence: PooledSequence) {
        let number = self.sequences.len() as u32;
        for (index, offer) in (0..).zip(&sequence.offers) {
            self.by_type[offer.ty.index()].push(PooledValue { sequence: number, offer: index });
        }
        self.sequences.push(sequence);
    }

    /// The memory that all take together.
    pub(crate) fn bytes(&self) -> usize {
        let mut counted = BTreeSet::new();
        self.sequences.iter().map(|pooled| pooled.bytes(&mut counted)).sum()
    }

    /// The sequences, in the order in which they were found.
    pub fn sequences(&self) -> &[PooledSequence] {
        &self.sequences
    }

    /// The sequences that no other one begins with, in the order in which they were found.
    pub fn maximal(&self) -> Vec<&PooledSequence> {
        let fragments = self.sequences.iter().map(|pooled| &pooled.fragment);
        let parts: BTreeSet<*const Fragment> =
            fragments.flat_map(|fragment| fragment.beginnings()).map(Arc::as_ptr).collect();
        let is_maximal = |pooled: &&PooledSequence| !parts.contains(&Arc::as_ptr(&pooled.fragment));
        self.sequences.iter().filter(is_maximal).collect()
    }

    /// Adds at most `most` of the sequences of another pool that no other one begins with, spread
    /// over all.
    pub(crate) fn append_maximal(&mut self, other: &SequencePool, most: usize) {
        self.by_type.resize(self.by_type.len().max(other.by_type.len()), Vec::new());
        let maximal = other.maximal();
        let n = most.min(maximal.len());
        let chosen = (0..n).map(|index| maximal[index * maximal.len() / n]);
        chosen.for_each(|sequence| self.add(sequence.clone()));
    }

    /// How many sequences there are.
    pub(crate) fn len(&self) -> usize {
        self.sequences.len()
    }

    /// How many values of a type there are.
    pub(crate) fn n_values(&self, ty: TypeIdx) -> usize {
        self.by_type[ty.index()].len()
    }

    /// A sequence by its position.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn sequence(&self, value: PooledValue) -> &PooledSequence {
        &self.sequences[value.sequence as usize]
    }

    /// A value.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn offer(&self, value: PooledValue) -> &OfferedValue {
        &self.sequence(value).offers[value.offer as usize]
    }

    /// A value of a type, all alike; the one with the shortest sequence of `tries`. `None` if there
    /// is none.
    pub(crate) fn draw(
        &self,
        ty: TypeIdx,
        tries: u32,
        choose: &mut dyn Chooser,
    ) -> Option<PooledValue> {
        let values = &self.by_type[ty.index()];
        if values.is_empty() {
            return None;
        }
        let drawn = (0..tries.max(1)).map(|_| values[choose.index(values.len())]);
        drawn.min_by_key(|&value| self.sequence(value).fragment.n_statements())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool of sequences, each of which offers the variable with its number.
    fn pool_of(n: usize) -> SequencePool {
        let mut pool = SequencePool::new(1);
        for number in 0..n {
            let form = Arc::new(CanonicalForm::from(vec![0]));
            let (variable, ty) = (Variable(number), TypeIdx::new(0));
            let offers = vec![OfferedValue { variable, ty, form, whole: None }];
            let fragment = Arc::new(Fragment::new(vec![], vec![]));
            pool.add(PooledSequence { fragment, offers, is_by_calls: true });
        }
        pool
    }

    #[test]
    fn a_pool_takes_the_memory_of_its_sequences_and_of_the_forms_of_their_values() {
        let of_fragment = size_of::<Fragment>();
        // The form has one byte.
        let of_offer = size_of::<OfferedValue>() + 1;
        for n in [0, 1, 5] {
            let pool = pool_of(n);
            let bytes: usize =
                pool.sequences.iter().map(|one| one.bytes(&mut BTreeSet::new())).sum();
            assert_eq!(bytes, n * (size_of::<PooledSequence>() + of_offer + of_fragment));
            assert_eq!((pool.len(), pool.bytes()), (n, bytes));
        }
    }

    /// The form that the scope knows has three bytes, the whole one has four.
    #[test]
    fn a_form_with_all_fields_takes_memory_if_it_is_another_one() {
        let form = Arc::new(CanonicalForm::from(vec![1, 2, 3]));
        let bytes_with = |whole| {
            let (form, fragment) = (form.clone(), Arc::default());
            let offer = OfferedValue { variable: Variable(0), ty: TypeIdx::new(0), form, whole };
            let pooled = PooledSequence { fragment, offers: vec![offer], is_by_calls: true };
            pooled.bytes(&mut BTreeSet::new())
        };
        let other = Arc::new(CanonicalForm::from(vec![1, 2, 3, 4]));
        assert_eq!(bytes_with(Some(form.clone())), bytes_with(None));
        assert_eq!(bytes_with(Some(other)), bytes_with(None) + 4);
    }

    #[test]
    fn few_of_another_pool_are_spread_over_all_of_it() {
        for (most, expected) in [
            (0, vec![]),
            (1, vec![0]),
            (3, vec![0, 3, 6]),
            (10, (0..10).collect()),
            (usize::MAX, (0..10).collect()),
        ] {
            let mut pool = SequencePool::default();
            pool.append_maximal(&pool_of(10), most);
            let sequences = pool.sequences().iter();
            let chosen: Vec<usize> = sequences.map(|one| one.offers[0].variable.0).collect();
            assert_eq!(chosen, expected, "{most}");
            assert_eq!(pool.n_values(TypeIdx::new(0)), expected.len());
        }
    }
}
