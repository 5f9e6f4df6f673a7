use beget::HasSuite;
use beget::heap::Heap;
use beget::heap::view::{RepOk, Root};
use beget::repok::Subject;

/// A suite whose type has repOKs.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The name of the suite.
    pub suite: String,
    /// The type and its repOKs, by the names that the scope file gives them.
    pub subject: Subject,
}

/// The suite of a type, with its repOKs.
pub(crate) fn checked<T: HasSuite + Heap + Root>(
    rep_oks: impl IntoIterator<Item = RepOk<T>>,
) -> Checked {
    Checked { suite: T::suite().name, subject: Subject::new(rep_oks) }
}
