//! The file format, version 1. Only these types derive serialization.

use beget_plan::scope::ClaimedExtent;
use serde::{Deserialize, Serialize};

/// The serialized form of a set of builders.
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
    /// The certificate of the set.
    pub certificate: CertificateV1,
}

/// The serialized form of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Certificate", deny_unknown_fields)]
pub struct CertificateV1 {
    /// The scope's number.
    pub k: u32,
    /// The name of the search.
    pub search: String,
    /// True if only structures of the main type count.
    pub main_type_only: bool,
    /// The extent of the full API.
    pub full: ExtentV1,
    /// The extent of the set.
    pub builders: ExtentV1,
    /// A structure that only the full API builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<StructureV1>,
    /// The need for each method.
    pub needs: Vec<NeedV1>,
    /// The methods that only observe.
    pub observers: Vec<ObserverV1>,
    /// Other scopes at which the set was checked.
    #[serde(default)]
    pub confirmed: Vec<ConfirmedV1>,
    /// The methods of the full API.
    #[serde(default)]
    pub among: Vec<String>,
    /// The amount explored beyond the reported scope.
    #[serde(default)]
    pub slack: u32,
    /// The text of the search's scope file.
    #[serde(default)]
    pub scope: String,
}

/// The size of a set of structures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Extent", deny_unknown_fields)]
pub struct ExtentV1 {
    /// The number of structures.
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

/// The need for one method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Need", deny_unknown_fields)]
pub struct NeedV1 {
    /// The method.
    pub method: String,
    /// The extent of the others.
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
    /// The calls that show this.
    pub calls: u64,
    /// The number of them that returned.
    pub returned: u64,
}

/// The check at another scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Confirmed", deny_unknown_fields)]
pub struct ConfirmedV1 {
    /// The scope's number.
    pub k: u32,
    /// The extent of the set there.
    pub builders: ExtentV1,
    /// A structure that only the full API builds there; `None` if the set is sufficient.
    pub missing: Option<StructureV1>,
    /// Methods that are not needed there.
    pub superfluous: Vec<String>,
}
