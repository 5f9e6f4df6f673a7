//! What is printed for each contract that is broken; `tests/seeded.rs` writes this file.
#![allow(clippy::all, unreachable_pub)]

use super::*;

pub const TESTS: &[(&str, fn())] = &[
    ("debug_returns", debug_returns),
    ("display_returns", display_returns),
    ("iteration_returns", iteration_returns),
    ("clone_returns", clone_returns),
    ("clone_equal", clone_equal),
    ("clone_same_contents", clone_same_contents),
    ("serde_round_trip", serde_round_trip),
    ("default_repeats", default_repeats),
    ("eq_reflexive", eq_reflexive),
    ("eq_symmetric", eq_symmetric),
    ("ne_negates_eq", ne_negates_eq),
    ("eq_transitive", eq_transitive),
    ("eq_same_contents", eq_same_contents),
    ("hash_agrees_with_eq", hash_agrees_with_eq),
    ("borrow_agrees", borrow_agrees),
    ("partial_cmp_agrees_with_cmp", partial_cmp_agrees_with_cmp),
    ("cmp_agrees_with_eq", cmp_agrees_with_eq),
    ("cmp_antisymmetric", cmp_antisymmetric),
    ("cmp_transitive", cmp_transitive),
    ("size_hint", size_hint),
    ("exact_size", exact_size),
    ("fused_iteration", fused_iteration),
    ("reversed_iteration", reversed_iteration),
    ("iteration_from_both_ends", iteration_from_both_ends),
    ("is_empty_is_len_zero", is_empty_is_len_zero),
    ("is_empty_is_iteration", is_empty_is_iteration),
    ("len_is_iteration", len_is_iteration),
    ("contains_is_iteration", contains_is_iteration),
    ("contains_key_is_iteration", contains_key_is_iteration),
    ("get_is_iteration", get_is_iteration),
    ("get_is_nth", get_is_nth),
    ("range_is_iteration", range_is_iteration),
    ("counts_agree", counts_agree),
    ("first_is_iteration", first_is_iteration),
    ("last_is_iteration", last_is_iteration),
    ("peek_is_iteration", peek_is_iteration),
    ("min_is_iteration", min_is_iteration),
    ("max_is_iteration", max_is_iteration),
    ("elements_dropped", elements_dropped),
    ("elements_dropped_once", elements_dropped_once),
    ("elements_survive_panics", elements_survive_panics),
    ("elements_survive_drop_panics", elements_survive_drop_panics),
    ("memory_sound", memory_sound),
    ("memory_freed", memory_freed),
    ("elements_survive_lies", elements_survive_lies),
    ("clear_empties", clear_empties),
    ("truncate_is_prefix", truncate_is_prefix),
    ("retain_is_subset", retain_is_subset),
    ("drain_empties", drain_empties),
];

pub fn debug_returns() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let _ = format!("{bag:?}");
}

pub fn display_returns() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    ribbon.push(0);
    let _ = format!("{ribbon}");
}

pub fn iteration_returns() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    for item in (&bag).into_iter().take(1000) {
        let _ = format!("{item:?}");
    }
}

pub fn clone_returns() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let _ = bag.clone();
}

pub fn clone_equal() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    assert!(bag.clone() == bag, "the contract `clone_equal` is broken");
}

pub fn clone_same_contents() {
    let mut pouch = Pouch::new();
    pouch.put(1);
    pouch.put(0);
    let clone = pouch.clone();
    assert_eq!(clone.is_empty(), pouch.is_empty(), "the contract `clone_same_contents` is broken");
    let [items, of_clone] = [&pouch, &clone].map(|one| {
        let items = one.into_iter().map(|item| format!("{item:?}"));
        let mut items: Vec<_> = items.collect();
        items.sort();
        items
    });
    assert_eq!(of_clone, items, "the contract `clone_same_contents` is broken");
}

pub fn serde_round_trip() {
    let mut parcel = Parcel::new();
    parcel.push(1);
    parcel.push(0);
    beget::assert_serde_round_trip(&parcel);
}

pub fn default_repeats() {
    assert!(Bag::default() == Bag::default(), "the contract `default_repeats` is broken");
}

pub fn eq_reflexive() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    assert!(bag == bag, "the contract `eq_reflexive` is broken");
}

