//! With beget's allocator: values lie in the region.

beget::install_allocator!(unsafe);

pub mod awkward_in_region;
#[path = "../common/mod.rs"]
mod common;
pub mod random_in_region;
