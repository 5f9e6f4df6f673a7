//! Elements that reveal how a collection treats them.
//!
//! A collection that drops an element twice, or never, looks correct: its structures are the same.
//! A suite of a `Stack<Tracked>` shows the difference. [`Tracked`] is an integer and
//! [`TrackedUnit`] takes no space. Both are ordinary values until a [watch](ElementWatch) is on:
//! then each has an identity, a second drop is detected, and each use of a trait of theirs can be
//! made to panic or to lie, as any `Clone` or `Ord` of a user's type may. So can the `size_hint` of
//! an iterator of [`items`].
//!
//! Neither owns memory, so dropping one twice is counted and harmless.
//!
//! # In a run
//!
//! **Elements** have an identity only while they are watched: in a run they are integers, so
//! copies, the region and re-encoding need not handle them. Calls are followed after the run, by
//! replays without copies (`crates/beget-run/src/elements.rs`), because a restored image drops
//! nothing.

mod items;
mod watch;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use beget_heap::{Decoder, Heap, Schema, Undecodable, Walker};

use crate::{Domain, DomainError, DomainKind, Extent, Pools};
pub use items::{ElementItems, exact_items, items};
pub use watch::{Census, ElementWatch};

/// The start of every element's source.
pub const SOURCE: &str = "beget::elements::Tracked";

/// The owner of a use that panicked or lied, for messages: an element or an iterator.
pub fn owner_of(what: &str) -> &'static str {
    if what == items::SIZE_HINT { "an iterator" } else { "an element" }
}

/// An integer that is followed while it is moved, cloned, compared and dropped.
///
/// Its literals are those of `i32`, and so is its form. It is shown as the integer.
pub struct Tracked {
    value: i32,
    /// The same for all that were made without a watch.
    identity: u64,
}

impl Tracked {
    /// An element of this value.
    pub fn new(value: i32) -> Self {
        Tracked { value, identity: watch::born() }
    }

    /// Its value.
    pub fn value(&self) -> i32 {
        self.value
    }
}

impl Default for Tracked {
    fn default() -> Self {
        Tracked::new(0)
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        watch::dropped(self.identity);
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        let lies = watch::used("Clone");
        Tracked::new(self.value.wrapping_add(lies.into()))
    }
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Self) -> bool {
        let lies = watch::used("==");
        (self.value == other.value) != lies
    }
}

impl Eq for Tracked {}

impl PartialOrd for Tracked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tracked {
    fn cmp(&self, other: &Self) -> Ordering {
        let lies = watch::used("Ord");
        said(self.value.cmp(&other.value), lies)
    }
}

impl Hash for Tracked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let lies = watch::used("Hash");
        self.value.wrapping_add(lies.into()).hash(state);
    }
}

impl fmt::Debug for Tracked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The order that an element reports; a wrong one if it lies.
fn said(order: Ordering, lies: bool) -> Ordering {
    if lies { order.reverse().then(Ordering::Less) } else { order }
}

/// Its form is that of the integer.
impl Heap for Tracked {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(schema: &mut Schema) {
        schema.element();
        schema.part::<i32>();
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        self.value.walk(walker);
    }

    #[inline(always)]
    fn walk_in_place<W: Walker>(&self, walker: &mut W) {
        self.value.walk_in_place(walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        i32::decode(decoder).map(Tracked::new)
    }
}

impl Domain for Tracked {
    const KIND: DomainKind = DomainKind::Ints;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(i32::values(pools)?.into_iter().map(Tracked::new).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        i32::extent(pools)
    }

    fn to_source(&self) -> String {
        format!("{SOURCE}::new({})", self.value)
    }
}

/// An element without a value, which takes no space. All are equal.
///
/// It has no identity; a second drop is detected when more were dropped than made.
pub struct TrackedUnit(());

impl TrackedUnit {
    /// An element.
    #[allow(clippy::new_without_default, reason = "a collection must not make elements up")]
    pub fn new() -> Self {
        watch::unit_born();
        TrackedUnit(())
    }
}

impl Drop for TrackedUnit {
    fn drop(&mut self) {
        watch::unit_dropped();
    }
}

impl Clone for TrackedUnit {
    fn clone(&self) -> Self {
        watch::used("Clone");
        TrackedUnit::new()
    }
}

impl PartialEq for TrackedUnit {
    fn eq(&self, _: &Self) -> bool {
        !watch::used("==")
    }
}

impl Eq for TrackedUnit {}

impl PartialOrd for TrackedUnit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TrackedUnit {
    fn cmp(&self, _: &Self) -> Ordering {
        let lies = watch::used("Ord");
        said(Ordering::Equal, lies)
    }
}

impl Hash for TrackedUnit {
    fn hash<H: Hasher>(&self, _: &mut H) {
        watch::used("Hash");
    }
}

impl fmt::Debug for TrackedUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("()")
    }
}

/// Shows nothing: a collection shows how many there are.
impl Heap for TrackedUnit {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(schema: &mut Schema) {
        schema.element();
    }

    fn walk<W: Walker>(&self, _: &mut W) {}

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(TrackedUnit::new())
    }
}

impl Domain for TrackedUnit {
    const KIND: DomainKind = DomainKind::Unit;

    fn values(_: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(vec![TrackedUnit::new()])
    }

    fn to_source(&self) -> String {
        format!("{SOURCE}Unit::new()")
    }
}
