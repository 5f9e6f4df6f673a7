//! The file that names the processes of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Processes are numbered from 0 in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// `host:port` of each process, at which the others call it.
    addresses: Vec<String>,
    /// The address at which each process listens.
    binds: Vec<String>,
    pub(crate) patience: HostPatience,
}

/// The time that processes have for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostPatience {
    /// Until all are there.
    pub(crate) wait: Duration,
    /// For which one that is waited for may say nothing.
    pub(crate) silence: Duration,
}

impl Default for HostPatience {
    fn default() -> Self {
        HostPatience { wait: Duration::from_secs(60), silence: Duration::from_secs(30) }
    }
}

/// An error in a hosts file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsError {
    line: usize,
    column: usize,
    text: String,
    reason: String,
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HostsError { line, column, text, reason } = self;
        match text.is_empty() {
            true => write!(f, "{line}:{column}: {reason}"),
            false => write!(f, "{line}:{column}: `{text}`: {reason}"),
        }
    }
}

impl std::error::Error for HostsError {}

/// A batch has this many blocks; a further process would have none.
pub const MOST_PROCESSES: usize = 16;

impl Hosts {
    /// Reads a hosts file: one `host:port` a line, or `host:port bind host:port` if a process
    /// listens elsewhere than it is called; `wait SECONDS` and `silence SECONDS`. `#` begins a
    /// comment.
    ///
    /// # Errors
    /// The first line that is none of these.
    pub fn parse(text: &str) -> Result<Hosts, HostsError> {
        let mut seen = BTreeMap::new();
        let (mut addresses, mut binds) = (Vec::new(), Vec::new());
        let mut patience = HostPatience::default();
        for (line, full) in (1..).zip(text.lines()) {
            let said = full.split('#').next().unwrap_or_default();
            let column = said.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let said = said.trim();
            let error = |reason| HostsError { line, column, text: said.to_owned(), reason };
            let words: Vec<&str> = said.split_whitespace().collect();
            let (address, bind) = match words[..] {
                [] => continue,
                [name @ ("wait" | "silence"), number] => {
                    let time = seconds(name, number).map_err(error)?;
                    *(if name == "wait" { &mut patience.wait } else { &mut patience.silence }) =
                        time;
                    continue;
                }
                [address] => (address, address),
                [address, "bind", bind] => (address, bind),
                _ => return Err(error(MORE_WORDS.to_owned())),
            };
            [address, bind].into_iter().try_for_each(check_address).map_err(error)?;
            if let Some(first) = seen.insert(address, line) {
                return Err(error(format!("line {first} is the same; each process has its own")));
            }
            if addresses.len() == MOST_PROCESSES {
                return Err(error(format!("at most {MOST_PROCESSES} processes make a run")));
            }
            addresses.push(address.to_owned());
            binds.push(bind.to_owned());
        }
        if addresses.is_empty() {
            let reason = "no process: write one `host:port` a line".to_owned();
            return Err(HostsError { line: 1, column: 1, text: String::new(), reason });
        }
        Ok(Hosts { addresses, binds, patience })
    }

    /// The addresses at which processes are called, in their order.
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// The address at which a process of the file listens.
    pub(crate) fn bind(&self, me: usize) -> &str {
        &self.binds[me]
    }

    /// The hosts of the processes, in their order, as the file names them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let name = |address: &str| address.rsplit_once(':').map_or(0, |(host, _)| host.len());
        self.addresses.iter().map(move |address| &address[..name(address)])
    }
}

const MORE_WORDS: &str =
    "write one `host:port` a line, or `host:port bind host:port`, or `wait SECONDS`";

/// The most seconds of a wait: a day.
const MOST_SECONDS: u64 = 24 * 60 * 60;

fn seconds(name: &str, number: &str) -> Result<Duration, String> {
    match number.parse() {
        Ok(number @ 1..=MOST_SECONDS) => Ok(Duration::from_secs(number)),
        _ => Err(format!("give a number of seconds from 1 to {MOST_SECONDS}, as in `{name} 120`")),
    }
}

fn check_address(address: &str) -> Result<(), String> {
    let Some((host, port)) = address.rsplit_once(':') else {
        return Err(format!("no port: write for example `{address}:7001`"));
    };
    if host.is_empty() {
        return Err(format!("no host: write for example `localhost:{port}`"));
    }
    let has_brackets = host.starts_with('[') && host.ends_with(']');
    if host.contains(':') && !has_brackets {
        return Err(format!("write an IPv6 address in brackets: `[{host}]:{port}`"));
    }
    match port.parse::<u16>() {
        Ok(1..) => Ok(()),
        _ => Err(format!("`{port}` is no port: give a number from 1 to 65535")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_process() {
        let text = "# three\n127.0.0.1:7001\n\n  node-2:7001  # the second\n[::1]:7002\n";
        let hosts = Hosts::parse(text).expect("it is right");
        assert_eq!(hosts.addresses(), ["127.0.0.1:7001", "node-2:7001", "[::1]:7002"]);
        assert_eq!(hosts.binds, hosts.addresses);
        assert_eq!(hosts.names().collect::<Vec<_>>(), ["127.0.0.1", "node-2", "[::1]"]);
        assert_eq!(hosts.patience, HostPatience::default());
    }

    #[test]
    fn a_process_may_listen_elsewhere_and_wait_for_long() {
        let text = "wait 300\nnode-1:7001 bind 0.0.0.0:9001\nnode-2:7001\nsilence 5 # short\n";
        let hosts = Hosts::parse(text).expect("it is right");
        assert_eq!(hosts.addresses(), ["node-1:7001", "node-2:7001"]);
        assert_eq!([hosts.bind(0), hosts.bind(1)], ["0.0.0.0:9001", "node-2:7001"]);
        let [wait, silence] = [300, 5].map(Duration::from_secs);
        assert_eq!(hosts.patience, HostPatience { wait, silence });
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let check = |text: &str, message: &str| {
            assert_eq!(Hosts::parse(text).unwrap_err().to_string(), message);
        };
        check("", "1:1: no process: write one `host:port` a line");
        check("# none\n", "1:1: no process: write one `host:port` a line");
        check("a:1\n  node\n", "2:3: `node`: no port: write for example `node:7001`");
        check(":7001", "1:1: `:7001`: no host: write for example `localhost:7001`");
        check("a:0", "1:1: `a:0`: `0` is no port: give a number from 1 to 65535");
        check("a:x", "1:1: `a:x`: `x` is no port: give a number from 1 to 65535");
        check("a:1 b:2", &format!("1:1: `a:1 b:2`: {MORE_WORDS}"));
        check("a:1 bind b:2 c", &format!("1:1: `a:1 bind b:2 c`: {MORE_WORDS}"));
        check("a:1 bind b", "1:1: `a:1 bind b`: no port: write for example `b:7001`");
        let wrong = "give a number of seconds from 1 to 86400, as in `wait 120`";
        for number in ["0", "x", "86401"] {
            check(&format!("wait {number}"), &format!("1:1: `wait {number}`: {wrong}"));
        }
        check("wait 3", "1:1: no process: write one `host:port` a line");
        check("::1:7", "1:1: `::1:7`: write an IPv6 address in brackets: `[::1]:7`");
        check("[::1:7", "1:1: `[::1:7`: write an IPv6 address in brackets: `[[::1]:7`");
        check("a:1\nb:1\na:1", "3:1: `a:1`: line 1 is the same; each process has its own");
        let many: String = (1..=17).map(|port| format!("a:{port}\n")).collect();
        check(&many, "17:1: `a:17`: at most 16 processes make a run");
    }
}
