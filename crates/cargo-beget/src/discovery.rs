//! The functions of a type: its own, those behind a dereference, and those of well-known traits.

use std::collections::BTreeSet;

use rustdoc_types::{
    GenericBound, GenericParamDefKind, Id, Impl, Item, ItemEnum, Type, Visibility, WherePredicate,
};

use crate::method::{ApiFunction, FunctionFate, FunctionPlace, LeftOutReason};
use crate::planner::Planner;
use crate::ty::{Substitution, Ty};
use crate::vector;

/// The traits whose functions take part, with their paths.
const TRAITS: [(&str, &str); 23] = [
    ("Clone", "Clone"),
    ("Default", "Default"),
    ("PartialEq", "PartialEq"),
    ("PartialOrd", "PartialOrd"),
    ("Ord", "Ord"),
    ("Extend", "Extend"),
    ("FromIterator", "FromIterator"),
    ("IntoIterator", "IntoIterator"),
    ("From", "From"),
    ("TryFrom", "TryFrom"),
    ("Index", "std::ops::Index"),
    ("IndexMut", "std::ops::IndexMut"),
    ("Not", "std::ops::Not"),
    ("Add", "std::ops::Add"),
    ("Sub", "std::ops::Sub"),
    ("BitAnd", "std::ops::BitAnd"),
    ("BitOr", "std::ops::BitOr"),
    ("BitXor", "std::ops::BitXor"),
    ("AddAssign", "std::ops::AddAssign"),
    ("SubAssign", "std::ops::SubAssign"),
    ("BitAndAssign", "std::ops::BitAndAssign"),
    ("BitOrAssign", "std::ops::BitOrAssign"),
    ("BitXorAssign", "std::ops::BitXorAssign"),
];

impl Planner<'_> {
    /// All public functions of the type, in the order of the documentation: its own first, then
    /// those reached by dereferencing, then those of traits.
    pub(crate) fn methods(&self) -> Vec<ApiFunction> {
        let mut found = FunctionList { planner: self, methods: Vec::new(), names: BTreeSet::new() };
        if let Some(of_trait) = self.subject.of_trait {
            found.names.insert(vector::CONSTRUCTOR.to_owned());
            found.methods.push(vector::constructor(self.subject));
            self.add_trait(of_trait, &mut found);
            return found.methods;
        }
        for one in self.document.impls(self.subject.id).filter(|one| one.trait_.is_none()) {
            match self.applies(&one.for_) {
                Some(given) => found.add(one, &given, None, false),
                None => found.add_inapplicable(one),
            }
        }
        for (one, given) in self.behind() {
            found.add(one, &given, None, true);
        }
        for one in self.document.impls(self.subject.id) {
            let Some(path) = &one.trait_ else { continue };
            let named = TRAITS.iter().find(|(name, _)| *name == path.path);
            if let (Some((_, written)), Some(mut given)) = (named, self.applies(&one.for_)) {
                let bound = self.document.lower_bound(path, &given);
                // In an implementation for two types of a kind, both are the one under test.
                let own = Ty::Named(self.subject.ty.clone());
                for arg in bound.args.iter().filter(|arg| matches!(arg, Ty::Named(_))) {
                    let mut both = given.clone();
                    if arg.unify(&own, &mut both) {
                        given = both;
                    }
                }
                let args = if bound.args.is_empty() { "" } else { "<_>" };
                found.add(one, &given, Some((&path.path, &format!("{written}{args}"))), false);
            }
        }
        found.methods
    }

    /// The functions of a trait of the crate, as the type under test has them.
    fn add_trait(&self, of_trait: Id, found: &mut FunctionList<'_>) {
        let path = self.document.public_path(of_trait).unwrap_or_default();
        let name = path.rsplit("::").next().unwrap_or(path);
        for one in self.document.implementors(of_trait).filter(|one| one.blanket_impl.is_none()) {
            let Some(given) = self.applies(&one.for_) else { continue };
            let has_args = one
                .trait_
                .as_ref()
                .is_some_and(|path| !self.document.lower_bound(path, &given).args.is_empty());
            let args = if has_args { "<_>" } else { "" };
            found.add(one, &given, Some((name, &format!("{path}{args}"))), false);
        }
    }

    /// The implementations of the type that this one dereferences to, if it is of the same crate.
    fn behind(&self) -> Vec<(&Impl, Substitution)> {
        let mut impls = self.document.impls(self.subject.id);
        let deref = impls.find_map(|one| {
            let is_deref = one.trait_.as_ref().is_some_and(|path| path.path == "Deref");
            let given = self.applies(&one.for_).filter(|_| is_deref)?;
            self.document.associated_type(one, "Target", &given)
        });
        let Some(Ty::Named(target)) =
            deref.filter(|ty| matches!(ty, Ty::Named(named) if !named.is_std))
        else {
            return Vec::new();
        };
        let id = target.id;
        let target = Ty::Named(target);
        let own = self.document.impls(id).filter(|one| one.trait_.is_none());
        let applying = own.filter_map(|one| {
            let mut given = Substitution::new();
            let pattern = self.document.lower(&one.for_, &given);
            pattern.unify(&target, &mut given).then_some((one, given))
        });
        applying.collect()
    }
}

