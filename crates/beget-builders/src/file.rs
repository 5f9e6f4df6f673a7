//! The file that a set of builders is kept in: RON, with the certificate beside the set.
//!
//! A scope names the file by
//! `methods: Builders("list.builders.ron")`. Before it is used it is [checked](BuildersFile::check): the
//! suite must still be the one that was certified, and the certificate must say that the set suffices. What the certificate says
//! can be [generated again](BuildersFile::recheck).

mod format;

use beget_engine::{Settings, Watcher};
use beget_finding::{StopReason, Witness};
use beget_scope::{Plan, PlannedIdx, visible};
use beget_suite::{Suite, to_source};
use ron::ser::PrettyConfig;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::certificate::{Certificate, Confirmation, certify, extent_of, generate_with};
use crate::identify::Identification;
use crate::space::{BuiltExtent, Goal};

pub use format::{
    BuildersFile, CertificateV1, ConfirmedV1, ExtentV1, NeedV1, ObserverV1, StructureV1,
};

/// The version that this crate writes and reads.
const VERSION: u32 = 1;

/// What is wrong with a file of builders.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It is no such file.
    #[error("this is no file of builders: {}", visible(.0))]
    Syntax(String),
    /// Another program wrote it.
    #[error("version {0} of builder files is not known; this program reads version 1")]
    Version(u32),
    /// It belongs to another suite.
    #[error("these builders are for suite `{}`, not for `{expected}`", visible(.found))]
    Suite {
        /// The suite at hand.
        expected: String,
        /// The file's.
        found: String,
    },
    /// The suite has other methods or signatures than when the set was certified.
    #[error(
        "the methods of suite `{0}` have changed since these builders were certified; identify them again with `beget builders`"
    )]
    Changed(String),
    /// A builder that the suite does not have, or the scope leaves out.
    #[error("no method named `{}`", visible(.0))]
    NoMethod(String),
    /// The certificate says itself that the set builds less than the full API.
    #[error(
        "these builders do not suffice: they build {builders} structures of {full}, says their certificate"
    )]
    Insufficient {
        /// By the full API.
        full: u64,
        /// By the set.
        builders: u64,
    },
    /// The certificate does not fit the set.
    #[error("the certificate is not about these methods")]
    OtherMethods,
    /// It is to be checked at another scope than it was made for.
    #[error("these builders are certified at k = {certified}, not at k = {k}")]
    OtherScope {
        /// The certificate's.
        certified: u32,
        /// The plan's.
        k: u32,
    },
    /// Generated again, something is different.
    #[error("generated again, {0}; identify the builders again with `beget builders`")]
    Differs(String),
    /// The check was stopped.
    #[error("stopped before the builders were known: {0}")]
    Stopped(#[from] StopReason),
}

/// How thoroughly a certificate is checked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// One generation by the builders: do they still give what the certificate says?
    Builders,
    /// Everything: by the full API, by the builders, and by the builders without each.
    Everything,
}

/// A hash of the names and signatures of a suite's methods and of the names of its types, as 32 hex digits. Their order does not matter.
pub fn fingerprint(suite: &Suite) -> String {
    let types = suite.types.iter().map(|ty| format!("type {}", ty.name));
    let methods =
        suite.methods.iter().map(|method| format!("{}: {}", method.name, method.signature));
    let mut lines: Vec<String> = types.chain(methods).collect();
    lines.sort_unstable();
    format!("{:032x}", xxh3_128(lines.join("\n").as_bytes()))
}

impl BuildersFile {
    /// What to keep of an identification with the methods of `plan`, and of confirmations at other scopes.
    pub fn new(plan: &Plan, found: &Identification, confirmed: &[Confirmation]) -> Self {
        let writer = Writer { plan };
        let observers = found.observers.iter().map(|observer| ObserverV1 {
            method: writer.name(observer.method),
            calls: observer.calls,
            returned: observer.returned,
        });
        BuildersFile {
            version: VERSION,
            suite: plan.suite.name.clone(),
            methods: writer.names(&found.methods),
            fingerprint: fingerprint(&plan.suite),
            certificate: CertificateV1 {
                search: found.search.name().to_owned(),
                observers: observers.collect(),
                confirmed: confirmed.iter().map(|one| writer.confirmed(one)).collect(),
                ..writer.certificate(&found.certificate)
            },
        }
    }

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

