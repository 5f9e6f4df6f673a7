//! Sequences, including recipes, as Rust source.
//!
//! The statements compile without warnings wherever the suite's types are in scope: variables that
//! are not changed are not `mut`, unused results are dropped with `let _`.

mod keys;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::domain::referenced;
use crate::{
    Method, Operand, Output, Param, ParamKind, Passing, Recipe, Sequence, Statement, Suite,
    Variable,
};
use keys::KeyVariables;

/// The statements that build `recipe`, one per line, and the name of the variable that holds the
/// structure; the name is empty if the last call leaves none, as in a witness.
///
/// ```text
/// let mut stack = Stack::new();
/// let _ = stack.push(1);
/// ```
pub fn to_source(suite: &Suite, recipe: &Recipe) -> (String, String) {
    Sequence::of_recipe(suite, recipe).to_source(suite)
}

/// Like [`to_source`] if the last call itself is meant, not a structure: its arguments live on.
pub fn to_call_source(suite: &Suite, recipe: &Recipe) -> String {
    Sequence::of_call(suite, recipe).to_source(suite).0
}

/// Like [`to_source`], with variables for the given keys that the structure has issued, each a kind
/// and a number among those of it. Returns their names too.
pub fn to_source_with_keys(
    suite: &Suite,
    recipe: &Recipe,
    keys: &[(usize, usize)],
) -> (String, Vec<String>) {
    let sequence = Sequence::of_recipe(suite, recipe);
    let mut variables = KeyVariables::of(&sequence, suite);
    let owner = sequence.result;
    let wanted = owner.map(|owner| keys.iter().map(move |&(kind, at)| (owner, kind, at)));
    let wanted: Vec<_> = wanted.into_iter().flatten().collect();
    wanted.iter().for_each(|&key| variables.want(key));
    let in_source = Style { names_units: true, write_call: &|_, _| None };
    let writer = sequence.written_with(suite, in_source, variables);
    let names = wanted.iter().filter_map(|key| writer.key_name(key)).cloned();
    (writer.lines.join("\n"), names.collect())
}

/// Writes the statements of a test that differ from those of a recipe: from the position of a
/// statement and the expression of its call, for statements that bind nothing.
pub type WriteCall<'w> = dyn Fn(usize, &str) -> Option<String> + 'w;

/// The style of statements.
#[derive(Clone, Copy)]
struct Style<'w> {
    /// True if a result `()` is dropped by `let _`, like any other.
    names_units: bool,
    write_call: &'w WriteCall<'w>,
}

impl Sequence {
    /// The statements, one per line, and the name of the variable of the result; the name is empty
    /// if there is none. A structure that is bound but neither passed to a later call nor the
    /// result is dropped.
    ///
    /// # Panics
    ///
    /// If it is no sequence of the suite; check with [`Sequence::check`].
    pub fn to_source(&self, suite: &Suite) -> (String, String) {
        let (lines, name) =
            self.write(suite, Style { names_units: true, write_call: &|_, _| None });
        (lines.join("\n"), name)
    }

    /// Like [`Sequence::to_source`], line by line, for a test: calls without a result are plain
    /// statements, and `write_call` can replace them, for example by assertions on results.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::to_source`].
    pub fn to_test_source(
        &self,
        suite: &Suite,
        write_call: &WriteCall<'_>,
    ) -> (Vec<String>, String) {
        self.write(suite, Style { names_units: false, write_call })
    }

    /// Like [`Sequence::to_source`], with the lines of each statement separate.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::to_source`].
    pub fn to_sources(&self, suite: &Suite) -> Vec<String> {
        let writer = self.written(suite, Style { names_units: true, write_call: &|_, _| None });
        let starts = std::iter::once(&0).chain(&writer.ends);
        let lines = starts.zip(&writer.ends).map(|(&start, &end)| &writer.lines[start..end]);
        lines.map(|lines| lines.join("\n")).collect()
    }

    /// The names of the variables in source.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::to_source`].
    pub fn variable_names(&self, suite: &Suite) -> BTreeMap<Variable, String> {
        self.written(suite, Style { names_units: true, write_call: &|_, _| None }).names
    }

    fn write(&self, suite: &Suite, style: Style<'_>) -> (Vec<String>, String) {
        let writer = self.written(suite, style);
        let result = self.result.map(|result| writer.names[&result].clone());
        (writer.lines, result.unwrap_or_default())
    }

    fn written<'s>(&self, suite: &'s Suite, style: Style<'s>) -> SourceWriter<'s> {
        self.written_with(suite, style, KeyVariables::of(self, suite))
    }

