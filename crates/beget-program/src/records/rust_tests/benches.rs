//! The calls that went well as benchmarks: a file for criterion, with one function for each method,
//! which measures its samples or, if it has none, its call.

use std::fmt;

use beget_run::random::CallStep;
use beget_search::heuristic::MethodReport;
use beget_search::run::CallRun;
use beget_suite::Suite;

use super::TestPlace;
use super::file::{SourceImports, WRITTEN_BY, wrapped};
use super::layout::laid_out;
use crate::records::call::sequence_of;

/// A file of benchmarks. Each measures one call alone: what it takes is made before the clock
/// starts, and what it leaves is dropped after it has stopped.
#[derive(Clone, Debug)]
pub struct BenchFile<'f> {
    /// The run.
    pub run: &'f CallRun,
    /// The command that writes the file.
    pub command: &'f str,
}

/// The benchmarks of a method.
struct MethodBench {
    name: String,
    cases: Vec<BenchCase>,
}

/// A call that is measured.
struct BenchCase {
    /// Its arguments among the samples of its method; empty if it is the only one.
    label: String,
    /// The calls that make what it takes.
    setup: Vec<String>,
    /// The statement that is measured.
    call: String,
}

impl BenchFile<'_> {
    /// The file, laid out.
    pub fn to_text(&self) -> String {
        laid_out(&self.to_string())
    }

    fn suite(&self) -> &Suite {
        &self.run.plan.suite
    }

    fn benches(&self) -> Vec<MethodBench> {
        let plan = &self.run.plan;
        let methods = plan.planned_idxs().zip(&self.run.report.methods);
        let bench = |(idx, method): (_, &MethodReport)| {
            let success = &method.success.as_ref()?.steps;
            let samples = method.samples.iter();
            let mut cases: Vec<BenchCase> = samples
                .filter_map(|sample| self.case(sample.arguments.join(", "), &sample.steps))
                .collect();
            if cases.is_empty() {
                cases.push(self.case(String::new(), success)?);
            }
            Some(MethodBench { name: plan.method_name(idx).to_owned(), cases })
        };
        methods.filter_map(bench).collect()
    }

    fn case(&self, label: String, steps: &[CallStep]) -> Option<BenchCase> {
        let sequence = sequence_of(steps);
        let last = sequence.statements.len() - 1;
        let (mut setup, _) = sequence.to_test_source(self.suite(), &|index, call| {
            (index == last).then(|| format!("let _returned = black_box({call});"))
        });
        let call = setup.pop()?;
        Some(BenchCase { label, setup, call })
    }
}

impl MethodBench {
    /// The name of its function.
    fn function(&self) -> String {
        let letter = |char: char| if char.is_ascii_alphanumeric() { char } else { '_' };
        format!("call_{}", self.name.chars().map(letter).collect::<String>())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, suite: &str) -> fmt::Result {
        writeln!(f, "\nfn {}(criterion: &mut Criterion) {{", self.function())?;
        for BenchCase { label, setup, call } in &self.cases {
            let separator = if label.is_empty() { "" } else { "/" };
            let name = format!("{suite}/{}{separator}{label}", self.name);
            writeln!(f, "    criterion.bench_function({name:?}, |bencher| {{")?;
            writeln!(f, "        bencher.iter_custom(|n| {{")?;
            writeln!(f, "            let mut time = Duration::ZERO;")?;
            writeln!(f, "            for _ in 0..n {{")?;
            setup.iter().try_for_each(|line| writeln!(f, "                {line}"))?;
            writeln!(f, "                let start = Instant::now();")?;
            writeln!(f, "                {call}")?;
            writeln!(f, "                time += start.elapsed();")?;
            writeln!(f, "            }}\n            time\n        }});\n    }});")?;
        }
        writeln!(f, "}}")
    }
}

impl fmt::Display for BenchFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (suite, benches) = (&self.suite().name, self.benches());
        let n_methods = self.run.plan.methods.len();
        writeln!(f, "//! `{suite}`: a call of {} of {n_methods} methods.", benches.len())?;
        writeln!(f, "//!\n{WRITTEN_BY}\n//!\n//! ```sh")?;
        wrapped(self.command).iter().try_for_each(|line| writeln!(f, "//! {line}"))?;
        writeln!(f, "//! ```\n#![allow(clippy::all, deprecated, missing_docs, unused_imports)]\n")?;
        writeln!(f, "use std::hint::black_box;\nuse std::time::{{Duration, Instant}};\n")?;
        let cases = benches.iter().flat_map(|bench| &bench.cases);
        let lines = cases.flat_map(|case| case.setup.iter().chain([&case.call]));
        let imports = SourceImports::of(self.suite(), TestPlace::Target, lines);
        writeln!(f, "use criterion::{{Criterion, criterion_group, criterion_main}};")?;
        let uses = imports.uses().into_iter().chain(imports.glob());
        uses.into_iter().try_for_each(|line| writeln!(f, "{line}"))?;
        benches.iter().try_for_each(|bench| bench.write(f, suite))?;
        writeln!(f, "\ncriterion_group!(")?;
        writeln!(f, "    calls,")?;
        benches.iter().try_for_each(|one| writeln!(f, "    {},", one.function()))?;
        writeln!(f, ");\ncriterion_main!(calls);")
    }
}
