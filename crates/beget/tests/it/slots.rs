//! Arenas: which slot is which tells structures apart, unless their author vouches that it makes no
//! difference. What is found is shown by calls that show it again.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::sync::atomic::{AtomicU32, Ordering};

use beget::Heap;

use crate::common::message_of;

/// A cache of two entries that forgets the older one. It may go wrong where that is in slot 1, or
/// promise that it never is.
macro_rules! caches {
    ($module:ident, $goes_wrong:literal, $promise:expr, $($arena:tt)*) => {
        pub mod $module {
            use super::*;

            #[derive(Clone, Debug, Heap)]
            pub struct Cache {
                #[heap($($arena)*)]
                slots: Vec<Slot>,
                #[heap(link = Slot, null = usize::MAX)]
                newest: usize,
            }

            #[derive(Clone, Debug, Heap)]
            struct Slot {
                key: u8,
                #[heap(link = Slot, null = usize::MAX)]
                older: usize,
            }

            #[beget::api]
            impl Cache {
                pub fn new() -> Self {
                    Cache { slots: Vec::new(), newest: usize::MAX }
                }

                pub fn put(&mut self, key: u8) {
                    match self.slots.len() {
                        2 => self.replace(key),
                        _ => {
                            self.slots.push(Slot { key, older: self.newest });
                            self.newest = self.slots.len() - 1;
                        }
                    }
                }

                /// Where the oldest entry is.
                #[api(ensures($promise(*result)))]
                pub fn oldest(&self) -> usize {
                    if self.slots.len() == 2 { 1 - self.newest } else { 0 }
                }

                fn replace(&mut self, key: u8) {
                    let oldest = self.oldest();
                    assert!(!$goes_wrong || oldest != 1, "slot 1 is never the oldest");
                    self.slots[oldest] = Slot { key, older: self.newest };
                    self.slots[self.newest].older = usize::MAX;
                    self.newest = oldest;
                }
            }
        }
    };
}

const fn anywhere(_: usize) -> bool {
    true
}

const fn not_in_slot_1(slot: usize) -> bool {
    slot != 1
}

caches!(in_slots, true, anywhere, arena);
caches!(in_any_order, true, anywhere, arena(any_order));
caches!(promising, false, not_in_slot_1, arena(any_order));
caches!(differing, false, anywhere, arena(any_order));

/// What `differing` is compared with: the keys, the newest last, and no slots.
#[derive(Clone, Debug, Heap)]
pub struct Keys {
    keys: Vec<u8>,
}

#[beget::api]
impl Keys {
    pub fn new() -> Self {
        Keys { keys: Vec::new() }
    }

    pub fn put(&mut self, key: u8) {
        self.keys.push(key);
        if self.keys.len() > 2 {
            self.keys.remove(0);
        }
    }

    pub fn oldest(&self) -> usize {
        0
    }
}

#[test]
fn a_mistake_about_slots_is_shown_by_calls_that_make_it() {
    let text = message_of(|| drop(beget::check!(in_slots::Cache, k = 2, ints = 0..1)));
    let calls = "\
        let mut cache = Cache::new();
        cache.put(0);
        cache.put(0);
        cache.put(0);
        cache.put(0);
";
    assert!(text.contains(calls) && !text.contains("made again"), "{text}");
}

#[track_caller]
fn assert_unreproduced(text: &str, said: &str) {
    assert!(text.contains(said), "{text}");
    assert!(text.contains("these calls, made again, do not show it"), "{text}");
    assert!(text.contains("`any_order`"), "{text}");
}

#[test]
fn a_finding_that_its_calls_do_not_show_says_so() {
    let text = message_of(|| drop(beget::check!(in_any_order::Cache, k = 2, ints = 0..1)));
    assert_unreproduced(&text, "slot 1 is never the oldest");
    let text = message_of(|| drop(beget::check!(promising::Cache, k = 2, ints = 0..1)));
    assert_unreproduced(&text, "not_in_slot_1");
    let text = message_of(|| drop(beget::diff!(differing::Cache, Keys, k = 2, ints = 0..1)));
    assert_unreproduced(&text, "gives 1");
}

static N_COMPARISONS: AtomicU32 = AtomicU32::new(0);

/// Of which no two are equal at first.
#[derive(Clone, Debug, Heap)]
pub struct Odd {
    count: u8,
}

impl PartialEq for Odd {
    fn eq(&self, other: &Self) -> bool {
        N_COMPARISONS.fetch_add(1, Ordering::Relaxed) > 0 && self.count == other.count
    }
}

#[beget::api]
impl Odd {
    pub fn new() -> Self {
        Odd { count: 0 }
    }
}

#[test]
fn a_contract_that_is_broken_once_says_so() {
    let text = message_of(|| drop(beget::check!(Odd, k = 1, ints = 0..1)));
    assert_unreproduced(&text, "the contract `eq_symmetric` is broken");
}

/// A list whose author has not said what means that there is no node.
#[derive(Clone, Heap)]
pub struct Unmarked {
    #[heap(arena)]
    nodes: Vec<Node>,
    #[heap(link = Node)]
    first: u32,
}

#[derive(Clone, Heap)]
struct Node {
    #[heap(link = Node)]
    next: Option<u32>,
}

#[beget::api]
impl Unmarked {
    pub fn new() -> Self {
        Unmarked { nodes: Vec::new(), first: u32::MAX }
    }

    pub fn push(&mut self) {
        self.nodes.push(Node { next: Some(7) });
        self.first = 0;
    }
}

#[test]
fn a_link_that_leads_nowhere_is_named_with_what_to_write() {
    let text = message_of(|| drop(beget::check!(Unmarked, k = 3)));
    let advice = "the link `Unmarked.first` is u32::MAX, and its arena has 0 slots; if that value \
                  means \"none\", mark the field `#[heap(link = Node, null = u32::MAX)]`";
    assert!(text.contains(advice) && !text.contains("made again"), "{text}");
}
