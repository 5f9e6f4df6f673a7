//! Sequences, including recipes, as Rust source.
//!
//! The statements compile without warnings wherever the suite's types are in scope: variables that
//! are not changed are not `mut`, unused results are dropped with `let _`.

mod call;
mod keys;

use std::collections::BTreeMap;

use crate::domain::referenced;
use crate::{
    Method, Operand, Output, Param, ParamKind, Passing, Recipe, Sequence, Statement, Suite,
    Variable,
};
use call::{push_passed, write_call_source};
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
    let statements = sequence.refs();
    let mut variables = KeyVariables::of(&statements, suite);
    let owner = sequence.result;
    let wanted = owner.map(|owner| keys.iter().map(move |&(kind, at)| (owner, kind, at)));
    let wanted: Vec<_> = wanted.into_iter().flatten().collect();
    wanted.iter().for_each(|&key| variables.want(key));
    let mut lines = SourceLines::default();
    let mut writer = SourceWriter::new(suite, &statements, sequence.result, variables, &mut lines);
    writer.write_all(&statements);
    let names = wanted.iter().filter_map(|key| writer.key_name(key)).map(str::to_owned).collect();
    (lines.0.join("\n"), names)
}

/// Writes the statements of a test that differ from those of a recipe: from the position of a
/// statement and the expression of its call, for statements that bind nothing.
pub type WriteCall<'w> = dyn Fn(usize, &str) -> Option<String> + 'w;

/// A receiver of statements as source. It need not keep a line, so that files of many tests are
/// written without a list of lines for each.
pub trait SourceSink {
    /// Returns whether a result `()` is dropped by `let _`, like any other.
    fn names_units(&self) -> bool;

    /// Receives a line, without line break.
    fn push_line(&mut self, line: &str);

    /// Receives the call of a statement that binds nothing: the position of the statement, and the
    /// expression. Returns `false` to have it as a line.
    fn push_call(&mut self, index: usize, call: &str) -> bool;

    /// Receives, before that, the position of a statement whose text depends on the name of one
    /// variable and on nothing else that is written. Returns `true` if it remembers the text and
    /// has appended it; `false` to receive the statement.
    fn push_known(&mut self, _index: usize, _variable: &str) -> bool {
        false
    }
}

/// The lines of a recipe.
#[derive(Default)]
struct SourceLines(Vec<String>);

impl SourceSink for SourceLines {
    fn names_units(&self) -> bool {
        true
    }

    fn push_line(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }

    fn push_call(&mut self, _: usize, _: &str) -> bool {
        false
    }
}

/// The lines of a test.
struct TestLines<'w> {
    lines: Vec<String>,
    write_call: &'w WriteCall<'w>,
}

impl SourceSink for TestLines<'_> {
    fn names_units(&self) -> bool {
        false
    }

    fn push_line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn push_call(&mut self, index: usize, call: &str) -> bool {
        let line = (self.write_call)(index, call);
        let is_written = line.is_some();
        self.lines.extend(line);
        is_written
    }
}

/// Writes statements as [`Sequence::to_source`] does, to any receiver.
///
/// # Panics
///
/// If they are no sequence of the suite; check with [`Sequence::check`].
pub fn write_source(suite: &Suite, statements: &[&Statement], sink: &mut dyn SourceSink) {
    let keys = KeyVariables::of(statements, suite);
    SourceWriter::new(suite, statements, None, keys, sink).write_all(statements);
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
        let mut lines = SourceLines::default();
        let name = self.write(suite, &mut lines);
        (lines.0.join("\n"), name)
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
        let mut sink = TestLines { lines: Vec::new(), write_call };
        let name = self.write(suite, &mut sink);
        (sink.lines, name)
    }

    /// Like [`Sequence::to_source`], with the lines of each statement separate.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::to_source`].
    pub fn to_sources(&self, suite: &Suite) -> Vec<String> {
        let mut lines = SourceLines::default();
        let ends = self.written(suite, &mut lines).ends;
        let starts = std::iter::once(&0).chain(&ends);
        starts.zip(&ends).map(|(&start, &end)| lines.0[start..end].join("\n")).collect()
    }

    /// The names of the variables in source.
    ///
    /// # Panics
    ///
    /// Like [`Sequence::to_source`].
    pub fn variable_names(&self, suite: &Suite) -> BTreeMap<Variable, String> {
        let names = self.written(suite, &mut SourceLines::default()).names;
        let variables = (0..).map(Variable);
        variables.zip(names).filter(|(_, name)| !name.is_empty()).collect()
    }

    fn write(&self, suite: &Suite, sink: &mut dyn SourceSink) -> String {
        let mut names = self.written(suite, sink).names;
        self.result.map(|result| std::mem::take(&mut names[result.0])).unwrap_or_default()
    }

    fn written<'s>(&self, suite: &'s Suite, sink: &'s mut dyn SourceSink) -> SourceWriter<'s> {
        let statements = self.refs();
        let keys = KeyVariables::of(&statements, suite);
        let mut writer = SourceWriter::new(suite, &statements, self.result, keys, sink);
        writer.write_all(&statements);
        writer
    }

    fn refs(&self) -> Vec<&Statement> {
        self.statements.iter().collect()
    }
}

