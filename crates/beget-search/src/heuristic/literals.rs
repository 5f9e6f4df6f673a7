//! The literals for calls, the most promising first.
//!
//! First come the constants that the suite names, then the literals of the scope and those that the
//! suite lists for a parameter: the paper's constants of the class. A few of each kind follow,
//! small ones before the extremes of their type. Empty values (`None`, a text or list of length 0)
//! come last (Kuperberg and Omri, section 4).

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{DomainKind, Extent, Literal, LiteralDomain, Param, ParamKind, Pools};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Token};

use crate::heuristic::numbers::{numbers, shape};
use crate::heuristic::source_literals::literals_of;

/// The most literals of the scope tried for one parameter, and the most others.
const MOST_LITERALS: usize = 64;

/// The largest index or length tried, if the scope has no larger one: a size that exceeds the
/// memory ends the process.
const LARGEST_INDEX: i128 = 100;

/// Names of integers that are probably indices or lengths, if the type does not show it.
const INDEX_NAMES: [&str; 14] = [
    "index", "idx", "i", "j", "at", "mid", "from", "to", "start", "end", "pos", "position", "len",
    "capacity",
];

/// The probable meaning of a literal parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralRole {
    /// An index or a length: `usize`, a range of it, or an integer with such a name.
    Index,
    /// Another integer.
    Int,
    /// A text, a list: something with a length.
    Container,
    /// Anything else.
    Other,
}

/// The literals of one parameter.
#[derive(Clone, Debug)]
pub(crate) struct LiteralMenu {
    domain: LiteralDomain,
    pub(crate) role: LiteralRole,
    /// The best first.
    pub(crate) literals: Vec<Literal>,
    /// The non-negative integers of the scope.
    pub(crate) constants: Vec<u64>,
    /// The number of constants among the literals: those that the suite names, or otherwise the
    /// non-empty ones of the scope.
    n_constants: usize,
}

/// The menus of all literal parameters of a method, in order.
pub(crate) fn menus_of(plan: &Plan, method: PlannedIdx) -> Vec<LiteralMenu> {
    let domains = &plan.planned(method).domains;
    let params = plan.method(method).params.iter().filter_map(|param| match &param.kind {
        ParamKind::Literal { domain, .. } => Some((param, domain)),
        ParamKind::Structure { .. } => None,
    });
    params
        .zip(domains)
        .map(|((param, domain), of_scope)| {
            LiteralMenu::new(param, domain, &plan.suite.constants_of(domain), of_scope)
        })
        .collect()
}

impl LiteralMenu {
    fn new(
        param: &Param,
        domain: &LiteralDomain,
        constants: &[&Literal],
        of_scope: &[Literal],
    ) -> Self {
        let is_constant =
            |one: &Literal| constants.iter().any(|constant| constant.source == one.source);
        let others = of_scope.iter().take(MOST_LITERALS).filter(|literal| !is_constant(literal));
        let of_scope: Vec<Literal> = constants.iter().copied().chain(others).cloned().collect();
        let mut literals = of_scope.clone();
        for pools in [small_pools(), extreme_pools()] {
            let more = listed(domain, &pools).into_iter().take(MOST_LITERALS);
            for literal in more {
                if !literals.iter().any(|known| known.source == literal.source) {
                    literals.push(literal);
                }
            }
        }
        literals.sort_by_key(|literal| is_empty(&literal.source));
        let role = role_of(param, domain, &literals);
        if role == LiteralRole::Index {
            let is_of_scope = |one: &Literal| of_scope.iter().any(|own| own.source == one.source);
            let is_small =
                |one: &Literal| numbers(&one.source).iter().all(|int| *int <= LARGEST_INDEX);
            literals.retain(|literal| is_small(literal) || is_of_scope(literal));
        }
        let ints = of_scope.iter().filter_map(|literal| literal.source.parse().ok());
        let sizes = ints.collect();
        let is_named = |one: &Literal| constants.is_empty() || is_constant(one);
        let is_wanted = |one: &&Literal| is_named(one) && !is_empty(&one.source);
        let n_constants = of_scope.iter().filter(is_wanted).count();
        LiteralMenu { domain: *domain, role, literals, constants: sizes, n_constants }
    }

