/// The versions of repOKs that share their clauses. Each corrects the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// The benchmark's, with its flaws.
    Published,
    /// The benchmark's correction, if it leaves flaws.
    Mended,
    /// Without known flaws.
    Corrected,
}
