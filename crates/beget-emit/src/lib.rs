//! Corpora in files, pictures and summaries.
#![warn(missing_docs)]
