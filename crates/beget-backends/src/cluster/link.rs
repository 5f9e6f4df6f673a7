//! Rounds of messages between all processes.
//!
//! In a round each process has one message for each process, and gets one from each. A connection
//! keeps the order of its messages, so the n-th one that comes over it belongs to the n-th round.
//! The other side may be one round ahead, and no more, since a round is over only when all have
//! spoken.
//!
//! Each connection has a thread that writes what is to be sent and one that reads all that comes,
//! so no process waits until another one reads. When a connection breaks, its threads say so and
//! end.
//!
//! A process that has nothing to send says so twice a second, however busy it is. One that is
//! waited for and silent all the same is frozen or cut off: it is given up after half a minute, or
//! the time that the hosts file says, or after two seconds if this process was interrupted. Time is
//! counted in turns of waiting, so that a process that was stopped itself does not take its own
//! absence for that of the others.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use beget_engine::store::StoreError;
use beget_engine::varint::{put, take};

use crate::cluster::connect::AFTER_INTERRUPT;
use crate::cluster::packer::Packer;

/// The purpose of a round. Processes that are not in the same step have made different runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RoundStep {
    /// Forms for the blocks of a batch.
    Forms,
    /// The results of calls.
    Results,
    /// Forms that calls left.
    Candidates,
    /// The success of a step of a store on disk.
    Kept,
    /// The candidates that are new.
    New,
    /// The origins of the new structures.
    Origins,
    /// The decision to stop, or to save the run.
    Agree,
    /// The saved state to continue from.
    Directories,
    /// The success of writing or reading the parts.
    Saved,
    /// Forms for all processes.
    Read,
    /// The owner of a form.
    Find,
    /// A request of the first process after the run.
    Ask,
    /// The end of requests.
    End,
}

/// The other processes.
pub(crate) struct ProcessLink {
    me: usize,
    n: usize,
    names: Vec<String>,
    ends: Mutex<Ends>,
    /// Turns of waiting after which a silent process is given up.
    patience: u32,
    is_interrupted: fn() -> bool,
}

/// The ends of the channels to the threads of the connections.
struct Ends {
    /// The messages to send, by process; `None` for this one.
    outgoing: Vec<Option<Sender<Vec<u8>>>>,
    writers: Vec<JoinHandle<()>>,
    /// The messages that have come, with the number of the process, as they were packed.
    incoming: Receiver<(usize, Arrival)>,
    /// How often something was read, by process.
    heard: Vec<Arc<AtomicU64>>,
    /// The messages of the rounds that are not over, by process.
    waiting: Vec<VecDeque<Vec<u8>>>,
    packer: Packer,
    /// Bytes.
    sent: u64,
    failed: Option<StoreError>,
    /// The first process that was lost.
    lost: Option<usize>,
}

/// A message, or the evidence that no more will come.
type Arrival = Result<Vec<u8>, String>;

/// One for each process.
pub(crate) type Messages = Vec<Vec<u8>>;

/// The length of a message's length.
const HEADER: usize = 8;

/// The length that stands for no message.
const NOTHING: u64 = u64::MAX;

/// The interval at which a process that has nothing to send says so.
const BEAT: Duration = Duration::from_millis(500);

/// A turn of waiting.
const TURN: Duration = Duration::from_millis(50);

/// The patience of a process that was interrupted.
const HASTE: u32 = (AFTER_INTERRUPT.as_millis() / TURN.as_millis()) as u32;

impl fmt::Debug for ProcessLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessLink").field("me", &self.me).field("names", &self.names).finish()
    }
}

impl ProcessLink {
    /// Connects over `sockets` to all processes but this one, which is number `me`.
    pub(crate) fn start(
        sockets: Vec<Option<TcpStream>>,
        me: usize,
        names: Vec<String>,
        (silence, is_interrupted): (Duration, fn() -> bool),
    ) -> io::Result<ProcessLink> {
        let n = sockets.len();
        let (arrivals, incoming) = channel();
        let heard: Vec<Arc<AtomicU64>> = (0..n).map(|_| Arc::default()).collect();
        let (mut outgoing, mut writers) = (Vec::new(), Vec::new());
        for (process, socket) in sockets.into_iter().enumerate() {
            let heard = Arc::clone(&heard[process]);
            let start = |socket| start_threads(socket, process, heard, &arrivals);
            let (sender, writer) = socket.map(start).transpose()?.unzip();
            outgoing.push(sender);
            writers.extend(writer);
        }
        let waiting = vec![VecDeque::new(); n];
        let (sent, failed, lost) = (0, None, None);
        let packer = Packer::new()?;
        let ends = Ends { outgoing, writers, incoming, heard, waiting, packer, sent, failed, lost };
        let ends = Mutex::new(ends);
        let patience = silence.as_millis().div_ceil(TURN.as_millis()) as u32;
        Ok(ProcessLink { me, n, names, ends, patience, is_interrupted })
    }

