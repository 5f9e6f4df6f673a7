//! Contracts asked about values that others make, one after another.

use std::any::Any;

use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_suite::TypeIdx;

use crate::applicable::ApplicableContracts;
use crate::contracts::Contracts;
use crate::oracle::{Oracle as _, Shelf, StructureSource, StructureView, Structures};
use crate::verdicts::{BreachGroup, ContractTally, Desk, Tally, Verdicts};

/// Contracts asked about values, in the order of their numbers.
pub struct Inquiry<'o> {
    plan: &'o Plan,
    contracts: Contracts,
    tally: Tally,
    shelf: Shelf,
}

/// A contract that values of a type break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenContract {
    /// The problem.
    pub problem: Problem,
    /// The position of the contract in [`CONTRACTS`](crate::CONTRACTS).
    pub contract: usize,
    /// The type.
    pub ty: TypeIdx,
    /// How many values, pairs or triples break it.
    pub count: u64,
    /// The numbers of the structures in the first of these, in the order `a`, `b`, `c`; none for a
    /// contract of the type alone.
    pub ids: Vec<u64>,
    /// The number of the literal that a method looked up then, if it was one.
    pub(crate) literal: Option<usize>,
}

/// The result of an [`Inquiry`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InquiryResult {
    /// The contracts that apply, in the order of [`CONTRACTS`](crate::CONTRACTS).
    pub tallies: Vec<ContractTally>,
    /// Those that are broken, each once for a type, in the order of the first structures.
    pub breaches: Vec<BrokenContract>,
}

impl std::fmt::Debug for Inquiry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inquiry").field("contracts", &self.contracts).finish_non_exhaustive()
    }
}

/// Makes one structure.
struct OneStructure<'m> {
    id: u64,
    make: &'m mut dyn FnMut() -> Option<Box<dyn Any>>,
}

impl StructureSource for OneStructure<'_> {
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        if id == self.id { (self.make)() } else { None }
    }
}

impl<'o> Inquiry<'o> {
    /// Begins to ask the contracts that apply.
    pub fn new(applicable: &ApplicableContracts<'o>) -> Self {
        let mut contracts = Contracts::of(applicable);
        let mut tally = Tally::of(contracts.questions());
        let plan = applicable.plan;
        contracts.ask_types(plan, &mut Verdicts::new(&mut tally, Desk::default()));
        Inquiry { plan, contracts, tally, shelf: Shelf::default() }
    }

    /// Asks about a structure, which is of type `ty`. Its number is larger than those before.
    /// `make` makes its value, if it can be made, as often as it is called.
    pub fn ask(&mut self, ty: TypeIdx, id: u64, make: &mut dyn FnMut() -> Option<Box<dyn Any>>) {
        let Inquiry { plan, contracts, tally, shelf } = self;
        let mut source = OneStructure { id, make };
        let structures = &mut Structures::new(plan, &mut source, shelf);
        let mut verdicts = Verdicts::new(tally, Desk::default());
        contracts.on_structure(&mut StructureView { id, ty, structures }, &mut verdicts);
    }

    /// How often contracts were broken so far.
    pub fn n_broken(&self) -> u64 {
        self.tally.n_broken()
    }

    /// How many contracts are broken, each counted once for a type.
    pub fn n_breaches(&self) -> usize {
        self.tally.n_breaches()
    }

    /// The result up to now.
    pub fn so_far(&self) -> InquiryResult {
        let breach = |breach: &BreachGroup| {
            let BreachGroup { question, problem, count, ty, ids, literal, .. } = breach.clone();
            let contract = self.contracts.contract_of(question);
            BrokenContract { problem, contract, ty, count, ids, literal }
        };
        let breaches = self.tally.breaches().into_iter().map(|(_, one)| breach(one)).collect();
        InquiryResult { tallies: self.tally.questions.clone(), breaches }
    }

    /// Asks what is left, and ends.
    pub fn finish(mut self) -> InquiryResult {
        let Inquiry { plan, contracts, tally, shelf } = &mut self;
        let mut source = OneStructure { id: u64::MAX, make: &mut || None };
        let structures = &mut Structures::new(plan, &mut source, shelf);
        contracts.finish(structures, &mut Verdicts::new(tally, Desk::default()));
        self.so_far()
    }
}
