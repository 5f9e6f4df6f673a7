//! The calls of a finding, each with what it left.

use beget_heap::HeapChange;
use beget_heap::graph::ChangeKind;
use beget_run::FilmStep;
use serde::{Deserialize, Serialize};

use crate::records::{ObjectRecord, objects_of};

/// One call of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The call, as Rust source.
    pub source: String,
    /// The return value, or the way the call ended; `None` if that is unknown.
    pub returned: Option<String>,
    /// The variable of the structure that it is about.
    pub variable: Option<String>,
    /// That structure after the call, the root first.
    pub heap: Option<Vec<ObjectRecord>>,
    /// The changes of the structures that the call was made on.
    pub changed: Vec<ChangeRecord>,
    /// The same call of the other suite, where two are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Box<StepRecord>>,
}

/// A field, or a whole object, that a call has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// The variable of the structure.
    pub variable: String,
    /// The object's number after the call; that before the call if it is gone.
    pub object: usize,
    /// Its class.
    pub class: String,
    /// The field; `None` if the object is new or gone.
    pub field: Option<String>,
    /// The value before the call; `None` if there was none.
    pub before: Option<String>,
    /// The value after it; `None` if there is none.
    pub after: Option<String>,
}

impl StepRecord {
    /// The record of a step.
    pub(crate) fn of(step: &FilmStep) -> Self {
        let change = |(variable, change): &(String, HeapChange)| ChangeRecord::of(variable, change);
        StepRecord {
            source: step.source.clone(),
            returned: step.returned.clone(),
            variable: step.variable.clone(),
            heap: step.heap.as_ref().map(objects_of),
            changed: step.changes.iter().map(change).collect(),
            other: None,
        }
    }
}

impl ChangeRecord {
    /// The record of a change of a variable's structure.
    pub(crate) fn of(variable: &str, change: &HeapChange) -> Self {
        let field = match &change.kind {
            ChangeKind::Field(field) => Some(field.clone()),
            ChangeKind::New | ChangeKind::Gone => None,
        };
        ChangeRecord {
            variable: variable.to_owned(),
            object: change.object,
            class: change.class.to_owned(),
            field,
            before: change.before.clone(),
            after: change.after.clone(),
        }
    }
}
