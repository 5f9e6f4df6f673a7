//! The scope file as written: fields with their places, nothing resolved yet.

use crate::scope::diagnostic::{Diagnostic, Diagnostics, SourceText, Span, suggest};
use crate::scope::plan::{Budget, ErrorRule};
use crate::scope::read::{
    BUDGET_FIELDS, Bound, DomainSpec, Fields, FileText, MISUSE_FIELDS, RonReader, Spanned,
};
use crate::scope::syntax::Raw;
use beget_suite::StateKind;

/// A parsed scope file. [`ScopeFile::resolve`] turns it into a plan.
#[derive(Clone, Debug)]
pub struct ScopeFile {
    pub(crate) source: SourceText,
    /// Its fields.
    pub scope: Scope,
}

impl ScopeFile {
    /// Reads `text`; `path` is the file's path as the user gave it, for messages and for the paths
    /// inside.
    ///
    /// # Errors All mistakes that show without knowing the suite: syntax, unknown or missing
    /// fields, values of the wrong type.
    pub fn parse(path: &str, text: &str) -> Result<ScopeFile, Diagnostics> {
        let source = SourceText::new(path, text);
        let mut reader = RonReader::new(&source);
        let scope = reader.file("Scope").and_then(|fields| read_scope(&mut reader, &fields));
        let problems = std::mem::take(&mut reader.problems);
        match problems.unless_any(scope)? {
            Some(scope) => Ok(ScopeFile { source, scope }),
            None => unreachable!("a file that cannot be read has a problem"),
        }
    }

    /// The name of its suite.
    pub fn suite_name(&self) -> &str {
        &self.scope.suite.value
    }

    /// The file's path as it was given.
    pub fn path(&self) -> &str {
        &self.source.path
    }

    /// Its text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The file that `methods: Builders(...)` names, as written.
    pub fn builders(&self) -> Option<&str> {
        match &self.scope.methods {
            MethodSelection::Builders(path) => Some(&path.value),
            _ => None,
        }
    }

    /// The requested identity of the main type's structures, if the scope sets one.
    pub fn state(&self) -> Option<StateKind> {
        self.scope.state.as_ref().map(|state| state.value)
    }

    /// The scope's number; `None` for `k: Auto`.
    pub fn k(&self) -> Option<u32> {
        match self.scope.k {
            ScopeNumber::Given(k) => Some(k),
            ScopeNumber::Auto(_) => None,
        }
    }

    /// Returns whether a check includes the contract of that name.
    pub fn asks_contract(&self, name: &str) -> bool {
        let is_named = |names: &[FileText]| names.iter().any(|text| text.value == name);
        match &self.scope.contracts {
            ContractSelection::All => true,
            ContractSelection::Off => false,
            ContractSelection::Only(names) => is_named(names),
            ContractSelection::Except(names) => !is_named(names),
        }
    }

    /// Rejects names that are not among the `known` contracts.
    ///
    /// # Errors
    ///
    /// A diagnostic for each of these names.
    pub fn check_contracts(&self, known: &[&str]) -> Result<(), Diagnostics> {
        let (ContractSelection::Only(names) | ContractSelection::Except(names)) =
            &self.scope.contracts
        else {
            return Ok(());
        };
        self.refuse_others("contract", names, known)
    }

    /// Rejects `repoks` of names that are not among the `known` repOKs.
    ///
    /// # Errors
    ///
    /// A diagnostic for each of these names.
    pub fn check_repoks(&self, known: &[&str]) -> Result<(), Diagnostics> {
        self.refuse_others("repOK", self.scope.repoks.iter().map(|repok| &repok.name), known)
    }

    /// Rejects the `names` of a kind of thing that are not `known`.
    fn refuse_others<'n>(
        &self,
        kind: &str,
        names: impl IntoIterator<Item = &'n FileText>,
        known: &[&str],
    ) -> Result<(), Diagnostics> {
        let mut problems = Diagnostics::default();
        for name in names.into_iter().filter(|name| !known.contains(&name.value.as_str())) {
            problems.push_with(|| {
                let message = format!("no {kind} named `{}`", name.value);
                let help = suggest(&name.value, known.iter().copied());
                self.source.error(name.inside(), message).maybe_help(help)
            });
        }
        problems.unless_any(())
    }
}

/// The message if the suite of a scope file is not among the `known` ones.
pub fn unknown_suite(file: &ScopeFile, known: &[&str]) -> Diagnostic {
    let name = &file.scope.suite;
    let message = format!("no suite named `{}`", name.value);
    file.source
        .error(name.inside(), message)
        .maybe_help(suggest(&name.value, known.iter().copied()))
}

