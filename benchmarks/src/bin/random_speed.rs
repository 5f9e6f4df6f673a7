//! How many sequences and calls a second random runs make, beside a loop that makes random calls
//! from scratch and learns nothing.
//!
//! `cargo run --release -p beget-benchmarks --bin random_speed` prints a table in Markdown. The
//! naive loop begins each sequence anew and makes the same number of calls; it neither looks at
//! structures nor keeps them, so it is what the calls themselves cost, with their drawing.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it measures time and reads scope files"
)]

use std::path::Path;
use std::time::Instant;

use beget::run::{Catalog, Direction, Host, Input, RandomOptions, Watch, random};
use beget::scope::{Overrides, Plan};
use beget::suites::{
    Chooser, Execution, Literal, Method, Operand, ParamKind, SplitMix64, Statement, TypeIdx,
    Variable,
};

/// Scope files, and k: that of the literals.
const SUBJECTS: [(&str, u32); 3] =
    [("kiasan/treeset", 50), ("roops/ncl", 50), ("real/vecdeque", 4)];

const CALLS: u64 = 200_000;

/// Calls of a sequence of the naive loop, and of the undirected runs.
const LENGTH: usize = 100;

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

fn main() {
    // Calls of the naive loop panic, as the scope expects.
    std::panic::set_hook(Box::new(|_| {}));
    println!("| subject | how | sequences/s | new calls/s | all calls/s | structures/s |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, k) in SUBJECTS {
        for direction in [Direction::Feedback, Direction::Undirected] {
            measure(name, k, direction);
        }
        let (_, plan) = open(name, k);
        let start = Instant::now();
        let n_sequences = naive(&plan);
        let seconds = start.elapsed().as_secs_f64();
        let rate = |n: u64| n as f64 / seconds;
        let (sequences, calls) = (rate(n_sequences), rate(CALLS));
        println!("| {name} {k} | naive | {sequences:.0} | {calls:.0} | {calls:.0} | – |");
    }
}

fn open(name: &str, k: u32) -> (Input<'static>, Plan) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scopes/{name}.ron"));
    let catalog = Catalog::new(beget_subjects::suites());
    let input = Input::read(&path, catalog, &|path| std::fs::read_to_string(path));
    let input = input.unwrap_or_else(|error| panic!("{error}"));
    let resolved = input.resolve(&Overrides { k: Some(k), ..Overrides::default() });
    let plan = resolved.unwrap_or_else(|error| panic!("{error}")).plan;
    (input, plan)
}

fn measure(name: &str, k: u32, direction: Direction) {
    let (input, plan) = open(name, k);
    let watch = Watch::new(plan.budget, &NoClock);
    let options = RandomOptions {
        max_calls: CALLS,
        max_length: LENGTH,
        direction,
        ..RandomOptions::default()
    };
    let start = Instant::now();
    let run = random(&input, &[], plan, options, &watch);
    let seconds = start.elapsed().as_secs_f64();
    let (report, rate) = (&run.report, |n: u64| n as f64 / seconds);
    println!(
        "| {name} {k} | {direction:?} | {:.0} | {:.0} | {:.0} | {:.0} |",
        rate(report.sequences),
        rate(report.counters.explored()),
        rate(report.counters.explored() + report.repeated),
        rate(report.distinct.by_type.iter().sum()),
    );
}

/// Sequences of random calls, each from scratch; how many there were.
fn naive(plan: &Plan) -> u64 {
    let mut choose = SplitMix64::of_seeds(&[1]);
    let (mut n_calls, mut n_sequences) = (0, 0);
    while n_calls < CALLS {
        n_sequences += 1;
        let mut execution = Execution::new(&plan.suite);
        let mut types: Vec<TypeIdx> = Vec::new();
        for _ in 0..LENGTH {
            let planned = &plan.methods[choose.index(plan.methods.len())];
            let method = plan.suite.method(planned.method);
            let literals: Vec<&Literal> =
                planned.domains.iter().map(|domain| &domain[choose.index(domain.len())]).collect();
            let Some(statement) =
                draw(planned.method, method, &execution, &types, &literals, &mut choose)
            else {
                continue;
            };
            let made = execution.step(&statement, &literals, |method, call| {
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| method.make(call)))
            });
            n_calls += 1;
            types.extend(method.outputs.iter().map(|output| output.ty));
            if !matches!(made, Some(Ok(_))) {
                break;
            }
        }
    }
    n_sequences
}

/// A call on values that there are, if there are any.
fn draw(
    idx: beget::suites::MethodIdx,
    method: &Method,
    execution: &Execution<'_>,
    types: &[TypeIdx],
    literals: &[&Literal],
    choose: &mut SplitMix64,
) -> Option<Statement> {
    let (mut taken, mut literals) = (Vec::new(), literals.iter());
    let mut arguments = Vec::new();
    for param in &method.params {
        arguments.push(match param.kind {
            ParamKind::Literal { .. } => Operand::Literal(literals.next()?.source.clone()),
            ParamKind::Structure { ty, .. } => {
                let all = (0..types.len()).map(Variable);
                let fits = |variable: &Variable| {
                    types[variable.0] == ty
                        && !taken.contains(variable)
                        && execution.value(*variable).is_some()
                };
                let fitting: Vec<Variable> = all.filter(fits).collect();
                let chosen = (!fitting.is_empty()).then(|| fitting[choose.index(fitting.len())])?;
                taken.push(chosen);
                Operand::Variable(chosen)
            }
        });
    }
    let outputs = 0..method.outputs.len();
    let bindings = outputs
        .map(|output| beget::suites::Binding { output, variable: Variable(types.len() + output) });
    Some(Statement { method: idx, arguments, bindings: bindings.collect(), panics: false })
}
