//! Made-up suites: a structure is a number, and each method says by a table what becomes of it.
//!
//! The table is the value of the method's one literal parameter, so a test can make any suite at
//! run time. What a set of methods builds is also computed here, from the tables, without anything
//! of the crate.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeSet;
use std::sync::Arc;

use beget::Heap;
use beget_heap::Bounds;
use beget_plan::scope::{Budget, CallAudits, Misuse, Plan, PlanDraft, PlannedIdx, PlannedMethod};
use beget_suite::{
    Call, Literal, LiteralDomain, Method, MethodIdx, Outcome, Output, Param, ParamKind, Passing,
    Slice, Suite, TypeIdx, type_of,
};

/// The structure of made-up suites.
#[derive(Clone, Debug, Heap)]
pub struct Toy {
    number: u8,
}

/// What a method of a made-up suite does.
#[derive(Clone, Debug)]
pub enum Does {
    /// Makes these from nothing, one for each of its literals.
    Make(Vec<u8>),
    /// Changes number `n` to `table[n]`.
    Change(Vec<u8>),
    /// Changes number `n`, with a second structure `m`, to `table[n][m]`.
    Join(Vec<Vec<u8>>),
    /// Changes a number, with a second and a third structure, to a fourth where they are these.
    Merge([u8; 4]),
}

/// A method of a made-up suite: what it does, and how many parameters of primitive and of reference
/// kind it has.
#[derive(Clone, Debug)]
pub struct ToyMethod {
    pub does: Does,
    pub primitive: usize,
    pub reference: usize,
}

impl ToyMethod {
    pub fn new(does: Does) -> Self {
        ToyMethod { does, primitive: 0, reference: 0 }
    }

    pub fn make(numbers: &[u8]) -> Self {
        Self::new(Does::Make(numbers.to_vec()))
    }

    /// Changes the numbers given, each to its partner, and no other.
    pub fn change(pairs: &[(u8, u8)]) -> Self {
        let mut table: Vec<u8> = (0..N_NUMBERS).collect();
        pairs.iter().for_each(|&(from, to)| table[usize::from(from)] = to);
        Self::new(Does::Change(table))
    }

    pub fn with(self, primitive: usize, reference: usize) -> Self {
        ToyMethod { primitive, reference, ..self }
    }
}

/// Numbers of toys are below this.
pub const N_NUMBERS: u8 = 12;

pub const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

const OWN: TypeIdx = TypeIdx::new(0);

fn make(call: &mut Call<'_>) -> Outcome {
    let number = *call.literal::<u8>(0);
    call.give(Toy { number });
    Outcome::Returned
}

fn change(call: &mut Call<'_>) -> Outcome {
    let table = call.literal::<Vec<u8>>(0);
    let toy = call.structure::<Toy>(0);
    toy.number = table[usize::from(toy.number)];
    Outcome::Returned
}

fn join(call: &mut Call<'_>) -> Outcome {
    let table = call.literal::<Vec<Vec<u8>>>(0);
    let other = call.structure::<Toy>(1).number;
    let toy = call.structure::<Toy>(0);
    toy.number = table[usize::from(toy.number)][usize::from(other)];
    Outcome::Returned
}

fn merge(call: &mut Call<'_>) -> Outcome {
    let [first, second, third, result] = *call.literal::<[u8; 4]>(0);
    let others = [1, 2].map(|index| call.structure::<Toy>(index).number);
    let toy = call.structure::<Toy>(0);
    if (toy.number, others) == (first, [second, third]) {
        toy.number = result;
    }
    Outcome::Returned
}

fn literal<T: Send + Sync + 'static>(value: T) -> Literal {
    Literal { value: Arc::new(value), source: "_".to_owned() }
}

fn structure(name: &'static str, passing: Passing) -> Param {
    Param { name, kind: ParamKind::Structure { ty: OWN, passing } }
}

fn primitive(name: &'static str) -> Param {
    Param { name, kind: ParamKind::Literal { domain: LiteralDomain::of::<u8>("u8"), prefix: "" } }
}

fn reference(name: &'static str) -> Param {
    let domain = LiteralDomain::of::<Slice<u8>>("&[u8]");
    Param { name, kind: ParamKind::Literal { domain, prefix: "" } }
}

