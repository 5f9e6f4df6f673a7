//! Splitting blocks, to continue a block around a call that never returns.

use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::PlannedIdx;
use beget_process::guard::CallInProgress;

use crate::data::after_call::AfterCall;
use crate::data::after_panic::{PanicStepIdx, PanicTally};
use crate::data::block::{Block, Task};
use crate::data::call_audit::{AuditTally, CallAudit};
use crate::data::sightings::{Sighting, method_of};
use crate::store::{Recipes, StructureId};
use crate::worker::BlockResult;
use crate::worker::explorer::Explorer;

/// The calls of a method that do not return, after which no more of them are made in a run.
pub(crate) const MOST_HANGS: u32 = 3;

const WITHOUT_CALLS: &str =
    "making, copying or dropping a structure ends the process: calls on it were made no more";

/// A place in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPlace {
    task: u32,
    /// The method and the tuple of literals; `None` while the structures of the task were made,
    /// copied or dropped.
    call: Option<(PlannedIdx, u32)>,
    /// The work on the call after it.
    after: Option<AfterCall>,
    /// True during the framework's own work: reconstructing, or walking the call's result.
    is_own_work: bool,
}

impl CallPlace {
    /// The place of `call`, which may be in any block.
    pub fn of(call: &CallInProgress) -> Self {
        let method = call.method.map(|method| PlannedIdx::new(method as usize));
        let after = AfterCall::of_note(call.after).filter(|_| method.is_some());
        let call_parts = method.map(|method| (method, call.tuple));
        CallPlace { task: call.task, call: call_parts, after, is_own_work: call.is_own_work }
    }

    /// Returns whether it is the framework's own work, and no call: reconstructing, or walking the
    /// call's result.
    pub fn is_own_work(&self) -> bool {
        self.is_own_work
    }

    /// The same call, at the work after it that `call` is at.
    #[must_use]
    pub fn later(self, call: &CallInProgress) -> Self {
        let after = AfterCall::of_note(call.after);
        CallPlace { after, is_own_work: call.is_own_work, ..self }
    }

    /// The work on the call after it; `None` if it is the call itself, or the walk of its result.
    pub fn after(&self) -> Option<AfterCall> {
        self.after
    }

    /// The audit that it belongs to: the call itself is over.
    pub fn audit(&self) -> Option<CallAudit> {
        match self.after? {
            AfterCall::Audit(audit) => Some(audit),
            AfterCall::PanicStep(_) | AfterCall::Invariant(_) => None,
        }
    }

    /// Returns whether it is after the panic of a call.
    pub fn is_after_panic(&self) -> bool {
        self.panic_step().is_some()
    }

    fn panic_step(&self) -> Option<PanicStepIdx> {
        match self.after? {
            AfterCall::PanicStep(step) => Some(step),
            AfterCall::Audit(_) | AfterCall::Invariant(_) => None,
        }
    }

    /// The method of the call, if `problem` is that the call, or an invariant of what it left, does
    /// not return.
    pub fn endless_method(&self, problem: &Problem) -> Option<PlannedIdx> {
        let is_of_call = matches!(self.after, None | Some(AfterCall::Invariant(_)));
        self.method().filter(|_| problem.kind == Kind::Hang && is_of_call)
    }

    /// The method of the call.
    pub fn method(&self) -> Option<PlannedIdx> {
        self.call.map(|(method, _)| method)
    }
}

/// A block cut at a call, or at a task. The pieces together make the same calls.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The calls before.
    pub before: Block,
    /// The call by itself, or the task.
    pub at: Block,
    /// The calls after it.
    pub after: Block,
}

impl Block {
    /// The block in two parts with about the same number of tasks; `None` if it has only one.
    pub fn halves(&self) -> Option<(Block, Block)> {
        let middle = self.tasks.len() / 2;
        let part = |tasks: &[Task]| {
            let mut part = self.without_calls();
            part.tasks.extend_from_slice(tasks);
            part
        };
        let (one, other) = self.tasks.split_at(middle);
        (middle > 0).then(|| (part(one), part(other)))
    }

