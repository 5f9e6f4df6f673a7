//! Subjects with state outside their values: statics, thread-local variables, tables reserved in
//! advance, caches, interned values, leaked memory.
//!
//! There is one type, [`Outside`]; what its calls do beside its values is drawn by a seed
//! ([`Habit`]) and set before a run. The truth is what its calls build where nothing was called
//! before: the enumerator resets the state for each call.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::case::{Case, Scope};
use crate::dice::Dice;
use crate::{both, seen};

/// Where the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A number in a static.
    Counter,
    /// Bytes in a static table, reserved in advance.
    Table,
    /// Vectors in a static table, reserved in advance.
    Owned,
    /// A map in a static, from values to what was computed of them.
    Memo,
    /// One box in a static.
    Slot,
    /// Counted pointers in a static, which values hold too.
    Interned,
    /// A number of the thread.
    Local,
    /// Vectors in a table of the thread.
    LocalTable,
    /// The address of leaked memory in a static.
    Leaked,
}

const PLACES: [Place; 9] = [
    Place::Counter,
    Place::Table,
    Place::Owned,
    Place::Memo,
    Place::Slot,
    Place::Interned,
    Place::Local,
    Place::LocalTable,
    Place::Leaked,
];

/// Which calls touch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// All.
    Always,
    /// Those on long values.
    Long,
    /// Those on a few values, whatever their length.
    Some,
    /// Those on long values, and few of these.
    Late,
}

const TOUCHES: [Touch; 4] = [Touch::Always, Touch::Long, Touch::Some, Touch::Late];

/// What comes back from the state to the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Back {
    /// Nothing.
    Nothing,
    /// What would be there without it too, as from a cache that is right.
    Same,
    /// Something that depends on the calls before.
    Other,
}

const BACKS: [Back; 3] = [Back::Nothing, Back::Same, Back::Other];

/// What the calls of a subject do outside its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habit {
    /// Where.
    pub place: Place,
    /// When.
    pub touch: Touch,
    /// To what effect.
    pub back: Back,
    /// A length, and what values are few.
    pub n: u8,
    /// The method that has the habit.
    pub method: u8,
}

impl Habit {
    /// The habit that `seed` draws.
    pub fn drawn(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        dice.below(2);
        Habit {
            place: PLACES[dice.below(PLACES.len())],
            touch: TOUCHES[dice.below(TOUCHES.len())],
            back: BACKS[dice.below(BACKS.len())],
            n: 3 + dice.below(5) as u8,
            method: dice.below(3) as u8,
        }
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.place, self.touch, self.back)
    }
}

static HABIT: Mutex<Option<Habit>> = Mutex::new(None);
static COUNTER: AtomicU64 = AtomicU64::new(0);
static TABLE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OWNED: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
static MEMO: Mutex<BTreeMap<Vec<u8>, u8>> = Mutex::new(BTreeMap::new());
static SLOT: Mutex<Option<Box<u8>>> = Mutex::new(None);
static INTERNED: Mutex<Vec<Arc<u8>>> = Mutex::new(Vec::new());
static LEAKED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static LOCAL: Cell<u64> = const { Cell::new(0) };
    static LOCAL_TABLE: RefCell<Vec<Vec<u8>>> = RefCell::new(Vec::with_capacity(RESERVED));
}

/// Room for all calls of a run.
const RESERVED: usize = 1 << 14;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the habit and everything outside to what it is in a new process.
pub fn reset(habit: Option<Habit>) {
    *lock(&HABIT) = habit;
    COUNTER.store(0, Relaxed);
    LEAKED.store(0, Relaxed);
    LOCAL.set(0);
    lock(&TABLE).clear();
    lock(&TABLE).reserve(RESERVED);
    // What these hold may lie in memory that is gone, so it is not dropped.
    std::mem::forget(std::mem::replace(&mut *lock(&OWNED), Vec::with_capacity(RESERVED)));
    std::mem::forget(std::mem::replace(&mut *lock(&INTERNED), Vec::with_capacity(RESERVED)));
    std::mem::forget(std::mem::take(&mut *lock(&MEMO)));
    std::mem::forget(std::mem::take(&mut *lock(&SLOT)));
    LOCAL_TABLE.with_borrow_mut(|table| {
        std::mem::forget(std::mem::replace(table, Vec::with_capacity(RESERVED)));
    });
}

