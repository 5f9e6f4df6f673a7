//! Structures in directories: the options `--store disk:DIR`, `--checkpoint` and `--resume`.
//!
//! All errors of a directory are found here, before anything runs.

mod build;
mod by_slack;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use beget_args::cli::{General, RunArgs, StoreArg};
use beget_backends::disk::{
    Directory, DiskError, DiskStore, PartOf, RecordedStore, SaveLimit, SavedStep, StoreForm,
    holds_parts, saved_steps,
};
use beget_engine::store::{ExactStore, Store, StoreError};
use beget_engine::{Corpus, NewStore, SavedRun};
use beget_plan::scope::{Plan, first_difference};
use beget_run::{StoreKind, Stores, Watch};

use crate::error::CliError;
use crate::interrupt::WriteLimit;
use crate::print;
use build::own_build;
pub(crate) use by_slack::SlackStores;

/// The limit of saving: the time for writing after an interrupt.
pub(crate) const SAVE_LIMIT: SaveLimit = SaveLimit(|| {
    let limit = WriteLimit::begin();
    Box::new(move || limit.is_over())
});

/// The memory limit of a store on disk, if the run has none.
const MEMORY: u64 = 1 << 30;

/// Returns the memory that a store on disk may take in a run of `plan`.
pub(crate) fn store_memory(plan: &Plan) -> u64 {
    plan.budget.max_memory_mib.map_or(MEMORY, |mib| (mib << 20) / 2)
}

/// The directory for the structures of a run, if there is one.
#[derive(Debug)]
pub(crate) struct SavingStores {
    path: PathBuf,
    form: StoreForm,
    identity: Vec<(String, String)>,
    memory: u64,
    /// Empty once the run has taken the directory.
    opened: Mutex<Option<OpenDirectory>>,
}

/// The information that a run needs from its calls: a saved run cannot continue as one that needs
/// more.
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
enum OpenDirectory {
    /// A directory to create when the run begins.
    Later,
    New(Directory),
    /// A directory with a saved run.
    Found(Directory),
    /// A directory saved by several processes, last at this moment.
    InParts(SavedStep),
    /// A saved run that has been read.
    Saved(SavedRun),
}

/// The directory given by the arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DirectoryArg<'a> {
    /// A new directory.
    New(&'a Path, StoreForm),
    /// The directory of a saved run.
    Saved(&'a Path),
}

impl<'a> DirectoryArg<'a> {
    pub(crate) fn path(self) -> &'a Path {
        match self {
            DirectoryArg::New(path, _) | DirectoryArg::Saved(path) => path,
        }
    }

    /// Returns the place of the structures of a new run; `None` for a saved run.
    pub(crate) fn form(self) -> Option<StoreForm> {
        match self {
            DirectoryArg::New(_, form) => Some(form),
            DirectoryArg::Saved(_) => None,
        }
    }
}

/// The directory given by the arguments, if any.
pub(crate) fn wanted(args: &RunArgs) -> Result<Option<DirectoryArg<'_>>, CliError> {
    let (resume, checkpoint) = (&args.saving.resume, &args.saving.checkpoint);
    let usage = |message: &str| Err(CliError::Usage(message.to_owned()));
    let wanted = match (&args.store, resume, checkpoint) {
        (StoreArg::Disk(_) | StoreArg::Small(_), Some(_), _) => {
            return usage(
                "the directory of --resume says itself what its store is: leave --store out",
            );
        }
        (StoreArg::Disk(_), None, Some(_)) => {
            return usage(
                "a run with `--store disk:DIR` is written down there: leave --checkpoint out",
            );
        }
        (_, Some(path), _) => DirectoryArg::Saved(path),
        (StoreArg::Disk(path), None, None) => DirectoryArg::New(path, StoreForm::Disk),
        (_, None, Some(path)) => DirectoryArg::New(path, StoreForm::Recorded),
        (_, None, None) => return Ok(None),
    };
    match args.budgets.no_state_matching {
        true => usage("runs without state matching are not written down"),
        false => Ok(Some(wanted)),
    }
}

/// Rejects directories with `reason`, for a command that does not use them.
pub(crate) fn refuse_directories(args: &RunArgs, reason: &str) -> Result<(), CliError> {
    match wanted(args)? {
        None => Ok(()),
        Some(_) => Err(CliError::Usage(format!(
            "{reason}: leave `--store disk:DIR`, `--checkpoint` and `--resume` out"
        ))),
    }
}

