//! Bounds: the numbers of objects, the lengths of arrays and texts.

use std::collections::BTreeMap;

use beget_heap::{Bounds, Class};
use beget_suite::MethodIdx;

use super::names::{base_name, is_text};
use super::{Resolver, UnusedMethod};
use crate::scope::ints::{DerivedInts, wider};
use crate::scope::read::{Bound, FileText};

/// The bounds of the scope proper, before they are combined for the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectBounds {
    /// By the full name of the class.
    pub(super) named: BTreeMap<String, u32>,
    /// For every other class.
    pub(super) others: Option<u32>,
}

impl ObjectBounds {
    pub(super) fn of(&self, class: &str) -> Option<u32> {
        self.named.get(class).copied().or(self.others)
    }
}

/// The bounds of the scope proper.
#[derive(Clone, Debug)]
pub(super) struct ScopeBounds {
    pub(super) objects: ObjectBounds,
    pub(super) arrays: u32,
}

impl Resolver<'_> {
    pub(super) fn bounds(&mut self, methods: &[MethodIdx]) -> ScopeBounds {
        let scope = self.scope;
        let before = self.problems.len();
        let objects = self.object_bounds(&scope.objects);
        // A class that is not covered may be the one whose name is misspelled.
        if self.problems.len() == before {
            self.check_covered(&objects);
        }
        let arrays = match &scope.arrays {
            Some(bound) => self.bound(bound),
            None => {
                self.check_arrays_unneeded(methods);
                None
            }
        };
        ScopeBounds { objects, arrays: arrays.unwrap_or(0) }
    }

    /// The bounds by class of an `objects` map.
    pub(super) fn object_bounds(&mut self, entries: &[(FileText, Bound)]) -> ObjectBounds {
        let mut bounds = ObjectBounds::default();
        let mut less_exact: Vec<(&'static str, u32)> = Vec::new();
        for (name, bound) in entries {
            if self.problems.is_full() {
                break;
            }
            // A bound that cannot be computed is reported once; the class counts as named.
            let value = self.bound(bound).unwrap_or(0);
            if name.value == "*" {
                bounds.others = Some(value);
                continue;
            }
            for class in self.classes(name) {
                match class == name.value {
                    true => drop(bounds.named.insert(class.to_owned(), value)),
                    false => less_exact.push((class, value)),
                }
            }
        }
        for (class, value) in less_exact {
            bounds.named.entry(class.to_owned()).or_insert(value);
        }
        bounds
    }

    /// Requires a bound for every class that pointers lead to: without one the space is not finite.
    fn check_covered(&mut self, bounds: &ObjectBounds) {
        let uncovered = |class: &&Class| class.is_object && bounds.of(class.key.name).is_none();
        let mut names: Vec<_> =
            self.schema.classes().iter().filter(uncovered).map(|class| class.key.name).collect();
        names.dedup();
        let Some(first) = names.first() else { return };
        let listed: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let classes = if names.len() == 1 { "class" } else { "classes" };
        let message = format!("no bound for {classes} {}", listed.join(", "));
        let help = format!(
            r#"write `objects: {{"*": "k"}}` for all classes, or name them: `{{"{first}": "k"}}`"#
        );
        self.problem(self.scope.suite.inside(), message, Some(help));
    }

    fn check_arrays_unneeded(&mut self, methods: &[MethodIdx]) {
        let Some(what) = self.needs_array_bound(methods) else { return };
        let message = format!("no bound for the length of {what}");
        let help = "write `arrays: \"k\"`".to_owned();
        self.problem(self.scope.suite.inside(), message, Some(help));
    }

    /// Leaves out methods that take literals of unbounded length, if methods may be left out.
    pub(super) fn leave_out_unbounded(&mut self, methods: &mut Vec<MethodIdx>) {
        if !self.leaves_out || self.scope.arrays.is_some() {
            return;
        }
        let suite = self.suite;
        methods.retain(|&idx| {
            let method = suite.method(idx);
            let mut literals = method.literal_params();
            let unbounded = literals.find(|(_, domain)| has_any_length(domain.ty));
            if let Some((param, domain)) = unbounded {
                let named = format!("`{}.{}: {}`", method.name, param.name, domain.ty);
                let reason = format!("no bound for the length of {named}");
                self.left_out.push(UnusedMethod { method: idx, reason });
            }
            unbounded.is_none()
        });
    }

    /// Something whose length only `arrays` bounds.
    fn needs_array_bound(&self, methods: &[MethodIdx]) -> Option<String> {
        let classes = self.schema.classes();
        if let Some(class) = classes.iter().find(|class| class.is_array) {
            return Some(format!("class `{}`", class.key.name));
        }
        if self.scope.domains.strings.is_none() {
            for class in classes {
                if let Some(field) = class.fields.iter().find(|field| is_text(field)) {
                    let class = base_name(class.key.name);
                    return Some(format!("the text in `{class}.{}`", field.name));
                }
            }
        }
        let methods = methods.iter().map(|&idx| self.suite.method(idx));
        let mut literals = methods.flat_map(|method| {
            method.literal_params().map(move |(param, domain)| (method, param, domain))
        });
        literals.find(|(.., domain)| has_any_length(domain.ty)).map(|(method, param, domain)| {
            format!("`{}.{}: {}`", method.name, param.name, domain.ty)
        })
    }

    /// The bounds of the scope proper in the heap's form, once all literals are known.
    pub(super) fn heap_bounds(&mut self, bounds: ScopeBounds) -> (Bounds, Option<DerivedInts>) {
        let ScopeBounds { objects, arrays } = bounds;
        let mut margin = self.k;
        for &bound in objects.named.values().chain(&objects.others).chain([&arrays]) {
            self.note_int(bound.into());
            margin = margin.max(bound);
        }
        let fields = self.field_rules();
        let literals = self.literal_ints.clone();
        let derived = DerivedInts { literals, margin, beside: self.constant_ints.clone() };
        let derived = fields.all.is_none().then_some(derived);
        let mut omitted = self.omitted();
        omitted.extend(fields.skipped);
        let bounds = Bounds {
            objects: objects.named,
            other_objects: objects.others.unwrap_or(u32::MAX),
            arrays,
            text: arrays.max(self.longest_text),
            common_int: self.common_int,
            omitted,
            ints: fields.all.unwrap_or_default(),
            field_ints: fields.ints,
        };
        (bounds, derived)
    }
}

/// The bounds raised by `slack`.
pub(super) fn raised(bounds: &Bounds, slack: u32) -> Bounds {
    let objects = bounds.objects.iter();
    Bounds {
        objects: objects
            .map(|(class, bound)| (class.clone(), bound.saturating_add(slack)))
            .collect(),
        other_objects: bounds.other_objects.saturating_add(slack),
        arrays: bounds.arrays.saturating_add(slack),
        text: bounds.text.saturating_add(slack),
        ints: bounds.ints.iter().map(|range| wider(range, slack)).collect(),
        field_ints: bounds
            .field_ints
            .iter()
            .map(|(field, ranges)| {
                let raised = ranges.iter().map(|range| wider(range, slack));
                (field.clone(), raised.collect())
            })
            .collect(),
        ..bounds.clone()
    }
}

/// Returns whether values of a type, as written in a signature, have no fixed length: vectors and
/// slices of literals.
pub(super) fn has_any_length(ty: &str) -> bool {
    let collections = ["Vec<", "Set<", "Map<", "Deque<", "List<"];
    collections.iter().any(|name| ty.contains(name)) || (ty.contains('[') && !ty.contains(';'))
}
