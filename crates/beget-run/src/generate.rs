//! Every structure of a plan.

use beget_engine::{Corpus, Settings};
use beget_scope::Plan;

use crate::{Event, Watch};

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other searches.
pub fn generate(plan: Plan, settings: Settings, watch: &Watch<'_>) -> Corpus {
    watch.report(Event::Begin);
    beget_engine::generate(plan, settings, &mut |progress| watch.check(progress))
}
