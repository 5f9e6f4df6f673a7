//! Genes of a made-up type and of the containers: mutants are always valid, files contain what was
//! written, and a search depends only on its seed.

#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use beget::Heap;
use beget::suites::{HasSuite, Suite};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::default_scope;
use beget_plan::scope::{Overrides, Plan};
use beget_process::coverage::Coverage;
use beget_run::random::{
    Chromosome, Direction, GenePlan, InProgress, MethodGenes, PoolBounds, RandomOptions,
    SequencesOutcome, Targets, plan_for, run_sequences,
};
use beget_run::{Catalog, Input};
use beget_subjects::jpf;
use beget_suite::SplitMix64;

use crate::evolve::breed::{Mutation, cross};
use crate::evolve::*;

mod targets;

/// A list with parameters of many kinds.
#[derive(Clone, Debug, Default, Heap)]
pub struct Shelf {
    weights: Vec<i64>,
}

#[beget::api(name = "test::shelf")]
impl Shelf {
    /// A method.
    pub fn new() -> Self {
        Shelf::default()
    }

    /// A method.
    pub fn put(&mut self, weight: i8, note: Option<u8>) -> Option<i8> {
        SEEN.with_borrow_mut(|seen| seen.push((weight, note)));
        self.weights.push(weight.into());
        note.map(|note| note as i8)
    }

    /// A method.
    pub fn label(&mut self, text: &str, mark: char, share: f64, flag: bool) {
        self.weights.push((text.len() as f64 * share) as i64 + i64::from(flag) + mark as i64);
    }

    /// A method.
    pub fn put_all(&mut self, weights: Vec<u16>) {
        self.weights.extend(weights.into_iter().map(i64::from));
    }

    /// A method.
    pub fn take_from(&mut self, mut other: Shelf) -> Result<(), String> {
        self.weights.append(&mut other.weights);
        Ok(())
    }
}

