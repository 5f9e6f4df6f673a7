//! Findings, and the witnesses that show them.

use std::borrow::Cow;

use beget_heap::HeapGraph;
use beget_suite::{Recipe, Sequence, Suite};

use crate::finding::Problem;

/// A problem and a witness of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem.
    pub problem: Problem,
    /// The number of calls, structures or candidates that show it.
    pub count: u64,
    /// The first of these.
    pub witness: Witness,
}

/// A structure, or a call, that shows something. Unknown parts are `None`.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// Its number: that of a structure in its run from 0, or that of a candidate among the explored
    /// from 1.
    pub number: Option<u64>,
    /// The calls that lead there.
    pub recipe: Option<Recipe>,
    /// True if the last call of the recipe is meant, not the structure that it leaves.
    pub is_call: bool,
    /// The calls that lead there, if no recipe can express them: a variable may be used more than
    /// once.
    pub sequence: Option<Sequence>,
    /// Its heap.
    pub heap: Option<HeapGraph>,
    /// Its description, one line per object, if no value has this heap.
    pub candidate: Option<String>,
    /// The structures before its last call, if the result of the call must not be walked.
    pub before: Vec<HeapGraph>,
    /// The calls that build each of several structures that show it together, in the order of their
    /// numbers.
    pub members: Vec<Sequence>,
}

impl Witness {
    /// A structure that calls build.
    pub fn of_recipe(recipe: Recipe) -> Self {
        Witness { recipe: Some(recipe), ..Witness::default() }
    }

    /// A call, the last one of a recipe.
    pub fn of_call(recipe: Recipe) -> Self {
        Witness { is_call: true, ..Witness::of_recipe(recipe) }
    }

    /// Like [`Witness::of_recipe`], for calls that no recipe can express.
    pub fn of_sequence(sequence: Sequence) -> Self {
        Witness { sequence: Some(sequence), ..Witness::default() }
    }

    /// The calls that lead there, as a sequence of `suite`.
    pub fn calls(&self, suite: &Suite) -> Option<Cow<'_, Sequence>> {
        let of_recipe = |recipe| {
            Cow::Owned(match self.is_call {
                true => Sequence::of_call(suite, recipe),
                false => Sequence::of_recipe(suite, recipe),
            })
        };
        self.sequence.as_ref().map(Cow::Borrowed).or_else(|| self.recipe.as_ref().map(of_recipe))
    }

    /// The calls that build each of the structures that show it together, or the single one.
    pub fn built(&self, suite: &Suite) -> Vec<Sequence> {
        let alone = || self.calls(suite).map(Cow::into_owned).into_iter().collect();
        if self.members.is_empty() { alone() } else { self.members.clone() }
    }

    /// A structure by its heap.
    pub fn of_heap(heap: HeapGraph) -> Self {
        Witness { heap: Some(heap), ..Witness::default() }
    }

    /// A candidate of a search from a repOK, by its number and its objects.
    pub fn of_candidate(number: u64, candidate: String) -> Self {
        Witness { number: Some(number), candidate: Some(candidate), ..Witness::default() }
    }

    /// The structures before its last call, one line per object.
    pub fn text_before(&self) -> String {
        self.before.iter().map(HeapGraph::to_text).collect()
    }

    /// Its heap, one line per object; empty if only its recipe is known.
    pub fn text(&self) -> String {
        let of_heap = || self.heap.as_ref().map(HeapGraph::to_text);
        self.candidate.clone().or_else(of_heap).unwrap_or_default()
    }
}

/// Heaps are equal if their texts are, because a graph does not order its edges.
impl PartialEq for Witness {
    fn eq(&self, other: &Self) -> bool {
        (self.number, &self.recipe, &self.sequence, &self.members)
            == (other.number, &other.recipe, &other.sequence, &other.members)
            && self.heap.is_some() == other.heap.is_some()
            && (self.text(), self.text_before()) == (other.text(), other.text_before())
    }
}

impl Eq for Witness {}