    /// Returns the number of this process.
    pub(crate) fn me(&self) -> usize {
        self.me
    }

    /// Returns the number of processes.
    pub(crate) fn n(&self) -> usize {
        self.n
    }

    /// Returns a process's name in messages.
    pub(crate) fn name(&self, process: usize) -> &str {
        &self.names[process]
    }

    /// Returns the reason why no more messages come, if that is so.
    pub(crate) fn failure(&self) -> Option<StoreError> {
        self.ends().failed.clone()
    }

    /// Returns the first process that was lost.
    pub(crate) fn lost(&self) -> Option<usize> {
        self.ends().lost
    }

    /// Sends the same message to all.
    pub(crate) fn broadcast(
        &self,
        step: RoundStep,
        detail: u64,
        message: Vec<u8>,
    ) -> Result<Messages, StoreError> {
        self.round(step, detail, |ends, trailer| ends.send_to_all(message, trailer))
    }

    /// Makes a round: gives each process its message, and returns their messages to this one.
    /// `detail` says more about the step, and is the same for all.
    pub(crate) fn exchange(
        &self,
        step: RoundStep,
        detail: u64,
        messages: Messages,
    ) -> Result<Messages, StoreError> {
        self.round(step, detail, |ends, trailer| ends.send(messages, trailer))
    }

    /// Makes a round in which `send` sends the messages of this process, each with the bytes of the
    /// step behind it.
    fn round(
        &self,
        step: RoundStep,
        detail: u64,
        send: impl FnOnce(&mut Ends, &[u8]),
    ) -> Result<Messages, StoreError> {
        let mut ends = self.ends();
        if let Some(error) = &ends.failed {
            return Err(error.clone());
        }
        if ends.outgoing.is_empty() {
            return Err(StoreError::Failed("the connections are closed".to_owned()));
        }
        let mut trailer = detail.to_le_bytes().to_vec();
        trailer.push(step as u8);
        send(&mut ends, &trailer);
        let arrived = self.receive(&mut ends, step == RoundStep::End).and_then(|arrived| {
            let Ends { packer, .. } = &mut *ends;
            let read = |(from, message): (usize, Vec<u8>)| {
                if from == self.me {
                    return Ok(message);
                }
                let packed = message.strip_suffix(&trailer[..]);
                let packed = packed.ok_or_else(|| self.out_of_step(step, from))?;
                packer.unpack(packed).ok_or_else(|| self.no_message(from))
            };
            arrived.into_iter().enumerate().map(read).collect()
        });
        if let Err(error) = &arrived {
            ends.failed = Some(error.clone());
        }
        arrived
    }

