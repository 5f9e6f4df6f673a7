//! Imports: the lines that bring the types of a suite into scope, and the selection of those that
//! some statements need.

use crate::Suite;
use crate::source_names::{first_names, is_known_everywhere, name_of};

/// A line that brings an item of a suite into scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import {
    /// An item of a module, by its name.
    Item(SourceModule, &'static str),
    /// Everything declared beside the suite: functions, types of literals.
    Module(SourceModule),
    /// A line of source.
    Line(&'static str),
}

/// A module of the crate that declares a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceModule {
    /// Its path, the crate's name first.
    path: &'static str,
    /// True if the source is written for another crate.
    is_foreign: bool,
}

impl SourceModule {
    /// The module of that path, the crate's name first.
    pub const fn new(path: &'static str) -> Self {
        SourceModule { path, is_foreign: false }
    }

    /// The line that brings `name` into scope, or everything by a star.
    fn line(self, name: &str) -> String {
        match self.path.split_once("::") {
            _ if self.is_foreign => format!("use {}::{name};", self.path),
            Some((_, inner)) => format!("use crate::{inner}::{name};"),
            None => format!("use crate::{name};"),
        }
    }
}

impl Import {
    /// The line of source, within the crate.
    pub fn to_source(self) -> String {
        match self {
            Import::Line(line) => line.to_owned(),
            Import::Item(module, name) => module.line(name),
            Import::Module(module) => module.line("*"),
        }
    }

    /// The line of source, for a file outside of the crate that declares the suite.
    pub fn to_source_outside(self) -> String {
        self.seen_from("").to_source()
    }

    /// The same for source in the crate of `module`.
    fn seen_from(self, module: &str) -> Self {
        let of = |own: SourceModule| {
            let is_foreign = crate_of(own.path) != crate_of(module);
            SourceModule { is_foreign, ..own }
        };
        match self {
            Import::Line(_) => self,
            Import::Item(own, name) => Import::Item(of(own), name),
            Import::Module(own) => Import::Module(of(own)),
        }
    }
}

fn crate_of(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

impl Suite {
    /// The suite for source in the crate of `module`, which may differ from the suite's crate.
    #[must_use]
    pub fn seen_from(mut self, module: &str) -> Self {
        for import in &mut self.imports {
            *import = import.seen_from(module);
        }
        self
    }

    /// The lines that bring the names in `statements` into scope, anywhere in their crate: types of
    /// the suite, and items declared beside them. None of them causes an unused warning.
    pub fn uses_of(&self, statements: &[String]) -> Vec<String> {
        let mut named: Vec<String> = statements.iter().flat_map(|line| first_names(line)).collect();
        named.retain(|name| !is_known_everywhere(name));
        let mut uses = Vec::new();
        for import in &self.imports {
            let (line, name) = match *import {
                Import::Line(line) => (line.to_owned(), name_of(line)),
                // Other items declared there may be named, too.
                Import::Item(module, name) => (module.line("*"), name),
                Import::Module(_) => continue,
            };
            if named.iter().any(|known| known == name) {
                named.retain(|known| known != name);
                push_new(&mut uses, line);
            }
        }
        for import in &self.imports {
            if let Import::Module(module) = import
                && !named.is_empty()
            {
                push_new(&mut uses, module.line("*"));
            }
        }
        uses
    }
}

fn push_new(lines: &mut Vec<String>, line: String) {
    if !lines.contains(&line) {
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: Import = Import::Item(SourceModule::new("own::stack"), "Stack");
    const DEQUE: Import = Import::Line("type Deque = std::collections::VecDeque<u8>;");
    const BESIDE: Import = Import::Module(SourceModule::new("own::tests"));

    /// The lines for statements, in the crate of `from`.
    fn uses(from: &str, statements: &str) -> Vec<String> {
        let imports = vec![STACK, DEQUE, BESIDE];
        let suite = Suite { imports, ..Suite::default() }.seen_from(from);
        suite.uses_of(&statements.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn statements_bring_in_what_they_name() {
        let stack = "use crate::stack::*;";
        assert_eq!(uses("own", "let a = Stack::new();\nlet _ = a.pop(Some(1));"), [stack]);
        assert_eq!(uses("own", "let a = Deque::new();"), [DEQUE.to_source()]);
        let both = uses("own::tests", "let a = Stack::new();\nfill(&mut a, Way::Up);");
        assert_eq!(both, [stack, "use crate::tests::*;"]);
        assert_eq!(uses("own", "let a = 1;").len(), 0);
    }

    #[test]
    fn another_crate_says_which_crate_it_means() {
        assert_eq!(uses("it", "let a = Stack::new();"), ["use own::stack::*;"]);
        assert_eq!(STACK.to_source_outside(), "use own::stack::Stack;");
        assert_eq!(STACK.to_source(), "use crate::stack::Stack;");
    }
}
