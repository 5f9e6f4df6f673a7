//! The results of calls besides the structures that they left: one type for a block, a run, a saved
//! run and a report.
//!
//! A new counter is a field of [`Ledger`], a line of [`Ledger::append`], and a name among the
//! packed fields. It knows neither how calls are made nor who reads it.

use std::cmp::Ordering;
use std::ops::Deref;

use beget_heap::PassedBound;
use beget_plan::finding::{Kind, Sightings};
use beget_plan::scope::PlannedIdx;

use crate::data::after_panic::PanicTally;
use crate::data::call_audit::{AuditTally, CallAudit};
use crate::data::sightings::{ChangeNote, Sighting};
use crate::data::wire::{Wire, packs_fields};

/// The results of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Calls by outcome. In a block whose candidates no store has taken, `kept` holds all calls
    /// that left a structure in scope.
    pub counters: Counters,
    /// The calls out of scope by the bound that they passed; they add up to that counter.
    pub passed: CountLog<BoundCount>,
    /// The reach of each method, by its position in the plan; shorter if the last ones were not
    /// called.
    pub(crate) reach: Vec<MethodReach>,
    /// The panics that the scope expects.
    pub expected: CountLog<ExpectedPanic>,
    /// The results for values left by panics, if panics are followed.
    pub panics: PanicTally,
    /// The results of audits, if calls are audited.
    pub audits: AuditTally,
    /// The results of extending matched values, if the plan has
    /// [probes](beget_plan::scope::PlanDraft::probe).
    pub probes: ProbeTally,
    /// The methods of which calls were left out, because too many others do not return.
    pub(crate) spared: Vec<PlannedIdx>,
    /// Sentences on calls that are not made, or questions that are not asked, because others end
    /// the process or do not return. A run with one is not complete.
    pub omissions: Vec<String>,
    /// The first witness of each cause by each method.
    pub(crate) sightings: Sightings<Sighting>,
    /// The first call of each method that changed an argument but ended badly.
    pub(crate) changes: Vec<ChangeNote>,
    /// The final copy strategies, and the reasons why faster ones were given up; by type.
    pub notes: Vec<String>,
}

impl Ledger {
    /// Appends the ledger of the next block. `note_of` may return a note for the first such change
    /// of a method.
    ///
    /// Ledgers are appended in the order of their blocks, so neither witnesses nor counts depend on
    /// threads.
    pub(crate) fn append(&mut self, next: Ledger, note_of: impl Fn(&ChangeNote) -> Option<String>) {
        self.counters += next.counters;
        self.passed.merge(next.passed);
        MethodReach::add_all(&mut self.reach, &next.reach);
        self.expected.merge(next.expected);
        self.panics += next.panics;
        self.audits += next.audits;
        self.probes += next.probes;
        next.spared.into_iter().for_each(|method| self.spare(method));
        next.omissions.into_iter().for_each(|omission| self.add_omission(omission));
        for mut change in next.changes {
            let is_known = self.changes.iter().any(|known| known.is_like(&change));
            if !is_known {
                if let Some(note) = note_of(&change) {
                    change.text.clone_from(&note);
                    self.notes.push(note);
                }
                self.changes.push(change);
            }
        }
        self.take_remarks(next.sightings, next.notes);
    }

    /// The reach of a method so far. A method none of whose calls returned has the default.
    #[inline]
    pub fn reach(&self, method: PlannedIdx) -> MethodReach {
        self.reach.get(method.index()).copied().unwrap_or_default()
    }

    /// The reach of a method, to be changed.
    #[inline]
    pub(crate) fn reach_mut(&mut self, method: PlannedIdx) -> &mut MethodReach {
        let index = method.index();
        if self.reach.len() <= index {
            self.reach.resize(index + 1, MethodReach::default());
        }
        &mut self.reach[index]
    }

    /// Notes that calls of a method are left out.
    pub(crate) fn spare(&mut self, method: PlannedIdx) {
        if !self.spared.contains(&method) {
            self.spared.push(method);
        }
    }

