//! The search from a repOK.
#![warn(missing_docs)]
