//! Runs whose structures are identified by their memory: finding the bytes that can be trusted.
//!
//! Some bytes depend on chance, time or addresses; padding, which is never written, may hold
//! remains of an address. Within one process all of them may be the same each time. So each call is
//! made by several processes that lie at different addresses. A byte that differs is doubted, in
//! all blocks of its kind, and the run begins again. It ends with the first round without a
//! difference.
//!
//! A byte of an address agrees with that of another process once in 256 times. With [`N_PEERS`] of
//! them, such a byte is recognised all but once in 16 million times.
//!
//! The module knows no processes: the caller lends runners. Its main invariant: the set of doubted
//! bytes only grows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use beget_engine::store::{Candidate, Candidates, Recipes, StoreError, StructureId};
use beget_engine::{
    Block, BlockResult, BlockRunner, CallIdx, Corpus, Explorer, Run, RunSpec, Settings,
    recipe_of_call,
};
use beget_heap::{Decoder, Doubts, Form};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_process::alloc::{BlockKind, BlockPlace, ByteMask};
use beget_suite::{MemoryDifference, leave_out_remains, memory_difference, memory_text, to_source};

use crate::integers::with_int_ranges;
use crate::stores::{StoreKind, generate_on};
use crate::{Watch, Workers};

/// The number of further processes that make each call.
pub const N_PEERS: usize = 3;

/// The number of rounds with a difference after which a run is given up.
const MOST_ROUNDS: u32 = 200;

/// The number of rounds without a difference that end a run with random bytes, which may also agree
/// by chance.
const QUIET_BY_CHANCE: u32 = 8;

/// The bytes of a word that are the same in all addresses.
const NO_ADDRESS: [usize; 2] = [6, 7];

/// The error that ends a round.
const DIFFERS: &str = "the memory of structures is not the same in several processes, whatever is left out of it: write \
                       `state: Shown`";

const NO_PEERS: &str = "`state: Bytes` compares the memory of several processes: only `generate` and `check` of the \
                        command line do";

/// Makes the run again and again, until nothing that is believed of memory differs.
pub(crate) fn generate(
    plan: &Plan,
    settings: Settings,
    store: StoreKind<'_>,
    watch: &Watch<'_>,
) -> Corpus {
    let peers = watch.peers();
    if peers.is_empty() {
        let reason = StoreError::Failed(NO_PEERS.to_owned());
        let none = |_: &Plan| Err(reason.clone());
        let spec = RunSpec { plan: plan.clone(), settings };
        let mut observer = watch;
        return Run::new(spec).store(&none).observe(&mut observer).go();
    }
    let runners = LocalAndPeers { local: watch.runner(), peers };
    let mut log = DoubtLog::default();
    loop {
        let plan = with_int_ranges(plan.clone().of_search(None, log.doubts()), settings, watch);
        let run = |runner: &dyn BlockRunner| generate_on(runner, plan, settings, store, watch);
        if let Some(corpus) = log.round(runners, run) {
            return corpus;
        }
    }
}

/// Several who make the same calls, and leave other remains.
#[derive(Clone, Copy)]
struct LocalAndPeers<'r> {
    local: &'r dyn BlockRunner,
    peers: &'r [Box<dyn Workers>],
}

/// The differences seen so far.
#[derive(Debug, Default)]
struct DoubtLog {
    doubts: Arc<Doubts>,
    /// Bytes in which some structures hold the rest of an address.
    remains: ByteMask,
    /// For each kind of block, the calls that showed one of these first.
    shown_by: BTreeMap<BlockKind, String>,
    rounds: u32,
    /// The number of last rounds without a new difference.
    quiet: u32,
    /// The result of the first of these.
    first_quiet: Option<Corpus>,
}

impl DoubtLog {
    /// The bytes to doubt in the next round.
    fn doubts(&self) -> &Arc<Doubts> {
        &self.doubts
    }

