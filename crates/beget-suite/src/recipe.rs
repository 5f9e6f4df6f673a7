//! Recipes: how a structure is built, as a term.

use crate::MethodIdx;

/// A call with its arguments, each of which is a recipe or a literal; and which of the structures that the
/// call leaves is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The method's position in the suite.
    pub method: MethodIdx,
    /// The arguments in parameter order.
    pub arguments: Vec<Argument>,
    /// The structure meant: argument number `n` among the structure parameters, or, counting on from there,
    /// result number `n - structure parameters`.
    pub output: usize,
}

/// One argument of a recipe's call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A structure, by its own recipe.
    Structure(Box<Recipe>),
    /// A literal, as Rust source.
    Literal(String),
}

impl Recipe {
    /// The number of calls in all: the recipe's cost.
    pub fn n_calls(&self) -> usize {
        let below: usize = self.arguments.iter().map(Argument::n_calls).sum();
        below + 1
    }
}

impl Argument {
    fn n_calls(&self) -> usize {
        match self {
            Argument::Structure(recipe) => recipe.n_calls(),
            Argument::Literal(_) => 0,
        }
    }
}
