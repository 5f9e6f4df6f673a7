//! Rounds of messages between all processes. Only this module knows timely.
//!
//! In a round each process has one message for each process, and gets one from each. A round is an
//! epoch of a dataflow that exchanges messages by their receiver. When timely's progress tracking
//! says that an epoch is over, all messages of all processes have arrived.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use beget_engine::store::StoreError;
use beget_engine::varint::{put, take};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::worker::Worker;

use crate::cluster::stream::{Traffic, WatchedStream};

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

/// The greatest length of a message that is sent at once.
const PART: usize = 1 << 20;

/// The interval at which a waiting process checks that the others are still there.
const TICK: Duration = Duration::from_millis(50);

/// The other processes.
pub(crate) struct ProcessLink {
    me: usize,
    n: usize,
    names: Vec<String>,
    ends: Mutex<Ends>,
    traffic: Arc<Traffic>,
}

/// The channels to the thread that sends rounds.
struct Ends {
    outgoing: Option<Sender<Messages>>,
    incoming: Receiver<Messages>,
    guards: Option<WorkerGuards<()>>,
    failed: Option<StoreError>,
}

/// One for each process.
pub(crate) type Messages = Vec<Vec<u8>>;

impl fmt::Debug for ProcessLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessLink").field("me", &self.me).field("names", &self.names).finish()
    }
}

impl ProcessLink {
    /// Connects over `streams` to all processes but this one, which is number `me`.
    pub(crate) fn start(
        sockets: Vec<Option<TcpStream>>,
        me: usize,
        names: Vec<String>,
    ) -> io::Result<ProcessLink> {
        let traffic = Arc::new(Traffic::default());
        let watched = |(socket, name): (Option<TcpStream>, &String)| {
            socket.map(|socket| WatchedStream::new(socket, name.clone(), Arc::clone(&traffic)))
        };
        let n = sockets.len();
        let sockets = sockets.into_iter().zip(&names).map(watched).collect();
        let hooks = Hooks::default();
        let threads = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, comms) =
            initialize_networking_from_sockets::<WatchedStream>(threads, sockets, me, 1, hooks)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let (outgoing, rounds) = channel();
        let (arrivals, incoming) = channel();
        let ends = Mutex::new(Some((rounds, arrivals)));
        let drive = move |worker: &mut Worker| {
            if let Some((rounds, arrivals)) = lock(&ends).take() {
                drive(worker, &rounds, &arrivals);
            }
        };
        let config = WorkerConfig::default();
        let guards = timely::execute::execute_from(builders, Box::new(comms), config, drive);
        let guards = Some(guards.map_err(io::Error::other)?);
        let ends = Ends { outgoing: Some(outgoing), incoming, guards, failed: None };
        Ok(ProcessLink { me, n, names, ends: Mutex::new(ends), traffic })
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
        lock(&self.ends).failed.clone()
    }

    /// Sends the same message to all.
    pub(crate) fn broadcast(
        &self,
        step: RoundStep,
        detail: u64,
        message: Vec<u8>,
    ) -> Result<Messages, StoreError> {
        self.exchange(step, detail, vec![message; self.n])
    }

    /// Makes a round: gives each process its message, and returns their messages to this one.
    /// `detail` says more about the step, and is the same for all.
    pub(crate) fn exchange(
        &self,
        step: RoundStep,
        detail: u64,
        mut messages: Messages,
    ) -> Result<Messages, StoreError> {
        let mut ends = lock(&self.ends);
        if let Some(error) = &ends.failed {
            return Err(error.clone());
        }
        let mut trailer = detail.to_le_bytes().to_vec();
        trailer.push(step as u8);
        messages.iter_mut().for_each(|message| message.extend_from_slice(&trailer));
        let arrived = self.exchange_raw(&ends, messages).and_then(|mut arrived| {
            for (from, message) in arrived.iter_mut().enumerate() {
                if !message.ends_with(&trailer) {
                    return Err(self.out_of_step(step, from));
                }
                message.truncate(message.len() - trailer.len());
            }
            Ok(arrived)
        });
        if let Err(error) = &arrived {
            ends.failed = Some(error.clone());
        }
        arrived
    }

    fn exchange_raw(
        &self,
        ends: &MutexGuard<'_, Ends>,
        messages: Messages,
    ) -> Result<Messages, StoreError> {
        let gone = || StoreError::Failed("the thread that sends messages has ended".to_owned());
        let outgoing = ends.outgoing.as_ref().ok_or_else(gone)?;
        outgoing.send(messages).map_err(|_| gone())?;
        loop {
            match ends.incoming.recv_timeout(TICK) {
                Ok(arrived) => return Ok(arrived),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(lost) = self.traffic.lost() {
                return Err(StoreError::Failed(lost));
            }
        }
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
        let error = StoreError::Failed(format!("{} sent what is no message", self.names[from]));
        lock(&self.ends).failed.get_or_insert(error).clone()
    }

    /// Says goodbye to all, as all do, and closes the connections. Returns the bytes that all have
    /// sent.
    pub(crate) fn end(&self) -> Result<u64, StoreError> {
        self.traffic.is_ending.store(true, Relaxed);
        let mut own = Vec::new();
        put(&mut own, self.traffic.sent.load(Relaxed));
        let all = self.broadcast(RoundStep::End, 0, own)?;
        let sent = all.iter().filter_map(|bytes| take(&mut &bytes[..])).sum();
        let mut ends = lock(&self.ends);
        ends.outgoing = None;
        drop(ends.guards.take());
        Ok(sent)
    }
}

