//! The nearest structure of the other side, for each witness of a comparison.
//!
//! The distance of two structures is the number of changes that lead from one to the other. The
//! API's structures are read once, and no more than [`MOST_READ`] of them. A comparison does not
//! keep the structures that the repOK admits, so a witness that only calls build is compared with
//! the structures of both sides, and with the witnesses of the repOK's side.

use beget_engine::Corpus;
use beget_engine::store::{StoreError, StructureId};
use beget_heap::HeapGraph;
use beget_heap::view::{Table, Verdict};
use beget_oracle::rep_ok::Checker;
use beget_plan::finding::Witness;
use beget_suite::Recipe;

use super::api::ApiForms;
use super::{SideReader, SideWitness};
use crate::repok::FormSet;
use beget_run::MAX_READS;

/// The most structures that are read, evenly spread over the run.
const MOST_READ: usize = 5_000;

/// The most witnesses of a side that have a nearest structure: the first.
const MOST_SOUGHT: usize = 24;

pub(super) struct NearestSearch<'s> {
    pub(super) corpus: &'s Corpus,
    pub(super) api: &'s ApiForms<'s>,
    pub(super) side: &'s SideReader<'s>,
    pub(super) rep_ok: &'s dyn Fn(&Table) -> Verdict,
}

impl NearestSearch<'_> {
    /// Adds the nearest structures to the witnesses of both sides.
    pub(super) fn fill(
        &self,
        only_api: &mut [SideWitness],
        only_rep_ok: &mut [SideWitness],
    ) -> Result<(), StoreError> {
        let admitted: Vec<HeapGraph> =
            only_rep_ok.iter().filter_map(|one| one.witness.heap.clone()).collect();
        let (n_api, n_rep_ok) =
            (only_api.len().min(MOST_SOUGHT), only_rep_ok.len().min(MOST_SOUGHT));
        let (only_api, only_rep_ok) = (&mut only_api[..n_api], &mut only_rep_ok[..n_rep_ok]);
        if only_api.is_empty() && only_rep_ok.is_empty() {
            return Ok(());
        }
        let plan = &self.corpus.plan;
        let mut checker = Checker::new(&self.side.subject.shapes, plan.coding(), MAX_READS);
        let numbers: Vec<usize> = self.api.numbers().collect();
        for number in spread(&numbers) {
            let form = self.api.form(number);
            let form = form.as_ref();
            let Some(heap) = self.side.heap(form) else { continue };
            let id = StructureId::new(number as u64);
            let recipe = || self.corpus.recipe(id).map(Some);
            offer(&heap, recipe, only_rep_ok)?;
            if !only_api.is_empty() && matches!(checker.check(self.rep_ok, form), Ok(Ok(()))) {
                offer(&heap, recipe, only_api)?;
            }
        }
        admitted.iter().try_for_each(|heap| offer(heap, || Ok(None), only_api))
    }
}

/// Some of many numbers, evenly spread.
fn spread(numbers: &[usize]) -> impl Iterator<Item = usize> {
    let n = numbers.len().min(MOST_READ);
    (0..n).map(move |at| numbers[at * numbers.len() / n])
}

/// Keeps a structure where it is nearer than the one before it.
fn offer(
    heap: &HeapGraph,
    recipe: impl Fn() -> Result<Option<Recipe>, StoreError>,
    witnesses: &mut [SideWitness],
) -> Result<(), StoreError> {
    for SideWitness { witness, nearest, distance, .. } in witnesses {
        let Some(of_witness) = &witness.heap else { continue };
        let least = if nearest.is_some() { *distance } else { usize::MAX };
        // Each object more or less is a change.
        if of_witness.objects().len().abs_diff(heap.objects().len()) >= least {
            continue;
        }
        let n_changes = heap.changes_to(of_witness).len();
        if n_changes < least {
            let recipe = recipe()?;
            *nearest = Some(Witness { recipe, ..Witness::of_heap(heap.clone()) });
            *distance = n_changes;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_are_taken_where_they_are_few_and_the_spread_is_even_where_not() {
        assert_eq!(spread(&[3, 5, 8]).collect::<Vec<_>>(), [3, 5, 8]);
        assert_eq!(spread(&[]).count(), 0);
        let many: Vec<usize> = (0..2 * MOST_READ).collect();
        assert_eq!(spread(&many).take(3).collect::<Vec<_>>(), [0, 2, 4]);
        assert_eq!(spread(&many).count(), MOST_READ);
    }
}
