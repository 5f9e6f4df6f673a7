//! Witnesses: structures that stand for others like them.

use beget_heap::HeapGraph;
use beget_plan::finding::Witness;
use beget_search::run::SideWitness;
use beget_suite::{Suite, to_source};
use serde::{Deserialize, Serialize};

use crate::records::{ChangeRecord, ObjectRecord, objects_of};

/// The smallest of some structures that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessRecord {
    /// The clause that they break. `None` if it is their shape that they have in common.
    pub clause: Option<String>,
    /// The clause that rejects this one, if that is another. Then each of them is counted with
    /// another witness, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_by: Option<String>,
    /// The number of such structures.
    pub count: u64,
    /// Its heap, the root first.
    pub heap: Vec<ObjectRecord>,
    /// Its heap, one line per object.
    pub text: Vec<String>,
    /// A shortest recipe, as Rust statements, if calls build it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Vec<String>>,
    /// The nearest structure of the other side, where a page shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearestRecord>,
}

/// The nearest structure of the other side of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearestRecord {
    /// Its heap, the root first.
    pub heap: Vec<ObjectRecord>,
    /// A shortest recipe, as Rust statements, if calls build it.
    pub recipe: Option<Vec<String>>,
    /// The changes that lead from it to the witness.
    pub changed: Vec<ChangeRecord>,
}

impl NearestRecord {
    /// The variable in the changes.
    pub(crate) const VARIABLE: &str = "structure";

    fn of(suite: &Suite, nearest: &Witness, witness: &HeapGraph) -> Option<Self> {
        let change = |change| ChangeRecord::of(NearestRecord::VARIABLE, &change);
        let heap = nearest.heap.as_ref()?;
        Some(NearestRecord {
            heap: objects_of(heap),
            recipe: nearest.recipe.as_ref().map(|recipe| lines(&to_source(suite, recipe).0)),
            changed: heap.changes_to(witness).into_iter().map(change).collect(),
        })
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

impl WitnessRecord {
    /// A structure that stands for others of one side of a comparison; its recipe calls methods of
    /// `suite`.
    pub(crate) fn of_side(suite: &Suite, side: &SideWitness) -> Self {
        let SideWitness { clause, rejected_by, count, witness, nearest, .. } = side;
        let rejected_by = rejected_by.clone();
        let nearest = nearest.as_ref();
        WitnessRecord {
            rejected_by,
            nearest: nearest.and_then(|one| NearestRecord::of(suite, one, witness.heap.as_ref()?)),
            ..WitnessRecord::of(suite, clause.as_deref(), *count, witness)
        }
    }

    /// A structure that stands for `count` structures, which break `clause` or have one shape.
    pub(crate) fn of(suite: &Suite, clause: Option<&str>, count: u64, witness: &Witness) -> Self {
        WitnessRecord {
            clause: clause.map(str::to_owned),
            rejected_by: None,
            count,
            heap: witness.heap.as_ref().map(objects_of).unwrap_or_default(),
            text: lines(&witness.text()),
            recipe: witness.recipe.as_ref().map(|recipe| lines(&to_source(suite, recipe).0)),
            nearest: None,
        }
    }
}
