//! Values merged by an abstraction: they are matched although their own heaps differ.
//!
//! Structures with equal abstractions count as one, and only the first of them is extended. That is
//! the purpose, but it may hide the one that matters. If a type also has its own heap, calls on a
//! sample of structures are repeated after the run, and the own heaps of their results are compared
//! with those of the structures that represent them.

use std::any::Any;
use std::collections::BTreeMap;

use beget_heap::{CanonicalForm, Encoder};
use beget_plan::scope::PlannedIdx;
use beget_process::guard::guarded;
use beget_suite::{Frame, Outcome, StateKind, Type, TypeIdx, to_source};

use crate::data::calls::{CallParts, recipe_of_call};
use crate::rebuild::rebuilder::Rebuilder;
use crate::rebuild::reconstruct::{CopyOptions, call_guarded, drop_frame};
use crate::run::corpus::Corpus;
use crate::store::{Store, StoreError, StructureId};

/// The approximate number of repeated calls, including those of recipes.
const MOST_CALLS: usize = 1 << 14;

/// The corpus with a note for each type whose abstraction merges values with different heaps. A run
/// that the clock or the user stopped is left unchanged.
pub(crate) fn with_merges<S: Store>(mut corpus: Corpus<S>) -> Corpus<S> {
    let has_heap = corpus.plan.suite.types.iter().any(|ty| ty.own_form.is_some());
    let extends_merged = corpus.plan.probe > 0;
    if has_heap && !extends_merged && corpus.report.stop_reason.is_reproducible() {
        let mut survey = Survey::new(&corpus);
        // Errors of the store were reported during the run, or will be to the next reader.
        let _ = survey.run();
        let notes = survey.notes();
        corpus.report.ledger.notes.extend(notes);
    }
    corpus
}

/// The observations of one type.
#[derive(Clone, Debug, Default)]
struct Merges {
    n_compared: u64,
    n_merged: u64,
    /// The first call that left a value with another heap.
    first: Option<(CallParts, Vec<StructureId>)>,
}

struct Survey<'c, S> {
    corpus: &'c Corpus<S>,
    rebuilder: Rebuilder<'c, S>,
    encoder: Encoder<'c>,
    /// The own forms of structures; `None` if there is none.
    own_forms: BTreeMap<StructureId, Option<CanonicalForm>>,
    merges: Vec<Merges>,
    n_calls: usize,
}

impl<'c, S: Store> Survey<'c, S> {
    fn new(corpus: &'c Corpus<S>) -> Self {
        Survey {
            corpus,
            rebuilder: Rebuilder::new(
                &corpus.plan,
                &corpus.calls,
                &corpus.store,
                CopyOptions::default(),
            ),
            encoder: Encoder::new(corpus.plan.coding()),
            own_forms: BTreeMap::new(),
            merges: vec![Merges::default(); corpus.plan.suite.types.len()],
            n_calls: 0,
        }
    }

    /// Makes the calls without structures, then those on single ones, in order, up to the limit.
    fn run(&mut self) -> Result<(), StoreError> {
        self.call_all(None)?;
        for id in (0..self.corpus.store.len()).map(StructureId::new) {
            if self.n_calls >= MOST_CALLS {
                break;
            }
            self.call_all(Some(id))?;
        }
        Ok(())
    }

