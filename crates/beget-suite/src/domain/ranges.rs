//! Ranges and bounds: every combination of ends, including empty and reversed ones.

use std::ops::{
    Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};

use super::{Domain, DomainError, DomainKind, Pools};
use crate::Extent;

macro_rules! pairs {
    ($($range:ident, $operator:literal: |$start:ident, $end:ident| $make:expr, $start_of:ident, $end_of:ident;)+) => {$(
        /// The start varies slowest.
        impl<T: Domain> Domain for $range<T> {
            const KIND: DomainKind = T::KIND;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let pairs = <(T, T)>::values(pools)?.into_iter();
                Ok(pairs.map(|($start, $end)| $make).collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                <(T, T)>::extent(pools)
            }

            fn to_source(&self) -> String {
                let bound = |bound: Bound<&T>| match bound {
                    Bound::Included(value) | Bound::Excluded(value) => value.to_source(),
                    Bound::Unbounded => String::new(),
                };
                let (start, end) = (bound(self.$start_of()), bound(self.$end_of()));
                format!(concat!("{}", $operator, "{}"), start, end)
            }
        }
    )+};
}

pairs! {
    Range, "..": |start, end| start..end, start_bound, end_bound;
    RangeInclusive, "..=": |start, end| start..=end, start_bound, end_bound;
}

macro_rules! singles {
    ($($range:ident, $format:literal: |$end:ident| $make:expr, $field:ident;)+) => {$(
        impl<T: Domain> Domain for $range<T> {
            const KIND: DomainKind = T::KIND;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                Ok(T::values(pools)?.into_iter().map(|$end| $make).collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                T::extent(pools)
            }

            fn to_source(&self) -> String {
                format!($format, self.$field.to_source())
            }
        }
    )+};
}

singles! {
    RangeFrom, "{}..": |start| start.., start;
    RangeTo, "..{}": |end| ..end, end;
    RangeToInclusive, "..={}": |end| ..=end, end;
}

impl Domain for RangeFull {
    const KIND: DomainKind = DomainKind::Unit;

    fn values(_: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(vec![..])
    }

    fn to_source(&self) -> String {
        "..".to_owned()
    }
}

/// No bound first, then each value, included and excluded.
impl<T: Domain> Domain for Bound<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let values = T::values(pools)?;
        let both = |value: T| [Bound::Included(value.clone()), Bound::Excluded(value)];
        Ok(std::iter::once(Bound::Unbounded).chain(values.into_iter().flat_map(both)).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        let values = T::extent(pools)?;
        Ok(Extent::ONE.plus(values).plus(values).with_paths())
    }

    fn to_source(&self) -> String {
        match self {
            Bound::Unbounded => "std::ops::Bound::Unbounded".to_owned(),
            Bound::Included(value) => format!("std::ops::Bound::Included({})", value.to_source()),
            Bound::Excluded(value) => format!("std::ops::Bound::Excluded({})", value.to_source()),
        }
    }
}
