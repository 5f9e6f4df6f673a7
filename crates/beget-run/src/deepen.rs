//! A check at k = 1, 2, 3, ..., each exhausted, until time is up.
//!
//! A run at one k is the same as that of a scope with this k: the time decides only which k is
//! reached. Results of smaller scopes are not reused, so all runs together take a constant factor
//! more than the last one wherever the space grows by one.

use std::fmt;

use beget_engine::Settings;
use beget_engine::store::{Store, StoreError};
use beget_oracle::rep_ok::Predicate;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Plan, PlannedMethod};
use beget_suite::Literal;

use crate::check::check;
use crate::checked::CheckRun;
use crate::stores::StoreKind;
use crate::widening::{Cuts, MOST_CALLS_WIDER, Widener};
use crate::{Event, Host, Input, Watch, Widening};

/// The k at which a scope must be valid: expressions may leave nothing at a smaller one.
const LARGEST_FIRST: u32 = 3;

/// The first k at which bounds of the default scope are widened: at a smaller one, a larger k may
/// suffice.
pub(crate) const FIRST_WIDER: u32 = LARGEST_FIRST;

/// Gives the plan at a k, with bounds wider than those of the scope.
pub type PlanAt<'p, E> = dyn FnMut(u32, &Widening) -> Result<Plan, E> + 'p;

/// A check without a given k.
#[derive(Clone, Copy)]
pub struct Deepening<'c> {
    /// The scope, with its suite.
    pub input: &'c Input<'c>,
    /// The repOKs to check.
    pub rep_oks: &'c [&'c Predicate],
    /// The settings of the calls.
    pub settings: Settings,
    /// The kind of store of each run.
    pub store: StoreKind<'c>,
    /// The least k to exhaust; 0 counts as 1.
    pub at_least: u32,
}

impl fmt::Debug for Deepening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deepening").field("at_least", &self.at_least).finish_non_exhaustive()
    }
}

/// A run, and the progress of those before it.
#[derive(Debug)]
pub struct DeepenedRun {
    /// The run that decides the verdict: the one with findings, or else the last exhausted one, or
    /// the one that should have been exhausted.
    pub run: CheckRun,
    /// The depth of all runs.
    pub depth: Depth,
}

/// The depth of a check without a given k.
#[derive(Clone, Debug, PartialEq)]
pub struct Depth {
    /// The last k that was exhausted.
    pub reached: Option<u32>,
    /// The reason why there is no further one.
    pub end: DepthEnd,
    /// The predicted seconds of a run at the next k, if earlier runs show a growth.
    pub next_seconds: Option<f64>,
    /// The seconds that the run at the next k had before it was stopped.
    pub spent_on_next: f64,
    /// The seconds for all runs together.
    pub budget_seconds: f64,
    /// The least k to exhaust.
    pub at_least: u32,
    /// The wider bounds of the run, compared with the default scope.
    pub widened: Widening,
}

/// The reason why a check without a given k ended.
#[derive(Clone, Debug, PartialEq)]
pub enum DepthEnd {
    /// The run at this k found something.
    Found(u32),
    /// A run at any larger k would be the same.
    Finite,
    /// A budget ended the run at this k, or prevented it.
    Cut(u32, StopReason),
    /// The scope has no plan at this k, for this reason.
    Refused(u32, String),
    /// The run at this k could not go on.
    Stopped(u32, StopReason),
}

impl Depth {
    /// Returns whether the check is sufficient.
    pub fn is_done(&self) -> bool {
        let is_deep = self.reached.is_some_and(|k| k >= self.at_least);
        match self.end {
            DepthEnd::Finite => self.reached.is_some(),
            DepthEnd::Stopped(..) => false,
            DepthEnd::Found(_) | DepthEnd::Cut(..) | DepthEnd::Refused(..) => is_deep,
        }
    }

    /// The first k that was not exhausted.
    pub fn next(&self) -> Option<u32> {
        match self.end {
            DepthEnd::Finite => None,
            DepthEnd::Found(k)
            | DepthEnd::Cut(k, _)
            | DepthEnd::Refused(k, _)
            | DepthEnd::Stopped(k, _) => Some(k),
        }
    }

