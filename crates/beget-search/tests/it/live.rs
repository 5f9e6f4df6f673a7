//! Calls on one structure, made on request.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::result_unit_err,
    reason = "the types stand for those of a library"
)]

use std::any::Any;

use beget::{HasSuite as _, Heap};
use beget_heap::Encoder;
use beget_plan::scope::{ErrorRule, Overrides, Plan};
use beget_run::{Catalog, Input};
use beget_search::run::{
    LiveCall, LiveCalls, LiveOutcome, calls_of_method, make_calls_of, make_calls_on,
};
use beget_suite::{Argument, Recipe, Suite, TypeIdx};

/// Coins, of which a scope allows two, and a lid.
#[derive(Clone, Debug, Default, Heap)]
pub struct Jar {
    coins: Vec<u8>,
    is_shut: bool,
}

impl Jar {
    pub fn new() -> Self {
        Jar::default()
    }

    pub fn put(&mut self, coin: u8) {
        self.coins.push(coin);
    }

    pub fn take(&mut self) -> Result<u8, String> {
        self.coins.pop().ok_or_else(|| "it is empty".to_owned())
    }

    /// Refuses, and changes something.
    pub fn shut(&mut self) -> Result<(), ()> {
        self.is_shut = true;
        Err(())
    }

    pub fn pour(&mut self, other: &Jar) {
        self.coins.extend(&other.coins);
    }

    pub fn count(&self) -> usize {
        self.coins.len()
    }

    pub fn spill(&mut self) {
        panic!("it is spilt");
    }
}

/// Has nothing to do with jars.
#[derive(Clone, Debug, Default, Heap)]
pub struct Cork {
    turns: u8,
}

impl Cork {
    pub fn loose() -> Self {
        Cork::default()
    }

    pub fn turn(&mut self) {
        self.turns += 1;
    }

    pub fn is_like(&self, other: &Cork) -> bool {
        self.turns == other.turns
    }
}

beget::suite! {
    #[name = "test::jars"]
    pub suite Jars {
        for Jar {
            fn new() -> Self;
            fn put(&mut self, coin: u8);
            fn take(&mut self) -> Result<u8, String>;
            fn shut(&mut self) -> Result<(), ()>;
            fn pour(&mut self, other: &Jar);
            fn count(&self) -> usize;
            fn spill(&mut self);
        }
        for Cork {
            fn loose() -> Self;
            fn turn(&mut self);
            fn is_like(&self, other: &Cork) -> bool;
        }
    }
}

fn plan_of(suite: Suite, fields: &str) -> Plan {
    let text = format!("Scope(suite: {:?}, k: 2, objects: {{\"*\": \"k\"}}, {fields})", suite.name);
    let input = Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap();
    input.resolve(&Overrides::default()).unwrap().plan
}

fn plan() -> Plan {
    plan_of(Jars::suite(), r#"arrays: "2", ints: [5, 7]"#)
}

fn recipe(plan: &Plan, name: &str, arguments: Vec<Argument>) -> Recipe {
    let method = plan.suite.find_method(name).expect("a method");
    Recipe { method, arguments, output: 0, panics: false }
}

fn jar_with(plan: &Plan, coins: &[&str]) -> Recipe {
    let new = recipe(plan, "new", Vec::new());
    coins.iter().fold(new, |jar, coin| {
        let arguments =
            vec![Argument::Structure(Box::new(jar)), Argument::Literal((*coin).to_owned())];
        recipe(plan, "put", arguments)
    })
}

const JAR: TypeIdx = TypeIdx::new(0);

/// The form under which a jar is stored.
fn form_of(plan: &Plan, jar: &Jar) -> Option<Vec<u8>> {
    let mut encoder = Encoder::new(plan.reported_coding());
    encoder.begin(JAR.index() as u64);
    (plan.suite.types[JAR.index()].walk)(jar as &dyn Any, &mut encoder);
    Some(encoder.finish().unwrap().to_canonical().as_bytes().to_vec())
}

fn jar(coins: &[u8], is_shut: bool) -> Jar {
    Jar { coins: coins.to_vec(), is_shut }
}

/// A call's method, outcome, message, and the forms that it left.
type ShownCall<'c> = (&'c str, LiveOutcome, &'c str, Vec<Option<Vec<u8>>>);

fn shown(call: &LiveCall) -> ShownCall<'_> {
    assert!(call.left.iter().all(|left| left.ty == JAR));
    let left = call.left.iter().map(|left| left.form.clone()).collect();
    (call.method, call.outcome, &call.message, left)
}

