//! Maps and sets, sorted and hashed; keys that move from one to the other.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Index {
        by_key: BTreeMap<u8, Box<u8>>, by_name: HashMap<String, Vec<u8>>, keys: HashSet<u8>, gone: BTreeSet<u8>
    }
}

impl Index {
    pub fn new() -> Self {
        Index {
            by_key: BTreeMap::new(),
            by_name: HashMap::new(),
            keys: HashSet::new(),
            gone: BTreeSet::new(),
        }
    }

    pub fn insert(&mut self, key: u8, value: u8) -> Option<Box<u8>> {
        self.keys.insert(key);
        self.by_key.insert(key, Box::new(value))
    }

    pub fn name(&mut self, name: &str) {
        let keys = self.by_key.keys().copied().collect();
        self.by_name.insert(name.to_owned(), keys);
    }

    pub fn remove(&mut self, name: String) {
        for key in self.by_name.remove(&name).unwrap_or_default() {
            self.by_key.remove(&key);
            self.gone.insert(key);
        }
    }

    pub fn clean(&mut self) {
        self.keys.retain(|key| !self.gone.contains(key));
    }
}

both! {
    /// Indexes.
    suite Indexes "awkward::maps" {
        for Index {
            fn new() -> Self;
            fn insert(&mut self, key: u8, value: u8) -> Option<Box<u8>>;
            fn name(&mut self, name: &str);
            fn remove(&mut self, name: String);
            fn clean(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Indexes, Scope { strings: vec!["", "b\"\\n"], ..Scope::of(2) })
}
