//! Pools: the literals of a scope at one k, and their places.

use std::collections::{BTreeMap, BTreeSet};

use beget_suite::{DomainKind, LiteralDomain, MOST_LITERALS, Pools};

use super::Resolver;
use super::domains::last_name;
use crate::scope::diagnostic::Span;
use crate::scope::expr::IntRange;
use crate::scope::file::Domains;
use crate::scope::read::{DomainSpec, FileText, ListItem, Spanned};
use crate::scope::wide::WideInt;

/// Pools filled from the scope.
#[derive(Clone, Debug, Default)]
pub(super) struct ScopePools {
    /// The literals of the scope.
    pub(super) proper: Pools,
    /// The same with its ranges of integers extended; values that then do not fit a type are left
    /// out.
    pub(super) with_slack: Pools,
    /// The kinds with a reported mistake, so that its consequences are not reported.
    broken: Vec<DomainKind>,
    ints: Vec<Spanned<WideInt>>,
    variants: BTreeMap<String, Vec<Spanned<String>>>,
    places: Vec<(DomainKind, Span)>,
}

impl ScopePools {
    /// Returns whether a mistake in the literals of a kind was already reported.
    pub(super) fn is_broken(&self, kind: DomainKind) -> bool {
        self.broken.contains(&kind)
    }

    /// The place of the literals of a kind.
    pub(super) fn place_of(&self, kind: DomainKind) -> Option<Span> {
        let same = |(known, _): &&(DomainKind, Span)| *known == kind;
        self.places.iter().rev().find(same).map(|(_, span)| span.clone())
    }

    /// The place of the integer printed as `value`.
    pub(super) fn place_of_int(&self, value: &str) -> Option<Span> {
        let found = self.ints.iter().find(|int| int.value.to_string() == value);
        found.map(|int| int.span.clone())
    }

    /// The place of the variant.
    pub(super) fn place_of_variant(&self, of: &str, name: &str) -> Option<Span> {
        let found = self.variants.get(of)?.iter().find(|variant| variant.value == name);
        found.map(|variant| variant.span.clone())
    }

    /// Sets one pool in both versions.
    fn set(&mut self, kind: DomainKind, place: Span, set: impl Fn(&mut Pools)) {
        set(&mut self.proper);
        set(&mut self.with_slack);
        self.places.push((kind, place));
    }

    fn set_variants(&mut self, name: String, variants: Vec<Spanned<String>>, place: Span) {
        let names: Vec<String> = variants.iter().map(|variant| variant.value.clone()).collect();
        self.set(DomainKind::User, place, |pools| {
            pools.enums.insert(name.clone(), names.clone());
        });
        self.variants.insert(name, variants);
    }
}

