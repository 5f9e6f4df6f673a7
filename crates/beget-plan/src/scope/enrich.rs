//! Plans with methods that their suite does not list.

use std::sync::Arc;

use beget_suite::{MethodIdx, Suite};

use crate::scope::{Plan, PlannedMethod};

impl Plan {
    /// The plan with the methods of the common traits of its types added after all others: see
    /// [`Suite::trait_methods`].
    #[must_use]
    pub fn enriched(self) -> Plan {
        let mut suite = Suite::clone(&self.suite);
        let of_traits = suite.trait_methods();
        self.with(|draft| {
            for (index, method) in (suite.methods.len()..).zip(&of_traits) {
                let structures = method.structure_params().map(|(ty, _)| ty).collect();
                let method = MethodIdx::new(index);
                draft.methods.push(PlannedMethod { method, structures, domains: Vec::new() });
            }
            suite.methods.extend(of_traits);
            draft.suite = Arc::new(suite);
        })
    }
}
