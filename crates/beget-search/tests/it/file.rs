//! The file of builders: written, read, named by a scope, checked, refused.

#![allow(unreachable_pub, missing_docs, clippy::new_without_default, reason = "a suite's subject")]

use std::sync::Arc;

use beget::{HasSuite, Heap};
use beget_plan::scope::{
    BuildersError, MethodsOverride, Overrides, Plan, ScopeFile, SuiteFileError,
};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Goal, Identification, confirm, identify,
};
use beget_search::builders_file::{BuildersFile, FileError, Recheck};
use beget_search::suite_file::check_suite_file;
use beget_suite::Suite;

/// A switch that clicks.
#[derive(Clone, Debug, Heap)]
pub struct Switch {
    is_on: bool,
    clicks: u8,
}

impl Switch {
    pub fn new() -> Self {
        Switch { is_on: false, clicks: 0 }
    }

    pub fn flip(&mut self) {
        self.is_on = !self.is_on;
    }

    pub fn click(&mut self, times: u8) {
        self.clicks = (self.clicks + times).min(2);
    }

    pub fn click_once(&mut self) {
        self.click(1);
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }
}

beget::suite! {
    #[name = "test::switch"]
    pub suite Switches for Switch {
        fn new() -> Self;
        fn flip(&mut self);
        fn click(&mut self, times: u8);
        fn click_once(&mut self);
        fn is_on(&self) -> bool;
    }
}

const SCOPE: &str = r#"Scope(
    suite: "test::switch",
    k: 2,
    objects: {"*": "k"},
    ints: "0..k",
    methods: Builders("switch.builders.ron"),
)"#;

