//! Lists all clauses that a heap breaks; a verdict names only the first.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of threads that list clauses. The thread-local is read only if there are some:
/// reading it costs a search from a repOK several percent.
static N_LISTING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// True if [`clause`](super::clause) notes a broken clause and goes on.
    static IS_LISTING: Cell<bool> = const { Cell::new(false) };
    static LISTED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Runs `ask`, which evaluates a repOK, and lets it go on after a broken [`clause`](super::clause).
/// Returns the names of these clauses in the order met, each once.
///
/// [`or_broken`](super::OrBroken::or_broken) still ends it. A predicate that goes on can no longer
/// rely on the broken clause: it may panic, or read without end, so its reads should be
/// [counted](super::Table::count_reads).
///
/// ```
/// use beget_heap::view::{Verdict, clause, list_broken};
///
/// fn small(size: i64) -> Verdict {
///     clause("the size is even", size % 2 == 0)?;
///     clause("the size is at most 9", size <= 9)
/// }
/// let (verdict, broken) = list_broken(|| small(11));
/// assert_eq!(verdict, Ok(()));
/// assert_eq!(broken, ["the size is even", "the size is at most 9"]);
/// assert!(small(11).is_err());
/// ```
pub fn list_broken<R>(ask: impl FnOnce() -> R) -> (R, Vec<&'static str>) {
    let outer = LISTED.take();
    let answer = {
        let _listing = Listing::begin();
        ask()
    };
    (answer, LISTED.replace(outer))
}

/// The time in which this thread lists; it also ends when a predicate unwinds.
struct Listing {
    was_listing: bool,
}

impl Listing {
    fn begin() -> Self {
        N_LISTING.fetch_add(1, Ordering::Relaxed);
        Listing { was_listing: IS_LISTING.replace(true) }
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        IS_LISTING.set(self.was_listing);
        N_LISTING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns whether a broken clause lets the predicate go on, and then notes it.
#[inline(always)]
pub(super) fn lets_go_on(name: &'static str) -> bool {
    N_LISTING.load(Ordering::Relaxed) > 0 && list(name)
}

#[cold]
#[inline(never)]
fn list(name: &'static str) -> bool {
    if IS_LISTING.get() {
        LISTED.with_borrow_mut(|listed| {
            if !listed.contains(&name) {
                listed.push(name);
            }
        });
    }
    IS_LISTING.get()
}
