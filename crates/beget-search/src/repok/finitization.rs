//! Finitizations: the bounds of a search, by class and field names, for one scope.

use crate::repok::ValueDomain;

/// The number of objects of each class, and the values of their fields.
///
/// The root is one separate object. Fields have their names in the type; fields of structs stored
/// in place are named by path (`pair.left`), the presence of an optional struct by `pair?`, the
/// elements of an array by `array[]`. After a candidate is accepted, the fields that the repOK did
/// not read are varied in the order in which they are given here.
///
/// ```
/// use beget_search::repok::{ValueDomain, Finitization};
///
/// fn lists(k: u32) -> Finitization {
///     Finitization::new()
///         .pool("Node", k)
///         .field("List", "header", ValueDomain::nodes().or_null())
///         .field("List", "size", ValueDomain::ints(0..=k.into()))
///         .field("Node", "next", ValueDomain::nodes().or_null())
///         .field("Node", "value", ValueDomain::ints(0..k.into()).or_null())
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finitization {
    pub(crate) pools: Vec<(String, u32)>,
    pub(crate) fields: Vec<PathDomain>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathDomain {
    pub(crate) class: String,
    pub(crate) path: String,
    pub(crate) domain: ValueDomain,
}

impl Finitization {
    /// A root without objects.
    pub fn new() -> Self {
        Finitization::default()
    }

    /// There are `n` objects of `class`.
    #[must_use]
    pub fn pool(mut self, class: impl Into<String>, n: u32) -> Self {
        self.pools.push((class.into(), n));
        self
    }

    /// The field `path` of `class` takes the values of `domain`.
    #[must_use]
    pub fn field(
        mut self,
        class: impl Into<String>,
        path: impl Into<String>,
        domain: ValueDomain,
    ) -> Self {
        self.fields.push(PathDomain { class: class.into(), path: path.into(), domain });
        self
    }
}

/// A finitization that does not fit its type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinitizationError {
    /// No class of that name can be reached from the root.
    UnknownClass {
        /// The name.
        class: String,
        /// The known classes.
        known: Vec<String>,
    },
    /// The class has no such field.
    UnknownField {
        /// The class.
        class: String,
        /// The name.
        field: String,
        /// The known fields.
        known: Vec<String>,
    },
    /// A field has no domain.
    MissingField {
        /// The class.
        class: String,
        /// The field.
        field: String,
    },
    /// A pool or a field is given twice.
    GivenTwice {
        /// The class, and the field if it is one.
        name: String,
    },
    /// The domain is of another kind than the field.
    WrongKind {
        /// The class.
        class: String,
        /// The field.
        field: String,
        /// The kind of the field.
        holds: &'static str,
    },
    /// The candidates have too many cells, or these too many values together.
    TooLarge,
    /// The domain has no value.
    EmptyDomain {
        /// The class.
        class: String,
        /// The field.
        field: String,
    },
}

impl std::fmt::Display for FinitizationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FinitizationError::UnknownClass { class, known } => {
                write!(f, "there is no class {class}: there are {}", known.join(", "))
            }
            FinitizationError::UnknownField { class, field, known } => {
                write!(f, "{class} has no field {field}: it has {}", known.join(", "))
            }
            FinitizationError::MissingField { class, field } => write!(
                f,
                "the field {field} of {class} has no domain: give it one, or one value that it always has"
            ),
            FinitizationError::TooLarge => write!(
                f,
                "the space is too large to be kept: give smaller pools, shorter arrays or fewer values"
            ),
            FinitizationError::GivenTwice { name } => write!(f, "{name} is given twice"),
            FinitizationError::WrongKind { class, field, holds } => {
                write!(f, "the field {field} of {class} holds {holds}: give a domain of these")
            }
            FinitizationError::EmptyDomain { class, field } => write!(
                f,
                "the field {field} of {class} has no value to take: raise the scope, or allow null"
            ),
        }
    }
}

impl std::error::Error for FinitizationError {}