    /// The name of the end in summaries.
    pub fn end_name(&self) -> &'static str {
        match &self.end {
            DepthEnd::Found(_) => "found",
            DepthEnd::Finite => "finite",
            DepthEnd::Refused(..) => "refused",
            DepthEnd::Cut(_, reason) | DepthEnd::Stopped(_, reason) => reason.name(),
        }
    }
}

/// One line: the last exhausted k, and the need of the next one.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.reached, &self.end) {
            (Some(k), _) if self.widened.is_empty() => write!(f, "every value up to k = {k}; ")?,
            (Some(k), _) => write!(f, "every value up to k = {k}, with {}; ", self.widened)?,
            (None, DepthEnd::Found(_)) => {}
            (None, _) => f.write_str("no k is exhausted; ")?,
        }
        match &self.end {
            DepthEnd::Found(k) => write!(f, "a failure at k = {k}"),
            DepthEnd::Finite => f.write_str(
                "any larger k is the same: no bound was met, and no literal depends on k",
            ),
            DepthEnd::Refused(k, reason) => write!(f, "k = {k} is refused: {reason}"),
            DepthEnd::Stopped(k, reason) => write!(f, "k = {k} ended early: {reason}"),
            DepthEnd::Cut(k, StopReason::MaxSeconds(_)) => {
                write!(f, "k = {k} needs {}", self.time_of_next())
            }
            DepthEnd::Cut(k, reason) => write!(f, "k = {k} needs more: {reason}"),
        }
    }
}

impl Depth {
    /// The depth of a check whose run a call has ended. `reached` is the last k that was exhausted.
    pub fn of_ended<S: Store>(
        run: &CheckRun<S>,
        reached: Option<u32>,
        budget_seconds: f64,
        at_least: u32,
    ) -> Depth {
        let k = run.corpus.plan.k;
        Depth {
            reached,
            end: match run.has_findings() {
                true => DepthEnd::Found(k),
                false => DepthEnd::Stopped(k, run.stop_reason),
            },
            next_seconds: None,
            spent_on_next: 0.0,
            budget_seconds,
            at_least,
            widened: Widening::default(),
        }
    }

    /// The predicted time of the next k.
    fn time_of_next(&self) -> String {
        match self.next_seconds.filter(|&seconds| seconds > self.spent_on_next) {
            Some(seconds) => format!("about {}", Seconds(seconds)),
            None if self.spent_on_next < 0.01 => "more time".to_owned(),
            None => format!("more than {}", Seconds(self.spent_on_next)),
        }
    }
}

/// An uncertain time.
struct Seconds(f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MINUTE: f64 = 60.0;
        const HOUR: f64 = 60.0 * MINUTE;
        const DAY: f64 = 24.0 * HOUR;
        match self.0 {
            seconds if seconds < 1.0 => write!(f, "{seconds:.2} s"),
            seconds if seconds < 10.0 => write!(f, "{seconds:.1} s"),
            seconds if seconds < 2.0 * MINUTE => write!(f, "{seconds:.0} s"),
            seconds if seconds < 2.0 * HOUR => write!(f, "{:.0} min", seconds / MINUTE),
            seconds if seconds < 2.0 * DAY => write!(f, "{:.0} h", seconds / HOUR),
            seconds if seconds < 100.0 * DAY => write!(f, "{:.0} days", seconds / DAY),
            _ => f.write_str("a hundred days and more"),
        }
    }
}