thread_local! {
    /// The arguments of `put`.
    static SEEN: RefCell<Vec<(i8, Option<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// A type that a misused call breaks.
#[derive(Clone, Debug, Default, Heap)]
pub struct Till {
    coins: u8,
    is_jammed: bool,
}

#[beget::api(name = "test::till")]
impl Till {
    /// Without coins.
    pub fn new() -> Self {
        Till::default()
    }

    /// One more.
    pub fn earn(&mut self) {
        self.coins = self.coins.saturating_add(1);
    }

    /// Refuses, and changes nothing.
    pub fn spend(&mut self, coins: u8) -> Result<(), String> {
        self.coins = self.coins.checked_sub(coins).ok_or("too few")?;
        Ok(())
    }

    /// Refuses, and changes something.
    pub fn jam(&mut self) -> Result<(), String> {
        self.is_jammed = true;
        Err("jammed".to_owned())
    }

    /// Fails on a till that must not be used any more.
    pub fn count(&self) -> u8 {
        assert!(!self.is_jammed, "a jammed till");
        self.coins
    }
}

fn plan_of(suite: Suite) -> Plan {
    let fields = [
        ("strings", "[\"a\", \"bc\"]"),
        ("floats", "[0.5]"),
        ("chars", "['x']"),
        ("ints", "0..3"),
        ("arrays", "2"),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let text = default_scope(&suite, &fields);
    let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
    plan_for(input.resolve(&Overrides::default()).unwrap().plan, &RandomOptions::default())
}

fn origin() -> ChromosomeOrigin {
    let points_are = "structures".to_owned();
    let (points, calls, fitness) = (1.5, 2.0, 1498.0);
    ChromosomeOrigin { seed: 0, generations: 0, points_are, points, calls, fitness, ratings: 1 }
}

fn shelf() -> (Plan, GenePlan) {
    let plan = plan_of(Shelf::suite());
    let genes = GenePlan::new(&plan, Targets::MainType);
    (plan, genes)
}

fn text_of(plan: &Plan, genes: &GenePlan, chromosome: &Chromosome) -> String {
    ChromosomeFile::new(plan, genes, chromosome, origin()).to_ron()
}

fn read(text: &str, plan: &Plan, genes: &GenePlan) -> Result<Chromosome, ChromosomeError> {
    ChromosomeFile::from_ron(text)?.to_chromosome(plan, genes)
}

#[test]
fn each_type_has_pools_and_those_with_an_order_have_bounds() {
    let (_, genes) = shelf();
    let template = template(&genes);
    let mut found: Vec<(&str, PoolBounds)> = Vec::new();
    for (ty, pools) in genes.types.iter().zip(&template.pools) {
        found.push((&ty.name, pools[0].bounds));
    }
    let ints = PoolBounds::Ints(0, 30);
    let expected = [
        ("Shelf", PoolBounds::Unbounded),
        ("i8", ints),
        ("Option<u8>", ints),
        ("&str", PoolBounds::Unbounded),
        ("char", PoolBounds::Chars('a', 'z')),
        ("f64", PoolBounds::Floats(0.0, 30.0)),
        ("bool", PoolBounds::Unbounded),
        ("Vec<u16>", ints),
    ];
    assert_eq!(found, expected);
}

/// All genes that a search can make can be written, read, and drawn from.
#[test]
fn mutants_and_children_are_valid_and_read_as_they_were_written() {
    let (plan, genes) = shelf();
    let mut random = SplitMix64::of_seeds(&[5]);
    let (mut one, mut other) = (template(&genes), template(&genes));
    for _ in 0..400 {
        let mut mutation = Mutation { genes: &genes, rate: 0.4, random: &mut random };
        (one, other) = (mutation.mutant(&one), mutation.mutant(&other));
        let child = cross(&genes, &one, &other, &mut random);
        for chromosome in [&one, &other, &child] {
            let text = text_of(&plan, &genes, chromosome);
            assert_eq!(read(&text, &plan, &genes).as_ref(), Ok(chromosome), "{text}");
        }
    }
    assert_ne!(one, template(&genes));
    // What is usual is not written.
    let written = text_of(&plan, &genes, &template(&genes));
    assert_eq!((written.matches("none: ").count(), written.contains("enrich")), (1, false));
    // Bounds are written where there are some.
    assert!(!text_of(&plan, &genes, &one).contains("Unbounded"));
}

#[test]
fn a_rate_of_nothing_changes_nothing_and_a_child_is_of_both() {
    let (_, genes) = shelf();
    let first = template(&genes);
    let mut random = SplitMix64::of_seeds(&[1]);
    let mutant = Mutation { genes: &genes, rate: 0.0, random: &mut random }.mutant(&first);
    assert_eq!(mutant, first);
    let mut other = first.clone();
    other.calls = 7;
    other.methods.iter_mut().for_each(|method| method.weight = 7);
    let weights = |child: &Chromosome| -> Vec<u32> {
        child.methods.iter().map(|method| method.weight).collect()
    };
    let children: Vec<Chromosome> =
        (0..200).map(|_| cross(&genes, &first, &other, &mut random)).collect();
    // The other's genes are the last ones, from any point on, and at least one.
    assert!(children.iter().all(|child| weights(child)[4] == 7));
    assert!(children.iter().all(|child| weights(child).is_sorted_by(|a, b| a >= b)));
    assert!(children.iter().any(|child| weights(child) == [10, 10, 7, 7, 7]));
    assert!(children.iter().any(|child| child.calls == 7));
}

#[test]
fn the_first_chromosome_calls_all_methods_equally_and_uses_all_pools() {
    let (_, genes) = shelf();
    let first = template(&genes);
    assert_eq!(first.calls, 100);
    let values: Vec<Vec<u32>> =
        first.pools.iter().map(|pools| pools.iter().map(|pool| pool.values).collect()).collect();
    // Structures take calls, so there are fewer.
    assert_eq!(values, [&[vec![3, 3]][..], &vec![vec![30, 30]; 7]].concat());
    assert!(first.methods.iter().all(|method| method.weight == 10));
    let params: Vec<_> = first.methods.iter().flat_map(|method| method.params.clone()).collect();
    assert!(params.iter().all(|param| param.pools == [true, true]));
    // `self` and eight more; the third is the `Option` of `put`.
    let nones: Vec<f64> = params.iter().map(|param| param.none).collect();
    let of_put = genes.methods[1].params.iter().position(|param| param.none.is_some());
    assert_eq!(of_put, Some(2));
    assert_eq!(nones.iter().filter(|none| **none == 0.03).count(), 1);
    assert_eq!(nones[2], 0.03);
    assert!(first.methods.iter().flat_map(|method| &method.results).all(|bits| bits == &[true; 2]));
}

#[test]
fn each_point_makes_one_child() {
    let (_, genes) = shelf();
    let one = template(&genes);
    let mut other = one.clone();
    other.calls = 7;
    other.pools.iter_mut().for_each(|pools| pools[0].values = 7);
    other.methods.iter_mut().for_each(|method| method.weight = 7);
    let mut random = SplitMix64::of_seeds(&[1]);
    let mut child = || {
        let child = cross(&genes, &one, &other, &mut random);
        let pools: Vec<bool> = child.pools.iter().map(|pools| pools[0].values == 7).collect();
        let methods: Vec<bool> = child.methods.iter().map(|method| method.weight == 7).collect();
        (child.calls == 7, pools, methods)
    };
    let children: BTreeSet<_> = (0..1000).map(|_| child()).collect();
    // Calls, eight types and five methods.
    let at = |point: usize| {
        let pools = (1..=8).map(|gene| gene >= point).collect();
        (point == 0, pools, (9..=13).map(|gene| gene >= point).collect())
    };
    assert_eq!(children, (0..=13).map(at).collect());
}

/// Mutants in which each number has changed.
fn mutants(genes: &GenePlan, of: &Chromosome, n: u32) -> Vec<Chromosome> {
    let mut random = SplitMix64::of_seeds(&[1]);
    (0..n).map(|_| Mutation { genes, rate: 1.0, random: &mut random }.mutant(of)).collect()
}

#[test]
fn a_mutant_in_which_no_method_is_called_calls_those_of_its_origin() {
    let (_, genes) = shelf();
    let mut first = template(&genes);
    first.methods.iter_mut().for_each(|method| method.weight = 1);
    let weights = |one: &Chromosome| one.methods.iter().map(|method| method.weight).collect();
    let found: BTreeSet<Vec<u32>> = mutants(&genes, &first, 1000).iter().map(weights).collect();
    // Each is 0 or 2, a fifth or a half less or more: 32 ways, but for none.
    let way = |bits: u32| (0..5).map(|at| 2 * (bits >> at & 1)).collect();
    let ways = (1..32).map(way).chain([vec![1; 5]]);
    assert_eq!(found, ways.collect());
}

#[test]
fn numbers_of_a_mutant_stay_within_their_limits() {
    let (_, genes) = shelf();
    let mut first = template(&genes);
    let mut varied = |calls: u32, values: u32, weight: u32| {
        first.calls = calls;
        first.pools.iter_mut().flatten().for_each(|pool| pool.values = values);
        first.methods.iter_mut().for_each(|method| method.weight = weight);
        let mutants = mutants(&genes, &first, 300);
        let calls: BTreeSet<u32> = mutants.iter().map(|one| one.calls).collect();
        let pools = mutants.iter().flat_map(|one| one.pools.iter().flatten());
        let values: BTreeSet<u32> = pools.map(|pool| pool.values).collect();
        let methods = mutants.iter().flat_map(|one| &one.methods);
        let weights: BTreeSet<u32> = methods.map(|method| method.weight).collect();
        (calls, values, weights)
    };
    let middle = ([50, 80, 120, 200].into(), [5, 8, 12, 20].into(), [20, 32, 48, 80].into());
    assert_eq!(varied(100, 10, 40), middle);
    let high = ([4500, 7200, 10_000].into(), [450, 720, 1000].into(), [45, 72, 100].into());
    assert_eq!(varied(9000, 900, 90), high);
    let (calls, values, _) = varied(1, 1, 40);
    assert_eq!((calls, values), ([1, 2].into(), [1, 2].into()));
}

#[test]
fn only_an_option_has_a_chance_of_none() {
    let (_, genes) = shelf();
    let mut nones = [BTreeSet::new(), BTreeSet::new()];
    for mutant in mutants(&genes, &template(&genes), 100) {
        for (types, method) in genes.methods.iter().zip(&mutant.methods) {
            for (ty, param) in types.params.iter().zip(&method.params) {
                nones[usize::from(ty.none.is_some())].insert((param.none * 1000.0).round() as u32);
            }
        }
    }
    // Of 0.03, half, twice, and a twentieth more or less, but not below 0.
    assert_eq!(nones, [[0].into(), [0, 15, 60, 80].into()]);
}

/// A rate of 1 exchanges all bits.
#[test]
fn each_bit_of_a_mutant_may_change_either_way() {
    let (_, genes) = shelf();
    let mut first = template(&genes);
    let put = 1;
    let weight = 1;
    first.methods[put].params[weight].pools = vec![true, false];
    first.methods[put].results = vec![vec![true, false]];
    for mutant in mutants(&genes, &first, 100) {
        let MethodGenes { params, results, .. } = &mutant.methods[put];
        // One pool may be gone, or a third one new.
        assert!(!results[0][0] && results[0].get(1) != Some(&false), "{results:?}");
        let pools = &params[weight].pools;
        let is_only_one = pools.len() == 1;
        assert!(pools[0] == is_only_one && pools.get(1) != Some(&false), "{pools:?}");
    }
}

/// Those of a type, and none whose value would be too long a list.
#[test]
fn bounds_of_integers_stay_within_those_of_the_type_and_of_16_bits() {
    let (_, genes) = shelf();
    let bounds = |name: &str, bound: i64| -> BTreeSet<(i64, i64)> {
        let at = genes.types.iter().position(|ty| ty.name == name).unwrap();
        let mut first = template(&genes);
        first.pools[at].iter_mut().for_each(|pool| pool.bounds = PoolBounds::Ints(bound, bound));
        let mutants = mutants(&genes, &first, 300);
        let bounds = mutants.iter().map(|one| match one.pools[at][0].bounds {
            PoolBounds::Ints(least, most) => (least, most),
            bounds => panic!("{bounds:?}"),
        });
        bounds.collect()
    };
    let pairs = |values: &[i64]| -> BTreeSet<(i64, i64)> {
        let from = |(at, &least)| values[at..].iter().map(move |&most| (least, most));
        values.iter().enumerate().flat_map(from).collect()
    };
    assert_eq!(bounds("i8", 100), pairs(&[50, 80, 120, 127]));
    assert_eq!(bounds("i8", -100), pairs(&[-128, -120, -80, -50][..]));
    assert_eq!(bounds("Vec<u16>", 30_000), pairs(&[15_000, 24_000, 32_767]));
    assert_eq!(bounds("Vec<u16>", 0), pairs(&[0, 1]));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let (plan, genes) = shelf();
    let text = text_of(&plan, &genes, &template(&genes));
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        read(&text.replacen(from, to, 1), &plan, &genes).unwrap_err().to_string()
    };
    let cases = [
        ("calls: 100,", "calls: 0,", "calls: give a number from 1 to 100000"),
        ("\"put\": Method", "\"putt\": Method", "methods: no method named `putt`"),
        ("pools: \"11\"", "pools: \"111\"", "3 digits for the 2 pools of `bool`"),
        ("pools: \"11\"", "pools: \"00\"", "at least one must be used"),
        ("pools: \"11\"", "pools: \"1x\"", "a digit for each pool"),
        ("none: 0.03", "none: 1.5", "`put`, params, `note`: `none`: from 0.0 to 1.0"),
        ("Ints(0, 30)", "Ints(9, 3)", "`bounds`: give Ints(least, most)"),
        ("Ints(0, 30)", "Floats(0, 3)", "`bounds`: give Ints(0, 30)"),
        ("\"i8\": [", "\"i9\": [", "pools of `i8`: there are none"),
        ("values: 30", "values: 0", "`values`: give a number from 1 to"),
        ("\"weight\": Param", "\"height\": Param", "it has no parameter `height`"),
        ("version: 1", "version: 2", "version 2 of chromosomes is not known"),
        ("Chromosome(", "Chromosom(", "this is no chromosome"),
        ("test::shelf", "test::desk", "this chromosome is for suite `test::desk`"),
    ];
    for (from, to, expected) in cases {
        let message = refused(from, to);
        assert!(message.contains(expected), "{from} -> {to}: {message}");
    }
    // The limit of an i8.
    let beyond = text.replace("Ints(0, 30)", "Ints(0, 128)");
    let message = read(&beyond, &plan, &genes).unwrap_err().to_string();
    assert!(message.contains("within -128..=127"), "{message}");
    let floats = |bounds: &str| read(&text.replace("Floats(0.0, 30.0)", bounds), &plan, &genes);
    // A value is drawn as the least one and a share of the difference, which must be finite.
    for refused in ["Floats(9.0, 3.0)", "Floats(-1e308, 1e308)"] {
        let message = floats(refused).unwrap_err().to_string();
        assert!(message.contains("`bounds`: give Floats(least, most)"), "{message}");
    }
    assert!(floats("Floats(1e308, 1.5e308)").is_ok() && floats("Floats(3.0, 3.0)").is_ok());
    let weight = |weight: u32| {
        read(&text.replacen("weight: 10", &format!("weight: {weight}"), 1), &plan, &genes)
    };
    assert!(weight(1_000_000).is_ok());
    let message = weight(1_000_001).unwrap_err().to_string();
    assert!(message.contains("weight: give a number from 0 to 1000000"), "{message}");
    let weightless = text.replace("weight: 10", "weight: 0");
    let message = read(&weightless, &plan, &genes).unwrap_err().to_string();
    assert!(message.contains("nothing would be called"), "{message}");
}

#[test]
fn a_chromosome_is_refused_once_the_methods_have_changed() {
    let (plan, genes) = shelf();
    let text = text_of(&plan, &genes, &template(&genes));
    let mut suite = Shelf::suite();
    suite.methods[1].signature = "fn put(&mut self, weight: i16, note: Option<u8>) -> Option<i8>";
    let plan = plan_of(suite);
    let message = read(&text, &plan, &genes).unwrap_err().to_string();
    let expected = "the methods of suite `test::shelf` have changed since this chromosome was found; find one again \
                    with `beget evolve`";
    assert_eq!(message, expected);
}

fn search_of(options: &EvolveOptions, source: PointSource, plan: &Plan) -> EvolveReport {
    let mut numbers = Vec::new();
    let watcher = EvolveWatcher {
        running: &RunningTests::default(),
        stopped: &|_| None,
        told: &mut |generation| numbers.push(generation.number),
    };
    let report = search(plan, options, source, watcher);
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32));
    report
}

