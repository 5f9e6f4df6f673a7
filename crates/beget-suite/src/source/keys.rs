//! Keys in source: keys that later calls take become variables, and keys of another structure come
//! with the calls that issue them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use beget_process::guard::guarded;

use super::call::{call_source, passed};
use super::{SourceWriter, around};
use crate::domain::referenced;
use crate::keys::{FOREIGN, ForeignCall, ForeignResult, RouteArgument};
use crate::lockstep::left_side;
use crate::{
    Execution, KeyedMethod, Literal, Method, Operand, Output, ParamKind, Sequence, Statement,
    Suite, Variable,
};

/// The keys of a sequence that later calls take: each becomes a variable.
#[derive(Default)]
pub(super) struct KeyVariables {
    /// True if a call has a key-carrying form: otherwise none takes or issues a key.
    has_keyed_calls: bool,
    /// Their variables, numbered after those of the sequence.
    wanted: BTreeMap<IssuedKey, Variable>,
    /// The number of the sequence's variables.
    n_variables: usize,
    /// The number of keys of each kind that a structure has issued so far.
    n_issued: BTreeMap<(Variable, usize), usize>,
    /// The numbers of the calls that issue the foreign keys, by statement and parameter.
    foreign: BTreeMap<(usize, usize), usize>,
}

/// A key: the structure that issued it, its kind, and its number among those.
pub(super) type IssuedKey = (Variable, usize, usize);

impl KeyVariables {
    pub(super) fn of(statements: &[&Statement], suite: &Suite) -> Self {
        let n_variables = statements.iter().map(|one| one.bindings.len()).sum();
        let has_keyed_calls = statements.iter().any(|one| is_keyed(suite.method(one.method)));
        let mut keys = KeyVariables { n_variables, has_keyed_calls, ..KeyVariables::default() };
        if !has_keyed_calls {
            return keys;
        }
        for &statement in statements {
            for (_, key) in taken_keys(suite.method(statement.method), statement) {
                keys.want(key);
            }
        }
        keys.foreign = foreign_numbers(statements, suite).unwrap_or_default();
        keys
    }

    /// The key-carrying form of a call's method, as [`keyed_call`] gives it.
    fn keyed_call<'m>(
        &self,
        method: &'m Method,
        statement: &Statement,
    ) -> Option<(&'m KeyedMethod, Variable)> {
        self.has_keyed_calls.then(|| keyed_call(method, statement)).flatten()
    }

    /// Returns whether a call may take or issue a key.
    pub(super) fn has_keys(&self, method: &Method, statement: &Statement) -> bool {
        self.keyed_call(method, statement).is_some()
    }

    /// Gives the key a variable.
    pub(super) fn want(&mut self, key: IssuedKey) {
        let variable = Variable(self.n_variables + self.wanted.len());
        self.wanted.entry(key).or_insert(variable);
    }

    /// The parameters of a call that take keys of other structures, with their kind and the number
    /// of the call that issues the key.
    fn foreign<'m>(
        &self,
        index: usize,
        method: &'m Method,
        statement: &Statement,
    ) -> Vec<(usize, &'m KeyedMethod, usize, usize)> {
        let Some((keyed, owner)) = self.keyed_call(method, statement) else { return Vec::new() };
        let foreign = foreign_parameters(keyed, statement).map(|(parameter, kind)| {
            let number = self.foreign.get(&(index, parameter)).copied();
            // Without values: assumes that each call before has issued a key of its own.
            let n_issued = || self.n_issued.get(&(owner, kind)).copied().unwrap_or(0);
            (parameter, keyed, kind, number.unwrap_or_else(n_issued))
        });
        foreign.collect()
    }

    /// The outputs of a call that are keys to keep.
    pub(super) fn issue(
        &mut self,
        method: &Method,
        statement: &Statement,
    ) -> Vec<(Output, Variable)> {
        let Some((keyed, owner)) = self.keyed_call(method, statement) else { return Vec::new() };
        let mut kept = Vec::new();
        for (kind, output) in keyed.issued() {
            let number = self.n_issued.entry((owner, kind)).or_default();
            let variable = self.wanted.get(&(owner, kind, *number));
            *number += 1;
            kept.extend(variable.map(|variable| (output, *variable)));
        }
        kept
    }
}

/// Returns whether a method has a key-carrying form.
fn is_keyed(method: &Method) -> bool {
    method.left().stands_for::<KeyedMethod>().is_some()
}

/// The key-carrying form of a call's method, and the structure that has issued the keys. Of a pair,
/// it is that of the left side, whose calls are written.
fn keyed_call<'m>(
    method: &'m Method,
    statement: &Statement,
) -> Option<(&'m KeyedMethod, Variable)> {
    let keyed = method.left().stands_for::<KeyedMethod>()?;
    let (_, owner) = statement.variables().nth(keyed.owner())?;
    Some((keyed, owner))
}

/// The parameters of a call that take foreign keys, and their kinds.
fn foreign_parameters<'a>(
    keyed: &'a KeyedMethod,
    statement: &'a Statement,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let arguments = statement.arguments.iter().enumerate();
    arguments.filter_map(|(index, argument)| {
        let is_foreign = matches!(argument, Operand::Literal(source) if source == FOREIGN);
        is_foreign.then(|| keyed.key_kind(index)).flatten().map(|kind| (index, kind))
    })
}

