//! Problems: the ways in which a subject can be wrong.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use beget_process::guard::short_place;

/// The kinds that this workspace finds, each with its name.
macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident = $name:literal,)+) => {
        /// The kind of a problem: its name in all outputs.
        ///
        /// Any crate can add its own by [`Kind::new`]. Kinds are compared by name.
        #[derive(Clone, Debug)]
        pub enum Kind {
            $($(#[$doc])+ $kind,)+
            /// Another, of which the name is all that is known.
            Other(Cow<'static, str>),
        }

        impl Kind {
            /// The kind of that name; names are in snake case.
            pub fn new(name: impl Into<Cow<'static, str>>) -> Kind {
                let name = name.into();
                match &*name {
                    $($name => Kind::$kind,)+
                    _ => Kind::Other(name),
                }
            }

            /// The name.
            pub fn name(&self) -> &str {
                match self {
                    $(Kind::$kind => $name,)+
                    Kind::Other(name) => name,
                }
            }
        }
    };
}

kinds! {
    /// A call panicked, and no rule of the scope expects it.
    Panic = "panic",
    /// The recipe, run again, builds another structure.
    Nondeterministic = "nondeterministic",
    /// Calls on a clone changed its original.
    CloneShares = "clone_shares",
    /// Calls on clones differ from calls on rebuilt structures.
    CloneDiffers = "clone_differs",
    /// The destructor of a value that a call left panicked.
    DropPanics = "drop_panics",
    /// Calls in the region differ from calls on rebuilt structures, or left memory where no root
    /// scan looks. Earlier results may be wrong.
    RegionDiffers = "region_differs",
    /// The value decoded from a form walks to another form.
    DecodeDiffers = "decode_differs",
    /// A structure holds a weak pointer to an object that another structure owns.
    OwnedElsewhere = "owned_elsewhere",
    /// A call left a structure that does not pass an invariant of the suite.
    Invariant = "invariant",
    /// A contract is broken: a built-in one, by one structure or by several together, or a
    /// condition that a suite states for a method.
    Contract = "contract",
    /// A property does not hold for a structure.
    Property = "property",
    /// A call behaves differently from the recorded version of the subject.
    Regression = "regression",
    /// A repOK rejects a structure that calls build.
    RepOk = "repok",
    /// A repOK panicked.
    RepOkPanic = "repok_panic",
    /// A repOK reads without end.
    RepOkEndless = "repok_endless",
    /// A call ended its process: it aborted, exited, overflowed its stack, or accessed unmapped
    /// memory.
    Crash = "crash",
    /// A call did not return.
    Hang = "hang",
    /// Copying or walking a structure exceeded its time limit, so the run lacks calls, or their
    /// results.
    LeftOut = "left_out",
    /// A call took more memory than allowed, or misused it.
    Memory = "memory",
    /// A call left memory that can no longer be freed.
    Leak = "leak",
    /// A repOK gives different answers for the same heap.
    RepOkUnstable = "repok_unstable",
}

impl Kind {
    /// Returns whether it only shows in a watched process: calls that show it end their process, do
    /// not return, or misuse memory.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Kind::Crash | Kind::Hang | Kind::LeftOut | Kind::Memory | Kind::Leak)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kind {}

impl PartialOrd for Kind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Kind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The contract that values left by a panic can be inspected, used and dropped.
pub const USABLE_AFTER_PANIC: &str = "usable_after_panic";

/// The contract that calls use only memory that they own, and use it correctly.
pub const MEMORY_SOUND: &str = "memory_sound";

/// The contract that allocations of calls are freed in the end.
pub const MEMORY_FREED: &str = "memory_freed";

/// The contract that elements whose traits lie do not corrupt memory.
pub const ELEMENTS_SURVIVE_LIES: &str = "elements_survive_lies";

/// A problem. Equal problems are one problem that shows in several places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Problem {
    /// Its kind.
    pub kind: Kind,
    /// The contract or clause that does not hold, if any.
    pub name: Option<String>,
    /// The message: a sentence without its full stop.
    pub message: Cow<'static, str>,
    /// The place in the source, as `file:line:column`, if known.
    pub place: Option<String>,
    /// The panic's own message, if the problem is a panic.
    pub panic_message: Option<String>,
}

impl Problem {
    /// A problem without a name and place.
    pub fn new(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Problem { kind, name: None, message: message.into(), place: None, panic_message: None }
    }

    /// The same with the contract or clause that does not hold.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Problem { name: Some(name.into()), ..self }
    }

    /// The same with the place where it happened.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        Problem { place: Some(place.into()), ..self }
    }

    /// The same with the message and the place of its panic.
    #[must_use]
    pub fn of_panic(self, message: impl Into<String>, place: impl Into<String>) -> Self {
        Problem { panic_message: Some(message.into()), ..self.at(place) }
    }

    /// A call panicked with `message` at `place`.
    pub fn panic(message: &str, place: String) -> Self {
        let text = format!("panicked at {}: {message}", short_place(&place));
        Problem::new(Kind::Panic, text).of_panic(message, place)
    }

    /// The recipe, run again, builds another structure.
    pub fn nondeterministic() -> Self {
        Problem::new(
            Kind::Nondeterministic,
            "run again, the same calls give another structure. Usual causes: the iteration order of a \
             HashMap, time, randomness, addresses, a static or thread-local that calls share, or a field \
             that is skipped or omitted but matters",
        )
    }

    /// Calls on a clone changed its original.
    pub fn clone_shares() -> Self {
        Problem::new(
            Kind::CloneShares,
            "a call on a clone changed the original: `Clone` shares state (an `Rc`, a raw pointer), so \
             clones are not used",
        )
    }

    /// Calls on clones differ from calls on rebuilt structures.
    pub fn clone_differs() -> Self {
        Problem::new(
            Kind::CloneDiffers,
            "calls on clones gave something else than calls on rebuilt structures: `Clone` shares state (an \
             `Rc`, a raw pointer) or leaves something out, so clones are not used",
        )
    }

    /// The destructor of a value that a call left panicked with `message` at `place`.
    pub fn drop_panics(message: &str, place: String) -> Self {
        let text = format!("a destructor panicked at {}: {message}", short_place(&place));
        Problem::new(Kind::DropPanics, text).of_panic(message, place)
    }

    /// Calls in the region differ from calls on rebuilt structures, or left memory where no root
    /// scan looks.
    pub fn region_differs() -> Self {
        Problem::new(
            Kind::RegionDiffers,
            "calls on a copy of the structure's memory gave something else than calls on structures that \
             are built again. Usual causes: a call reads memory that it has not written, or memory that is \
             freed or is not its own; or it keeps something outside the values, where no scan looks",
        )
    }

    /// Calls on decoded values of these types differ from calls on values built by their recipes.
    /// `fields` are the raw pointers in them.
    pub fn decode_misleads(types: &str, fields: &str) -> Self {
        let text = format!(
            "calls on decoded values of {types} gave something else than calls on the values that their recipes \
             build: a raw pointer ({fields}) does not keep the promise of `unsafe(pointer)`, to lead to a live \
             object of its own that was allocated as `Box` allocates; run again with `--ways replay`"
        );
        Problem::new(Kind::DecodeDiffers, text)
    }

    /// Some work on a structure, other than a call, takes too long.
    pub fn left_out(work: &str) -> Self {
        let text = format!("{work} takes too long: it was stopped, and is left out of the run");
        Problem::new(Kind::LeftOut, text)
    }

    /// The value decoded from a form walks to another form.
    pub fn decode_differs() -> Self {
        Problem::new(
            Kind::DecodeDiffers,
            "the value decoded from its canonical form walks to another form: `decode` must mirror `walk`",
        )
    }

    /// A structure holds a weak pointer to an object that another structure owns.
    pub fn owned_elsewhere() -> Self {
        Problem::new(
            Kind::OwnedElsewhere,
            "a weak pointer leads to an object that another structure owns: once that structure is \
             dropped, this one is another, so it cannot be made again by itself. Handles, such as \
             `struct Node(Rc<RefCell<..>>)`, are tested in a struct that owns them all, \
             `struct Forest(Vec<Node>)`, by methods that take positions (the cookbook has one); \
             elsewhere keep the owner in the structure, or skip the field",
        )
    }

    /// A structure does not pass the invariant `name`; `reason` may be empty.
    pub fn invariant(name: &str, reason: &str) -> Self {
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let message = format!("the invariant `{name}` does not hold{reason}");
        Problem::new(Kind::Invariant, message).with_name(name)
    }

    /// The contract `name` is broken.
    pub fn contract(name: &str, reason: &str) -> Self {
        let message = format!("the contract `{name}` is broken: {reason}");
        Problem::new(Kind::Contract, message).with_name(name)
    }

    /// A call misuses memory, which breaks [`MEMORY_SOUND`].
    pub fn memory(fault: &str) -> Self {
        Problem::new(Kind::Memory, format!("in the call, or when all is dropped, {fault}"))
            .with_name(MEMORY_SOUND)
    }

    /// A call leaves this many blocks of memory, which breaks [`MEMORY_FREED`].
    pub fn leak(blocks: usize, bytes: usize) -> Self {
        let what = match blocks {
            1 => format!("a block of {bytes} bytes is"),
            _ => format!("{blocks} blocks of {bytes} bytes in all are"),
        };
        Problem::new(Kind::Leak, format!("{what} never freed, though all is dropped"))
            .with_name(MEMORY_FREED)
    }

    /// The values left by a panic break [`USABLE_AFTER_PANIC`].
    pub fn after_panic(reason: &str) -> Self {
        Problem::contract(USABLE_AFTER_PANIC, reason)
    }

    /// A property does not hold for a structure; `reason` may be empty.
    pub fn property(reason: &str) -> Self {
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        Problem::new(Kind::Property, format!("the property does not hold{reason}"))
    }

    /// A repOK's clause rejects a structure.
    pub fn rejected(rep_ok: &str, clause: &str) -> Self {
        let message = format!("repOK `{rep_ok}` rejects the structure: {clause}");
        Problem::new(Kind::RepOk, message).with_name(clause)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_never_freed_are_counted() {
        let leak = |blocks, bytes| Problem::leak(blocks, bytes).to_string();
        assert_eq!(leak(1, 8), "a block of 8 bytes is never freed, though all is dropped");
        let several = "3 blocks of 40 bytes in all are never freed, though all is dropped";
        assert_eq!(leak(3, 40), several);
    }

    #[test]
    fn a_kind_is_found_by_its_name() {
        assert!(matches!(Kind::new("drop_panics".to_owned()), Kind::DropPanics));
        assert_eq!(Kind::DropPanics.name(), "drop_panics");
        assert_eq!(Kind::new("model"), Kind::Other("model".into()));
        assert_ne!(Kind::new("model"), Kind::Panic);
    }

    #[test]
    fn what_ends_a_process_is_fatal() {
        let fatal = [Kind::Crash, Kind::Hang, Kind::LeftOut, Kind::Memory, Kind::Leak];
        assert!(fatal.iter().all(Kind::is_fatal));
        let others = [Kind::Panic, Kind::Contract, Kind::DropPanics, Kind::RepOkEndless];
        assert!(!others.iter().any(Kind::is_fatal));
    }
}
