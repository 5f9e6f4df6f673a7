//! The panic hook: silent for guarded work, where it notes the place of a panic; transparent for
//! all other panics.

use std::cell::Cell;
use std::io::Write as _;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use crate::guard::PanicReport;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

thread_local! {
    /// The number of guards around the code that runs on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The last guarded panic that the hook saw.
    static NOTED: Cell<Option<PanicReport>> = const { Cell::new(None) };
}

/// True if the hook exists: installed, or kept by another hook that took it to call it.
static EXISTS: AtomicBool = AtomicBool::new(false);

/// The hook for panics that are not guarded: the one installed before ours.
///
/// It is a static, and not part of our hook, because a subject's hook may lie in a memory region:
/// statics are searched for pointers into the region, and the memory of our hook is not.
static OTHER: RwLock<Option<Hook>> = RwLock::new(None);

#[inline]
pub(crate) fn enter() {
    DEPTH.set(DEPTH.get() + 1);
}

#[inline]
pub(crate) fn leave() {
    DEPTH.set(DEPTH.get() - 1);
}

/// Installs the hook at the first use, and again after a subject has replaced it.
#[inline]
pub(crate) fn ensure_installed() {
    if !EXISTS.load(Ordering::Relaxed) {
        crate::alloc::pause(install);
    }
}

#[cold]
fn install() {
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    // A thread that unwinds may not change the hook. Then no guard installed it, and the next one
    // will.
    if EXISTS.load(Ordering::Relaxed) || std::thread::panicking() {
        return;
    }
    let other = panic::take_hook();
    // Not dropped: it may be a subject's, and panic.
    std::mem::forget(OTHER.write().unwrap_or_else(PoisonError::into_inner).replace(other));
    let exists = Exists::begin();
    panic::set_hook(Box::new(move |info| {
        let _ = &exists;
        react(info);
    }));
}

/// Lives as long as the hook. It has no size, so installing allocates nothing.
struct Exists;

impl Exists {
    fn begin() -> Self {
        EXISTS.store(true, Ordering::Relaxed);
        Exists
    }
}

impl Drop for Exists {
    fn drop(&mut self) {
        EXISTS.store(false, Ordering::Relaxed);
    }
}

fn react(info: &PanicHookInfo<'_>) {
    if DEPTH.get() > 0 {
        crate::alloc::pause(|| note(info));
    } else if let Some(other) = &*OTHER.read().unwrap_or_else(PoisonError::into_inner) {
        other(info);
    }
}

/// True if guarded panics are shown on stderr.
static SHOWS: AtomicBool = AtomicBool::new(false);

/// Sets whether guarded panics are shown on stderr. The last panics of a process that a second
/// panic ends, such as one of a destructor during unwinding, can be reported in no other way.
pub fn show_panics(shows: bool) {
    SHOWS.store(shows, Ordering::Relaxed);
}

fn note(info: &PanicHookInfo<'_>) {
    let location = info.location().map(ToString::to_string).unwrap_or_default();
    let noted = PanicReport { message: text_of(info.payload_as_str()), location };
    if SHOWS.load(Ordering::Relaxed) {
        // A closed stderr is ignored.
        let _ = writeln!(std::io::stderr(), "{noted}");
    }
    // A thread that ends may have dropped its variables already.
    let _ = NOTED.try_with(|slot| slot.set(Some(noted)));
}

pub(crate) fn take_noted() -> Option<PanicReport> {
    NOTED.take()
}

/// The text of a payload, or a replacement.
pub(crate) fn text_of(message: Option<&str>) -> String {
    message.unwrap_or("a panic payload that is no string").to_owned()
}
