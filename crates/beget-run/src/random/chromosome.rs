//! Chromosomes: every decision of a random test case as a gene.
//!
//! Source: Andrews, Li and Menzies, Nighthawk: a two-level genetic-random unit test data generator
//! (ASE 2007), section 4.2. A test case draws from value pools: each type has some, each pool has
//! some values, and genes say which pools a call takes its arguments from and which its result may
//! go to. A value that is used again is what makes two calls have to do with each other.
//!
//! Departures: there is no inheritance, so genes that choose among types are not needed; a receiver
//! is a parameter like others.
//!
//! This module knows what genes a plan has and what they may be. How they are searched for and kept
//! in files is not its affair.

use std::any::TypeId;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{
    Chooser, DomainKind, Literal, LiteralDomain, Method, Param, ParamKind, Pools, TypeIdx,
};

use crate::random::listed::{NONE, listed};

/// The genes that draw a test case. Types, methods and parameters are those of a [`GenePlan`].
#[derive(Clone, Debug, PartialEq)]
pub struct Chromosome {
    /// Calls per test case, those that fill the pools not counted.
    pub calls: u32,
    /// By type: its value pools.
    pub pools: Vec<Vec<PoolGenes>>,
    /// By method of the plan.
    pub methods: Vec<MethodGenes>,
}

/// A value pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolGenes {
    /// The number of its values.
    pub values: u32,
    /// The range that they are drawn from, for a type with an order.
    pub bounds: PoolBounds,
}

/// The least and the greatest value of a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoolBounds {
    /// There are none: structures, and literals that the scope lists.
    Unbounded,
    /// Of integers, or of those in composed literals.
    Ints(i64, i64),
    /// Of floats.
    Floats(f64, f64),
    /// Of characters.
    Chars(char, char),
}

/// How a method is called.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodGenes {
    /// How often, relative to the others.
    pub weight: u32,
    /// By parameter.
    pub params: Vec<ParamGenes>,
    /// By type of result: the pools that it may go to.
    pub results: Vec<Vec<bool>>,
}

/// How an argument is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamGenes {
    /// The pools that it may come from.
    pub pools: Vec<bool>,
    /// The chance that an `Option` is `None`.
    pub none: f64,
}

/// The methods that are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Targets {
    /// Those that take or give the main type, and constructors of what these take.
    #[default]
    MainType,
    /// Those of all types.
    Deep,
}

/// The genes of a plan: its types of interest, and the types that its methods take and give.
#[derive(Clone, Debug)]
pub struct GenePlan {
    /// The types: those of the suite first, then those of literals.
    pub types: Vec<PooledType>,
    /// By method of the plan.
    pub methods: Vec<MethodTypes>,
}

/// A type with value pools.
#[derive(Clone, Debug)]
pub struct PooledType {
    /// The type as signatures write it.
    pub name: String,
    /// The kind of values in its pools.
    pub values: PooledKind,
}

/// The kind of values in the pools of a type.
#[derive(Clone, Debug)]
pub enum PooledKind {
    /// Structures.
    Structures(TypeIdx),
    /// Integers within bounds, or literals composed of such.
    Ints(DrawnLiterals, (i64, i64)),
    /// Floats within bounds, or literals composed of such.
    Floats(DrawnLiterals),
    /// Characters within bounds, or literals composed of such.
    Chars(DrawnLiterals),
    /// The literals of the scope.
    Listed(Vec<Literal>),
}

/// Literals that are made of numbers or characters.
#[derive(Clone, Copy, Debug)]
pub struct DrawnLiterals {
    domain: LiteralDomain,
    /// True if one number or character makes one literal, of which nothing else is chosen.
    is_plain: bool,
}

/// The types that a method takes and gives.
#[derive(Clone, Debug)]
pub struct MethodTypes {
    /// True if it is called at all.
    pub is_target: bool,
    /// By parameter.
    pub params: Vec<ParamType>,
    /// The types of its results, by position.
    pub results: Vec<usize>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct ParamType {
    /// Its name.
    pub name: &'static str,
    /// Its type, by position.
    pub ty: usize,
    /// `None`, if that is among its literals beside others.
    pub none: Option<Literal>,
}

/// How many numbers or characters a composed literal is made of, and how long it is at most.
const COMPOSED_OF: usize = 3;

impl GenePlan {
    /// The genes of a plan.
    pub fn new(plan: &Plan, targets: Targets) -> Self {
        let structures = plan.suite.types.iter().enumerate().map(|(index, ty)| PooledType {
            name: ty.name.to_owned(),
            values: PooledKind::Structures(TypeIdx::new(index)),
        });
        let mut types = TypeTable { types: structures.collect(), ids: Vec::new() };
        types.ids = vec![None; types.types.len()];
        let params: Vec<Vec<ParamType>> =
            plan.planned_idxs().map(|idx| types.params_of(plan, idx)).collect();
        let targeted = targeted(plan, targets);
        let methods = plan.planned_idxs().zip(params).zip(targeted);
        let methods = methods.map(|((idx, params), is_target)| MethodTypes {
            is_target,
            params,
            results: types.results_of(plan.method(idx)),
        });
        let methods = methods.collect();
        GenePlan { types: types.types, methods }
    }

