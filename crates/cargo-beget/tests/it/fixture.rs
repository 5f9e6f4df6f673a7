//! The crate in `fixture`, documented by the toolchain of these tests: what a harness makes of each
//! function.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use beget_discover::{
    ApiFunction, DiscoverError, Document, ElementKind, FunctionFate, Harness, LeftOutReason,
    Refusal,
};

/// The JSON that this toolchain writes.
fn json() -> &'static str {
    static JSON: OnceLock<String> = OnceLock::new();
    JSON.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture/src/lib.rs");
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixture-documentation");
        let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
        let ended = Command::new(rustdoc)
            .args(["--edition", "2024", "--crate-type", "lib", "--crate-name", "fixture"])
            .args(["-Zunstable-options", "--output-format", "json", "--out-dir"])
            .arg(&out)
            .arg(source)
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .expect("rustdoc can be started");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        std::fs::read_to_string(out.join("fixture.json")).unwrap()
    })
}

fn harness(ty: &str, arguments: &[&str]) -> Harness {
    let document = Document::read(json()).unwrap();
    let arguments: Vec<_> = arguments.iter().map(|text| (*text).to_owned()).collect();
    Harness::new(&document, ty, &arguments, ElementKind::Bytes).unwrap()
}

/// The same with elements that are watched.
fn tracked(ty: &str) -> Harness {
    Harness::new(&Document::read(json()).unwrap(), ty, &[], ElementKind::Tracked).unwrap()
}

fn refused(ty: &str, arguments: &[&str]) -> DiscoverError {
    let document = Document::read(json()).unwrap();
    let arguments: Vec<_> = arguments.iter().map(|text| (*text).to_owned()).collect();
    Harness::new(&document, ty, &arguments, ElementKind::Bytes).unwrap_err()
}

fn method<'h>(harness: &'h Harness, name: &str) -> &'h ApiFunction {
    harness.methods().iter().find(|method| method.name == name).expect(name)
}

/// The first form of a method: its line in the suite, and what it does.
fn form(harness: &Harness, name: &str) -> (String, String) {
    match &method(harness, name).fate {
        FunctionFate::Runs(forms) => {
            let wrapper = forms[0].wrapper.clone().unwrap_or_default();
            let body = wrapper.lines().skip(1).map(str::trim).filter(|line| *line != "}");
            (forms[0].declaration.clone(), body.collect::<Vec<_>>().join(" "))
        }
        FunctionFate::LeftOut(reason) => panic!("{name} is left out: {reason}"),
    }
}

#[test]
fn what_a_suite_knows_is_declared_as_it_is() {
    let ring = harness("fixture::Ring", &[]);
    assert_eq!(ring.ty(), "fixture::Ring<u8, 3>");
    for (name, declaration) in [
        ("new", "fn new() -> Self;"),
        ("push", "fn push(&mut self, value: u8);"),
        ("len", "fn len(&self) -> usize;"),
        ("contains", "fn contains(&self, value: &u8) -> bool;"),
        ("take_from", "fn take_from(&mut self, other: &mut Self);"),
        ("clone", "fn clone(&self) -> Self;"),
        ("default", "fn default() -> Self;"),
    ] {
        assert_eq!(form(&ring, name), (declaration.to_owned(), String::new()));
    }
    let end = "fn end(&self, #[values(fixture::End::Front, fixture::End::Back)] end: fixture::End) -> Option<&u8>;";
    assert_eq!(form(&ring, "end").0, end);
}

