//! The directories of a comparison: one for each slack, beside each other.

use std::path::PathBuf;

use beget_args::cli::{General, RunArgs};
use beget_backends::disk::{Directory, StoreForm};
use beget_engine::store::StoreError;
use beget_engine::{NewStore, SavedRun};
use beget_plan::scope::Plan;
use beget_run::{StoreKind, Stores};
use beget_search::run::ComparePlan;

use super::{DirectoryArg, Purpose, SavingStores, wanted, what_is_left};
use crate::error::CliError;

/// The structures that a comparison builds, with each slack that it tries.
#[derive(Debug)]
pub(crate) struct SlackStores {
    path: PathBuf,
    by_slack: Vec<(u32, SavingStores)>,
}

impl SlackStores {
    /// Those in the directory that the arguments name, if they do.
    pub(crate) fn open(
        args: &RunArgs,
        plan: &ComparePlan<'_>,
        general: &General,
    ) -> Result<Option<SlackStores>, CliError> {
        let Some(wanted) = wanted(args)? else { return Ok(None) };
        let path = wanted.path();
        let mut form = StoreForm::Recorded;
        if let DirectoryArg::New(path, of_new) = wanted {
            Directory::require_empty(path)?;
            form = of_new;
        }
        let mut by_slack: Vec<(u32, SavingStores)> = Vec::new();
        for slack in plan.slacks() {
            let is_first = by_slack.is_empty();
            // A scope that is wrong with more slack is refused if that is tried.
            let Ok(resolved) = plan.resolve(slack) else { break };
            let (plan, path) = (&resolved.plan, path.join(format!("slack-{slack}")));
            let asked = Purpose::Structures;
            let stores = match wanted {
                DirectoryArg::New(..) if is_first => SavingStores::new(&path, form, plan, asked)?,
                DirectoryArg::Saved(_) if is_first || Directory::holds_run(&path) => {
                    SavingStores::found(&path, plan, asked, general)?
                }
                _ => SavingStores::later(&path, form, plan, asked),
            };
            form = stores.form;
            by_slack.push((slack, stores));
        }
        Ok(Some(SlackStores { path: path.to_path_buf(), by_slack }))
    }

    pub(crate) fn kind(&self) -> StoreKind<'_> {
        StoreKind::Hosted(self)
    }

    /// Says from which state an interrupted comparison can continue.
    pub(crate) fn what_is_left(&self) -> String {
        let mut paths = self.by_slack.iter().map(|(_, stores)| stores.path());
        what_is_left(&self.path, paths.any(Directory::holds_run))
    }

    fn of(&self, plan: &Plan) -> Result<&SavingStores, StoreError> {
        let slack = plan.slack.as_ref().map_or(0, |proper| proper.slack);
        let of_slack = self.by_slack.iter().find(|(known, _)| *known == slack);
        let missing = || StoreError::Failed(format!("there is no directory for slack {slack}"));
        of_slack.map(|(_, stores)| stores).ok_or_else(missing)
    }
}

impl Stores for SlackStores {
    fn empty(&self, plan: &Plan) -> NewStore {
        self.of(plan)?.empty(plan)
    }

    fn saved(&self, plan: &Plan) -> Result<Option<SavedRun>, StoreError> {
        self.of(plan)?.saved(plan)
    }
}
