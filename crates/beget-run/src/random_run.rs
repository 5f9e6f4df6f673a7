//! A random run: sequences of calls drawn by chance, with contracts and repOKs.

use std::any::Any;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::random::{
    FlakyCall, Fragment, InProgress, Judge, JudgedStructures, MinimizedFinding, NewStructure,
    RandomOptions, RandomOracles, RandomOutcome, RandomReport, RandomSoFar, SequencePool,
    add_literals, minimize_by, minimize_structure, plan_for, run,
};
use beget_engine::Settings;
use beget_engine::store::StructureId;
use beget_heap::view::BrokenClause;
use beget_oracle::rep_ok::{Checker, Predicate, Subject};
use beget_oracle::{ContractTally, Oracle, contract_names};
use beget_plan::finding::{Finding, Problem, Progress, StopReason, USABLE_AFTER_PANIC, Witness};
use beget_plan::scope::Plan;
use beget_process::coverage::{CodeMarks, Coverage, Session};
use beget_suite::{Sequence, TypeIdx, Variable};

use crate::check::MAX_READS;
use crate::elements::{BuildingCalls, ElementAudit, breaks_again, is_of_elements};
use crate::integers::with_int_ranges;
use crate::waiting::{Current, wait_for};
use crate::{Event, FailureTest, Input, Questions, RepOkSource, StructureQuestion, Watch};

/// What a random run came to.
#[derive(Clone, Debug)]
pub struct RandomRun {
    /// The plan. The domains of its methods have the literals of all findings.
    pub plan: Plan,
    /// How it was drawn.
    pub options: RandomOptions,
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    /// Failures of calls, what matters most first, then broken contracts, then structures that
    /// repOKs reject; the calls of each are minimised.
    pub findings: Vec<Finding>,
    /// The names of the repOKs of the last findings, one for each.
    pub rejected_by: Vec<&'static str>,
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// The sequences that went well and left something new; none if the run did not come to its
    /// end.
    pub pool: SequencePool,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// What it covered of the marks in the code, if there are any.
    pub coverage: Option<MarkCoverage>,
    /// What is to be said besides.
    pub notes: Vec<String>,
}

/// What was covered of the marks in a suite's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkCoverage {
    /// Points that calls came by.
    pub blocks: usize,
    /// How many points there are.
    pub known: usize,
    /// Pairs of a point and of what was seen there.
    pub predicates: usize,
}

impl MarkCoverage {
    fn of(session: &Session) -> Self {
        let blocks = session.blocks();
        MarkCoverage {
            blocks: blocks.covered(),
            known: blocks.known().unwrap_or_default(),
            predicates: session.predicates().covered(),
        }
    }
}

