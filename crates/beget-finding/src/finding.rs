//! Findings, and the witnesses that show them.

use beget_heap::HeapGraph;
use beget_suite::Recipe;

use crate::Problem;

/// A problem and a witness of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// How many calls, structures or candidates show it, of those that this finding stands for.
    pub count: u64,
    /// The first of these.
    pub witness: Witness,
}

/// A structure, or a call, that shows something. What is not known of it is `None`.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// Its number: that of a structure in its run from 0, or that of a candidate among the explored
    /// from 1.
    pub number: Option<u64>,
    /// The calls that lead there.
    pub recipe: Option<Recipe>,
    /// Its heap.
    pub heap: Option<HeapGraph>,
    /// What it looks like, one line an object, where no value is like it.
    pub candidate: Option<String>,
    /// The structures that its last call was made on, as they were before it, where what the call
    /// left is not to be walked.
    pub before: Vec<HeapGraph>,
}

impl Witness {
    /// A call, or a structure that calls build.
    pub fn of_recipe(recipe: Recipe) -> Self {
        Witness { recipe: Some(recipe), ..Witness::default() }
    }

    /// A structure by its heap.
    pub fn of_heap(heap: HeapGraph) -> Self {
        Witness { heap: Some(heap), ..Witness::default() }
    }

    /// A candidate of a search from a repOK, by its number and its objects.
    pub fn of_candidate(number: u64, candidate: String) -> Self {
        Witness { number: Some(number), candidate: Some(candidate), ..Witness::default() }
    }

    /// What the structures that its last call was made on looked like, one line an object.
    pub fn text_before(&self) -> String {
        self.before.iter().map(HeapGraph::to_text).collect()
    }

    /// What it looks like, one line an object; empty if only its recipe is known.
    pub fn text(&self) -> String {
        let of_heap = || self.heap.as_ref().map(HeapGraph::to_text);
        self.candidate.clone().or_else(of_heap).unwrap_or_default()
    }
}

/// Heaps are equal if they look the same, since a graph does not order its edges.
impl PartialEq for Witness {
    fn eq(&self, other: &Self) -> bool {
        (self.number, &self.recipe) == (other.number, &other.recipe)
            && self.heap.is_some() == other.heap.is_some()
            && (self.text(), self.text_before()) == (other.text(), other.text_before())
    }
}

impl Eq for Witness {}