    /// The type of a structure.
    pub(crate) fn structure(&self, ty: TypeIdx) -> usize {
        // They are the first.
        ty.index()
    }
}

/// The types of interest while they are found.
struct TypeTable {
    types: Vec<PooledType>,
    /// By type: the id that distinguishes its literals; none for structures.
    ids: Vec<Option<TypeId>>,
}

impl TypeTable {
    fn params_of(&mut self, plan: &Plan, idx: PlannedIdx) -> Vec<ParamType> {
        let mut domains = plan.planned(idx).domains.iter();
        let params = plan.method(idx).params.iter();
        let param = |param: &Param| match &param.kind {
            ParamKind::Structure { ty, .. } => {
                ParamType { name: param.name, ty: ty.index(), none: None }
            }
            ParamKind::Literal { domain, .. } => {
                let of_scope = domains.next().expect("literals for each parameter");
                let none = of_scope.first().filter(|first| first.source == NONE);
                let none = none.filter(|_| of_scope.len() > 1).cloned();
                ParamType { name: param.name, ty: self.literals(*domain, of_scope), none }
            }
        };
        params.map(param).collect()
    }

    /// The type of these literals.
    fn literals(&mut self, domain: LiteralDomain, of_scope: &[Literal]) -> usize {
        let id = of_scope.first().map(|first| (*first.value).type_id());
        let known = self.ids.iter().position(|known| known.is_some() && *known == id);
        let index = known.unwrap_or_else(|| {
            let n_same = self.types.iter().filter(|ty| ty.name.starts_with(domain.ty)).count();
            let is_known = self.types.iter().any(|ty| ty.name == domain.ty);
            let name = match is_known {
                false => domain.ty.to_owned(),
                true => format!("{} {}", domain.ty, n_same + 1),
            };
            self.types.push(PooledType { name, values: PooledKind::of(domain) });
            self.ids.push(id);
            self.types.len() - 1
        });
        if let PooledKind::Listed(literals) = &mut self.types[index].values {
            let is_new = |literals: &[Literal], one: &Literal| {
                literals.iter().all(|known| known.source != one.source)
            };
            let n_none = usize::from(of_scope.len() > 1 && of_scope[0].source == NONE);
            for one in &of_scope[n_none..] {
                if is_new(literals, one) {
                    literals.push(one.clone());
                }
            }
        }
        index
    }

    /// The types of what a method gives: structures, and literals whose type its signature names.
    fn results_of(&self, method: &Method) -> Vec<usize> {
        let mut results: Vec<usize> =
            method.outputs.iter().map(|output| output.ty.index()).collect();
        let result = method.signature.split_once("->").map_or("", |(_, result)| result);
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        let words: Vec<&str> = result.split(|char| !is_part(char)).collect();
        let named =
            self.types.iter().enumerate().filter(|(index, ty)| {
                self.ids[*index].is_some() && words.contains(&ty.name.as_str())
            });
        results.extend(named.map(|(index, _)| index));
        results.sort_unstable();
        results.dedup();
        results
    }
}

/// By method of the plan: whether it is called.
fn targeted(plan: &Plan, targets: Targets) -> Vec<bool> {
    let gives = |method: &Method, ty| method.outputs.iter().any(|output| output.ty == ty);
    let takes = |method: &Method, ty| method.structure_params().any(|(taken, _)| taken == ty);
    let is_main = |method: &Method| {
        // A function of literals alone belongs to the suite's main type.
        let is_free = method.outputs.is_empty() && method.structure_params().next().is_none();
        is_free || takes(method, TypeIdx::new(0)) || gives(method, TypeIdx::new(0))
    };
    let methods: Vec<&Method> = plan.planned_idxs().map(|idx| plan.method(idx)).collect();
    if targets == Targets::Deep {
        return vec![true; methods.len()];
    }
    let types = 0..plan.suite.types.len();
    let of_interest: Vec<bool> = types
        .map(|ty| methods.iter().any(|method| is_main(method) && takes(method, TypeIdx::new(ty))))
        .collect();
    let makes_argument = |method: &Method| {
        let gives_one = method.outputs.iter().any(|output| of_interest[output.ty.index()]);
        gives_one && method.structure_params().next().is_none()
    };
    methods.into_iter().map(|method| is_main(method) || makes_argument(method)).collect()
}

impl PooledKind {
    /// The source of the literals of a domain.
    fn of(domain: LiteralDomain) -> Self {
        let of_kind = match domain.kind {
            DomainKind::Ints => DrawnLiterals::of_ints(domain),
            DomainKind::Floats => {
                DrawnLiterals::kind_of(domain, PooledKind::Floats, &floats(&[1.0]))
            }
            DomainKind::Chars => DrawnLiterals::kind_of(domain, PooledKind::Chars, &chars(&['a'])),
            _ => None,
        };
        of_kind.unwrap_or(PooledKind::Listed(Vec::new()))
    }

