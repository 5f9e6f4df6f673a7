//! Closures for parameters that take a function, each with one stated choice of behaviour.

use crate::parameter::HarnessParameter;
use crate::subject::TRACKED;
use crate::ty::{Spelling, TraitBound, Ty, has_domain};

/// A closure, and the parameters of the harness that it returns.
pub(crate) struct ClosureText {
    pub(crate) source: String,
    /// The same, where each call adds one to `n_asked`; none if it owns what it uses.
    pub(crate) counting: Option<String>,
    pub(crate) declared: Vec<HarnessParameter>,
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// A closure for a parameter of that name with that bound, or the missing part.
pub(crate) fn closure(name: &str, bound: &TraitBound) -> Result<ClosureText, String> {
    let output = bound.output.clone().unwrap_or(Ty::Tuple(Vec::new()));
    if bound.args.len() > NAMES.len() {
        return Err("a function of many arguments".to_owned());
    }
    let mut body = ClosureBody { bound, used: vec![false; bound.args.len()], declared: None };
    let source = body.of(name, &output)?;
    let names = body.used.iter().zip(NAMES).map(|(used, name)| if *used { name } else { "_" });
    let names = names.collect::<Vec<_>>().join(", ");
    let owns = body.declared.is_some();
    let word = if owns { "move " } else { "" };
    Ok(ClosureText {
        source: format!("{word}|{names}| {source}"),
        counting: (!owns).then(|| format!("|{names}| {{ n_asked += 1; {source} }}")),
        declared: body.declared.into_iter().collect(),
    })
}

struct ClosureBody<'b> {
    bound: &'b TraitBound,
    used: Vec<bool>,
    declared: Option<HarnessParameter>,
}

impl ClosureBody<'_> {
    fn of(&mut self, name: &str, output: &Ty) -> Result<String, String> {
        let args = &self.bound.args;
        if output.is_unit() {
            let changed = args.iter().position(
                |arg| matches!(arg, Ty::Ref { is_mut: true, inner } if inner.is_integer()),
            );
            return Ok(changed.map_or("{}".to_owned(), |at| format!("*{} ^= 1", self.name(at))));
        }
        let is_bool = *output == Ty::Primitive("bool".to_owned());
        if is_bool || output.std().is_some_and(|(name, _)| name == "Ordering") {
            // For comparisons of two equal kinds of arguments.
            let half = args.len() / 2;
            if half > 0 && args.len().is_multiple_of(2) && args[..half] == args[half..] {
                let (left, right) = (self.place(0), self.place(half));
                return Ok(if is_bool {
                    format!("{left} == {right}")
                } else {
                    format!("{left}.cmp(&{right})")
                });
            }
            let is_compared = |arg: &Ty| arg.referent().is_integer() || arg.referent().is_tracked();
            if let Some(at) = args.iter().rposition(is_compared) {
                let is_tracked = args[at].referent().is_tracked();
                let value = self.place(at);
                // An element is asked itself, so that it may panic or lie.
                return Ok(match (is_bool, is_tracked) {
                    (true, false) => format!("{value} % 2 == 0"),
                    (false, false) => format!("{value}.cmp(&1)"),
                    (true, true) => format!("{value} == {TRACKED}::new(0)"),
                    (false, true) => format!("{value}.cmp(&{TRACKED}::new(1))"),
                });
            }
        }
        if let Some(at) = args.iter().rposition(|arg| arg.referent() == output) {
            let value = self.place(at);
            return Ok(if output.is_integer() { value } else { format!("{value}.clone()") });
        }
        if output.is_integer()
            && let Some(at) = args.iter().rposition(|arg| arg.referent().is_integer())
        {
            let ty = output.text();
            return Ok(format!("{} as {ty}", self.place(at)));
        }
        if has_domain(output) && !output.has_reference() {
            // The result of a function without arguments is a literal of the scope.
            let made = format!("{name}_gives");
            let is_copy = output.is_integer() || is_bool;
            let source = if is_copy { made.clone() } else { format!("{made}.clone()") };
            self.declared = Some(HarnessParameter::plain(&made, output)?);
            return Ok(source);
        }
        if let Some(("Result", [ok, error])) = output.std() {
            let error = error.spell(Spelling { subject: "Self", lifetime: "" })?;
            return Ok(format!("Ok::<_, {error}>({})", self.of(name, ok)?));
        }
        Err(format!("a function that returns `{}`", output.text()))
    }

    fn name(&mut self, at: usize) -> &'static str {
        self.used[at] = true;
        NAMES[at]
    }

    /// The value behind the references of an argument.
    fn place(&mut self, at: usize) -> String {
        let mut stars = String::new();
        let mut ty = &self.bound.args[at];
        while let Ty::Ref { inner, .. } = ty {
            stars.push('*');
            ty = inner;
        }
        let name = self.name(at);
        if stars.is_empty() { name.to_owned() } else { format!("({stars}{name})") }
    }
}