    /// Waits for a message of each process. After its message of the last round a process may close
    /// its connections.
    fn receive(&self, ends: &mut Ends, is_last: bool) -> Result<Messages, StoreError> {
        let mut silent = vec![Silence::default(); self.n];
        while ends.waiting.iter().any(VecDeque::is_empty) {
            match ends.incoming.recv_timeout(TURN) {
                Ok((from, Ok(message))) => ends.waiting[from].push_back(message),
                Ok((from, Err(_))) if is_last && !ends.waiting[from].is_empty() => {}
                Ok((from, Err(evidence))) => return Err(self.lose(ends, from, &evidence)),
                Err(RecvTimeoutError::Timeout) => self.look_at_silent(ends, &mut silent)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(StoreError::Failed("no connection is left".to_owned()));
                }
            }
        }
        Ok(ends.waiting.iter_mut().filter_map(VecDeque::pop_front).collect())
    }

    /// Gives up a process that is waited for and has been silent for too long.
    fn look_at_silent(&self, ends: &mut Ends, silent: &mut [Silence]) -> Result<(), StoreError> {
        let most = if (self.is_interrupted)() { HASTE } else { self.patience };
        for (process, silence) in silent.iter_mut().enumerate() {
            if silence.turns_at(ends.heard[process].load(Relaxed)) > most
                && ends.waiting[process].is_empty()
            {
                let seconds = (TURN * most).as_secs();
                let evidence = format!("nothing was heard of it for {seconds} seconds");
                return Err(self.lose(ends, process, &evidence));
            }
        }
        Ok(())
    }

    fn lose(&self, ends: &mut Ends, process: usize, evidence: &str) -> StoreError {
        ends.lost.get_or_insert(process);
        StoreError::Failed(format!("{} is lost: {evidence}", self.names[process]))
    }

    fn out_of_step(&self, step: RoundStep, from: usize) -> StoreError {
        StoreError::Failed(format!(
            "{} is not at the same point ({step:?}): does the subject behave differently from run \
             to run?",
            self.names[from]
        ))
    }

    /// The error for a message that cannot be read; nothing after it can be trusted.
    pub(crate) fn garbled(&self, from: usize) -> StoreError {
        let error = self.no_message(from);
        self.ends().failed.get_or_insert(error).clone()
    }

    fn no_message(&self, from: usize) -> StoreError {
        StoreError::Failed(format!("{} sent what is no message", self.names[from]))
    }

    /// Says goodbye to all, as all do, and closes the connections. Returns the bytes that all have
    /// sent.
    pub(crate) fn end(&self) -> Result<u64, StoreError> {
        let mut own = Vec::new();
        put(&mut own, self.ends().sent);
        let all = self.broadcast(RoundStep::End, 0, own)?;
        let sent = all.iter().filter_map(|bytes| take(&mut &bytes[..])).sum();
        let mut ends = self.ends();
        ends.outgoing.clear();
        // The other processes wait for what is not written yet.
        ends.writers.drain(..).for_each(|writer| drop(writer.join()));
        Ok(sent)
    }

    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ends {
    /// Gives each thread that writes its message. The message to this process has arrived.
    fn send(&mut self, messages: Messages, trailer: &[u8]) {
        for (to, message) in messages.into_iter().enumerate() {
            match &self.outgoing[to] {
                Some(_) => {
                    let packed = self.packed(&message, trailer);
                    self.send_packed(to, packed);
                }
                None => self.waiting[to].push_back(message),
            }
        }
    }

    /// Like [`send`](Ends::send), with the same message to all, which is packed once.
    fn send_to_all(&mut self, message: Vec<u8>, trailer: &[u8]) {
        let (me, n) = (self.outgoing.iter().position(Option::is_none), self.outgoing.len());
        if n > 1 {
            let packed = self.packed(&message, trailer);
            (0..n).for_each(|to| self.send_packed(to, packed.clone()));
        }
        if let Some(me) = me {
            self.waiting[me].push_back(message);
        }
    }

    fn packed(&mut self, message: &[u8], trailer: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        self.packer.pack(message, &mut packed);
        packed.extend_from_slice(trailer);
        packed
    }

    /// Nothing is written to this process.
    fn send_packed(&mut self, to: usize, packed: Vec<u8>) {
        if let Some(sender) = &self.outgoing[to] {
            self.sent += (HEADER + packed.len()) as u64;
            // A thread that has ended has said why.
            let _ = sender.send(packed);
        }
    }
}

/// The turns for which a process has been silent.
#[derive(Clone, Copy, Default)]
struct Silence {
    heard: u64,
    turns: u32,
}

impl Silence {
    /// The number of turns, with this one, since something was read last.
    fn turns_at(&mut self, heard: u64) -> u32 {
        self.turns = if heard == self.heard { self.turns + 1 } else { 1 };
        self.heard = heard;
        self.turns
    }
}

/// A connection that counts how often something comes.
struct Heard {
    socket: TcpStream,
    times: Arc<AtomicU64>,
}

impl Read for Heard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.socket.read(buffer)?;
        self.times.fetch_add(1, Relaxed);
        Ok(n)
    }
}

