//! Samples of methods and repetitions of calls (Kuperberg and Omri, sections 3.1 and 8).
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    reason = "the types stand for those of a library"
)]

use std::collections::BTreeSet;

use beget::Heap;
use beget::suites::HasSuite as _;
use beget_plan::scope::{Overrides, Plan, PlannedIdx};
use beget_run::random::InProgress;
use beget_run::{Catalog, Input};
use beget_search::heuristic::{
    CallGoal, CallOptions, CallRepeats, CallReport, MethodReport, Repository, SampledCall,
    VariedParam, call, plan_for,
};

/// Letters in order of arrival.
#[derive(Clone, Debug, Heap)]
pub struct Letterbox {
    letters: Vec<u8>,
}

#[beget::api]
impl Letterbox {
    pub fn new() -> Self {
        Letterbox { letters: Vec::new() }
    }

    /// Panics if there is none.
    pub fn collect(&mut self) -> u8 {
        self.letters.pop().expect("no letter")
    }

    pub fn into_bag(self) -> usize {
        self.letters.len()
    }

    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Panics if there are fewer letters.
    pub fn letter(&self, index: usize) -> u8 {
        self.letters[index]
    }

    pub fn post(&mut self, letter: u8) {
        self.letters.push(letter);
    }

    pub fn take(&mut self) -> Option<u8> {
        self.letters.pop()
    }
}

/// Indices 0 to 19, and the letters 5 and 6.
const SCOPE: &str = r#"Scope(
    suite: "Letterbox", k: 3, objects: {"*": "k"}, arrays: "k", ints: [5, 6],
    params: {"letter.index": "0..=19"},
)"#;

fn plan(options: &CallOptions) -> Plan {
    let catalog = Catalog::new(vec![Letterbox::suite()]);
    let suite = &Letterbox::suite().name;
    let text = SCOPE.replace("\"Letterbox\"", &format!("{suite:?}"));
    let input = Input::of_text("letterbox.ron", text, catalog).unwrap();
    plan_for(input.resolve(&Overrides::default()).unwrap().plan, options)
}

fn find(plan: &Plan, name: &str) -> PlannedIdx {
    plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).expect("a method")
}

fn report(plan: &Plan, options: &CallOptions) -> CallReport {
    call(plan, options.clone(), None, &InProgress::default(), &mut |_| None).0
}

fn of<'r>(report: &'r CallReport, plan: &Plan, name: &str) -> &'r MethodReport {
    &report.methods[find(plan, name).index()]
}

/// The arguments of samples, as text.
fn arguments(samples: &[SampledCall]) -> Vec<String> {
    samples.iter().map(|sample| sample.arguments.join(", ")).collect()
}

/// The options for samples that vary in one parameter of `method`.
fn varying(plan: &Plan, n_samples: usize, method: &str, position: usize) -> CallOptions {
    let varied = vec![VariedParam { method: find(plan, method), position }];
    CallOptions { n_samples, varied, ..CallOptions::default() }
}

#[test]
fn a_run_has_no_samples_and_repeats_nothing_unless_asked() {
    let options = CallOptions::default();
    let plan = plan(&options);
    for method in &report(&plan, &options).methods {
        assert!(method.samples.is_empty() && method.repeats.is_none(), "{method:?}");
    }
}

#[test]
fn samples_of_one_literal_keep_the_other_arguments_and_stay_within_the_scope() {
    for seed in 0..10 {
        let plan = plan(&CallOptions::default());
        let options = CallOptions { seed, ..varying(&plan, 2, "post", 1) };
        let report = report(&plan, &options);
        let post = of(&report, &plan, "post");
        assert_eq!(arguments(&post.samples), ["letter = 5", "letter = 6"], "{seed}");
        let before = |sample: &SampledCall| sample.steps.len();
        assert_eq!(before(&post.samples[0]), before(&post.samples[1]));
        let sampled = report.methods.iter().filter(|method| !method.samples.is_empty());
        assert_eq!(sampled.count(), 1, "{seed}");
    }
}

/// Each index is tried, and there are as many that go well as letters.
#[test]
fn samples_are_calls_that_succeed() {
    let plan = plan(&CallOptions::default());
    let options = varying(&plan, 20, "letter", 1);
    let report = report(&plan, &options);
    let letter = of(&report, &plan, "letter");
    let steps = &letter.samples[0].steps;
    let n_letters = steps
        .iter()
        .filter(|step| step.statement.method == plan.planned(find(&plan, "post")).method);
    let expected: Vec<String> =
        (0..n_letters.count()).map(|index| format!("index = {index}")).collect();
    assert!(!expected.is_empty());
    assert_eq!(arguments(&letter.samples), expected);
}

