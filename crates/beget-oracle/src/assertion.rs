//! Contracts as plain Rust: the statements of a test that fails as the contract is broken.
//!
//! The statements need neither beget nor the run, so they can be read and kept. They compare as the
//! contract does: items, keys and results by their `Debug`, because the types of an item and of a
//! method's result may differ by references. The module writes statements and checks nothing.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Method, TypeIdx};

use crate::BrokenContract;
use crate::applicable::{ApplicableContracts, TypeFacts};
use crate::contract::CONTRACTS;
use crate::observers::{Lookup, result_type};
use crate::specimen::MOST_ITEMS;

impl ApplicableContracts<'_> {
    /// The statements that fail where the contract is broken in this way. `names` are the variables
    /// that hold the values with the numbers `ids` of `broken`, in their order.
    pub fn assertion(&self, broken: &BrokenContract, names: &[&str]) -> Vec<String> {
        let name = CONTRACTS[broken.contract].name;
        let written = Assertion { literal: broken.literal, ..self.written(name, broken.ty, names) };
        written.of(name).unwrap_or_default()
    }

    /// The statements that ask a contract of one value of type `ty`, held by `variable`; `None` if
    /// it is not asked of one value alone.
    pub fn assertion_of_value(
        &self,
        contract: &str,
        ty: TypeIdx,
        variable: &str,
    ) -> Option<Vec<String>> {
        let written = self.written(contract, ty, &[variable]);
        written.of_value(contract).or_else(|| written.of_iteration(contract))
    }

    fn written<'o>(&'o self, contract: &str, ty: TypeIdx, names: &[&'o str]) -> Assertion<'o> {
        let name = |role: usize| names.get(role).copied().unwrap_or_default();
        Assertion {
            plan: self.plan,
            facts: &self.types[ty.index()],
            literal: None,
            a: name(0),
            b: name(1),
            c: name(2),
            ty: self.plan.suite.types[ty.index()].name,
            broken: format!("the contract `{contract}` is broken"),
        }
    }
}

/// An assertion to be written.
struct Assertion<'o> {
    plan: &'o Plan,
    facts: &'o TypeFacts,
    literal: Option<usize>,
    /// The variables.
    a: &'o str,
    b: &'o str,
    c: &'o str,
    /// The name of their type.
    ty: &'o str,
    /// The message of the assertion.
    broken: String,
}

/// The lines of a text.
macro_rules! lines {
    ($($line:literal),+ $(,)?) => {
        vec![$(format!($line)),+]
    };
}

/// The items of an iteration as text.
const TEXTS: &str = "map(|item| format!(\"{item:?}\"))";

