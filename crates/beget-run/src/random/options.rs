//! The options of a random run.

use std::ops::RangeInclusive;
use std::sync::Arc;

use beget_plan::finding::Problem;
use beget_suite::{Pools, TypeIdx};

use crate::random::Chromosome;

/// How sequences are drawn. The defaults are those of the paper (Pacheco, Lahiri, Ernst, Ball,
/// Feedback-directed random test generation, ICSE 2007), as far as it gives them.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomOptions {
    /// The seed: equal seeds give equal runs.
    pub seed: u64,
    /// How many calls are made, those that are only made again not counted.
    pub max_calls: u64,
    /// How sequences come about.
    pub direction: Direction,
    /// How many calls a sequence has at most.
    pub max_length: usize,
    /// With which probability a call is repeated, ...
    pub repetition_rate: f64,
    /// ... and how often at most.
    pub most_repetitions: u32,
    /// With which probability an `Option` is `None`, where it need not be.
    pub none_ratio: f64,
    /// With which probability a structure comes from a sequence that the call uses already, where
    /// there is one.
    pub alias_ratio: f64,
    /// When a value is no different from a known one.
    pub matching: Matching,
    /// True if sequences always begin with their calls, never with values decoded from forms. What
    /// a run comes to is the same, slower.
    pub is_by_calls: bool,
    /// True if the bounds of the scope hold.
    pub is_bounded: bool,
    /// Without bounds, how many objects of a class a structure has at most, how many elements an
    /// array, and how many bytes a text.
    pub max_objects: u32,
    /// Literals beside those of the scope.
    pub constants: Constants,
    /// The integers that are drawn afresh, in repetitions and elsewhere.
    pub fresh_ints: Option<RangeInclusive<i128>>,
    /// True if each repetition draws a range of its own, of all integers or of few.
    pub narrows_ints: bool,
    /// True if the literals widen when nothing new comes: where neither the bounds of the scope nor
    /// a range of integers hold, and calls extend what earlier ones left.
    pub is_widening: bool,
    /// With which probability a literal that is none of these is changed a little, where the
    /// scope's bounds do not hold.
    pub fuzz_rate: f64,
    /// True if calls that make what a method lacks are made first, where the pool has none of a
    /// type that it takes.
    pub is_on_demand: bool,
    /// For how many sequences a random subset of the methods is in use.
    pub swarm: Option<u32>,
    /// True if methods are preferred that bring something new.
    pub is_guided: bool,
    /// Of how many pooled values that are drawn the one with the shortest sequence is taken.
    pub tries_for_short: u32,
    /// Calls after which a new round begins, with an empty pool.
    pub round: u64,
    /// True if the run ends with its first finding.
    pub stops_at_first: bool,
}

/// A call that is known to end its process, or not to return. It is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDeath {
    /// The number of its sequence in its round, from 1.
    pub sequence: u64,
    /// Its position in the sequence, from 1, the calls that the sequence begins with not counted;
    /// 0 if it is none of these.
    pub call: u64,
    /// The problem that it shows.
    pub problem: Problem,
}

/// A number of the sequence of a [`KnownDeath`] that findings cannot be minimised.
pub const MINIMIZING: u64 = u64::MAX - 1;

/// How sequences come about.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Direction {
    /// Calls extend what earlier calls left, and what is not new is not extended.
    #[default]
    Feedback,
    /// Each sequence begins anew, and is as long as it may be.
    Undirected,
    /// Each sequence is a test case drawn by these genes, which also say how long it is and where
    /// integers, floats and characters come from.
    Chromosome(Arc<Chromosome>),
}

/// When two values are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// Their canonical forms are equal.
    #[default]
    Form,
    /// They are equal by `PartialEq`, as in the paper; by their forms where the type has none.
    Equality,
    /// Never: all values are extended.
    None,
}

/// Literals beside those of the scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// Those of Randoop: the integers -1, 0, 1, 10, 100 and a few texts.
    pub has_paper: bool,
    /// Results of calls.
    pub has_returned: bool,
    /// Those of source texts, for the methods of a type or of all.
    pub of_source: Vec<(Option<TypeIdx>, Pools)>,
}

impl Default for RandomOptions {
    fn default() -> Self {
        RandomOptions {
            seed: 0,
            max_calls: 1_000_000,
            direction: Direction::Feedback,
            max_length: 100,
            repetition_rate: 0.1,
            most_repetitions: 100,
            none_ratio: 0.05,
            alias_ratio: 0.1,
            matching: Matching::Form,
            is_by_calls: false,
            is_bounded: false,
            max_objects: 1000,
            constants: Constants::default(),
            fresh_ints: None,
            narrows_ints: false,
            is_widening: true,
            fuzz_rate: 0.0,
            is_on_demand: false,
            swarm: None,
            is_guided: false,
            tries_for_short: 1,
            round: 250_000,
            stops_at_first: false,
        }
    }
}
