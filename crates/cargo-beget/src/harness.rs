//! The harness: a suite for the type as the text of a crate, which a user reads and edits.
//!
//! Only the compiler knows which of a method's forms compile. So the text records the purpose of
//! each of its lines: a rejected form is replaced by the next one, and the function is left out
//! after the last. Each rejection uses up a form, so this terminates.

use crate::document::Document;
use crate::error::DiscoverError;
use crate::method::{ApiFunction, FunctionFate, LeftOutReason, MethodForm};
use crate::planner::Planner;
use crate::refusal::Refusal;
use crate::state::{StateField, StateFields};
use crate::subject::{ElementKind, TRACKED, TypeUnderTest};
use crate::text::LinePurpose;
use crate::ty::Spelling;

/// A harness for one type.
#[derive(Debug)]
pub struct Harness {
    pub(crate) subject: TypeUnderTest,
    pub(crate) crate_name: String,
    pub(crate) methods: Vec<ApiFunction>,
    pub(crate) state: StateFields,
    /// The types of keys, as written.
    pub(crate) keys: Vec<String>,
    /// The contracts that its scope leaves out.
    pub(crate) without_contracts: Vec<String>,
}

impl Harness {
    /// A harness for the type of that path with these arguments; missing ones are chosen.
    ///
    /// # Errors
    ///
    /// If there is no such type, or it cannot be under test.
    pub fn new(
        document: &Document,
        path: &str,
        arguments: &[String],
        elements: ElementKind,
    ) -> Result<Harness, DiscoverError> {
        let subject = document.subject(path, arguments, elements)?;
        let planner = Planner::new(document, &subject);
        let (methods, state) = (planner.methods(), planner.state());
        let by = Spelling { subject: "Self", lifetime: "" };
        let keys = planner.keys.iter().filter_map(|key| key.spell(by).ok()).collect();
        let crate_name = document.crate_name().to_owned();
        Ok(Harness { subject, crate_name, methods, state, keys, without_contracts: Vec::new() })
    }

    /// Returns whether elements of the type are watched for drops.
    pub fn has_tracked_elements(&self) -> bool {
        self.subject.source.contains(TRACKED)
    }

