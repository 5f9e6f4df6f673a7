//! Grouping problems by cause, and ranking them.

use beget_process::guard::is_std_place;

use crate::finding::{Kind, Problem, USABLE_AFTER_PANIC};

/// The common part of problems with one cause. Where the [place](Problem::is_placed) does not say
/// it, problems of another method have another cause; a problem does not know its method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    kind: Kind,
    name: Option<String>,
    place: Option<String>,
    gist: String,
}

/// The importance of a problem, the least first.
///
/// ```
/// use beget_plan::finding::{Problem, Priority};
///
/// let panic = |message| Problem::panic(message, "src/lib.rs:7:9".to_owned());
/// let slip = panic("index out of bounds: the len is 2 but the index is 5").priority();
/// assert_eq!(slip, Priority::Slip);
/// assert!(slip > panic("the ring is full").priority());
/// assert!(slip < Problem::invariant("is_sorted", "").priority());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// A panic with the code's own text: often a documented check of an argument.
    Check,
    /// A panic of the language or a container: an index, an overflow, an `unwrap`, an
    /// `unreachable!`. Usually not intended.
    Slip,
    /// A broken contract: an invariant, a law of a trait, determinism.
    Contract,
    /// Misused memory, or a failing destructor.
    Memory,
    /// A call does not return.
    Hang,
    /// A call ends the process.
    Crash,
}

/// The beginnings of panics of the language and of `core`.
const SLIPS: [&str; 23] = [
    "index out of bounds",
    "attempt to ",
    "called `Option::",
    "called `Result::",
    "internal error: entered unreachable code",
    "range start index ",
    "range end index ",
    "slice index starts at ",
    "byte index ",
    "start byte index ",
    "end byte index ",
    "insertion index ",
    "removal index ",
    "swap_remove index ",
    "`at` split index ",
    "mid > len",
    "copy_from_slice: source slice length ",
    "source slice length ",
    "already borrowed",
    "already mutably borrowed",
    "RefCell already ",
    "capacity overflow",
    "not implemented",
];

impl Problem {
    /// The signature that it shares with problems of the same cause. It keeps the first line of the
    /// message, or of the panic's, without values: numbers, characters and texts in quotes, and
    /// lists in brackets. Texts in backticks are values in a panic's message, and names elsewhere.
    /// Of what is left by a panic only the kind counts: the cause is that panic, whatever shows it.
    ///
    /// ```
    /// use beget_plan::finding::Problem;
    ///
    /// let panic = |message| Problem::panic(message, "src/lib.rs:7:9".to_owned()).signature();
    /// assert_eq!(panic("no key 7 in [1, 2]"), panic("no key 12 in []"));
    /// assert_eq!(panic("`ab` has no 'c'"), panic("`` has no '\\n'"));
    /// assert_ne!(panic("no key 7"), panic("no value 7"));
    /// ```
    pub fn signature(&self) -> Signature {
        let Problem { kind, name, .. } = self;
        let (place, gist) = match &self.panic_message {
            _ if self.is_after_panic() => (None, String::new()),
            Some(message) => (self.place.clone(), gist(message, &['"', '`'])),
            None => (self.place.clone(), gist(&self.message, &['"'])),
        };
        Signature { kind: kind.clone(), name: name.clone(), place, gist }
    }

    fn is_after_panic(&self) -> bool {
        self.name.as_deref() == Some(USABLE_AFTER_PANIC)
    }

    /// Returns whether its place in the source says the cause. A place in the standard library does
    /// not, what calls it does; nor does the text for an unknown place.
    ///
    /// ```
    /// use beget_plan::finding::Problem;
    ///
    /// assert!(Problem::panic("full", "src/lib.rs:7:9".to_owned()).is_placed());
    /// let of_std = "/rustc/4a4ef493e3/library/std/src/a.rs:7:9".to_owned();
    /// assert!(!Problem::panic("full", of_std).is_placed());
    /// assert!(!Problem::panic("full", "an unknown place".to_owned()).is_placed());
    /// assert!(!Problem::invariant("is_sorted", "").is_placed());
    /// ```
    pub fn is_placed(&self) -> bool {
        let place = self.place.as_ref().filter(|_| !self.is_after_panic());
        place.is_some_and(|place| {
            !is_std_place(place) && place.ends_with(|char: char| char.is_ascii_digit())
        })
    }

