//! Problems with a crate's documentation or with the request.

use crate::document::FORMATS;

/// The reason why there is no harness.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// The format of the file is unknown.
    #[error(
        "rustdoc wrote its format {0}, and this program reads the formats {least} to {most}: use a toolchain or a \
         version of beget that is nearer to the other one", least = FORMATS.start(), most = FORMATS.end()
    )]
    Format(u32),
    /// The file does not match its format.
    #[error("what rustdoc wrote cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// No public type has the name.
    #[error("crate `{krate}` has no public type `{name}`{}", list(candidates, "; it has"))]
    NoType {
        /// The requested name.
        name: String,
        /// The crate.
        krate: String,
        /// The types that it has, nearest names first.
        candidates: Vec<String>,
    },
    /// Several types have the name.
    #[error("several types are named `{name}`{}", list(candidates, ": say which one:"))]
    ManyTypes {
        /// The requested name.
        name: String,
        /// Their paths.
        candidates: Vec<String>,
    },
    /// The type's arguments are too many, or one is missing that cannot be chosen.
    #[error("`{ty}` takes {wanted} type arguments, and {given} are given")]
    Arguments {
        /// The type.
        ty: String,
        /// The number that it takes.
        wanted: usize,
        /// The number given.
        given: usize,
    },
    /// The type cannot be under test.
    #[error("`{ty}` cannot be under test: {reason}")]
    Unfit {
        /// The type.
        ty: String,
        /// The reason.
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
