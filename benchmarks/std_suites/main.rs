//! `beget` with the suites of the standard library.

use std::process::ExitCode;

fn main() -> ExitCode {
    beget_program::main(beget_program::Catalog::new(std_suites::suites::suites()))
}
