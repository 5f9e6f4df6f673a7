//! The command line within a crate's own tests.
//!
//! `cargo beget` builds the tests of a crate with this program in them. One of the tests, which the
//! macros emit, calls [`answer`]; that runs the command on the suites of the crate and ends the
//! process.
//!
//! The test harness writes to stdout before a test begins, so the results cannot go there: the
//! standard *input* of the tests is the standard output of `cargo beget`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use beget_args::cargo::{ARGUMENTS, CargoArgs, CargoCli, SUITES};
use beget_args::show_usage;

use crate::{Catalog, Exit, execute, name, print, stdout, supervision};

/// The tests to build, from the command line of this process.
static GIVEN: OnceLock<CargoArgs> = OnceLock::new();

/// The options for Cargo that build the package with this manifest as this process was built.
pub(crate) fn selection_of(manifest: PathBuf) -> Vec<String> {
    let given = GIVEN.get().cloned().unwrap_or_default();
    CargoArgs { package: None, manifest_path: Some(manifest), ..given }.selection()
}

/// Does what `cargo beget` asks of this process with the suites in `catalog`, and ends the process;
/// returns if `cargo beget` has not started it.
pub fn answer(catalog: impl FnOnce() -> Catalog) {
    let exit = if std::env::var_os(SUITES).is_some() {
        name_suites(&catalog())
    } else if let Ok(arguments) = std::env::var(ARGUMENTS) {
        run(&arguments, catalog())
    } else {
        return;
    };
    std::process::exit(exit as i32)
}

fn name_suites(catalog: &Catalog) -> Exit {
    stdout::divert_from_stdin();
    let names: Vec<&str> = catalog.suites.iter().map(|suite| suite.name.as_str()).collect();
    let written = serde_json::to_string(&names).map(|names| stdout::write(&names));
    if matches!(written, Ok(Ok(()))) { Exit::Done } else { Exit::Internal }
}

fn run(arguments: &str, catalog: Catalog) -> Exit {
    let Ok(arguments) = serde_json::from_str::<Vec<String>>(arguments) else {
        print::message("the request of `cargo beget` cannot be read: is it of another version?");
        return Exit::Internal;
    };
    let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
    match CargoCli::read(&arguments) {
        Ok(CargoCli { cli, cargo }) => {
            let options = [cargo.selection(), cargo.targets()].concat();
            let _ = GIVEN.set(cargo);
            name::choose(&options);
            // A worker has its supervisor there.
            if !supervision::is_at_work() {
                stdout::divert_from_stdin();
            }
            execute(&cli, catalog)
        }
        Err(message) => show_usage(&message),
    }
}