/// The fields of a scope file, as written: those that need no suite are public.
#[derive(Clone, Debug)]
pub struct Scope {
    pub(crate) suite: FileText,
    pub(crate) k: ScopeNumber,
    /// The least k that a check with `k: Auto` must exhaust.
    pub at_least: Option<u32>,
    pub(crate) objects: Vec<(FileText, Bound)>,
    pub(crate) arrays: Option<Bound>,
    pub(crate) domains: Domains,
    pub(crate) params: Vec<(FileText, DomainSpec)>,
    pub(crate) omit_fields: Option<FileText>,
    /// The identity of the main type's structures, if it differs from the suite's.
    pub(crate) state: Option<Spanned<StateKind>>,
    /// The integers that fields may hold, or `skip`.
    pub(crate) fields: Vec<(FileText, DomainSpec)>,
    pub(crate) methods: MethodSelection,
    /// The place of the value of `methods`, or a substitute.
    pub(crate) methods_at: Span,
    pub(crate) errors: ErrorRule,
    pub(crate) misuse_panics: Vec<FileText>,
    pub(crate) keeps_panicked: bool,
    pub(crate) contracts: ContractSelection,
    /// The budget of the file.
    pub budget: Budget,
    /// True if a check goes on after the level with the first failure.
    pub(crate) goes_on: bool,
    /// True if a check may pass whose space is almost empty.
    pub accepts_thin: bool,
    /// True if warnings fail a check, false if not; none if the scope says nothing.
    pub is_strict: Option<bool>,
    /// The requested slack.
    pub slack: u32,
    pub(crate) probe: u32,
    pub(crate) repoks: Vec<RepokScope>,
}

/// The number that scales a scope.
#[derive(Clone, Debug)]
pub(crate) enum ScopeNumber {
    Given(u32),
    /// One k after the other, in a check. Holds the place of the word.
    Auto(Span),
}

/// The literals by kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    pub(crate) ints: Option<DomainSpec>,
    pub(crate) floats: Option<DomainSpec>,
    pub(crate) bools: Option<DomainSpec>,
    pub(crate) chars: Option<DomainSpec>,
    pub(crate) strings: Option<DomainSpec>,
    pub(crate) enums: Vec<(FileText, Vec<FileText>)>,
}

#[derive(Clone, Debug)]
pub(crate) enum MethodSelection {
    All,
    Only(Vec<FileText>),
    Except(Vec<FileText>),
    Builders(FileText),
}

/// The contracts that a check includes. The scope does not know their names.
#[derive(Clone, Debug)]
pub(crate) enum ContractSelection {
    All,
    Off,
    Only(Vec<FileText>),
    Except(Vec<FileText>),
}

/// The search space of one repOK.
#[derive(Clone, Debug)]
pub(crate) struct RepokScope {
    pub(crate) name: FileText,
    pub(crate) objects: Vec<(FileText, Bound)>,
    /// A number or a range.
    pub(crate) arrays: Option<Bound>,
    pub(crate) fields: Vec<(FileText, DomainSpec)>,
}

const FIELDS: [&str; 25] = [
    "suite",
    "k",
    "at_least",
    "objects",
    "arrays",
    "ints",
    "floats",
    "bools",
    "chars",
    "strings",
    "enums",
    "params",
    "omit_fields",
    "state",
    "fields",
    "methods",
    "misuse",
    "contracts",
    "budget",
    "all",
    "thin",
    "strict",
    "slack",
    "probe",
    "repoks",
];