pub fn eq_symmetric() {
    let a = {
        let mut bag = Bag::new();
        bag.push(1);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    assert_eq!(a == b, b == a, "the contract `eq_symmetric` is broken");
}

pub fn ne_negates_eq() {
    let a = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    let b = {
        let bag = Bag::new();
        bag
    };
    assert_eq!(a != b, !(a == b), "the contract `ne_negates_eq` is broken");
}

pub fn eq_transitive() {
    let a = {
        let bag = Bag::new();
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(0);
        bag
    };
    let c = {
        let mut bag = Bag::new();
        bag.push(0);
        bag.push(0);
        bag
    };
    assert!(!(a == b && b == c) || a == c, "the contract `eq_transitive` is broken");
}

pub fn eq_same_contents() {
    let a = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(1);
        bag
    };
    let items_of = |value: &Bag| {
        let mut items: Vec<_> = value.into_iter().map(|item| format!("{item:?}")).collect();
        items.sort_unstable();
        items
    };
    assert!(!(a == b) || items_of(&a) == items_of(&b), "the contract `eq_same_contents` is broken");
}

pub fn hash_agrees_with_eq() {
    let a = {
        let mut bag = Bag::new();
        bag.push(0);
        bag.push(1);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    let hash_of = |value| {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(value, &mut hasher);
        std::hash::Hasher::finish(&hasher)
    };
    assert!(!(a == b) || hash_of(&a) == hash_of(&b), "the contract `hash_agrees_with_eq` is broken");
}

pub fn borrow_agrees() {
    let a = {
        let mut ribbon = Ribbon::new();
        ribbon.push(1);
        ribbon.push(0);
        ribbon
    };
    let b = {
        let ribbon = Ribbon::new();
        ribbon
    };
    let [of_a, of_b] = [&a, &b].map(std::borrow::Borrow::<[_]>::borrow);
    assert_eq!(a == b, of_a == of_b, "the contract `borrow_agrees` is broken");
    let hasher = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
    let [own, borrowed] = [
        std::hash::BuildHasher::hash_one(&hasher, &a),
        std::hash::BuildHasher::hash_one(&hasher, of_a),
    ];
    assert_eq!(own, borrowed, "the contract `borrow_agrees` is broken");
}

pub fn partial_cmp_agrees_with_cmp() {
    let a = {
        let bag = Bag::new();
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    assert_eq!(a.partial_cmp(&b), Some(a.cmp(&b)), "the contract `partial_cmp_agrees_with_cmp` is broken");
}

pub fn cmp_agrees_with_eq() {
    let a = {
        let mut bag = Bag::new();
        bag.push(1);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    let is_equal = a.partial_cmp(&b) == Some(std::cmp::Ordering::Equal);
    assert_eq!(a == b, is_equal, "the contract `cmp_agrees_with_eq` is broken");
}

pub fn cmp_antisymmetric() {
    let a = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(0);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag.push(1);
        bag
    };
    let reversed = b.partial_cmp(&a).map(std::cmp::Ordering::reverse);
    assert_eq!(a.partial_cmp(&b), reversed, "the contract `cmp_antisymmetric` is broken");
}

pub fn cmp_transitive() {
    let a = {
        let mut bag = Bag::new();
        bag.push(0);
        bag
    };
    let b = {
        let mut bag = Bag::new();
        bag.push(1);
        bag
    };
    let c = {
        let mut bag = Bag::new();
        bag.push(2);
        bag
    };
    assert!(!(a < b && b < c) || a < c, "the contract `cmp_transitive` is broken");
}

pub fn size_hint() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let n_items = (&bag).into_iter().count();
    let mut items = (&bag).into_iter();
    for taken in 0..n_items + 2 {
        let (left, (least, most)) = (n_items.saturating_sub(taken), items.size_hint());
        let holds = least <= left && most.is_none_or(|most| left <= most);
        assert!(holds, "the contract `size_hint` is broken: {least} to {most:?} items, {left} are left");
        let _ = items.next();
    }
}

pub fn exact_size() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let n_items = (&bag).into_iter().count();
    let mut items = (&bag).into_iter();
    for taken in 0..=n_items {
        assert_eq!(items.len(), n_items - taken, "the contract `exact_size` is broken");
        let _ = items.next();
    }
}

pub fn fused_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let mut items = (&bag).into_iter();
    while items.next().is_some() {}
    assert!(items.next().is_none() && items.next().is_none(), "the contract `fused_iteration` is broken");
}

