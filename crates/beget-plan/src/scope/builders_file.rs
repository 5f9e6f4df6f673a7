//! A file of builders: the methods that a scope may name by it, and the check of what it claims.
//!
//! Of the certificate this module reads what the check needs. `beget-search` writes the file, reads
//! all of it, and generates again what it claims.

use std::fmt;

use beget_suite::Suite;

use crate::scope::diagnostic::{Diagnostics, SourceText};
use crate::scope::file::ScopeFile;
use crate::scope::read::{Fields, FileText, RonReader};
use crate::scope::suite_file::{SuiteFileError, SuiteFileFormat, check_suite};
use crate::scope::syntax::Raw;
use crate::scope::visible;

/// The format of files of builders.
pub const BUILDERS_FORMAT: &SuiteFileFormat = &SuiteFileFormat {
    name: "Builders",
    version: 1,
    noun: "file of builders",
    nouns: "builder files",
    contents: "these builders are",
    origin: "these builders were certified",
    remedy: "identify them again with `beget builders`",
};

/// The methods listed in a file of builders.
#[derive(Clone, Debug)]
pub(crate) struct BuilderList {
    pub(crate) suite: FileText,
    pub(crate) methods: Vec<FileText>,
}

/// Reads a file that names the builders of a suite. Other fields belong to the certificate.
pub(crate) fn read_builders(source: &SourceText) -> Result<BuilderList, Diagnostics> {
    let mut reader = RonReader::new(source);
    let read = reader.file(BUILDERS_FORMAT.name).and_then(|fields| {
        if let Some(raw) = reader.required(&fields, "version", "1") {
            check_version(&mut reader, raw);
        }
        let suite = reader.required(&fields, "suite", "\"...\"").and_then(|raw| reader.text(raw));
        let methods = reader
            .required(&fields, "methods", "[\"new\"]")
            .and_then(|raw| reader.texts(raw, "[\"new\"]"));
        Some(BuilderList { suite: suite?, methods: methods? })
    });
    let problems = std::mem::take(&mut reader.problems);
    let read = problems.unless_any(read)?;
    Ok(read.expect("a file that cannot be read has a problem"))
}

fn check_version<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) {
    let version = read_version(reader, raw);
    if let Some(value @ (0 | 2..)) = version {
        let message = format!("version {value} of builder files is not known");
        reader.problem(raw.span(), message, Some("this program reads version 1".to_owned()));
    }
}

fn read_version<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<u32> {
    reader.number(raw, &format!("an integer from 0 to {}", u32::MAX))
}

/// Returns the name of the suite that a scope file or a file of builders is about, by its name for
/// messages and its text. `None`: it is neither, or it cannot be read.
pub fn suite_of_file(name: &str, text: &str) -> Option<String> {
    if let Ok(scope) = ScopeFile::parse(name, text) {
        return Some(scope.suite_name().to_owned());
    }
    let builders = read_builders(&SourceText::new(name, text)).ok()?;
    Some(builders.suite.value)
}

/// An error that the check of a file of builders finds without making calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildersError {
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
}

impl fmt::Display for BuildersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildersError::File(error) => error.fmt(f),
            BuildersError::NoMethod(name) => write!(f, "no method named `{}`", visible(name)),
            BuildersError::Insufficient { full, builders } => write!(
                f,
                "these builders do not suffice: they build {builders} structures of {full}, says their certificate"
            ),
            BuildersError::OtherMethods => {
                f.write_str("the certificate is not about these methods")
            }
        }
    }
}

impl std::error::Error for BuildersError {}

impl From<SuiteFileError> for BuildersError {
    fn from(error: SuiteFileError) -> Self {
        BuildersError::File(error)
    }
}

/// Structures that a set of methods builds: how many, and their digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedExtent<'f> {
    /// The number of structures.
    pub structures: u64,
    /// Their digest, 32 hex digits.
    pub digest: &'f str,
}

/// The claims of a file of builders that are checked without making calls.
#[derive(Clone, Debug)]
pub struct BuildersClaim<'f> {
    /// The name of the suite.
    pub suite: &'f str,
    /// The suite's [fingerprint](crate::scope::suite_fingerprint).
    pub fingerprint: &'f str,
    /// The names of the builders.
    pub methods: Vec<&'f str>,
    /// The structures that the full API builds.
    pub full: ClaimedExtent<'f>,
    /// The structures that the builders build.
    pub builders: ClaimedExtent<'f>,
    /// The methods that the certificate says something of.
    pub certified: Vec<&'f str>,
}

