//! Methods that are known by name and signature.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Method, ParamKind, Passing, TypeIdx, TypeTraits};

use crate::text::{
    INDICES, TypedText, bare, end_of_range, is_integer, is_simple, is_written, key_and_value,
    of_literal,
};

/// The methods of a type whose meaning is usual. Each takes part in the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observers {
    pub(crate) len: Option<PlannedIdx>,
    pub(crate) is_empty: Option<PlannedIdx>,
    pub(crate) contains: Option<Lookup>,
    pub(crate) contains_key: Option<Lookup>,
    pub(crate) get_by_key: Option<Lookup>,
    pub(crate) get_by_index: Option<Lookup>,
    pub(crate) range: Option<Lookup>,
    /// Methods that count something, each with one that lists it.
    pub(crate) counts: Vec<[PlannedIdx; 2]>,
    pub(crate) first: Option<PlannedIdx>,
    pub(crate) last: Option<PlannedIdx>,
    pub(crate) peek: Option<PlannedIdx>,
    pub(crate) min: Option<PlannedIdx>,
    pub(crate) max: Option<PlannedIdx>,
    pub(crate) clear: Option<PlannedIdx>,
    pub(crate) truncate: Option<Lookup>,
    pub(crate) retain: Option<PlannedIdx>,
    pub(crate) drain: Option<PlannedIdx>,
}

/// A method that looks up a literal, with what its literals look like.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) planned: PlannedIdx,
    pub(crate) keys: Vec<String>,
}

/// The items of its iteration.
#[derive(Clone, Debug)]
pub(crate) struct ItemType {
    /// The type of the items, without references.
    pub(crate) ty: String,
    /// True if they are given as pairs of a simple key and a value, not as references to pairs.
    pub(crate) is_pair: bool,
}

impl ItemType {
    pub(crate) fn of(traits: &TypeTraits) -> Option<Self> {
        let name = (traits.item_name?)();
        let ty = bare(name);
        let is_pair = !name.starts_with('&') && key_and_value(&ty).is_some();
        Some(ItemType { ty: ty.into_owned(), is_pair })
    }

    /// Returns whether items are equal exactly if their texts are.
    pub(crate) fn has_exact_texts(&self) -> bool {
        is_simple(&self.ty) || key_and_value(&self.ty).is_some_and(|(_, value)| is_simple(value))
    }

    /// Returns whether they are ranges of integers, or have some as keys.
    pub(crate) fn has_ranges(&self) -> bool {
        let key = self.ty.strip_prefix('(').and_then(|ty| ty.split_once(", "));
        end_of_range(key.map_or(&self.ty, |(key, _)| key)).is_some()
    }

    /// The types of key and value of a pair.
    fn pair(&self) -> Option<(&str, &str)> {
        key_and_value(&self.ty).filter(|_| self.is_pair)
    }
}

/// How names of methods begin that add to a sequence, ...
const PUSHES: &[&str] = &["push"];
/// ... that add to one or take from it, ...
const PUSHES_AND_POPS: &[&str] = &["push", "pop"];
/// ... and that add to any container or take from it.
const CHANGES: &[&str] = &["push", "pop", "insert", "remove", "add", "enqueue", "dequeue"];

impl Observers {
    /// Those of the type `ty` of the plan, whose iteration gives `items`.
    pub(crate) fn of(plan: &Plan, ty: TypeIdx, items: Option<&ItemType>) -> Self {
        let methods = Methods { plan, ty };
        let mut found = Observers {
            len: methods.plain(&["len"], |result| UNSIGNED.contains(&result)),
            is_empty: methods.plain(&["is_empty"], |result| result == "bool"),
            clear: methods.emptying("clear", items),
            drain: methods.emptying("drain", items),
            counts: methods.counts(),
            ..Observers::default()
        };
        let Some(items) = items else { return found };
        let is_item = |result: &str| option_of(result).is_some_and(|ty| is_written(&items.ty, ty));
        found.peek = methods.plain(&["peek", "top"], is_item);
        found.first = methods.plain(&["first", "front", "first_key_value"], is_item);
        found.last = methods.plain(&["last", "back", "last_key_value"], is_item);
        if is_integer(&items.ty) {
            found.min = methods.plain(&["min", "peek_min"], is_item);
            found.max = methods.plain(&["max", "peek_max"], is_item);
        }
        found.truncate = methods.truncate();
        found.range = methods.range(items);
        found.retain = methods.retain().filter(|_| !items.is_pair);
        methods.find_lookups(items, &mut found);
        found
    }
}