/// The bytes that hold most lines.
const LINE_ROOM: usize = 120;

/// The uses of a variable.
#[derive(Clone, Copy, Default)]
struct VariableUses {
    /// True if it is passed by `&mut`.
    is_changed: bool,
    /// True if it must have a name.
    is_used: bool,
}

struct SourceWriter<'s> {
    suite: &'s Suite,
    sink: &'s mut dyn SourceSink,
    /// The uses of variables, by their numbers. Keys have none.
    uses: Vec<VariableUses>,
    /// The line that is being written; its memory is used again.
    line: String,
    /// The call of the statement that is being written; its memory is used again.
    call: String,
    n_lines: usize,
    /// The number of lines up to the end of each statement.
    ends: Vec<usize>,
    /// The number of variables with each base name.
    n_names: Vec<(String, usize)>,
    /// The names of variables, by their numbers; empty if there is none.
    names: Vec<String>,
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

impl<'s> SourceWriter<'s> {
    fn new(
        suite: &'s Suite,
        statements: &[&Statement],
        result: Option<Variable>,
        keys: KeyVariables,
        sink: &'s mut dyn SourceSink,
    ) -> Self {
        SourceWriter {
            suite,
            sink,
            uses: uses(suite, statements, result),
            line: String::with_capacity(LINE_ROOM),
            call: String::with_capacity(LINE_ROOM),
            n_lines: 0,
            ends: Vec::with_capacity(statements.len()),
            n_names: Vec::new(),
            names: Vec::new(),
            keys,
        }
    }

    fn write_all(&mut self, statements: &[&Statement]) {
        for (index, statement) in statements.iter().enumerate() {
            self.write(index, statement);
            self.end(statement);
            self.ends.push(self.n_lines);
        }
    }

    fn write(&mut self, index: usize, statement: &Statement) {
        let method = self.suite.method(statement.method);
        if let Some(variable) = only_variable(statement)
            && !self.keys.has_keys(method, statement)
            && self.sink.push_known(index, &self.names[variable.0])
        {
            self.n_lines += 1;
            return;
        }
        let keys = self.key_names(index, method, statement);
        let mut call = std::mem::take(&mut self.call);
        call.clear();
        write_call_source(&mut call, method, &mut |call, index| {
            self.push_argument(call, &method.params[index], &statement.arguments[index], || {
                keys.iter().find(|(parameter, _)| *parameter == index).map(|(_, name)| &**name)
            });
        });
        self.write_statement(index, statement, method, &call);
        self.call = call;
    }

    fn write_statement(
        &mut self,
        index: usize,
        statement: &Statement,
        method: &Method,
        call: &str,
    ) {
        if statement.panics {
            let caught = "std::panic::catch_unwind(std::panic::AssertUnwindSafe";
            self.push(["let _ = ", caught, "(|| ", call, "));"]);
            return;
        }
        match self.bound_outputs(method, statement) {
            parts if parts.is_empty() => {
                let is_statement = !self.sink.names_units() && method.returns.is_none();
                let start = if is_statement { "" } else { "let _ = " };
                match self.sink.push_call(index, call) {
                    true => self.n_lines += 1,
                    false => self.push([start, call, ";"]),
                }
            }
            parts if is_of_trait(method, self.suite.types[parts[0].output.ty.index()].name) => {
                self.bind_typed(call, &parts);
            }
            parts => self.bind(call, &parts),
        }
    }