const SMALL: EvolveOptions = EvolveOptions {
    seed: 1,
    population: 6,
    generations: 4,
    mutation_rate: 0.2,
    crossover_rate: 0.35,
    retention: 0.5,
    islands: 2,
    coverage_factor: 1000.0,
    test_cases: 4,
    max_calls: 1_000_000,
    targets: Targets::MainType,
    threads: 1,
};

#[test]
fn a_seed_gives_the_same_chromosome_for_any_number_of_threads() {
    let plan = plan_of(jpf::treemap::TreeMap::suite());
    for source in [PointSource::Predicates(&jpf::treemap::MARKS), PointSource::Structures] {
        let of = |threads: usize, seed: u64| {
            let report = search_of(&EvolveOptions { threads, seed, ..SMALL }, source, &plan);
            let (chromosome, evaluation) = report.best.unwrap();
            (chromosome, evaluation, report.generations, report.evaluations, report.calls)
        };
        let reference = of(1, 1);
        assert!(of(2, 1) == reference && of(3, 1) == reference);
        assert!(of(1, 2) != reference);
    }
}

fn run_tests(plan: &Plan, chromosome: Chromosome, n: u32) -> SequencesOutcome {
    let options = RandomOptions {
        direction: Direction::Chromosome(Arc::new(chromosome)),
        ..RandomOptions::default()
    };
    let in_progress = InProgress::default();
    run_sequences(plan, &options, n, &mut SplitMix64::of_seeds(&[3]), &in_progress, &mut |_| None)
}

