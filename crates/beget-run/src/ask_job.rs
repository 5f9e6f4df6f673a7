//! Questions at the ends of levels, and those that another process asks.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use beget_engine::store::{Recipes, StoreError};
use beget_engine::{Corpus, Interim, StoreView};
use beget_heap::CanonicalForm;
use beget_oracle::{SparedQuestions, Tally};
use beget_plan::finding::{Problem, StopReason};
use beget_plan::scope::Plan;
use beget_process::guard::CurrentCall;

use crate::checked::CheckRun;
use crate::waiting::AskedPlace;

/// Something that is done at the ends of levels.
pub trait LevelEnds {
    /// A run begins, or begins anew.
    fn begin(&self);

    /// A level is complete. Returns whether its structures show a failure.
    ///
    /// # Errors
    /// Why the run should end here.
    fn end_level<'r>(&self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason>;

    /// The check if the run stopped now, while calls are made.
    ///
    /// # Errors
    /// If the store cannot read its contents.
    fn so_far<'r>(
        &self,
        corpus: Corpus<StoreView<'r>>,
    ) -> Result<CheckRun<StoreView<'r>>, StoreError>;
}

/// How far an oracle has come: what it has said, what it remembers, and what it does not ask.
#[derive(Clone, Debug, Default)]
pub struct OracleProgress {
    /// Its answers.
    pub tally: Tally,
    /// Its memory.
    pub memory: Vec<u64>,
    /// The questions that it does not ask.
    pub spared: SparedQuestions,
}

/// Structures that oracles are to be asked about in another process.
pub struct AskJob<'j> {
    /// The plan of the run.
    pub plan: &'j Plan,
    /// How structures were made.
    pub recipes: &'j dyn Recipes,
    /// Gives the form of an earlier structure.
    pub form_of: &'j (dyn Fn(u64) -> Result<CanonicalForm, StoreError> + Sync),
    /// The number of the first structure.
    pub first: u64,
    /// Their forms.
    pub forms: Vec<CanonicalForm>,
    /// True if they are the last of a level.
    pub is_last: bool,
    /// True if they are values that probes have extended: their forms are those of structures.
    pub are_merged: bool,
    /// How far each oracle has come.
    pub progress: Vec<OracleProgress>,
    /// Structures that are not asked about.
    pub left_out: &'j BTreeSet<u64>,
    /// Says what is done at a place, for people.
    pub culprit: &'j (dyn Fn(AskedPlace) -> String + Sync),
    /// The note of the question that another process asks.
    pub current: &'j CurrentCall,
    /// Set when the question in progress is given up.
    pub is_given_up: &'j AtomicBool,
}

impl std::fmt::Debug for AskJob<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskJob").field("first", &self.first).finish_non_exhaustive()
    }
}

/// Why a chunk has no answers.
#[derive(Debug)]
pub enum AskError {
    /// Asking has ended the thread or process, or did not return.
    Died {
        /// The work at that moment.
        at: AskedPlace,
        /// The problem.
        problem: Box<Problem>,
    },
    /// Asking is not possible at all; why.
    Impossible(String),
}
