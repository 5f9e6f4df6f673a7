//! Maps in maps, with pointers that two entries share.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Index { by_shelf: BTreeMap<u8, BTreeMap<u8, Rc<u8>>>, tags: HashMap<u8, BTreeSet<u8>> }
}

impl Index {
    pub fn new() -> Self {
        Index { by_shelf: BTreeMap::new(), tags: HashMap::new() }
    }

    pub fn put(&mut self, shelf: u8, book: u8) {
        self.by_shelf.entry(shelf).or_default().insert(book, Rc::new(book));
    }

    /// The first book of a shelf, on another one too.
    pub fn lend(&mut self, from: u8, to: u8) {
        let book = self.by_shelf.get(&from).and_then(BTreeMap::first_key_value);
        if let Some((&key, book)) = book {
            let book = Rc::clone(book);
            self.by_shelf.entry(to).or_default().insert(key, book);
        }
    }

    /// Empty shelves stay.
    pub fn remove(&mut self, shelf: u8) {
        if let Some(books) = self.by_shelf.get_mut(&shelf) {
            books.pop_last();
        }
    }

    pub fn tag(&mut self, tag: u8) {
        let shelves: BTreeSet<u8> = self.by_shelf.keys().copied().collect();
        self.tags.insert(tag, shelves);
    }

    /// Marks the books that are on one shelf only.
    pub fn mark(&mut self) {
        for book in self.by_shelf.values_mut().flat_map(BTreeMap::values_mut) {
            if let Some(book) = Rc::get_mut(book) {
                *book = 9;
            }
        }
    }
}

both! {
    /// Indices.
    suite Indices "awkward::nested_maps" {
        for Index {
            fn new() -> Self;
            fn put(&mut self, shelf: u8, book: u8);
            fn lend(&mut self, from: u8, to: u8);
            fn remove(&mut self, shelf: u8);
            fn tag(&mut self, tag: u8);
            fn mark(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Indices, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
