//! Reading a corpus: structures reconstructed one after another, and the choice of reported ones.

use std::any::Any;

use beget_heap::graph::{Object, Value};
use beget_heap::{CanonicalForm, Encoder, HeapGraph, Schema};
use beget_plan::scope::{FieldLimit, Proper};
use beget_process::guard::guarded;
use beget_suite::TypeIdx;

use crate::data::counted::counted_class;
use crate::rebuild::rebuilder::Rebuilder;
use crate::rebuild::reconstruct::CopyOptions;
use crate::rebuild::stored_graph::as_stored;
use crate::run::corpus::Corpus;
use crate::store::{Store, StoreError, StructureId, Totals};

/// Reconstructs structures of a corpus; the preparation is shared.
#[derive(Debug)]
pub struct Reader<'c, S = Box<dyn Store>> {
    corpus: &'c Corpus<S>,
    rebuilder: Rebuilder<'c, S>,
    /// Writes forms within the scope proper; without slack that is the whole scope.
    encoder: Encoder<'c>,
    proper: Option<&'c Proper>,
}

impl<S: Store> Corpus<S> {
    /// A reader that reconstructs structures and chooses the reported ones.
    pub fn reader(&self) -> Reader<'_, S> {
        Reader::new(self, CopyOptions::default())
    }

    /// Like [`Corpus::reader`], but makes structures by their recipes, even if their types can be
    /// decoded.
    pub fn reader_by_calls(&self) -> Reader<'_, S> {
        Reader::new(self, CopyOptions { no_decode: true, ..CopyOptions::default() })
    }

    /// Reconstructs a structure; `None` if it cannot be, because the subject is not deterministic.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn reconstruct(&self, id: StructureId) -> Result<Option<Box<dyn Any>>, StoreError> {
        self.reader().reconstruct(id)
    }

    /// A structure's heap as a graph.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn graph(&self, id: StructureId) -> Result<Option<HeapGraph>, StoreError> {
        self.reader().graph(id)
    }

    /// Totals over the reported structures: all of them or, in a run with slack, those within the
    /// scope proper.
    ///
    /// # Errors
    ///
    /// If the store cannot read them.
    pub fn totals(&self) -> Result<Totals, StoreError> {
        self.reader().totals()
    }
}

/// A reported structure.
#[derive(Clone, Debug)]
pub struct StructureReport {
    /// Its canonical form. If the structure could not be reconstructed, it is the store's, padded
    /// with zero bytes.
    pub form: CanonicalForm,
    /// Its heap; `None` if it could not be reconstructed, because the subject is not deterministic,
    /// or was not asked for.
    pub heap: Option<HeapGraph>,
    /// Objects of the counted class.
    n_objects: u32,
}

impl StructureReport {
    /// Adds the structure, which is of type `ty`, to totals that have a number for each type.
    fn add_to(&self, totals: &mut Totals, ty: TypeIdx) {
        totals.by_type[ty.index()] += 1;
        totals.digest = totals.digest.wrapping_add(self.form.digest());
        if ty.index() == 0 {
            let objects = self.n_objects as usize;
            let len = totals.by_objects.len().max(objects + 1);
            totals.by_objects.resize(len, 0);
            totals.by_objects[objects] += 1;
        }
    }
}

impl<'c, S: Store> Reader<'c, S> {
    pub(crate) fn new(corpus: &'c Corpus<S>, copy_options: CopyOptions) -> Self {
        let plan = &corpus.plan;
        let proper = plan.slack.as_ref();
        Reader {
            corpus,
            rebuilder: Rebuilder::new(plan, &corpus.calls, &corpus.store, copy_options),
            encoder: Encoder::new(plan.reported_coding()),
            proper,
        }
    }

