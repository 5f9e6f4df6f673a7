//! Results: the ways in which a method of the harness returns the result of a public function.
//!
//! Structures and values of known types are returned unchanged, iterators are driven, the rest is
//! shown by `Debug`, or dropped without one.

use crate::planner::Planner;
use crate::ty::{Spelling, Ty, has_domain};

/// One way to return a result.
#[derive(Clone, Debug)]
pub(crate) struct ReturnForm {
    pub(crate) ty: ReturnType,
    /// The text before and after the call.
    pub(crate) around: (String, String),
    /// True if there may be a structure in it.
    pub(crate) gives_structure: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum ReturnType {
    Nothing,
    /// The function's own result.
    Same(Ty),
    Text(String),
}

impl ReturnForm {
    fn same(ty: &Ty) -> ReturnForm {
        ReturnForm {
            ty: ReturnType::Same(ty.clone()),
            around: Default::default(),
            gives_structure: ty.has_subject(),
        }
    }

    fn text(ty: &str, before: &str, after: &str) -> ReturnForm {
        ReturnForm {
            ty: ReturnType::Text(ty.to_owned()),
            around: (before.to_owned(), after.to_owned()),
            gives_structure: false,
        }
    }

    fn nothing() -> ReturnForm {
        let around = ("let _ = ".to_owned(), ";".to_owned());
        ReturnForm { ty: ReturnType::Nothing, around, gives_structure: false }
    }

    /// Returns whether it is the function's own result.
    pub(crate) fn is_plain(&self) -> bool {
        self.around.0.is_empty() && self.around.1.is_empty()
    }

    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self.ty, ReturnType::Nothing)
    }

    /// The type as it stands in a signature.
    pub(crate) fn spell(&self, by: Spelling<'_>) -> Result<Option<String>, String> {
        match &self.ty {
            ReturnType::Nothing => Ok(None),
            ReturnType::Same(ty) => ty.spell(by).map(Some),
            ReturnType::Text(text) => Ok(Some(text.clone())),
        }
    }

    pub(crate) fn has_reference(&self) -> bool {
        matches!(&self.ty, ReturnType::Same(ty) if ty.has_reference())
    }
}

const SHOWN_ERROR: &str = ".map_err(|error| shown(&error))";

impl Planner<'_> {
    /// The ways to return a result, the best first. An iterator is driven twice if the call
    /// `is_repeated`.
    pub(crate) fn returned(&self, output: Option<&Ty>, is_repeated: bool) -> Vec<ReturnForm> {
        let Some(ty) = output.filter(|ty| !ty.is_unit()) else {
            return vec![ReturnForm {
                ty: ReturnType::Nothing,
                around: Default::default(),
                gives_structure: false,
            }];
        };
        if let Some(items) = self.items(ty) {
            let mut all = vec![
                ReturnForm::text("Vec<String>", "driven(", ")"),
                ReturnForm::text("usize", "", ".into_iter().take(MOST_ITEMS).count()"),
            ];
            if items.has_subject() {
                all.remove(0);
            } else if is_repeated {
                all.insert(0, ReturnForm::text("Vec<String>", "repeated(|| ", ")"));
            }
            return all;
        }
        if let Some(("Result", args @ [ok, ..])) = ty.std() {
            return self.of_result(ty, ok, args.get(1));
        }
        let shown = [ReturnForm::text("String", "shown(&", ")"), ReturnForm::nothing()];
        match self.is_known(ty) {
            true => std::iter::once(ReturnForm::same(ty)).chain(shown).collect(),
            false => shown.into(),
        }
    }

    fn of_result(&self, ty: &Ty, ok: &Ty, error: Option<&Ty>) -> Vec<ReturnForm> {
        let by = Spelling { subject: "Self", lifetime: "" };
        let mut all = Vec::new();
        match ok.spell(by) {
            Ok(text) if self.is_known(ok) && !ok.has_reference() => {
                if error.is_some_and(|error| self.is_known(error) && error.spell(by).is_ok()) {
                    all.push(ReturnForm::same(ty));
                }
                let gives_structure = ok.has_subject();
                for (error, after) in [("String", SHOWN_ERROR), ("()", ".map_err(|_| ())")] {
                    let form = ReturnForm::text(&format!("Result<{text}, {error}>"), "", after);
                    all.push(ReturnForm { gives_structure, ..form });
                }
            }
            _ => {
                let both = format!(".map(|value| shown(&value)){SHOWN_ERROR}");
                all.push(ReturnForm::text("Result<String, String>", "", &both));
                all.push(ReturnForm::text(
                    "Result<(), String>",
                    "",
                    &format!(".map(|_| ()){SHOWN_ERROR}"),
                ));
            }
        }
        all.push(ReturnForm::text("Result<(), ()>", "", ".map(|_| ()).map_err(|_| ())"));
        all
    }

    fn is_known(&self, ty: &Ty) -> bool {
        is_known(&self.keys_as_structures(ty))
    }
}

/// Returns whether the type can be returned unchanged: it shows everything.
fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Subject => true,
        Ty::Ref { inner, .. } => match &**inner {
            Ty::Slice(element) => has_domain(element),
            Ty::Primitive(_) => true,
            inner => is_known(inner),
        },
        Ty::Tuple(parts) => parts.iter().all(is_known),
        Ty::Array(element, len) => is_known(element) && matches!(**len, Ty::Verbatim(_)),
        Ty::Named(_) => match ty.std() {
            Some(("Option" | "Result" | "Box" | "Vec", args)) => args.iter().all(is_known),
            _ => has_domain(ty),
        },
        ty => has_domain(ty),
    }
}
