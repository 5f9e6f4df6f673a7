//! The oracles of a check.

use beget_oracle::rep_ok::{Predicate, RepOks, Subject};
use beget_oracle::{Contracts, Oracle, contract_names};

use crate::Input;
use crate::catalog::OracleMaker;
use crate::elements::{Elements, is_of_elements};

/// Fields that a repOK may read on one heap.
pub const MAX_READS: u64 = 10_000_000;

/// The oracles of a check, to be made as often as they are needed: for each run, and in each
/// process that asks.
#[derive(Clone, Debug)]
pub struct OracleSet {
    rep_oks: Option<(Subject, Vec<Predicate>)>,
    /// The names of the contracts to ask.
    contracts: Vec<&'static str>,
    others: Vec<OracleMaker>,
}

impl OracleSet {
    /// The contracts that the input does not turn off, `rep_oks`, which are of its subject, and
    /// what the program adds.
    pub fn of(input: &Input<'_>, rep_oks: &[&Predicate]) -> Self {
        let predicates = || rep_oks.iter().copied().cloned().collect();
        let mut contracts = contract_names();
        contracts.retain(|name| input.asks_contract(name));
        OracleSet {
            rep_oks: input.subject().ok().map(|subject| (subject.clone(), predicates())),
            contracts,
            others: input.oracles.clone(),
        }
    }

    /// The oracles, in the order in which they are asked about a structure.
    pub(crate) fn make(&self) -> Vec<Box<dyn Oracle>> {
        let mut oracles: Vec<Box<dyn Oracle>> = Vec::new();
        if let Some((subject, rep_oks)) = &self.rep_oks {
            let rep_oks: Vec<&Predicate> = rep_oks.iter().collect();
            oracles.push(Box::new(RepOks::new(subject, &rep_oks, MAX_READS)));
        }
        let (of_elements, of_values): (Vec<&'static str>, Vec<&'static str>) =
            self.contracts.iter().copied().partition(|name| is_of_elements(name));
        oracles.push(Box::new(Contracts::new(move |name| of_values.contains(&name))));
        oracles.push(Box::new(Elements::new(|name| of_elements.contains(&name))));
        oracles.extend(self.others.iter().map(OracleMaker::make));
        oracles
    }
}
