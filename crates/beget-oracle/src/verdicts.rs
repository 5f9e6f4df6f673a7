//! The one door through which oracles answer, and what all answers come to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use beget_plan::finding::Problem;
use beget_plan::scope::PlannedIdx;
use beget_process::guard::{guarded, last_panic};
use beget_suite::TypeIdx;

use crate::oracle::StructureView;

/// The answers to the questions of an oracle, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The questions, in the order of the oracle.
    pub questions: Vec<ContractTally>,
    /// The ways in which something is wrong, each with its first witness.
    breaches: BTreeMap<(BreachPart, usize), BreachGroup>,
    /// How often questions were asked whose answers are replaced.
    replaced: BTreeMap<(BreachPart, usize), u64>,
    n_broken: u64,
}

/// How often a question was asked, and how often something was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractTally {
    /// Its name.
    pub name: &'static str,
    /// Values, pairs or triples that it was asked about; of those without an answer, none.
    pub asked: u64,
    /// How many of them break it.
    pub broken: u64,
}

/// The part of a question that a wrong answer is about: each part is a finding of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BreachPart {
    /// A number, such as that of a type or a method.
    pub number: u64,
    /// A clause.
    pub clause: Cow<'static, str>,
}

impl BreachPart {
    /// One for each type.
    pub fn of_type(ty: TypeIdx) -> Self {
        BreachPart { number: ty.index() as u64, ..BreachPart::default() }
    }
}

/// A way in which something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreachGroup {
    /// The question, by its position.
    pub question: usize,
    /// The problem.
    pub problem: Problem,
    /// How often.
    pub count: u64,
    /// The type.
    pub ty: TypeIdx,
    /// The numbers of the structures that show it first, in the order `a`, `b`, `c`; none if it is
    /// of the type alone.
    pub ids: Vec<u64>,
    /// The number of the literal that a method took then, if it was one.
    pub literal: Option<usize>,
    /// The call that shows it, with the number of its tuple of literals, where it is one: all its
    /// structures are built as the one of `ids` is.
    pub call: Option<(PlannedIdx, usize)>,
}

/// A tally as plain data, for another process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TallyParts {
    /// Of each question, how often it was asked, and how often something was wrong.
    pub counts: Vec<(u64, u64)>,
    /// The breaches with their parts.
    pub breaches: Vec<(BreachPart, BreachGroup)>,
    /// Of parts of questions, how often they were asked, where answers are replaced.
    pub replaced: Vec<(BreachPart, usize, u64)>,
}

impl Tally {
    /// The tally as plain data.
    pub fn to_parts(&self) -> TallyParts {
        let counts = self.questions.iter().map(|tally| (tally.asked, tally.broken));
        let breaches = self.breaches.iter().map(|((part, _), one)| (part.clone(), one.clone()));
        let replaced =
            self.replaced.iter().map(|((part, question), n)| (part.clone(), *question, *n));
        TallyParts {
            counts: counts.collect(),
            breaches: breaches.collect(),
            replaced: replaced.collect(),
        }
    }

    /// The tally of these questions with that data.
    pub fn from_parts(questions: Vec<&'static str>, parts: TallyParts) -> Self {
        let TallyParts { counts, breaches, replaced } = parts;
        let mut tally = Tally::of(questions);
        for (question, (asked, broken)) in tally.questions.iter_mut().zip(counts) {
            (question.asked, question.broken) = (asked, broken);
        }
        let breaches = breaches.into_iter().map(|(part, one)| ((part, one.question), one));
        tally.breaches = breaches.collect();
        tally.replaced =
            replaced.into_iter().map(|(part, question, n)| ((part, question), n)).collect();
        tally.n_broken = tally.breaches.values().map(|one| one.count).sum();
        tally
    }
}

impl BreachGroup {
    /// One that a structure shows.
    pub fn of_structure(question: usize, problem: Problem, ty: TypeIdx, id: u64) -> Self {
        BreachGroup { question, problem, count: 0, ty, ids: vec![id], literal: None, call: None }
    }
}

impl Tally {
    /// Nothing was asked of these questions yet.
    pub fn of(questions: Vec<&'static str>) -> Self {
        let tally = |name| ContractTally { name, asked: 0, broken: 0 };
        Tally { questions: questions.into_iter().map(tally).collect(), ..Tally::default() }
    }

