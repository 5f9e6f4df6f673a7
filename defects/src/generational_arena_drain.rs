//! `Arena::drain` takes the elements and leaves their number. Version 0.2.7 has the defect too.

crate::defect! {
    old: "generational-arena 0.2.6",
    fixed: "generational-arena 0.2.9",
    claim: "generational-arena #30",
    what: "`drain` does not reset the number of elements",
    shown: 1, "contract", "self.is_empty()", "let _ = drain(&mut arena);",
    own: {
        type Arena = generational_arena::Arena<u8>;
        fn drain(arena: &mut Arena) { arena.drain().for_each(drop); }
        beget::suite! {
            pub suite Arenas for Arena {
                abstraction |arena| -> (usize, usize) { (arena.len(), arena.capacity()) };
                fn with_capacity(capacity: usize) -> Self;
                fn insert(&mut self, value: u8) -> generational_arena::Index;
                #[ensures(self.is_empty())] fn drain(&mut self) = self::drain;
            }
        }
        pub fn run() -> Run { check!(Arenas, k = 2, budget = (max_calls: Some(200), enough: true)) }
    }
}
