//! Fields: the integers that they may hold, and the fields left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::{FieldValues, Resolver};
use crate::scope::read::{DomainSpec, FileText};

/// The rules of `fields`.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldRules {
    /// The ranges for fields without a rule of their own, if `"*"` is given; empty for `any`.
    pub(super) all: Option<Vec<RangeInclusive<i128>>>,
    /// The ranges of single fields, as (class, field); empty for `any`.
    pub(super) ints: BTreeMap<(String, String), Vec<RangeInclusive<i128>>>,
    /// The fields left out.
    pub(super) skipped: BTreeSet<(String, String)>,
}

/// The result of a rule.
enum Rule {
    Skip,
    Any,
    Ints(Vec<RangeInclusive<i128>>),
}

impl Resolver<'_> {
    pub(super) fn field_rules(&mut self) -> FieldRules {
        let mut rules = FieldRules::default();
        for (name, domain) in &self.scope.fields {
            let Some(rule) = self.field_rule(domain) else { continue };
            if name.value == "*" {
                rules.all = self.rule_for_all(domain, rule);
                continue;
            }
            for (class, field) in self.fields(name) {
                let field = (class.to_owned(), field.to_owned());
                match &rule {
                    Rule::Skip => drop(rules.skipped.insert(field)),
                    Rule::Any => drop(rules.ints.insert(field, Vec::new())),
                    Rule::Ints(ranges) => drop(rules.ints.insert(field, ranges.clone())),
                }
            }
        }
        rules
    }

    fn field_rule(&mut self, domain: &DomainSpec) -> Option<Rule> {
        let values: Vec<FieldValues> = match domain {
            DomainSpec::Text(FileText { value, .. }) if value.trim() == "skip" => {
                return Some(Rule::Skip);
            }
            DomainSpec::Text(FileText { value, .. }) if value.trim() == "any" => {
                return Some(Rule::Any);
            }
            DomainSpec::Text(text) => self.alternatives(text),
            DomainSpec::List(list) => {
                list.value.iter().flat_map(|item| self.listed(item, false)).collect()
            }
        };
        let ranges: Option<Vec<_>> = values.iter().map(FieldValues::ints).collect();
        match ranges {
            Some(ranges) if !ranges.is_empty() => Some(Rule::Ints(ranges)),
            // Its contents were rejected and reported.
            _ if values.is_empty() && !self.problems.is_empty() => None,
            _ => {
                let help =
                    "write integers such as `0..=k`, `any`, or `skip` to leave the field out";
                let message = "a rule for a field takes integers";
                self.problem(domain.span(), message, Some(help.to_owned()));
                None
            }
        }
    }

    fn rule_for_all(
        &mut self,
        domain: &DomainSpec,
        rule: Rule,
    ) -> Option<Vec<RangeInclusive<i128>>> {
        match rule {
            Rule::Any => Some(Vec::new()),
            Rule::Ints(ranges) => Some(ranges),
            Rule::Skip => {
                let help = "write integers such as `0..=k`, or `any`".to_owned();
                self.problem(domain.span(), "not all fields can be left out", Some(help));
                None
            }
        }
    }
}
