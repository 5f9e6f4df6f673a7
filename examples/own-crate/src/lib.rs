//! A crate that tests its own types with beget.
