//! The memory that a list of literals takes, computed before it is made.
//!
//! Lists of vectors, tuples and records grow by products, so a few characters in a scope file can
//! ask for more than any machine has. The size is computed from the parts: their number, and the
//! length of their source.

use crate::{Domain, DomainError, Literal};

/// The most literals that a parameter may range over. More are assumed to be a mistake: every
/// structure would be extended by each of them.
pub const MOST_LITERALS: usize = 1_000_000;

/// The most bytes that the literals of a parameter may take, written as Rust.
pub const MOST_SOURCE: usize = 64 << 20;

/// The size of a list of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of values.
    pub count: u64,
    /// Their total length as Rust source, with the commas between them.
    pub bytes: u64,
}

impl Extent {
    /// The size of `values`.
    pub fn of<T: Domain>(values: &[T]) -> Self {
        let bytes = values.iter().map(|value| value.to_source().len() as u64 + 2).sum();
        Extent { count: values.len() as u64, bytes }
    }

    /// The size of a list of literals.
    pub fn of_literals(literals: &[Literal]) -> Self {
        let bytes = literals.iter().map(|literal| literal.source.len() as u64 + 2).sum();
        Extent { count: literals.len() as u64, bytes }
    }

    /// The size of all vectors of up to `longest` of these values, if they can be listed.
    pub(crate) fn vectors(self, longest: usize) -> Result<Self, DomainError> {
        if self.count == 0 {
            return Ok(Extent::ONE);
        }
        let (mut total, mut of_length) = (Extent { count: 1, bytes: 0 }, Extent::ONE);
        for _ in 0..longest {
            of_length = of_length.times(self);
            total = total.plus(of_length);
            total.check()?;
        }
        Ok(total)
    }

    /// The size of all arrays of `len` of these values, if they can be listed.
    pub(crate) fn arrays(self, len: usize) -> Result<Self, DomainError> {
        if self.count == 0 && len > 0 {
            return Ok(self);
        }
        let mut arrays = Extent::ONE;
        for _ in 0..len {
            arrays = arrays.times(self);
            arrays.check()?;
        }
        Ok(arrays)
    }

    /// The size of all sets of at most `longest` of these values, if they can be listed.
    pub(crate) fn subsets(self, longest: usize) -> Result<Self, DomainError> {
        self.maps_to(Extent::ONE, longest)
    }

    /// The size of all maps with at most `longest` of these values as keys, if they can be listed.
    pub(crate) fn maps_to(self, values: Extent, longest: usize) -> Result<Self, DomainError> {
        let mut total = Extent::ONE;
        // The sets of `size` keys; a key is in `sets * size / n` of them.
        let (mut sets, mut assignments) = (1_u128, 1_u128);
        let n = u128::from(self.count);
        for size in 1..=(longest as u128).min(n) {
            sets = sets.saturating_mul(n - size + 1) / size;
            let of_others = assignments;
            assignments = assignments.saturating_mul(values.count.into());
            let of_key = (sets.saturating_mul(size) / n).saturating_mul(assignments);
            let of_value = sets.saturating_mul(size).saturating_mul(of_others);
            let keys = of_key.saturating_mul(self.bytes.into());
            let bytes = keys.saturating_add(of_value.saturating_mul(values.bytes.into()));
            let clamped = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
            let count = clamped(sets.saturating_mul(assignments));
            total = total.plus(Extent { count, bytes: clamped(bytes) });
            total.check()?;
        }
        Ok(total)
    }

    /// The size of the same number of values, each written with the path of its type around it.
    pub(crate) fn with_paths(self) -> Self {
        // `std::collections::` and the like.
        const PATH: u64 = 24;
        Extent { bytes: self.bytes.saturating_add(self.count.saturating_mul(PATH)), ..self }
    }

    /// A single empty value.
    pub(crate) const ONE: Extent = Extent { count: 1, bytes: 0 };

    /// The size of all pairs.
    fn times(self, other: Extent) -> Extent {
        let first = self.bytes.saturating_mul(other.count);
        let second = other.bytes.saturating_mul(self.count);
        Extent {
            count: self.count.saturating_mul(other.count),
            bytes: first.saturating_add(second),
        }
    }

    /// The size of both lists together.
    #[must_use]
    pub fn plus(self, other: Extent) -> Extent {
        Extent {
            count: self.count.saturating_add(other.count),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    /// The size of all tuples of these values, if they can be listed after the `before` values
    /// already there.
    pub(crate) fn product(fields: &[Extent], before: usize) -> Result<Self, DomainError> {
        let product = fields.iter().fold(Extent::ONE, |product, field| product.times(*field));
        product.plus(Extent { count: before as u64, bytes: 0 }).check()?;
        Ok(product)
    }

    /// Returns whether the values can be listed: no more than [`MOST_LITERALS`], of no more than
    /// [`MOST_SOURCE`].
    pub fn is_listable(self) -> bool {
        self.count <= MOST_LITERALS as u64 && self.bytes <= MOST_SOURCE as u64
    }

    fn check(self) -> Result<(), DomainError> {
        if self.is_listable() { Ok(()) } else { Err(DomainError::TooMany) }
    }
}

/// Rejects a record whose fields have too many combinations to be listed after the `before` values
/// already there. Called by `derive(Domain)`.
#[doc(hidden)]
pub fn check_product(fields: &[Extent], before: usize) -> Result<(), DomainError> {
    Extent::product(fields, before).map(drop)
}