    /// Checks what can be checked without a call: that the file is for `suite` as it is today, and says that the set suffices.
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

    /// Checks the file and generates again what its certificate says. The methods of `plan` are the full
    /// API, at the scope of the certificate.
    ///
    /// # Errors
    /// The first thing that is wrong; or that the check was stopped.
    pub fn recheck(
        &self,
        plan: &Plan,
        how: Recheck,
        settings: Settings,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FileError> {
        self.check(&plan.suite)?;
        let old = &self.certificate;
        if old.k != plan.k {
            return Err(FileError::OtherScope { certified: old.k, k: plan.k });
        }
        let methods = self.positions(plan)?;
        let goal = if old.main_type_only { Goal::MainType } else { Goal::Everything };
        match how {
            Recheck::Builders => {
                let by_set = generate_with(plan, &methods, settings, watcher)?;
                differs(
                    "the builders give",
                    &old.builders,
                    &extent(extent_of(&by_set, goal).map_err(StopReason::from)?),
                )
            }
            Recheck::Everything => {
                let new = certify(plan, &methods, goal, settings, watcher)?;
                compare(old, &Writer { plan }.certificate(&new))
            }
        }
    }

    fn positions(&self, plan: &Plan) -> Result<Vec<PlannedIdx>, FileError> {
        let position = |name: &String| {
            let found = plan.suite.find_method(name).and_then(|method| plan.find_planned(method));
            found.ok_or_else(|| FileError::NoMethod(name.clone()))
        };
        self.methods.iter().map(position).collect()
    }
}

fn compare(old: &CertificateV1, new: &CertificateV1) -> Result<(), FileError> {
    differs("the full API gives", &old.full, &new.full)?;
    differs("the builders give", &old.builders, &new.builders)?;
    for (old, new) in old.needs.iter().zip(&new.needs) {
        differs(&format!("the set without `{}` gives", old.method), &old.without, &new.without)?;
    }
    Ok(())
}

fn differs(what: &str, old: &ExtentV1, new: &ExtentV1) -> Result<(), FileError> {
    if old == new {
        return Ok(());
    }
    Err(FileError::Differs(format!(
        "{what} {} structures with digest {}, where the certificate says {} with {}",
        new.structures, new.digest, old.structures, old.digest
    )))
}

fn extent(extent: BuiltExtent) -> ExtentV1 {
    ExtentV1 { structures: extent.structures, digest: format!("{:032x}", extent.digest) }
}

/// Writes what is known of a plan's methods by their names.
struct Writer<'p> {
    plan: &'p Plan,
}

impl Writer<'_> {
    fn name(&self, method: PlannedIdx) -> String {
        self.plan.method(method).name.to_owned()
    }

    fn names(&self, methods: &[PlannedIdx]) -> Vec<String> {
        methods.iter().map(|&method| self.name(method)).collect()
    }

    fn certificate(&self, certificate: &Certificate) -> CertificateV1 {
        let needs = certificate.needs.iter().map(|need| NeedV1 {
            method: self.name(need.method),
            without: extent(need.without),
            lost: need.loss.as_ref().map(|loss| self.structure(loss)),
        });
        CertificateV1 {
            k: certificate.k,
            search: String::new(),
            main_type_only: certificate.goal == Goal::MainType,
            full: extent(certificate.full),
            builders: extent(certificate.builders),
            missing: certificate.missing.as_ref().map(|loss| self.structure(loss)),
            needs: needs.collect(),
            observers: Vec::new(),
            confirmed: Vec::new(),
        }
    }

    fn confirmed(&self, confirmation: &Confirmation) -> ConfirmedV1 {
        ConfirmedV1 {
            k: confirmation.k,
            builders: extent(confirmation.builders),
            missing: confirmation.missing.as_ref().map(|loss| self.structure(loss)),
            superfluous: self.names(&confirmation.superfluous),
        }
    }

    fn structure(&self, loss: &Witness) -> StructureV1 {
        let source = |recipe| to_source(&self.plan.suite, recipe).0;
        StructureV1 {
            recipe: loss.recipe.as_ref().map(source).unwrap_or_default(),
            picture: loss.text().trim_end().to_owned(),
        }
    }
}
