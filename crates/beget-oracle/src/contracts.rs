//! The contracts as one oracle: asked about structures, one after another.

use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;

use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_process::guard::{guarded, last_panic};
use beget_suite::{TypeIdx, without_keys};

use crate::applicable::{ApplicableContracts, TypeFacts};
use crate::contract::{CONTRACTS, Contract, Law, Ruling, Unmet};
use crate::oracle::{Oracle, StructureView, Structures};
use crate::relation::{Intransitive, SAMPLE, SampleRelation};
use crate::specimen::{Activity, Specimen};
use crate::verdicts::{BreachGroup, BreachPart, Matter, Verdicts};

/// About how many structures of a type all contracts are asked ...
const ALL_ASKED: usize = 10_000;
/// ... and, after these, about one in this number. Contracts of methods are asked about all.
const ONE_IN: usize = 16;

/// A method that changes a value is called with at most this number of tuples of literals.
const MOST_CHANGES: usize = 4;

/// The contracts that apply to the types of a plan.
///
/// It remembers how many structures of each type there were, and the first ones of each: contracts
/// of two values are asked about all pairs of them, and those of three about all triples.
pub struct Contracts {
    asks: Box<dyn Fn(&str) -> bool + Send>,
    types: Arc<[TypeFacts]>,
    /// The contracts that apply, by their positions in [`CONTRACTS`]: the questions.
    applying: Vec<usize>,
    memory: Vec<TypeMemory>,
}

/// The memory of the structures of a type.
#[derive(Debug, Default)]
struct TypeMemory {
    /// The first structures, by their numbers.
    sample: Vec<u64>,
    /// Structures so far.
    n_met: usize,
    /// Structures of the sample that triples were taken of.
    n_of_triples: usize,
    /// True if the contracts of the type itself were asked.
    is_asked: bool,
}

impl std::fmt::Debug for Contracts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contracts").field("applying", &self.applying).finish_non_exhaustive()
    }
}

/// The subject of a verdict: structures by their numbers, and a literal by its number.
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

/// A ruling, and the place of the panic that it is about.
type PlacedRuling = (Ruling, Option<String>);

impl Contracts {
    /// Those whose names `asks`.
    pub fn new(asks: impl Fn(&str) -> bool + Send + 'static) -> Self {
        Contracts {
            asks: Box::new(asks),
            types: Arc::default(),
            applying: Vec::new(),
            memory: Vec::new(),
        }
    }

    /// Those that apply.
    pub(crate) fn of(applicable: &ApplicableContracts<'_>) -> Self {
        let mut contracts = Contracts::new(|_| false);
        contracts.take(applicable);
        contracts
    }

    fn take(&mut self, applicable: &ApplicableContracts<'_>) {
        self.types = applicable.types.clone();
        let of_types = self.types.iter().flat_map(|facts| facts.contracts.iter().copied());
        self.applying = of_types.collect();
        self.applying.sort_unstable();
        self.applying.dedup();
        self.memory = self.types.iter().map(|_| TypeMemory::default()).collect();
    }

    /// The position of a question among [`CONTRACTS`].
    pub(crate) fn contract_of(&self, question: usize) -> usize {
        self.applying[question]
    }

    fn question_of(&self, contract: usize) -> usize {
        self.applying.binary_search(&contract).expect("it applies")
    }
}

impl Oracle for Contracts {
    fn name(&self) -> &'static str {
        "contract"
    }

    fn questions(&self) -> Vec<&'static str> {
        self.applying.iter().map(|&contract| CONTRACTS[contract].name).collect()
    }

    fn applies(&mut self, plan: &Plan) -> bool {
        self.take(&ApplicableContracts::new(plan, &self.asks));
        !self.applying.is_empty()
    }

    fn judges(&self, ty: TypeIdx) -> bool {
        !self.types[ty.index()].contracts.is_empty()
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        let memory = &mut self.memory[structure.ty.index()];
        let n_before = memory.n_met;
        memory.n_met += 1;
        let all = n_before < ALL_ASKED || n_before.is_multiple_of(ONE_IN);
        let facts = &self.types.clone()[structure.ty.index()];
        let is_asked = |&idx: &usize| {
            let Contract { law, is_sampled, .. } = &CONTRACTS[idx];
            (all || !is_sampled) && !matches!(law, Law::Type(_) | Law::Calls)
        };
        let contracts: &[usize] = &facts.contracts;
        if !contracts.iter().any(is_asked) {
            return;
        }
        let Some(value) = structure.make() else { return };
        if all && contracts.iter().any(|&idx| CONTRACTS[idx].law.is_of_several()) {
            self.ask_pairs(structure, without_keys(&*value), verdicts);
            let sample = &mut self.memory[structure.ty.index()].sample;
            if sample.len() < SAMPLE && structure.structures.kept(structure.id).is_some() {
                sample.push(structure.id);
            }
        }
        self.ask_value(structure, value, &is_asked, verdicts);
        self.ask_changes(structure, &is_asked, verdicts);
    }

    fn finish(&mut self, structures: &mut Structures<'_>, verdicts: &mut Verdicts<'_>) {
        self.ask_types(structures.plan, verdicts);
        for ty in 0..self.types.len() {
            let TypeMemory { sample, n_of_triples, .. } = &self.memory[ty];
            if sample.len() > *n_of_triples {
                self.memory[ty].n_of_triples = self.memory[ty].sample.len();
                self.ask_triples(ty, structures, verdicts);
            }
        }
    }

    fn memory(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        for TypeMemory { sample, n_met, n_of_triples, is_asked } in &self.memory {
            let counts = [*n_met, *n_of_triples, usize::from(*is_asked), sample.len()];
            numbers.extend(counts.map(|count| count as u64));
            numbers.extend(sample);
        }
        numbers
    }

    fn recall(&mut self, numbers: &[u64]) {
        let mut numbers = numbers.iter().copied();
        for memory in &mut self.memory {
            let mut next = || numbers.next().unwrap_or(0) as usize;
            let [n_met, n_of_triples, is_asked, n_sample] = [next(), next(), next(), next()];
            let sample = numbers.by_ref().take(n_sample).collect();
            *memory = TypeMemory { sample, n_met, n_of_triples, is_asked: is_asked != 0 };
        }
    }
}