#[test]
fn samples_of_a_structure_have_sizes_that_grow() {
    let plan = plan(&CallOptions::default());
    let options = varying(&plan, 8, "len", 0);
    let report = report(&plan, &options);
    let samples = &of(&report, &plan, "len").samples;
    let sizes: Vec<usize> = arguments(samples)
        .iter()
        .map(|text| text.strip_prefix("self.len = ").expect("a length").parse().unwrap())
        .collect();
    assert_eq!(sizes.len(), 8);
    assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
    assert_eq!(sizes[0], 0);
    // Each of the last ones is twice as large as the one before.
    assert!(*sizes.last().unwrap() >= 32, "{sizes:?}");
    // The calls lead to that size.
    for (sample, size) in samples.iter().zip(sizes) {
        let post = plan.planned(find(&plan, "post")).method;
        let posted = sample.steps.iter().filter(|step| step.statement.method == post).count();
        assert!(posted >= size, "{size}");
    }
}

#[test]
fn without_a_parameter_all_vary_and_no_call_comes_twice() {
    for seed in 0..5 {
        let options = CallOptions { seed, n_samples: 10, ..CallOptions::default() };
        let plan = plan(&options);
        let report = report(&plan, &options);
        for (idx, method) in plan.planned_idxs().zip(&report.methods) {
            let (name, samples) = (plan.method_name(idx), arguments(&method.samples));
            let distinct: BTreeSet<&String> = samples.iter().collect();
            assert_eq!(distinct.len(), samples.len(), "{name}: {samples:?}");
            match name {
                "new" => assert!(samples.is_empty()),
                "post" => {
                    assert_eq!(samples.len(), 10);
                    let has_both =
                        |text: &String| text.contains("self.len = ") && text.contains("letter = ");
                    assert!(samples.iter().all(has_both), "{samples:?}");
                }
                _ => assert!(samples.len() > 1, "{name}: {samples:?}"),
            }
        }
    }
}

#[test]
fn equal_seeds_give_equal_samples() {
    let drawn = |seed| {
        let options = CallOptions { seed, n_samples: 5, ..CallOptions::default() };
        let plan = plan(&options);
        let report = report(&plan, &options);
        report.methods.iter().map(|method| arguments(&method.samples)).collect::<Vec<_>>()
    };
    assert_eq!(drawn(3), drawn(3));
    assert_ne!(drawn(3), drawn(4));
}

/// A call that uses up what it needs ends, the others do not.
#[test]
fn repetitions_end_where_the_call_no_longer_succeeds() {
    for (goal, take) in [(CallGoal::Returns, None), (CallGoal::Ok, Some("it returned `None`"))] {
        let options = CallOptions { max_repeats: 50, goal, ..CallOptions::default() };
        let plan = plan(&options);
        let report = report(&plan, &options);
        let repeats = |name: &str| of(&report, &plan, name).repeats.clone().expect("it was called");
        let endless = CallRepeats { times: 50, end: None };
        for name in ["new", "len", "letter", "post"] {
            assert_eq!(repeats(name), endless, "{name}");
        }
        let length = |name: &str| {
            let steps = &of(&report, &plan, name).success.as_ref().unwrap().steps;
            let post = plan.planned(find(&plan, "post")).method;
            steps.iter().filter(|step| step.statement.method == post).count() as u32
        };
        let (times, end) = (length("collect"), Some("no letter".to_owned()));
        assert_eq!(repeats("collect"), CallRepeats { times, end });
        let end = take.map(str::to_owned);
        let times = if end.is_some() { length("take") } else { 50 };
        assert_eq!(repeats("take"), CallRepeats { times, end });
        // It takes the box away.
        let end = Some("it takes its structure away".to_owned());
        assert_eq!(repeats("into_bag"), CallRepeats { times: 1, end });
    }
}

#[test]
fn a_repository_keeps_samples_for_other_runs() {
    let plan = plan(&CallOptions::default());
    let options = varying(&plan, 2, "post", 1);
    let mut known = Repository::new(&plan.suite);
    known.learn(&plan, &report(&plan, &options));
    let ints = known.literals().ints.unwrap_or_default();
    assert!(ints.contains(&5) && ints.contains(&6), "{ints:?}");
}

/// One call less than all: the last sample or repetition is missing, and no other.
#[test]
fn a_run_that_ends_keeps_what_it_has() {
    let plan = plan(&CallOptions::default());
    let cut = |options: CallOptions| {
        let whole = report(&plan, &options);
        report(&plan, &CallOptions { max_calls: whole.calls - 1, ..options })
    };
    assert_eq!(of(&cut(varying(&plan, 8, "len", 0)), &plan, "len").samples.len(), 7);
    let repeated = cut(CallOptions { max_repeats: 20, ..CallOptions::default() });
    let repeats = repeated.methods.iter().filter_map(|method| method.repeats.as_ref());
    let cut: Vec<_> = repeats.filter(|repeats| repeats.times == 19).collect();
    assert_eq!(cut, [&CallRepeats { times: 19, end: Some("the run ended".to_owned()) }]);
}
