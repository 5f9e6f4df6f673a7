//! The contracts, as a table.

use std::any::Any;

use beget_plan::scope::PlannedIdx;
use beget_suite::TypeTraits;

use crate::applicable::TypeFacts;
use crate::observers::Observers;
use crate::specimen::{Activity, Specimen};
use crate::{changes, pairs, values};

/// A law that a type is expected to keep.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// Its name in scope files and findings.
    pub name: &'static str,
    /// Its question, in a sentence.
    pub sentence: &'static str,
    pub(crate) applies: fn(&TypeFacts) -> bool,
    pub(crate) law: Law,
    /// True if it is asked about a part of many structures only.
    pub(crate) is_sampled: bool,
}

/// The subject of a contract.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// A type.
    Type(fn(&TypeFacts) -> Ruling),
    /// A value; a panic in this step is one of this contract.
    Value(Activity, fn(&mut Specimen<'_>) -> Ruling),
    /// A value of its own for each call of a method that changes it, by the number of the tuple of
    /// literals.
    Change(fn(&Observers) -> Option<PlannedIdx>, fn(&mut Specimen<'_>, usize) -> Ruling),
    /// Two values of a type, which may be the same one.
    Pair(fn(&TypeTraits, &dyn Any, &dyn Any) -> Ruling),
    /// Three values of a type: for each two of them, in this order, whether they are in a relation
    /// that must be transitive.
    Triple(&'static str, fn(&TypeTraits, &dyn Any, &dyn Any) -> Option<bool>),
    /// Calls on a value, made again while their elements are watched. Who has the sequences asks.
    Calls,
}

impl Law {
    /// Returns whether it is about more than one value.
    pub(crate) fn is_of_several(&self) -> bool {
        matches!(self, Law::Pair(_) | Law::Triple(..))
    }
}

/// The verdict on a contract.
pub(crate) type Ruling = Result<(), Unmet>;

/// Why a contract is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unmet {
    /// It is broken, with what is said on both sides.
    Broken(String),
    /// There was no answer to be had: a method of the subject panicked, which the run reports
    /// itself, or gave something of another type.
    Unasked,
}

/// Broken, for `reason`.
pub(crate) fn broken(reason: impl Into<String>) -> Ruling {
    Err(Unmet::Broken(reason.into()))
}

/// Kept if `holds`, else broken for the reason that `say` gives.
pub(crate) fn unless(holds: bool, say: impl FnOnce() -> String) -> Ruling {
    if holds { Ok(()) } else { broken(say()) }
}

const fn of_value(
    name: &'static str,
    sentence: &'static str,
    applies: fn(&TypeFacts) -> bool,
    ask: fn(&mut Specimen<'_>) -> Ruling,
) -> Contract {
    Contract { name, sentence, applies, law: Law::Value(Activity::Own, ask), is_sampled: false }
}

/// Like [`of_value`], of a trait: what is wrong with it does not depend much on the structure.
const fn of_trait(
    name: &'static str,
    sentence: &'static str,
    applies: fn(&TypeFacts) -> bool,
    ask: fn(&mut Specimen<'_>) -> Ruling,
) -> Contract {
    Contract { is_sampled: true, ..of_value(name, sentence, applies, ask) }
}

const fn of_pair(
    name: &'static str,
    sentence: &'static str,
    applies: fn(&TypeFacts) -> bool,
    ask: fn(&TypeTraits, &dyn Any, &dyn Any) -> Ruling,
) -> Contract {
    Contract { name, sentence, applies, law: Law::Pair(ask), is_sampled: true }
}

const fn of_change(
    name: &'static str,
    sentence: &'static str,
    applies: fn(&TypeFacts) -> bool,
    method: fn(&Observers) -> Option<PlannedIdx>,
    ask: fn(&mut Specimen<'_>, usize) -> Ruling,
) -> Contract {
    Contract { name, sentence, applies, law: Law::Change(method, ask), is_sampled: true }
}

const fn of_calls(name: &'static str, sentence: &'static str) -> Contract {
    Contract {
        name,
        sentence,
        applies: |facts| facts.has_elements,
        law: Law::Calls,
        is_sampled: true,
    }
}

/// Each element is dropped at last.
pub const ELEMENTS_DROPPED: Contract = of_calls(
    "elements_dropped",
    "when all is dropped after a call that did not panic, each element was dropped",
);

/// No element is dropped twice.
pub const ELEMENTS_DROPPED_ONCE: Contract =
    of_calls("elements_dropped_once", "a call drops no element twice");

/// Like [`ELEMENTS_DROPPED_ONCE`], of calls in which an element's trait panics.
pub const ELEMENTS_SURVIVE_PANICS: Contract = of_calls(
    "elements_survive_panics",
    "where `Clone`, `==`, `Ord` or `Hash` of an element, or `size_hint` of an iterator of them, \
     panics in a call, no element is dropped twice",
);

/// Like [`ELEMENTS_SURVIVE_PANICS`], of destructors of elements.
pub const ELEMENTS_SURVIVE_DROP_PANICS: Contract = of_calls(
    "elements_survive_drop_panics",
    "where `Drop` of an element panics in a call, or when all is dropped, no element is dropped twice",
);

/// The values left by a panic can be used. The run checks it for calls that panic, and it applies
/// if there are any.
const USABLE_AFTER_PANIC: Contract = Contract {
    name: beget_plan::finding::USABLE_AFTER_PANIC,
    sentence: "what a panic leaves keeps the invariants, and so after one more call, and can be dropped",
    applies: |_| false,
    law: Law::Calls,
    is_sampled: true,
};

/// A contract that is asked of calls by making them once more in the run, where somebody outlives
/// what they do to the process.
const fn of_audits(name: &'static str, sentence: &'static str) -> Contract {
    Contract { name, sentence, applies: |_| false, law: Law::Calls, is_sampled: true }
}

/// All contracts, in the order in which they are checked on a value. A contract that something
/// returns comes before those that need it, because a panic is reported once. The last contract of
/// a value may change it; those of changes come after it.
pub const CONTRACTS: &[Contract] = &[
    of_trait(
        "debug_returns",
        "`Debug` does not panic",
        |facts| facts.traits.debug.is_some(),
        values::debug_returns,
    ),
    of_trait(
        "display_returns",
        "`Display` does not panic",
        |facts| facts.traits.display.is_some(),
        values::display_returns,
    ),
    Contract {
        law: Law::Value(Activity::Iteration, values::iteration_returns),
        ..of_value(
            "iteration_returns",
            "iteration over a reference does not panic",
            |facts| facts.traits.iterate.is_some(),
            values::iteration_returns,
        )
    },
    Contract {
        law: Law::Value(Activity::Clone, values::clone_returns),
        ..of_trait(
            "clone_returns",
            "`Clone` does not panic",
            |facts| facts.clone.is_some(),
            values::clone_returns,
        )
    },
    of_trait(
        "clone_equal",
        "a clone is equal to its original, if that is equal to itself",
        |facts| facts.clone.is_some() && facts.traits.partial_eq.is_some(),
        values::clone_equal,
    ),
    of_trait(
        "clone_same_contents",
        "a clone has the items, `len()` and `is_empty()` of its original",
        |facts| facts.clone.is_some() && facts.shows_contents(),
        values::clone_same_contents,
    ),
    of_trait(
        "serde_round_trip",
        "what `Serialize` writes, `Deserialize` reads as the same value",
        |facts| facts.traits.serde.is_some(),
        values::serde_round_trip,
    ),
    Contract {
        name: "default_repeats",
        sentence: "two values of `Default` are equal, if they are equal to themselves",
        applies: |facts| facts.traits.default.is_some() && facts.traits.partial_eq.is_some(),
        law: Law::Type(values::default_repeats),
        is_sampled: false,
    },
    of_trait(
        "eq_reflexive",
        "a value of a type with `Eq` is equal to itself",
        |facts| facts.traits.eq.is_some(),
        values::eq_reflexive,
    ),
    of_pair(
        "eq_symmetric",
        "`a == b` exactly if `b == a`",
        |facts| facts.traits.partial_eq.is_some(),
        pairs::eq_symmetric,
    ),
    of_pair(
        "ne_negates_eq",
        "`a != b` exactly if not `a == b`",
        |facts| facts.traits.ne.is_some(),
        pairs::ne_negates_eq,
    ),
    Contract {
        name: "eq_transitive",
        sentence: "if `a == b` and `b == c`, then `a == c`",
        applies: |facts| facts.traits.partial_eq.is_some(),
        law: Law::Triple("==", pairs::is_equal),
        is_sampled: true,
    },
    of_pair(
        "eq_same_contents",
        "equal values have the same items, in any order",
        |facts| {
            let items = facts.items.as_ref();
            facts.traits.partial_eq.is_some() && items.is_some_and(|items| items.has_exact_texts())
        },
        pairs::eq_same_contents,
    ),
    of_pair(
        "hash_agrees_with_eq",
        "equal values have the same hash",
        |facts| facts.traits.hash.is_some() && facts.traits.eq.is_some(),
        pairs::hash_agrees_with_eq,
    ),
    of_pair(
        "borrow_agrees",
        "what is borrowed compares and hashes as the values do",
        |facts| facts.traits.eq.is_some() && facts.traits.borrow.eq.is_some(),
        pairs::borrow_agrees,
    ),
    of_pair(
        "partial_cmp_agrees_with_cmp",
        "`partial_cmp` gives what `cmp` gives",
        |facts| facts.traits.partial_ord.is_some() && facts.traits.ord.is_some(),
        pairs::partial_cmp_agrees_with_cmp,
    ),
    of_pair(
        "cmp_agrees_with_eq",
        "values compare as `Equal` exactly if they are equal",
        |facts| facts.traits.partial_ord.is_some() && facts.traits.partial_eq.is_some(),
        pairs::cmp_agrees_with_eq,
    ),
    of_pair(
        "cmp_antisymmetric",
        "`a < b` exactly if `b > a`",
        |facts| facts.traits.partial_ord.is_some(),
        pairs::cmp_antisymmetric,
    ),
    Contract {
        name: "cmp_transitive",
        sentence: "if `a < b` and `b < c`, then `a < c`",
        applies: |facts| facts.traits.partial_ord.is_some(),
        law: Law::Triple("<", pairs::is_less),
        is_sampled: true,
    },
    of_value(
        "size_hint",
        "at each step of an iteration as many items are left as `size_hint` says",
        |facts| facts.traits.iterate.is_some(),
        values::size_hint,
    ),
    of_trait(
        "exact_size",
        "at each step of an iteration with `ExactSizeIterator` `len()` items are left",
        |facts| facts.traits.iterate_exact.is_some(),
        values::exact_size,
    ),
    of_trait(
        "fused_iteration",
        "an iteration with `FusedIterator` that has ended gives no more items",
        |facts| facts.traits.iterate_fused.is_some(),
        values::fused_iteration,
    ),
    of_trait(
        "reversed_iteration",
        "an iteration from the back gives the items of the one from the front, in reverse",
        |facts| facts.traits.iterate_both.is_some(),
        values::reversed_iteration,
    ),
    of_trait(
        "iteration_from_both_ends",
        "an iteration from both ends in turn gives each item once",
        |facts| facts.traits.iterate_both.is_some(),
        values::iteration_from_both_ends,
    ),
    of_value(
        "is_empty_is_len_zero",
        "`is_empty()` exactly if `len()` is 0",
        |facts| facts.observers.is_empty.is_some() && facts.observers.len.is_some(),
        values::is_empty_is_len_zero,
    ),
    of_value(
        "is_empty_is_iteration",
        "`is_empty()` exactly if iteration gives no items, where there is no `len`",
        |facts| {
            let observers = &facts.observers;
            facts.is_iterable() && observers.is_empty.is_some() && observers.len.is_none()
        },
        values::is_empty_is_iteration,
    ),
    of_value(
        "len_is_iteration",
        "`len()` is the number of items that iteration gives",
        |facts| facts.is_iterable() && facts.observers.len.is_some(),
        values::len_is_iteration,
    ),
    of_value(
        "contains_is_iteration",
        "`contains(x)` exactly if iteration gives `x`, a pair with the key `x`, or a range with `x`",
        |facts| facts.observers.contains.is_some(),
        values::contains_is_iteration,
    ),
    of_value(
        "contains_key_is_iteration",
        "`contains_key(k)` exactly if iteration gives a pair with the key `k`",
        |facts| facts.observers.contains_key.is_some(),
        values::contains_key_is_iteration,
    ),
    of_value(
        "get_is_iteration",
        "`get(k)` is a value that iteration gives with the key `k`, or `None` if there is none",
        |facts| facts.observers.get_by_key.is_some(),
        values::get_is_iteration,
    ),
    of_value(
        "get_is_nth",
        "`get(i)` of a sequence is item `i` of its iteration",
        |facts| facts.observers.get_by_index.is_some(),
        values::get_is_nth,
    ),
    of_value(
        "range_is_iteration",
        "`range(i..j)` of a sequence gives the items of its iteration from `i` to before `j`",
        |facts| facts.observers.range.is_some(),
        values::range_is_iteration,
    ),
    of_value(
        "counts_agree",
        "`..._count()` is the number of items that a method of such a name gives, as `node_indices()`",
        |facts| !facts.observers.counts.is_empty(),
        values::counts_agree,
    ),
    of_value(
        "first_is_iteration",
        "`first()`, `front()` or `first_key_value()` is the first item of iteration",
        |facts| facts.observers.first.is_some(),
        values::first_is_iteration,
    ),
    of_value(
        "last_is_iteration",
        "`last()`, `back()` or `last_key_value()` is the last item of iteration",
        |facts| facts.observers.last.is_some(),
        values::last_is_iteration,
    ),
    of_value(
        "peek_is_iteration",
        "`peek()` or `top()` is an item of iteration, or `None` if there is none",
        |facts| facts.observers.peek.is_some(),
        values::peek_is_iteration,
    ),
    of_value(
        "min_is_iteration",
        "`min()` or `peek_min()` is the least integer of iteration",
        |facts| facts.observers.min.is_some(),
        values::min_is_iteration,
    ),
    of_value(
        "max_is_iteration",
        "`max()` or `peek_max()` is the greatest integer of iteration",
        |facts| facts.observers.max.is_some(),
        values::max_is_iteration,
    ),
    ELEMENTS_DROPPED,
    ELEMENTS_DROPPED_ONCE,
    ELEMENTS_SURVIVE_PANICS,
    ELEMENTS_SURVIVE_DROP_PANICS,
    USABLE_AFTER_PANIC,
    of_audits(
        beget_plan::finding::MEMORY_SOUND,
        "a call uses no memory but what it has, as it has it: layouts, bounds, nothing that is freed",
    ),
    of_audits(
        beget_plan::finding::MEMORY_FREED,
        "when all is dropped after a call that did not panic, all that was allocated is freed",
    ),
    of_audits(
        beget_plan::finding::ELEMENTS_SURVIVE_LIES,
        "where `Clone`, `==`, `Ord` or `Hash` of an element, or `size_hint` of an iterator of them, \
         lies in a call, memory stays sound",
    ),
    of_value(
        "clear_empties",
        "after `clear()` there are no items, `len()` is 0 and `is_empty()` is true",
        |facts| facts.observers.clear.is_some() && facts.shows_contents(),
        values::clear_empties,
    ),
    of_change(
        "truncate_is_prefix",
        "after `truncate(n)` of a sequence iteration gives the first `n` items that it gave before",
        |facts| facts.observers.truncate.is_some(),
        |observers| observers.truncate.as_ref().map(|lookup| lookup.planned),
        changes::truncate_is_prefix,
    ),
    of_change(
        "retain_is_subset",
        "after `retain(...)` iteration gives items that it gave before, none more often",
        |facts| facts.observers.retain.is_some(),
        |observers| observers.retain,
        changes::retain_is_subset,
    ),
    of_change(
        "drain_empties",
        "`drain()` gives all items of iteration, if it gives a `Vec`, and leaves none",
        |facts| facts.observers.drain.is_some() && facts.shows_contents(),
        |observers| observers.drain,
        changes::drain_empties,
    ),
];

/// The names of all contracts.
pub fn contract_names() -> Vec<&'static str> {
    CONTRACTS.iter().map(|contract| contract.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_snake_case_and_each_is_used_once() {
        let mut names = contract_names();
        let is_snake = |name: &&str| name.bytes().all(|b| b == b'_' || b.is_ascii_lowercase());
        assert_eq!(names.iter().filter(|name| !is_snake(name)).count(), 0);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    /// It may leave the value changed; those behind it have values of their own.
    #[test]
    fn what_changes_a_value_is_asked_last() {
        let mut of_values =
            CONTRACTS.iter().filter(|contract| matches!(contract.law, Law::Value(..)));
        assert_eq!(of_values.next_back().map(|contract| contract.name), Some("clear_empties"));
    }
}
