//! The awkward suites as a command line: what they come to in processes of their own.

use std::process::ExitCode;

use beget::HasSuite as _;
use beget_conformance::awkward;
use beget_program::Catalog;

// The methods leave nothing outside their values.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    let mut cases = awkward::all();
    cases.push(awkward::long_chains::case(1));
    let mut suites: Vec<_> = cases.iter().map(|case| (case.suite)()).collect();
    suites.push(awkward::broken_promises::House::suite());
    beget_program::main(Catalog::new(suites))
}
