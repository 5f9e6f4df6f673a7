//! Tuples of structures, in order, written into blocks piece by piece.
//!
//! The order is: first structure, group of methods, further structures. A [`TupleCursor`] can be
//! left when a block is full and resumed for the next one, so no block is much too large, however
//! many structures go with one first structure.

use std::ops::Range;

use beget_heap::CanonicalForm;
use beget_suite::TypeIdx;

use crate::data::block::{Block, Member};
use crate::data::calls::CallGroup;
use crate::data::ids::GroupIdx;
use crate::data::wire::packs_fields;
use crate::store::{Store, StoreError, StructureId};
use crate::worker::explorer::Explorer;

/// The structures that may follow in a tuple.
pub(crate) trait Continuation {
    /// The structures that may follow `chosen`, which is not empty; wrong types are filtered later.
    /// `is_last` if the tuple ends with them.
    fn following(&self, chosen: &[StructureId], is_last: bool) -> Range<u64>;
}

/// Groups of methods on all tuples that begin with one of some structures.
#[derive(Clone, Debug)]
pub(crate) struct TupleCursor {
    groups: Vec<TupleGroup>,
    firsts: Range<u64>,
    /// The first structure whose tuples are partly written.
    open: Option<OpenTuple>,
}

packs_fields! {
    TupleCursor { groups, firsts, open }
    TupleGroup { index, types, n_calls }
    OpenTuple { ty, group, chosen, forms, following }
}

/// The limits of a block's size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockLimits {
    /// The number of first structures, including the current one, whose tuples are written in any
    /// case.
    pub(crate) firsts: u64,
    /// The approximate number of calls.
    pub(crate) calls: u64,
}

#[derive(Clone, Debug)]
struct TupleGroup {
    index: GroupIdx,
    types: Vec<TypeIdx>,
    /// Calls on one tuple.
    n_calls: u64,
}

impl TupleCursor {
    /// A cursor before the first tuple of `groups`, each of which takes a structure, on `firsts`.
    pub(crate) fn new<'g>(
        explorer: &Explorer<'_>,
        groups: impl Iterator<Item = (GroupIdx, &'g CallGroup)>,
        firsts: Range<u64>,
    ) -> Self {
        let group = |(index, group): (GroupIdx, &CallGroup)| TupleGroup {
            index,
            types: group.types.clone(),
            n_calls: explorer.n_calls(group).max(1),
        };
        let groups: Vec<TupleGroup> = groups.map(group).collect();
        let firsts = if groups.is_empty() { firsts.end..firsts.end } else { firsts };
        TupleCursor { groups, firsts, open: None }
    }

    /// Returns whether all tuples are written.
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_none() && self.firsts.is_empty()
    }

    /// Returns whether the tuples of a first structure are only partly written.
    pub(crate) fn is_within_first(&self) -> bool {
        self.open.is_some()
    }

    /// The number of first structures not begun yet.
    pub(crate) fn n_left(&self) -> u64 {
        self.firsts.end - self.firsts.start
    }

    /// Returns whether no call takes several structures, so that each parent is written at once.
    pub(crate) fn is_of_single_structures(&self) -> bool {
        self.open.is_none() && self.groups.iter().all(|group| group.types.len() == 1)
    }

    /// The next first structures, at most `most`, which count as written.
    pub(crate) fn next_parents(&mut self, most: u64) -> Range<u64> {
        let start = self.firsts.start;
        self.firsts.start = self.firsts.end.min(start.saturating_add(most));
        start..self.firsts.start
    }

    /// The next block.
    pub(crate) fn block<S: Store>(
        &mut self,
        explorer: &Explorer<'_>,
        store: &S,
        continuation: &impl Continuation,
        limits: BlockLimits,
    ) -> Result<Block, StoreError> {
        if self.is_of_single_structures() {
            let parents = self.next_parents(limits.firsts);
            return self.block_of(explorer, store, parents);
        }
        let mut writer = BlockWriter::new(explorer, store, limits.calls);
        let mut n_firsts = u64::from(self.open.is_some());
        while writer.left > 0 {
            let open = match &mut self.open {
                Some(open) => open,
                None if n_firsts >= limits.firsts => break,
                None => {
                    let Some(first) = self.firsts.next() else { break };
                    n_firsts += 1;
                    self.open.insert(OpenTuple::new(StructureId::new(first), &writer)?)
                }
            };
            if open.write(&self.groups, continuation, &mut writer)? {
                self.open = None;
            }
        }
        Ok(writer.block)
    }

    /// The block of these parents, where no call takes several structures: the usual case.
    pub(crate) fn block_of<S: Store>(
        &self,
        explorer: &Explorer<'_>,
        store: &S,
        parents: Range<u64>,
    ) -> Result<Block, StoreError> {
        let mut block = Block::with_room_for((parents.end - parents.start) as usize);
        store.scan_types(parents, &mut |id, form| {
            let ty = explorer.type_of(form);
            let mut own = self.groups.iter().filter(|group| group.types[0] == ty).peekable();
            if own.peek().is_some() {
                let member = block.add_structure(id, form);
                own.for_each(|group| block.add_calls(group.index, &[member]));
            }
        })?;
        Ok(block)
    }
}

