//! Finitizations: the search spaces of repOKs.
//!
//! A finitization bounds the candidates of a search from a repOK: the number of objects of each
//! class, and the values of each field. It is the part of the scope file that Korat takes from code
//! (Boyapati, Khurshid, Marinov, "Korat: Automated Testing Based on Java Predicates", ISSTA 2002,
//! section 3.1).

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use beget_suite::MOST_LITERALS;

use super::Resolver;
use super::bounds::ScopeBounds;
use super::names::{base_name, classes_named, is_text};
use crate::scope::diagnostic::{Span, nearest};
use crate::scope::expr;
use crate::scope::file::RepokScope;
use crate::scope::read::{Bound, DomainSpec, FileText, ListItem, Spanned};

/// The search space of one repOK at one k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finitization {
    /// The name of the repOK.
    pub name: String,
    /// The number of objects of each class to choose from, by the class's full name. Includes all
    /// classes that pointers lead to, with the scope's bound if the finitization gives none.
    pub objects: BTreeMap<String, u32>,
    /// The lengths of arrays; from 0 to the scope's bound by default.
    pub arrays: ArrayLengths,
    /// The domains in the order of the file, which is the order of the slots of a candidate vector.
    /// A name that means several classes occurs once for each. A pointer that is not named has the
    /// whole pool of its class and null; a search needs a domain for every other field.
    pub fields: Vec<FieldDomain>,
}

/// An example for messages about a field.
const VALUES: &str =
    "write `null`, integers, ranges, `true`, `false`, classes or variants, with `|` between them";

/// The possible lengths of arrays, as a half-open range.
pub type ArrayLengths = Range<u32>;

/// The values of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDomain {
    /// The class, by its full name.
    pub class: String,
    /// The field; `[]` for the elements of an array.
    pub field: String,
    /// The values, in the order in which a search tries them.
    pub values: Vec<FieldValues>,
}

/// Values of a field that are written together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValues {
    /// `null`: no pointer, `None`.
    Null,
    /// Integers in ascending order.
    Ints(RangeInclusive<i128>),
    /// A boolean.
    Bool(bool),
    /// A character.
    Char(char),
    /// A string, from a list.
    Text(String),
    /// A variant without fields.
    Variant(String),
    /// Pointers to the pool of this class.
    Objects(String),
}

impl FieldValues {
    /// The integers, if it has any.
    pub(crate) fn ints(&self) -> Option<RangeInclusive<i128>> {
        match self {
            FieldValues::Ints(range) => Some(range.clone()),
            _ => None,
        }
    }
}

