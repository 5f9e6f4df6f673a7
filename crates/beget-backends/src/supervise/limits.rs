//! Limits of time and memory for calls.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use beget_process::guard::OWN_WORK_FACTOR;

use crate::supervise::page::NotedCall;

/// The limits of a single call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallLimits {
    /// The time that a call may take. `None`: ten seconds or, if less, processor time of one second
    /// or a thousand times that of other calls of this run.
    pub time: Option<Duration>,
    /// The memory that a worker may hold, in MiB.
    pub memory_mib: u64,
}

impl Default for CallLimits {
    fn default() -> Self {
        CallLimits { time: None, memory_mib: 4096 }
    }
}

/// The greatest time that a call may take.
const MOST: Duration = Duration::from_secs(10);
/// The processor time that any call may take.
const LEAST_CPU: Duration = Duration::from_secs(1);
/// The factor by which a call may be slower than others.
const MULTIPLE: u32 = 1000;

/// The time that calls of a run usually take: the average of the slowest block.
#[derive(Debug, Default)]
pub(crate) struct UsualTime(AtomicU64);

impl UsualTime {
    /// Adds a block of `n_calls` that took the time `taken`.
    pub(crate) fn add(&self, taken: Duration, n_calls: u64) {
        let each = taken.as_nanos() / u128::from(n_calls.max(1));
        self.0.fetch_max(each.try_into().unwrap_or(u64::MAX), Relaxed);
    }

    fn get(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }
}

/// The limit that a call passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassedLimit {
    Time,
    Memory,
}

/// Checks a worker now and then.
#[derive(Debug)]
pub(crate) struct LimitWatch {
    limits: CallLimits,
    process: u32,
    /// The note when it was first seen, the time then, and the processor time then.
    seen: Option<(NotedCall, Instant, Duration)>,
}

impl LimitWatch {
    pub(crate) fn new(limits: CallLimits, process: u32) -> Self {
        LimitWatch { limits, process, seen: None }
    }

    /// Reads the worker's note. Returns the limit that its call passes, if it does.
    pub(crate) fn look(&mut self, note: NotedCall, usual: &UsualTime) -> Option<PassedLimit> {
        let (now, cpu) = (Instant::now(), cpu_time(self.process).unwrap_or_default());
        let known = self.seen.filter(|(seen, ..)| *seen == note);
        let (_, since, cpu_then) = *self.seen.insert(known.unwrap_or((note, now, cpu)));
        let (taken, used) = (now - since, cpu.saturating_sub(cpu_then));
        let of = |limit: Duration| {
            limit.saturating_mul(if note.is_own_work() { OWN_WORK_FACTOR } else { 1 })
        };
        let is_long = match self.limits.time {
            Some(most) => taken >= of(most),
            None => {
                let most_cpu = LEAST_CPU.max(usual.get().saturating_mul(MULTIPLE));
                taken >= of(MOST) || used >= of(most_cpu)
            }
        };
        let held = || memory(self.process).unwrap_or(0);
        match is_long {
            true => Some(PassedLimit::Time),
            false => (held() >= self.limits.memory_mib << 20).then_some(PassedLimit::Memory),
        }
    }
}

/// Returns the memory that a process holds, in bytes.
pub(crate) fn memory(process: u32) -> Option<u64> {
    let read = |_: &str| std::fs::read_to_string(format!("/proc/{process}/status")).ok();
    beget_run::resident_bytes(read)
}

/// Returns the processor time of a process.
fn cpu_time(process: u32) -> io::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    Ok(cpu_time_in(&stat).unwrap_or_default())
}

/// Reads the processor time from the line of a process.
fn cpu_time_in(stat: &str) -> Option<Duration> {
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map_while(|field| field.parse::<u64>().ok());
    // Linux counts hundredths of a second there, whatever its clock.
    Some(Duration::from_millis(10 * (ticks.next()? + ticks.next()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_user_and_system() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194304 120 0 0 0 150 25 0 0 20 0 4 0 9 1 2";
        assert_eq!(cpu_time_in(stat), Some(Duration::from_millis(1750)));
        assert_eq!(cpu_time_in("7 (a"), None);
    }

    #[test]
    fn a_call_is_late_by_itself_and_not_with_others() {
        let note = |task| NotedCall { block: 1, call: [task; beget_process::guard::NOTE_WORDS] };
        let limits =
            CallLimits { time: Some(Duration::from_millis(50)), memory_mib: u64::MAX >> 20 };
        let usual = UsualTime::default();
        let mut watch = LimitWatch::new(limits, std::process::id());
        for task in 0..8 {
            assert_eq!(watch.look(note(task), &usual), None);
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(watch.look(note(9), &usual), None);
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(watch.look(note(9), &usual), Some(PassedLimit::Time));
        let limits = CallLimits { time: None, memory_mib: 1 };
        let mut watch = LimitWatch::new(limits, std::process::id());
        assert_eq!(watch.look(note(0), &usual), Some(PassedLimit::Memory));
    }

    /// Another process may take the machine's time meanwhile, so that time alone says little.
    #[test]
    fn without_a_limit_a_call_has_a_second_of_processor_time() {
        let usual = UsualTime::default();
        let mut watch = LimitWatch::new(CallLimits::default(), std::process::id());
        let note = NotedCall { block: 1, call: [0; beget_process::guard::NOTE_WORDS] };
        assert_eq!(watch.look(note, &usual), None);
        let used = || cpu_time(std::process::id()).unwrap();
        let start = used();
        while used() - start < LEAST_CPU {
            std::hint::black_box(used());
        }
        assert_eq!(watch.look(note, &usual), Some(PassedLimit::Time));
        // Where calls usually take two seconds, that is nothing.
        usual.add(Duration::from_secs(2), 1);
        assert_eq!(watch.look(note, &usual), None);
    }

    #[test]
    fn own_work_has_more_time_than_a_call() {
        let limits =
            CallLimits { time: Some(Duration::from_millis(5)), memory_mib: u64::MAX >> 20 };
        let usual = UsualTime::default();
        let mut call = [0; beget_process::guard::NOTE_WORDS];
        let mut watch = LimitWatch::new(limits, std::process::id());
        let mut look = |call| watch.look(NotedCall { block: 1, call }, &usual);
        assert_eq!(look(call), None);
        // The bit of the framework's own work, in the word of the tuple.
        call[2] |= 1 << 31;
        assert_eq!(look(call), None);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(look(call), None);
        std::thread::sleep(Duration::from_millis(5 * u64::from(OWN_WORK_FACTOR)));
        assert_eq!(look(call), Some(PassedLimit::Time));
    }

    #[test]
    fn what_calls_take_is_that_of_the_slowest_block() {
        let usual = UsualTime::default();
        usual.add(Duration::from_millis(300), 100);
        usual.add(Duration::from_millis(300), 1000);
        usual.add(Duration::from_millis(1), 0);
        assert_eq!(usual.get(), Duration::from_millis(3));
    }
}
