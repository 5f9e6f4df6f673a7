//! Contracts that every type is expected to keep without stating them: the laws of its traits, and
//! agreement between methods with usual names.
//!
//! An [`Oracle`] decides once which [`Contract`]s apply to the types of a plan, by their traits and
//! by names and signatures of the plan's methods. An [`Inquiry`] then checks them on values, one
//! after another, and counts the checks and the broken contracts.
//!
//! A contract states only what the documentation of the standard library's traits and collections
//! makes usual. A missed defect is better than a false alarm: if a method's name can mean two
//! things, or its types do not fit, the contract does not apply. A check runs code under test, so
//! it runs under [`guarded`](beget_process::guard::guarded).
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
