//! Subjects as plain values: a root type and its repOKs, with the type taken away.

use std::sync::Arc;

use beget_heap::view::{RepOk, Root, Shapes, Table, Verdict};
use beget_heap::{Heap, Schema};

/// A repOK without its type.
#[derive(Clone)]
pub struct Predicate {
    /// Tells several of one subject apart: `published`, `corrected`.
    pub name: &'static str,
    holds: Arc<dyn Fn(&Table) -> Verdict + Send + Sync>,
}

impl Predicate {
    /// The function, as a search takes it.
    pub fn as_fn(&self) -> &(dyn Fn(&Table) -> Verdict + Send + Sync) {
        &*self.holds
    }
}

impl<T: Root> From<RepOk<T>> for Predicate {
    fn from(rep_ok: RepOk<T>) -> Self {
        Predicate { name: rep_ok.name, holds: Arc::new(move |table| rep_ok.check(table)) }
    }
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Predicate({})", self.name)
    }
}

/// A type with repOKs, which `beget::check!` checks on each structure. The documentation of
/// `derive(beget::HeapView)` has an example.
pub trait HasRepOks: Heap + Root + Sized {
    /// The repOKs. The right one is named `corrected` if others are not.
    fn rep_oks() -> Vec<RepOk<Self>>;
}

/// A root type with its repOKs.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The classes and their cells.
    pub shapes: Shapes,
    /// The classes as canonical forms see them.
    pub schema: Schema,
    /// The repOKs in the order given.
    pub rep_oks: Vec<Predicate>,
}

impl Subject {
    /// The type `T` with `rep_oks`.
    pub fn new<T: Heap + Root>(rep_oks: impl IntoIterator<Item = RepOk<T>>) -> Self {
        Subject {
            shapes: Shapes::of::<T>(),
            schema: Schema::of::<T>(),
            rep_oks: rep_oks.into_iter().map(Predicate::from).collect(),
        }
    }

    /// The repOK of that name.
    pub fn rep_ok(&self, name: &str) -> Option<&Predicate> {
        self.rep_oks.iter().find(|rep_ok| rep_ok.name == name)
    }
}