/// Starts the threads of the connection with a process. Returns the one that writes, and what it is
/// to be given.
fn start_threads(
    socket: TcpStream,
    process: usize,
    heard: Arc<AtomicU64>,
    arrivals: &Sender<(usize, Arrival)>,
) -> io::Result<(Sender<Vec<u8>>, JoinHandle<()>)> {
    let (to_read, arrived) = (socket.try_clone()?, arrivals.clone());
    let to_read = Heard { socket: to_read, times: heard };
    thread::Builder::new().name(format!("from process {process}")).spawn(move || {
        let mut from = BufReader::new(to_read);
        loop {
            let arrival = read_message(&mut from).map_err(|error| evidence(&error));
            let is_last = arrival.is_err();
            if arrived.send((process, arrival)).is_err() || is_last {
                break;
            }
        }
    })?;
    let (sender, messages) = channel();
    let lost = arrivals.clone();
    let writer = thread::Builder::new().name(format!("to process {process}")).spawn(move || {
        match write_messages(&socket, &messages) {
            // The other side may be gone by now; that is no error.
            Ok(()) => drop(socket.shutdown(Shutdown::Write)),
            Err(error) => drop(lost.send((process, Err(evidence(&error))))),
        }
    })?;
    Ok((sender, writer))
}

/// Reads the next message; what only says that there is none is passed over.
fn read_message(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = NOTHING;
    while length == NOTHING {
        let mut header = [0; HEADER];
        from.read_exact(&mut header)?;
        length = u64::from_le_bytes(header);
    }
    // It grows as they come, for the length may be anything.
    let mut message = Vec::new();
    match from.take(length).read_to_end(&mut message)? as u64 == length {
        true => Ok(message),
        false => Err(ErrorKind::UnexpectedEof.into()),
    }
}

/// Writes messages as they come, until no more can come.
fn write_messages(to: impl Write, messages: &Receiver<Vec<u8>>) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    loop {
        match messages.recv_timeout(BEAT) {
            Ok(message) => {
                to.write_all(&(message.len() as u64).to_le_bytes())?;
                to.write_all(&message)?;
            }
            Err(RecvTimeoutError::Timeout) => to.write_all(&NOTHING.to_le_bytes())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        to.flush()?;
    }
}

