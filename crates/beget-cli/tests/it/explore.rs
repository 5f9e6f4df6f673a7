//! The explorer's server: what it shows, whom it answers, and that it reads only.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::common;

use common::{command, program, run};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use regex::Regex;
use serde_json::Value;

/// A server that ends with its test.
struct Running {
    child: Child,
    port: u16,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Running {
    #[track_caller]
    fn start(arguments: &str) -> Running {
        let mut child = command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .find_map(|line| line.unwrap().strip_prefix("http://127.0.0.1:").map(str::to_owned));
        let address = address.expect("an address");
        Running { child, port: address.trim_end_matches('/').parse().unwrap() }
    }

    fn ask(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, address: &str) -> Reply {
        let port = self.port;
        self.ask(&format!(
            "GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ))
    }

    /// The numbers of the structures that all pages of a list name, in order.
    fn listed(&self, query: &str) -> Vec<u64> {
        let link = Regex::new("href=\"/structure/(\\d+)\"").unwrap();
        let (mut all, mut page) = (Vec::new(), 0);
        loop {
            let reply = self.get(&format!("/structures?{query}&page={page}"));
            assert_eq!(reply.status, 200, "{}", reply.body);
            if reply.body.contains("The search goes on") {
                continue;
            }
            all.extend(
                link.captures_iter(&reply.body).map(|found| found[1].parse::<u64>().unwrap()),
            );
            if !reply.body.contains("rel=\"next\"") {
                return all;
            }
            page += 1;
        }
    }

    /// Ends it as Ctrl-C does.
    fn interrupt(mut self) -> Option<i32> {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory with the search trees of k = 5, which are more than fit a page, and its records.
fn trees(name: &str) -> (PathBuf, Vec<Value>) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    let ended = run(&format!("generate scopes/tree.ron -k 5 --full -o {}", dir.display()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let text = fs::read_to_string(dir.join("structures.jsonl")).unwrap();
    (dir, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn ids<'v>(records: impl IntoIterator<Item = &'v Value>) -> Vec<u64> {
    records.into_iter().map(|record| record["id"].as_u64().unwrap()).collect()
}

#[test]
fn the_overview_counts_as_the_run_did_and_every_structure_has_a_page() {
    let (dir, records) = trees("explored");
    let server = Running::start(&format!("explore {}", dir.display()));
    let overview = server.get("/");
    assert_eq!(overview.status, 200);
    let title = format!("<h1>{} structures of tree</h1>", records.len());
    assert!(overview.body.contains(&title), "{}", overview.body);
    for level in 1..=6 {
        let n = records.iter().filter(|record| record["calls"] == level).count();
        let row = format!("<a href=\"/structures?level={level}\">{level}</a></td><td>{n}</td>");
        assert!(overview.body.contains(&row), "{row}: {}", overview.body);
    }
    for record in &records {
        let id = &record["id"];
        let page = server.get(&format!("/structure/{id}"));
        assert_eq!(page.status, 200);
        let boxes = record["heap"].as_array().unwrap().len();
        assert_eq!(page.body.matches("<rect class=\"object\"").count(), boxes, "{id}");
        let recipe = record["recipe"].as_array().unwrap().iter();
        assert!(recipe.map(|line| line.as_str().unwrap()).all(|line| page.body.contains(line)));
    }
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn calls_lead_from_page_to_page_as_recipes_do() {
    let (dir, records) = trees("walked");
    let server = Running::start(&format!("explore {}", dir.display()));
    let link = Regex::new("href=\"/structure/(\\d+)\"").unwrap();
    let recipe = |record: &Value| record["recipe"].as_array().unwrap().clone();
    for record in records.iter().take(40) {
        let own = recipe(record);
        let goes_on = |other: &&Value| {
            let recipe = recipe(other);
            recipe.len() == own.len() + 1 && recipe[..own.len()] == own[..]
        };
        let expected: BTreeSet<u64> = ids(records.iter().filter(goes_on)).into_iter().collect();
        let page = server.get(&format!("/structure/{}", record["id"])).body;
        let out = page.split_once("Calls out").unwrap().1.split_once("Fields").unwrap().0;
        let found = link.captures_iter(out).map(|found| found[1].parse().unwrap());
        assert_eq!(found.collect::<BTreeSet<u64>>(), expected, "{}", record["id"]);
    }
}

#[test]
fn a_directory_without_heaps_is_refused_with_the_command_to_use() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("brief");
    let _ = fs::remove_dir_all(&dir);
    run(&format!("generate scopes/tree.ron -k 2 -o {}", dir.display()));
    let ended = run(&format!("explore {}", dir.display()));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let again = format!(" explore {} -k 2", dir.join("scope.ron").display());
    assert!(ended.stderr.contains("has no heaps") && ended.stderr.contains(&again), "{ended:?}");
}

/// The calls on all structures by the words of their rows, and the structures that they lead to.
fn calls_made(server: &Running, records: &[Value]) -> (BTreeMap<String, u64>, BTreeSet<u64>) {
    let row =
        Regex::new("<td>(returned|misuse|failure|unknown)</td><td>[^<]*</td><td>(.*?)</td></tr>");
    let (row, link) = (row.unwrap(), Regex::new("href=\"/structure/(\\d+)\"").unwrap());
    let (mut counts, mut reached) = (BTreeMap::<String, u64>::new(), BTreeSet::new());
    for record in records {
        let page = server.get(&format!("/structure/{}/calls", record["id"]));
        assert_eq!(page.status, 200, "{}", page.body);
        for found in row.captures_iter(&page.body) {
            let word = match link.captures(&found[2]) {
                Some(id) => {
                    reached.insert(id[1].parse().unwrap());
                    "known"
                }
                None if &found[2] == "itself" => "known",
                None if found[2].is_empty() => &found[1],
                None => &found[2],
            };
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    (counts, reached)
}

/// The run itself made these calls: with those of constructors, which are its first level, they are
/// all of them.
#[test]
fn calls_made_on_request_come_to_what_the_run_counted() {
    for (number, arguments) in [
        "scopes/tree.ron -k 4 --methods new,insert",
        "scopes/tally.ron",
        "scopes/tree-misuse.ron --methods new,insert,min",
        "scopes/tree-all.ron --methods new,insert,min",
    ]
    .into_iter()
    .enumerate()
    {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("called{number}"));
        let _ = fs::remove_dir_all(&dir);
        run(&format!("generate {arguments} --full -o {}", dir.display()));
        let text = fs::read_to_string(dir.join("structures.jsonl")).unwrap();
        let records: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let text = fs::read_to_string(dir.join("summary.json")).unwrap();
        let summary: Value = serde_json::from_str(&text).unwrap();
        let count = |name: &str| summary[name].as_u64().unwrap();

        let server = Running::start(&format!("explore {}", dir.display()));
        let (counts, reached) = calls_made(&server, &records);
        let constructed = summary["levels"][0]["explored"].as_u64().unwrap();
        let expected = [
            ("known", count("kept") + count("matched") - constructed),
            ("out of scope", count("out_of_scope")),
            ("misuse", count("misuse")),
            ("failure", count("failures")),
        ];
        let expected = expected.into_iter().filter(|(_, count)| *count > 0);
        let expected = expected.map(|(word, count)| (word.to_owned(), count)).collect();
        assert_eq!(counts, expected, "{arguments}");
        let later = ids(records.iter().filter(|record| record["calls"] != 1));
        assert!(later.iter().all(|id| reached.contains(id)), "{arguments}: {reached:?}");
    }
}

#[test]
fn a_call_that_fails_is_shown_with_its_message_and_one_with_two_structures_is_named() {
    let server = Running::start("explore scopes/tree-all.ron");
    let page = server.get("/structure/0/calls").body;
    assert!(page.contains("<td>failure</td><td>panicked: "), "{page}");
    assert!(page.contains("Not made, since they take another structure too: absorb."), "{page}");
}

#[test]
fn calls_are_made_only_for_the_structures_of_the_file_and_for_own_pages() {
    let (dir, records) = trees("other");
    let server = Running::start(&format!("explore {}", dir.display()));
    let port = server.port;
    let from = |site: &str| {
        server.ask(&format!(
            "GET /structure/0/calls HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nSec-Fetch-Site: {site}\r\nConnection: close\r\n\r\n"
        ))
    };
    assert_eq!(from("same-origin").status, 200);
    assert_eq!(from("cross-site").status, 403);
    assert_eq!(from("same-site").status, 403);
    assert_eq!(server.get(&format!("/structure/{}/calls", records.len())).status, 404);
    let scope = fs::read_to_string(dir.join("scope.ron")).unwrap();
    fs::write(dir.join("scope.ron"), scope + "\n").unwrap();
    let changed = Running::start(&format!("explore {}", dir.display()));
    let refused = changed.get("/structure/0/calls");
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains("was changed since"), "{}", refused.body);
    assert_eq!(changed.get("/structure/0").status, 200);
}

#[test]
fn filters_choose_what_a_look_at_every_line_chooses() {
    let (dir, records) = trees("filtered");
    let server = Running::start(&format!("explore {}", dir.display()));
    assert!(records.len() > 100, "{}", records.len());
    assert_eq!(server.listed(""), ids(&records));
    let size = |record: &Value| record["heap"][0]["fields"]["size"].as_i64().unwrap();
    let root = |record: &Value| {
        let root = record["heap"][0]["fields"]["root"]["object"].as_u64()?;
        record["heap"][root as usize]["fields"]["info"].as_i64()
    };
    let chosen = |test: &dyn Fn(&Value) -> bool| ids(records.iter().filter(|one| test(one)));
    assert_eq!(server.listed("level=4"), chosen(&|one| one["calls"] == 4));
    assert_eq!(
        server.listed("objects=3"),
        chosen(&|one| one["heap"].as_array().unwrap().len() == 3)
    );
    assert_eq!(
        server.listed("filter=size+%3E+3+%26%26+root.info+%3D%3D+2"),
        chosen(&|one| size(one) > 3 && root(one) == Some(2))
    );
    assert_eq!(
        server.listed("filter=count(Node)+%3C+2+||+root.info+%3E%3D+4&level=4"),
        chosen(&|one| one["calls"] == 4 && (size(one) < 2 || root(one) >= Some(4)))
    );
    let inserts = |one: &Value| {
        one["recipe"]
            .as_array()
            .unwrap()
            .iter()
            .any(|line| line.as_str().unwrap().contains("insert(3)"))
    };
    assert_eq!(server.listed("call=insert(3)"), chosen(&inserts));
}

/// The list by an outcome has the structures whose own pages have a call of that outcome.
#[test]
fn a_list_by_outcome_or_clause_has_those_whose_calls_and_repoks_say_so() {
    let server = Running::start("explore scopes/tree-misuse.ron --methods new,insert,min");
    let all = server.listed("");
    assert!(all.len() > 2, "{all:?}");
    let row = Regex::new("<td>let _ = tree.min[^<]*</td><td>([a-z]+)</td>").unwrap();
    let word = |id: &u64| {
        let page = server.get(&format!("/structure/{id}/calls")).body;
        row.captures(&page).map(|found| found[1].to_owned())
    };
    let words: Vec<_> = all.iter().map(word).collect();
    for outcome in ["misuse", "returned", "failure"] {
        let both = all.iter().zip(&words);
        let expected = both.filter(|(_, word)| word.as_deref() == Some(outcome));
        let expected: Vec<u64> = expected.map(|(id, _)| *id).collect();
        assert_eq!(server.listed(&format!("method=min&outcome={outcome}")), expected, "{outcome}");
    }
    // Only the empty tree has no least key.
    assert_eq!(server.listed("method=min&outcome=misuse"), [0]);
    let refused = server.get("/structures?method=nothing");
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("the run has no method `nothing`"), "{}", refused.body);

    let server = Running::start("explore scopes/tally.ron");
    let leaves_scope = |id: &u64| {
        server.get(&format!("/structure/{id}/calls")).body.contains("<td>out of scope</td>")
    };
    let all = server.listed("");
    let out: Vec<u64> = all.iter().copied().filter(leaves_scope).collect();
    assert!(!out.is_empty() && out.len() < all.len(), "{out:?} of {all:?}");
    assert_eq!(server.listed("outcome=out+of+scope"), out);

    let check = common::summary("check scopes/tree-repok.ron --all");
    let rejected = check["repoks"].as_array().unwrap().iter();
    let mut n_rejected = 0;
    let server = Running::start("explore scopes/tree-repok.ron");
    for repok in rejected {
        let name = repok["name"].as_str().unwrap();
        let listed = server.listed(&format!("clause={name}"));
        assert_eq!(listed.len() as u64, repok["rejected"].as_u64().unwrap(), "{name}");
        n_rejected += listed.len();
    }
    assert!(n_rejected > 0, "{check}");
}

#[test]
fn what_is_not_asked_by_this_machine_s_browser_for_reading_is_refused() {
    let (dir, _) = trees("refusing");
    let server = Running::start(&format!("explore {}", dir.display()));
    let port = server.port;
    let own = format!("Host: localhost:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.ask(&format!("GET / HTTP/1.1\r\n{own}")).status, 200);
    assert_eq!(server.ask(&format!("POST / HTTP/1.1\r\nContent-Length: 0\r\n{own}")).status, 405);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example"] {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let reply = server.ask(&request);
        assert_eq!(reply.status, 403, "{host}");
        assert!(!reply.body.contains("tree"), "{host}");
    }
    for missing in ["/structure/99999", "/structure/-1", "/structure/../etc/passwd", "/nothing"] {
        assert_eq!(server.get(missing).status, 404, "{missing}");
    }
    let bad = server.get("/structures?filter=size+%3E+%3Cscript%3E");
    assert_eq!(bad.status, 400);
    assert!(bad.body.contains("at character 8: expected a number"), "{}", bad.body);
    assert_eq!(bad.body.matches("<script").count(), 1, "what was asked is escaped");
    let head = server.get("/").head;
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    let long = server.get(&format!("/{}", "a".repeat(5000)));
    assert_eq!(long.status, 414);
}

#[test]
fn a_port_that_is_taken_is_refused_before_the_run() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let ended = run(&format!("explore scopes/tree.ron --port {port}"));
    assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains(&format!("cannot listen on port {port}")), "{ended:?}");
}

#[test]
fn a_scope_is_run_first_and_wrong_input_serves_nothing() {
    let server = Running::start("explore scopes/tree.ron -k 2");
    assert!(server.get("/").body.contains("<h1>5 structures of tree</h1>"));
    assert_eq!(server.interrupt(), Some(0));
    assert!(program().exists());
    for line in
        ["explore scopes/no-such.ron", "explore scopes", "explore scopes/tree.ron --port 99999"]
    {
        let ended = run(line);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(!ended.stdout.contains("http://"), "{ended:?}");
    }
}