    /// The number of equally good literals at the front: the constants, or the first literal.
    pub(crate) fn n_preferred(&self) -> usize {
        self.n_constants.max(1)
    }

    /// The integers of a literal that can be changed.
    pub(crate) fn ints(&self, literal: &Literal) -> Vec<i128> {
        match self.role {
            LiteralRole::Index | LiteralRole::Int => numbers(&literal.source),
            LiteralRole::Container | LiteralRole::Other => Vec::new(),
        }
    }

    /// A literal with its integers replaced by these; `None` if the type has no such value.
    pub(crate) fn with_ints(&self, literal: &Literal, ints: &[i128]) -> Option<Literal> {
        let mut distinct = ints.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let pools = Pools { ints: Some(distinct), clamp: true, longest: 1, ..Pools::default() };
        let shape = shape(&literal.source);
        listed(&self.domain, &pools).into_iter().find(|other| {
            crate::heuristic::numbers::shape(&other.source) == shape
                && numbers(&other.source) == ints
        })
    }

    /// A container of this length.
    pub(crate) fn of_length(&self, length: u64) -> Option<Literal> {
        let known = self.literals.iter().find(|one| length_of(&one.source) == Some(length));
        known.cloned().or_else(|| {
            let (longest, ones) = (usize::try_from(length).ok()?, vec![1]);
            let text = "a".repeat(longest.min(MOST_LENGTH));
            let pools = Pools {
                ints: Some(ones),
                bools: Some(vec![true]),
                chars: Some(vec!['a']),
                strings: Some(vec![text]),
                longest: longest.min(MOST_LENGTH),
                clamp: true,
                ..Pools::default()
            };
            listed(&self.domain, &pools)
                .into_iter()
                .find(|one| length_of(&one.source) == Some(length))
        })
    }
}

/// The longest container made on purpose.
const MOST_LENGTH: usize = 1000;

/// The literal of a domain with this source, `known` ones first.
pub(crate) fn literal_of_source(
    domain: &LiteralDomain,
    known: &[Literal],
    source: &str,
) -> Option<Literal> {
    if let Some(known) = known.iter().find(|literal| literal.source == source) {
        return Some(known.clone());
    }
    let mut pools = literals_of(source).ok()?;
    let special =
        [("NAN", f64::NAN), ("INFINITY", f64::INFINITY), ("NEG_INFINITY", -f64::INFINITY)];
    for (name, float) in special {
        if source.contains(name) {
            pools.floats.get_or_insert_default().push(float);
        }
    }
    let length = length_of(source).and_then(|length| usize::try_from(length).ok());
    pools.longest = length.unwrap_or(1).clamp(1, MOST_LENGTH);
    listed(domain, &pools).into_iter().find(|literal| literal.source == source)
}

fn role_of(param: &Param, domain: &LiteralDomain, literals: &[Literal]) -> LiteralRole {
    if literals.iter().any(|literal| length_of(&literal.source).is_some()) {
        return LiteralRole::Container;
    }
    if domain.kind != DomainKind::Ints {
        return LiteralRole::Other;
    }
    let ty = domain.ty.trim_start_matches('&').trim();
    let is_index = ty == "usize" || ty.contains("Range") || INDEX_NAMES.contains(&param.name);
    if is_index { LiteralRole::Index } else { LiteralRole::Int }
}

/// Returns whether a literal is empty.
fn is_empty(source: &str) -> bool {
    source == "None" || source.starts_with("Err(") || length_of(source) == Some(0)
}

/// The number of elements of a list, or of bytes of a text; `None` for other literals.
pub(crate) fn length_of(source: &str) -> Option<u64> {
    // Most literals are short, and neither text nor list.
    if !source.contains(['"', '[']) {
        return None;
    }
    length_of_expr(&syn::parse_str(source).ok()?)
}

fn length_of_expr(expr: &Expr) -> Option<u64> {
    let length = match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => text.value().len(),
            Lit::ByteStr(bytes) => bytes.value().len(),
            _ => return None,
        },
        Expr::Array(array) => array.elems.len(),
        Expr::Macro(list) if list.mac.path.is_ident("vec") => {
            let elements =
                list.mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
            elements.ok()?.len()
        }
        Expr::Reference(reference) => return length_of_expr(&reference.expr),
        Expr::Call(call) if call.args.len() == 1 && is_wrapper(&call.func) => {
            return length_of_expr(&call.args[0]);
        }
        _ => return None,
    };
    Some(length as u64)
}

