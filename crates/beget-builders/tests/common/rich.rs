//! A list with 34 methods that recycles its nodes, after the running example of Ponzio et al. (FASE 2019), Table 1.

use beget::Heap;

/// The list. Its header is a node, so that with at most `k` nodes it holds fewer than `k` values.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct CachingList {
    header: Box<Node>,
    nodes: Vec<Box<Node>>,
    cache: Vec<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Node {
    value: Option<u8>,
}

impl CachingList {
    pub fn new() -> Self {
        CachingList { header: Box::new(Node { value: None }), nodes: vec![], cache: vec![] }
    }

    pub fn of(other: &Self) -> Self {
        let mut list = Self::new();
        list.add_all(other);
        list
    }

    pub fn with_cache(_most: u8) -> Self {
        Self::new()
    }

    pub fn add(&mut self, value: u8) -> bool {
        self.add_last(value);
        true
    }

    pub fn add_at(&mut self, index: usize, value: u8) {
        if index <= self.nodes.len() {
            let mut node = self.cache.pop().unwrap_or_else(|| Box::new(Node { value: None }));
            node.value = Some(value);
            self.nodes.insert(index, node);
        }
    }

    pub fn add_all(&mut self, other: &Self) -> bool {
        self.add_all_at(self.nodes.len(), other)
    }

    pub fn add_all_at(&mut self, index: usize, other: &Self) -> bool {
        for (at, value) in other.to_vec().into_iter().enumerate() {
            self.add_at(index + at, value);
        }
        other.size() > 0
    }

    pub fn add_first(&mut self, value: u8) {
        self.add_at(0, value);
    }

    pub fn add_last(&mut self, value: u8) {
        self.add_at(self.nodes.len(), value);
    }

    pub fn clear(&mut self) {
        while self.remove_last().is_some() {}
    }

    pub fn contains(&self, value: u8) -> bool {
        self.index_of(value).is_some()
    }

    pub fn contains_all(&self, other: &Self) -> bool {
        other.to_vec().into_iter().all(|value| self.contains(value))
    }

    pub fn equals(&self, other: &Self) -> bool {
        self.to_vec() == other.to_vec()
    }

    pub fn get(&self, index: usize) -> Option<u8> {
        self.nodes.get(index)?.value
    }

    pub fn get_first(&self) -> Option<u8> {
        self.get(0)
    }

    pub fn get_last(&self) -> Option<u8> {
        self.nodes.last()?.value
    }

    pub fn hash_code(&self) -> u64 {
        self.to_vec().into_iter().fold(1, |hash, value| 31 * hash + u64::from(value))
    }

    pub fn index_of(&self, value: u8) -> Option<usize> {
        self.nodes.iter().position(|node| node.value == Some(value))
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn iterate(&mut self) -> usize {
        self.nodes.iter_mut().map(|node| usize::from(node.value.is_some())).sum()
    }

    pub fn last_index_of(&self, value: u8) -> Option<usize> {
        self.nodes.iter().rposition(|node| node.value == Some(value))
    }

    pub fn remove_at(&mut self, index: usize) -> Option<u8> {
        if index >= self.nodes.len() {
            return None;
        }
        let mut node = self.nodes.remove(index);
        let value = node.value.take();
        self.cache.push(node);
        value
    }

    pub fn remove(&mut self, value: u8) -> bool {
        let found = self.index_of(value);
        found.is_some_and(|index| self.remove_at(index).is_some())
    }

    pub fn remove_all(&mut self, other: &Self) {
        other.to_vec().into_iter().for_each(|value| while self.remove(value) {});
    }

    pub fn remove_first(&mut self) -> Option<u8> {
        self.remove_at(0)
    }

    pub fn remove_last(&mut self) -> Option<u8> {
        self.remove_at(self.nodes.len().checked_sub(1)?)
    }

    pub fn retain_all(&mut self, other: &Self) {
        self.to_vec().into_iter().filter(|&value| !other.contains(value)).for_each(|value| {
            self.remove(value);
        });
    }

    pub fn reverse(&mut self) {
        self.nodes.reverse();
    }

    pub fn set(&mut self, index: usize, value: u8) {
        if let Some(node) = self.nodes.get_mut(index) {
            node.value = Some(value);
        }
    }

    pub fn shrink_cache(&mut self) {
        self.cache.pop();
    }

    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn sub_list(&self, from: usize, to: usize) -> Option<Self> {
        let nodes = self.nodes.get(from..to)?.to_vec();
        Some(CachingList { nodes, ..Self::new() })
    }

    pub fn to_text(&self) -> String {
        format!("{:?}", self.to_vec())
    }

    pub fn to_vec(&self) -> Vec<u8> {
        self.nodes.iter().filter_map(|node| node.value).collect()
    }
}

beget::suite! {
    /// Everything a list can do.
    pub suite Rich for CachingList {
        fn new() -> Self;
        fn of(other: &Self) -> Self;
        fn with_cache(most: u8) -> Self;
        fn add(&mut self, value: u8) -> bool;
        fn add_at(&mut self, index: usize, value: u8);
        fn add_all(&mut self, other: &Self) -> bool;
        fn add_all_at(&mut self, index: usize, other: &Self) -> bool;
        fn add_first(&mut self, value: u8);
        fn add_last(&mut self, value: u8);
        fn clear(&mut self);
        fn contains(&self, value: u8) -> bool;
        fn contains_all(&self, other: &Self) -> bool;
        fn equals(&self, other: &Self) -> bool;
        fn get(&self, index: usize) -> Option<u8>;
        fn get_first(&self) -> Option<u8>;
        fn get_last(&self) -> Option<u8>;
        fn hash_code(&self) -> u64;
        fn index_of(&self, value: u8) -> Option<usize>;
        fn is_empty(&self) -> bool;
        fn iterate(&mut self) -> usize;
        fn last_index_of(&self, value: u8) -> Option<usize>;
        fn remove_at(&mut self, index: usize) -> Option<u8>;
        fn remove(&mut self, value: u8) -> bool;
        fn remove_all(&mut self, other: &Self);
        fn remove_first(&mut self) -> Option<u8>;
        fn remove_last(&mut self) -> Option<u8>;
        fn retain_all(&mut self, other: &Self);
        fn reverse(&mut self);
        fn set(&mut self, index: usize, value: u8);
        fn shrink_cache(&mut self);
        fn size(&self) -> usize;
        fn sub_list(&self, from: usize, to: usize) -> Option<Self>;
        fn to_text(&self) -> String;
        fn to_vec(&self) -> Vec<u8>;
    }
}
