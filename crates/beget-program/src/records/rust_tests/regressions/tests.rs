#![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

use beget::{HasSuite as _, Heap};
use beget_engine::Settings;
use beget_engine::store::StructureId;
use beget_plan::scope::{MethodsOverride, Overrides};
use beget_run::{Catalog, Host, Input, StoreKind, Watch, generate};
use beget_search::run::behaviors;

use super::*;
use crate::records::rust_tests::layout::laid_out;

#[derive(Clone, Debug, Default, Heap)]
pub struct Shelf {
    books: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TitleOfABook {
    written_on_its_back: String,
    number_of_its_shelf_mark: usize,
}

#[beget::api(name = "shelf")]
impl Shelf {
    pub fn new() -> Self {
        Shelf::default()
    }

    pub fn put(&mut self, book: u8) -> Result<usize, TitleOfABook> {
        match self.books.len() {
            2 => Err(self.title()),
            number => {
                self.books.push(book);
                Ok(number)
            }
        }
    }

    pub fn clear(&mut self) {
        self.books.clear();
    }

    pub fn split(&mut self) -> (Self, Self) {
        let books = self.books.split_off(self.books.len() / 2);
        (Shelf { books }, self.clone())
    }

    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    pub fn first(&self) -> Option<&u8> {
        self.books.first()
    }

    pub fn title(&self) -> TitleOfABook {
        let written_on_its_back = format!("{:?}, \"and\" others", self.books);
        TitleOfABook { written_on_its_back, number_of_its_shelf_mark: self.books.len() }
    }

    pub fn is_above(&self, book: u8, text: &str) -> bool {
        self.books.iter().any(|own| *own > book) && text.is_empty()
    }
}

struct NoHost;

impl Host for NoHost {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// The test of a structure from its statements in a list, and each assertion by itself.
fn test_function(suite: &Suite, tests: &RegressionTests, behavior: &Behavior) -> TestFunction {
    let behaviors = &tests.behaviors;
    let statements = behaviors.statements(behavior).cloned().collect();
    let returned: Vec<_> = behaviors.results(behavior).collect();
    let sequence = beget_suite::Sequence { statements, result: None };
    let (body, _) = sequence.to_test_source(suite, &|index, call| {
        let method = suite.method(sequence.statements[index].method);
        let AssertionText { before, after } = assertion(method, returned[index]?)?;
        Some(before + call + &after)
    });
    TestFunction { doc: String::new(), name: tests.name(suite, behavior, &tests.no_words()), body }
}

/// A statement is known again by the call and the variable, also if another call has its text.
fn check_remembered(call: ObservedCall) {
    let mut tests = TestsText::default();
    for (call, variable, is_known) in [
        (call, "shelf", false),
        (call, "shelf", true),
        (call, "shelf_2", false),
        (call, "shelf_2", true),
        (ObservedCall { returned: None, ..call }, "shelf", false),
        (ObservedCall { returned: None, ..call }, "shelf", true),
    ] {
        let before = tests.text.len();
        assert_eq!(tests.push_known(call, variable), is_known);
        if !is_known {
            tests.push_statement([variable, ".clear();"]);
        }
        assert_eq!(tests.text[before..], format!("    {variable}.clear();\n"));
    }
}

#[test]
fn the_text_is_that_of_the_single_tests() {
    let fields = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..k", strings: ["", "a.b(C)"]"#;
    let text =
        format!(r#"Scope(suite: "shelf", {fields}, methods: Only(["new", "put", "split"]))"#);
    let input = Input::of_text("shelf.ron", text, Catalog::new(vec![Shelf::suite()])).unwrap();
    let plan =
        |methods| input.resolve(&Overrides { methods, ..Overrides::default() }).unwrap().plan;
    let (own, all) = (plan(None), plan(Some(MethodsOverride::All)));
    let watch = Watch::new(own.budget, &NoHost);
    let corpus = generate(own, Settings::default(), StoreKind::Exact, &watch);
    let ids: Vec<_> = (0..corpus.store.len()).map(StructureId::new).collect();
    assert_eq!(ids.len(), 7, "up to two of two books");
    let suite = &corpus.plan.suite;
    let found = || behaviors(&corpus, &all, &ids, &watch).unwrap();
    for tests in [RegressionTests::of_structures(found()), RegressionTests::of_sequences(found())] {
        let all = tests.behaviors.all.iter();
        let functions: Vec<_> =
            all.map(|behavior| test_function(suite, &tests, behavior)).collect();
        let expected: String = functions.iter().map(|test| format!("\n{test}")).collect();
        let mut written = TestsText::default();
        tests.write(suite, &mut written);
        assert_eq!(written.text, laid_out(&expected));
        let lines = functions.iter().flat_map(|test| &test.body);
        let names: BTreeSet<_> =
            lines.flat_map(|line| first_names(line)).map(str::to_owned).collect();
        assert_eq!(written.named, names);
        let mut pushed = TestsText::default();
        functions.iter().for_each(|test| pushed.push_function(test));
        assert_eq!((pushed.text, pushed.named), (written.text, names));
        let call = *tests.behaviors.all[0].calls.last().unwrap();
        check_remembered(call);
    }
    let mut tests = RegressionTests::of_structures(found());
    let words = tests.no_words();
    let names: Vec<_> =
        tests.behaviors.all.iter().map(|one| tests.name(suite, one, &words)).collect();
    let wrong = [&*names[1], &names[4], "structure_99_new"].map(str::to_owned).into();
    assert_eq!(tests.remove(suite, &wrong), [&*names[1], &names[4]]);
    assert_eq!((tests.len(), tests.is_empty()), (5, false));
}
