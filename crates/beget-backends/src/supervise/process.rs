//! One worker on the supervisor's side.

use std::fmt;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use beget_process::alloc::AddressAnchors;
use beget_process::guard::CurrentCall;

use crate::supervise::death::{Death, WorkerEnd};
use crate::supervise::frame::{self, FrameReader, WireFrame};
use crate::supervise::limits::{CallLimits, LimitWatch, PassedLimit, UsualTime, memory};
use crate::supervise::output::WorkerOutput;
use crate::supervise::page::{self, MessageWay, NotePage};
use crate::supervise::worker::PAGE;

/// The interval at which a worker that does not answer is checked.
const TICK: Duration = Duration::from_millis(100);

/// Settings of glibc's allocator, by which a worker keeps the memory of a block for the next one.
/// Returning it and asking again costs a page fault for each 4 KiB: 2 % of a run.
const KEPT_MEMORY: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "268435456"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

/// The time that a worker may take to be ready.
const START: Duration = Duration::from_secs(60);

/// The reason why a worker cannot be started.
#[derive(Debug)]
pub struct StartError(String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a worker process cannot be started: {}", self.0)
    }
}

impl std::error::Error for StartError {}

/// A process that makes calls.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    stream: UnixStream,
    incoming: FrameReader,
    page: NotePage,
    output: WorkerOutput,
    /// The search it has begun.
    pub(crate) search: u64,
    /// The number of its last block.
    block: u32,
    /// The number of the structure that its oracles are to be asked about next.
    pub(crate) next_asked: Option<u64>,
    /// Room for long messages.
    buffer: Vec<u8>,
    /// The addresses of its parts; known when it is ready.
    pub(crate) anchors: Option<AddressAnchors>,
}

/// A message from a worker, as its supervisor takes it.
pub(crate) enum WorkerMessage {
    /// It has made its block: see [`WorkerProcess::result`].
    Result,
    /// It needs the recipe of this structure.
    Ask(u64),
    /// It needs the form of this structure.
    AskForm(u64),
}

/// The supervisor's side while it waits for a worker.
pub(crate) struct WaitContext<'w> {
    pub(crate) limits: CallLimits,
    pub(crate) usual: &'w UsualTime,
    /// The place where the worker's calls are noted for others in this process.
    pub(crate) current: &'w CurrentCall,
    /// Set when the worker is to be stopped, whatever its limits.
    pub(crate) is_given_up: Option<&'w AtomicBool>,
}

impl WaitContext<'_> {
    pub(crate) fn is_given_up(&self) -> bool {
        self.is_given_up.is_some_and(|flag| flag.load(Relaxed))
    }
}

impl WorkerProcess {
    /// Starts a process, without waiting until it is ready.
    pub(crate) fn start(mut command: Command) -> Result<WorkerProcess, StartError> {
        let started = || -> io::Result<WorkerProcess> {
            let (reader, writer) = io::pipe()?;
            let (stream, its) = UnixStream::pair()?;
            stream.set_read_timeout(Some(TICK))?;
            let page = NotePage::new()?;
            command.stdin(OwnedFd::from(its));
            command.stdout(writer.try_clone()?).stderr(Stdio::from(writer));
            // A group of its own: the terminal's signals are for the supervisor.
            command.envs(page.path().map(|path| (PAGE, path))).process_group(0);
            let unset = KEPT_MEMORY.iter().filter(|(name, _)| std::env::var_os(name).is_none());
            command.envs(unset.copied());
            let child = command.spawn()?;
            // The command holds the streams open.
            drop(command);
            let (incoming, output) = (FrameReader::default(), WorkerOutput::of(reader));
            let buffer = Vec::new();
            let anchors = None;
            Ok(WorkerProcess {
                child,
                stream,
                incoming,
                page,
                output,
                search: 0,
                block: 0,
                next_asked: None,
                buffer,
                anchors,
            })
        };
        started().map_err(|error| StartError(error.to_string()))
    }

    /// Waits until a new worker is ready.
    pub(crate) fn wait_until_ready(&mut self) -> Result<(), StartError> {
        self.wait_until_ready_within(START)
    }

    fn wait_until_ready_within(&mut self, most: Duration) -> Result<(), StartError> {
        let start = Instant::now();
        loop {
            match self.incoming.read(&mut self.stream) {
                Ok(Some(WireFrame { kind: frame::READY, bytes })) => {
                    self.anchors = bytes.try_into().ok().map(AddressAnchors::from_bytes);
                    self.page.forget_name();
                    return Ok(());
                }
                Err(error) if is_timeout(&error) && start.elapsed() < most => {}
                Err(error) if is_timeout(&error) => {
                    self.kill();
                    return Err(StartError(format!("it is not ready after {most:?}")));
                }
                _ => {
                    let status = self.end();
                    let said = String::from_utf8_lossy(&self.output.take_last()).into_owned();
                    let said = said.trim_end();
                    return Err(StartError(format!("it ended with {status}\n{said}")));
                }
            }
        }
    }

    /// Sends a message. If the worker has ended, that shows when it should answer.
    pub(crate) fn send(&mut self, kind: u8, head: &[u8], bytes: &[u8]) {
        let _ = frame::write(&mut self.stream, kind, head, bytes);
    }

    /// Sends a block that `write` writes. The worker shows the block's panics if `tells`.
    pub(crate) fn send_block(&mut self, tells: bool, write: impl FnOnce(&mut Vec<u8>)) {
        self.send_job(frame::BLOCK, tells, write);
    }

