//! Marks in a subject's code.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::coverage::Coverage;

/// The marks of a subject: numbered *points* of its code, each with a *fingerprint* of what the
/// code saw there.
///
/// A point that was noted is a covered block. A pair of point and fingerprint is what the container
/// experiments call a predicate (Visser, Pasareanu, Pelanek, ISSTA 2006; Pacheco, Lahiri, Ernst and
/// Ball, ICSE 2007, §3.1). The table for the pairs has its full size from the start.
///
/// ```
/// use beget_process::coverage::{Coverage, marks};
///
/// marks! {
///     /// Each point has four fingerprints.
///     static MARKS: 3 points, 4;
/// }
///
/// let session = MARKS.session();
/// MARKS.note(0, 1);
/// MARKS.note(2, 1);
/// MARKS.note(2, 3);
/// assert_eq!(session.blocks().covered(), 2);
/// assert_eq!(session.predicates().covered(), 3);
/// ```
pub struct CodeMarks {
    source: MarkedSource,
    n_points: usize,
    n_fingerprints: usize,
    pairs: &'static [AtomicU64],
    n_pairs: AtomicUsize,
    in_use: Mutex<()>,
    /// Unused tables for threads that note separately.
    spare: Mutex<Vec<&'static [AtomicU64]>>,
}

/// The source that notes marks, if it was declared.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct MarkedSource {
    pub file: &'static str,
    pub text: &'static str,
}

/// The line of the source that notes a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkPlace {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The code of the line.
    pub code: &'static str,
}

impl MarkedSource {
    fn place(&self, point: usize) -> Option<MarkPlace> {
        let mut lines = self.text.lines().zip(1..);
        let (code, line) = lines.find(|(code, _)| points_in(code).any(|other| other == point))?;
        Some(MarkPlace { file: self.file, line, code: code.trim() })
    }
}

/// The points that a line notes: the numbers behind `mark(` or `// points`.
fn points_in(line: &str) -> impl Iterator<Item = usize> {
    let found = ["// points ", "mark("].into_iter().find_map(|before| line.split_once(before));
    let words = found.map_or("", |(_, behind)| behind);
    let words = words.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter_map(|word| word.parse().ok())
}

/// The marks that this thread notes separately, and their table.
type Apart = (&'static CodeMarks, &'static [AtomicU64]);

thread_local! {
    static APART: Cell<Option<Apart>> = const { Cell::new(None) };
}