/// Makes a random run of `plan`, and asks the contracts that the input does not turn off and
/// `rep_oks`, which are of its subject, about each structure that it meets.
///
/// The budget of calls is that of the options; the other limits are those of `watch`. A run that is
/// guided is so by what it covers of the marks too.
pub fn random(
    input: &Input<'_>,
    rep_oks: &[&Predicate],
    plan: Plan,
    options: RandomOptions,
    watch: &Watch<'_>,
) -> RandomRun {
    let mut plan = match options.is_bounded {
        true => with_int_ranges(plan, Settings::default(), watch),
        false => plan_for(plan, &options),
    };
    plan.follows_panics = input.asks_contract(USABLE_AFTER_PANIC);
    let in_progress = InProgress::default();
    let (explored, structures) = (AtomicU64::new(0), AtomicU64::new(0));
    let stopped = OnceLock::new();
    // Others who would note the same marks wait.
    let session = input.marks().map(CodeMarks::session);
    let covered = || session.as_ref().map(MarkCoverage::of);
    let predicates = session.as_ref().map(Session::predicates);
    let runs = RunsOfRandom {
        running: SequenceInProgress { plan: &plan, in_progress: &in_progress },
        options: &options,
        covered: &covered,
    };
    watch.report(Event::Begin);
    let mut wait = || {
        let progress = Progress {
            explored: explored.load(Relaxed),
            structures: structures.load(Relaxed),
            ..Progress::default()
        };
        watch.wait_for_answer(&runs);
        if let Some(reason) = watch.check(progress) {
            stopped.get_or_init(|| reason);
        }
    };
    let subject = input.subject().ok().filter(|_| !rep_oks.is_empty());
    let (of_elements, asked): (Vec<&str>, Vec<&str>) = contract_names()
        .into_iter()
        .filter(|name| input.asks_contract(name) && *name != USABLE_AFTER_PANIC)
        .partition(|name| is_of_elements(name));
    let work = || {
        let mut control = |progress: Progress| {
            explored.store(progress.explored, Relaxed);
            structures.store(progress.structures, Relaxed);
            stopped.get().copied()
        };
        let oracle = Oracle::new(&plan, &|name| of_elements.contains(&name));
        let current = Current::default();
        let mut elements =
            ElementJudge(ElementAudit::new(&plan, &oracle, &current, &stopped).of_few());
        elements.0.ask_constructors();
        let mut rep_ok_judge = RepOkJudge::new(subject, rep_oks, &plan);
        let oracles = RandomOracles {
            asks: &|name| asked.contains(&name),
            judge: &mut (&mut elements, &mut rep_ok_judge),
            coverage: predicates.as_ref().map(|predicates| predicates as &dyn Coverage),
        };
        let outcome = run(&plan, &options, oracles, &in_progress, &mut control);
        let of_elements = elements.finish(&plan, &oracle);
        (outcome, of_elements, rep_ok_judge.finish())
    };
    let (mut outcome, (tallies, of_elements), (rejections, doubtful)) = wait_for(work, &mut wait);
    outcome.report.flaky.extend(doubtful);
    outcome.contracts = in_order(outcome.contracts, tallies);
    outcome.breaches.extend(of_elements);
    let run = RandomRun::of(plan.clone(), options.clone(), outcome, rejections);
    RandomRun { coverage: covered(), ..run }
}

impl RandomRun {
    /// The run that came to this, and to structures that repOKs reject.
    fn of(
        mut plan: Plan,
        options: RandomOptions,
        outcome: RandomOutcome,
        rejections: Vec<(&'static str, MinimizedFinding)>,
    ) -> Self {
        let RandomOutcome { report, failures, breaches, contracts, pool, stop_reason, notes } =
            outcome;
        let (rejected_by, rejected): (Vec<_>, Vec<_>) = rejections.into_iter().unzip();
        let found = || failures.iter().chain(&breaches).chain(&rejected);
        found().for_each(|one| add_literals(&mut plan, &one.steps));
        let findings = found().map(|one| one.finding.clone()).collect();
        RandomRun {
            plan,
            options,
            report,
            findings,
            rejected_by,
            contracts,
            pool,
            stop_reason,
            coverage: None,
            notes,
        }
    }

    /// The findings as tests, in order. The calls of each one that is asked for are made again, to
    /// see that it fails.
    pub fn failure_tests(&self, rep_oks: RepOkSource) -> impl Iterator<Item = FailureTest<'_>> {
        let n_others = self.findings.len() - self.rejected_by.len();
        let rep_ok_of = move |index: usize| {
            let rep_ok = index.checked_sub(n_others).map(|index| self.rejected_by[index]);
            let rep_ok = rep_ok.filter(|_| rep_oks == RepOkSource::Type);
            rep_ok.map(StructureQuestion::RepOk)
        };
        let test = move |(index, finding)| {
            FailureTest::of(&self.plan, finding, index + 1, rep_ok_of(index))
        };
        self.findings.iter().enumerate().map(test)
    }
}

/// The call that is being made, or what is asked after it.
#[derive(Debug)]
pub struct SequenceInProgress<'r> {
    /// The plan of the run.
    pub plan: &'r Plan,
    /// The sequence that runs.
    pub in_progress: &'r InProgress,
}

