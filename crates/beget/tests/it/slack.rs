//! What a run with slack reports is what one without slack finds, where both can build it.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use common::{RECONSTRUCT, assert_complete, run};

/// Books in a row on a shelf.
#[derive(Clone, Debug, Default, Heap)]
pub struct Shelf {
    first: Option<Box<Book>>,
    size: Size,
}

#[derive(Clone, Debug, Default, Heap)]
pub struct Size {
    width: u8,
}

#[derive(Clone, Debug, Heap)]
pub struct Book {
    next: Option<Box<Book>>,
    pages: u8,
}

#[beget::api(name = "shelf")]
impl Shelf {
    /// No book.
    pub fn new() -> Self {
        Shelf::default()
    }

    /// A book in front.
    pub fn add(&mut self, pages: u8) {
        self.first = Some(Box::new(Book { next: self.first.take(), pages }));
    }

    /// Wider by one, up to 9.
    pub fn widen(&mut self) {
        self.size.width = (self.size.width + 1).min(9);
    }
}

/// A repOK that nobody asks says which integers fields have within the scope proper.
const LIMITS: &str = r#"repoks: {"limits": (objects: {"Book": "k"}, fields: {
    "Shelf.first": "null | Book", "Book.next": "null | Book",
    "Book.pages": "0..=k", "Size.width": "0..=k - 1",
})}"#;

fn shelves(slack: &str) -> Corpus {
    let scope = format!(
        r#"k: 1, objects: {{"*": "k"}}, ints: "0..=k", fields: {{"*": "any"}}, {slack}{LIMITS}"#
    );
    run(Shelf::suite(), &scope, RECONSTRUCT, 1)
}

/// Reported is what has a book or none, two numbers of pages, and one width.
#[test]
fn what_lies_in_the_slack_only_is_not_reported() {
    // All ten widths.
    let without = shelves("");
    assert_complete(&without, (1 + 2) * 10);
    // Up to two books of three numbers of pages.
    let with = shelves("slack: 1, ");
    assert_complete(&with, (1 + 3 + 9) * 10);

    let mut reader = with.reader();
    let generated = reader.generated().unwrap();
    let mut digest = 0_u128;
    for id in (0..with.store.len()).map(StructureId::new) {
        let reported = reader.reported(id).unwrap();
        assert_eq!(reported.is_some(), generated.contains(&id), "{id:?}");
        if let Some(reported) = reported {
            let found = without.store.find(reported.form.as_ref());
            assert!(matches!(found, Ok(Some(_))), "{id:?}");
            assert!(reported.heap.unwrap().objects().len() <= 2, "{id:?}");
            digest = digest.wrapping_add(reported.form.digest());
        }
    }
    let totals = with.totals().unwrap();
    assert_eq!((totals.by_type, totals.by_objects), (vec![3], vec![1, 2]));
    assert_eq!(totals.digest, digest);
}
