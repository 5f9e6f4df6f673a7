//! The file that a set of builders is kept in: RON, with the certificate beside the set.
//!
//! A scope names the file by `methods: Builders("list.builders.ron")`. Before it is used it is
//! [checked](BuildersFile::check): the suite must still be the one that was certified, and the
//! certificate must say that the set suffices. What the certificate says can be
//! [generated again](BuildersFile::recheck).

#[cfg(feature = "search")]
mod certified;
mod format;

use beget_finding::StopReason;
use beget_scope::visible;
use beget_suite::Suite;
use ron::ser::PrettyConfig;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128;

#[cfg(feature = "search")]
pub use certified::Recheck;
pub use format::{
    BuildersFile, CertificateV1, ConfirmedV1, ExtentV1, NeedV1, ObserverV1, StructureV1,
};

/// The version that this crate writes and reads.
const VERSION: u32 = 1;

/// What is wrong with a file of builders.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// It is no such file.
    Syntax(String),
    /// Another program wrote it.
    Version(u32),
    /// It belongs to another suite.
    Suite {
        /// The suite at hand.
        expected: String,
        /// The file's.
        found: String,
    },
    /// The suite has other methods or signatures than when the set was certified.
    Changed(String),
    /// A builder that the suite does not have, or the scope leaves out.
    NoMethod(String),
    /// The certificate says itself that the set builds less than the full API.
    Insufficient {
        /// By the full API.
        full: u64,
        /// By the set.
        builders: u64,
    },
    /// The certificate does not fit the set.
    OtherMethods,
    /// It is to be checked at another scope than it was made for.
    OtherScope {
        /// The certificate's.
        certified: u32,
        /// The plan's.
        k: u32,
    },
    /// Generated again, something is different.
    Differs(String),
    /// The check was stopped.
    Stopped(StopReason),
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FileError::Syntax(reason) => {
                write!(f, "this is no file of builders: {}", visible(reason))
            }
            FileError::Version(version) => write!(
                f,
                "version {version} of builder files is not known; this program reads version {VERSION}"
            ),
            FileError::Suite { expected, found } => {
                write!(f, "these builders are for suite `{}`, not for `{expected}`", visible(found))
            }
            FileError::Changed(suite) => write!(
                f,
                "the methods of suite `{suite}` have changed since these builders were certified; identify them again \
                 with `beget builders`"
            ),
            FileError::NoMethod(name) => write!(f, "no method named `{}`", visible(name)),
            FileError::Insufficient { full, builders } => write!(
                f,
                "these builders do not suffice: they build {builders} structures of {full}, says their certificate"
            ),
            FileError::OtherMethods => f.write_str("the certificate is not about these methods"),
            FileError::OtherScope { certified, k } => {
                write!(f, "these builders are certified at k = {certified}, not at k = {k}")
            }
            FileError::Differs(what) => {
                write!(
                    f,
                    "generated again, {what}; identify the builders again with `beget builders`"
                )
            }
            FileError::Stopped(reason) => {
                write!(f, "stopped before the builders were known: {reason}")
            }
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FileError::Stopped(reason) => Some(reason),
            _ => None,
        }
    }
}

impl From<StopReason> for FileError {
    fn from(reason: StopReason) -> Self {
        FileError::Stopped(reason)
    }
}

/// A hash of the names and signatures of a suite's methods and of the names of its types, as 32 hex
/// digits. Their order does not matter.
pub fn fingerprint(suite: &Suite) -> String {
    let types = suite.types.iter().map(|ty| format!("type {}", ty.name));
    let methods =
        suite.methods.iter().map(|method| format!("{}: {}", method.name, method.signature));
    let mut lines: Vec<String> = types.chain(methods).collect();
    lines.sort_unstable();
    format!("{:032x}", xxh3_128(lines.join("\n").as_bytes()))
}

impl BuildersFile {
    /// The file's text.
    ///
    /// # Panics
    /// Never: the format has nothing that RON cannot write.
    pub fn to_ron(&self) -> String {
        let pretty = PrettyConfig::new().struct_names(true).escape_strings(false);
        let text = ron::ser::to_string_pretty(self, pretty).expect("plain data");
        format!(
            "// Written by `beget builders`. A scope names this file by `methods: Builders(...)`.\n{text}\n"
        )
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// [`FileError::Syntax`] and [`FileError::Version`].
    pub fn from_ron(text: &str) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        #[serde(rename = "Builders")]
        struct Versioned {
            version: u32,
        }
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let syntax = |error: ron::error::SpannedError| FileError::Syntax(error.to_string());
        let Versioned { version } = ron::from_str(text).map_err(syntax)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        ron::from_str(text).map_err(syntax)
    }

    /// Checks what can be checked without a call: that the file is for `suite` as it is today, and
    /// says that the set suffices.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, suite: &Suite) -> Result<(), FileError> {
        if self.suite != suite.name {
            let (expected, found) = (suite.name.clone(), self.suite.clone());
            return Err(FileError::Suite { expected, found });
        }
        if self.fingerprint != fingerprint(suite) {
            return Err(FileError::Changed(self.suite.clone()));
        }
        if let Some(unknown) = self.methods.iter().find(|name| suite.find_method(name).is_none()) {
            return Err(FileError::NoMethod(unknown.clone()));
        }
        let CertificateV1 { full, builders, needs, .. } = &self.certificate;
        if full != builders {
            let (full, builders) = (full.structures, builders.structures);
            return Err(FileError::Insufficient { full, builders });
        }
        if !needs.iter().map(|need| &need.method).eq(&self.methods) {
            return Err(FileError::OtherMethods);
        }
        Ok(())
    }
}
