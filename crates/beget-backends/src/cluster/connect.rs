//! Connections between all processes of a run.
//!
//! A process listens at its own address and calls those before it. The caller says which run it
//! makes; a connection that says anything else, or nothing, is refused.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use crate::cluster::ClusterError;

/// The identity of a process among those of its run.
#[derive(Clone, Debug)]
pub(crate) struct RunIdentity {
    pub(crate) me: usize,
    pub(crate) n: usize,
    /// Known only to the processes of one machine; zeros for several.
    pub(crate) secret: [u8; 16],
    /// Equal for equal runs.
    pub(crate) run: u64,
}

/// The start of a call: the kind of program and the version of the protocol.
const MAGIC: [u8; 16] = *b"beget cluster 02";

/// The answer of the process that is called.
const WELCOME: u8 = 1;
const OTHER_RUN: u8 = 2;
const TAKEN: u8 = 3;

/// The time within which a process must identify itself.
const HASTE: Duration = Duration::from_secs(5);

/// The time for which an interrupted process waits for others that say nothing.
pub(crate) const AFTER_INTERRUPT: Duration = Duration::from_secs(2);

const PAUSE: Duration = Duration::from_millis(20);

const INTERRUPTED: &str = "interrupted before all processes were there";

/// Ends the waiting of a process that was interrupted.
pub(crate) struct Haste {
    is_interrupted: fn() -> bool,
    since: Option<Instant>,
}

impl Haste {
    pub(crate) fn new(is_interrupted: fn() -> bool) -> Self {
        Haste { is_interrupted, since: None }
    }

    /// An error if the interrupt was some time ago.
    pub(crate) fn look(&mut self) -> Result<(), ClusterError> {
        if !(self.is_interrupted)() {
            return Ok(());
        }
        match self.since.get_or_insert_with(Instant::now).elapsed() >= AFTER_INTERRUPT {
            true => Err(ClusterError::Connect(INTERRUPTED.to_owned())),
            false => Ok(()),
        }
    }
}

/// Listens at this process's address, and no other. A process that listened there before may be
/// about to end.
pub(crate) fn listen(address: &str) -> Result<TcpListener, ClusterError> {
    let begun = Instant::now();
    loop {
        match TcpListener::bind(address) {
            Err(error)
                if error.kind() == ErrorKind::AddrInUse && begun.elapsed() < AFTER_INTERRUPT =>
            {
                std::thread::sleep(PAUSE);
            }
            bound => {
                return bound.map_err(|error| {
                    let reason = format!("this process cannot listen at `{address}`: {error}");
                    ClusterError::Usage(reason)
                });
            }
        }
    }
}

/// Connects this process with all others, whose addresses are in order, if they come within this
/// time. `look` is called now and then, and may give up.
pub(crate) fn connect(
    identity: &RunIdentity,
    listener: &TcpListener,
    (addresses, wait): (&[String], Duration),
    look: &mut dyn FnMut() -> Result<(), ClusterError>,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let deadline = Instant::now() + wait;
    let mut sockets: Vec<Option<TcpStream>> = (0..identity.n).map(|_| None).collect();
    listener.set_nonblocking(true).map_err(ClusterError::Io)?;
    while sockets.iter().flatten().count() < identity.n - 1 {
        look()?;
        let mut is_idle = true;
        for other in 0..identity.me {
            if sockets[other].is_none() {
                sockets[other] = call(identity, other, &addresses[other])?;
                is_idle &= sockets[other].is_none();
            }
        }
        match listener.accept() {
            // A caller that is not understood is not part of the run.
            Ok((stream, _)) => {
                is_idle = false;
                if let Ok(Some(other)) = receive(identity, stream, &mut sockets) {
                    return Err(other_run(&match addresses.get(other) {
                        Some(address) => name_of(other, address),
                        None => format!("process {other}"),
                    }));
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(ClusterError::Io(error)),
        }
        if Instant::now() >= deadline {
            let missing = first_missing(identity.me, &sockets).unwrap_or_default();
            return Err(ClusterError::Connect(format!(
                "{} has not come within {} seconds",
                name_of(missing, &addresses[missing]),
                wait.as_secs()
            )));
        }
        if is_idle {
            std::thread::sleep(PAUSE);
        }
    }
    sockets.iter().flatten().try_for_each(prepare).map_err(ClusterError::Io)?;
    Ok(sockets)
}

/// The first process but this one with which there is no connection.
fn first_missing(me: usize, sockets: &[Option<TcpStream>]) -> Option<usize> {
    (0..sockets.len()).find(|&at| at != me && sockets[at].is_none())
}

/// A process's name in messages.
pub(crate) fn name_of(process: usize, address: &str) -> String {
    format!("process {process} ({address})")
}

/// Calls a process; `None` if nothing listens there yet.
fn call(
    identity: &RunIdentity,
    other: usize,
    address: &str,
) -> Result<Option<TcpStream>, ClusterError> {
    let Some(mut stream) = reach(address) else { return Ok(None) };
    let mut hello = MAGIC.to_vec();
    hello.extend_from_slice(&identity.secret);
    hello.extend_from_slice(&identity.run.to_le_bytes());
    hello.extend_from_slice(&(identity.n as u32).to_le_bytes());
    hello.extend_from_slice(&(identity.me as u32).to_le_bytes());
    let mut answer = [0];
    let asked = stream
        .set_read_timeout(Some(HASTE))
        .and_then(|()| stream.write_all(&hello))
        .and_then(|()| stream.read_exact(&mut answer))
        .and_then(|()| stream.set_read_timeout(None));
    let name = name_of(other, address);
    match (asked, answer) {
        (Ok(()), [WELCOME]) => Ok(Some(stream)),
        (Ok(()), [OTHER_RUN]) => Err(other_run(&name)),
        (Ok(()), [TAKEN]) => Err(ClusterError::Usage(format!(
            "{name} has a process {} already: give each process a number of its own",
            identity.me
        ))),
        // Not beget, or not yet.
        _ => Ok(None),
    }
}

fn other_run(name: &str) -> ClusterError {
    ClusterError::Usage(format!(
        "{name} makes another run: start all with the same program, suite, scope, options and hosts"
    ))
}

fn reach(address: &str) -> Option<TcpStream> {
    let all = address.to_socket_addrs().ok()?;
    all.into_iter().find_map(|one: SocketAddr| TcpStream::connect_timeout(&one, HASTE).ok())
}

/// Accepts a process that has called, if it makes the same run. Returns the number of one that
/// makes another run: the process that is waited for will not come.
fn receive(
    identity: &RunIdentity,
    mut stream: TcpStream,
    sockets: &mut [Option<TcpStream>],
) -> io::Result<Option<usize>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(HASTE))?;
    let mut hello = [0; 48];
    stream.read_exact(&mut hello)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| hello[at + byte])) as usize;
    let (n, other) = (number(40), number(44));
    if hello[..16] != MAGIC || hello[16..32] != identity.secret {
        return Ok(None);
    }
    let is_same = hello[32..40] == identity.run.to_le_bytes() && n == identity.n;
    if !is_same || other <= identity.me || other >= n {
        return stream.write_all(&[OTHER_RUN]).map(|()| Some(other));
    }
    if sockets[other].is_some() {
        return stream.write_all(&[TAKEN]).map(|()| None);
    }
    stream.write_all(&[WELCOME])?;
    stream.set_read_timeout(None)?;
    sockets[other] = Some(stream);
    Ok(None)
}

