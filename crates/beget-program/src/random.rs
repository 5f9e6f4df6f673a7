//! `beget random`.

mod literals;

use beget_emit::{FindingRecord, RandomSummary, RandomText};
use beget_random::{Constants, Direction, Matching, RandomOptions};
use beget_run::Watch;
use beget_scope::{Budget, Overrides, Plan};

use crate::args::{
    ConstantSource, DrawingArgs, General, MatchArg, MethodsArg, RandomArgs, StrategyArg,
    SummaryFormat,
};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::{methods_override, read, warn};
use crate::{Catalog, Exit, interrupt, name, print};

/// Calls of a run that nobody gave a budget.
const DEFAULT_CALLS: u64 = 1_000_000;

pub(crate) fn run(
    args: &RandomArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let input = read(&args.scope, catalog)?;
    if args.methods == Some(MethodsArg::Builders) {
        input.require_builders()?;
    }
    let budget = Budget {
        max_calls: args.calls,
        max_seconds: args.resources.max_seconds,
        max_memory_mib: args.resources.max_memory,
        ..Budget::default()
    };
    let methods = methods_override(args.methods.as_ref());
    let resolved = input.resolve(&Overrides { k: args.k, methods, slack: Some(0), budget })?;
    let rep_oks = input.rep_oks(None)?;
    warn(&resolved, general);
    let options = options(args, &resolved.plan)?;
    interrupt::listen();
    let budget = resolved.plan.budget;
    let control = RunControl::new(budget, begun(&resolved.plan), general);
    let watch = Watch::new(budget, &control);
    let run = beget_run::random(&input, &rep_oks, resolved.plan, options, &watch);
    let resources = control.start().spent();
    control.finish();
    let summary = RandomSummary::of(&run).with(resources);
    print::result(&match args.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => {
            let first = summary.findings.first();
            let rerun = first.map(|first| rerun(args, &summary, first));
            let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
            let rerun = rerun.as_deref();
            RandomText { summary: &summary, stop_reason, verbosity, rerun }.to_string()
        }
    })?;
    // A run that made the calls that it was to make has done its job.
    let is_done = matches!(run.stop_reason, beget_finding::StopReason::MaxCalls(_));
    Ok(Exit::of(!run.findings.is_empty(), is_done))
}

fn options(args: &RandomArgs, plan: &Plan) -> Result<RandomOptions, CliError> {
    let DrawingArgs { constants, literals, .. } = &args.drawing;
    let of_source = literals.as_deref().map(literals::read).transpose()?;
    let drawing = &args.drawing;
    Ok(RandomOptions {
        seed: args.seed,
        max_calls: plan.budget.max_calls.unwrap_or(DEFAULT_CALLS),
        direction: match drawing.strategy {
            StrategyArg::Feedback => Direction::Feedback,
            StrategyArg::Undirected => Direction::Undirected,
        },
        max_length: drawing.max_length,
        repetition_rate: drawing.repeat.0,
        most_repetitions: drawing.repeat.1,
        none_ratio: drawing.none_ratio,
        alias_ratio: drawing.alias_ratio,
        matching: match drawing.matching {
            MatchArg::Form => Matching::Form,
            MatchArg::Eq => Matching::Equality,
            MatchArg::None => Matching::None,
        },
        is_bounded: drawing.bounded,
        max_objects: drawing.max_objects,
        constants: Constants {
            has_paper: constants.contains(&ConstantSource::Paper),
            has_returned: constants.contains(&ConstantSource::Returned),
            of_source,
        },
        fresh_ints: drawing.ints.clone(),
        narrows_ints: drawing.vary_range,
        swarm: drawing.swarm,
        is_guided: drawing.guided,
        tries_for_short: drawing.prefer_short,
    })
}

/// The command that makes the run again.
fn rerun(args: &RandomArgs, summary: &RandomSummary, _: &FindingRecord) -> String {
    let path = name::shell_quoted(&args.scope.to_string_lossy());
    let (program, k, seed) = (name::program(), summary.header.k, summary.seed);
    let calls = summary.explored;
    format!("{program} random {path} -k {k} --seed {seed} --calls {calls}")
}
