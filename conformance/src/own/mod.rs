//! The enumerator: every structure of a suite within a scope, by the definitions alone.
//!
//! Small, slow, and independent: nothing here uses a crate of beget. Values are looked at through
//! [`Show`], fields in the order of the source, and written as a list of tokens in which shared
//! objects are known by their address. A structure is never cloned, decoded or kept: for each call
//! its recipe is run from the start. The order in which calls are made is the one that
//! ARCHITECTURE.md documents, so structures can be compared number by number.

mod form;
mod literals;
mod macros;
mod ops;
mod search;
mod shown;

pub use form::{Form, Limits, Sight, Token};
pub use literals::{Listed, Pools};
pub use ops::{
    Argument, Give, GiveRef, Held, Op, Operated, OwnSuite, Param, Role, Slot, Type, literal_role,
    ty,
};
pub use search::{
    All, Counted, Failure, FoundStructure, Level, Space, drop_quietly, enumerate, replay,
};
pub use shown::Show;
