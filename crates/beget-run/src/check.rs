//! Every contract and every repOK on every structure.

use beget_engine::Settings;
use beget_engine::store::{Store, StoreError};
use beget_oracle::has_elements;
use beget_oracle::rep_ok::Predicate;
use beget_plan::finding::{
    ELEMENTS_SURVIVE_LIES, MEMORY_FREED, MEMORY_SOUND, StopReason, USABLE_AFTER_PANIC,
};
use beget_plan::scope::{CallAudits, Plan};

use crate::asking::{Asking, OracleAnswers, of_answers};
use crate::checked::CheckRun;
use crate::failure_test::{FailureTest, RepOkSource, StructureQuestion, tell_unreproduced};
use crate::generate::generate;
use crate::{Input, OracleSet, StoreKind, Watch};

/// Makes every structure of `plan`, and checks the contracts that the input does not turn off and
/// `rep_oks`, which belong to its subject, on each reported one.
///
/// # Errors
///
/// If the store cannot read its contents.
pub fn check(
    input: &Input<'_>,
    rep_oks: &[&Predicate],
    plan: Plan,
    settings: Settings,
    store: StoreKind<'_>,
    watch: &Watch<'_>,
) -> Result<CheckRun, StoreError> {
    let audits = audits(input, &plan, watch);
    let plan = plan.with(|draft| {
        draft.follows_panics = input.asks_contract(USABLE_AFTER_PANIC);
        draft.audits = audits;
    });
    let set = OracleSet::of(input, rep_oks);
    let asking = Asking::new(watch, &set);
    let mut corpus = generate(plan, settings, store, &watch.with_levels(&asking));
    let OracleAnswers { oracles, stopped, omissions } = asking.finish(&corpus)?;
    watch.end_search();
    let leaves_out = !omissions.is_empty();
    omissions.into_iter().for_each(|omission| corpus.report.ledger.add_omission(omission));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Host;
    use crate::random::tests::{pen_input, pens};

    /// A host that outlives the end of calls, or not.
    struct Survivor(bool);

    impl Host for Survivor {
        fn seconds(&self) -> f64 {
            0.0
        }

        fn outlives_calls(&self) -> bool {
            self.0
        }
    }

    /// Pens have no elements that could lie.
    #[test]
    fn calls_are_audited_where_their_end_is_outlived() {
        let audited = |outlives: bool, fields: &str| {
            let host = Survivor(outlives);
            let watch = Watch::new(Default::default(), &host);
            let CallAudits { memory_sound, memory_freed, lies } =
                audits(&pen_input(fields), &pens(""), &watch);
            [memory_sound, memory_freed, lies]
        };
        assert_eq!(audited(false, ""), [false; 3]);
        assert_eq!(audited(true, ""), [true, true, false]);
        let one = r#"contracts: Only(["memory_freed"])"#;
        assert_eq!(audited(true, one), [false, true, false]);
    }
}
