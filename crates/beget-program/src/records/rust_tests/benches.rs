//! The calls that went well as benchmarks: a file for criterion, with one function for each method.

use std::fmt;

use beget_search::run::CallRun;
use beget_suite::Suite;

use super::TestPlace;
use super::file::{SourceImports, WRITTEN_BY, wrapped};
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

/// One benchmark.
struct Benchmark {
    name: String,
    /// The calls that make what it takes.
    setup: Vec<String>,
    /// The statement that is measured.
    call: String,
}

impl BenchFile<'_> {
    fn suite(&self) -> &Suite {
        &self.run.plan.suite
    }

    fn benchmarks(&self) -> Vec<Benchmark> {
        let plan = &self.run.plan;
        let methods = plan.planned_idxs().zip(&self.run.report.methods);
        let benchmark = |(idx, method): (_, &beget_search::heuristic::MethodReport)| {
            let sequence = sequence_of(method.success.as_ref()?);
            let last = sequence.statements.len() - 1;
            let (mut lines, _) = sequence.to_test_source(self.suite(), &|index, call| {
                (index == last).then(|| format!("let _returned = black_box({call});"))
            });
            let call = lines.pop()?;
            Some(Benchmark { name: plan.method_name(idx).to_owned(), setup: lines, call })
        };
        methods.filter_map(benchmark).collect()
    }
}

impl Benchmark {
    /// The name of its function.
    fn function(&self) -> String {
        let letter = |char: char| if char.is_ascii_alphanumeric() { char } else { '_' };
        format!("call_{}", self.name.chars().map(letter).collect::<String>())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, suite: &str) -> fmt::Result {
        writeln!(f, "\nfn {}(criterion: &mut Criterion) {{", self.function())?;
        let name = format!("{suite}/{}", self.name);
        writeln!(f, "    criterion.bench_function({name:?}, |bencher| {{")?;
        writeln!(f, "        bencher.iter_custom(|n| {{")?;
        writeln!(f, "            let mut time = Duration::ZERO;")?;
        writeln!(f, "            for _ in 0..n {{")?;
        self.setup.iter().try_for_each(|line| writeln!(f, "                {line}"))?;
        writeln!(f, "                let start = Instant::now();")?;
        writeln!(f, "                {}", self.call)?;
        writeln!(f, "                time += start.elapsed();")?;
        writeln!(f, "            }}\n            time\n        }});\n    }});\n}}")
    }
}

impl fmt::Display for BenchFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (suite, benchmarks) = (&self.suite().name, self.benchmarks());
        let n_methods = self.run.plan.methods.len();
        writeln!(f, "//! `{suite}`: a call of {} of {n_methods} methods.", benchmarks.len())?;
        writeln!(f, "//!\n{WRITTEN_BY}\n//!\n//! ```sh")?;
        wrapped(self.command).iter().try_for_each(|line| writeln!(f, "//! {line}"))?;
        writeln!(f, "//! ```\n#![allow(clippy::all, deprecated, missing_docs, unused_imports)]\n")?;
        writeln!(f, "use std::hint::black_box;\nuse std::time::{{Duration, Instant}};\n")?;
        let lines = benchmarks.iter().flat_map(|one| one.setup.iter().chain([&one.call]));
        let imports = SourceImports::of(self.suite(), TestPlace::Target, lines);
        writeln!(f, "use criterion::{{Criterion, criterion_group, criterion_main}};")?;
        let uses = imports.uses().into_iter().chain(imports.glob());
        uses.into_iter().try_for_each(|line| writeln!(f, "{line}"))?;
        benchmarks.iter().try_for_each(|benchmark| benchmark.write(f, suite))?;
        writeln!(f, "\ncriterion_group!(")?;
        writeln!(f, "    calls,")?;
        benchmarks.iter().try_for_each(|one| writeln!(f, "    {},", one.function()))?;
        writeln!(f, ");\ncriterion_main!(calls);")
    }
}
