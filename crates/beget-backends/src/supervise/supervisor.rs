//! The supervisor, which makes blocks by workers.

use std::collections::BTreeSet;
use std::fmt;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use beget_engine::message::{BlockMessage, PackedRecipes};
use beget_engine::store::{Recipes, StructureId};
use beget_engine::{Block, BlockResult, BlockRunner, Explorer, PlacedResults, wait_for_threads};
use beget_heap::Doubts;
use beget_plan::scope::PlannedIdx;
use beget_process::alloc::AddressAnchors;
use beget_process::guard::CurrentCall;
use beget_run::{AskError, AskJob, OracleProgress, Workers};

use crate::supervise::confirm;
use crate::supervise::death::Death;
use crate::supervise::frame;
use crate::supervise::limits::{CallLimits, UsualTime};
use crate::supervise::process::{StartError, WaitContext, WorkerMessage, WorkerProcess};
use crate::supervise::worker::{APART, write_search};

/// The command of a worker: this program, with arguments that lead to
/// [`serve`](crate::supervise::serve) with the same plan. The supervisor sets its streams.
pub type WorkerStart = Box<dyn Fn() -> Command + Send + Sync>;

/// Receives the output of workers.
type Print = Box<dyn Fn(&[u8]) + Send + Sync>;

/// Makes the calls of runs by worker processes, and watches over them.
///
/// For any number of workers the results are those of threads. Calls that end their process, or do
/// not end, count as failed.
pub struct Supervisor {
    start: WorkerStart,
    pub(crate) limits: CallLimits,
    pub(crate) print: Print,
    /// The workers, those that are alive.
    slots: Vec<Mutex<Option<WorkerProcess>>>,
    search: Mutex<SearchState>,
    /// The memory contents of workers.
    remains: Remains,
}

/// The contents of memory that a process has not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains {
    /// The usual contents.
    Usual,
    /// Contents other than those of this process, in remains of stacks and addresses.
    Apart,
}

/// The state of the search in progress.
#[derive(Debug, Default)]
struct SearchState {
    number: u64,
    /// The message to a worker at the start of the search.
    begin: Vec<u8>,
    /// The methods of which a call has not returned, twice.
    endless: BTreeSet<PlannedIdx>,
}

impl fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor").field("workers", &self.slots.len()).finish_non_exhaustive()
    }
}

/// The reason why a block has no result.
pub(crate) enum MakeError {
    /// The worker died.
    Died(Death),
    /// It cannot be made at all, for this reason.
    Impossible(String),
}

impl Supervisor {
    /// Starts `n` workers, at least one. Their output goes to `print`.
    ///
    /// # Errors
    /// If one of them cannot be started, or does not reach [`serve`](crate::supervise::serve).
    pub fn start(
        start: WorkerStart,
        n_workers: usize,
        limits: CallLimits,
        print: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Result<Supervisor, StartError> {
        Supervisor::start_with(start, n_workers, limits, Remains::Usual, print)
    }

    /// Like [`Supervisor::start`], with the workers' contents of memory given by `remains`.
    ///
    /// # Errors
    /// Those of [`Supervisor::start`].
    pub fn start_with(
        start: WorkerStart,
        n_workers: usize,
        limits: CallLimits,
        remains: Remains,
        print: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Result<Supervisor, StartError> {
        beget_process::alloc::keep_freed_memory();
        let n_workers = n_workers.max(1);
        let workers = match remains {
            // All start before the first is waited for.
            Remains::Usual => {
                let workers = (0..n_workers).map(|_| WorkerProcess::start(start()));
                let mut workers = workers.collect::<Result<Vec<_>, _>>()?;
                workers.iter_mut().try_for_each(WorkerProcess::wait_until_ready)?;
                workers
            }
            Remains::Apart => {
                (0..n_workers).map(|_| start_apart(&*start)).collect::<Result<_, _>>()?
            }
        };
        let slots = workers.into_iter().map(|worker| Mutex::new(Some(worker))).collect();
        let print = Box::new(print);
        Ok(Supervisor { start, limits, print, slots, search: Mutex::default(), remains })
    }

    fn search(&self) -> MutexGuard<'_, SearchState> {
        lock(&self.search)
    }

    pub(crate) fn is_endless(&self, method: PlannedIdx) -> bool {
        self.search().endless.contains(&method)
    }

    pub(crate) fn note_endless(&self, method: PlannedIdx) {
        self.search().endless.insert(method);
    }

    /// The worker of a slot, which has begun the search in progress.
    pub(crate) fn worker<'s>(
        &self,
        slot: &'s mut Option<WorkerProcess>,
    ) -> Result<&'s mut WorkerProcess, StartError> {
        let worker = match slot.take() {
            Some(worker) => worker,
            None if self.remains == Remains::Apart => start_apart(&*self.start)?,
            None => {
                let mut worker = WorkerProcess::start((self.start)())?;
                worker.wait_until_ready()?;
                worker
            }
        };
        let worker = slot.insert(worker);
        let search = self.search();
        if worker.search != search.number {
            worker.send(frame::BEGIN, &search.begin, &[]);
            worker.search = search.number;
            worker.next_asked = None;
        }
        Ok(worker)
    }
}

