//! Parameters: the ways in which a method of the harness provides what a public function takes.
//!
//! A value that a scope can list is passed on. Any other is made of such values: by a constructor
//! of the crate, from a vector, by a closure, or by taking one that the structure itself holds.

use rustdoc_types::{ItemEnum, VariantKind};

use crate::closure::closure;
use crate::constructor::ConstructorInput;
use crate::planner::Planner;
use crate::subject::HASHER;
use crate::ty::{NamedTy, Spelling, TraitBound, Ty, has_domain, is_memory_order};

/// A parameter of a method of the harness.
#[derive(Clone, Debug)]
pub(crate) struct HarnessParameter {
    pub(crate) name: String,
    /// `#[values(...)] ` or nothing.
    pub(crate) attribute: String,
    pub(crate) ty: Ty,
}

/// A way to provide one parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct ServedParameter {
    pub(crate) declared: Vec<HarnessParameter>,
    /// Statements before the call.
    pub(crate) setup: Vec<String>,
    /// The expression passed.
    pub(crate) expression: String,
    /// Of a closure: the one that adds one to `n_asked` with each call.
    pub(crate) counting: Option<String>,
    /// Statements after a call that returns nothing.
    pub(crate) after: Vec<String>,
    /// True if the method of the harness has the same parameter.
    pub(crate) is_plain: bool,
}

impl HarnessParameter {
    /// A parameter whose type can be written.
    pub(crate) fn plain(name: &str, ty: &Ty) -> Result<HarnessParameter, String> {
        ty.spell(Spelling { subject: "Self", lifetime: "" })?;
        Ok(HarnessParameter { name: name.to_owned(), attribute: String::new(), ty: ty.clone() })
    }
}

impl ServedParameter {
    pub(crate) fn plain(name: &str, ty: &Ty) -> Result<ServedParameter, String> {
        let declared = vec![HarnessParameter::plain(name, ty)?];
        Ok(ServedParameter {
            declared,
            setup: Vec::new(),
            expression: name.to_owned(),
            counting: None,
            after: Vec::new(),
            is_plain: true,
        })
    }

    pub(crate) fn made(declared: Vec<HarnessParameter>, expression: String) -> ServedParameter {
        ServedParameter {
            declared,
            setup: Vec::new(),
            expression,
            counting: None,
            after: Vec::new(),
            is_plain: false,
        }
    }
}

/// The length of an array that has too many values for a scope to list: `init` passes two of them.
fn long_array(ty: &Ty) -> Option<usize> {
    const MOST_LISTED: usize = 4;
    match ty {
        Ty::Array(_, len) => len.text().parse().ok().filter(|len| *len > MOST_LISTED),
        _ => None,
    }
}

/// Returns whether structures occur where a suite finds them.
fn is_structure(ty: &Ty) -> bool {
    match ty {
        Ty::Subject => true,
        Ty::Ref { inner, .. } => match &**inner {
            Ty::Slice(inner) => **inner == Ty::Subject,
            inner => *inner == Ty::Subject,
        },
        Ty::Named(_) => ty.std().is_some_and(|(name, args)| {
            matches!(name, "Box" | "Rc" | "Arc" | "Option" | "Vec") && args == [Ty::Subject]
        }),
        _ => false,
    }
}

