//! Representation invariants: one predicate over a view, with named clauses.

use super::listing::lets_go_on;
use super::{Place, Table, Viewed};

/// The name of a broken clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrokenClause(pub &'static str);

impl std::fmt::Display for BrokenClause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BrokenClause {}

/// The result of a repOK: every clause holds, or the first that does not.
pub type Verdict = Result<(), BrokenClause>;

/// A clause: broken under its name unless it `holds`. For use with `?`.
///
/// ```
/// use beget_heap::view::{BrokenClause, Verdict, clause};
///
/// fn small(size: i64) -> Verdict {
///     clause("the size is not negative", size >= 0)?;
///     clause("the size is at most 9", size <= 9)
/// }
/// assert_eq!(small(10), Err(BrokenClause("the size is at most 9")));
/// ```
///
/// # Errors
/// [`BrokenClause`] with the name, except under [`list_broken`](super::list_broken).
#[inline(always)]
pub fn clause(name: &'static str, holds: bool) -> Verdict {
    if holds || lets_go_on(name) { Ok(()) } else { Err(BrokenClause(name)) }
}

/// Unwraps a value that must be there: `list.header().or_broken("the header is there")?`.
pub trait OrBroken<V> {
    /// Returns the value, or the broken clause that says it is there.
    ///
    /// # Errors
    /// [`BrokenClause`] with the name, if there is no value.
    fn or_broken(self, name: &'static str) -> Result<V, BrokenClause>;
}

impl<V> OrBroken<V> for Option<V> {
    #[inline(always)]
    fn or_broken(self, name: &'static str) -> Result<V, BrokenClause> {
        self.ok_or(BrokenClause(name))
    }
}

/// A struct with a view, at which a repOK can look. Implemented by `#[derive(HeapView)]`.
pub trait Root: Viewed {
    /// `for<'h> fn(TView<'h>) -> Verdict`, as a type of its own: the compiler does not accept a
    /// function for `for<'h> fn(Self::View<'h>) -> Verdict`.
    type Predicate: Copy + Send + Sync + 'static;

    /// Evaluates `holds` on the object at `root`.
    ///
    /// # Errors
    /// The clause that does not hold.
    fn check(holds: Self::Predicate, root: Place<'_>) -> Verdict;
}

/// A named repOK of `T`: a plain value, made once by the author of `T`.
///
/// `pub const PUBLISHED: RepOk<List> = RepOk::<List>::new("published", rep_ok);` for a function
/// `fn rep_ok(list: ListView<'_>) -> Verdict`.
pub struct RepOk<T: Root> {
    /// Distinguishes several repOKs of one type: `published`, `corrected`.
    pub name: &'static str,
    holds: T::Predicate,
}

impl<T: Root> RepOk<T> {
    /// The predicate `holds` under a name.
    pub const fn new(name: &'static str, holds: T::Predicate) -> Self {
        RepOk { name, holds }
    }

    /// Evaluates it on the heap in `table`.
    ///
    /// # Errors
    /// The clause that does not hold.
    #[inline(always)]
    pub fn check(&self, table: &Table) -> Verdict {
        T::check(self.holds, table.root())
    }
}

impl<T: Root> Clone for RepOk<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Root> Copy for RepOk<T> {}

impl<T: Root> std::fmt::Debug for RepOk<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RepOk({})", self.name)
    }
}
