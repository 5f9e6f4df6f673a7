//! Filters over structures, as `size > 2 && root.color == Red`.
//!
//! ```text
//! filter  = and ("||" and)*
//! and     = test ("&&" test)*
//! test    = "(" filter ")" | operand ("==" | "!=" | "<" | "<=" | ">" | ">=") value
//! operand = path | "count(" class ")" | "calls" | "objects"
//! ```
//!
//! A path begins at the root and follows references; where it leads nowhere, only `!=` holds. The
//! module knows records of structures and no pages.

use std::cmp::Ordering;
use std::fmt;

use crate::records::{FieldRecord, ObjectRecord, StructureRecord, shown};

/// A filter that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Filter {
    Any(Vec<Filter>),
    All(Vec<Filter>),
    Test { operand: FilterOperand, relation: FilterRelation, value: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilterOperand {
    /// Names of fields from the root on.
    Path(Vec<String>),
    /// The number of objects of a class.
    Count(String),
    /// Calls of the recipe.
    Calls,
    /// All objects.
    Objects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterRelation {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// The error in a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilterError {
    /// The position in the text, in characters from 0.
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: expected {}", self.at + 1, self.expected)
    }
}

impl Filter {
    /// Reads a filter.
    pub(super) fn parse(text: &str) -> Result<Filter, FilterError> {
        let mut reader = FilterReader { text: text.chars().collect(), at: 0 };
        let filter = reader.any()?;
        reader.skip_spaces();
        match reader.at < reader.text.len() {
            true => Err(reader.error("`&&`, `||` or the end")),
            false => Ok(filter),
        }
    }

    /// Returns whether a structure is one of those that are meant.
    pub(super) fn holds(&self, structure: &StructureRecord) -> bool {
        match self {
            Filter::Any(parts) => parts.iter().any(|part| part.holds(structure)),
            Filter::All(parts) => parts.iter().all(|part| part.holds(structure)),
            Filter::Test { operand, relation, value } => {
                relation.holds(operand.value_in(structure).as_deref(), value)
            }
        }
    }
}

impl FilterOperand {
    fn value_in(&self, structure: &StructureRecord) -> Option<String> {
        let heap = structure.heap.as_deref()?;
        match self {
            FilterOperand::Calls => Some(structure.calls.to_string()),
            FilterOperand::Objects => Some(heap.len().to_string()),
            FilterOperand::Count(class) => {
                let is_of = |object: &&ObjectRecord| last_name(&object.class) == class;
                Some(heap.iter().filter(is_of).count().to_string())
            }
            FilterOperand::Path(path) => value_at(heap, path),
        }
    }
}

/// The name of a class without its modules.
fn last_name(class: &str) -> &str {
    let end = class.find('<').unwrap_or(class.len());
    let begin = class[..end].rfind("::").map_or(0, |at| at + 2);
    &class[begin..end]
}

fn value_at(heap: &[ObjectRecord], path: &[String]) -> Option<String> {
    let mut object = heap.first()?;
    let mut rest = path;
    loop {
        // A path within an object is one key, `head.next`.
        let found = (1..=rest.len()).rev().find_map(|n| {
            let value = object.fields.get(&rest[..n].join("."))?;
            Some((n, value))
        });
        let (n, value) = found?;
        rest = &rest[n..];
        match (value, rest) {
            (FieldRecord::Reference { object: number }, _) if !rest.is_empty() => {
                object = heap.get(*number)?;
            }
            (value, []) => return Some(shown(value)),
            _ => return None,
        }
    }
}

impl FilterRelation {
    fn holds(self, found: Option<&str>, value: &str) -> bool {
        let Some(found) = found else { return self == FilterRelation::Unequal };
        let order = match (found.parse::<f64>(), value.parse::<f64>()) {
            (Ok(found), Ok(value)) => found.partial_cmp(&value),
            _ if matches!(self, FilterRelation::Equal | FilterRelation::Unequal) => {
                Some(found.cmp(value))
            }
            // Texts have no order here.
            _ => None,
        };
        match self {
            FilterRelation::Equal => order == Some(Ordering::Equal),
            FilterRelation::Unequal => order != Some(Ordering::Equal),
            FilterRelation::Less => order == Some(Ordering::Less),
            FilterRelation::AtMost => order.is_some_and(Ordering::is_le),
            FilterRelation::More => order == Some(Ordering::Greater),
            FilterRelation::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}

struct FilterReader {
    text: Vec<char>,
    at: usize,
}

impl FilterReader {
    fn any(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.all()?];
        while self.take("||") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::Any(parts) })
    }

    fn all(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.test()?];
        while self.take("&&") {
            parts.push(self.test()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::All(parts) })
    }

    fn test(&mut self) -> Result<Filter, FilterError> {
        if self.take("(") {
            let filter = self.any()?;
            return if self.take(")") { Ok(filter) } else { Err(self.error("`)`")) };
        }
        let operand = self.operand()?;
        let relation = self.relation()?;
        let value = self.value()?;
        Ok(Filter::Test { operand, relation, value })
    }

    fn operand(&mut self) -> Result<FilterOperand, FilterError> {
        const EXPECTED: &str = "a field from the root on, `count(Class)`, `calls` or `objects`";
        let mut path = vec![self.word().ok_or_else(|| self.error(EXPECTED))?];
        if path[0] == "count" && self.take("(") {
            let class = self.word().ok_or_else(|| self.error("the name of a class"))?;
            return if self.take(")") {
                Ok(FilterOperand::Count(class))
            } else {
                Err(self.error("`)`"))
            };
        }
        while self.take(".") {
            path.push(self.word().ok_or_else(|| self.error("the name of a field"))?);
        }
        Ok(match (path.len(), path[0].as_str()) {
            (1, "calls") => FilterOperand::Calls,
            (1, "objects") => FilterOperand::Objects,
            _ => FilterOperand::Path(path),
        })
    }

    fn relation(&mut self) -> Result<FilterRelation, FilterError> {
        // Longer ones first.
        let all = [
            ("==", FilterRelation::Equal),
            ("!=", FilterRelation::Unequal),
            ("<=", FilterRelation::AtMost),
            (">=", FilterRelation::AtLeast),
            ("<", FilterRelation::Less),
            (">", FilterRelation::More),
        ];
        let found = all.into_iter().find(|(sign, _)| self.take(sign));
        found
            .map(|(_, relation)| relation)
            .ok_or_else(|| self.error("`==`, `!=`, `<`, `<=`, `>` or `>=`"))
    }

    fn value(&mut self) -> Result<String, FilterError> {
        self.skip_spaces();
        if self.take("\"") {
            let text: String = self.text[self.at..].iter().take_while(|&&c| c != '"').collect();
            self.at += text.chars().count();
            return if self.take_here("\"") { Ok(text) } else { Err(self.error("`\"`")) };
        }
        let sign = if self.take("-") { "-" } else { "" };
        let word = self.word().ok_or_else(|| self.error("a number, a name or a text in quotes"))?;
        let fraction = match self.take_here(".") {
            true => format!(".{}", self.word().ok_or_else(|| self.error("digits"))?),
            false => String::new(),
        };
        Ok(format!("{sign}{word}{fraction}"))
    }

    /// Letters, digits and underscores.
    fn word(&mut self) -> Option<String> {
        self.skip_spaces();
        let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
        let word: String = self.text[self.at..].iter().take_while(is_part).collect();
        self.at += word.chars().count();
        (!word.is_empty()).then_some(word)
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        self.take_here(sign)
    }

    fn take_here(&mut self, sign: &str) -> bool {
        let is_here = self.text[self.at..].iter().copied().take(sign.len()).eq(sign.chars());
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &'static str) -> FilterError {
        FilterError { at: self.at, expected }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tree() -> StructureRecord {
        let record = json!({
            "id": 3, "type": "Tree", "calls": 2, "form": "", "recipe": [], "variable": "tree",
            "heap": [
                {"object": 0, "class": "a::Tree", "fields": {"size": 2, "root": {"object": 1}, "last.next": 7}},
                {"object": 1, "class": "a::Node<u8>", "fields": {
                    "color": {"variant": "Red"}, "left": null, "text": "a b", "self": -3
                }},
            ],
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn paths_follow_references_and_counts_know_classes() {
        for (filter, holds) in [
            ("size > 1 && root.color == Red", true),
            ("size > 2 && root.color == Red", false),
            ("size > 2 || root.color == Red", true),
            ("(size > 2 || root.color == Red) && calls == 2", true),
            ("root.left == None", true),
            ("root.text == \"a b\"", true),
            ("root.self == -3 && root.self<0", true),
            ("last.next >= 7", true),
            ("count(Node) == 1 && objects == 2", true),
            ("count(Tree) != 1", false),
            ("root.left.color == Red", false),
            ("root.left.color != Red", true),
            ("nothing == 1", false),
            ("root.color < 3", false),
        ] {
            assert_eq!(Filter::parse(filter).unwrap().holds(&tree()), holds, "{filter}");
        }
    }

    #[test]
    fn and_binds_closer_than_or() {
        let filter = Filter::parse("size == 2 || size == 3 && calls == 9").unwrap();
        assert!(filter.holds(&tree()));
    }

    #[test]
    fn a_mistake_is_told_at_its_place() {
        for (text, at, expected) in [
            ("", 0, "a field"),
            ("size", 4, "`==`"),
            ("size > ", 7, "a number"),
            ("size > 2 &", 9, "`&&`"),
            ("(size > 2", 9, "`)`"),
            ("root. == 1", 6, "the name of a field"),
            ("a == \"b", 7, "`\"`"),
        ] {
            let error = Filter::parse(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