    /// Sends a job of that kind.
    pub(crate) fn send_job(&mut self, kind: u8, tells: bool, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.buffer);
        self.block += 1;
        let mut head = self.block.to_le_bytes().to_vec();
        head.push(tells.into());
        let put = page::put(self.page.file(), MessageWay::ToWorker, &self.buffer);
        match put.and_then(|()| frame::len(&self.buffer)) {
            Ok(len) => self.send(kind, &head, &len),
            // It dies before it begins, which says why.
            Err(_) => self.kill(),
        }
    }

    /// Waits for its next message.
    pub(crate) fn wait(&mut self, waiting: &WaitContext<'_>) -> Result<WorkerMessage, Death> {
        let mut watch = LimitWatch::new(waiting.limits, self.child.id());
        loop {
            match self.incoming.read(&mut self.stream) {
                Ok(Some(WireFrame { kind: frame::RESULT, bytes })) => {
                    let len = bytes.try_into().map(u32::from_le_bytes).unwrap_or(0) as usize;
                    let file = self.page.file();
                    let got = page::get(file, MessageWay::FromWorker, len, &mut self.buffer);
                    let unread = |_| self.die(None, Some("its result is not there"));
                    return got.map(|()| WorkerMessage::Result).map_err(unread);
                }
                Ok(Some(WireFrame { kind: kind @ (frame::ASK | frame::ASK_FORM), bytes })) => {
                    let Ok(id) = bytes.try_into().map(u64::from_le_bytes) else {
                        return Err(self.die(None, Some("a question that is none")));
                    };
                    return Ok(match kind {
                        frame::ASK => WorkerMessage::Ask(id),
                        _ => WorkerMessage::AskForm(id),
                    });
                }
                Ok(Some(_)) => return Err(self.die(None, Some("a message of no known kind"))),
                Err(error) if is_timeout(&error) => {
                    let Ok(note) = self.page.read() else { continue };
                    waiting.current.copy(&note.call);
                    let passed = watch.look(note, waiting.usual);
                    let given_up = waiting.is_given_up().then_some(PassedLimit::Time);
                    if let Some(passed) = passed.or(given_up) {
                        self.kill();
                        return Err(self.die(Some(WorkerEnd::Stopped(passed)), None));
                    }
                }
                Ok(None) | Err(_) => return Err(self.die(None, None)),
            }
        }
    }

    /// Returns the message of its last result.
    pub(crate) fn result(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns whether it holds so much memory that a new worker should replace it.
    pub(crate) fn holds_much(&self, limits: CallLimits) -> bool {
        memory(self.child.id()).unwrap_or(0) >= limits.memory_mib << 19
    }

    /// Returns its output since the last call.
    pub(crate) fn printed(&self) -> Vec<u8> {
        self.output.take()
    }

    /// Ends a worker that has no more to do. Returns its output since [`WorkerProcess::printed`].
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.kill();
        let _ = self.child.wait();
        self.output.take_last()
    }

    /// Returns the worker's death: by `known`, or by a message `garbled`, or else by its own end.
    pub(crate) fn die(&mut self, known: Option<WorkerEnd>, garbled: Option<&str>) -> Death {
        if garbled.is_some() {
            self.kill();
        }
        let status = self.end();
        let garbled = garbled.map(|reason| WorkerEnd::Garbled(reason.to_owned()));
        let printed = self.output.take_last();
        let call = |words: &_| {
            let call = CurrentCall::on_this_thread(0);
            call.copy(words);
            call.read()
        };
        let note = self.page.read().ok().filter(|note| note.block == self.block);
        let end = known.or(garbled).unwrap_or(WorkerEnd::Status(status));
        Death { end, at: note.map(|note| call(&note.call)), printed }
    }

    fn kill(&mut self) {
        // If that fails, it has ended.
        let _ = self.child.kill();
    }

    /// Waits for its end.
    fn end(&mut self) -> std::process::ExitStatus {
        // It has closed its stream. A process that continues without it is of no use.
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status,
                Ok(None) if start.elapsed() < TICK => std::thread::sleep(TICK / 100),
                Ok(None) | Err(_) => {
                    self.kill();
                    return self.child.wait().unwrap_or_default();
                }
            }
        }
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A worker played by a shell, whose standard input is its connection.
    pub(crate) fn script(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    /// Says in a script that the worker is ready, and where its parts lie.
    pub(crate) fn ready(anchors: AddressAnchors) -> String {
        let mut frame = Vec::new();
        frame::write(&mut frame, frame::READY, &[], &anchors.to_bytes()).unwrap();
        let bytes: String = frame.iter().map(|byte| format!("\\{byte:03o}")).collect();
        format!("printf '{bytes}' >&0")
    }

    fn wait_for(text: &str, most: Duration) -> Result<WorkerProcess, String> {
        let mut worker = WorkerProcess::start(script(text)).unwrap();
        // A process that ends without having read this breaks the connection.
        worker.send(frame::BEGIN, &[0; 16], &[]);
        let waited = worker.wait_until_ready_within(most);
        waited.map(|()| worker).map_err(|StartError(reason)| reason)
    }

    #[test]
    fn a_worker_may_take_some_time_to_be_ready() {
        let anchors = AddressAnchors::here();
        let text = format!("sleep 0.5; {}; exec cat", ready(anchors));
        let worker = wait_for(&text, START).unwrap();
        assert_eq!(worker.anchors, Some(anchors));
        assert!(worker.page.path().is_none());
    }

    #[test]
    fn a_worker_that_is_never_ready_is_given_up() {
        let waited = wait_for("exec sleep 600", Duration::from_millis(300));
        assert_eq!(waited.unwrap_err(), "it is not ready after 300ms");
    }

    #[test]
    fn a_worker_that_ends_before_it_is_ready_says_why() {
        let waited = wait_for("sleep 0.2; echo the reason >&2; exit 3", START);
        assert_eq!(waited.unwrap_err(), "it ended with exit status: 3\nthe reason");
    }
}