impl SavingStores {
    /// The directory given by the arguments, for a run that needs `asked` from its calls.
    pub(crate) fn open(
        args: &RunArgs,
        plan: &Plan,
        asked: Purpose,
        general: &General,
    ) -> Result<Option<SavingStores>, CliError> {
        let stores = match wanted(args)? {
            None => return Ok(None),
            Some(DirectoryArg::New(path, form)) => SavingStores::new(path, form, plan, asked)?,
            Some(DirectoryArg::Saved(path)) => {
                let stores = SavingStores::found(path, plan, asked, general)?;
                // Damage is reported before anything runs.
                if let Some(saved) = stores.saved(plan)? {
                    stores.put(OpenDirectory::Saved(saved));
                }
                stores
            }
        };
        Ok(Some(stores))
    }

    /// A directory to create when the run begins.
    fn later(path: &Path, form: StoreForm, plan: &Plan, asked: Purpose) -> SavingStores {
        let identity = identity_of(plan, asked);
        let memory = store_memory(plan);
        let opened = Mutex::new(Some(OpenDirectory::Later));
        SavingStores { path: path.to_path_buf(), form, identity, memory, opened }
    }

    /// A new directory.
    fn new(
        path: &Path,
        form: StoreForm,
        plan: &Plan,
        asked: Purpose,
    ) -> Result<SavingStores, CliError> {
        let stores = SavingStores::later(path, form, plan, asked);
        let directory = Directory::create(path, stores.identity.clone())
            .map_err(|error| CliError::Usage(error.to_string()))?;
        stores.put(OpenDirectory::New(directory));
        Ok(stores)
    }

    /// The directory of a saved run.
    fn found(
        path: &Path,
        plan: &Plan,
        asked: Purpose,
        general: &General,
    ) -> Result<SavingStores, CliError> {
        let stores = SavingStores::later(path, StoreForm::Recorded, plan, asked);
        // It may have been saved by several processes.
        let last = steps_of(path, PartOf::WHOLE, &stores.identity)?.into_iter().max();
        if let Some(step) = last.filter(|step| !step.is_whole()) {
            tell_going_on(path, step.n_structures, general);
            let form = if step.is_on_disk() { StoreForm::Disk } else { stores.form };
            stores.put(OpenDirectory::InParts(step));
            return Ok(SavingStores { form, ..stores });
        }
        let (directory, manifest) = Directory::open(path)?;
        tell_going_on(path, manifest.n_structures, general);
        stores.put(OpenDirectory::Found(directory));
        Ok(SavingStores { form: manifest.store, ..stores })
    }

    fn put(&self, opened: OpenDirectory) {
        *self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(opened);
    }

    pub(crate) fn kind(&self) -> StoreKind<'_> {
        StoreKind::Hosted(self)
    }

    /// Returns the place where the run is saved.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn take(&self) -> Option<OpenDirectory> {
        self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }
}

/// The watch over a run that is saved as often as the arguments say.
pub(crate) fn saving_watch<'h>(watch: Watch<'h>, args: &RunArgs) -> Watch<'h> {
    match args.saving.checkpoint_minutes {
        Some(minutes) => watch.saving_every(60.0 * minutes),
        None => watch,
    }
}

/// Prints the place of the last saved state of a run that could not go on.
pub(crate) fn tell_saved<S: Store>(corpus: &Corpus<S>, stores: Option<&SavingStores>) {
    if let (Some(stores), Some(failure)) = (stores, corpus.report.store_failure.clone()) {
        let left = what_is_left(stores.path(), holds_run(stores.path()));
        let message = format!("{failure}; {left}");
        match failure {
            StoreError::CutShort => print::note(&message),
            _ => print::error(&CliError::Stopped(message)),
        }
    }
}

/// The identity of a run: everything that must be equal when it continues.
pub(crate) fn identity_of(plan: &Plan, asked: Purpose) -> Vec<(String, String)> {
    let mut identity = plan.identity();
    identity.push(("what calls are asked for".to_owned(), asked.to_string()));
    identity.push((PROGRAM.to_owned(), own_build().to_owned()));
    identity
}

/// The entry of an identity that distinguishes builds of the program. The code under test is part
/// of the program: if a method has changed, calls may build other structures now than the saved
/// ones.
const PROGRAM: &str = "the program";

