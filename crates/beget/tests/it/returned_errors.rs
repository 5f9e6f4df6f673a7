//! Runs of methods that give structures back in their errors.
#![allow(missing_docs, clippy::result_large_err, reason = "the signatures are what is tested")]

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::store::StructureId;

use crate::common::message_of;

/// A connection that can be opened only by what its failed attempts give back. It has no `Debug`.
#[derive(Heap)]
pub struct Line {
    tries: u8,
}

#[beget::api]
impl Line {
    pub fn new() -> Self {
        Line { tries: 0 }
    }

    pub fn open(self) -> Result<u8, Self> {
        match self.tries {
            2 => panic!("the third try fails"),
            tries => Err(Line { tries: tries + 1 }),
        }
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::new()
    }
}

/// Two numbers. Those that do not fit together are given back with a mark.
#[derive(Clone, Debug, Heap)]
pub struct Number {
    value: u8,
    is_marked: bool,
}

#[beget::api]
impl Number {
    pub fn of(value: u8) -> Self {
        Number { value, is_marked: false }
    }

    pub fn join(self, other: Self) -> Result<Self, (Self, Self)> {
        if self.value == other.value {
            return Ok(Number { value: self.value + 3, ..self });
        }
        Err((self, Number { is_marked: true, ..other }))
    }
}

/// Attempts 0, 1 and 2 are values, and the third call of `open` panics.
#[test]
fn what_an_error_gives_back_is_a_structure() {
    let failure = message_of(|| drop(beget::check!(Line, k = 3)));
    assert!(failure.contains("the third try fails"), "{failure}");
    let calls = "let line = Line::new();\n\
                 let line_2 = line.open().err().unwrap();\n\
                 let line_3 = line_2.open().err().unwrap();\n\
                 let _ = line_3.open();";
    let shown: String = failure.lines().map(|line| line.trim().to_owned() + "\n").collect();
    assert!(shown.contains(calls), "{failure}");
    let failure = message_of(|| drop(beget::random!(Line, k = 3, calls = 200)));
    assert!(failure.contains("the third try fails"), "{failure}");
}

/// 0, 1 and 2; 3, 4 and 5 by joins of equals, and so on up to 7; and all of them with a mark.
#[test]
fn a_result_may_give_structures_either_way() {
    let run = beget::check!(Number, k = 1, ints = 0..3, fields = {"Number.value": "0..8"});
    assert_eq!(run.generated(), 16);
    let suite = Number::suite();
    let join = suite.method_named("join").unwrap();
    let access: Vec<_> = join.outputs.iter().map(|output| output.access).collect();
    assert_eq!(access, [".ok().unwrap()", ".err().unwrap().0", ".err().unwrap().1"]);
    let marked = (0..16).map(|id| run.corpus().recipe(StructureId::new(id)).unwrap());
    let source = marked.map(|recipe| to_source(&suite, &recipe).0).find(|one| one.contains("err"));
    assert_eq!(
        source.unwrap(),
        "let number = Number::of(0);\n\
         let number_2 = Number::of(1);\n\
         let number_3 = number.join(number_2).err().unwrap().1;"
    );
    let counters = &run.corpus().report.ledger.counters;
    assert_eq!(counters.misuse, 0, "an error with structures is a result");
}
