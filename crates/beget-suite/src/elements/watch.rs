//! The live elements on this thread while a watch is on.
//!
//! Without one, an element leaves no trace: runs copy and restore its memory like an integer, and
//! no call allocates for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::marker::PhantomData;

use beget_process::guard::pause;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static LEDGER: RefCell<ElementLedger> = const { RefCell::new(ElementLedger::new()) };
}

struct ElementLedger {
    alive: BTreeSet<u64>,
    last_identity: u64,
    /// The number made minus the number dropped.
    units: i64,
    /// The number of drops of elements that are not alive, except units.
    dropped_again: u64,
    uses: u64,
    /// The number of the use that panics; 0 for none.
    due: u64,
    /// Destructors run since the last reset.
    drops: u64,
    /// The number of the destructor that panics; 0 for none.
    due_drop: u64,
    /// The trait whose use panicked.
    panicked: Option<&'static str>,
    /// The number of the use that lies; 0 for none.
    due_lie: u64,
    /// The trait whose use lied.
    lied: Option<&'static str>,
}

impl ElementLedger {
    const fn new() -> Self {
        let alive = BTreeSet::new();
        ElementLedger {
            alive,
            last_identity: 0,
            units: 0,
            dropped_again: 0,
            uses: 0,
            due: 0,
            drops: 0,
            due_drop: 0,
            panicked: None,
            due_lie: 0,
            lied: None,
        }
    }
}

/// The identity of an element that is made without a watch. It is not 0, the identity of zeroed
/// memory in which no element was made.
const UNWATCHED: u64 = u64::MAX;

/// The watch alone owns the ledger's memory.
fn in_ledger<R>(work: impl FnOnce(&mut ElementLedger) -> R) -> Option<R> {
    IS_WATCHED.get().then(|| pause(|| LEDGER.with_borrow_mut(work)))
}

/// The identity of a new element.
pub(super) fn born() -> u64 {
    let next = in_ledger(|ledger| {
        ledger.last_identity += 1;
        ledger.alive.insert(ledger.last_identity);
        ledger.last_identity
    });
    next.unwrap_or(UNWATCHED)
}

pub(super) fn dropped(identity: u64) {
    if identity != UNWATCHED {
        in_ledger(|ledger| {
            let was_alive = ledger.alive.remove(&identity);
            ledger.dropped_again += u64::from(!was_alive);
        });
    }
    drop_ends();
}

pub(super) fn unit_born() {
    in_ledger(|ledger| ledger.units += 1);
}

pub(super) fn unit_dropped() {
    in_ledger(|ledger| ledger.units -= 1);
    drop_ends();
}

/// Counts the use of a trait of an element or iterator. Returns whether this use should lie.
///
/// # Panics
///
/// If this use should panic.
pub(super) fn used(what: &'static str) -> bool {
    let due = in_ledger(|ledger| {
        ledger.uses += 1;
        let (panics, lies) = (ledger.uses == ledger.due, ledger.uses == ledger.due_lie);
        if panics {
            ledger.panicked = Some(what);
        }
        if lies {
            ledger.lied = Some(what);
        }
        (panics, lies)
    });
    let (panics, lies) = due.unwrap_or_default();
    assert!(!panics, "`{what}` of {} panics, to see what that leaves", super::owner_of(what));
    lies
}

/// Counts the end of an element's destructor.
///
/// # Panics
///
/// If this one should panic, unless a panic is in progress, which would end the process.
fn drop_ends() {
    let is_due = in_ledger(|ledger| {
        ledger.drops += 1;
        let is_due = ledger.drops == ledger.due_drop && !std::thread::panicking();
        if is_due {
            ledger.panicked = Some("Drop");
        }
        is_due
    });
    assert!(is_due != Some(true), "`Drop` of an element panics, to see what that leaves");
}

/// Watches the elements that are made on this thread until it is dropped.
#[derive(Debug)]
pub struct ElementWatch {
    /// The watch belongs to its thread.
    _stays_here: PhantomData<*const ()>,
}

/// The counts of the watched elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The number made and not dropped.
    pub alive: u64,
    /// The number of drops of elements that were not alive: a second time, or never made.
    pub dropped_again: u64,
}

impl ElementWatch {
    /// Begins with no element.
    ///
    /// # Panics
    ///
    /// If there is a watch on this thread already.
    pub fn begin() -> Self {
        assert!(!IS_WATCHED.replace(true), "elements are watched already");
        // Identities continue, so that elements watched before are not mistaken for new ones.
        let last_identity = LEDGER.with_borrow(|ledger| ledger.last_identity);
        pause(|| LEDGER.set(ElementLedger { last_identity, ..ElementLedger::new() }));
        ElementWatch { _stays_here: PhantomData }
    }

    /// Resets the count of uses, and makes the use of that number panic; none if it is 0. A use is
    /// a call of `Clone`, `PartialEq`, `Ord` or `Hash` of an element, or of `size_hint` of its
    /// iterator.
    pub fn let_panic(&self, due: u64) {
        LEDGER.with_borrow_mut(|ledger| (ledger.uses, ledger.due) = (0, due));
    }

    /// Like [`ElementWatch::let_panic`], for destructors of elements.
    pub fn let_drop_panic(&self, due: u64) {
        LEDGER.with_borrow_mut(|ledger| (ledger.drops, ledger.due_drop) = (0, due));
    }

    /// Resets the count of uses, and makes the use of that number lie; none if it is 0. A lying
    /// element negates equality, reverses its order, hashes as another one, or is cloned to another
    /// one; a lying iterator has another length.
    pub fn let_lie(&self, due: u64) {
        LEDGER.with_borrow_mut(|ledger| (ledger.uses, ledger.due_lie) = (0, due));
    }