impl Resolver<'_> {
    /// The pools for parameters that the scope does not name.
    pub(super) fn common_pools(&mut self, arrays: u32) -> ScopePools {
        let mut filled = ScopePools::default();
        filled.proper.longest = arrays as usize;
        filled.with_slack.longest = arrays.saturating_add(self.slack) as usize;
        filled.with_slack.clamp = true;
        let Domains { ints, floats, bools, chars, strings, enums } = &self.scope.domains;
        let by_kind = [
            (DomainKind::Ints, ints),
            (DomainKind::Floats, floats),
            (DomainKind::Bools, bools),
            (DomainKind::Chars, chars),
            (DomainKind::Strings, strings),
        ];
        for (kind, domain) in by_kind {
            if let Some(domain) = domain {
                self.fill(&mut filled, kind, domain);
            }
        }
        for (name, variants) in enums {
            let variants: Vec<_> = variants.iter().map(spanned).collect();
            self.check_distinct(&variants);
            filled.set_variants(name.value.clone(), variants, name.inside());
        }
        filled
    }

    /// The pools for a parameter of type `literal` with the scope's `domain`.
    pub(super) fn overridden(
        &mut self,
        common: &ScopePools,
        literal: &LiteralDomain,
        domain: &DomainSpec,
    ) -> ScopePools {
        let mut filled = common.clone();
        match (literal.kind, domain) {
            (DomainKind::Unit, _) => {
                let message = format!("a parameter of type `{}` has nothing to choose", literal.ty);
                self.problem(domain.span(), message, None);
            }
            (DomainKind::User, DomainSpec::List(list)) if list.value.iter().any(is_text) => {
                let variants = list.value.iter().filter_map(|item| self.text_item(item));
                let variants: Vec<_> = variants.map(spanned).collect();
                self.check_distinct(&variants);
                filled.set_variants(last_name(literal.ty).to_owned(), variants, domain.span());
            }
            (DomainKind::User, _) => self.fill(&mut filled, DomainKind::Ints, domain),
            (kind, _) => self.fill(&mut filled, kind, domain),
        }
        filled
    }

    fn fill(&mut self, filled: &mut ScopePools, kind: DomainKind, domain: &DomainSpec) {
        let before = self.problems.len();
        match kind {
            _ if !self.is_short(domain) => {}
            DomainKind::Ints => self.fill_ints(filled, domain),
            DomainKind::Floats => {
                let floats = self.items(domain, "a number", float, float_bits);
                filled.set(kind, domain.span(), |pools| pools.floats = Some(floats.clone()));
            }
            DomainKind::Bools => {
                let bools =
                    self.items(domain, "`true` or `false`", boolean, |value| i128::from(*value));
                filled.set(kind, domain.span(), |pools| pools.bools = Some(bools.clone()));
            }
            DomainKind::Chars => {
                let chars = self.chars(domain);
                filled.set(kind, domain.span(), |pools| pools.chars = Some(chars.clone()));
            }
            DomainKind::Strings => {
                let strings = self.items(domain, "a string in quotes", string, String::clone);
                strings.iter().for_each(|text| self.note_text(text));
                filled.set(kind, domain.span(), |pools| pools.strings = Some(strings.clone()));
            }
            DomainKind::User | DomainKind::Unit => {}
        }
        filled.broken.retain(|broken| *broken != kind);
        if self.problems.len() > before {
            filled.broken.push(kind);
        }
    }

    fn fill_ints(&mut self, filled: &mut ScopePools, domain: &DomainSpec) {
        let (proper, with_slack) = match domain {
            DomainSpec::Text(text) => {
                let Some(range) = self.range(text).filter(|range| self.is_small(text, *range))
                else {
                    return;
                };
                let proper = range.values().map(|value| Spanned { value, span: text.inside() });
                (proper.collect(), range.extended(self.slack).values().collect())
            }
            DomainSpec::List(list) => {
                let mut ints: Vec<Spanned<WideInt>> = Vec::new();
                let mut known = BTreeSet::new();
                for item in &list.value {
                    let int = self.int_item(item);
                    ints.extend(int.filter(|int| known.insert(int.value)));
                }
                let values: Vec<WideInt> = ints.iter().map(|int| int.value).collect();
                (ints, values)
            }
        };
        let narrow = |values: &[WideInt]| values.iter().filter_map(|int| int.to_i128()).collect();
        let proper_values: Vec<WideInt> = proper.iter().map(|int| int.value).collect();
        let (ints, all): (Vec<i128>, Vec<i128>) = (narrow(&proper_values), narrow(&with_slack));
        all.iter().for_each(|&value| self.note_int(value));
        for &int in &ints {
            let (low, high) = (*self.literal_ints.start(), *self.literal_ints.end());
            self.literal_ints = low.min(int)..=high.max(int);
        }
        for (pools, ints, values) in
            [(&mut filled.proper, ints, &proper_values), (&mut filled.with_slack, all, &with_slack)]
        {
            let large = values.iter().filter(|int| int.to_i128().is_none());
            pools.ints = Some(ints);
            pools.large_ints = large.filter_map(|int| int.to_u128()).collect();
        }
        filled.ints = proper;
        filled.places.push((DomainKind::Ints, domain.span()));
    }

    /// Rejects ranges that can only be mistakes.
    fn is_small(&mut self, text: &FileText, range: IntRange) -> bool {
        let most = MOST_LITERALS as u128;
        let (proper, with_slack) = (range.len(), range.extended(self.slack).len());
        if proper > most {
            let message =
                format!("the range has {proper} values; more than {MOST_LITERALS} are refused");
            self.problem(text.inside(), message, None);
        } else if with_slack > most {
            let message = format!(
                "with slack {} the range has {with_slack} values; more than {MOST_LITERALS} are refused",
                self.slack
            );
            let help = "give less slack: it is added at both ends".to_owned();
            self.problem(text.inside(), message, Some(help));
        }
        proper.max(with_slack) <= most
    }

    /// Rejects lists that can only be mistakes.
    fn is_short(&mut self, domain: &DomainSpec) -> bool {
        let DomainSpec::List(list) = domain else { return true };
        let n = list.value.len();
        if n > MOST_LITERALS {
            let message = format!("the list has {n} values; more than {MOST_LITERALS} are refused");
            self.problem(list.span.clone(), message, None);
        }
        n <= MOST_LITERALS
    }

    fn int_item(&mut self, item: &Spanned<ListItem>) -> Option<Spanned<WideInt>> {
        let (value, span) = match &item.value {
            ListItem::Int(value) => ((*value).into(), item.span.clone()),
            ListItem::Large(value) => ((*value).into(), item.span.clone()),
            ListItem::Text(text) => (self.wide_int(text)?, text.inside()),
            _ => {
                self.problem(
                    item.span.clone(),
                    "expected an integer or an expression in quotes",
                    None,
                );
                return None;
            }
        };
        Some(Spanned { value, span })
    }

    fn text_item<'i>(&mut self, item: &'i Spanned<ListItem>) -> Option<&'i FileText> {
        if let ListItem::Text(text) = &item.value {
            return Some(text);
        }
        self.problem(item.span.clone(), "expected a variant's name in quotes", None);
        None
    }

    /// The values of a list, each once; `wanted` describes them, `key` identifies them.
    fn items<T, K: Ord>(
        &mut self,
        domain: &DomainSpec,
        wanted: &str,
        get: fn(&ListItem) -> Option<T>,
        key: fn(&T) -> K,
    ) -> Vec<T> {
        let mut values = Vec::new();
        let mut known = BTreeSet::new();
        let DomainSpec::List(list) = domain else {
            self.problem(
                domain.span(),
                format!("expected a list, each of its elements {wanted}"),
                None,
            );
            return values;
        };
        for item in &list.value {
            match get(&item.value) {
                Some(value) if known.insert(key(&value)) => values.push(value),
                Some(_) => {}
                None => self.problem(item.span.clone(), format!("expected {wanted}"), None),
            }
        }
        values
    }

    /// The characters of a list or a range.
    fn chars(&mut self, domain: &DomainSpec) -> Vec<char> {
        let DomainSpec::Text(text) = domain else {
            return self.items(domain, "a character such as `'a'`", character, |value| {
                i128::from(u32::from(*value))
            });
        };
        let Some((first, last, inclusive)) = char_range(&text.value) else {
            let help =
                "write a range such as `\"'a'..'d'\"`, or a list such as `['a', 'b']`".to_owned();
            self.problem(text.inside(), "not a range of characters", Some(help));
            return Vec::new();
        };
        let chars: Vec<char> =
            if inclusive { (first..=last).collect() } else { (first..last).collect() };
        if chars.len() > MOST_LITERALS {
            let n = chars.len();
            let message =
                format!("the range has {n} characters; more than {MOST_LITERALS} are refused");
            self.problem(text.inside(), message, None);
            return Vec::new();
        }
        chars
    }

    fn check_distinct(&mut self, names: &[Spanned<String>]) {
        let mut known = BTreeSet::new();
        for name in names {
            if !known.insert(name.value.as_str()) {
                self.problem(name.span.clone(), format!("`{}` is given twice", name.value), None);
            }
        }
    }
}