/// Returns whether it makes a text, list or collection from its argument.
fn is_wrapper(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "from" || last.ident == "new")
}

/// The literals of a domain, if they are not too many.
fn listed(domain: &LiteralDomain, pools: &Pools) -> Vec<Literal> {
    match (domain.extent)(pools).is_ok_and(Extent::is_listable) {
        true => (domain.literals)(pools).unwrap_or_default(),
        false => Vec::new(),
    }
}

/// Small values, and containers of up to three of them.
fn small_pools() -> Pools {
    Pools {
        ints: Some(vec![1, 2]),
        floats: Some(vec![1.0, 0.5]),
        chars: Some(vec!['a', '1']),
        strings: Some(vec!["a".to_owned(), "1".to_owned()]),
        clamp: true,
        longest: 3,
        ..Pools::default()
    }
}

/// Values of all sizes, the extremes of the types last.
fn extreme_pools() -> Pools {
    let small = [0, 3, -1, 10, 16, 100];
    let ends = [8, 16, 32, 64].into_iter().flat_map(|bits| {
        let half = 1_i128 << (bits - 1);
        [half - 1, 2 * half - 1, -half]
    });
    let texts = ["ab", "é", "0", "true", "a b", "1.5", "A", ""];
    Pools {
        ints: Some(small.into_iter().chain(ends).chain([i128::MAX, i128::MIN]).collect()),
        floats: Some(vec![0.0, -1.0, 10.0, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN]),
        chars: Some(vec!['é', ' ', 'A', '\0', char::MAX]),
        strings: Some(texts.map(str::to_owned).to_vec()),
        clamp: true,
        longest: 1,
        ..Pools::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu<T: beget_suite::Domain>(name: &'static str, ty: &'static str) -> LiteralMenu {
        let domain = LiteralDomain::of::<T>(ty);
        let param = Param { name, kind: ParamKind::Literal { domain, prefix: "" } };
        LiteralMenu::new(&param, &domain, &[], &[])
    }

    fn sources(menu: &LiteralMenu) -> Vec<&str> {
        menu.literals.iter().map(|literal| literal.source.as_str()).collect()
    }

    #[test]
    fn constants_come_first_however_many_literals_the_scope_has() {
        let domain = LiteralDomain::of::<usize>("usize");
        let param = Param { name: "index", kind: ParamKind::Literal { domain, prefix: "" } };
        let of_scope: Vec<Literal> = (0..1000_usize).map(Literal::new).collect();
        let constants = [4096_usize, 7].map(Literal::new);
        let menu = LiteralMenu::new(&param, &domain, &constants.each_ref(), &of_scope);
        // Larger than any other index tried, and each literal once.
        assert_eq!(sources(&menu)[..4], ["4096", "7", "0", "1"]);
        assert_eq!(sources(&menu).iter().filter(|source| **source == "7").count(), 1);
        assert_eq!(menu.n_preferred(), 2);
    }

    #[test]
    fn lists_and_texts_have_lengths() {
        let of = |source| length_of(source);
        assert_eq!(of("vec![1, 2, 3]"), Some(3));
        assert_eq!(of("[]"), Some(0));
        assert_eq!(of("String::from(\"é\")"), Some(2));
        assert_eq!(of("\"a, b\""), Some(4));
        assert_eq!(of("b\"a\\n\""), Some(2));
        assert_eq!(of("Box::new([vec![1], vec![]])"), Some(2));
        assert_eq!((of("7"), of("Some(\"a\")"), of("'\"'")), (None, None, None));
    }

    #[test]
    fn what_is_empty_comes_last() {
        let texts = menu::<String>("text", "String");
        assert_eq!(texts.role, LiteralRole::Container);
        assert_eq!(sources(&texts)[0], "String::from(\"a\")");
        assert_eq!(sources(&texts).last(), Some(&"String::from(\"\")"));
        assert_eq!(sources(&menu::<Option<u8>>("value", "Option<u8>")).last(), Some(&"None"));
        assert_eq!(sources(&menu::<Vec<u8>>("values", "Vec<u8>")).last(), Some(&"vec![]"));
    }

    #[test]
    fn the_extremes_of_a_type_are_tried() {
        let bytes = menu::<u8>("value", "u8");
        assert_eq!(sources(&bytes), ["1", "2", "0", "3", "10", "16", "100", "127", "255"]);
        assert_eq!(bytes.role, LiteralRole::Int);
        let sizes = menu::<usize>("n", "usize");
        assert_eq!(sources(&sizes), ["1", "2", "0", "3", "10", "16", "100"]);
        assert!(sources(&menu::<i64>("value", "i64")).contains(&"-9223372036854775808"));
    }

    #[test]
    fn integers_of_literals_can_be_others() {
        let index = menu::<usize>("n", "usize");
        assert_eq!(index.role, LiteralRole::Index);
        assert_eq!(index.with_ints(&index.literals[0], &[17]).unwrap().source, "17");
        assert!(index.with_ints(&index.literals[0], &[-17]).is_none());
        let range = menu::<std::ops::Range<usize>>("range", "Range<usize>");
        let literal = &range.literals[0];
        assert_eq!(range.with_ints(literal, &[3, 9]).unwrap().source, "3..9");
        assert_eq!(range.ints(&range.with_ints(literal, &[9, 3]).unwrap()), [9, 3]);
        // A list within another literal is no container.
        let lists = menu::<Option<Vec<u8>>>("list", "Option<Vec<u8>>");
        let of_one = lists.literals.iter().find(|one| one.source == "Some(vec![1])").unwrap();
        assert_eq!(lists.ints(of_one), [1]);
        assert_eq!(lists.with_ints(of_one, &[7]).unwrap().source, "Some(vec![7])");
    }

    #[test]
    fn a_literal_is_found_again_by_its_source() {
        let found = |domain: LiteralDomain, source| literal_of_source(&domain, &[], source);
        let texts = LiteralDomain::of::<Vec<String>>("Vec<String>");
        let source = "vec![String::from(\"x y\"), String::from(\"z\")]";
        assert_eq!(found(texts, source).unwrap().source, source);
        assert!(found(texts, "vec![7]").is_none());
        assert!(found(LiteralDomain::of::<f64>("f64"), "f64::NEG_INFINITY").is_some());
        assert_eq!(
            menu::<Vec<u8>>("v", "Vec<u8>").of_length(40).unwrap().source.len(),
            "vec![]".len() + 40 * 3 - 2
        );
        let letters = menu::<Vec<char>>("v", "Vec<char>").of_length(5).unwrap();
        assert_eq!(letters.source, "vec!['a', 'a', 'a', 'a', 'a']");
    }

    #[test]
    fn names_and_types_say_which_integers_are_indices() {
        let role = |name, ty| menu::<i32>(name, ty).role;
        assert_eq!(role("index", "i32"), LiteralRole::Index);
        assert_eq!(role("value", "i32"), LiteralRole::Int);
        assert_eq!([role("value", "usize"), role("value", "& usize")], [LiteralRole::Index; 2]);
        assert_eq!(role("value", "Range<i32>"), LiteralRole::Index);
        assert_eq!(menu::<bool>("index", "bool").role, LiteralRole::Other);
        assert_eq!(menu::<String>("index", "String").role, LiteralRole::Container);
        // Integers of an index stay small, others do not.
        let largest = |name| {
            let literals = menu::<i32>(name, "i32").literals;
            literals.iter().map(|one| one.source.parse::<i64>().unwrap()).max()
        };
        assert_eq!((largest("index"), largest("value")), (Some(100), Some(2_147_483_647)));
    }

    #[test]
    fn lengths_are_those_of_what_is_wrapped_by_one_argument() {
        let of = |source| length_of(source);
        assert_eq!(
            (of("&[1, 2]"), of("Vec::from([1])"), of("vec![]")),
            (Some(2), Some(1), Some(0))
        );
        assert_eq!(
            (of("Vec::with([1])"), of("f([1], [2])"), of("from([1], 2)")),
            (None, None, None)
        );
        assert_eq!((of("[1]"), of("\"\""), of("7")), (Some(1), Some(0), None));
        let empty = ["None", "Err(3)", "vec![]", "\"\""].map(is_empty);
        assert_eq!(empty, [true; 4]);
        assert_eq!(["Some(1)", "Ok(3)", "vec![0]", "\" \"", "0"].map(is_empty), [false; 5]);
    }

    #[test]
    fn integers_of_the_scope_are_constants_of_the_menu() {
        let domain = LiteralDomain::of::<i64>("i64");
        let param = Param { name: "index", kind: ParamKind::Literal { domain, prefix: "" } };
        let of_scope = [500_i64, -3, 0].map(Literal::new);
        let menu = LiteralMenu::new(&param, &domain, &[], &of_scope);
        // Those that are not negative; each is one of the preferred literals.
        assert_eq!((&*menu.constants, menu.n_preferred()), (&[500, 0][..], 3));
        // A larger index than 100 is tried if the scope has it.
        assert_eq!(sources(&menu)[..4], ["500", "-3", "0", "1"]);
        let none = LiteralMenu::new(&param, &domain, &[], &[]);
        assert_eq!((none.constants.len(), none.n_preferred()), (0, 1));
    }

    #[test]
    fn containers_are_made_up_to_a_length() {
        let lists = menu::<Vec<u8>>("values", "Vec<u8>");
        // A list of the menu, if it has one of this length.
        assert_eq!(lists.of_length(2).unwrap().source, "vec![1, 1]");
        assert_eq!(lists.of_length(0).unwrap().source, "vec![]");
        let length = |n| lists.of_length(n).and_then(|one| length_of(&one.source));
        assert_eq!((length(1000), length(1001)), (Some(1000), None));
        let texts = menu::<String>("text", "String");
        assert_eq!(texts.of_length(5).unwrap().source, "String::from(\"aaaaa\")");
        assert!(menu::<u8>("value", "u8").of_length(1).is_none());
        assert_eq!(lists.ints(&lists.literals[0]), []);
    }

    #[test]
    fn a_known_literal_is_found_by_its_source_before_all_others() {
        let domain = LiteralDomain::of::<f64>("f64");
        let found = |source| literal_of_source(&domain, &[], source).map(|one| one.source);
        for source in ["f64::NAN", "f64::INFINITY", "f64::NEG_INFINITY", "-1.5"] {
            assert_eq!(found(source).as_deref(), Some(source));
        }
        assert_eq!(found("f64::EPSILON"), None);
        let known = [Literal::new(7_u8)];
        let ints = LiteralDomain::of::<bool>("bool");
        assert_eq!(literal_of_source(&ints, &known, "7").unwrap().source, "7");
        assert!(literal_of_source(&ints, &[], "7").is_none());
    }

    #[test]
    fn literals_of_a_type_are_small_ones_then_its_extremes_then_empty_ones() {
        let chars = menu::<char>("letter", "char");
        assert_eq!(sources(&chars), ["'a'", "'1'", "'é'", "' '", "'A'", "'\\0'", "'\\u{10ffff}'"]);
        let lists = menu::<Vec<bool>>("flags", "Vec<bool>");
        let flags = lists.of_length(5).unwrap();
        assert_eq!(flags.source, "vec![true, true, true, true, true]");
        // Of extremes there are lists of one.
        let lists = menu::<Vec<u8>>("values", "Vec<u8>");
        let (n_small, all) = (2 + 4 + 8, sources(&lists));
        assert_eq!(all[n_small..n_small + 3], ["vec![0]", "vec![3]", "vec![10]"]);
        assert_eq!(all[all.len() - 2..], ["vec![255]", "vec![]"]);
    }

    /// 300 fits the second part only.
    #[test]
    fn integers_of_a_tuple_need_not_fit_all_its_parts() {
        let pairs = menu::<(u8, u16)>("pair", "(u8, u16)");
        let first = &pairs.literals[0];
        assert_eq!(pairs.with_ints(first, &[3, 300]).unwrap().source, "(3, 300)");
        assert!(pairs.with_ints(first, &[300, 3]).is_none());
    }

    #[test]
    fn only_the_macro_of_lists_has_a_length() {
        assert_eq!((length_of("vec![1, 2]"), length_of("set![1, 2]")), (Some(2), None));
    }
}
