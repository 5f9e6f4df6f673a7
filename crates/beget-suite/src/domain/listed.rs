//! Values that a suite lists for a parameter whose type has no domain, such as a type of another
//! crate.

use super::{DomainError, Literal, Pools};

/// One of the values.
#[derive(Clone, Copy, Debug)]
pub struct ListedValue {
    /// The expression in the suite, and the name in a scope.
    pub source: &'static str,
    /// Makes it.
    pub literal: fn(&'static str) -> Literal,
}

/// A value that each call makes for itself: a trait object, which cannot be cloned.
#[derive(Debug)]
pub struct Factory<T>(pub fn() -> T);

/// The values that the scope takes: all, unless it names some of the type, which is `written` in a
/// signature, and in a scope the last of its names.
///
/// # Errors
/// If it names one that is not listed.
pub fn listed(
    pools: &Pools,
    written: &'static str,
    all: &[ListedValue],
) -> Result<Vec<Literal>, DomainError> {
    let names: Vec<&'static str> = all.iter().map(|value| value.source).collect();
    let of = type_names(written).next_back().unwrap_or(written);
    let takes = pools.variants(of, &names).map_err(|error| match error {
        DomainError::NoVariant { name, known, .. } => {
            DomainError::NotListed { ty: written, name, known }
        }
        other => other,
    })?;
    let taken = all.iter().zip(takes).filter(|(_, takes)| *takes);
    Ok(taken.map(|(value, _)| (value.literal)(value.source)).collect())
}

/// The names in a type as written in a signature, without wrappers of the standard library.
pub fn type_names(ty: &'static str) -> impl DoubleEndedIterator<Item = &'static str> {
    const WRAPPERS: [&str; 5] = ["Option", "Vec", "Box", "mut", "dyn"];
    let words = ty.split(|char: char| !char.is_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty() && !WRAPPERS.contains(word))
}
