//! Every structure of a plan.

use beget_engine::{Corpus, Interim, Settings, Watcher, generate_watched};
use beget_finding::{Progress, StopReason};
use beget_scope::Plan;

use crate::{Event, Watch};

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other searches.
pub fn generate(plan: Plan, settings: Settings, watch: &Watch<'_>) -> Corpus {
    watch.report(Event::Begin);
    generate_watched(plan, settings, &mut Watching(watch))
}

/// The watch over a run of calls.
struct Watching<'w>(&'w Watch<'w>);

impl Watcher for Watching<'_> {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.0.check(progress)
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.0.wait(interim);
    }
}
