//! What right scope files come to.

use crate::common;

use beget_heap::Bounds;
use beget_plan::scope::{
    Budget, ErrorRule, FieldLimit, FieldValues, MethodsOverride, Overrides, Plan, Resolution,
    ScopeFile, first_difference,
};

const LIST: &str = r#"Scope(
    suite: "test::list",
    k: 3,
    objects: {"*": "k"}, // most nodes
    ints: "0..k",
    omit_fields: "mod_count",
    params: {"remove_index.index": "0..=k"},
    repoks: {
        "published": (
            objects: {"Node": "k + 1"},
            fields: {"List.size": "0..=k", "List.head": "null | Node", "Node.value": "null | 0..k"},
        ),
    },
)"#;

#[track_caller]
fn resolved(text: &str, overrides: &Overrides) -> Resolution {
    common::resolve("scopes/x.ron", text, overrides)
        .unwrap_or_else(|problems| panic!("\n{problems}"))
}

fn plan(text: &str) -> Plan {
    resolved(text, &Overrides::default()).plan
}

/// `name(a, b | c)` for each method, with the literals of its parameters.
fn shown(plan: &Plan) -> Vec<String> {
    let show = |method: &beget_plan::scope::PlannedMethod| {
        let domains = method.domains.iter().map(|domain| {
            domain.iter().map(|literal| literal.source.as_str()).collect::<Vec<_>>().join(", ")
        });
        let name = plan.suite.method(method.method).name;
        format!("{name}({})", domains.collect::<Vec<_>>().join(" | "))
    };
    plan.methods.iter().map(show).collect()
}

#[test]
fn methods_come_in_suite_order_with_their_literals() {
    let plan = plan(LIST);
    let expected = [
        "new()",
        "add_first(0, 1, 2)",
        "add_last(0, 1, 2)",
        "remove_index(0, 1, 2, 3)",
        "append()",
        "clear()",
    ];
    assert_eq!(shown(&plan), expected);
    assert_eq!(plan.methods[4].structures.len(), 2);
}

#[test]
fn bounds_say_what_the_file_says() {
    let plan = plan(LIST);
    let omitted = [("Node".to_owned(), "mod_count".to_owned())].into();
    let expected = Bounds { arrays: 0, text: 0, common_int: 3, omitted, ..Bounds::uniform(3) };
    assert_eq!(plan.bounds, expected);
    assert!(plan.layout().has_omitted());
    assert!(plan.slack.is_none());
    assert_eq!(plan.misuse.errors, ErrorRule::MisuseUnlessChanged);
}

#[test]
fn overrides_win_over_the_file() {
    let overrides = Overrides {
        k: Some(1),
        methods: Some(MethodsOverride::Only(vec!["add_last".into(), "new".into()])),
        budget: Budget { max_calls: Some(5), ..Budget::default() },
        ..Overrides::default()
    };
    let text =
        LIST.replace("k: 3,", "k: 3, budget: (max_calls: Some(9), max_seconds: 2, max_levels: 7),");
    let plan = resolved(&text, &overrides).plan;
    assert_eq!(shown(&plan), ["new()", "add_last(0)"]);
    assert_eq!(plan.bounds.other_objects, 1);
    assert_eq!(plan.budget.max_calls, Some(5));
    assert_eq!(plan.budget.max_seconds, Some(2.0));
    assert_eq!(plan.budget.max_levels, Some(7));
}

