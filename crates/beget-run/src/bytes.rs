//! Runs whose structures are told apart by their memory: what is believed of it.
//!
//! Some bytes hold what is by chance, by time or by an address; in padding, which nobody writes,
//! there may be remains of one. In one process all of them may be the same each time. So each call
//! is made by two processes that lie at different addresses; where a byte differs it is doubted, in all blocks of its kind, and the run begins anew. It ends with the first
//! round in which nothing differs: so the result is that of any two processes.
//!
//! The module knows no processes: it is lent two who make blocks. Its main invariant: what is
//! doubted only grows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use beget_alloc::{BlockKind, BlockPlace};
use beget_engine::store::{Candidate, Recipes, StoreError, StructureId};
use beget_engine::{Block, BlockResult, BlockRunner, CallIdx, Corpus, Explorer, recipe_of_call};
use beget_finding::StopReason;
use beget_heap::{Doubts, Form};
use beget_scope::Plan;
use beget_suite::{memory_doubts, memory_text, to_source};

/// After so many rounds in which something differed, a run is given up.
const MOST_ROUNDS: u32 = 200;

/// So many rounds in which nothing differed end a run in which something is by chance: what is so
/// may agree by chance too.
const QUIET_BY_CHANCE: u32 = 8;

/// The bytes of a word that are the same in all addresses.
const NO_ADDRESS: [usize; 2] = [6, 7];

/// The error that ends a round.
const DIFFERS: &str = "the memory of structures is not the same in two processes, whatever is left out of it: write \
                       `state: Shown`";

/// Two who make the same calls, and leave other remains.
#[derive(Clone, Copy)]
pub(crate) struct TwinRunners<'r> {
    pub(crate) local: &'r dyn BlockRunner,
    pub(crate) peer: &'r dyn BlockRunner,
}

/// What has been seen to differ.
#[derive(Debug, Default)]
pub(crate) struct DoubtLog {
    doubts: Arc<Doubts>,
    /// For each kind of block the calls that showed it first.
    shown_by: BTreeMap<BlockKind, String>,
    rounds: u32,
    /// So many of the last rounds showed nothing new.
    quiet: u32,
}

impl DoubtLog {
    /// What is not believed in the next round.
    pub(crate) fn doubts(&self) -> &Arc<Doubts> {
        &self.doubts
    }

    /// Makes a round by `run`, which is lent the runner to use. Its result, if it is the last.
    pub(crate) fn round(
        &mut self,
        runners: TwinRunners<'_>,
        run: impl FnOnce(&dyn BlockRunner) -> Corpus,
    ) -> Option<Corpus> {
        let twins = Twins { runners, found: Mutex::default() };
        let mut corpus = run(&twins);
        let found = twins.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.rounds += 1;
        self.quiet = if self.add(found) { 0 } else { self.quiet + 1 };
        let is_settled = self.quiet >= if self.is_by_chance() { QUIET_BY_CHANCE } else { 1 };
        let has_failed = corpus.report.stop_reason == StopReason::StoreFailed && self.quiet > 0;
        if !is_settled && !has_failed && self.rounds < MOST_ROUNDS {
            return None;
        }
        corpus.report.doubted = self.told(&corpus.plan);
        Some(corpus)
    }

    /// Whether there is more to doubt than before.
    fn add(&mut self, found: FoundDoubts) -> bool {
        let doubts = Arc::make_mut(&mut self.doubts);
        let before = (doubts.bytes.len(), doubts.answers.len());
        for (kind, offsets) in found.doubts.bytes.kinds() {
            for &offset in offsets {
                doubts.bytes.insert(kind, offset);
            }
        }
        for (kind, calls) in found.shown_by {
            self.shown_by.entry(kind).or_insert(calls);
        }
        doubts.answers.extend(found.doubts.answers);
        before != (doubts.bytes.len(), doubts.answers.len())
    }

    /// Whether something differs that is no address, nor the rest of one.
    fn is_by_chance(&self) -> bool {
        let mut offsets = self.doubts.bytes.kinds().flat_map(|(_, offsets)| offsets);
        !self.doubts.answers.is_empty() || offsets.any(|offset| NO_ADDRESS.contains(&(offset % 8)))
    }

    /// What is to be said of the run.
    fn told(&self, plan: &Plan) -> Vec<String> {
        let name = plan.suite.types[0].name;
        let mut told = Vec::new();
        for (kind, offsets) in self.doubts.bytes.kinds() {
            let Some(calls) = self.shown_by.get(&kind) else { continue };
            let what = match offsets.iter().any(|offset| NO_ADDRESS.contains(&(offset % 8))) {
                true => "chance, time or an address",
                false => "an address, or remains of one in padding",
            };
            told.push(format!("bytes {}: {what}, after {calls}", places(name, kind, offsets)));
        }
        let answers = self.doubts.answers.iter();
        for name in answers.filter_map(|&index| answer_name(plan, index)) {
            told.push(format!("what {name} says: chance, time or an address"));
        }
        told
    }
}

/// The name of the method whose answer has this number.
fn answer_name(plan: &Plan, index: usize) -> Option<String> {
    let class = plan.schema.classes().first()?;
    let (_, answers) = class.fields.split_at_checked(beget_suite::N_MEMORY_FIELDS)?;
    Some(format!("`{}`", answers.get(index)?.name))
}

