//! Sequences: calls one after another, on variables.
//!
//! A [`Recipe`] is a term: each structure in it is used once. In a sequence a variable may be used
//! again after it was changed or be passed twice to one call, and every structure that a call
//! returns can be bound. Every recipe is a sequence.
//!
//! # Recipes, files, and variables that end with a call
//!
//! A `Sequence` is a list of statements on numbered variables; every `Recipe` is one, and
//! `crates/beget-suite/src/source.rs` prints both. `Execution` runs it a statement at a time and
//! catches nothing: the caller makes each call, under its own guard. `SequenceData` of
//! beget-search is its form in files. A statement lists the variables that end with it: in a
//! recipe, all structures that its call leaves except the one meant, because the search drops them
//! before the next call. They are listed only if types may share (`Schema::may_share`), so other
//! recipes stay short. If the call itself is meant, as in a finding, its arguments live on
//! (`Sequence::of_call`).

use std::collections::BTreeMap;
use std::fmt;

use crate::{Argument, Method, MethodIdx, ParamKind, Passing, Recipe, Suite, TypeIdx};

/// Statements in the order in which they run, and the variable meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The variable that holds the structure meant; `None` if there is none, for example if the
    /// last call shows a failure.
    pub result: Option<Variable>,
}

/// A variable, by its number: each is bound once, and the numbers have no gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub usize);

/// A call, and the variables for its structures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// The method's position in the suite.
    pub method: MethodIdx,
    /// The arguments in parameter order.
    pub arguments: Vec<Operand>,
    /// The structures of the result that are kept, at most one for each output of the method.
    pub bindings: Vec<Binding>,
    /// The variables whose structures are dropped when the call is over and its result bound.
    pub ends: Vec<Variable>,
    /// True if the call panics, as expected. It then leaves no result; the executor catches the
    /// panic.
    pub panics: bool,
}

/// One argument of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A structure, by the variable that holds it.
    Variable(Variable),
    /// A literal, as Rust source.
    Literal(String),
}

/// A structure of a result that a variable keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The number of the method's output.
    pub output: usize,
    /// The variable that keeps it.
    pub variable: Variable,
}

/// The reason why a sequence does not belong to a suite: the number of the statement, and its
/// problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceError {
    /// The statement's position; the position of the end if the sequence's result is meant.
    pub statement: usize,
    /// The problem.
    pub problem: SequenceProblem,
}

/// A problem of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SequenceProblem {
    /// The suite has no method of that position or name.
    NoMethod(String),
    /// The number of arguments differs from that of the parameters, or a literal stands for a
    /// structure or the reverse.
    Arguments,
    /// The method has no output of that number, or it is bound twice.
    Output(usize),
    /// The variable is not bound before, or its structure was taken by value or dropped.
    Unbound(Variable),
    /// The variable is bound already.
    BoundTwice(Variable),
    /// The variable's number is not below the number of bindings of the sequence.
    Gap(Variable),
    /// The variable holds a structure of another type than the parameter.
    Type(Variable),
    /// The variable is passed twice to a call, and not both times by `&`.
    Aliased(Variable),
}

impl Sequence {
    /// The sequence of a recipe: the calls of its arguments first, from left to right, then its
    /// own.
    ///
    /// Of the structures that a call leaves, the one meant lives on, and the others end. The
    /// sequence states that only if the types may [share](crate::Type::may_share).
    ///
    /// # Panics
    ///
    /// If the recipe's arguments do not match the parameters of the suite's methods.
    pub fn of_recipe(suite: &Suite, recipe: &Recipe) -> Self {
        let may_share = vec![None; suite.types.len()];
        let mut builder =
            SequenceBuilder { suite, statements: Vec::new(), n_variables: 0, may_share };
        let result = builder.build(recipe);
        Sequence { statements: builder.statements, result }
    }

    /// Like [`Sequence::of_recipe`] if the last call itself is meant, not a structure: its
    /// arguments live on.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::of_recipe`].
    pub fn of_call(suite: &Suite, recipe: &Recipe) -> Self {
        let mut sequence = Sequence::of_recipe(suite, recipe);
        if let Some(last) = sequence.statements.last_mut() {
            last.ends.clear();
        }
        sequence
    }

    /// Checks that this is a sequence of the suite, as far as the types of the methods show.
    ///
    /// # Errors
    /// The first problem in statement order.
    pub fn check(&self, suite: &Suite) -> Result<(), SequenceError> {
        let mut types = VariableTypes::new();
        let n_bindings = self.statements.iter().map(|statement| statement.bindings.len()).sum();
        for (index, statement) in self.statements.iter().enumerate() {
            let error = |problem| SequenceError { statement: index, problem };
            statement.check(suite, n_bindings, &mut types).map_err(error)?;
        }
        match self.result {
            Some(result) if !matches!(types.get(&result), Some(Some(_))) => {
                let problem = SequenceProblem::Unbound(result);
                Err(SequenceError { statement: self.statements.len(), problem })
            }
            _ => Ok(()),
        }
    }
}