/// Declares a static of type [`CodeMarks`](crate::coverage::CodeMarks), by its number of points and
/// the number of fingerprints that each may have.
///
/// With `in` and the name of the source file, the marks know their places: the place of a point is
/// the first line that has its number behind `mark(`, or in a comment behind `// points`.
#[macro_export]
macro_rules! marks {
    ($(#[$meta:meta])* $visibility:vis static $name:ident: $points:literal points, $fingerprints:expr $(, in $source:literal)?;) => {
        $(#[$meta])*
        $visibility static $name: $crate::coverage::CodeMarks = {
            const FINGERPRINTS: usize = $fingerprints;
            const WORDS: usize = ($points * FINGERPRINTS).div_ceil(64);
            static PAIRS: [::std::sync::atomic::AtomicU64; WORDS] =
                [const { ::std::sync::atomic::AtomicU64::new(0) }; WORDS];
            let marks = $crate::coverage::CodeMarks::new($points, FINGERPRINTS, &PAIRS);
            $(let marks = marks.of_source(file!(), include_str!($source));)?
            marks
        };
    };
}

impl CodeMarks {
    /// Marks without any noted, over a table with a bit for each pair.
    /// [`marks!`](crate::coverage::marks) calls this.
    #[doc(hidden)]
    pub const fn new(n_points: usize, n_fingerprints: usize, pairs: &'static [AtomicU64]) -> Self {
        assert!(pairs.len() * 64 >= n_points * n_fingerprints, "a bit for each pair");
        CodeMarks {
            source: MarkedSource { file: "", text: "" },
            n_points,
            n_fingerprints,
            pairs,
            n_pairs: AtomicUsize::new(0),
            in_use: Mutex::new(()),
            spare: Mutex::new(Vec::new()),
        }
    }

    /// The same with the source that notes them.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_source(mut self, file: &'static str, text: &'static str) -> Self {
        self.source = MarkedSource { file, text };
        self
    }

    /// The place of a point in the source, if that is known.
    pub fn place(&self, point: usize) -> Option<MarkPlace> {
        self.source.place(point)
    }

    /// Notes that the code reached a point, with a fingerprint of what it saw.
    ///
    /// # Panics
    ///
    /// If the point or the fingerprint is not below the declared number.
    #[inline]
    pub fn note(&self, point: usize, fingerprint: usize) {
        assert!(point < self.n_points && fingerprint < self.n_fingerprints, "a declared mark");
        let pair = point * self.n_fingerprints + fingerprint;
        if let Some((marks, pairs)) = APART.get()
            && std::ptr::eq(marks, self)
        {
            pairs[pair / 64].fetch_or(1 << (pair % 64), Ordering::Relaxed);
            return;
        }
        let (word, bit) = (&self.pairs[pair / 64], 1 << (pair % 64));
        // Nearly every mark was noted before, and writing costs other threads their cached line.
        if word.load(Ordering::Relaxed) & bit == 0
            && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
        {
            self.n_pairs.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The number of points, noted or not.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    /// Forgets all marks, and makes other threads that want a session wait until this one is
    /// dropped.
    pub fn session(&'static self) -> Session {
        // A new session forgets whatever a panicked one has left.
        let in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        let session = Session { marks: self, _in_use: in_use };
        session.predicates().reset();
        session
    }

    /// Until the result is dropped, this thread's marks are noted there and not here: so several
    /// threads can each find what they cover.
    pub fn apart(&'static self) -> MarksApart {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let new_table = || -> &'static [AtomicU64] {
            // There are at most as many as there were threads at a time.
            Box::leak((0..self.pairs.len()).map(|_| AtomicU64::new(0)).collect())
        };
        let pairs = spare.pop().unwrap_or_else(new_table);
        pairs.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let before = APART.replace(Some((self, pairs)));
        MarksApart { marks: self, pairs, before, of_thread: PhantomData }
    }

    /// The points noted, in order.
    pub fn points(&self) -> Vec<usize> {
        let mut points: Vec<_> = self.pairs().map(|(point, _)| point).collect();
        points.dedup();
        points
    }

    /// The pairs of point and fingerprint noted, in order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pairs_of(self.pairs)
    }

    fn pairs_of(&self, pairs: &'static [AtomicU64]) -> impl Iterator<Item = (usize, usize)> {
        let is_noted =
            move |pair: &usize| pairs[pair / 64].load(Ordering::Relaxed) >> (pair % 64) & 1 == 1;
        let pairs = (0..self.n_points * self.n_fingerprints).filter(is_noted);
        pairs.map(|pair| (pair / self.n_fingerprints, pair % self.n_fingerprints))
    }

    fn forget(&self) {
        self.pairs.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.n_pairs.store(0, Ordering::Relaxed);
    }
}

/// The marks of one thread, separate from all others.
#[derive(Debug)]
pub struct MarksApart {
    marks: &'static CodeMarks,
    pairs: &'static [AtomicU64],
    before: Option<Apart>,
    /// It belongs to the thread that made it.
    of_thread: PhantomData<*const ()>,
}

impl MarksApart {
    /// The number of points noted.
    pub fn blocks(&self) -> usize {
        let mut points: Vec<_> = self.marks.pairs_of(self.pairs).map(|(point, _)| point).collect();
        points.dedup();
        points.len()
    }

    /// The number of pairs of point and fingerprint noted.
    pub fn predicates(&self) -> usize {
        self.marks.pairs_of(self.pairs).count()
    }
}

impl Drop for MarksApart {
    fn drop(&mut self) {
        APART.set(self.before);
        self.marks.spare.lock().unwrap_or_else(PoisonError::into_inner).push(self.pairs);
    }
}

impl fmt::Debug for CodeMarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pairs()).finish()
    }
}

/// The exclusive use of a subject's [`CodeMarks`].
#[derive(Debug)]
pub struct Session {
    marks: &'static CodeMarks,
    _in_use: MutexGuard<'static, ()>,
}

impl Session {
    /// The points as a coverage.
    pub fn blocks(&self) -> Blocks {
        Blocks(self.marks)
    }

    /// The points that were not noted, in order, with their places.
    pub fn uncovered(&self) -> Vec<(usize, Option<MarkPlace>)> {
        let noted = self.marks.points();
        let others = (0..self.marks.n_points).filter(|point| noted.binary_search(point).is_err());
        others.map(|point| (point, self.marks.place(point))).collect()
    }

    /// The pairs of point and fingerprint as a coverage.
    pub fn predicates(&self) -> Predicates {
        Predicates(self.marks)
    }
}