impl Deepening<'_> {
    /// The default seconds of a check.
    pub const SECONDS: f64 = 5.0;

    /// The environment variable for the seconds of a check without a given k.
    pub const VARIABLE: &'static str = "BEGET_SECONDS";

    /// The seconds of a check: those of the `variable` if it is set, or else those of the scope.
    ///
    /// # Errors
    ///
    /// If the variable is not a number of seconds.
    pub fn seconds(variable: Option<&str>, scope: Option<f64>) -> Result<f64, String> {
        let Some(text) = variable else { return Ok(scope.unwrap_or(Self::SECONDS)) };
        match text.trim().parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
            _ => Err(format!("{} is a number of seconds, not `{text}`", Self::VARIABLE)),
        }
    }

    /// Makes the runs, the first with the plan `first`; `plan_at` gives those at larger k. All runs
    /// together have `seconds`, and each has the other limits of the budget.
    ///
    /// # Errors
    /// If the store cannot read what it holds.
    pub fn run<E: From<StoreError> + fmt::Display>(
        &self,
        seconds: f64,
        first: Plan,
        plan_at: &mut PlanAt<'_, E>,
        host: &dyn Host,
    ) -> Result<DeepenedRun, E> {
        let limits = Budget { max_seconds: Some(seconds), ..first.budget };
        let watch = Watch::new(limits, host);
        let mut costs = DeepeningCosts {
            budget_seconds: seconds,
            at_least: self.at_least.max(1),
            ..DeepeningCosts::default()
        };
        let mut last = None;
        let mut plan = first;
        loop {
            let k = plan.k;
            let (first_run, spent) = self.run_at(plan.clone(), &watch)?;
            match end_of(&first_run, &plan) {
                Some(end) => return Ok(costs.verdict(first_run, last, end, spent)),
                None => costs.add(&first_run, spent),
            }
            let wider = self.run_wider(first_run, plan, plan_at, &mut costs, &watch)?;
            let run;
            (run, plan) = match wider {
                WiderRun::Exhausted(run, plan) => (run, *plan),
                WiderRun::Found(run, spent) => {
                    return Ok(costs.verdict(run, None, DepthEnd::Found(k), spent));
                }
            };
            let next = match next_plan(&run, &plan, &mut |k| plan_at(k, &costs.widener.widening)) {
                Ok(next) => next,
                Err(end) => return Ok(costs.settled(run, end)),
            };
            if let Some(reason) = watch.stop_reason(0).filter(|_| k >= costs.at_least) {
                return Ok(costs.settled(run, DepthEnd::Cut(next.k, reason)));
            }
            (plan, last) = (next, Some(run));
        }
    }

    /// Repeats a run that bounds of the default scope cut with wider ones, as long as these let
    /// more through.
    fn run_wider<E: From<StoreError> + fmt::Display>(
        &self,
        mut run: CheckRun,
        mut plan: Plan,
        plan_at: &mut PlanAt<'_, E>,
        costs: &mut DeepeningCosts,
        watch: &Watch<'_>,
    ) -> Result<WiderRun, E> {
        let may_widen = |field: &str| self.input.may_widen(field);
        while plan.k >= FIRST_WIDER && watch.stop_reason(0).is_none() {
            let cuts = Cuts::of(&run.corpus);
            let Some(trial) = costs.widener.next(&cuts, &plan, &may_widen) else { break };
            let Ok(wider) = plan_at(plan.k, trial) else {
                costs.widener.learn(&cuts, None);
                continue;
            };
            let cut = wider.clone().with(|draft| draft.budget = budget_of_wider(draft.budget));
            let (tried, spent) = self.run_at(cut, watch)?;
            if tried.has_findings() {
                costs.widener.keep();
                return Ok(WiderRun::Found(tried, spent));
            }
            let after = tried.stop_reason.is_exhausted().then(|| Cuts::of(&tried.corpus));
            if costs.widener.learn(&cuts, after.as_ref()) {
                costs.replace(&tried, spent);
                (run, plan) = (tried, wider);
            }
        }
        Ok(WiderRun::Exhausted(run, Box::new(plan)))
    }

    /// A run, and the seconds that it took.
    fn run_at(&self, plan: Plan, watch: &Watch<'_>) -> Result<(CheckRun, f64), StoreError> {
        let begun = watch.seconds();
        watch.report(Event::Deepen { k: plan.k });
        let Deepening { input, rep_oks, settings, store, .. } = *self;
        let run = check(input, rep_oks, plan, settings, store, watch)?;
        Ok((run, watch.seconds() - begun))
    }
}

/// The budget of a run with wider bounds.
fn budget_of_wider(budget: Budget) -> Budget {
    let most = budget.max_calls.unwrap_or(MOST_CALLS_WIDER);
    Budget { max_calls: Some(most.min(MOST_CALLS_WIDER)), ..budget }
}

