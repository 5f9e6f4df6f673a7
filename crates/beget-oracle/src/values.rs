//! The contracts of one value.

use std::fmt::{self, Write};

use beget_suite::without_keys;

use crate::applicable::TypeFacts;
use crate::contract::{Ruling, Unmet, broken, unless};
use crate::observers::Lookup;
use crate::specimen::{GuardedValue, MOST_ITEMS, Specimen};
use crate::text::{key_and_value, may_hold_address, n_listed, range_holds};

/// A writer that drops its input.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

pub(crate) fn debug_returns(specimen: &mut Specimen<'_>) -> Ruling {
    let value = specimen.facts.traits.debug_of(specimen.value()).ok_or(Unmet::Unasked)?;
    let written = write!(Nowhere, "{value:?}");
    unless(written.is_ok(), || "`Debug` gives an error, though nothing failed to be written".into())
}

pub(crate) fn display_returns(specimen: &mut Specimen<'_>) -> Ruling {
    let value = specimen.facts.traits.display_of(specimen.value()).ok_or(Unmet::Unasked)?;
    let written = write!(Nowhere, "{value}");
    let why = "`Display` gives an error, though nothing failed to be written";
    unless(written.is_ok(), || why.into())
}

pub(crate) fn clone_returns(specimen: &mut Specimen<'_>) -> Ruling {
    specimen.copy().map(drop)
}

pub(crate) fn clone_equal(specimen: &mut Specimen<'_>) -> Ruling {
    let eq = specimen.facts.traits.partial_eq.ok_or(Unmet::Unasked)?;
    let copy = specimen.copy()?;
    let value = specimen.value();
    let holds = !eq(value, value) || eq(without_keys(&**copy), value);
    unless(holds, || "a clone is not equal to its original".into())
}

pub(crate) fn clone_same_contents(specimen: &mut Specimen<'_>) -> Ruling {
    let mut clone = specimen.clone_of()?;
    same_contents(specimen, &mut clone)
}

fn same_contents(specimen: &mut Specimen<'_>, clone: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    if let Some(len) = facts.observers.len {
        let (of_value, of_clone) = (specimen.number(len)?, clone.number(len)?);
        unless(of_value == of_clone, || {
            format!("len() is {of_value}, that of a clone is {of_clone}")
        })?;
    }
    if let Some(is_empty) = facts.observers.is_empty {
        let (of_value, of_clone) = (specimen.truth(is_empty, None)?, clone.truth(is_empty, None)?);
        unless(of_value == of_clone, || {
            format!("is_empty() is {of_value}, that of a clone is {of_clone}")
        })?;
    }
    if facts.traits.iterate.is_none() {
        return Ok(());
    }
    let (of_value, of_clone) = (specimen.all_items()?, clone.all_items()?);
    let (of_value, of_clone) = (&of_value.texts, &of_clone.texts);
    let counts = (of_value.len(), of_clone.len());
    unless(counts.0 == counts.1, || {
        format!("iteration gives {}, that of a clone {}", items(counts.0), items(counts.1))
    })?;
    if of_value.iter().chain(of_clone).any(|text| may_hold_address(text)) {
        return Ok(());
    }
    // In which order a clone has them is its own affair where a hash decides it.
    let sorted = |texts: &[String]| {
        let mut texts = texts.to_vec();
        texts.sort_unstable();
        texts
    };
    let (of_value, of_clone) = (sorted(of_value), sorted(of_clone));
    let differ = of_value.iter().zip(&of_clone).find(|(one, other)| one != other);
    unless(differ.is_none(), || "iteration over a clone gives other items".into())
}

pub(crate) fn serde_round_trip(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let round_trip = facts.traits.serde.ok_or(Unmet::Unasked)?;
    for is_for_people in [true, false] {
        let read = round_trip(specimen.value(), is_for_people);
        let read = read.map(GuardedValue::new).map_err(Unmet::Broken)?;
        let holds = facts.are_same(specimen.value(), &*read);
        unless(holds, || "what is read is not what was written".into())?;
    }
    Ok(())
}

