//! Subjects of our own, for what the published ones do not exercise.

pub mod skewheap;