/// The result of a run whose bounds may be widened.
enum WiderRun {
    /// This one, with its plan, is exhausted.
    Exhausted(CheckRun, Box<Plan>),
    /// This one found something, in these seconds.
    Found(CheckRun, f64),
}

/// The reason for which a run ends the check; `None` if all of its k was tried without a finding.
fn end_of(run: &CheckRun, plan: &Plan) -> Option<DepthEnd> {
    let (k, reason) = (plan.k, run.stop_reason);
    if run.has_findings() {
        return Some(DepthEnd::Found(k));
    }
    // A time that is sufficient for one k is not the time of all.
    if is_whole(run) {
        return None;
    }
    let is_cut =
        reason.is_budget() || matches!(reason, StopReason::StoreFull | StopReason::Undecided);
    Some(match is_cut {
        true => DepthEnd::Cut(k, reason),
        false => DepthEnd::Stopped(k, reason),
    })
}

/// Returns whether all of a k was tried, or as much as the scope declares enough.
fn is_whole(run: &CheckRun) -> bool {
    let reason = run.stop_reason;
    let is_of_time = matches!(reason, StopReason::MaxSeconds(_));
    reason.is_enough(&run.corpus.plan.budget) && !is_of_time
}

/// The plan of the next k, or the reason why there is none.
fn next_plan<E: fmt::Display>(
    run: &CheckRun,
    plan: &Plan,
    plan_at: &mut dyn FnMut(u32) -> Result<Plan, E>,
) -> Result<Plan, DepthEnd> {
    if run.stop_reason.is_exhausted() && is_finite(run, plan, plan_at) {
        return Err(DepthEnd::Finite);
    }
    let k = plan.k.saturating_add(1);
    plan_at(k).map_err(|error| DepthEnd::Refused(k, headline(&error)))
}

/// The plan at the first k that has one.
///
/// # Errors
///
/// If no k up to 3 has one: the error of the last.
pub fn first_plan<P, E>(plan_at: &mut dyn FnMut(u32) -> Result<P, E>) -> Result<P, E> {
    for k in 1..LARGEST_FIRST {
        if let Ok(plan) = plan_at(k) {
            return Ok(plan);
        }
    }
    plan_at(LARGEST_FIRST)
}