/// The methods so far.
struct FunctionList<'f> {
    planner: &'f Planner<'f>,
    methods: Vec<ApiFunction>,
    names: BTreeSet<String>,
}

impl<'f> FunctionList<'f> {
    fn add(
        &mut self,
        one: &Impl,
        given: &Substitution,
        of_trait: Option<(&str, &str)>,
        is_behind: bool,
    ) {
        for item in self.functions(one, of_trait.is_some()) {
            let ItemEnum::Function(function) = &item.inner else { continue };
            let is_static = function.sig.inputs.first().is_none_or(|(name, _)| name != "self");
            let own = item.name.as_deref().unwrap_or_default();
            if is_behind && (is_static || self.names.contains(own)) {
                continue;
            }
            let name = self.unique(own);
            let place = FunctionPlace {
                implementation: one,
                given,
                of_trait: of_trait.map(|(_, written)| written),
                is_behind,
            };
            let fate = self.planner.plan(item, function, &place, &name);
            self.push(item, name, of_trait.map(|(name, _)| name), fate);
        }
    }

    /// Adds functions that exist only for other type arguments.
    fn add_inapplicable(&mut self, one: &Impl) {
        let of = self.planner.document.lower(&one.for_, &Substitution::new()).text();
        for item in self.functions(one, false) {
            let name = self.unique(item.name.as_deref().unwrap_or_default());
            self.push(
                item,
                name,
                None,
                FunctionFate::LeftOut(LeftOutReason::OtherArguments(of.clone())),
            );
        }
    }

    fn functions(&self, one: &Impl, is_of_trait: bool) -> Vec<&'f Item> {
        let items = one.items.iter().filter_map(|id| self.planner.document.item(*id));
        let is_function = |item: &&Item| {
            matches!(item.inner, ItemEnum::Function(_))
                && (is_of_trait || item.visibility == Visibility::Public)
        };
        items.filter(is_function).collect()
    }

    fn push(&mut self, item: &Item, name: String, of_trait: Option<&str>, fate: FunctionFate) {
        let own = item.name.as_deref().unwrap_or_default();
        let path = of_trait.map_or(own.to_owned(), |of| format!("{of}::{own}"));
        let documented = item.docs.as_deref().and_then(documented_panic);
        // The standard library's documentation of the trait holds for implementations without any.
        let panics = match of_trait {
            Some("Index" | "IndexMut") => {
                documented.or(Some("May panic if the index is out of bounds.".to_owned()))
            }
            // The trait's `extend` behaves as the type's `extend` is documented.
            Some(_) => documented.or_else(|| self.panics_of(own)),
            None => documented,
        };
        let is_of_trait = of_trait.is_some();
        let announces_leak =
            is_about_leaks(own) || item.docs.as_deref().is_some_and(is_about_leaks);
        let takes_index = takes_index(item);
        let function =
            ApiFunction { name, path, is_of_trait, panics, announces_leak, takes_index, fate };
        self.methods.push(function);
    }

    fn panics_of(&self, own: &str) -> Option<String> {
        self.methods.iter().find(|method| method.path == own)?.panics.clone()
    }

    /// The name, with a number if another function has it.
    fn unique(&mut self, name: &str) -> String {
        let names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}_{n}")));
        let free = names.into_iter().find(|name| !self.names.contains(name));
        let name = free.expect("there is always a next number");
        self.names.insert(name.clone());
        name
    }
}