impl Variable {
    /// The variable of a sequence whose numbers begin at `first`.
    #[must_use]
    pub fn counted_from(self, first: usize) -> Self {
        Variable(first + self.0)
    }
}

impl Statement {
    /// The same sequence with the numbers of all variables changed.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(Variable) -> Variable) -> Self {
        let argument = |argument: &Operand| match argument {
            Operand::Variable(variable) => Operand::Variable(number(*variable)),
            Operand::Literal(source) => Operand::Literal(source.clone()),
        };
        let binding =
            |binding: &Binding| Binding { variable: number(binding.variable), ..*binding };
        Statement {
            method: self.method,
            arguments: self.arguments.iter().map(argument).collect(),
            bindings: self.bindings.iter().map(binding).collect(),
            ends: self.ends.iter().map(|variable| number(*variable)).collect(),
            panics: self.panics,
        }
    }

    /// The variables passed, each with its position among the structure arguments.
    pub fn variables(&self) -> impl Iterator<Item = (usize, Variable)> + '_ {
        let variables = self.arguments.iter().filter_map(|argument| match argument {
            Operand::Variable(variable) => Some(*variable),
            Operand::Literal(_) => None,
        });
        variables.enumerate()
    }

    /// The literals passed, as Rust source.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| match argument {
            Operand::Variable(_) => None,
            Operand::Literal(source) => Some(source.as_str()),
        })
    }

    fn check(
        &self,
        suite: &Suite,
        n_bindings: usize,
        types: &mut VariableTypes,
    ) -> Result<(), SequenceProblem> {
        let number = self.method.index();
        let method = suite.methods.get(number);
        let method = method.ok_or(SequenceProblem::NoMethod(number.to_string()))?;
        self.check_kinds(method)?;
        for ((index, variable), (ty, _)) in self.variables().zip(method.structure_params()) {
            match types.get(&variable) {
                Some(Some(held)) if *held == ty => {}
                Some(Some(_)) => return Err(SequenceProblem::Type(variable)),
                _ => return Err(SequenceProblem::Unbound(variable)),
            }
            let mut earlier = self.variables().take(index).filter(|(_, other)| *other == variable);
            if earlier.any(|(other, _)| !method.may_alias(other, index)) {
                return Err(SequenceProblem::Aliased(variable));
            }
        }
        for ((_, variable), (_, passing)) in self.variables().zip(method.structure_params()) {
            if passing == Passing::Value {
                types.insert(variable, None);
            }
        }
        self.check_bindings(method, n_bindings, types)?;
        for &variable in &self.ends {
            match types.get_mut(&variable) {
                Some(held @ Some(_)) => *held = None,
                _ => return Err(SequenceProblem::Unbound(variable)),
            }
        }
        Ok(())
    }

    fn check_kinds(&self, method: &Method) -> Result<(), SequenceProblem> {
        let mut pairs = self.arguments.iter().zip(&method.params);
        let is_of_kind = |(argument, param): (&Operand, &crate::Param)| {
            matches!(
                (argument, param.kind),
                (Operand::Variable(_), ParamKind::Structure { .. })
                    | (Operand::Literal(_), ParamKind::Literal { .. })
            )
        };
        let same_number = self.arguments.len() == method.params.len();
        (same_number && pairs.all(is_of_kind)).then_some(()).ok_or(SequenceProblem::Arguments)
    }

    fn check_bindings(
        &self,
        method: &Method,
        n_bindings: usize,
        types: &mut VariableTypes,
    ) -> Result<(), SequenceProblem> {
        for (index, binding) in self.bindings.iter().enumerate() {
            let twice = self.bindings[..index].iter().any(|other| other.output == binding.output);
            let output = method.outputs.get(binding.output).filter(|_| !twice);
            let output = output.ok_or(SequenceProblem::Output(binding.output))?;
            if binding.variable.0 >= n_bindings {
                return Err(SequenceProblem::Gap(binding.variable));
            }
            if types.insert(binding.variable, Some(output.ty)).is_some() {
                return Err(SequenceProblem::BoundTwice(binding.variable));
            }
        }
        Ok(())
    }
}

/// The types of the variables bound so far; `None` for a variable that is empty again.
type VariableTypes = BTreeMap<Variable, Option<TypeIdx>>;

struct SequenceBuilder<'s> {
    suite: &'s Suite,
    statements: Vec<Statement>,
    n_variables: usize,
    /// True if values of each type may share, if known.
    may_share: Vec<Option<bool>>,
}

