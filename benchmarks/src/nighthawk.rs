//! The experiments of Nighthawk (Andrews, Li and Menzies, ASE 2007) on subjects with marks: how soon
//! a search for chromosomes covers all that can be covered, and what the chromosome that it finds is
//! worth beside equal weights and beside other ways of drawing.

use std::fmt::Write as _;
use std::sync::Arc;

use beget::run::RandomOptions;
use beget::scope::Plan;
use beget_coverage::CodeMarks;
use beget_evolve::{
    EvolveOptions, EvolveReport, EvolveWatcher, PointSource, RunningTests, evaluate, search,
};
use beget_random::{Chromosome, Direction, plan_for};
use beget_subjects::paper::triangle;
use beget_suite::SplitMix64;

use crate::containers::{self, CONTAINERS, Container};
use crate::random_options::without;
use crate::scopes;

/// What is searched, and how much can be covered.
pub struct EvolvedSubject {
    name: &'static str,
    plan: Plan,
    source: PointSource,
    /// The most points that are known to be reachable.
    reachable: usize,
}

/// The literals of scopes; integers are drawn by genes.
const K: u32 = 10;

impl EvolvedSubject {
    fn new(name: &'static str, scope: &str, marks: &'static CodeMarks, reachable: usize) -> Self {
        let plan = plan_for(scopes::plan(scope, K), &RandomOptions::default());
        EvolvedSubject { name, plan, source: PointSource::Blocks(marks), reachable }
    }

    fn triangle() -> Self {
        let marks = &triangle::MARKS;
        EvolvedSubject::new("triangle", "paper/triangle", marks, marks.n_points())
    }

    fn blocks(container: &Container) -> Self {
        let Container { name, scope, marks, blocks, .. } = *container;
        EvolvedSubject::new(name, scope, marks, blocks)
    }

    fn search(&self, seed: u64) -> EvolveReport {
        let watcher = EvolveWatcher {
            running: &RunningTests::default(),
            stopped: &|_| None,
            told: &mut |_| (),
        };
        search(&self.plan, &options(seed), self.source, watcher)
    }

    /// What ten fresh test cases of a chromosome cover, for each of some seeds.
    fn fresh(&self, chromosome: &Arc<Chromosome>, seeds: u64) -> Vec<f64> {
        let covered = |seed| {
            let mut random = SplitMix64::of_seeds(&[FRESH, seed]);
            evaluate(&self.plan, chromosome, &options(seed), self.source, &mut random).points
        };
        (0..seeds).map(covered).collect()
    }
}

/// Sets seeds of fresh test cases apart from those of searches.
const FRESH: u64 = 0x6672_6573;

fn options(seed: u64) -> EvolveOptions {
    EvolveOptions { seed, ..EvolveOptions::default() }
}

