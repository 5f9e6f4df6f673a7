//! A naive breadth-first enumeration and hand-written canonical forms.
//!
//! Tests use it to count the structures that the builders of a case study reach. It works like the
//! published tool: each round calls every constructor once, and every builder once for each
//! structure first seen in the round before. It shares no code with the engine, which it checks.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::Misuse;

/// A canonical form under construction: fields in preorder, objects numbered by first visit.
#[derive(Default)]
pub(crate) struct Form {
    tokens: Vec<i64>,
    numbers: HashMap<usize, i64>,
}

impl Form {
    const NULL: i64 = i64::MIN;
    const FIRST_OBJECT: i64 = i64::MIN / 2;

    pub(crate) fn value(&mut self, value: impl Into<i64>) {
        self.tokens.push(value.into());
    }

    pub(crate) fn size(&mut self, size: usize) {
        self.tokens.push(i64::try_from(size).expect("small sizes only"));
    }

    pub(crate) fn optional(&mut self, value: Option<i32>) {
        self.tokens.push(value.map_or(Self::NULL, i64::from));
    }

    /// Writes a link; returns the target on its first visit, when its fields must follow.
    pub(crate) fn link(&mut self, target: Option<usize>) -> Option<usize> {
        let Some(id) = target else {
            self.tokens.push(Self::NULL);
            return None;
        };
        let fresh = Self::FIRST_OBJECT + self.numbers.len() as i64;
        let number = *self.numbers.entry(id).or_insert(fresh);
        self.tokens.push(number);
        (number == fresh).then_some(id)
    }

    /// Writes a link whose target is given by reference.
    pub(crate) fn reference<'a, N>(&mut self, target: Option<&'a N>) -> Option<&'a N> {
        let id = target.map(|node| std::ptr::from_ref(node).addr());
        self.link(id).and(target)
    }

    /// Returns the written tokens, for comparison.
    pub(crate) fn into_tokens(self) -> Vec<i64> {
        self.tokens
    }

    fn n_nodes(&self) -> usize {
        self.numbers.len()
    }
}

/// The result of a call: a misuse, or a value that the search ignores.
pub(crate) trait Outcome {
    fn is_misuse(&self) -> bool {
        false
    }
}

impl Outcome for () {}

impl Outcome for bool {}

impl<R> Outcome for Option<R> {}

impl<R> Outcome for Result<R, Misuse> {
    fn is_misuse(&self) -> bool {
        self.is_err()
    }
}

type Constructor<T> = Box<dyn Fn() -> Option<T>>;
type Call<T> = Box<dyn Fn(&mut T) -> bool>;

/// A search: its calls, its literals and its bound on nodes.
pub(crate) struct Search<T> {
    n_nodes: usize,
    literals: Range<i32>,
    max_rounds: usize,
    constructors: Vec<Constructor<T>>,
    /// Each call returns whether it is misuse.
    calls: Vec<Call<T>>,
}

/// The result of a search.
pub(crate) struct SearchResult<T> {
    pub(crate) structures: Vec<T>,
    pub(crate) forms: HashSet<Vec<i64>>,
    pub(crate) explored: usize,
}

impl<T> SearchResult<T> {
    /// Returns the two numbers of the published tables: generated and explored.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.forms.len(), self.explored)
    }
}

impl<T: Clone + 'static> Search<T> {
    /// Creates a search over at most `k` nodes and the literals `0..k`, without slack.
    pub(crate) fn new(k: i32) -> Self {
        Self::with_literals(usize::try_from(k).expect("a scope is not negative"), 0..k)
    }

    pub(crate) fn with_literals(n_nodes: usize, literals: Range<i32>) -> Self {
        Self {
            n_nodes,
            literals,
            max_rounds: usize::MAX,
            constructors: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Stops the search after this many rounds; the first one only calls constructors.
    pub(crate) fn stop_after(mut self, max_rounds: usize) -> Self {
        self.max_rounds = max_rounds;
        self
    }

    /// Adds a constructor without parameters.
    pub(crate) fn starts(mut self, make: fn() -> T) -> Self {
        self.constructors.push(Box::new(move || Some(make())));
        self
    }

    /// Adds a constructor with one integer parameter.
    pub(crate) fn starts_with(mut self, make: fn(i32) -> Result<T, Misuse>) -> Self {
        for x in self.literals.clone() {
            self.constructors.push(Box::new(move || make(x).ok()));
        }
        self
    }

    /// Adds a builder without parameters.
    pub(crate) fn call<R: Outcome>(mut self, call: impl Fn(&mut T) -> R + 'static) -> Self {
        self.calls.push(Box::new(move |structure| call(structure).is_misuse()));
        self
    }

    /// Adds a builder with one integer parameter.
    pub(crate) fn call_1<R: Outcome>(
        self,
        call: impl Fn(&mut T, i32) -> R + Copy + 'static,
    ) -> Self {
        let literals = self.literals.clone();
        literals.fold(self, |search, x| search.call(move |structure| call(structure, x)))
    }

    /// Adds a builder with two integer parameters.
    pub(crate) fn call_2<R: Outcome>(
        self,
        call: impl Fn(&mut T, i32, i32) -> R + Copy + 'static,
    ) -> Self {
        let literals = self.literals.clone();
        literals.fold(self, |search, x| search.call_1(move |structure, y| call(structure, x, y)))
    }

    pub(crate) fn run(&self, form: fn(&T) -> Form) -> SearchResult<T> {
        let mut found = SearchResult { structures: Vec::new(), forms: HashSet::new(), explored: 0 };
        let mut newest = 0..0;
        for _ in 0..self.max_rounds {
            for make in &self.constructors {
                self.keep(&mut found, make(), form);
            }
            for old in newest.clone() {
                for is_misuse in &self.calls {
                    let mut next = found.structures[old].clone();
                    let next = (!is_misuse(&mut next)).then_some(next);
                    self.keep(&mut found, next, form);
                }
            }
            newest = newest.end..found.structures.len();
            if newest.is_empty() {
                break;
            }
        }
        found
    }

    fn keep(&self, found: &mut SearchResult<T>, result: Option<T>, form: fn(&T) -> Form) {
        found.explored += 1;
        let Some(structure) = result else { return };
        let form = form(&structure);
        if form.n_nodes() <= self.n_nodes && found.forms.insert(form.into_tokens()) {
            found.structures.push(structure);
        }
    }
}

/// Compares the counts at `k = 1, 2, ...` with the published ones.
#[track_caller]
pub(crate) fn assert_counts(expected: &[(usize, usize)], count: impl Fn(i32) -> (usize, usize)) {
    for (k, &expected) in (1..).zip(expected) {
        assert_eq!(count(k), expected, "generated and explored at k = {k}");
    }
}
