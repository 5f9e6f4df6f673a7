//! The one plug of all that judges structures.
//!
//! A run shows an [`Oracle`] each structure that it reports, in the order of their numbers, when
//! the level is complete that found it. The oracle answers through [`Verdicts`]. Structures are
//! numbers until a value is asked for: an oracle that looks at forms alone makes none.

use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

use beget_heap::{CanonicalForm, Decoder, HeapGraph};
use beget_plan::scope::Plan;
use beget_suite::{Recipe, Sequence, TypeIdx, without_keys};

use crate::specimen::GuardedValue;
use crate::verdicts::Verdicts;

/// Judges the structures of a run.
///
/// It is asked on one thread at a time, under a guard: a panic of the code under test ends the
/// question and not the run.
pub trait Oracle: Send {
    /// The name of what it is: the word for one of its questions, and the name of its only question
    /// if it does not name several.
    fn name(&self) -> &'static str;

    /// The names of its questions, which tallies have. Verdicts name a question by its position.
    fn questions(&self) -> Vec<&'static str> {
        vec![self.name()]
    }

    /// Prepares for a run of the plan. Returns whether there is anything to ask.
    fn applies(&mut self, plan: &Plan) -> bool {
        let _ = plan;
        true
    }

    /// Returns whether it judges structures of a type.
    fn judges(&self, ty: TypeIdx) -> bool {
        let _ = ty;
        true
    }

    /// Judges a structure. Its number is larger than those before.
    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>);

    /// Judges what needs all structures of a level, at its end. Every level has one, so what is
    /// said about earlier structures once more must [replace](Verdicts::replace) what was said
    /// before.
    fn finish(&mut self, structures: &mut Structures<'_>, verdicts: &mut Verdicts<'_>) {
        let _ = (structures, verdicts);
    }

    /// Its memory of the structures so far, as numbers. If the process that asks it dies,
    /// a new one goes on with these.
    fn memory(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Goes on with what another one has remembered.
    fn recall(&mut self, memory: &[u64]) {
        let _ = memory;
    }
}

/// Makes the structures of a run.
pub trait StructureSource {
    /// The value of a structure, a new one each time; `None` if it cannot be made.
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>>;

    /// Its canonical form.
    fn form(&mut self, id: u64) -> Option<CanonicalForm> {
        let _ = id;
        None
    }

    /// A shortest recipe of it.
    fn recipe(&mut self, id: u64) -> Option<Recipe> {
        let _ = id;
        None
    }

    /// The calls that build it, where no recipe says them.
    fn sequence(&mut self, id: u64) -> Option<Sequence> {
        let _ = id;
        None
    }
}

/// The structures so far, by their numbers.
pub struct Structures<'s> {
    /// The plan of the run.
    pub plan: &'s Plan,
    source: &'s mut dyn StructureSource,
    shelf: &'s mut Shelf,
    decoder: Option<Decoder<'s>>,
}

/// Values of structures that others are compared with.
#[derive(Default)]
pub struct Shelf {
    values: BTreeMap<u64, Rc<GuardedValue>>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.values.keys()).finish()
    }
}

impl std::fmt::Debug for Structures<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Structures").field("shelf", &self.shelf).finish_non_exhaustive()
    }
}

impl<'s> Structures<'s> {
    /// Structures of `plan` that `source` makes; `shelf` keeps values of some.
    pub fn new(plan: &'s Plan, source: &'s mut dyn StructureSource, shelf: &'s mut Shelf) -> Self {
        Structures { plan, source, shelf, decoder: None }
    }

    /// The value of a structure, a new one each time; `None` if it cannot be made.
    pub(crate) fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        self.source.make(id)
    }

    /// The value of a structure that others are compared with. It is made once, and kept.
    pub(crate) fn kept(&mut self, id: u64) -> Option<Rc<GuardedValue>> {
        if let Some(known) = self.shelf.values.get(&id) {
            return Some(known.clone());
        }
        let value = Rc::new(GuardedValue::new(self.source.make(id)?));
        self.shelf.values.insert(id, value.clone());
        Some(value)
    }

    /// The canonical form of a structure.
    pub(crate) fn form(&mut self, id: u64) -> Option<CanonicalForm> {
        self.source.form(id)
    }

    /// A decoder for forms of the plan.
    pub(crate) fn decoder(&mut self) -> &mut Decoder<'s> {
        self.decoder.get_or_insert_with(|| Decoder::new(self.plan.coding(), 16))
    }

    /// A shortest recipe of a structure.
    pub fn recipe(&mut self, id: u64) -> Option<Recipe> {
        self.source.recipe(id)
    }

    /// The calls that build a structure, where no recipe says them.
    pub fn sequence(&mut self, id: u64) -> Option<Sequence> {
        self.source.sequence(id)
    }
}

/// A structure that is judged.
#[derive(Debug)]
pub struct StructureView<'v, 's> {
    /// Its number.
    pub id: u64,
    /// Its type.
    pub ty: TypeIdx,
    /// This one and those before.
    pub structures: &'v mut Structures<'s>,
}

impl<'s> StructureView<'_, 's> {
    /// The plan of the run.
    pub fn plan(&self) -> &'s Plan {
        self.structures.plan
    }

    /// Its value, a new one each time; `None` if it cannot be made.
    pub(crate) fn make(&mut self) -> Option<Box<dyn Any>> {
        self.structures.make(self.id)
    }

    /// Its canonical form.
    pub fn form(&mut self) -> Option<CanonicalForm> {
        self.structures.form(self.id)
    }

    /// Shows its value, which is a `T`, to `look`; `None` if it is none, or cannot be made.
    pub fn with<T: Any, R>(&mut self, look: impl FnOnce(&T) -> R) -> Option<R> {
        let value = GuardedValue::new(self.make()?);
        without_keys(&*value).downcast_ref::<T>().map(look)
    }

    /// Its heap; `None` if its value cannot be made.
    pub fn graph(&mut self) -> Option<HeapGraph> {
        let value = GuardedValue::new(self.make()?);
        let plan = self.plan();
        Some((plan.suite.types[self.ty.index()].graph)(&*value, plan.schema(), plan.layout()))
    }
}
