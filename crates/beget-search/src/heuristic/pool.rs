//! The structures left by calls, with the calls that lead to each and its length.

use std::collections::BTreeMap;
use std::sync::Arc;

use beget_run::random::Fragment;
use beget_suite::{TypeIdx, Variable};

use crate::heuristic::effects::Size;

/// The position of a structure in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PoolIdx(usize);

/// A structure left by calls.
#[derive(Clone, Debug)]
pub(crate) struct SizedStructure {
    pub(crate) ty: TypeIdx,
    /// The calls.
    pub(crate) fragment: Arc<Fragment>,
    /// The variable that holds it.
    pub(crate) variable: Variable,
    /// The number of its elements, if a method reports it.
    pub(crate) length: Option<u64>,
    /// True if it has no elements; without a length, if all its values are zero or absent.
    pub(crate) is_empty: bool,
    /// Its size, which shows whether a call has enlarged it.
    pub(crate) size: Size,
}

/// All structures, in the order in which they were found; no two of a type have the same form.
#[derive(Debug, Default)]
pub(crate) struct StructurePool {
    structures: Vec<SizedStructure>,
    known: BTreeMap<(TypeIdx, Box<[u8]>), PoolIdx>,
}

impl StructurePool {
    pub(crate) fn get(&self, idx: PoolIdx) -> &SizedStructure {
        &self.structures[idx.0]
    }

    pub(crate) fn len(&self) -> usize {
        self.structures.len()
    }

    /// The structure of this form.
    pub(crate) fn find(&self, ty: TypeIdx, form: &[u8]) -> Option<PoolIdx> {
        self.known.get(&(ty, form.into())).copied()
    }

    /// Adds a structure with its form, which must be new.
    pub(crate) fn add(&mut self, structure: SizedStructure, form: &[u8]) -> PoolIdx {
        let idx = PoolIdx(self.structures.len());
        self.known.insert((structure.ty, form.into()), idx);
        self.structures.push(structure);
        idx
    }

    fn of_type(&self, ty: TypeIdx) -> impl Iterator<Item = PoolIdx> + '_ {
        let all = self.structures.iter().enumerate();
        all.filter(move |(_, structure)| structure.ty == ty).map(|(number, _)| PoolIdx(number))
    }

    /// Returns whether there is a structure of a type that is not empty.
    pub(crate) fn has_filled(&self, ty: TypeIdx) -> bool {
        self.of_type(ty).any(|idx| !self.get(idx).is_empty)
    }

    /// The structures of a type, non-empty ones first, then those with the fewest calls.
    pub(crate) fn ranked(&self, ty: TypeIdx) -> Vec<PoolIdx> {
        let mut ranked: Vec<PoolIdx> = self.of_type(ty).collect();
        ranked.sort_by_key(|&idx| {
            let structure = self.get(idx);
            (structure.is_empty, structure.fragment.n_statements(), idx)
        });
        ranked
    }
}
