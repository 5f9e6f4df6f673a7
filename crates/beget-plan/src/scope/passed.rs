//! Bounds that structures passed, with their names in the scope file.

use std::borrow::Cow;
use std::fmt;

use beget_heap::{PassedBound, Schema};

use crate::scope::diagnostic::{Diagnostic, Span};
use crate::scope::file::ScopeFile;
use crate::scope::read::{Bound, FileText};
use crate::scope::resolve::base_name;

/// A bound: its field in the scope file, and its name there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundName {
    /// `objects`, `arrays`, `strings`, or `fields` for the range of integers. `returned` is no
    /// field: it is the number of structures taken from a returned list. `ties` is no bound of the
    /// scope: unordered contents tie, and breaking the ties would take too long.
    pub bound: Cow<'static, str>,
    /// The class, or `Class.field`. `None` for bounds that apply to all.
    pub name: Option<String>,
}

impl BoundName {
    /// The name of `passed`, whose positions are those of `schema`.
    pub fn new(passed: PassedBound, schema: &Schema) -> Self {
        let class = |class: u16| &schema.classes()[usize::from(class)];
        let (bound, name) = match passed {
            PassedBound::Objects { class: index } => {
                ("objects", Some(base_name(class(index).key.name).to_owned()))
            }
            PassedBound::Arrays => ("arrays", None),
            PassedBound::Texts => ("strings", None),
            PassedBound::Ints => ("fields", None),
            PassedBound::Returned => ("returned", None),
            PassedBound::Undecided => ("ties", None),
            PassedBound::Field { class: index, field } => {
                let class = class(index);
                let field = class.fields[usize::from(field)].name;
                ("fields", Some(field_name(class.key.name, field)))
            }
        };
        BoundName { bound: bound.into(), name }
    }
}

/// A field's name in scope files.
pub fn field_name(class: &str, field: &str) -> String {
    format!("{}.{field}", base_name(class))
}

impl fmt::Display for BoundName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.bound, &self.name) {
            ("objects", Some(class)) => write!(f, "the objects of `{class}`"),
            (_, Some(field)) => write!(f, "the range of `{field}`"),
            ("fields", None) => f.write_str("the range of integers"),
            ("ties", None) => f.write_str("the ties that can be broken"),
            ("returned", None) => f.write_str("the structures taken out of a returned list"),
            (bound, None) => write!(f, "the length of {bound}"),
        }
    }
}

impl ScopeFile {
    /// The message for a run that built no structure, because `calls` calls passed this bound.
    pub fn nothing_built(&self, passed: PassedBound, calls: u64, schema: &Schema) -> Diagnostic {
        let name = BoundName::new(passed, schema);
        let what = match (&*name.bound, &name.name) {
            ("objects", Some(class)) => format!("more objects of class `{class}`"),
            ("arrays", _) => "a longer array or collection".to_owned(),
            ("strings", _) => "a longer text".to_owned(),
            ("returned", _) => "a longer list of structures".to_owned(),
            ("ties", _) => return self.undecided(calls),
            (_, Some(field)) => format!("another integer in `{field}`"),
            (_, None) => "another integer".to_owned(),
        };
        let made = if calls == 1 { "1 call made" } else { &format!("{calls} calls made") };
        let message = format!("no structure was built: {made} {what} than the scope allows");
        let help = match &*name.bound {
            "fields" => "write a range that has it, or `any`",
            "arrays" | "strings" => {
                "write a larger number, such as `arrays: 16` (`arrays = 16` in `check!`), or a larger `k`"
            }
            "returned" => "skip the method, or declare one that returns fewer",
            _ => "write a larger number here, or a larger `k`",
        };
        self.source.error(self.place_of(&name), message).maybe_help(Some(help.to_owned()))
    }

    /// The message for a run that built no structure, because ties could not be broken.
    fn undecided(&self, calls: u64) -> Diagnostic {
        let left = if calls == 1 { "1 call left" } else { &format!("{calls} calls left") };
        let message = format!(
            "no structure was built: {left} contents in no order that tie in too many ways to be told apart"
        );
        let help = "use smaller bounds, or give the keys an `Ord`".to_owned();
        self.source.error(self.scope.suite.inside(), message).maybe_help(Some(help))
    }

    /// The place of a bound in the file; the place of its suite if it has none.
    fn place_of(&self, name: &BoundName) -> Span {
        let scope = &self.scope;
        let entry = |wanted: &str| {
            let is_it = |entry: &&(FileText, Bound)| base_name(&entry.0.value) == wanted;
            scope.objects.iter().find(is_it).map(|(_, bound)| bound.span())
        };
        let rule = |wanted: &str| {
            let mut rules = scope.fields.iter();
            rules.find(|(name, _)| field_of(&name.value) == wanted).map(|(_, rule)| rule.span())
        };
        let place = match (&*name.bound, name.name.as_deref()) {
            ("objects", Some(class)) => entry(class).or_else(|| entry("*")),
            ("fields", Some(field)) => rule(field).or_else(|| rule("*")),
            ("fields", None) => rule("*"),
            ("returned" | "ties", _) => None,
            _ => scope.arrays.as_ref().map(|bound| bound.span()),
        };
        place.unwrap_or_else(|| scope.suite.inside())
    }
}

/// The name of a field without the type arguments of its class.
fn field_of(name: &str) -> String {
    match name.split_once('.') {
        Some((class, field)) => field_name(class, field),
        None => name.to_owned(),
    }
}
