//! Blocks of work: structures with their forms, and the calls to make on them.
//!
//! A block is a message. It holds everything that its calls need, except the plan, which the runner
//! has too, and the recipes of structures that cannot be decoded (see `message`). It knows neither
//! the strategy that proposed it nor the runner of its calls.

use beget_heap::FormRef;
use beget_plan::scope::PlannedIdx;

use crate::data::ids::GroupIdx;
use crate::data::ids::StructureId;
use crate::data::wire::{
    Wire, pack_bytes, pack_numbers, packs_fields, unpack_bytes, unpack_numbers,
};

/// A structure of a block: its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member(pub(crate) u32);

/// Calls to make on one tuple of structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// The methods to call.
    pub(crate) group: GroupIdx,
    /// The tuple of literals to call them with; all of them if `None`.
    pub(crate) literals: Option<u32>,
    /// The start of the structures in the block's list of members; the group gives their number.
    pub(crate) first: u32,
}

/// Rules for which of the structures that calls leave are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReportRule {
    /// Every one, even one that other calls have left. One whose memory is unchanged need not be.
    #[default]
    Every,
    /// One that several calls leave may be reported once: the store keeps it once.
    Once,
    /// Every one but arguments whose forms are as before the call: without state matching, a call
    /// that changes nothing is not extended.
    Changed,
}

impl Wire for ReportRule {
    fn pack(&self, bytes: &mut Vec<u8>) {
        (*self as u8).pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let byte = u8::unpack(bytes)?;
        [ReportRule::Every, ReportRule::Once, ReportRule::Changed].get(usize::from(byte)).copied()
    }
}

/// Structures and the calls to make on them, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    ids: Vec<StructureId>,
    /// The end of each structure's form in `forms`.
    ends: Vec<u32>,
    forms: Vec<u8>,
    pub(crate) tasks: Vec<Task>,
    /// The structures that are reported.
    pub(crate) reported: ReportRule,
    /// The first of the newest structures, some of which are checked more thoroughly.
    pub(crate) newest: u64,
    members: Vec<Member>,
    /// The methods whose panics are not [followed](beget_plan::scope::PlanDraft::follows_panics).
    pub(crate) unfollowed: Vec<PlannedIdx>,
    /// The methods whose calls are not [audited](beget_plan::scope::PlanDraft::audits).
    pub(crate) unaudited: Vec<PlannedIdx>,
    /// The methods of which calls of the run have not returned, with their number so far.
    pub(crate) hangs: Vec<(PlannedIdx, u32)>,
}

packs_fields! {
    Member { 0 }
    Task { group, literals, first }
}

impl Wire for Block {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.ids.pack(bytes);
        pack_numbers(&self.ends, bytes);
        pack_bytes(&self.forms, bytes);
        self.tasks.pack(bytes);
        self.reported.pack(bytes);
        self.newest.pack(bytes);
        self.members.pack(bytes);
        self.unfollowed.pack(bytes);
        self.unaudited.pack(bytes);
        self.hangs.pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(Block {
            ids: Wire::unpack(bytes)?,
            ends: unpack_numbers(bytes)?,
            forms: unpack_bytes(bytes)?.to_vec(),
            tasks: Wire::unpack(bytes)?,
            reported: Wire::unpack(bytes)?,
            newest: Wire::unpack(bytes)?,
            members: Wire::unpack(bytes)?,
            unfollowed: Wire::unpack(bytes)?,
            unaudited: Wire::unpack(bytes)?,
            hangs: Wire::unpack(bytes)?,
        })
    }
}

impl Block {
    /// An empty block with room for the calls of one group on each of this many structures.
    pub(crate) fn with_room_for(n_structures: usize) -> Self {
        Block {
            ids: Vec::with_capacity(n_structures),
            ends: Vec::with_capacity(n_structures),
            tasks: Vec::with_capacity(n_structures),
            members: Vec::with_capacity(n_structures),
            ..Block::default()
        }
    }

    /// Adds a structure.
    #[inline]
    pub fn add_structure(&mut self, id: StructureId, form: FormRef<'_>) -> Member {
        let member = Member(self.ids.len() as u32);
        self.ids.push(id);
        self.forms.extend_from_slice(form.as_bytes());
        self.ends.push(self.forms.len() as u32);
        member
    }

