//! Literals: what each parameter of the methods in use ranges over.

use std::collections::BTreeMap;

use beget_suite::{DomainError, DomainKind, Literal, LiteralDomain, Method};

use super::pools::{Filled, type_names};
use super::{LeftOut, Resolver};
use crate::diagnostic::{Span, nearest, suggest};
use crate::plan::PlannedMethod;
use crate::read::Text;

/// A mistake in the literals, with all parameters that it concerns.
struct Misfit {
    span: Span,
    /// The message in front of the parameters, and what follows them.
    message: (String, String),
    /// Each with its type.
    params: Vec<(String, &'static str)>,
    kind: DomainKind,
}

impl Resolver<'_> {
    /// The methods at these positions with the literals of their parameters. `arrays` bounds vectors of literals.
    pub(super) fn planned(&mut self, methods: &[usize], arrays: u32) -> Vec<PlannedMethod> {
        let common = self.common_pools(arrays);
        let overrides = self.overrides(&common);
        self.check_enums(&common);
        let mut misfits = Vec::new();
        let mut planned = Vec::new();
        for &index in methods {
            let suite = self.suite;
            let method = &suite.methods[index];
            let mut domains = Vec::new();
            for (param, domain) in method.literal_params() {
                let name = format!("{}.{}", method.name, param.name);
                let filled = overrides.get(&name).unwrap_or(&common);
                domains.push(self.literals(&name, domain, filled, &mut misfits));
            }
            let structures = method.structure_params().map(|(ty, _)| ty).collect();
            planned.push(PlannedMethod { method: index, structures, domains });
        }
        for misfit in misfits {
            match self.leaves_out {
                true => self.leave_out(&misfit, &mut planned),
                false => self.report(misfit),
            }
        }
        planned
    }

    /// Takes the methods out that the misfit concerns.
    fn leave_out(&mut self, misfit: &Misfit, planned: &mut Vec<PlannedMethod>) {
        let (before, after) = &misfit.message;
        for (name, ty) in &misfit.params {
            let is_concerned = |planned: &PlannedMethod| {
                let method = self.suite.methods[planned.method].name;
                name.strip_prefix(method).is_some_and(|rest| rest.starts_with('.'))
            };
            // A method with two such parameters is gone after the first.
            if let Some(index) = planned.iter().position(is_concerned) {
                let reason = format!("{before}`{name}: {ty}`{after}");
                self.left_out.push(LeftOut { method: planned.remove(index).method, reason });
            }
        }
    }

    /// The pools of the parameters that the scope names, by `method.param`.
    fn overrides(&mut self, common: &Filled) -> BTreeMap<String, Filled> {
        let mut overrides = BTreeMap::new();
        let scope = self.scope;
        for (name, domain) in &scope.params {
            if let Some(literal) = self.literal_param(name) {
                let filled = self.overridden(common, &literal, domain);
                overrides.insert(name.value.clone(), filled);
            }
        }
        overrides
    }

    /// The literal parameter of the suite that `name`, `method.param`, means.
    fn literal_param(&mut self, name: &Text) -> Option<LiteralDomain> {
        let Some((method_name, param_name)) = name.value.split_once('.') else {
            let help = format!("write `{}.param`", name.value);
            self.problem(name.inside(), "a parameter is named `method.param`", Some(help));
            return None;
        };
        let suite = self.suite;
        let Some(method) = suite.method(method_name) else {
            let message = format!("no method named `{method_name}` in suite `{}`", self.suite.name);
            let help = self.suggest_method(method_name);
            self.problem(name.at(0..method_name.len()), message, help);
            return None;
        };
        let span = name.at(method_name.len() + 1..name.value.len());
        if let Some((_, domain)) =
            method.literal_params().find(|(param, _)| param.name == param_name)
        {
            return Some(*domain);
        }
        self.not_a_literal_param(method, param_name, span);
        None
    }

    fn not_a_literal_param(&mut self, method: &Method, name: &str, span: Span) {
        if method.params.iter().any(|param| param.name == name) {
            let message = format!("`{}.{name}` takes a structure: it has no literals", method.name);
            self.problem(span, message, None);
            return;
        }
        let known = method.literal_params().map(|(param, _)| param.name);
        let none = "it has no parameter that takes literals".to_owned();
        let help = suggest(name, known).unwrap_or(none);
        let message = format!("method `{}` has no parameter named `{name}`", method.name);
        self.problem(span, message, Some(help));
    }

