//! Searches from repOKs.

mod common;
mod compare;
mod counts;
mod exact;
mod scope;
mod search;