impl Questions for SequenceInProgress<'_> {
    fn noun(&self) -> &'static str {
        "call"
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        vec![self.in_progress.numbers()]
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        let sequence: Sequence = self.in_progress.sequence();
        let is_same = self.in_progress.numbers() == run && !sequence.statements.is_empty();
        is_same.then(|| sequence.to_source(&self.plan.suite).0)
    }
}

/// A random run in progress.
struct RunsOfRandom<'r> {
    running: SequenceInProgress<'r>,
    options: &'r RandomOptions,
    covered: &'r dyn Fn() -> Option<MarkCoverage>,
}

impl Questions for RunsOfRandom<'_> {
    fn noun(&self) -> &'static str {
        self.running.noun()
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.running.runs()
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        self.running.source(run)
    }

    fn so_far(&self, stop_reason: StopReason) -> Option<Box<dyn Any>> {
        let RandomSoFar { report, failures, judged } = self.running.in_progress.so_far();
        let JudgedStructures { contracts, breaches, rejections } = judged;
        let has_findings = failures.len() + breaches.len() + rejections.len() > 0;
        let notes = has_findings.then(|| NOT_MINIMISED.to_owned()).into_iter().collect();
        let pool = SequencePool::default();
        let outcome =
            RandomOutcome { report, failures, breaches, contracts, pool, stop_reason, notes };
        let run =
            RandomRun::of(self.running.plan.clone(), self.options.clone(), outcome, rejections);
        Some(Box::new(RandomRun { coverage: (self.covered)(), ..run }))
    }
}

/// What is to be said where a run does not come to its end.
const NOT_MINIMISED: &str =
    "findings are as they were found, and not minimised: the run did not come to its end";

/// The tallies of both in the order of the contracts.
fn in_order(mut tallies: Vec<ContractTally>, more: Vec<ContractTally>) -> Vec<ContractTally> {
    tallies.extend(more);
    let names = contract_names();
    tallies.sort_by_key(|tally| names.iter().position(|name| *name == tally.name));
    tallies
}

/// Follows the elements in calls on the first structures. These are made again by the calls that
/// lead to them, if their literals are all of the scope.
struct ElementJudge<'j>(ElementAudit<'j>);

impl ElementJudge<'_> {
    /// How often each contract was asked, and what breaks one, minimised.
    fn finish(
        self,
        plan: &Plan,
        oracle: &Oracle<'_>,
    ) -> (Vec<ContractTally>, Vec<MinimizedFinding>) {
        let types = (0..plan.suite.types.len()).map(TypeIdx);
        let mut names: Vec<&str> =
            types.flat_map(|ty| oracle.contracts_of(ty)).map(|contract| contract.name).collect();
        names.sort_unstable();
        names.dedup();
        let tally = |name| ContractTally { name, asked: 0, broken: 0 };
        let mut tallies: Vec<ContractTally> = names.into_iter().map(tally).collect();
        let found = self.0.finish(&mut tallies);
        let minimized = |mut finding: Finding| {
            let problem = finding.problem.clone();
            let breaks = |sequence: &Sequence| breaks_again(plan, sequence, &problem);
            if let Some(calls) = finding.witness.calls(&plan.suite)
                && let Some(fewer) = minimize_by(plan, &calls, &breaks)
            {
                finding.witness = Witness::of_sequence(fewer);
            }
            MinimizedFinding { finding, steps: Vec::new() }
        };
        (tallies, found.into_iter().map(minimized).collect())
    }
}

impl Judge for ElementJudge<'_> {
    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        if !self.0.asks_next(structure.ty) {
            return;
        }
        let (fragment, variable) = (structure.origin)();
        let sequence = fragment.to_sequence(Some(variable));
        let id = StructureId(structure.id as u32);
        self.0.ask(structure.ty, id, BuildingCalls::Sequence(&sequence));
    }

    fn n_found(&self) -> usize {
        self.0.n_found()
    }
}

/// Asks repOKs about structures of the main type.
struct RepOkJudge<'j> {
    plan: &'j Plan,
    /// None if there are no repOKs to ask.
    checker: Option<Checker<'j>>,
    rep_oks: &'j [&'j Predicate],
    rejected: Vec<RejectedClause>,
}