    /// The results of a call that have names: structures by the numbers of outputs, then keys.
    fn bound_outputs<'m>(
        &mut self,
        method: &'m Method,
        statement: &Statement,
    ) -> Vec<BoundOutput<'m>> {
        let part = |output: Output, variable: Variable, is_key: bool| {
            let (before, access, after) = around(output.access);
            BoundOutput { access, before, after, output, variable, is_key }
        };
        let bindings = statement.bindings.iter();
        let used = bindings.filter(|binding| self.uses[binding.variable.0].is_used);
        let mut used: Vec<_> = used.copied().collect();
        used.sort_by_key(|binding| binding.output);
        let structures = used
            .into_iter()
            .map(|binding| part(method.outputs[binding.output], binding.variable, false));
        let issued = self.keys.issue(method, statement).into_iter();
        structures.chain(issued.map(|(output, variable)| part(output, variable, true))).collect()
    }

    /// Writes a line of several parts.
    fn push<'p>(&mut self, parts: impl IntoIterator<Item = &'p str>) {
        self.line.clear();
        self.line.extend(parts);
        self.sink.push_line(&self.line);
        self.n_lines += 1;
    }

    /// Like [`SourceWriter::bind`], if the call alone does not determine the type.
    fn bind_typed(&mut self, call: &str, parts: &[BoundOutput<'_>]) {
        match parts {
            [part] if part.access.is_empty() => {
                let ty = self.suite.types[part.output.ty.index()].name;
                self.bind_one(call, part, Some(ty));
            }
            parts => self.bind(call, parts),
        }
    }

    /// Drops the structures that end with a statement.
    fn end(&mut self, statement: &Statement) {
        for ended in &statement.ends {
            let name = std::mem::take(&mut self.names[ended.0]);
            self.push(["drop(", &name, ");"]);
            self.names[ended.0] = name;
        }
    }

    /// Appends an argument to a call; `key` finds the variable of the key that it takes.
    fn push_argument<'k>(
        &self,
        call: &mut String,
        param: &Param,
        argument: &Operand,
        key: impl FnOnce() -> Option<&'k str>,
    ) {
        match (param.kind, argument) {
            (ParamKind::Literal { prefix, .. }, Operand::Literal(source)) => match key() {
                Some(name) => call.extend([prefix, name]),
                None if prefix.is_empty() => call.push_str(source),
                None => call.push_str(&referenced(prefix, source)),
            },
            (ParamKind::Structure { passing, .. }, Operand::Variable(variable)) => {
                push_passed(call, &self.names[variable.0], passing);
            }
            _ => panic!("the arguments do not match the method's parameters"),
        }
    }

    /// Binds the parts of `expression`. Several parts come out of a separate variable, which holds
    /// their common part: two of them are never behind the same `unwrap`.
    fn bind(&mut self, expression: &str, parts: &[BoundOutput<'_>]) {
        if let [part] = parts {
            self.bind_one(expression, part, None);
            return;
        }
        let common = common_access(parts);
        let name = self.fresh_name("Returned");
        // Elements are removed from last to first, so that none of them moves.
        let is_list = parts[0].access[common.len()..].starts_with(REMOVED);
        let mutable = if is_list { "mut " } else { "" };
        self.push(["let ", mutable, &name, " = ", expression, common, ";"]);
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

    /// Binds a part of `expression`, with its type if that is given.
    fn bind_one(&mut self, expression: &str, part: &BoundOutput<'_>, ty: Option<&str>) {
        let BoundOutput { access, before, after, variable, .. } = *part;
        let base = self.suite.types[part.output.ty.index()].name;
        let name = self.fresh_name(if part.is_key { "Key" } else { base });
        let is_changed = self.uses.get(variable.0).is_some_and(|uses| uses.is_changed);
        let mutable = if is_changed { "mut " } else { "" };
        let (colon, ty) = ty.map_or(("", ""), |ty| (": ", ty));
        let bound = [before, expression, access, after].into_iter();
        let parts = ["let ", mutable, &name, colon, ty, " = "].into_iter().chain(bound);
        self.push(parts.chain([";"]));
        if self.names.len() <= variable.0 {
            self.names.resize(variable.0 + 1, String::new());
        }
        self.names[variable.0] = name;
    }

    /// The type's name in snake case, numbered from the second use on.
    fn fresh_name(&mut self, ty: &str) -> String {
        let base = snake_case(ty);
        match self.n_names.iter_mut().find(|(known, _)| *known == base) {
            Some((_, uses)) => {
                *uses += 1;
                format!("{base}_{uses}")
            }
            None => {
                self.n_names.push((base.clone(), 1));
                base
            }
        }
    }
}

/// The variable of a statement whose text, without keys, depends on its name alone.
fn only_variable(statement: &Statement) -> Option<Variable> {
    if !statement.bindings.is_empty() {
        return None;
    }
    let mut variables = statement.variables().map(|(_, variable)| variable);
    let (variable, another) = (variables.next()?, variables.next());
    another.is_none().then_some(variable)
}

/// The uses of the variables of some statements.
fn uses(suite: &Suite, statements: &[&Statement], result: Option<Variable>) -> Vec<VariableUses> {
    let mut all = Vec::new();
    for statement in statements {
        let params = suite.method(statement.method).structure_params();
        for ((_, variable), (_, passing)) in statement.variables().zip(params) {
            let uses = uses_of(&mut all, variable);
            uses.is_used = true;
            uses.is_changed |= passing == Passing::Mut;
        }
        for binding in &statement.bindings {
            uses_of(&mut all, binding.variable);
        }
        for ended in statement.ends.iter().copied() {
            uses_of(&mut all, ended).is_used = true;
        }
    }
    if let Some(result) = result {
        uses_of(&mut all, result).is_used = true;
    }
    all
}

fn uses_of(all: &mut Vec<VariableUses>, variable: Variable) -> &mut VariableUses {
    if all.len() <= variable.0 {
        all.resize(variable.0 + 1, VariableUses::default());
    }
    &mut all[variable.0]
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
    let start = ty[..end].rfind(':').map_or(0, |colon| colon + 1);
    let mut name = String::with_capacity(LINE_ROOM);
    for (index, letter) in ty[start..end].trim().chars().enumerate() {
        if letter.is_uppercase() && index > 0 && !name.ends_with('_') {
            name.push('_');
        }
        match letter.is_ascii() {
            true => name.push(letter.to_ascii_lowercase()),
            false => name.extend(letter.to_lowercase()),
        }
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

    pub(super) fn of_structures(path: &'static str, params: &[&'static str]) -> Method {
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
}
