//! Contracts asked about values, one after another.

use std::any::Any;
use std::cell::Cell;

use beget_plan::finding::Problem;
use beget_process::guard::{guarded, last_panic};
use beget_suite::{TypeIdx, without_keys};

use crate::contract::{CONTRACTS, Contract, Law, Ruling, Unmet};
use crate::oracle::{Oracle, TypeFacts};
use crate::specimen::{Activity, Kept, Specimen};

/// How many values of each type are kept: contracts of two values are asked about all pairs of
/// them, and those of three about all triples.
const SAMPLE: usize = 64;

/// About how many structures of a type all contracts are asked ...
const ALL_ASKED: usize = 10_000;
/// ... and, after these, about one in so many. Contracts of methods are asked about all.
const ONE_IN: usize = 16;

/// A method that changes a value is called with so many tuples of literals: the first ones.
const MOST_CHANGES: usize = 4;

/// Contracts asked about the structures of a run, in the order of their numbers.
pub struct Inquiry<'o> {
    oracle: &'o Oracle<'o>,
    note: &'o dyn Fn(Question),
    /// The place of the panic that the verdict to be counted next is about.
    place: Cell<Option<String>>,
    types: Vec<TypeState>,
    /// By contract, and of each by type.
    counts: Vec<Count>,
    /// How often contracts were broken, and how many of the counts tell of it.
    n_broken: u64,
    n_breaches: usize,
}

/// What is being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of the structure.
    pub id: u64,
    /// The position of the contract in [`CONTRACTS`].
    pub contract: usize,
}

/// What is kept of a type.
#[derive(Default)]
struct TypeState {
    sample: Vec<(u64, Kept)>,
    /// Structures so far.
    n_met: usize,
}

#[derive(Default)]
struct Count {
    asked: u64,
    broken: u64,
    first: Option<Broken>,
}

/// The first time that a contract was broken.
struct Broken {
    ids: Vec<u64>,
    literal: Option<usize>,
    reason: String,
    place: Option<String>,
}

/// What a verdict is about: structures by their numbers, and a literal by its number.
#[derive(Clone, Copy)]
struct VerdictMatter<'i> {
    ids: &'i [u64],
    literal: Option<usize>,
}

impl<'i> VerdictMatter<'i> {
    fn of(ids: &'i [u64]) -> Self {
        VerdictMatter { ids, literal: None }
    }
}

/// How often a contract was asked about, and how often it was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractTally {
    /// Its name.
    pub name: &'static str,
    /// Values, pairs or triples that it was asked about; of those without an answer, none.
    pub asked: u64,
    /// How many of them break it.
    pub broken: u64,
}

/// A contract that values of a type break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenContract {
    /// The problem.
    pub problem: Problem,
    /// The position of the contract in [`CONTRACTS`].
    pub contract: usize,
    /// The type.
    pub ty: TypeIdx,
    /// How many values, pairs or triples break it.
    pub count: u64,
    /// The numbers of the structures in the first of these, in the order `a`, `b`, `c`; none for a
    /// contract of the type alone.
    pub ids: Vec<u64>,
    /// The number of the literal that a method looked up then, if it was one.
    pub(crate) literal: Option<usize>,
}

/// What an [`Inquiry`] came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InquiryResult {
    /// The contracts that apply, in the order of [`CONTRACTS`].
    pub tallies: Vec<ContractTally>,
    /// Those that are broken, each once for a type, in the order of the first structures.
    pub breaches: Vec<BrokenContract>,
}

impl std::fmt::Debug for Inquiry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inquiry").field("oracle", self.oracle).finish_non_exhaustive()
    }
}

impl<'o> Inquiry<'o> {
    /// Begins to ask. `note` is shown what is asked next, for questions that do not end.
    pub fn new(oracle: &'o Oracle<'o>, note: &'o dyn Fn(Question)) -> Self {
        let n_counts = CONTRACTS.len() * oracle.types.len();
        let mut inquiry = Inquiry {
            oracle,
            note,
            place: Cell::new(None),
            types: oracle.types.iter().map(|_| TypeState::default()).collect(),
            counts: (0..n_counts).map(|_| Count::default()).collect(),
            n_broken: 0,
            n_breaches: 0,
        };
        for (ty, facts) in oracle.types.iter().enumerate() {
            inquiry.ask_type(ty, facts);
        }
        inquiry
    }

