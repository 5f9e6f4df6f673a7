//! Which problems have one cause, and how much each matters.

use crate::{Kind, Problem};

/// What problems of one cause have in common. Those of another method have another cause; which
/// method it was, a problem does not know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    kind: Kind,
    name: Option<String>,
    place: Option<String>,
    gist: String,
}

/// How much a problem matters: the least first.
///
/// ```
/// use beget_finding::{Problem, Priority};
///
/// let panic = |message| Problem::panic(message, "src/lib.rs:7:9".to_owned());
/// let slip = panic("index out of bounds: the len is 2 but the index is 5").priority();
/// assert_eq!(slip, Priority::Slip);
/// assert!(slip > panic("the ring is full").priority());
/// assert!(slip < Problem::invariant("is_sorted", "").priority());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// A panic with a text of the code's own: often a documented check of an argument.
    Check,
    /// A panic that the language or a container raises: an index, an overflow, an `unwrap`, an
    /// `unreachable!`. Nobody foresaw it.
    Slip,
    /// A contract is broken: an invariant, a law of a trait, the promise to be deterministic.
    Contract,
    /// Memory is misused, or a destructor fails.
    Memory,
    /// A call does not return.
    Hang,
    /// A call ends the process.
    Crash,
}

/// What panics of the language and of `core` begin with.
const SLIPS: [&str; 14] = [
    "index out of bounds",
    "attempt to ",
    "called `Option::",
    "called `Result::",
    "internal error: entered unreachable code",
    "range start index ",
    "range end index ",
    "slice index starts at ",
    "byte index ",
    "already borrowed",
    "already mutably borrowed",
    "RefCell already ",
    "capacity overflow",
    "not implemented",
];

impl Problem {
    /// What it has in common with problems of the same cause: all but the numbers, texts and lists
    /// in its message, and the lines after the first.
    ///
    /// ```
    /// use beget_finding::Problem;
    ///
    /// let panic = |message| Problem::panic(message, "src/lib.rs:7:9".to_owned()).signature();
    /// assert_eq!(panic("no key 7 in [1, 2]"), panic("no key 12 in []"));
    /// assert_ne!(panic("no key 7"), panic("no value 7"));
    /// ```
    pub fn signature(&self) -> Signature {
        Signature {
            kind: self.kind.clone(),
            name: self.name.clone(),
            place: self.place.clone(),
            gist: gist(self.said()),
        }
    }

    /// How much it matters. Of a panic it is a guess by the message.
    pub fn priority(&self) -> Priority {
        match self.kind.name() {
            "crash" => Priority::Crash,
            "hang" | "repok_endless" => Priority::Hang,
            "memory" | "leak" | "drop" | "drop_panics" => Priority::Memory,
            "panic" if SLIPS.iter().any(|slip| self.said().starts_with(slip)) => Priority::Slip,
            "panic" => Priority::Check,
            _ => Priority::Contract,
        }
    }

    /// What a panic said; of other problems the message.
    fn said(&self) -> &str {
        let place = self.place.as_deref().unwrap_or_default();
        let after = self.message.strip_prefix("panicked at ").and_then(|it| it.strip_prefix(place));
        after.and_then(|after| after.strip_prefix(": ")).unwrap_or(&self.message)
    }
}

/// The first line without its numbers, texts in quotes, and lists in brackets.
fn gist(message: &str) -> String {
    let mut gist = String::new();
    let (mut in_text, mut depth) = (false, 0_u32);
    for char in message.lines().next().unwrap_or_default().chars() {
        match char {
            '"' => in_text = !in_text,
            _ if in_text => {}
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || char.is_ascii_digit() => {}
            _ => gist.push(char),
        }
    }
    gist
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_all_but_what_varies() {
        let panic = |message: &str| Problem::panic(message, "a.rs:1:1".to_owned()).signature();
        let unwrap = "called `Result::unwrap()` on an `Err` value: Bad";
        assert_eq!(panic(&format!("{unwrap}(\"x\")")), panic(&format!("{unwrap}(\"a 1\")")));
        let failed = "assertion `left == right` failed\n  left: ";
        assert_eq!(panic(&format!("{failed}A")), panic(&format!("{failed}B")));
        assert_ne!(panic("no room"), Problem::panic("no room", "a.rs:2:1".to_owned()).signature());
        let broken = |name: &str| Problem::invariant(name, "").signature();
        assert_ne!(broken("a"), broken("b"));
    }

    #[test]
    fn what_nobody_foresaw_comes_before_checks() {
        let of_kind = |kind| Problem::new(kind, "m").priority();
        let panic = |message| Problem::panic(message, "a.rs:1:1".to_owned()).priority();
        let ranked = [
            panic("key out of range"),
            panic("attempt to subtract with overflow"),
            of_kind(Kind::REPOK),
            of_kind(Kind::DROP_PANICS),
            of_kind(Kind::new("hang")),
            of_kind(Kind::new("crash")),
        ];
        assert!(ranked.is_sorted_by(|less, more| less < more), "{ranked:?}");
    }
}