    /// How many answers were wrong.
    pub fn n_broken(&self) -> u64 {
        self.n_broken
    }

    /// How many [`breaches`](Tally::breaches) there are.
    pub fn n_breaches(&self) -> usize {
        self.breaches.len()
    }

    /// The ways in which something is wrong: the one with the first structure first.
    pub fn breaches(&self) -> Vec<(&BreachPart, &BreachGroup)> {
        let mut all: Vec<_> =
            self.breaches.iter().map(|((part, _), breach)| (part, breach)).collect();
        // Shortest witnesses first; of equal ones, in the order of the parts and questions.
        all.sort_by_key(|(_, breach)| breach.ids.iter().max().copied());
        all
    }

    /// The tally without the breaches that are known to others, as if nothing had been asked there.
    #[must_use]
    pub fn without(&self, is_known: impl Fn(&BreachGroup) -> bool) -> Self {
        let mut tally = self.clone();
        let (known, breaches) =
            std::mem::take(&mut tally.breaches).into_iter().partition(|(_, one)| is_known(one));
        tally.breaches = breaches;
        let known: BTreeMap<_, BreachGroup> = known;
        for breach in known.values() {
            let question = &mut tally.questions[breach.question];
            question.asked -= breach.count;
            question.broken -= breach.count;
            tally.n_broken -= breach.count;
        }
        tally
    }

    /// Adds what other structures came to, which come behind those of this one.
    pub fn append(&mut self, next: Tally) {
        for (tally, next) in self.questions.iter_mut().zip(next.questions) {
            tally.asked += next.asked;
            tally.broken += next.broken;
        }
        self.n_broken += next.n_broken;
        for (key, breach) in next.breaches {
            let count = breach.count;
            let known = self.breaches.entry(key).or_insert(BreachGroup { count: 0, ..breach });
            known.count += count;
        }
    }

    /// Adds one that is not the answer to a question.
    pub fn add(&mut self, part: BreachPart, breach: BreachGroup) {
        self.n_broken += 1;
        let key = (part, breach.question);
        self.breaches.entry(key).or_insert(BreachGroup { count: 0, ..breach }).count += 1;
    }

    /// Adds the answer to a question that something is wrong.
    pub fn add_broken(
        &mut self,
        question: usize,
        part: BreachPart,
        first: impl FnOnce() -> BreachGroup,
    ) {
        let tally = &mut self.questions[question];
        tally.asked += 1;
        tally.broken += 1;
        self.n_broken += 1;
        self.breaches.entry((part, question)).or_insert_with(first).count += 1;
    }

    /// Adds what a question came to, in place of what it came to before.
    fn replace(&mut self, key: (BreachPart, usize), asked: u64, breach: Option<BreachGroup>) {
        let known = self.breaches.remove(&key).map_or(0, |known| known.count);
        let count = breach.as_ref().map_or(0, |breach| breach.count);
        let asked_before = self.replaced.insert(key.clone(), asked).unwrap_or(0);
        let tally = &mut self.questions[key.1];
        tally.asked = tally.asked + asked - asked_before;
        tally.broken = tally.broken + count - known;
        self.n_broken = self.n_broken + count - known;
        self.breaches.extend(breach.map(|breach| (key, breach)));
    }
}

/// Stands for no question in a note, but work on the structure.
pub const MAKING: usize = usize::MAX;

/// The matter of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matter {
    /// A structure, by its number.
    Structure(u64),
    /// A type, whatever its structures.
    Type(TypeIdx),
    /// All calls of a method.
    Method(PlannedIdx),
    /// A call with the number of its tuple of literals, on a structure if it takes one.
    Call(Option<u64>, (PlannedIdx, usize)),
}

impl Matter {
    /// The structure that it is about.
    pub fn structure(self) -> Option<u64> {
        match self {
            Matter::Structure(id) => Some(id),
            Matter::Call(id, _) => id,
            Matter::Type(_) | Matter::Method(_) => None,
        }
    }
}

