//! The verdict on the space of a check without findings: in one that is almost empty a run shows
//! little, however it ended. A test and the command line judge alike.

use std::fmt;

use beget_engine::MethodReach;
use beget_heap::PassedBound;
use beget_plan::scope::{BoundName, PlannedIdx};
use beget_suite::Passing;

use crate::CheckRun;
use crate::deepen::{Depth, FIRST_WIDER};
use crate::widening::{Cuts, Widening};

/// A bound that more calls than this in ten passed has cut most of the space.
const MOST_IN_TEN: u64 = 9;

/// The reasons why a run says little about its type, and fields of a scope that would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thin {
    /// The reasons, each a sentence without its end.
    pub reasons: Vec<String>,
    /// Fields of a scope for a larger space; empty if none is known.
    pub advice: Widening,
}

impl Thin {
    /// The verdict on a run that ended without a finding in all of its scope; `None` if its space
    /// is not thin. `widened` are the wider bounds of a check without a k; a small k that is given
    /// may leave few structures.
    fn of(run: &CheckRun, widened: Option<&Widening>) -> Option<Thin> {
        let plan = &run.corpus.plan;
        let cuts = Cuts::of(&run.corpus);
        let name = |bound: PassedBound| BoundName::new(bound, plan.schema());
        let mut advice = widened.cloned().unwrap_or_default();
        let asks_for_more = widened.is_some() && plan.k >= FIRST_WIDER;
        let mut reasons = Vec::new();
        let mut bounds = Vec::new();
        for &(method, bound) in &cuts.starved {
            let method = plan.method_name(method);
            reasons.push(format!("every call of `{method}` went beyond {}", name(bound)));
            bounds.push(bound);
        }
        if let Some((bound, calls)) = cuts.most {
            let explored = cuts.explored;
            if let Some(n) = cuts.few.filter(|_| asks_for_more) {
                let only = if n == 1 { "is 1 structure" } else { &format!("are {n} structures") };
                reasons.push(format!(
                    "there {only} only: {calls} of {explored} calls went beyond {}",
                    name(bound)
                ));
                bounds.push(bound);
            } else if 10 * calls > MOST_IN_TEN * explored {
                reasons.push(format!("{calls} of {explored} calls went beyond {}", name(bound)));
                bounds.push(bound);
            }
        } else if run.corpus.store.is_empty() {
            let reason = "no structure was built: no call of a constructor returned one";
            reasons.push(reason.to_owned());
        } else if let Some(n) = idle_mutators(run) {
            let them = if n == 1 { "1 method takes" } else { &format!("{n} methods take") };
            reasons.push(format!("no call changed a structure, though {them} one by `&mut`"));
        }
        bounds.dedup();
        // Two steps at once: one did not help, or was not tried.
        for bound in bounds {
            for _ in 0..2 {
                advice = advice.with_next(bound, plan).unwrap_or(advice);
            }
        }
        (!reasons.is_empty()).then_some(Thin { reasons, advice })
    }
}

/// The number of methods that take a structure by `&mut`, if a whole run has built nothing with
/// them: all structures are those that the calls without structures leave.
fn idle_mutators(run: &CheckRun) -> Option<usize> {
    let (plan, report) = (&run.corpus.plan, &run.corpus.report);
    let takes_mut = |idx: &PlannedIdx| {
        let mut params = plan.method(*idx).structure_params();
        params.any(|(_, passing)| passing == Passing::Mut)
    };
    let n = plan.planned_idxs().filter(takes_mut).count();
    let is_idle = report.is_complete() && report.levels.iter().skip(1).all(|level| level.new == 0);
    (n > 0 && is_idle).then_some(n)
}

impl fmt::Display for Thin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

/// The verdict on a check without findings.
#[derive(Clone, Debug)]
pub struct SpaceVerdict {
    /// The reasons why the run says little, unless that is accepted.
    pub thin: Option<Thin>,
    /// The warnings, which are mistakes more often than not.
    pub warnings: Vec<String>,
    /// True if warnings fail the check.
    pub refuses_warnings: bool,
    /// True if a thin space fails the check.
    pub refuses_thin: bool,
}

impl SpaceVerdict {
    /// The verdict on a run that tried all of its scope. A thin space fails a check without a given
    /// k, that is, with a `depth`; a strict one fails for warnings, too, and for a thin space at
    /// any k.
    pub fn of(
        run: &CheckRun,
        depth: Option<&Depth>,
        accepts_thin: bool,
        is_strict: bool,
    ) -> SpaceVerdict {
        let thin = Thin::of(run, depth.map(|depth| &depth.widened)).filter(|_| !accepts_thin);
        let refuses_thin = depth.is_some() || is_strict;
        SpaceVerdict { thin, warnings: warnings(run), refuses_warnings: is_strict, refuses_thin }
    }

    /// Returns whether the check fails because its space is almost empty.
    pub fn is_refused(&self) -> bool {
        self.thin.is_some() && self.refuses_thin
    }

    /// Returns whether the check fails.
    pub fn fails(&self) -> bool {
        self.is_refused() || self.refuses_warnings && !self.warnings.is_empty()
    }
}

/// The warnings of a run without findings: methods that were never called with success, and errors
/// that changed something.
fn warnings(run: &CheckRun) -> Vec<String> {
    let (plan, report) = (&run.corpus.plan, &run.corpus.report);
    let is_reached = |method| report.ledger.reach(method) != MethodReach::default();
    let failed = plan.planned_idxs().filter(|method| report.is_complete() && !is_reached(*method));
    let failed: Vec<_> = failed.map(|method| format!("`{}`", plan.method_name(method))).collect();
    never_called(&failed).into_iter().chain(report.changed_by_errors().map(str::to_owned)).collect()
}

/// The warning about methods without a successful call; the first ones are named.
fn never_called(methods: &[String]) -> Option<String> {
    const MOST: usize = 8;
    let who = match methods {
        [] => return None,
        [one] => format!("{one} was"),
        [all @ .., last] if methods.len() <= MOST => format!("{} and {last} were", all.join(", ")),
        all => format!("{} and {} more were", all[..MOST].join(", "), all.len() - MOST),
    };
    let whose = if methods.len() == 1 { "its" } else { "their" };
    Some(format!(
        "{who} never called with success: {whose} calls returned `Err`, broke a precondition or \
         panicked as expected, or there was nothing to call on; `params` in a scope gives literals"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_methods_without_success_are_named() {
        let of = |n: usize| {
            let names: Vec<_> = (0..n).map(|number| format!("`m{number}`")).collect();
            let text = never_called(&names)?;
            text.split_once(" never").map(|(who, _)| who.to_owned())
        };
        assert_eq!(of(0), None);
        assert_eq!(of(1).unwrap(), "`m0` was");
        assert_eq!(of(3).unwrap(), "`m0`, `m1` and `m2` were");
        assert_eq!(
            of(11).unwrap(),
            "`m0`, `m1`, `m2`, `m3`, `m4`, `m5`, `m6`, `m7` and 3 more were"
        );
    }
}