    /// The methods of which calls have not returned, with the number of these calls.
    pub(crate) fn hangs(&self) -> Vec<(PlannedIdx, u32)> {
        let mut hangs: Vec<(PlannedIdx, u32)> = Vec::new();
        for (method, Sighting { problem, count, after, .. }) in self.sightings.groups() {
            // The contract of an audit or of a panic has limits of its own.
            let is_audit = CallAudit::asks(problem);
            if problem.kind != Kind::Hang || is_audit || after.is_some() {
                continue;
            }
            let count = u32::try_from(*count).unwrap_or(u32::MAX);
            match hangs.iter_mut().find(|(known, _)| known == method) {
                Some((_, n_hangs)) => *n_hangs = n_hangs.saturating_add(count),
                None => hangs.push((*method, count)),
            }
        }
        hangs
    }

    /// Adds only sightings and notes.
    pub(crate) fn take_remarks(&mut self, sightings: Sightings<Sighting>, notes: Vec<String>) {
        if !self.sightings.append(sightings) {
            self.add_note(Sightings::<Sighting>::DROPPED.to_owned());
        }
        self.extend_notes(notes);
    }

    /// Adds notes, each once.
    pub fn extend_notes(&mut self, notes: Vec<String>) {
        notes.into_iter().for_each(|note| self.add_note(note));
    }

    /// Adds a sentence on something that is left out, once.
    pub fn add_omission(&mut self, omission: String) {
        if !self.omissions.contains(&omission) {
            self.omissions.push(omission);
        }
    }

    /// Adds a note, once.
    pub(crate) fn add_note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Calls by outcome. Their sum is the number of calls made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Left at least one new structure.
    pub kept: u64,
    /// Left only known structures.
    pub matched: u64,
    /// Left a structure beyond the scope: dropped.
    pub out_of_scope: u64,
    /// Broke a precondition: dropped.
    pub misuse: u64,
    /// Broke a promise: reported.
    pub failures: u64,
}

impl Counters {
    /// The number of calls.
    pub fn explored(&self) -> u64 {
        self.kept + self.matched + self.out_of_scope + self.misuse + self.failures
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.kept += other.kept;
        self.matched += other.matched;
        self.out_of_scope += other.out_of_scope;
        self.misuse += other.misuse;
        self.failures += other.failures;
    }
}

/// The number of calls whose structures passed a bound first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundCount {
    /// The bound.
    pub bound: PassedBound,
    /// The number of calls.
    pub calls: u64,
}

impl BoundCount {
    /// One call.
    #[inline]
    pub(crate) fn once(bound: PassedBound) -> Self {
        BoundCount { bound, calls: 1 }
    }
}

/// The results of a method's calls, for the verdict on the space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodReach {
    /// True if a call returned and left nothing out of scope.
    pub is_in_scope: bool,
    /// The first bound, in the order of bounds, that a call passed.
    pub cut_by: Option<PassedBound>,
}

impl MethodReach {
    fn add_all(all: &mut Vec<MethodReach>, next: &[MethodReach]) {
        if all.len() < next.len() {
            all.resize(next.len(), MethodReach::default());
        }
        for (one, next) in all.iter_mut().zip(next) {
            one.is_in_scope |= next.is_in_scope;
            next.cut_by.into_iter().for_each(|bound| one.cut(bound));
        }
    }

    /// Notes a call that passed a bound.
    #[inline]
    pub(crate) fn cut(&mut self, bound: PassedBound) {
        // The usual case: the same bound as before.
        if self.cut_by != Some(bound) {
            self.cut_by = Some(self.cut_by.map_or(bound, |known| known.min(bound)));
        }
    }
}

/// The number of expected panics of a method at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedPanic {
    /// The first pattern that expects it, by its position in [`Misuse`](beget_plan::scope::Misuse).
    pub pattern: u32,
    /// The place in the source.
    pub place: String,
    /// The method, by its position in the plan.
    pub method: PlannedIdx,
    /// The number of calls.
    pub calls: u64,
}

/// A key that calls are counted by.
pub(crate) trait CountKey: Clone {
    /// The order of keys, whatever the number of calls.
    fn compare(&self, other: &Self) -> Ordering;

