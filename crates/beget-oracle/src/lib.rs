//! Contracts that every type is expected to keep, though its code does not state them: laws of the
//! traits that it implements, and methods of usual names that must say the same as each other.
//!
//! The crate also has the plug for all that judges structures, the trait [`Oracle`]. The contracts
//! are one oracle ([`Contracts`]), [repOKs](rep_ok) another.
//!
//! [`ApplicableContracts`] decides once which [`Contract`]s apply to the types of a plan, by their
//! traits and by names and signatures of the plan's methods. An [`Inquiry`] asks them about values
//! that others make.
//!
//! A contract asks only what the documentation of the standard library's traits and collections
//! makes usual. It is better to miss a defect than to raise a false alarm: where a method's name
//! can mean two things, or its types do not fit, the contract does not apply. All that it runs is a
//! subject's code, so each question is asked under [`guarded`](beget_process::guard::guarded).
//!
//! The crate knows values and methods. It knows nothing of files, terminals, stores or searches.
#![warn(missing_docs)]

mod oracle;
mod verdicts;

mod applicable;
mod assertion;
mod changes;
mod contract;
mod contracts;
mod inquiry;
mod observers;
mod pairs;
mod relation;
pub mod rep_ok;
mod specimen;
mod text;
mod values;

pub use applicable::{ApplicableContracts, has_elements};
pub use contract::{
    CONTRACTS, Contract, ELEMENTS_DROPPED, ELEMENTS_DROPPED_ONCE, ELEMENTS_SURVIVE_DROP_PANICS,
    ELEMENTS_SURVIVE_PANICS, contract_names,
};
pub use contracts::Contracts;
pub use inquiry::{BrokenContract, Inquiry, InquiryResult};
pub use oracle::{Oracle, Shelf, StructureSource, StructureView, Structures};
pub use verdicts::{
    BreachGroup, BreachPart, ContractTally, Desk, MAKING, Matter, SparedQuestions, Tally,
    TallyParts, Verdicts,
};