pub(crate) fn default_repeats(facts: &TypeFacts) -> Ruling {
    let default = facts.traits.default.ok_or(Unmet::Unasked)?;
    let eq = facts.traits.partial_eq.ok_or(Unmet::Unasked)?;
    let (one, other) = (GuardedValue::new(default()), GuardedValue::new(default()));
    let holds = !eq(&*one, &*one) || !eq(&*other, &*other) || eq(&*one, &*other);
    unless(holds, || "two values of `Default` are not equal".into())
}

pub(crate) fn eq_reflexive(specimen: &mut Specimen<'_>) -> Ruling {
    let eq = specimen.facts.traits.eq.ok_or(Unmet::Unasked)?;
    let holds = eq(specimen.value(), specimen.value());
    unless(holds, || "the structure is not equal to itself".into())
}

pub(crate) fn iteration_returns(specimen: &mut Specimen<'_>) -> Ruling {
    specimen.items().map(drop)
}

pub(crate) fn size_hint(specimen: &mut Specimen<'_>) -> Ruling {
    let items = specimen.all_items()?;
    for (taken, &(least, most)) in items.hints.iter().enumerate() {
        // The last hint is after the end.
        let left = items.texts.len().saturating_sub(taken);
        let holds = least <= left && most.is_none_or(|most| left <= most);
        unless(holds, || {
            let most = most.map_or("any number".to_owned(), |most| most.to_string());
            format!("after {taken} steps size_hint() says {least} to {most} items, {left} are left")
        })?;
    }
    Ok(())
}

pub(crate) fn exact_size(specimen: &mut Specimen<'_>) -> Ruling {
    let count = specimen.all_items()?.texts.len();
    let iterate = specimen.facts.traits.iterate_exact.ok_or(Unmet::Unasked)?;
    let mut verdict = Ok(());
    iterate(specimen.value(), &mut |items| {
        for taken in 0..=count {
            let (said, left) = (items.n_left(), count - taken);
            verdict = unless(said == left, || {
                format!(
                    "after {taken} steps len() of the iterator is {said}, {left} items are left"
                )
            });
            if verdict.is_err() || !items.skip_one() {
                break;
            }
        }
    });
    verdict
}

pub(crate) fn fused_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let count = specimen.all_items()?.texts.len();
    let iterate = specimen.facts.traits.iterate_fused.ok_or(Unmet::Unasked)?;
    let mut goes_on = false;
    iterate(specimen.value(), &mut |items| {
        let has_ended = (0..=count).any(|_| !items.skip_one());
        goes_on = has_ended && (items.skip_one() || items.skip_one());
    });
    unless(!goes_on, || format!("iteration has ended after {}, and goes on", items(count)))
}

pub(crate) fn reversed_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let forward = specimen.all_items()?;
    let forward = &forward.texts;
    let iterate = specimen.facts.traits.iterate_both.ok_or(Unmet::Unasked)?;
    let mut reversed = Vec::new();
    iterate(specimen.value(), &mut |items| {
        // One more than there may be shows that there are too many.
        while reversed.len() <= forward.len() {
            match items.step_back() {
                Some(text) => reversed.push(text),
                None => break,
            }
        }
    });
    unless(reversed.len() == forward.len(), || {
        let more = if reversed.len() > forward.len() { " or more" } else { "" };
        let (count, counted) = (items(forward.len()), items(reversed.len()));
        format!("iteration gives {count}, from the back {counted}{more}")
    })?;
    let mut both = forward.iter().zip(reversed.iter().rev()).enumerate();
    match both.find(|(_, (one, other))| one != other) {
        None => Ok(()),
        Some((at, (one, other))) => {
            broken(format!("item {at} of iteration is {one}, from the back it is {other}"))
        }
    }
}

