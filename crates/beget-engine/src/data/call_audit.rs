//! Audits of calls: a call is repeated, on values that recipes build, under a watch.
//!
//! An audit may kill its process or hang, so each has a number, by which a watcher can name it.

use beget_plan::finding::{ELEMENTS_SURVIVE_LIES, Kind, MEMORY_SOUND, Problem};

use crate::data::ids::StructureId;
use crate::data::wire::packs_fields;

/// Calls are audited if their structure is among this many first ones; for several structures, if
/// the product of their numbers, counted from 1, is at most this.
const MOST_AUDITED: u64 = 1_000;

/// Returns whether calls on these structures are audited.
pub(crate) fn are_audited(mut structures: impl Iterator<Item = StructureId>) -> bool {
    let product = structures.try_fold(1_u64, |product, id| {
        product.checked_mul(id.number() + 1).filter(|&product| product <= MOST_AUDITED)
    });
    product.is_some()
}

/// An audit of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallAudit {
    /// Checks its memory.
    Memory,
    /// Makes the use of an element of this number lie, counted from 1.
    Lie(u32),
}

/// The mark of an audit's number in a note.
const MARK: u32 = 1 << 31;

impl CallAudit {
    /// The audit with this number in a note of the work after a call, if it is one.
    pub(crate) fn of_note(number: u32) -> Option<Self> {
        (number & MARK != 0).then_some(match number & !MARK {
            0 => CallAudit::Memory,
            lie => CallAudit::Lie(lie),
        })
    }

    /// The number in a note.
    pub(crate) fn number(self) -> u32 {
        match self {
            CallAudit::Memory => MARK,
            CallAudit::Lie(lie) => MARK | lie,
        }
    }

    /// The contract that is checked.
    pub fn contract(self) -> &'static str {
        match self {
            CallAudit::Memory => MEMORY_SOUND,
            CallAudit::Lie(_) => ELEMENTS_SURVIVE_LIES,
        }
    }

    /// Returns whether the problem has the name of an audit's contract.
    pub(crate) fn asks(problem: &Problem) -> bool {
        let contracts = [MEMORY_SOUND, ELEMENTS_SURVIVE_LIES];
        problem.name.as_deref().is_some_and(|name| contracts.contains(&name))
    }

    /// Returns whether a call that shows the problem keeps the contract all the same: traits of
    /// elements that lie may make it go on for ever.
    pub(crate) fn allows(self, problem: &Problem) -> bool {
        matches!(self, CallAudit::Lie(_)) && problem.kind == Kind::Hang
    }

    /// The action of the audit, in words, to blame for a death during it.
    pub fn activity(self) -> &'static str {
        match self {
            CallAudit::Memory => {
                "where freed memory is overwritten, the call or dropping what it left"
            }
            CallAudit::Lie(_) => {
                "where an element or an iterator lies in it, the call or dropping what it left"
            }
        }
    }
}

/// The number of checks, and of failed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedTally {
    /// Checked calls.
    pub asked: u64,
    /// Those of them that showed a problem.
    pub broken: u64,
}

packs_fields! {
    AskedTally { asked, broken }
    AuditTally { memory_sound, memory_freed, lies }
}

impl AskedTally {
    pub(crate) fn add(&mut self, is_broken: bool) {
        self.asked += 1;
        self.broken += u64::from(is_broken);
    }
}

impl std::ops::AddAssign for AskedTally {
    fn add_assign(&mut self, other: AskedTally) {
        self.asked += other.asked;
        self.broken += other.broken;
    }
}

/// The results of audits, by contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditTally {
    /// [`MEMORY_SOUND`].
    pub memory_sound: AskedTally,
    /// [`MEMORY_FREED`](beget_plan::finding::MEMORY_FREED).
    pub memory_freed: AskedTally,
    /// [`ELEMENTS_SURVIVE_LIES`], for calls in which an element may lie.
    pub lies: AskedTally,
}

impl AuditTally {
    /// One call whose audit ended, or was ended, by a problem.
    pub(crate) fn of_death(audit: CallAudit, problem: &Problem) -> Self {
        let one = AskedTally { asked: 1, broken: u64::from(!audit.allows(problem)) };
        match audit {
            CallAudit::Memory => AuditTally { memory_sound: one, ..AuditTally::default() },
            CallAudit::Lie(_) => AuditTally { lies: one, ..AuditTally::default() },
        }
    }
}

impl std::ops::AddAssign for AuditTally {
    fn add_assign(&mut self, other: AuditTally) {
        self.memory_sound += other.memory_sound;
        self.memory_freed += other.memory_freed;
        self.lies += other.lies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_tell_audits_from_other_work() {
        for audit in [CallAudit::Memory, CallAudit::Lie(1), CallAudit::Lie(32)] {
            assert_eq!(CallAudit::of_note(audit.number()), Some(audit));
        }
        assert_eq!(CallAudit::of_note(0), None);
        assert_eq!(CallAudit::of_note(7), None);
    }

    #[test]
    fn a_tally_counts_what_is_asked_and_what_is_broken() {
        let mut tally = AskedTally::default();
        [true, false, true, false, false].into_iter().for_each(|is_broken| tally.add(is_broken));
        assert_eq!(tally, AskedTally { asked: 5, broken: 2 });
    }

    #[test]
    fn a_death_is_one_broken_contract_of_its_audit() {
        let one = AskedTally { asked: 1, broken: 1 };
        let [crash, hang] = [Kind::Crash, Kind::Hang].map(|kind| Problem::new(kind, "it ends so"));
        let memory = AuditTally { memory_sound: one, ..AuditTally::default() };
        assert_eq!(AuditTally::of_death(CallAudit::Memory, &crash), memory);
        assert_eq!(AuditTally::of_death(CallAudit::Memory, &hang), memory);
        let lies = AuditTally { lies: one, ..AuditTally::default() };
        assert_eq!(AuditTally::of_death(CallAudit::Lie(3), &crash), lies);
        // With a lie the call may go on for ever.
        let none = AuditTally { lies: AskedTally { broken: 0, ..one }, ..AuditTally::default() };
        assert_eq!(AuditTally::of_death(CallAudit::Lie(3), &hang), none);
    }

    #[test]
    fn the_first_thousand_structures_are_audited_and_few_pairs() {
        let are = |ids: &[u64]| are_audited(ids.iter().map(|&id| StructureId::new(id)));
        assert!(are(&[]) && are(&[999]) && !are(&[1000]));
        assert!(
            are(&[30, 31])
                && !are(&[31, 31])
                && are(&[0, 999])
                && !are(&[u32::MAX.into(), u32::MAX.into()])
                && !are(&[1 << 40, 1 << 40])
        );
    }

    #[test]
    fn an_audit_names_its_contract() {
        assert_eq!(CallAudit::Memory.contract(), "memory_sound");
        assert_eq!(CallAudit::Lie(7).contract(), "elements_survive_lies");
    }
}
