//! Every contract and every repOK on every structure.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{AskedTally, AuditTally, Corpus, PanicTally, Settings};
use beget_heap::view::BrokenClause;
use beget_oracle::rep_ok::{Checker, Predicate, Subject};
use beget_oracle::{ContractTally, has_elements};
use beget_plan::finding::{
    ELEMENTS_SURVIVE_LIES, Finding, MEMORY_FREED, MEMORY_SOUND, Problem, StopReason,
    USABLE_AFTER_PANIC, Witness,
};
use beget_plan::scope::{CallAudits, Plan};
use beget_process::guard::ProcessEnd;
use beget_suite::to_source;

use crate::contracts::{ask_contracts, finding_of};
use crate::failure_test::tell_unreproduced;
use crate::generate::{StoreKind, generate};
use crate::waiting::{CHECK_INTERVAL, Current, wait_for};
use crate::{Input, Questions, Watch};

/// Fields that a repOK may read on one heap.
pub const MAX_READS: u64 = 10_000_000;

/// A run of a plan, and the results of contracts and repOKs for its structures.
#[derive(Debug)]
pub struct CheckRun {
    /// The structures, and the results of the calls.
    pub corpus: Corpus,
    /// The number of structures of the main type on which the repOKs ran.
    pub checked: u64,
    /// The repOKs.
    pub rep_oks: Vec<RepOkTally>,
    /// For each repOK and clause the first rejected structure, whose recipe is as short as any of
    /// these; shortest first.
    pub rejections: Vec<Rejection>,
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// The broken contracts, each once for a type, with a shortest witness.
    pub breaches: Vec<Finding>,
    /// The reason for the end: while calls were made or while structures were checked.
    pub stop_reason: StopReason,
}

/// The result of one repOK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepOkTally {
    /// Its name.
    pub name: &'static str,
    /// The number of structures it rejects.
    pub rejected: u64,
}

/// A structure that represents those that a clause of a repOK rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The repOK.
    pub rep_ok: &'static str,
    /// The clause, or the end of the repOK if it gave no answer.
    pub clause: String,
    /// The structure's number.
    pub id: StructureId,
    /// Calls of its recipe.
    pub calls: u32,
    /// The problem, with the structure as its witness.
    pub finding: Finding,
}

impl CheckRun {
    /// A run of calls without any checks.
    pub fn of_calls(corpus: Corpus) -> Self {
        CheckRun {
            stop_reason: corpus.report.stop_reason,
            corpus,
            checked: 0,
            rep_oks: Vec::new(),
            rejections: Vec::new(),
            contracts: Vec::new(),
            breaches: Vec::new(),
        }
    }

    /// Returns whether a call failed, a contract is broken, or a repOK rejects a structure.
    pub fn has_findings(&self) -> bool {
        self.findings().next().is_some()
    }

    /// The findings of the calls, then those of the contracts, then those of the repOKs.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let of_rep_oks = self.rejections.iter().map(|rejection| &rejection.finding);
        self.corpus.report.findings.iter().chain(&self.breaches).chain(of_rep_oks)
    }
}

/// Makes every structure of `plan`, and checks the contracts that the input does not turn off and
/// `rep_oks`, which belong to its subject, on each reported one.
///
/// # Errors
///
/// If the store cannot read its contents.
pub fn check(
    input: &Input<'_>,
    rep_oks: &[&Predicate],
    mut plan: Plan,
    settings: Settings,
    store: StoreKind<'_>,
    watch: &Watch<'_>,
) -> Result<CheckRun, StoreError> {
    plan.follows_panics = input.asks_contract(USABLE_AFTER_PANIC);
    plan.audits = audits(input, &plan, watch);
    let corpus = generate(plan, settings, store, watch);
    let mut audit = Audit {
        corpus: &corpus,
        rep_oks,
        checked: 0,
        first: BTreeMap::new(),
        current: &Current::default(),
    };
    let stopped = match input.subject() {
        Ok(subject) => audit.check_all(subject, watch)?,
        Err(_) => None,
    };
    let (checked, tallies, rejections) = (audit.checked, audit.tallies(), audit.rejections()?);
    let asks = |name: &str| stopped.is_none() && input.asks_contract(name);
    let (asked, of_elements, stopped_later) = ask_contracts(&corpus, &asks, watch)?;
    let breaches = asked.breaches.iter().map(|breach| finding_of(&corpus, breach));
    let mut breaches: Vec<Finding> = breaches.collect::<Result<_, _>>()?;
    breaches.extend(of_elements);
    if !watch.has_workers() {
        tell_unreproduced(&corpus.plan, &mut breaches);
    }
    let stop_reason = stopped.or(stopped_later).unwrap_or(corpus.report.stop_reason);
    let mut contracts = asked.tallies;
    let PanicTally { followed, broken } = corpus.report.ledger.panics;
    if followed > 0 {
        contracts.push(ContractTally { name: USABLE_AFTER_PANIC, asked: followed, broken });
    }
    contracts.extend(tallies_of_audits(&corpus.report.ledger.audits));
    let rep_oks = tallies;
    Ok(CheckRun { corpus, checked, rep_oks, rejections, contracts, breaches, stop_reason })
}

/// The audits of a run. They may end the process, so they need a host that outlives that.
fn audits(input: &Input<'_>, plan: &Plan, watch: &Watch<'_>) -> CallAudits {
    if !watch.outlives_calls() {
        return CallAudits::default();
    }
    CallAudits {
        memory_sound: input.asks_contract(MEMORY_SOUND),
        memory_freed: input.asks_contract(MEMORY_FREED),
        lies: input.asks_contract(ELEMENTS_SURVIVE_LIES) && has_elements(plan),
    }
}

