//! The contracts of methods that change a value: what is left, against what iteration gave before.

use beget_suite::{PlainValue, ReturnValue};

use crate::contract::{Ruling, Unmet, broken, unless};
use crate::specimen::{Items, Specimen};
use crate::text::{bare, may_hold_address};
use crate::values::{is_emptied, items};

/// The items of iteration, if their texts distinguish them and do not change.
fn comparable(found: &Items) -> Result<&[String], Unmet> {
    let has_address = found.texts.iter().any(|text| may_hold_address(text));
    if has_address { Err(Unmet::Unasked) } else { Ok(&found.texts) }
}

pub(crate) fn truncate_is_prefix(specimen: &mut Specimen<'_>, tuple: usize) -> Ruling {
    let facts = specimen.facts;
    let truncate = facts.observers.truncate.as_ref().ok_or(Unmet::Unasked)?;
    let len = &truncate.keys[tuple];
    let before = specimen.all_items()?;
    specimen.change(truncate.planned, tuple)?;
    let after = specimen.all_items()?;
    let (before, after) = (comparable(&before)?, comparable(&after)?);
    let most = len.parse().map_or(before.len(), |len: usize| len.min(before.len()));
    unless(most == after.len(), || {
        let (had, left) = (items(before.len()), items(after.len()));
        format!("of {had} truncate({len}) leaves {left}")
    })?;
    let mut both = before.iter().zip(after).enumerate();
    match both.find(|(_, (before, after))| before != after) {
        None => Ok(()),
        Some((at, (before, after))) => broken(format!(
            "item {at} of iteration is {before}, after truncate({len}) it is {after}"
        )),
    }
}

pub(crate) fn retain_is_subset(specimen: &mut Specimen<'_>, tuple: usize) -> Ruling {
    let retain = specimen.facts.observers.retain.ok_or(Unmet::Unasked)?;
    let before = specimen.all_items()?;
    specimen.change(retain, tuple)?;
    let after = specimen.all_items()?;
    let (mut before, after) = (comparable(&before)?.to_vec(), comparable(&after)?);
    for item in after {
        let Some(known) = before.iter().position(|known| known == item) else {
            let name = specimen.name_of(retain);
            return broken(format!("after {name}() iteration gives {item} more often than before"));
        };
        before.swap_remove(known);
    }
    Ok(())
}

pub(crate) fn drain_empties(specimen: &mut Specimen<'_>, _: usize) -> Ruling {
    let drain = specimen.facts.observers.drain.ok_or(Unmet::Unasked)?;
    let before = specimen.facts.is_iterable().then(|| specimen.all_items()).transpose()?;
    let given = specimen.change(drain, 0)?;
    is_emptied(specimen, "drain")?;
    let item_type = specimen.facts.items.as_ref().map(|items| items.ty.as_str());
    let (Some(before), Some(item_type), Some(given)) = (before, item_type, given) else {
        return Ok(());
    };
    let Some(given) = listed(&given, item_type) else { return Ok(()) };
    let before = comparable(&before)?;
    unless(sorted(before) == sorted(&given), || {
        format!("drain() gives [{}], iteration [{}]", given.join(", "), before.join(", "))
    })
}

/// The items of a returned `Vec`, as texts, if the texts distinguish them.
fn listed(given: &ReturnValue, item_type: &str) -> Option<Vec<String>> {
    let ReturnValue::Plain(PlainValue { ty, text: Some(text), .. }) = given else { return None };
    let is_list = bare(ty) == format!("alloc::vec::Vec<{item_type}>");
    let text = text.strip_prefix('[')?.strip_suffix(']')?;
    let is_plain = !text.contains(['(', '[', '{', '"', '\'']);
    let items = text.split(", ").filter(|item| !item.is_empty());
    (is_list && is_plain).then(|| items.map(str::to_owned).collect())
}

fn sorted(texts: &[String]) -> Vec<&String> {
    let mut sorted: Vec<&String> = texts.iter().collect();
    sorted.sort_unstable();
    sorted
}