    /// The bounds that a pool has when nothing is known: small, so that values meet again.
    pub fn usual_bounds(&self) -> PoolBounds {
        match self {
            PooledKind::Structures(_) | PooledKind::Listed(_) => PoolBounds::Unbounded,
            PooledKind::Ints(_, (least, most)) => {
                PoolBounds::Ints(0.clamp(*least, *most), 30.clamp(*least, *most))
            }
            PooledKind::Floats(_) => PoolBounds::Floats(0.0, 30.0),
            PooledKind::Chars(_) => PoolBounds::Chars('a', 'z'),
        }
    }

    /// One literal within bounds; `None` if there is none.
    ///
    /// # Panics
    /// If the bounds are not of this kind.
    pub(crate) fn draw(&self, bounds: PoolBounds, choose: &mut dyn Chooser) -> Option<Literal> {
        match (self, bounds) {
            (PooledKind::Ints(drawn, _), PoolBounds::Ints(least, most)) => {
                let n = most.abs_diff(least).saturating_add(1);
                drawn.draw(
                    &mut |choose| i128::from(least) + i128::from(choose.below(n)),
                    &ints,
                    choose,
                )
            }
            (PooledKind::Floats(drawn), PoolBounds::Floats(least, most)) => {
                // As many as a float has digits for.
                const PARTS: u64 = 1 << 53;
                let part = |choose: &mut dyn Chooser| {
                    least + (most - least) * (choose.below(PARTS) as f64 / PARTS as f64)
                };
                drawn.draw(&mut { part }, &floats, choose)
            }
            (PooledKind::Chars(drawn), PoolBounds::Chars(least, most)) => {
                let n = u64::from(most).saturating_sub(u64::from(least)) + 1;
                let char = |choose: &mut dyn Chooser| {
                    char::from_u32(u32::from(least) + choose.below(n) as u32).unwrap_or(least)
                };
                drawn.draw(&mut { char }, &chars, choose)
            }
            (PooledKind::Listed(literals), _) => {
                (!literals.is_empty()).then(|| literals[choose.index(literals.len())].clone())
            }
            _ => panic!("bounds of another kind"),
        }
    }

    /// Returns whether a literal, which has the type, is within bounds.
    pub(crate) fn holds(&self, bounds: PoolBounds, literal: &Literal) -> bool {
        match bounds {
            PoolBounds::Unbounded => true,
            PoolBounds::Ints(least, most) => {
                literal.source.parse().is_ok_and(|int: i64| (least..=most).contains(&int))
            }
            PoolBounds::Floats(least, most) => {
                literal.source.parse().is_ok_and(|float: f64| (least..=most).contains(&float))
            }
            PoolBounds::Chars(least, most) => {
                let value = literal.value.downcast_ref::<char>();
                value.is_some_and(|char| (least..=most).contains(char))
            }
        }
    }

