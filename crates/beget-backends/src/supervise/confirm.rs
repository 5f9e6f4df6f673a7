//! Handling a block in which a worker dies.
//!
//! The page of the dead worker names its call. The call is made alone in a fresh process. If that
//! dies too, the calls before it are made again, since their results are lost, and then those
//! behind it: each death removes a call, so this ends. If it does not die, the whole block is made
//! again: the worker may have been killed from outside.

use beget_engine::{Block, BlockResult, CallPlace, Pieces};
use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::PlannedIdx;

use crate::supervise::death::{Culprit, Death, WorkerEnd};
use crate::supervise::limits::PassedLimit;
use crate::supervise::supervisor::{MakeError, WorkerDesk};

/// The number of attempts at a block that workers do not begin, or do not finish for reasons of
/// their own.
const MOST_TRIES: u32 = 3;

/// Makes a block, even if its calls end the process that makes them.
pub(crate) fn make(desk: &mut WorkerDesk<'_>, block: &Block) -> BlockResult {
    if block.is_empty() {
        return BlockResult::default();
    }
    match desk.try_make(block) {
        // The usual case; a result made of pieces is copied.
        Ok(result) => result,
        Err(MakeError::Died(death)) => make_around(desk, block, death),
        Err(MakeError::Impossible(reason)) => BlockResult::unmade(reason),
    }
}

/// Makes a block in which a worker has died for the first time.
fn make_around(desk: &mut WorkerDesk<'_>, block: &Block, first: Death) -> BlockResult {
    let mut made = BlockResult::default();
    let mut rest = block.clone();
    let mut open = BlockState::default();
    let mut first = Some(first);
    while !rest.is_empty() && !made.is_cut_short() {
        let tried =
            first.take().map_or_else(|| desk.try_make(&rest), |death| Err(MakeError::Died(death)));
        let death = match tried {
            Ok(result) => {
                made.append(open.take_seen_once());
                made.append(result);
                break;
            }
            Err(MakeError::Died(death)) => death,
            Err(MakeError::Impossible(reason)) => return BlockResult::unmade(reason),
        };
        let place = death.at.as_ref().map(CallPlace::of);
        let cut = place.and_then(|place| Some((place, rest.cut(desk.explorer, place)?)));
        let Some((place, pieces)) = cut else {
            if !open.may_try_again() {
                return BlockResult::unmade(died_at_once(desk, &death));
            }
            continue;
        };
        let confirmed = confirm(desk, place, &pieces, &death);
        if let (Ok(LoneCall::Returns), Some((one, other))) =
            (&confirmed, in_parts(&rest, &pieces, &death))
        {
            made.append(make(desk, &one));
            rest = other;
            continue;
        }
        let (place, problem) = match confirmed {
            Ok(LoneCall::Dies(place, problem)) => (place, problem),
            Ok(LoneCall::Returns) if !open.is_seen_at(place) && open.may_try_again() => {
                made.append(open.take_seen_once());
                let problem = with_remark(desk, place, &death, ONCE);
                let shown = pieces.at.shows(desk.explorer, desk.recipes, place, problem);
                open.seen_once = Some((place, shown));
                continue;
            }
            Ok(LoneCall::Returns) => (place, with_remark(desk, place, &death, NOT_ALONE)),
            Err(reason) => return BlockResult::unmade(reason),
        };
        match open.is_seen_at(place) {
            true => open.seen_once = None,
            false => made.append(open.take_seen_once()),
        }
        let endless = place.endless_method(&problem);
        made.append(make(desk, &pieces.before));
        made.append(what_is_left_of(desk, &pieces.at, place, problem));
        rest = pieces.after;
        open.spare(place, &death, &mut rest);
        if let Some(method) = endless {
            made.append(rest.note_hang(desk.explorer, method));
        }
    }
    made
}

/// Returns the result of a call that died with `problem`. It has failed, unless it had returned and
/// died when an audit made it again.
fn what_is_left_of(
    desk: &mut WorkerDesk<'_>,
    at: &Block,
    place: CallPlace,
    problem: Problem,
) -> BlockResult {
    if place.method().is_none() && problem.kind == Kind::Crash {
        return of_structure(desk, at, place, problem);
    }
    let (Some(_), Some(method)) = (place.audit(), place.method()) else {
        return at.fails(desk.explorer, desk.recipes, place, problem);
    };
    let mut spared = at.clone();
    spared.spare_audits(method);
    let mut made = make(desk, &spared);
    made.append(at.shows(desk.explorer, desk.recipes, place, problem));
    made
}

/// Returns the result of the calls on structures whose making, copying or dropping died with
/// `problem`. A call may have done the harm that shows there, so each is made in a process of its
/// own; if all die there, the structures are to blame.
fn of_structure(
    desk: &mut WorkerDesk<'_>,
    at: &Block,
    place: CallPlace,
    problem: Problem,
) -> BlockResult {
    let calls = at.single_calls(desk.explorer);
    let mut made = BlockResult::default();
    let mut is_sound = false;
    for call in &calls {
        match desk.try_make_afresh(call) {
            Ok(result) => {
                is_sound = true;
                made.append(result);
            }
            Err(MakeError::Died(death)) => {
                let at_call = death.at.as_ref().map_or(place, CallPlace::of);
                is_sound |= at_call.method().is_some();
                made.append(make_around(desk, call, death));
            }
            Err(MakeError::Impossible(reason)) => return BlockResult::unmade(reason),
        }
    }
    match is_sound {
        true => made,
        false => at.fails(desk.explorer, desk.recipes, place, problem),
    }
}

