//! Limits at their ends, what slack adds, what is left out, and excerpts of long lines.

use crate::common;

use std::collections::BTreeSet;

use beget_heap::{Bounds, Layout, PassedBound};
use beget_plan::scope::{
    DerivedInts, FieldValues, MethodsOverride, Overrides, Plan, Resolution, ScopeFile, visible,
};

#[track_caller]
fn resolved_with(text: &str, overrides: &Overrides) -> Resolution {
    common::resolve("x.ron", text, overrides).unwrap_or_else(|problems| panic!("\n{problems}"))
}

#[track_caller]
fn resolved(text: &str) -> Resolution {
    resolved_with(text, &Overrides::default())
}

fn with_slack(slack: u32) -> Overrides {
    Overrides { slack: Some(slack), ..Overrides::default() }
}

/// What is wrong, and the part of the file that is.
fn mistakes_with(text: &str, overrides: &Overrides) -> Vec<(String, String)> {
    match common::resolve("x.ron", text, overrides) {
        Ok(_) => Vec::new(),
        Err(problems) => {
            problems.into_iter().map(|one| (one.message.clone(), one.offending.clone())).collect()
        }
    }
}

fn mistakes(text: &str) -> Vec<(String, String)> {
    mistakes_with(text, &Overrides::default())
}