/// The points of [`CodeMarks`]. Counting the covered ones takes time linear in the table of pairs.
#[derive(Clone, Copy, Debug)]
pub struct Blocks(&'static CodeMarks);

impl Coverage for Blocks {
    fn unit(&self) -> &'static str {
        "blocks"
    }

    fn covered(&self) -> usize {
        self.0.points().len()
    }

    fn known(&self) -> Option<usize> {
        Some(self.0.n_points)
    }

    fn reset(&self) {
        self.0.forget();
    }
}

/// The pairs of point and fingerprint of [`CodeMarks`]. Counting the covered ones takes constant
/// time.
#[derive(Clone, Copy, Debug)]
pub struct Predicates(&'static CodeMarks);

impl Coverage for Predicates {
    fn unit(&self) -> &'static str {
        "predicates"
    }

    fn covered(&self) -> usize {
        self.0.n_pairs.load(Ordering::Relaxed)
    }

    /// Unknown: most pairs belong to no state that the subject can reach.
    fn known(&self) -> Option<usize> {
        None
    }

    fn reset(&self) {
        self.0.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    marks! {
        static MARKS: 3 points, 50;
    }

    #[test]
    fn a_pair_counts_once_whoever_notes_it() {
        let session = MARKS.session();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|fingerprint| MARKS.note(1, fingerprint)));
            }
        });
        MARKS.note(2, 49);
        let (blocks, predicates) = (session.blocks(), session.predicates());
        assert_eq!((blocks.unit(), predicates.unit()), ("blocks", "predicates"));
        assert_eq!((blocks.covered(), blocks.known()), (2, Some(3)));
        assert_eq!((predicates.covered(), predicates.known()), (51, None));
        assert_eq!(MARKS.pairs().last(), Some((2, 49)));
        assert_eq!(MARKS.points(), [1, 2]);
    }

    #[test]
    fn a_session_begins_with_nothing_noted() {
        let session = MARKS.session();
        MARKS.note(0, 0);
        assert_eq!(session.predicates().covered(), 1);
        drop(session);
        assert_eq!(MARKS.session().predicates().covered(), 0);
    }

    #[test]
    fn what_threads_note_apart_is_theirs() {
        let session = MARKS.session();
        let counts = |points: &[usize]| {
            let apart = MARKS.apart();
            points.iter().for_each(|&point| MARKS.note(point, 7));
            (apart.blocks(), apart.predicates())
        };
        std::thread::scope(|scope| {
            let one = scope.spawn(|| counts(&[0, 1, 1]));
            let other = scope.spawn(|| counts(&[2]));
            assert_eq!([one.join().unwrap(), other.join().unwrap()], [(2, 2), (1, 1)]);
        });
        // A reused table begins empty.
        assert_eq!((counts(&[]), session.predicates().covered()), ((0, 0), 0));
        MARKS.note(1, 1);
        assert_eq!(session.predicates().covered(), 1);
    }

    #[test]
    fn a_point_that_was_not_noted_has_its_place() {
        static NONE: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
        let source = MarkedSource { file: "a.rs", text: "mark(1, x2);\n  f(); // points 2, 7\n" };
        let place = |line, code| MarkPlace { file: "a.rs", line, code };
        assert_eq!(source.place(1), Some(place(1, "mark(1, x2);")));
        assert_eq!(source.place(7), Some(place(2, "f(); // points 2, 7")));
        assert_eq!(source.place(2).map(|place| place.line), Some(2));
        assert_eq!(source.place(3), None);
        let session = MARKS.session();
        MARKS.note(1, 0);
        assert_eq!(session.uncovered(), [(0, None), (2, None)]);
        let marks = CodeMarks::new(3, 50, &NONE).of_source("a.rs", "mark(1, x2);");
        assert_eq!((marks.n_points(), marks.place(1)), (3, Some(place(1, "mark(1, x2);"))));
    }

    #[test]
    fn a_reset_forgets_points_and_pairs() {
        let session = MARKS.session();
        let covered = || (session.blocks().covered(), session.predicates().covered());
        for reset in [
            |session: &Session| session.blocks().reset(),
            |session: &Session| {
                session.predicates().reset();
            },
        ] {
            MARKS.note(0, 1);
            MARKS.note(0, 2);
            assert_eq!(covered(), (1, 2));
            reset(&session);
            assert_eq!(covered(), (0, 0));
        }
    }

    #[test]
    #[should_panic(expected = "a declared mark")]
    fn a_fingerprint_beyond_the_last_is_not_another_point() {
        MARKS.note(0, 50);
    }
}
