//! `Arena::insert_at` on a slot in the middle of the list of free ones cuts that list.

crate::defect! {
    old: "thunderdome 0.5.0",
    fixed: "thunderdome 0.5.1",
    claim: "thunderdome's CHANGELOG, 0.5.1 (#36)",
    what: "`insert_at` on a slot in the middle of the free list damages it",
    shown: 1, "panic", "", "let _ = put(&mut arena, 0);",
    own: {
        type Arena = thunderdome::Arena<u8>;
        fn put(arena: &mut Arena, slot: u32) { arena.insert_at_slot(slot, 0); }
        fn take(arena: &mut Arena, slot: u32) { arena.remove_by_slot(slot); }
        beget::suite! { pub suite Arenas for Arena {
            abstraction |arena| -> (Vec<u32>, Vec<u32>) {
                let (used, mut copy) = (arena.iter().map(|(index, _)| index.slot()), arena.clone());
                (used.collect(), (0..3).map(|_| copy.insert(0).slot()).collect())
            };
            fn new() -> Self;
            fn insert_at_slot(&mut self, slot: u32) = self::put;
            fn remove_by_slot(&mut self, slot: u32) = self::take;
            fn insert(&mut self, value: u8) -> thunderdome::Index;
        } }
        pub fn run() -> Run { check!(Arenas, k = 3) }
    }
}
