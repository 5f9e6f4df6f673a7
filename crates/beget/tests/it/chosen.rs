//! What is chosen for generic parameters, constants among them; functions as arguments; types of
//! one's own with names of the standard library.
#![allow(
    missing_docs,
    clippy::new_without_default,
    unreachable_pub,
    reason = "the types stand for those of users"
)]

use beget::suites::to_source;
use beget::{Domain, HasSuite, Heap};
use beget_engine::store::{Store, StructureId};

/// The sources of all structures, each on one line.
fn sources(checked: &beget::check::CheckedRun) -> Vec<String> {
    let corpus = checked.corpus();
    let ids = (0..corpus.store.len()).map(StructureId::new);
    let recipe = |id| to_source(&corpus.plan.suite, &corpus.recipe(id).expect("it is in memory"));
    ids.map(|id| recipe(id).0.trim().replace('\n', " ")).collect()
}

/// The message of the first finding.
fn message<T>(found: Result<T, beget::check::CheckError>) -> String {
    match found {
        Ok(_) => panic!("nothing is found"),
        Err(found) => found.to_string(),
    }
}

const MOST: usize = 2;

#[derive(Clone, Debug, Heap)]
pub struct Ring<T, const N: usize> {
    items: [Option<T>; N],
    next: usize,
}

/// Something in a trait that is generic over a constant.
pub trait Places {
    fn is_taken<const AT: usize>(&self) -> bool;
}

#[beget::api(at(T = bool, N = MOST))]
impl<T: Copy, const N: usize> Ring<T, N>
where
    [Option<T>; N]: Sized,
{
    pub fn new(items: [T; N]) -> Self {
        Ring { items: items.map(Some), next: 0 }
    }

    pub fn push(&mut self, item: T) {
        self.items[self.next % N] = Some(item);
        self.next = (self.next + 1) % N;
    }

    #[api(at(AT = 1))]
    pub fn clear<const AT: usize>(&mut self) {
        self.items[AT] = None;
    }

    #[api(at(M = { MOST - 1 }))]
    pub fn put<const M: usize>(&mut self, first: [T; M]) {
        for (place, item) in self.items.iter_mut().zip(first) {
            *place = Some(item);
        }
    }

    #[api(at(S = u64))]
    pub fn len<S: From<u8>>(&self) -> S {
        S::from(self.items.iter().flatten().count() as u8)
    }
}

#[beget::api(part = 2, at(T = bool, N = 2))]
impl<T: Copy, const N: usize> Places for Ring<T, N> {
    #[api(at(AT = 0))]
    fn is_taken<const AT: usize>(&self) -> bool {
        self.items[AT].is_some()
    }
}

beget::suite! {
    suite Rings for crate::chosen::Ring<u8, { MOST + 1 }> {
        fn new(items: [u8; 3]) -> Self;
        fn clear_second(&mut self) = Self::clear::<1>;
    }
}

#[test]
fn constants_are_chosen_as_types_are() {
    // Each place is empty or holds one of two; the first is never cleared.
    let checked = beget::check!(Ring<bool, MOST>, k = 2, ints = 0..2);
    assert_eq!(checked.generated(), 2 * 3 * 2);
    let suite = Ring::<bool, MOST>::suite();
    let paths: Vec<_> = suite.methods.iter().map(|method| method.path).collect();
    let path = "Ring::<bool, MOST>";
    assert_eq!(
        paths,
        [
            format!("{path}::new"),
            format!("{path}::push"),
            format!("{path}::clear::<1>"),
            format!("{path}::put"),
            format!("{path}::len::<u64>"),
            "<Ring::<bool, 2> as Places>::is_taken::<0>".to_owned(),
        ]
    );
    let cleared = format!(
        "let mut ring = {path}::new([false, false]); let _ = {path}::clear::<1>(&mut ring);"
    );
    assert!(sources(&checked).contains(&cleared), "{:?}", sources(&checked));
    // 8 full ones, and 4 without a second.
    assert_eq!(beget::check!(Rings, k = 2, ints = 0..2).generated(), 12);
}

#[derive(Clone, Debug, Heap)]
pub struct Bag {
    items: Vec<u8>,
}

fn is_even(item: &u8) -> bool {
    item.is_multiple_of(2)
}

