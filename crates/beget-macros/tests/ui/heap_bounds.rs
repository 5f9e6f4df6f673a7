use std::collections::HashMap;

#[derive(beget::Heap)]
#[heap(bound = "K Ord")]
struct Wrong<K>(K);

#[derive(beget::Heap)]
#[heap(bounds = "K: Ord")]
struct Unknown<K>(K);

#[derive(PartialEq, Eq, Hash)]
struct Key;

#[derive(beget::Heap)]
struct Map {
    keys: HashMap<Key, u8>,
}

fn main() {}
