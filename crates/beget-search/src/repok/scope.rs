//! Finitizations from scope files.

use std::collections::BTreeSet;

use beget_heap::view::{ClassId, Shapes};
use beget_plan::scope::FieldValues;

use crate::repok::leaf::{Leaf, LeafKind, parts_of};
use crate::repok::{Finitization, FinitizationError, ValueDomain};

impl Finitization {
    /// The finitization of a repOK in a scope file, for the type that `shapes` was made from.
    ///
    /// A pointer that the file does not name may be null and lead to each object of its class; an
    /// array that it does not name is present. Any other field needs a domain.
    ///
    /// # Errors
    ///
    /// If a field cannot hold the file's values. Missing fields are found by
    /// [`CandidateSpace::of_shapes`](crate::repok::CandidateSpace::of_shapes).
    pub fn of_scope(
        scope: &beget_plan::scope::Finitization,
        shapes: &Shapes,
    ) -> Result<Self, FinitizationError> {
        let reader = FinitizationReader { scope, shapes, leaves: all_leaves(shapes) };
        reader.read()
    }
}

/// The leaves of all classes except arrays, with those of the arrays that they own.
fn all_leaves(shapes: &Shapes) -> Vec<(&'static str, Leaf)> {
    let mut leaves = Vec::new();
    for class in shapes.classes().iter().filter(|class| !class.is_array) {
        let name = class.key.name;
        let parts = shapes.find(name).map(|id| parts_of(shapes, id)).unwrap_or_default();
        leaves.extend(parts.into_iter().flat_map(|part| part.leaves).map(|leaf| (name, leaf)));
    }
    leaves
}

struct FinitizationReader<'a> {
    scope: &'a beget_plan::scope::Finitization,
    shapes: &'a Shapes,
    leaves: Vec<(&'static str, Leaf)>,
}

impl FinitizationReader<'_> {
    fn read(self) -> Result<Finitization, FinitizationError> {
        let mut finitization = Finitization::new();
        for class in self.targets() {
            let name = self.shapes.class(class).key.name;
            let n = self.scope.objects.get(name).copied().unwrap_or(0);
            finitization = finitization.pool(name, n);
        }
        let mut is_given = vec![false; self.leaves.len()];
        for field in &self.scope.fields {
            for (index, (class, leaf)) in self.leaves.iter().enumerate() {
                if leaf.owner == (field.class.as_str(), field.field.as_str()) {
                    is_given[index] = true;
                    let domain = self.domain(class, leaf, &field.values)?;
                    finitization = finitization.field(*class, &leaf.path, domain);
                }
            }
        }
        for ((class, leaf), _) in self.leaves.iter().zip(is_given).filter(|(_, given)| !given) {
            if let Some(domain) = self.default_domain(leaf) {
                finitization = finitization.field(*class, &leaf.path, domain);
            }
        }
        Ok(finitization)
    }

    /// The classes that pointers lead to, arrays aside.
    fn targets(&self) -> BTreeSet<ClassId> {
        let target = |leaf: &Leaf| match leaf.kind {
            LeafKind::Pointer(class) if !self.shapes.class(class).is_array => Some(class),
            _ => None,
        };
        self.leaves.iter().filter_map(|(_, leaf)| target(leaf)).collect()
    }

    fn default_domain(&self, leaf: &Leaf) -> Option<ValueDomain> {
        match leaf.kind {
            _ if leaf.array_class(self.shapes).is_some() => Some(self.arrays()),
            LeafKind::Pointer(_) => Some(ValueDomain::nodes().or_null()),
            _ => None,
        }
    }

    fn arrays(&self) -> ValueDomain {
        let lengths = &self.scope.arrays;
        if lengths.is_empty() {
            ValueDomain::ints([])
        } else {
            ValueDomain::arrays(lengths.start..=lengths.end - 1)
        }
    }

    fn domain(
        &self,
        class: &str,
        leaf: &Leaf,
        values: &[FieldValues],
    ) -> Result<ValueDomain, FinitizationError> {
        let has_null = values.contains(&FieldValues::Null);
        let others = values.iter().filter(|value| **value != FieldValues::Null);
        if leaf.is_presence() {
            let is_there = others.count() > 0;
            let absent = has_null.then_some(0);
            return Ok(ValueDomain::ints(absent.into_iter().chain(is_there.then_some(1))));
        }
        let domain = match leaf.kind {
            LeafKind::Pointer(target) => self.pointer(target, others),
            _ => others
                .map(|value| numbers(leaf.kind, value))
                .collect::<Option<Vec<_>>>()
                .map(|numbers| ValueDomain::ints(numbers.into_iter().flatten())),
        };
        let domain = domain.ok_or_else(|| FinitizationError::WrongKind {
            class: class.to_owned(),
            field: leaf.path.clone(),
            holds: leaf.holds(self.shapes),
        })?;
        // If null is not a value of the field's own cell, it is the presence before it.
        let is_own = leaf.null.is_some() || matches!(leaf.kind, LeafKind::Pointer(_));
        Ok(if has_null && is_own { domain.or_null() } else { domain })
    }

    /// The pool of `target`, or arrays, or only null; `None` if another class is among the values.
    fn pointer<'v>(
        &self,
        target: ClassId,
        values: impl Iterator<Item = &'v FieldValues>,
    ) -> Option<ValueDomain> {
        let class = self.shapes.class(target);
        let mut domain = ValueDomain::ints([]);
        for value in values {
            match value {
                FieldValues::Objects(name) if name == class.key.name && class.is_array => {
                    domain = self.arrays();
                }
                FieldValues::Objects(name) if name == class.key.name => {
                    domain = ValueDomain::nodes()
                }
                _ => return None,
            }
        }
        Some(domain)
    }
}

/// The contents of a cell of this kind for `value`, if it can hold it.
fn numbers(kind: LeafKind, value: &FieldValues) -> Option<Vec<i64>> {
    match (kind, value) {
        (LeafKind::Number, FieldValues::Ints(range)) => {
            range.clone().map(|value| i64::try_from(value).ok()).collect()
        }
        (LeafKind::Number, FieldValues::Char(value)) => Some(vec![i64::from(u32::from(*value))]),
        (LeafKind::Bool, FieldValues::Bool(value)) => Some(vec![i64::from(*value)]),
        (LeafKind::Variant(names), FieldValues::Variant(value)) => {
            names.iter().position(|name| name == value).map(|position| vec![position as i64])
        }
        _ => None,
    }
}