    /// Returns whether the keys are equal.
    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }

    fn calls(&mut self) -> &mut u64;
}

impl CountKey for BoundCount {
    #[inline]
    fn compare(&self, other: &Self) -> Ordering {
        self.bound.cmp(&other.bound)
    }

    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        self.bound == other.bound
    }

    #[inline]
    fn calls(&mut self) -> &mut u64 {
        &mut self.calls
    }
}

impl CountKey for ExpectedPanic {
    fn compare(&self, other: &Self) -> Ordering {
        let key = |panic: &Self| (panic.pattern, panic.method);
        key(self).cmp(&key(other)).then_with(|| self.place.cmp(&other.place))
    }

    fn calls(&mut self) -> &mut u64 {
        &mut self.calls
    }
}

/// Calls counted by a key, such as the bound that they passed: an ordered list.
///
/// While calls are made it is a log, in which equal neighbours are counted together and a call's
/// additions can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountLog<C>(Vec<C>);

impl<C> Default for CountLog<C> {
    fn default() -> Self {
        CountLog(Vec::new())
    }
}

impl<C> Deref for CountLog<C> {
    type Target = [C];

    fn deref(&self) -> &[C] {
        &self.0
    }
}

impl<'c, C> IntoIterator for &'c CountLog<C> {
    type Item = &'c C;
    type IntoIter = std::slice::Iter<'c, C>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

// The keys are private to the crate.
#[allow(private_bounds)]
impl<C: CountKey> CountLog<C> {
    #[inline(always)]
    pub(crate) fn push(&mut self, mut one: C) {
        match self.0.last_mut() {
            Some(last) if last.is_like(&one) => *last.calls() += *one.calls(),
            _ => self.push_apart(one),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_apart(&mut self, one: C) {
        self.0.push(one);
    }

    /// The current length of the log.
    pub(crate) fn mark(&mut self) -> LogMark {
        LogMark { len: self.0.len(), calls: self.0.last_mut().map_or(0, |last| *last.calls()) }
    }

    /// Removes everything after a mark.
    pub(crate) fn undo(&mut self, mark: LogMark) {
        self.0.truncate(mark.len);
        if let Some(last) = self.0.last_mut() {
            *last.calls() = mark.calls;
        }
    }

    /// Adds a log to an ordered list.
    pub(crate) fn merge(&mut self, log: CountLog<C>) {
        for mut one in log.0 {
            match self.0.binary_search_by(|known| known.compare(&one)) {
                Ok(index) => *self.0[index].calls() += *one.calls(),
                Err(index) => self.0.insert(index, one),
            }
        }
    }

    /// The log as an ordered list.
    pub(crate) fn ordered(self) -> Self {
        let mut ordered = CountLog::default();
        ordered.merge(self);
        ordered
    }
}

/// A length of the log.
#[derive(Clone, Copy)]
pub(crate) struct LogMark {
    len: usize,
    calls: u64,
}

/// The results of extending matched values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeTally {
    /// The values that were extended.
    pub extended: u64,
    /// The calls on them.
    pub calls: u64,
    /// The number that broke a promise.
    pub failures: u64,
    /// The values in scope that these calls left and that are no structures: proof that merged
    /// values behave differently.
    pub unknown: u64,
}

impl std::ops::AddAssign for ProbeTally {
    fn add_assign(&mut self, other: ProbeTally) {
        self.extended += other.extended;
        self.calls += other.calls;
        self.failures += other.failures;
        self.unknown += other.unknown;
    }
}

packs_fields! {
    Ledger {
        counters, passed, reach, expected, panics, audits, probes, spared, omissions, sightings, changes,
        notes
    }
    Counters { kept, matched, out_of_scope, misuse, failures }
    BoundCount { bound, calls }
    MethodReach { is_in_scope, cut_by }
    ExpectedPanic { pattern, place, method, calls }
    ProbeTally { extended, calls, failures, unknown }
}

impl<C: Wire> Wire for CountLog<C> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Vec::unpack(bytes).map(CountLog)
    }
}