    /// The pieces of the block at a place; `None` if it has no such place.
    pub fn cut(&self, explorer: &Explorer<'_>, place: CallPlace) -> Option<Pieces> {
        let index = place.task as usize;
        let task = *self.tasks.get(index)?;
        let empty = self.without_calls();
        let mut pieces = Pieces { before: empty.clone(), at: empty.clone(), after: empty };
        pieces.before.tasks.extend_from_slice(&self.tasks[..index]);
        match place.call {
            None => pieces.at.tasks.push(task),
            Some(call) => cut_task(explorer, task, call, &mut pieces)?,
        }
        pieces.after.tasks.extend_from_slice(&self.tasks[index + 1..]);
        Some(pieces)
    }

    /// The calls of a block with one task, each as a block by itself; empty if it has one call.
    ///
    /// # Panics
    ///
    /// If the block has no task.
    pub fn single_calls(&self, explorer: &Explorer<'_>) -> Vec<Block> {
        let task = self.tasks[0];
        if task.literals.is_some() {
            return Vec::new();
        }
        let single = |method: PlannedIdx, tuple| {
            let mut block = self.without_calls();
            let group = explorer.alone(method).0;
            block.tasks.push(Task { group, literals: Some(tuple), ..task });
            block
        };
        let methods = &explorer.group(task.group).methods;
        let calls = methods
            .iter()
            .flat_map(|&method| (0..explorer.n_tuples(method)).map(move |tuple| (method, tuple)));
        calls.map(|(method, tuple)| single(method, tuple)).collect()
    }

    /// Counts a call of `method` that does not return. With the third one of the run, the other
    /// calls of the method are left out of this block, which the result says.
    pub fn note_hang(&mut self, explorer: &Explorer<'_>, method: PlannedIdx) -> BlockResult {
        let position = self.hangs.iter().position(|(known, _)| *known == method);
        let position = position.unwrap_or_else(|| {
            self.hangs.push((method, 0));
            self.hangs.len() - 1
        });
        self.hangs[position].1 += 1;
        let mut result = BlockResult::default();
        if self.hangs[position].1 >= MOST_HANGS && self.spare_calls(explorer, method) {
            result.ledger.spare(method);
        }
        result
    }

    /// Leaves the calls of a method out. Returns whether there are some.
    pub(crate) fn spare_calls(&mut self, explorer: &Explorer<'_>, spared: PlannedIdx) -> bool {
        let mut are_some = false;
        for task in std::mem::take(&mut self.tasks) {
            let methods = &explorer.group(task.group).methods;
            if !methods.contains(&spared) {
                self.tasks.push(task);
                continue;
            }
            are_some = true;
            let others = methods.iter().filter(|method| **method != spared);
            let alone = |&method: &PlannedIdx| Task { group: explorer.alone(method).0, ..task };
            self.tasks.extend(others.map(alone));
        }
        are_some
    }

    /// The result of a block with one call, or one task, at a place that shows `problem`: the call
    /// has failed. If a structure could not be made, that is a separate problem, and no call on it
    /// counts as made.
    ///
    /// # Panics
    ///
    /// If the block has no task.
    pub fn fails(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        place: CallPlace,
        problem: Problem,
    ) -> BlockResult {
        let is_left_out = problem.kind == Kind::LeftOut;
        let mut result = self.shows(explorer, recipes, place, problem);
        let is_call = self.tasks[0].literals.is_some();
        result.ledger.counters.failures = is_call.into();
        if !is_call && !is_left_out {
            result.ledger.add_omission(WITHOUT_CALLS.to_owned());
        }
        let is_followed = u64::from(place.is_after_panic());
        result.ledger.panics = PanicTally { followed: is_followed, broken: is_followed };
        result
    }