fn resolve(
    builders: Result<String, String>,
    methods: Option<MethodsOverride>,
) -> Result<Plan, String> {
    let file = ScopeFile::parse("scopes/switch.ron", SCOPE).expect("a scope");
    let files = |path: &str| {
        assert_eq!(path, "scopes/switch.builders.ron");
        builders.clone()
    };
    let overrides = Overrides { methods, ..Overrides::default() };
    let resolved = file.resolve(&Arc::new(Switches::suite()), &overrides, &files);
    resolved
        .map(|resolved| resolved.plan)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn full() -> Plan {
    resolve(Err("not asked for".to_owned()), Some(MethodsOverride::All)).expect("a plan")
}

/// The full API at another k.
fn full_at(k: u32) -> Plan {
    let file = ScopeFile::parse("scopes/switch.ron", SCOPE).expect("a scope");
    let methods = Some(MethodsOverride::All);
    let overrides = Overrides { methods, k: Some(k), ..Overrides::default() };
    let no_files = |_: &str| Err("not asked for".to_owned());
    file.resolve(&Arc::new(Switches::suite()), &overrides, &no_files).expect("a plan").plan
}

fn identified(plan: &Plan) -> Identification {
    identify(plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None).unwrap()
}

fn written() -> BuildersFile {
    let plan = full();
    BuildersFile::new(&plan, &identified(&plan), &[])
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let plan = full();
    let found = identified(&plan);
    let confirmed =
        confirm(&plan, &found.methods, Goal::Everything, Default::default(), &mut |_| None)
            .unwrap();
    let file = BuildersFile::new(&plan, &found, &[confirmed]);
    assert_eq!(BuildersFile::from_ron(&file.to_ron()), Ok(file));
}

#[test]
fn a_file_says_what_each_method_is_needed_for() {
    let text = written().to_ron();
    let expected = r#"// Written by `beget builders`. A scope names this file by `methods: Builders(...)`.
Builders(
    version: 1,
    suite: "test::switch",
    methods: [
        "new",
        "flip",
        "click_once",
    ],
    fingerprint: "#;
    assert!(text.starts_with(expected), "{text}");
    let need = r##"                method: "click_once",
                without: Extent(
                    structures: 2,"##;
    assert!(text.contains(need), "{text}");
    assert!(text.contains("let mut switch = Switch::new();"), "{text}");
    // On or off, after none, one or two clicks.
    let observer = r#"method:"is_on",calls:6,returned:6"#;
    assert!(text.split_whitespace().collect::<String>().contains(observer), "{text}");
    assert!(text.contains("Switch#0 { clicks: 1, is_on: false }"), "{text}");
}

/// The book shows the file of this suite, without some of its parts.
#[test]
fn the_book_shows_a_file_as_it_is_written() {
    let dense = |text: &str| {
        let text: String = text.split_whitespace().collect();
        text.replace(",)", ")").replace(",]", "]")
    };
    let page = include_str!("../../../../docs/src/builders.md");
    let (_, rest) = page.split_once("```ron\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let file = dense(&written().to_ron());
    let parts = shown.lines().filter(|line| !line.trim_start().starts_with("//"));
    for part in parts {
        assert!(file.contains(dense(part).trim_end_matches(',')), "{part}");
    }
}

#[test]
fn a_scope_that_names_a_file_uses_its_methods() {
    let plan = resolve(Ok(written().to_ron()), None).expect("a plan");
    let names: Vec<_> =
        plan.methods.iter().map(|planned| plan.suite.method(planned.method).name).collect();
    assert_eq!(names, ["new", "flip", "click_once"]);
}

/// What the command line does with a file that a scope names.
fn checked(file: &BuildersFile, suite: &Suite) -> Result<String, String> {
    file.check(suite).map_err(|error| error.to_string())?;
    Ok(file.to_ron())
}

#[test]
fn a_file_is_refused_once_a_signature_has_changed() {
    let mut suite = Switches::suite();
    suite.methods[2].signature = "fn click(&mut self, times: u16)";
    let refused = resolve(checked(&written(), &suite), None).expect_err("a refusal");
    assert!(refused.contains("have changed since these builders were certified"), "{refused}");
    // A new method may build more.
    let mut suite = Switches::suite();
    suite.methods.push(beget_suite::Method { name: "more", ..suite.methods[1].clone() });
    let refused = written().check(&suite).expect_err("a refusal");
    assert!(matches!(refused, FileError::File(SuiteFileError::Changed(..))), "{refused}");
    // Their order is no part of it.
    let mut suite = Switches::suite();
    suite.methods.reverse();
    assert_eq!(written().check(&suite), Ok(()));
}

#[test]
fn files_that_say_something_wrong_are_refused() {
    let suite = Switches::suite();
    let check = |change: &dyn Fn(&mut BuildersFile)| {
        let mut file = written();
        change(&mut file);
        file.check(&suite).expect_err("a refusal")
    };
    let other = check(&|file| file.suite = "test::other".into());
    assert!(matches!(other, FileError::File(SuiteFileError::Suite { .. })), "{other}");
    assert!(matches!(
        check(&|file| file.methods[0] = "old".into()),
        FileError::Claim(BuildersError::NoMethod(_))
    ));
    assert_eq!(
        check(&|file| file.methods.truncate(2)),
        FileError::Claim(BuildersError::OtherMethods)
    );
    assert_eq!(
        check(&|file| file.certificate.builders.structures = 3),
        FileError::Claim(BuildersError::Insufficient { full: 6, builders: 3 })
    );
    let newer = written().to_ron().replace("version: 1", "version: 2");
    let newer = BuildersFile::from_ron(&newer).expect_err("a refusal");
    assert!(matches!(newer, FileError::File(SuiteFileError::Version(_, 2))), "{newer}");
    let cut = &written().to_ron()[..200];
    let cut = BuildersFile::from_ron(cut).expect_err("a refusal");
    assert!(matches!(cut, FileError::File(SuiteFileError::Syntax(..))), "{cut}");
}

#[test]
fn a_certificate_is_checked_again_by_calls() {
    let plan = full();
    let recheck = |file: &BuildersFile, how: Recheck| {
        file.recheck(&plan, how, Default::default(), &mut |_| None)
    };
    for how in [Recheck::Builders, Recheck::Everything] {
        assert_eq!(recheck(&written(), how), Ok(()));
    }
    // Somebody has written another digest into both places: calls tell.
    let mut file = written();
    file.certificate.full.digest = "0".repeat(32);
    file.certificate.builders.digest = "0".repeat(32);
    for how in [Recheck::Builders, Recheck::Everything] {
        assert!(matches!(recheck(&file, how), Err(FileError::Differs(_))));
    }
    let mut file = written();
    file.certificate.needs[1].without.structures += 1;
    assert_eq!(recheck(&file, Recheck::Builders), Ok(()));
    let told = recheck(&file, Recheck::Everything).unwrap_err().to_string();
    assert!(
        told.starts_with("generated again, the set without `flip` gives 3 structures"),
        "{told}"
    );
    let mut file = written();
    file.certificate.k = 3;
    assert_eq!(
        recheck(&file, Recheck::Builders),
        Err(FileError::OtherScope { certified: 3, k: 2 })
    );
}

#[test]
fn a_file_belongs_to_its_suite() {
    let file = written();
    assert_eq!(check_suite_file(&file, &Switches::suite()), Ok(()));
    let mut other = Switches::suite();
    other.name = "test::other".to_owned();
    let refused = check_suite_file(&file, &other);
    assert!(matches!(refused, Err(SuiteFileError::Suite { .. })), "{refused:?}");
    let mut changed = Switches::suite();
    changed.methods.pop();
    let refused = check_suite_file(&file, &changed);
    assert!(matches!(refused, Err(SuiteFileError::Changed(..))), "{refused:?}");
}

#[test]
fn the_seal_is_broken_by_any_change() {
    let text = written().to_ron();
    assert_eq!(BuildersFile::check_seal(&text), Ok(()));
    let edited = text.replacen("\"flip\"", "\"flop\"", 1);
    let (unsealed, _) = text.trim_end().rsplit_once('\n').expect("several lines");
    for altered in [&edited, unsealed, &format!("{text}\n"), ""] {
        assert_eq!(BuildersFile::check_seal(altered), Err(FileError::Altered), "{altered}");
    }
}

#[test]
fn all_parts_of_a_certificate_are_checked_again_by_calls() {
    let plan = full();
    let recheck = |change: &dyn Fn(&mut BuildersFile)| {
        let mut file = written();
        change(&mut file);
        let checked = file.recheck(&plan, Recheck::Everything, Default::default(), &mut |_| None);
        checked.map_err(|error| error.to_string())
    };
    let differs = |change: &dyn Fn(&mut BuildersFile), expected: &str| {
        let error = recheck(change).expect_err("another certificate");
        assert!(error.starts_with(&format!("generated again, {expected}")), "{error}");
    };
    differs(&|file| file.certificate.observers[0].calls += 1, "`observers` is ");
    differs(&|file| file.certificate.needs[1].lost = None, "`needs, `flip`: lost` is ");
    let other_methods = "the full API has other methods";
    differs(&|file| file.certificate.among.truncate(4), other_methods);
    // Files of earlier versions do not have them.
    assert_eq!(recheck(&|file| file.certificate.among.clear()), Ok(()));
}

#[test]
fn confirmations_at_larger_scopes_are_checked_again_by_calls() {
    let (plan, larger) = (full(), full_at(3));
    let found = identified(&plan);
    let confirmed =
        confirm(&larger, &found.methods, Goal::Everything, Default::default(), &mut |_| None);
    let file = BuildersFile::new(&plan, &found, &[confirmed.unwrap()]);
    let recheck = |file: &BuildersFile, plan: &Plan| {
        file.recheck_confirmed(plan, Default::default(), &mut |_| None)
    };
    assert_eq!(recheck(&file, &larger), Ok(()));
    let not_there = FileError::OtherScope { certified: 2, k: 4 };
    assert_eq!(recheck(&file, &full_at(4)), Err(not_there));
    let differs = |change: &dyn Fn(&mut BuildersFile), expected: &str| {
        let mut file = file.clone();
        change(&mut file);
        let error = recheck(&file, &larger).expect_err("another result").to_string();
        assert!(error.starts_with(&format!("generated again, {expected}")), "{error}");
    };
    differs(
        &|file| file.certificate.confirmed[0].builders.structures += 1,
        "at k = 3 the builders give 6 structures",
    );
    let lost = |file: &BuildersFile| file.certificate.needs[1].lost.clone();
    differs(
        &|file| file.certificate.confirmed[0].missing = lost(file),
        "`confirmed at k = 3: missing` is None",
    );
    differs(
        &|file| file.certificate.confirmed[0].superfluous = vec!["flip".into()],
        "`confirmed at k = 3: superfluous` is []",
    );
}