    /// Asks about a structure, which is of type `ty`. Its number is larger than those before.
    /// `make` makes its value, if it can be made, as often as it is called.
    pub fn ask(&mut self, ty: TypeIdx, id: u64, make: &mut dyn FnMut() -> Option<Box<dyn Any>>) {
        let state = &mut self.types[ty.0];
        let n_before = state.n_met;
        state.n_met += 1;
        let all = n_before < ALL_ASKED || n_before.is_multiple_of(ONE_IN);
        let facts = &self.oracle.types[ty.0];
        let is_asked = |&idx: &usize| {
            let Contract { law, is_sampled, .. } = &CONTRACTS[idx];
            (all || !is_sampled) && !matches!(law, Law::Type(_) | Law::Calls)
        };
        let contracts: &[usize] = &facts.contracts;
        if !contracts.iter().any(is_asked) {
            return;
        }
        let Some(value) = make() else { return };
        if all && contracts.iter().any(|&idx| CONTRACTS[idx].law.is_of_several()) {
            self.ask_pairs(ty.0, id, without_keys(&*value));
            let has_room = self.types[ty.0].sample.len() < SAMPLE;
            if let Some(value) = has_room.then(&mut *make).flatten() {
                self.types[ty.0].sample.push((id, Kept::new(value)));
            }
        }
        self.ask_value(ty.0, id, value, &is_asked);
        self.ask_changes(ty.0, id, make, &is_asked);
    }

    fn ask_type(&mut self, ty: usize, facts: &TypeFacts) {
        for &contract in &facts.contracts {
            if let Law::Type(ask) = CONTRACTS[contract].law {
                let verdict = self.guard(Activity::Own, || ask(facts));
                self.count(contract, ty, VerdictMatter::of(&[]), verdict);
            }
        }
    }

    fn ask_value(
        &mut self,
        ty: usize,
        id: u64,
        value: Box<dyn Any>,
        is_asked: &dyn Fn(&usize) -> bool,
    ) {
        let Oracle { plan, types } = self.oracle;
        let facts = &types[ty];
        let step = Cell::new(Activity::Own);
        let mut specimen = Specimen::new(facts, plan, &step, value);
        for &contract in facts.contracts.iter().filter(|idx| is_asked(idx)) {
            if let Law::Value(own, ask) = CONTRACTS[contract].law {
                self.ask_specimen((contract, ty, id), own, &mut specimen, &step, ask);
            }
        }
    }

    /// Asks about methods that change the value, each call on one of its own.
    fn ask_changes(
        &mut self,
        ty: usize,
        id: u64,
        make: &mut dyn FnMut() -> Option<Box<dyn Any>>,
        is_asked: &dyn Fn(&usize) -> bool,
    ) {
        let Oracle { plan, types } = self.oracle;
        let facts = &types[ty];
        for &contract in facts.contracts.iter().filter(|idx| is_asked(idx)) {
            let Law::Change(method, ask) = CONTRACTS[contract].law else { continue };
            let n_tuples = method(&facts.observers).map_or(0, |idx| plan.planned(idx).n_tuples());
            for tuple in 0..n_tuples.min(MOST_CHANGES) {
                let Some(value) = make() else { return };
                let step = Cell::new(Activity::Own);
                let mut specimen = Specimen::new(facts, plan, &step, value);
                let ask = |specimen: &mut Specimen<'_>| ask(specimen, tuple);
                self.ask_specimen((contract, ty, id), Activity::Own, &mut specimen, &step, ask);
            }
        }
    }

    fn ask_specimen<'s>(
        &mut self,
        (contract, ty, id): (usize, usize, u64),
        own: Activity,
        specimen: &mut Specimen<'s>,
        step: &Cell<Activity>,
        ask: impl FnOnce(&mut Specimen<'s>) -> Ruling,
    ) {
        (self.note)(Question { id, contract });
        let verdict = guarded(|| ask(specimen));
        let during = step.replace(Activity::Own);
        let verdict = verdict.unwrap_or_else(|_| self.panicked(during, own));
        let asked = VerdictMatter { ids: &[id], literal: specimen.literal() };
        self.count(contract, ty, asked, verdict);
    }

    /// Asks about a value with those of the sample, and with itself.
    fn ask_pairs(&mut self, ty: usize, id: u64, value: &dyn Any) {
        let sample = std::mem::take(&mut self.types[ty].sample);
        let all = match sample.len() < SAMPLE {
            true => &sample[..],
            // The others take turns.
            false => std::slice::from_ref(&sample[self.types[ty].n_met / ONE_IN % SAMPLE]),
        };
        let facts = &self.oracle.types[ty];
        for &contract in &facts.contracts {
            let Law::Pair(ask) = CONTRACTS[contract].law else { continue };
            (self.note)(Question { id, contract });
            for (other, known) in all {
                let verdict =
                    self.guard(Activity::Own, || ask(&facts.traits, without_keys(&**known), value));
                self.count(contract, ty, VerdictMatter::of(&[*other, id]), verdict);
                let verdict =
                    self.guard(Activity::Own, || ask(&facts.traits, value, without_keys(&**known)));
                self.count(contract, ty, VerdictMatter::of(&[id, *other]), verdict);
            }
            let verdict = self.guard(Activity::Own, || ask(&facts.traits, value, value));
            self.count(contract, ty, VerdictMatter::of(&[id, id]), verdict);
        }
        self.types[ty].sample = sample;
    }

