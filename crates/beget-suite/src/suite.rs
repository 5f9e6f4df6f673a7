//! Suites as plain values: types and methods in source order, and what belongs to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use beget_heap::Schema;

use crate::bytes::tracked;
use crate::import::Import;
use crate::source_names::{first_names, is_known_everywhere, name_of};
use crate::{
    AbsentMethod, Constant, Invariant, Literal, LiteralDomain, Method, MethodIdx, StateKind,
    SuitePart, Type,
};

/// A type with a suite: implemented by `#[beget::api]` and `beget::suite!`, whose documentation has
/// examples.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no suite",
    label = "the methods of this type are not declared",
    note = "put `#[beget::api]` on an impl block of it (`#[cfg_attr(test, beget::api)]` where beget is a dev-dependency; the first block of a type has no `part`), or write `beget::suite! {{ pub suite Name for Type {{ ... }} }}` and name that"
)]
pub trait HasSuite {
    /// The main type under test, whose structures are counted.
    type Main: 'static;

    /// The suite.
    fn suite() -> Suite;
}

/// Types and methods under test.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The name that scope files use, e.g. `roops::ncl`.
    pub name: String,
    /// Its description, in a sentence or more.
    pub doc: &'static str,
    /// The types, the main type first.
    pub types: Vec<Type>,
    /// The methods in source order.
    pub methods: Vec<Method>,
    /// The checks that every structure must pass.
    pub invariants: Vec<Invariant>,
    /// The imports for source that calls its methods.
    pub imports: Vec<Import>,
    /// The methods of its blocks that do not take part. A suite that lists its methods has none.
    pub absent: Vec<AbsentMethod>,
    /// The constants of the crate that serve as literals, beside those of a scope.
    pub constants: Vec<Constant>,
    /// The literals of the suite's plan, if source needs them: see [`Suite::knowing`].
    pub literals: KnownLiterals,
}

/// The literals of each method and position among its literal parameters.
pub type KnownLiterals = Arc<BTreeMap<(MethodIdx, usize), Vec<Literal>>>;

impl Suite {
    /// The main type's schema together with those of all other types.
    pub fn schema(&self) -> Schema {
        let mut schema = Schema::default();
        for ty in &self.types {
            ty.describe_in(&mut schema);
        }
        schema
    }

    /// The method at this position.
    ///
    /// # Panics
    /// If the suite has none there.
    #[inline]
    pub fn method(&self, idx: MethodIdx) -> &Method {
        &self.methods[idx.index()]
    }

    /// The method of that name.
    pub fn method_named(&self, name: &str) -> Option<&Method> {
        self.find_method(name).map(|idx| self.method(idx))
    }

    /// The position of the method of that name.
    pub fn find_method(&self, name: &str) -> Option<MethodIdx> {
        self.methods.iter().position(|method| method.name == name).map(MethodIdx::new)
    }

    /// The positions of all methods, in order.
    pub fn method_idxs(&self) -> impl ExactSizeIterator<Item = MethodIdx> + use<> {
        (0..self.methods.len()).map(MethodIdx::new)
    }

    /// The suite with the additions of a further block.
    ///
    /// # Panics
    ///
    /// If a method's name is taken: the blocks are checked together only here.
    #[must_use]
    pub fn with_part(mut self, part: Option<SuitePart>) -> Self {
        let Some(part) = part else { return self };
        for method in &part.methods {
            let (name, suite) = (method.name, &self.name);
            assert!(
                self.method_named(name).is_none(),
                "two blocks of `{suite}` have a method `{name}`: write `#[api(name = \"...\")]` on one of them, or \
                 `#[api(skip)]`",
            );
        }
        self.methods.extend(part.methods);
        self.absent.extend(part.absent);
        self.invariants.extend(part.invariants);
        self.constants.extend(part.constants);
        self
    }

    /// The values of the suite's constants as literals of a domain, each once, in the suite's
    /// order.
    pub fn constants_of(&self, domain: &LiteralDomain) -> Vec<&Literal> {
        let mut found: Vec<&Literal> = Vec::new();
        for literal in self.constants.iter().filter_map(|constant| constant.literal_of(domain)) {
            if found.iter().all(|known| known.source != literal.source) {
                found.push(literal);
            }
        }
        found
    }

    /// The suite with values of the main type identified by `state`; `None` if it has no such view.
    pub fn seen_by(&self, state: StateKind) -> Option<Suite> {
        let mut types = self.types.clone();
        let main = types.first_mut()?;
        *main = main.seen_by(state)?;
        let methods = match state {
            StateKind::Bytes => self.methods.iter().map(tracked).collect(),
            _ => self.methods.clone(),
        };
        Some(Suite { types, methods, ..self.clone() })
    }

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
        let mut named: Vec<&str> = statements.iter().flat_map(|line| first_names(line)).collect();
        named.retain(|name| !is_known_everywhere(name));
        let mut uses = Vec::new();
        for import in &self.imports {
            let (line, name) = match *import {
                Import::Line(line) => (line.to_owned(), name_of(line)),
                // Other items declared there may be named, too.
                Import::Item(module, name) => (module.line("*"), name),
                Import::Module(_) => continue,
            };
            if named.contains(&name) {
                named.retain(|known| *known != name);
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