/// The tallies of audited contracts.
fn tallies_of_audits(audits: &AuditTally) -> impl Iterator<Item = ContractTally> {
    let AuditTally { memory_sound, memory_freed, lies } = *audits;
    let all =
        [(MEMORY_SOUND, memory_sound), (MEMORY_FREED, memory_freed), (ELEMENTS_SURVIVE_LIES, lies)];
    let asked = all.into_iter().filter(|(_, tally)| tally.asked > 0);
    asked.map(|(name, AskedTally { asked, broken })| ContractTally { name, asked, broken })
}

/// The first of some structures that a clause rejects, and their number.
struct First {
    id: StructureId,
    count: u64,
}

/// The check in progress.
struct Audit<'c> {
    corpus: &'c Corpus,
    rep_oks: &'c [&'c Predicate],
    checked: u64,
    /// By repOK and clause.
    first: BTreeMap<(usize, String), First>,
    current: &'c Current,
}

/// The repOKs of a check in progress: one at most.
struct RunsOfCheck<'c> {
    corpus: &'c Corpus,
    rep_oks: &'c [&'c Predicate],
    current: &'c Current,
}

impl Questions for RunsOfCheck<'_> {
    fn runs(&self) -> Vec<[u64; 2]> {
        self.current.get()
    }

    fn source(&self, [id, rep_ok]: [u64; 2]) -> Option<String> {
        let name = self.rep_oks.get(rep_ok as usize)?.name;
        let recipe = self.corpus.recipe(StructureId(id as u32)).ok()?;
        let source = to_source(&self.corpus.plan.suite, &recipe).0;
        Some(format!("`{name}` on the structure {source}"))
    }

    fn end(&self) -> Option<ProcessEnd> {
        self.current.end()
    }

    fn tell_end(&self) {
        self.current.tell_end();
    }
}

impl Audit<'_> {
    /// Runs the repOKs on every reported structure, or until the run must stop, on a separate
    /// thread.
    fn check_all(
        &mut self,
        subject: &Subject,
        watch: &Watch<'_>,
    ) -> Result<Option<StopReason>, StoreError> {
        let Audit { corpus, rep_oks, current, .. } = *self;
        let stopped = OnceLock::new();
        let runs = RunsOfCheck { corpus, rep_oks, current };
        let mut wait = || {
            watch.wait_for_answer(&runs);
            if let Some(reason) = watch.stop_reason(corpus.store.bytes()) {
                stopped.get_or_init(|| reason);
            }
        };
        wait_for(|| self.check_until(subject, &stopped), &mut wait)
    }

    /// Like [`Audit::check_all`], on this thread, until it is `stopped`.
    fn check_until(
        &mut self,
        subject: &Subject,
        stopped: &OnceLock<StopReason>,
    ) -> Result<Option<StopReason>, StoreError> {
        let _stop = self.current.stop_at_end();
        let corpus = self.corpus;
        let mut checker = Checker::new(&subject.shapes, corpus.plan.coding(), MAX_READS);
        let mut reader = corpus.reader();
        for id in (0..corpus.store.len()).map(StructureId) {
            if id.0.is_multiple_of(CHECK_INTERVAL) && stopped.get().is_some() {
                return Ok(stopped.get().copied());
            }
            if reader.is_generated(id)? {
                self.check(&mut checker, id)?;
            }
            self.current.clear();
        }
        Ok(None)
    }

    fn check(&mut self, checker: &mut Checker<'_>, id: StructureId) -> Result<(), StoreError> {
        let form = self.corpus.store.form(id)?;
        self.checked += 1;
        for (index, rep_ok) in self.rep_oks.iter().enumerate() {
            self.current.set(id, index);
            let clause = match checker.check(rep_ok.as_fn(), form.as_ref()) {
                Ok(Ok(())) => continue,
                Ok(Err(BrokenClause(clause))) => clause.to_owned(),
                Err(cause) => cause.to_string(),
            };
            let first = First { id, count: 0 };
            self.first.entry((index, clause)).or_insert(first).count += 1;
        }
        Ok(())
    }

    fn tallies(&self) -> Vec<RepOkTally> {
        let tally = |(index, rep_ok): (usize, &&Predicate)| {
            let own = self.first.iter().filter(|((rep_ok, _), _)| *rep_ok == index);
            RepOkTally { name: rep_ok.name, rejected: own.map(|(_, first)| first.count).sum() }
        };
        self.rep_oks.iter().enumerate().map(tally).collect()
    }

    fn rejections(&self) -> Result<Vec<Rejection>, StoreError> {
        let mut found: Vec<_> = self.first.iter().collect();
        found.sort_by_key(|((rep_ok, _), first)| (first.id, *rep_ok));
        let rejection = |((rep_ok, clause), first): (&(usize, String), &First)| {
            self.rejection(self.rep_oks[*rep_ok].name, clause, first)
        };
        found.into_iter().map(rejection).collect()
    }

    fn rejection(
        &self,
        rep_ok: &'static str,
        clause: &str,
        first: &First,
    ) -> Result<Rejection, StoreError> {
        let First { id, count } = *first;
        let witness = Witness {
            number: Some(id.0.into()),
            heap: self.corpus.graph(id)?,
            ..Witness::of_recipe(self.corpus.recipe(id)?)
        };
        Ok(Rejection {
            rep_ok,
            clause: clause.to_owned(),
            id,
            calls: self.corpus.cost(id),
            finding: Finding { problem: Problem::rejected(rep_ok, clause), count, witness },
        })
    }
}
