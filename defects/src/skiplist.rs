//! `SkipList::ne` says whether the items are equal.

crate::defect! {
    old: "skiplist 0.2.10",
    fixed: "skiplist 0.3.0",
    claim: "skiplist's CHANGELOG, 0.3.0",
    what: "`!=` of lists of one length says what `==` should",
    shown: 1, "contract", "ne_negates_eq", "let skip_list = SkipList::<u8>::new();",
    own: {
        beget::suite! {
            pub suite List for skiplist::SkipList<u8> {
                abstraction |list| -> Vec<u8> { list.iter().copied().collect() };
                fn new() -> Self;
                fn push_back(&mut self, value: u8);
                fn pop_back(&mut self) -> Option<u8>;
            }
        }
        pub fn run() -> Run { check!(List, k = 2) }
    }
}
