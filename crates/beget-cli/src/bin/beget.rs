//! The `beget` binary: the command line with the case studies built in.

use std::process::ExitCode;

// SAFETY: the case studies keep no state outside their values, as the promise of
// `beget_process::alloc` asks.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_program::main(catalog())
}

fn catalog() -> beget_program::Catalog {
    let catalog = beget_program::Catalog::new(beget_subjects::suites());
    let subjects = beget_subjects::subjects().into_iter();
    let catalog = subjects
        .fold(catalog, |catalog, checked| catalog.with_rep_oks(&checked.suite, checked.subject));
    let marks = beget_subjects::marks().into_iter();
    marks.fold(catalog, |catalog, (suite, marks)| catalog.with_marks(suite, marks))
}
