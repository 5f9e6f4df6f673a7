//! Calls on copies compared with the same calls on rebuilt structures, for a sample: shared state
//! that no walk shows can still affect calls.
//!
//! Rebuilt structures are called outside the region, and allocations left by such a call show where
//! a subject keeps state.

use std::collections::BTreeSet;

use beget_process::alloc::{MemoryWatch, Survivors};

use beget_heap::{CanonicalForm, Schema};
use beget_plan::finding::Problem;
use beget_process::guard::last_panic;

use super::{
    Attempt, BlockResult, Calls, FrameError, Mark, Parent, Worker, attempts, begin_all, make_frame,
};
use crate::data::sightings::Sighting;
use crate::rebuild::reconstruct::{CopyPolicy, call_guarded, drop_frame, schema_of};
use crate::worker::checks::THOROUGH;

/// The number of times that calls on rebuilt structures are repeated before copies are blamed.
const REPEATS: usize = 8;

/// The results of the calls on one tuple of structures. A call that leaves its argument unchanged
/// may leave no candidate.
#[derive(PartialEq, Eq)]
struct Outcomes {
    forms: BTreeSet<CanonicalForm>,
    n_in_scope: u64,
    n_out_of_scope: u64,
    n_misuse: u64,
    n_failures: u64,
}

/// The fields of a schema that are raw pointers, with their classes.
fn raw_fields(schema: &Schema) -> Vec<String> {
    let is_raw = |ty: &str| ["*mut", "*const", "NonNull"].iter().any(|raw| ty.contains(raw));
    let fields = schema.classes().iter().flat_map(|class| {
        class.fields.iter().filter(|field| is_raw(field.ty)).map(|field| (class.key.name, field))
    });
    fields.map(|(class, field)| format!("{class}.{}", field.name)).collect()
}