/// Sends small messages at once, and notices a machine that is gone.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    {
        use nix::sys::socket::{setsockopt, sockopt};
        setsockopt(stream, sockopt::KeepAlive, &true)?;
        setsockopt(stream, sockopt::TcpKeepIdle, &10)?;
        setsockopt(stream, sockopt::TcpKeepInterval, &5)?;
        setsockopt(stream, sockopt::TcpKeepCount, &4)?;
        setsockopt(stream, sockopt::TcpUserTimeout, &30_000)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use super::*;

    const WAIT: Duration = Duration::from_secs(60);

    fn identity(me: usize, run: u64) -> RunIdentity {
        RunIdentity { me, n: 3, secret: [7; 16], run }
    }

    /// Listeners of three processes with their addresses.
    fn listeners() -> (Vec<TcpListener>, Vec<String>) {
        let listeners: Vec<TcpListener> =
            (0..3).map(|_| listen("127.0.0.1:0").expect("there is a port")).collect();
        let address = |one: &TcpListener| one.local_addr().expect("it listens").to_string();
        let addresses = listeners.iter().map(address).collect();
        (listeners, addresses)
    }

    #[test]
    fn every_process_has_a_connection_with_every_other() {
        let (listeners, addresses) = listeners();
        // A caller that is not beget is dropped.
        let mut stranger = TcpStream::connect(&addresses[0]).expect("it listens");
        stranger.write_all(&[b'x'; 48]).expect("it listens");
        let mut meshes: Vec<Vec<Option<TcpStream>>> = std::thread::scope(|scope| {
            let start = |me: usize| {
                let (listener, addresses) = (&listeners[me], &addresses);
                scope.spawn(move || {
                    connect(&identity(me, 1), listener, (addresses, WAIT), &mut || Ok(()))
                        .expect("alone")
                })
            };
            let all: Vec<_> = (0..3).map(start).collect();
            all.into_iter().map(|one| one.join().expect("it has not panicked")).collect()
        });
        let pairs = (0..9_u8).map(|pair| [pair / 3, pair % 3]);
        for [me, other] in pairs.filter(|[me, other]| me != other) {
            let mut send = |from: u8, to: u8| {
                let stream = meshes[usize::from(from)][usize::from(to)].as_mut();
                stream.expect("one each").write_all(&[from, to]).expect("open");
            };
            send(me, other);
            let mut got = [0; 2];
            let stream = meshes[usize::from(other)][usize::from(me)].as_mut();
            stream.expect("one each").read_exact(&mut got).expect("sent");
            assert_eq!(got, [me, other]);
        }
        assert!((0..3).all(|me| meshes[me][me].is_none()));
        // Short messages are sent at once.
        assert!(meshes.iter().flatten().flatten().all(|stream| stream.nodelay().unwrap()));
    }

    /// The answer of process 1 of three to a caller that sends these 48 bytes, if it answers.
    fn answer_to(hello: &[u8], is_taken: bool) -> Option<u8> {
        let listener = listen("127.0.0.1:0").expect("there is a port");
        let mut caller = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        caller.write_all(hello).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let mut sockets = [None, None, is_taken.then(|| caller.try_clone().unwrap())];
        receive(&identity(1, 5), stream, &mut sockets).unwrap();
        let mut answer = [0];
        let answer = caller.read_exact(&mut answer).ok().map(|()| answer[0]);
        assert_eq!(sockets[2].is_some(), is_taken || answer == Some(WELCOME));
        assert!(sockets[0].is_none() && sockets[1].is_none());
        answer
    }

    #[test]
    fn a_caller_that_knows_the_secret_hears_why_it_is_refused() {
        let hello = |magic: [u8; 16], secret: u8, run: u64, n: u32, me: u32| {
            let numbers = [&run.to_le_bytes()[..], &n.to_le_bytes(), &me.to_le_bytes()].concat();
            [&magic[..], &[secret; 16], &numbers].concat()
        };
        assert_eq!(answer_to(&hello(MAGIC, 7, 5, 3, 2), false), Some(WELCOME));
        assert_eq!(answer_to(&hello(MAGIC, 7, 5, 3, 2), true), Some(TAKEN));
        assert_eq!(answer_to(&hello(MAGIC, 7, 4, 3, 2), false), Some(OTHER_RUN));
        assert_eq!(answer_to(&hello(MAGIC, 7, 5, 4, 2), false), Some(OTHER_RUN));
        for me in [0, 1, 3] {
            assert_eq!(answer_to(&hello(MAGIC, 7, 5, 3, me), false), Some(OTHER_RUN), "{me}");
        }
        assert_eq!(answer_to(&hello(MAGIC, 8, 5, 3, 2), false), None);
        assert_eq!(answer_to(&hello([b'x'; 16], 7, 5, 3, 2), false), None);
    }

    #[test]
    fn a_listener_that_takes_no_calls_is_an_error() {
        let (listeners, addresses) = listeners();
        let no_listener = OwnedFd::from(TcpStream::connect(&addresses[0]).expect("it listens"));
        let no_listener = TcpListener::from(no_listener);
        let error = connect(&identity(0, 1), &no_listener, (&addresses, WAIT), &mut || Ok(()));
        assert!(matches!(error, Err(ClusterError::Io(_))), "{error:?}");
        drop(listeners);
    }

    #[test]
    fn the_first_process_that_has_not_come_is_another_one() {
        let (listeners, addresses) = listeners();
        let socket = || Some(TcpStream::connect(&addresses[0]).expect("it listens"));
        assert_eq!(first_missing(0, &[None, socket(), None, None]), Some(2));
        assert_eq!(first_missing(2, &[socket(), None, None, None]), Some(1));
        assert_eq!(first_missing(1, &[socket(), None, socket()]), None);
        drop(listeners);
    }

    #[test]
    fn a_number_that_is_taken_is_said() {
        let (listeners, addresses) = listeners();
        std::thread::scope(|scope| {
            let answers = scope.spawn(|| {
                let (mut stream, _) = listeners[0].accept().expect("it is called");
                stream.read_exact(&mut [0; 48]).expect("it says who it is");
                stream.write_all(&[TAKEN]).expect("it listens");
            });
            let error = call(&identity(2, 1), 0, &addresses[0]).unwrap_err().to_string();
            assert!(error.contains("has a process 2 already"), "{error}");
            answers.join().expect("it has not panicked");
        });
    }

    #[test]
    fn an_interrupt_ends_the_waiting_for_processes_that_do_not_come() {
        let (listeners, addresses) = listeners();
        let mut haste = Haste::new(|| true);
        let begun = Instant::now();
        let error =
            connect(&identity(0, 1), &listeners[0], (&addresses, WAIT), &mut || haste.look());
        assert_eq!(error.unwrap_err().to_string(), INTERRUPTED);
        assert!(begun.elapsed() >= AFTER_INTERRUPT);
        let mut haste = Haste { is_interrupted: || false, since: haste.since };
        assert!(haste.look().is_ok());
    }

    #[test]
    fn a_caller_that_makes_another_run_ends_the_waiting_for_it() {
        let (listeners, addresses) = listeners();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                connect(&identity(0, 1), &listeners[0], (&addresses, WAIT), &mut || Ok(()))
            });
            let refused =
                connect(&identity(1, 2), &listeners[1], (&addresses, WAIT), &mut || Ok(()));
            let waiting = waiting.join().expect("it has not panicked");
            for (error, other) in [(refused, 0), (waiting, 1)] {
                let name = name_of(other, &addresses[other]);
                let message = error.unwrap_err().to_string();
                assert!(message.starts_with(&format!("{name} makes another run: ")), "{message}");
            }
        });
    }
}
