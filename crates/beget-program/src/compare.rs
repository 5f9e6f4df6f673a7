//! `beget compare`.

use crate::records::{CompareSummary, CompareText, write_comparison};
use beget_engine::store::StoreError;
use beget_plan::scope::Budget;
use beget_run::{ComparePlan, RunError, Watch};

use crate::args::{CompareArgs, General, SummaryFormat};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::{open, overrides, settings, store_kind, warn};
use crate::output::prepare_dir;
use crate::saving::{SlackStores, saving_watch};
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(
    args: &CompareArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    if args.run.budgets.no_state_matching {
        let message = "without state matching there is no set to compare with";
        return Err(CliError::Usage(message.to_owned()));
    }
    if args.scope.repository.is_some() {
        let message = "the domains of a repOK know nothing of a --repository";
        return Err(CliError::Usage(message.to_owned()));
    }
    let input = open(&args.scope.file, catalog)?;
    let overrides = overrides(&args.scope, &args.run.budgets);
    let plan = ComparePlan::new(&input, overrides, args.repok.as_deref())?;
    warn(&plan.resolved, general);
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    let stores = SlackStores::open(&args.run, &plan, general)?;
    interrupt::listen();
    let budget = plan.resolved.plan.budget;
    let control = RunControl::new(budget, begun(&plan.resolved.plan), general);
    let watch = saving_watch(Watch::new(budget, &control), &args.run);
    let kind = stores.as_ref().map_or(store_kind(&args.run, None), SlackStores::kind);
    let run =
        plan.run(settings(&args.run), kind, &watch).map_err(|error| match (error, &stores) {
            (RunError::Store(StoreError::Failed(reason)), Some(stores)) => {
                let reason = format!("{reason}; {}", stores.what_is_left());
                CliError::Store(StoreError::Failed(reason))
            }
            (error, _) => error.into(),
        })?;
    let summary = CompareSummary::of(&run);
    let spent = control.start().spent();
    control.finish();
    if let Some(output) = output {
        write_comparison(output, &run)?;
    }
    let summary = CompareSummary { spent: Some(spent), ..summary };
    let stop_reason = run.stop_reason;
    print::result(&match args.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => {
            let verbosity = general.verbosity();
            CompareText { summary: &summary, stop_reason, verbosity }.to_string()
        }
    })?;
    // Two sets are compared as wholes.
    let nothing_less = Budget::default();
    Ok(Exit::of_run(stop_reason, &nothing_less, summary.has_findings()))
}