#[beget::api]
impl Bag {
    pub fn new() -> Self {
        Bag { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    #[api(at(keep = fn(&u8) -> bool), values(keep = [is_even, |item| *item > 9]))]
    pub fn retain(&mut self, keep: impl FnMut(&u8) -> bool) {
        self.items.retain(keep);
        assert!(self.items != [2], "two is alone");
    }

    #[api(at(F = fn(u8) -> u8), values(by = [|item| item + 1]))]
    pub fn map<F: Fn(u8) -> u8>(&mut self, by: F) {
        self.items.iter_mut().for_each(|item| *item = by(*item));
    }

    #[api(values(each = [drop::<u8>]))]
    pub fn each(&self, each: fn(u8)) {
        self.items.iter().copied().for_each(each);
    }
}

beget::suite! {
    suite Vectors for Vec<u8> {
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn retain(&mut self, #[values(is_even, |item| *item > 9)] keep: fn(&u8) -> bool);
    }
}

#[test]
fn functions_that_the_suite_lists_are_arguments() {
    // At most two of 0 to 3, all but 0 before 3: `map` adds one to 2, and 4 is out of scope.
    let checked = beget::check!(
        Bag, k = 2, ints = 0..3, fields = {"*": "0..=3"}, arrays = 2,
        methods = Only(["new", "push", "map", "each"])
    );
    assert_eq!(checked.generated(), 1 + 4 + 15);
    let mapped = "let mut bag = Bag::new(); let _ = bag.push(2); let _ = bag.map(|item| item + 1);"
        .to_owned();
    assert!(sources(&checked).contains(&mapped), "{:?}", sources(&checked));
    let found = message(beget::try_check!(Bag, k = 2, ints = 0..3, fields = {"*": "0..=3"}));
    assert!(found.contains("bag.push(2);\n        bag.retain(is_even);\n"), "{found}");
    assert_eq!(beget::check!(Vectors, k = 2, ints = 0..2).generated(), 7);
}

#[test]
fn a_scope_chooses_among_the_functions() {
    let checked = beget::check!(
        Bag, k = 1, ints = [2], arrays = 1, methods = Only(["new", "push", "retain"]),
        params = {"retain.keep": ["|item| *item > 9"]}
    );
    assert_eq!(checked.generated(), 2);
    let found = message(beget::try_check!(Bag, params = {"retain.keep": ["is_odd"]}));
    assert!(found.contains("did you mean") || found.contains("`is_even`"), "{found}");
}

/// Names of the standard library for types of one's own.
mod own_names {
    use super::*;

    #[derive(Clone, Debug, Heap, Domain)]
    pub struct Path(u8);

    #[derive(Clone, Debug, Heap, Domain)]
    pub struct Duration {
        pub days: u8,
    }

    #[derive(Clone, Debug, Heap, Domain)]
    pub enum Range {
        All,
        Of(u8),
    }

    #[derive(Clone, Debug, Heap)]
    pub struct Walk {
        at: Option<Path>,
        left: u8,
    }

    #[beget::api]
    impl Walk {
        pub fn new(left: Duration, range: Range) -> Self {
            let most = match range {
                Range::All => left.days,
                Range::Of(most) => most,
            };
            Walk { at: None, left: left.days.min(most) }
        }

        pub fn step(&mut self, to: &Path, until: &Duration) {
            self.at = Some(to.clone());
            assert!(until.days < 2, "it takes too long");
        }

        pub fn skip(&mut self, several: &[&Path], last: Option<&Path>) {
            self.at = last.or(several.last().copied()).cloned();
        }

        pub fn open(&self, file: &std::path::Path, _: Option<&std::path::Path>) -> bool {
            file.is_absolute()
        }

        #[api(values(to = [Path(9)]))]
        pub fn jump(&mut self, to: &Path) {
            self.at = Some(to.clone());
        }
    }
}

#[test]
fn a_type_of_ones_own_may_have_a_name_of_the_standard_library() {
    let scope = beget::check!(
        own_names::Walk, k = 2, ints = 0..2, fields = {"*": "0..=9"}, strings = ["/a"]
    );
    // Nowhere, at one of two places or at the third, with 0 or 1 days left.
    assert_eq!(scope.generated(), 4 * 2);
    let sources = sources(&scope).join("\n");
    assert!(sources.contains("walk.step(&Path(0), &Duration { days: 0 });"), "{sources}");
    assert!(sources.contains("walk.jump(&Path(9));"), "{sources}");
    let found = message(beget::try_check!(
        own_names::Walk, k = 3, fields = {"*": "0..=9"}, strings = ["/a"]
    ));
    assert!(found.contains("it takes too long"), "{found}");
    let suite = own_names::Walk::suite();
    assert_eq!(suite.method_named("open").expect("a method").literal_params().count(), 2);
}