impl Contracts {
    /// Asks about the types themselves, once.
    pub(crate) fn ask_types(&mut self, plan: &Plan, verdicts: &mut Verdicts<'_>) {
        for ty in 0..self.types.len() {
            if std::mem::replace(&mut self.memory[ty].is_asked, true) {
                continue;
            }
            let facts = &self.types[ty];
            for &contract in &facts.contracts {
                if let Law::Type(ask) = CONTRACTS[contract].law
                    && verdicts.begin_on(self.question_of(contract), Matter::Type(TypeIdx::new(ty)))
                {
                    let ruling = guard(plan, Activity::Own, || ask(facts));
                    self.count(contract, ty, VerdictMatter::of(&[]), ruling, verdicts);
                }
            }
        }
    }

    fn ask_value(
        &self,
        structure: &StructureView<'_, '_>,
        value: Box<dyn Any>,
        is_asked: &dyn Fn(&usize) -> bool,
        verdicts: &mut Verdicts<'_>,
    ) {
        let facts = &self.types[structure.ty.index()];
        let step = Cell::new(Activity::Own);
        let mut specimen = Specimen::new(facts, structure.plan(), &step, value);
        for &contract in facts.contracts.iter().filter(|idx| is_asked(idx)) {
            if let Law::Value(own, ask) = CONTRACTS[contract].law {
                self.ask_specimen((contract, structure), own, &mut specimen, &step, ask, verdicts);
            }
        }
    }

    /// Asks about methods that change the value, each call on one of its own.
    fn ask_changes(
        &self,
        structure: &mut StructureView<'_, '_>,
        is_asked: &dyn Fn(&usize) -> bool,
        verdicts: &mut Verdicts<'_>,
    ) {
        let facts = &self.types[structure.ty.index()];
        let plan = structure.plan();
        for &contract in facts.contracts.iter().filter(|idx| is_asked(idx)) {
            let Law::Change(method, ask) = CONTRACTS[contract].law else { continue };
            let n_tuples = method(&facts.observers).map_or(0, |idx| plan.planned(idx).n_tuples());
            for tuple in 0..n_tuples.min(MOST_CHANGES) {
                let Some(value) = structure.make() else { return };
                let step = Cell::new(Activity::Own);
                let mut specimen = Specimen::new(facts, plan, &step, value);
                let ask = |specimen: &mut Specimen<'_>| ask(specimen, tuple);
                let asked = (contract, &*structure);
                self.ask_specimen(asked, Activity::Own, &mut specimen, &step, ask, verdicts);
            }
        }
    }

    fn ask_specimen<'s>(
        &self,
        (contract, structure): (usize, &StructureView<'_, '_>),
        own: Activity,
        specimen: &mut Specimen<'s>,
        step: &Cell<Activity>,
        ask: impl FnOnce(&mut Specimen<'s>) -> Ruling,
        verdicts: &mut Verdicts<'_>,
    ) {
        if !verdicts.begin(self.question_of(contract), structure.id) {
            return;
        }
        let ruling = guarded(|| ask(specimen));
        verdicts.end(structure.id);
        let during = step.replace(Activity::Own);
        let ruling = match ruling {
            Ok(ruling) => (ruling, None),
            Err(_) => panicked(structure.plan(), during, own),
        };
        let asked = VerdictMatter { ids: &[structure.id], literal: specimen.literal() };
        self.count(contract, structure.ty.index(), asked, ruling, verdicts);
    }