/// A scope of lists with this at its end.
fn list(rest: &str) -> String {
    format!(r#"(suite: "test::list", k: 3, objects: {{"*": "k"}}, ints: "0..k", {rest})"#)
}

/// A scope of pages with this at its end.
fn pages(rest: &str) -> String {
    format!(r#"(suite: "test::pages", k: 2, objects: {{}}, {rest})"#)
}

const LITERALS_REFUSED: &str =
    "the methods have more than 1000000 literals together, or more than 64 MiB of them";

fn pair(message: &str, offending: &str) -> (String, String) {
    (message.to_owned(), offending.to_owned())
}

#[test]
fn a_million_values_are_taken_and_one_more_is_refused() {
    let ints = |range: &str| list(r#"methods: Only(["new"])"#).replace("0..k", range);
    assert_eq!(mistakes(&ints("0..1000000")), []);
    let message = "the range has 1000001 values; more than 1000000 are refused";
    assert_eq!(mistakes(&ints("0..1000001")), [pair(message, "0..1000001")]);
    assert_eq!(mistakes_with(&ints("1..999999"), &with_slack(1)), []);
    let message = "with slack 1 the range has 1000001 values; more than 1000000 are refused";
    assert_eq!(mistakes_with(&ints("0..999999"), &with_slack(1)), [pair(message, "0..999999")]);

    let rich = |chars: &str| {
        format!(
            r#"(suite: "test::rich", k: 1, objects: {{"*": 1}}, arrays: 1, chars: "{chars}", methods: Only(["new"]))"#
        )
    };
    // 2,048 numbers below are no characters.
    assert_eq!(mistakes(&rich(r"'\u{0}'..='\u{f4a3f}'")), []);
    let message = "the range has 1000001 characters; more than 1000000 are refused";
    assert_eq!(mistakes(&rich(r"'\u{0}'..='\u{f4a40}'"))[0].0, message);
}

#[test]
fn a_file_may_have_four_mebibytes_and_no_more() {
    let of_len = |len: usize| {
        let text = list("methods: Only([\"new\"])");
        let comment = "x".repeat(len - text.len() - "/**/".len());
        format!("/*{comment}*/{text}")
    };
    assert_eq!(mistakes(&of_len(4 << 20)), []);
    let problems = ScopeFile::parse("x.ron", &of_len((4 << 20) + 1)).unwrap_err();
    let messages: Vec<_> = problems.iter().map(|one| &*one.message).collect();
    assert_eq!(messages, ["the file has more than 4 MiB: refused"]);
}

#[test]
fn ten_million_calls_on_a_structure_are_taken_and_one_more_is_refused() {
    // Besides, there is one call of `new`: 1 + 2151 * 4649 = 10,000,000.
    let marks = |one: u32, other: u32| {
        let params = format!(r#"{{"mark.one": "0..{one}", "mark.other": "0..{other}"}}"#);
        pages(&format!(r#"arrays: 0, params: {params}, methods: Only(["new", "mark"])"#))
    };
    let plan = resolved(&marks(2151, 4649)).plan;
    // A method that means no structure counts as if it meant one.
    let calls = |planned: &beget_plan::scope::PlannedMethod| {
        planned.n_tuples() * planned.n_meant(plan.suite.method(planned.method))
    };
    assert_eq!(plan.methods.iter().map(calls).collect::<Vec<_>>(), [1, 9_999_999]);
    let message = "method `mark` would be called in 10000000 ways on each structure; more than 10000000 for \
                   all methods together are refused";
    assert_eq!(mistakes(&marks(2000, 5000)), [pair(message, "test::pages")]);
    let problems = common::resolve("x.ron", &marks(2000, 5000), &Overrides::default());
    let help = r#"give its parameters fewer literals: `params: {"mark.one": "0..k"}`"#;
    assert_eq!(problems.unwrap_err().iter().next().unwrap().help.as_deref(), Some(help));
}

#[test]
fn a_call_means_its_arguments_and_its_results() {
    let plan = resolved(&list("")).plan;
    let meant = plan.methods.iter().map(|one| one.n_meant(plan.suite.method(one.method)));
    // One that is made, one that is changed, and twice two.
    assert_eq!(meant.collect::<Vec<_>>(), [1, 1, 1, 1, 2, 1]);
}

#[test]
fn slack_raises_every_bound() {
    let text = list(r#"arrays: 4, fields: {"*": "0..=k", "List.size": [7]}, slack: 2"#)
        .replace(r#"{"*": "k"}"#, r#"{"*": "k", "Node": 5, "List": 1}"#);
    let plan = resolved(&text).plan;
    let proper = plan.slack.as_ref().unwrap();
    let size = ("List<i32>".to_owned(), "size".to_owned());
    let expected = Bounds {
        objects: [("Node".to_owned(), 5), ("List<i32>".to_owned(), 1)].into(),
        other_objects: 3,
        arrays: 4,
        text: 4,
        common_int: 5,
        omitted: BTreeSet::new(),
        ints: vec![0..=3],
        field_ints: [(size.clone(), vec![7..=7])].into(),
    };
    assert_eq!(proper.bounds, expected);
    let raised = Bounds {
        objects: [("Node".to_owned(), 7), ("List<i32>".to_owned(), 3)].into(),
        other_objects: 5,
        arrays: 6,
        text: 6,
        ints: vec![-2..=5],
        field_ints: [(size, vec![5..=9])].into(),
        ..expected
    };
    assert_eq!(plan.bounds, raised);
}

#[test]
fn the_layout_of_any_integers_has_no_ranges() {
    let plan = resolved(&list(r#"fields: {"*": "0..=k", "List.size": [7]}"#)).plan;
    let of = |plan: &Plan, bounds: &Bounds| format!("{:?}", Layout::new(plan.schema(), bounds));
    let free = Bounds { ints: vec![], field_ints: [].into(), ..plan.bounds.clone() };
    assert_eq!(format!("{:?}", plan.layout()), of(&plan, &plan.bounds));
    assert_eq!(format!("{:?}", plan.layout_of_any_ints()), of(&plan, &free));
    for (ints, field_ints) in [(true, false), (false, true)] {
        let half = Bounds {
            ints: if ints { plan.bounds.ints.clone() } else { vec![] },
            field_ints: if field_ints { plan.bounds.field_ints.clone() } else { [].into() },
            ..free.clone()
        };
        assert_ne!(of(&plan, &free), of(&plan, &half));
    }
}

#[test]
fn ranges_that_touch_are_joined() {
    let beside = std::collections::BTreeSet::new();
    let derived = DerivedInts { literals: 0..=2, margin: 1, beside };
    let ranges = |constructed: &[i128]| derived.ranges(&constructed.iter().copied().collect());
    assert_eq!(ranges(&[]), [-1..=3]);
    // 4..=6 and -4..=-2 touch -1..=3, and 8..=10 does not touch what they come to.
    assert_eq!(ranges(&[5]), [-1..=6]);
    assert_eq!(ranges(&[-3]), [-4..=3]);
    assert_eq!(ranges(&[5, 9]), [-1..=6, 8..=10]);
    assert_eq!(ranges(&[9]), [-1..=3, 8..=10]);
    assert_eq!(ranges(&[-9]), [-1..=3, -10..=-8]);
    assert_eq!(ranges(&[i64::MAX.into()]), [-1..=3]);
    let derived = DerivedInts { beside: [9, 5].into(), ..derived.clone() };
    assert_eq!(derived.ranges(&[-9].into()), [-1..=6, -10..=-8, 8..=10]);
}

#[test]
fn the_exact_name_of_a_class_wins_in_any_order() {
    for objects in
        [r#"{"*": 9, "List": 1, "List<i32>": 2}"#, r#"{"*": 9, "List<i32>": 2, "List": 1}"#]
    {
        let plan = resolved(&list("").replace(r#"{"*": "k"}"#, objects)).plan;
        assert_eq!(plan.bounds.objects, [("List<i32>".to_owned(), 2)].into(), "{objects}");
    }
}

#[test]
fn methods_without_literals_or_bounds_can_be_left_out() {
    let overrides =
        Overrides { methods: Some(MethodsOverride::WithLiterals), ..Overrides::default() };
    let text = pages(r#"strings: ["a"], params: {"mark.one": [1]}"#);
    let resolution = resolved_with(&text, &overrides);
    let plan = &resolution.plan;
    let names = plan.methods.iter().map(|one| plan.suite.method(one.method).name);
    assert_eq!(names.collect::<Vec<_>>(), ["new"]);
    let of = |method: &str| plan.suite.find_method(method).unwrap();
    let left_out = resolution.left_out.iter().map(|one| (one.method, &*one.reason));
    let expected = [
        (of("move_to"), "no `ints` for `move_to.point: Point`"),
        (of("link"), "no `ints` for `link.pair: (u16, u16)`"),
        (of("scale"), "no `floats` for `scale.factor: f32`"),
        (of("mark"), "no `ints` for `mark.other: u16`"),
        (of("fill"), "no bound for the length of `fill.values: Vec<u8>`"),
    ];
    assert_eq!(left_out.collect::<Vec<_>>(), expected);
    // With literals for them, and a bound, nothing is.
    let text = pages(r#"arrays: 1, ints: [1], floats: [1], strings: ["a"]"#);
    assert_eq!(resolved_with(&text, &overrides).left_out, []);
}

#[test]
fn a_constructor_is_a_method_that_makes_a_structure_from_nothing() {
    let message = "no constructor among the methods: nothing can be built";
    let text = pages(r#"arrays: 1, ints: [1], methods: Only(["mark"])"#);
    assert_eq!(mistakes(&text), [pair(message, r#"Only(["mark"])"#)]);
    // As if it had a parameter without literals: left out with it, nothing can be built.
    let mut suite = (*common::pages()).clone();
    suite.methods[0].params = suite.methods[4].params.clone();
    let overrides =
        Overrides { methods: Some(MethodsOverride::WithLiterals), ..Overrides::default() };
    let file = ScopeFile::parse("x.ron", &pages("arrays: 1")).unwrap();
    let problems = file.resolve(&suite.into(), &overrides, &common::no_files).unwrap_err();
    let found: Vec<_> = problems.iter().map(|one| (&*one.message, &*one.offending)).collect();
    assert_eq!(found, [(message, "test::pages")]);
}

#[test]
fn a_type_with_a_text_needs_a_bound_of_its_length() {
    let message = "no bound for the length of the text in `Page.title`";
    assert_eq!(mistakes(&pages(r#"methods: Only(["new"])"#)), [pair(message, "test::pages")]);
    assert_eq!(mistakes(&pages(r#"strings: ["a"], methods: Only(["new"])"#)), []);
    assert_eq!(mistakes(&pages(r#"arrays: 1, methods: Only(["new"])"#)), []);
}

#[test]
fn the_values_of_a_search_space_are_read_by_the_kind_of_the_field() {
    let text = pages(
        r#"arrays: 1, methods: Only(["new"]), repoks: {
            "a": (arrays: "k", fields: {"Page.title": ["k", "b"], "Page.n": ["k", 7]}),
            "b": (fields: {"Page.n": "null | 0..0 | k..k + 1"}),
        }"#,
    );
    let finitizations = resolved(&text).finitizations;
    assert_eq!(finitizations[0].arrays, 0..3);
    let text = |text: &str| FieldValues::Text(text.to_owned());
    assert_eq!(finitizations[0].fields[0].values, [text("k"), text("b")]);
    let ints = |value| FieldValues::Ints(value..=value);
    assert_eq!(finitizations[0].fields[1].values, [ints(2), ints(7)]);
    assert_eq!(finitizations[1].fields[0].values, [FieldValues::Null, ints(2)]);
}

#[test]
fn a_rule_for_a_field_without_integers_is_refused_once() {
    let rule = |rule: &str| mistakes(&list(&format!(r#"fields: {{"List.size": {rule}}}"#)));
    let takes_integers = "a rule for a field takes integers";
    assert_eq!(rule("[]"), [pair(takes_integers, "[]")]);
    assert_eq!(rule(r#""0..0""#), [pair(takes_integers, "0..0")]);
    let messages = rule(r#""0..n""#);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0].1, "n");
}

#[test]
fn a_user_s_type_takes_integers_for_one_parameter() {
    let text =
        pages(r#"arrays: 1, params: {"move_to.point": [3, 1]}, methods: Only(["new", "move_to"])"#);
    assert_eq!(format!("{:?}", resolved(&text).plan.methods[1].domains), "[[Point(3), Point(1)]]");
}

#[test]
fn mistakes_in_literals_stand_where_the_literals_do() {
    let scale = r#"methods: Only(["new", "scale"])"#;
    let text = pages(&format!("arrays: 1, ints: [1], floats: [0.5, 1e300], {scale}"));
    let message = "the literal 1e300 does not fit `f32` in `scale.factor: f32`";
    assert_eq!(mistakes(&text), [pair(message, "[0.5, 1e300]")]);

    let refused = |params: &str| {
        format!(
            "too many literals for {params}: more than 1000000, or more than 64 MiB, are refused"
        )
    };
    for arrays in ["22", "\"k + 20\""] {
        let fill = r#"methods: Only(["new", "fill"])"#;
        let text = pages(&format!(r#"arrays: {arrays}, ints: "0..2", {fill}"#));
        let found = pair(&refused("`fill.values: Vec<u8>`"), arrays.trim_matches('"'));
        assert_eq!(mistakes(&text), [found]);
        let link = r#"methods: Only(["new", "link"])"#;
        let text = pages(&format!(r#"arrays: {arrays}, ints: "0..1001", {link}"#));
        assert_eq!(mistakes(&text), [pair(&refused("`link.pair: (u16, u16)`"), "0..1001")]);
    }
    let text = list("").replace("0..k", "0..400000");
    assert_eq!(mistakes(&text), [pair(LITERALS_REFUSED, "test::list")]);
    // With slack, a list stays as it is, and what it has too large is still refused.
    let text = list("slack: 1").replace(r#""0..k""#, "[0, -1]");
    let message = "the literal -1 does not fit `usize` in `remove_index.index: usize`";
    assert_eq!(mistakes(&text), [pair(message, "-1")]);
}

/// The lines of the message that show the file and mark what is wrong, without their frames.
fn shown(text: &str) -> (String, String) {
    let problems = common::resolve("x.ron", text, &Overrides::default()).unwrap_err();
    let message = problems.iter().next().unwrap().to_string();
    let mut lines = message.lines().skip(3).map(|line| line[5..].to_owned());
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn of_a_long_line_forty_characters_are_shown_on_both_sides() {
    let long = |before: usize, after: usize| {
        let (before, after) = ("x".repeat(before), "y".repeat(after));
        list("").replace(r#""k""#, &format!(r#"/*{before}*/"n"/*{after}*/"#))
    };
    let marks = |before: usize, n: usize| format!("{}{}", " ".repeat(before), "^".repeat(n));
    // In the middle: 3 characters before and after the name are not part of the fillers.
    let (line, marked) = shown(&long(500, 500));
    let sides = (format!("{}*/\"", "x".repeat(37)), format!("\"/*{}", "y".repeat(37)));
    assert_eq!((line, marked), (format!("...{}n{}...", sides.0, sides.1), marks(43, 1)));
    // At the start and at the end.
    let start = format!("(objects: {{\"*\": \"n\"/*{}", "y".repeat(500));
    let text = format!(r#"{start}*/}}, suite: "test::list", k: 3, ints: "0..k")"#);
    let (line, marked) = shown(&text);
    assert_eq!((line, marked), (format!("{}...", &start[..17 + 1 + 40]), marks(17, 1)));
    let end = format!("/*{}*/objects: {{\"*\": \"n\"}})", "x".repeat(500));
    let (line, marked) = shown(&format!(r#"(suite: "test::list", k: 3, ints: "0..k", {end}"#));
    let shown_end = &end[end.len() - 4 - 40..];
    assert_eq!((line, marked), (format!("...{shown_end}"), marks(43, 1)));
    // A line of 400 characters is shown as it is.
    let text = long(0, 0);
    let text = long(0, 400 - text.len());
    assert_eq!(shown(&text), (text.clone(), marks(text.find("\"n\"").unwrap() + 1, 1)));
}

#[test]
fn what_cannot_be_seen_is_shown_by_a_picture() {
    let text = "a\t\0\u{1f}\u{7f}\u{80}\u{9f}\u{a0}\u{200b}\u{202e}\u{2066}\u{feff}z";
    let shown =
        "a\u{2409}\u{2400}\u{241f}\u{2421}\u{fffd}\u{fffd}\u{a0}\u{fffd}\u{fffd}\u{fffd}\u{fffd}z";
    assert_eq!(visible(text), shown);
    assert_eq!(visible(&"x".repeat(400)), "x".repeat(400));
    assert_eq!(visible(&"x".repeat(401)), format!("{}...", "x".repeat(400)));
}

#[test]
fn a_syntax_error_stands_at_the_character_that_is_not_expected() {
    let problems = ScopeFile::parse("x.ron", "Scope(suite: \"é\" é: 3)").unwrap_err();
    let problem = problems.iter().next().unwrap();
    assert_eq!((problem.line, problem.column, &*problem.offending), (1, 18, "é"));
    assert_eq!((&problems).into_iter().count(), 1);
    assert_eq!(mistakes("(suite: ?, k: 3)"), [pair("expected a value", "?")]);
    let digits = "invalid escape sequence: expected at most 6 digits and `}`";
    let seven = mistakes(r#"(suite: "\u{0000041}", k: 3)"#);
    assert_eq!(seven.iter().map(|one| &*one.0).collect::<Vec<_>>(), [digits]);
    for before in ["", " /* é */ ", "// a line\n"] {
        let text = format!("{before}Scoop(suite: \"x\", k: 3)");
        let problems = ScopeFile::parse("x.ron", &text).unwrap_err();
        assert_eq!(problems.iter().next().unwrap().offending, "Scoop", "{before}");
    }
}

#[track_caller]
fn check_nothing_built(text: &str, passed: PassedBound, calls: u64, shown: (&str, &str)) {
    let file = ScopeFile::parse("x.ron", text).unwrap();
    let diagnostic = file.nothing_built(passed, calls, &common::list().schema());
    let (what, offending) = shown;
    let message = format!("no structure was built: {what} than the scope allows");
    assert_eq!((&*diagnostic.message, &*diagnostic.offending), (&*message, offending));
    let help = match passed {
        PassedBound::Ints | PassedBound::Field { .. } => "write a range that has it, or `any`",
        PassedBound::Arrays | PassedBound::Texts => {
            "write a larger number, such as `arrays: 16` (`arrays = 16` in `check!`), or a larger `k`"
        }
        PassedBound::Returned => "skip the method, or declare one that returns fewer",
        _ => "write a larger number here, or a larger `k`",
    };
    assert_eq!(diagnostic.help.as_deref(), Some(help));
}

#[test]
fn the_bound_that_every_constructor_passes_is_shown_in_the_file() {
    let schema = common::list().schema();
    let position = |name: &str| {
        let class = schema.classes().iter().position(|class| class.key.name == name).unwrap();
        let fields = schema.classes()[class].fields.iter();
        (class as u16, fields.map(|field| field.name).collect::<Vec<_>>())
    };
    let ((list_class, list_fields), (node, _)) = (position("List<i32>"), position("Node"));
    let size = list_fields.iter().position(|name| *name == "size").unwrap() as u16;
    let nodes = PassedBound::Objects { class: node };
    let of_size = PassedBound::Field { class: list_class, field: size };
    let text = list(
        r#"arrays: "k + 2", fields: {"*": "1..=1", "Node.value": [4], "List<i32>.size": "2..3"}"#,
    );
    let sized = "1 call made another integer in `List.size`";
    check_nothing_built(&text, of_size, 1, (sized, "2..3"));
    let ints = "2 calls made another integer";
    check_nothing_built(&text, PassedBound::Ints, 2, (ints, "1..=1"));
    let objects = "3 calls made more objects of class `Node`";
    check_nothing_built(&text, nodes, 3, (objects, "k"));
    let longer = "1 call made a longer array or collection";
    check_nothing_built(&text, PassedBound::Arrays, 1, (longer, "k + 2"));
    check_nothing_built(&text, PassedBound::Texts, 1, ("1 call made a longer text", "k + 2"));
    // By the exact name, by that of all, and by the suite where there is neither.
    let text = list(r#"fields: {"*": "0..4"}"#);
    check_nothing_built(&text, of_size, 1, (sized, "0..4"));
    let named = list("").replace(r#"{"*": "k"}"#, r#"{"*": 1, "Node": "k + 4"}"#);
    check_nothing_built(&named, nodes, 3, (objects, "k + 4"));
    check_nothing_built(&list(""), of_size, 1, (sized, "test::list"));
    check_nothing_built(&list(""), PassedBound::Ints, 2, (ints, "test::list"));
    check_nothing_built(&list(""), PassedBound::Arrays, 1, (longer, "test::list"));
    let returned = "2 calls made a longer list of structures";
    check_nothing_built(&list(""), PassedBound::Returned, 2, (returned, "test::list"));
}

#[test]
fn a_struct_without_names_has_no_fields() {
    assert_eq!(mistakes(&list("budget: ()")), []);
    let expected = "expected a struct such as `(max_calls: Some(1000000))`";
    assert_eq!(mistakes(&list("budget: (5)")), [pair(expected, "(5)")]);
}
