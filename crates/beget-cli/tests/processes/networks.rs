//! Runs of several hosts, each in a network namespace of its own, whose wires are cut.
#![cfg(target_os = "linux")]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::processes::beget;
use common::{ended, of_program};

/// A network of `n` hosts: 10.7.0.1 and so on, each behind a wire `wire1` of a common switch.
const NETWORK: &str = r"
    set -e
    mount -t tmpfs none /run
    ip link add switch type bridge
    ip link set switch up
    for i in $(seq $n); do
        ip netns add host$i
        ip link add wire$i type veth peer name end$i
        ip link set end$i netns host$i
        ip link set wire$i master switch
        ip link set wire$i up
        ip netns exec host$i ip addr add 10.7.0.$i/24 dev end$i
        ip netns exec host$i ip link set end$i up
        ip netns exec host$i ip link set lo up
    done
    set +e
";

/// Makes a run on `n` hosts, while `script` does something to the network. The results of each.
fn on_hosts(n: usize, scope: &str, patience: &str, script: &str) -> Option<Vec<(String, String)>> {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path();
    let lines: String = (1..=n).map(|host| format!("10.7.0.{host}:7001\n")).collect();
    fs::write(path.join("hosts"), format!("{patience}{lines}")).expect("a file");
    let (beget, at) = (beget(), path.display());
    let starts = format!(
        "for i in $(seq $n); do
            (ip netns exec host$i {} generate {scope} --summary json --hosts {at}/hosts#$((i - 1)) \
                > {at}/out$i 2> {at}/err$i; echo $? >> {at}/err$i) &
            started=\"$started $!\"
        done",
        beget.display()
    );
    let whole = format!("n={n}\n{NETWORK}\ntouch {at}/ready\n{starts}\n{script}\nwait $started\n");
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--net", "--mount", "sh", "-c", &whole]);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    let output = command.output();
    if !path.join("ready").exists() {
        eprintln!("skipped, no network can be made here: {output:?}");
        return None;
    }
    let read = |name: String| fs::read_to_string(path.join(name)).expect("a file");
    Some((1..=n).map(|host| (read(format!("out{host}")), read(format!("err{host}")))).collect())
}

/// The digest of a run, if it is complete.
fn digest(text: &str) -> Option<String> {
    let summary: serde_json::Value = serde_json::from_str(text).ok()?;
    summary["complete"].as_bool()?.then(|| summary["digest"].to_string())
}

/// What is on a wire while it is cut is lost, and sent again.
#[test]
fn hosts_make_the_same_run_though_packets_are_lost() {
    let scope = "../../../scopes/roops/ncl.ron -k 5";
    let one = ended(of_program(&beget(), &format!("generate {scope} --summary json")));
    let cuts = "for cut in 1 2 3 4 5 6 7 8 9 10; do
        ip link set wire2 down; sleep 0.05; ip link set wire2 up; sleep 0.15
    done";
    for n in [2, 4] {
        let Some(found) = on_hosts(n, scope, "", cuts) else { return };
        let of_first = digest(&found[0].0);
        assert!(of_first.is_some() && of_first == digest(&one.stdout), "{n}: {found:?}");
        assert!(found.iter().all(|(_, errors)| errors.ends_with("0\n")), "{n}: {found:?}");
    }
}

/// Both sides of the cut notice it.
#[test]
fn hosts_that_are_cut_off_are_lost_after_the_silence_that_the_file_allows() {
    let scope = "../../../scopes/roops/ncl.ron -k 9";
    for n in [2, 4] {
        let cut = "sleep 1; ip link set wire2 down";
        let Some(found) = on_hosts(n, scope, "silence 2\n", cut) else { return };
        for (host, (out, errors)) in (1..).zip(&found) {
            // The first one shows what it has.
            assert!(digest(out).is_none() && out.is_empty() == (host > 1), "{n}: {found:?}");
            assert!(errors.ends_with("4\n"), "{n}, {host}: {found:?}");
        }
        // Who notices it first ends, and is missed by the others in turn.
        let silent = "(10.7.0.2:7001) is lost: nothing was heard of it for 2 seconds";
        assert!(found.iter().any(|(_, errors)| errors.contains(silent)), "{n}: {found:?}");
        let silent = "is lost: nothing was heard of it for 2 seconds";
        assert!(found[1].1.contains(silent), "{n}: {found:?}");
    }
}

#[test]
fn hosts_that_do_not_come_are_waited_for_as_long_as_the_file_says() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    let [own, other] = common::processes::free_addresses();
    fs::write(&path, format!("wait 1\n{own}\n{other}\n")).expect("a file");
    let line = format!("generate ../../../scopes/roops/ncl.ron --hosts {}#0", path.display());
    let ended = ended(of_program(&beget(), &line));
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let told = format!("process 1 ({other}) has not come within 1 seconds");
    assert!(ended.stderr.contains(&told), "{ended:?}");
}