/// The arguments of `put` in test cases that call nothing else.
fn seen_by_put(change: impl FnOnce(&mut Chromosome)) -> Vec<(i8, Option<u8>)> {
    let (plan, genes) = shelf();
    let mut chromosome = template(&genes);
    chromosome.methods.iter_mut().for_each(|method| method.weight = 0);
    chromosome.methods[1].weight = 1;
    change(&mut chromosome);
    SEEN.take();
    let outcome = run_tests(&plan, chromosome, 3);
    let calls = outcome.report.by_method.iter().map(|method| method.calls.explored());
    // Three test cases fill two pools of three, and call `put` a hundred times.
    assert_eq!(calls.collect::<Vec<_>>(), [18, 300, 0, 0, 0]);
    SEEN.take()
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.collect::<std::collections::BTreeSet<T>>().into_iter().collect()
}

#[test]
fn genes_say_which_values_are_passed() {
    const PUT: usize = 1;
    let (weight, note) = (1, 2);
    let seen = seen_by_put(|_| ());
    assert_eq!(seen.len(), 300);
    assert!(seen.iter().all(|(weight, note)| (0..=30).contains(weight) && note.unwrap_or(0) <= 30));
    let n_none = seen.iter().filter(|(_, note)| note.is_none()).count();
    assert!((1..30).contains(&n_none), "3 in 100: {n_none}");
    let none_always = seen_by_put(|genes| genes.methods[PUT].params[note].none = 1.0);
    assert_eq!(distinct(none_always.into_iter().map(|(_, note)| note)), [None]);
    // The values of two pools, one of them in use; the results of `put` go to the other.
    let of_pools = |pools: [bool; 2]| {
        let seen = seen_by_put(|genes| {
            genes.pools[1][0].bounds = PoolBounds::Ints(-5, -5);
            genes.pools[1][1].bounds = PoolBounds::Ints(7, 9);
            genes.methods[PUT].params[weight].pools = pools.to_vec();
        });
        distinct(seen.into_iter().map(|(weight, _)| weight))
    };
    assert_eq!(of_pools([true, false]), [-5]);
    assert_eq!(of_pools([false, true]), [7, 8, 9]);
    assert_eq!(of_pools([true, true]), [-5, 7, 8, 9]);
    // With pools of one value, each test case has one; results within the bounds replace it.
    let of_results = |results: bool| {
        let seen = seen_by_put(|genes| {
            genes.pools[1].iter_mut().for_each(|pool| pool.values = 1);
            genes.methods[PUT].params[weight].pools = vec![true, false];
            genes.methods[PUT].results.iter_mut().for_each(|pools| pools.fill(results));
        });
        distinct(seen.into_iter().map(|(weight, _)| weight)).len()
    };
    assert!(of_results(false) <= 3 && of_results(true) > 10);
}