pub fn reversed_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let items: Vec<_> = (&bag).into_iter().map(|item| format!("{item:?}")).collect();
    let from_back = (&bag).into_iter().rev().take(items.len() + 1);
    let mut from_back: Vec<_> = from_back.map(|item| format!("{item:?}")).collect();
    from_back.reverse();
    assert_eq!(from_back, items, "the contract `reversed_iteration` is broken");
}

pub fn iteration_from_both_ends() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let items: Vec<_> = (&bag).into_iter().map(|item| format!("{item:?}")).collect();
    let (mut both, mut front, mut back) = ((&bag).into_iter(), Vec::new(), Vec::new());
    while front.len() + back.len() <= items.len() {
        let is_front = front.len() == back.len();
        let item = if is_front { both.next() } else { both.next_back() };
        let Some(item) = item else { break };
        let end = if is_front { &mut front } else { &mut back };
        end.push(format!("{item:?}"));
    }
    back.reverse();
    assert_eq!([front, back].concat(), items, "the contract `iteration_from_both_ends` is broken");
}

pub fn is_empty_is_len_zero() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    assert_eq!(bag.is_empty(), bag.len() == 0, "the contract `is_empty_is_len_zero` is broken");
}

pub fn is_empty_is_iteration() {
    let mut pouch = Pouch::new();
    pouch.put(1);
    pouch.put(0);
    assert_eq!(pouch.is_empty(), (&pouch).into_iter().next().is_none(), "the contract `is_empty_is_iteration` is broken");
}

pub fn len_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    assert_eq!(bag.len(), (&bag).into_iter().take(1001).count(), "the contract `len_is_iteration` is broken");
}

pub fn contains_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let is_given = (&bag).into_iter().any(|item| format!("{item:?}") == "0");
    assert_eq!(bag.contains(&0), is_given, "the contract `contains_is_iteration` is broken");
}

pub fn contains_key_is_iteration() {
    let mut table = Table::new();
    table.insert(1, 0);
    table.insert(0, 1);
    let is_given = (&table).into_iter().any(|(key, _)| format!("{key:?}") == "0");
    assert_eq!(table.contains_key(&0), is_given, "the contract `contains_key_is_iteration` is broken");
}

pub fn get_is_iteration() {
    let mut table = Table::new();
    table.insert(1, 0);
    table.insert(0, 1);
    let given = (&table).into_iter().filter(|(key, _)| format!("{key:?}") == "0").map(|(_, value)| format!("{value:?}"));
    let given: Vec<_> = given.collect();
    let got = table.get(&0).map(|value| format!("{value:?}"));
    let is_given = got.as_ref().map_or(given.is_empty(), |got| given.contains(got));
    assert!(is_given, "the contract `get_is_iteration` is broken: {got:?} of {given:?}");
}

pub fn get_is_nth() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let (got, item) = (bag.get(1), (&bag).into_iter().nth(1));
    assert_eq!(format!("{got:?}"), format!("{item:?}"), "the contract `get_is_nth` is broken");
}

pub fn range_is_iteration() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    ribbon.push(0);
    let items: Vec<_> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    assert_eq!(ribbon.range(0..1).into_iter().map(|item| format!("{item:?}")).collect::<Vec<_>>(), items[0..1], "the contract `range_is_iteration` is broken");
}

pub fn counts_agree() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    ribbon.push(0);
    assert_eq!(ribbon.item_count() as usize, ribbon.items().len(), "the contract `counts_agree` is broken");
}

pub fn first_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let (got, item) = (bag.first(), (&bag).into_iter().next());
    assert_eq!(format!("{got:?}"), format!("{item:?}"), "the contract `first_is_iteration` is broken");
}

pub fn last_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let (got, item) = (bag.last(), (&bag).into_iter().last());
    assert_eq!(format!("{got:?}"), format!("{item:?}"), "the contract `last_is_iteration` is broken");
}

pub fn peek_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let items: Vec<_> = (&bag).into_iter().map(|item| format!("{item:?}")).collect();
    let got = bag.peek().map(|item| format!("{item:?}"));
    let is_given = got.as_ref().map_or(items.is_empty(), |got| items.contains(got));
    assert!(is_given, "the contract `peek_is_iteration` is broken: {got:?} of {items:?}");
}

