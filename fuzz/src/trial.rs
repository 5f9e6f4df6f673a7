//! One input under watch, and what came of many.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::time::{ClockId, clock_gettime};

use crate::target::Input;
use crate::{Corpus, Kind, MOST_SECONDS, Outcome};

/// What is wrong with the reading of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It panicked; where, and with which message.
    Panic(String),
    /// It took so many seconds of CPU time.
    Slow(f64),
}

/// What came of many inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Scope files, files of builders and command lines.
    pub by_kind: [u64; 3],
    /// Those that are right.
    pub taken: u64,
    /// The number of the slowest input, and its seconds of CPU time.
    pub slowest: (u64, f64),
}

impl Totals {
    /// How many there were.
    pub fn inputs(&self) -> u64 {
        self.by_kind.iter().sum()
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics are noted, not printed.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
}

/// Makes input number `number` and reads it.
pub fn try_input(corpus: &Corpus, seed: u64, number: u64, totals: &mut Totals) -> Option<Finding> {
    let input = Input::new(corpus, seed, number);
    let kind = match input.kind() {
        Kind::Scope => 0,
        Kind::Builders => 1,
        Kind::Arguments => 2,
    };
    totals.by_kind[kind] += 1;
    let start = cpu_seconds();
    let read = catch_unwind(AssertUnwindSafe(|| input.read(corpus)));
    let seconds = cpu_seconds() - start;
    if seconds > totals.slowest.1 {
        totals.slowest = (number, seconds);
    }
    match read {
        Err(_) => return Some(Finding::Panic(PANIC.take())),
        Ok(outcome) => totals.taken += u64::from(outcome == Outcome::Taken),
    }
    (seconds > MOST_SECONDS).then_some(Finding::Slow(seconds))
}

/// The CPU time of this thread: it does not pass while other programs run.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the system has the clock");
    time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9
}
