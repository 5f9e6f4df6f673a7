//! Recipes: the calls that build a structure, as a term.
//!
//! A term can be as deep as a run is long, so nothing here recurses.

use crate::MethodIdx;

/// A call with its arguments, each of which is a recipe or a literal, and the structure meant among
/// those that the call leaves.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The method's position in the suite.
    pub method: MethodIdx,
    /// The arguments in parameter order.
    pub arguments: Vec<Argument>,
    /// The structure meant: argument number `n` among the structure parameters, or, counting on
    /// from there, result number `n - structure parameters`.
    pub output: usize,
    /// True if the call panics. The structure meant is then an argument, as the panic left it.
    pub panics: bool,
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
    /// The total number of calls: the recipe's cost.
    pub fn n_calls(&self) -> usize {
        self.calls().len()
    }

    /// The recipe and its parts, in the order of the calls: each one after its arguments, these
    /// from left to right.
    pub fn calls(&self) -> Vec<&Recipe> {
        let mut calls = Vec::new();
        let mut pending = vec![self];
        while let Some(recipe) = pending.pop() {
            calls.push(recipe);
            pending.extend(recipe.structures());
        }
        calls.reverse();
        calls
    }

    /// The recipes among the arguments.
    fn structures(&self) -> impl Iterator<Item = &Recipe> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Structure(recipe) => Some(&**recipe),
            Argument::Literal(_) => None,
        })
    }
}

impl Clone for Recipe {
    fn clone(&self) -> Self {
        let mut cloned: Vec<Recipe> = Vec::new();
        for Recipe { method, arguments, output, panics } in self.calls() {
            // The last ones cloned are the structures among the arguments.
            let mut arguments: Vec<Argument> = arguments
                .iter()
                .rev()
                .map(|argument| match argument {
                    Argument::Structure(_) => {
                        let recipe = cloned.pop().expect("arguments come before their call");
                        Argument::Structure(Box::new(recipe))
                    }
                    Argument::Literal(source) => Argument::Literal(source.clone()),
                })
                .collect();
            arguments.reverse();
            let (method, output, panics) = (*method, *output, *panics);
            cloned.push(Recipe { method, arguments, output, panics });
        }
        cloned.pop().expect("the recipe itself")
    }
}

impl Drop for Recipe {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.arguments);
        while let Some(argument) = pending.pop() {
            if let Argument::Structure(mut recipe) = argument {
                pending.append(&mut recipe.arguments);
            }
        }
    }
}