#[test]
fn everything_else_is_a_function_with_one_choice() {
    let ring = harness("Ring", &["u16", "2"]);
    for (name, declaration, body) in [
        (
            "try_push",
            "fn try_push(&mut self, value: u16) -> Result<(), String>",
            "ring.try_push(value).map_err(|error| shown(&error))",
        ),
        ("iter", "fn iter(&self) -> Vec<String>", "repeated(|| ring.iter())"),
        (
            "at",
            "fn at(&self, position: usize) -> Option<&u16>",
            "ring.at(<fixture::Position>::new(position))",
        ),
        (
            "retain",
            "fn retain(&mut self)",
            "let (n_items, mut n_asked) = (ring.len(), 0); ring.retain(|a| { n_asked += 1; (*a) % 2 == 0 }); \
             assert!(n_asked >= n_items, \"`retain` does not ask about each item\");",
        ),
        ("sort_by_key", "fn sort_by_key(&mut self)", "ring.sort_by_key(|a| (*a) as u8)"),
        (
            "fill_with",
            "fn fill_with(&mut self, make_gives: u16)",
            "ring.fill_with(move || make_gives)",
        ),
        (
            "cut",
            "fn cut(&mut self, range: std::ops::Range<usize>) -> Vec<String>",
            "driven(ring.cut(range))",
        ),
        (
            "extend",
            "fn extend(&mut self, values: Vec<u16>)",
            "<Ring as Extend<_>>::extend(ring, values.into_iter())",
        ),
    ] {
        assert_eq!(form(&ring, name), (format!("{declaration} = calls::{name};"), body.to_owned()));
    }
}

/// A literal is chosen, because a reference to what a call owns does not live that long.
#[test]
fn a_reference_that_lives_for_ever_is_to_a_literal() {
    let label = harness("Label", &[]);
    for (name, declaration, body) in [
        (
            "new",
            "fn new(#[values(0, 1, 2)] text: usize) -> Self",
            r#"Label::new(["", "a", "ab"][text])"#,
        ),
        (
            "from_bytes",
            "fn from_bytes(#[values(0, 1, 2)] bytes: usize) -> Option<Self>",
            r#"Label::from_bytes([&b""[..], b"a", b"ab"][bytes])"#,
        ),
    ] {
        assert_eq!(
            form(&label, name),
            (format!("{declaration} = calls::{name};"), body.to_owned())
        );
    }
    let left_out: Vec<_> =
        label.left_out().map(|(method, reason)| (&*method.path, reason.to_string())).collect();
    assert_eq!(left_out, [("look", "it needs `&u32` for ever".to_owned())]);
}

#[test]
fn a_file_is_named_by_a_text() {
    let label = harness("Label", &[]);
    assert_eq!(form(&label, "saved").0, "fn saved(&self, path: String) -> bool;");
}

/// The order of an atomic access has the name of another type.
#[test]
fn an_atomic_access_has_the_order_that_every_one_takes() {
    let label = harness("Label", &[]);
    let body = "label.shared(std::sync::atomic::Ordering::SeqCst)";
    assert_eq!(
        form(&label, "shared"),
        ("fn shared(&self) -> u8 = calls::shared;".to_owned(), body.to_owned())
    );
    let compared = "fn is_beside(&self, order: std::cmp::Ordering) -> bool;";
    assert_eq!(form(&label, "is_beside").0, compared);
}

#[test]
fn tracked_elements_stand_where_any_type_may() {
    let pile = tracked("Pile");
    assert_eq!(pile.ty(), "fixture::Pile<beget::elements::Tracked>");
    assert!(pile.has_tracked_elements());
    assert_eq!(
        (pile.module(), pile.scope_path().as_str()),
        (Some("tracked"), "scopes/tracked_pile.ron")
    );
    // The iterator clones, so that it may panic, and does not know its length, about which it may
    // lie; the closure asks the element, so that it may panic.
    let items = "beget::elements::items(&items)";
    assert_eq!(form(&pile, "push_all").1, format!("tracked_pile.push_all({items})"));
    assert_eq!(form(&harness("Pile", &[]), "push_all").1, "pile.push_all(items.into_iter())");
    let retain = form(&pile, "retain").1;
    assert!(retain.contains("(*a) == beget::elements::Tracked::new(0)"), "{retain}");
    let scope = pile.scope(2, &[]);
    assert!(
        scope.contains("contracts: Only([\"elements_dropped\", \"elements_dropped_once\", "),
        "{scope}"
    );
    assert!(tracked("Stock").has_tracked_elements());
    // They have no copies, and no traits of the crate.
    for ty in ["Dots", "Ring"] {
        assert!(!tracked(ty).has_tracked_elements(), "{ty}");
    }
    assert!(!harness("Pile", &[]).has_tracked_elements());
}

