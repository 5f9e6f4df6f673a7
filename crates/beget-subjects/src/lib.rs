//! The case studies: data structures of the Korat, Kiasan, ROOPS and FAJITA benchmarks.
#![warn(missing_docs)]