/// The number of processes started to find one whose parts lie far from those of this process.
const MOST_STARTS: u32 = 100;

/// Starts a worker whose remains differ from those of this process. A program's addresses are
/// chance: about one process in seven is given up.
fn start_apart(start: &(dyn Fn() -> Command + Send + Sync)) -> Result<WorkerProcess, StartError> {
    let here = AddressAnchors::here();
    let mut n_started = 0;
    loop {
        let mut command = start();
        command.env(APART, "1");
        let mut worker = WorkerProcess::start(command)?;
        worker.wait_until_ready()?;
        n_started += 1;
        // If the system does not choose addresses by chance, they leave no differing remains.
        let is_same = worker.anchors == Some(here);
        if is_same
            || n_started == MOST_STARTS
            || worker.anchors.is_none_or(|one| one.are_apart(here))
        {
            return Ok(worker);
        }
        worker.finish();
    }
}

impl Workers for Supervisor {
    fn ask(
        &self,
        job: &AskJob<'_>,
        wait: &mut dyn FnMut(),
    ) -> Result<Vec<OracleProgress>, AskError> {
        let (working, ended) = channel();
        std::thread::scope(|scope| {
            let asking = scope.spawn(move || {
                let answer = self.ask_in_worker(&mut lock(&self.slots[0]), job);
                drop(working);
                answer
            });
            wait_for_threads(&ended, wait);
            asking.join().expect("no worker makes this thread panic")
        })
    }

    fn begin(&self, ints: Option<&BTreeSet<i128>>, doubts: &Doubts) {
        let mut search = self.search();
        let number = search.number + 1;
        *search =
            SearchState { number, begin: write_search(ints, doubts), ..SearchState::default() };
    }

    fn end(&self) {
        let workers = self.slots.iter().filter_map(|slot| lock(slot).take());
        // A result may arrive before the output of its calls.
        let printed = workers.map(WorkerProcess::finish).filter(|printed| !printed.is_empty());
        printed.for_each(|printed| (self.print)(&printed));
    }
}

impl BlockRunner for Supervisor {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let next = AtomicUsize::new(0);
        let (working, ended) = channel();
        let results = PlacedResults::new(blocks.len());
        let usual = UsualTime::default();
        std::thread::scope(|scope| {
            for slot in self.slots.iter().take(blocks.len()) {
                let (working, results) = (working.clone(), &results);
                let (next, usual) = (&next, &usual);
                scope.spawn(move || {
                    let mut slot = lock(slot);
                    let current = &*explorer.note_elsewhere();
                    let mut desk = WorkerDesk {
                        supervisor: self,
                        explorer,
                        recipes,
                        usual,
                        current,
                        slot: &mut slot,
                    };
                    while let index = next.fetch_add(1, Relaxed)
                        && let Some(block) = blocks.get(index)
                    {
                        results.put(index, confirm::make(&mut desk, block));
                    }
                    drop(working);
                });
            }
            drop(working);
            wait_for_threads(&ended, wait);
        });
        results.into_all()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place that gives one worker at a time its blocks.
pub(crate) struct WorkerDesk<'d> {
    pub(crate) supervisor: &'d Supervisor,
    pub(crate) explorer: &'d Explorer<'d>,
    pub(crate) recipes: &'d dyn Recipes,
    usual: &'d UsualTime,
    current: &'d CurrentCall,
    slot: &'d mut Option<WorkerProcess>,
}

