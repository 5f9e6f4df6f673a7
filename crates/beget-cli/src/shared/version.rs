/// The versions of repOKs that share their clauses. Each corrects the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// The repOK of the benchmark, with its flaws.
    Published,
    /// The correction by the benchmark, if flaws remain.
    Mended,
    /// The repOK without known flaws.
    Corrected,
}
