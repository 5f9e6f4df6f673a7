//! The check that the answers of oracles make of a run of calls.

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{AskedTally, AuditTally, Corpus, PanicTally};
use beget_oracle::{BreachGroup, ContractTally, Tally, contract_names};
use beget_plan::finding::{
    ELEMENTS_SURVIVE_LIES, Finding, Kind, MEMORY_FREED, MEMORY_SOUND, USABLE_AFTER_PANIC,
};

use super::{AskedOracle, others, rep_oks};
use crate::breach::{finding_of, witness_of_structure};
use crate::checked::{CheckRun, Rejection, RepOkTally};

/// The check of a run of calls about whose structures these oracles were asked. `has_subject` says
/// that the main type has repOKs.
pub(crate) fn of_answers<S: Store>(
    corpus: Corpus<S>,
    has_subject: bool,
    oracles: &[AskedOracle],
) -> Result<CheckRun<S>, StoreError> {
    let checked = if has_subject { n_checked(&corpus, oracles)? } else { 0 };
    let rejections = rejections(&corpus, oracles)?;
    let tallies: Vec<Tally> =
        others(oracles).map(|one| of_new_deaths(&corpus, &one.tally)).collect();
    let breaches = breaches(&corpus, &tallies)?;
    let stop_reason = corpus.report.stop_reason;
    let (contracts, rep_oks) = (contract_tallies(&corpus, &tallies), rep_ok_tallies(oracles));
    Ok(CheckRun { corpus, checked, rep_oks, rejections, contracts, breaches, stop_reason })
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
            let id = StructureId::new(ids[0]);
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
fn breaches<S: Store>(corpus: &Corpus<S>, tallies: &[Tally]) -> Result<Vec<Finding>, StoreError> {
    let is_known = is_known_to(corpus);
    let with_merged = corpus.with_merged();
    let mut findings = Vec::new();
    for tally in tallies {
        let breaches = tally.breaches().into_iter().map(|(_, breach)| breach);
        let new = breaches.filter(|one| !is_known(tally.questions[one.question].name));
        for breach in new {
            let mut finding = finding_of(&with_merged, breach)?;
            // A merged value has no number in what is written.
            finding.witness.number.take_if(|id| *id >= corpus.store.len());
            findings.push(finding);
        }
    }
    Ok(findings)
}

/// A tally without the deaths in calls of methods that end the process, or do not return, in the
/// run too: those are known, and asking has only repeated them.
fn of_new_deaths<S>(corpus: &Corpus<S>, tally: &Tally) -> Tally {
    let fatal = corpus.report.findings.iter().filter(|one| one.problem.kind.is_fatal());
    let deadly: Vec<_> =
        fatal.filter_map(|one| Some(one.witness.recipe.as_ref()?.method)).collect();
    tally.without(|breach| {
        let method = breach.call.map(|(planned, _)| corpus.plan.planned(planned).method);
        breach.problem.kind.is_fatal() && method.is_some_and(|method| deadly.contains(&method))
    })
}

/// A test of contracts by name: true for those on clones, if the run itself has findings on them.
fn is_known_to<S>(corpus: &Corpus<S>) -> impl Fn(&str) -> bool {
    let mut findings = corpus.report.findings.iter();
    let is_told = findings.any(|finding| CLONE_KINDS.contains(&finding.problem.kind));
    move |name| is_told && name.starts_with("clone")
}

/// The kinds of findings by which a run reports clones itself.
const CLONE_KINDS: [Kind; 2] = [Kind::CloneShares, Kind::CloneDiffers];

/// The contracts that apply, in their order, then those that are asked of calls while they are
/// made, then the questions of other oracles.
fn contract_tallies<S>(corpus: &Corpus<S>, tallies: &[Tally]) -> Vec<ContractTally> {
    let is_known = is_known_to(corpus);
    let names = contract_names();
    let position = |tally: &ContractTally| names.iter().position(|name| *name == tally.name);
    let all = tallies.iter().flat_map(|tally| tally.questions.clone());
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

/// The tallies of audited contracts.
fn tallies_of_audits(audits: &AuditTally) -> impl Iterator<Item = ContractTally> {
    let AuditTally { memory_sound, memory_freed, lies } = *audits;
    let all =
        [(MEMORY_SOUND, memory_sound), (MEMORY_FREED, memory_freed), (ELEMENTS_SURVIVE_LIES, lies)];
    let asked = all.into_iter().filter(|(_, tally)| tally.asked > 0);
    asked.map(|(name, AskedTally { asked, broken })| ContractTally { name, asked, broken })
}
