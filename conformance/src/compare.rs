//! Comparing beget with the enumerator on one case.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use beget_engine::store::{Store as _, StructureId};
use beget_engine::{CopyOptions, Corpus, Run, Settings};
use beget_plan::finding::Kind;
use beget_plan::scope::{Overrides, Plan, ScopeFile};
use beget_suite::{Argument, ParamKind, Recipe};

use crate::case::Case;
use crate::own::{All, Counted, Form, Level, Space, drop_quietly, enumerate};

/// The ways of copying that this process has, each with its name: by the region of beget's
/// allocator where that is installed, and by clones or made again elsewhere.
fn ways() -> Vec<(String, CopyOptions)> {
    let copies: &[_] = match beget_process::alloc::is_installed() {
        true => &[(false, false, "region")],
        false => &[(true, false, "clone"), (true, true, "remake")],
    };
    let mut ways = Vec::new();
    for (no_decode, making) in [(false, "decode"), (true, "replay")] {
        for &(no_region, no_clone, copies) in copies {
            ways.push((
                format!("{making}, {copies}"),
                CopyOptions { no_decode, no_region, no_clone },
            ));
        }
    }
    ways
}

/// A store in memory never fails to read.
const READS: &str = "the store can be read";

/// What the enumerator found, to compare with.
pub struct Truth {
    /// The space.
    pub space: Space,
    /// What is in it.
    pub all: All,
}

impl std::fmt::Debug for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.all.fmt(f)
    }
}

/// Enumerates a case; `None` if it has more than `most` calls.
pub fn truth(case: &Case, most: u64) -> Option<Truth> {
    let space = case.space();
    let all = enumerate(&space, most)?;
    Some(Truth { space, all })
}

/// The plan of a case.
///
/// # Panics
/// If the scope is refused.
pub fn plan(case: &Case) -> Plan {
    let ron = case.scope.to_ron(&case.name);
    let file = ScopeFile::parse("case", &ron).unwrap_or_else(|problems| panic!("\n{problems}"));
    let suite = Arc::new((case.suite)());
    let resolved = file.resolve(&suite, &Overrides::default(), &|_| Err(String::new()));
    resolved.unwrap_or_else(|problems| panic!("\n{problems}")).plan
}

/// Runs beget in every way, with each of `threads`, and compares with the truth. Returns the
/// differences.
pub fn differences(case: &Case, truth: &Truth, threads: &[usize]) -> Vec<String> {
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (way, wishes) in ways() {
        for &threads in threads {
            let settings = Settings { threads, copy_options: wishes };
            let compared = catch_unwind(AssertUnwindSafe(|| {
                let corpus = Run::new(plan(case)).settings(settings).go();
                let mut differences = compare(&corpus, truth, threads == 1);
                differences.extend(destructors(&corpus, &truth.all, wishes.no_region));
                differences
            }));
            let panicked = |_| vec!["beget itself panicked".to_owned()];
            for difference in compared.unwrap_or_else(panicked) {
                let run = format!("{way}, {threads} threads");
                differences.entry(difference).or_default().push(run);
            }
        }
    }
    let n_runs = ways().len() * threads.len();
    let line = |(difference, runs): (String, Vec<String>)| {
        let difference: String = difference.chars().take(600).collect();
        let of = format!("{} of {n_runs} runs, first {}", runs.len(), runs[0]);
        format!("{}: {difference} ({of})", case.name)
    };
    differences.into_iter().map(line).collect()
}

/// How a corpus differs from the truth.
pub fn compare(corpus: &Corpus, truth: &Truth, with_values: bool) -> Vec<String> {
    let mut differences = Vec::new();
    if !corpus.report.is_complete() {
        differences.push(format!("not complete: {}", corpus.report.stop_reason));
    }
    let (found, wanted) = literals(corpus, truth);
    if found != wanted {
        differences.push(format!("literals {found:?}, wanted {wanted:?}"));
        return differences;
    }
    differences.extend(counts(corpus, &truth.all));
    differences.extend(failures(corpus, truth));
    differences.extend(structures(corpus, truth, with_values));
    differences
}

/// For each method, how many literals each of its parameters has.
type Literals = Vec<Vec<usize>>;

/// The literals on both sides.
fn literals(corpus: &Corpus, truth: &Truth) -> (Literals, Literals) {
    let methods = corpus.plan.methods.iter();
    let found = methods.map(|method| method.domains.iter().map(Vec::len).collect()).collect();
    let wanted = (0..truth.space.suite.ops.len()).map(|op| truth.space.n_literals(op)).collect();
    (found, wanted)
}