    /// Reconstructs a structure; `None` if it cannot be, because the subject is not deterministic.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn reconstruct(&mut self, id: StructureId) -> Result<Option<Box<dyn Any>>, StoreError> {
        self.rebuilder.reconstruct(id)
    }

    /// A structure's heap as a graph; `None` if it cannot be reconstructed.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn graph(&mut self, id: StructureId) -> Result<Option<HeapGraph>, StoreError> {
        let graph = self.look_at(id, |reader, value, ty| reader.graph_of(value, ty))?;
        if self.corpus.plan.state().is_repeatable() {
            return Ok(graph);
        }
        let form = self.corpus.store.form(id)?;
        Ok(graph.map(|graph| as_stored(graph, form.as_ref(), &self.corpus.plan)))
    }

    /// The report of a structure; `None` if it lies only in the slack.
    ///
    /// # Errors
    ///
    /// If the store cannot read it.
    pub fn reported(&mut self, id: StructureId) -> Result<Option<StructureReport>, StoreError> {
        self.reported_with(id, true)
    }

    /// Like [`Reader::reported`], with the heap only if it is asked for: it takes most of the time.
    fn reported_with(
        &mut self,
        id: StructureId,
        has_heap: bool,
    ) -> Result<Option<StructureReport>, StoreError> {
        let report = |reader: &mut Self, value: &dyn Any, ty| reader.report(value, ty, has_heap);
        Ok(match self.look_at(id, report)? {
            Some(Some(StructureReport { heap, n_objects, .. }))
                if !self.corpus.plan.state().is_repeatable() =>
            {
                let form = self.corpus.store.form(id)?;
                let heap = heap.map(|heap| as_stored(heap, form.as_ref(), &self.corpus.plan));
                Some(StructureReport { form, heap, n_objects })
            }
            Some(reported) => reported,
            None if self.proper.is_some() => None,
            None => Some(StructureReport {
                form: self.corpus.store.form(id)?,
                heap: None,
                n_objects: 0,
            }),
        })
    }

    /// Returns whether a structure is counted as generated: it is of the main type and not in the
    /// slack only.
    ///
    /// # Errors
    ///
    /// If the store cannot read it.
    pub fn is_generated(&mut self, id: StructureId) -> Result<bool, StoreError> {
        let is_main = self.corpus.type_of(id)? == TypeIdx::new(0);
        Ok(is_main && (self.proper.is_none() || self.reported(id)?.is_some()))
    }

    /// All structures that count as generated, in order.
    ///
    /// # Errors
    ///
    /// If the store cannot read them.
    pub fn generated(&mut self) -> Result<Vec<StructureId>, StoreError> {
        let mut generated = Vec::new();
        for id in (0..self.corpus.store.len()).map(StructureId::new) {
            if self.is_generated(id)? {
                generated.push(id);
            }
        }
        Ok(generated)
    }

    /// Makes a structure and shows it to `look`. Walks and destructors are the subject's code,
    /// which may panic.
    fn look_at<R>(
        &mut self,
        id: StructureId,
        look: impl FnOnce(&mut Self, &dyn Any, TypeIdx) -> R,
    ) -> Result<Option<R>, StoreError> {
        let Some(value) = self.reconstruct(id)? else { return Ok(None) };
        let ty = self.corpus.type_of(id)?;
        let seen = guarded(|| look(self, &*value, ty)).ok();
        // A panic in a destructor does not matter here.
        let _ = guarded(|| drop(value));
        Ok(seen)
    }

    fn graph_of(&self, value: &dyn Any, ty: TypeIdx) -> HeapGraph {
        let plan = &self.corpus.plan;
        (plan.suite.types[ty.index()].graph)(value, plan.schema(), plan.layout())
    }

    fn report(&mut self, value: &dyn Any, ty: TypeIdx, has_heap: bool) -> Option<StructureReport> {
        let plan = &self.corpus.plan;
        self.encoder.begin(ty.index() as u64);
        (plan.suite.types[ty.index()].walk)(value, &mut self.encoder);
        let form = self.encoder.finish().ok()?.to_canonical();
        let n_objects = counted_class(plan).map_or(0, |class| self.encoder.objects_of(class));
        let heap = (has_heap || self.proper.is_some()).then(|| self.graph_of(value, ty));
        let keeps = |proper: &Proper| {
            let mut objects = heap.iter().flat_map(|heap| heap.objects());
            objects.all(|object| keeps_limits(object, plan.schema(), &proper.fields))
        };
        let is_within = self.proper.is_none_or(keeps);
        is_within.then_some(StructureReport { form, heap, n_objects })
    }

    /// Totals over the reported structures.
    ///
    /// # Errors
    ///
    /// If the store cannot read them.
    pub(crate) fn totals(&mut self) -> Result<Totals, StoreError> {
        match self.proper {
            None => Ok(self.corpus.store.totals()),
            Some(_) => self.totals_of(self.corpus.store.len()),
        }
    }

    /// Totals over the reported ones of the first `n` structures.
    ///
    /// # Errors
    ///
    /// If the store cannot read them.
    pub fn totals_of(&mut self, n: u64) -> Result<Totals, StoreError> {
        let mut totals =
            Totals { by_type: vec![0; self.corpus.plan.suite.types.len()], ..Totals::default() };
        for id in (0..n).map(StructureId::new) {
            if let Some(reported) = self.reported_with(id, false)? {
                reported.add_to(&mut totals, self.corpus.type_of(id)?);
            }
        }
        Ok(totals)
    }
}

/// Returns whether the integers of an object are within the limits of their fields.
fn keeps_limits(object: &Object, schema: &Schema, limits: &[FieldLimit]) -> bool {
    object.values.iter().all(|(path, value)| match value {
        Value::Int(value) => {
            let owner = schema.field_at(object.class, path);
            let mut of_field = limits
                .iter()
                .filter(|limit| owner == Some((limit.class.as_str(), limit.field.as_str())));
            of_field.all(|limit| limit.allows(*value))
        }
        _ => true,
    })
}