fn best(report: &EvolveReport) -> &Arc<Chromosome> {
    &report.best.as_ref().expect("the first generation is over").0
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The generation in which the test cases of one chromosome covered so much for the first time.
fn generation_of(report: &EvolveReport, points: usize) -> Option<u32> {
    let first = report.generations.iter().find(|one| one.most_points >= points);
    first.map(|one| one.number)
}

/// Some searches of each subject: with seeds from 1 on.
pub struct Searches(Vec<(EvolvedSubject, Vec<EvolveReport>)>);

impl Searches {
    /// Searches the triangle and the containers.
    #[must_use]
    pub fn new(seeds: u64) -> Self {
        let containers = CONTAINERS.iter().map(EvolvedSubject::blocks);
        let search = |subject: EvolvedSubject| {
            let reports = (1..=seeds).map(|seed| subject.search(seed)).collect();
            (subject, reports)
        };
        Searches([EvolvedSubject::triangle()].into_iter().chain(containers).map(search).collect())
    }

    /// How soon everything is covered, and what fresh test cases of the chromosomes found cover.
    #[must_use]
    pub fn table(&self, fresh: u64) -> String {
        let mut text = "| subject | reachable | runs that cover all | in generation, on average | fresh: mean | fresh: least | calls |\n\
                        |---|---|---|---|---|---|---|\n"
            .to_owned();
        for (subject, reports) in &self.0 {
            let generations: Vec<f64> = reports
                .iter()
                .filter_map(|report| generation_of(report, subject.reachable).map(f64::from))
                .collect();
            let again: Vec<f64> =
                reports.iter().flat_map(|report| subject.fresh(best(report), fresh)).collect();
            let calls: Vec<f64> =
                reports.iter().filter_map(|one| Some(one.best.as_ref()?.1.calls)).collect();
            let average = match generations.is_empty() {
                true => "–".to_owned(),
                false => format!("{:.1}", mean(&generations)),
            };
            let least = again.iter().copied().fold(f64::INFINITY, f64::min);
            let EvolvedSubject { name, reachable, .. } = subject;
            let _ = writeln!(
                text,
                "| {name} | {reachable} | {} of {} | {average} | {:.1} ({:.2}) | {least} | {:.0} |",
                generations.len(),
                reports.len(),
                mean(&again),
                mean(&again) / *reachable as f64,
                mean(&calls),
            );
        }
        text
    }

    /// The chromosome of seed 1 of each container.
    fn of_containers(&self) -> impl Iterator<Item = (&EvolvedSubject, &Arc<Chromosome>)> {
        self.0[1..].iter().map(|(subject, reports)| (subject, best(&reports[0])))
    }

    /// The found chromosome beside the same with equal weights, by pairs of equal seeds.
    #[must_use]
    pub fn weights(&self, pairs: u64) -> String {
        let mut text = "| subject | found | equal weights | more : less of pairs | p | weights |\n\
                        |---|---|---|---|---|---|\n"
            .to_owned();
        for (subject, found) in self.of_containers() {
            let mut equal = Chromosome::clone(found);
            equal.methods.iter_mut().for_each(|method| method.weight = 10);
            let found_covers = subject.fresh(found, pairs);
            let equal_covers = subject.fresh(&Arc::new(equal), pairs);
            let (more, less) = more_and_less(&found_covers, &equal_covers);
            let of_methods = subject.plan.planned_idxs().zip(&found.methods);
            let of_methods: Vec<String> = of_methods
                .map(|(idx, genes)| format!("{} {}", subject.plan.method_name(idx), genes.weight))
                .collect();
            let _ = writeln!(
                text,
                "| {} | {:.1} | {:.1} | {more} : {less} | {} | {} |",
                subject.name,
                mean(&found_covers),
                mean(&equal_covers),
                sign_test(more, less),
                of_methods.join(", ")
            );
        }
        text
    }

    /// The found chromosomes beside feedback and swarm, by as many calls.
    #[must_use]
    pub fn strategies(&self, seeds: u64, budgets: &[u64]) -> String {
        let mut text = "| subject | calls | chromosome | feedback | feedback, `--swarm 100` | blocks more : less than swarm | predicates more : less than swarm |\n\
                        |---|---|---|---|---|---|---|\n"
            .to_owned();
        for (container, (_, found)) in CONTAINERS.iter().zip(self.of_containers()) {
            // As far as it gets, not only to the published marks.
            let all = Container { blocks: usize::MAX, ..*container };
            for &calls in budgets {
                let covered = |change: &dyn Fn(&mut RandomOptions)| -> (Vec<f64>, Vec<f64>) {
                    let run = |seed| {
                        let mut options = without(seed, calls);
                        change(&mut options);
                        let covered = containers::run(&all, &options);
                        (covered.blocks as f64, covered.predicates as f64)
                    };
                    (1..=seeds).map(run).unzip()
                };
                let ways = [
                    covered(&|options| options.direction = Direction::Chromosome(found.clone())),
                    covered(&|_| ()),
                    covered(&|options| options.swarm = Some(100)),
                ];
                let cells = ways
                    .each_ref()
                    .map(|(blocks, pairs)| format!("{:.1}, {:.1}", mean(blocks), mean(pairs)));
                let beside = |one: &Vec<f64>, other: &Vec<f64>| {
                    let (more, less) = more_and_less(one, other);
                    format!("{more} : {less} (p {})", sign_test(more, less))
                };
                let _ = writeln!(
                    text,
                    "| {} | {calls} | {} | {} | {} |",
                    container.name,
                    cells.join(" | "),
                    beside(&ways[0].0, &ways[2].0),
                    beside(&ways[0].1, &ways[2].1),
                );
            }
        }
        text
    }
}

fn more_and_less(one: &[f64], other: &[f64]) -> (u32, u32) {
    let pairs = || one.iter().zip(other);
    let count = |n: usize| n as u32;
    (count(pairs().filter(|(a, b)| a > b).count()), count(pairs().filter(|(a, b)| a < b).count()))
}

/// The two-sided probability that pairs differ so often one way, if either way is as likely.
fn sign_test(more: u32, less: u32) -> String {
    let n = more + less;
    let choose = |k: u32| (0..k).fold(1.0, |sum, i| sum * f64::from(n - i) / f64::from(i + 1));
    let tail: f64 = (0..=more.min(less)).map(choose).sum::<f64>() / 2_f64.powi(n as i32);
    match (2.0 * tail).min(1.0) {
        p if p < 0.001 => "< .001".to_owned(),
        p => format!("{p:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_is_that_of_coins() {
        // 2 * (1 + 5) / 32 and 2 / 1024.
        assert_eq!(sign_test(4, 1), "0.375");
        assert_eq!(sign_test(10, 0), "0.002");
        assert_eq!(sign_test(0, 30), "< .001");
        assert_eq!(sign_test(3, 3), "1.000");
    }

    #[test]
    fn a_search_covers_the_triangle() {
        let report = EvolvedSubject::triangle().search(1);
        assert!(generation_of(&report, 34).is_some_and(|generation| generation <= 50));
    }
}