    fn written_with<'s>(
        &self,
        suite: &'s Suite,
        style: Style<'s>,
        keys: KeyVariables,
    ) -> SourceWriter<'s> {
        let mut writer = SourceWriter {
            keys,
            suite,
            style,
            changed: self.changed(suite),
            used: self.used(),
            lines: Vec::new(),
            ends: Vec::new(),
            n_names: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        let statements = self.statements.iter().enumerate();
        for (index, statement) in statements {
            writer.write(index, statement);
            writer.end(statement);
            writer.ends.push(writer.lines.len());
        }
        writer
    }

    /// The variables passed by `&mut`.
    fn changed(&self, suite: &Suite) -> BTreeSet<Variable> {
        let of_statement = |statement: &Statement| {
            let method = suite.method(statement.method);
            let passed = statement.variables().zip(method.structure_params());
            let changed = passed.filter(|(_, (_, passing))| *passing == Passing::Mut);
            changed.map(|((_, variable), _)| variable).collect::<Vec<_>>()
        };
        self.statements.iter().flat_map(of_statement).collect()
    }

    /// The variables that must have a name.
    fn used(&self) -> BTreeSet<Variable> {
        let passed = self.statements.iter().flat_map(Statement::variables);
        let ended = self.statements.iter().flat_map(|statement| &statement.ends).copied();
        passed.map(|(_, variable)| variable).chain(ended).chain(self.result).collect()
    }
}

struct SourceWriter<'s> {
    suite: &'s Suite,
    style: Style<'s>,
    changed: BTreeSet<Variable>,
    used: BTreeSet<Variable>,
    lines: Vec<String>,
    /// The number of lines up to the end of each statement.
    ends: Vec<usize>,
    /// The number of variables with each base name.
    n_names: BTreeMap<String, usize>,
    names: BTreeMap<Variable, String>,
    keys: KeyVariables,
}

/// A structure to bind, with the text after and before the expression that holds it.
struct BoundOutput<'o> {
    access: &'o str,
    before: &'o str,
    after: &'o str,
    output: Output,
    variable: Variable,
    is_key: bool,
}