    /// The module of the harness in its package; none if it is the whole library.
    pub fn module(&self) -> Option<&'static str> {
        match self.subject.elements {
            ElementKind::Bytes => None,
            ElementKind::Tracked => Some("tracked"),
        }
    }

    /// The path of the source, relative to the package.
    pub fn source_path(&self) -> String {
        format!("src/{}.rs", self.module().unwrap_or("lib"))
    }

    /// The type's functions, with the fate of each.
    pub fn methods(&self) -> &[ApiFunction] {
        &self.methods
    }

    /// The name of the suite.
    pub fn name(&self) -> &str {
        &self.subject.name
    }

    /// The type with its arguments.
    pub fn ty(&self) -> &str {
        &self.subject.source
    }

    /// The name of the state's type, which names its class in scope files.
    pub(crate) fn state_name(&self) -> String {
        format!("{}State", self.subject.name)
    }

    /// The ranges of the integers in the state: the number of elements bounds the space, and with
    /// it everything else.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let numbers = self.state.observers.iter().filter(|field| field.is_number());
        numbers.map(|field| (&*field.name, if field.is_size { "0..=k" } else { "any" }))
    }

    /// The source of the harness.
    pub fn source(&self) -> String {
        self.text().text
    }

    /// Replaces each rejected form by the next one; a function without one is left out. Returns
    /// whether anything changed.
    pub fn refuse(&mut self, refusals: &[Refusal]) -> bool {
        let parts = self.text().purposes;
        let mut refused: Vec<(LinePurpose, &str)> = Vec::new();
        for refusal in refusals {
            let of_lines = refusal.lines.iter().find_map(|lines| part_of(&parts, *lines));
            let part = of_lines.or_else(|| self.named_in(refusal));
            if let Some(part) = part
                && !refused.iter().any(|(known, _)| *known == part)
            {
                refused.push((part, &refusal.message));
            }
        }
        // From the last one on, because observers are removed from a list.
        refused.sort_by_key(|(part, _)| match part {
            LinePurpose::Observer(index) => std::cmp::Reverse(*index),
            _ => std::cmp::Reverse(usize::MAX),
        });
        let mut is_different = false;
        for (part, message) in refused {
            match part {
                LinePurpose::Frame => continue,
                LinePurpose::Contents if self.state.contents.is_empty() => continue,
                LinePurpose::Contents => {
                    self.state.contents.remove(0);
                }
                LinePurpose::Observer(index) => {
                    self.state.observers.remove(index);
                }
                LinePurpose::Function(index) => refuse_form(&mut self.methods[index], message),
            }
            is_different = true;
        }
        is_different
    }

    /// Shows the contents otherwise than by `Debug`, for which equal calls leave different texts:
    /// by an address or a counter in it. Returns false if nothing is shown by `Debug`.
    pub fn give_up_text(&mut self) -> bool {
        let contents = &mut self.state.contents;
        let is_text = contents.first().is_some_and(StateField::is_text);
        if is_text {
            contents.remove(0);
        }
        is_text
    }

    /// The function that an error names, if it is on no line of one.
    fn named_in(&self, refusal: &Refusal) -> Option<LinePurpose> {
        let own = format!("{}::", self.subject.ty.name);
        let named = refusal.names.iter().filter_map(|path| {
            let (before, function) = path.rsplit_once("::")?;
            format!("{before}::").ends_with(&own).then_some(function)
        });
        let index = |function| {
            let runs = |method: &ApiFunction| matches!(method.fate, FunctionFate::Runs(_));
            self.methods.iter().position(|method| method.path == function && runs(method))
        };
        named.filter_map(index).next().map(LinePurpose::Function)
    }

    /// Returns whether a method's name or documentation says that it leaves elements undropped.
    pub fn announces_leak(&self, method: &str) -> bool {
        self.methods.iter().any(|one| one.name == method && one.announces_leak)
    }

    /// Leaves a contract out of the scope.
    pub fn leave_out_contract(&mut self, name: &str) {
        self.without_contracts.push(name.to_owned());
    }

    /// The path of the scope file, relative to the harness.
    pub fn scope_path(&self) -> String {
        format!("scopes/{}.ron", self.subject.variable)
    }

    /// The name of a variable of the type, and of its scope.
    pub fn variable(&self) -> &str {
        &self.subject.variable
    }

    /// Returns whether a function that takes part makes a structure of none.
    pub fn makes_structures(&self) -> bool {
        self.forms().any(|(_, form)| form.makes_structures)
    }

    /// The methods that take part, each with its form.
    pub(crate) fn forms(&self) -> impl Iterator<Item = (usize, &MethodForm)> {
        self.methods.iter().enumerate().filter_map(|(index, method)| match &method.fate {
            FunctionFate::Runs(forms) => Some((index, forms.first()?)),
            FunctionFate::LeftOut(_) => None,
        })
    }

    /// The functions that take no part, with the reason.
    pub fn left_out(&self) -> impl Iterator<Item = (&ApiFunction, &LeftOutReason)> {
        self.methods.iter().filter_map(|method| match &method.fate {
            FunctionFate::Runs(_) => None,
            FunctionFate::LeftOut(reason) => Some((method, reason)),
        })
    }

    /// The number of functions that take part, and of all functions.
    pub fn counts(&self) -> (usize, usize) {
        (self.methods.len() - self.left_out().count(), self.methods.len())
    }
}

/// The part that contains all the lines, if there is one.
fn part_of(parts: &[LinePurpose], (first, last): (usize, usize)) -> Option<LinePurpose> {
    let part = *parts.get(first.checked_sub(1)?)?;
    let is_one = parts.get(first - 1..last)?.iter().all(|other| *other == part);
    (is_one && part != LinePurpose::Frame).then_some(part)
}

fn refuse_form(method: &mut ApiFunction, message: &str) {
    let FunctionFate::Runs(forms) = &mut method.fate else { return };
    forms.remove(0);
    if forms.is_empty() {
        method.fate = FunctionFate::LeftOut(LeftOutReason::Refused(message.to_owned()));
    }
}
