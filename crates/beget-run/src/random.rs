//! Sequences of calls drawn by chance, directed by what earlier ones left.
//!
//! If a scope is too large to be exhausted, random sequences go deeper: larger structures, wider
//! integers, longer sequences. A [`RandomSearch`] keeps a [`SequencePool`] of successful sequences.
//! It draws a call, takes its arguments from pooled sequences, and pools the new sequence if its
//! structures are new. Random choices come from a [`Chooser`](beget_suite::Chooser), and budgets
//! are counted in calls: the same plan, seed and budget give the same run.
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
//!
//! # How it differs from the levels
//!
//! **Random runs** are the second place where calls are made
//! (`crates/beget-run/src/random/search.rs`). The executor makes each call on structures that
//! are known by their forms, and its recipes are terms. A random sequence is no term: an argument
//! is changed and used again, two values of one sequence may share what a form of each does not
//! tell, a literal need not be one of the plan's, and there is no scope in which the forms are
//! kept. So calls are made on live variables, after all calls before them or on values that are
//! decoded. What the loops have in common is one: the guard, invariants, `Counters`, `Sightings`,
//! problems. What counts as misuse is said twice (`inspect.rs` and
//! `crates/beget-engine/src/worker/outputs.rs`); that bounded runs meet nothing but what `generate`
//! makes, and all sequences of a length the same as the levels, is tested on the case studies
//! (`crates/beget-cli/tests/subjects/random.rs`).
//!
//! - A `Fragment` is a sequence by its parts and its last steps; parts are shared, so the pool
//!   costs what the last steps cost. Its variables are numbered part by part, and
//!   `Execution::step_from` runs a part where it stands.
//! - Chance is a `Chooser`: SplitMix64, choices that were recorded, or the `Odometer`, which makes
//!   all of them.
//! - A sequence that is extended begins with values decoded from their forms
//!   (`crates/beget-run/src/random/start.rs`): forms with all fields, those that the scope omits
//!   too. Its calls are made again where a type cannot be decoded, where two values of one sequence
//!   are used, and for a sample, whose structures are compared with what they were.
//!   `RandomOptions::is_by_calls` is the naive twin, which comes to the same on all case studies.
//! - Nothing is a finding on a decoded value alone: all calls are made again, from the first,
//!   before a failure, a broken contract or a rejected structure is kept. What does not show again
//!   is flaky.
//! - Literals widen when few calls leave something new (`LiteralPool::widen`): integers by twice as
//!   many, others by small changes. It depends on counts alone, so runs stay reproducible.
//! - Sequences are kept that show what became of a method's calls: those of the first, second,
//!   fourth, ... call of each outcome (`OutcomeSample`). Tests are written of them.
//! - Calls that are known to end the process (`KnownDeath`) are not made: they are found by their
//!   place in the run.
//! - What a run has come to is noted now and then (`InProgress::so_far`), so that one whose call
//!   does not return ends with it.
//! - Structures that a contract or a repOK rejects are extended, unlike in the paper: repOKs of the
//!   literature reject nearly everything in places, and a run would end there.
//! - The search runs on a thread of its own, with a large stack, and notes the current sequence in
//!   `InProgress`, for a thread that waits for a call that does not return.
//! - `TrialRunner` (`crates/beget-run/src/random/trial.rs`) runs one sequence for others and
//!   tells what its last call came to.
//! - Oracles on structures are a `Judge`, a trait, because what they ask is not this crate's
//!   affair; what calls cover is asked of a `Coverage` (`crates/beget-process/src/coverage.rs`), if
//!   one is given.
//!
//! **Literals near known ones** (`crates/beget-run/src/random/fuzz.rs`) are listed by the domain
//! of the parameter from numbers and texts that a literal of the pool has (`Domain::add_scalars`),
//! changed; so a domain needs to know nothing of chance. **What a method lacks** is made by calls
//! that are put before its own (`crates/beget-run/src/random/policy/demand.rs`): each is tried
//! once, so what never succeeds keeps nothing else from being called.
mod after_panic;
mod chromosome;
mod constants;
mod course;
mod equality;
mod findings;
mod forms;
mod fragment;
mod fuzz;
mod growing;
mod in_progress;
mod inspect;
mod listed;
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
#[cfg(test)]
pub(crate) mod tests;

pub use chromosome::{
    Chromosome, DrawnLiterals, GenePlan, MethodGenes, MethodTypes, ParamGenes, ParamType,
    PoolBounds, PoolGenes, PooledKind, PooledType, Targets,
};
pub use contracts::ContractJudge;
pub use course::{Course, CoursePoint};
pub use findings::{JudgedStructures, MinimizedFinding, RandomSoFar};
pub use fragment::{CallStep, Fragment};
pub use in_progress::{CALL_OR_QUESTION, InProgress, PositionNote};
pub use inspect::LeftValue;
pub(crate) use minimize::minimize_structure;
pub use minimize::{minimize, minimize_by, minimize_by_many};
pub use options::{Constants, Direction, KnownDeath, MINIMIZING, Matching, RandomOptions};
pub use pool::{OfferedValue, PooledSequence, PooledValue, SequencePool};
pub use report::{
    CallVerdict, DistinctTotals, FlakyCall, MetStructure, MethodTally, OutcomeSample, RandomReport,
    WidenedRange,
};
pub use run::{
    FailureLog, RandomOracles, RandomOutcome, SequencesOutcome, plan_for, run, run_sequences,
    with_literals,
};
pub use seams::{EndedSequence, Judge, NewStructure, SequenceObserver};
pub use search::RandomSearch;
pub use trial::{TrialOutcome, TrialReturn, TrialRunner};