    fn ask_triples(&mut self, ty: usize) {
        let facts = &self.oracle.types[ty];
        for &contract in &facts.contracts {
            if let Law::Triple(sign, relate) = CONTRACTS[contract].law {
                let sample = std::mem::take(&mut self.types[ty].sample);
                self.ask_transitive(contract, ty, &sample, sign, &|a, b| {
                    relate(&facts.traits, a, b)
                });
                self.types[ty].sample = sample;
            }
        }
    }

    fn ask_transitive(
        &mut self,
        contract: usize,
        ty: usize,
        sample: &[(u64, Kept)],
        sign: &str,
        relate: &dyn Fn(&dyn Any, &dyn Any) -> Option<bool>,
    ) {
        let mut relation = SampleRelation::default();
        for (i, (id, a)) in sample.iter().enumerate() {
            (self.note)(Question { id: *id, contract });
            for (j, (_, b)) in sample.iter().enumerate() {
                // A panic is told of by contracts of pairs.
                relation.set(
                    i,
                    j,
                    guarded(|| relate(without_keys(&**a), without_keys(&**b))).ok().flatten(),
                );
            }
        }
        let Intransitive { asked, broken, first } = relation.intransitive();
        let first = first.map(|triple| Broken {
            ids: triple.map(|index| sample[index].0).to_vec(),
            literal: None,
            reason: format!("a {sign} b and b {sign} c, but not a {sign} c"),
            place: None,
        });
        self.n_broken += broken;
        self.n_breaches += usize::from(first.is_some());
        let at = self.position(contract, ty);
        self.counts[at] = Count { asked, broken, first };
    }

    /// The position of the count of a contract and a type.
    fn position(&self, contract: usize, ty: usize) -> usize {
        contract * self.types.len() + ty
    }

    /// Asks a question of two values or of none.
    fn guard(&self, own: Activity, ask: impl FnOnce() -> Ruling) -> Ruling {
        guarded(ask).unwrap_or_else(|_| self.panicked(Activity::Own, own))
    }

    /// What becomes of a question that panicked `during` a step, if such panics are the matter of
    /// the contract `own`.
    fn panicked(&self, during: Activity, own: Activity) -> Ruling {
        let report = last_panic();
        let is_expected = self.oracle.plan.misuse.expects(&report.message);
        let is_own = during == Activity::Own || during == own;
        if is_expected || !is_own {
            return Err(Unmet::Unasked);
        }
        self.place.set(Some(report.location.clone()));
        Err(Unmet::Broken(format!("it {report}")))
    }

    fn count(&mut self, contract: usize, ty: usize, asked: VerdictMatter<'_>, verdict: Ruling) {
        let place = self.place.take();
        let at = self.position(contract, ty);
        let count = &mut self.counts[at];
        match verdict {
            Err(Unmet::Unasked) => {}
            Ok(()) => count.asked += 1,
            Err(Unmet::Broken(reason)) => {
                count.asked += 1;
                count.broken += 1;
                self.n_broken += 1;
                if count.first.is_none() {
                    self.n_breaches += 1;
                    let VerdictMatter { ids, literal } = asked;
                    count.first = Some(Broken { ids: ids.to_vec(), literal, reason, place });
                }
            }
        }
    }

    /// How often contracts were broken so far.
    pub fn n_broken(&self) -> u64 {
        self.n_broken
    }

    /// How many contracts are broken, each counted once for a type.
    pub fn n_breaches(&self) -> usize {
        self.n_breaches
    }

    /// The result up to now.
    pub fn so_far(&self) -> InquiryResult {
        InquiryResult { tallies: self.tallies(), breaches: self.breaches() }
    }

    /// Asks what is left, and ends.
    pub fn finish(mut self) -> InquiryResult {
        (0..self.types.len()).for_each(|ty| self.ask_triples(ty));
        self.so_far()
    }