impl Drop for ProcessLink {
    fn drop(&mut self) {
        // Dropping them would wait for threads that may wait for ever.
        let ends = self.ends.get_mut().unwrap_or_else(PoisonError::into_inner);
        std::mem::forget(ends.guards.take());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of a message on its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u64,
    from: u32,
    /// The number of the piece.
    part: u32,
    bytes: ParcelBytes,
}

/// Bytes that are copied at once; serde would take each by itself.
#[derive(Clone, Debug)]
struct ParcelBytes(Vec<u8>);

impl Serialize for ParcelBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for ParcelBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TakeBytes;
        impl Visitor<'_> for TakeBytes {
            type Value = ParcelBytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<ParcelBytes, E> {
                Ok(ParcelBytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(TakeBytes)
    }
}

/// Parcels that have arrived, by round: other processes may be in the next one already.
type Arrived = Rc<RefCell<BTreeMap<u64, Vec<Parcel>>>>;

/// Runs the dataflow of one process.
fn drive(worker: &mut Worker, rounds: &Receiver<Messages>, arrivals: &Sender<Messages>) {
    let (me, n) = (worker.index() as u32, worker.peers());
    let arrived = Arrived::default();
    let mut input = InputHandle::<u64, CapacityContainerBuilder<Vec<Parcel>>>::new();
    let probe = worker.dataflow(|scope| {
        let arrived = Rc::clone(&arrived);
        let by_receiver = Exchange::new(|parcel: &Parcel| parcel.to);
        let delivered = scope
            .input_from(&mut input)
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(by_receiver, "Deliver", |_, _| {
                move |input, _| {
                    input.for_each_time(|time, parcels| {
                        let mut arrived = arrived.borrow_mut();
                        let of_round = arrived.entry(*time.time()).or_default();
                        parcels.for_each(|parcels| of_round.append(parcels));
                    });
                }
            });
        delivered.probe().0
    });
    for (round, messages) in (0..).zip(rounds) {
        for (to, message) in (0..).zip(messages) {
            for (part, bytes) in (0..).zip(parts(message, to == u64::from(me))) {
                input.send(Parcel { to, from: me, part, bytes: ParcelBytes(bytes) });
                // A container may hold many parcels; one of this size is enough.
                input.flush();
            }
        }
        input.advance_to(round + 1);
        while probe.less_than(input.time()) {
            worker.step_or_park(None);
        }
        let parcels = arrived.borrow_mut().remove(&round).unwrap_or_default();
        if arrivals.send(joined(parcels, n)).is_err() {
            break;
        }
    }
}

/// Splits a message into pieces; a message to this process stays whole.
fn parts(message: Vec<u8>, stays: bool) -> Vec<Vec<u8>> {
    match stays || message.len() <= PART {
        true => vec![message],
        false => message.chunks(PART).map(<[u8]>::to_vec).collect(),
    }
}

/// Joins the messages of a round, by sender.
fn joined(mut parcels: Vec<Parcel>, n: usize) -> Messages {
    parcels.sort_by_key(|parcel| (parcel.from, parcel.part));
    let mut messages = vec![Vec::new(); n];
    for Parcel { from, bytes, .. } in parcels {
        let message: &mut Vec<u8> = &mut messages[from as usize];
        match message.is_empty() {
            true => *message = bytes.0,
            false => message.extend_from_slice(&bytes.0),
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_go_in_pieces_and_are_whole_again() {
        let message = |len: usize, byte: u8| vec![byte; len];
        for (len, stays, lens) in [
            (0, false, vec![0]),
            (PART, false, vec![PART]),
            (PART + 1, false, vec![PART, 1]),
            (2 * PART + 5, false, vec![PART, PART, 5]),
            (2 * PART + 5, true, vec![2 * PART + 5]),
        ] {
            let parts = parts(message(len, 1), stays);
            assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), lens);
            let parcel = |(part, bytes)| Parcel { to: 0, from: 1, part, bytes: ParcelBytes(bytes) };
            let mut parcels: Vec<Parcel> = (0..).zip(parts).map(parcel).collect();
            parcels.push(Parcel { to: 0, from: 0, part: 0, bytes: ParcelBytes(vec![7]) });
            parcels.reverse();
            assert!(joined(parcels, 3) == [vec![7], message(len, 1), vec![]]);
        }
    }
}
