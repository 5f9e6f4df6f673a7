//! Literals: the values of each parameter of the methods in use.

use beget_suite::{
    DomainError, DomainKind, Extent, Literal, LiteralDomain, MOST_LITERALS, MOST_SOURCE, Method,
    MethodIdx, Pools, type_names,
};

use super::bounds::has_any_length;
use super::pools::ScopePools;
use super::{Resolver, UnusedMethod};
use crate::scope::diagnostic::{Span, nearest, suggest};
use crate::scope::plan::PlannedMethod;
use crate::scope::read::{Bound, DomainSpec, FileText};

/// A mistake in the literals, with all parameters that it affects.
struct PoolMistake {
    span: Span,
    /// The message before and after the list of parameters.
    message: (String, String),
    /// Each with its type.
    params: Vec<(String, &'static str)>,
    kind: DomainKind,
    advice: PoolAdvice,
}

/// The advice for a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoolAdvice {
    /// Give literals of the kind, or to the parameter.
    Give,
    /// Give the parameter others.
    GiveOwn,
    /// Give fewer, or bound their length.
    GiveFewer,
}

/// The reason why a parameter gets no literals, before and after its name.
struct PoolGap {
    span: Span,
    before: String,
    after: String,
    advice: PoolAdvice,
}

/// The scope's literals for one parameter, and whether a mistake in it was reported already.
struct ParamOverride<'f> {
    /// `method.param`.
    name: &'f str,
    domain: &'f DomainSpec,
    is_broken: bool,
}

/// The most calls on a structure (tuples of literals of all methods together) for each structure
/// that a call leaves. The engine numbers them and keeps their tuples.
const MOST_CALLS: usize = 10_000_000;

impl<'f> Resolver<'f> {
    /// The methods at these positions with the literals of their parameters. `arrays` bounds
    /// vectors of literals.
    pub(super) fn planned(&mut self, methods: &[MethodIdx], arrays: u32) -> Vec<PlannedMethod> {
        let common = self.common_pools(arrays);
        let own = self.overrides(&common);
        self.check_enums(&common);
        let mut mistakes = Vec::new();
        let mut planned = Vec::new();
        for &idx in methods {
            let suite = self.suite;
            let method = suite.method(idx);
            let mut domains = Vec::new();
            for (param, domain) in method.literal_params() {
                let name = format!("{}.{}", method.name, param.name);
                // The pools of a single parameter are computed again, not kept: they can be large.
                let literals = match own.iter().find(|own| own.name == name) {
                    None => self.with_constants(&name, domain, &common, &mut mistakes),
                    Some(own) if own.is_broken => Vec::new(),
                    Some(own) => {
                        let filled = self.overridden(&common, domain, own.domain);
                        self.literals(&name, domain, &filled, &mut mistakes)
                    }
                };
                self.note_texts(domain, &literals);
                domains.push(literals);
            }
            let structures = method.structure_params().map(|(ty, _)| ty).collect();
            planned.push(PlannedMethod { method: idx, structures, domains });
        }
        for mistake in mistakes {
            match self.leaves_out {
                true => self.leave_out(&mistake, &mut planned),
                false => self.report(mistake),
            }
        }
        self.check_calls(&planned);
        planned
    }

    /// Rejects methods with more literals, or tuples of them, than can be kept.
    fn check_calls(&mut self, planned: &[PlannedMethod]) {
        if self.has_too_many {
            let message = format!(
                "the methods have more than {MOST_LITERALS} literals together, or more than {} MiB of them",
                MOST_SOURCE >> 20
            );
            let help = "give smaller ranges, shorter lists or fewer methods".to_owned();
            self.problem(self.scope.suite.inside(), message, Some(help));
        }
        let mut total = 0_usize;
        for planned in planned {
            let method = self.suite.method(planned.method);
            let tuples = planned.domains.iter().map(Vec::len).fold(1, usize::saturating_mul);
            let calls = tuples.saturating_mul(planned.n_meant(method));
            total = total.saturating_add(calls);
            if total > MOST_CALLS {
                let message = format!(
                    "method `{}` would be called in {calls} ways on each structure; more than {MOST_CALLS} for \
                     all methods together are refused",
                    method.name
                );
                let help = match method.literal_params().next() {
                    Some((param, domain)) => {
                        let example = example_of(domain.kind).1;
                        let name = format!("{}.{}", method.name, param.name);
                        format!(
                            r#"give its parameters fewer literals: `params: {{"{name}": {example}}}`"#
                        )
                    }
                    None => "give the methods fewer literals".to_owned(),
                };
                return self.problem(self.scope.suite.inside(), message, Some(help));
            }
        }
    }

    /// Leaves out the methods that the mistake affects.
    fn leave_out(&mut self, mistake: &PoolMistake, planned: &mut Vec<PlannedMethod>) {
        let (before, after) = &mistake.message;
        for (name, ty) in &mistake.params {
            let is_concerned = |planned: &PlannedMethod| {
                let method = self.suite.method(planned.method).name;
                name.strip_prefix(method).is_some_and(|rest| rest.starts_with('.'))
            };
            // A method with two such parameters is removed after the first.
            if let Some(index) = planned.iter().position(is_concerned) {
                let reason = format!("{before}`{name}: {ty}`{after}");
                self.left_out.push(UnusedMethod { method: planned.remove(index).method, reason });
            }
        }
    }

