//! Plans of methods: the forms that a method may take in the harness, the best first. The compiler
//! decides between them.

use rustdoc_types::{Function, Impl, Item, ItemEnum, Type, Visibility};

use crate::parameter::{HarnessParameter, ServedParameter};
use crate::planner::Planner;
use crate::returned::ReturnForm;
use crate::ty::{Spelling, Substitution, Ty};

/// A function of the type, with its fate.
#[derive(Clone, Debug)]
pub struct ApiFunction {
    /// Its name in the suite.
    pub name: String,
    /// The name in the documentation: `push`, or `Extend::extend`.
    pub path: String,
    /// True if it is a function of a trait.
    pub is_of_trait: bool,
    /// The documented condition of a panic.
    pub panics: Option<String>,
    /// True if its name or documentation says that it leaves elements undropped.
    pub announces_leak: bool,
    /// True if one of its parameters may be an index: it is a `usize`, or a range.
    pub takes_index: bool,
    /// Its fate.
    pub fate: FunctionFate,
}

impl ApiFunction {
    /// Returns whether the harness passes it values that may be wrong: `..` never is.
    pub(crate) fn takes_values(&self) -> bool {
        match &self.fate {
            FunctionFate::Runs(forms) => forms.first().is_none_or(|form| form.passes_values),
            FunctionFate::LeftOut(_) => true,
        }
    }

    pub(crate) fn takes_part(&self) -> bool {
        matches!(self.fate, FunctionFate::Runs(_))
    }

    /// Returns whether no panic is documented, nor to be expected of an index.
    pub(crate) fn announces_no_panic(&self) -> bool {
        self.panics.is_none() && !self.takes_index
    }
}

/// The fate of a function.
#[derive(Clone, Debug)]
pub enum FunctionFate {
    /// It takes part in one of these forms: the first one that compiles.
    Runs(Vec<MethodForm>),
    /// It is left out.
    LeftOut(LeftOutReason),
}

/// The text of a method in the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodForm {
    /// Its line in the suite.
    pub declaration: String,
    /// The function that it calls, if it is not the public function itself.
    pub wrapper: Option<String>,
    /// True if it passes values that may be wrong.
    pub passes_values: bool,
    /// True if it takes no structure and may return one.
    pub makes_structures: bool,
}

/// The reason why a function is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOutReason {
    /// It is `unsafe`.
    Unsafe,
    /// It is `async`.
    Async,
    /// Its receiver is not supported by suites.
    Receiver(String),
    /// It needs a value that cannot be made.
    Needs(String),
    /// It exists only for other type arguments.
    OtherArguments(String),
    /// The compiler rejects it.
    Refused(String),
}

impl LeftOutReason {
    /// The reason in a word, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            LeftOutReason::Unsafe => "unsafe",
            LeftOutReason::Async => "async",
            LeftOutReason::Receiver(_) => "receiver",
            LeftOutReason::Needs(_) => "needs a value",
            LeftOutReason::OtherArguments(_) => "other type arguments",
            LeftOutReason::Refused(_) => "refused by rustc",
        }
    }
}

impl std::fmt::Display for LeftOutReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LeftOutReason::Unsafe => formatter.write_str("it is unsafe"),
            LeftOutReason::Async => formatter.write_str("it is async"),
            LeftOutReason::Receiver(ty) => write!(formatter, "its receiver is `{ty}`"),
            LeftOutReason::Needs(what) => write!(formatter, "it needs {what}"),
            LeftOutReason::OtherArguments(of) => write!(formatter, "it is a function of `{of}`"),
            LeftOutReason::Refused(message) => write!(formatter, "rustc: {message}"),
        }
    }
}

/// The place of a function.
pub(crate) struct FunctionPlace<'p> {
    pub(crate) implementation: &'p Impl,
    pub(crate) given: &'p Substitution,
    /// The trait as written in an expression; none for functions of the type itself.
    pub(crate) of_trait: Option<&'p str>,
    /// True if it is reached by dereferencing.
    pub(crate) is_behind: bool,
}

/// A parameter's name and type, as rustdoc has them.
type RustdocParameter = (String, Type);

