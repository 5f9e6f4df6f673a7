//! Files that belong to a suite, read and written: what a search has found, kept for later runs.
//!
//! Each begins with the version of its format, and has the suite's name and
//! [fingerprint](beget_plan::scope::suite_fingerprint), so that it is refused once the methods have
//! changed. This module knows that much of them; the types that implement [`SuiteFile`] know the
//! rest.

use std::fmt;
use std::marker::PhantomData;

use beget_plan::scope::{SuiteFileError, SuiteFileFormat, check_suite};
use beget_suite::Suite;
use ron::ser::PrettyConfig;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A file that belongs to a suite: a RON struct with a field `version`.
pub trait SuiteFile: Serialize + DeserializeOwned {
    /// The name of this kind of file, and its version.
    const FORMAT: &'static SuiteFileFormat;

    /// The name of the suite.
    fn suite(&self) -> &str;

    /// The [fingerprint](beget_plan::scope::suite_fingerprint) that it had.
    fn fingerprint(&self) -> &str;
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
    check_suite(F::FORMAT, file.suite(), file.fingerprint(), suite)
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
