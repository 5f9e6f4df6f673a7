//! A search for a chromosome.

use std::fmt;

use beget_plan::finding::StopReason;
use beget_search::evolve::{Evaluation, GenerationReport};
use beget_search::run::EvolveRun;
use serde::{Deserialize, Serialize};

use crate::records::text::{
    causes, counted, grouped, write_end, write_failures, write_resources, write_version,
};
use crate::records::{FindingRecord, Header, ResourceUse, Verbosity};

/// The result of a search for a chromosome. Serialized to JSON it is what `--summary json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvolveSummary {
    /// The run and its end. It is never complete.
    #[serde(flatten)]
    pub header: Header,
    /// The seed.
    pub seed: u64,
    /// The chromosomes in a generation.
    pub population: usize,
    /// Generations that followed the first.
    pub generations: u32,
    /// The fitness of the best chromosome; null if none was found.
    pub fitness: Option<f64>,
    /// The points it covered; null if no chromosome was found.
    pub points: Option<PointsRecord>,
    /// All generations, the first included.
    pub by_generation: Vec<GenerationRecord>,
    /// Chromosomes that were rated.
    pub evaluations: u64,
    /// All calls.
    pub explored: u64,
    /// The file that the chromosome was written to; null if it was not.
    pub chromosome: Option<String>,
    /// Failures of calls, each with minimised calls.
    pub findings: Vec<FindingRecord>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub resources: Option<ResourceUse>,
}

/// The points covered by the test cases of the best chromosome, on average of its ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointsRecord {
    /// The kind of points: `blocks`, `predicates`, `regions`, `structures`.
    pub kind: String,
    /// The number of covered points.
    pub covered: f64,
    /// The number of points; null if unknown.
    pub known: Option<usize>,
    /// The calls that covered them.
    pub calls: f64,
    /// The number of its ratings.
    pub ratings: u32,
}

/// A generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRecord {
    /// Its number; the first is 0.
    pub generation: u32,
    /// The fitness of the best.
    pub best: f64,
    /// The mean fitness of those who survive.
    pub mean: f64,
    /// The standard deviation of their fitness.
    pub deviation: f64,
    /// The points that the best covers.
    pub points: f64,
    /// The calls that it makes.
    pub calls: f64,
}

impl From<&GenerationReport> for GenerationRecord {
    fn from(generation: &GenerationReport) -> Self {
        let &GenerationReport { number, best, mean_fitness: mean, deviation, .. } = generation;
        let Evaluation { points, calls, fitness: best, .. } = best;
        GenerationRecord { generation: number, best, mean, deviation, points, calls }
    }
}

impl EvolveSummary {
    /// Makes the summary of a run, without measures. `file` is the written chromosome, if any.
    pub fn of(run: &EvolveRun, file: Option<String>) -> Self {
        let EvolveRun { plan, options, source, report, findings, stop_reason } = run;
        let best = report.best.as_ref().map(|(_, evaluation)| evaluation);
        let by_generation: Vec<GenerationRecord> =
            report.generations.iter().map(GenerationRecord::from).collect();
        EvolveSummary {
            header: Header { complete: false, ..Header::new(plan, *stop_reason) },
            seed: options.seed,
            population: options.population,
            generations: by_generation.last().map_or(0, |last| last.generation),
            fitness: best.map(|best| best.fitness),
            points: best.map(|best| PointsRecord {
                kind: source.unit().to_owned(),
                covered: best.points,
                known: source.known(),
                calls: best.calls,
                ratings: best.ratings,
            }),
            by_generation,
            evaluations: report.evaluations,
            explored: report.calls,
            chromosome: file,
            findings: FindingRecord::all(plan, findings),
            resources: None,
        }
    }

    /// The same with time and memory.
    #[must_use]
    pub fn with(self, resources: ResourceUse) -> Self {
        EvolveSummary { resources: Some(resources), ..self }
    }
}

/// Displays a search as text.
#[derive(Clone, Copy, Debug)]
pub struct EvolveText<'s> {
    /// The run.
    pub summary: &'s EvolveSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
    /// The level of detail.
    pub verbosity: Verbosity,
}

impl fmt::Display for EvolveText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvolveSummary { header, seed, population, generations, evaluations, .. } = self.summary;
        write_failures(f, &self.summary.findings, self.verbosity)?;
        self.generations(f)?;
        let Header { suite, k, methods, .. } = header;
        writeln!(f, "scope       {suite}, k = {k}, methods {}", methods.join(", "))?;
        writeln!(
            f,
            "evolved     {} of {population} with seed {seed}, {} rated",
            counted((*generations).into(), "generation"),
            counted(*evaluations, "chromosome")
        )?;
        if let (Some(points), Some(fitness)) = (&self.summary.points, self.summary.fitness) {
            let PointsRecord { kind, covered, known, calls, ratings } = points;
            let known = known.map(|known| format!(" of {known}")).unwrap_or_default();
            let (calls, fitness) = (rounded(*calls), rounded(fitness));
            writeln!(
                f,
                "best        {covered:.1}{known} {kind} by {calls} calls on average of {ratings} ratings, fitness {fitness}"
            )?;
        }
        writeln!(f, "calls       {}", grouped(self.summary.explored))?;
        if let Some(file) = &self.summary.chromosome {
            writeln!(f, "chromosome  {file}")?;
        }
        write_resources(f, self.summary.resources)?;
        let is_done =
            matches!(self.stop_reason, StopReason::MaxGenerations(_) | StopReason::MaxCalls(_));
        write_version(f)?;
        write_end(f, &causes(&self.summary.findings), self.stop_reason, is_done)
    }
}

/// The nearest whole number, in groups of digits. A fitness may be negative.
fn rounded(number: f64) -> String {
    let sign = if number <= -0.5 { "-" } else { "" };
    format!("{sign}{}", grouped(number.abs().round() as u64))
}

impl EvolveText<'_> {
    /// The generations with a new best fitness, or all.
    fn generations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut most = f64::NEG_INFINITY;
        for record in &self.summary.by_generation {
            let GenerationRecord { generation, best, mean, points, calls, .. } = record;
            let is_told = *best > most || self.verbosity == Verbosity::Verbose;
            most = most.max(*best);
            if is_told {
                let [calls, best, mean] = [calls, best, mean].map(|number| rounded(*number));
                writeln!(
                    f,
                    "generation  {generation}: {points:.1} points by {calls} calls, fitness {best}; {mean} on average"
                )?;
            }
        }
        Ok(())
    }
}
