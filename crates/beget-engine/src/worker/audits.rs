//! Repeated calls on values that recipes build, while their memory is checked, and with lying
//! elements.
//!
//! Audits run when all calls of a task are made, outside the region, so destructors run as in a
//! program. Faults of the recipe's calls are reported for those calls: a structure whose own calls
//! misuse memory is not audited.
//!
//! # Audits and outcomes
//!
//! Calls are **audited** if the plan asks for it: the first ones are repeated, outside the region,
//! on values built by recipes, while their memory is checked and with lying elements. The result is
//! no outcome of the call: if an audit ends its worker, the block is repeated without audits of the
//! method (`what_is_left_of` in `crates/beget-backends/src/supervise/confirm.rs`), so counters,
//! structures and digest are those of a run without audits. An audit has a number in the note of
//! its call (`CallAudit` in `crates/beget-engine/src/data/call_audit.rs`). The run layer requests
//! audits only of hosts that outlive calls.

use beget_plan::finding::{ELEMENTS_SURVIVE_LIES, Kind, Problem};
use beget_process::alloc::{CheckedMemory, MemoryCheck, MemoryFill};
use beget_process::guard::{are_ends_noticed, guarded, pause};
use beget_suite::elements::{Census, ElementWatch, owner_of};
use beget_suite::{Call, Frame, Outcome, ReturnValue};

use super::attempts::{Attempt, attempts};
use super::{Calls, Parent, Worker};
use crate::data::call_audit::{CallAudit, are_audited};
use crate::rebuild::reconstruct::drop_frame;

/// The number of uses of elements in one call that lie in turn.
const MOST_LIES: u32 = 32;

/// The check of memory on this thread, opened on first use.
#[derive(Default)]
pub(super) enum CheckOfThread {
    #[default]
    Unopened,
    /// No check is available.
    Missing,
    Open(MemoryCheck),
}

impl CheckOfThread {
    fn get(&mut self) -> Option<&mut MemoryCheck> {
        if matches!(self, CheckOfThread::Unopened) {
            *self = MemoryCheck::open().map_or(CheckOfThread::Missing, CheckOfThread::Open);
        }
        match self {
            CheckOfThread::Open(check) => Some(check),
            CheckOfThread::Unopened | CheckOfThread::Missing => None,
        }
    }

    fn is_there(&mut self) -> bool {
        self.get().is_some()
    }

    /// Runs `work` while memory is checked, if possible.
    fn run<R>(&mut self, fill: MemoryFill, work: impl FnOnce() -> R) -> (R, CheckedMemory) {
        match self.get() {
            Some(check) => {
                let result = check.run(fill, work);
                (result, check.finish())
            }
            None => (work(), CheckedMemory::default()),
        }
    }
}

/// The results of a repeated call, and of dropping its values.
struct CallAgain {
    /// True if it returned, and all destructors did.
    has_returned: bool,
    /// Its results as texts, if they can be shown.
    shown: Vec<String>,
}

/// A call that was made once with each fill of memory.
struct CallTwice {
    made: [CallAgain; 2],
    memory: [CheckedMemory; 2],
}

impl CallTwice {
    /// The fault in its use of memory, if there is one.
    fn fault(&self) -> Option<String> {
        let fault = self.memory.iter().find_map(|memory| memory.fault.as_ref());
        let [one, other] = &self.made;
        let misread = || misread(&one.shown, &other.shown).map(str::to_owned);
        fault.map(ToString::to_string).or_else(misread)
    }
}

/// The effects of the calls that build the structures of a task.
struct Beginning {
    leaks: bool,
}

