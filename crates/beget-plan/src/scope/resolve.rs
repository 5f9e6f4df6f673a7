//! Resolution: from a scope file and a suite to a plan, or to all mistakes in them.

mod bounds;
mod domains;
mod fields;
mod finitization;
mod methods;
mod names;
mod omitted;
mod pools;
mod state;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use beget_heap::Schema;
use beget_suite::{Extent, MethodIdx, Suite};

pub use finitization::{ArrayLengths, FieldDomain, FieldValues, Finitization};
pub use methods::MethodsOverride;
pub(crate) use names::base_name;

use bounds::raised;

use crate::scope::diagnostic::{Diagnostics, Span};
use crate::scope::expr::{self, ExprError, IntRange};
use crate::scope::file::{Scope, ScopeFile, ScopeNumber};
use crate::scope::plan::{Budget, CallAudits, FieldLimit, Misuse, Plan, PlanDraft, Proper};
use crate::scope::read::{Bound, FileText};
use crate::scope::wide::WideInt;

/// The most patterns for messages of panics: each message is matched against all of them.
const MOST_PATTERNS: usize = 100;

/// The k for checking a scope without one.
const USUAL_K: u32 = 3;

/// The caller's changes to the scope file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Another k.
    pub k: Option<u32>,
    /// Other methods.
    pub methods: Option<MethodsOverride>,
    /// Another slack.
    pub slack: Option<u32>,
    /// Limits; each that is set overrides the file's.
    pub budget: Budget,
    /// True if the run should end with the level that shows the first failure, unless the file has
    /// `all: true`.
    pub ends_at_failure: bool,
}

/// The result of resolving a scope file for a suite.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// The plan for the search.
    pub plan: Plan,
    /// The search spaces of the repOKs, in the order of the file. They belong to the scope proper:
    /// slack does not change them.
    pub finitizations: Vec<Finitization>,
    /// The methods that [`MethodsOverride::WithLiterals`] leaves out, in suite order.
    pub left_out: Vec<UnusedMethod>,
    /// Settings that are valid but have no effect.
    pub warnings: Diagnostics,
}

/// A method that takes no part because the scope has no literals for one of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedMethod {
    /// Its position in the suite.
    pub method: MethodIdx,
    /// The missing literals.
    pub reason: String,
}

impl ScopeFile {
    /// Resolves the scope against `suite`, whose name the caller has matched with
    /// [`ScopeFile::suite_name`]. `methods_files` returns the contents of a file that `methods:
    /// Builders(...)` names, by its path relative to the working directory, or the reason why it
    /// cannot be read.
    ///
    /// # Errors
    ///
    /// Every mistake that can be found before others are corrected.
    pub fn resolve(
        &self,
        suite: &Arc<Suite>,
        overrides: &Overrides,
        methods_files: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<Resolution, Diagnostics> {
        let suite = &self.seen(suite)?;
        let mut resolver = Resolver::new(self, suite, overrides);
        let mut methods = resolver.methods(overrides.methods.as_ref(), methods_files);
        resolver.leave_out_unbounded(&mut methods);
        let bounds = resolver.bounds(&methods);
        let methods = resolver.planned(&methods, bounds.arrays);
        resolver.check_constructors_left(&methods);
        let finitizations = resolver.finitizations(&bounds);
        let misuse = resolver.misuse();
        let (proper, derived_ints) = resolver.heap_bounds(bounds);
        let bounds = raised(&proper, resolver.slack);
        let literals = methods.iter().flat_map(|planned| {
            let domains = planned.domains.iter().enumerate();
            domains.map(|(index, all)| (planned.method, index, all))
        });
        let knowing = suite.knowing(literals);
        let plan = PlanDraft {
            suite: knowing.map_or_else(|| suite.clone(), Arc::new),
            k: resolver.k,
            methods,
            bounds,
            derived_ints,
            doubts: Arc::default(),
            slack: (resolver.slack > 0).then(|| Proper {
                slack: resolver.slack,
                bounds: proper,
                fields: field_limits(&finitizations),
            }),
            misuse,
            follows_panics: false,
            audits: CallAudits::default(),
            probe: self.scope.probe,
            budget: budget(overrides.budget, self.scope.budget),
            ends_at_failure: overrides.ends_at_failure && !self.scope.goes_on,
        }
        .freeze();
        resolver.warnings.sort();
        let Resolver { problems, warnings, mut left_out, .. } = resolver;
        left_out.sort_by_key(|left_out| left_out.method);
        let resolved = Resolution { plan, finitizations, left_out, warnings };
        problems.unless_any(resolved)
    }
}

/// The state of a resolution: its lookup tables, and the mistakes found so far.
struct Resolver<'f> {
    file: &'f ScopeFile,
    scope: &'f Scope,
    suite: &'f Suite,
    schema: Schema,
    k: u32,
    slack: u32,
    /// The largest integer met that counts as common, see [`Resolver::note_int`].
    common_int: u32,
    /// Zero and the integer literals of the scope proper.
    literal_ints: RangeInclusive<i128>,
    /// The integers of constants that are literals.
    constant_ints: BTreeSet<i128>,
    /// The length of the longest string literal, in bytes.
    longest_text: u32,
    /// True if methods without literals are left out instead of being mistakes.
    leaves_out: bool,
    left_out: Vec<UnusedMethod>,
    /// The number of the plan's literals so far and their length as source, and whether that is too
    /// much.
    literals: Extent,
    has_too_many: bool,
    problems: Diagnostics,
    warnings: Diagnostics,
}

