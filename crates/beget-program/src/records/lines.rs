//! Structures as lines of a file: several threads make them, each some in a row, and they are
//! taken in order.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, Scope, scope};

use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Reader, StructureReport};
use beget_suite::TypeIdx;

use crate::records::{EmitError, StructureRecord};

/// The structures that a thread makes in a row.
const IN_A_ROW: u32 = 32;

/// The lines that it hands over at once: few, so that an interrupt need not wait for many.
const AT_ONCE: usize = 8;

/// The most messages that wait to be taken, for each thread.
const AHEAD: usize = 16;

/// Recipes are as deep as structures.
const STACK: usize = 64 << 20;

/// A structure as a line.
pub(super) struct StructureLine {
    /// Its report, without its heap.
    pub(super) reported: StructureReport,
    pub(super) ty: TypeIdx,
    /// JSON, and the end of the line.
    pub(super) text: Vec<u8>,
}

/// Lines in a row; `None` stands for a structure that is not reported.
type Lines = Result<Vec<Option<StructureLine>>, EmitError>;

/// The lines of a corpus.
pub(super) struct LineMaker<'c, S> {
    pub(super) corpus: &'c Corpus<S>,
    /// The reader of each thread.
    pub(super) reader: fn(&'c Corpus<S>) -> Reader<'c, S>,
    /// The number of threads.
    pub(super) threads: usize,
}

impl<S: Store> LineMaker<'_, S> {
    /// Gives `take` the lines of the first `n` structures, in order, as long as `may_go_on` says so
    /// before each structure. Returns whether all were given.
    ///
    /// # Errors
    /// If the store cannot read a structure, or `take` fails.
    pub(super) fn make(
        &self,
        n: u32,
        may_go_on: &mut dyn FnMut() -> bool,
        take: &mut dyn FnMut(StructureLine) -> Result<(), EmitError>,
    ) -> Result<bool, EmitError> {
        let threads = self.threads.min(n.div_ceil(IN_A_ROW) as usize);
        scope(|scope| {
            // If this ends early, sending fails, and the threads end, too.
            let receivers = (0..threads).map(|thread| self.start(scope, n, thread, threads));
            let receivers: Vec<Receiver<Lines>> = receivers.collect();
            let mut rows: Vec<_> = receivers.iter().map(|_| Vec::new().into_iter()).collect();
            for id in 0..n {
                if !may_go_on() {
                    return Ok(false);
                }
                let thread = (id / IN_A_ROW) as usize % threads;
                let line = loop {
                    match rows[thread].next() {
                        Some(line) => break line,
                        // A thread that is gone has panicked, and so does the scope.
                        None => match receivers[thread].recv() {
                            Ok(row) => rows[thread] = row?.into_iter(),
                            Err(_) => return Ok(false),
                        },
                    }
                };
                line.map_or(Ok(()), &mut *take)?;
            }
            Ok(true)
        })
    }

    /// Starts a thread that makes its lines of the first `n`.
    fn start<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        n: u32,
        thread: usize,
        threads: usize,
    ) -> Receiver<Lines> {
        let (sender, receiver) = sync_channel(AHEAD);
        let rows = (0..n).step_by(IN_A_ROW as usize).skip(thread).step_by(threads);
        let ids = rows.flat_map(move |first| first..n.min(first + IN_A_ROW)).map(StructureId);
        let work = move || self.send_all(ids, &sender);
        let started = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        started.expect("a thread can be started");
        receiver
    }

    /// Sends the lines of some structures, until there is an error or the receiver is gone.
    fn send_all(&self, ids: impl Iterator<Item = StructureId>, sender: &SyncSender<Lines>) {
        let mut reader = (self.reader)(self.corpus);
        let mut row = Vec::new();
        for id in ids {
            match self.line(&mut reader, id) {
                Ok(line) => row.push(line),
                Err(error) => {
                    // What is before it is given first.
                    let _ = sender.send(Ok(row)).and_then(|()| sender.send(Err(error)));
                    return;
                }
            }
            if row.len() == AT_ONCE && sender.send(Ok(std::mem::take(&mut row))).is_err() {
                return;
            }
        }
        let _ = sender.send(Ok(row));
    }

    fn line(
        &self,
        reader: &mut Reader<'_, S>,
        id: StructureId,
    ) -> Result<Option<StructureLine>, EmitError> {
        let Some(mut reported) = reader.reported(id)? else { return Ok(None) };
        let ty = self.corpus.type_of(id)?;
        let record = StructureRecord::of_report(self.corpus, &reported, id, ty)?;
        let mut text = serde_json::to_vec(&record)?;
        text.push(b'\n');
        reported.heap = None;
        Ok(Some(StructureLine { reported, ty, text }))
    }
}