/// A first structure with partly written tuples.
#[derive(Clone, Debug)]
struct OpenTuple {
    ty: TypeIdx,
    /// The group being written.
    group: usize,
    /// The structures of the tuple so far, with their forms.
    chosen: Vec<StructureId>,
    forms: Vec<CanonicalForm>,
    /// For each of them, the structures still to come.
    following: Vec<Range<u64>>,
}

impl OpenTuple {
    fn new<S: Store>(first: StructureId, writer: &BlockWriter<'_, S>) -> Result<Self, StoreError> {
        let form = writer.form(first)?;
        Ok(OpenTuple {
            ty: writer.explorer.type_of(form.as_ref()),
            group: 0,
            chosen: vec![first],
            forms: vec![form],
            following: Vec::new(),
        })
    }

    /// Writes as many tuples as fit; returns whether those were all.
    fn write<S: Store>(
        &mut self,
        groups: &[TupleGroup],
        continuation: &impl Continuation,
        writer: &mut BlockWriter<'_, S>,
    ) -> Result<bool, StoreError> {
        while let Some(group) = groups.get(self.group) {
            if group.types[0] == self.ty && !self.write_group(group, continuation, writer)? {
                return Ok(false);
            }
            self.group += 1;
        }
        Ok(true)
    }

    fn write_group<S: Store>(
        &mut self,
        group: &TupleGroup,
        continuation: &impl Continuation,
        writer: &mut BlockWriter<'_, S>,
    ) -> Result<bool, StoreError> {
        let n = group.types.len();
        if n == 1 {
            let member = writer.block.add_structure(self.chosen[0], self.forms[0].as_ref());
            writer.add(group, &[member]);
            return Ok(true);
        }
        if self.following.is_empty() {
            self.following.push(continuation.following(&self.chosen, n == 2));
        }
        while writer.left > 0 {
            let depth = self.chosen.len();
            let following = self.following.last_mut().expect("one for each that is chosen");
            if depth == n - 1 {
                let n_calls = writer.left.div_ceil(group.n_calls);
                let end = following.start.saturating_add(n_calls).min(following.end);
                let piece = following.start..end;
                following.start = end;
                self.write_piece(group, piece, writer)?;
            } else if let Some(next) = following.next() {
                let form = writer.form(StructureId::new(next))?;
                if writer.explorer.type_of(form.as_ref()) == group.types[depth] {
                    self.chosen.push(StructureId::new(next));
                    self.forms.push(form);
                    let is_last = depth + 2 == n;
                    self.following.push(continuation.following(&self.chosen, is_last));
                }
                continue;
            }
            if self.following.last().is_some_and(Range::is_empty) {
                self.following.pop();
                if depth == 1 {
                    return Ok(true);
                }
                self.chosen.pop();
                self.forms.pop();
            }
        }
        Ok(false)
    }

    /// Writes the tuples that end with one of `last`.
    fn write_piece<S: Store>(
        &self,
        group: &TupleGroup,
        last: Range<u64>,
        writer: &mut BlockWriter<'_, S>,
    ) -> Result<(), StoreError> {
        let ty = group.types[group.types.len() - 1];
        let last = writer.piece(last, ty)?;
        if last.is_empty() {
            return Ok(());
        }
        let pairs = self.chosen.iter().zip(&self.forms);
        let mut tuple: Vec<Member> =
            pairs.map(|(&id, form)| writer.block.add_structure(id, form.as_ref())).collect();
        for member in last {
            tuple.push(Member(member));
            writer.add(group, &tuple);
            tuple.pop();
        }
        Ok(())
    }
}

/// A block under construction.
struct BlockWriter<'w, S> {
    explorer: &'w Explorer<'w>,
    store: &'w S,
    block: Block,
    /// The number of calls that still fit.
    left: u64,
    /// Structures of one type already in the block, with their place there: consecutive first
    /// structures often go with the same others.
    pieces: Vec<(Range<u64>, TypeIdx, Range<u32>)>,
}

impl<'w, S: Store> BlockWriter<'w, S> {
    fn new(explorer: &'w Explorer<'w>, store: &'w S, left: u64) -> Self {
        BlockWriter { explorer, store, block: Block::default(), left, pieces: Vec::new() }
    }

    fn add(&mut self, group: &TupleGroup, tuple: &[Member]) {
        self.block.add_calls(group.index, tuple);
        self.left = self.left.saturating_sub(group.n_calls);
    }

    /// The form of a structure, as far as the store provides it for blocks.
    fn form(&self, id: StructureId) -> Result<CanonicalForm, StoreError> {
        let mut form = CanonicalForm::default();
        self.store
            .scan_types(id.number()..id.number() + 1, &mut |_, lent| form = lent.to_canonical())?;
        Ok(form)
    }

    /// The structures of `ids` with type `ty`, as members of the block.
    fn piece(&mut self, ids: Range<u64>, ty: TypeIdx) -> Result<Range<u32>, StoreError> {
        let known = self.pieces.iter().find(|(of, own, _)| *of == ids && *own == ty);
        if let Some((_, _, members)) = known {
            return Ok(members.clone());
        }
        let BlockWriter { explorer, store, block, .. } = self;
        let start = block.n_structures();
        store.scan_types(ids.clone(), &mut |id, form| {
            if explorer.type_of(form) == ty {
                block.add_structure(id, form);
            }
        })?;
        let members = start..block.n_structures();
        self.pieces.push((ids, ty, members.clone()));
        Ok(members)
    }
}