    fn tallies(&self) -> Vec<ContractTally> {
        let mut applying: Vec<usize> =
            self.oracle.types.iter().flat_map(|facts| facts.contracts.iter().copied()).collect();
        applying.sort_unstable();
        applying.dedup();
        let tally = |contract: usize| {
            let of_types = self.position(contract, 0)..self.position(contract + 1, 0);
            let mut tally = ContractTally { name: CONTRACTS[contract].name, asked: 0, broken: 0 };
            for count in &self.counts[of_types] {
                tally.asked += count.asked;
                tally.broken += count.broken;
            }
            tally
        };
        applying.into_iter().map(tally).collect()
    }

    fn breaches(&self) -> Vec<BrokenContract> {
        let breach = |(at, count): (usize, &Count)| {
            let (contract, ty) = (at / self.types.len(), at % self.types.len());
            let Broken { ids, literal, reason, place } = count.first.as_ref()?;
            let problem = Problem::contract(CONTRACTS[contract].name, reason);
            let problem = match place {
                Some(place) => problem.at(place.clone()),
                None => problem,
            };
            let (ty, ids) = (TypeIdx(ty), ids.clone());
            let (count, literal) = (count.broken, *literal);
            Some(BrokenContract { problem, contract, ty, count, ids, literal })
        };
        let mut breaches: Vec<BrokenContract> =
            self.counts.iter().enumerate().filter_map(breach).collect();
        // The shortest witness first; of equal ones, in the order of the contracts.
        breaches.sort_by_key(|breach| breach.ids.iter().max().copied());
        breaches
    }
}

/// A relation of the values of a sample.
struct SampleRelation {
    /// For each value those that it is related to, as bits.
    holds: [u64; SAMPLE],
    /// For each value those of which it is known.
    known: [u64; SAMPLE],
}

impl Default for SampleRelation {
    fn default() -> Self {
        SampleRelation { holds: [0; SAMPLE], known: [0; SAMPLE] }
    }
}

/// Triples `i`, `j`, `k` of which all is known, and those with `i` related to `j` and `j` to `k`,
/// but not `i` to `k`.
#[derive(Debug, PartialEq, Eq)]
struct Intransitive {
    asked: u64,
    broken: u64,
    /// The one whose largest number is least.
    first: Option<[usize; 3]>,
}

impl SampleRelation {
    fn set(&mut self, i: usize, j: usize, is_related: Option<bool>) {
        self.known[i] |= u64::from(is_related.is_some()) << j;
        self.holds[i] |= u64::from(is_related == Some(true)) << j;
    }

    fn intransitive(&self) -> Intransitive {
        let mut found = Intransitive { asked: 0, broken: 0, first: None };
        for i in 0..SAMPLE {
            for j in bits(self.known[i]) {
                let known = self.known[i] & self.known[j];
                found.asked += u64::from(known.count_ones());
                if self.holds[i] >> j & 1 == 0 {
                    continue;
                }
                let broken = self.holds[j] & !self.holds[i] & known;
                found.broken += u64::from(broken.count_ones());
                let triples = bits(broken).map(|k| [i, j, k]).chain(found.first);
                found.first = triples.min_by_key(|triple| (triple.iter().max().copied(), *triple));
            }
        }
        found
    }
}

fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..SAMPLE).filter(move |bit| set >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(n: usize, holds: impl Fn(usize, usize) -> Option<bool>) -> Intransitive {
        let mut relation = SampleRelation::default();
        for i in 0..n {
            (0..n).for_each(|j| relation.set(i, j, holds(i, j)));
        }
        relation.intransitive()
    }

    #[test]
    fn triples_are_counted_as_three_loops_count_them() {
        let less = relation(SAMPLE, |i, j| Some(i < j));
        assert_eq!(less, Intransitive { asked: 64 * 64 * 64, broken: 0, first: None });
        let game = |i: usize, j: usize| (i + 1) % 3 == j % 3;
        for n in [1, 2, 3, 4, 7] {
            let all = || 0..n;
            let triples =
                all().flat_map(|i| all().flat_map(move |j| all().map(move |k| [i, j, k])));
            let is_broken = |&[i, j, k]: &[usize; 3]| game(i, j) && game(j, k) && !game(i, k);
            let broken: Vec<_> = triples.filter(is_broken).collect();
            let first =
                broken.iter().copied().min_by_key(|triple| (triple.iter().max().copied(), *triple));
            let (asked, broken) = ((n * n * n) as u64, broken.len() as u64);
            assert_eq!(relation(n, |i, j| Some(game(i, j))), Intransitive { asked, broken, first });
        }
    }

    #[test]
    fn what_is_not_known_is_not_counted() {
        // Of three values, the third is not related to anything that is known.
        let found = relation(3, |i, j| (i < 2 && j < 2).then_some(true));
        assert_eq!(found, Intransitive { asked: 8, broken: 0, first: None });
    }
}
