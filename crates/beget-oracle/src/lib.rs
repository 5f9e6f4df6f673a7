//! Contracts that every type is expected to keep, though nobody wrote them down for it: laws of the
//! traits that it implements, and methods of usual names that must say the same as each other.
//!
//! An [`Oracle`] decides once which [`Contract`]s apply to the types of a plan, by their traits
//! and by names and signatures of the plan's methods. An [`Inquiry`] then asks them about values,
//! one after another, and ends with what it was asked and what was broken.
//!
//! A contract asks only what the documentation of the standard library's traits and collections
//! makes usual. It is better to miss a defect than to raise a false alarm: where a method's name
//! can mean two things, or its types do not fit, the contract does not apply. All that it runs is a
//! subject's code, so each question is asked under [`guarded`](beget_process::guard::guarded).
//!
//! The crate knows values and methods. It knows nothing of files, terminals, stores or searches.
#![warn(missing_docs)]

mod assertion;
mod changes;
mod contract;
mod inquiry;
mod observers;
mod oracle;
mod pairs;
pub mod rep_ok;
mod specimen;
mod text;
mod values;

pub use contract::{
    CONTRACTS, Contract, ELEMENTS_DROPPED, ELEMENTS_DROPPED_ONCE, ELEMENTS_SURVIVE_DROP_PANICS,
    ELEMENTS_SURVIVE_PANICS, contract_names,
};
pub use inquiry::{BrokenContract, ContractTally, Inquiry, InquiryResult, Question};
pub use oracle::{Oracle, has_elements};