    /// The trait whose use lied, if any.
    pub fn lied(&self) -> Option<&'static str> {
        LEDGER.with_borrow(|ledger| ledger.lied)
    }

    /// The destructors run since the last reset.
    pub fn drops(&self) -> u64 {
        LEDGER.with_borrow(|ledger| ledger.drops)
    }

    /// The uses since the last reset.
    pub fn uses(&self) -> u64 {
        LEDGER.with_borrow(|ledger| ledger.uses)
    }

    /// The trait whose use panicked, if any.
    pub fn panicked(&self) -> Option<&'static str> {
        LEDGER.with_borrow(|ledger| ledger.panicked)
    }

    /// The current counts.
    pub fn census(&self) -> Census {
        LEDGER.with_borrow(|ledger| Census {
            alive: ledger.alive.len() as u64 + u64::try_from(ledger.units).unwrap_or(0),
            dropped_again: ledger.dropped_again + u64::try_from(-ledger.units).unwrap_or(0),
        })
    }
}

impl Drop for ElementWatch {
    fn drop(&mut self) {
        IS_WATCHED.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::mem::ManuallyDrop;

    use super::*;
    use crate::elements::{Tracked, TrackedUnit};

    fn census(work: impl FnOnce()) -> Census {
        let watch = ElementWatch::begin();
        work();
        watch.census()
    }

    #[test]
    fn whoever_is_moved_and_cloned_is_alive_until_dropped() {
        let watch = ElementWatch::begin();
        let one = Tracked::new(1);
        let (moved, cloned) = (one, TrackedUnit::new());
        let both = (moved.clone(), cloned.clone());
        assert_eq!(watch.census(), Census { alive: 4, dropped_again: 0 });
        drop((moved, both));
        assert_eq!(watch.census(), Census { alive: 1, dropped_again: 0 });
        drop(cloned);
        assert_eq!(watch.census(), Census::default());
    }

    #[test]
    #[allow(unsafe_code, reason = "to drop a value twice")]
    fn to_drop_one_twice_is_noticed() {
        let twice = census(|| {
            let mut one = ManuallyDrop::new(Tracked::new(1));
            let mut unit = ManuallyDrop::new(TrackedUnit::new());
            // SAFETY: neither owns anything; dropping them again only counts it.
            unsafe {
                (0..2).for_each(|_| ManuallyDrop::drop(&mut one));
                (0..3).for_each(|_| ManuallyDrop::drop(&mut unit));
            }
        });
        assert_eq!(twice, Census { alive: 0, dropped_again: 3 });
    }

    /// Zeroed memory is an element of identity 0.
    #[test]
    fn to_drop_memory_of_zeros_is_noticed() {
        assert_eq!(census(|| dropped(0)), Census { alive: 0, dropped_again: 1 });
    }

    #[test]
    fn those_of_before_are_nobodys() {
        let (before, unit) = (Tracked::new(1), TrackedUnit::new());
        assert_eq!(census(|| drop(before)), Census::default());
        drop(unit);
        let watch = ElementWatch::begin();
        let of_first = Tracked::new(1);
        drop(watch);
        let watch = ElementWatch::begin();
        let of_second = Tracked::new(2);
        // It is none of the second watch, so it is not alive there.
        drop(of_first);
        assert_eq!(watch.census(), Census { alive: 1, dropped_again: 1 });
        drop(of_second);
    }

    #[test]
    fn the_destructor_that_is_due_panics_and_has_dropped() {
        let watch = ElementWatch::begin();
        let all = vec![Tracked::new(1), Tracked::new(2), Tracked::new(3)];
        watch.let_drop_panic(2);
        assert!(std::panic::catch_unwind(move || drop(all)).is_err());
        assert_eq!((watch.drops(), watch.panicked()), (3, Some("Drop")));
        assert_eq!(watch.census(), Census::default());
        drop(TrackedUnit::new());
        assert_eq!(watch.drops(), 4);
    }

    #[test]
    fn the_use_that_is_due_lies_and_no_other() {
        use std::hash::{DefaultHasher, Hash, Hasher};

        let watch = ElementWatch::begin();
        let (one, two) = (Tracked::new(1), Tracked::new(2));
        let (same, hash) = (Tracked::new(1), |element: &Tracked| {
            let mut hasher = DefaultHasher::new();
            element.hash(&mut hasher);
            hasher.finish()
        });
        let honest = hash(&one);
        let lies = |ask: &dyn Fn() -> bool| {
            watch.let_lie(2);
            let told = [ask(), ask(), ask()];
            assert_eq!((told[0], watch.uses()), (told[2], 3));
            told[0] != told[1]
        };
        assert!(lies(&|| one < two) && lies(&|| one < same) && lies(&|| one == two));
        assert!(lies(&|| one == same) && lies(&|| hash(&one) == honest));
        assert!(lies(&|| one.clone().value() == 1));
        assert_eq!(watch.lied(), Some("Clone"));
        let (unit, other) = (TrackedUnit::new(), TrackedUnit::new());
        assert!(lies(&|| unit == other) && lies(&|| unit < other));
        watch.let_lie(0);
        assert!(one < two && one == same && unit == other);
        unit.hash(&mut DefaultHasher::new());
        assert_eq!(watch.uses(), 4);
    }

    #[test]
    fn the_use_that_is_due_panics_and_no_other() {
        let watch = ElementWatch::begin();
        let (one, two) = (Tracked::new(1), Tracked::new(2));
        watch.let_panic(2);
        assert!(one < two && watch.panicked().is_none());
        let panicked = std::panic::catch_unwind(|| one == two);
        assert!(panicked.is_err());
        assert!(one != two);
        assert_eq!((watch.uses(), watch.panicked()), (3, Some("==")));
    }
}
