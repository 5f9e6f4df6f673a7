use beget::HasSuite;
use beget::heap::Heap;
use beget::heap::view::{RepOk, Root};
use beget::repok::Subject;

/// A suite whose type has repOKs.
#[derive(Clone, Debug)]
pub struct SuiteRepOks {
    /// The name of the suite.
    pub suite: String,
    /// The type and its repOKs, by their names in scope files.
    pub subject: Subject,
}

/// Pairs the suite of a type with its repOKs.
pub(crate) fn checked<T: HasSuite + Heap + Root>(
    rep_oks: impl IntoIterator<Item = RepOk<T>>,
) -> SuiteRepOks {
    checked_in::<T, T>(rep_oks)
}

/// Pairs the suite `S` with the repOKs of `T`, for suites that are not declared at their type.
pub(crate) fn checked_in<S: HasSuite, T: Heap + Root>(
    rep_oks: impl IntoIterator<Item = RepOk<T>>,
) -> SuiteRepOks {
    SuiteRepOks { suite: S::suite().name, subject: Subject::new(rep_oks) }
}
