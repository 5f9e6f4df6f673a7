//! Witnesses: structures that stand for others like them.

use beget_plan::finding::Witness;
use beget_search::run::SideWitness;
use beget_suite::{Suite, to_source};
use serde::{Deserialize, Serialize};

use crate::records::{ObjectRecord, objects_of};

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
}

impl WitnessRecord {
    /// A structure that stands for others of one side of a comparison; its recipe calls methods of
    /// `suite`.
    pub(crate) fn of_side(suite: &Suite, side: &SideWitness) -> Self {
        let SideWitness { clause, rejected_by, count, witness } = side;
        let rejected_by = rejected_by.clone();
        WitnessRecord {
            rejected_by,
            ..WitnessRecord::of(suite, clause.as_deref(), *count, witness)
        }
    }

    /// A structure that stands for `count` structures, which break `clause` or have one shape.
    pub(crate) fn of(suite: &Suite, clause: Option<&str>, count: u64, witness: &Witness) -> Self {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        WitnessRecord {
            clause: clause.map(str::to_owned),
            rejected_by: None,
            count,
            heap: witness.heap.as_ref().map(objects_of).unwrap_or_default(),
            text: lines(&witness.text()),
            recipe: witness.recipe.as_ref().map(|recipe| lines(&to_source(suite, recipe).0)),
        }
    }
}
