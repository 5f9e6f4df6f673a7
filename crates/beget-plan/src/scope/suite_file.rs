//! Files that belong to a suite: results of a search, kept for later runs.
//!
//! Each begins with the version of its format, and has the suite's name and
//! [fingerprint](suite_fingerprint), so that it is rejected once the methods have changed. This
//! module knows only these; the rest of the file belongs to its writer.

use std::fmt;
use std::marker::PhantomData;

use beget_suite::Suite;
use ron::ser::PrettyConfig;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::scope::visible;

/// A file that belongs to a suite: a RON struct with a field `version`.
pub trait SuiteFile: Serialize + DeserializeOwned {
    /// The name and version of this kind of file.
    const FORMAT: &'static SuiteFileFormat;

    /// The name of the suite.
    fn suite(&self) -> &str;

    /// The [fingerprint](suite_fingerprint) of the suite when it was written.
    fn fingerprint(&self) -> &str;
}

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

/// Reads a file's text. Does not check its suite.
///
/// # Errors
///
/// [`SuiteFileError::Syntax`] and [`SuiteFileError::Version`].
pub fn read_suite_file<F: SuiteFile>(text: &str) -> Result<F, SuiteFileError> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let syntax =
        |error: ron::error::SpannedError| SuiteFileError::Syntax(F::FORMAT, error.to_string());
    let VersionOf::<F> { version, .. } = ron::from_str(text).map_err(syntax)?;
    match version == F::FORMAT.version {
        true => ron::from_str(text).map_err(syntax),
        false => Err(SuiteFileError::Version(F::FORMAT, version)),
    }
}

/// Checks that a file is for `suite` as it is now.
///
/// # Errors
///
/// [`SuiteFileError::Suite`] and [`SuiteFileError::Changed`].
pub fn check_suite_file<F: SuiteFile>(file: &F, suite: &Suite) -> Result<(), SuiteFileError> {
    let format = F::FORMAT;
    if file.suite() != suite.name {
        let (expected, found) = (suite.name.clone(), file.suite().to_owned());
        return Err(SuiteFileError::Suite { format, expected, found });
    }
    match file.fingerprint() == suite_fingerprint(suite) {
        true => Ok(()),
        false => Err(SuiteFileError::Changed(format, suite.name.clone())),
    }
}

/// The text of a file, starting with a comment.
///
/// # Panics
///
/// If it has something that RON cannot write.
pub fn write_suite_file<F: SuiteFile>(file: &F, comment: &str) -> String {
    let pretty = PrettyConfig::new().struct_names(true).escape_strings(false);
    let text = ron::ser::to_string_pretty(file, pretty).expect("plain data");
    let comment = comment.lines().map(|line| format!("// {line}\n")).collect::<String>();
    format!("{comment}{text}\n")
}

const SEAL: &str = "// Checksum of all lines above: ";

/// A file's text with a last line that has the checksum of the rest.
#[must_use]
pub fn with_seal(text: &str) -> String {
    format!("{text}{SEAL}{:032x}\n", xxh3_128(text.as_bytes()))
}

/// Returns whether a file's text ends with its checksum, as [`with_seal`] wrote it. Checksums
/// protect against accidents and mix-ups, not against forgery.
pub fn has_seal(text: &str) -> bool {
    text.rfind(SEAL).is_some_and(|start| with_seal(&text[..start]) == text)
}

/// The version of a file, whatever its other contents.
struct VersionOf<F> {
    version: u32,
    file: PhantomData<F>,
}

/// The field that is read, and the others.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum VersionField {
    Version,
    #[serde(other)]
    Other,
}

impl<'de, F: SuiteFile> Deserialize<'de> for VersionOf<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(F::FORMAT.name, &["version"], VersionVisitor(PhantomData))
    }
}

struct VersionVisitor<F>(PhantomData<F>);

impl<'de, F: SuiteFile> Visitor<'de> for VersionVisitor<F> {
    type Value = VersionOf<F>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", F::FORMAT.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut version = None;
        while let Some(field) = map.next_key()? {
            match field {
                VersionField::Version => version = Some(map.next_value()?),
                VersionField::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let version = version.ok_or_else(|| serde::de::Error::missing_field("version"))?;
        Ok(VersionOf { version, file: PhantomData })
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
