//! The nearest structure of the other side, beside each witness of a comparison.
#![allow(missing_docs, reason = "the type stands for one of a library")]

use beget::heap::view::{NodeSet, RepOk, clause};
use beget::{HasSuite as _, Heap, HeapView};
use beget_engine::Settings;
use beget_oracle::rep_ok::Subject;
use beget_plan::scope::{Budget, Overrides};
use beget_run::{Catalog, Host, Input, StoreKind, Watch};
use beget_search::run::{ComparePlan, SideWitness};

/// Boats behind one another, and the number that the log says.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Convoy {
    first: Option<Box<Barge>>,
    len: u8,
}

#[derive(Clone, Debug, Heap, HeapView)]
pub struct Barge {
    next: Option<Box<Barge>>,
}

#[beget::api(name = "test::convoy")]
impl Convoy {
    pub fn new() -> Self {
        Convoy::default()
    }

    /// One more, logged.
    pub fn one(&mut self) {
        self.stowaway();
        self.len += 1;
    }

    /// One more, not logged.
    pub fn stowaway(&mut self) {
        self.first = Some(Box::new(Barge { next: self.first.take() }));
    }

    /// Two more, logged.
    pub fn two(&mut self) {
        self.one();
        self.one();
    }
}

const LOGGED: RepOk<Convoy> = RepOk::<Convoy>::new("logged", |convoy| {
    let (mut seen, mut next) = (NodeSet::new(), convoy.first());
    while let Some(barge) = next {
        clause("boats in a row", seen.insert(barge))?;
        next = barge.next();
    }
    clause("all are logged", seen.len() as i64 == convoy.len())
});

struct Timetable;

impl Host for Timetable {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// A witness: its heap, its nearest, the calls that build that, and the distance.
type ShownSide = (String, Option<(String, Option<usize>)>, usize);

/// The witnesses of both sides with these methods, up to three boats.
fn compared(methods: &str, has_nearest: bool) -> [Vec<ShownSide>; 2] {
    let text = format!(
        r#"Scope(suite: "test::convoy", k: 3, objects: {{"*": "k"}}, methods: Only([{methods}]),
            repoks: {{"logged": (objects: {{"Barge": "k"}}, fields: {{
                "Convoy.first": "null | Barge", "Convoy.len": "0..=k", "Barge.next": "null | Barge",
            }})}})"#
    );
    let subject = Subject::new([LOGGED]);
    let catalog = Catalog::new(vec![Convoy::suite()]).with_rep_oks("test::convoy", subject);
    let input = Input::of_text("convoy.ron", text, catalog).unwrap();
    let overrides = Overrides { slack: Some(0), ..Overrides::default() };
    let plan = ComparePlan::new(&input, overrides, None).unwrap().with_nearest(has_nearest);
    let watch = Watch::new(Budget::default(), &Timetable);
    let best = plan.run(Settings::default(), StoreKind::Exact, &watch).unwrap().best;
    [best.only_api, best.only_rep_ok].map(|side| side.iter().map(shown).collect())
}

fn shown(one: &SideWitness) -> ShownSide {
    let nearest = one.nearest.as_ref().map(|nearest| {
        (picture(&nearest.text()), nearest.recipe.as_ref().map(|recipe| recipe.n_calls()))
    });
    (picture(&one.witness.text()), nearest, one.distance)
}

/// The boats and the log: `3/2` has three boats, of which two are logged.
fn picture(text: &str) -> String {
    let (_, rest) = text.split_once("len: ").expect("a log");
    let len: String = rest.chars().take_while(char::is_ascii_digit).collect();
    format!("{}/{len}", text.lines().count() - 1)
}

fn near(picture: &str, n_calls: Option<usize>) -> Option<(String, Option<usize>)> {
    Some((picture.to_owned(), n_calls))
}

#[test]
fn the_nearest_structure_is_the_first_with_the_fewest_changes() {
    let [api, rep_ok] = compared(r#""new", "two", "stowaway""#, true);
    // Calls build 0/0, 1/0, 2/0, 2/2, 3/0 and 3/2. The repOK admits 1/1 and 3/3 besides 0/0 and
    // 2/2: the log is one change away, of 3/2 sooner than of 3/0.
    assert_eq!(api, [("1/0".to_owned(), near("1/1", None), 1)]);
    assert_eq!(
        rep_ok,
        [("1/1".to_owned(), near("1/0", Some(2)), 1), ("3/3".to_owned(), near("3/2", Some(3)), 1)]
    );
}

#[test]
fn a_side_may_be_empty() {
    let [api, rep_ok] = compared(r#""new", "two""#, true);
    assert_eq!(api, []);
    let nearest: Vec<_> = rep_ok.into_iter().map(|(_, nearest, _)| nearest.unwrap()).collect();
    let built = |picture: &str, n_calls| (picture.to_owned(), Some(n_calls));
    assert_eq!(nearest, [built("0/0", 1), built("2/2", 2)]);
    // All that the repOK admits is built: 1/1 by two calls.
    let [api, rep_ok] = compared(r#""new", "one", "stowaway""#, true);
    assert_eq!((&api[0].0[..], &api[0].1, api[0].2), ("1/0", &near("1/1", Some(2)), 1));
    assert_eq!(rep_ok, []);
}

#[test]
fn without_being_asked_for_no_nearest_structure_is_sought() {
    let [api, rep_ok] = compared(r#""new", "two", "stowaway""#, false);
    assert_eq!((api.len(), rep_ok.len()), (1, 2));
    assert!(
        api.iter()
            .chain(&rep_ok)
            .all(|(_, nearest, distance)| { nearest.is_none() && *distance == 0 })
    );
}