    /// Returns whether a literal has the type.
    pub(crate) fn is_of_type(&self, literal: &Literal) -> bool {
        let known = match self {
            PooledKind::Structures(_) => None,
            PooledKind::Ints(drawn, (least, _)) => {
                listed(&drawn.domain, &ints(&[(*least).into()])).pop()
            }
            PooledKind::Floats(drawn) => listed(&drawn.domain, &floats(&[1.0])).pop(),
            PooledKind::Chars(drawn) => listed(&drawn.domain, &chars(&['a'])).pop(),
            PooledKind::Listed(literals) => literals.first().cloned(),
        };
        known.is_some_and(|known| (*known.value).type_id() == (*literal.value).type_id())
    }
}

impl DrawnLiterals {
    /// Literals of a domain of which one number or character makes some; `None` if it makes none.
    fn kind_of(
        domain: LiteralDomain,
        kind: impl FnOnce(Self) -> PooledKind,
        one: &Pools,
    ) -> Option<PooledKind> {
        let n = listed(&domain, one).len();
        (n > 0).then(|| kind(DrawnLiterals { domain, is_plain: n == 1 }))
    }

    /// The same of integers, with the least and the greatest that there are.
    fn of_ints(domain: LiteralDomain) -> Option<PooledKind> {
        const LEAST: [i64; 6] = [i64::MIN, i32::MIN as i64, i16::MIN as i64, i8::MIN as i64, 0, 1];
        const MOST: [i64; 8] = [
            i64::MAX,
            u32::MAX as i64,
            i32::MAX as i64,
            u16::MAX as i64,
            i16::MAX as i64,
            u8::MAX as i64,
            i8::MAX as i64,
            1,
        ];
        let is_there = |int: &i64| {
            let made = listed(&domain, &ints(&[(*int).into()]));
            made.iter().any(|literal| literal.source.contains(&int.to_string()))
        };
        let least = LEAST.into_iter().find(is_there)?;
        let most = MOST.into_iter().find(is_there)?;
        let kind = |drawn| PooledKind::Ints(drawn, (least, most));
        DrawnLiterals::kind_of(domain, kind, &ints(&[most.into()]))
    }