pub fn min_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let (got, item) = (bag.peek_min(), (&bag).into_iter().min());
    assert_eq!(format!("{got:?}"), format!("{item:?}"), "the contract `min_is_iteration` is broken");
}

pub fn max_is_iteration() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let (got, item) = (bag.peek_max(), (&bag).into_iter().max());
    assert_eq!(format!("{got:?}"), format!("{item:?}"), "the contract `max_is_iteration` is broken");
}

pub fn elements_dropped() {
    let watch = beget::elements::ElementWatch::begin();
    {
        let mut shelf = Shelf::new();
        shelf.put(beget::elements::Tracked::new(0));
        shelf.take();
    }
    assert_eq!(watch.census().alive, 0, "the contract `elements_dropped` is broken");
}

pub fn elements_dropped_once() {
    let watch = beget::elements::ElementWatch::begin();
    {
        let mut shelf = Shelf::new();
        shelf.put(beget::elements::Tracked::new(0));
        shelf.discard();
    }
    assert_eq!(watch.census().dropped_again, 0, "the contract `elements_dropped_once` is broken");
}

pub fn elements_survive_panics() {
    for due in 1..=32 {
        let watch = beget::elements::ElementWatch::begin();
        {
            let mut shelf = Shelf::new();
            shelf.put(beget::elements::Tracked::new(0));
            watch.let_panic(due);
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| shelf.put(beget::elements::Tracked::new(0))));
        }
        assert_eq!(watch.census().dropped_again, 0, "the contract `elements_survive_panics` is broken");
    }
}

pub fn elements_survive_drop_panics() {
    for due in 1..=32 {
        let watch = beget::elements::ElementWatch::begin();
        {
            let mut shelf = Shelf::new();
            shelf.put(beget::elements::Tracked::new(0));
            watch.let_drop_panic(due);
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| shelf.discard()));
        }
        assert_eq!(watch.census().dropped_again, 0, "the contract `elements_survive_drop_panics` is broken");
    }
}

pub fn memory_sound() {
    beget::assert_memory(|| {
        let mut shelf = Shelf::new();
        shelf.take();
    });
}

pub fn memory_freed() {
    beget::assert_memory(|| {
        let mut shelf = Shelf::new();
        shelf.take();
    });
}

pub fn elements_survive_lies() {
    for due in 1..=32 {
        let watch = beget::elements::ElementWatch::begin();
        {
            let mut shelf = Shelf::new();
            shelf.put(beget::elements::Tracked::new(0));
            watch.let_lie(due);
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| shelf.put(beget::elements::Tracked::new(0))));
        }
        assert_eq!(watch.census().dropped_again, 0, "the contract `elements_survive_lies` is broken");
    }
}

pub fn clear_empties() {
    let mut bag = Bag::new();
    bag.push(1);
    bag.push(0);
    let mut bag = bag;
    bag.clear();
    assert_eq!(bag.len(), 0, "the contract `clear_empties` is broken");
    assert!(bag.is_empty(), "the contract `clear_empties` is broken");
    assert_eq!((&bag).into_iter().count(), 0, "the contract `clear_empties` is broken");
}

pub fn truncate_is_prefix() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    ribbon.push(0);
    let mut ribbon = ribbon;
    let mut before: Vec<String> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    ribbon.truncate(1);
    let after: Vec<String> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    before.truncate(1);
    assert_eq!(after, before, "the contract `truncate_is_prefix` is broken");
}

pub fn retain_is_subset() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    let mut ribbon = ribbon;
    let mut before: Vec<String> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    ribbon.retain(0);
    let after: Vec<String> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    for item in after {
        let known = before.iter().position(|known| *known == item);
        before.swap_remove(known.expect("the contract `retain_is_subset` is broken"));
    }
}

pub fn drain_empties() {
    let mut ribbon = Ribbon::new();
    ribbon.push(1);
    ribbon.push(0);
    let mut before: Vec<String> = (&ribbon).into_iter().map(|item| format!("{item:?}")).collect();
    let mut ribbon = ribbon;
    let mut given: Vec<String> = ribbon.drain().into_iter().map(|item| format!("{item:?}")).collect();
    assert_eq!((&ribbon).into_iter().count(), 0, "the contract `drain_empties` is broken");
    before.sort();
    given.sort();
    assert_eq!(given, before, "the contract `drain_empties` is broken");
}
