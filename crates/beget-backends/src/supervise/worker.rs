//! The worker: a process that makes calls for another one.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::exit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use beget_engine::message::{BlockMessage, PackedRecipes};
use beget_engine::store::{Origin, Recipes, StoreError, StructureId};
use beget_engine::{Explorer, Settings};
use beget_heap::{CanonicalForm, Doubts, FormRef};
use beget_plan::scope::Plan;
use beget_process::alloc::{AddressAnchors, BlockKind, BlockPlace};
use beget_run::{BorrowedStructures, OracleSession, OracleSet};

use crate::supervise::frame::{self, FrameReader, WireFrame};
use crate::supervise::output::BEGIN;
use crate::supervise::page::{self, MessageWay};
use crate::supervise::questions::{ProgressData, QuestionsMessage};

/// The environment variable that makes a process a worker; it names the page.
pub(crate) const PAGE: &str = "BEGET_WORKER";

/// The environment variable that makes a worker leave other remains in memory than its supervisor.
pub(crate) const APART: &str = "BEGET_WORKER_APART";

/// The stack of a worker: recipes are deep where structures are.
const STACK: usize = 64 << 20;

/// Returns whether this process was started by a supervisor, to [`serve`] it.
pub fn is_worker() -> bool {
    std::env::var_os(PAGE).is_some()
}

/// Returns the connection of a worker to its supervisor, which is its standard input.
///
/// # Errors
/// If there is none.
pub fn connection() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Makes the calls of `plan` that the supervisor at the other end of `stream` asks for, and ends
/// the process when that closes.
///
/// `plan` is what the input resolves to, its integers not limited yet; `oracles` are those that the
/// supervisor asks, if it does.
pub fn serve(
    stream: UnixStream,
    plan: &Plan,
    settings: Settings,
    oracles: Option<&OracleSet>,
) -> ! {
    let Err(error) = try_serve(stream, plan, settings, oracles);
    eprintln!("a worker cannot work: {error}");
    exit(1)
}

fn try_serve(
    mut stream: UnixStream,
    plan: &Plan,
    settings: Settings,
    oracles: Option<&OracleSet>,
) -> io::Result<std::convert::Infallible> {
    beget_process::guard::be_watched();
    beget_process::alloc::forbid_core_files();
    beget_process::alloc::keep_freed_memory();
    if std::env::var_os(APART).is_some() {
        beget_process::alloc::vary();
    }
    let path = std::env::var_os(PAGE).map(PathBuf::from).unwrap_or_default();
    let (block, file) = page::map(&path)?;
    let mut reader = stream.try_clone()?;
    // What the program has written so far is not the output of calls.
    let _ = io::stdout().flush();
    let _ = io::stderr().write_all(BEGIN);
    frame::write(&mut stream, frame::READY, &[], &AddressAnchors::here().to_bytes())?;
    let (work, to_do) = channel();
    let (answer, answers) = channel();
    let maker = CallMaker {
        plan,
        settings: Settings { threads: 1, ..settings },
        oracles,
        block,
        file,
        to_do,
        supervisor: Mutex::new(SupervisorEnd { stream, answers, known: PackedRecipes::default() }),
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, move || maker.make_all())?;
        // When the supervisor is gone, its workers end, even in the middle of a call.
        listen(&mut reader, &work, &answer);
        exit(0)
    })
}

/// Gives frames to the threads that wait for them, until the stream ends.
fn listen(reader: &mut UnixStream, work: &Sender<WireFrame>, answer: &Sender<Vec<u8>>) {
    let mut incoming = FrameReader::default();
    while let Ok(Some(frame)) = incoming.read(reader) {
        let sent = match frame.kind {
            frame::RECIPES => answer.send(frame.bytes).is_ok(),
            _ => work.send(frame).is_ok(),
        };
        if !sent {
            break;
        }
    }
}

/// Makes calls.
struct CallMaker<'p> {
    plan: &'p Plan,
    settings: Settings,
    oracles: Option<&'p OracleSet>,
    /// The place of the number of the block in work.
    block: &'static AtomicU32,
    /// The file with long messages.
    file: File,
    to_do: Receiver<WireFrame>,
    supervisor: Mutex<SupervisorEnd>,
}

