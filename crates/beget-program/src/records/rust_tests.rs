//! A run as a file of Rust tests: one for each structure, which asserts what its calls return, and
//! one for each failure, which fails.

mod assertion;
mod benches;
mod file;

use beget_search::run::Behavior;
use beget_suite::{Suite, TestFunction};

pub use benches::BenchFile;
pub use file::{TestFile, TestPlace, is_written_by_beget};

use assertion::assertion;

/// The test of a structure.
pub fn regression_test(suite: &Suite, behavior: &Behavior) -> TestFunction {
    let Behavior { id, sequence, n_building, .. } = behavior;
    let name =
        format!("structure_{}_{}", id.number(), sequence.to_name_of_first(*n_building, suite));
    test_of(suite, name, behavior)
}

/// The test of a sequence of a random run.
pub fn sequence_test(suite: &Suite, behavior: &Behavior) -> TestFunction {
    let name = format!("sequence_{}_{}", behavior.id.number(), behavior.sequence.to_name(suite));
    test_of(suite, name, behavior)
}

fn test_of(suite: &Suite, name: String, behavior: &Behavior) -> TestFunction {
    let Behavior { sequence, returned, .. } = behavior;
    let (body, _) = sequence.to_test_source(suite, &|index, call| {
        let method = suite.method(sequence.statements[index].method);
        assertion(method, call, returned[index].as_ref()?)
    });
    TestFunction { doc: String::new(), name, body }
}
