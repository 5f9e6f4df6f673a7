//! Two suites in lockstep: a type and its model, or two versions of a type.

use std::sync::Arc;

use beget_engine::store::Store;
use beget_engine::{Corpus, Settings};
use beget_plan::scope::Plan;
use beget_suite::{Lockstep, Suite, UnpairedMethod, in_lockstep};

use crate::generate::generate;
use crate::stores::StoreKind;
use crate::{InputError, Watch};

/// A plan whose structures are pairs.
#[derive(Debug)]
pub struct DiffPlan {
    plan: Plan,
    against: String,
    unpaired: Vec<UnpairedMethod>,
}

/// The result of a search for differences. The corpus holds the pairs; differences are findings of
/// its report, of the kind `model`.
#[derive(Debug)]
pub struct DiffRun<S = Box<dyn Store>> {
    /// The pairs.
    pub corpus: Corpus<S>,
    /// The name of the other suite.
    pub against: String,
    /// The methods that were not compared, and the reasons.
    pub unpaired: Vec<UnpairedMethod>,
}

impl DiffPlan {
    /// Pairs `plan` with `against`: every call is made on structures of both. The bounds of the
    /// plan apply to its own structures.
    ///
    /// # Errors
    ///
    /// [`InputError::NothingInCommon`] if there is no common constructor, or no other common
    /// method.
    pub fn new(plan: Plan, against: &Suite) -> Result<DiffPlan, InputError> {
        let lockstep = in_lockstep(&plan.suite, against);
        let is_planned = |name| {
            let mut planned = plan.methods.iter().map(|planned| plan.suite.method(planned.method));
            planned.any(|method| method.name == name)
        };
        let is_own = |unpaired: &UnpairedMethod| plan.suite.method_named(unpaired.method).is_some();
        let matters = |unpaired: &UnpairedMethod| !is_own(unpaired) || is_planned(unpaired.method);
        let unpaired = lockstep.unpaired.iter().filter(|one| matters(one)).cloned().collect();
        let Lockstep { suite, .. } = &lockstep;
        let paired = plan.methods.iter().filter(|planned| lockstep.is_paired(planned.method));
        let (constructors, others): (Vec<_>, Vec<_>) = paired
            .map(|planned| suite.method(planned.method))
            .partition(|method| method.is_constructor());
        if constructors.iter().all(|method| method.outputs.is_empty()) || others.is_empty() {
            let (suite, against) = (suite.name.clone(), against.name.clone());
            return Err(InputError::NothingInCommon { suite, against, unpaired });
        }
        let plan = plan.with(|draft| {
            draft.methods.retain(|planned| lockstep.is_paired(planned.method));
            draft.suite = Arc::new(lockstep.suite);
        });
        Ok(DiffPlan { plan, against: against.name.clone(), unpaired })
    }

    /// Explores the pairs within the limits of `watch`.
    pub fn run(&self, settings: Settings, store: StoreKind<'_>, watch: &Watch<'_>) -> DiffRun {
        self.result(generate(self.plan.clone(), settings, store, watch))
    }

    /// The result with these pairs: of a run that ends in the middle.
    pub fn result<S>(&self, corpus: Corpus<S>) -> DiffRun<S> {
        DiffRun { corpus, against: self.against.clone(), unpaired: self.unpaired.clone() }
    }

    /// The plan of the pairs.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The methods that cannot be compared, and the reasons.
    pub fn unpaired(&self) -> &[UnpairedMethod] {
        &self.unpaired
    }
}
