//! Comparing a type with its model, call by call.

use beget_run::Catalog;
use beget_suite::Suite;

use crate::check::{CheckedRun, ScopeSource, passed, try_run};

/// Makes the same calls on a type and on its model, and fails the test if they differ.
///
/// Both are types with suites. Methods with the same name and parameters are called together on
/// every pair of structures that the same calls build; the others are named on stderr. Results are
/// compared by their `Debug` texts if both sides have them; a panic or an `Err` on one side only is
/// a difference. The scope follows the two types as for [`check!`](crate::check!), and bounds the
/// first type only. The result holds the pairs.
///
/// ```
/// # mod example {
/// /// A set of small numbers, by its bits.
/// #[derive(Clone, beget::Heap)]
/// pub struct Bits(u8);
///
/// #[beget::api]
/// impl Bits {
///     pub fn new() -> Self {
///         Bits(0)
///     }
///
///     pub fn insert(&mut self, value: u8) -> bool {
///         let is_new = !self.contains(&value);
///         self.0 |= 1 << value;
///         is_new
///     }
///
///     pub fn contains(&self, value: &u8) -> bool {
///         self.0 & 1 << *value != 0
///     }
/// }
/// # }
/// # use example::Bits;
/// beget::suite! {
///     /// The model.
///     pub suite Model for std::collections::BTreeSet<u8> {
///         fn new() -> Self;
///         fn insert(&mut self, value: u8) -> bool;
///         fn contains(&self, value: &u8) -> bool;
///     }
/// }
///
/// // Every set of numbers below 3, each with the calls of all methods.
/// let pairs = beget::diff!(Bits, Model, ints = 0..3, fields = {"Bits.0": "0..8"});
/// assert_eq!(pairs.generated(), 8);
/// ```
///
/// # Panics
/// Like [`check!`](crate::check!), but without checks of invariants and repOKs; and if two results
/// differ, with the fewest calls that show it.
#[macro_export]
macro_rules! diff {
    ($ty:ty, $model:ty $(, $($scope:tt)*)?) => {
        $crate::diff::diff(
            <$ty as $crate::HasSuite>::suite().seen_from(::core::module_path!()),
            <$model as $crate::HasSuite>::suite().seen_from(::core::module_path!()),
            $crate::scope_source!($($($scope)*)?),
        )
    };
}

/// Runs [`diff!`](crate::diff!).
///
/// # Panics
///
/// Like [`diff!`](crate::diff!).
#[track_caller]
pub fn diff(suite: Suite, against: Suite, scope: ScopeSource) -> CheckedRun {
    let catalog = Catalog::new(vec![suite]);
    passed(try_run(catalog, scope, Some(against), &mut |warning| eprintln!("{warning}")))
}
