//! Every contract and every repOK on every structure.

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{AskedTally, AuditTally, Corpus, PanicTally, Settings};
use beget_oracle::rep_ok::Predicate;
use beget_oracle::{BreachGroup, ContractTally, contract_names, has_elements};
use beget_plan::finding::{
    ELEMENTS_SURVIVE_LIES, Finding, Kind, MEMORY_FREED, MEMORY_SOUND, StopReason,
    USABLE_AFTER_PANIC,
};
use beget_plan::scope::{CallAudits, Plan};

use crate::asking::{Asked, AskedOracle, Asking, others, rep_oks};
use crate::breach::{finding_of, structure, witness_of_structure};
use crate::failure_test::{FailureTest, RepOkSource, StructureQuestion, tell_unreproduced};
use crate::generate::generate;
use crate::{Input, OracleSet, StoreKind, Watch};

/// A run of a plan, and the results of contracts and repOKs for its structures.
#[derive(Debug)]
pub struct CheckRun<S = Box<dyn Store>> {
    /// The structures, and the results of the calls.
    pub corpus: Corpus<S>,
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

impl<S: Store> CheckRun<S> {
    /// A run of calls without any checks.
    pub fn of_calls(corpus: Corpus<S>) -> Self {
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
    let set = OracleSet::of(input, rep_oks);
    let asking = Asking::new(watch, &set);
    let mut corpus = generate(plan, settings, store, &watch.with_levels(&asking));
    let Asked { oracles, stopped, notes } = asking.finish(&corpus)?;
    watch.end_search();
    let leaves_out = !notes.is_empty();
    notes.into_iter().for_each(|note| corpus.report.ledger.add_note(note));
    let mut run = of_answers(corpus, input.subject().is_ok(), &oracles)?;
    if !watch.has_workers() {
        tell_unreproduced(&run.corpus.plan, &mut run.breaches);
    }
    run.stop_reason = match stopped.unwrap_or(run.stop_reason) {
        reason if reason.is_exhausted() && leaves_out => StopReason::LeftOut,
        reason => reason,
    };
    Ok(run)
}

/// The check of a run of calls about whose structures these oracles were asked. `has_subject` says
/// that the main type has repOKs.
pub(crate) fn of_answers<S: Store>(
    corpus: Corpus<S>,
    has_subject: bool,
    oracles: &[AskedOracle],
) -> Result<CheckRun<S>, StoreError> {
    let checked = if has_subject { n_checked(&corpus, oracles)? } else { 0 };
    let rejections = rejections(&corpus, oracles)?;
    let breaches = breaches(&corpus, oracles)?;
    let stop_reason = corpus.report.stop_reason;
    let (contracts, rep_oks) = (contract_tallies(&corpus, oracles), rep_ok_tallies(oracles));
    Ok(CheckRun { corpus, checked, rep_oks, rejections, contracts, breaches, stop_reason })
}

/// The findings of a run as tests, in order. The calls of each requested one are repeated, to see
/// that it fails.
pub fn failure_tests<S: Store>(
    run: &CheckRun<S>,
    rep_oks: RepOkSource,
) -> impl Iterator<Item = FailureTest<'_>> {
    let of_calls = run.corpus.report.findings.iter().map(|finding| (finding, None));
    let of_rep_oks = run.rejections.iter().map(|one| (&one.finding, Some(one.rep_ok)));
    let of_contracts = run.breaches.iter().map(|finding| (finding, None));
    let all = of_calls.chain(of_contracts).chain(of_rep_oks).enumerate();
    let test = move |(index, (finding, rep_ok)): (usize, (_, Option<&'static str>))| {
        let asked = rep_ok.filter(|_| rep_oks == RepOkSource::Type).map(StructureQuestion::RepOk);
        FailureTest::of(&run.corpus.plan, finding, index + 1, asked)
    };
    all.map(test)
}

/// How many structures repOKs were asked about.
fn n_checked<S: Store>(corpus: &Corpus<S>, asked: &[AskedOracle]) -> Result<u64, StoreError> {
    let of_questions =
        |one: &AskedOracle| one.tally.questions.iter().map(|tally| tally.asked).max();
    match rep_oks(asked).find_map(of_questions) {
        Some(n_asked) => Ok(n_asked),
        None => Ok(corpus.totals()?.by_type.first().copied().unwrap_or(0)),
    }
}

fn rep_ok_tallies(asked: &[AskedOracle]) -> Vec<RepOkTally> {
    let tally = |tally: &ContractTally| RepOkTally { name: tally.name, rejected: tally.broken };
    rep_oks(asked).flat_map(|one| &one.tally.questions).map(tally).collect()
}

fn rejections<S: Store>(
    corpus: &Corpus<S>,
    asked: &[AskedOracle],
) -> Result<Vec<Rejection>, StoreError> {
    let mut rejections = Vec::new();
    for AskedOracle { tally, .. } in rep_oks(asked) {
        for (part, breach) in tally.breaches() {
            let BreachGroup { question, problem, count, ids, .. } = breach.clone();
            let id = structure(ids[0]);
            let witness = witness_of_structure(corpus, ids[0], problem.kind.is_fatal())?;
            rejections.push(Rejection {
                rep_ok: tally.questions[question].name,
                clause: part.clause.clone().into_owned(),
                id,
                calls: corpus.cost(id),
                finding: Finding { problem, count, witness },
            });
        }
    }
    Ok(rejections)
}

/// The findings of all oracles but repOKs.
fn breaches<S: Store>(
    corpus: &Corpus<S>,
    asked: &[AskedOracle],
) -> Result<Vec<Finding>, StoreError> {
    let is_known = is_known_to(corpus);
    let mut findings = Vec::new();
    for AskedOracle { tally, .. } in others(asked) {
        let breaches = tally.breaches().into_iter().map(|(_, breach)| breach);
        let new = breaches.filter(|one| !is_known(tally.questions[one.question].name));
        for breach in new {
            findings.push(finding_of(corpus, breach)?);
        }
    }
    Ok(findings)
}

/// Says of a contract by its name whether the run tells by itself that it is broken: what calls say
/// of clones.
fn is_known_to<S>(corpus: &Corpus<S>) -> impl Fn(&str) -> bool {
    let mut findings = corpus.report.findings.iter();
    let is_told = findings.any(|finding| CLONE_KINDS.contains(&finding.problem.kind));
    move |name| is_told && name.starts_with("clone")
}

/// The kinds of findings by which a run reports clones itself.
const CLONE_KINDS: [Kind; 2] = [Kind::CLONE_SHARES, Kind::CLONE_DIFFERS];

/// The contracts that apply, in their order, then those that are asked of calls while they are
/// made, then the questions of other oracles.
fn contract_tallies<S>(corpus: &Corpus<S>, asked: &[AskedOracle]) -> Vec<ContractTally> {
    let is_known = is_known_to(corpus);
    let names = contract_names();
    let position = |tally: &ContractTally| names.iter().position(|name| *name == tally.name);
    let all = others(asked).flat_map(|one| one.tally.questions.clone());
    let all = all.filter(|tally| !is_known(tally.name));
    let (mut tallies, others): (Vec<_>, Vec<_>) = all.partition(|tally| position(tally).is_some());
    tallies.sort_by_key(position);
    let PanicTally { followed, broken } = corpus.report.ledger.panics;
    if followed > 0 {
        tallies.push(ContractTally { name: USABLE_AFTER_PANIC, asked: followed, broken });
    }
    tallies.extend(tallies_of_audits(&corpus.report.ledger.audits));
    tallies.extend(others);
    tallies
}
/// The audits of calls, which make these once more. That may end the process, so another one must
/// outlive it.
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
