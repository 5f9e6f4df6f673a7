//! A suite that other crates can use.

/// A number that must stay small.
#[derive(Clone, Debug, Default, beget::Heap)]
pub struct Open {
    value: u8,
}

#[beget::api]
impl Open {
    /// Zero.
    pub fn new() -> Self {
        Open::default()
    }

    /// Adds to it.
    pub fn add(&mut self, n: u8) {
        self.value += n;
        assert!(self.value < 3, "it is too much");
    }
}
