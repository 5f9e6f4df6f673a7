//! The methods that take part.

use std::path::Path;

use beget_suite::{Method, MethodIdx};

use super::Resolver;
use crate::scope::diagnostic::{SourceText, Span, suggest};
use crate::scope::file::{MethodSelection, read_builders};
use crate::scope::plan::PlannedMethod;
use crate::scope::read::FileText;

/// Methods chosen by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodsOverride {
    /// All methods of the suite.
    All,
    /// All methods whose parameters have literals in the scope; the others are in
    /// [`Resolution::left_out`](crate::scope::Resolution::left_out).
    WithLiterals,
    /// Those of these names.
    Only(Vec<String>),
}

/// The help if a suite has no constructor: most often it is derived, or in another block.
const WITHOUT_CONSTRUCTOR: &str = "the suite has no function that makes a structure from nothing: add one to the block with \
     `beget::api`, such as `pub fn new() -> Self`; one in another block takes part by \
     `#[beget::api(part = 2)]` on that, also on `impl Default for ...`; in `suite!` write `fn default() -> Self;`";

impl Resolver<'_> {
    /// The positions of the methods in use, in suite order.
    pub(super) fn methods(
        &mut self,
        overridden: Option<&MethodsOverride>,
        files: &dyn Fn(&str) -> Result<String, String>,
    ) -> Vec<MethodIdx> {
        let (source, at, chosen) = match overridden {
            Some(MethodsOverride::All | MethodsOverride::WithLiterals) => {
                let source = SourceText::new("--methods", "all");
                (source, 0..3, Some(self.suite.method_idxs().collect()))
            }
            Some(MethodsOverride::Only(names)) => self.methods_of_flag(names),
            None => {
                let chosen = self.methods_of_file(files);
                (self.file.source.clone(), self.scope.methods_at.clone(), chosen)
            }
        };
        let Some(mut chosen): Option<Vec<MethodIdx>> = chosen else { return Vec::new() };
        chosen.sort_unstable();
        chosen.dedup();
        self.check_constructors(&source, at, &chosen);
        chosen
    }

    fn methods_of_flag(&mut self, names: &[String]) -> (SourceText, Span, Option<Vec<MethodIdx>>) {
        let source = SourceText::new("--methods", &names.join(","));
        let mut start = 0;
        let mut texts = Vec::new();
        for name in names {
            texts.push(FileText::bare(name, start..start + name.len()));
            start += name.len() + 1;
        }
        let chosen = self.named(&source, &texts);
        let all = 0..source.text.len();
        (source, all, chosen)
    }

    /// `None` if a name is wrong: then the rest cannot be checked.
    fn methods_of_file(
        &mut self,
        files: &dyn Fn(&str) -> Result<String, String>,
    ) -> Option<Vec<MethodIdx>> {
        let all = self.suite.method_idxs();
        match &self.scope.methods {
            MethodSelection::All => Some(all.collect()),
            MethodSelection::Only(names) => self.named(&self.file.source, names),
            MethodSelection::Except(names) => {
                let excepted = self.named(&self.file.source, names)?;
                Some(all.filter(|idx| !excepted.contains(idx)).collect())
            }
            MethodSelection::Builders(path) => self.builders(path, files),
        }
    }

    fn builders(
        &mut self,
        path: &FileText,
        files: &dyn Fn(&str) -> Result<String, String>,
    ) -> Option<Vec<MethodIdx>> {
        let beside = Path::new(&self.file.source.path).parent().unwrap_or(Path::new(""));
        let full = beside.join(&path.value).to_string_lossy().into_owned();
        let text = match files(&full) {
            Ok(text) => text,
            Err(reason) => {
                self.problem(path.inside(), format!("cannot read `{full}`: {reason}"), None);
                return None;
            }
        };
        let source = SourceText::new(&full, &text);
        let builders = match read_builders(&source) {
            Ok(builders) => builders,
            Err(problems) => {
                problems.iter().for_each(|problem| self.problems.push(problem.clone()));
                return None;
            }
        };
        let suite = &builders.suite;
        if suite.value != self.suite.name {
            let message = format!("these builders are for suite `{}`", suite.value);
            let help =
                format!("the scope file `{}` is for `{}`", self.file.source.path, self.suite.name);
            self.problems.push(source.error(suite.inside(), message).help(help));
            return None;
        }
        self.named(&source, &builders.methods)
    }

    fn named(&mut self, source: &SourceText, names: &[FileText]) -> Option<Vec<MethodIdx>> {
        let mut chosen = Vec::new();
        let mut is_right = true;
        for name in names {
            if self.problems.is_full() {
                return None;
            }
            let found = self.suite.find_method(&name.value);
            let problem = match found {
                Some(idx) if !chosen.contains(&idx) => {
                    chosen.push(idx);
                    continue;
                }
                Some(_) => {
                    source.error(name.inside(), format!("method `{}` is given twice", name.value))
                }
                None => {
                    let message =
                        format!("no method named `{}` in suite `{}`", name.value, self.suite.name);
                    source
                        .error(name.inside(), message)
                        .maybe_help(self.suggest_method(&name.value))
                }
            };
            self.problems.push(problem);
            is_right &= found.is_some();
        }
        is_right.then_some(chosen)
    }

    pub(super) fn suggest_method(&self, name: &str) -> Option<String> {
        suggest(name, self.suite.methods.iter().map(|method| method.name))
    }

    /// Checks that a constructor is left when methods without literals are left out.
    pub(super) fn check_constructors_left(&mut self, planned: &[PlannedMethod]) {
        if !self.left_out.is_empty() {
            let methods: Vec<MethodIdx> = planned.iter().map(|planned| planned.method).collect();
            let source = self.file.source.clone();
            self.check_constructors(&source, self.scope.suite.inside(), &methods);
        }
    }

    fn check_constructors(&mut self, source: &SourceText, at: Span, chosen: &[MethodIdx]) {
        let constructs = |method: &Method| method.is_constructor() && !method.outputs.is_empty();
        if chosen.iter().any(|&idx| constructs(self.suite.method(idx))) {
            return;
        }
        let constructors = self.suite.methods.iter().filter(|method| constructs(method));
        let known: Vec<_> = constructors.map(|method| format!("`{}`", method.name)).collect();
        let help = match known.is_empty() {
            true => WITHOUT_CONSTRUCTOR.to_owned(),
            false => format!("add one of the suite's constructors: {}", known.join(", ")),
        };
        let message = "no constructor among the methods: nothing can be built";
        self.problems.push(source.error(at, message).help(help));
    }
}
