//! Tests of postconditions: the last call of a witness, followed by the condition as written in the
//! suite, with the variables of the test in place of `self` and the parameters.
//!
//! The condition is known only by its text, a Rust expression.

use beget_plan::scope::Plan;
use beget_suite::{Method, Operand, Param, ParamKind, Sequence, Statement};

use super::{NoFailure, unformatted};
use crate::replay::{Replay, ReplayError, unobserved};

/// The statements of a test of calls whose last one breaks the condition; `message` is that of the
/// finding.
pub(super) fn body(
    plan: &Plan,
    calls: &Sequence,
    condition: &str,
    message: &str,
) -> Result<Vec<String>, NoFailure> {
    let mut calls = Sequence { result: None, ..calls.clone() };
    let (last, n_before) = match calls.statements.split_last_mut() {
        Some((last, before)) => (last, before.len()),
        None => return Err(NoFailure::NoCalls),
    };
    last.bindings.clear();
    last.ends.clear();
    let last = last.clone();
    match Replay::new(plan, &calls).run(&calls, unobserved) {
        Err((at, ReplayError::Broken(breach))) if at == n_before && breach.message == message => {}
        _ => return Err(NoFailure::Gone),
    }
    let method = plan.suite.method(last.method);
    // Only the call shows which variable a key is.
    let names_key = |(index, param): (usize, &Param)| {
        method.takes_key(index) && words(condition).iter().any(|word| word.text == param.name)
    };
    if method.params.iter().enumerate().any(names_key) {
        return Err(NoFailure::Kind);
    }
    let as_it_is = |index: usize, call: &str| (index == n_before).then(|| call.to_owned());
    let (mut body, _) = calls.to_test_source(&plan.suite, &as_it_is);
    let call = body.pop().unwrap_or_default();
    let names = calls.variable_names(&plan.suite);
    let variables = last.variables().map(|(_, variable)| names[&variable].clone()).collect();
    let mut postcondition = WrittenCondition {
        known: parameters(method, variables),
        olds: Vec::new(),
        has_result: false,
    };
    let holds = postcondition.written(condition);
    body.extend(literals(method, &last, condition));
    body.extend(postcondition.olds);
    body.push(match postcondition.has_result {
        true => format!("let result = &{call};"),
        false if method.returns.is_some() => format!("let _ = {call};"),
        false => format!("{call};"),
    });
    body.push(format!("assert!({holds}, {:?});", unformatted(message)));
    Ok(body)
}

/// The structure parameters by their names, with the variables passed.
fn parameters(method: &Method, variables: Vec<String>) -> Vec<(&'static str, String)> {
    let is_structure = |kind: &ParamKind| matches!(kind, ParamKind::Structure { .. });
    let params = method.params.iter().filter(|param| is_structure(&param.kind));
    params.map(|param| param.name).zip(variables).collect()
}

/// The literals that the condition names, as separate variables.
fn literals(method: &Method, last: &Statement, condition: &str) -> Vec<String> {
    let params = method.params.iter().zip(&last.arguments);
    let written = params.filter_map(|(param, argument)| match (param.kind, argument) {
        (ParamKind::Literal { domain, prefix }, Operand::Literal(source)) => {
            let is_named = words(condition).iter().any(|word| word.text == param.name);
            let ty = domain.ty;
            is_named.then(|| format!("let {}: {ty} = {prefix}{source};", param.name))
        }
        _ => None,
    });
    written.collect()
}

/// A condition being written for a test.
struct WrittenCondition {
    /// Structure parameters, and the variables that hold them.
    known: Vec<(&'static str, String)>,
    /// The statements that keep the values of `old(...)`.
    olds: Vec<String>,
    has_result: bool,
}

impl WrittenCondition {
    fn written(&mut self, condition: &str) -> String {
        let words = words(condition);
        let mut written = String::new();
        let mut at = 0;
        for NameInSource { text, start } in words {
            // It was inside an `old`.
            if start < at {
                continue;
            }
            let end = start + text.len();
            written.push_str(&condition[at..start]);
            at = end;
            self.has_result |= text == "result";
            let variable = self.known.iter().find(|(name, _)| *name == text);
            match (variable, condition[end..].chars().next()) {
                (Some((_, variable)), Some('.')) => written.push_str(variable),
                (Some((_, variable)), _) => written.push_str(&format!("(&{variable})")),
                (None, Some('(')) if text == "old" => {
                    let length = length_of_group(&condition[end..]);
                    let value = self.written(&condition[end + 1..end + length - 1]);
                    let name = format!("old_{}", self.olds.len() + 1);
                    self.olds.push(format!("let {name} = {value};"));
                    written.push_str(&name);
                    at = end + length;
                }
                (None, _) => written.push_str(text),
            }
        }
        written + &condition[at..]
    }
}

/// A name in a source that is not followed by a path or a call.
#[derive(Clone, Copy)]
struct NameInSource<'s> {
    text: &'s str,
    start: usize,
}

/// The names in an expression that are no fields, methods or parts of paths, outside of texts.
fn words(source: &str) -> Vec<NameInSource<'_>> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let mut found = Vec::new();
    let (mut at, mut before) = (0, ' ');
    while let Some(char) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = if char == '"' || is_char(rest) {
            length_of_text(rest, char)
        } else if is_name(char) {
            let length = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
            if !matches!(before, '.' | ':') && !char.is_ascii_digit() {
                found.push(NameInSource { text: &rest[..length], start: at });
            }
            length
        } else {
            char.len_utf8()
        };
        before = char;
        at += length;
    }
    found
}