pub(crate) fn iteration_from_both_ends(specimen: &mut Specimen<'_>) -> Ruling {
    let forward = specimen.all_items()?;
    let forward = &forward.texts;
    let iterate = specimen.facts.traits.iterate_both.ok_or(Unmet::Unasked)?;
    let (mut front, mut back) = (Vec::new(), Vec::new());
    iterate(specimen.value(), &mut |items| {
        // Each end is asked until one has none: the other then has none either.
        while front.len() + back.len() <= forward.len() {
            let is_front = front.len() == back.len();
            let item = if is_front { items.step() } else { items.step_back() };
            match item {
                Some(text) if is_front => front.push(text),
                Some(text) => back.push(text),
                None => break,
            }
        }
    });
    let count = front.len() + back.len();
    unless(count == forward.len(), || {
        let more = if count > forward.len() { " or more" } else { "" };
        let (all, counted) = (items(forward.len()), items(count));
        format!("iteration gives {all}, from both ends in turn {counted}{more}")
    })?;
    let mut both = forward.iter().zip(front.iter().chain(back.iter().rev())).enumerate();
    match both.find(|(_, (one, other))| one != other) {
        None => Ok(()),
        Some((at, (one, other))) => {
            broken(format!("item {at} of iteration is {one}, from both ends in turn {other}"))
        }
    }
}

pub(crate) fn is_empty_is_len_zero(specimen: &mut Specimen<'_>) -> Ruling {
    let observers = &specimen.facts.observers;
    let (is_empty, len) =
        (observers.is_empty.ok_or(Unmet::Unasked)?, observers.len.ok_or(Unmet::Unasked)?);
    let (is_empty, len) = (specimen.truth(is_empty, None)?, specimen.number(len)?);
    unless(is_empty == (len == 0), || format!("is_empty() is {is_empty}, len() is {len}"))
}

pub(crate) fn is_empty_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let is_empty = specimen.facts.observers.is_empty.ok_or(Unmet::Unasked)?;
    let is_empty = specimen.truth(is_empty, None)?;
    let count = specimen.items()?.texts.len();
    unless(is_empty == (count == 0), || {
        format!("is_empty() is {is_empty}, iteration gives {}", items(count))
    })
}

pub(crate) fn len_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let len = specimen.facts.observers.len.ok_or(Unmet::Unasked)?;
    let len = specimen.number(len)?;
    let found = specimen.items()?;
    let count = found.texts.len();
    match found.has_ended {
        true => unless(len == count as u128, || {
            format!("len() is {len}, iteration gives {}", items(count))
        }),
        false => unless(len >= MOST_ITEMS as u128, || {
            format!("len() is {len}, iteration gives {} or more", items(MOST_ITEMS))
        }),
    }
}

pub(crate) fn contains_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let lookup = facts.observers.contains.as_ref().ok_or(Unmet::Unasked)?;
    found_is_iteration(specimen, lookup, "contains")
}

pub(crate) fn contains_key_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let lookup = facts.observers.contains_key.as_ref().ok_or(Unmet::Unasked)?;
    found_is_iteration(specimen, lookup, "contains_key")
}

fn found_is_iteration(specimen: &mut Specimen<'_>, lookup: &Lookup, name: &str) -> Ruling {
    let found = specimen.all_items()?;
    let is_pair = specimen.facts.items.as_ref().is_some_and(|items| items.is_pair);
    for (index, key) in lookup.keys.iter().enumerate() {
        let is_given = match is_pair {
            true => found.texts.iter().any(|text| has_key(text, key)),
            false => found.texts.iter().any(|text| text == key || range_holds(text, key)),
        };
        let is_found = specimen.truth(lookup.planned, Some(index))?;
        unless(is_found == is_given, || {
            let gives = if is_given { "gives it" } else { "does not give it" };
            format!("{name}({key}) is {is_found}, iteration {gives}")
        })?;
    }
    Ok(())
}

/// Returns whether a pair has that key, both as text.
fn has_key(pair: &str, key: &str) -> bool {
    value_at(pair, key).is_some()
}

/// The value of a pair if it has that key, or a range that holds it, all as text. The text of a
/// simple value ends where a comma follows.
fn value_at<'p>(pair: &'p str, key: &str) -> Option<&'p str> {
    let inner = pair.strip_prefix('(')?.strip_suffix(')')?;
    let own = inner.strip_prefix(key).and_then(|rest| rest.strip_prefix(", "));
    own.or_else(|| {
        inner.split_once(", ").filter(|(head, _)| range_holds(head, key)).map(|(_, value)| value)
    })
}

