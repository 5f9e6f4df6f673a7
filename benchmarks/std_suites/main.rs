//! `beget` with the suites of the standard library. It is built with the feature `program`, without
//! which the tests are built sooner.

use std::process::ExitCode;

fn main() -> ExitCode {
    beget_program::main(beget_program::Catalog::new(std_suites::suites::suites()))
}
