//! `keys;` is for the types of keys, not for the type under test.

#[derive(Clone, beget::Heap)]
pub struct Arena;

#[derive(Clone, beget::Heap)]
pub struct Key;

beget::suite! {
    /// The wrong block.
    pub suite Arenas {
        for Arena {
            keys;
        }
        for Key {}
    }
}

beget::suite! {
    /// The wrong block.
    pub suite ArenasOfStructures {
        for Arena {
            structures;
        }
        for Key {}
    }
}

beget::suite! {
    /// The wrong option.
    pub suite ForeignArenas {
        for Arena {}
        for Key {
            keys(foreign);
        }
    }
}

fn main() {}