seen! {
    /// A list of small numbers.
    #[derive(Clone)]
    pub struct Outside { items: Vec<u8>, shared: Option<Arc<u8>> }
}

#[allow(clippy::new_without_default, reason = "a suite has the methods it has")]
impl Outside {
    /// Empty.
    pub fn new() -> Self {
        Outside { items: Vec::new(), shared: None }
    }

    /// Adds a number.
    pub fn push(&mut self, value: u8) {
        self.items.push(value);
        self.act(0);
    }

    /// Removes the first.
    pub fn pop(&mut self) {
        if !self.items.is_empty() {
            self.items.remove(0);
        }
        self.act(1);
    }

    /// Exchanges the first and the last.
    pub fn turn(&mut self) {
        let len = self.items.len();
        if len > 1 {
            self.items.swap(0, len - 1);
        }
        self.act(2);
    }

    fn hash(&self) -> u8 {
        self.items.iter().fold(7, |hash: u8, item| hash.wrapping_mul(31).wrapping_add(*item + 1))
    }

    fn act(&mut self, method: u8) {
        let Some(habit) = *lock(&HABIT) else { return };
        let is_long = self.items.len() >= usize::from(habit.n);
        let is_few = self.hash() % 8 == habit.n;
        let touches = match habit.touch {
            Touch::Always => true,
            Touch::Long => is_long,
            Touch::Some => is_few,
            Touch::Late => is_long && is_few,
        };
        if method != habit.method || !touches || self.items.is_empty() {
            return;
        }
        // What the state tells: 0 in a new process.
        let told = self.note(habit.place);
        match habit.back {
            Back::Nothing => {}
            // A cache that is right gives the item that is there.
            Back::Same => self.items[0] = self.items[0].min(1),
            Back::Other => self.items[0] = (self.items[0] + told) % 2,
        }
    }

    /// Writes to the state; returns something of what was there.
    fn note(&mut self, place: Place) -> u8 {
        match place {
            Place::Counter => (COUNTER.fetch_add(1, Relaxed) % 251) as u8,
            Place::Local => {
                LOCAL.set(LOCAL.get() + 1);
                ((LOCAL.get() - 1) % 251) as u8
            }
            Place::Table => {
                let mut table = lock(&TABLE);
                let last = table.last().copied().unwrap_or(0);
                if table.len() < RESERVED {
                    table.push(self.hash());
                }
                last
            }
            Place::Owned => {
                let mut table = lock(&OWNED);
                let told = table.len() as u8;
                if table.len() < RESERVED {
                    table.push(self.items.clone());
                }
                told
            }
            Place::LocalTable => LOCAL_TABLE.with_borrow_mut(|table| {
                let told = table.len() as u8;
                if table.len() < RESERVED {
                    table.push(self.items.clone());
                }
                told
            }),
            Place::Memo => {
                let mut memo = lock(&MEMO);
                let told = memo.len() as u8;
                *memo.entry(self.items.clone()).or_insert(told)
            }
            Place::Slot => {
                let old = lock(&SLOT).replace(Box::new(self.hash()));
                old.map_or(0, |old| *old)
            }
            Place::Interned => {
                let mut table = lock(&INTERNED);
                let value = self.items[0];
                let known = table.iter().find(|known| ***known == value).cloned();
                let told = known.is_some().into();
                let interned = known.unwrap_or_else(|| Arc::new(value));
                if told == 0 {
                    table.push(Arc::clone(&interned));
                }
                self.shared = Some(interned);
                told
            }
            Place::Leaked => {
                let leaked: &'static u8 = Box::leak(Box::new(self.hash()));
                let old = LEAKED.swap(std::ptr::from_ref(leaked).addr(), Relaxed);
                u8::from(old != 0)
            }
        }
    }
}

both! {
    /// Lists whose calls have a habit.
    suite Outsiders "outside" {
        for Outside {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn pop(&mut self);
            fn turn(&mut self);
        }
    }
}

/// The case, the same for all habits.
pub fn case() -> Case {
    crate::case!(Outsiders, Scope { ints: vec![0, 1], objects: 2, ..Scope::of(8) })
}