fn counts(corpus: &Corpus, all: &All) -> Vec<String> {
    let mut differences = Vec::new();
    let n_found = (corpus.store.len(), all.found.len() as u64);
    if n_found.0 != n_found.1 {
        differences.push(format!("{} structures, wanted {}", n_found.0, n_found.1));
    }
    let counters = corpus.report.ledger.counters;
    let counted = Counted {
        kept: counters.kept,
        matched: counters.matched,
        out_of_scope: counters.out_of_scope,
        misuse: counters.misuse,
        failures: counters.failures,
    };
    if counted != all.counted {
        differences.push(format!("{counted:?}, wanted {:?}", all.counted));
    }
    let level = |level: &beget_engine::Level| Level {
        calls: level.calls,
        new: level.new,
        explored: level.explored,
    };
    let levels: Vec<Level> =
        corpus.report.levels.iter().map(level).filter(|level| level.explored > 0).collect();
    let wanted: Vec<Level> =
        all.levels.iter().copied().filter(|level| level.explored > 0).collect();
    if levels != wanted {
        differences.push(format!("levels {levels:?}, wanted {wanted:?}"));
    }
    differences
}

/// Whether beget reports that a weak pointer leads into another structure. What such a structure is
/// depends on how long the other one lives, so there is nothing to compare.
pub fn is_said_to_span_structures(case: &Case) -> bool {
    let corpus = Run::new(plan(case)).go();
    corpus.report.findings.iter().any(|finding| finding.problem.kind == Kind::OwnedElsewhere)
}

