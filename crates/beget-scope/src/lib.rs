//! The RON scope file: reading, checking, diagnostics, and the plan.
#![warn(missing_docs)]
