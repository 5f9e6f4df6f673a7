//! Structures in directories: the options `--store disk:DIR`, `--checkpoint` and `--resume`.
//!
//! Whatever can be wrong with a directory before a run is said here, before anything runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use beget_disk::{Directory, DiskError, DiskStore, RecordedStore, StoreForm};
use beget_engine::store::{ExactStore, Store, StoreError};
use beget_engine::{Corpus, NewStore, SavedRun};
use beget_finding::StopReason;
use beget_run::{StoreKind, Stores, Watch};
use beget_scope::{Plan, first_difference};

use crate::args::{General, RunArgs, StoreArg};
use crate::error::CliError;
use crate::print;

/// What a store on disk may take of memory, if the run has no limit.
const MEMORY: u64 = 1 << 30;

/// A directory for the structures of a run, if one is asked for.
#[derive(Debug)]
pub(crate) struct SavingStores {
    path: PathBuf,
    form: StoreForm,
    identity: Vec<(String, String)>,
    memory: u64,
    /// Until the run takes it.
    opened: Mutex<Option<Opened>>,
}

/// What the calls of a run are asked for: a run that asks for less cannot go on as one that asks
/// for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Structures,
    Contracts,
    Differences,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::Structures => "structures (generate, show)",
            Purpose::Contracts => "contracts (check, emit)",
            Purpose::Differences => "differences (diff)",
        })
    }
}

#[derive(Debug)]
enum Opened {
    New(Directory),
    Saved(SavedRun),
}

impl SavingStores {
    /// The directory that the arguments name, for a run in which calls are asked for what
    /// `asked` says.
    pub(crate) fn open(
        args: &RunArgs,
        plan: &Plan,
        asked: Purpose,
        general: &General,
    ) -> Result<Option<SavingStores>, CliError> {
        let saving = &args.saving;
        let disk = match &args.store {
            StoreArg::Disk(path) => Some(path),
            _ => None,
        };
        if let (Some(_), StoreArg::Disk(_) | StoreArg::Small(_)) = (&saving.resume, &args.store) {
            let message =
                "the directory of --resume says itself what its store is: leave --store out";
            return Err(CliError::Usage(message.to_owned()));
        }
        let Some(path) = disk.or(saving.checkpoint.as_ref()).or(saving.resume.as_ref()) else {
            return Ok(None);
        };
        if disk.is_some() && saving.checkpoint.is_some() {
            let message =
                "a run with `--store disk:DIR` is written down there: leave --checkpoint out";
            return Err(CliError::Usage(message.to_owned()));
        }
        if args.budgets.no_state_matching {
            let message = "runs without state matching are not written down";
            return Err(CliError::Usage(message.to_owned()));
        }
        let mut identity = plan.identity();
        identity.push(("what calls are asked for".to_owned(), asked.to_string()));
        let memory = plan.budget.max_memory_mib.map_or(MEMORY, |mib| (mib << 20) / 2);
        let (form, opened) = match &saving.resume {
            Some(path) => {
                let (directory, manifest) = Directory::open(path)?;
                refuse_another(path, &manifest.identity, &identity)?;
                if !general.quiet {
                    let n = manifest.n_structures;
                    print::note(&format!("going on from `{}` with {n} structures", path.display()));
                }
                let saved = read_saved(directory, manifest.store, plan, memory)?;
                (manifest.store, Opened::Saved(saved))
            }
            None => {
                let directory = Directory::create(path, identity.clone())?;
                let form = if disk.is_some() { StoreForm::Disk } else { StoreForm::Recorded };
                (form, Opened::New(directory))
            }
        };
        Ok(Some(SavingStores {
            path: path.to_path_buf(),
            form,
            identity,
            memory,
            opened: Mutex::new(Some(opened)),
        }))
    }

    pub(crate) fn kind(&self) -> StoreKind<'_> {
        StoreKind::Hosted(self)
    }

    /// Where the run is saved.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn take(&self) -> Option<Opened> {
        self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }
}

/// The watch over a run that is written down as often as the arguments say.
pub(crate) fn saving_watch<'h>(watch: Watch<'h>, args: &RunArgs) -> Watch<'h> {
    match args.saving.checkpoint_minutes {
        Some(minutes) => watch.saving_every(60.0 * minutes),
        None => watch,
    }
}

/// Where a run that could not go on was saved last.
pub(crate) fn tell_saved<S: Store>(corpus: &Corpus<S>, stores: Option<&SavingStores>) {
    let Some(stores) = stores.filter(|_| corpus.report.stop_reason == StopReason::StoreFailed)
    else {
        return;
    };
    let reason = corpus.report.notes.last().map_or("the store failed", String::as_str);
    let path = stores.path();
    let message = match Directory::holds_run(path) {
        true => format!(
            "{reason}; what was saved last is there: go on with `--resume {}`",
            path.display()
        ),
        false => format!("{reason}; nothing was saved"),
    };
    print::error(&CliError::Stopped(message));
}

fn refuse_another(
    path: &Path,
    saved: &[(String, String)],
    own: &[(String, String)],
) -> Result<(), CliError> {
    let Some((name, was, is)) = first_difference(saved, own) else { return Ok(()) };
    let show = |value: Option<String>| value.unwrap_or_else(|| "not there".to_owned());
    Err(CliError::Usage(format!(
        "the run in `{}` is another one: {name} was\n  {}\nand is\n  {}",
        path.display(),
        show(was),
        show(is)
    )))
}

impl Stores for SavingStores {
    fn empty(&self, plan: &Plan) -> NewStore {
        let directory = match self.take() {
            Some(Opened::New(directory)) => directory,
            // The run begins once more: what it has saved is worth nothing.
            _ => Directory::replace(&self.path, self.identity.clone())?,
        };
        Ok(match self.form {
            StoreForm::Disk => Box::new(DiskStore::new(directory, plan.tag_bits(), self.memory)),
            StoreForm::Recorded => Box::new(RecordedStore::new(ExactStore::of(plan), directory)),
        })
    }

    fn saved(&self) -> Option<SavedRun> {
        let mut opened = self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match opened.take() {
            Some(Opened::Saved(saved)) => Some(saved),
            other => {
                *opened = other;
                None
            }
        }
    }
}

fn read_saved(
    directory: Directory,
    form: StoreForm,
    plan: &Plan,
    memory: u64,
) -> Result<SavedRun, StoreError> {
    let tag_bits = plan.tag_bits();
    let (store, state): (Box<dyn Store>, _) = match form {
        StoreForm::Disk => {
            let (store, state) = DiskStore::open(directory, tag_bits, memory)?;
            (Box::new(store), state)
        }
        StoreForm::Recorded => {
            let exact = ExactStore::of(plan);
            let (store, state) = RecordedStore::open(exact, directory, tag_bits)?;
            (Box::new(store), state)
        }
    };
    Ok(SavedRun { store, state })
}

impl From<DiskError> for CliError {
    fn from(error: DiskError) -> Self {
        match error.is_wrong_input() {
            true => CliError::Usage(error.to_string()),
            false => CliError::Store(StoreError::from(error)),
        }
    }
}