impl WorkerDesk<'_> {
    /// Makes a block or a piece of one. If that ends the worker, the next block has another one.
    pub(crate) fn try_make(&mut self, block: &Block) -> Result<BlockResult, MakeError> {
        self.make_by_worker(block, false)
    }

    /// Like [`WorkerDesk::try_make`], in a process that has made nothing else and that shows its
    /// panics.
    pub(crate) fn try_make_afresh(&mut self, block: &Block) -> Result<BlockResult, MakeError> {
        *self.slot = None;
        self.make_by_worker(block, true)
    }

    fn make_by_worker(&mut self, block: &Block, tells: bool) -> Result<BlockResult, MakeError> {
        let impossible = |error: &dyn fmt::Display| MakeError::Impossible(error.to_string());
        let message = BlockMessage::new(block, self.explorer, self.recipes)
            .map_err(|error| impossible(&error))?;
        let (limits, usual, current) = (self.supervisor.limits, self.usual, self.current);
        let waiting = WaitContext { limits, usual, current, is_given_up: None };
        let worker = self.supervisor.worker(self.slot).map_err(|error| impossible(&error))?;
        let start = Instant::now();
        worker.send_block(tells, |bytes| message.write_to(self.explorer, bytes));
        loop {
            match worker.wait(&waiting) {
                Ok(WorkerMessage::Result) => break,
                Ok(WorkerMessage::Ask(id)) => {
                    let recipes = PackedRecipes::of(vec![StructureId::new(id)], self.recipes);
                    let recipes = recipes.map_err(|error| impossible(&error))?;
                    worker.send(frame::RECIPES, &recipes.to_bytes(self.explorer), &[]);
                }
                Ok(WorkerMessage::AskForm(_)) => {
                    let death = worker.die(None, Some("a question that is none"));
                    *self.slot = None;
                    return Err(MakeError::Died(death));
                }
                Err(death) => {
                    *self.slot = None;
                    return Err(MakeError::Died(death));
                }
            }
        }
        let taken = start.elapsed();
        match BlockResult::from_bytes(self.explorer, worker.result()) {
            Ok(result) => {
                let printed = worker.printed();
                // The output of a call that is made again is known.
                if !tells && !printed.is_empty() {
                    (self.supervisor.print)(&printed);
                }
                usual.add(taken, result.ledger.counters.explored());
                // The memory of what calls leave adds up; the next calls are not to be blamed for
                // it.
                if worker.holds_much(limits) {
                    *self.slot = None;
                }
                Ok(result)
            }
            Err(error) => {
                let death = worker.die(None, Some(&error.to_string()));
                *self.slot = None;
                Err(MakeError::Died(death))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervise::process::tests::{ready, script};

    /// The number of processes that are started one after the other, with their parts at these
    /// places, until one is taken.
    fn n_started(anchors: impl Fn(usize) -> AddressAnchors + Send + Sync) -> usize {
        let n_started = AtomicUsize::new(0);
        let start = || {
            let n = n_started.fetch_add(1, Relaxed);
            assert!(n < 2 * MOST_STARTS as usize, "there is no end of processes");
            script(&format!("{}; exec cat", ready(anchors(n))))
        };
        start_apart(&start).unwrap();
        n_started.into_inner()
    }

    /// The addresses of this process's parts, with another value in four bytes of each.
    fn moved(by: u8) -> AddressAnchors {
        let mut bytes = AddressAnchors::here().to_bytes();
        for at in [1, 2, 3, 4, 9, 10, 11, 12] {
            bytes[at] = bytes[at].wrapping_add(by);
        }
        AddressAnchors::from_bytes(bytes)
    }

    #[test]
    fn processes_are_started_until_one_lies_far_from_this_one() {
        assert_eq!(n_started(|n| moved(if n < 3 { 1 } else { 0x40 })), 4);
        // None does, however many are started.
        assert_eq!(n_started(|_| moved(1)), MOST_STARTS as usize);
        // The system chooses no addresses by chance.
        assert_eq!(n_started(|_| AddressAnchors::here()), 1);
    }
}
