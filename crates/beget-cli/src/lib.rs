//! The command line of beget, with the case studies built in.
#![warn(missing_docs)]