/// Calls that panicked at one place with one message, but for the numbers in it, and of one method
/// where the place is in the standard library: what the first of them said, what it was called on,
/// and how many there are.
type Panics =
    BTreeMap<(Option<&'static str>, String, String), (String, Vec<Option<(usize, Form)>>, u64)>;

/// Findings that are no panics, and panics of calls that are others than those wanted.
fn failures(corpus: &Corpus, truth: &Truth) -> Vec<String> {
    let mut differences = Vec::new();
    let mut found = Panics::new();
    for finding in &corpus.report.findings {
        if finding.problem.kind == Kind::DropPanics {
            continue;
        }
        if finding.problem.kind != Kind::Panic {
            differences.push(format!("a finding: {}", finding.problem));
            continue;
        }
        let Some(recipe) = &finding.witness.recipe else {
            differences.push(format!("a finding without a recipe: {}", finding.problem));
            continue;
        };
        let arguments = recipe.arguments.iter().filter_map(|argument| match argument {
            Argument::Structure(recipe) => Some(run(corpus, &truth.space, recipe)),
            Argument::Literal(_) => None,
        });
        let form = |value: Result<Box<dyn Any>, String>| form_of(&truth.space, value.ok()?);
        let forms: Vec<_> = arguments.map(form).collect();
        let name = corpus.plan.suite.method(recipe.method).name;
        let message = finding.problem.message.to_string();
        // "panicked at PLACE: MESSAGE", where a place has colons but no space.
        let (place, said) = message.split_once(": ").unwrap_or(("", &message));
        let place = place.strip_prefix("panicked at ").unwrap_or(place);
        let said = said.to_owned();
        let key = (method_of(name, place), place_of_subject(place), numberless(&said));
        let before = found.insert(key, (said, forms, finding.count));
        if let Some((said, ..)) = before {
            differences.push(format!("two findings of one cause: {said}"));
        }
    }
    let mut wanted = Panics::new();
    for failure in &truth.all.failures {
        let form = |&id: &usize| {
            let found = &truth.all.found[id];
            Some((found.ty, found.form.clone()))
        };
        let name = truth.space.suite.ops[failure.op].name;
        let place = &failure.place;
        let key = (method_of(name, place), place_of_subject(place), numberless(&failure.message));
        let first = || (failure.message.clone(), failure.arguments.iter().map(form).collect(), 0);
        wanted.entry(key).or_insert_with(first).2 += 1;
    }
    for key in found.keys().chain(wanted.keys()).collect::<BTreeSet<_>>() {
        let (found, wanted) = (found.get(key), wanted.get(key));
        if found != wanted {
            differences.push(format!("failures of {key:?} are {found:?}, wanted {wanted:?}"));
        }
    }
    differences
}

/// The method, where the place does not say the cause.
fn method_of(name: &'static str, place: &str) -> Option<&'static str> {
    let is_of_std = place.starts_with("/rustc/") || place.contains("/rustlib/src/rust/library/");
    is_of_std.then_some(name)
}

/// A place, unless it is in what looks at values, which is other code on each side.
fn place_of_subject(place: &str) -> String {
    let is_walk = ["conformance/src/own/", "crates/beget-heap/"];
    match is_walk.iter().any(|path| place.starts_with(path)) {
        true => String::new(),
        false => place.to_owned(),
    }
}

fn numberless(message: &str) -> String {
    message.chars().filter(|char| !char.is_ascii_digit()).collect()
}

/// Destructors that panicked, by what they said without its numbers, as causes are told apart. In
/// the region they run in some calls only, for comparison.
fn destructors(corpus: &Corpus, all: &All, run_always: bool) -> Option<String> {
    let findings = corpus.report.findings.iter();
    let panics = findings.filter(|finding| finding.problem.kind == Kind::DropPanics);
    let messages = panics.map(|finding| finding.problem.message.to_string());
    let said = |message: String| message.split_once(": ").map(|(_, said)| numberless(said));
    let found: BTreeSet<String> = messages.filter_map(said).collect();
    let wanted = all.drop_panics.iter().map(|message| numberless(message)).collect();
    let is_right = if run_always { found == wanted } else { found.is_subset(&wanted) };
    (!is_right).then(|| format!("destructors panicked with {found:?}, wanted {wanted:?}"))
}

/// Differences of the structures: each of beget's is made by its recipe, on real values, and looked
/// at.
fn structures(corpus: &Corpus, truth: &Truth, with_values: bool) -> Vec<String> {
    let (space, found) = (&truth.space, &truth.all.found);
    let mut differences = Vec::new();
    let mut forms: Vec<(usize, Form)> = Vec::new();
    let mut reader = corpus.reader();
    let with_values = with_values && !carries_keys(corpus);
    for id in 0..corpus.store.len() {
        let recipe = corpus.recipe(StructureId::new(id)).expect(READS);
        if recipe.n_calls() as u32 != corpus.cost(StructureId::new(id)) {
            differences.push(format!("the recipe of {id} has {} calls", recipe.n_calls()));
        }
        (space.before)();
        let form = match run(corpus, space, &recipe).map(|value| form_of(space, value)) {
            Ok(Some(form)) => form,
            Ok(None) => {
                differences.push(format!("the recipe of {id} leaves the scope"));
                continue;
            }
            Err(reason) => {
                differences.push(format!("the recipe of {id} cannot be run: {reason}"));
                continue;
            }
        };
        if with_values {
            let remade = reader.reconstruct(StructureId::new(id)).expect(READS);
            let remade = remade.and_then(|value| form_of(space, value));
            if remade.as_ref() != Some(&form) {
                differences.push(format!("{id} made again is {remade:?}, by its recipe {form:?}"));
            }
        }
        forms.push(form);
    }
    let wanted: Vec<(usize, Form)> =
        found.iter().map(|found| (found.ty, found.form.clone())).collect();
    if forms != wanted {
        differences.push(sets(&forms, &wanted));
    }
    differences.truncate(5);
    differences
}

/// Whether structures carry keys: then their values are of a type of beget's own, and only what
/// their recipes build can be looked at.
fn carries_keys(corpus: &Corpus) -> bool {
    let mut methods = corpus.plan.suite.methods.iter();
    methods.any(|method| (0..method.params.len()).any(|index| method.takes_key(index)))
}

/// In what two lists of forms differ: as sets, by repetitions, or in their order only.
fn sets(forms: &[(usize, Form)], wanted: &[(usize, Form)]) -> String {
    let set: BTreeSet<_> = forms.iter().collect();
    let wanted_set: BTreeSet<_> = wanted.iter().collect();
    let missing: Vec<_> = wanted_set.difference(&set).take(2).collect();
    let invented: Vec<_> = set.difference(&wanted_set).take(2).collect();
    if !missing.is_empty() || !invented.is_empty() {
        return format!("structures are missing {missing:?} or invented {invented:?}");
    }
    if set.len() < forms.len() {
        return format!("{} structures are {} different ones", forms.len(), set.len());
    }
    let first = (0..forms.len()).find(|&index| forms.get(index) != wanted.get(index));
    format!("the same structures in another order, from {first:?} on")
}

/// Runs a recipe of beget by the operations of the enumerator.
fn run(corpus: &Corpus, space: &Space, recipe: &Recipe) -> Result<Box<dyn Any>, String> {
    let method = corpus.plan.suite.method(recipe.method);
    let op =
        space.suite.ops.iter().position(|op| op.name == method.name).ok_or("no such method")?;
    let planned = corpus.plan.find_planned(recipe.method);
    let mut domains = corpus.plan.planned(planned.ok_or("not in the plan")?).domains.iter();
    let mut structures = Vec::new();
    let mut literals = Vec::new();
    for (param, argument) in method.params.iter().zip(&recipe.arguments) {
        match (&param.kind, argument) {
            (ParamKind::Structure { .. }, Argument::Structure(recipe)) => {
                structures.push(run(corpus, space, recipe)?);
            }
            (ParamKind::Literal { .. }, Argument::Literal(source)) => {
                let mut domain = domains.next().ok_or("no domain")?.iter();
                let position = domain.position(|literal| literal.source == *source);
                literals.push(position.ok_or_else(|| format!("no literal {source}"))?);
            }
            _ => return Err("an argument of another kind".to_owned()),
        }
    }
    space.leave(op, structures, &literals, recipe.output).ok_or_else(|| method.name.to_owned())
}

/// The form of a value that is then dropped.
fn form_of(space: &Space, value: Box<dyn Any>) -> Option<(usize, Form)> {
    let form = space.form(&*value);
    drop_quietly(value);
    form
}