fn listed(names: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

impl<'e> Worker<'e> {
    /// Makes the calls on copies and on rebuilt structures. If they differ, copies are not trusted.
    pub(super) fn run_compared(
        &mut self,
        copy_policy: CopyPolicy,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) {
        // First, because calls in the region must not be the first to fill a lazy static.
        let watches = copy_policy == CopyPolicy::Region;
        let rebuilt = self.rebuilt(watches, calls, parents);
        if self.result.lost.region || self.result.lost.trust {
            return;
        }
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let doubts_clones = copy_strategies.doubts_clones(&calls.group.types);
        let copied = if doubts_clones {
            self.run_by(CopyPolicy::Reconstruct, calls, parents);
            self.apart(parents, |worker| worker.run_by(CopyPolicy::Clone, calls, parents))
        } else {
            let mark = self.mark();
            self.run_by(copy_policy, calls, parents);
            self.outcomes_since(mark, parents)
        };
        if copied == rebuilt || self.result.lost.region {
            return;
        }
        // Random results may agree a few times.
        if (0..REPEATS).any(|_| self.rebuilt(false, calls, parents) != rebuilt) {
            // Then the copies are not the cause.
            match self.varying_call(calls, parents) {
                Some(attempt) => self.report_call(Problem::nondeterministic(), attempt, parents),
                None => self.report_frame(Problem::nondeterministic(), calls, parents),
            }
            return;
        }
        if copy_strategies.doubts_decoding(&calls.group.types)
            && self.apart(parents, |worker| worker.run_by(CopyPolicy::Reconstruct, calls, parents))
                != rebuilt
        {
            return self.distrust_decoding(calls, parents);
        }
        match copy_policy {
            CopyPolicy::Region => match self.misused_memory(calls, parents) {
                Some((problem, attempt)) => {
                    self.result.lost.trust = true;
                    self.report_call(problem, attempt, parents);
                }
                None => self.distrust(Problem::region_differs(), calls, parents),
            },
            CopyPolicy::Clone => self.distrust(Problem::clone_differs(), calls, parents),
            // Clones are not used in this run.
            CopyPolicy::Reconstruct => self.report_frame(Problem::clone_differs(), calls, parents),
        }
    }

    /// Reports that calls on decoded structures differ from calls on replayed ones: a promise about
    /// raw pointers does not hold.
    fn distrust_decoding(&mut self, calls: Calls<'e>, parents: &[Parent<'_>]) {
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let types = &self.plan().suite.types;
        let promised =
            calls.group.types.iter().filter(|&&ty| copy_strategies.doubts_decoding(&[ty]));
        let names: BTreeSet<_> = promised.clone().map(|ty| types[ty.index()].name).collect();
        let schemas = promised.map(|ty| schema_of(&types[ty.index()]));
        let fields: BTreeSet<_> = schemas.flat_map(|schema| raw_fields(&schema)).collect();
        let (names, fields) = (listed(names), listed(fields));
        self.distrust(Problem::decode_misleads(&names, &fields), calls, parents);
    }

    fn distrust(&mut self, problem: Problem, calls: Calls<'e>, parents: &[Parent<'_>]) {
        self.result.lost.trust = true;
        self.report_frame(problem, calls, parents);
    }

    /// Reports a problem of all calls on some structures; if there is no structure, for the first
    /// call.
    fn report_frame(&mut self, problem: Problem, calls: Calls<'_>, parents: &[Parent<'_>]) {
        match (parents, calls.group.methods.first()) {
            ([parent, ..], _) => self.report(problem, parent.id),
            ([], Some(&planned)) => {
                let call = self.shared.reconstructor.calls.call(planned, 0, 0);
                self.found.push(Sighting::new(problem, call, Vec::new()));
            }
            ([], None) => {}
        }
    }

    /// The outcomes on structures that are made again for each call: by their recipes, if decoding
    /// them relies on a promise that is checked.
    fn rebuilt(&mut self, watches: bool, calls: Calls<'e>, parents: &[Parent<'_>]) -> Outcomes {
        self.replays = self.is_promise_checked(calls, parents);
        let outcomes = self.rebuilt_as_set(watches, calls, parents);
        self.replays = false;
        outcomes
    }

    /// The first call with a different result when it is repeated on rebuilt structures; `None` if
    /// the structures differ, or the difference is random and does not show.
    fn varying_call(&mut self, calls: Calls<'e>, parents: &[Parent<'_>]) -> Option<Attempt> {
        attempts(self.shared, calls).find(|&attempt| {
            let mut make =
                || self.apart(parents, |worker| drop(worker.survivors(attempt, parents, true)));
            let first = make();
            (0..REPEATS).any(|_| make() != first)
        })
    }

    fn rebuilt_as_set(
        &mut self,
        watches: bool,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Outcomes {
        self.apart(parents, |worker| {
            if !watches {
                return worker.run_by(CopyPolicy::Reconstruct, calls, parents);
            }
            for attempt in attempts(worker.shared, calls) {
                match worker.call_watched(attempt, parents) {
                    Ok(()) if !worker.result.lost.region && !worker.result.lost.trust => {}
                    _ => break,
                }
            }
        })
    }

    /// Runs `work` for its outcomes. Of its results only losses and notes are kept.
    fn apart(&mut self, parents: &[Parent<'_>], work: impl FnOnce(&mut Self)) -> Outcomes {
        let lost = self.result.lost;
        let own =
            std::mem::replace(&mut self.result, BlockResult { lost, ..BlockResult::default() });
        let own_found = std::mem::take(&mut self.found);
        let start = self.mark();
        work(self);
        let outcomes = self.outcomes_since(start, parents);
        self.panicked.truncate(start.n_panicked);
        let apart = std::mem::replace(&mut self.result, own);
        self.result.lost |= apart.lost;
        self.result.ledger.notes.extend(apart.ledger.notes);
        let found = std::mem::replace(&mut self.found, own_found);
        if apart.lost.trust {
            self.found.extend(found);
        }
        outcomes
    }

    fn outcomes_since(&self, mark: Mark, parents: &[Parent<'_>]) -> Outcomes {
        let mut forms = self.result.candidates.forms_since(&mark.candidates);
        for parent in parents {
            forms.remove(parent.form.unpadded().as_bytes());
        }
        let (now, before) = (self.result.ledger.counters, mark.counters);
        Outcomes {
            forms,
            n_in_scope: now.kept + now.matched - before.kept - before.matched,
            n_out_of_scope: now.out_of_scope - before.out_of_scope,
            n_misuse: now.misuse - before.misuse,
            n_failures: now.failures - before.failures,
        }
    }

    /// Makes a call on rebuilt structures and checks for memory that outlives it (a cache, a leak):
    /// it would be lost with the region, or point into it.
    fn call_watched(&mut self, attempt: Attempt, parents: &[Parent<'_>]) -> Result<(), FrameError> {
        let Some(first) = self.survivors(attempt, parents, true)? else {
            self.lose_region_by_drop();
            return Ok(());
        };
        if first.is_empty() {
            return Ok(());
        }
        // The first time may fill something once (a lazy static).
        let Some(again) = self.survivors(attempt, parents, false)? else {
            self.lose_region_by_drop();
            return Ok(());
        };
        let is_seen =
            (first.are_held || first.blocks == 0) && (again.are_held || again.blocks == 0);
        if is_seen && first.are_watched && again.is_empty() {
            return Ok(());
        }
        let plan = self.plan();
        let name = plan.method(attempt.planned).name;
        let bytes = first.bytes.max(again.bytes);
        self.lose_region(format_args!(
            "{bytes} bytes of `{name}` outlive the call (a cache, or a leak)"
        ));
        // Earlier calls in the region may have left the same, where no scan has looked.
        let is_early = parents.iter().all(|parent| parent.id.number() < THOROUGH);
        if !is_seen && !is_early {
            self.result.lost.trust = true;
            self.report_call(Problem::region_differs(), attempt, parents);
        }
        Ok(())
    }

    fn lose_region_by_drop(&mut self) {
        self.result.lost.drops = true;
        self.lose_region("a destructor panicked, and most do not run in the region");
    }

    /// The memory that outlives a call on rebuilt structures and their destructors, of which none
    /// panicked. The call's outcome counts if `inspects`.
    fn survivors(
        &mut self,
        attempt: Attempt,
        parents: &[Parent<'_>],
        inspects: bool,
    ) -> Result<Option<Survivors>, FrameError> {
        let shared = self.shared;
        // Leftovers of an earlier panic must not be freed under the watch.
        drop(last_panic());
        self.current.set_making();
        begin_all(&mut self.decoders, parents);
        let mut watch = MemoryWatch::new();
        // Only the outcome of replayed structures is compared.
        let replays = self.replays && inspects;
        let mut frame = watch
            .run(|| make_frame(&shared.reconstructor, &mut self.decoders, parents, replays))?;
        self.note(attempt);
        let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
        let returned = watch.run(|| call_guarded(method, &mut frame, literals));
        if inspects {
            self.inspect(attempt, parents, &frame, returned, true);
        }
        drop(last_panic());
        self.note(attempt);
        let drops_quietly = watch.run(|| drop_frame(frame)).is_none();
        let survivors = watch.finish();
        Ok(drops_quietly.then_some(survivors))
    }
}
