//! Field domains: the values that one field may take, in the order in which they are tried.

use std::ops::RangeInclusive;

/// The values of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueDomain {
    pub(crate) may_be_null: bool,
    pub(crate) values: Values,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// The objects of the field's class.
    Nodes,
    /// These numbers.
    Numbers(Vec<i64>),
    /// All values of the type: both booleans, all variants.
    All,
    /// A separate array for the field.
    Array(RangeInclusive<u32>),
}

impl ValueDomain {
    /// The objects of the class that the field points to.
    pub fn nodes() -> Self {
        Values::Nodes.into()
    }

    /// These integers, in this order; for a boolean 0 and 1, for an enum the positions of its
    /// variants.
    pub fn ints(values: impl IntoIterator<Item = i64>) -> Self {
        Values::Numbers(values.into_iter().collect()).into()
    }

    /// One value.
    pub fn fixed(value: i64) -> Self {
        ValueDomain::ints([value])
    }

    /// Both booleans, or all variants of an enum.
    pub fn all() -> Self {
        Values::All.into()
    }

    /// Arrays of these lengths. Their elements are a field of their own, `array[]`.
    pub fn arrays(lengths: RangeInclusive<u32>) -> Self {
        Values::Array(lengths).into()
    }

    /// Null alone.
    pub fn null() -> Self {
        ValueDomain::ints([]).or_null()
    }

    /// The same and null, which is tried first.
    #[must_use]
    pub fn or_null(self) -> Self {
        ValueDomain { may_be_null: true, ..self }
    }
}

impl From<Values> for ValueDomain {
    fn from(values: Values) -> Self {
        ValueDomain { may_be_null: false, values }
    }
}
