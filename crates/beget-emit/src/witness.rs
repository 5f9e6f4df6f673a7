//! Witnesses: structures that stand for others like them.

use beget_heap::HeapGraph;
use serde::{Deserialize, Serialize};

use crate::{ObjectRecord, objects_of};

/// The smallest of some structures that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessRecord {
    /// The clause that they break. `None` if it is their shape that they have in common.
    pub clause: Option<String>,
    /// The clause that rejects this one, if that is another. Then each of them is counted with another witness, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_by: Option<String>,
    /// How many there are.
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
    /// The structure `heap`, which no call is known to build, for `count` structures.
    pub fn new(clause: Option<&str>, count: u64, heap: &HeapGraph) -> Self {
        WitnessRecord {
            clause: clause.map(str::to_owned),
            rejected_by: None,
            count,
            heap: objects_of(heap),
            text: heap.to_text().lines().map(str::to_owned).collect(),
            recipe: None,
        }
    }

    /// The same, if another clause is the one that rejects it.
    #[must_use]
    pub fn behind(self, rejected_by: Option<&str>) -> Self {
        WitnessRecord { rejected_by: rejected_by.map(str::to_owned), ..self }
    }

    /// The same with its recipe, as source.
    #[must_use]
    pub fn with_recipe(self, source: &str) -> Self {
        WitnessRecord { recipe: Some(source.lines().map(str::to_owned).collect()), ..self }
    }
}