    /// Its importance. For a panic this is a guess by the message.
    pub fn priority(&self) -> Priority {
        match self.kind.name() {
            "crash" => Priority::Crash,
            "hang" | "repok_endless" => Priority::Hang,
            "memory" | "leak" | "drop_panics" => Priority::Memory,
            "panic" => match &self.panic_message {
                Some(text) if SLIPS.iter().any(|slip| text.starts_with(slip)) => Priority::Slip,
                _ => Priority::Check,
            },
            _ => Priority::Contract,
        }
    }
}

/// The first line of `message` without values: numbers, characters, lists in brackets, and texts
/// between two equal characters of `quotes`.
fn gist(message: &str, quotes: &[char]) -> String {
    let mut gist = String::new();
    let mut depth = 0_u32;
    let mut rest = message.lines().next().unwrap_or_default();
    while let Some(char) = rest.chars().next() {
        if char == '\''
            && let Some(len) = character_len(rest)
        {
            rest = &rest[len..];
            continue;
        }
        if char == '0' && rest.starts_with("0x") {
            rest = rest[2..].trim_start_matches(|char: char| char.is_ascii_hexdigit());
            continue;
        }
        rest = &rest[char.len_utf8()..];
        match char {
            _ if quotes.contains(&char) => rest = after_text(rest, char),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || char.is_ascii_digit() => {}
            _ => gist.push(char),
        }
    }
    gist
}

/// The number of bytes of a quoted character at the start of `text`, such as `'a'` or `'\n'`;
/// `None` for an apostrophe.
fn character_len(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    let (_, first) = chars.next()?;
    if first == '\\' {
        chars.next()?;
        return chars.find(|&(_, char)| char == '\'').map(|(at, _)| at + 1);
    }
    chars.next().filter(|&(_, char)| char == '\'').map(|(at, _)| at + 1)
}

/// The rest after a text that `quote` ends. In a text written by `Debug`, a backslash escapes it.
fn after_text(text: &str, quote: char) -> &str {
    let mut is_escaped = false;
    let end = text.char_indices().find(|&(_, char)| {
        let is_end = char == quote && !is_escaped;
        is_escaped = quote == '"' && char == '\\' && !is_escaped;
        is_end
    });
    end.map_or("", |(at, _)| &text[at + quote.len_utf8()..])
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
        let slice = |text: &str| panic(&format!("end byte index 6 is out of bounds of `{text}`"));
        assert_eq!(slice("aaaaa"), slice("a\\"));
        assert_eq!(slice("a\\` is `b"), slice("b` is `c"));
        assert_ne!(slice("a` is"), slice("a` was"));
        assert_eq!(panic("at 0x7f3a"), panic("at 0x12"));
        assert_eq!(panic("10 are in use"), panic("11 are in use"));
        assert_eq!(panic("it is \"a\\\" b\\\\\" now"), panic("it is \"c\" now"));
        assert_eq!(panic("[[a], b] is short"), panic("[c] is short"));
        assert_eq!(panic("it is 'é' or '\\u{1f}'"), panic("it is 'x' or '\\''"));
        assert_eq!(panic("it is 'x'"), panic("it is '\\n'"));
        assert_ne!(panic("[1, 2] is short"), panic("[1, 2] is long"));
        assert_ne!(panic("\"a\" is short"), panic("\"a\" is long"));
        assert_ne!(panic("can't push, can't pop"), panic("can't pull, can't pop"));
        assert_ne!(panic("no room"), Problem::panic("no room", "a.rs:2:1".to_owned()).signature());
        let differs = |method: &str| Problem::contract("len", &format!("`{method}` differs"));
        assert_ne!(differs("len").signature(), differs("count").signature());
        let broken = |name: &str| Problem::invariant(name, "").signature();
        assert_ne!(broken("a"), broken("b"));
        let left = |when: &str, place: &str| Problem::after_panic(when).at(place);
        let [one, other] = [left("after `a`", "a.rs:1:1"), left("after `b`", "b.rs:2:2")];
        assert_eq!(one.signature(), other.signature());
        assert!(!one.is_placed());
        assert_ne!(one.signature(), Problem { kind: Kind::Crash, ..other }.signature());
    }

    #[test]
    fn what_nobody_foresaw_comes_before_checks() {
        let of_kind = |kind| Problem::new(kind, "m").priority();
        let panic = |message| Problem::panic(message, "a.rs:1:1".to_owned()).priority();
        let ranked = [
            panic("key out of range"),
            panic("attempt to subtract with overflow"),
            of_kind(Kind::RepOk),
            of_kind(Kind::DropPanics),
            of_kind(Kind::Hang),
            of_kind(Kind::Crash),
        ];
        assert!(ranked.is_sorted_by(|less, more| less < more), "{ranked:?}");
    }
}
