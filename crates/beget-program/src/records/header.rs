//! The start of every summary.

use beget_plan::finding::StopReason;
use beget_plan::scope::{Plan, PlannedMethod};
use serde::{Deserialize, Serialize};

/// The run and its end: the first fields of every summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The suite.
    pub suite: String,
    /// The scope's number.
    pub k: u32,
    /// The methods that took part, in suite order; none in a search that makes no calls.
    pub methods: Vec<String>,
    /// True if everything requested was explored.
    pub complete: bool,
    /// The reason why it ended; `exhausted` exactly if it is complete.
    pub stop_reason: String,
    /// The version of the program.
    #[serde(default)]
    pub beget: String,
}

impl Header {
    /// A search of the scope of `plan` that makes no calls.
    pub fn without_methods(plan: &Plan, reason: StopReason) -> Self {
        Header { methods: Vec::new(), ..Header::new(plan, reason) }
    }

    /// A run of `plan` that ended for a reason.
    pub fn new(plan: &Plan, reason: StopReason) -> Self {
        let name = |planned: &PlannedMethod| plan.suite.method(planned.method).name.to_owned();
        Header {
            suite: plan.suite.name.clone(),
            k: plan.k,
            methods: plan.methods.iter().map(name).collect(),
            complete: reason.is_exhausted(),
            stop_reason: reason.name().to_owned(),
            beget: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// The summary of a command that ends without results because code under test does not return, the
/// JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmptySummary {
    /// The run and the reason of its end. It is never complete.
    #[serde(flatten)]
    pub header: Header,
    /// Notes, such as calls that do not end.
    pub notes: Vec<String>,
}