impl CallMaker<'_> {
    fn make_all(&self) {
        let mut begun = self.to_do.recv().ok();
        while let Some(frame) = begun {
            begun = self.make_search(&frame);
        }
        exit(0)
    }

    /// Makes the blocks of a search. Returns the frame that begins the next one.
    fn make_search(&self, begin: &WireFrame) -> Option<WireFrame> {
        let (ints, doubts) = read_search(&begin.bytes);
        let plan = self.plan.clone().of_search(ints.as_ref(), &Arc::new(doubts));
        let explorer = Explorer::new(&plan, self.settings);
        lock(&self.supervisor).known = PackedRecipes::default();
        let mut buffer = Vec::new();
        let mut session = None;
        loop {
            let frame = self.to_do.recv().ok()?;
            let made = match frame.kind {
                frame::BLOCK => self.make(&explorer, &frame.bytes, &mut buffer),
                frame::QUESTIONS => self.ask(&explorer, &mut session, &frame.bytes, &mut buffer),
                _ => return Some(frame),
            };
            if let Err(error) = made {
                eprintln!("a worker cannot go on: {error}");
                exit(1)
            }
        }
    }

    /// Makes the block of a frame. `buffer` is scratch space for long messages.
    fn make(&self, explorer: &Explorer<'_>, bytes: &[u8], buffer: &mut Vec<u8>) -> io::Result<()> {
        let number = self.receive(bytes, buffer)?;
        let message = BlockMessage::from_bytes(explorer, buffer).map_err(io::Error::other)?;
        self.block.store(number, Relaxed);
        let others = OnDemand { explorer, supervisor: &self.supervisor };
        message.run(explorer, &others).write_to(explorer, buffer);
        self.answer(buffer)
    }

    /// Asks the oracles about the structures that a frame is about.
    fn ask<'e>(
        &self,
        explorer: &'e Explorer<'e>,
        session: &mut Option<OracleSession<'e>>,
        bytes: &[u8],
        buffer: &mut Vec<u8>,
    ) -> io::Result<()> {
        let number = self.receive(bytes, buffer)?;
        let message: QuestionsMessage = postcard::from_bytes(buffer).map_err(io::Error::other)?;
        let set = self.oracles.ok_or_else(|| io::Error::other("there are no oracles"))?;
        let new = || OracleSession::new(set, explorer.plan(), explorer.calls().clone());
        let session = match message.is_continued {
            true => session.get_or_insert_with(new),
            false => session.insert(new()),
        };
        self.block.store(number, Relaxed);
        let forms = message.forms();
        let QuestionsMessage {
            first, is_last, are_merged, is_continued, left_out, progress, ..
        } = message;
        let questions: Vec<Vec<&'static str>> = session.questions().collect();
        let progress = progress.into_iter().zip(questions);
        let progress = progress.map(|(one, questions)| one.into_progress(questions));
        session.adopt(progress.collect(), is_continued);
        let others = OnDemand { explorer, supervisor: &self.supervisor };
        let form_of = |id| others.form_of(id);
        let (form_of, recipes) = (&form_of, &others);
        let lent =
            BorrowedStructures { first, forms, form_of, recipes, is_last, are_merged, left_out };
        let answers = session.ask(&lent).map_err(io::Error::other)?;
        let answers: Vec<ProgressData> = answers.iter().map(ProgressData::of).collect();
        *buffer = postcard::to_allocvec(&answers).map_err(io::Error::other)?;
        self.answer(buffer)
    }

    /// Reads the message of a job; the number of the job.
    fn receive(&self, bytes: &[u8], buffer: &mut Vec<u8>) -> io::Result<u32> {
        let (number, rest) = bytes.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let (tells, len) = rest.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
        let len = len.try_into().map_err(|_| io::ErrorKind::InvalidData)?;
        let len = u32::from_le_bytes(len) as usize;
        page::get(&self.file, MessageWay::ToWorker, len, buffer)?;
        beget_process::guard::show_panics(*tells != 0);
        Ok(u32::from_le_bytes(*number))
    }

    /// Sends what a job came to.
    fn answer(&self, buffer: &[u8]) -> io::Result<()> {
        page::put(&self.file, MessageWay::FromWorker, buffer)?;
        let len = frame::len(buffer)?;
        frame::write(&mut lock(&self.supervisor).stream, frame::RESULT, &len, &[])
    }
}

/// The supervisor's end, and the recipes it has sent in this search.
struct SupervisorEnd {
    stream: UnixStream,
    answers: Receiver<Vec<u8>>,
    known: PackedRecipes,
}

/// Recipes that are fetched when they are needed.
struct OnDemand<'m> {
    explorer: &'m Explorer<'m>,
    supervisor: &'m Mutex<SupervisorEnd>,
}

impl Recipes for OnDemand<'_> {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        // A replay may ask inside the region.
        let asked = beget_process::alloc::pause(|| {
            let supervisor = &mut *lock(self.supervisor);
            match supervisor.known.get(id) {
                Some(_) => Ok(()),
                None => self.ask(supervisor, id),
            }
        });
        asked.map_err(|RecipeError| StoreError::Failed("the recipe was not sent".to_owned()))?;
        let known = &lock(self.supervisor).known;
        Ok(known.get(id).expect("it is known by now").clone())
    }
}

