//! Suites: types, methods, parameters, domains, calls, outcomes and recipes.
#![warn(missing_docs)]
