//! Calls that go well.

pub mod consts;
pub mod families;
pub mod panic_messages;