    /// The literals of one parameter, slack included.
    fn literals(
        &mut self,
        param: &str,
        domain: &LiteralDomain,
        filled: &Filled,
        misfits: &mut Vec<Misfit>,
    ) -> Vec<Literal> {
        if filled.is_broken(domain.kind) {
            return Vec::new();
        }
        let error = match (domain.literals)(&filled.proper) {
            Ok(literals) if literals.is_empty() => None,
            Ok(literals) if self.slack == 0 => return literals,
            Ok(_) => return (domain.literals)(&filled.with_slack).unwrap_or_default(),
            Err(error) => Some(error),
        };
        if let Some((span, message)) = self.describe(error, domain, filled) {
            let same = |known: &&mut Misfit| (&known.span, &known.message) == (&span, &message);
            let named = (param.to_owned(), domain.ty);
            match misfits.iter_mut().find(same) {
                Some(known) => known.params.push(named),
                None => {
                    misfits.push(Misfit { span, message, params: vec![named], kind: domain.kind })
                }
            }
        }
        Vec::new()
    }

    /// Where a parameter gets no literals, and what to say before and after its name; `None` if it is said already.
    fn describe(
        &mut self,
        error: Option<DomainError>,
        domain: &LiteralDomain,
        filled: &Filled,
    ) -> Option<(Span, (String, String))> {
        let suite = self.scope.suite.inside();
        let (place, before, after) = match error {
            None => {
                let after = format!(" at k = {}: the range or list is empty", self.k);
                (filled.place_of(domain.kind), "no literal for ".to_owned(), after)
            }
            Some(DomainError::Missing(kind)) => (None, format!("no `{kind}` for "), String::new()),
            Some(DomainError::DoesNotFit { value, ty }) => {
                let before = format!("the literal {value} does not fit `{ty}` in ");
                (filled.place_of_int(&value), before, String::new())
            }
            Some(error @ DomainError::NoVariant { .. }) => {
                self.report_no_variant(&error, filled);
                return None;
            }
            Some(other) => (None, format!("{other:?} in "), String::new()),
        };
        Some((place.unwrap_or(suite), (before, after)))
    }

    fn report(&mut self, misfit: Misfit) {
        const SHOWN: usize = 3;
        let params = misfit.params.iter().take(SHOWN);
        let shown: Vec<_> = params.map(|(name, ty)| format!("`{name}: {ty}`")).collect();
        let more = match misfit.params.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (before, after) = &misfit.message;
        let message = format!("{before}{}{more}{after}", shown.join(", "));
        let (field, example) = example_of(misfit.kind);
        let one = format!(r#"`params: {{"{}": {example}}}`"#, misfit.params[0].0);
        let help = match before.starts_with("no `") {
            true => format!("write `{field}: {example}`, or {one} for one parameter"),
            false => format!("a parameter can have literals of its own: {one}"),
        };
        self.problem(misfit.span, message, Some(help));
    }

    fn report_no_variant(&mut self, error: &DomainError, filled: &Filled) {
        if let DomainError::NoVariant { of, name, known } = error {
            let span = filled.place_of_variant(of, name).unwrap_or(self.scope.suite.inside());
            let message = format!("enum `{of}` has no variant named `{name}`");
            self.problem(span, message, suggest(name, known.iter().copied()));
        }
    }

    /// Variants are checked for all parameters of the suite, so that a mistake does not wait for its method to be
    /// used. An enum inside a user's struct has no name here, so an unknown one is only warned of.
    fn check_enums(&mut self, common: &Filled) {
        let suite = self.suite;
        let params = suite.methods.iter().flat_map(|method| method.literal_params());
        let domains: Vec<&LiteralDomain> = params.map(|(_, domain)| domain).collect();
        let is_user = |domain: &&LiteralDomain| domain.kind == DomainKind::User;
        let user: Vec<_> = domains.iter().copied().filter(is_user).collect();
        for domain in &user {
            if let Err(error) = (domain.literals)(&common.proper) {
                self.report_no_variant(&error, common);
            }
        }
        let known: Vec<_> = user.iter().flat_map(|domain| type_names(domain.ty)).collect();
        let scope = self.scope;
        for (name, _) in &scope.domains.enums {
            if !domains.iter().any(|domain| type_names(domain.ty).any(|ty| ty == name.value)) {
                self.report_unknown_enum(name, &known);
            }
        }
    }

    fn report_unknown_enum(&mut self, name: &Text, known: &[&'static str]) {
        let message = format!("no parameter takes an enum named `{}`", name.value);
        let near = nearest(&name.value, known.iter().copied());
        if near.is_some() || known.is_empty() {
            let help = near.map(|near| format!("did you mean `{near}`?"));
            self.problem(name.inside(), message, help);
        } else {
            self.warnings.push(self.file.source.warning(name.inside(), message));
        }
    }
}

/// The field of the scope file for literals of a kind, and what it may hold.
fn example_of(kind: DomainKind) -> (&'static str, &'static str) {
    match kind {
        DomainKind::Ints | DomainKind::Unit => ("ints", r#""0..k""#),
        DomainKind::Floats => ("floats", "[0.0, 1.5]"),
        DomainKind::Bools => ("bools", "[true]"),
        DomainKind::Chars => ("chars", "['a', 'b']"),
        DomainKind::Strings => ("strings", r#"["a", "b"]"#),
        DomainKind::User => ("enums", r#"["Red"]"#),
    }
}
