//! The file that names the processes of a run.

use std::collections::BTreeMap;
use std::fmt;

/// Processes are numbered from 0 in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// `host:port` of each process.
    addresses: Vec<String>,
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
    /// Reads a hosts file: one `host:port` a line; `#` begins a comment.
    ///
    /// # Errors
    /// The first line that is not an address.
    pub fn parse(text: &str) -> Result<Hosts, HostsError> {
        let mut seen = BTreeMap::new();
        let mut addresses = Vec::new();
        for (line, full) in (1..).zip(text.lines()) {
            let address = full.split('#').next().unwrap_or_default();
            let column = address.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let address = address.trim();
            if address.is_empty() {
                continue;
            }
            let error = |reason| HostsError { line, column, text: address.to_owned(), reason };
            check_address(address).map_err(error)?;
            if let Some(first) = seen.insert(address, line) {
                return Err(error(format!("line {first} is the same; each process has its own")));
            }
            if addresses.len() == MOST_PROCESSES {
                return Err(error(format!("at most {MOST_PROCESSES} processes make a run")));
            }
            addresses.push(address.to_owned());
        }
        if addresses.is_empty() {
            let reason = "no process: write one `host:port` a line".to_owned();
            return Err(HostsError { line: 1, column: 1, text: String::new(), reason });
        }
        Ok(Hosts { addresses })
    }

    /// The addresses, by process.
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }
}

fn check_address(address: &str) -> Result<(), String> {
    if address.split_whitespace().nth(1).is_some() {
        return Err("more than one word: write one `host:port` a line".to_owned());
    }
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
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let check = |text: &str, message: &str| {
            assert_eq!(Hosts::parse(text).unwrap_err().to_string(), message);
        };
        check("", "1:1: no process: write one `host:port` a line");
        check("# none\n", "1:1: no process: write one `host:port` a line");
        check("a:1\n  node\n", "2:3: `node`: no port: write for example `node:7001`");
        check(":7001", "1:1: `:7001`: no host: write for example `localhost:7001`");
        check("a:0", "1:1: `a:0`: `0` is no port: give a number from 1 to 65535");
        check("a:x", "1:1: `a:x`: `x` is no port: give a number from 1 to 65535");
        check("a:1 b:2", "1:1: `a:1 b:2`: more than one word: write one `host:port` a line");
        check("::1:7", "1:1: `::1:7`: write an IPv6 address in brackets: `[::1]:7`");
        check("[::1:7", "1:1: `[::1:7`: write an IPv6 address in brackets: `[[::1]:7`");
        check("a:1\nb:1\na:1", "3:1: `a:1`: line 1 is the same; each process has its own");
        let many: String = (1..=17).map(|port| format!("a:{port}\n")).collect();
        check(&many, "17:1: `a:17`: at most 16 processes make a run");
    }
}