    /// Makes the calls on one structure, or on none.
    fn call_all(&mut self, id: Option<StructureId>) -> Result<(), StoreError> {
        let plan = &self.corpus.plan;
        let types: Vec<TypeIdx> =
            id.map(|id| self.corpus.type_of(id)).transpose()?.into_iter().collect();
        for planned in plan.planned_idxs().filter(|&idx| plan.planned(idx).structures == types) {
            for tuple in 0..plan.planned(planned).n_tuples() {
                self.call(planned, tuple, id)?;
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        planned: PlannedIdx,
        tuple: usize,
        id: Option<StructureId>,
    ) -> Result<(), StoreError> {
        let plan = &self.corpus.plan;
        self.n_calls += 1 + id.map_or(0, |id| self.corpus.cost(id) as usize);
        let mut frame = Frame::default();
        if let Some(id) = id {
            // A structure that cannot be reconstructed was a finding of the run.
            let Some(value) = self.rebuilder.reconstruct(id)? else { return Ok(()) };
            frame.arguments.push(Some(value));
        }
        let method = plan.method(planned);
        let literals = plan.planned(planned).tuple(tuple);
        if call_guarded(method, &mut frame, &literals).is_ok_and(Outcome::leaves_structures) {
            let results = method.outputs.iter().map(|output| output.ty);
            let types = plan.planned(planned).structures.iter().copied().chain(results);
            let slots = frame.arguments.iter().chain(&frame.results);
            for (output, (slot, ty)) in slots.zip(types).enumerate() {
                let Some(value) = slot else { continue };
                if self.is_merged(&**value, ty)? {
                    let parts = CallParts { planned, output, tuple, panics: false };
                    let merges = &mut self.merges[ty.index()];
                    merges.n_merged += 1;
                    merges.first.get_or_insert_with(|| (parts, id.into_iter().collect()));
                }
            }
        }
        drop(drop_frame(frame));
        Ok(())
    }

    /// Returns whether a structure with another heap represents the value.
    fn is_merged(&mut self, value: &dyn Any, ty: TypeIdx) -> Result<bool, StoreError> {
        let described = &self.corpus.plan.suite.types[ty.index()];
        let Some(own_form) = described.own_form else { return Ok(false) };
        self.encoder.begin(ty.index() as u64);
        let walked = guarded(|| (described.walk)(value, &mut self.encoder));
        let form = match (walked, self.encoder.finish()) {
            (Ok(()), Ok(form)) => form.to_canonical(),
            _ => return Ok(false),
        };
        let Some(id) = self.corpus.store.find(form.as_ref())? else { return Ok(false) };
        let known = match self.own_forms.get(&id) {
            Some(known) => known.clone(),
            None => {
                self.n_calls += self.corpus.cost(id) as usize;
                let made = self.rebuilder.reconstruct(id)?;
                let known = made.and_then(|made| guarded(|| own_form(&*made)).ok().flatten());
                self.own_forms.insert(id, known.clone());
                known
            }
        };
        let own = guarded(|| own_form(value)).ok().flatten();
        let (Some(known), Some(own)) = (known, own) else { return Ok(false) };
        self.merges[ty.index()].n_compared += 1;
        Ok(known != own)
    }

    fn notes(&self) -> Vec<String> {
        let types = self.corpus.plan.suite.types.iter().zip(&self.merges);
        let merged = types.filter(|(_, merges)| merges.n_merged > 0);
        merged.map(|(ty, merges)| self.note(ty, merges)).collect()
    }

    fn note(&self, ty: &Type, merges: &Merges) -> String {
        let Merges { n_compared, n_merged, first } = merges;
        let recipe = first.as_ref().and_then(|(parts, structures)| {
            let Corpus { plan, calls, store, .. } = self.corpus;
            recipe_of_call(plan, calls, store, *parts, structures).ok()
        });
        let example = recipe.map_or_else(String::new, |recipe| {
            let source = to_source(&self.corpus.plan.suite, &recipe).0.replace('\n', " ");
            format!("; the first: {source}")
        });
        let seen_by = match ty.state {
            StateKind::Shown => format!("what `{}` shows", ty.name),
            _ => format!("the abstraction of `{}`", ty.name),
        };
        format!(
            "{seen_by} made {n_merged} of {n_compared} values that were looked at one with a \
             structure of another heap, so they were not extended (`probe: 1` in the scope extends them){example}"
        )
    }
}

#[cfg(test)]
mod tests {
    use beget_heap::{ClassKey, Decoder, Field, FormRef, Heap, Schema, Undecodable, Walker};
    use beget_plan::scope::Plan;
    use beget_suite::{Method, Suite, type_of};

    use super::*;
    use crate::common::{plan, suite};
    use crate::run::generate::Run;
    use crate::worker::explorer::Settings;

    /// A clock that shows its hour, of `HOURS`, and not the day.
    #[derive(Debug)]
    struct Clock {
        hour: u32,
        day: u32,
    }

    const HOURS: u32 = 1000;

    const CLOCK: &[Field] = &[Field { name: "hour", ty: "u32", skipped: false }];

    impl Heap for Clock {
        fn class() -> ClassKey {
            ClassKey::new::<Self>("Clock")
        }

        fn describe(schema: &mut Schema) {
            if schema.class(Self::class(), CLOCK) {
                u32::describe(schema);
            }
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            let class = Self::class();
            walker.begin_record(class);
            if walker.field(class, 0) {
                self.hour.walk(walker);
            }
            walker.end_record();
        }

        fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
            Ok(Clock { hour: decoder.field(Self::class(), 0)?, day: 0 })
        }
    }

    /// Clocks of each hour. `tick` leads from each to the next, and `sleep`, with each of three
    /// literals, from each to itself, a day later.
    fn clocks(state: StateKind, probe: u32) -> Plan {
        let mut ty = type_of::<Clock>("Clock", None);
        ty.state = state;
        let ty = ty.with_own_form(Some(|value| {
            let clock = value.downcast_ref::<Clock>()?;
            let bytes = [clock.hour, clock.day].map(u32::to_le_bytes).concat();
            Some(FormRef::new(&bytes).to_canonical())
        }));
        let of = suite();
        let new = Method {
            call: |call| {
                call.give(Clock { hour: 0, day: 0 });
                Outcome::Returned
            },
            ..of.methods[0].clone()
        };
        let tick = Method {
            name: "tick",
            path: "Clock::tick",
            params: of.methods[1].params[..1].to_vec(),
            call: |call| {
                let clock = call.structure::<Clock>(0);
                clock.hour = (clock.hour + 1).min(HOURS - 1);
                Outcome::Returned
            },
            ..of.methods[1].clone()
        };
        let sleep = Method {
            name: "sleep",
            path: "Clock::sleep",
            call: |call| {
                call.structure::<Clock>(0).day += 1;
                Outcome::Returned
            },
            ..of.methods[1].clone()
        };
        let suite = Suite { types: vec![ty], methods: vec![new, tick, sleep], ..of };
        plan(suite, &["new", "tick", "sleep"], HOURS).with(|draft| {
            draft.probe = probe;
            draft.methods[2].domains[0].truncate(3);
        })
    }

    fn notes(state: StateKind, probe: u32) -> Vec<String> {
        let settings = Settings { threads: 1, ..Settings::default() };
        let corpus = Run::new(clocks(state, probe)).settings(settings).go();
        assert_eq!(corpus.store.len(), u64::from(HOURS));
        let notes = corpus.report.ledger.notes;
        notes.into_iter().filter(|note| note.contains("made")).collect()
    }

    /// The number of structures whose calls are repeated. Structure n has a recipe of n + 1 calls.
    /// Each call counts with the recipe of its argument, and the recipe of a result counts when it
    /// is first compared.
    fn n_visited() -> u32 {
        let (mut n_calls, mut n_visited) = (2, 0);
        while n_calls < MOST_CALLS {
            let n_own = n_visited as usize + 1;
            n_calls += (1 + n_own) + (n_own + 1) + 3 * (1 + n_own);
            n_visited += 1;
        }
        n_visited
    }

    #[test]
    fn values_with_another_heap_than_their_structure_are_counted_in_a_sample() {
        let n = n_visited();
        assert_eq!(n, 80);
        let merged = format!(
            "made {} of {} values that were looked at one with a structure of another heap, so \
             they were not extended (`probe: 1` in the scope extends them); the first: ",
            3 * n,
            1 + 4 * n
        );
        for (state, seen_by) in [
            (StateKind::Abstraction, "the abstraction of `Clock`"),
            (StateKind::Shown, "what `Clock` shows"),
        ] {
            let notes = notes(state, 0);
            let [note] = &notes[..] else { panic!("{notes:?}") };
            assert!(note.starts_with(&format!("{seen_by} {merged}")), "{note}");
        }
    }

    #[test]
    fn values_that_are_extended_are_not_counted() {
        assert_eq!(notes(StateKind::Abstraction, 1), [""; 0]);
    }
}
