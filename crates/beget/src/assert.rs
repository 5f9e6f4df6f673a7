//! Assertions in the tests of findings: `check!` prints them, and `beget emit` writes them.

use beget_heap::{Bounds, Layout, Schema, canonical_form};
use beget_oracle::rep_ok::{Checker, HasRepOks, Subject};
use beget_plan::finding::Problem;
use beget_process::alloc::{MemoryCheck, MemoryFill};
use beget_run::MAX_READS;
use beget_suite::Answer;

/// Fails as a run does that finds a broken invariant; `answer` is the result of its function.
///
/// # Panics
/// If the invariant does not hold, with its name and message.
///
/// ```should_panic
/// # struct Stack { items: Vec<u8>, len: usize }
/// # impl Stack { fn is_counted(&self) -> bool { self.items.len() == self.len } }
/// let stack = Stack { items: vec![1], len: 2 };
/// beget::assert_invariant("is_counted", stack.is_counted());
/// ```
#[track_caller]
pub fn assert_invariant(name: &str, answer: impl Answer) {
    if let Err(reason) = answer.verdict() {
        panic!("{}", Problem::invariant(name, &reason));
    }
}

/// Fails as [`for_all!`](crate::for_all!) does if the property does not hold for the structure.
///
/// # Panics
/// If it does not hold, with its message, or as the property does.
///
/// ```should_panic
/// beget::assert_property(vec![1], |items| items.is_empty());
/// ```
#[track_caller]
pub fn assert_property<T, V: Answer>(structure: T, property: impl FnOnce(T) -> V) {
    if let Err(reason) = property(structure).verdict() {
        panic!("{}", Problem::property(&reason));
    }
}

/// Fails as a run does in which the repOK of that name rejects a structure. The documentation of
/// [`derive(HeapView)`](derive@crate::HeapView) has an example.
///
/// # Panics
/// If it rejects the value, with the clause that does not hold, or the type has no such repOK.
#[track_caller]
pub fn assert_rep_ok<T: HasRepOks>(name: &str, value: &T) {
    let subject = Subject::new(T::rep_oks());
    let Some(rep_ok) = subject.rep_ok(name) else { panic!("there is no repOK `{name}`") };
    let bounds = Bounds::unlimited();
    let schema = Schema::of::<T>();
    let layout = Layout::new(&schema, &bounds);
    // Without bounds nothing is out of bounds; only ties may be too many.
    let form = canonical_form(value, &bounds).unwrap_or_else(|reason| panic!("{reason}"));
    let mut checker = Checker::new(&subject.shapes, &layout, MAX_READS);
    let clause = match checker.check(rep_ok.as_fn(), form.as_ref()) {
        Ok(Ok(())) => return,
        Ok(Err(broken)) => broken.0.to_owned(),
        Err(cause) => cause.to_string(),
    };
    panic!("{}", Problem::rejected(name, &clause));
}

/// Fails if the code misuses the memory that it allocates, or leaves memory that cannot be freed.
///
/// The test's binary needs the allocator.
///
/// ```
/// # fn main() {
/// beget::install_allocator!(unsafe);
///
/// beget::assert_memory(|| drop(vec![1, 2, 3]));
/// # }
/// ```
///
/// If it does, with the error; if the allocator is not [installed](crate::install_allocator!) or
/// does not support the platform; and as the code does.
#[track_caller]
pub fn assert_memory(work: impl FnOnce()) {
    let Some(mut check) = MemoryCheck::open() else {
        panic!(
            "memory cannot be checked: write `beget::install_allocator!(unsafe);` into the crate of the test"
        )
    };
    check.run(MemoryFill::PAIR[0], work);
    let checked = check.finish();
    if let Some(fault) = checked.fault {
        panic!("{}", Problem::memory(&fault.to_string()));
    }
    if checked.has_leak() {
        panic!("{}", Problem::leak(checked.live_blocks, checked.live_bytes));
    }
}