impl Planner<'_> {
    /// The ways to provide a parameter, the best first.
    ///
    /// # Errors
    ///
    /// The missing part, to follow the word "needs".
    pub(crate) fn arguments(&self, name: &str, ty: &Ty) -> Result<Vec<ServedParameter>, String> {
        let is_listed = has_domain(ty) && long_array(ty.referent()).is_none();
        if is_structure(ty) || is_listed || self.is_key(ty) {
            return Ok(vec![ServedParameter::plain(name, ty)?]);
        }
        match ty {
            Ty::Array(element, len) if long_array(ty).is_some() && element.is_integer() => {
                let values = [0, 1].map(|value| format!("[{value}; {}]", len.text()));
                let attribute = format!("#[values({})] ", values.join(", "));
                let declared = HarnessParameter { attribute, ..HarnessParameter::plain(name, ty)? };
                let is_plain = true;
                let made = ServedParameter::made(vec![declared], name.to_owned());
                Ok(vec![ServedParameter { is_plain, ..made }])
            }
            Ty::Opaque(bounds) => match self.of_bounds_alone(bounds) {
                None | Some(Ty::Opaque(_)) => self.of_bounds(name, bounds),
                Some(chosen) => self.arguments(name, &chosen),
            },
            Ty::Verbatim(text) if text == HASHER => {
                Ok(vec![ServedParameter::made(Vec::new(), "Default::default()".to_owned())])
            }
            Ty::Ref { is_mut, inner } => {
                let made = self.arguments(name, inner)?.into_iter();
                let word = if *is_mut { "&mut " } else { "&" };
                let lent = |argument: ServedParameter| ServedParameter {
                    expression: format!("{word}{}", argument.expression),
                    counting: None,
                    is_plain: false,
                    ..argument
                };
                Ok(made.map(lent).collect())
            }
            Ty::Named(named) if named.is_std => Ok(vec![self.of_std(name, named)?]),
            Ty::Named(named) => self.of_local(name, named),
            Ty::Array(element, len) => Ok(vec![self.of_array(name, element, len)?]),
            other => Err(format!("`{}`, which has no domain", other.text())),
        }
    }

    /// A reference that lives for ever: one of some literals, chosen by its position.
    ///
    /// # Errors
    ///
    /// If there are no literals of that type.
    pub(crate) fn of_static(&self, name: &str, ty: &Ty) -> Result<Vec<ServedParameter>, String> {
        let literals = match ty.referent() {
            Ty::Primitive(name) if name == "str" => r#"["", "a", "ab"]"#,
            Ty::Slice(item) if **item == Ty::Primitive("u8".to_owned()) => {
                r#"[&b""[..], b"a", b"ab"]"#
            }
            _ => return Err(format!("`{}` for ever", ty.text())),
        };
        let declared = HarnessParameter {
            name: name.to_owned(),
            attribute: "#[values(0, 1, 2)] ".to_owned(),
            ty: Ty::Primitive("usize".to_owned()),
        };
        Ok(vec![ServedParameter::made(vec![declared], format!("{literals}[{name}]"))])
    }

    fn of_bounds(&self, name: &str, bounds: &[TraitBound]) -> Result<Vec<ServedParameter>, String> {
        if let Some(bound) = bounds.iter().find(|bound| is_function(&bound.name)) {
            let made = closure(name, bound)?;
            return Ok(vec![ServedParameter {
                counting: made.counting,
                ..ServedParameter::made(made.declared, made.source)
            }]);
        }
        if let Some(bound) = bounds.iter().find(|bound| is_iteration(&bound.name)) {
            let item = bound.bindings.iter().find(|(name, _)| name == "Item" || name == "IntoIter");
            let item = item.map(|(_, item)| item.clone()).unwrap_or_else(|| self.element());
            // An iterator that does not know its length shows buffers with room for more.
            let exact = self.of_items(name, &item)?;
            let unsure = item.is_tracked().then(|| ServedParameter {
                expression: format!("beget::elements::items(&{name})"),
                ..exact.clone()
            });
            return Ok(unsure.into_iter().chain([exact]).collect());
        }
        let names: Vec<_> = bounds.iter().map(|bound| bound.name.as_str()).collect();
        Err(format!("a type with {}", names.join(" + ")))
    }

    /// An iterator: from a vector.
    fn of_items(&self, name: &str, item: &Ty) -> Result<ServedParameter, String> {
        let vector = |element: Ty| HarnessParameter::plain(name, &std_type("Vec", vec![element]));
        match item {
            Ty::Ref { is_mut: false, inner } if has_domain(inner) && !inner.has_reference() => Ok(
                ServedParameter::made(vec![vector((**inner).clone())?], format!("{name}.iter()")),
            ),
            Ty::Tuple(parts)
                if parts.len() == 2 && parts.iter().all(|part| matches!(part, Ty::Ref { .. })) =>
            {
                let owned = Ty::Tuple(parts.iter().map(|part| part.referent().clone()).collect());
                Ok(ServedParameter::made(
                    vec![vector(owned)?],
                    format!("{name}.iter().map(|(a, b)| (a, b))"),
                ))
            }
            // Its items are clones, so that the iterator may panic; and its length may be a lie.
            item if item.is_tracked() => Ok(ServedParameter::made(
                vec![vector(item.clone())?],
                format!("beget::elements::exact_items(&{name})"),
            )),
            item if has_domain(item) && !item.has_reference() => Ok(ServedParameter::made(
                vec![vector(item.clone())?],
                format!("{name}.into_iter()"),
            )),
            item => {
                let made = self.arguments("one", item)?.swap_remove(0);
                match &made.declared[..] {
                    [one] if made.setup.is_empty() && one.attribute.is_empty() => {
                        let (item, made) = (&one.name, &made.expression);
                        Ok(ServedParameter::made(
                            vec![vector(one.ty.clone())?],
                            format!("{name}.into_iter().map(|{item}| {made})"),
                        ))
                    }
                    _ => Err(format!("an iterator of `{}`", item.text())),
                }
            }
        }
    }

    /// An array of few values, each made by itself.
    fn of_array(&self, name: &str, element: &Ty, len: &Ty) -> Result<ServedParameter, String> {
        let len = match len {
            Ty::Verbatim(text) => text.parse().ok().filter(|len| (1..=3).contains(len)),
            _ => None,
        };
        let len: usize = len.ok_or_else(|| format!("an array of `{}`", element.text()))?;
        let mut all = ServedParameter::made(Vec::new(), String::new());
        let mut values = Vec::new();
        for index in 1..=len {
            let made = self.arguments(&format!("{name}_{index}"), element)?.swap_remove(0);
            all.declared.extend(made.declared);
            all.setup.extend(made.setup);
            values.push(made.expression);
        }
        Ok(ServedParameter { expression: format!("[{}]", values.join(", ")), ..all })
    }

    fn of_std(&self, name: &str, named: &NamedTy) -> Result<ServedParameter, String> {
        let missing = || format!("`{}`, which has no domain", Ty::Named(named.clone()).text());
        match (named.name.as_str(), &named.args[..]) {
            ("Box", [Ty::Slice(element)]) if has_domain(element) => {
                let vector =
                    HarnessParameter::plain(name, &std_type("Vec", vec![(**element).clone()]))?;
                Ok(ServedParameter::made(vec![vector], format!("{name}.into_boxed_slice()")))
            }
            // The one order that every access takes.
            _ if is_memory_order(named) => Ok(ServedParameter::made(
                Vec::new(),
                "std::sync::atomic::Ordering::SeqCst".to_owned(),
            )),
            ("DefaultHasher", _) => {
                Ok(ServedParameter::made(Vec::new(), "std::hash::DefaultHasher::new()".to_owned()))
            }
            ("Option", [inner]) => {
                let made = self.arguments(name, inner)?.swap_remove(0);
                Ok(ServedParameter {
                    expression: format!("Some({})", made.expression),
                    counting: None,
                    is_plain: false,
                    ..made
                })
            }
            ("HashMap" | "HashSet" | "BinaryHeap", args) if args.iter().all(has_domain) => {
                let elements = match args {
                    [key, value, ..] if named.name == "HashMap" => {
                        Ty::Tuple(vec![key.clone(), value.clone()])
                    }
                    [key, ..] => key.clone(),
                    [] => return Err(missing()),
                };
                let vector = HarnessParameter::plain(name, &std_type("Vec", vec![elements]))?;
                Ok(ServedParameter::made(vec![vector], format!("{name}.into_iter().collect()")))
            }
            _ => Err(missing()),
        }
    }

    /// A value of a type of the crate.
    fn of_local(&self, name: &str, named: &NamedTy) -> Result<Vec<ServedParameter>, String> {
        let ty = Ty::Named(named.clone());
        let source = ty.spell(Spelling { subject: "Self", lifetime: "" })?;
        if let Some(values) = self.variants(named) {
            let values: Vec<_> = values.iter().map(|value| format!("{source}::{value}")).collect();
            let attribute = format!("#[values({})] ", values.join(", "));
            let declared = HarnessParameter { name: name.to_owned(), attribute, ty };
            let expression = name.to_owned();
            return Ok(vec![ServedParameter {
                declared: vec![declared],
                setup: Vec::new(),
                expression,
                counting: None,
                after: Vec::new(),
                is_plain: true,
            }]);
        }
        let mut found: Vec<ServedParameter> =
            self.constructors(name, named, ConstructorInput::Literals);
        found.extend(self.held(name, &ty));
        if found.is_empty() {
            found = self.constructors(name, named, ConstructorInput::OtherValues);
        }
        if found.is_empty() {
            found = self.constructors(name, named, ConstructorInput::Nothing);
        }
        match found.is_empty() {
            true => Err(format!("`{}`, which has no domain", ty.text())),
            false => Ok(found),
        }
    }

    /// The variants of an enum without fields.
    pub(crate) fn variants(&self, named: &NamedTy) -> Option<Vec<String>> {
        let ItemEnum::Enum(of) = &self.document.item(named.id)?.inner else { return None };
        let variants = of.variants.iter().map(|id| {
            let item = self.document.item(*id)?;
            let ItemEnum::Variant(variant) = &item.inner else { return None };
            matches!(variant.kind, VariantKind::Plain).then(|| item.name.clone())?
        });
        variants.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
    }

    /// A value that the structure holds, by its position in an iteration.
    fn held(&self, name: &str, ty: &Ty) -> Option<ServedParameter> {
        let (method, item) = self.iterations.iter().find(|(_, item)| {
            let first = match item {
                Ty::Tuple(parts) => parts.first(),
                other => Some(other),
            };
            first.is_some_and(|first| first.referent() == ty)
        })?;
        let first = if matches!(item, Ty::Tuple(_)) { ".map(|item| item.0)" } else { "" };
        let position = HarnessParameter::plain(name, &Ty::Primitive("usize".to_owned())).ok()?;
        let variable = &self.subject.variable;
        let setup =
            format!("let {name} = {variable}.{method}(){first}.nth({name}).unwrap_or_default();");
        Some(ServedParameter {
            declared: vec![position],
            setup: vec![setup],
            expression: name.to_owned(),
            counting: None,
            after: Vec::new(),
            is_plain: false,
        })
    }
}

/// A type of the standard library.
pub(crate) fn std_type(name: &str, args: Vec<Ty>) -> Ty {
    let path = match name {
        "Vec" | "String" => name.to_owned(),
        "DefaultHasher" => format!("std::hash::{name}"),
        _ => format!("std::ops::{name}"),
    };
    Ty::Named(NamedTy {
        id: rustdoc_types::Id(u32::MAX),
        name: name.to_owned(),
        path: Some(path),
        is_std: true,
        n_lifetimes: 0,
        args,
    })
}

pub(crate) fn is_function(name: &str) -> bool {
    matches!(name, "Fn" | "FnMut" | "FnOnce")
}

pub(crate) fn is_iteration(name: &str) -> bool {
    matches!(
        name,
        "Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator"
    )
}
