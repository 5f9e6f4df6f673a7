//! The experiments of Nighthawk (Andrews, Li and Menzies, ASE 2007) on subjects with marks: how soon
//! a search for chromosomes covers all that can be covered, and what the chromosome that it finds is
//! worth beside equal weights and beside other ways of drawing.

use std::fmt::Write as _;
use std::sync::Arc;

use beget_plan::scope::Plan;
use beget_run::RandomOptions;
use beget_run::random::{Chromosome, Direction, plan_for};
use beget_search::evolve::{
    EvolveOptions, EvolveReport, EvolveWatcher, PointSource, RunningTests, evaluate, search,
};
use beget_subjects::paper::triangle;
use beget_suite::SplitMix64;

use crate::containers::{self, CONTAINERS, Container, Covered};
use crate::random_options::without;
use crate::scopes;

/// What is searched, and how much can be covered.
pub struct EvolvedSubject {
    name: String,
    plan: Plan,
    source: PointSource,
    /// The most points that are known to be reachable.
    reachable: usize,
    /// The container that it is, if other ways of drawing are compared on it.
    container: Option<Container>,
}

/// The literals of scopes; integers are drawn by genes.
const K: u32 = 10;

fn plan_of(scope: &str) -> Plan {
    plan_for(scopes::plan(scope, K), &RandomOptions::default())
}

impl EvolvedSubject {
    fn triangle() -> Self {
        let marks = &triangle::MARKS;
        EvolvedSubject {
            name: "triangle".to_owned(),
            plan: plan_of("paper/triangle"),
            source: PointSource::Blocks(marks),
            reachable: marks.n_points(),
            container: None,
        }
    }

    fn blocks(container: &Container) -> Self {
        let Container { name, scope, marks, blocks, .. } = *container;
        EvolvedSubject {
            name: format!("{name}, blocks"),
            plan: plan_of(scope),
            source: PointSource::Blocks(marks),
            reachable: blocks,
            container: Some(*container),
        }
    }

    fn conditions(container: &Container) -> Self {
        let Container { name, marks, predicates, .. } = *container;
        EvolvedSubject {
            name: format!("{name}, conditions"),
            source: PointSource::Predicates(marks),
            reachable: predicates,
            ..EvolvedSubject::blocks(container)
        }
    }

    fn all() -> impl Iterator<Item = EvolvedSubject> {
        let containers = CONTAINERS.iter();
        let blocks = containers.clone().map(EvolvedSubject::blocks);
        let conditions = containers.map(EvolvedSubject::conditions);
        [EvolvedSubject::triangle()].into_iter().chain(blocks).chain(conditions)
    }

    fn counts_conditions(&self) -> bool {
        matches!(self.source, PointSource::Predicates(_))
    }

    /// How many of its points a run of the container has covered.
    fn covered(&self, run: &Covered) -> f64 {
        let covered = if self.counts_conditions() { run.predicates } else { run.blocks };
        covered as f64
    }

    fn search(&self, options: &EvolveOptions) -> EvolveReport {
        let watcher = EvolveWatcher {
            running: &RunningTests::default(),
            stopped: &|_| None,
            told: &mut |_| (),
        };
        search(&self.plan, options, self.source, watcher)
    }

    /// What ten fresh test cases of a chromosome cover, for each of some seeds.
    fn fresh(&self, chromosome: &Arc<Chromosome>, seeds: u64) -> Vec<f64> {
        let covered = |seed| {
            let mut random = SplitMix64::of_seeds(&[FRESH, seed]);
            let options = EvolveOptions::default();
            evaluate(&self.plan, chromosome, &options, self.source, &mut random).points
        };
        (0..seeds).map(covered).collect()
    }
}