const UNSIGNED: [&str; 6] = ["usize", "u8", "u16", "u32", "u64", "u128"];

/// The methods of the plan on one type.
struct Methods<'p> {
    plan: &'p Plan,
    ty: TypeIdx,
}

impl<'p> Methods<'p> {
    /// All that take a structure of the type as their receiver and no other one.
    fn all(&self) -> impl Iterator<Item = (PlannedIdx, &'p Method, Passing)> + '_ {
        let method = |idx| (idx, self.plan.method(idx));
        self.plan.planned_idxs().map(method).filter_map(|(idx, method)| {
            let receiver = method
                .params
                .first()
                .filter(|param| param.name == "self" || stands_for_method(method))?;
            let ParamKind::Structure { ty, passing } = receiver.kind else { return None };
            let is_alone = method.structure_params().count() == 1;
            (ty == self.ty && is_alone).then_some((idx, method, passing))
        })
    }

    /// The first of these names that looks at a structure without further arguments, and whose
    /// result is as wanted.
    fn plain(&self, names: &[&str], is_wanted: impl Fn(&str) -> bool) -> Option<PlannedIdx> {
        let named = |name: &&str| {
            let mut all = self.all();
            all.find(|(_, method, passing)| {
                *passing == Passing::Ref
                    && method.call_observed.is_some()
                    && method.params.len() == 1
                    && own_name(method) == *name
                    && is_wanted(result_type(method))
            })
        };
        names.iter().find_map(named).map(|(idx, ..)| idx)
    }

    /// The method of this name that looks up a literal in a structure, with the type of that and
    /// how it is passed.
    fn lookup(
        &self,
        name: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<(Lookup, String, &'p Method)> {
        let (planned, method, _) = self.all().find(|(_, method, passing)| {
            *passing == Passing::Ref
                && method.call_observed.is_some()
                && method.params.len() == 2
                && own_name(method) == name
                && is_wanted(result_type(method))
        })?;
        let (lookup, ty) = self.with_keys(planned)?;
        Some((lookup, ty, method))
    }

    /// The method with the literals of its first parameter that takes some, and their type.
    fn with_keys(&self, planned: PlannedIdx) -> Option<(Lookup, String)> {
        let literals = self.plan.planned(planned).domains.first()?;
        let keys: Option<Vec<TypedText>> = literals.iter().map(of_literal).collect();
        let keys = keys?;
        let ty = keys.first()?.ty.clone();
        let keys = keys.into_iter().map(|key| key.text).collect();
        Some((Lookup { planned, keys }, ty.into_owned()))
    }

    /// The method of this name that changes a structure, with `n_params` parameters.
    fn changing(&self, name: &str, n_params: usize) -> Option<PlannedIdx> {
        let mut all = self.all();
        let found = all.find(|(_, method, passing)| {
            *passing == Passing::Mut && method.params.len() == n_params && own_name(method) == name
        });
        found.map(|(planned, ..)| planned)
    }

    /// A `retain`, by what a literal says or as its name does, that changes no item.
    fn retain(&self) -> Option<PlannedIdx> {
        let is_retain = |name: &str| name == "retain" || name.starts_with("retain_");
        let mut all = self.all();
        let found = all.find(|(_, method, passing)| {
            let name = own_name(method);
            *passing == Passing::Mut && is_retain(name) && name != "retain_mut"
        });
        found.map(|(planned, ..)| planned)
    }

    /// A `truncate` of a sequence.
    fn truncate(&self) -> Option<Lookup> {
        let planned = self.changing("truncate", 2).filter(|_| self.is_sequence())?;
        self.with_keys(planned).filter(|(_, ty)| ty == "usize").map(|(lookup, _)| lookup)
    }

    /// A `range` of a sequence by indices that lists its items, or how these are shown.
    fn range(&self, items: &ItemType) -> Option<Lookup> {
        let is_listed = |result: &str| {
            listed_by(result).is_some_and(|ty| is_written(&items.ty, ty) || bare(ty) == "String")
        };
        let (lookup, ty, _) = self.lookup("range", is_listed).filter(|_| self.is_sequence())?;
        (ty == INDICES).then_some(lookup)
    }

    /// Each `..._count` with the first method that lists as much of a name alike.
    fn counts(&self) -> Vec<[PlannedIdx; 2]> {
        let is_list = |result: &str| {
            listed_by(result).is_some_and(|ty| is_simple(&bare(ty).replace("String", "str")))
        };
        let counting = self.all().filter_map(|(_, method, _)| {
            let name = own_name(method);
            let counted = name.strip_suffix("_count")?;
            let count = self.plain(&[name], |result| UNSIGNED.contains(&result))?;
            let lists = LISTS.map(|(before, after)| format!("{before}{counted}{after}"));
            let list = self.plain(&lists.each_ref().map(String::as_str), is_list)?;
            Some([count, list])
        });
        counting.collect()
    }

    fn find_lookups(&self, items: &ItemType, found: &mut Observers) {
        let key_type = items.pair().map(|(key, _)| key);
        let is_bool = |result: &str| result == "bool";
        if let Some((lookup, ty, method)) = self.lookup("contains", is_bool) {
            let is_key = key_type == Some(&ty) && method.params[1].name == "key";
            let is_item =
                is_simple(&ty) && (items.ty == ty || end_of_range(&items.ty) == Some(&ty));
            found.contains = (is_key || is_item).then_some(lookup);
        }
        if let Some((lookup, ty, _)) = self.lookup("contains_key", is_bool) {
            found.contains_key = (key_type == Some(&ty)).then_some(lookup);
        }
        let value_type = items.pair().map_or(items.ty.as_str(), |(_, value)| value);
        let is_value =
            |result: &str| option_of(result).is_some_and(|ty| is_written(value_type, ty));
        if let Some((lookup, ty, method)) = self.lookup("get", is_value) {
            let is_by_index = !items.is_pair
                && ty == "usize"
                && matches!(method.params[1].kind, ParamKind::Literal { prefix: "", .. })
                && self.is_sequence();
            match key_type == Some(&ty) {
                true => found.get_by_key = Some(lookup),
                false => found.get_by_index = is_by_index.then_some(lookup),
            }
        }
    }

    fn has_named(&self, starts: &[&str]) -> bool {
        let is_named = |name: &str| starts.iter().any(|start| name.starts_with(start));
        self.all().any(|(_, method, _)| is_named(own_name(method)))
    }

    /// Returns whether something can be pushed, and nothing that changes the structure gives an
    /// index away, as slots would have it.
    fn is_sequence(&self) -> bool {
        let mut changing = self.all().filter(|(.., passing)| *passing == Passing::Mut);
        self.has_named(PUSHES)
            && !changing.any(|(_, method, _)| result_type(method).contains("usize"))
    }

    /// A `clear` or `drain` that leaves nothing: not one that makes all bits of a set or all cells
    /// of a board 0.
    fn emptying(&self, name: &str, items: Option<&ItemType>) -> Option<PlannedIdx> {
        let is_container = match items {
            Some(items) => items.ty != "bool" && self.has_named(CHANGES),
            None => self.has_named(PUSHES_AND_POPS),
        };
        self.changing(name, 1).filter(|_| is_container)
    }
}

/// Returns whether a function stands for a method that takes `self` and has its name. One with
/// arguments of its own does what these say: `clear::<1>` may leave something.
fn stands_for_method(method: &Method) -> bool {
    let after = method.signature.split_once('(').map_or("", |(_, after)| after);
    let takes_self =
        after.split([',', ')', ':']).next().is_some_and(|first| first.ends_with("self"));
    takes_self && method.name == own_name(method) && !method.path.ends_with('>')
}

/// A method's name in its own source; that in the suite may be another one.
fn own_name(method: &Method) -> &str {
    let after = method.signature.split_once("fn ").map_or("", |(_, after)| after);
    after.split(['(', '<']).next().unwrap_or_default().trim()
}

/// The result type of a method, as its signature writes it; empty if there is none.
pub(crate) fn result_type(method: &Method) -> &str {
    method.returns.unwrap_or_default()
}

/// The names of what lists all nodes where `node_count` counts them.
const LISTS: [(&str, &str); 5] =
    [("", "s"), ("", "_indices"), ("", "_references"), ("", "_weights"), ("all_", "s")];

/// The type of the items of a result that is a vector.
fn listed_by(result: &str) -> Option<&str> {
    result.strip_prefix("Vec<")?.strip_suffix('>')
}

fn option_of(result: &str) -> Option<&str> {
    result.strip_prefix("Option<")?.strip_suffix('>')
}