    /// Makes a round by `run`, which is lent the runner to use. Its result, if it is the last.
    fn round(
        &mut self,
        runners: LocalAndPeers<'_>,
        run: impl FnOnce(&dyn BlockRunner) -> Corpus,
    ) -> Option<Corpus> {
        let compared = ComparedRunner { runners, found: Mutex::default() };
        let corpus = run(&compared);
        let found = compared.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.rounds += 1;
        let is_cut = !corpus.report.stop_reason.is_reproducible();
        match self.add(found) {
            true => self.quiet = 0,
            false => self.quiet += 1,
        }
        // Later rounds only confirm the first one; a limit may have cut them.
        let first = match self.first_quiet.take() {
            Some(first) if self.quiet > 1 => first,
            _ => corpus,
        };
        let needed = if self.is_by_chance() { QUIET_BY_CHANCE } else { 1 };
        let is_over = self.quiet >= needed || is_cut && self.quiet > 0;
        if !is_over && self.rounds < MOST_ROUNDS {
            self.first_quiet = Some(first);
            return None;
        }
        let mut corpus = first;
        corpus.report.doubted = self.sentences(&corpus.plan);
        if corpus.report.stop_reason.is_exhausted() && !corpus.report.doubted.is_empty() {
            corpus.report.stop_reason = StopReason::Doubted;
        }
        if self.quiet < needed {
            corpus.report.doubted.push(format!(
                "what is by chance may agree by chance: {needed} rounds are to show nothing new, and the run ended after {}",
                self.quiet
            ));
        }
        Some(corpus)
    }

    /// Adds doubts; returns whether there are new ones.
    fn add(&mut self, found: FoundDoubts) -> bool {
        let doubts = Arc::make_mut(&mut self.doubts);
        let before = (doubts.bytes.len(), doubts.answers.len());
        add_bytes(&mut doubts.bytes, &found.doubts.bytes);
        add_bytes(&mut self.remains, &found.remains);
        for (kind, calls) in found.shown_by {
            self.shown_by.entry(kind).or_insert(calls);
        }
        doubts.answers.extend(found.doubts.answers);
        before != (doubts.bytes.len(), doubts.answers.len())
    }

    /// Returns whether a difference is neither an address nor the rest of one.
    fn is_by_chance(&self) -> bool {
        let mut offsets = self.doubts.bytes.kinds().flat_map(|(_, offsets)| offsets);
        !self.doubts.answers.is_empty() || offsets.any(|offset| NO_ADDRESS.contains(&(offset % 8)))
    }

    /// The sentences about the run's doubts.
    fn sentences(&self, plan: &Plan) -> Vec<String> {
        let name = plan.suite.types[0].name;
        let mut sentences = Vec::new();
        for (mask, what) in [
            (&self.doubts.bytes, "chance, time or an address: not believed"),
            (&self.remains, "where it is what is left of an address, as in padding: not believed"),
        ] {
            for (kind, offsets) in mask.kinds() {
                let Some(calls) = self.shown_by.get(&kind) else { continue };
                sentences
                    .push(format!("bytes {}: {what}, after {calls}", places(name, kind, offsets)));
            }
        }
        let answers = self.doubts.answers.iter();
        for name in answers.filter_map(|&index| answer_name(plan, index)) {
            sentences.push(format!("what {name} says: chance, time or an address: not believed"));
        }
        sentences
    }
}

/// The name of the method whose answer has this number.
fn answer_name(plan: &Plan, index: usize) -> Option<String> {
    let class = plan.schema().classes().first()?;
    let (_, answers) = class.fields.split_at_checked(beget_suite::N_MEMORY_FIELDS)?;
    Some(format!("`{}`", answers.get(index)?.name))
}

/// The bytes of a kind of block, in words.
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

/// Makes each block several times and compares the results.
struct ComparedRunner<'r> {
    runners: LocalAndPeers<'r>,
    found: Mutex<FoundDoubts>,
}

/// The differences between two results.
#[derive(Debug, Default)]
struct FoundDoubts {
    doubts: Doubts,
    /// Bytes left out of single structures.
    remains: ByteMask,
    shown_by: BTreeMap<BlockKind, String>,
    /// The reason why the results cannot be compared.
    failure: Option<String>,
}

impl FoundDoubts {
    /// The reason why the round must end, if any.
    fn end_of_round(&self) -> Option<String> {
        let differs = || (self.doubts != Doubts::default()).then(|| DIFFERS.to_owned());
        self.failure.clone().or_else(differs)
    }

    fn add(&mut self, more: FoundDoubts) {
        add_bytes(&mut self.doubts.bytes, &more.doubts.bytes);
        add_bytes(&mut self.remains, &more.remains);
        self.doubts.answers.extend(more.doubts.answers);
        for (kind, calls) in more.shown_by {
            self.shown_by.entry(kind).or_insert(calls);
        }
    }
}

