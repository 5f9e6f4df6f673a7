/// Which of the repOKs that share their clauses. Each mends what the one before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// As the benchmark has it, with its flaws.
    Published,
    /// As the benchmark mends it, if that leaves flaws.
    Mended,
    /// Without known flaws.
    Corrected,
}