impl Resolver<'_> {
    pub(super) fn finitizations(&mut self, bounds: &ScopeBounds) -> Vec<Finitization> {
        let scope = self.scope;
        scope.repoks.iter().map(|repok| self.finitization(repok, bounds)).collect()
    }

    fn finitization(&mut self, repok: &RepokScope, bounds: &ScopeBounds) -> Finitization {
        let own = self.object_bounds(&repok.objects);
        let pools =
            self.schema.classes().iter().filter(|class| class.is_object).filter_map(|class| {
                let name = class.key.name;
                let bound = own.of(name).or(bounds.objects.of(name))?;
                Some((name.to_owned(), bound))
            });
        Finitization {
            name: repok.name.value.clone(),
            objects: pools.collect(),
            arrays: self.array_lengths(repok.arrays.as_ref(), bounds.arrays),
            fields: repok
                .fields
                .iter()
                .flat_map(|(name, domain)| self.field_domains(name, domain))
                .collect(),
        }
    }

    /// A number is an upper bound, a range bounds both sides.
    fn array_lengths(&mut self, given: Option<&Bound>, most: u32) -> ArrayLengths {
        match given {
            None => 0..most.saturating_add(1),
            Some(Bound::Expr(text)) if text.value.contains("..") => {
                let Some(range) = self.range(text) else { return 0..0 };
                let ends = range.ends().map(|(start, end)| (start.try_into(), end.try_into()));
                match ends {
                    Some((Ok(start), Ok(end))) => start..end,
                    _ => {
                        let message = format!("no array has such a length at k = {}", self.k);
                        self.problem(text.inside(), message, None);
                        0..0
                    }
                }
            }
            Some(bound) => 0..self.bound(bound).unwrap_or(0).saturating_add(1),
        }
    }

    fn field_domains(&mut self, name: &FileText, domain: &DomainSpec) -> Vec<FieldDomain> {
        let fields = self.fields(name);
        let holds_text = fields.iter().any(|&(class, field)| self.holds_text(class, field));
        let values: Vec<_> = match domain {
            DomainSpec::Text(text) => self.alternatives(text),
            DomainSpec::List(list) => {
                list.value.iter().flat_map(|item| self.listed(item, holds_text)).collect()
            }
        };
        if !self.are_few(&values, domain.span()) {
            return Vec::new();
        }
        let of = |(class, field): (&str, &str)| FieldDomain {
            class: class.to_owned(),
            field: field.to_owned(),
            values: values.clone(),
        };
        fields.into_iter().map(of).collect()
    }

    /// Rejects domains that can only be mistakes: a search keeps the values of a field.
    fn are_few(&mut self, values: &[FieldValues], span: Span) -> bool {
        let count = |values: &FieldValues| match values {
            FieldValues::Ints(range) => {
                range.end().saturating_sub(*range.start()).saturating_add(1)
            }
            _ => 1,
        };
        let n = values.iter().map(count).fold(0_i128, i128::saturating_add);
        let is_few = n <= MOST_LITERALS as i128;
        if !is_few {
            let message =
                format!("the field has {n} values; more than {MOST_LITERALS} are refused");
            self.problem(span, message, None);
        }
        is_few
    }

    fn holds_text(&self, class: &str, field: &str) -> bool {
        let classes = classes_named(&self.schema, class);
        let mut fields = classes.iter().flat_map(|class| &class.fields);
        fields.any(|known| known.name == field && is_text(known))
    }

    /// The values of `null | 0..k | Node`.
    pub(super) fn alternatives(&mut self, text: &FileText) -> Vec<FieldValues> {
        let mut values = Vec::new();
        let mut start = 0;
        for part in text.value.split('|') {
            let at = start + (part.len() - part.trim_start().len());
            values.extend(self.alternative(&text.part(at..at + part.trim().len())));
            start += part.len() + 1;
        }
        values
    }

    fn alternative(&mut self, text: &FileText) -> Vec<FieldValues> {
        let word = text.value.as_str();
        match word {
            "null" => return vec![FieldValues::Null],
            "true" | "false" => return vec![FieldValues::Bool(word == "true")],
            _ => {}
        }
        let objects: Vec<_> = classes_named(&self.schema, word)
            .into_iter()
            .map(|class| FieldValues::Objects(class.key.name.to_owned()))
            .collect();
        if !objects.is_empty() {
            return objects;
        }
        if word.starts_with(char::is_uppercase) {
            return self.variant(word, text.inside());
        }
        self.integers(text).map(FieldValues::Ints).into_iter().collect()
    }

    /// A capitalized name that is no class is a variant, unless it is almost a class.
    fn variant(&mut self, word: &str, span: Span) -> Vec<FieldValues> {
        if self.problems.is_full() {
            return Vec::new();
        }
        let known = self.schema.classes().iter().map(|class| base_name(class.key.name));
        match nearest(word, known).map(|near| format!("did you mean `{near}`?")) {
            None => vec![FieldValues::Variant(word.to_owned())],
            help => {
                self.problem(
                    span,
                    format!("no class named `{word}` in suite `{}`", self.suite.name),
                    help,
                );
                Vec::new()
            }
        }
    }

    fn integers(&mut self, text: &FileText) -> Option<RangeInclusive<i128>> {
        if text.value.contains("..") {
            let range = self.range(text)?;
            let Some((start, end)) = range.ends() else {
                self.problem(text.inside(), "a field's range ends where `i128` does", None);
                return None;
            };
            return (start < end).then(|| start..=end - 1);
        }
        match expr::evaluate(&text.value, self.k) {
            Ok(value) => Some(value..=value),
            Err(error) => {
                let error = if error.help.is_some() { error.helped(VALUES) } else { error };
                self.expr_problem(text, error);
                None
            }
        }
    }

    pub(super) fn listed(
        &mut self,
        item: &Spanned<ListItem>,
        holds_text: bool,
    ) -> Vec<FieldValues> {
        match &item.value {
            ListItem::Int(value) => vec![FieldValues::Ints(*value..=*value)],
            ListItem::Bool(value) => vec![FieldValues::Bool(*value)],
            ListItem::Char(value) => vec![FieldValues::Char(*value)],
            ListItem::Text(text) if holds_text => vec![FieldValues::Text(text.value.clone())],
            ListItem::Text(text) => self.alternative(text),
            ListItem::Large(value) => {
                let message = format!("a field's domain cannot hold {value}: it is above `i128`");
                self.problem(item.span.clone(), message, None);
                Vec::new()
            }
            ListItem::Float(_) => {
                self.problem(item.span.clone(), "a field's domain cannot hold floats", None);
                Vec::new()
            }
        }
    }
}