    /// Adds the calls of a group of methods on some structures of the block, with every tuple of
    /// literals.
    #[inline]
    pub fn add_calls(&mut self, group: GroupIdx, members: &[Member]) {
        self.add_task(group, None, members);
    }

    /// Adds one call: that of the only method of `group`, with tuple number `literals`.
    pub fn add_call(&mut self, group: GroupIdx, literals: u32, members: &[Member]) {
        self.add_task(group, Some(literals), members);
    }

    #[inline]
    fn add_task(&mut self, group: GroupIdx, literals: Option<u32>, members: &[Member]) {
        let first = self.members.len() as u32;
        self.members.extend_from_slice(members);
        self.tasks.push(Task { group, literals, first });
    }

    /// The same structures, without calls.
    pub(crate) fn without_calls(&self) -> Block {
        Block { tasks: Vec::new(), ..self.clone() }
    }

    /// Stops following the panics of `method` in this block.
    pub fn unfollow(&mut self, method: PlannedIdx) {
        self.unfollowed.push(method);
    }

    /// Stops auditing the calls of `method` in this block.
    pub fn spare_audits(&mut self, method: PlannedIdx) {
        self.unaudited.push(method);
    }

    /// The number of structures.
    pub(crate) fn n_structures(&self) -> u32 {
        self.ids.len() as u32
    }

    /// Returns whether the block has no calls.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The structures, each once, in the order in which they were added.
    pub fn structures(&self) -> impl Iterator<Item = StructureId> + '_ {
        self.ids.iter().copied()
    }

    /// The same block with other forms, those of its structures in order: for a store that only
    /// provides their types (`Store::scan_types`).
    pub fn with_forms<'f>(&self, forms: impl Iterator<Item = FormRef<'f>>) -> Block {
        let mut block = Block { ends: Vec::new(), forms: Vec::new(), ..self.clone() };
        for form in forms {
            block.forms.extend_from_slice(form.as_bytes());
            block.ends.push(block.forms.len() as u32);
        }
        assert_eq!(block.ends.len(), block.ids.len(), "a form for each structure");
        block
    }

    /// The `n` structures of a task.
    #[inline]
    pub(crate) fn members_of(&self, task: &Task, n: usize) -> &[Member] {
        &self.members[task.first as usize..][..n]
    }

    /// A structure's number and form.
    #[inline]
    pub(crate) fn structure(&self, member: Member) -> (StructureId, FormRef<'_>) {
        let index = member.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        let form = FormRef::new(&self.forms[start..self.ends[index] as usize]);
        (self.ids[index], form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structures(block: &Block) -> Vec<(u64, Vec<u8>)> {
        let structure = |index| {
            let (id, form) = block.structure(Member(index));
            (id.number(), form.as_bytes().to_vec())
        };
        (0..block.n_structures()).map(structure).collect()
    }

    #[test]
    fn other_forms_take_the_place_of_those_that_a_block_has() {
        let mut block = Block::default();
        let form = FormRef::new(&[1, 2]);
        let members = [7, 9].map(|id| block.add_structure(StructureId::new(id), form));
        block.add_calls(GroupIdx(0), &members);
        assert_eq!(structures(&block), [(7, vec![1, 2]), (9, vec![1, 2])]);
        let forms = [&[3][..], &[4, 5, 6]];
        let changed = block.with_forms(forms.into_iter().map(FormRef::new));
        assert_eq!(structures(&changed), [(7, vec![3]), (9, vec![4, 5, 6])]);
        assert_eq!(changed.tasks, block.tasks);
    }

    #[test]
    fn a_block_has_the_methods_that_are_not_followed_and_not_audited() {
        let mut block = Block::default();
        block.unfollow(PlannedIdx::new(2));
        block.spare_audits(PlannedIdx::new(1));
        assert_eq!(block.unfollowed, [PlannedIdx::new(2)]);
        assert_eq!(block.unaudited, [PlannedIdx::new(1)]);
    }
}
