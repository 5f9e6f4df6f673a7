//! Files that belong to a suite: how they are named, and for which suite one is.
//!
//! This module does not read them: a file of builders is read by `builders_file` beside it, all of
//! them by the searches that write them.

use std::fmt;

use beget_suite::Suite;
use xxhash_rust::xxh3::xxh3_128;

use crate::scope::visible;

/// The name of a kind of file in messages, and its version.
#[derive(Debug, PartialEq, Eq)]
pub struct SuiteFileFormat {
    /// The name of the RON struct.
    pub name: &'static str,
    /// The version.
    pub version: u32,
    /// A phrase for one file, without an article: `file of builders`.
    pub noun: &'static str,
    /// A phrase for several: `builder files`.
    pub nouns: &'static str,
    /// A phrase for its contents, followed by a verb: `these builders are`.
    pub contents: &'static str,
    /// A phrase for its origin: `these builders were certified`.
    pub origin: &'static str,
    /// The advice once the methods have changed.
    pub remedy: &'static str,
}

/// The problem of a file that belongs to a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SuiteFileError {
    /// It is not such a file.
    Syntax(&'static SuiteFileFormat, String),
    /// Another program wrote it.
    Version(&'static SuiteFileFormat, u32),
    /// It belongs to another suite.
    Suite {
        /// The kind of file.
        format: &'static SuiteFileFormat,
        /// The suite at hand.
        expected: String,
        /// The file's.
        found: String,
    },
    /// The suite's methods or signatures have changed since it was written.
    Changed(&'static SuiteFileFormat, String),
}

/// A hash of the names and signatures of a suite's methods and of the names of its types, as 32 hex
/// digits. Their order does not matter. Trait methods that the suite does not list
/// ([`Suite::trait_methods`]) follow from its types, and do not count.
pub fn suite_fingerprint(suite: &Suite) -> String {
    let types = suite.types.iter().map(|ty| format!("type {}", ty.name));
    let methods = suite.methods.iter().filter(|method| !method.is_of_enrichment());
    let methods = methods.map(|method| format!("{}: {}", method.name, method.signature));
    let mut lines: Vec<String> = types.chain(methods).collect();
    lines.sort_unstable();
    format!("{:032x}", xxh3_128(lines.join("\n").as_bytes()))
}

/// Checks that a file which names the suite `name` and its `fingerprint` is for `suite` as it is
/// today.
///
/// # Errors
///
/// [`SuiteFileError::Suite`] and [`SuiteFileError::Changed`].
pub fn check_suite(
    format: &'static SuiteFileFormat,
    name: &str,
    fingerprint: &str,
    suite: &Suite,
) -> Result<(), SuiteFileError> {
    if name != suite.name {
        let (expected, found) = (suite.name.clone(), name.to_owned());
        return Err(SuiteFileError::Suite { format, expected, found });
    }
    match fingerprint == suite_fingerprint(suite) {
        true => Ok(()),
        false => Err(SuiteFileError::Changed(format, suite.name.clone())),
    }
}

impl std::error::Error for SuiteFileError {}

impl fmt::Display for SuiteFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteFileError::Syntax(SuiteFileFormat { noun, .. }, reason) => {
                write!(f, "this is no {noun}: {}", visible(reason))
            }
            SuiteFileError::Version(SuiteFileFormat { nouns, version: known, .. }, version) => {
                write!(
                    f,
                    "version {version} of {nouns} is not known; this program reads version {known}"
                )
            }
            SuiteFileError::Suite { format, expected, found } => {
                let contents = format.contents;
                write!(f, "{contents} for suite `{}`, not for `{expected}`", visible(found))
            }
            SuiteFileError::Changed(SuiteFileFormat { origin, remedy, .. }, suite) => {
                write!(f, "the methods of suite `{suite}` have changed since {origin}; {remedy}")
            }
        }
    }
}