/// Returns whether a run was saved in a directory, by one process or by several.
pub(crate) fn holds_run(path: &Path) -> bool {
    Directory::holds_run(path) || holds_parts(path)
}

/// Prints the state from which an interrupted run can continue.
pub(crate) fn what_is_left(path: &Path, holds_run: bool) -> String {
    match holds_run {
        true => {
            let path = path.display();
            format!("what was saved last is there: go on with `--resume {path}`")
        }
        false => "nothing was saved".to_owned(),
    }
}

/// Returns the saved steps of runs with `identity` from which process `me` can continue.
pub(crate) fn steps_of(
    path: &Path,
    me: PartOf,
    identity: &[(String, String)],
) -> Result<Vec<SavedStep>, CliError> {
    let saved = saved_steps(path, me)?;
    for (path, saved) in &saved.identities {
        refuse_another(path, saved, identity)?;
    }
    match saved.steps.is_empty() {
        true => {
            let mixed = saved.mixed.unwrap_or_else(|| path.to_path_buf());
            Err(DiskError::MixedParts(mixed).into())
        }
        false => Ok(saved.steps),
    }
}

pub(crate) fn tell_going_on(path: &Path, n_structures: u64, general: &General) {
    if !general.quiet {
        let path = path.display();
        print::note(&format!("going on from `{path}` with {n_structures} structures"));
    }
}

/// Rejects the manifest at `path` if its identity is not `own`.
fn refuse_another(
    path: &Path,
    saved: &[(String, String)],
    own: &[(String, String)],
) -> Result<(), CliError> {
    let Some((name, was, is)) = first_difference(saved, own) else { return Ok(()) };
    if name == PROGRAM {
        return Err(CliError::Usage(format!(
            "the run in `{}` was made by another build of this program, whose methods may do other \
             things: go on with that build, or begin the run again in another directory",
            path.display()
        )));
    }
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
        let identity = self.identity.clone();
        let directory = match self.take() {
            Some(OpenDirectory::New(directory)) => directory,
            Some(OpenDirectory::Later) => Directory::create(&self.path, identity)?,
            // The run starts again, so its saved state is useless.
            _ => Directory::replace(&self.path, identity)?,
        };
        Ok(match self.form {
            StoreForm::Disk => {
                let store = DiskStore::new(directory, plan.tag_bits(), self.memory);
                Box::new(store.with_limit(SAVE_LIMIT))
            }
            StoreForm::Recorded | StoreForm::Part | StoreForm::DiskPart => {
                let store = RecordedStore::new(ExactStore::of(plan), directory);
                Box::new(store.with_limit(SAVE_LIMIT))
            }
        })
    }

    fn saved(&self, plan: &Plan) -> Result<Option<SavedRun>, StoreError> {
        match self.take() {
            Some(OpenDirectory::Saved(saved)) => Ok(Some(saved)),
            Some(OpenDirectory::Found(directory)) => {
                read_saved(directory, self.form, plan, self.memory).map(Some)
            }
            Some(OpenDirectory::InParts(step)) => {
                read_parts(&self.path, &step, self.identity.clone(), (plan, self.memory)).map(Some)
            }
            other => {
                other.into_iter().for_each(|opened| self.put(opened));
                Ok(None)
            }
        }
    }
}

/// Reads a run that several processes have saved.
fn read_parts(
    path: &Path,
    step: &SavedStep,
    identity: Vec<(String, String)>,
    (plan, memory): (&Plan, u64),
) -> Result<SavedRun, StoreError> {
    let (store, state): (Box<dyn Store>, _) = if step.is_on_disk() {
        let room = (plan.tag_bits(), memory);
        let (store, state) = DiskStore::of_parts(path, step, identity, room)?;
        (Box::new(store.with_limit(SAVE_LIMIT)), state)
    } else {
        let exact = ExactStore::of(plan);
        let (store, state) = RecordedStore::of_parts(exact, path, step, identity)?;
        (Box::new(store.with_limit(SAVE_LIMIT)), state)
    };
    Ok(SavedRun { store, state })
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
            (Box::new(store.with_limit(SAVE_LIMIT)), state)
        }
        StoreForm::Recorded | StoreForm::Part | StoreForm::DiskPart => {
            let exact = ExactStore::of(plan);
            let (store, state) = RecordedStore::open(exact, directory, tag_bits)?;
            (Box::new(store.with_limit(SAVE_LIMIT)), state)
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
