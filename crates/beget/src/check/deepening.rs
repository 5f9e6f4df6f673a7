//! Checks without a given k: at one k after the other, until the time is over.

use std::fmt;
use std::sync::mpsc::{Sender, channel};

use beget_engine::Settings;
use beget_plan::finding::StopReason;
use beget_run::{
    CheckRun, DeepenedRun, Deepening, Depth, DepthEnd, Input, StoreKind, Widening, advice_for,
    first_plan,
};

use super::{CheckError, CheckedRun, Message, Process, found, plan_at, space, stop};

/// Like [`run`], at one k after the other.
pub(super) fn run_deepening(
    input: &Input<'_>,
    messages: &Sender<Message>,
) -> Result<CheckedRun, CheckError> {
    let rep_oks = input.rep_oks(None).map_err(CheckError::Input)?;
    let seconds = stop::deepening_seconds(input.file.scope.budget.max_seconds);
    let process = Process::new(messages);
    let deepening = Deepening {
        input,
        rep_oks: &rep_oks,
        settings: Settings::default(),
        store: StoreKind::Exact,
        at_least: input.file.scope.at_least.unwrap_or(1),
    };
    // The warnings are those of the first plan.
    let unread = channel().0;
    let as_given = Widening::default();
    let first = first_plan(&mut |k| plan_at(input, Some(k), &as_given, messages))?;
    let mut plan_at = |k, widening: &Widening| plan_at(input, Some(k), widening, &unread);
    let DeepenedRun { run, depth } = deepening.run(seconds, first, &mut plan_at, &process)?;
    if run.has_findings() {
        return Err(CheckError::Findings(found(&run, Some(&depth))));
    }
    input.require_built(&run.corpus).map_err(CheckError::Input)?;
    if depth.is_done() {
        space::judge(input, &run, Some(&depth))?;
        return Ok(CheckedRun { run, depth: Some(depth) });
    }
    let advice = advice_for(&run.corpus).ok().flatten();
    Err(match depth.end {
        DepthEnd::Stopped(_, reason) => CheckError::Incomplete { reason, advice },
        _ => CheckError::TooShallow { depth: Box::new(depth), advice },
    })
}

/// Writes the advice when the least k is not exhausted.
pub(super) fn write_too_shallow(
    f: &mut fmt::Formatter<'_>,
    depth: &Depth,
    advice: Option<&str>,
) -> fmt::Result {
    let &Depth { at_least, budget_seconds, .. } = depth;
    write!(f, "not everything up to k = {at_least} was tried: {depth}")?;
    if let Some(advice) = advice {
        write!(f, "; {advice}")?;
    }
    if let DepthEnd::Cut(_, StopReason::MaxSeconds(_)) = depth.end {
        let (variable, more) = (Deepening::VARIABLE, more_seconds(depth));
        write!(
            f,
            "; it had {budget_seconds} s: `seconds = {more}` in `check!` gives it more, as does {variable}={more}"
        )?;
    }
    Ok(())
}

/// Estimates the seconds for the next k, at least more than the last limit.
fn more_seconds(depth: &Depth) -> f64 {
    let foreseen = depth.next_seconds.unwrap_or_default();
    (2.0 * (depth.budget_seconds + foreseen)).max(Deepening::SECONDS).ceil()
}

/// Says at which k a check without a given one has failed.
pub(super) fn where_found(run: &CheckRun, depth: &Depth) -> String {
    let k = run.corpus.plan.k;
    let before = match depth.reached.filter(|&reached| reached < k) {
        Some(reached) => format!(", after every value up to k = {reached}"),
        None => String::new(),
    };
    let cut = match run.stop_reason {
        StopReason::MaxSeconds(_) => format!(
            ", which {} s were not enough for: there may be shorter calls",
            depth.budget_seconds
        ),
        _ => String::new(),
    };
    let wider = match depth.widened.is_empty() {
        true => String::new(),
        false => format!(", {}", depth.widened.in_check()),
    };
    alone_at(k, &wider, &format!("{before}{cut}"))
}

/// Says at which k a check is, with `more` about it; `wider` are further fields of its scope.
pub(super) fn alone_at(k: u32, wider: &str, more: &str) -> String {
    format!("\nThis is k = {k}{wider}{more}: `k = {k}{wider}` in `check!` makes this run alone\n")
}