pub(crate) fn get_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let lookup = facts.observers.get_by_key.as_ref().ok_or(Unmet::Unasked)?;
    let items = facts.items.as_ref().ok_or(Unmet::Unasked)?;
    let (_, value_type) = key_and_value(&items.ty).ok_or(Unmet::Unasked)?;
    let found = specimen.all_items()?;
    for (index, key) in lookup.keys.iter().enumerate() {
        match specimen.option(lookup.planned, Some(index))? {
            Some(value) if value.ty != value_type => return Err(Unmet::Unasked),
            Some(value) => {
                let text = &*value.text;
                let is_given = found.texts.iter().any(|pair| value_at(pair, key) == Some(text));
                unless(is_given, || {
                    format!("get({key}) is Some({text}), iteration does not give ({key}, {text})")
                })?;
            }
            None => {
                let given = found.texts.iter().find(|text| has_key(text, key));
                unless(given.is_none(), || {
                    let pair = given.map_or("", |given| given);
                    format!("get({key}) is None, iteration gives {pair}")
                })?;
            }
        }
    }
    Ok(())
}

pub(crate) fn get_is_nth(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let lookup = facts.observers.get_by_index.as_ref().ok_or(Unmet::Unasked)?;
    let found = specimen.all_items()?;
    for (index, key) in lookup.keys.iter().enumerate() {
        let nth = key.parse().ok().and_then(|nth: usize| found.texts.get(nth));
        let got = specimen.item(lookup.planned, Some(index))?;
        unless(got.as_ref() == nth, || {
            let (got, nth) = (shown(got.as_deref()), shown(nth.map(String::as_str)));
            format!("get({key}) is {got}, item {key} of iteration is {nth}")
        })?;
    }
    Ok(())
}

/// The items of a list may be texts that show them.
pub(crate) fn range_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let facts = specimen.facts;
    let lookup = facts.observers.range.as_ref().ok_or(Unmet::Unasked)?;
    let found = specimen.all_items()?;
    for (index, key) in lookup.keys.iter().enumerate() {
        let ends = key.split_once("..").ok_or(Unmet::Unasked)?;
        let (Ok(start), Ok(end)) = (ends.0.parse::<usize>(), ends.1.parse::<usize>()) else {
            return Err(Unmet::Unasked);
        };
        // No law says what becomes of others.
        let Some(items) = found.texts.get(start..end) else { continue };
        let wanted = format!("[{}]", items.join(", "));
        let got = specimen.plain(lookup.planned, Some(index))?;
        unless(got == wanted || got == format!("{items:?}"), || {
            format!("range({key}) gives {got}, iteration there {wanted}")
        })?;
    }
    Ok(())
}

/// Lists of this many items may be cut off.
const MOST_LISTED: usize = 16;

pub(crate) fn counts_agree(specimen: &mut Specimen<'_>) -> Ruling {
    for [count, list] in specimen.facts.observers.counts.clone() {
        let counted = specimen.number(count)?;
        let listed = n_listed(&specimen.plain(list, None)?).ok_or(Unmet::Unasked)?;
        let is_cut = listed >= MOST_LISTED && counted > listed as u128;
        unless(is_cut || counted == listed as u128, || {
            let (count, list) = (specimen.name_of(count), specimen.name_of(list));
            format!("{count}() is {counted}, {list}() gives {}", items(listed))
        })?;
    }
    Ok(())
}

pub(crate) fn first_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let first = specimen.facts.observers.first.ok_or(Unmet::Unasked)?;
    let got = specimen.item(first, None)?;
    let found = specimen.all_items()?;
    end_is_iteration(specimen.name_of(first), got.as_deref(), found.texts.first(), "first")
}