    /// Asks about a value with those of the sample, and with itself.
    fn ask_pairs(
        &self,
        structure: &mut StructureView<'_, '_>,
        value: &dyn Any,
        verdicts: &mut Verdicts<'_>,
    ) {
        let (id, ty, plan) = (structure.id, structure.ty.index(), structure.plan());
        let TypeMemory { sample, n_met, .. } = &self.memory[ty];
        let all = match sample.len() < SAMPLE {
            true => &sample[..],
            // The others take turns.
            false => std::slice::from_ref(&sample[n_met / ONE_IN % SAMPLE]),
        };
        let facts = &self.types[ty];
        for &contract in &facts.contracts {
            let Law::Pair(ask) = CONTRACTS[contract].law else { continue };
            if !verdicts.begin(self.question_of(contract), id) {
                continue;
            }
            let mut count = |ids: &[u64], a: &dyn Any, b: &dyn Any| {
                let ruling = guard(plan, Activity::Own, || ask(&facts.traits, a, b));
                self.count(contract, ty, VerdictMatter::of(ids), ruling, verdicts);
            };
            for other in all {
                let Some(known) = structure.structures.kept(*other) else { continue };
                let known = without_keys(&**known);
                count(&[*other, id], known, value);
                count(&[id, *other], value, known);
            }
            count(&[id, id], value, value);
            verdicts.end(id);
        }
    }

    fn ask_triples(&self, ty: usize, structures: &mut Structures<'_>, verdicts: &mut Verdicts<'_>) {
        let facts = &self.types[ty];
        for &contract in &facts.contracts {
            if let Law::Triple(sign, relate) = CONTRACTS[contract].law {
                let relate = |a: &dyn Any, b: &dyn Any| relate(&facts.traits, a, b);
                self.ask_transitive((contract, ty), sign, &relate, structures, verdicts);
            }
        }
    }

    fn ask_transitive(
        &self,
        (contract, ty): (usize, usize),
        sign: &str,
        relate: &dyn Fn(&dyn Any, &dyn Any) -> Option<bool>,
        structures: &mut Structures<'_>,
        verdicts: &mut Verdicts<'_>,
    ) {
        let sample = &self.memory[ty].sample;
        let question = self.question_of(contract);
        let mut values = Vec::new();
        values.extend(sample.iter().filter_map(|&id| Some((id, structures.kept(id)?))));
        let mut relation = SampleRelation::default();
        for (i, (id, a)) in values.iter().enumerate() {
            if !verdicts.begin(question, *id) {
                return;
            }
            for (j, (_, b)) in values.iter().enumerate() {
                // Contracts of pairs report a panic.
                let related = guarded(|| relate(without_keys(&***a), without_keys(&***b)));
                relation.set(i, j, related.ok().flatten());
            }
        }
        let Intransitive { asked, broken, first } = relation.intransitive();
        let ty = TypeIdx::new(ty);
        let reason = format!("a {sign} b and b {sign} c, but not a {sign} c");
        let breach = first.map(|triple| BreachGroup {
            question,
            problem: Problem::contract(CONTRACTS[contract].name, &reason),
            count: broken,
            ty,
            ids: triple.map(|index| values[index].0).to_vec(),
            literal: None,
            call: None,
        });
        verdicts.replace(question, BreachPart::of_type(ty), asked, breach);
    }

    fn count(
        &self,
        contract: usize,
        ty: usize,
        VerdictMatter { ids, literal }: VerdictMatter<'_>,
        (ruling, place): PlacedRuling,
        verdicts: &mut Verdicts<'_>,
    ) {
        let question = self.question_of(contract);
        let reason = match ruling {
            Err(Unmet::Unasked) => return,
            Ok(()) => return verdicts.holds(question),
            Err(Unmet::Broken(reason)) => reason,
        };
        let ty = TypeIdx::new(ty);
        verdicts.broken(question, BreachPart::of_type(ty), || {
            let problem = Problem::contract(CONTRACTS[contract].name, &reason);
            let problem = match place {
                Some(place) => problem.at(place),
                None => problem,
            };
            BreachGroup { question, problem, count: 0, ty, ids: ids.to_vec(), literal, call: None }
        });
    }
}

/// Asks a question of two values or of none.
fn guard(plan: &Plan, own: Activity, ask: impl FnOnce() -> Ruling) -> PlacedRuling {
    match guarded(ask) {
        Ok(ruling) => (ruling, None),
        Err(_) => panicked(plan, Activity::Own, own),
    }
}

/// The answer to a question that panicked `during` a step, if such panics are the matter of the
/// contract `own`.
fn panicked(plan: &Plan, during: Activity, own: Activity) -> PlacedRuling {
    let report = last_panic();
    let is_expected = plan.misuse.expects(&report.message);
    let is_own = during == Activity::Own || during == own;
    if is_expected || !is_own {
        return (Err(Unmet::Unasked), None);
    }
    let reason = format!("it {report}");
    (Err(Unmet::Broken(reason)), Some(report.location))
}
