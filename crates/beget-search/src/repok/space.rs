//! The space of candidates: a finitization resolved to cells.

use beget_heap::Heap;
use beget_heap::view::{Shapes, Table, Viewed};

use crate::repok::finitization::{Finitization, FinitizationError};
use crate::repok::resolve::resolve;

/// Every cell of every object that a candidate can have, with its domain.
#[derive(Clone, Debug)]
pub struct CandidateSpace {
    pub(crate) shapes: Shapes,
    /// By cell.
    pub(crate) cells: Vec<CellDomain>,
    /// All domains' values, one domain after the other.
    pub(crate) values: Vec<i64>,
    /// By the first cell of an object: the kind of its fields.
    pub(crate) kind_at: Vec<u32>,
    pub(crate) kinds: Vec<ObjectKind>,
}

/// The place of the values of a cell's domain, and the numbering of objects in it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellDomain {
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// The class whose objects the values are, plus one; 0 for plain values.
    pub(crate) group: u32,
    /// True if the first value is null, so that value `i` is object number `i`, counted from 1.
    pub(crate) has_null: bool,
}

/// The fields of an object in the order in which they are varied.
#[derive(Clone, Debug)]
pub(crate) struct ObjectKind {
    pub(crate) fields: Vec<KindField>,
    /// For an array, the cells of an element.
    pub(crate) stride: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct KindField {
    pub(crate) offset: u32,
    pub(crate) is_reference: bool,
    /// The presences that must hold for the field to exist.
    pub(crate) guards: Vec<u32>,
}

impl CellDomain {
    /// The number of the object that value `index` refers to, 0 for null.
    #[inline(always)]
    pub(crate) fn object_number(&self, index: u32) -> u32 {
        index + u32::from(!self.has_null)
    }
}

impl CandidateSpace {
    /// Resolves `finitization` for roots of type `T`.
    ///
    /// # Errors
    ///
    /// [`FinitizationError`] if it names an unknown field, or leaves a field out.
    pub fn new<T: Heap + Viewed>(finitization: &Finitization) -> Result<Self, FinitizationError> {
        CandidateSpace::of_shapes(Shapes::of::<T>(), finitization)
    }

    /// Like [`CandidateSpace::new`], for the type that `shapes` was made from.
    ///
    /// # Errors
    ///
    /// Those of [`CandidateSpace::new`].
    pub fn of_shapes(
        shapes: Shapes,
        finitization: &Finitization,
    ) -> Result<Self, FinitizationError> {
        resolve(shapes, finitization)
    }

    /// The classes and their cells.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The number of candidates, including isomorphic ones, as a power of ten.
    pub fn log10_candidates(&self) -> f64 {
        self.cells.iter().filter(|cell| cell.len > 0).map(|cell| f64::from(cell.len).log10()).sum()
    }

    /// A table with every field at the first value of its domain.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new();
        table.allocate(self.cells.len() as u32 - Table::ROOT);
        for (cell, domain) in (0..).zip(&self.cells) {
            if domain.len > 0 {
                table.set(cell, self.values[domain.first as usize]);
            }
        }
        table
    }

    /// Returns whether changes of the cell are recorded: it has more than one value.
    #[inline(always)]
    pub(crate) fn is_variable(&self, cell: u32) -> bool {
        let domain = &self.cells[cell as usize];
        domain.len > 1 || domain.group > 0
    }

    pub(crate) fn n_groups(&self) -> usize {
        self.shapes.classes().len() + 1
    }
}
