//! The options of a run.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Default for CallOptions {
    fn default() -> Self {
        CallOptions {
            seed: 0,
            goal: CallGoal::Returns,
            max_attempts: 200,
            max_calls: 1_000_000,
            max_objects: 1000,
        }
    }
}