#[test]
fn a_test_case_goes_on_after_a_rule_of_use_was_broken_without_what_that_changed() {
    let plan = plan_of(Till::suite())
        .with(|draft| draft.misuse.errors = beget_plan::scope::ErrorRule::Misuse);
    let genes = GenePlan::new(&plan, Targets::MainType);
    let mut chromosome = template(&genes);
    let name = |name: &str| plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).unwrap();
    let (new, jam) = (name("new").index(), name("jam").index());
    chromosome.pools[0].truncate(1);
    chromosome.pools[0][0].values = 1;
    let till = 0;
    for (types, method) in genes.methods.iter().zip(&mut chromosome.methods) {
        for (ty, param) in types.params.iter().zip(&mut method.params) {
            param.pools.truncate(if ty.ty == till { 1 } else { 2 });
        }
        for (&ty, result) in types.results.iter().zip(&mut method.results) {
            result.truncate(if ty == till { 1 } else { 2 });
        }
    }
    // One till, no new ones, none jammed: every call can be made.
    (chromosome.methods[new].weight, chromosome.methods[jam].weight) = (0, 0);
    let report = run_tests(&plan, chromosome.clone(), 4).report;
    assert_eq!((report.counters.explored(), report.counters.failures), (4 * 101, 0));
    assert!(report.counters.misuse > 50, "{report:?}");
    // A jammed till is dropped and never counted.
    chromosome.methods[jam].weight = 10;
    let report = run_tests(&plan, chromosome.clone(), 50).report;
    assert_eq!(report.by_method[jam].calls.misuse, 50);
    assert!(report.counters.explored() < 50 * 101);
    assert_eq!(report.counters.failures, 0);
    // New tills replace it.
    chromosome.methods[new].weight = 10;
    let report = run_tests(&plan, chromosome, 50).report;
    assert!(report.by_method[jam].calls.misuse > 50);
    assert_eq!((report.counters.explored(), report.counters.failures), (50 * 101, 0));
}