/// The supervisor does not send a recipe.
struct RecipeError;

impl OnDemand<'_> {
    /// The form of a structure that did not come with its question.
    fn form_of(&self, id: u64) -> Result<CanonicalForm, StoreError> {
        beget_process::alloc::pause(|| {
            let supervisor = &mut *lock(self.supervisor);
            let failed =
                |_| StoreError::Failed("the form of a structure was not received".to_owned());
            let asked =
                frame::write(&mut supervisor.stream, frame::ASK_FORM, &[], &id.to_le_bytes());
            asked.map_err(failed)?;
            let form = supervisor.answers.recv();
            let form = form.map_err(|_| {
                StoreError::Failed("the process that knows the form is gone".to_owned())
            })?;
            Ok(FormRef::new(&form).to_canonical())
        })
    }

    fn ask(&self, supervisor: &mut SupervisorEnd, id: StructureId) -> Result<(), RecipeError> {
        let asked =
            frame::write(&mut supervisor.stream, frame::ASK, &[], &id.number().to_le_bytes());
        asked.map_err(|_| RecipeError)?;
        let answer = supervisor.answers.recv().map_err(|_| RecipeError)?;
        let recipes = PackedRecipes::from_bytes(self.explorer, &answer).map_err(|_| RecipeError)?;
        supervisor.known.extend(recipes);
        supervisor.known.get(id).map(drop).ok_or(RecipeError)
    }
}

/// Writes the integers that limit a plan, if they do, and the doubted bytes of memory: numbers,
/// each list after its length.
pub(crate) fn write_search(ints: Option<&BTreeSet<i128>>, doubts: &Doubts) -> Vec<u8> {
    let mut numbers: Vec<i128> = Vec::new();
    numbers.push(ints.map_or(-1, |ints| ints.len() as i128));
    numbers.extend(ints.into_iter().flatten());
    numbers.push(doubts.answers.len() as i128);
    numbers.extend(doubts.answers.iter().map(|&answer| answer as i128));
    for (BlockKind { place, size, align }, offsets) in doubts.bytes.kinds() {
        let place = match place {
            BlockPlace::Root => -1,
            BlockPlace::Deeper => -2,
            BlockPlace::InRoot(offset) => offset as i128,
        };
        numbers.extend([place, size as i128, align as i128, offsets.len() as i128]);
        numbers.extend(offsets.iter().map(|&offset| offset as i128));
    }
    numbers.into_iter().flat_map(i128::to_le_bytes).collect()
}

fn read_search(bytes: &[u8]) -> (Option<BTreeSet<i128>>, Doubts) {
    let numbers = bytes.as_chunks::<16>().0.iter().map(|&number| i128::from_le_bytes(number));
    let mut numbers = numbers.peekable();
    let n_ints = numbers.next().and_then(|n| usize::try_from(n).ok());
    let ints = n_ints.map(|n| numbers.by_ref().take(n).collect());
    let mut doubts = Doubts::default();
    let mut next = || numbers.next().and_then(|number| usize::try_from(number).ok());
    let n_answers = next().unwrap_or_default();
    doubts.answers.extend((0..n_answers).map_while(|_| next()));
    while let Some(place) = numbers.next() {
        let place = match place {
            -1 => BlockPlace::Root,
            -2 => BlockPlace::Deeper,
            offset => BlockPlace::InRoot(usize::try_from(offset).unwrap_or_default()),
        };
        let mut next = || numbers.next().and_then(|number| usize::try_from(number).ok());
        let [size, align, n_offsets] = [(); 3].map(|()| next().unwrap_or_default());
        for offset in (0..n_offsets).map_while(|_| next()) {
            doubts.bytes.insert(BlockKind { place, size, align }, offset);
        }
    }
    (ints, doubts)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_begins_with_comes_out_as_it_went_in() {
        let mut some = Doubts { answers: BTreeSet::from([0, 4]), ..Doubts::default() };
        for (place, offset) in
            [(BlockPlace::Root, 1), (BlockPlace::InRoot(8), 2), (BlockPlace::Deeper, 3)]
        {
            some.bytes.insert(BlockKind { place, size: 24, align: 8 }, offset);
            some.bytes.insert(BlockKind { place, size: 24, align: 8 }, 9);
        }
        for ints in [None, Some(vec![]), Some(vec![i128::MIN, -1, 0, 7, i128::MAX])] {
            let ints = ints.map(BTreeSet::from_iter);
            for doubts in [Doubts::default(), some.clone()] {
                let written = write_search(ints.as_ref(), &doubts);
                assert_eq!(read_search(&written), (ints.clone(), doubts));
            }
        }
    }
}