impl SequenceBuilder<'_> {
    /// The variable that holds the recipe's structure; `None` if its call leaves none.
    fn build(&mut self, recipe: &Recipe) -> Option<Variable> {
        let mut built = Vec::new();
        for call in recipe.calls() {
            let result = self.build_call(call, &mut built);
            built.push(result);
        }
        built.pop().expect("the recipe itself")
    }

    /// The same for a recipe whose arguments are built: the last ones of `built`, which are taken.
    fn build_call(
        &mut self,
        recipe: &Recipe,
        built: &mut Vec<Option<Variable>>,
    ) -> Option<Variable> {
        let method = self.suite.method(recipe.method);
        let pairs = method.params.iter().zip(&recipe.arguments).rev();
        let mut arguments: Vec<_> =
            pairs.map(|(param, argument)| operand(&param.kind, argument, built)).collect();
        arguments.reverse();
        let (method_idx, panics) = (recipe.method, recipe.panics);
        let (bindings, ends) = (Vec::new(), Vec::new());
        let mut statement = Statement { method: method_idx, arguments, bindings, ends, panics };
        let n_structures = statement.variables().count();
        let argument = statement.variables().nth(recipe.output).map(|(_, variable)| variable);
        let result = argument.or_else(|| {
            let output = recipe.output - n_structures;
            (output < method.outputs.len()).then(|| {
                let variable = Variable(self.n_variables);
                self.n_variables += 1;
                statement.bindings.push(Binding { output, variable });
                variable
            })
        });
        if let Some(meant) = result {
            statement.ends = self.ends(method, &statement, recipe.output, meant);
        }
        self.statements.push(statement);
        result
    }

    /// The arguments that end with a call whose structure number `output`, in the variable `meant`,
    /// lives on.
    fn ends(
        &mut self,
        method: &Method,
        statement: &Statement,
        output: usize,
        meant: Variable,
    ) -> Vec<Variable> {
        let params = method.structure_params();
        let left = statement.variables().map(|(_, variable)| variable).zip(params);
        let others = left
            .filter(|(variable, (_, passing))| *variable != meant && *passing != Passing::Value);
        let others: Vec<_> = others.map(|(variable, (ty, _))| (variable, ty)).collect();
        let types = method.structure_params().map(|(ty, _)| ty);
        let ty = types.chain(method.outputs.iter().map(|one| one.ty)).nth(output);
        let Some(ty) = ty.filter(|_| !others.is_empty()) else { return Vec::new() };
        if !self.may_share(ty) {
            return Vec::new();
        }
        let ends = others.into_iter().filter(|(_, ty)| self.may_share(*ty));
        ends.map(|(variable, _)| variable).collect()
    }

    fn may_share(&mut self, ty: TypeIdx) -> bool {
        let suite = self.suite;
        let ty = ty.index();
        *self.may_share[ty].get_or_insert_with(|| suite.types[ty].may_share())
    }
}

fn operand(kind: &ParamKind, argument: &Argument, built: &mut Vec<Option<Variable>>) -> Operand {
    match (kind, argument) {
        (ParamKind::Literal { .. }, Argument::Literal(source)) => Operand::Literal(source.clone()),
        (ParamKind::Structure { .. }, Argument::Structure(_)) => {
            let variable = built.pop().expect("arguments come before their call");
            Operand::Variable(variable.expect("an argument's call leaves it"))
        }
        _ => panic!("the recipe's arguments do not match the method's parameters"),
    }
}

impl std::error::Error for SequenceError {}

impl fmt::Display for SequenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "statement {}: {}", self.statement, self.problem)
    }
}

impl fmt::Display for SequenceProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceProblem::NoMethod(method) => write!(f, "the suite has no method {method}"),
            SequenceProblem::Arguments => {
                f.write_str("the arguments do not match the method's parameters")
            }
            SequenceProblem::Output(output) => {
                write!(f, "the method has no output {output}, or it is bound already")
            }
            SequenceProblem::Unbound(Variable(number)) => {
                write!(f, "variable {number} holds nothing here: it is not bound yet, or was taken")
            }
            SequenceProblem::BoundTwice(Variable(number)) => {
                write!(f, "variable {number} is bound already")
            }
            SequenceProblem::Gap(Variable(number)) => {
                write!(f, "variable {number} leaves a gap: number the variables from 0 on")
            }
            SequenceProblem::Type(Variable(number)) => {
                write!(f, "variable {number} is of another type than the parameter")
            }
            SequenceProblem::Aliased(Variable(number)) => {
                write!(f, "variable {number} is passed twice, but not both times by `&`")
            }
        }
    }
}