/// By default an error that changes something is a result like others.
#[test]
fn failures_of_all_generations_are_shown_by_the_fewest_calls() {
    let plan = plan_of(Till::suite());
    let report = search_of(&SMALL, PointSource::Structures, &plan);
    let [jammed] = &report.failures[..] else { panic!("{:?}", report.failures) };
    let calls = jammed.steps.iter().map(|step| plan.suite.method(step.statement.method).name);
    assert_eq!(calls.collect::<Vec<_>>(), ["new", "jam", "count"]);
    // If errors are results, those that change nothing are, too.
    let plan = plan.with(|draft| draft.misuse.errors = beget_plan::scope::ErrorRule::Returned);
    let genes = GenePlan::new(&plan, Targets::MainType);
    let report = run_tests(&plan, template(&genes), 4).report;
    assert!(report.counters.explored() > 0 && report.counters.misuse == 0, "{report:?}");
}

/// Marks that threads note separately equal those of the process.
#[test]
fn points_are_what_the_marks_of_the_process_say() {
    // Used by no other test here: tests run at the same time, and all note in the process.
    let plan = plan_of(jpf::fibheap::FibHeap::suite());
    let genes = GenePlan::new(&plan, Targets::MainType);
    let chromosome = Arc::new(template(&genes));
    let marks = &jpf::fibheap::MARKS;
    let of = |source| evaluate(&plan, &chromosome, &SMALL, source, &mut SplitMix64::of_seeds(&[3]));
    let (blocks, predicates) = (of(PointSource::Blocks(marks)), of(PointSource::Predicates(marks)));
    // The naive twin: one run on this thread, with the marks of the process.
    let session = marks.session();
    let outcome = run_tests(&plan, Chromosome::clone(&chromosome), SMALL.test_cases);
    let expected = (session.blocks().covered() as f64, session.predicates().covered() as f64);
    assert_eq!((blocks.points, predicates.points), expected);
    let calls = outcome.report.counters.explored() as f64;
    assert_eq!((blocks.calls, blocks.fitness), (calls, 1000.0 * expected.0 - calls));
    let structures = outcome.report.distinct.by_type.iter().sum::<u64>() as f64;
    assert_eq!(of(PointSource::Structures).points, structures);
}