/// The bytes of a kind of block, for people.
fn places(name: &str, kind: BlockKind, offsets: &BTreeSet<usize>) -> String {
    let size = kind.size;
    let mut text = match kind.place {
        BlockPlace::Root => format!("of `{name}`"),
        BlockPlace::InRoot(offset) => {
            format!("of the {size} bytes to which `{name}` leads at {offset}")
        }
        BlockPlace::Deeper => format!("of blocks of {size} bytes"),
    };
    let mut offsets = offsets.iter().copied().peekable();
    while let Some(first) = offsets.next() {
        let mut end = first + 1;
        while offsets.next_if_eq(&end).is_some() {
            end += 1;
        }
        let _ = write!(text, " {first}..{end}");
    }
    text
}

/// Makes each block twice and compares.
struct Twins<'r> {
    runners: TwinRunners<'r>,
    found: Mutex<FoundDoubts>,
}

/// In what the results of two differ.
#[derive(Debug, Default)]
struct FoundDoubts {
    doubts: Doubts,
    shown_by: BTreeMap<BlockKind, String>,
    /// Why the results cannot be compared.
    failure: Option<String>,
}

impl FoundDoubts {
    fn is_empty(&self) -> bool {
        self.doubts == Doubts::default() && self.failure.is_none()
    }
}

impl BlockRunner for Twins<'_> {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let mut results = self.runners.local.run_all(explorer, recipes, blocks, wait);
        let others = self.runners.peer.run_all(explorer, recipes, blocks, wait);
        let mut found = FoundDoubts::default();
        for (one, other) in results.iter().zip(&others) {
            let mut comparison = Comparison { explorer, recipes, found: &mut found };
            comparison.compare(one, other);
        }
        if !found.is_empty()
            && let Some(first) = results.first_mut()
        {
            let reason = found.failure.clone().unwrap_or_else(|| DIFFERS.to_owned());
            *first = BlockResult::failed(StoreError::Failed(reason));
            *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
        }
        results
    }
}

/// What is needed to compare two results of a block.
struct Comparison<'c> {
    explorer: &'c Explorer<'c>,
    recipes: &'c dyn Recipes,
    found: &'c mut FoundDoubts,
}

/// What a structure is known by in both results: the call, its arguments, and which of the
/// structures of the call it is.
type CandidateKey<'c> = (CallIdx, &'c [StructureId], u32);

impl Comparison<'_> {
    /// Notes in what two results of a block differ.
    fn compare(&mut self, one: &BlockResult, other: &BlockResult) {
        if let Some(error) = one.error().or(other.error()) {
            self.found.failure.get_or_insert_with(|| error.to_string());
            return;
        }
        let opposite: BTreeMap<CandidateKey<'_>, Form<'_>> =
            keyed(other).map(|(key, candidate)| (key, candidate.form)).collect();
        let mut differs = false;
        for (key, candidate) in keyed(one) {
            if let Some(counterpart) = opposite.get(&key)
                && *counterpart != candidate.form
            {
                differs = true;
                self.add(&candidate, *counterpart);
            }
        }
        if !differs && one.counters != other.counters {
            let reason =
                "calls do not end the same in two processes: `state: Bytes` needs calls that do";
            self.found.failure.get_or_insert_with(|| reason.to_owned());
        }
    }

    /// Notes in what two forms differ.
    fn add(&mut self, candidate: &Candidate<'_>, counterpart: Form<'_>) {
        let coding = self.explorer.plan().coding();
        let forms = [candidate.form, counterpart].map(|form| form.to_canonical());
        let texts = forms.each_ref().map(|form| memory_text(form.as_ref(), coding));
        let is_main = candidate.form.type_tag(coding.tag_bits) == 0;
        let doubts = match texts {
            [Some(one), Some(other)] if is_main => memory_doubts(&one, &other),
            _ => Doubts::default(),
        };
        if doubts == Doubts::default() {
            let reason = "structures are not the same in two processes, though their memory is";
            self.found.failure.get_or_insert_with(|| reason.to_owned());
            return;
        }
        for (kind, offsets) in doubts.bytes.kinds() {
            for &offset in offsets {
                self.found.doubts.bytes.insert(kind, offset);
            }
            if !self.found.shown_by.contains_key(&kind) {
                let calls = self.calls(candidate);
                self.found.shown_by.insert(kind, calls);
            }
        }
        self.found.doubts.answers.extend(doubts.answers);
    }

    /// The calls that make a structure, on a line.
    fn calls(&self, candidate: &Candidate<'_>) -> String {
        let (plan, table) = (self.explorer.plan(), self.explorer.calls());
        let parts = table.parts(candidate.call);
        match recipe_of_call(plan, table, self.recipes, parts, candidate.arguments) {
            Ok(recipe) => {
                let source = to_source(&plan.suite, &recipe).0;
                let lines: Vec<&str> = source.lines().map(str::trim).collect();
                format!("`{}`", lines.join(" "))
            }
            Err(_) => format!("a call of `{}`", plan.method_name(parts.planned)),
        }
    }
}

fn keyed(result: &BlockResult) -> impl Iterator<Item = (CandidateKey<'_>, Candidate<'_>)> {
    let mut number = 0;
    result.candidates.iter().map(move |candidate| {
        number = if candidate.continues_call { number + 1 } else { 0 };
        ((candidate.call, candidate.arguments, number), candidate)
    })
}
