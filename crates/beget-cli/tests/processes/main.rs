//! Programs that are stopped, limited, killed, or several: their tests look at clocks.

pub mod asking;
#[path = "../common/mod.rs"]
mod common;
mod dying;
pub mod interrupt;
pub mod machines;
pub mod memory;
pub mod mounts;
pub mod networks;
pub mod parts;
pub mod process;
pub mod saving;
pub mod supervision;
#[path = "../../../beget-oracle/tests/common/table.rs"]
mod table;