fn evidence(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "it has closed the connection".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// The sockets of `n` processes that are connected, by process.
    fn connected(n: usize) -> Vec<Vec<Option<TcpStream>>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut all: Vec<Vec<_>> = (0..n).map(|_| (0..n).map(|_| None).collect()).collect();
        for (one, other) in (0..n).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            all[one][other] = Some(socket);
            all[other][one] = Some(listener.accept().unwrap().0);
        }
        all
    }

    const SILENCE: Duration = Duration::from_secs(30);

    fn start(me: usize, sockets: Vec<Option<TcpStream>>) -> ProcessLink {
        let names = (0..sockets.len()).map(|process| format!("process {process}")).collect();
        ProcessLink::start(sockets, me, names, (SILENCE, || false)).unwrap()
    }

    /// Runs `work` in `n` processes. Returns its results.
    fn in_processes<R: Send>(n: usize, work: impl Fn(&ProcessLink) -> R + Sync) -> Vec<R> {
        thread::scope(|scope| {
            let run = |(me, sockets)| {
                let work = &work;
                scope.spawn(move || work(&start(me, sockets)))
            };
            let all: Vec<_> = connected(n).into_iter().enumerate().map(run).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        })
    }

    fn reason(result: Result<Messages, StoreError>) -> String {
        match result {
            Err(StoreError::Failed(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_round_brings_the_message_of_each_process() {
        let lens = [0, 1, 9, 70_000, 5 << 20];
        let message = |from: usize, to: usize, round: usize| {
            vec![(from * 10 + to) as u8; lens[(from + to + round) % lens.len()]]
        };
        let sent = in_processes(3, |link| {
            for round in 0..12 {
                if link.me() == round % 3 {
                    // The others are a round ahead.
                    thread::yield_now();
                }
                let to_all = (0..3).map(|to| message(link.me(), to, round)).collect();
                let arrived = link.exchange(RoundStep::Forms, round as u64, to_all).unwrap();
                for (from, bytes) in arrived.iter().enumerate() {
                    assert!(*bytes == message(from, link.me(), round), "{from} in {round}");
                }
            }
            let sent = link.end().unwrap();
            let closed = reason(link.broadcast(RoundStep::Ask, 0, Vec::new()));
            assert_eq!(closed, "the connections are closed");
            sent
        });
        let pairs = (0..3).flat_map(|one| (0..3).map(move |other| (one, other)));
        let between = pairs.filter(|(one, other)| one != other);
        let mut packer = Packer::new().unwrap();
        let mut expected = 0;
        for (from, to) in between {
            for round in 0..12 {
                let mut packed = Vec::new();
                packer.pack(&message(from, to, round), &mut packed);
                // Its length, and the nine bytes of the step.
                expected += packed.len() as u64 + 8 + 9;
            }
        }
        assert_eq!(sent, [expected; 3]);
    }

    #[test]
    fn long_messages_of_both_sides_cross() {
        // More than the system keeps of a connection: both would wait for ever if neither read.
        let arrived = in_processes(2, |link| {
            let message = vec![link.me() as u8; 32 << 20];
            link.broadcast(RoundStep::Results, 0, message).unwrap()
        });
        for messages in arrived {
            assert!(messages == [vec![0; 32 << 20], vec![1; 32 << 20]]);
        }
    }

    #[test]
    fn a_process_that_is_gone_is_lost_though_another_one_is_waited_for() {
        let (sender, receiver) = channel::<()>();
        let receiver = Mutex::new(receiver);
        let of_agree = [&[0; 8][..], &[RoundStep::Agree as u8]].concat();
        let results = in_processes(3, |link| match link.me() {
            // It has sent what the round needs, and ends.
            1 => {
                link.ends().send(vec![Vec::new(); 3], &of_agree);
                None
            }
            2 => {
                // Until process 0 has failed.
                let _ = receiver.lock().unwrap().recv();
                None
            }
            _ => {
                let reason = reason(link.broadcast(RoundStep::Agree, 0, Vec::new()));
                let again = self::reason(link.broadcast(RoundStep::Agree, 0, Vec::new()));
                sender.send(()).unwrap();
                assert_eq!(
                    (&again, link.failure()),
                    (&reason, Some(StoreError::Failed(again.clone())))
                );
                Some(reason)
            }
        });
        assert_eq!(results[0].as_deref(), Some("process 1 is lost: it has closed the connection"));
    }

    #[test]
    fn a_process_that_has_said_all_may_close_its_connections() {
        let (sender, receiver) = channel::<()>();
        let (sender, receiver) = (Mutex::new(Some(sender)), Mutex::new(receiver));
        let sent = in_processes(3, |link| {
            match link.me() {
                1 => {
                    let of_end = [&[0; 8][..], &[RoundStep::End as u8]].concat();
                    link.ends().send(vec![vec![1]; 3], &of_end);
                    link.ends().outgoing.clear();
                    drop(sender.lock().unwrap().take());
                }
                // It speaks when process 1 has closed its side.
                2 => assert!(receiver.lock().unwrap().recv().is_err()),
                _ => {}
            }
            match link.me() {
                1 => None,
                _ => Some(link.end().unwrap()),
            }
        });
        assert_eq!(sent, [Some(1), None, Some(1)]);
    }

    #[test]
    fn a_process_in_another_step_is_named() {
        let steps = [(RoundStep::New, 1), (RoundStep::New, 2), (RoundStep::Forms, 1)];
        for (other, detail) in [steps[1], steps[2]] {
            let reasons = in_processes(2, |link| match link.me() {
                0 => reason(link.broadcast(steps[0].0, steps[0].1, Vec::new())),
                _ => reason(link.broadcast(other, detail, Vec::new())),
            });
            let expected = |from, step| {
                format!(
                    "process {from} is not at the same point ({step:?}): does the subject behave \
                     differently from run to run?"
                )
            };
            assert_eq!(reasons, [expected(1, RoundStep::New), expected(0, other)]);
        }
    }

    /// The words of process 0 when process 1 has done this to its socket.
    fn loss_by(act: impl Fn(TcpStream)) -> String {
        let mut sockets = connected(2);
        act(sockets.pop().unwrap()[0].take().unwrap());
        let link = start(0, sockets.pop().unwrap());
        loop {
            // What is sent may be written before the connection is known to be broken.
            if let Err(StoreError::Failed(reason)) =
                link.broadcast(RoundStep::Agree, 0, vec![1; 99])
            {
                return reason;
            }
        }
    }

    #[test]
    fn a_message_that_is_cut_is_a_loss() {
        // A beat, then a message.
        let whole = [&[255; 8][..], &20_u64.to_le_bytes(), &[7; 20]].concat();
        for len in [0, 1, 7, 8, 9, 15, 16, 17, 35] {
            let reason = loss_by(|mut socket| socket.write_all(&whole[..len]).unwrap());
            assert_eq!(reason, "process 1 is lost: it has closed the connection", "{len} bytes");
        }
        let reason = loss_by(|mut socket| socket.write_all(&whole).unwrap());
        assert!(reason.starts_with("process 1 is not at the same point"), "{reason}");
    }

    #[test]
    fn what_cannot_be_unpacked_is_no_message() {
        // It says that it stands for five bytes, and has one.
        let message = [&[5, 1][..], &[0; 8], &[RoundStep::Agree as u8]].concat();
        let whole = [&(message.len() as u64).to_le_bytes()[..], &message].concat();
        let reason = loss_by(|mut socket| socket.write_all(&whole).unwrap());
        assert_eq!(reason, "process 1 sent what is no message");
    }

    #[test]
    fn a_length_that_no_message_has_takes_no_memory() {
        let length = (u64::MAX - 1).to_le_bytes();
        let reason = loss_by(|mut socket| socket.write_all(&length).unwrap());
        assert_eq!(reason, "process 1 is lost: it has closed the connection");
    }

    #[test]
    fn a_broken_connection_is_a_loss_with_the_reason() {
        // It is closed with bytes that were not read.
        let mut sockets = connected(2);
        let other = sockets.pop().unwrap()[0].take().unwrap();
        let own = sockets.pop().unwrap();
        own[1].as_ref().unwrap().write_all(&[1]).unwrap();
        other.peek(&mut [0]).unwrap();
        drop(other);
        // A write would take the error from the one that reads.
        let error = read_message(&mut own[1].as_ref().unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        assert_eq!(evidence(&error), error.to_string());
    }

    /// Waits for a process that keeps its connection and says nothing.
    fn wait_for_silent(adjust: impl Fn(&mut ProcessLink)) -> (String, Option<usize>, Duration) {
        let mut sockets = connected(2);
        let _frozen = sockets.pop().unwrap();
        let mut link = start(0, sockets.pop().unwrap());
        adjust(&mut link);
        let begun = std::time::Instant::now();
        let reason = reason(link.broadcast(RoundStep::Agree, 0, Vec::new()));
        (reason, link.lost(), begun.elapsed())
    }

    #[test]
    fn a_process_that_is_silent_is_given_up_sooner_after_an_interrupt() {
        let (reason, lost, _) = wait_for_silent(|link| link.patience = 20);
        assert_eq!(reason, "process 1 is lost: nothing was heard of it for 1 seconds");
        assert_eq!(lost, Some(1));
        let (reason, _, waited) = wait_for_silent(|link| link.is_interrupted = || true);
        assert_eq!(reason, "process 1 is lost: nothing was heard of it for 2 seconds");
        assert!(waited >= TURN * HASTE, "{waited:?}");
        let mut sockets = connected(1);
        assert_eq!(TURN * start(0, sockets.pop().unwrap()).patience, SILENCE);
    }

    #[test]
    fn a_process_that_is_busy_for_longer_than_the_others_are_patient_is_waited_for() {
        let (sender, receiver) = channel::<()>();
        let receiver = Mutex::new(receiver);
        let sockets = connected(2);
        let patience = 4 * (BEAT.as_millis() / TURN.as_millis()) as u32;
        thread::scope(|scope| {
            for (me, sockets) in sockets.into_iter().enumerate() {
                let (sender, receiver) = (sender.clone(), &receiver);
                scope.spawn(move || {
                    let mut link = start(me, sockets);
                    link.patience = patience;
                    if me == 1 {
                        // Until the other one has waited twice as long as it would for a silent
                        // one.
                        receiver.lock().unwrap().recv().unwrap();
                    } else {
                        scope.spawn(move || {
                            thread::sleep(TURN * patience * 2);
                            sender.send(()).unwrap();
                        });
                    }
                    link.broadcast(RoundStep::Agree, 0, Vec::new()).unwrap();
                    link.end().unwrap();
                });
            }
        });
    }

    #[test]
    fn silence_is_counted_from_what_was_read_last() {
        let mut silence = Silence::default();
        let turns = [0, 0, 1, 1, 1, 2, 4].map(|heard| silence.turns_at(heard));
        assert_eq!(turns, [1, 2, 1, 2, 3, 1, 1]);
    }
}