/// The last survivors are rated four times more, each time by other test cases.
#[test]
fn the_last_ratings_have_seeds_of_their_own() {
    let plan = plan_of(jpf::bintree::BinTree::suite());
    let source = PointSource::Structures;
    let options = EvolveOptions { population: 1, generations: 3, retention: 1.0, ..SMALL };
    let report = search_of(&options, source, &plan);
    let (best, found) = report.best.unwrap();
    // Children, then survivors: the only one is rated again in each generation.
    let seeds = [[0, 1], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2], [7, 2]];
    let ratings = seeds.map(|[generation, kind]| {
        let mut random = SplitMix64::of_seeds(&[options.seed, generation, kind, 0]);
        evaluate(&plan, &best, &options, source, &mut random)
    });
    let mean = ratings.iter().map(|one| one.fitness).sum::<f64>() / 8.0;
    assert_eq!(found.ratings, 8);
    assert!((found.fitness - mean).abs() < 1e-9 * mean, "{found:?} {ratings:?}");
}

#[test]
fn survivors_and_children_are_rated_in_each_generation() {
    let plan = plan_of(jpf::bintree::BinTree::suite());
    let report = search_of(&EvolveOptions { islands: 1, ..SMALL }, PointSource::Structures, &plan);
    // The first generation, three and three in each other one, and four times those of the last.
    assert_eq!((report.generations.len(), report.evaluations), (5, 6 + 4 * (3 + 3) + 4 * 3));
    let (_, best) = report.best.unwrap();
    assert!(best.ratings > 4, "{best:?}");
}