/// Questions that are not asked, since they end the process that asks them: the position of each,
/// and its matter; `None` for whatever it is about.
pub type SparedQuestions = BTreeSet<(usize, Option<Matter>)>;

/// The instructions to oracles from the code that asks them.
#[derive(Clone, Copy)]
pub struct Desk<'d> {
    /// Is shown what is asked next: a matter and a question.
    pub note: &'d dyn Fn(Matter, usize),
    /// Says that nothing more is to be asked.
    pub is_stopped: &'d dyn Fn() -> bool,
    /// The questions that are not asked.
    pub spared: &'d SparedQuestions,
}

static NONE_SPARED: SparedQuestions = SparedQuestions::new();

impl Default for Desk<'_> {
    /// All is asked, and nothing noted.
    fn default() -> Self {
        Desk { note: &|_, _| (), is_stopped: &|| false, spared: &NONE_SPARED }
    }
}

impl std::fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("spared", self.spared).finish_non_exhaustive()
    }
}

/// The door for the answers of an oracle.
#[derive(Debug)]
pub struct Verdicts<'v> {
    tally: &'v mut Tally,
    desk: Desk<'v>,
}

impl<'v> Verdicts<'v> {
    /// Answers are added to `tally`.
    pub fn new(tally: &'v mut Tally, desk: Desk<'v>) -> Self {
        Verdicts { tally, desk }
    }

    /// Begins to ask a question about a structure. Returns false if it is not to be asked.
    pub fn begin(&mut self, question: usize, id: u64) -> bool {
        self.begin_on(question, Matter::Structure(id))
    }

    /// Begins to ask a question about something else than a structure alone. Returns false if it
    /// is not to be asked.
    pub fn begin_on(&mut self, question: usize, matter: Matter) -> bool {
        let Desk { note, spared, .. } = self.desk;
        let is_listed = |matter| spared.contains(&(question, matter));
        let is_spared = !spared.is_empty()
            && (is_listed(None)
                || is_listed(Some(matter))
                || matches!(matter, Matter::Call(_, (of, _)) if is_listed(Some(Matter::Method(of)))));
        if !is_spared {
            note(matter, question);
        }
        !is_spared
    }

    /// The question is over; what comes next is work on the structure, such as dropping its value.
    pub fn end(&mut self, id: u64) {
        (self.desk.note)(Matter::Structure(id), MAKING);
    }

    /// Returns whether nothing more is to be asked. An oracle that asks much about one structure
    /// looks at it now and then.
    pub fn is_stopped(&self) -> bool {
        (self.desk.is_stopped)()
    }

    /// The answer is right.
    pub fn holds(&mut self, question: usize) {
        self.tally.questions[question].asked += 1;
    }

    /// Something is wrong: `first` says what, and is used if it is the first of its part.
    pub fn broken(
        &mut self,
        question: usize,
        part: BreachPart,
        first: impl FnOnce() -> BreachGroup,
    ) {
        self.tally.add_broken(question, part, first);
    }

    /// Replaces what a question came to about a part, such as a type: how often it was asked, and
    /// what is wrong.
    pub fn replace(
        &mut self,
        question: usize,
        part: BreachPart,
        asked: u64,
        breach: Option<BreachGroup>,
    ) {
        self.tally.replace((part, question), asked, breach);
    }

    /// Asks the only question of an oracle about a structure: `judge` says what is wrong. A panic
    /// is wrong unless the scope expects it.
    pub fn judge(
        &mut self,
        structure: &mut StructureView<'_, '_>,
        judge: impl FnOnce(&mut StructureView<'_, '_>) -> Result<(), Problem>,
    ) {
        let (id, ty) = (structure.id, structure.ty);
        if !self.begin(0, id) {
            return;
        }
        let problem = match guarded(|| judge(structure)).map_err(|_| last_panic()) {
            Ok(Ok(())) => return self.holds(0),
            Ok(Err(problem)) => problem,
            Err(report) if structure.plan().misuse.expects(&report.message) => return,
            Err(report) => {
                let name = self.tally.questions[0].name;
                Problem::contract(name, &format!("it {report}")).at(report.location)
            }
        };
        self.broken(0, BreachPart::of_type(ty), || BreachGroup::of_structure(0, problem, ty, id));
    }
}
