//! What a run can be told.

/// When a call has gone well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallGoal {
    /// It returned.
    #[default]
    Returns,
    /// It returned neither `Err` nor `None`.
    Ok,
}

/// How calls are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallOptions {
    /// The seed: equal seeds give equal runs.
    pub seed: u64,
    /// When a call has gone well.
    pub goal: CallGoal,
    /// How often a method is tried.
    pub max_attempts: u32,
    /// How many calls are made in all, those that are only made again not counted.
    pub max_calls: u64,
    /// How many objects of a class a structure has at most, how many elements an array, and how
    /// many bytes a text.
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