pub(crate) fn last_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let last = specimen.facts.observers.last.ok_or(Unmet::Unasked)?;
    let got = specimen.item(last, None)?;
    let found = specimen.all_items()?;
    end_is_iteration(specimen.name_of(last), got.as_deref(), found.texts.last(), "last")
}

fn end_is_iteration(name: &str, got: Option<&str>, end: Option<&String>, which: &str) -> Ruling {
    let end = end.map(String::as_str);
    unless(got == end, || {
        format!("{name}() is {}, the {which} item of iteration is {}", shown(got), shown(end))
    })
}

pub(crate) fn peek_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let peek = specimen.facts.observers.peek.ok_or(Unmet::Unasked)?;
    let got = specimen.item(peek, None)?;
    let found = specimen.all_items()?;
    let holds = match &got {
        Some(text) => found.texts.contains(text),
        None => found.texts.is_empty(),
    };
    unless(holds, || {
        let (name, got) = (specimen.name_of(peek), shown(got.as_deref()));
        match found.texts.len() {
            0 => format!("{name}() is {got}, iteration gives no items"),
            count if got == "None" => format!("{name}() is None, iteration gives {}", items(count)),
            _ => format!("{name}() is {got}, iteration does not give that"),
        }
    })
}

pub(crate) fn min_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let min = specimen.facts.observers.min.ok_or(Unmet::Unasked)?;
    extreme_is_iteration(specimen, min, "least", |all| all.min())
}

pub(crate) fn max_is_iteration(specimen: &mut Specimen<'_>) -> Ruling {
    let max = specimen.facts.observers.max.ok_or(Unmet::Unasked)?;
    extreme_is_iteration(specimen, max, "greatest", |all| all.max())
}

fn extreme_is_iteration(
    specimen: &mut Specimen<'_>,
    planned: beget_plan::scope::PlannedIdx,
    which: &str,
    choose: fn(&mut dyn Iterator<Item = i128>) -> Option<i128>,
) -> Ruling {
    let got = specimen.item(planned, None)?;
    let found = specimen.all_items()?;
    let all: Result<Vec<i128>, _> = found.texts.iter().map(|text| text.parse()).collect();
    let all = all.map_err(|_| Unmet::Unasked)?;
    let extreme = choose(&mut all.into_iter()).map(|extreme| extreme.to_string());
    unless(got == extreme, || {
        let (got, extreme) = (shown(got.as_deref()), shown(extreme.as_deref()));
        let name = specimen.name_of(planned);
        format!("{name}() is {got}, the {which} item of iteration is {extreme}")
    })
}

pub(crate) fn clear_empties(specimen: &mut Specimen<'_>) -> Ruling {
    specimen.change(specimen.facts.observers.clear.ok_or(Unmet::Unasked)?, 0)?;
    is_emptied(specimen, "clear")
}

/// Checks that nothing is left after a call of that name.
pub(crate) fn is_emptied(specimen: &mut Specimen<'_>, by: &str) -> Ruling {
    let observers = &specimen.facts.observers;
    let (len, is_empty) = (observers.len, observers.is_empty);
    if let Some(len) = len {
        let len = specimen.number(len)?;
        unless(len == 0, || format!("after {by}() len() is {len}"))?;
    }
    if let Some(is_empty) = is_empty {
        let is_empty = specimen.truth(is_empty, None)?;
        unless(is_empty, || format!("after {by}() is_empty() is false"))?;
    }
    if specimen.facts.is_iterable() {
        let count = specimen.items()?.texts.len();
        unless(count == 0, || format!("after {by}() iteration gives {}", items(count)))?;
    }
    Ok(())
}

/// A number of items in words.
pub(crate) fn items(count: usize) -> String {
    match count {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    }
}

/// An optional text, as `Debug` writes it.
fn shown(value: Option<&str>) -> String {
    value.map_or("None".to_owned(), |value| format!("Some({value})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_all_that_stands_before_the_comma() {
        assert!(has_key("(1, 0)", "1") && has_key("(\"a\", (1, 2))", "\"a\""));
        assert!(!has_key("(10, 0)", "1") && !has_key("(0, 1)", "1") && !has_key("1", "1"));
    }
}
