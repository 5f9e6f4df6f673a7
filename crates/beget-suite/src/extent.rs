//! How much memory a list of literals takes, told before it is made.
//!
//! Lists of vectors, tuples and records grow by products, so a few characters in a scope file can ask for more than
//! any machine has. The measure is taken from the parts: how many there are, and how long their source is.

use crate::{Domain, DomainError};

/// The most literals that a parameter may range over. More are taken for a mistake: every structure would be extended
/// by each of them.
pub const MOST_LITERALS: usize = 1_000_000;

/// The most bytes that the literals of a parameter may take, written as Rust.
pub const MOST_SOURCE: usize = 64 << 20;

/// The measure of a list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many there are.
    pub count: u64,
    /// How long they are together, written as Rust, with the commas between them.
    pub bytes: u64,
}

impl Extent {
    /// The measure of `values`.
    pub fn of<T: Domain>(values: &[T]) -> Self {
        let bytes = values.iter().map(|value| value.to_source().len() as u64 + 2).sum();
        Extent { count: values.len() as u64, bytes }
    }

    /// Whether all vectors of up to `longest` of these values can be listed.
    pub(crate) fn check_vectors(self, longest: usize) -> Result<(), DomainError> {
        let (mut total, mut of_length) = (Extent { count: 1, bytes: 0 }, Extent::ONE);
        for _ in 0..longest {
            of_length = of_length.times(self);
            total = total.plus(of_length);
            total.check()?;
        }
        Ok(())
    }

    /// Whether all arrays of `len` of these values can be listed, and how many there are.
    pub(crate) fn check_arrays(self, len: usize) -> Result<usize, DomainError> {
        let mut arrays = Extent::ONE;
        for _ in 0..len {
            arrays = arrays.times(self);
            arrays.check()?;
        }
        Ok(arrays.count as usize)
    }

    /// One value that is nothing.
    const ONE: Extent = Extent { count: 1, bytes: 0 };

    /// The measure of all pairs.
    fn times(self, other: Extent) -> Extent {
        let first = self.bytes.saturating_mul(other.count);
        let second = other.bytes.saturating_mul(self.count);
        Extent {
            count: self.count.saturating_mul(other.count),
            bytes: first.saturating_add(second),
        }
    }

    fn plus(self, other: Extent) -> Extent {
        Extent {
            count: self.count.saturating_add(other.count),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    fn check(self) -> Result<(), DomainError> {
        match self.count <= MOST_LITERALS as u64 && self.bytes <= MOST_SOURCE as u64 {
            true => Ok(()),
            false => Err(DomainError::TooMany),
        }
    }
}

/// Refuses a record whose fields have so many combinations that they cannot be listed after the `before` values that
/// are there. What `derive(Domain)` calls.
#[doc(hidden)]
pub fn check_product(fields: &[Extent], before: usize) -> Result<(), DomainError> {
    let product = fields.iter().fold(Extent::ONE, |product, field| product.times(*field));
    product.plus(Extent { count: before as u64, bytes: 0 }).check()
}
