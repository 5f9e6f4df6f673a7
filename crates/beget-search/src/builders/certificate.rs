//! The certificate: a proof that a set of methods builds exactly what the full API builds, and that
//! it needs each of its methods.
//!
//! It trusts no search. Each statement comes from making the calls of the methods involved: of the
//! full API, of the builders, and of the builders without each one of them. A method is needed
//! because a structure is lost without it; that structure is kept with a shortest recipe and its
//! heap.
//!
//! At a larger scope a set is [confirmed](confirm) instead of certified again: the builders'
//! closure is generated, then all other methods are tried on it until a new structure appears.

use std::collections::BTreeSet;

use beget_engine::store::{ExactStore, Store, StoreError, StructureId};
use beget_engine::{Closure, Corpus, Explorer, Interim, Observer, Run, Settings};
use beget_heap::{CanonicalForm, FormRef};
use beget_plan::finding::{Progress, StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::TypeIdx;

use crate::builders::space::{BuiltExtent, Goal};

/// The need for one method of the set.
#[derive(Clone, Debug)]
pub struct Need {
    /// The method.
    pub method: PlannedIdx,
    /// The extent of the set without it.
    pub without: BuiltExtent,
    /// The first structure that is lost without it, in the order of generation by the set. `None`
    /// if the method is superfluous.
    pub loss: Option<Witness>,
}

/// The certificate of a set of methods at one scope.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The scope's number.
    pub k: u32,
    /// The structures that count.
    pub goal: Goal,
    /// The extent of the full API.
    pub full: BuiltExtent,
    /// The extent of the set.
    pub builders: BuiltExtent,
    /// The first structure that only the full API builds.
    pub missing: Option<Witness>,
    /// The need for each method of the set, in suite order.
    pub needs: Vec<Need>,
}

impl Certificate {
    /// Returns whether the set builds exactly what the full API builds.
    pub fn is_sufficient(&self) -> bool {
        self.full == self.builders
    }

    /// Returns whether each method is needed to build what the set builds.
    pub fn is_minimal(&self) -> bool {
        self.needs.iter().all(|need| need.loss.is_some())
    }

    /// A sentence that says why the set is sufficient, or that it is not.
    pub fn why_sufficient(&self) -> String {
        let Certificate { k, full, builders, .. } = self;
        if self.is_sufficient() {
            return format!(
                "generated at k = {k}: the full API and the builders give the same {} structures, digest {:032x}",
                full.structures, full.digest
            );
        }
        format!(
            "generated at k = {k}: the full API gives {} structures, the set only {}",
            full.structures, builders.structures
        )
    }

    /// A sentence that says why the set is minimal, or that it is not.
    pub fn why_minimal(&self, plan: &Plan) -> String {
        let name = |need: &Need| plan.method_name(need.method);
        let superfluous: Vec<_> =
            self.needs.iter().filter(|need| need.loss.is_none()).map(name).collect();
        if !superfluous.is_empty() {
            return format!("not needed at k = {}: {}", self.k, superfluous.join(", "));
        }
        let left = |need: &Need| format!("{} without {}", need.without.structures, name(need));
        let all: Vec<String> = self.needs.iter().map(left).collect();
        let Certificate { k, builders, .. } = self;
        format!("generated at k = {k}: {} structures, but {}", builders.structures, all.join(", "))
    }
}

/// The check of a set of methods at another scope than its own.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// The scope's number.
    pub k: u32,
    /// The extent of the set.
    pub builders: BuiltExtent,
    /// A structure that only the full API builds, with a recipe that need not be shortest. `None`
    /// if the set is sufficient.
    pub missing: Option<Witness>,
    /// Methods that are not needed at this scope, in suite order, each by itself.
    pub superfluous: Vec<PlannedIdx>,
}

/// Certifies any set of `methods`.
///
/// # Errors
/// If `watcher` or the plan's budget stops a generation.
pub fn certify(
    plan: &Plan,
    methods: &[PlannedIdx],
    goal: Goal,
    settings: Settings,
    watcher: &mut dyn Observer,
) -> Result<Certificate, StopReason> {
    let full = extent_of(&generate_with(plan, &all_of(plan), settings, watcher)?, goal)?;
    certify_against(full, plan, methods, goal, settings, watcher)
}

/// Like [`certify`], with the known extent `full` of the full API.
pub(crate) fn certify_against(
    full: BuiltExtent,
    plan: &Plan,
    methods: &[PlannedIdx],
    goal: Goal,
    settings: Settings,
    watcher: &mut dyn Observer,
) -> Result<Certificate, StopReason> {
    let by_set = generate_with(plan, methods, settings, watcher)?;
    let mut needs = Vec::new();
    for &method in methods {
        let others: Vec<PlannedIdx> =
            methods.iter().copied().filter(|&other| other != method).collect();
        let without = generate_with(plan, &others, settings, watcher)?;
        let extent = extent_of(&without, goal)?;
        needs.push(Need { method, without: extent, loss: first_loss(&by_set, &without, goal)? });
    }
    let builders = extent_of(&by_set, goal)?;
    let missing = match full == builders {
        true => None,
        // Again, level by level, so that the recipe is a shortest one.
        false => {
            first_loss(&generate_with(plan, &all_of(plan), settings, watcher)?, &by_set, goal)?
        }
    };
    Ok(Certificate { k: plan.k, goal, full, builders, missing, needs })
}

fn all_of(plan: &Plan) -> Vec<PlannedIdx> {
    plan.planned_idxs().collect()
}