#[test]
fn a_parameter_that_lends_a_slice_is_an_array() {
    let pair = harness("Pair", &[]);
    assert_eq!(pair.ty(), "fixture::Pair<[u16; 2]>");
    // Its item by a trait of another crate is its element.
    assert_eq!(form(&pair, "offer").0, "fn offer(&mut self, item: u16);");
}

/// Its functions for slices are found, with memory by a trait that all such types have.
#[test]
fn a_parameter_without_a_size_is_a_slice_if_functions_need_one() {
    let stack = harness("fixture::SliceStack", &[]);
    assert_eq!(stack.ty(), "fixture::SliceStack<[u8], [usize; 8]>");
    assert_eq!(form(&stack, "push_cloned").0, "fn push_cloned(&mut self, arg_1: &[u8]);");
    assert_eq!(form(&stack, "pop").0, "fn pop(&mut self);");
    let tracked = tracked("fixture::SliceStack");
    assert_eq!(tracked.ty(), "fixture::SliceStack<[beget::elements::Tracked], [usize; 8]>");
    assert_eq!(harness("fixture::Framed", &[]).ty(), "fixture::Framed<u8>");
}

#[test]
fn of_long_arrays_there_are_two() {
    let declaration = "fn push_bytes(&mut self, #[values([0; 16], [1; 16])] arg_1: [u8; 16], \
                       arg_2: [u8; 4]) = calls::push_bytes;";
    let stack = harness("fixture::SliceStack", &[]);
    let made = form(&stack, "push_bytes");
    assert_eq!(made, (declaration.to_owned(), "slice_stack.push_bytes(&arg_1, arg_2)".to_owned()));
    let tracked = tracked("fixture::SliceStack");
    let mut left_out = tracked.left_out().map(|(method, reason)| (&*method.path, reason));
    let needs = LeftOutReason::Needs("an array of `beget::elements::Tracked`".to_owned());
    assert_eq!(left_out.next(), Some(("push_all", &needs)));
}

/// The nodes of an edge are what a node is made of.
#[test]
fn the_items_of_an_iterator_are_tuples_with_the_trait_that_they_need() {
    let net = harness("Net", &[]);
    assert_eq!(form(&net, "join").0, "fn join(&mut self, edges: Vec<(u16, u16)>) = calls::join;");
}

/// The attribute goes before the function does.
#[test]
fn what_is_taken_away_is_what_was_shown() {
    let mut pile = harness("Pile", &[]);
    let promise = "#[ensures(format!(\"{:?}\", result) == old(format!(\"{:?}\", self.peek())))] ";
    let bare = "fn pop(&mut self) -> Option<u8>;";
    assert_eq!(form(&pile, "pop").0, format!("{promise}{bare}"));
    let at = line(&pile.source(), promise);
    let message = "E0277: no".to_owned();
    assert!(pile.refuse(&[Refusal { lines: vec![(at, at)], message, names: Vec::new() }]));
    assert_eq!(form(&pile, "pop").0, bare);
    // Nothing of a ring shows what its `pop` takes.
    assert!(!harness("Ring", &[]).source().contains("ensures"));
}

#[test]
fn what_a_call_without_arguments_iterates_over_is_the_same_again() {
    let pile = harness("Pile", &[]);
    assert_eq!(form(&pile, "iter").1, "repeated(|| pile.iter())");
    // A call that changes the structure is made once.
    assert!(form(&harness("Ring", &[]), "cut").1.starts_with("driven("));
}

/// Implementations for all types that have each other's associated types lead nowhere.
#[test]
fn associated_types_without_end_are_left_as_they_are() {
    let relay = harness("Relay", &[]);
    assert_eq!(form(&relay, "send").0, "fn send(&mut self, value: u8);");
    let left_out: Vec<_> = relay.left_out().map(|(method, _)| &*method.path).collect();
    assert_eq!(left_out, ["base"]);
    let [(_, reason)] = &relay.left_out().collect::<Vec<_>>()[..] else { panic!("one") };
    assert_eq!(reason.to_string(), "it needs `<u8 as Sender>::Item`, which has no domain");
}

