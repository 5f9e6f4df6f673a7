/// Which of two repOKs that share their clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// As the benchmark has it, with its flaws.
    Published,
    /// With these mended.
    Corrected,
}
