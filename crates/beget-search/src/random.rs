//! Sequences of calls drawn by chance, directed by what earlier ones left.
//!
//! Where a scope is too large to be exhausted, chance goes deeper: larger structures, wider
//! integers, longer sequences. A [`RandomSearch`] keeps a [`SequencePool`] of sequences that went
//! well; a call is drawn, its arguments are values of pooled sequences, and what the new sequence
//! leaves is pooled in turn if it is new. Chance comes from a [`Chooser`](beget_suite::Chooser),
//! budgets are counted in calls: the same plan, seed and budget give the same run.
//!
//! A failure is a finding if it shows again when its calls are made again, and is
//! [minimised](minimize): calls are deleted and literals simplified as long as the last call shows
//! the same. What does not show again is a [`FlakyCall`].
//!
//! Test cases may also be drawn by the genes of a [`Chromosome`], in which nothing is left to this
//! crate to decide.
//!
//! Sources: Pacheco, Lahiri, Ernst and Ball, Feedback-directed random test generation (ICSE 2007);
//! for chromosomes Andrews, Li and Menzies, Nighthawk (ASE 2007).
//!
//! The crate knows sequences and what is wrong with calls. It knows nothing of files, terminals and
//! clocks. What it cannot know it asks: a [`Judge`] about structures, and a
//! [`Coverage`](beget_process::coverage::Coverage), if there is one, about calls.
mod after_panic;
mod chromosome;
mod constants;
mod course;
mod equality;
mod forms;
mod fragment;
mod fuzz;
mod growing;
mod in_progress;
mod inspect;
mod live;
mod options;
mod policy;
mod pool;
mod rebuild;
mod report;
mod seams;
mod search;
mod start;
mod steps;
mod trial;

mod contracts;
mod minimize;
mod run;

pub use chromosome::{
    Chromosome, DrawnLiterals, GenePlan, MethodGenes, MethodTypes, ParamGenes, ParamType,
    PoolBounds, PoolGenes, PooledKind, PooledType, Targets,
};
pub use contracts::ContractJudge;
pub use course::{Course, CoursePoint};
pub use fragment::{CallStep, Fragment};
pub use in_progress::InProgress;
pub use inspect::LeftValue;
pub use minimize::{minimize, minimize_by, minimize_by_many, minimize_structure};
pub use options::{Constants, Direction, Matching, RandomOptions};
pub use pool::{OfferedValue, PooledSequence, PooledValue, SequencePool};
pub use report::{CallVerdict, DistinctTotals, FlakyCall, MethodTally, RandomReport};
pub use run::{
    FailureLog, JudgedStructures, MinimizedFinding, RandomOracles, RandomOutcome, RandomSoFar,
    SequencesOutcome, add_literals, plan_for, run, run_sequences,
};
pub use seams::{Judge, NewStructure};
pub use search::RandomSearch;
pub use trial::{TrialOutcome, TrialReturn, TrialRunner};