#[test]
fn an_associated_type_of_the_type_s_own_trait_is_known() {
    let tray = harness("fixture::Tray", &[]);
    assert_eq!(form(&tray, "offer").0, "fn offer(&mut self, item: u8) -> bool;");
}

#[test]
fn a_text_that_is_given_up_is_replaced_by_an_iteration() {
    let mut label = harness("Label", &[]);
    assert!(label.source().contains("pub text: beget::heap::DebugText,"));
    assert!(label.give_up_text());
    let source = label.source();
    assert!(!source.contains("DebugText"), "{source}");
    assert!(source.contains("items: label.letters().map(|item| item).collect(),"), "{source}");
    // The next way is no text.
    assert!(!label.give_up_text());
    assert_eq!(label.source(), source);
}

#[test]
fn each_function_that_is_left_out_has_its_reason() {
    let ring = harness("Ring", &[]);
    let left_out: Vec<_> =
        ring.left_out().map(|(method, reason)| (method.path.as_str(), reason.clone())).collect();
    let of_sealed = LeftOutReason::Needs("`Sealed`, which has no domain".to_owned());
    let of_texts = LeftOutReason::OtherArguments("Ring<String, N>".to_owned());
    assert_eq!(
        left_out,
        [
            ("at_unchecked", LeftOutReason::Unsafe),
            ("ready", LeftOutReason::Async),
            ("open", of_sealed),
            ("joined", of_texts),
        ]
    );
    assert_eq!(ring.counts(), (24 - 4, 24));
    for (method, reason) in ring.left_out() {
        assert!(ring.source().contains(&format!("// - {}: {reason}\n", method.path)));
    }
}

#[test]
fn keys_are_what_the_structure_returned() {
    let rack = harness("Rack", &[]);
    for (name, declaration) in [
        ("put", "fn put(&mut self, value: u8) -> fixture::Ticket;"),
        ("get", "fn get(&self, ticket: &fixture::Ticket) -> Option<&u8>;"),
        ("take", "fn take(&mut self, ticket: fixture::Ticket) -> Option<u8>;"),
    ] {
        assert_eq!(form(&rack, name), (declaration.to_owned(), String::new()));
    }
    let (declaration, body) = form(&rack, "exchange");
    assert_eq!(
        declaration,
        "fn exchange(&mut self, ticket: fixture::Ticket, value: u8) -> (fixture::Ticket, Option<u8>) = \
         calls::exchange;"
    );
    assert_eq!(body, "rack.exchange(Some(ticket), value)");
    let block = "        for fixture::Ticket {\n            keys;\n";
    assert!(rack.source().contains(block), "{}", rack.source());
    // What only calls by `&` return is issued by nobody, so nothing could be called with it.
    let left_out: Vec<_> = rack.left_out().map(|(method, _)| method.path.as_str()).collect();
    assert_eq!(left_out, ["greet"]);
    // A position has a constructor.
    assert!(!harness("Ring", &[]).source().contains("keys;"));
}

#[test]
fn a_hasher_is_one_without_chance() {
    let keys = harness("Keys", &[]);
    assert_eq!(
        keys.ty(),
        "fixture::Keys<u8, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>"
    );
    assert_eq!(form(&keys, "with_hasher").1, "Keys::with_hasher(Default::default())");
    let (left_out, _) = keys.left_out().next().unwrap();
    assert_eq!(left_out.path, "new");
}

#[test]
fn the_state_is_what_shows_most() {
    // `Debug` of rings is by hand, so what they give when iterated comes first.
    let ring = harness("Ring", &[]).source();
    let state = "pub struct RingState {\n    pub items: Vec<u8>,\n    pub len: usize,\n    pub checksum: u8,\n}";
    assert!(ring.contains(state), "{ring}");
    assert!(ring.contains("items: ring.iter().map(|item| *item).collect(),"), "{ring}");
    // That of keys is derived: it shows every field.
    let keys = harness("Keys", &[]).source();
    assert!(
        keys.contains("pub struct KeysState {\n    pub text: beget::heap::DebugText,\n}"),
        "{keys}"
    );
}

