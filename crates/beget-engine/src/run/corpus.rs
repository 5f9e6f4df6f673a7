//! The corpus: the results of a finished run, for everything downstream.

use beget_heap::FormRef;
use beget_plan::scope::Plan;
use beget_suite::{Recipe, TypeIdx};

use crate::data::calls::{CallParts, CallTable, numbered_call, recipe_of};
use crate::data::report::Report;
use crate::rebuild::reconstruct::{CopyOptions, CopyStrategy, choose_copy_strategy};
use crate::run::merged::StoreView;
use crate::store::{Origin, Store, StoreError, StructureId};

/// The results of a run: the structures and the report.
#[derive(Debug)]
pub struct Corpus<S = Box<dyn Store>> {
    /// The plan that was run.
    pub plan: Plan,
    /// The numbering of its calls.
    pub calls: CallTable,
    /// The structures.
    pub store: S,
    /// Everything else.
    pub report: Report,
}

impl<S: Store> Corpus<S> {
    /// The type of a structure.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn type_of(&self, id: StructureId) -> Result<TypeIdx, StoreError> {
        // Of a suite with one type no form is read.
        if let [_] = self.plan.suite.types[..] {
            return Ok(TypeIdx::new(0));
        }
        Ok(self.plan.type_of(self.store.form(id)?.as_ref()))
    }

    /// The type of the structure with this form.
    pub fn type_of_form(&self, form: FormRef<'_>) -> TypeIdx {
        self.plan.type_of(form)
    }

    /// A shortest recipe of a structure.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn recipe(&self, id: StructureId) -> Result<Recipe, StoreError> {
        recipe_of(&self.plan, &self.calls, &self.store, id)
    }

    /// The corpus with the values that probes have extended, numbered after the structures.
    pub fn with_merged(&self) -> Corpus<StoreView<'_>> {
        Corpus {
            plan: self.plan.clone(),
            calls: self.calls.clone(),
            store: StoreView { store: &self.store, merged: &self.report.merged.0 },
            report: self.report.clone(),
        }
    }

    /// The call that made a structure, on structures named by their numbers, such as `#3.add(4)`,
    /// and its parts.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn last_call(&self, id: StructureId) -> Result<(String, CallParts), StoreError> {
        let Origin { call, arguments } = self.store.origin(id)?;
        let parts = self.calls.parts(call);
        Ok((numbered_call(&self.plan, parts, &arguments), parts))
    }

    /// The number of calls of a structure's recipe: the level that it belongs to.
    pub fn cost(&self, id: StructureId) -> u32 {
        let mut end = 0;
        let level = self.report.levels.iter().find(|level| {
            end += level.new;
            id.number() < end
        });
        level.map_or(0, |level| level.calls)
    }

    /// The strategies for structures of each type at the start of the run.
    pub fn copy_strategies(&self, copy_options: CopyOptions) -> Vec<CopyStrategy> {
        let types = self.plan.suite.types.iter();
        types.map(|ty| choose_copy_strategy(ty, &self.plan, copy_options)).collect()
    }
}