/// Returns whether a literal of a character begins here, and no lifetime.
fn is_char(source: &str) -> bool {
    let mut chars = source.chars();
    chars.next() == Some('\'') && (chars.next() == Some('\\') || chars.next() == Some('\''))
}

/// The length of a text or a character in quotes.
fn length_of_text(source: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in source.char_indices().skip(1) {
        if char == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = char == '\\' && !is_escaped;
    }
    source.len()
}

/// The length of a group in parentheses.
fn length_of_group(source: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(char) = source[at..].chars().next() {
        let rest = &source[at..];
        at +=
            if char == '"' || is_char(rest) { length_of_text(rest, char) } else { char.len_utf8() };
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_suite::{Breach, Variable};

    use super::*;
    use crate::random::tests::{call, plan_of, sequence};

    /// A sum, which is wrong from the second number on.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Saucer {
        sum: u8,
    }

    #[beget::api(name = "test::saucer")]
    impl Saucer {
        pub fn new() -> Self {
            Saucer::default()
        }

        #[api(ensures(result.sum == 0))]
        pub fn full() -> Self {
            Saucer { sum: 3 }
        }

        #[api(ensures(self.sum == by))]
        pub fn add(&mut self, by: u8, is_heavy: bool) {
            self.sum = self.sum.saturating_add(by).saturating_add(u8::from(is_heavy));
        }
    }

    /// A new saucer, and one added as often.
    fn adding(plan: &Plan, n: usize) -> Sequence {
        let add = call(plan, "add", &[0], None);
        let literals = ["1", "false"].map(|source| Operand::Literal(source.to_owned()));
        let arguments = add.arguments.iter().cloned().chain(literals).collect();
        let add = Statement { arguments, ..add };
        let new = call(plan, "new", &[], Some(0));
        sequence(&[&[new][..], &vec![add; n]].concat())
    }

    /// The statement that breaks its condition, and the condition with the message.
    fn breach(plan: &Plan, calls: &Sequence) -> (usize, Breach) {
        match Replay::new(plan, calls).run(calls, unobserved) {
            Err((at, ReplayError::Broken(breach))) => (at, breach),
            other => panic!("{other:?}"),
        }
    }

    /// The condition does not name one of the literals.
    #[test]
    fn the_last_call_breaks_its_condition_and_no_earlier_one() {
        let plan = plan_of(Saucer::suite());
        let (at, Breach { message, .. }) = breach(&plan, &adding(&plan, 3));
        assert_eq!(at, 2);
        let of =
            |n: usize, message: &str| body(&plan, &adding(&plan, n), "self.sum == by", message);
        assert_eq!(of(3, &message), Err(NoFailure::Gone));
        assert_eq!(of(2, "another condition"), Err(NoFailure::Gone));
        let call = "saucer.add(1, false);";
        let lines = of(2, &message).unwrap();
        assert_eq!(lines[..4], ["let mut saucer = Saucer::new();", call, "let by: u8 = 1;", call]);
    }

    /// The call that breaks the condition binds no variable in the test, even that of the result.
    #[test]
    fn the_result_of_the_last_call_is_what_the_condition_names() {
        let plan = plan_of(Saucer::suite());
        let full = sequence(&[call(&plan, "full", &[], Some(0))]);
        let calls = Sequence { result: Some(Variable(0)), ..full };
        let (_, Breach { message, .. }) = breach(&plan, &calls);
        let lines = body(&plan, &calls, "result.sum == 0", &message).unwrap();
        let assertion = format!("assert!(result.sum == 0, {message:?});");
        assert_eq!(lines, ["let result = &Saucer::full();", &assertion]);
    }

    #[track_caller]
    fn check(condition: &str, expected: &str, olds: &[&str]) {
        let known = vec![("self", "list".to_owned()), ("other", "list_2".to_owned())];
        let mut postcondition = WrittenCondition { known, olds: Vec::new(), has_result: false };
        assert_eq!(postcondition.written(condition), expected);
        assert_eq!(postcondition.olds, olds);
        assert_eq!(postcondition.has_result, condition.contains("result"));
    }

    #[test]
    fn names_become_variables_and_olds_statements() {
        check("self.len() == 1", "list.len() == 1", &[]);
        check(
            "self.len() == old(self.len()) + old(other.len())",
            "list.len() == old_1 + old_2",
            &["let old_1 = list.len();", "let old_2 = list_2.len();"],
        );
        check("*result == Ok(f(self))", "*result == Ok(f((&list)))", &[]);
        check("is(self, \"self.\\\" old(\", 'o')", "is((&list), \"self.\\\" old(\", 'o')", &[]);
        check(
            "x.other.old(1) == a::self_of(other)",
            "x.other.old(1) == a::self_of((&list_2))",
            &[],
        );
        check(
            "old(f(')', \")\", (self, 1)))",
            "old_1",
            &["let old_1 = f(')', \")\", ((&list), 1));"],
        );
        check("old((self.len())) + 1", "old_1 + 1", &["let old_1 = (list.len());"]);
        // A lifetime is no character.
        check("is::<&'static str>(self, 'x')", "is::<&'static str>((&list), 'x')", &[]);
    }
}
