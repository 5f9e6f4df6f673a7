//! A type with several blocks, of which some functions are left out.

/// Books in a row, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Shelf {
    books: Vec<u8>,
}

#[cfg_attr(test, beget::api(skip(count_if)))]
impl Shelf {
    /// Room for three books, as `is_full` says.
    const ROOM: usize = 3;

    /// Puts a book at the end, if there is room.
    pub fn put(&mut self, book: u8) {
        if !self.is_full() {
            self.books.push(book);
        }
    }

    /// Keeps some books.
    #[cfg_attr(test, api(skip))]
    pub fn retain(&mut self, keep: impl FnMut(&u8) -> bool) {
        self.books.retain(keep);
    }

    /// Sorts by a key.
    #[cfg_attr(test, beget::api(skip))]
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&u8) -> K) {
        self.books.sort_by_key(key);
    }

    /// Counts some books.
    pub fn count_if(&self, is_wanted: impl Fn(u8) -> bool) -> usize {
        self.books.iter().filter(|book| is_wanted(**book)).count()
    }

    fn is_full(&self) -> bool {
        self.books.len() == Self::ROOM
    }

    #[cfg(test)]
    #[beget::invariant]
    fn has_room_for_all(&self) -> bool {
        self.books.len() <= Self::ROOM
    }
}

#[cfg_attr(test, beget::api(part = 2))]
impl Shelf {
    /// Whether there is no book.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }
}

#[cfg_attr(test, beget::api(part = 3))]
impl Extend<u8> for Shelf {
    #[cfg_attr(test, api(at(books = Vec<u8>)))]
    fn extend<I: IntoIterator<Item = u8>>(&mut self, books: I) {
        books.into_iter().for_each(|book| self.put(book));
    }
}

#[cfg_attr(test, beget::api(part = 4))]
impl From<u8> for Shelf {
    fn from(book: u8) -> Self {
        Shelf { books: vec![book] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beget::HasSuite;
    use beget::suites::Absence::{NotPublic, Skipped};

    #[test]
    fn all_blocks_are_one_suite() {
        let suite = Shelf::suite();
        let names: Vec<_> = suite.methods.iter().map(|method| method.name).collect();
        assert_eq!(names, ["put", "is_empty", "extend", "from"]);
        let signature = "fn extend(&mut self, books: Vec<u8>)";
        assert_eq!(suite.method_named("extend").unwrap().signature, signature);
        assert_eq!(suite.method_named("from").unwrap().path, "<Shelf as From<u8>>::from");
    }

    #[test]
    fn what_is_left_out_is_known() {
        let absent = Shelf::suite().absent;
        let absent: Vec<_> = absent.iter().map(|absent| (absent.name, absent.reason)).collect();
        let expected = [
            ("retain", Skipped),
            ("sort_by_key", Skipped),
            ("count_if", Skipped),
            ("is_full", NotPublic),
        ];
        assert_eq!(absent, expected);
    }

    #[test]
    fn every_shelf_of_scope_3_is_sound() {
        // From one book on, since `from` is the only constructor: 2 + 4 + 8.
        assert_eq!(beget::check!(Shelf, "scopes/shelf.ron").generated(), 14);
    }

    #[test]
    fn a_full_shelf_takes_no_book() {
        let shelves = beget::for_all!(Shelf, "scopes/shelf.ron", |mut shelf| {
            let before = shelf.clone();
            shelf.put(0);
            !before.is_full() || shelf == before
        });
        assert_eq!(shelves.generated(), 14);
    }

    #[test]
    #[should_panic = "the property does not hold of 12 of 14 structures"]
    fn a_property_that_does_not_hold_is_shown_by_the_first_structure() {
        beget::for_all!(Shelf, "scopes/shelf.ron", |shelf| assert!(shelf.books.len() < 2));
    }
}