/// Splits a block whose calls together need more memory than a worker may hold, though the last of
/// them alone does not: the memory of what calls leave adds up in a process.
fn in_parts(rest: &Block, pieces: &Pieces, death: &Death) -> Option<(Block, Block)> {
    let is_of_memory = death.end == WorkerEnd::Stopped(PassedLimit::Memory);
    is_of_memory.then(|| rest.halves().or_else(|| pieces.in_two())).flatten()
}

/// The open part of a block.
#[derive(Default)]
struct BlockState {
    n_tries: u32,
    /// A death that the call alone does not cause, with the finding if it is not seen again.
    seen_once: Option<(CallPlace, BlockResult)>,
    /// The methods whose panics left values that end processes, or (`true`) for which an audit has
    /// ended one.
    ended_later: Vec<(PlannedIdx, bool)>,
}

impl BlockState {
    fn may_try_again(&mut self) -> bool {
        self.n_tries += 1;
        self.n_tries < MOST_TRIES
    }

    /// Leaves the values after a method's panics alone in the `rest` of a block once they have
    /// ended two workers, or have not returned: every further panic would do the same. Likewise
    /// stops auditing its calls.
    fn spare(&mut self, place: CallPlace, death: &Death, rest: &mut Block) {
        let is_audit = place.audit().is_some();
        let is_spared = is_audit || place.is_after_panic();
        let Some(method) = place.method().filter(|_| is_spared) else { return };
        let is_known = self.ended_later.contains(&(method, is_audit));
        self.ended_later.push((method, is_audit));
        match is_known || is_hang(death) {
            true if is_audit => rest.spare_audits(method),
            true => rest.unfollow(method),
            false => {}
        }
    }

    fn is_seen_at(&self, place: CallPlace) -> bool {
        self.seen_once.as_ref().is_some_and(|(seen, _)| *seen == place)
    }

    fn take_seen_once(&mut self) -> BlockResult {
        self.seen_once.take().map(|(_, shown)| shown).unwrap_or_default()
    }
}

/// The outcome of a call that is made alone.
enum LoneCall {
    /// It ends its process then too: there, with this problem.
    Dies(CallPlace, Problem),
    /// It returns then.
    Returns,
}

/// Makes a call alone that has ended its process among others.
///
/// # Errors
/// If it cannot be made.
fn confirm(
    desk: &mut WorkerDesk<'_>,
    place: CallPlace,
    pieces: &Pieces,
    death: &Death,
) -> Result<LoneCall, String> {
    // Waiting again for the same method takes long and shows nothing new.
    let of_call = |place: CallPlace| place.method().filter(|_| !place.is_own_work());
    let is_known =
        is_hang(death) && of_call(place).is_some_and(|method| desk.supervisor.is_endless(method));
    if is_known {
        return Ok(LoneCall::Dies(place, problem(desk, place, death)));
    }
    match desk.try_make_afresh(&pieces.at) {
        Ok(_) => Ok(LoneCall::Returns),
        Err(MakeError::Impossible(reason)) => Err(reason),
        Err(MakeError::Died(again)) => {
            // It may die at another step after its panic.
            let again_at = again.at.as_ref().map(|call| place.later(call)).unwrap_or(place);
            if let Some(method) = of_call(again_at).filter(|_| is_hang(&again)) {
                desk.supervisor.note_endless(method);
            }
            Ok(LoneCall::Dies(again_at, problem(desk, again_at, &again)))
        }
    }
}

fn is_hang(death: &Death) -> bool {
    death.end == WorkerEnd::Stopped(PassedLimit::Time)
}

fn problem(desk: &WorkerDesk<'_>, place: CallPlace, death: &Death) -> Problem {
    let plan = desk.explorer.plan();
    let after = place.after().zip(place.method());
    let after = after.and_then(|(after, method)| Some((after, after.activity(plan, method)?)));
    let culprit = match (&after, place.method()) {
        (Some((_, activity)), _) => Culprit::Work(activity.clone()),
        (None, Some(_)) if place.is_own_work() => Culprit::Walk,
        (None, Some(_)) => Culprit::Call,
        (None, None) => Culprit::Structure,
    };
    let problem = death.problem(&culprit, &desk.supervisor.limits);
    match after {
        Some((after, _)) => after.named(plan, problem),
        None => problem,
    }
}

/// The note about a death that is not seen again.
const ONCE: &str =
    "once: made again, it did not; other calls, or somebody from outside, may have done it";

/// The note about a death that needs other calls too.
const NOT_ALONE: &str = "after other calls in the same process: alone, it does not";

fn with_remark(desk: &WorkerDesk<'_>, place: CallPlace, death: &Death, remark: &str) -> Problem {
    let problem = problem(desk, place, death);
    Problem { message: format!("{} ({remark})", problem.message).into(), ..problem }
}

/// The reason for giving up a block that no worker begins.
fn died_at_once(desk: &WorkerDesk<'_>, death: &Death) -> String {
    let Problem { message, .. } = death.problem(&Culprit::Unknown, &desk.supervisor.limits);
    format!("worker processes die before they make a call: {message}")
}