#[test]
fn except_leaves_methods_out() {
    let plan = plan(&LIST.replace("k: 3,", r#"k: 3, methods: Except(["append", "add_first"]),"#));
    let in_use: Vec<_> = plan.methods.iter().map(|method| method.method.index()).collect();
    assert_eq!(in_use, [0, 2, 3, 5]);
}

#[test]
fn builders_are_read_from_a_file_beside_the_scope() {
    let plan = plan(&LIST.replace("k: 3,", r#"k: 3, methods: Builders("list.builders.ron"),"#));
    assert_eq!(shown(&plan), ["new()", "add_last(0, 1, 2)"]);
}

#[test]
fn a_class_may_be_named_without_its_parameters_and_wins_over_the_star() {
    let objects = r#"objects: {"*": 7, "List": 1, "Node": "2*k"},"#;
    let plan = plan(&LIST.replace(r#"objects: {"*": "k"},"#, objects));
    let named = [("List<i32>".to_owned(), 1), ("Node".to_owned(), 6)];
    assert_eq!(plan.bounds.objects, named.into());
    assert_eq!(plan.bounds.other_objects, 7);
    assert_eq!(plan.bounds.common_int, 7);
}

#[test]
fn the_class_of_the_type_itself_needs_no_bound() {
    let plan = plan(&LIST.replace(r#""*": "k""#, r#""Node": "k""#));
    assert_eq!(plan.bounds.objects, [("Node".to_owned(), 3)].into());
    assert_eq!(plan.bounds.other_objects, u32::MAX);
}

#[test]
fn slack_widens_bounds_and_ranges_and_keeps_the_scope_proper() {
    let overrides = Overrides { slack: Some(2), ..Overrides::default() };
    let plan = resolved(LIST, &overrides).plan;
    let literals = "-2, -1, 0, 1, 2, 3, 4";
    assert_eq!(shown(&plan)[1], format!("add_first({literals})"));
    assert_eq!(shown(&plan)[3], "remove_index(0, 1, 2, 3, 4, 5)");
    assert_eq!((plan.bounds.other_objects, plan.bounds.common_int), (5, 5));
    let proper = plan.slack.as_ref().unwrap();
    assert_eq!(proper.bounds.other_objects, 3);
    let limit = |class: &str, field: &str, values| FieldLimit {
        class: class.to_owned(),
        field: field.to_owned(),
        values: vec![values],
    };
    assert_eq!(proper.fields, [limit("List<i32>", "size", 0..=3), limit("Node", "value", 0..=2)]);
    assert!(proper.fields[1].allows(2) && !proper.fields[1].allows(3));
}

#[test]
fn slack_leaves_lists_alone() {
    let overrides = Overrides { slack: Some(2), ..Overrides::default() };
    let plan = resolved(&LIST.replace(r#""0..k""#, r#"[5, "k", 5]"#), &overrides).plan;
    assert_eq!(shown(&plan)[1], "add_first(5, 3)");
}

#[test]
fn a_finitization_has_pools_for_every_class_and_domains_in_the_order_of_the_file() {
    let finitizations = resolved(LIST, &Overrides::default()).finitizations;
    let [published] = &finitizations[..] else { panic!("one finitization") };
    assert_eq!(published.name, "published");
    assert_eq!(published.objects, [("Node".to_owned(), 4)].into());
    assert_eq!(published.arrays, 0..1);
    let domains: Vec<_> = published
        .fields
        .iter()
        .map(|domain| (&*domain.class, &*domain.field, &domain.values[..]))
        .collect();
    let expected: [(&str, &str, &[FieldValues]); 3] = [
        ("List<i32>", "size", &[FieldValues::Ints(0..=3)]),
        ("List<i32>", "head", &[FieldValues::Null, FieldValues::Objects("Node".into())]),
        ("Node", "value", &[FieldValues::Null, FieldValues::Ints(0..=2)]),
    ];
    assert_eq!(domains, expected);
}

#[test]
fn finitizations_of_arrays_bound_lengths_and_elements() {
    let text = r#"(suite: "test::deque", k: 2, objects: {"VecDeque": 1}, arrays: "k", repoks: {
        "a": (arrays: "1..=k", fields: {"VecDeque<u8>.[]": [0, "k"]}),
        "b": (fields: {"VecDeque.[]": "true | Red"}),
    })"#;
    let finitizations = resolved(text, &Overrides::default()).finitizations;
    assert_eq!(finitizations[0].arrays, 1..3);
    let values = &finitizations[0].fields[0].values;
    assert_eq!(values, &[FieldValues::Ints(0..=0), FieldValues::Ints(2..=2)]);
    assert_eq!(finitizations[1].arrays, 0..3);
    let values = &finitizations[1].fields[0].values;
    assert_eq!(values, &[FieldValues::Bool(true), FieldValues::Variant("Red".into())]);
}

const RICH: &str = r##"#![enable(implicit_some)]
/* every kind of literal */ Scope(
    suite: r#"test::rich"#,
    k: 2, objects: {"*": 0,}, arrays: 1,
    ints: "k - 2..k",
    floats: [0.5, 2],
    bools: [true],
    chars: "'a'..='c'", // three of them
    strings: ["", "bc\"d"],
    enums: {"Color": ["Blue", "Red"]},
    misuse: (errors: false, panics: ["out of \\w+"]),
    methods: All,
)"##;

#[test]
fn every_kind_of_literal_has_its_field() {
    let plan = plan(RICH);
    let expected = [
        "new()",
        "add(0, 1)",
        "paint(Color::Blue, Color::Red)",
        "mark('a', 'b', 'c')",
        r#"name("", "bc\"d")"#,
        "scale(0.5, 2.0)",
        "flip(true)",
        "extend([], [0], [1])",
    ];
    assert_eq!(shown(&plan), expected);
    assert_eq!(plan.bounds.text, 4);
    assert_eq!(plan.misuse.errors, ErrorRule::Returned);
    assert!(plan.misuse.expects("index out of bounds"));
    assert!(!plan.misuse.expects("out of "));
}

/// Characters by their number in up to six digits, and floats that are written as large integers.
#[test]
fn literals_may_be_written_by_numbers() {
    let params = r#"params: {
        "mark.mark": ['\u{e9}', '\u{0000e9}', '\x41'],
        "name.text": ["\u{00041}\u{10ffff}"],
        "scale.factor": [340282366920938463463374607431768211455, -1],
    }, methods: Only(["new", "mark", "name", "scale"]), omit_fields"#;
    let text = r#"(suite: "test::rich", k: 0, objects: {"*": "k"}, omit_fields: "")"#;
    let expected =
        ["new()", "mark('é', 'A')", r#"name("A\u{10ffff}")"#, "scale(3.402823669209385e38, -1.0)"];
    assert_eq!(shown(&plan(&text.replace("omit_fields", params))), expected);
}

#[test]
fn one_parameter_may_have_literals_of_its_own() {
    let params = r#"params: {
        "add.value": [7],
        "paint.color": ["Green"],
        "mark.mark": ['x'],
        "name.text": ["abcdef"],
        "scale.factor": [1],
        "flip.on": [false, true],
        "extend.values": "0..1",
    }, methods"#;
    let plan = plan(&RICH.replace("methods", params));
    let expected = [
        "new()",
        "add(7)",
        "paint(Color::Green)",
        "mark('x')",
        r#"name("abcdef")"#,
        "scale(1.0)",
        "flip(false, true)",
        "extend([], [0])",
    ];
    assert_eq!(shown(&plan), expected);
    assert_eq!(plan.bounds.text, 6);
}

#[test]
fn enums_and_booleans_take_all_their_values_unless_told_otherwise() {
    let text = r#"(suite: "test::rich", k: 0, objects: {"Node": "k"}, methods: Only(["new", "paint", "flip"]))"#;
    let expected = ["new()", "paint(Color::Red, Color::Green, Color::Blue)", "flip(false, true)"];
    assert_eq!(shown(&plan(text)), expected);
}

#[test]
fn a_pattern_that_matches_no_field_is_warned_of() {
    let text = LIST.replace(r#""mod_count""#, r#""Node.mod_.*|DEFAULT_.*""#);
    let resolved = resolved(&text, &Overrides::default());
    assert_eq!(resolved.plan.bounds.omitted, [("Node".to_owned(), "mod_count".to_owned())].into());
    insta::assert_snapshot!("warning_unused_pattern", resolved.warnings.to_string());
}

#[test]
fn a_large_literal_does_not_widen_every_integer() {
    let plan = plan(&LIST.replace(r#""0..k""#, "[0, 9, 2147483647]"));
    assert_eq!(plan.bounds.common_int, 9);
}

#[test]
fn a_scope_file_tells_its_suite_and_k_before_anything_is_resolved() {
    let file = ScopeFile::parse("scopes/x.ron", LIST).unwrap();
    assert_eq!((file.suite_name(), file.k(), file.path()), ("test::list", Some(3), "scopes/x.ron"));
    assert_eq!(file.text(), LIST);
}

#[test]
fn the_identity_of_a_plan_shows_what_is_different() {
    let identity = |text: &str| plan(text).identity();
    let own = identity(LIST);
    assert_eq!(first_difference(&own, &identity(LIST)), None);
    let value = |name: &str| own.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
    assert_eq!((value("suite"), value("k")), (Some("test::list"), Some("3")));
    assert_eq!(value("method `add_last`"), Some(" with 0, 1, 2"));
    let differs = |old: &str, new: &str| {
        let (name, was, is) = first_difference(&own, &identity(&LIST.replace(old, new))).unwrap();
        (name, was.unwrap_or_default(), is.unwrap_or_default())
    };
    let expected = |name: &str, was: &str, is: &str| (name.into(), was.into(), is.into());
    assert_eq!(differs("k: 3", "k: 4"), expected("k", "3", "4"));
    let omitted = r#"{("Node", "mod_count")}"#;
    assert_eq!(differs("\"mod_count\"", "\"\""), expected("omitted fields", omitted, "{}"));
    // A method of one of them.
    let fewer = differs("ints:", r#"methods: Except(["add_last"]), ints:"#);
    assert_eq!(fewer, expected("method `add_last`", " with 0, 1, 2", ""));
}

/// Every file that one mistyped character makes of `text`.
fn mistyped(text: &str) -> impl Iterator<Item = String> {
    const TYPED: [&str; 6] = ["", "(", "\"", "]", "/*", "é"];
    text.char_indices().flat_map(move |(index, char)| {
        let (before, after) = (&text[..index], &text[index + char.len_utf8()..]);
        TYPED.into_iter().map(move |typed| format!("{before}{typed}{after}"))
    })
}

#[test]
fn no_mistyped_character_makes_it_panic() {
    let suites = [common::list(), common::rich()];
    for text in [LIST, RICH] {
        for mistyped in mistyped(text) {
            let Ok(file) = ScopeFile::parse("x.ron", &mistyped) else { continue };
            if let Some(suite) = suites.iter().find(|suite| suite.name == file.suite_name()) {
                drop(file.resolve(suite, &Overrides::default(), &common::no_files));
            }
        }
        for (end, _) in text.char_indices() {
            drop(ScopeFile::parse("x.ron", &text[..end]));
        }
    }
}

/// 80,000 strings took 42 seconds when each was compared with all before it.
#[test]
fn a_long_list_of_strings_is_read_in_linear_time() {
    let strings: Vec<_> = (0..80_000).map(|index| format!("\"s{index}\"")).collect();
    let text = format!(
        "(suite: \"test::rich\", k: 1, objects: {{\"*\": \"k\"}}, arrays: 1, ints: \"0..k\", chars: ['a'], \
         floats: [0.0, -0.0, NaN, -NaN, 0.0], strings: [{}, \"s0\"])",
        strings.join(", ")
    );
    let plan = common::resolve("x.ron", &text, &Overrides::default()).unwrap().plan;
    let of = |name: &str| {
        let is_it = |planned: &&beget_plan::scope::PlannedMethod| {
            plan.suite.method(planned.method).name == name
        };
        plan.methods.iter().find(is_it).unwrap().domains[0].clone()
    };
    assert_eq!(of("name").len(), 80_000);
    assert_eq!(format!("{:?}", of("scale")), "[0.0, -0.0, f64::NAN]");
}
