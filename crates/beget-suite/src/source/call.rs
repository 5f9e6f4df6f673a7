//! The expression of a call.

use std::borrow::Cow;

use crate::domain::referenced;
use crate::{Method, Param, ParamKind, Passing};

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
pub(super) fn passed(name: &str, passing: Passing) -> Cow<'_, str> {
    match passing {
        Passing::Value => Cow::Borrowed(name),
        Passing::Ref | Passing::Mut => {
            let mut argument = String::new();
            push_passed(&mut argument, name, passing);
            Cow::Owned(argument)
        }
    }
}

pub(super) fn push_passed(call: &mut String, name: &str, passing: Passing) {
    let borrowed = match passing {
        Passing::Value => "",
        Passing::Ref => "&",
        Passing::Mut => "&mut ",
    };
    call.extend([borrowed, name]);
}

pub(super) fn call_source(method: &Method, arguments: &[Cow<'_, str>]) -> String {
    let mut call = String::new();
    write_call_source(&mut call, method, &mut |call, index| call.push_str(&arguments[index]));
    call
}

/// Appends an argument, by the position of its parameter, to a call.
pub(super) type PushArgument<'p> = dyn FnMut(&mut String, usize) + 'p;

/// Appends `receiver.method(rest)` if the first parameter is `self`, `Type::function(all)`
/// otherwise.
pub(super) fn write_call_source(call: &mut String, method: &Method, push: &mut PushArgument<'_>) {
    if method.path.ends_with(')') {
        write_filled(call, method, push);
        return;
    }
    let has_receiver = method.params.first().is_some_and(|param| param.name == "self");
    if has_receiver {
        push_receiver(call, push);
        let name = method.path.rsplit_once(':').map_or(method.path, |(_, name)| name);
        call.extend([".", name]);
    } else {
        call.push_str(method.path);
    }
    call.push('(');
    let first = usize::from(has_receiver);
    for index in first..method.params.len() {
        call.push_str(if index == first { "" } else { ", " });
        push(call, index);
    }
    call.push(')');
}

/// Appends the first argument without `&` or `&mut`: a call borrows its receiver by itself.
fn push_receiver(call: &mut String, push: &mut PushArgument<'_>) {
    let start = call.len();
    push(call, 0);
    let mut receiver = &call[start..];
    while let Some(borrowed) = receiver.strip_prefix("&mut ") {
        receiver = borrowed;
    }
    let end = call.len() - receiver.trim_start_matches('&').len();
    call.drain(start..end);
}

/// Appends the path, which is the whole call, with the arguments filled in.
fn write_filled(call: &mut String, method: &Method, push: &mut PushArgument<'_>) {
    for part in method.path.split_inclusive(['{', '}']) {
        match part.strip_suffix('}').map(str::parse::<usize>) {
            Some(Ok(0)) if method.params[0].name == "self" => push_receiver(call, push),
            Some(Ok(index)) => push(call, index),
            _ => call.push_str(part.trim_end_matches('{')),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::tests::of_structures;

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