impl SourceWriter<'_> {
    fn write(&mut self, index: usize, statement: &Statement) {
        let method = self.suite.method(statement.method);
        let keys = self.key_names(index, method, statement);
        let pairs = method.params.iter().zip(&statement.arguments);
        let mut arguments: Vec<Cow<'_, str>> =
            pairs.map(|(param, argument)| self.argument(&param.kind, argument)).collect();
        for (parameter, name) in keys {
            if let ParamKind::Literal { prefix, .. } = method.params[parameter].kind {
                arguments[parameter] = Cow::Owned(format!("{prefix}{name}"));
            }
        }
        let call = call_source(method, &arguments);
        if statement.panics {
            let caught = "std::panic::catch_unwind(std::panic::AssertUnwindSafe";
            self.lines.push(format!("let _ = {caught}(|| {call}));"));
            return;
        }
        let mut bindings = statement.bindings.clone();
        bindings.retain(|binding| self.used.contains(&binding.variable));
        bindings.sort_by_key(|binding| binding.output);
        let parts = bindings.iter().map(|binding| {
            let output = method.outputs[binding.output];
            let (before, access, after) = around(output.access);
            let variable = binding.variable;
            BoundOutput { access, before, after, output, variable, is_key: false }
        });
        let issued = self.keys.issue(method, statement);
        let keys = issued.iter().map(|&(output, variable)| {
            let (before, access, after) = around(output.access);
            BoundOutput { access, before, after, output, variable, is_key: true }
        });
        match parts.chain(keys).collect::<Vec<_>>() {
            parts if parts.is_empty() => {
                let is_statement = !self.style.names_units && method.returns.is_none();
                let start = if is_statement { "" } else { "let _ = " };
                let written = (self.style.write_call)(index, &call);
                self.lines.push(written.unwrap_or_else(|| format!("{start}{call};")));
            }
            parts if is_of_trait(method, self.suite.types[parts[0].output.ty.index()].name) => {
                self.bind_typed(&call, &parts);
            }
            parts => self.bind(&call, &parts),
        }
    }

    /// Like [`SourceWriter::bind`], if the call alone does not determine the type.
    fn bind_typed(&mut self, call: &str, parts: &[BoundOutput<'_>]) {
        self.bind(call, parts);
        if let ([part], Some(line)) = (parts, self.lines.last_mut())
            && part.access.is_empty()
        {
            let ty = self.suite.types[part.output.ty.index()].name;
            *line = line.replacen(" = ", &format!(": {ty} = "), 1);
        }
    }

    /// Drops the structures that end with a statement.
    fn end(&mut self, statement: &Statement) {
        let drops = statement.ends.iter().map(|ended| format!("drop({});", self.names[ended]));
        self.lines.extend(drops);
    }

    fn argument<'a>(&'a self, kind: &ParamKind, argument: &'a Operand) -> Cow<'a, str> {
        match (kind, argument) {
            (ParamKind::Literal { prefix: "", .. }, Operand::Literal(source)) => {
                Cow::Borrowed(source)
            }
            (ParamKind::Literal { prefix, .. }, Operand::Literal(source)) => {
                Cow::Owned(referenced(prefix, source))
            }
            (ParamKind::Structure { passing, .. }, Operand::Variable(variable)) => {
                passed(&self.names[variable], *passing)
            }
            _ => panic!("the arguments do not match the method's parameters"),
        }
    }

    /// Binds the parts of `expression`. Several parts come out of a separate variable, which holds
    /// their common part: two of them are never behind the same `unwrap`.
    fn bind(&mut self, expression: &str, parts: &[BoundOutput<'_>]) {
        if let [part] = parts {
            let ty = self.suite.types[part.output.ty.index()].name;
            let name = self.fresh_name(if part.is_key { "Key" } else { ty });
            let mutable = if self.changed.contains(&part.variable) { "mut " } else { "" };
            let BoundOutput { access, before, after, .. } = part;
            self.lines.push(format!("let {mutable}{name} = {before}{expression}{access}{after};"));
            self.names.insert(part.variable, name);
            return;
        }
        let common = common_access(parts);
        let name = self.fresh_name("Returned");
        // Elements are removed from last to first, so that none of them moves.
        let is_list = parts[0].access[common.len()..].starts_with(REMOVED);
        let mutable = if is_list { "mut " } else { "" };
        self.lines.push(format!("let {mutable}{name} = {expression}{common};"));
        let head = |part: &BoundOutput<'_>| -> String {
            let field = &part.access[common.len() + 1..];
            field.split('.').next().unwrap_or_default().to_owned()
        };
        let mut groups: Vec<_> = parts.chunk_by(|one, other| head(one) == head(other)).collect();
        if is_list {
            groups.reverse();
        }
        for group in groups {
            let field = head(&group[0]);
            let group: Vec<_> = group
                .iter()
                .map(|part| BoundOutput {
                    access: &part.access[common.len() + 1 + field.len()..],
                    ..*part
                })
                .collect();
            self.bind(&format!("{name}.{field}"), &group);
        }
    }

    /// The type's name in snake case, numbered from the second use on.
    fn fresh_name(&mut self, ty: &str) -> String {
        let base = snake_case(ty);
        let uses = self.n_names.entry(base.clone()).or_default();
        *uses += 1;
        if *uses == 1 { base } else { format!("{base}_{uses}") }
    }
}

/// Returns whether a function is called by the path of a trait, such as `From::from`, and not by
/// that of the type that it makes.
fn is_of_trait(method: &Method, ty: &str) -> bool {
    let head = method.path.split_once("::").map_or("", |(head, _)| head);
    let own = ty.split('<').next().unwrap_or(ty);
    let takes_self = method.params.first().is_some_and(|param| param.name == "self");
    !takes_self && head.starts_with(char::is_uppercase) && !head.contains('{') && head != own
}

/// The start of an access to an element of a list.
const REMOVED: &str = ".remove(";

/// The text of an access before the call expression, the text right after it, and the rest.
fn around(access: &str) -> (&str, &str, &str) {
    let braces =
        access.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match braces {
        Some((before, (inside, after))) => (before, inside, after),
        None => {
            let inside = access.trim_start_matches('*');
            (&access[..access.len() - inside.len()], inside, "")
        }
    }
}

/// The access to the tuple that has the parts in different fields.
fn common_access<'p>(parts: &[BoundOutput<'p>]) -> &'p str {
    let first = parts[0].access;
    let same = |other: &BoundOutput<'_>| {
        first.bytes().zip(other.access.bytes()).take_while(|(one, other)| one == other).count()
    };
    let common = &first[..parts.iter().map(same).min().unwrap_or(0)];
    &first[..common.rfind('.').unwrap_or(0)]
}

impl Method {
    /// The expression of a call on the structures in these variables, with these literals.
    ///
    /// # Panics
    /// If the method takes more structures or literals.
    pub fn to_call_source(&self, structures: &[&str], literals: &[&str]) -> String {
        let (mut structures, mut literals) = (structures.iter(), literals.iter());
        let argument = |param: &Param| match param.kind {
            ParamKind::Structure { passing, .. } => {
                passed(structures.next().expect("a structure for each parameter"), passing)
            }
            ParamKind::Literal { prefix, .. } => Cow::Owned(referenced(
                prefix,
                literals.next().expect("a literal for each parameter"),
            )),
        };
        call_source(self, &self.params.iter().map(argument).collect::<Vec<_>>())
    }
}

