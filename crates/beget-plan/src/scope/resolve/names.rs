//! Names of classes and fields in scope files.
//!
//! A class has its name in the schema or, if it is generic, that without its arguments: `Node`
//! names `Node<i32>`, and every other `Node<..>` with it. A field is named `Class.field`; the
//! elements of an array class are its field `[]`.

use beget_heap::{Class, Field, Schema};

use super::Resolver;
use crate::scope::diagnostic::{Span, nearest, suggest};
use crate::scope::read::FileText;

/// The name of the field for an array's elements.
pub(super) const ELEMENTS: &str = "[]";

impl Resolver<'_> {
    /// The names of the classes that `name` means; a problem if there is none.
    pub(super) fn classes(&mut self, name: &FileText) -> Vec<&'static str> {
        let classes = classes_named(&self.schema, &name.value);
        let names: Vec<_> = classes.into_iter().map(|class| class.key.name).collect();
        if names.is_empty() {
            self.unknown_class(&name.value, name.inside());
        }
        names
    }

    /// The classes and fields that `name`, `Class.field`, means; a problem if there is none.
    pub(super) fn fields(&mut self, name: &FileText) -> Vec<(&'static str, &'static str)> {
        if self.problems.is_full() {
            return Vec::new();
        }
        let Some((class, field)) = name.value.split_once('.') else {
            let help = self.class_of_field(&name.value);
            self.problem(name.inside(), "a field is named `Class.field`", Some(help));
            return Vec::new();
        };
        let classes = classes_named(&self.schema, class);
        if classes.is_empty() {
            self.unknown_class(class, name.at(0..class.len()));
            return Vec::new();
        }
        let named = |class: &&Class| Some((class.key.name, field_named(class, field)?));
        let found: Vec<_> = classes.iter().filter_map(named).collect();
        if found.is_empty() {
            let help = suggest(field, classes.iter().flat_map(|class| field_names(class)));
            let span = name.at(class.len() + 1..name.value.len());
            self.problem(span, format!("class `{class}` has no field named `{field}`"), help);
        }
        found
    }

    /// The suggestion for a field that is named without its class: a class that has the field, or
    /// one with a similar name.
    fn class_of_field(&self, field: &str) -> String {
        let classes = self.schema.classes();
        let of_class = |class: &'static str| move |field: &Field| (base_name(class), field.name);
        let all: Vec<(&str, &str)> = classes
            .iter()
            .flat_map(|class| class.fields.iter().map(of_class(class.key.name)))
            .collect();
        let near = nearest(field, all.iter().map(|(_, name)| *name)).unwrap_or(field);
        let found = |wanted: &str| all.iter().find(|(_, name)| *name == wanted);
        match found(field).or_else(|| found(near)) {
            Some((class, field)) => format!("write `{class}.{field}`"),
            None => format!("write the class before it: `Class.{field}`"),
        }
    }

    fn unknown_class(&mut self, name: &str, span: Span) {
        let known = self.schema.classes().iter().map(|class| base_name(class.key.name));
        let help = suggest(name, known);
        let message = format!("no class named `{name}` in suite `{}`", self.suite.name);
        self.problem(span, message, help);
    }
}

/// The name without generic parameters.
pub(crate) fn base_name(name: &str) -> &str {
    name.split('<').next().unwrap_or(name)
}

pub(super) fn classes_named<'s>(schema: &'s Schema, name: &str) -> Vec<&'s Class> {
    let by = |matches: &dyn Fn(&Class) -> bool| -> Vec<&'s Class> {
        schema.classes().iter().filter(|class| matches(class)).collect()
    };
    let exact = by(&|class| class.key.name == name);
    if exact.is_empty() { by(&|class| base_name(class.key.name) == name) } else { exact }
}

fn field_names(class: &Class) -> impl Iterator<Item = &'static str> {
    let elements = class.is_array.then_some(ELEMENTS);
    class.fields.iter().map(|field| field.name).chain(elements)
}

fn field_named(class: &Class, name: &str) -> Option<&'static str> {
    field_names(class).find(|known| *known == name)
}

/// Returns whether a field's type, as written, holds text.
pub(super) fn is_text(field: &Field) -> bool {
    field.ty.contains("String") || field.ty.contains("str")
}
