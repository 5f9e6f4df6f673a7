//! A suite from several blocks of one type, and the functions that the blocks leave out.

use crate::{Constant, Invariant, Method, Suite};

/// The additions of a further block to a type's suite: `#[beget::api(part = 2)]`.
pub trait HasPart<const NUMBER: u32> {
    /// The part.
    fn part() -> SuitePart;
}

/// Methods and invariants of one block.
#[derive(Clone, Debug, Default)]
pub struct SuitePart {
    /// The methods in source order.
    pub methods: Vec<Method>,
    /// The methods of the block that do not take part.
    pub absent: Vec<AbsentMethod>,
    /// The invariants in source order.
    pub invariants: Vec<Invariant>,
    /// The constants that it names.
    pub constants: Vec<Constant>,
}

/// A method of a block that is no method of its suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbsentMethod {
    /// Its name.
    pub name: &'static str,
    /// The reason why it does not take part.
    pub reason: Absence,
}

/// The reason why a method does not take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// It is not `pub`.
    NotPublic,
    /// The block skips it.
    Skipped,
    /// The block chooses others.
    NotChosen,
}

impl std::fmt::Display for Absence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Absence::NotPublic => "not `pub`",
            Absence::Skipped => "skipped",
            Absence::NotChosen => "not among `only`",
        })
    }
}

impl Suite {
    /// The suite with the additions of a further block.
    ///
    /// # Panics
    ///
    /// If a method's name is taken: the blocks are checked together only here.
    #[must_use]
    pub fn with_part(mut self, part: Option<SuitePart>) -> Self {
        let Some(part) = part else { return self };
        for method in &part.methods {
            let (name, suite) = (method.name, &self.name);
            assert!(
                self.method_named(name).is_none(),
                "two blocks of `{suite}` have a method `{name}`: write `#[api(name = \"...\")]` on one of them, or \
                 `#[api(skip)]`",
            );
        }
        self.methods.extend(part.methods);
        self.absent.extend(part.absent);
        self.invariants.extend(part.invariants);
        self.constants.extend(part.constants);
        self
    }
}

/// Finds out whether a concrete type has a further block, in emitted code that cannot ask by
/// bounds; [`Probe`](beget_heap::probe::Probe) describes how.
pub mod part_probe {
    use std::marker::PhantomData;

    use super::{HasPart, SuitePart};

    /// The highest number of a block.
    pub const MOST_PARTS: u32 = 9;

    /// Carries the type asked about and the number of the block.
    #[derive(Debug)]
    pub struct PartProbe<T, const NUMBER: u32>(PhantomData<T>);

    impl<T, const NUMBER: u32> PartProbe<T, NUMBER> {
        /// A probe for block `NUMBER` of `T`.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self {
            PartProbe(PhantomData)
        }
    }

    /// Chosen where `T: HasPart<NUMBER>`.
    pub trait IsPart {
        /// The part.
        fn part(&self) -> Option<SuitePart>;
    }

    impl<T: HasPart<NUMBER>, const NUMBER: u32> IsPart for PartProbe<T, NUMBER> {
        fn part(&self) -> Option<SuitePart> {
            Some(T::part())
        }
    }

    /// Chosen otherwise.
    pub trait IsNoPart {
        /// `None`.
        fn part(&self) -> Option<SuitePart>;
    }

    impl<T, const NUMBER: u32> IsNoPart for &PartProbe<T, NUMBER> {
        fn part(&self) -> Option<SuitePart> {
            None
        }
    }
}
