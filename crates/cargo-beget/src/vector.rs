//! Vectors under test, for the functions that a trait of the crate gives to `Vec`.
//!
//! The documentation of the crate has none of the functions of `Vec` itself. Those that a harness
//! needs are here: a constructor, an iteration and the length.

use rustdoc_types::Id;

use crate::document::Document;
use crate::error::DiscoverError;
use crate::method::{ApiFunction, FunctionFate, MethodForm};
use crate::state::StateField;
use crate::subject::{ElementKind, TypeUnderTest};
use crate::ty::{NamedTy, Spelling, Substitution, Ty};

/// The name of the constructor.
pub(crate) const CONSTRUCTOR: &str = "from_items";

impl Document {
    /// The vector whose functions of a trait of this crate are tested.
    ///
    /// # Errors
    /// If `Vec` does not have the trait, or takes other arguments with it.
    pub(crate) fn vector_with(
        &self,
        of_trait: Id,
        arguments: &[String],
        elements: ElementKind,
    ) -> Result<TypeUnderTest, DiscoverError> {
        let ty = self.public_path(of_trait).unwrap_or_default().to_owned();
        let name = ty.rsplit("::").next().unwrap_or(&ty).to_owned();
        let unfit = |reason| DiscoverError::Unfit { ty: ty.clone(), reason };
        let mut implementors = self.implementors(of_trait).filter(|one| one.blanket_impl.is_none());
        let found = implementors.find_map(|one| {
            let Ty::Named(vector) = self.lower(&one.for_, &Substitution::new()) else {
                return None;
            };
            let is_one = vector.is_std && vector.name == "Vec" && vector.args.len() == 1;
            is_one.then_some((one, vector))
        });
        let missing = || unfit("it is a trait that `Vec` does not have".to_owned());
        let (one, mut vector) = found.ok_or_else(missing)?;
        let param = match &vector.args[0] {
            Ty::Param(name) => Some(name.clone()),
            _ => None,
        };
        let (wanted, given) = (usize::from(param.is_some()), arguments.len());
        if given > wanted {
            return Err(DiscoverError::Arguments { ty, wanted, given });
        }
        if let Some(param) = param {
            let bounds = self.bounds_of(&param, &one.generics, &Substitution::new());
            let usual = || elements.for_bounds(&bounds).ty();
            vector.args = vec![arguments.first().map_or_else(usual, |text| self.parse(text))];
        }
        let by = Spelling { subject: "Self", lifetime: "" };
        let element = vector.args[0].spell(by);
        let element = element.map_err(|what| unfit(format!("its vectors need {what}")))?;
        let vector = NamedTy { path: Some("Vec".to_owned()), ..vector };
        let source = format!("Vec<{element}>");
        Ok(TypeUnderTest::new(vector, Some(of_trait), elements, source, &name))
    }
}

/// A vector of items, each from the literals.
pub(crate) fn constructor(vector: &TypeUnderTest) -> ApiFunction {
    let (name, ty, subject) = (CONSTRUCTOR, &vector.source, &vector.name);
    let form = MethodForm {
        declaration: format!("fn {name}(items: {ty}) -> Self = calls::{name};"),
        wrapper: Some(format!("pub fn {name}(items: {ty}) -> {subject} {{\n    items\n}}\n")),
        passes_values: true,
        makes_structures: true,
    };
    ApiFunction {
        name: name.to_owned(),
        path: name.to_owned(),
        is_of_trait: false,
        panics: None,
        announces_leak: false,
        takes_index: false,
        fate: FunctionFate::Runs(vec![form]),
    }
}

/// The method that iterates over a vector, with its items.
pub(crate) fn iteration(vector: &TypeUnderTest) -> (String, Ty) {
    let inner = Box::new(vector.ty.args[0].clone());
    ("iter".to_owned(), Ty::Ref { is_mut: false, inner })
}

/// The length of a vector, which bounds the space.
pub(crate) fn length(vector: &TypeUnderTest) -> StateField {
    StateField {
        name: "len".to_owned(),
        ty: "usize".to_owned(),
        value: format!("{}.len()", vector.variable),
        is_size: true,
    }
}