impl Assertion<'_> {
    /// `None` for contracts that are not asked about values.
    fn of(&self, contract: &str) -> Option<Vec<String>> {
        self.of_value(contract)
            .or_else(|| self.of_several(contract))
            .or_else(|| self.of_iteration(contract))
            .or_else(|| self.of_methods(contract))
    }

    fn of_value(&self, contract: &str) -> Option<Vec<String>> {
        let Assertion { a, ty, broken, .. } = self;
        let ty = if ty.contains('<') { format!("<{ty}>") } else { (*ty).to_owned() };
        Some(match contract {
            "debug_returns" => lines!["let _ = format!(\"{{{a}:?}}\");"],
            "display_returns" => lines!["let _ = format!(\"{{{a}}}\");"],
            "clone_returns" => lines!["let _ = {a}.clone();"],
            "clone_equal" => lines!["assert!({a}.clone() == {a}, \"{broken}\");"],
            "clone_same_contents" => self.same_contents(),
            "serde_round_trip" if self.facts.traits.partial_eq.is_some() => {
                lines!["beget::assert_serde_round_trip(&{a});"]
            }
            "serde_round_trip" if self.facts.shows_own_heap() => {
                lines!["beget::assert_serde_same_heap(&{a});"]
            }
            "default_repeats" => {
                lines!["assert!({ty}::default() == {ty}::default(), \"{broken}\");"]
            }
            "eq_reflexive" => lines!["assert!({a} == {a}, \"{broken}\");"],
            _ => return None,
        })
    }

    fn of_several(&self, contract: &str) -> Option<Vec<String>> {
        let Assertion { a, b, c, ty, broken, .. } = self;
        let texts = TEXTS;
        Some(match contract {
            "eq_symmetric" => lines!["assert_eq!({a} == {b}, {b} == {a}, \"{broken}\");"],
            "ne_negates_eq" => lines!["assert_eq!({a} != {b}, !({a} == {b}), \"{broken}\");"],
            "eq_transitive" => {
                lines!["assert!(!({a} == {b} && {b} == {c}) || {a} == {c}, \"{broken}\");"]
            }
            "cmp_transitive" => {
                lines!["assert!(!({a} < {b} && {b} < {c}) || {a} < {c}, \"{broken}\");"]
            }
            "eq_same_contents" => lines![
                "let items_of = |value: &{ty}| {{",
                "    let mut items: Vec<_> = value.into_iter().{texts}.collect();",
                "    items.sort_unstable();",
                "    items",
                "}};",
                "assert!(!({a} == {b}) || items_of(&{a}) == items_of(&{b}), \"{broken}\");",
            ],
            "hash_agrees_with_eq" => lines![
                "let hash_of = |value| {{",
                "    let mut hasher = std::hash::DefaultHasher::new();",
                "    std::hash::Hash::hash(value, &mut hasher);",
                "    std::hash::Hasher::finish(&hasher)",
                "}};",
                "assert!(!({a} == {b}) || hash_of(&{a}) == hash_of(&{b}), \"{broken}\");",
            ],
            "borrow_agrees" => self.borrowed(),
            "partial_cmp_agrees_with_cmp" => {
                lines!["assert_eq!({a}.partial_cmp(&{b}), Some({a}.cmp(&{b})), \"{broken}\");"]
            }
            "cmp_agrees_with_eq" => lines![
                "let is_equal = {a}.partial_cmp(&{b}) == Some(std::cmp::Ordering::Equal);",
                "assert_eq!({a} == {b}, is_equal, \"{broken}\");",
            ],
            "cmp_antisymmetric" => lines![
                "let reversed = {b}.partial_cmp(&{a}).map(std::cmp::Ordering::reverse);",
                "assert_eq!({a}.partial_cmp(&{b}), reversed, \"{broken}\");",
            ],
            _ => return None,
        })
    }

    fn of_iteration(&self, contract: &str) -> Option<Vec<String>> {
        let Assertion { a, broken, .. } = self;
        let texts = TEXTS;
        Some(match contract {
            "iteration_returns" => lines![
                "for item in (&{a}).into_iter().take({MOST_ITEMS}) {{",
                "    let _ = format!(\"{{item:?}}\");",
                "}}",
            ],
            "size_hint" => lines![
                "let n_items = (&{a}).into_iter().count();",
                "let mut items = (&{a}).into_iter();",
                "for taken in 0..n_items + 2 {{",
                "    let (left, (least, most)) = (n_items.saturating_sub(taken), items.size_hint());",
                "    let holds = least <= left && most.is_none_or(|most| left <= most);",
                "    assert!(holds, \"{broken}: {{least}} to {{most:?}} items, {{left}} are left\");",
                "    let _ = items.next();",
                "}}",
            ],
            "exact_size" => lines![
                "let n_items = (&{a}).into_iter().count();",
                "let mut items = (&{a}).into_iter();",
                "for taken in 0..=n_items {{",
                "    assert_eq!(items.len(), n_items - taken, \"{broken}\");",
                "    let _ = items.next();",
                "}}",
            ],
            "fused_iteration" => lines![
                "let mut items = (&{a}).into_iter();",
                "while items.next().is_some() {{}}",
                "assert!(items.next().is_none() && items.next().is_none(), \"{broken}\");",
            ],
            "reversed_iteration" => lines![
                "let items: Vec<_> = (&{a}).into_iter().{texts}.collect();",
                "let from_back = (&{a}).into_iter().rev().take(items.len() + 1);",
                "let mut from_back: Vec<_> = from_back.{texts}.collect();",
                "from_back.reverse();",
                "assert_eq!(from_back, items, \"{broken}\");",
            ],
            "iteration_from_both_ends" => lines![
                "let items: Vec<_> = (&{a}).into_iter().{texts}.collect();",
                "let (mut both, mut front, mut back) = ((&{a}).into_iter(), Vec::new(), Vec::new());",
                "while front.len() + back.len() <= items.len() {{",
                "    let is_front = front.len() == back.len();",
                "    let item = if is_front {{ both.next() }} else {{ both.next_back() }};",
                "    let Some(item) = item else {{ break }};",
                "    let end = if is_front {{ &mut front }} else {{ &mut back }};",
                "    end.push(format!(\"{{item:?}}\"));",
                "}}",
                "back.reverse();",
                "assert_eq!([front, back].concat(), items, \"{broken}\");",
            ],
            _ => return None,
        })
    }

    fn of_methods(&self, contract: &str) -> Option<Vec<String>> {
        let observers = &self.facts.observers;
        let Assertion { a, broken, .. } = self;
        let [len, is_empty] = [observers.len, observers.is_empty].map(|found| self.call(found));
        Some(match contract {
            "is_empty_is_len_zero" => lines!["assert_eq!({is_empty}, {len} == 0, \"{broken}\");"],
            "is_empty_is_iteration" => {
                lines!["assert_eq!({is_empty}, (&{a}).into_iter().next().is_none(), \"{broken}\");"]
            }
            "len_is_iteration" => {
                let most = MOST_ITEMS + 1;
                let count = format!("(&{a}).into_iter().take({most}).count()");
                let len = self.len_as_usize();
                lines!["assert_eq!({len}, {count}, \"{broken}\");"]
            }
            "contains_is_iteration" => self.found(observers.contains.as_ref()?),
            "contains_key_is_iteration" => self.found(observers.contains_key.as_ref()?),
            "get_is_iteration" => self.got_by_key(observers.get_by_key.as_ref()?),
            "get_is_nth" => {
                let lookup = observers.get_by_index.as_ref()?;
                let (got, key) = (self.lookup(lookup), self.key(lookup));
                self.shown_alike(&got, &format!("nth({key})"))
            }
            "range_is_iteration" => self.ranged(observers.range.as_ref()?),
            "counts_agree" => {
                let assertion = |[count, list]: &[PlannedIdx; 2]| {
                    let [count, list] = [*count, *list].map(|planned| self.call(Some(planned)));
                    format!("assert_eq!({count} as usize, {list}.len(), \"{broken}\");")
                };
                observers.counts.iter().map(assertion).collect()
            }
            "first_is_iteration" => self.shown_alike(&self.call(observers.first), "next()"),
            "last_is_iteration" => self.shown_alike(&self.call(observers.last), "last()"),
            "min_is_iteration" => self.shown_alike(&self.call(observers.min), "min()"),
            "max_is_iteration" => self.shown_alike(&self.call(observers.max), "max()"),
            "peek_is_iteration" => self.peeked(&self.call(observers.peek)),
            "clear_empties" => self.emptied(&format!("{};", self.call(observers.clear))),
            "truncate_is_prefix" => {
                let truncate = observers.truncate.as_ref()?;
                self.truncated(&self.lookup(truncate), self.key(truncate))
            }
            "retain_is_subset" => self.retained(&self.change(observers.retain?)),
            "drain_empties" => self.drained(&self.call(observers.drain), observers.drain?),
            _ => return None,
        })
    }

    /// A call that looks at the value, or changes it; empty if there is none.
    fn call(&self, planned: Option<PlannedIdx>) -> String {
        self.call_on(self.a, planned)
    }

    fn call_on(&self, variable: &str, planned: Option<PlannedIdx>) -> String {
        planned
            .map(|planned| self.method(planned).to_call_source(&[variable], &[]))
            .unwrap_or_default()
    }

    fn method(&self, planned: PlannedIdx) -> &Method {
        self.plan.method(planned)
    }

    /// The call that looked up the literal.
    fn lookup(&self, lookup: &Lookup) -> String {
        let literal = self.literal.unwrap_or_default();
        let literal = &self.plan.planned(lookup.planned).domains[0][literal].source;
        self.method(lookup.planned).to_call_source(&[self.a], &[literal])
    }

    /// The literal as its `Debug` shows it.
    fn key<'l>(&self, lookup: &'l Lookup) -> &'l str {
        &lookup.keys[self.literal.unwrap_or_default()]
    }

    fn len_as_usize(&self) -> String {
        let len = self.facts.observers.len;
        let is_usize = len.is_some_and(|len| result_type(self.method(len)) == "usize");
        self.call(len) + if is_usize { "" } else { " as usize" }
    }

    /// The closure that tests whether an item has the key, or a range with it.
    fn has_key(&self, lookup: &Lookup) -> String {
        let items = self.facts.items.as_ref();
        let is_pair = items.is_some_and(|items| items.is_pair);
        let (pattern, shown) = if is_pair { ("(key, _)", "key") } else { ("item", "item") };
        if items.is_some_and(|items| items.has_ranges()) {
            return format!("|{pattern}| {shown}.contains(&{})", self.key(lookup));
        }
        format!("|{pattern}| format!(\"{{{shown}:?}}\") == {:?}", self.key(lookup))
    }

    fn found(&self, lookup: &Lookup) -> Vec<String> {
        let (call, has_key) = (self.lookup(lookup), self.has_key(lookup));
        let Assertion { a, broken, .. } = self;
        lines![
            "let is_given = (&{a}).into_iter().any({has_key});",
            "assert_eq!({call}, is_given, \"{broken}\");",
        ]
    }

    /// That a call gives the items of a range, or texts that show them.
    fn ranged(&self, lookup: &Lookup) -> Vec<String> {
        let (call, key) = (self.lookup(lookup), self.key(lookup));
        let Assertion { a, broken, .. } = self;
        let texts = TEXTS;
        let shows = result_type(self.method(lookup.planned)) == "Vec<String>"
            && self.facts.items.as_ref().is_some_and(|items| items.ty != "str");
        let given =
            if shows { call } else { format!("{call}.into_iter().{texts}.collect::<Vec<_>>()") };
        lines![
            "let items: Vec<_> = (&{a}).into_iter().{texts}.collect();",
            "assert_eq!({given}, items[{key}], \"{broken}\");",
        ]
    }

    fn got_by_key(&self, lookup: &Lookup) -> Vec<String> {
        let (call, has_key) = (self.lookup(lookup), self.has_key(lookup));
        let Assertion { a, broken, .. } = self;
        let texts = "map(|(_, value)| format!(\"{value:?}\"))";
        lines![
            "let given = (&{a}).into_iter().filter({has_key}).{texts};",
            "let given: Vec<_> = given.collect();",
            "let got = {call}.map(|value| format!(\"{{value:?}}\"));",
            "let is_given = got.as_ref().map_or(given.is_empty(), |got| given.contains(got));",
            "assert!(is_given, \"{broken}: {{got:?}} of {{given:?}}\");",
        ]
    }

    /// That what a call gives looks as what iteration does.
    fn shown_alike(&self, call: &str, item: &str) -> Vec<String> {
        let Assertion { a, broken, .. } = self;
        lines![
            "let (got, item) = ({call}, (&{a}).into_iter().{item});",
            "assert_eq!(format!(\"{{got:?}}\"), format!(\"{{item:?}}\"), \"{broken}\");",
        ]
    }

    fn peeked(&self, call: &str) -> Vec<String> {
        let Assertion { a, broken, .. } = self;
        let texts = "map(|item| format!(\"{item:?}\"))";
        lines![
            "let items: Vec<_> = (&{a}).into_iter().{texts}.collect();",
            "let got = {call}.map(|item| format!(\"{{item:?}}\"));",
            "let is_given = got.as_ref().map_or(items.is_empty(), |got| items.contains(got));",
            "assert!(is_given, \"{broken}: {{got:?}} of {{items:?}}\");",
        ]
    }

    /// The call that changed the value, with the literals that it had.
    fn change(&self, planned: PlannedIdx) -> String {
        let literals = self.plan.planned(planned).tuple(self.literal.unwrap_or_default());
        let literals: Vec<&str> = literals.iter().map(|literal| &*literal.source).collect();
        self.method(planned).to_call_source(&[self.a], &literals)
    }

    /// The items before a call that changes the value, and after it.
    fn before_and_after(&self, call: &str) -> Vec<String> {
        let Assertion { a, .. } = self;
        let texts = "into_iter().map(|item| format!(\"{item:?}\")).collect()";
        lines![
            "let mut {a} = {a};",
            "let mut before: Vec<String> = (&{a}).{texts};",
            "{call};",
            "let after: Vec<String> = (&{a}).{texts};",
        ]
    }

    fn truncated(&self, call: &str, len: &str) -> Vec<String> {
        let broken = &self.broken;
        let mut written = self.before_and_after(call);
        written
            .extend(lines!["before.truncate({len});", "assert_eq!(after, before, \"{broken}\");",]);
        written
    }

    fn retained(&self, call: &str) -> Vec<String> {
        let broken = &self.broken;
        let mut written = self.before_and_after(call);
        written.extend(lines![
            "for item in after {{",
            "    let known = before.iter().position(|known| *known == item);",
            "    before.swap_remove(known.expect(\"{broken}\"));",
            "}}",
        ]);
        written
    }

    fn drained(&self, call: &str, planned: PlannedIdx) -> Vec<String> {
        let Assertion { a, facts, broken, .. } = self;
        let is_list = result_type(self.method(planned)).starts_with("Vec<");
        if !(is_list && facts.is_iterable()) {
            return self.emptied(&format!("let _ = {call};"));
        }
        let texts = "into_iter().map(|item| format!(\"{item:?}\")).collect()";
        let mut written = lines!["let mut before: Vec<String> = (&{a}).{texts};"];
        written.extend(self.emptied(&format!("let mut given: Vec<String> = {call}.{texts};")));
        written.extend(lines![
            "before.sort();",
            "given.sort();",
            "assert_eq!(given, before, \"{broken}\");",
        ]);
        written
    }

    fn borrowed(&self) -> Vec<String> {
        let Assertion { a, b, facts, broken, .. } = self;
        let (traits, target) = (facts.traits, facts.traits.borrow.target);
        let mut written = lines![
            "let [of_a, of_b] = [&{a}, &{b}].map(std::borrow::Borrow::<{target}>::borrow);",
            "assert_eq!({a} == {b}, of_a == of_b, \"{broken}\");",
        ];
        if traits.ord.is_some() && traits.borrow.cmp.is_some() {
            written.extend(lines![
                "assert_eq!({a}.partial_cmp(&{b}), of_a.partial_cmp(of_b), \"{broken}\");"
            ]);
        }
        if traits.hash.is_some() && traits.borrow.hash.is_some() {
            written.extend(lines![
                "let hasher = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();",
                "let [own, borrowed] = [",
                "    std::hash::BuildHasher::hash_one(&hasher, &{a}),",
                "    std::hash::BuildHasher::hash_one(&hasher, of_a),",
                "];",
                "assert_eq!(own, borrowed, \"{broken}\");",
            ]);
        }
        written
    }

    /// That nothing is left after a statement.
    fn emptied(&self, statement: &str) -> Vec<String> {
        let Assertion { a, facts, broken, .. } = self;
        let mut written = lines!["let mut {a} = {a};", "{statement}"];
        let [len, is_empty] =
            [facts.observers.len, facts.observers.is_empty].map(|found| self.call(found));
        if !len.is_empty() {
            written.extend(lines!["assert_eq!({len}, 0, \"{broken}\");"]);
        }
        if !is_empty.is_empty() {
            written.extend(lines!["assert!({is_empty}, \"{broken}\");"]);
        }
        if facts.is_iterable() {
            written.extend(lines!["assert_eq!((&{a}).into_iter().count(), 0, \"{broken}\");"]);
        }
        written
    }

    fn same_contents(&self) -> Vec<String> {
        let Assertion { a, facts, broken, .. } = self;
        let mut written = lines!["let clone = {a}.clone();"];
        for observer in [facts.observers.len, facts.observers.is_empty] {
            let (of_clone, of_value) = (self.call_on("clone", observer), self.call(observer));
            if observer.is_some() {
                written.extend(lines!["assert_eq!({of_clone}, {of_value}, \"{broken}\");"]);
            }
        }
        if facts.is_iterable() {
            written.extend(lines![
                "let [items, of_clone] = [&{a}, &clone].map(|one| {{",
                "    let items = one.into_iter().map(|item| format!(\"{{item:?}}\"));",
                "    let mut items: Vec<_> = items.collect();",
                "    items.sort();",
                "    items",
                "}});",
                "assert_eq!(of_clone, items, \"{broken}\");",
            ]);
        }
        written
    }
}