/// Each chromosome has four cases, and the search asks after each.
#[test]
fn the_calls_in_progress_are_known_by_numbers_that_no_other_case_has() {
    let plan = plan_of(jpf::bintree::BinTree::suite());
    let (running, seen) = (RunningTests::default(), Mutex::new(Vec::new()));
    let stopped = |_: Progress| {
        for [case, call] in running.numbers() {
            let length = running.sequence([case, call]).map(|found| found.statements.len() as u64);
            assert_eq!((length, running.sequence([case, call + 1])), (Some(call), None));
            seen.lock().unwrap().push(case);
        }
        None
    };
    let watcher = EvolveWatcher { running: &running, stopped: &stopped, told: &mut |_| () };
    search(&plan, &EvolveOptions { generations: 1, ..SMALL }, PointSource::Structures, watcher);
    let cases = |chromosome: u64| (1..=4).map(move |case| (chromosome << 32) + case);
    assert!(seen.into_inner().unwrap().into_iter().take(12).eq((0..3).flat_map(cases)));
}

#[test]
fn a_search_ends_with_its_budget_and_keeps_the_best() {
    let plan = plan_of(jpf::bintree::BinTree::suite());
    let source = PointSource::Blocks(&jpf::bintree::MARKS);
    let whole = search_of(&SMALL, source, &plan);
    assert_eq!(whole.stop_reason, StopReason::MaxGenerations(4));
    assert!(whole.failures.is_empty());
    let short = search_of(&EvolveOptions { max_calls: 3_000, ..SMALL }, source, &plan);
    assert_eq!(short.stop_reason, StopReason::MaxCalls(3_000));
    assert!(short.calls >= 3_000 && short.generations.len() < 5, "{short:?}");
    assert_eq!(short.generations[..], whole.generations[..short.generations.len()]);
    assert!(short.best.is_some());
}