/// The ends of `'a'..'d'` or `'a'..='d'`, and whether the last is included.
fn char_range(text: &str) -> Option<(char, char, bool)> {
    let (first, rest) = quoted_char(text.trim())?;
    let rest = rest.trim_start().strip_prefix("..")?;
    let (inclusive, rest) = match rest.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (last, rest) = quoted_char(rest.trim_start())?;
    rest.is_empty().then_some((first, last, inclusive))
}

fn quoted_char(text: &str) -> Option<(char, &str)> {
    let mut chars = text.strip_prefix('\'')?.chars();
    let char = chars.next()?;
    Some((char, chars.as_str().strip_prefix('\'')?))
}

fn spanned(text: &FileText) -> Spanned<String> {
    Spanned { value: text.value.clone(), span: text.inside() }
}

fn is_text(item: &Spanned<ListItem>) -> bool {
    matches!(item.value, ListItem::Text(_))
}

fn float(item: &ListItem) -> Option<f64> {
    match item {
        ListItem::Int(value) => Some(*value as f64),
        ListItem::Large(value) => Some(*value as f64),
        // There is only one NaN: another payload or sign cannot be written in recipes.
        ListItem::Float(value) if value.is_nan() => Some(f64::NAN),
        ListItem::Float(value) => Some(*value),
        _ => None,
    }
}

/// The identity of floats in canonical forms: `-0.0` is not `0.0`.
fn float_bits(value: &f64) -> i128 {
    value.to_bits().into()
}

fn boolean(item: &ListItem) -> Option<bool> {
    if let ListItem::Bool(value) = item { Some(*value) } else { None }
}

fn character(item: &ListItem) -> Option<char> {
    if let ListItem::Char(value) = item { Some(*value) } else { None }
}

fn string(item: &ListItem) -> Option<String> {
    if let ListItem::Text(text) = item { Some(text.value.clone()) } else { None }
}

#[cfg(test)]
mod tests {
    use beget_suite::Suite;

    use super::*;
    use crate::scope::{Overrides, ScopeFile};

    #[test]
    fn a_list_may_have_a_million_values_and_no_more() {
        let text = r#"(suite: "any", k: 1, objects: {"*": 1})"#;
        let file = ScopeFile::parse("x.ron", text).unwrap();
        let suite = Suite::default();
        let mut resolver = Resolver::new(&file, &suite, &Overrides::default());
        let mut filled = |n: usize| {
            let value = vec![Spanned { value: ListItem::Int(7), span: 0..1 }; n];
            let list = DomainSpec::List(Spanned { value, span: 0..1 });
            let mut filled = ScopePools::default();
            resolver.fill(&mut filled, DomainKind::Floats, &list);
            let messages: Vec<_> =
                resolver.problems.iter().map(|one| one.message.clone()).collect();
            (filled.is_broken(DomainKind::Floats), filled.proper.floats, messages)
        };
        assert_eq!(filled(1_000_000), (false, Some(vec![7.0]), vec![]));
        let message = "the list has 1000001 values; more than 1000000 are refused".to_owned();
        assert_eq!(filled(1_000_001), (true, None, vec![message]));
    }
}
