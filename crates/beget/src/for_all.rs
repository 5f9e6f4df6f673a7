//! Properties of every structure of a scope.

use beget_engine::store::{Store as _, StructureId};
use beget_plan::finding::{Finding, Problem, Witness};
use beget_process::guard::{guarded, last_panic};
use beget_run::{FailureTest, FilmMaker, StructureQuestion};
use beget_suite::{Answer, HasSuite, TypeIdx, into_without_keys};

use crate::check::{CheckedRun, shown_one};

/// Builds every structure of a scope as [`check!`](crate::check!) does, and checks a property of
/// each one of the main type. Without a scope, k is 3.
///
/// The property gets the structure by value, so it may call any method on it. It returns `bool`,
/// `Result<_, impl Debug>`, or `()` and panics. The result is that of [`check!`](crate::check!).
///
/// ```
/// # mod example {
/// #[derive(Clone, beget::Heap)]
/// pub struct Stack {
///     items: Vec<u8>,
/// }
///
/// #[beget::api]
/// impl Stack {
///     pub fn new() -> Self {
///         Stack { items: Vec::new() }
///     }
///
///     pub fn push(&mut self, value: u8) {
///         self.items.push(value);
///     }
///
///     pub fn pop(&mut self) -> Option<u8> {
///         self.items.pop()
///     }
/// }
/// # }
/// # use example::Stack;
/// # let directory = std::env::temp_dir().join(format!("beget-for-all-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory).unwrap();
/// # std::fs::write(directory.join("stack.ron"), r#"Scope(
/// #     suite: "Stack", k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..k",
/// # )"#).unwrap();
/// # let scope = directory.join("stack.ron");
/// # let scope = scope.to_str().unwrap();
/// let mut asked = 0;
/// beget::for_all!(Stack, scope, |mut stack| {
///     stack.push(7);
///     asked += 1;
///     stack.pop() == Some(7)
/// });
/// // Every stack of at most 2 numbers below 2: 1 + 2 + 4.
/// assert_eq!(asked, 7);
/// # std::fs::remove_dir_all(&directory).unwrap();
/// ```
///
/// # Panics
/// Like [`check!`](crate::check!), and if the property does not hold for a structure, with the
/// fewest calls that build one.
#[macro_export]
macro_rules! for_all {
    ($ty:ty, $property:expr $(,)?) => {
        $crate::for_all::for_all::<$ty, _, _>(
            $crate::check!($ty, k = 3),
            ::core::stringify!($property),
            $property,
        )
    };
    ($ty:ty, $scope:expr, $property:expr $(,)?) => {
        $crate::for_all::for_all::<$ty, _, _>(
            $crate::check!($ty, $scope),
            ::core::stringify!($property),
            $property,
        )
    };
}

/// Runs [`for_all!`](crate::for_all!), with the source of the property for the test that it prints.
///
/// # Panics
/// If the property does not hold for a structure.
#[track_caller]
pub fn for_all<S, V, P>(checked: CheckedRun, source: &str, mut property: P) -> CheckedRun
where
    S: HasSuite,
    V: Answer,
    P: FnMut(S::Main) -> V,
{
    let mut holds = |value: S::Main| match guarded(|| property(value).verdict()) {
        Ok(Ok(())) => None,
        Ok(Err(reason)) => Some(Problem::property(&reason)),
        Err(_) => {
            let report = last_panic();
            Some(Problem::property(&format!("it {report}")).at(report.location))
        }
    };
    match ask(&checked, &mut holds) {
        None => checked,
        Some((finding, asked)) => {
            let of = format!("{} of {asked} structures", finding.count);
            let plan = &checked.corpus().plan;
            let question = Some(StructureQuestion::Property(source));
            let film = FilmMaker::new(plan).film(&finding);
            let test = FailureTest::of(plan, &finding, 1, question);
            let first = shown_one(&plan.suite, &test, &film);
            panic!("the property does not hold of {of}; the first:\n\n{first}")
        }
    }
}

/// Returns the first structure that fails, with the numbers of all that fail and of all checked.
fn ask<T: 'static>(
    checked: &CheckedRun,
    holds: &mut dyn FnMut(T) -> Option<Problem>,
) -> Option<(Finding, u64)> {
    let corpus = checked.corpus();
    let mut reader = corpus.reader();
    let (mut asked, mut first) = (0, None::<Finding>);
    for id in (0..corpus.store.len()).map(StructureId::new) {
        let in_memory = "the store is in memory";
        let is_main = corpus.type_of(id).expect(in_memory) == TypeIdx::new(0);
        if !is_main || reader.reported(id).expect(in_memory).is_none() {
            continue;
        }
        // A structure that cannot be reconstructed was a finding of the run.
        let Some(value) = reader.reconstruct(id).expect(in_memory) else { continue };
        let value = into_without_keys(value).downcast::<T>().expect("a structure of the main type");
        asked += 1;
        let Some(problem) = holds(*value) else { continue };
        match &mut first {
            Some(finding) => finding.count += 1,
            None => {
                let witness = Witness::of_recipe(corpus.recipe(id).expect(in_memory));
                first = Some(Finding { problem, count: 1, witness });
            }
        }
    }
    first.map(|finding| (finding, asked))
}