fn method(index: usize, toy: &ToyMethod) -> (Method, PlannedMethod) {
    let (mut params, outputs, call): (Vec<Param>, _, fn(&mut Call<'_>) -> Outcome) = match toy.does
    {
        Does::Make(_) => (vec![], vec![Output { ty: OWN, access: "" }], make),
        Does::Change(_) => (vec![structure("self", Passing::Mut)], vec![], change),
        Does::Join(_) => {
            (vec![structure("self", Passing::Mut), structure("other", Passing::Ref)], vec![], join)
        }
        Does::Merge(_) => {
            let others = ["other", "third"].map(|name| structure(name, Passing::Value));
            let params = std::iter::once(structure("self", Passing::Mut)).chain(others);
            (params.collect(), vec![], merge)
        }
    };
    let tables = match &toy.does {
        Does::Make(numbers) => numbers.iter().map(|&number| literal(number)).collect(),
        Does::Change(table) => vec![literal(table.clone())],
        Does::Join(table) => vec![literal(table.clone())],
        Does::Merge(numbers) => vec![literal(*numbers)],
    };
    // The table comes first among the literals; it is a primitive parameter like any other.
    let more = toy.primitive + toy.reference;
    params.push(primitive("table"));
    params.extend((0..toy.primitive).map(|_| primitive("more")));
    params.extend((0..toy.reference).map(|_| reference("values")));
    let structures = params.iter().filter_map(|param| match param.kind {
        ParamKind::Structure { ty, .. } => Some(ty),
        ParamKind::Literal { .. } => None,
    });
    let planned = PlannedMethod {
        method: MethodIdx::new(index),
        structures: structures.collect(),
        domains: std::iter::once(tables).chain((0..more).map(|_| vec![literal(0_u8)])).collect(),
    };
    let method = Method {
        name: NAMES[index],
        signature: "fn made_up()",
        returns: None,
        path: NAMES[index],
        params,
        outputs,
        fallible: false,
        call_observed: None,
        stand_in: None,
        call,
    };
    (method, planned)
}

/// The plan of a made-up suite.
pub fn toys(methods: &[ToyMethod]) -> Plan {
    let (methods, planned): (Vec<_>, Vec<_>) =
        methods.iter().enumerate().map(|(index, toy)| method(index, toy)).unzip();
    let suite = Suite {
        name: "toys".to_owned(),
        doc: "Made up.",
        types: vec![type_of::<Toy>("Toy", None)],
        methods,
        ..Suite::default()
    };
    plan_of(suite, planned, 3)
}

/// A plan of these methods with at most `k` objects of each class.
pub fn plan_of(suite: Suite, methods: Vec<PlannedMethod>, k: u32) -> Plan {
    let draft = PlanDraft {
        suite: Arc::new(suite),
        k,
        methods,
        bounds: Bounds::uniform(k),
        derived_ints: None,
        doubts: Arc::default(),
        follows_panics: false,
        ends_at_failure: false,
        audits: CallAudits::default(),
        probe: 0,
        misuse: Misuse::default(),
        budget: Budget::default(),
        slack: None,
    };
    draft.freeze()
}

/// A plan of a whole suite, integers below `k` and at most `k` objects of each class.
pub fn plan(suite: Suite, k: u32) -> Plan {
    let pools = beget::suites::Pools {
        ints: Some((0..i128::from(k)).collect()),
        longest: k as usize,
        ..Default::default()
    };
    let planned = |(idx, method): (MethodIdx, &Method)| PlannedMethod {
        method: idx,
        structures: method.structure_params().map(|(ty, _)| ty).collect(),
        domains: method
            .literal_params()
            .map(|(_, domain)| (domain.literals)(&pools).expect("literals"))
            .collect(),
    };
    let methods = suite.method_idxs().zip(&suite.methods).map(planned).collect();
    plan_of(suite, methods, k)
}

/// What a subset of made-up methods builds, from the tables alone.
pub fn built(methods: &[ToyMethod], set: &[PlannedIdx]) -> BTreeSet<u8> {
    let mut known = BTreeSet::new();
    loop {
        let mut more = known.clone();
        for &method in set {
            match &methods[method.index()].does {
                Does::Make(numbers) => more.extend(numbers),
                Does::Change(table) => more.extend(known.iter().map(|&n| table[usize::from(n)])),
                Does::Join(table) => {
                    for &n in &known {
                        more.extend(known.iter().map(|&m| table[usize::from(n)][usize::from(m)]));
                    }
                }
                Does::Merge([first, second, third, result]) => {
                    if [first, second, third].into_iter().all(|number| known.contains(number)) {
                        more.insert(*result);
                    }
                }
            }
        }
        if more == known {
            return known;
        }
        known = more;
    }
}

/// All subsets of `n` methods.
pub fn subsets(n: usize) -> impl Iterator<Item = Vec<PlannedIdx>> {
    let of_bits = move |bits: u32| {
        let methods = (0..n).filter(|method| bits >> method & 1 == 1);
        methods.map(PlannedIdx::new).collect()
    };
    (0..1 << n).map(of_bits)
}

/// The cheapest sufficient set: fewest methods, then simplest parameters, then first in order.
pub fn cheapest(methods: &[ToyMethod]) -> Vec<PlannedIdx> {
    let all: Vec<PlannedIdx> = (0..methods.len()).map(PlannedIdx::new).collect();
    let full = built(methods, &all);
    let weight = |set: &Vec<PlannedIdx>| -> usize {
        let weight = |&method: &PlannedIdx| {
            let own = &methods[method.index()];
            let joins = matches!(own.does, Does::Join(_));
            1 + own.primitive + 2 * (own.reference + usize::from(joins))
        };
        set.iter().map(weight).sum()
    };
    let sufficient = subsets(methods.len()).filter(|set| built(methods, set) == full);
    sufficient.min_by_key(|set| (set.len(), weight(set), set.clone())).expect("the full API")
}

/// A made-up suite drawn from `seed`.
pub fn drawn(seed: u64, n_methods: usize) -> Vec<ToyMethod> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let n = u64::from(N_NUMBERS);
    let mut methods = Vec::new();
    for index in 0..n_methods {
        let does = match (index, below(6)) {
            (0, _) | (_, 0) => Does::Make((0..1 + below(2)).map(|_| below(n) as u8).collect()),
            (_, 1) => {
                let row = |below: &mut dyn FnMut(u64) -> u64, first: u8| -> Vec<u8> {
                    let entry = |below: &mut dyn FnMut(u64) -> u64| match below(4) {
                        0 => below(n) as u8,
                        _ => first,
                    };
                    (0..N_NUMBERS).map(|_| entry(below)).collect()
                };
                Does::Join((0..N_NUMBERS).map(|first| row(&mut below, first)).collect())
            }
            _ => {
                let entry = |first: u8| if below(3) == 0 { below(n) as u8 } else { first };
                Does::Change((0..N_NUMBERS).map(entry).collect())
            }
        };
        let (primitive, reference) = (below(3) as usize, below(2) as usize);
        methods.push(ToyMethod { does, primitive, reference });
    }
    methods
}