/// Structures that a clause of a repOK rejects, with the calls of the first.
struct RejectedClause {
    rep_ok: usize,
    clause: String,
    count: u64,
    origin: (Arc<Fragment>, Variable),
}

impl<'j> RepOkJudge<'j> {
    fn new(subject: Option<&'j Subject>, rep_oks: &'j [&'j Predicate], plan: &'j Plan) -> Self {
        let checker =
            subject.map(|subject| Checker::new(&subject.shapes, plan.coding(), MAX_READS));
        RepOkJudge { plan, checker, rep_oks, rejected: Vec::new() }
    }

    /// The findings, with the repOKs that reject their structures; and what was rejected once, and
    /// is not if the calls are made again.
    fn finish(mut self) -> (Vec<(&'static str, MinimizedFinding)>, Vec<FlakyCall>) {
        let (mut findings, mut doubtful) = (Vec::new(), Vec::new());
        for rejected in std::mem::take(&mut self.rejected) {
            match self.minimized(&rejected) {
                Some(finding) => findings.push((self.rep_oks[rejected.rep_ok].name, finding)),
                None => doubtful.extend(self.doubtful(&rejected)),
            }
        }
        (findings, doubtful)
    }

    fn minimized(&mut self, rejected: &RejectedClause) -> Option<MinimizedFinding> {
        let RejectedClause { rep_ok, clause, count, origin: (fragment, variable) } = rejected;
        let checker = std::cell::RefCell::new(self.checker.as_mut().expect("it was asked"));
        let predicate = self.rep_oks[*rep_ok];
        let (steps, variable) = minimize_structure(self.plan, fragment, *variable, &|form| {
            let checked = checker.borrow_mut().check(predicate.as_fn(), form.as_ref());
            clause_of(checked).as_ref() == Some(clause)
        })?;
        let problem = self.problem(rejected);
        Some(MinimizedFinding::of_structure(problem, *count, steps, variable))
    }

    fn problem(&self, rejected: &RejectedClause) -> Problem {
        Problem::rejected(self.rep_oks[rejected.rep_ok].name, &rejected.clause)
    }

    fn doubtful(&self, rejected: &RejectedClause) -> Option<FlakyCall> {
        let steps = rejected.origin.0.to_steps();
        let method = self.plan.find_planned(steps.last()?.statement.method)?;
        let message = self.problem(rejected).to_string();
        Some(FlakyCall { method, message, count: rejected.count })
    }
}

/// The clause that does not hold, or how the repOK ended if it gave no answer.
fn clause_of<E: std::fmt::Display>(checked: Result<Result<(), BrokenClause>, E>) -> Option<String> {
    match checked {
        Ok(Ok(())) => None,
        Ok(Err(BrokenClause(clause))) => Some(clause.to_owned()),
        Err(cause) => Some(cause.to_string()),
    }
}

impl Judge for RepOkJudge<'_> {
    fn n_found(&self) -> usize {
        self.rejected.len()
    }

    fn tell(&self, judged: &mut JudgedStructures) {
        for rejected in &self.rejected {
            let (problem, (fragment, variable)) = (self.problem(rejected), &rejected.origin);
            let steps = fragment.to_steps();
            let finding = MinimizedFinding::of_structure(problem, rejected.count, steps, *variable);
            judged.rejections.push((self.rep_oks[rejected.rep_ok].name, finding));
        }
    }

    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        let Some(checker) = self.checker.as_mut().filter(|_| structure.ty == TypeIdx(0)) else {
            return;
        };
        for (index, rep_ok) in self.rep_oks.iter().enumerate() {
            let checked = checker.check(rep_ok.as_fn(), structure.form.as_ref());
            let Some(clause) = clause_of(checked) else { continue };
            let known = self
                .rejected
                .iter_mut()
                .find(|known| (known.rep_ok, &known.clause) == (index, &clause));
            match known {
                Some(known) => known.count += 1,
                None => {
                    let origin = (structure.origin)();
                    self.rejected.push(RejectedClause { rep_ok: index, clause, count: 1, origin });
                }
            }
        }
    }
}
