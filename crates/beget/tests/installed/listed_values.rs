//! Parameters of foreign types: the suite lists their values, and the scope chooses among these.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use std::sync::Arc;

use beget::{HasSuite, Heap};
use beget_engine::store::Store;
use beget_plan::scope::{Overrides, ScopeFile};
use common::{REGION, assert_complete, run};

/// A type of another crate, as far as this one knows: without a domain.
mod foreign {
    #[derive(Clone, Copy, Debug)]
    pub enum Mode {
        Read,
        Write(u8),
        Append,
    }
}
use foreign::Mode;

/// How files were opened.
#[derive(Clone, Debug, Default, Heap)]
pub struct Files {
    opened: Vec<u8>,
}

#[beget::api(name = "files")]
impl Files {
    /// None is open.
    pub fn new() -> Self {
        Files::default()
    }

    /// Opens one.
    #[api(values(mode = [Mode::Read, Mode::Write(7), Mode::Append], how = [Mode::Read, Mode::Append]))]
    pub fn open(&mut self, mode: Mode, how: &Mode) {
        let number = |mode| match mode {
            Mode::Read => 1,
            Mode::Write(number) => number,
            Mode::Append => 2,
        };
        self.opened = [mode, *how].map(number).to_vec();
    }
}

fn message(params: &str) -> String {
    let text =
        format!("Scope(suite: \"files\", k: 2, arrays: 2, objects: {{\"*\": 2}},\n    {params})");
    let file = ScopeFile::parse("files.ron", &text).unwrap();
    let no_file = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(Files::suite()), &Overrides::default(), &no_file);
    resolved.map(|_| ()).unwrap_err().to_string()
}

/// None is open, and one for each pair of values.
#[test]
fn a_scope_chooses_among_the_values_of_one_parameter_or_of_all() {
    let count = |fields: &str| {
        let fields =
            format!("k: 2, arrays: 2, objects: {{\"*\": 2}}, fields: {{\"*\": \"any\"}}, {fields}");
        let corpus = run(Files::suite(), &fields, REGION, 1);
        assert_complete(&corpus, corpus.store.len());
        corpus.store.len()
    };
    assert_eq!(count(""), 1 + 3 * 2);
    assert_eq!(count(r#"params: {"open.mode": ["Mode::Read", "Mode::Write(7)"]}"#), 1 + 2 * 2);
    assert_eq!(count(r#"params: {"open.how": ["Mode::Append"]}"#), 1 + 3);
    assert_eq!(count(r#"enums: {"Mode": ["Mode::Append", "Mode::Read"]}"#), 1 + 2 * 2);
}

#[test]
fn a_value_that_is_not_listed_is_shown_with_the_nearest_one() {
    assert_eq!(
        message(r#"params: {"open.mode": ["Mode::Read", "Mode::Wirte(7)"]}"#),
        r#"error: the suite lists no value `Mode::Wirte(7)` of type `Mode`
  --> files.ron:2:43
   |
 2 |     params: {"open.mode": ["Mode::Read", "Mode::Wirte(7)"]})
   |                                           ^^^^^^^^^^^^^^
   = help: did you mean `Mode::Write(7)`?"#
    );
    let error = message(r#"params: {"open.how": ["Mode::Write(7)"]}"#);
    assert!(error.contains("lists no value `Mode::Write(7)` of type `&Mode`"), "{error}");
    assert!(error.contains("= help: ") && error.contains("`Mode::Read`"), "{error}");
}