/// Generates with a part of a plan's methods. Bounds and encoding stay those of the plan, so that
/// digests can be compared.
pub(crate) fn generate_with(
    plan: &Plan,
    methods: &[PlannedIdx],
    settings: Settings,
    watcher: &mut dyn Observer,
) -> Result<Corpus, StopReason> {
    let planned = methods.iter().map(|&method| plan.planned(method).clone()).collect();
    let part = plan.clone().with(|draft| draft.methods = planned);
    let store = |plan: &Plan| Ok(Box::new(ExactStore::of(plan)) as Box<dyn Store>);
    let corpus = Run::new(part).settings(settings).store(&store).observe(watcher).go();
    match corpus.report.stop_reason {
        StopReason::Exhausted => Ok(corpus),
        reason => Err(reason),
    }
}

pub(crate) fn extent_of(corpus: &Corpus, goal: Goal) -> Result<BuiltExtent, StoreError> {
    BuiltExtent::of(&corpus.store, goal, |form| corpus.type_of_form(form))
}

/// The first structure of `whole` that `part` lacks.
fn first_loss(whole: &Corpus, part: &Corpus, goal: Goal) -> Result<Option<Witness>, StoreError> {
    let kept = forms(&part.store)?;
    let is_lost = |form: FormRef<'_>| {
        let counts = goal == Goal::Everything || whole.type_of_form(form) == TypeIdx::new(0);
        counts && !kept.contains(form.unpadded().as_bytes())
    };
    let Some(lost) = first(&whole.store, 0, is_lost)? else { return Ok(None) };
    Ok(Some(Witness { heap: whole.graph(lost)?, ..Witness::of_recipe(whole.recipe(lost)?) }))
}

fn forms(store: &dyn Store) -> Result<BTreeSet<CanonicalForm>, StoreError> {
    let mut forms = BTreeSet::new();
    store.scan(0..store.len(), &mut |_, form| {
        forms.insert(form.unpadded().to_canonical());
    })?;
    Ok(forms)
}

/// The first structure from number `start` on for which `is_meant` holds.
fn first(
    store: &dyn Store,
    start: u64,
    is_meant: impl Fn(FormRef<'_>) -> bool,
) -> Result<Option<StructureId>, StoreError> {
    let mut found = None;
    store.scan(start..store.len(), &mut |id, form| {
        if found.is_none() && is_meant(form) {
            found = Some(id);
        }
    })?;
    Ok(found)
}

/// Checks `methods` at the scope of `plan`, whose methods are the full API.
///
/// # Errors
/// If `watcher` or the plan's budget stops it before the answer is known.
pub fn confirm(
    plan: &Plan,
    methods: &[PlannedIdx],
    goal: Goal,
    settings: Settings,
    watcher: &mut dyn Observer,
) -> Result<Confirmation, StopReason> {
    let explorer = Explorer::new(plan, settings);
    let by_set = closure(&explorer, methods, watcher)?;
    let builders = extent_of_closure(&by_set, goal)?;
    let mut superfluous = Vec::new();
    for &method in methods {
        let others: Vec<PlannedIdx> =
            methods.iter().copied().filter(|&other| other != method).collect();
        let without = closure(&explorer, &others, watcher)?;
        if extent_of_closure(&without, goal)? == builders {
            superfluous.push(method);
        }
    }
    let missing = missing(by_set, goal, watcher)?;
    Ok(Confirmation { k: plan.k, builders, missing, superfluous })
}

fn closure<'e, 'p>(
    explorer: &'e Explorer<'p>,
    methods: &[PlannedIdx],
    watcher: &mut dyn Observer,
) -> Result<Closure<'e, 'p>, StopReason> {
    let mut closure = explorer.empty();
    match closure.extend(methods, watcher) {
        StopReason::Exhausted => Ok(closure),
        reason => Err(reason),
    }
}

fn extent_of_closure(closure: &Closure<'_, '_>, goal: Goal) -> Result<BuiltExtent, StoreError> {
    BuiltExtent::of(closure.store(), goal, |form| closure.type_of_form(form))
}

/// Tries all methods on the structures of `closure`, until one is found that it lacks.
fn missing(
    mut closure: Closure<'_, '_>,
    goal: Goal,
    watcher: &mut dyn Observer,
) -> Result<Option<Witness>, StopReason> {
    let n_known = closure.store().len();
    let all: Vec<PlannedIdx> = closure.plan().planned_idxs().collect();
    let n_enough = if goal == Goal::Everything { n_known } else { u64::MAX };
    let mut until_more = UntilMore { n_enough, is_found: false, watcher };
    let stopped = closure.extend(&all, &mut until_more);
    if !until_more.is_found && stopped != StopReason::Exhausted {
        return Err(stopped);
    }
    let counts = |form: FormRef<'_>| {
        goal == Goal::Everything || closure.type_of_form(form) == TypeIdx::new(0)
    };
    let Some(lost) = first(closure.store(), n_known, counts)? else { return Ok(None) };
    Ok(Some(Witness { heap: closure.graph(lost)?, ..Witness::of_recipe(closure.recipe(lost)?) }))
}

/// Stops a run as soon as it has more structures than needed.
struct UntilMore<'w> {
    n_enough: u64,
    is_found: bool,
    watcher: &'w mut dyn Observer,
}

impl Observer for UntilMore<'_> {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.is_found = progress.structures > self.n_enough;
        if self.is_found { Some(StopReason::Interrupted) } else { self.watcher.check(progress) }
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.watcher.wait(interim);
    }
}
