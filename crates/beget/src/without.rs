//! Messages in place of macros that need a feature.

/// Sequences of calls drawn by chance: needs the feature `random`.
///
/// ```compile_fail
/// beget::random!(Stack);
/// ```
#[macro_export]
macro_rules! random {
    ($($anything:tt)*) => {
        ::core::compile_error!(
            "`beget::random!` needs the feature `random` of `beget`, which is on by default: write \
             `beget = { ..., features = [\"random\"] }` among the dev-dependencies"
        )
    };
}
