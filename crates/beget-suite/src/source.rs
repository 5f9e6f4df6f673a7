//! Recipes as Rust source.
//!
//! A recipe becomes a list of statements that leaves its structure in one variable. The statements compile without
//! warnings wherever the suite's types are in scope: variables that are not changed are not `mut`, results
//! that are not used are dropped with `let _`.

use std::collections::BTreeMap;

use crate::{Argument, Method, Output, ParamKind, Passing, Recipe, Suite};

/// The statements that build `recipe`, one per line, and the name of the variable that holds the structure; an empty
/// name if the last call leaves none, as that of a witness may.
///
/// ```text
/// let mut stack = Stack::new();
/// let _ = stack.push(1);
/// ```
pub fn to_source(suite: &Suite, recipe: &Recipe) -> (String, String) {
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
        let method = &self.suite.methods[recipe.method];
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
        let name = self.fresh_name(self.suite.types[output.ty.0].name);
        let rest = output.access.trim_start_matches('*');
        let stars = &output.access[..output.access.len() - rest.len()];
        let expression = format!("{stars}{call}{rest}");
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
