//! Recipes without sequences: their source and their value by plain recursion over the term. The
//! naive twin of what the library does by way of sequences.

use std::any::Any;
use std::collections::BTreeMap;

use beget_suite::{
    Argument, Call, Frame, Literal, Method, MethodIdx, Outcome, Output, ParamKind, Passing, Recipe,
    Suite,
};

/// A recipe from arbitrary numbers: each triple makes a call on structures made before, or made
/// anew.
pub(crate) fn recipe(suite: &Suite, choices: &[(u8, u8, u8)]) -> Recipe {
    let mut made = vec![(
        0,
        Recipe { method: MethodIdx::new(0), arguments: vec![], output: 0, panics: false },
    )];
    for &(method, from, output) in choices {
        let chosen = MethodIdx::new(usize::from(method) % suite.methods.len());
        let method = suite.method(chosen);
        let mut types = Vec::new();
        let argument = |param: &beget_suite::Param| match param.kind {
            ParamKind::Literal { .. } => Argument::Literal((from % 3).to_string()),
            ParamKind::Structure { ty, .. } => {
                types.push(ty.index());
                let known: Vec<_> = made.iter().filter(|(of, _)| *of == ty.index()).collect();
                let index = usize::from(from) + types.len();
                match known.is_empty() {
                    true => Argument::Structure(Box::new(constructor(suite, ty.index()))),
                    false => Argument::Structure(Box::new(known[index % known.len()].1.clone())),
                }
            }
        };
        let arguments: Vec<_> = method.params.iter().map(argument).collect();
        types.extend(method.outputs.iter().map(|output| output.ty.index()));
        // What is taken by value is no longer there.
        let left = (0..types.len()).filter(|&index| {
            method.structure_params().nth(index).is_none_or(|(_, by)| by != Passing::Value)
        });
        let left: Vec<_> = left.collect();
        let Some(&output) = left.get(usize::from(output) % left.len().max(1)) else { continue };
        let recipe = Recipe { method: chosen, arguments, output, panics: false };
        if recipe.n_calls() < 60 {
            made.push((types[output], recipe));
        }
    }
    made.pop().expect("the first one").1
}

fn constructor(suite: &Suite, ty: usize) -> Recipe {
    let makes = |method: &Method| {
        method.is_constructor()
            && method.outputs.first().is_some_and(|output| output.ty.index() == ty)
    };
    let mut methods = suite.method_idxs();
    let method = methods.find(|&idx| makes(suite.method(idx))).expect("a constructor");
    Recipe { method, arguments: vec![], output: 0, panics: false }
}

/// Runs a recipe; `None` if it does not lead to a structure.
pub(crate) fn replay(
    suite: &Suite,
    recipe: &Recipe,
    literal: &dyn Fn(MethodIdx, usize, &str) -> Option<Literal>,
) -> Option<Box<dyn Any>> {
    let (mut frame, mut literals) = (Frame::default(), Vec::new());
    for argument in &recipe.arguments {
        match argument {
            Argument::Structure(inner) => {
                frame.arguments.push(Some(replay(suite, inner, literal)?));
            }
            Argument::Literal(source) => {
                literals.push(literal(recipe.method, literals.len(), source).unwrap());
            }
        }
    }
    let literals: Vec<&Literal> = literals.iter().collect();
    let outcome = (suite.method(recipe.method).call)(&mut Call::new(&mut frame, &literals));
    let n_arguments = frame.arguments.len();
    match recipe.output < n_arguments || outcome == Outcome::Returned {
        true => frame.arguments.into_iter().chain(frame.results).nth(recipe.output).flatten(),
        false => None,
    }
}

/// The statements that build `recipe`, and the variable that holds it.
pub(crate) fn to_source(suite: &Suite, recipe: &Recipe) -> (String, String) {
    let mut writer = Writer { suite, statements: Vec::new(), names: BTreeMap::new() };
    let variable = writer.build(recipe);
    let lines: Vec<String> = writer.statements.iter().map(Statement::to_line).collect();
    (lines.join("\n"), variable)
}

/// One line; `binds` is the variable it makes, `mutable` whether a later line changes that.
struct Statement {
    binds: Option<String>,
    mutable: bool,
    expression: String,
}

