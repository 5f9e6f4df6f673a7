//! The options of a run.

use beget_plan::scope::PlannedIdx;

/// The condition for a successful call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallGoal {
    /// It returned.
    #[default]
    Returns,
    /// It returned neither `Err` nor `None`.
    Ok,
}

/// The options of the search for calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOptions {
    /// The seed: equal seeds give equal runs.
    pub seed: u64,
    /// The condition for a successful call.
    pub goal: CallGoal,
    /// The most attempts for a method.
    pub max_attempts: u32,
    /// The most calls in all, not counting repeated ones.
    pub max_calls: u64,
    /// The most objects of a class in a structure, elements of an array, and bytes of a text.
    pub max_objects: u32,
    /// The most samples of a method: successful calls with arguments that differ. None if it is 1.
    pub n_samples: usize,
    /// The parameters that vary in samples; all if there are none.
    pub varied: Vec<VariedParam>,
    /// The most times that a successful call is made in a row, each on what the last one left.
    pub max_repeats: u32,
}

/// A parameter of a method, whose other parameters are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariedParam {
    /// The method.
    pub method: PlannedIdx,
    /// The position among its parameters.
    pub position: usize,
}

impl Default for CallOptions {
    fn default() -> Self {
        CallOptions {
            seed: 0,
            goal: CallGoal::Returns,
            max_attempts: 200,
            max_calls: 1_000_000,
            max_objects: 1000,
            n_samples: 1,
            varied: Vec::new(),
            max_repeats: 1,
        }
    }
}
