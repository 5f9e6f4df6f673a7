//! Sequences as plain data, for files and between processes: methods by name, literals as source.

use std::fmt;

use beget_suite::{
    Binding, Operand, Sequence, SequenceError, SequenceProblem, Statement, Suite, Variable,
};
use serde::{Deserialize, Serialize};

/// The serialized form of a [`Sequence`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequenceData {
    /// The version of the format: [`SequenceData::VERSION`].
    pub version: u32,
    /// The statements.
    pub statements: Vec<StatementData>,
    /// The number of the variable meant.
    pub result: Option<usize>,
}

/// The serialized form of a [`Statement`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementData {
    /// The method's name in its suite.
    pub method: String,
    /// The arguments in parameter order.
    pub arguments: Vec<OperandData>,
    /// The structures of the result that are kept.
    pub bindings: Vec<BindingData>,
    /// The numbers of the variables whose structures are dropped after the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<usize>,
    /// True if the call panics, as expected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panics: bool,
}

/// The serialized form of an [`Operand`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperandData {
    /// The number of a variable.
    Variable(usize),
    /// A literal, as Rust source.
    Literal(String),
}

/// The serialized form of a [`Binding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BindingData {
    /// The number of the method's output.
    pub output: usize,
    /// The number of the variable.
    pub variable: usize,
}

/// The reason why data is no sequence of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SequenceDataError {
    /// It was written in another version of the format.
    Version(u32),
    /// The sequence does not belong to the suite.
    Sequence(SequenceError),
}

impl SequenceData {
    /// The current version.
    pub const VERSION: u32 = 1;

    /// The data of a sequence.
    ///
    /// # Panics
    /// If it calls a method that the suite does not have.
    pub fn of(suite: &Suite, sequence: &Sequence) -> Self {
        let statements = sequence.statements.iter().map(|statement| StatementData {
            method: suite.method(statement.method).name.to_owned(),
            arguments: statement.arguments.iter().map(OperandData::of).collect(),
            bindings: statement.bindings.iter().map(BindingData::of).collect(),
            ends: statement.ends.iter().map(|variable| variable.0).collect(),
            panics: statement.panics,
        });
        SequenceData {
            version: Self::VERSION,
            statements: statements.collect(),
            result: sequence.result.map(|Variable(number)| number),
        }
    }

    /// The sequence, checked against the suite.
    ///
    /// # Errors
    /// If it is of another version, or does not belong to the suite.
    pub fn to_sequence(&self, suite: &Suite) -> Result<Sequence, SequenceDataError> {
        if self.version != Self::VERSION {
            return Err(SequenceDataError::Version(self.version));
        }
        let statements = self.statements.iter().enumerate().map(|(index, statement)| {
            let method = suite.find_method(&statement.method);
            let unknown = || SequenceError {
                statement: index,
                problem: SequenceProblem::NoMethod(statement.method.clone()),
            };
            let arguments = statement.arguments.iter().map(OperandData::to_operand).collect();
            let bindings =
                statement.bindings.iter().copied().map(BindingData::to_binding).collect();
            let ends = statement.ends.iter().copied().map(Variable).collect();
            let (method, panics) = (method.ok_or_else(unknown)?, statement.panics);
            Ok(Statement { method, arguments, bindings, ends, panics })
        });
        let statements: Result<_, _> = statements.collect();
        let sequence = Sequence {
            statements: statements.map_err(SequenceDataError::Sequence)?,
            result: self.result.map(Variable),
        };
        sequence.check(suite).map_err(SequenceDataError::Sequence)?;
        Ok(sequence)
    }
}

impl OperandData {
    fn of(operand: &Operand) -> Self {
        match operand {
            Operand::Variable(Variable(number)) => OperandData::Variable(*number),
            Operand::Literal(source) => OperandData::Literal(source.clone()),
        }
    }

    fn to_operand(&self) -> Operand {
        match self {
            OperandData::Variable(number) => Operand::Variable(Variable(*number)),
            OperandData::Literal(source) => Operand::Literal(source.clone()),
        }
    }
}

impl BindingData {
    fn of(binding: &Binding) -> Self {
        BindingData { output: binding.output, variable: binding.variable.0 }
    }

    fn to_binding(self) -> Binding {
        Binding { output: self.output, variable: Variable(self.variable) }
    }
}

impl std::error::Error for SequenceDataError {}

impl fmt::Display for SequenceDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceDataError::Version(version) => write!(
                f,
                "the sequence is of version {version} of the format, not {}",
                SequenceData::VERSION
            ),
            SequenceDataError::Sequence(error) => error.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_data_is_said() {
        let data = SequenceData { version: 7, statements: vec![], result: None };
        let error = data.to_sequence(&Suite::default()).unwrap_err();
        assert_eq!(error.to_string(), "the sequence is of version 7 of the format, not 1");
        let inner = SequenceError { statement: 2, problem: SequenceProblem::Arguments };
        assert_eq!(SequenceDataError::Sequence(inner.clone()).to_string(), inner.to_string());
    }
}
