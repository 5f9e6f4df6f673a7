//! A naive bounded-exhaustive search for the tests of this crate.
//!
//! It knows nothing of the engine: every subject writes its canonical form by hand, and every call starts
//! from a clone. The published counts checked with it fix the behaviour of the subjects, and its forms are
//! a twin of those that the derived walk writes.

use std::collections::{HashMap, HashSet};

use crate::Misuse;

/// A canonical form in the making: depth-first, an object numbered at its first visit.
#[derive(Default)]
pub(crate) struct Form {
    tokens: Vec<i64>,
    numbers: HashMap<usize, i64>,
}

impl Form {
    const NULL: i64 = 0;
    const VALUE: i64 = 1;
    const NEW_OBJECT: i64 = 2;
    const FIRST_NUMBER: i64 = 3;

    /// Writes a primitive value.
    pub(crate) fn value(&mut self, value: impl Into<i64>) {
        self.tokens.extend([Self::VALUE, value.into()]);
    }

    /// Writes a count or another unsigned field.
    pub(crate) fn count(&mut self, count: usize) {
        self.value(i64::try_from(count).expect("a count of a small structure"));
    }

    /// Writes a primitive value that may be null.
    pub(crate) fn nullable(&mut self, value: Option<i32>) {
        match value {
            Some(value) => self.value(value),
            None => self.null(),
        }
    }

    /// Writes a null link.
    pub(crate) fn null(&mut self) {
        self.tokens.push(Self::NULL);
    }

    /// Writes a link to the object with this identity. The caller must write its fields if the answer is
    /// true: the object has not been met before.
    pub(crate) fn enter(&mut self, identity: usize) -> bool {
        let next = Self::FIRST_NUMBER + self.numbers.len() as i64;
        let number = *self.numbers.entry(identity).or_insert(next);
        let is_new = number == next;
        self.tokens.push(if is_new { Self::NEW_OBJECT } else { number });
        is_new
    }

    fn n_objects(&self) -> usize {
        self.numbers.len()
    }
}

/// The canonical form of a structure.
pub(crate) fn form<T>(structure: &T, write: fn(&T, &mut Form)) -> Vec<i64> {
    let mut form = Form::default();
    write(structure, &mut form);
    form.tokens
}

/// A constructor with its literals bound.
pub(crate) type Constructor<T> = Box<dyn Fn() -> Result<T, Misuse>>;
/// A builder with its literals bound.
pub(crate) type Builder<T> = Box<dyn Fn(&mut T) -> Result<(), Misuse>>;

/// A constructor without parameters.
pub(crate) fn constructor<T: 'static>(make: fn() -> T) -> Vec<Constructor<T>> {
    vec![Box::new(move || Ok(make()))]
}

/// A builder without parameters.
pub(crate) fn nullary<T: 'static>(call: fn(&mut T)) -> Builder<T> {
    Box::new(move |subject| {
        call(subject);
        Ok(())
    })
}

/// A builder with one parameter, bound to each of `literals` in turn.
pub(crate) fn unary<T: 'static, A: Copy + 'static, R: 'static>(
    literals: impl IntoIterator<Item = A>,
    call: fn(&mut T, A) -> Result<R, Misuse>,
) -> Vec<Builder<T>> {
    let bind =
        |literal| -> Builder<T> { Box::new(move |subject| call(subject, literal).map(drop)) };
    literals.into_iter().map(bind).collect()
}

/// What a search found.
pub(crate) struct Found<T> {
    /// The structures, in the order found.
    pub(crate) structures: Vec<T>,
    /// The number of calls made.
    pub(crate) n_explored: usize,
}

impl<T> Found<T> {
    /// Generated and explored, as the published tables give them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.structures.len(), self.n_explored)
    }
}

/// All structures of at most `max_objects` objects that the calls can build, found round by round: every
/// round runs each constructor, and each builder on each structure that was new in the round before.
pub(crate) fn explore<T: Clone>(
    max_objects: usize,
    constructors: &[Constructor<T>],
    builders: &[Builder<T>],
    write: fn(&T, &mut Form),
) -> Found<T> {
    let mut seen = HashSet::new();
    let mut found: Found<T> = Found { structures: Vec::new(), n_explored: 0 };
    let mut frontier = 0..0;
    loop {
        let mut results: Vec<_> = constructors.iter().map(|construct| construct()).collect();
        for subject in &found.structures[frontier.clone()] {
            for build in builders {
                let mut extended = subject.clone();
                results.push(build(&mut extended).map(|()| extended));
            }
        }
        found.n_explored += results.len();
        frontier.start = found.structures.len();
        for structure in results.into_iter().flatten() {
            let mut form = Form::default();
            write(&structure, &mut form);
            if form.n_objects() <= max_objects && seen.insert(form.tokens) {
                found.structures.push(structure);
            }
        }
        frontier.end = found.structures.len();
        if frontier.is_empty() {
            return found;
        }
    }
}
