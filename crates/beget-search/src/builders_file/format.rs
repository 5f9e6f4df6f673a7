//! The format, version 1. These types are for the edge; nothing else derives serialization.

use beget_plan::scope::ClaimedExtent;
use serde::{Deserialize, Serialize};

/// A set of builders as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Builders", deny_unknown_fields)]
pub struct BuildersFile {
    /// The version of the format.
    pub version: u32,
    /// The name of the suite.
    pub suite: String,
    /// The names of the builders, in suite order.
    pub methods: Vec<String>,
    /// The suite's [fingerprint](beget_plan::scope::suite_fingerprint).
    pub fingerprint: String,
    /// What holds for the set.
    pub certificate: CertificateV1,
}

/// A certificate as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Certificate", deny_unknown_fields)]
pub struct CertificateV1 {
    /// The scope's number.
    pub k: u32,
    /// How the set was searched for.
    pub search: String,
    /// True if only structures of the main type count.
    pub main_type_only: bool,
    /// What the full API builds.
    pub full: ExtentV1,
    /// What the set builds.
    pub builders: ExtentV1,
    /// A structure that only the full API builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<StructureV1>,
    /// What each method is needed for.
    pub needs: Vec<NeedV1>,
    /// The methods that only observe.
    pub observers: Vec<ObserverV1>,
    /// Other scopes at which the set was checked.
    #[serde(default)]
    pub confirmed: Vec<ConfirmedV1>,
    /// The methods of the full API.
    #[serde(default)]
    pub among: Vec<String>,
    /// How much more was explored than is reported.
    #[serde(default)]
    pub slack: u32,
    /// The scope file of the search, as it stood.
    #[serde(default)]
    pub scope: String,
}

/// How much is built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "BuiltExtent", deny_unknown_fields)]
pub struct ExtentV1 {
    /// How many structures.
    pub structures: u64,
    /// Their digest, 32 hex digits.
    pub digest: String,
}

impl ExtentV1 {
    pub(super) fn as_claim(&self) -> ClaimedExtent<'_> {
        ClaimedExtent { structures: self.structures, digest: &self.digest }
    }
}

/// A structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Structure", deny_unknown_fields)]
pub struct StructureV1 {
    /// Rust statements that build it.
    pub recipe: String,
    /// Its heap, one line for each object.
    pub picture: String,
}

/// What one method is needed for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Need", deny_unknown_fields)]
pub struct NeedV1 {
    /// The method.
    pub method: String,
    /// What the others build.
    pub without: ExtentV1,
    /// A structure that they do not build; `None` if the method is superfluous.
    pub lost: Option<StructureV1>,
}

/// A method that only observes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Observer", deny_unknown_fields)]
pub struct ObserverV1 {
    /// The method.
    pub method: String,
    /// The calls that say so.
    pub calls: u64,
    /// How many of them returned.
    pub returned: u64,
}

/// What holds at another scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Confirmed", deny_unknown_fields)]
pub struct ConfirmedV1 {
    /// The scope's number.
    pub k: u32,
    /// What the set builds there.
    pub builders: ExtentV1,
    /// A structure that only the full API builds there; `None`: the set is sufficient.
    pub missing: Option<StructureV1>,
    /// Methods that can be spared there.
    pub superfluous: Vec<String>,
}
