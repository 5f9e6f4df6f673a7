//! Several processes on one machine: this program, started again with its own arguments.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cluster::ClusterError;
use crate::cluster::connect::{Haste, RunIdentity, connect, listen};
use crate::cluster::hosts::HostPatience;

/// The environment variable that tells a process to take part in a run.
const VARIABLE: &str = "BEGET_CLUSTER";

/// The processes started by this one.
#[derive(Debug, Default)]
pub struct StartedProcesses {
    children: Vec<Child>,
}

/// The time that processes with no more work have to end.
const GRACE: Duration = Duration::from_secs(5);

impl StartedProcesses {
    /// Waits for the processes, which have been asked to end.
    pub fn wait(mut self) {
        let deadline = Instant::now() + GRACE;
        while self.children.iter_mut().any(|child| matches!(child.try_wait(), Ok(None))) {
            if Instant::now() >= deadline {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// However this process ends, the others do not go on without it.
impl Drop for StartedProcesses {
    fn drop(&mut self) {
        for child in &mut self.children {
            // If that fails, it has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The way to the process that started this one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StartedBy {
    port: u16,
    secret: [u8; 16],
    me: usize,
    n: usize,
}

impl StartedBy {
    fn to_text(&self) -> String {
        let secret = u128::from_le_bytes(self.secret);
        format!("{} {secret:032x} {} {}", self.port, self.me, self.n)
    }

    fn from_text(text: &str) -> Option<StartedBy> {
        let mut words = text.split(' ');
        let parent = StartedBy {
            port: words.next()?.parse().ok()?,
            secret: u128::from_str_radix(words.next()?, 16).ok()?.to_le_bytes(),
            me: words.next()?.parse().ok()?,
            n: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(parent)
    }
}

/// Returns whether this process was started to take part in a run of another one.
pub fn is_started() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// A process's connections with the others, and their addresses.
pub(crate) type Connections = (RunIdentity, Vec<Option<TcpStream>>, Vec<String>);

/// Starts `n` - 1 processes by `command`, and connects to them.
pub(crate) fn start(
    n: usize,
    run: u64,
    command: &dyn Fn() -> Command,
    haste: &mut Haste,
) -> Result<(Connections, StartedProcesses), ClusterError> {
    let (desk, own) = (listen("127.0.0.1:0")?, listen("127.0.0.1:0")?);
    let port = desk.local_addr().map_err(ClusterError::Io)?.port();
    let secret = new_secret().map_err(ClusterError::Io)?;
    let commands = (1..n).map(|me| {
        let mut command = command();
        command.env(VARIABLE, StartedBy { port, secret, me, n }.to_text());
        command
    });
    let mut processes = StartedProcesses::of_commands(commands).map_err(ClusterError::Io)?;
    let addresses = gather_addresses(&desk, &own, secret, &mut processes, haste)?;
    let identity = RunIdentity { me: 0, n, secret, run };
    let mut look = || processes.look().and_then(|()| haste.look());
    let wait = HostPatience::default().wait;
    let sockets = connect(&identity, &own, (&addresses, wait), &mut look)?;
    Ok(((identity, sockets, addresses), processes))
}

/// Connects a process that [`start`] has started.
pub(crate) fn join(run: u64, haste: &mut Haste) -> Result<Connections, ClusterError> {
    let text = std::env::var(VARIABLE).unwrap_or_default();
    let parent = StartedBy::from_text(&text);
    let parent = parent.ok_or_else(|| ClusterError::Usage(format!("{VARIABLE} is not ours")))?;
    let StartedBy { port, secret, me, n } = parent;
    let own = listen("127.0.0.1:0")?;
    let addresses = tell_address(port, secret, me, n, &own).map_err(ClusterError::Io)?;
    let identity = RunIdentity { me, n, secret, run };
    let wait = HostPatience::default().wait;
    let sockets = connect(&identity, &own, (&addresses, wait), &mut || haste.look())?;
    Ok((identity, sockets, addresses))
}

/// Collects at `desk` the addresses at which all processes listen, and sends them to all.
fn gather_addresses(
    desk: &TcpListener,
    own: &TcpListener,
    secret: [u8; 16],
    processes: &mut StartedProcesses,
    haste: &mut Haste,
) -> Result<Vec<String>, ClusterError> {
    let n = processes.children.len() + 1;
    let mut ports = vec![0; n];
    ports[0] = own.local_addr().map_err(ClusterError::Io)?.port();
    let mut waiting = Vec::new();
    desk.set_nonblocking(true).map_err(ClusterError::Io)?;
    let deadline = Instant::now() + HostPatience::default().wait;
    while waiting.len() < n - 1 {
        processes.look()?;
        haste.look()?;
        if Instant::now() >= deadline {
            let reason = "the processes do not start".to_owned();
            return Err(ClusterError::Connect(reason));
        }
        match desk.accept() {
            Ok((stream, _)) => {
                if let Ok(Some((me, port, stream))) = read_address(stream, secret, &ports) {
                    ports[me] = port;
                    waiting.push(stream);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(ClusterError::Io(error)),
        }
    }
    let bytes: Vec<u8> = ports.iter().flat_map(|port: &u16| port.to_le_bytes()).collect();
    for mut stream in waiting {
        stream.write_all(&bytes).map_err(ClusterError::Io)?;
    }
    Ok(ports.iter().map(|port| format!("127.0.0.1:{port}")).collect())
}

/// Reads which process has come and where it listens; `None` if it is not part of the run.
fn read_address(
    mut stream: TcpStream,
    secret: [u8; 16],
    ports: &[u16],
) -> io::Result<Option<(usize, u16, TcpStream)>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(GRACE))?;
    let mut bytes = [0; 20];
    stream.read_exact(&mut bytes)?;
    let me = usize::from(u16::from_le_bytes([bytes[16], bytes[17]]));
    let port = u16::from_le_bytes([bytes[18], bytes[19]]);
    let is_ours = bytes[..16] == secret && ports.get(me) == Some(&0);
    Ok(is_ours.then_some((me, port, stream)))
}

fn tell_address(
    port: u16,
    secret: [u8; 16],
    me: usize,
    n: usize,
    own: &TcpListener,
) -> io::Result<Vec<String>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(HostPatience::default().wait))?;
    stream.write_all(&secret)?;
    stream.write_all(&(me as u16).to_le_bytes())?;
    stream.write_all(&own.local_addr()?.port().to_le_bytes())?;
    let mut ports = vec![0; 2 * n];
    stream.read_exact(&mut ports)?;
    let ports = ports.as_chunks::<2>().0.iter().map(|&port| u16::from_le_bytes(port));
    Ok(ports.map(|port| format!("127.0.0.1:{port}")).collect())
}

impl StartedProcesses {
    /// Starts the processes of these commands.
    ///
    /// # Errors
    /// If one of them cannot be started.
    pub fn of_commands(commands: impl IntoIterator<Item = Command>) -> io::Result<Self> {
        let mut processes = StartedProcesses { children: Vec::new() };
        for mut command in commands {
            command.stdin(Stdio::null()).stdout(Stdio::null());
            processes.children.push(command.spawn()?);
        }
        Ok(processes)
    }

    /// Checks that all started processes are still running.
    pub(crate) fn look(&mut self) -> Result<(), ClusterError> {
        for (process, child) in (1..).zip(&mut self.children) {
            if let Ok(Some(status)) = child.try_wait() {
                let reason = format!("process {process} ended before the run: {status}");
                return Err(ClusterError::Connect(reason));
            }
        }
        Ok(())
    }
}

/// Makes a number that other users of this machine cannot guess.
fn new_secret() -> io::Result<[u8; 16]> {
    let mut secret = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut secret)?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn a_parent_comes_out_as_it_went_in() {
        let parent = StartedBy { port: 65_535, secret: [0xa5; 16], me: 3, n: 4 };
        assert_eq!(StartedBy::from_text(&parent.to_text()), Some(parent));
        for text in ["", "1 2 3", "1 x 1 2", "1 1 1 2 3"] {
            assert_eq!(StartedBy::from_text(text), None, "{text}");
        }
    }

    /// The number and port taken from a process that sends a secret and a number, and port 9.
    fn address_of(secret: u8, me: u16) -> Option<(usize, u16)> {
        let desk = listen("127.0.0.1:0").expect("there is a port");
        let mut stream = TcpStream::connect(desk.local_addr().unwrap()).unwrap();
        let numbers = [me.to_le_bytes(), 9_u16.to_le_bytes()].concat();
        stream.write_all(&[&[secret; 16], &numbers[..]].concat()).unwrap();
        let (stream, _) = desk.accept().unwrap();
        let ports = [1, 0, 3];
        let found = read_address(stream, [7; 16], &ports).unwrap();
        found.map(|(me, port, _)| (me, port))
    }

    #[test]
    fn only_started_processes_are_taken_and_each_once() {
        assert_eq!(address_of(7, 1), Some((1, 9)));
        assert_eq!(address_of(8, 1), None, "it does not know the secret");
        assert_eq!(address_of(7, 2), None, "that one has come");
        assert_eq!(address_of(7, 3), None, "there are three");
    }

    #[test]
    fn a_process_that_ends_before_the_run_is_noticed() {
        let start = |text| Command::new("sh").args(["-c", text]).spawn().unwrap();
        let mut processes = StartedProcesses { children: vec![start("exec sleep 600")] };
        processes.look().unwrap();
        let mut ended = start("exit 3");
        ended.wait().unwrap();
        processes.children.push(ended);
        let error = processes.look().unwrap_err().to_string();
        assert!(error.contains("process 2 ended before the run: exit status: 3"), "{error}");
    }

    #[test]
    fn a_desk_that_takes_no_calls_is_an_error() {
        let own = listen("127.0.0.1:0").expect("there is a port");
        let desk = OwnedFd::from(TcpStream::connect(own.local_addr().unwrap()).unwrap());
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let mut processes = StartedProcesses { children: vec![child] };
        let found = gather_addresses(
            &TcpListener::from(desk),
            &own,
            [7; 16],
            &mut processes,
            &mut Haste::new(|| false),
        );
        assert!(matches!(found, Err(ClusterError::Io(_))), "{found:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn processes_end_with_those_that_started_them() {
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = std::path::PathBuf::from(format!("/proc/{}", child.id()));
        assert!(process.exists());
        drop(StartedProcesses { children: vec![child] });
        assert!(!process.exists());
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(new_secret().expect("there are some"), new_secret().expect("there are some"));
    }
}