fn add_bytes(mask: &mut ByteMask, more: &ByteMask) {
    for (kind, offsets) in more.kinds() {
        for &offset in offsets {
            mask.insert(kind, offset);
        }
    }
}

impl BlockRunner for ComparedRunner<'_> {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let mut results = self.runners.local.run_all(explorer, recipes, blocks, wait);
        let peers = self.runners.peers.iter();
        let others: Vec<Vec<BlockResult>> =
            peers.map(|peer| peer.run_all(explorer, recipes, blocks, wait)).collect();
        let mut found = FoundDoubts::default();
        for (number, one) in results.iter_mut().enumerate() {
            let others: Vec<&BlockResult> = others.iter().map(|other| &other[number]).collect();
            let mut comparison = BlockComparison { explorer, recipes, found: &mut found };
            comparison.compare(one, &others);
        }
        if let Some(reason) = found.end_of_round()
            && let Some(first) = results.first_mut()
        {
            *first = BlockResult::failed(StoreError::Failed(reason));
        }
        self.found.lock().unwrap_or_else(PoisonError::into_inner).add(found);
        results
    }
}

/// The input for comparing two results of a block.
struct BlockComparison<'c> {
    explorer: &'c Explorer<'c>,
    recipes: &'c dyn Recipes,
    found: &'c mut FoundDoubts,
}

/// The identity of a structure in both results: the call, which says the structure that is meant,
/// and its arguments.
type CandidateKey<'c> = (CallIdx, &'c [StructureId]);

