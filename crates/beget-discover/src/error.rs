//! What can be wrong with a crate's documentation or with what is asked of it.

use crate::document::FORMATS;

/// Why there is no harness.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// The file is of a format that is not known.
    #[error(
        "rustdoc wrote its format {0}, and this program reads the formats {least} to {most}: use a toolchain or a \
         version of beget that is nearer to the other one", least = FORMATS.start(), most = FORMATS.end()
    )]
    Format(u32),
    /// The file is not what it should be.
    #[error("what rustdoc wrote cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// No public type has the name.
    #[error("crate `{krate}` has no public type `{name}`{}", list(candidates, "; it has"))]
    NoType {
        /// What was asked for.
        name: String,
        /// The crate.
        krate: String,
        /// The types that it has, nearest names first.
        candidates: Vec<String>,
    },
    /// Several types have the name.
    #[error("several types are named `{name}`{}", list(candidates, ": say which one:"))]
    ManyTypes {
        /// What was asked for.
        name: String,
        /// Their paths.
        candidates: Vec<String>,
    },
    /// The type's arguments are too many, or one is missing that cannot be chosen.
    #[error("`{ty}` takes {wanted} type arguments, and {given} are given")]
    Arguments {
        /// The type.
        ty: String,
        /// How many it takes.
        wanted: usize,
        /// How many there are.
        given: usize,
    },
    /// The type cannot be under test.
    #[error("`{ty}` cannot be under test: {reason}")]
    Unfit {
        /// The type.
        ty: String,
        /// Why.
        reason: String,
    },
}

fn list(candidates: &[String], before: &str) -> String {
    match candidates {
        [] => String::new(),
        [shown @ .., _] if shown.len() >= 12 => {
            format!("{before} {}, and {} more", shown[..12].join(", "), candidates.len() - 12)
        }
        all => format!("{before} {}", all.join(", ")),
    }
}