/// A variable as an argument.
fn passed(name: &str, passing: Passing) -> Cow<'_, str> {
    match passing {
        Passing::Value => Cow::Borrowed(name),
        Passing::Ref => Cow::Owned(format!("&{name}")),
        Passing::Mut => Cow::Owned(format!("&mut {name}")),
    }
}

/// `receiver.method(rest)` if the first parameter is `self`, `Type::function(all)` otherwise.
fn call_source(method: &Method, arguments: &[Cow<'_, str>]) -> String {
    if method.path.ends_with(')') {
        return filled(method, arguments);
    }
    // Most calls fit; many files consist of nothing but calls.
    let mut call = String::with_capacity(80);
    let arguments = match arguments {
        [receiver, rest @ ..] if method.params[0].name == "self" => {
            let name = method.path.rsplit("::").next().unwrap_or(method.path);
            call.extend([receiver_of(receiver), ".", name]);
            rest
        }
        all => {
            call.push_str(method.path);
            all
        }
    };
    call.push('(');
    for (index, argument) in arguments.iter().enumerate() {
        call.extend([if index == 0 { "" } else { ", " }, argument]);
    }
    call.push(')');
    call
}

/// A variable as a receiver: a call borrows it by itself.
fn receiver_of(argument: &str) -> &str {
    argument.trim_start_matches("&mut ").trim_start_matches('&')
}

/// The path, which is the whole call, with the arguments filled in.
fn filled(method: &Method, arguments: &[Cow<'_, str>]) -> String {
    let mut call = String::new();
    for part in method.path.split_inclusive(['{', '}']) {
        match part.strip_suffix('}').map(str::parse::<usize>) {
            Some(Ok(0)) if method.params[0].name == "self" => {
                call.push_str(receiver_of(&arguments[0]));
            }
            Some(Ok(index)) => call.push_str(&arguments[index]),
            _ => call.push_str(part.trim_end_matches('{')),
        }
    }
    call
}

/// The keywords that a type's name in snake case can be.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

fn snake_case(ty: &str) -> String {
    let end = ty.find('<').unwrap_or(ty.len());
    let start = ty[..end].rfind("::").map_or(0, |colons| colons + 2);
    let mut name = String::new();
    for (index, letter) in ty[start..end].trim().chars().enumerate() {
        if letter.is_uppercase() && index > 0 && !name.ends_with('_') {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_word && !name.is_empty() && !KEYWORDS.contains(&&*name) {
        name
    } else {
        "value".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TypeIdx;
    use crate::testing::{method, returned, structure};

    fn of_structures(path: &'static str, params: &[&'static str]) -> Method {
        let of = |name: &&'static str| structure(name, TypeIdx::new(0), Passing::Ref);
        method(path, &params.iter().map(of).collect::<Vec<_>>(), None, returned)
    }

    #[test]
    fn a_function_is_a_trait_s_if_its_path_names_another_type() {
        for (path, params, expected) in [
            ("From::from", &[][..], true),
            ("From::from", &["other"], true),
            ("Clone::clone", &["self"], false),
            ("Heap::new", &[], false),
            ("heaps::new", &[], false),
            ("new", &[], false),
            ("Some({0})::new", &["other"], false),
        ] {
            assert_eq!(is_of_trait(&of_structures(path, params), "Heap<u8>"), expected, "{path}");
        }
    }

    #[test]
    fn an_access_stands_around_the_call() {
        for (access, parts) in [
            ("", ("", "", "")),
            (".0", ("", ".0", "")),
            ("**.unwrap()", ("**", ".unwrap()", "")),
            ("Some({.0}).take()", ("Some(", ".0", ").take()")),
        ] {
            assert_eq!(around(access), parts, "{access}");
        }
    }

    #[test]
    fn a_call_has_a_receiver_if_its_first_parameter_is_self() {
        for (path, params, call) in [
            ("Heap::f", &["self", "other"][..], "heap.f(&heap)"),
            ("Heap::f", &["one", "other"], "Heap::f(&heap, &heap)"),
            ("Wrap({0}).f({1})", &["self", "other"], "Wrap(heap).f(&heap)"),
            ("Wrap({0}).f({1})", &["one", "other"], "Wrap(&heap).f(&heap)"),
            ("f", &[], "f()"),
        ] {
            assert_eq!(of_structures(path, params).to_call_source(&["heap", "heap"], &[]), call);
        }
    }
}