impl<'f> Resolver<'f> {
    fn new(file: &'f ScopeFile, suite: &'f Suite, overrides: &Overrides) -> Self {
        let scope = &file.scope;
        let (k, auto) = match (overrides.k, &scope.k) {
            (Some(k), _) => (k, None),
            (None, ScopeNumber::Given(k)) => (*k, None),
            // The other mistakes occur at any k.
            (None, ScopeNumber::Auto(span)) => (USUAL_K, Some(span.clone())),
        };
        let mut resolver = Resolver {
            file,
            scope,
            suite,
            schema: suite.schema(),
            k,
            slack: overrides.slack.unwrap_or(scope.slack),
            common_int: 0,
            literal_ints: 0..=0,
            constant_ints: BTreeSet::new(),
            longest_text: 0,
            leaves_out: overrides.methods == Some(MethodsOverride::WithLiterals),
            left_out: Vec::new(),
            literals: Extent::default(),
            has_too_many: false,
            problems: Diagnostics::default(),
            warnings: Diagnostics::default(),
        };
        if let Some(span) = auto {
            let message = "`k: Auto` is for `check`, which tries k = 1, 2, 3, ... in turn";
            let help = "write a number, such as `k: 3`; on the command line give one: `-k 3`";
            resolver.problem(span, message, Some(help.to_owned()));
        }
        resolver.note_int(k.into());
        resolver
    }

    fn problem(&mut self, span: Span, message: impl Into<String>, help: Option<String>) {
        let source = &self.file.source;
        self.problems.push_with(|| source.error(span, message).maybe_help(help));
    }

    fn expr_problem(&mut self, text: &FileText, error: ExprError) {
        let help = error.help.map(str::to_owned);
        self.problem(text.at(error.span), error.message, help);
    }

    fn int(&mut self, text: &FileText) -> Option<i128> {
        self.computed(text, expr::evaluate(&text.value, self.k))
    }

    /// An integer of any type.
    fn wide_int(&mut self, text: &FileText) -> Option<WideInt> {
        self.computed(text, expr::evaluate_wide(&text.value, self.k))
    }

    fn computed<T>(&mut self, text: &FileText, value: Result<T, ExprError>) -> Option<T> {
        value.map_err(|error| self.expr_problem(text, error)).ok()
    }

    fn range(&mut self, text: &FileText) -> Option<IntRange> {
        self.computed(text, expr::range(&text.value, self.k))
    }

    /// A bound: a non-negative integer that fits into 32 bits.
    fn bound(&mut self, bound: &Bound) -> Option<u32> {
        let (value, span) = match bound {
            Bound::Number(number) => (number.value, number.span.clone()),
            Bound::Expr(text) => (self.int(text)?, text.inside()),
        };
        if let Ok(value) = u32::try_from(value) {
            return Some(value);
        }
        let size = if value < 0 { "negative" } else { "too large" };
        self.problem(span, format!("the bound is {size}: {value} at k = {}", self.k), None);
        None
    }

    /// Notes an integer that structures will hold. Large ones use the escape of the form: widening
    /// the short code for them would cost every other integer.
    fn note_int(&mut self, value: i128) {
        const LARGEST: u32 = 4095;
        if let Ok(value @ ..=LARGEST) = u32::try_from(value) {
            self.common_int = self.common_int.max(value);
        }
    }

    /// Notes a text that structures will hold.
    fn note_text(&mut self, text: &str) {
        self.longest_text = self.longest_text.max(u32::try_from(text.len()).unwrap_or(u32::MAX));
    }

    fn misuse(&mut self) -> Misuse {
        let scope = self.scope;
        if let Some(text) = scope.misuse_panics.get(MOST_PATTERNS) {
            let message = format!("more than {MOST_PATTERNS} patterns are refused");
            let help = "join them: `\"first|second\"`".to_owned();
            self.problem(text.inside(), message, Some(help));
        }
        let panics = scope.misuse_panics.iter().take(MOST_PATTERNS);
        let panics = panics.filter_map(|text| self.regex(text, &text.value));
        let panics = panics.collect();
        Misuse { errors: scope.errors, panics, keeps_panicked: scope.keeps_panicked }
    }
}

fn budget(first: Budget, second: Budget) -> Budget {
    Budget {
        max_calls: first.max_calls.or(second.max_calls),
        max_structures: first.max_structures.or(second.max_structures),
        max_seconds: first.max_seconds.or(second.max_seconds),
        max_memory_mib: first.max_memory_mib.or(second.max_memory_mib),
        max_levels: first.max_levels.or(second.max_levels),
        is_enough: first.is_enough || second.is_enough,
    }
}

/// The integers that the repOKs' search spaces give to fields.
fn field_limits(finitizations: &[Finitization]) -> Vec<FieldLimit> {
    let mut limits: Vec<FieldLimit> = Vec::new();
    for domain in finitizations.iter().flat_map(|finitization| &finitization.fields) {
        let values: Vec<_> = domain.values.iter().filter_map(FieldValues::ints).collect();
        if values.is_empty() {
            continue;
        }
        let same = |limit: &&mut FieldLimit| {
            (&limit.class, &limit.field) == (&domain.class, &domain.field)
        };
        match limits.iter_mut().find(same) {
            Some(limit) => limit.values.extend(values),
            None => limits.push(FieldLimit {
                class: domain.class.clone(),
                field: domain.field.clone(),
                values,
            }),
        }
    }
    limits
}