/// Sets seeds of fresh test cases apart from those of searches.
const FRESH: u64 = 0x6672_6573;

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
    /// Searches the triangle and the containers, or those with this in their name, and tells each
    /// that is done.
    #[must_use]
    pub fn new(seeds: u64, generations: u32, only: &str, told: &mut dyn FnMut(&str)) -> Self {
        let mut search = |subject: EvolvedSubject| {
            let options = |seed| EvolveOptions { seed, generations, ..EvolveOptions::default() };
            let reports = (1..=seeds).map(|seed| subject.search(&options(seed))).collect();
            told(&subject.name);
            (subject, reports)
        };
        let subjects = EvolvedSubject::all().filter(|subject| subject.name.contains(only));
        Searches(subjects.map(&mut search).collect())
    }

    /// All calls of all searches.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.0.iter().flat_map(|(_, reports)| reports).map(|report| report.calls).sum()
    }

    /// How soon everything is covered, and what fresh test cases of the chromosomes found cover.
    #[must_use]
    pub fn table(&self, fresh: u64) -> String {
        let mut text = "| subject | reachable | searches that cover all | in generation, on average | least of a search | fresh: mean | fresh: least | calls of ten test cases | calls of a search |\n\
                        |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
        let (mut all_reachable, mut all_covered) = (0, 0.0);
        for (subject, reports) in &self.0 {
            let again: Vec<f64> =
                reports.iter().flat_map(|report| subject.fresh(best(report), fresh)).collect();
            if subject.counts_conditions() {
                all_reachable += subject.reachable;
                all_covered += mean(&again);
            }
            text += &search_row(subject, reports, &again);
        }
        let share = all_covered / all_reachable as f64;
        text + &format!(
            "| all conditions | {all_reachable} | | | | {all_covered:.1} ({share:.2}) | | | |\n"
        )
    }

    /// The chromosome of seed 1 of each container.
    fn of_containers(
        &self,
    ) -> impl Iterator<Item = (&EvolvedSubject, Container, &Arc<Chromosome>)> {
        self.0
            .iter()
            .filter_map(|(subject, reports)| Some((subject, subject.container?, best(&reports[0]))))
    }

    /// The found chromosome beside the same with equal weights, by pairs of equal seeds.
    #[must_use]
    pub fn weights(&self, pairs: u64) -> String {
        let mut text = "| subject | found | equal weights | more : less of pairs | p | weights |\n\
                        |---|---:|---:|---:|---:|---|\n"
            .to_owned();
        for (subject, _, found) in self.of_containers() {
            let mut equal = Chromosome::clone(found);
            equal.methods.iter_mut().for_each(|method| method.weight = EQUAL_WEIGHT);
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
        let mut text = "| subject | calls | chromosome | feedback | feedback, `swarm: 100` | more : less than feedback | more : less than swarm |\n\
                        |---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
        for (subject, container, found) in self.of_containers() {
            for &calls in budgets {
                let covered = |change: &dyn Fn(&mut RandomOptions)| -> Vec<f64> {
                    let run = |seed| {
                        let mut options = without(seed, calls);
                        change(&mut options);
                        subject.covered(&containers::run(&until_the_end(container), &options))
                    };
                    (1..=seeds).map(run).collect()
                };
                let ways = [
                    covered(&|options| options.direction = Direction::Chromosome(found.clone())),
                    covered(&|_| ()),
                    covered(&|options| options.swarm = Some(100)),
                ];
                let beside = |other: usize| {
                    let (more, less) = more_and_less(&ways[0], &ways[other]);
                    format!("{more} : {less} (p {})", sign_test(more, less))
                };
                let means = ways.each_ref().map(|covered| format!("{:.1}", mean(covered)));
                let _ = writeln!(
                    text,
                    "| {} | {calls} | {} | {} | {} |",
                    subject.name,
                    means.join(" | "),
                    beside(1),
                    beside(2),
                );
            }
        }
        text
    }
}

/// What the searches of a subject came to; `again` is what fresh test cases have covered.
fn search_row(subject: &EvolvedSubject, reports: &[EvolveReport], again: &[f64]) -> String {
    let generations: Vec<f64> = reports
        .iter()
        .filter_map(|report| generation_of(report, subject.reachable).map(f64::from))
        .collect();
    let calls: Vec<f64> =
        reports.iter().filter_map(|one| Some(one.best.as_ref()?.1.calls)).collect();
    let of_search: Vec<f64> = reports.iter().map(|report| report.calls as f64).collect();
    let average = match generations.is_empty() {
        true => "–".to_owned(),
        false => format!("{:.1}", mean(&generations)),
    };
    let EvolvedSubject { name, reachable, .. } = subject;
    format!(
        "| {name} | {reachable} | {} of {} | {average} | {} | {:.1} ({:.2}) | {} | {:.0} | {:.0} |\n",
        generations.len(),
        reports.len(),
        least(reports.iter().map(|report| most_points(report) as f64)),
        mean(again),
        mean(again) / *reachable as f64,
        least(again.iter().copied()),
        mean(&calls),
        mean(&of_search),
    )
}

/// The weight of each method where weights are equal.
const EQUAL_WEIGHT: u32 = 10;

/// The container, with a run that ends by its calls only, not by what is published.
fn until_the_end(container: Container) -> Container {
    Container { blocks: usize::MAX, ..container }
}

/// The most points that the ten test cases of one chromosome of a search have covered.
fn most_points(report: &EvolveReport) -> usize {
    report.generations.last().map_or(0, |last| last.most_points)
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
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
        let options = EvolveOptions { seed: 1, generations: 10, ..EvolveOptions::default() };
        let report = EvolvedSubject::triangle().search(&options);
        assert!(generation_of(&report, 34).is_some_and(|generation| generation <= 10));
    }
}
