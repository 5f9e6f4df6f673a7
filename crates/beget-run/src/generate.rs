//! Every structure of a plan.

use beget_engine::{BlockRunner, Corpus, Settings};
use beget_plan::scope::Plan;
use beget_suite::StateKind;

use crate::failure_test::tell_unreproduced;
use crate::integers::with_int_ranges;
use crate::stores::{StoreKind, generate_on};
use crate::{Watch, bytes};

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other
/// searches.
///
/// If `store` has a saved run, that is continued; it must be of this plan.
///
/// Structures identified by their memory are made by several processes, which the host of `watch`
/// lends; such runs are not saved.
pub fn generate(plan: Plan, settings: Settings, store: StoreKind<'_>, watch: &Watch<'_>) -> Corpus {
    let mut corpus = match plan.state() {
        StateKind::Bytes => bytes::generate(&plan, settings, store, watch),
        _ => {
            let runner: &dyn BlockRunner = match watch.machines() {
                None => watch.runner(),
                Some(machines) => machines,
            };
            generate_on(runner, with_int_ranges(plan, settings, watch), settings, store, watch)
        }
    };
    watch.end_search();
    // Calls made by workers do not affect this process.
    if !watch.has_workers() {
        let Corpus { plan, report, .. } = &mut corpus;
        tell_unreproduced(plan, &mut report.findings);
    }
    corpus
}