impl Statement {
    fn to_line(&self) -> String {
        match &self.binds {
            Some(name) if self.mutable => format!("let mut {name} = {};", self.expression),
            Some(name) => format!("let {name} = {};", self.expression),
            None => format!("let _ = {};", self.expression),
        }
    }
}

struct Writer<'s> {
    suite: &'s Suite,
    statements: Vec<Statement>,
    names: BTreeMap<String, usize>,
}

impl Writer<'_> {
    fn build(&mut self, recipe: &Recipe) -> String {
        let method = self.suite.method(recipe.method);
        let mut structures = Vec::new();
        let arguments: Vec<String> = method
            .params
            .iter()
            .zip(&recipe.arguments)
            .map(|(param, argument)| self.argument(&param.kind, argument, &mut structures))
            .collect();
        let call = call_source(method, &arguments);
        match structures.get(recipe.output) {
            Some(argument) => {
                let argument = argument.clone();
                self.statements.push(Statement { binds: None, mutable: false, expression: call });
                argument
            }
            None => match method.outputs.get(recipe.output - structures.len()) {
                Some(&output) => self.bind_result(output, call),
                None => {
                    self.statements.push(Statement {
                        binds: None,
                        mutable: false,
                        expression: call,
                    });
                    String::new()
                }
            },
        }
    }

    fn argument(
        &mut self,
        kind: &ParamKind,
        argument: &Argument,
        structures: &mut Vec<String>,
    ) -> String {
        match (kind, argument) {
            (ParamKind::Literal { prefix, .. }, Argument::Literal(source)) => {
                format!("{prefix}{source}")
            }
            (ParamKind::Structure { passing, .. }, Argument::Structure(recipe)) => {
                let variable = self.build(recipe);
                structures.push(variable.clone());
                match passing {
                    Passing::Value => variable,
                    Passing::Ref => format!("&{variable}"),
                    Passing::Mut => {
                        self.make_mutable(&variable);
                        format!("&mut {variable}")
                    }
                }
            }
            _ => panic!("the recipe's arguments do not match the method's parameters"),
        }
    }

    fn make_mutable(&mut self, variable: &str) {
        let binding = self
            .statements
            .iter_mut()
            .find(|statement| statement.binds.as_deref() == Some(variable));
        if let Some(statement) = binding {
            statement.mutable = true;
        }
    }

    fn bind_result(&mut self, output: Output, call: String) -> String {
        let name = self.fresh_name(self.suite.types[output.ty.index()].name);
        let expression = match output.access.split_once('{') {
            Some((before, rest)) => format!("{before}{call}{}", rest.replacen('}', "", 1)),
            None => {
                let rest = output.access.trim_start_matches('*');
                let stars = &output.access[..output.access.len() - rest.len()];
                format!("{stars}{call}{rest}")
            }
        };
        self.statements.push(Statement { binds: Some(name.clone()), mutable: false, expression });
        name
    }

    /// The type's name in snake case, numbered from the second use on.
    fn fresh_name(&mut self, ty: &str) -> String {
        let base = snake_case(ty);
        let uses = self.names.entry(base.clone()).or_default();
        *uses += 1;
        if *uses == 1 { base } else { format!("{base}_{uses}") }
    }
}

/// `receiver.method(rest)` where the first parameter is `self`, `Type::function(all)` otherwise.
fn call_source(method: &Method, arguments: &[String]) -> String {
    match method.params.first() {
        Some(param) if param.name == "self" => {
            let receiver = arguments[0].trim_start_matches("&mut ").trim_start_matches('&');
            let name = method.path.rsplit("::").next().unwrap_or(method.path);
            format!("{receiver}.{name}({})", arguments[1..].join(", "))
        }
        _ => format!("{}({})", method.path, arguments.join(", ")),
    }
}

fn snake_case(ty: &str) -> String {
    let end = ty.find('<').unwrap_or(ty.len());
    let start = ty[..end].rfind("::").map_or(0, |colons| colons + 2);
    let mut name = String::new();
    for (index, letter) in ty[start..end].trim().chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    if name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !name.is_empty() {
        name
    } else {
        "value".to_owned()
    }
}
