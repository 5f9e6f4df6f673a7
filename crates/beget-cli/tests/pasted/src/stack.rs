//! A suite in a module of its own, with literals of a type beside it, and functions as arguments.

/// The only literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap, beget::Domain))]
pub enum Way {
    /// Up.
    Up,
    /// Down.
    Down,
}

/// A stack that forgets which way its second item goes, and is full with two.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Stack {
    items: Vec<Way>,
}

#[cfg_attr(test, beget::api)]
impl Stack {
    /// Empty.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Puts one on top.
    pub fn push(&mut self, way: Way) {
        assert!(self.items.len() < 2, "it is full");
        self.items.push(if self.items.is_empty() { way } else { Way::Up });
    }

    /// Takes the one on top.
    pub fn pop(&mut self) -> Option<Way> {
        self.items.pop()
    }

    /// Keeps some.
    #[cfg_attr(test, api(at(keep = fn(&Way) -> bool), values(keep = [is_up, |_| true])))]
    pub fn retain(&mut self, keep: impl FnMut(&Way) -> bool) {
        self.items.retain(keep);
        assert!(self.items.len() != 1, "one is left");
    }
}

#[cfg(test)]
fn is_up(way: &Way) -> bool {
    *way == Way::Up
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn every_stack() {
        beget::check!(Stack, k = 3);
    }

    // What `every_stack` prints.
}
