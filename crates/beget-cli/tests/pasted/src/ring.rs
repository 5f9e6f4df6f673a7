//! A type with a constant among its parameters, in the suite of a block and in one by its path.

/// Items in a ring.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Ring<T, const N: usize> {
    items: [Option<T>; N],
    next: usize,
}

#[cfg_attr(test, beget::api(at(T = u8, N = 2)))]
impl<T: Copy, const N: usize> Ring<T, N> {
    /// With a first item.
    pub fn new(first: T) -> Self {
        let mut ring = Ring { items: [None; N], next: 0 };
        ring.push(first);
        ring
    }

    /// Puts an item into the next place, if there is one.
    pub fn push(&mut self, item: T) {
        self.items[self.next] = Some(item);
        self.next += 1;
    }

    /// The item of a place.
    #[cfg_attr(test, api(at(AT = 2)))]
    pub fn item<const AT: usize>(&self) -> Option<T> {
        self.items[AT]
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;

    const MOST: usize = 2;

    #[test]
    fn every_ring() {
        beget::check!(Ring<u8, MOST>, k = 2);
    }

    // What `every_ring` prints.

    mod by_path {
        const MOST: usize = super::MOST + 1;

        beget::suite! {
            suite Rings for crate::ring::Ring<bool, { MOST }> {
                fn new(first: bool) -> Self;
                fn third(&self) -> Option<bool> = Self::item::<3>;
            }
        }

        #[test]
        fn every_ring_by_path() {
            beget::check!(Rings, k = 2);
        }

        // What `every_ring_by_path` prints.
    }
}