/// A state that asks `take` would show something else when it is asked again.
#[test]
fn a_method_that_takes_something_out_is_no_observer() {
    let meter = harness("Meter", &[]).source();
    assert!(meter.contains("ticks: meter.ticks(),"), "{meter}");
    assert!(!meter.contains("take: meter.take()"), "{meter}");
    assert!(meter.contains("fn take(&self) -> u8;"), "{meter}");
}

/// The line of the text that has this.
fn line(text: &str, wanted: &str) -> usize {
    text.lines().position(|line| line.contains(wanted)).expect(wanted) + 1
}

#[test]
fn what_is_refused_gets_its_next_form_and_is_left_out_in_the_end() {
    let mut ring = harness("Ring", &[]);
    let refuse = |ring: &mut Harness, wanted: &str| {
        let at = line(&ring.source(), wanted);
        let message = "E0277: no".to_owned();
        ring.refuse(&[Refusal { lines: vec![(at, at)], message, names: Vec::new() }])
    };
    assert!(refuse(&mut ring, "repeated(|| ring.iter())"));
    assert!(refuse(&mut ring, "driven(ring.iter())"));
    assert_eq!(form(&ring, "iter").1, "ring.iter().into_iter().take(MOST_ITEMS).count()");
    assert!(refuse(&mut ring, "fn iter(&self) -> usize = calls::iter;"));
    assert!(
        matches!(&method(&ring, "iter").fate, FunctionFate::LeftOut(LeftOutReason::Refused(message)) if message == "E0277: no")
    );
    assert!(ring.source().contains("// - iter: rustc: E0277: no\n"));
    // Fields of the state go, too; of what they hold, the next kind is taken.
    assert!(refuse(&mut ring, "checksum: ring.checksum()"));
    assert!(!ring.source().contains("pub checksum"));
    assert!(refuse(&mut ring, "items: ring.iter()"));
    assert!(
        ring.source().contains(
            "items: ring.iter().map(|item| beget::heap::DebugText::of(&item)).collect(),"
        )
    );
    assert!(refuse(&mut ring, "items: ring.iter()"));
    assert!(ring.source().contains("text: beget::heap::DebugText::of(ring),"));
    // Errors of nothing in particular change nothing.
    let before = ring.source();
    assert!(!refuse(&mut ring, "beget::suite! {"));
    let all = (1, before.lines().count());
    let of_all = |names: &[&str]| Refusal {
        lines: vec![all],
        message: "E0277: no".to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    assert!(!ring.refuse(&[of_all(&["std::path::Path", "Rack::put", "fixture::Ring::absent"])]));
    assert_eq!(ring.source(), before);
    // An error of the whole macro may name the function.
    assert!(ring.refuse(&[of_all(&["fixture::Ring::checksum"])]));
    assert_ne!(ring.source(), before);
}

#[test]
fn types_are_found_by_any_path_and_others_are_refused_with_candidates() {
    for path in ["Ring", "fixture::Ring", "::fixture::Ring"] {
        assert_eq!(harness(path, &[]).ty(), "fixture::Ring<u8, 3>");
    }
    assert_eq!(harness("Trio", &[]).ty(), "fixture::Trio<u8>");
    assert!(matches!(&method(&harness("Trio", &[]), "push").fate, FunctionFate::Runs(_)));
    let unknown = refused("fixture::Rng", &[]).to_string();
    assert!(
        unknown.starts_with(
            "crate `fixture` has no public type `fixture::Rng`; it has fixture::Ring, "
        ),
        "{unknown}"
    );
    let lent = refused("Lent", &[]).to_string();
    assert!(lent.starts_with("`fixture::Lent` cannot be under test: it has a lifetime"), "{lent}");
    let many = refused("Ring", &["u8", "3", "4"]).to_string();
    assert_eq!(many, "`fixture::Ring` takes 2 type arguments, and 3 are given");
    let unmet = refused("List", &[]).to_string();
    assert_eq!(
        unmet,
        "`fixture::List` cannot be under test: its parameter `A` takes a type with `Ended`, of \
         which the crate has none: choose one by --args"
    );
    assert_eq!(harness("List", &["u8"]).ty(), "fixture::List<u8>");
}

#[test]
fn a_trait_that_vectors_have_is_tested_on_a_vector() {
    let more = harness("MoreOfVec", &[]);
    assert_eq!((more.ty(), more.name(), more.counts()), ("Vec<u8>", "MoreOfVec", (3, 3)));
    let source = more.source();
    for text in [
        "pub type MoreOfVec = Vec<u8>;",
        "fn from_items(items: Vec<u8>) -> Self = calls::from_items;",
        "fn push_first(&mut self, item: u8) = calls::push_first;",
        "fn count_like(&self, index: usize) -> usize = calls::count_like;",
        "<MoreOfVec as fixture::MoreOfVec<_>>::push_first(more_of_vec, item)",
        "    pub items: Vec<u8>,\n    pub len: usize,\n",
    ] {
        assert!(source.contains(text), "{text}\n{source}");
    }
    assert_eq!(harness("fixture::MoreOfVec", &["i64"]).ty(), "Vec<i64>");
    assert_eq!(tracked("MoreOfVec").ty(), "Vec<beget::elements::Tracked>");
    assert!(more.makes_structures() && !harness("Voucher", &[]).makes_structures());
    let others = [
        "`fixture::MoreOfVec` takes 1 type arguments, and 2 are given".to_owned(),
        "`fixture::Ended` cannot be under test: it is a trait that `Vec` does not have".to_owned(),
    ];
    let refusals = [refused("MoreOfVec", &["u8", "u8"]), refused("Ended", &[])];
    assert_eq!(refusals.map(|refusal| refusal.to_string()), others);
    // Also one that may fail.
    assert!(harness("Bond", &[]).makes_structures());
}

#[test]
fn panics_that_are_documented_are_rules_of_use() {
    let ring = harness("Ring", &[]);
    let expected = ring
        .expected_panic(Some("push"), "panicked at src/lib.rs:7:9: the ring is full: 3 of 3")
        .unwrap();
    assert_eq!(
        (expected.pattern.as_str(), expected.method.as_str()),
        (r"the ring is full: \d+ of \d+", "push")
    );
    assert!(ring.scope(3, &[expected]).contains("        // push: If the ring is full.\n"));
    // That of `checksum` is not; arithmetic has to do with indices only.
    assert_eq!(ring.expected_panic(Some("checksum"), "no"), None);
    assert_eq!(
        ring.expected_panic(
            Some("push"),
            "panicked at src/lib.rs:7:9: attempt to add with overflow"
        ),
        None
    );
    // A full ring has nothing to do with the index of a slice; a range has.
    let of_slice =
        "panicked at src/lib.rs:7:9: range end index 4 out of range for slice of length 3";
    assert_eq!(ring.expected_panic(Some("push"), of_slice), None);
    assert!(ring.expected_panic(Some("cut"), of_slice).is_some());
    // What is not passed is not out of range.
    let pile = harness("Pile", &[]);
    assert_eq!(pile.expected_panic(Some("weigh"), of_slice), None);
    assert!(pile.expected_panic(Some("weigh"), "panicked at src/lib.rs:7:9: too heavy").is_some());
}

/// Formats that differ in what is not read are read alike, others are refused by their number.
#[test]
fn formats_are_known_by_their_numbers() {
    let version = |number: u32| {
        let mut value: serde_json::Value = serde_json::from_str(json()).unwrap();
        value["format_version"] = number.into();
        Document::read(&value.to_string())
    };
    let current: serde_json::Value = serde_json::from_str(json()).unwrap();
    assert!(
        beget_discover::FORMATS.contains(&(current["format_version"].as_u64().unwrap() as u32))
    );
    for number in beget_discover::FORMATS {
        assert_eq!(version(number).unwrap().crate_name(), "fixture");
    }
    let error = version(53).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "rustdoc wrote its format 53, and this program reads the formats 54 to 61"
        ),
        "{error}"
    );
    assert!(matches!(
        Document::read(r#"{"format_version": 57}"#),
        Err(DiscoverError::Unreadable(_))
    ));
    assert!(matches!(Document::read("slab"), Err(DiscoverError::Unreadable(_))));
}