impl BuildersClaim<'_> {
    /// Checks that the file is for `suite` as it is today, and says that the set suffices.
    ///
    /// # Errors
    ///
    /// The first problem.
    pub fn check(&self, suite: &Suite) -> Result<(), BuildersError> {
        check_suite(BUILDERS_FORMAT, self.suite, self.fingerprint, suite)?;
        if let Some(unknown) = self.methods.iter().find(|name| suite.find_method(name).is_none()) {
            return Err(BuildersError::NoMethod((*unknown).to_owned()));
        }
        if self.full != self.builders {
            let (full, builders) = (self.full.structures, self.builders.structures);
            return Err(BuildersError::Insufficient { full, builders });
        }
        match self.certified == self.methods {
            true => Ok(()),
            false => Err(BuildersError::OtherMethods),
        }
    }
}

/// Reads the text of a file of builders and [checks](BuildersClaim::check) it.
///
/// # Errors
///
/// The first problem.
pub fn check_builders(text: &str, suite: &Suite) -> Result<(), BuildersError> {
    let source = SourceText::new("", text);
    let mut reader = RonReader::new(&source);
    let read =
        reader.file(BUILDERS_FORMAT.name).and_then(|fields| read_claim(&mut reader, &fields));
    let read = match std::mem::take(&mut reader.problems).unless_any(read) {
        Ok(read) => read.expect("a file that cannot be read has a problem")?,
        Err(problems) => {
            let first = problems.iter().next().expect("problems");
            let reason = format!("{}:{}: {}", first.line, first.column, first.message);
            return Err(SuiteFileError::Syntax(BUILDERS_FORMAT, reason).into());
        }
    };
    read.as_claim().check(suite)
}

/// The texts that a claim borrows.
struct ReadClaim {
    suite: FileText,
    fingerprint: FileText,
    methods: Vec<FileText>,
    full: (u64, FileText),
    builders: (u64, FileText),
    certified: Vec<FileText>,
}

impl ReadClaim {
    fn as_claim(&self) -> BuildersClaim<'_> {
        BuildersClaim {
            suite: &self.suite.value,
            fingerprint: &self.fingerprint.value,
            methods: names(&self.methods),
            full: extent(&self.full),
            builders: extent(&self.builders),
            certified: names(&self.certified),
        }
    }
}

fn names(texts: &[FileText]) -> Vec<&str> {
    texts.iter().map(|text| text.value.as_str()).collect()
}

fn extent((structures, digest): &(u64, FileText)) -> ClaimedExtent<'_> {
    ClaimedExtent { structures: *structures, digest: &digest.value }
}

/// The claim of the file with these fields, or the error that it is of another version.
fn read_claim<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
) -> Option<Result<ReadClaim, SuiteFileError>> {
    let version = reader.required(fields, "version", "1")?;
    let version = read_version(reader, version)?;
    if version != BUILDERS_FORMAT.version {
        return Some(Err(SuiteFileError::Version(BUILDERS_FORMAT, version)));
    }
    let names = "[\"new\"]";
    let methods = reader.required(fields, "methods", names)?;
    let certificate = reader.required(fields, "certificate", "Certificate(...)")?;
    let certificate = reader.fields(certificate, "Certificate", "Certificate(k: 2)")?;
    let needs = reader.required(&certificate, "needs", "[]")?;
    let needs = reader.list(needs, "[Need(method: \"new\")]")?;
    let of_need = |reader: &mut RonReader<'t>, raw| {
        let need = reader.fields(raw, "Need", "Need(method: \"new\")")?;
        read_text(reader, &need, "method")
    };
    Some(Ok(ReadClaim {
        suite: read_text(reader, fields, "suite")?,
        fingerprint: read_text(reader, fields, "fingerprint")?,
        methods: reader.texts(methods, names)?,
        full: read_extent(reader, &certificate, "full")?,
        builders: read_extent(reader, &certificate, "builders")?,
        certified: needs.into_iter().map(|raw| of_need(reader, raw)).collect::<Option<_>>()?,
    }))
}

fn read_text<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
    name: &'static str,
) -> Option<FileText> {
    let raw = reader.required(fields, name, "\"...\"")?;
    reader.text(raw)
}

fn read_extent<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
    name: &'static str,
) -> Option<(u64, FileText)> {
    let example = "Extent(structures: 1, digest: \"...\")";
    let raw = reader.required(fields, name, example)?;
    let extent = reader.fields(raw, "Extent", example)?;
    let structures = reader.required(&extent, "structures", "1")?;
    let structures = reader.number(structures, "a number of structures")?;
    Some((structures, read_text(reader, &extent, "digest")?))
}