/// The number of the call that issues each foreign key of a sequence. The choice of the key depends
/// on the keys that the structure has issued, so the calls before are made. `None` if there are no
/// foreign keys, or a literal is unknown to the suite.
fn foreign_numbers(
    statements: &[&Statement],
    suite: &Suite,
) -> Option<BTreeMap<(usize, usize), usize>> {
    let takes_foreign = |statement: &&Statement| statement.literals().any(|one| one == FOREIGN);
    let n_needed = statements.iter().rposition(takes_foreign)? + 1;
    let statements = statements.iter().map(|&statement| statement.clone()).collect();
    let sequence = Sequence { statements, result: None };
    let literals =
        sequence.literals(|method, index, source| suite.literal(method, index, source)).ok()?;
    let (mut execution, mut numbers) = (Execution::new(suite), BTreeMap::new());
    let steps = sequence.statements.iter().zip(&literals).enumerate();
    let made = guarded(|| {
        for (index, (statement, literals)) in steps.take(n_needed) {
            if let Some((keyed, owner)) = keyed_call(suite.method(statement.method), statement)
                && let Some(value) = execution.value(owner)
            {
                let value = left_side(value);
                let found = foreign_parameters(keyed, statement).filter_map(|(parameter, _)| {
                    Some(((index, parameter), keyed.foreign_number(parameter, value)?))
                });
                numbers.extend(found);
            }
            if index + 1 < n_needed {
                let literals: Vec<&Literal> = literals.iter().collect();
                let kept = Statement { ends: Vec::new(), ..statement.clone() };
                execution.step(&kept, &literals, |method, call| guarded(|| method.make(call)));
                for ended in &statement.ends {
                    let ended = execution.take(*ended);
                    let _ = guarded(|| drop(ended));
                }
            }
        }
    });
    let _ = guarded(|| drop(execution));
    made.is_ok().then_some(numbers)
}

/// The keys that a call takes, by the positions of its parameters.
fn taken_keys(method: &Method, statement: &Statement) -> Vec<(usize, IssuedKey)> {
    let Some((keyed, owner)) = keyed_call(method, statement) else { return Vec::new() };
    let arguments = statement.arguments.iter().enumerate();
    let taken = arguments.filter_map(|(index, argument)| {
        let (kind, Operand::Literal(source)) = (keyed.key_kind(index)?, argument) else {
            return None;
        };
        Some((index, (owner, kind, KeyedMethod::number_of(source)?)))
    });
    taken.collect()
}

impl SourceWriter<'_> {
    pub(super) fn key_name(&self, key: &IssuedKey) -> Option<&str> {
        let name = self.names.get(self.keys.wanted.get(key)?.0)?;
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// The names of the keys that a call takes, by the positions of its parameters. Writes the
    /// calls for those of other structures.
    pub(super) fn key_names(
        &mut self,
        index: usize,
        method: &Method,
        statement: &Statement,
    ) -> Vec<(usize, String)> {
        if !self.keys.has_keyed_calls {
            return Vec::new();
        }
        let own = taken_keys(method, statement)
            .into_iter()
            .filter_map(|(index, key)| Some((index, self.key_name(&key)?.to_owned())));
        let mut names: Vec<_> = own.collect();
        let mut foreign = BTreeMap::new();
        for (parameter, keyed, kind, number) in self.keys.foreign(index, method, statement) {
            let name = match foreign.get(&kind) {
                Some(name) => Some(String::clone(name)),
                None => keyed.foreign_calls(parameter, number).map(|all| self.foreign_key(&all)),
            };
            if let Some(name) = name {
                foreign.insert(kind, name.clone());
                names.push((parameter, name));
            }
        }
        names
    }

    /// Writes the calls by which another structure issues a key; returns the key's name.
    fn foreign_key(&mut self, calls: &[ForeignCall<'_>]) -> String {
        let (mut owner, mut keys) = (String::new(), Vec::<String>::new());
        for made in calls {
            let arguments: Vec<Cow<'_, str>> = (0..made.call.arguments.len())
                .map(|index| foreign_argument(made, index, &owner, &keys))
                .collect();
            let source = call_source(&made.call.method, &arguments);
            let (ty, mutable) = match made.gives {
                ForeignResult::Nothing => {
                    self.push(["let _ = ", &source, ";"]);
                    continue;
                }
                ForeignResult::Owner => (self.suite.types[0].name, "mut "),
                ForeignResult::Key => ("Key", ""),
                ForeignResult::LastKey => ("ForeignKey", ""),
            };
            let name = self.fresh_name(ty);
            let (before, access, after) = around(made.call.method.outputs[made.call.output].access);
            let bound = [before, &source, access, after, ";"];
            self.push(["let ", mutable, &name, " = "].into_iter().chain(bound));
            match made.gives {
                ForeignResult::Owner => owner = name,
                _ => keys.push(name),
            }
        }
        keys.pop().expect("the last call gives the key")
    }
}

/// An argument of a call on another structure, the variable `owner`, which has issued `keys`.
fn foreign_argument<'a>(
    made: &ForeignCall<'_>,
    index: usize,
    owner: &'a str,
    keys: &'a [String],
) -> Cow<'a, str> {
    match (&made.call.arguments[index], made.call.method.params[index].kind) {
        (RouteArgument::Owner, ParamKind::Structure { passing, .. }) => passed(owner, passing),
        (RouteArgument::Key { call, .. }, ParamKind::Structure { passing, .. }) => {
            passed(&keys[*call], passing)
        }
        (_, ParamKind::Literal { prefix, .. }) => {
            let literal = made.call.literal(index, made.number).expect("it takes literals");
            Cow::Owned(referenced(prefix, &literal.source))
        }
        _ => unreachable!("literals are for parameters of literals"),
    }
}
