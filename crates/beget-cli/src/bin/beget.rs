//! The `beget` binary: the command line with the case studies built in.

use std::process::ExitCode;

// SAFETY: the case studies keep no state outside their values, as the promise of `beget_alloc` asks.
beget_alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_cli::main(suites())
}

#[cfg(feature = "case-studies")]
fn suites() -> Vec<beget_suite::Suite> {
    beget_subjects::suites()
}

#[cfg(not(feature = "case-studies"))]
fn suites() -> Vec<beget_suite::Suite> {
    Vec::new()
}
