//! The hash of the crate's tables.
//!
//! It knows nothing of what it hashes. Invariant: it has fixed seeds, and nothing visible depends
//! on it, so a build may use either of two hashers. The one of the feature `ahash` is faster; the
//! other is the standard library's, for users' tests, which should build few crates.

pub use chosen::{FixedState, fixed_state, hash_by};

#[cfg(feature = "ahash")]
mod chosen {
    pub use ahash::RandomState as FixedState;

    /// The only state of this kind.
    pub fn fixed_state() -> FixedState {
        FixedState::with_seeds(0x6265_6765, 0x7420_6974, 0x2073_686f, 0x7274_6573)
    }

    /// The hash of a value.
    #[inline(always)]
    pub fn hash_by(state: &FixedState, value: impl std::hash::Hash) -> u64 {
        state.hash_one(value)
    }
}

#[cfg(not(feature = "ahash"))]
mod chosen {
    use std::hash::BuildHasher as _;

    /// Makes hashers that all give the same hash of a value.
    pub type FixedState = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

    /// The only state of this kind.
    pub fn fixed_state() -> FixedState {
        FixedState::default()
    }

    /// The hash of a value.
    #[inline(always)]
    pub fn hash_by(state: &FixedState, value: impl std::hash::Hash) -> u64 {
        state.hash_one(value)
    }
}

/// A map in the order of the hashes, which is therefore only used for lookups.
#[allow(clippy::disallowed_types, reason = "its seeds are fixed")]
pub type FixedMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// An empty map.
pub fn fixed_map<K, V>() -> FixedMap<K, V> {
    FixedMap::with_hasher(fixed_state())
}