    /// The scope's literals for single parameters, by `method.param`; all are checked, even those
    /// of unused methods.
    fn overrides(&mut self, common: &ScopePools) -> Vec<ParamOverride<'f>> {
        let mut overrides = Vec::new();
        let scope = self.scope;
        for (name, domain) in &scope.params {
            if self.problems.is_full() {
                break;
            }
            if let Some(literal) = self.literal_param(name) {
                let filled = self.overridden(common, &literal, domain);
                let is_broken = filled.is_broken(literal.kind);
                overrides.push(ParamOverride { name: &name.value, domain, is_broken });
            }
        }
        overrides
    }

    /// The literal parameter of the suite that `name`, `method.param`, means.
    fn literal_param(&mut self, name: &FileText) -> Option<LiteralDomain> {
        let Some((method_name, param_name)) = name.value.split_once('.') else {
            let help = format!("write `{}.param`", name.value);
            self.problem(name.inside(), "a parameter is named `method.param`", Some(help));
            return None;
        };
        let suite = self.suite;
        let Some(method) = suite.method_named(method_name) else {
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

    /// The literals of a parameter without its own in the scope. The suite's constants of its type
    /// come last, because the scope's literals are simpler.
    fn with_constants(
        &mut self,
        param: &str,
        domain: &LiteralDomain,
        common: &ScopePools,
        mistakes: &mut Vec<PoolMistake>,
    ) -> Vec<Literal> {
        let suite = self.suite;
        let constants = suite.constants_of(domain);
        // If there are constants, the scope need not have literals of their kind.
        let has_no_others = match (domain.extent)(&common.proper) {
            Ok(extent) => extent.count == 0,
            Err(error) => matches!(error, DomainError::Missing(_)),
        };
        let needs_no_others = !constants.is_empty() && has_no_others;
        let mut literals = match needs_no_others {
            true => Vec::new(),
            false => self.literals(param, domain, common, mistakes),
        };
        for literal in constants {
            self.note_constant(&(domain.scalars)(literal));
            if literals.iter().all(|known| known.source != literal.source) {
                literals.push(literal.clone());
            }
        }
        literals
    }

    /// Widens the derived ranges by the bytes and code points of literal texts: structures may hold
    /// them.
    fn note_texts(&mut self, domain: &LiteralDomain, literals: &[Literal]) {
        if !matches!(domain.kind, DomainKind::Chars | DomainKind::Strings) {
            return;
        }
        for literal in literals {
            let Pools { chars, strings, .. } = (domain.scalars)(literal);
            let chars = chars.into_iter().flatten();
            let text: String =
                strings.into_iter().flatten().chain(chars.map(String::from)).collect();
            self.constant_ints.extend(text.bytes().map(i128::from));
            self.constant_ints.extend(text.chars().map(|char| i128::from(u32::from(char))));
        }
    }

    /// Widens the derived ranges by a constant: structures may hold it.
    fn note_constant(&mut self, scalars: &Pools) {
        for &int in scalars.ints.iter().flatten() {
            self.note_int(int);
            self.constant_ints.insert(int);
        }
        for text in scalars.strings.iter().flatten() {
            self.note_text(text);
        }
    }

    /// The literals of one parameter, slack included.
    fn literals(
        &mut self,
        param: &str,
        domain: &LiteralDomain,
        filled: &ScopePools,
        mistakes: &mut Vec<PoolMistake>,
    ) -> Vec<Literal> {
        if filled.is_broken(domain.kind) || self.has_too_many {
            return Vec::new();
        }
        let (pools, extent) = match (domain.extent)(&filled.proper) {
            Ok(extent) if extent.count == 0 => (&filled.proper, Err(None)),
            Ok(_) if self.slack > 0 => {
                (&filled.with_slack, (domain.extent)(&filled.with_slack).map_err(Some))
            }
            extent => (&filled.proper, extent.map_err(Some)),
        };
        // Lists are made only when the plan has room for them: the longest take a second each.
        let literals = match extent {
            Ok(extent) if !self.has_room(extent) => Ok(Vec::new()),
            Ok(_) => (domain.literals)(pools).map_err(Some),
            Err(error) => Err(error),
        };
        let error = match literals {
            Ok(literals) => return literals,
            Err(error) => error,
        };
        if let Some(gap) = self.describe(error, domain, filled) {
            let PoolGap { span, before, after, advice } = gap;
            let message = (before, after);
            let same =
                |known: &&mut PoolMistake| (&known.span, &known.message) == (&span, &message);
            let named = (param.to_owned(), domain.ty);
            match mistakes.iter_mut().find(same) {
                Some(known) => known.params.push(named),
                None => mistakes.push(PoolMistake {
                    span,
                    message,
                    params: vec![named],
                    kind: domain.kind,
                    advice,
                }),
            }
        }
        Vec::new()
    }

    /// Adds literals to those of the plan; returns whether it has room for them.
    fn has_room(&mut self, extent: Extent) -> bool {
        self.literals = self.literals.plus(extent);
        self.has_too_many = !self.literals.is_listable();
        !self.has_too_many
    }

    /// The reason why a parameter gets no literals; `None` if it was reported already.
    fn describe(
        &mut self,
        error: Option<DomainError>,
        domain: &LiteralDomain,
        filled: &ScopePools,
    ) -> Option<PoolGap> {
        let mut advice = PoolAdvice::GiveOwn;
        let (place, before, after) = match error {
            None => {
                let after = format!(" at k = {}: the range or list is empty", self.k);
                (filled.place_of(domain.kind), "no literal for ".to_owned(), after)
            }
            Some(DomainError::Missing(kind)) => {
                advice = PoolAdvice::Give;
                (None, format!("no `{kind}` for "), String::new())
            }
            Some(DomainError::TooMany) => {
                advice = PoolAdvice::GiveFewer;
                let slack = match self.slack {
                    0 => String::new(),
                    slack => format!(" with slack {slack}"),
                };
                let after = format!(
                    "{slack}: more than {MOST_LITERALS}, or more than {} MiB, are refused",
                    MOST_SOURCE >> 20
                );
                (self.place_of_many(domain, filled), "too many literals for ".to_owned(), after)
            }
            Some(DomainError::DoesNotFit { value, ty }) => {
                let before = format!("the literal {value} does not fit `{ty}` in ");
                let place = match domain.kind {
                    DomainKind::Floats => filled.place_of(domain.kind),
                    _ => filled.place_of_int(&value),
                };
                (place, before, String::new())
            }
            Some(error @ (DomainError::NoVariant { .. } | DomainError::NotListed { .. })) => {
                self.report_no_variant(&error, filled);
                return None;
            }
            Some(other) => (None, format!("{other:?} in "), String::new()),
        };
        let span = place.unwrap_or(self.scope.suite.inside());
        Some(PoolGap { span, before, after, advice })
    }

    /// The place of the bound that makes literals too many, if their length has one.
    fn place_of_many(&self, domain: &LiteralDomain, filled: &ScopePools) -> Option<Span> {
        match &self.scope.arrays {
            Some(Bound::Number(number)) if has_any_length(domain.ty) => Some(number.span.clone()),
            Some(Bound::Expr(text)) if has_any_length(domain.ty) => Some(text.inside()),
            _ => filled.place_of(domain.kind),
        }
    }

    fn report(&mut self, mistake: PoolMistake) {
        const SHOWN: usize = 3;
        let params = mistake.params.iter().take(SHOWN);
        let shown: Vec<_> = params.map(|(name, ty)| format!("`{name}: {ty}`")).collect();
        let more = match mistake.params.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (before, after) = &mistake.message;
        let message = format!("{before}{}{more}{after}", shown.join(", "));
        let (field, example) = example_of(mistake.kind);
        let one = format!(r#"`params: {{"{}": {example}}}`"#, mistake.params[0].0);
        let help = match mistake.advice {
            PoolAdvice::Give => format!("write `{field}: {example}`, or {one} for one parameter"),
            PoolAdvice::GiveOwn => format!("a parameter can have literals of its own: {one}"),
            PoolAdvice::GiveFewer => format!("write a smaller `arrays`, or fewer literals: {one}"),
        };
        self.problem(mistake.span, message, Some(help));
    }

    fn report_no_variant(&mut self, error: &DomainError, filled: &ScopePools) {
        let (of, name, known, message) = match error {
            DomainError::NoVariant { of, name, known } => {
                (*of, name, known, format!("enum `{of}` has no variant named `{name}`"))
            }
            DomainError::NotListed { ty, name, known } => {
                let message = format!("the suite lists no value `{name}` of type `{ty}`");
                (last_name(ty), name, known, message)
            }
            _ => return,
        };
        let span = filled.place_of_variant(of, name).unwrap_or(self.scope.suite.inside());
        self.problem(span, message, suggest(name, known.iter().copied()));
    }

    /// Variants are checked for all parameters of the suite, so that a mistake shows before its
    /// method is used. An enum inside a user's struct has no name here, so an unknown one is only a
    /// warning.
    fn check_enums(&mut self, common: &ScopePools) {
        let suite = self.suite;
        let params = suite.methods.iter().flat_map(|method| method.literal_params());
        let domains: Vec<&LiteralDomain> = params.map(|(_, domain)| domain).collect();
        let is_user = |domain: &&LiteralDomain| domain.kind == DomainKind::User;
        let user: Vec<_> = domains.iter().copied().filter(is_user).collect();
        for domain in &user {
            if let Err(error) = (domain.extent)(&common.proper) {
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

    fn report_unknown_enum(&mut self, name: &FileText, known: &[&'static str]) {
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

/// The name of a type's values in a scope, for a type as written in a signature.
pub(super) fn last_name(ty: &'static str) -> &'static str {
    type_names(ty).next_back().unwrap_or(ty)
}

/// The field of the scope file for literals of a kind, and an example value.
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