impl BlockComparison<'_> {
    /// Notes the differences between the results of a block, and removes remains of addresses from
    /// the first.
    fn compare(&mut self, one: &mut BlockResult, others: &[&BlockResult]) {
        if let Some(error) = one.error().or(others.iter().find_map(|other| other.error())) {
            self.found.failure.get_or_insert_with(|| error.to_string());
            return;
        }
        let mut opposite: BTreeMap<CandidateKey<'_>, Vec<Form<'_>>> = BTreeMap::new();
        for (key, candidate) in others.iter().flat_map(|other| keyed(other)) {
            opposite.entry(key).or_default().push(candidate.form);
        }
        let mut differs = false;
        let mut believed = Candidates::default();
        for (key, candidate) in keyed(one) {
            let counterparts = opposite.get(&key).map_or(&[][..], Vec::as_slice);
            match counterparts.iter().all(|counterpart| *counterpart == candidate.form) {
                true => believed.push(candidate),
                false => {
                    differs = true;
                    let words = self.believed(&candidate, counterparts);
                    let form = Form { words: &words, ..candidate.form };
                    believed.push(Candidate { form, ..candidate });
                }
            }
        }
        if !differs && others.iter().any(|other| other.ledger.counters != one.ledger.counters) {
            let reason = "calls do not end the same in several processes: `state: Bytes` needs calls that do";
            self.found.failure.get_or_insert_with(|| reason.to_owned());
        }
        if differs {
            one.candidates = believed;
        }
    }

    /// The words of a form without remains of addresses. Notes its differences from those of the
    /// other processes.
    fn believed(&mut self, candidate: &Candidate<'_>, counterparts: &[Form<'_>]) -> Vec<u64> {
        let coding = self.explorer.plan().coding();
        let text = |form: &Form<'_>| memory_text(form.to_canonical().as_ref(), coding);
        let form = candidate.form.to_canonical();
        let one = memory_text(form.as_ref(), coding);
        let others: Option<Vec<String>> = counterparts.iter().map(text).collect();
        let is_main = candidate.form.type_tag(coding.tag_bits) == 0;
        let mut words = candidate.form.words.to_vec();
        let (Some(one), Some(others), true) = (one, others, is_main) else {
            let reason = "structures of a further type are not the same in several processes";
            self.found.failure.get_or_insert_with(|| reason.to_owned());
            return words;
        };
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let MemoryDifference { doubts, remains } = memory_difference(&one, &others);
        if doubts == Doubts::default() && remains.is_empty() {
            let reason = "structures are not the same in several processes, though their memory is";
            self.found.failure.get_or_insert_with(|| reason.to_owned());
            return words;
        }
        let mut decoder = Decoder::new(coding, 0);
        decoder.begin(form.as_ref());
        decoder.change_text(&mut words, |text| leave_out_remains(text, &others));
        add_bytes(&mut self.found.remains, &remains);
        self.note_calls(&remains, candidate);
        self.note_calls(&doubts.bytes, candidate);
        add_bytes(&mut self.found.doubts.bytes, &doubts.bytes);
        self.found.doubts.answers.extend(doubts.answers);
        words
    }

    /// Notes the first calls that show something for blocks of a kind.
    fn note_calls(&mut self, mask: &ByteMask, candidate: &Candidate<'_>) {
        for (kind, _) in mask.kinds() {
            if !self.found.shown_by.contains_key(&kind) {
                let calls = self.calls(candidate);
                self.found.shown_by.insert(kind, calls);
            }
        }
    }

    /// The calls that build a structure, on one line.
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
    result.candidates.iter().map(|candidate| ((candidate.call, candidate.arguments), candidate))
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_engine::Threads;
    use beget_plan::scope::Overrides;

    use super::*;
    use crate::{Catalog, Input};

    /// Shows a number.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Roulette {
        number: u8,
    }

    #[beget::api(name = "test::roulette")]
    impl Roulette {
        pub fn new() -> Self {
            Roulette::default()
        }

        pub fn number(&self) -> u8 {
            self.number
        }
    }

    fn roulettes() -> Plan {
        let text = r#"Scope(suite: "test::roulette", k: 1, objects: {"*": "k"}, state: Bytes)"#;
        let catalog = Catalog::new(vec![Roulette::suite()]);
        let input = Input::of_text("scope.ron", text.to_owned(), catalog).unwrap().with_peers();
        input.resolve(&Overrides::default()).unwrap().plan
    }

    /// A round in which nothing differs, of a run that is exhausted.
    fn round(log: &mut DoubtLog) -> Option<(StopReason, Vec<String>)> {
        let runners = LocalAndPeers { local: &Threads, peers: &[] };
        let corpus = log.round(runners, |_| Run::new(roulettes()).go())?;
        Some((corpus.report.stop_reason, corpus.report.doubted))
    }

    #[test]
    fn a_run_in_which_nothing_differs_is_made_once() {
        assert_eq!(round(&mut DoubtLog::default()), Some((StopReason::Exhausted, Vec::new())));
    }

    /// Eight rounds are to confirm an answer by chance, and the run is given up after 200.
    #[test]
    fn what_is_by_chance_is_confirmed_by_rounds_until_the_run_is_given_up() {
        let answers = BTreeSet::from([0]);
        let doubts = || Arc::new(Doubts { answers: answers.clone(), ..Doubts::default() });
        let mut log = DoubtLog { doubts: doubts(), rounds: 198, ..DoubtLog::default() };
        assert_eq!(round(&mut log), None);
        let (reason, doubted) = round(&mut log).unwrap();
        assert_eq!((reason, doubted.len()), (StopReason::Doubted, 2));
        let last = "8 rounds are to show nothing new, and the run ended after 2";
        assert!(doubted[1].ends_with(last), "{doubted:?}");
    }

    #[test]
    fn answers_that_are_doubted_are_named() {
        let plan = roulettes();
        let answers = BTreeSet::from([0, 1]);
        let doubts = Arc::new(Doubts { answers, ..Doubts::default() });
        let log = DoubtLog { doubts, ..DoubtLog::default() };
        // There is no second one.
        let number = "what `number` says: chance, time or an address: not believed";
        assert_eq!(log.sentences(&plan), [number]);
    }

    #[test]
    fn places_of_bytes_are_ranges_in_words() {
        let shown = |place| {
            places(
                "Pen",
                BlockKind { place, size: 16, align: 8 },
                &BTreeSet::from([0, 1, 2, 8, 10, 11]),
            )
        };
        let ranges = "0..3 8..9 10..12";
        assert_eq!(shown(BlockPlace::Root), format!("of `Pen` {ranges}"));
        let in_root = format!("of the 16 bytes to which `Pen` leads at 8 {ranges}");
        assert_eq!(shown(BlockPlace::InRoot(8)), in_root);
        assert_eq!(shown(BlockPlace::Deeper), format!("of blocks of 16 bytes {ranges}"));
    }
}