    fn draw<T>(
        &self,
        value: &mut dyn FnMut(&mut dyn Chooser) -> T,
        pools: &dyn Fn(&[T]) -> Pools,
        choose: &mut dyn Chooser,
    ) -> Option<Literal> {
        let n = if self.is_plain { 1 } else { COMPOSED_OF };
        let values: Vec<T> = (0..n).map(|_| value(choose)).collect();
        let mut made = listed(&self.domain, &pools(&values));
        made.retain(|literal| literal.source != NONE);
        (!made.is_empty()).then(|| made.swap_remove(choose.index(made.len())))
    }
}

fn ints(ints: &[i128]) -> Pools {
    composed(Pools { ints: Some(ints.to_vec()), ..Pools::default() })
}

fn floats(floats: &[f64]) -> Pools {
    composed(Pools { floats: Some(floats.to_vec()), ..Pools::default() })
}

fn chars(chars: &[char]) -> Pools {
    composed(Pools { chars: Some(chars.to_vec()), ..Pools::default() })
}

fn composed(pools: Pools) -> Pools {
    Pools { clamp: true, longest: COMPOSED_OF, ..pools }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_suite::{Domain, RecordedChoices};

    use super::*;
    use crate::random::tests::{Hue, plan_of};

    fn kind_of<T: Domain>(ty: &'static str) -> PooledKind {
        PooledKind::of(LiteralDomain::of::<T>(ty))
    }

    fn drawn(kind: &PooledKind, bounds: PoolBounds, choices: &[u64]) -> Option<String> {
        let mut choose = RecordedChoices::new(choices.to_vec());
        kind.draw(bounds, &mut choose).map(|literal| literal.source)
    }

    #[test]
    fn values_are_drawn_from_the_least_to_the_greatest() {
        let drawn = |kind: &PooledKind, bounds, choices: &[u64]| {
            drawn(kind, bounds, choices).expect("there are values")
        };
        let ints = kind_of::<i64>("i64");
        let of_int = |choice| drawn(&ints, PoolBounds::Ints(-5, 5), &[choice]);
        assert_eq!([of_int(0), of_int(3), of_int(10), of_int(11)], ["-5", "-2", "5", "-5"]);
        // A plain type takes one value, whatever comes later.
        assert_eq!(drawn(&ints, PoolBounds::Ints(-5, 5), &[3, 1, 1, 1, 1, 1]), "-2");
        let floats = kind_of::<f64>("f64");
        let half = 1 << 52;
        assert_eq!(drawn(&floats, PoolBounds::Floats(2.0, 6.0), &[half]), "4.0");
        assert_eq!(drawn(&floats, PoolBounds::Floats(2.0, 6.0), &[0]), "2.0");
        let chars = kind_of::<char>("char");
        let of_char = |choice| drawn(&chars, PoolBounds::Chars('b', 'e'), &[choice]);
        assert_eq!([of_char(0), of_char(3), of_char(4)], ["'b'", "'e'", "'b'"]);
    }

    #[test]
    fn listed_literals_are_drawn_if_there_are_any() {
        let listed = |literals: Vec<Literal>| {
            drawn(&PooledKind::Listed(literals), PoolBounds::Unbounded, &[1])
        };
        assert_eq!(listed(vec![]), None);
        assert_eq!(listed(vec![Literal::new(true), Literal::new(false)]).as_deref(), Some("false"));
    }

    #[test]
    fn a_literal_is_of_the_type_whose_values_are_drawn() {
        let (byte, word) = (Literal::new(7_u8), Literal::new(7_i64));
        let ints = kind_of::<i64>("i64");
        assert_eq!([&byte, &word].map(|one| ints.is_of_type(one)), [false, true]);
        let listed = PooledKind::Listed(vec![Literal::new(1_u8)]);
        assert_eq!([&byte, &word].map(|one| listed.is_of_type(one)), [true, false]);
    }

    #[test]
    fn integers_that_a_part_of_a_type_cannot_hold_are_drawn_for_the_others() {
        let hues = kind_of::<Hue>("Hue");
        let bounds = hues.usual_bounds();
        assert!(matches!(hues, PooledKind::Ints(_, (i64::MIN, i64::MAX))), "{bounds:?}");
        assert_eq!(bounds, PoolBounds::Ints(0, 30));
        let drawn = |choice| drawn(&hues, PoolBounds::Ints(300, 302), &[choice]);
        let deep = |int| Some(format!("Hue::Deep({int})"));
        assert_eq!([drawn(0), drawn(1), drawn(2)], [deep(300), deep(301), deep(302)]);
    }

    /// With eight flags there are 256 literals of one character, and with 24 too many to list.
    #[test]
    fn literals_are_listed_where_one_character_makes_too_many() {
        type EightFlags = (bool, bool, bool, bool, bool, bool, bool, bool);
        let is_listed = |kind| matches!(kind, PooledKind::Listed(_));
        assert!(!is_listed(kind_of::<(char, EightFlags)>("")));
        assert!(is_listed(kind_of::<(char, EightFlags, EightFlags, EightFlags)>("")));
    }

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Sconce {
        is_lit: bool,
        angle: i64,
    }

    #[beget::api(name = "test::sconce")]
    impl Sconce {
        pub fn new() -> Self {
            Sconce::default()
        }

        pub fn light(&mut self, is_lit: bool) {
            self.is_lit = is_lit;
        }

        pub fn flash(&mut self, is_lit: bool, again: Option<bool>) {
            self.is_lit = again.unwrap_or(is_lit);
        }

        pub fn turn(&mut self, angle: i64) {
            self.angle = angle;
        }

        pub fn angle(&self) -> i64 {
            self.angle
        }
    }

    #[test]
    fn genes_are_of_the_types_that_methods_take_and_give() {
        let plan = plan_of(Sconce::suite());
        let listed = |genes: &GenePlan, name: &str| -> Vec<String> {
            let mut types = genes.types.iter().filter(|ty| ty.name == name);
            let Some(PooledType { values: PooledKind::Listed(all), .. }) = types.next() else {
                panic!("{name}")
            };
            all.iter().map(|literal| literal.source.clone()).collect()
        };
        let none = |genes: &GenePlan| {
            let none = genes.methods[2].params[2].none.as_ref();
            none.map(|literal| literal.source.clone())
        };
        let genes = GenePlan::new(&plan, Targets::Deep);
        assert_eq!(listed(&genes, "bool"), ["false", "true"]);
        assert_eq!(listed(&genes, "Option<bool>"), ["Some(false)", "Some(true)"]);
        assert_eq!(none(&genes).as_deref(), Some("None"));
        let results: Vec<Vec<&str>> = genes
            .methods
            .iter()
            .map(|method| method.results.iter().map(|&ty| &*genes.types[ty].name).collect())
            .collect();
        assert_eq!(results, [vec!["Sconce"], vec![], vec![], vec![], vec!["i64"]]);
        // `None` is a literal like others if there is nothing else.
        let only = plan.with(|draft| draft.methods[2].domains[1].truncate(1));
        let genes = GenePlan::new(&only, Targets::Deep);
        assert_eq!((listed(&genes, "Option<bool>"), none(&genes)), (vec!["None".to_owned()], None));
    }
}
