//! `Arena::retain` ends its walk too early where slots are free. Version 0.2.7 ends it right;
//! 0.2.9 is the first without the defect of `drain`.

crate::defect! {
    old: "generational-arena 0.2.6",
    fixed: "generational-arena 0.2.9",
    claim: "generational-arena's CHANGELOG, 0.2.7",
    what: "`retain` does not look at every element",
    shown: 1, "contract", "self.is_empty()", "let _ = retain_none(&mut arena);",
    own: {
        type Arena = generational_arena::Arena<u8>;
        fn retain_none(arena: &mut Arena) { arena.retain(|_, _| false); }
        fn take(arena: &mut Arena, nth: usize) {
            arena.iter().nth(nth).map(|(index, _)| index).map(|index| arena.remove(index));
        }
        beget::suite! { pub suite Arenas for Arena {
            abstraction |arena| -> Vec<usize> {
                arena.iter().map(|(index, _)| index.into_raw_parts().0).collect()
            };
            fn new() -> Self;
            fn insert(&mut self, value: u8) -> generational_arena::Index;
            fn remove(&mut self, nth: usize) = self::take;
            #[ensures(self.is_empty())] fn retain(&mut self) = self::retain_none;
        } }
        pub fn run() -> Run { check!(Arenas, k = 3) }
    }
}
