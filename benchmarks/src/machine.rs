//! The machine that a table was measured on.
//!
//! Read from `/proc` and from `rustc -V`; what can not be read is said to be unknown.

use std::fmt;
use std::fs;
use std::process::Command;

const UNKNOWN: &str = "unknown";

/// What a reader needs to judge a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Model name of the first processor.
    pub cpu_model: String,
    /// Processors that this process may run on.
    pub n_cores: usize,
    /// Memory in bytes, 0 if unknown.
    pub memory: u64,
    /// Release of the kernel.
    pub kernel: String,
    /// Load averages over 1, 5 and 15 minutes when this was read.
    pub load: String,
    /// The compiler found on the path, by its own description.
    pub rustc: String,
}

impl Machine {
    /// Looks at the machine this runs on.
    #[must_use]
    pub fn read() -> Self {
        let proc = |name: &str| fs::read_to_string(format!("/proc/{name}")).unwrap_or_default();
        let words = |text: String, n| text.split_whitespace().take(n).collect::<Vec<_>>().join(" ");
        Self {
            cpu_model: known(field(&proc("cpuinfo"), "model name")),
            n_cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory(&proc("meminfo")),
            kernel: known(Some(words(proc("sys/kernel/osrelease"), 1))),
            load: known(Some(words(proc("loadavg"), 3))),
            rustc: known(rustc()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gib = self.memory as f64 / f64::from(1 << 30);
        write!(
            f,
            "{}, {} cores, {gib:.1} GiB, Linux {}, {}; load at the start {}",
            self.cpu_model, self.n_cores, self.kernel, self.rustc, self.load
        )
    }
}

fn known(text: Option<String>) -> String {
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The value of the first `name : value` line.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

fn memory(meminfo: &str) -> u64 {
    let kib =
        field(meminfo, "MemTotal").and_then(|text| text.strip_suffix("kB")?.trim().parse().ok());
    kib.map_or(0, |kib: u64| kib * 1024)
}

fn rustc() -> Option<String> {
    let output = Command::new("rustc").arg("-V").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_from_the_forms_of_proc() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Fast 9: Turbo\nprocessor\t: 1\n";
        assert_eq!(field(cpuinfo, "model name").as_deref(), Some("Fast 9: Turbo"));
        assert_eq!(memory("MemTotal:       2048 kB\nMemFree: 1 kB\n"), 2_097_152);
        assert_eq!(memory(""), 0);
        assert_eq!(known(field("", "model name")), UNKNOWN);
    }
}
