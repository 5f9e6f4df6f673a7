//! Blocks of work: structures with their forms, and the calls to make on them.
//!
//! A block is a message. It holds everything that its calls need, apart from the plan, which
//! whoever makes them has too, and the recipes of structures that cannot be decoded (see
//! `message`). It does not know who thought of it nor who makes the calls.

use beget_heap::FormRef;
use beget_plan::scope::PlannedIdx;

use crate::data::ids::GroupIdx;
use crate::data::ids::StructureId;
#[cfg(feature = "messages")]
use crate::data::packed;

/// A structure of a block: its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Member(pub(crate) u32);

/// Calls to make on one tuple of structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Task {
    /// The methods to call.
    pub(crate) group: GroupIdx,
    /// The tuple of literals to call them with; all of them if `None`.
    pub(crate) literals: Option<u32>,
    /// Where the structures begin in the block's list of members; the group says how many they are.
    pub(crate) first: u32,
}

/// Structures and the calls to make on them, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    #[cfg_attr(feature = "messages", serde(with = "packed::numbers"))]
    ids: Vec<u32>,
    /// Where each structure's form ends in `forms`.
    #[cfg_attr(feature = "messages", serde(with = "packed::numbers"))]
    ends: Vec<u32>,
    #[cfg_attr(feature = "messages", serde(with = "packed::bytes"))]
    forms: Vec<u8>,
    pub(crate) tasks: Vec<Task>,
    /// True if every structure that a call leaves is to be told, that of the call before too.
    pub(crate) shows_all: bool,
    /// True if a structure that several calls leave may be told once: the store keeps it once.
    pub(crate) is_matched: bool,
    /// The first of the newest structures, of which some are checked more thoroughly.
    pub(crate) newest: u32,
    members: Vec<Member>,
    /// The methods whose panics are not [followed](beget_plan::scope::Plan::follows_panics).
    pub(crate) unfollowed: Vec<PlannedIdx>,
    /// The methods whose calls are not [audited](beget_plan::scope::Plan::audits).
    pub(crate) unaudited: Vec<PlannedIdx>,
}

impl Block {
    /// An empty one with room for the calls of one group on each of so many structures.
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
        self.ids.push(id.0);
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

    /// From here on, what a panic of `method` leaves is not followed in this block.
    pub fn unfollow(&mut self, method: PlannedIdx) {
        self.unfollowed.push(method);
    }

    /// From here on, calls of `method` are not audited in this block.
    pub fn spare_audits(&mut self, method: PlannedIdx) {
        self.unaudited.push(method);
    }

    /// The number of structures.
    pub(crate) fn n_structures(&self) -> u32 {
        self.ids.len() as u32
    }

    /// Returns whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The structures, each once, in the order in which they were added.
    pub fn structures(&self) -> impl Iterator<Item = StructureId> + '_ {
        self.ids.iter().map(|&id| StructureId(id))
    }

    /// The same block with other forms, those of its structures in their order: for a store that
    /// tells no more than types (`Store::scan_types`).
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
        (StructureId(self.ids[index]), form)
    }
}