#[cfg(test)]
mod tests {
    use beget_plan::finding::Problem;

    use super::*;
    use crate::data::after_panic::PanicStepIdx;
    use crate::data::call_audit::AskedTally;
    use crate::data::ids::CallIdx;

    #[test]
    fn a_log_counts_equal_neighbours_together_and_forgets_what_is_undone() {
        let [arrays, texts] = [PassedBound::Arrays, PassedBound::Texts].map(BoundCount::once);
        let mut log = CountLog::default();
        [texts, texts, arrays].into_iter().for_each(|one| log.push(one));
        let kept = log.clone();
        let mark = log.mark();
        [arrays, texts, arrays].into_iter().for_each(|one| log.push(one));
        assert_eq!(log.iter().map(|one| one.calls).collect::<Vec<_>>(), [2, 2, 1, 1]);
        log.undo(mark);
        assert_eq!(log, kept);
        [texts, texts].into_iter().for_each(|one| log.push(one));
        let ordered: Vec<_> = log.ordered().iter().map(|one| (one.bound, one.calls)).collect();
        assert_eq!(ordered, [(PassedBound::Arrays, 1), (PassedBound::Texts, 4)]);
    }

    #[test]
    fn only_calls_that_do_not_return_by_themselves_are_hangs() {
        let hang = || Problem::new(Kind::Hang, "it does not return");
        let sighting = |problem, count| {
            let one = Sighting::new(problem, CallIdx::new(0), Vec::new());
            Sighting { count, ..one }
        };
        let mut ledger = Ledger::default();
        let step = PanicStepIdx::of_number(1).expect("steps count from 1");
        for (method, sighting) in [
            (2, sighting(hang(), 3)),
            (1, sighting(hang().with_name("memory_sound"), 5)),
            (0, sighting(hang(), 7).after_panic(step)),
            (2, sighting(hang().at("elsewhere"), 11)),
            (3, sighting(Problem::new(Kind::Crash, "it dies"), 13)),
            (4, sighting(hang(), 17)),
        ] {
            assert!(ledger.sightings.add(sighting, PlannedIdx::new(method)));
        }
        let hangs = ledger.hangs();
        let hangs: Vec<_> = hangs.iter().map(|&(method, n)| (method.index(), n)).collect();
        assert_eq!(hangs, [(2, 14), (4, 17)]);
    }

    #[test]
    fn an_appended_ledger_adds_its_audits_and_what_follows_panics() {
        let asked = |asked, broken| AskedTally { asked, broken };
        let mut ledger = Ledger::default();
        for n in [1, 10] {
            let audits = AuditTally {
                memory_sound: asked(9 * n, n),
                memory_freed: asked(8 * n, 2 * n),
                lies: asked(7 * n, 3 * n),
            };
            let panics = PanicTally { followed: 6 * n, broken: 4 * n };
            let omissions = vec!["once".to_owned(), n.to_string()];
            let spared = vec![PlannedIdx::new(7)];
            let next = Ledger { audits, panics, omissions, spared, ..Ledger::default() };
            ledger.append(next, |_| None);
        }
        let audits = AuditTally {
            memory_sound: asked(99, 11),
            memory_freed: asked(88, 22),
            lies: asked(77, 33),
        };
        assert_eq!(ledger.audits, audits);
        assert_eq!(ledger.panics, PanicTally { followed: 66, broken: 44 });
        assert_eq!(ledger.omissions, ["once", "1", "10"]);
        assert_eq!(ledger.spared, [PlannedIdx::new(7)]);
    }

    #[test]
    fn an_appended_ledger_adds_its_probes() {
        let mut ledger = Ledger::default();
        for probes in [
            ProbeTally { extended: 1, calls: 2, failures: 3, unknown: 4 },
            ProbeTally { extended: 50, calls: 60, failures: 70, unknown: 80 },
        ] {
            ledger.append(Ledger { probes, ..Ledger::default() }, |_| None);
        }
        let sum = ProbeTally { extended: 51, calls: 62, failures: 73, unknown: 84 };
        assert_eq!(ledger.probes, sum);
    }
}
