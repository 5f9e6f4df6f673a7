//! The file of a set of builders: RON, with the certificate beside the set.
//!
//! A scope names the file by `methods: Builders("list.builders.ron")`. Before it is used it is
//! [checked](BuildersFile::check): the suite must still be the certified one, and the certificate
//! must state that the set suffices. The contents of the certificate can be [generated
//! again](BuildersFile::recheck).

mod certified;
mod format;

use beget_plan::finding::StopReason;
use beget_plan::scope::{
    BUILDERS_FORMAT, BuildersClaim, BuildersError, SuiteFileError, SuiteFileFormat,
};
use beget_suite::Suite;

use crate::suite_file::{SuiteFile, has_seal, read_suite_file, with_seal, write_suite_file};

pub use certified::Recheck;
pub use format::{
    BuildersFile, CertificateV1, ConfirmedV1, ExtentV1, NeedV1, ObserverV1, StructureV1,
};

/// The problem of a file of builders.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read, or is not for the current suite.
    File(SuiteFileError),
    /// A claim that is wrong, as can be seen without a call.
    Claim(BuildersError),
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
            FileError::Claim(error) => error.fmt(f),
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

impl From<BuildersError> for FileError {
    fn from(error: BuildersError) -> Self {
        match error {
            BuildersError::File(error) => FileError::File(error),
            error => FileError::Claim(error),
        }
    }
}

impl From<SuiteFileError> for FileError {
    fn from(error: SuiteFileError) -> Self {
        FileError::File(error)
    }
}

impl SuiteFile for BuildersFile {
    const FORMAT: &'static SuiteFileFormat = BUILDERS_FORMAT;

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
        let CertificateV1 { full, builders, needs, .. } = &self.certificate;
        let claim = BuildersClaim {
            suite: &self.suite,
            fingerprint: &self.fingerprint,
            methods: self.methods.iter().map(String::as_str).collect(),
            full: full.as_claim(),
            builders: builders.as_claim(),
            certified: needs.iter().map(|need| need.method.as_str()).collect(),
        };
        Ok(claim.check(suite)?)
    }
}