/// Returns whether a parameter is a `usize`, or a range of anything.
fn takes_index(item: &Item) -> bool {
    let ItemEnum::Function(function) = &item.inner else { return false };
    let is_one = |ty: &Type| match ty {
        Type::Primitive(name) => name == "usize",
        Type::ResolvedPath(path) => path.path.contains("Range"),
        Type::ImplTrait(bounds) => is_range(bounds),
        Type::Generic(name) => {
            function.generics.params.iter().any(|param| match &param.kind {
                GenericParamDefKind::Type { bounds, .. } => param.name == *name && is_range(bounds),
                _ => false,
            }) || function.generics.where_predicates.iter().any(|predicate| match predicate {
                WherePredicate::BoundPredicate { type_: Type::Generic(of), bounds, .. } => {
                    of == name && is_range(bounds)
                }
                _ => false,
            })
        }
        _ => false,
    };
    function.sig.inputs.iter().any(|(_, ty)| is_one(ty))
}

fn is_range(bounds: &[GenericBound]) -> bool {
    bounds.iter().any(|bound| match bound {
        GenericBound::TraitBound { trait_, .. } => trait_.path.contains("RangeBounds"),
        _ => false,
    })
}

/// Returns whether a name or a documentation speaks of elements that are not dropped.
fn is_about_leaks(text: &str) -> bool {
    const WORDS: [&str; 6] =
        ["leak", "forget", "into_raw", "not drop", "n't drop", "without dropping"];
    let text = text.to_lowercase();
    WORDS.iter().any(|words| text.contains(words))
}

/// The condition of a documented panic: the text below the heading, or the sentence.
fn documented_panic(docs: &str) -> Option<String> {
    let lines: Vec<&str> = docs.lines().map(str::trim).collect();
    let is_heading = |line: &&str| line.starts_with('#') && line.to_lowercase().contains("panic");
    if let Some(at) = lines.iter().position(is_heading) {
        let text = lines[at + 1..].iter().skip_while(|line| line.is_empty());
        let text: Vec<_> =
            text.take_while(|line| !line.is_empty() && !line.starts_with('#')).copied().collect();
        return Some(text.join(" "));
    }
    let denials = ["not panic", "never panic", "n't panic", "without panic", "no panic"];
    let paragraphs =
        docs.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let says = |text: &String| {
        let text = text.to_lowercase();
        text.contains("panic")
            && !text.contains("```")
            && !denials.iter().any(|denial| text.contains(denial))
    };
    paragraphs.into_iter().find(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaks_are_read_from_names_and_the_documentation() {
        let texts =
            ["into_raw_parts", "Leaks the rest.", "Does not drop\nthem.", "It isn't dropped."];
        assert!(texts.iter().all(|text| is_about_leaks(&text.replace('\n', " "))));
        assert!(
            ["clear", "Drops all elements.", "Frees it"].iter().all(|text| !is_about_leaks(text))
        );
    }

    #[test]
    fn panics_are_read_from_the_documentation() {
        let of = |docs: &str| documented_panic(docs);
        assert_eq!(
            of("Removes.\n\n# Panics\n\nIf `index` is\nout of bounds.\n\nMore.").unwrap(),
            "If `index` is out of bounds."
        );
        assert_eq!(of("Removes.\n\nPanics if it\nis empty.").unwrap(), "Panics if it is empty.");
        assert_eq!(of("Removes. Does not panic."), None);
        assert_eq!(of("Removes.\n\n```\nshould_panic()\n```"), None);
    }
}
