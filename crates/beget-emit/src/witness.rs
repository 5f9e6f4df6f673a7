//! Witnesses: structures that stand for others like them.

use beget_heap::HeapGraph;
use serde::{Deserialize, Serialize};

use crate::{ObjectRecord, objects_of};

/// The smallest of some structures that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessRecord {
    /// What they have in common: the clause that rejects them, or their shape.
    pub label: String,
    /// How many there are.
    pub count: u64,
    /// Its heap, the root first. `None` if it cannot be shown: no value is like it.
    pub heap: Option<Vec<ObjectRecord>>,
    /// Its heap, one line per object.
    pub text: Vec<String>,
    /// A shortest recipe, as Rust statements, if calls build it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Vec<String>>,
}

impl WitnessRecord {
    /// The structure `heap`, which no call is known to build, for `count` structures.
    pub fn new(label: &str, count: u64, heap: &HeapGraph) -> Self {
        WitnessRecord {
            // Shapes have a line per object.
            label: label.trim_end().replace('\n', "; "),
            count,
            heap: Some(objects_of(heap)),
            text: heap.to_text().lines().map(str::to_owned).collect(),
            recipe: None,
        }
    }

    /// The same with its recipe, as source.
    #[must_use]
    pub fn with_recipe(self, source: &str) -> Self {
        WitnessRecord { recipe: Some(source.lines().map(str::to_owned).collect()), ..self }
    }
}
