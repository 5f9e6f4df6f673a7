//! The file of a set of builders: RON, with the certificate beside the set.
//!
//! A scope names the file by `methods: Builders("list.builders.ron")`. Before it is used it is
//! [checked](BuildersFile::check): the suite must still be the certified one, and the certificate
//! must state that the set suffices. The contents of the certificate can be [generated
//! again](BuildersFile::recheck).

#[cfg(feature = "searches")]
mod certified;
mod format;

use beget_plan::finding::StopReason;
use beget_plan::scope::{
    SuiteFile, SuiteFileError, SuiteFileFormat, check_suite_file, has_seal, read_suite_file,
    visible, with_seal, write_suite_file,
};
use beget_suite::Suite;

#[cfg(feature = "searches")]
pub use certified::Recheck;
pub use format::{
    BuildersFile, CertificateV1, ConfirmedV1, ExtentV1, NeedV1, ObserverV1, StructureV1,
};

/// The version that this crate writes and reads.
const VERSION: u32 = 1;

/// The problem of a file of builders.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read, or is not for the current suite.
    File(SuiteFileError),
    /// A builder that the suite does not have, or the scope leaves out.
    NoMethod(String),
    /// The certificate itself states that the set builds less than the full API.
    Insufficient {
        /// By the full API.
        full: u64,
        /// By the set.
        builders: u64,
    },
    /// The certificate does not match the set.
    OtherMethods,
    /// It is checked at another scope than it was made for.
    OtherScope {
        /// The certificate's.
        certified: u32,
        /// The plan's.
        k: u32,
    },
    /// The text was edited.
    Altered,
    /// Generating again gives a different result.
    Differs(String),
    /// The check was stopped.
    Stopped(StopReason),
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FileError::File(error) => error.fmt(f),
            FileError::NoMethod(name) => write!(f, "no method named `{}`", visible(name)),
            FileError::Insufficient { full, builders } => write!(
                f,
                "these builders do not suffice: they build {builders} structures of {full}, says their certificate"
            ),
            FileError::OtherMethods => f.write_str("the certificate is not about these methods"),
            FileError::OtherScope { certified, k } => {
                write!(f, "these builders are certified at k = {certified}, not at k = {k}")
            }
            FileError::Altered => f.write_str(
                "the file was changed after it was written: the checksum in its last line does not fit, or is missing",
            ),
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

impl From<SuiteFileError> for FileError {
    fn from(error: SuiteFileError) -> Self {
        FileError::File(error)
    }
}

impl SuiteFile for BuildersFile {
    const FORMAT: &'static SuiteFileFormat = &SuiteFileFormat {
        name: "Builders",
        version: VERSION,
        noun: "file of builders",
        nouns: "builder files",
        contents: "these builders are",
        origin: "these builders were certified",
        remedy: "identify them again with `beget builders`",
    };

    fn suite(&self) -> &str {
        &self.suite
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl BuildersFile {
    /// The file's text.
    pub fn to_ron(&self) -> String {
        let comment =
            "Written by `beget builders`. A scope names this file by `methods: Builders(...)`.";
        with_seal(&write_suite_file(self, comment))
    }

    /// Checks that a file's text is exactly as [`BuildersFile::to_ron`] wrote it. The data that a
    /// scope needs does not depend on that.
    ///
    /// # Errors
    /// [`FileError::Altered`].
    pub fn check_seal(text: &str) -> Result<(), FileError> {
        has_seal(text).then_some(()).ok_or(FileError::Altered)
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn from_ron(text: &str) -> Result<Self, FileError> {
        Ok(read_suite_file(text)?)
    }

    /// Checks, without a call, that the file is for the current `suite`, and states that the set
    /// suffices.
    ///
    /// # Errors
    ///
    /// The first problem.
    pub fn check(&self, suite: &Suite) -> Result<(), FileError> {
        check_suite_file(self, suite)?;
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