    /// Like [`Block::fails`], for a problem that does not prevent the calls.
    ///
    /// # Panics
    ///
    /// Like [`Block::fails`].
    pub fn shows(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        place: CallPlace,
        problem: Problem,
    ) -> BlockResult {
        let task = &self.tasks[0];
        let group = explorer.group(task.group);
        let members = self.members_of(task, group.types.len()).iter();
        let arguments: Vec<StructureId> = members.map(|&member| self.structure(member).0).collect();
        let mut result = BlockResult::default();
        if let Some(audit) = place.audit() {
            result.ledger.audits = AuditTally::of_death(audit, &problem);
        }
        if place.audit().is_some_and(|audit| audit.allows(&problem)) {
            let name = explorer.plan().method_name(group.methods[0]);
            result.ledger.add_note(format!(
                "where an element or an iterator lies, `{name}` does not return, which is allowed: with lies it was \
                 called no more"
            ));
            return result;
        }
        let sighting = match (task.literals, arguments.first()) {
            (None, Some(&first)) => match recipes.origin_of(first) {
                Ok(origin) => Sighting::new(problem, origin.call, origin.arguments),
                Err(error) => {
                    result.store_error = Some(error);
                    return result;
                }
            },
            (literals, _) => {
                let call = explorer.calls().call(group.methods[0], 0, literals.unwrap_or(0));
                Sighting::new(problem, call, arguments)
            }
        };
        let sighting = Sighting { after: place.panic_step(), ..sighting };
        let method = method_of(&sighting, explorer.calls());
        result.ledger.sightings.add(sighting, method);
        result
    }
}

/// Cuts the calls of a task at one of them.
fn cut_task(
    explorer: &Explorer<'_>,
    task: Task,
    (method, tuple): (PlannedIdx, u32),
    pieces: &mut Pieces,
) -> Option<()> {
    let methods = &explorer.group(task.group).methods;
    let at = methods.iter().position(|&one| one == method)?;
    let alone =
        |method: PlannedIdx, literals| Task { group: explorer.alone(method).0, literals, ..task };
    let one = |tuple| alone(method, Some(tuple));
    pieces.at.tasks.push(one(tuple));
    match task.literals {
        Some(only) => return (only == tuple).then_some(()),
        None if tuple >= explorer.n_tuples(method) => return None,
        None => {}
    }
    let all = |&method: &PlannedIdx| alone(method, None);
    pieces.before.tasks.extend(methods[..at].iter().map(all).chain((0..tuple).map(one)));
    let later = (tuple + 1..explorer.n_tuples(method)).map(one);
    pieces.after.tasks.extend(later.chain(methods[at + 1..].iter().map(all)));
    Some(())
}

impl Pieces {
    /// The calls before, and the call with those after it; or the call, if it is the first, and
    /// those after it. `None` if there are no others.
    pub fn in_two(&self) -> Option<(Block, Block)> {
        let Pieces { before, at, after } = self;
        if before.is_empty() {
            return (!after.is_empty()).then(|| (at.clone(), after.clone()));
        }
        let mut rest = after.clone();
        rest.tasks.splice(0..0, at.tasks.iter().copied());
        Some((before.clone(), rest))
    }
}

impl BlockResult {
    /// Appends the result of the next piece of the same block.
    pub fn append(&mut self, next: BlockResult) {
        self.candidates.append(&next.candidates);
        self.ledger.append(next.ledger, |_| None);
        self.lost |= next.lost;
        self.store_error = self.store_error.take().or(next.store_error);
    }

    /// Returns whether the following calls are not made, because copies are not trusted or the
    /// store has failed: the batch is not used.
    pub fn is_cut_short(&self) -> bool {
        self.lost.region || self.lost.trust || self.store_error.is_some()
    }

    /// A block of which nothing counts, because its calls cannot be made.
    pub fn unmade(reason: impl Into<String>) -> Self {
        let error = crate::store::StoreError::Failed(reason.into());
        BlockResult { store_error: Some(error), ..BlockResult::default() }
    }
}

#[cfg(test)]
mod tests;