#[test]
fn a_call_shows_its_result_and_the_structures_that_it_left() {
    let plan = plan();
    let form = |coins: &[u8], is_shut| form_of(&plan, &jar(coins, is_shut));
    let LiveCalls { calls, n_left_out, with_others } =
        make_calls_on(&plan, &jar_with(&plan, &["5"]), JAR);
    use LiveOutcome::{Failed, Returned};
    let failed = calls.last().expect("it spills").message.as_str();
    assert!(failed.contains("it is spilt"), "{failed}");
    let expected: [ShownCall<'_>; 6] = [
        ("put", Returned, "", vec![form(&[5, 5], false)]),
        ("put", Returned, "", vec![form(&[5, 7], false)]),
        ("take", Returned, "Ok(5)", vec![form(&[], false)]),
        ("shut", Returned, "Err(())", vec![form(&[5], true)]),
        ("count", Returned, "1", vec![form(&[5], false)]),
        ("spill", Failed, failed, vec![]),
    ];
    assert_eq!(calls.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!((n_left_out, with_others), (0, vec!["pour"]));
    let sources: Vec<&str> = calls.iter().map(|call| call.source.as_str()).collect();
    assert_eq!(sources[..2], ["let _ = jar.put(5);", "let _ = jar.put(7);"]);
    // A third coin is out of scope.
    let full = make_calls_on(&plan, &jar_with(&plan, &["5", "7"]), JAR).calls;
    assert_eq!(shown(&full[0]), ("put", Returned, "", vec![None]));
}

#[test]
fn an_error_is_misuse_by_the_rule_of_the_scope() {
    let outcomes = |rule: ErrorRule| {
        let plan = plan().with(|draft| draft.misuse.errors = rule);
        let calls = make_calls_on(&plan, &jar_with(&plan, &[]), JAR).calls;
        ["take", "shut", "count"].map(|name| {
            let call = calls.iter().find(|call| call.method == name).expect("it is made");
            (call.outcome, call.left.len())
        })
    };
    let (misuse, returned) = ((LiveOutcome::Misuse, 0), (LiveOutcome::Returned, 1));
    assert_eq!(outcomes(ErrorRule::MisuseUnlessChanged), [misuse, returned, returned]);
    assert_eq!(outcomes(ErrorRule::Misuse), [misuse, misuse, returned]);
    assert_eq!(outcomes(ErrorRule::Returned), [returned; 3]);
}

#[test]
fn calls_of_one_method_are_those_among_all() {
    let plan = plan();
    let recipe = jar_with(&plan, &["7"]);
    let all = make_calls_on(&plan, &recipe, JAR).calls;
    for name in ["put", "take", "pour", "turn", "new"] {
        let of_method: Vec<ShownCall<'_>> =
            all.iter().filter(|call| call.method == name).map(shown).collect();
        let made = make_calls_of(&plan, &recipe, JAR, name);
        assert_eq!(made.iter().map(shown).collect::<Vec<_>>(), of_method, "{name}");
        assert_eq!(calls_of_method(&plan, &recipe, JAR, name).len(), of_method.len());
    }
    let sources: Vec<String> = calls_of_method(&plan, &recipe, JAR, "put")
        .iter()
        .map(|calls| calls.to_source(&plan.suite).0)
        .collect();
    let built = "let mut jar = Jar::new();\nlet _ = jar.put(7);\n";
    assert_eq!(sources, ["5", "7"].map(|coin| format!("{built}let _ = jar.put({coin});")));
}

/// Marks of a thousand kinds.
#[derive(Clone, Debug, Default, Heap)]
pub struct Rope {
    knots: u8,
}

impl Rope {
    pub fn new() -> Self {
        Rope::default()
    }

    pub fn knot(&mut self) {
        self.knots = 1;
    }

    pub fn mark(&self, place: u16) -> u16 {
        place
    }

    pub fn cut(&mut self, place: u16) -> u16 {
        place
    }
}

beget::suite! {
    #[name = "test::rope"]
    pub suite Ropes for Rope {
        fn new() -> Self;
        fn knot(&mut self);
        fn mark(&self, place: u16) -> u16;
        fn cut(&mut self, place: u16) -> u16;
    }
}

/// 500 calls, or 50,000 with those of the recipe.
#[test]
fn no_more_calls_are_made_than_can_be_shown() {
    let plan = plan_of(Ropes::suite(), r#"ints: "0..1000""#);
    let knotted = |n: usize| {
        (0..n).fold(recipe(&plan, "new", Vec::new()), |rope, _| {
            recipe(&plan, "knot", vec![Argument::Structure(Box::new(rope))])
        })
    };
    let counts = |n_knots| {
        let made = make_calls_on(&plan, &knotted(n_knots), JAR);
        let of = |name| made.calls.iter().filter(|call| call.method == name).count();
        assert!(made.calls.iter().all(|call| call.outcome == LiveOutcome::Returned));
        (of("knot"), of("mark"), of("cut"), made.n_left_out)
    };
    assert_eq!(counts(0), (1, 499, 0, 501 + 1000));
    assert_eq!(counts(199), (1, 249, 0, 751 + 1000));
    assert_eq!(calls_of_method(&plan, &knotted(0), JAR, "cut").len(), 500);
}

/// Ends the thread of each of its calls.
#[derive(Clone, Debug, Default, Heap)]
pub struct Diver {
    depth: u8,
}

#[beget::api(name = "test::diver")]
impl Diver {
    pub fn new() -> Self {
        Diver::default()
    }

    pub fn dive(&self, depth: u8) -> u64 {
        sink_below(depth.into())
    }
}

/// Overflows the stack.
fn sink_below(depth: u64) -> u64 {
    match std::hint::black_box(depth) {
        u64::MAX => 0,
        depth => std::hint::black_box(sink_below(depth + 1)) + 1,
    }
}

#[cfg(target_os = "linux")]
#[test]
fn after_three_calls_that_end_their_threads_no_more_are_made() {
    let plan = plan_of(Diver::suite(), r#"ints: "0..6""#);
    let made = make_calls_on(&plan, &recipe(&plan, "new", Vec::new()), JAR).calls;
    let messages: Vec<&str> = made.iter().map(|call| call.message.as_str()).collect();
    let (ended, not_made) =
        ("it ended its thread or did not return", "not made: other calls did not return");
    assert_eq!(messages, [ended, ended, ended, not_made, not_made, not_made]);
    assert!(made.iter().all(|call| call.outcome == LiveOutcome::Unknown));
}