fn read_scope<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> Option<Scope> {
    reader.allow_only(fields, &FIELDS);
    let suite = reader.required(fields, "suite", "\"...\"").and_then(|raw| reader.text(raw));
    let k = reader.required(fields, "k", "3").and_then(|raw| read_k(reader, raw));
    let at_least = read_at_least(reader, fields, k.as_ref());
    let methods = fields.get("methods").and_then(|raw| read_methods(reader, raw));
    let (errors, misuse_panics, keeps_panicked) = read_misuse(reader, fields);
    let scope = Scope {
        k: k.unwrap_or(ScopeNumber::Given(0)),
        at_least,
        objects: read_objects(reader, fields),
        arrays: fields.get("arrays").and_then(|raw| reader.bound(raw)),
        domains: read_domains(reader, fields),
        params: read_domain_map(reader, fields, "params", r#"{"push.value": "0..k"}"#),
        omit_fields: fields.get("omit_fields").and_then(|raw| reader.text(raw)),
        state: fields.get("state").and_then(|raw| read_state(reader, raw)),
        fields: read_domain_map(reader, fields, "fields", r#"{"Stack.len": "0..=k"}"#),
        methods: methods.unwrap_or(MethodSelection::All),
        methods_at: match (fields.get("methods"), &suite) {
            (Some(raw), _) => raw.span(),
            (None, Some(suite)) => suite.inside(),
            (None, None) => 0..0,
        },
        errors,
        misuse_panics,
        keeps_panicked,
        contracts: read_contracts(reader, fields),
        budget: read_budget(reader, fields),
        goes_on: fields.get("all").and_then(|raw| reader.boolean(raw)).unwrap_or(false),
        accepts_thin: fields.get("thin").and_then(|raw| reader.boolean(raw)).unwrap_or(false),
        is_strict: fields.get("strict").and_then(|raw| reader.boolean(raw)),
        slack: fields.get("slack").and_then(|raw| number(reader, raw)).unwrap_or(0),
        probe: fields.get("probe").and_then(|raw| number(reader, raw)).unwrap_or(0),
        repoks: read_repoks(reader, fields),
        suite: suite?,
    };
    Some(scope)
}

fn read_k<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<ScopeNumber> {
    match reader.variant(raw) {
        ("Auto", None) => Some(ScopeNumber::Auto(raw.span())),
        (name, _) if !name.is_empty() => {
            reader.wrong_variant(raw, &["Auto"], "a number such as `3`, or `Auto`")
        }
        _ => number(reader, raw).map(ScopeNumber::Given),
    }
}

fn read_at_least<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
    k: Option<&ScopeNumber>,
) -> Option<u32> {
    let raw = fields.get("at_least")?;
    if let Some(ScopeNumber::Given(k)) = k {
        let message =
            format!("`at_least` goes with `k: Auto`: at `k: {k}` all of the scope is tried");
        reader.problem(raw.span(), message, Some("write `k: Auto`, or leave it out".to_owned()));
        return None;
    }
    number(reader, raw)
}

fn number<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<u32> {
    let wanted = format!("an integer from 0 to {}", u32::MAX);
    reader.number(raw, &wanted)
}

fn read_objects<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> Vec<(FileText, Bound)> {
    let Some(raw) = fields.get("objects") else { return Vec::new() };
    let entries = reader.map(raw, r#"{"*": "k"}"#);
    let bounds = entries.into_iter().filter_map(|(name, raw)| Some((name, reader.bound(raw)?)));
    bounds.collect()
}

fn read_domain_map<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
    name: &str,
    example: &str,
) -> Vec<(FileText, DomainSpec)> {
    let Some(raw) = fields.get(name) else { return Vec::new() };
    let entries = reader.map(raw, example);
    let read = |(name, raw)| Some((name, reader.domain(raw, r#""0..k"` or `["a", "b"]"#)?));
    entries.into_iter().filter_map(read).collect()
}

fn read_domains<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> Domains {
    let mut domain = |name, example| fields.get(name).and_then(|raw| reader.domain(raw, example));
    Domains {
        ints: domain("ints", r#""0..k"` or `[0, "k"]"#),
        floats: domain("floats", "[0.0, 1.5]"),
        bools: domain("bools", "[true]"),
        chars: domain("chars", r#""'a'..'d'"` or `['a', 'b']"#),
        strings: domain("strings", r#"["a", "b"]"#),
        enums: read_enums(reader, fields),
    }
}

fn read_enums<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
) -> Vec<(FileText, Vec<FileText>)> {
    let Some(raw) = fields.get("enums") else { return Vec::new() };
    let entries = reader.map(raw, r#"{"Color": ["Red"]}"#);
    let read = |(name, raw)| Some((name, reader.texts(raw, r#"["Red"]"#)?));
    entries.into_iter().filter_map(read).collect()
}

fn read_methods<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<MethodSelection> {
    let names = r#"["new", "push"]"#;
    match reader.variant(raw) {
        ("All", None) => Some(MethodSelection::All),
        ("Only", Some(held)) => reader.texts(held, names).map(MethodSelection::Only),
        ("Except", Some(held)) => reader.texts(held, names).map(MethodSelection::Except),
        ("Builders", Some(held)) => reader.text(held).map(MethodSelection::Builders),
        _ => reader.wrong_variant(
            raw,
            &["All", "Only", "Except", "Builders"],
            r#"`All`, `Only(["new"])`, `Except(["len"])` or `Builders("file.ron")`"#,
        ),
    }
}

fn read_state<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<Spanned<StateKind>> {
    let (name, held) = reader.variant(raw);
    match StateKind::ALL.into_iter().find(|(_, known)| *known == name) {
        Some((value, _)) if held.is_none() => Some(Spanned { value, span: raw.span() }),
        _ => {
            let names = StateKind::ALL.map(|(_, name)| name);
            let wanted = names.map(|name| format!("`{name}`")).join(", ");
            reader.wrong_variant(raw, &names, &wanted)
        }
    }
}

fn read_misuse<'t>(
    reader: &mut RonReader<'t>,
    fields: &Fields<'t>,
) -> (ErrorRule, Vec<FileText>, bool) {
    let Some(raw) = fields.get("misuse") else {
        return (ErrorRule::MisuseUnlessChanged, Vec::new(), false);
    };
    let misuse = reader.fields(raw, "Misuse", "(errors: true, panics: [])").unwrap_or_default();
    reader.allow_only(&misuse, &MISUSE_FIELDS);
    let errors = misuse.get("errors").and_then(|raw| reader.boolean(raw));
    let panics = misuse.get("panics").and_then(|raw| reader.texts(raw, r#"["out of bounds"]"#));
    let keeps_panicked = misuse.get("keep_panicked");
    let keeps_panicked = keeps_panicked.and_then(|raw| reader.boolean(raw));
    let errors = match errors {
        None => ErrorRule::MisuseUnlessChanged,
        Some(true) => ErrorRule::Misuse,
        Some(false) => ErrorRule::Returned,
    };
    (errors, panics.unwrap_or_default(), keeps_panicked.unwrap_or(false))
}

fn read_contracts<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> ContractSelection {
    let Some(raw) = fields.get("contracts") else { return ContractSelection::All };
    let names = r#"["len_is_iteration"]"#;
    let selection = match reader.variant(raw) {
        ("All", None) => Some(ContractSelection::All),
        ("Off", None) => Some(ContractSelection::Off),
        ("Only", Some(held)) => reader.texts(held, names).map(ContractSelection::Only),
        ("Except", Some(held)) => reader.texts(held, names).map(ContractSelection::Except),
        _ => reader.wrong_variant(
            raw,
            &["All", "Off", "Only", "Except"],
            r#"`All`, `Off`, `Only(["len_is_iteration"])` or `Except(["len_is_iteration"])`"#,
        ),
    };
    selection.unwrap_or(ContractSelection::All)
}

fn read_budget<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> Budget {
    let Some(raw) = fields.get("budget") else { return Budget::default() };
    let budget = reader.fields(raw, "Budget", "(max_calls: Some(1000000))").unwrap_or_default();
    let known = BUDGET_FIELDS;
    reader.allow_only(&budget, &known);
    let mut count = |name: &str| {
        let wanted = "`None` or a number such as `Some(1000000)`";
        reader.optional(budget.get(name)?).and_then(|raw| reader.number::<u64>(raw, wanted))
    };
    let (max_calls, max_structures) = (count(known[0]), count(known[1]));
    let (max_memory_mib, max_levels) = (count(known[3]), count(known[4]));
    // A number that does not fit is no limit.
    let max_levels = max_levels.map(|levels| u32::try_from(levels).unwrap_or(u32::MAX));
    let max_seconds = budget.get(known[2]).and_then(|raw| read_seconds(reader, raw));
    let is_enough = budget.get(known[5]).and_then(|raw| reader.boolean(raw));
    let is_enough = is_enough.unwrap_or(false);
    Budget { max_calls, max_structures, max_seconds, max_memory_mib, max_levels, is_enough }
}

fn read_seconds<'t>(reader: &mut RonReader<'t>, raw: Raw<'t>) -> Option<f64> {
    let wanted = "`None` or seconds such as `Some(2.5)`";
    let held = reader.optional(raw)?;
    let seconds = reader.float(held, wanted)?;
    if seconds.is_finite() && seconds >= 0.0 {
        Some(seconds)
    } else {
        reader.wrong_type(raw, wanted)
    }
}

fn read_repoks<'t>(reader: &mut RonReader<'t>, fields: &Fields<'t>) -> Vec<RepokScope> {
    let Some(raw) = fields.get("repoks") else { return Vec::new() };
    let example = r#"{"published": (fields: {"Node.value": "null | 0..k"})}"#;
    let entries = reader.map(raw, example);
    entries.into_iter().map(|(name, raw)| read_repok(reader, name, raw)).collect()
}

fn read_repok<'t>(reader: &mut RonReader<'t>, name: FileText, raw: Raw<'t>) -> RepokScope {
    let fields =
        reader.fields(raw, "Repok", r#"(objects: {"Node": "k"}, fields: {})"#).unwrap_or_default();
    reader.allow_only(&fields, &["objects", "arrays", "fields"]);
    RepokScope {
        name,
        objects: read_objects(reader, &fields),
        arrays: fields.get("arrays").and_then(|raw| reader.bound(raw)),
        fields: read_domain_map(reader, &fields, "fields", r#"{"Node.value": "null | 0..k"}"#),
    }
}
