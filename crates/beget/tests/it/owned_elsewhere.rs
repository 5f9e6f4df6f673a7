//! Weak pointers out of a structure: the structure changes when the owner is dropped.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::rc::{Rc, Weak};
use std::sync::Arc;

use beget::{HasSuite, Heap};
use beget_engine::{CopyOptions, Run, Settings};
use beget_plan::scope::{Overrides, ScopeFile};

/// A node that may know the node of another structure.
#[derive(Heap)]
pub struct Member {
    leader: Weak<Node>,
    node: Rc<Node>,
}

#[derive(Heap)]
struct Node {
    rank: u8,
}

#[beget::api]
impl Member {
    pub fn new(rank: u8) -> Self {
        Member { leader: Weak::new(), node: Rc::new(Node { rank }) }
    }

    /// Weak pointers within the structure are sound.
    pub fn follow_self(&mut self) {
        self.leader = Rc::downgrade(&self.node);
    }

    pub fn follow(&mut self, other: &Self) {
        self.leader = Rc::downgrade(&other.node);
    }
}

fn kinds(methods: &[&str], copy_options: CopyOptions) -> Vec<String> {
    let scope = r#"Scope(suite: "Member", k: 2, objects: {"*": "k"}, ints: "0..k")"#;
    let file = ScopeFile::parse("scope.ron", scope).expect("a scope");
    let no_files = |_: &str| Err("no files".to_owned());
    let names = methods.iter().map(|&name| name.to_owned()).collect();
    let only = Some(beget_plan::scope::MethodsOverride::Only(names));
    let overrides = Overrides { methods: only, ..Overrides::default() };
    let resolved = file.resolve(&Arc::new(Member::suite()), &overrides, &no_files);
    let settings = Settings { threads: 1, copy_options };
    let corpus = Run::new(resolved.expect("a plan").plan).settings(settings).go();
    corpus.report.findings.into_iter().map(|finding| finding.problem.kind.to_string()).collect()
}

#[test]
fn an_owner_in_another_structure_is_named_as_that() {
    for no_decode in [false, true] {
        let copy_options = CopyOptions { no_decode, ..CopyOptions::default() };
        assert_eq!(kinds(&["new", "follow_self"], copy_options), [""; 0]);
        assert_eq!(kinds(&["new", "follow"], copy_options), ["owned_elsewhere"]);
    }
}