/// Methods that take an item away, and those that show it, by the usual names.
const POPS: [(&str, &[&str]); 7] = [
    ("pop", &["peek", "top"]),
    ("pop_back", &["back", "last"]),
    ("pop_front", &["front", "first"]),
    ("pop_last", &["last"]),
    ("pop_first", &["first"]),
    ("pop_min", &["peek_min"]),
    ("pop_max", &["peek_max"]),
];

/// The way to pass the structure itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    None,
    Ref,
    Mut,
    Value,
}

/// The common part of all forms of a method.
struct FunctionCall<'c> {
    name: &'c str,
    function: &'c str,
    place: &'c FunctionPlace<'c>,
    receiver: Receiver,
}

impl Planner<'_> {
    /// The fate of a function: `name` is unique in the suite.
    pub(crate) fn plan(
        &self,
        item: &Item,
        function: &Function,
        place: &FunctionPlace<'_>,
        name: &str,
    ) -> FunctionFate {
        if function.header.is_unsafe {
            return FunctionFate::LeftOut(LeftOutReason::Unsafe);
        }
        if function.header.is_async {
            return FunctionFate::LeftOut(LeftOutReason::Async);
        }
        let given = self
            .stand_ins([&place.implementation.generics, &function.generics], place.given.clone());
        let (receiver, inputs) = match self.receiver(function, &given) {
            Ok(found) => found,
            Err(ty) => return FunctionFate::LeftOut(LeftOutReason::Receiver(ty)),
        };
        let mut served: Vec<Vec<ServedParameter>> = Vec::new();
        for (index, (param, ty)) in inputs.iter().enumerate() {
            let name = self.parameter_name(param, index);
            let lowered = self.lower_at(place, ty, &given);
            let ways = match lives_for_ever(ty) {
                true => self.of_static(&name, &lowered),
                false => self.arguments(&name, &lowered),
            };
            match ways {
                Ok(ways) => served.push(ways),
                Err(what) => return FunctionFate::LeftOut(LeftOutReason::Needs(what)),
            }
        }
        let output = function.sig.output.as_ref().map(|ty| self.lower_at(place, ty, &given));
        let call = FunctionCall {
            name,
            function: item.name.as_deref().unwrap_or_default(),
            place,
            receiver,
        };
        let most = served.iter().map(Vec::len).max().unwrap_or(1);
        let mut forms = Vec::new();
        let mut missing = String::new();
        for way in 0..most {
            let arguments: Vec<_> =
                served.iter().map(|ways| &ways[way.min(ways.len() - 1)]).collect();
            let is_repeated = receiver == Receiver::Ref && inputs.is_empty();
            for returned in self.returned(output.as_ref(), is_repeated) {
                match self.forms(&call, &arguments, &returned) {
                    Ok(more) => forms.extend(more),
                    Err(what) => missing = what,
                }
            }
        }
        forms.dedup();
        match forms.is_empty() {
            true => FunctionFate::LeftOut(LeftOutReason::Needs(missing)),
            false => FunctionFate::Runs(forms),
        }
    }

    /// Like `lower`, with the associated types of the implementation itself, and those that another
    /// trait has for the type under test: `<Self as Observer>::Item`.
    fn lower_at(&self, place: &FunctionPlace<'_>, ty: &Type, given: &Substitution) -> Ty {
        let associated = |ty: &Ty| match ty {
            Ty::Associated { of, of_trait, name, .. } if **of == Ty::Subject => {
                let own = self.document.associated_type(place.implementation, name, given);
                let of_another = || {
                    let subject = Ty::Named(self.subject.ty.clone());
                    self.document.looked_up((*of_trait)?, &subject, name)
                };
                Some(self.with_subject(&own.or_else(of_another)?))
            }
            _ => None,
        };
        self.lower(ty, given).map(&associated)
    }

    fn parameter_name(&self, name: &str, index: usize) -> String {
        let is_fit = crate::names::is_parameter_name(name) && name != self.subject.variable;
        if is_fit { name.to_owned() } else { format!("arg_{}", index + 1) }
    }

    /// The way to pass the structure, and the other parameters.
    fn receiver<'f>(
        &self,
        function: &'f Function,
        given: &Substitution,
    ) -> Result<(Receiver, &'f [RustdocParameter]), String> {
        let inputs = &function.sig.inputs;
        let Some(((_, ty), rest)) = inputs.split_first().filter(|((name, _), _)| name == "self")
        else {
            return Ok((Receiver::None, inputs));
        };
        match self.lower(ty, given) {
            Ty::Subject => Ok((Receiver::Value, rest)),
            Ty::Ref { is_mut, inner } if *inner == Ty::Subject => {
                Ok((if is_mut { Receiver::Mut } else { Receiver::Ref }, rest))
            }
            other => Err(other.text()),
        }
    }

    /// The bare declaration if nothing has to be converted, and one with a function to call.
    fn forms(
        &self,
        call: &FunctionCall<'_>,
        arguments: &[&ServedParameter],
        returned: &ReturnForm,
    ) -> Result<Vec<MethodForm>, String> {
        let declared: Vec<&HarnessParameter> =
            arguments.iter().flat_map(|argument| &argument.declared).collect();
        let names: std::collections::BTreeSet<_> = declared.iter().map(|one| &one.name).collect();
        if names.len() < declared.len() {
            return Err("parameters of different names".to_owned());
        }
        let signature = self.declaration(call, &declared, returned)?;
        let is_plain = returned.is_plain() && arguments.iter().all(|argument| argument.is_plain);
        let is_method = match call.place.of_trait {
            None => !call.place.is_behind,
            Some(_) => matches!(call.function, "clone" | "default" | "eq" | "cmp" | "partial_cmp"),
        };
        let passes_values = declared.iter().any(|one| !one.ty.is_full_range());
        let takes_one =
            call.receiver != Receiver::None || declared.iter().any(|one| one.ty.has_subject());
        let makes_structures = !takes_one && returned.gives_structure;
        let mut forms = Vec::new();
        if is_plain && is_method && call.name == call.function {
            let declaration = format!("{signature};");
            let bare = MethodForm { declaration, wrapper: None, passes_values, makes_structures };
            if declared.is_empty()
                && !returned.is_nothing()
                && let Some(promise) = self.promise_of_pop(call)
            {
                forms.push(MethodForm {
                    declaration: format!("{promise} {signature};"),
                    ..bare.clone()
                });
            }
            forms.push(bare);
        }
        if let Some(counted) = self.counted(call, arguments) {
            let wrapper = Some(self.wrapper(call, &[&counted], &declared, returned)?);
            let declaration = format!("{signature} = calls::{};", call.name);
            forms.push(MethodForm { declaration, wrapper, passes_values, makes_structures });
        }
        let wrapper = Some(self.wrapper(call, arguments, &declared, returned)?);
        forms.push(MethodForm {
            declaration: format!("{signature} = calls::{};", call.name),
            wrapper,
            passes_values,
            makes_structures,
        });
        Ok(forms)
    }

    /// The promise that a method which takes an item away gives the one that was shown there.
    fn promise_of_pop(&self, call: &FunctionCall<'_>) -> Option<String> {
        if call.receiver != Receiver::Mut || call.place.of_trait.is_some() {
            return None;
        }
        let shown = POPS.iter().filter(|(pop, _)| *pop == call.function).flat_map(|(_, all)| *all);
        let shown = shown.into_iter().find(|name| self.is_own_observer(name))?;
        let [after, before] = ["result".to_owned(), format!("self.{shown}()")];
        let [after, before] = [after, before].map(|value| format!("format!(\"{{:?}}\", {value})"));
        Some(format!("#[ensures({after} == old({before}))]"))
    }

    /// The closure of a `retain` that counts its calls: at least one for each item.
    fn counted(
        &self,
        call: &FunctionCall<'_>,
        arguments: &[&ServedParameter],
    ) -> Option<ServedParameter> {
        let [argument] = arguments else { return None };
        let counting = argument.counting.clone()?;
        let is_counted = call.function == "retain"
            && call.receiver == Receiver::Mut
            && call.place.of_trait.is_none()
            && self.is_own_observer("len");
        let variable = &self.subject.variable;
        is_counted.then(|| ServedParameter {
            setup: vec![format!("let (n_items, mut n_asked) = ({variable}.len(), 0);")],
            expression: counting,
            after: vec![
                "assert!(n_asked >= n_items, \"`retain` does not ask about each item\");"
                    .to_owned(),
            ],
            ..(*argument).clone()
        })
    }

    /// Returns whether the type has a public method of that name that takes only `&self`.
    fn is_own_observer(&self, name: &str) -> bool {
        let own = self.document.impls(self.subject.id).filter(|one| one.trait_.is_none());
        let mut items = own
            .filter(|one| self.applies(&one.for_).is_some())
            .flat_map(|one| one.items.iter().filter_map(|id| self.document.item(*id)));
        items.any(|item| {
            let ItemEnum::Function(function) = &item.inner else { return false };
            let is_lent = matches!(
                &function.sig.inputs[..],
                [(receiver, Type::BorrowedRef { is_mutable: false, .. })] if receiver == "self"
            );
            item.name.as_deref() == Some(name)
                && item.visibility == Visibility::Public
                && !function.header.is_unsafe
                && is_lent
        })
    }

    fn declaration(
        &self,
        call: &FunctionCall<'_>,
        declared: &[&HarnessParameter],
        returned: &ReturnForm,
    ) -> Result<String, String> {
        let by = Spelling { subject: "Self", lifetime: "" };
        let mut params: Vec<String> = match call.receiver {
            Receiver::None => Vec::new(),
            Receiver::Ref => vec!["&self".to_owned()],
            Receiver::Mut => vec!["&mut self".to_owned()],
            Receiver::Value => vec!["self".to_owned()],
        };
        for one in declared {
            params.push(format!("{}{}: {}", one.attribute, one.name, one.ty.spell(by)?));
        }
        let output = returned.spell(by)?.map_or(String::new(), |ty| format!(" -> {ty}"));
        Ok(format!("fn {}({}){output}", call.name, params.join(", ")))
    }

    fn wrapper(
        &self,
        call: &FunctionCall<'_>,
        arguments: &[&ServedParameter],
        declared: &[&HarnessParameter],
        returned: &ReturnForm,
    ) -> Result<String, String> {
        let (subject, variable) = (&self.subject.name[..], &self.subject.variable);
        let is_lent = matches!(call.receiver, Receiver::Ref | Receiver::Mut);
        let (generics, lifetime, of_result) = match (returned.has_reference(), is_lent) {
            (false, _) => ("", "", ""),
            (true, true) => ("<'a>", "'a ", "'a "),
            (true, false) => ("", "", "'static "),
        };
        let by = Spelling { subject, lifetime: "" };
        let mut params: Vec<String> = match call.receiver {
            Receiver::None => Vec::new(),
            Receiver::Ref => vec![format!("{variable}: &{lifetime}{subject}")],
            Receiver::Mut => vec![format!("{variable}: &{lifetime}mut {subject}")],
            Receiver::Value => vec![format!("{variable}: {subject}")],
        };
        for one in declared {
            params.push(format!("{}: {}", one.name, one.ty.spell(by)?));
        }
        let output = returned.spell(Spelling { subject, lifetime: of_result })?;
        let output =
            output.map_or(String::new(), |ty| format!(" -> {}", ty.replace("Self", subject)));
        let list: Vec<_> = arguments.iter().map(|argument| argument.expression.as_str()).collect();
        let list = list.join(", ");
        let function = call.function;
        let made = match (call.place.of_trait, call.receiver) {
            (None, Receiver::None) => format!("{subject}::{function}({list})"),
            (None, _) => format!("{variable}.{function}({list})"),
            (Some(of), Receiver::None) => format!("<{subject} as {of}>::{function}({list})"),
            (Some(of), _) => {
                let rest = if list.is_empty() { String::new() } else { format!(", {list}") };
                format!("<{subject} as {of}>::{function}({variable}{rest})")
            }
        };
        let mut body: Vec<String> =
            arguments.iter().flat_map(|argument| argument.setup.clone()).collect();
        let after: Vec<_> = arguments.iter().flat_map(|argument| argument.after.clone()).collect();
        let end = if after.is_empty() { "" } else { ";" };
        body.push(format!("{}{made}{}{end}", returned.around.0, returned.around.1));
        body.extend(after);
        let body: String = body.iter().map(|line| format!("    {line}\n")).collect();
        Ok(format!("pub fn {}{generics}({}){output} {{\n{body}}}\n", call.name, params.join(", ")))
    }
}

/// Returns whether a parameter is a reference that the function may keep for ever.
fn lives_for_ever(ty: &Type) -> bool {
    matches!(ty, Type::BorrowedRef { lifetime: Some(lifetime), .. } if lifetime == "'static")
}
