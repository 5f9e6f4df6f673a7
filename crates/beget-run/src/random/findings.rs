//! Findings of a run, with the calls that show them.

use beget_oracle::ContractTally;
use beget_plan::finding::{Finding, Problem, Witness};
use beget_suite::Variable;

use crate::random::fragment::to_sequence;
use crate::random::{CallStep, RandomReport};

/// A finding whose calls are as few and simple as could be found.
#[derive(Clone, Debug)]
pub struct MinimizedFinding {
    /// The finding.
    pub finding: Finding,
    /// Its calls, with the values of their literals.
    pub steps: Vec<CallStep>,
}

impl MinimizedFinding {
    /// That the last of some calls shows a problem.
    pub(crate) fn of_call(problem: Problem, count: u64, steps: Vec<CallStep>) -> Self {
        let witness = Witness::of_sequence(to_sequence(&steps, None));
        MinimizedFinding { finding: Finding { problem, count, witness }, steps }
    }

    /// That the value of a variable after some calls does.
    pub(crate) fn of_structure(
        problem: Problem,
        count: u64,
        steps: Vec<CallStep>,
        variable: Variable,
    ) -> Self {
        let witness = Witness::of_sequence(to_sequence(&steps, Some(variable)));
        MinimizedFinding { finding: Finding { problem, count, witness }, steps }
    }
}

/// The verdicts of judges on the structures of a run.
#[derive(Clone, Debug, Default)]
pub struct JudgedStructures {
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// Contracts that are broken.
    pub breaches: Vec<MinimizedFinding>,
    /// Structures that a repOK rejects, with its name.
    pub rejections: Vec<(&'static str, MinimizedFinding)>,
}

/// The result of a run that did not reach its end: findings are as they were found.
#[derive(Clone, Debug, Default)]
pub struct RandomSoFar {
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    /// Failures of calls, what matters most first.
    pub failures: Vec<MinimizedFinding>,
    /// The verdicts of judges.
    pub judged: JudgedStructures,
}