impl Worker<'_> {
    /// Audits the calls of a task, if they are among the first.
    #[cold]
    pub(super) fn audit_calls(&mut self, calls: Calls<'_>, parents: &[Parent<'_>]) {
        if !are_audited(parents.iter().map(|parent| parent.id)) {
            return;
        }
        // The source of recipes may cache them; that memory does not belong to the calls.
        let reconstructor = &self.shared.reconstructor;
        if parents.iter().any(|parent| reconstructor.read_recipe(parent.id).is_err()) {
            return;
        }
        let mut check = std::mem::take(&mut self.check);
        if let Some(beginning) = self.begin_audits(&mut check, parents) {
            for attempt in attempts(self.shared, calls) {
                if !self.unaudited.contains(&attempt.planned) {
                    self.note(attempt);
                    self.audit(&mut check, attempt, parents, &beginning);
                }
            }
        }
        self.current.set_after(0);
        self.check = check;
    }

    /// Builds the structures without a call; `None` if that misuses memory, or is not reproducible.
    fn begin_audits(
        &mut self,
        check: &mut CheckOfThread,
        parents: &[Parent<'_>],
    ) -> Option<Beginning> {
        self.current.set_making();
        let (built, memory) =
            check.run(MemoryFill::PAIR[0], || self.call_again(None, parents, &|| ()));
        built?;
        let leaks = memory.has_leak();
        memory.fault.is_none().then_some(Beginning { leaks })
    }

    fn audit(
        &mut self,
        check: &mut CheckOfThread,
        attempt: Attempt,
        parents: &[Parent<'_>],
        beginning: &Beginning,
    ) {
        let audits = self.shared.audits;
        if (audits.memory_sound || audits.memory_freed) && check.is_there() {
            self.current.set_after(CallAudit::Memory.number());
            self.audit_memory(check, attempt, parents, beginning);
        }
        if audits.lies {
            self.audit_lies(check, attempt, parents);
        }
    }

    /// The first call that misuses memory, with the problem, if memory can be checked and a call
    /// that ends the process by it is noticed.
    #[cold]
    pub(super) fn misused_memory(
        &mut self,
        calls: Calls<'_>,
        parents: &[Parent<'_>],
    ) -> Option<(Problem, Attempt)> {
        if !are_ends_noticed() {
            return None;
        }
        let mut check = std::mem::take(&mut self.check);
        let is_sound = check.is_there() && self.begin_audits(&mut check, parents).is_some();
        let mut attempts = attempts(self.shared, calls).filter(|_| is_sound);
        let misused = attempts.find_map(|attempt| {
            self.note(attempt);
            self.current.set_after(CallAudit::Memory.number());
            let made = self.call_twice(&mut check, attempt, parents)?;
            Some((Problem::memory(&made.fault()?), attempt))
        });
        self.current.set_after(0);
        self.check = check;
        misused
    }

    /// Makes a call once with each fill of memory.
    fn call_twice(
        &self,
        check: &mut CheckOfThread,
        attempt: Attempt,
        parents: &[Parent<'_>],
    ) -> Option<CallTwice> {
        let [one, other] = MemoryFill::PAIR
            .map(|fill| check.run(fill, || self.call_again(Some(attempt), parents, &|| ())));
        let ((Some(one), in_one), (Some(other), in_other)) = (one, other) else { return None };
        Some(CallTwice { made: [one, other], memory: [in_one, in_other] })
    }

    fn audit_memory(
        &mut self,
        check: &mut CheckOfThread,
        attempt: Attempt,
        parents: &[Parent<'_>],
        beginning: &Beginning,
    ) {
        let Some(made) = self.call_twice(check, attempt, parents) else { return };
        let audits = self.shared.audits;
        let fault = made.fault();
        let CallTwice { made: [one, other], memory: [in_one, in_other] } = made;
        if audits.memory_sound {
            self.result.ledger.audits.memory_sound.add(fault.is_some());
            if let Some(fault) = fault {
                return self.report_call(Problem::memory(&fault), attempt, parents);
            }
        }
        if audits.memory_freed && one.has_returned && other.has_returned && !beginning.leaks {
            // Memory that is kept once and for all is not left by the second call.
            let leaks = in_one.has_leak() && in_other.has_leak();
            self.result.ledger.audits.memory_freed.add(leaks);
            if leaks {
                let CheckedMemory { live_blocks, live_bytes, .. } = in_other;
                self.report_call(Problem::leak(live_blocks, live_bytes), attempt, parents);
            }
        }
    }

    /// Makes the call once for each use of an element in it, with that use lying, until one does
    /// harm.
    fn audit_lies(&mut self, check: &mut CheckOfThread, attempt: Attempt, parents: &[Parent<'_>]) {
        let (mut has_lied, mut harm) = (false, None);
        for lie in 1..=MOST_LIES {
            self.current.set_after(CallAudit::Lie(lie).number());
            let watch = ElementWatch::begin();
            let let_lie = || watch.let_lie(u64::from(lie));
            let (made, memory) = check
                .run(MemoryFill::PAIR[0], || self.call_again(Some(attempt), parents, &let_lie));
            let (Some(_), Some(liar)) = (made, watch.lied()) else { break };
            has_lied = true;
            harm = harm_of_lie(liar, &memory, watch.census());
            if harm.is_some() {
                break;
            }
        }
        if has_lied {
            self.result.ledger.audits.lies.add(harm.is_some());
        }
        if let Some(problem) = harm {
            self.report_call(problem, attempt, parents);
        }
    }

    /// Builds the structures, makes the call after `begin`, if there is one, and drops everything.
    /// `None` if the structures cannot be built.
    fn call_again(
        &self,
        attempt: Option<Attempt>,
        parents: &[Parent<'_>],
        begin: &dyn Fn(),
    ) -> Option<CallAgain> {
        let mut frame = Frame::of(self.replay_all(parents.iter())?);
        begin();
        let mut again = CallAgain { has_returned: true, shown: Vec::new() };
        if let Some(attempt) = attempt {
            let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
            let made = guarded(|| {
                let (outcome, value) = method.observe(&mut Call::new(&mut frame, literals));
                // The texts outlive the check.
                again.shown = pause(|| value.as_ref().map(texts_of).unwrap_or_default());
                outcome
            });
            again.has_returned = made.is_ok_and(Outcome::leaves_structures);
        }
        again.has_returned &= drop_frame(frame).is_none();
        Some(again)
    }
}

/// The problem of a call in which an element or an iterator has lied, if there is one.
fn harm_of_lie(liar: &str, memory: &CheckedMemory, census: Census) -> Option<Problem> {
    let lies = format!("where `{liar}` of {} lies in the call", owner_of(liar));
    let problem = match (&memory.fault, census.dropped_again) {
        (Some(fault), _) => Problem::new(Kind::Memory, format!("{lies}, {fault}")),
        (None, 0) => return None,
        (None, _) => {
            let reason = format!("{lies}, an element is dropped twice");
            return Some(Problem::contract(ELEMENTS_SURVIVE_LIES, &reason));
        }
    };
    Some(problem.with_name(ELEMENTS_SURVIVE_LIES))
}

fn texts_of(value: &ReturnValue) -> Vec<String> {
    value.plain_values().iter().filter_map(|plain| plain.text.clone()).collect()
}

/// The problem of two calls with different fills of memory: an integer result that equals the fill
/// in both was read from memory that was not initialised, or was freed.
fn misread(one: &[String], other: &[String]) -> Option<&'static str> {
    let [first, second] = MemoryFill::PAIR;
    let mut pairs = one.iter().zip(other).flat_map(|(one, other)| {
        let [one, other] = [one, other].map(|text| integers_in(text));
        let both = if one.len() == other.len() { one.len() } else { 0 };
        one.into_iter().zip(other).take(both).collect::<Vec<_>>()
    });
    pairs.find_map(|(one, other)| {
        let are = |fill, filled| is_filled(one, fill) && is_filled(other, filled);
        if are(first.freed, second.freed) {
            Some("what is returned has been read from memory that is freed")
        } else if are(first.fresh, second.fresh) {
            Some("what is returned has been read from memory to which nothing was written")
        } else {
            None
        }
    })
}

/// The integers in a text, from left to right.
fn integers_in(text: &str) -> Vec<i128> {
    let words = text.split(|char: char| !(char.is_ascii_digit() || char == '-'));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Returns whether an integer of some width consists only of this byte.
fn is_filled(integer: i128, byte: u8) -> bool {
    let of_width = |width: u32| {
        let bits = 8 * width;
        let unsigned = i128::from_le_bytes([byte; 16]) & ((1 << bits) - 1);
        integer == unsigned || integer == unsigned - (1 << bits)
    };
    [1, 2, 4, 8].into_iter().any(of_width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, expected: Option<&str>) {
        let said = misread(&[one.to_owned()], &[other.to_owned()]);
        assert_eq!(said.map(|said| said.rsplit(' ').next().unwrap()), expected);
    }

    #[test]
    fn integers_are_misread_that_are_what_memory_is_filled_with() {
        let [first, second] = MemoryFill::PAIR;
        let texts = |one: u8, other: u8| {
            let shown = |byte: u8| {
                let wide = [u64::from_le_bytes([byte; 8]).to_string(), byte.to_string()];
                let signed = [i8::from_le_bytes([byte]).into(), i32::from_le_bytes([byte; 4])];
                let signed = signed.map(|signed| format!("Some(({signed}, 1))"));
                [wide, signed].concat()
            };
            shown(one).into_iter().zip(shown(other)).collect::<Vec<_>>()
        };
        for (one, other) in texts(first.freed, second.freed) {
            check(&one, &other, Some("freed"));
            check(&one, &one, None);
            check(&other, &one, None);
        }
        texts(first.fresh, second.fresh)
            .into_iter()
            .for_each(|(one, other)| check(&one, &other, Some("written")));
        check("197", "169 1", None);
        check("197", "3", None);
        check("[1, -2]", "[1, -2]", None);
    }
}