/// The first line of a message.
fn headline(error: &dyn fmt::Display) -> String {
    let text = error.to_string();
    let line = text.trim().lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// The costs of the exhausted runs.
#[derive(Default)]
struct DeepeningCosts {
    /// The calls and the seconds of each.
    costs: Vec<(u64, f64)>,
    reached: Option<u32>,
    budget_seconds: f64,
    at_least: u32,
    widener: Widener,
}

impl DeepeningCosts {
    /// The last run was made once more, with wider bounds.
    fn replace(&mut self, run: &CheckRun, seconds: f64) {
        self.costs.pop();
        self.add(run, seconds);
    }

    fn add(&mut self, run: &CheckRun, seconds: f64) {
        let calls = run.corpus.report.ledger.counters.explored();
        self.costs.push((calls, seconds));
        self.reached = Some(run.corpus.plan.k);
    }

    fn depth(&self, end: DepthEnd, spent_on_next: f64) -> Depth {
        let DeepeningCosts { reached, budget_seconds, at_least, .. } = *self;
        let next_seconds = self.next_seconds();
        let widened = self.widener.widening.clone();
        Depth { reached, end, next_seconds, spent_on_next, budget_seconds, at_least, widened }
    }

    /// The verdict is about an exhausted run.
    fn settled(&self, run: CheckRun, end: DepthEnd) -> DeepenedRun {
        DeepenedRun { run, depth: self.depth(end, 0.0) }
    }

    /// The verdict if `run` ends the check after `last`: a run cut by a budget does not invalidate
    /// that.
    fn verdict(
        &self,
        run: CheckRun,
        last: Option<CheckRun>,
        end: DepthEnd,
        spent: f64,
    ) -> DeepenedRun {
        let depth = self.depth(end, spent);
        match (&depth.end, last) {
            (DepthEnd::Found(k), _) => {
                let reached = if is_whole(&run) { Some(*k) } else { depth.reached };
                DeepenedRun { run, depth: Depth { reached, ..depth } }
            }
            (_, Some(last)) if depth.is_done() => DeepenedRun { run: last, depth },
            _ => DeepenedRun { run, depth },
        }
    }

    /// The predicted seconds of the next k if the number of calls keeps growing, and a call takes
    /// as long as in the last run.
    fn next_seconds(&self) -> Option<f64> {
        let calls: Vec<f64> = self.costs.iter().map(|&(calls, _)| calls as f64).collect();
        let &(_, seconds) = self.costs.last()?;
        let growth = match calls[..] {
            [.., first, second, third] if first > 0.0 && second > first => {
                let (earlier, later) = (second / first, third / second);
                later * later / earlier
            }
            [.., first, second] if first > 0.0 => second / first,
            _ => return None,
        };
        Some(seconds * growth.max(1.0))
    }
}

/// The distances of larger k that are checked for further literals.
const LARGER: [u32; 5] = [1, 2, 3, 8, 32];

/// Returns whether a larger k changes nothing: no bound was met, and there are no other literals.
/// Slack explores beyond the bounds.
fn is_finite<E>(
    run: &CheckRun,
    plan: &Plan,
    plan_at: &mut dyn FnMut(u32) -> Result<Plan, E>,
) -> bool {
    if run.corpus.report.ledger.counters.out_of_scope > 0 || plan.slack.is_some() {
        return false;
    }
    let has_same = |more: &u32| {
        let larger = plan_at(plan.k.saturating_add(*more));
        larger.is_ok_and(|larger| has_same_calls(plan, &larger))
    };
    LARGER.iter().all(has_same)
}

/// Returns whether the methods take the same literals.
fn has_same_calls(one: &Plan, other: &Plan) -> bool {
    let is_same_literal = |(one, other): (&Literal, &Literal)| one.source == other.source;
    let domain_is_same = |(one, other): (&Vec<Literal>, &Vec<Literal>)| {
        one.len() == other.len() && one.iter().zip(other).all(is_same_literal)
    };
    let is_same = |(one, other): (&PlannedMethod, &PlannedMethod)| {
        one.method == other.method && one.domains.iter().zip(&other.domains).all(domain_is_same)
    };
    one.methods.len() == other.methods.len() && one.methods.iter().zip(&other.methods).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next_seconds(costs: &[(u64, f64)]) -> Option<f64> {
        DeepeningCosts { costs: costs.to_vec(), ..DeepeningCosts::default() }.next_seconds()
    }

    #[test]
    fn the_growth_of_calls_foretells_the_next_k() {
        assert_eq!(next_seconds(&[]), None);
        assert_eq!(next_seconds(&[(7, 1.0)]), None);
        assert_eq!(next_seconds(&[(10, 0.1), (40, 0.5)]), Some(2.0));
        // Twice as many, then four times as many: eight times as many.
        assert_eq!(next_seconds(&[(9, 9.0), (10, 0.1), (20, 0.2), (80, 0.5)]), Some(4.0));
        // Slowing growth slows further, but the number of calls does not fall.
        assert_eq!(next_seconds(&[(10, 1.0), (40, 1.0), (80, 1.0)]), Some(1.0));
        assert_eq!(next_seconds(&[(10, 1.0), (80, 1.0), (90, 1.0)]), Some(1.0));
        // A constant number of calls does not show how growth changes.
        assert_eq!(next_seconds(&[(10, 1.0), (10, 1.0), (20, 1.0)]), Some(2.0));
        // From no calls there is no growth.
        assert_eq!(next_seconds(&[(0, 1.0), (10, 1.0)]), None);
        assert_eq!(next_seconds(&[(0, 1.0), (10, 1.0), (20, 1.0)]), Some(2.0));
    }

    #[test]
    fn a_run_with_wider_bounds_makes_no_more_calls_than_its_scope_allows() {
        let most = |max_calls| {
            let max_structures = Some(7);
            let budget = budget_of_wider(Budget { max_calls, max_structures, ..Budget::default() });
            assert_eq!(budget.max_structures, max_structures);
            budget.max_calls.unwrap()
        };
        assert_eq!([most(None), most(Some(9)), most(Some(300_000))], [200_000, 9, 200_000]);
    }

    /// After k = 2, with a prediction for k = 3 that has had some time.
    fn depth_of(end: DepthEnd, next_seconds: Option<f64>, spent_on_next: f64) -> Depth {
        Depth {
            reached: Some(2),
            end,
            next_seconds,
            spent_on_next,
            budget_seconds: 9.0,
            at_least: 1,
            widened: Widening::default(),
        }
    }

    #[test]
    fn a_depth_names_its_end_and_the_next_k() {
        let time = StopReason::MaxSeconds(std::time::Duration::from_secs(9));
        let ends = [
            (DepthEnd::Found(3), "found", Some(3)),
            (DepthEnd::Finite, "finite", None),
            (DepthEnd::Cut(3, time), "max_seconds", Some(3)),
            (DepthEnd::Refused(4, "no plan".to_owned()), "refused", Some(4)),
            (DepthEnd::Stopped(5, StopReason::Interrupted), "interrupted", Some(5)),
        ];
        for (end, name, next) in ends {
            let depth = depth_of(end, None, 0.0);
            assert_eq!((depth.end_name(), depth.next()), (name, next));
        }
    }

    #[test]
    fn a_prediction_counts_until_its_time_is_spent() {
        let time = StopReason::MaxSeconds(std::time::Duration::from_secs(9));
        let needs = |next_seconds, spent| {
            let depth = depth_of(DepthEnd::Cut(3, time), next_seconds, spent);
            depth.to_string().split_once("k = 3 needs ").unwrap().1.to_owned()
        };
        assert_eq!(needs(Some(6.0), 5.0), "about 6.0 s");
        assert_eq!(needs(Some(5.0), 5.0), "more than 5.0 s");
        assert_eq!(needs(None, 0.01), "more than 0.01 s");
        assert_eq!([needs(None, 0.009), needs(None, 0.0)], ["more time"; 2]);
    }

    #[test]
    fn a_depth_names_bounds_that_are_wider_than_those_of_the_scope() {
        let plan = crate::random::tests::pens("");
        let widened = Widening::default().with_next(beget_heap::PassedBound::Arrays, &plan);
        let depth = Depth { widened: widened.unwrap(), ..depth_of(DepthEnd::Found(3), None, 0.0) };
        let text = r#"every value up to k = 2, with arrays: "k + 1"; a failure at k = 3"#;
        assert_eq!(depth.to_string(), text);
    }

    /// Its clock stands still.
    struct Waiting;

    impl Host for Waiting {
        fn seconds(&self) -> f64 {
            0.0
        }
    }

    #[test]
    fn a_run_that_is_made_once_more_counts_once() {
        let input = crate::random::tests::pen_input("");
        let plan = crate::random::tests::pens("");
        let watch = Watch::new(plan.budget, &Waiting);
        let run = check(&input, &[], plan, Settings::default(), StoreKind::Exact, &watch);
        let run = run.expect("a store in memory");
        let calls = run.corpus.report.ledger.counters.explored();
        let mut costs = DeepeningCosts::default();
        costs.add(&run, 1.0);
        costs.replace(&run, 3.0);
        assert_eq!((costs.costs, costs.reached), (vec![(calls, 3.0)], Some(1)));
    }

    #[test]
    fn a_time_that_is_not_known_well_has_few_digits() {
        let shown = |seconds: f64| Seconds(seconds).to_string();
        let day = 86_400.0;
        assert_eq!(shown(0.123), "0.12 s");
        assert_eq!([shown(1.0), shown(6.66)], ["1.0 s", "6.7 s"]);
        assert_eq!([shown(10.0), shown(120.0)], ["10 s", "2 min"]);
        assert_eq!([shown(41.2), shown(119.0)], ["41 s", "119 s"]);
        assert_eq!([shown(150.0), shown(7_000.0)], ["2 min", "117 min"]);
        assert_eq!([shown(7_200.0), shown(1.9 * day)], ["2 h", "46 h"]);
        assert_eq!([shown(2.0 * day), shown(99.0 * day)], ["2 days", "99 days"]);
        assert_eq!([shown(100.0 * day), shown(1e99)], ["a hundred days and more"; 2]);
    }
}
