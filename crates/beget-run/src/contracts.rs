//! The built-in contracts, checked on every structure of a run.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_oracle::{BrokenContract, CONTRACTS, Inquiry, InquiryResult, Oracle, Question};
use beget_plan::finding::{Finding, Kind, StopReason, Witness};
use beget_process::guard::ProcessEnd;
use beget_suite::{Sequence, TypeIdx, to_source};

use crate::elements::{BuildingCalls, ElementAudit};
use crate::waiting::{CHECK_INTERVAL, Current, wait_for};
use crate::{Questions, Watch};

/// The kinds of findings about clones that the run itself reports.
const CLONE_KINDS: [Kind; 2] = [Kind::CLONE_SHARES, Kind::CLONE_DIFFERS];

/// The results of checking: the contracts about values, findings of those about calls, and the
/// reason for an early stop.
pub(crate) type Asked = (InquiryResult, Vec<Finding>, Option<StopReason>);

/// Checks the contracts selected by `asks` on every reported structure, or until the run must stop.
pub(crate) fn ask_contracts(
    corpus: &Corpus,
    asks: &dyn Fn(&str) -> bool,
    watch: &Watch<'_>,
) -> Result<Asked, StoreError> {
    // Results spoilt by copies prove nothing.
    if corpus.report.stop_reason == StopReason::CopiesDiffer {
        return Ok(Default::default());
    }
    let mut findings = corpus.report.findings.iter();
    let told = findings.any(|finding| CLONE_KINDS.contains(&finding.problem.kind));
    let asks = |name: &str| asks(name) && !(told && name.starts_with("clone"));
    let oracle = Oracle::new(&corpus.plan, &asks);
    if oracle.is_idle() {
        return Ok(Default::default());
    }
    let (stopped, current) = (OnceLock::new(), Current::default());
    let runs = RunsOfContracts { corpus, current: &current };
    let mut wait = || {
        watch.wait_for_answer(&runs);
        if let Some(reason) = watch.stop_reason(corpus.store.bytes()) {
            stopped.get_or_init(|| reason);
        }
    };
    let asked = wait_for(|| ask_all(corpus, &oracle, &current, &stopped), &mut wait)?;
    Ok((asked.0, asked.1, stopped.get().copied()))
}

fn ask_all(
    corpus: &Corpus,
    oracle: &Oracle<'_>,
    current: &Current,
    stopped: &OnceLock<StopReason>,
) -> Result<(InquiryResult, Vec<Finding>), StoreError> {
    let _stop = current.stop_at_end();
    let note = |Question { id, contract }| current.set(structure(id), contract);
    let mut inquiry = Inquiry::new(oracle, &note);
    let mut reader = corpus.reader();
    let mut elements = ElementAudit::new(&corpus.plan, oracle, current, stopped);
    elements.ask_constructors();
    let has_slack = corpus.plan.slack.is_some();
    for id in (0..corpus.store.len()).map(StructureId) {
        if id.0.is_multiple_of(CHECK_INTERVAL) && stopped.get().is_some() {
            break;
        }
        let ty = corpus.type_of(id)?;
        if oracle.contracts_of(ty).next().is_none() || has_slack && reader.reported(id)?.is_none() {
            continue;
        }
        let mut failed = None;
        inquiry.ask(ty, id.0.into(), &mut || {
            let made = reader.reconstruct(id);
            made.unwrap_or_else(|error| {
                failed = Some(error);
                None
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if elements.asks_next(ty) {
            elements.ask(ty, id, BuildingCalls::Recipe(&corpus.recipe(id)?));
        }
        current.clear();
    }
    let mut result = inquiry.finish();
    let findings = elements.finish(&mut result.tallies);
    current.clear();
    Ok((result, findings))
}

/// The finding of a breach: its witness is the last of its structures, and the message shows the
/// others.
pub(crate) fn finding_of(corpus: &Corpus, breach: &BrokenContract) -> Result<Finding, StoreError> {
    let BrokenContract { problem, count, ids, ty, .. } = breach;
    let mut problem = problem.clone();
    if corpus.plan.suite.types.len() > 1 {
        let TypeIdx(ty) = *ty;
        problem.message =
            format!("{} ({})", problem.message, corpus.plan.suite.types[ty].name).into();
    }
    let Some(&last) = ids.iter().max() else {
        return Ok(Finding { problem, count: *count, witness: Witness::default() });
    };
    if let Some(others) = told_apart(corpus, ids, last)? {
        problem.message = format!("{}; {others}", problem.message).into();
    }
    let id = structure(last);
    let witness = Witness {
        number: Some(last),
        heap: corpus.graph(id)?,
        members: members(corpus, ids)?,
        ..Witness::of_recipe(corpus.recipe(id)?)
    };
    Ok(Finding { problem, count: *count, witness })
}

/// The calls that build each of these structures, if there are several.
fn members(corpus: &Corpus, ids: &[u64]) -> Result<Vec<Sequence>, StoreError> {
    let ids: BTreeSet<u64> = ids.iter().copied().collect();
    if ids.len() < 2 {
        return Ok(Vec::new());
    }
    let sequence = |id| {
        let recipe = corpus.recipe(structure(id))?;
        Ok(Sequence::of_recipe(&corpus.plan.suite, &recipe))
    };
    ids.into_iter().map(sequence).collect()
}

/// The text that identifies the structures `a`, `b` and `c`, if there are several.
fn told_apart(corpus: &Corpus, ids: &[u64], last: u64) -> Result<Option<String>, StoreError> {
    if ids.len() < 2 {
        return Ok(None);
    }
    let mut told = Vec::new();
    for (&id, name) in ids.iter().zip(["a", "b", "c"]) {
        told.push(match id == last {
            true => format!("{name} is the structure shown"),
            false => {
                let recipe = corpus.recipe(structure(id))?;
                let (source, _) = to_source(&corpus.plan.suite, &recipe);
                format!("{name} is that of `{}`", source.lines().collect::<Vec<_>>().join(" "))
            }
        });
    }
    Ok(Some(told.join(", ")))
}

fn structure(id: u64) -> StructureId {
    StructureId(u32::try_from(id).expect("the number of a structure"))
}

/// The contracts of a check in progress: one at most.
struct RunsOfContracts<'c> {
    corpus: &'c Corpus,
    current: &'c Current,
}

impl Questions for RunsOfContracts<'_> {
    fn noun(&self) -> &'static str {
        "contract"
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.current.get()
    }

    fn source(&self, [id, contract]: [u64; 2]) -> Option<String> {
        let name = CONTRACTS.get(contract as usize)?.name;
        let recipe = self.corpus.recipe(structure(id)).ok()?;
        let (source, _) = to_source(&self.corpus.plan.suite, &recipe);
        Some(format!("`{name}` on the structure {source}"))
    }

    fn end(&self) -> Option<ProcessEnd> {
        self.current.end()
    }

    fn tell_end(&self) {
        self.current.tell_end();
    }
}
