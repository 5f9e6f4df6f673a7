//! The file of a chromosome: RON, to be read and edited by hand.
//!
//! It belongs to a suite: see [`SuiteFile`]. Genes are named by types, methods and parameters.
//! Genes that do not fit the plan are rejected, with their place.

use std::collections::BTreeMap;
use std::fmt;

use beget_plan::scope::{
    Plan, SuiteFileError, SuiteFileFormat, suggest, suite_fingerprint, visible,
};
use beget_run::random::{
    Chromosome, GenePlan, MethodGenes, MethodTypes, ParamGenes, ParamType, PoolBounds, PoolGenes,
    PooledKind, PooledType,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::evolve::limits;
use crate::suite_file::{SuiteFile, check_suite_file, read_suite_file, write_suite_file};

/// The serialized form of a chromosome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Chromosome", deny_unknown_fields)]
pub struct ChromosomeFile {
    version: u32,
    suite: String,
    fingerprint: String,
    /// Its origin.
    pub origin: ChromosomeOrigin,
    /// True if methods of traits are called too that the suite does not list.
    #[serde(default, skip_serializing_if = "is_false")]
    pub enrich: bool,
    /// Calls per test case.
    pub calls: u32,
    /// By type: its value pools.
    pub pools: BTreeMap<String, Vec<PoolV1>>,
    /// By method.
    pub methods: BTreeMap<String, MethodV1>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The origin of a chromosome, for information only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Origin", deny_unknown_fields)]
pub struct ChromosomeOrigin {
    /// The seed of the search.
    pub seed: u64,
    /// The number of generations after the first.
    pub generations: u32,
    /// The kind of points: `blocks`, `predicates`, `regions`, `structures`.
    pub points_are: String,
    /// The points that its test cases covered, averaged over its ratings.
    pub points: f64,
    /// The calls that they took.
    pub calls: f64,
    /// Its fitness.
    pub fitness: f64,
    /// The number of ratings.
    pub ratings: u32,
}

/// The serialized form of a value pool.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Pool", deny_unknown_fields)]
pub struct PoolV1 {
    /// The number of values.
    pub values: u32,
    /// The least and the greatest, if the type has an order.
    #[serde(default, skip_serializing_if = "BoundsV1::are_none")]
    pub bounds: BoundsV1,
}

/// The serialized form of bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Bounds")]
pub enum BoundsV1 {
    /// None.
    #[default]
    Unbounded,
    /// Of integers.
    Ints(i64, i64),
    /// Of floats.
    Floats(f64, f64),
    /// Of characters.
    Chars(char, char),
}

/// The serialized form of a method's genes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Method", deny_unknown_fields)]
pub struct MethodV1 {
    /// The relative frequency of its calls.
    pub weight: u32,
    /// By parameter.
    #[serde(default)]
    pub params: BTreeMap<String, ParamV1>,
    /// The pools for its results, by type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, PoolBits>,
}

/// The serialized form of a parameter's genes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Param", deny_unknown_fields)]
pub struct ParamV1 {
    /// The pools that arguments come from.
    pub pools: PoolBits,
    /// The chance of `None`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub none: f64,
}

fn is_zero(chance: &f64) -> bool {
    *chance == 0.0
}

/// A selection among the pools of a type, written as a digit for each: `"10"` is the first of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolBits(pub Vec<bool>);

impl fmt::Display for PoolBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&bit| f.write_str(if bit { "1" } else { "0" }))
    }
}

impl Serialize for PoolBits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PoolBits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bit = |digit| match digit {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(D::Error::custom("a digit for each pool, 1 if it is used: \"10\"")),
        };
        text.chars().map(bit).collect::<Result<_, _>>().map(PoolBits)
    }
}

impl fmt::Display for BoundsV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundsV1::Unbounded => f.write_str("none"),
            BoundsV1::Ints(least, most) => write!(f, "{least} to {most}"),
            BoundsV1::Floats(least, most) => write!(f, "{least} to {most}"),
            BoundsV1::Chars(least, most) => write!(f, "{least:?} to {most:?}"),
        }
    }
}

impl BoundsV1 {
    fn are_none(&self) -> bool {
        *self == BoundsV1::Unbounded
    }
}

/// The problem of a chromosome's file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChromosomeError {
    /// It cannot be read, or is not for the current suite.
    File(SuiteFileError),
    /// A gene is missing, or invalid.
    Gene {
        /// The place.
        place: String,
        /// The problem.
        problem: String,
    },
}

impl fmt::Display for ChromosomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChromosomeError::File(error) => error.fmt(f),
            ChromosomeError::Gene { place, problem } => {
                write!(f, "{}: {}", visible(place), visible(problem))
            }
        }
    }
}

impl std::error::Error for ChromosomeError {}

impl From<SuiteFileError> for ChromosomeError {
    fn from(error: SuiteFileError) -> Self {
        ChromosomeError::File(error)
    }
}

fn gene<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T, ChromosomeError> {
    Err(ChromosomeError::Gene { place: place.into(), problem: problem.into() })
}

impl SuiteFile for ChromosomeFile {
    const FORMAT: &'static SuiteFileFormat = &SuiteFileFormat {
        name: "Chromosome",
        version: 1,
        noun: "chromosome",
        nouns: "chromosomes",
        contents: "this chromosome is",
        origin: "this chromosome was found",
        remedy: "find one again with `beget evolve`",
    };

    fn suite(&self) -> &str {
        &self.suite
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

const COMMENT: &str = "\
Written by `beget evolve`; `beget random --policy` draws test cases by it. All of it may be changed.
`pools`, of a parameter, are those of its type that arguments come from: a digit for each, 1 if it is used;
`results` are those that results go to. A method of weight 0 is only called to fill pools.";

impl ChromosomeFile {
    /// The file of a chromosome of `plan`, with its origin.
    pub fn new(
        plan: &Plan,
        genes: &GenePlan,
        chromosome: &Chromosome,
        origin: ChromosomeOrigin,
    ) -> Self {
        let pools = genes.types.iter().zip(&chromosome.pools);
        let pools = pools.map(|(ty, pools)| (ty.name.clone(), pools.iter().map(pool).collect()));
        let methods = genes.methods.iter().zip(&chromosome.methods).zip(plan.planned_idxs());
        let methods = methods.map(|((types, genes_of), idx)| {
            (plan.method_name(idx).to_owned(), method(genes, types, genes_of))
        });
        ChromosomeFile {
            version: Self::FORMAT.version,
            suite: plan.suite.name.clone(),
            fingerprint: suite_fingerprint(&plan.suite),
            origin,
            enrich: plan.methods.iter().any(|one| plan.suite.method(one.method).is_of_enrichment()),
            calls: chromosome.calls,
            pools: pools.collect(),
            methods: methods.collect(),
        }
    }

    /// The file's text.
    pub fn to_ron(&self) -> String {
        write_suite_file(self, COMMENT)
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// [`ChromosomeError::File`].
    pub fn from_ron(text: &str) -> Result<Self, ChromosomeError> {
        Ok(read_suite_file(text)?)
    }

    /// The chromosome, for `plan` with its genes.
    ///
    /// # Errors
    ///
    /// The first gene that does not fit.
    pub fn to_chromosome(
        &self,
        plan: &Plan,
        genes: &GenePlan,
    ) -> Result<Chromosome, ChromosomeError> {
        check_suite_file(self, &plan.suite)?;
        let known = plan.suite.methods.iter().map(|method| method.name);
        if let Some(unknown) =
            self.methods.keys().find(|name| plan.suite.find_method(name).is_none())
        {
            let of_traits = plan.suite.trait_methods();
            let help = match of_traits.iter().any(|method| method.name == unknown) {
                true => "it is of a trait: `enrich: true` adds these".to_owned(),
                false => suggest(unknown, known).unwrap_or_default(),
            };
            return gene("methods", format!("no method named `{unknown}`; {help}"));
        }
        if !limits::CALLS.contains(&self.calls) {
            return gene("calls", in_range(limits::CALLS));
        }
        let pools = genes.types.iter().map(|ty| self.pools_of(ty)).collect::<Result<_, _>>()?;
        let reader = GeneReader { genes, pools: &pools };
        let of_method = |(idx, types): (_, &MethodTypes)| {
            let name = plan.method_name(idx);
            match self.methods.get(name) {
                Some(method) => reader.method(name, types, method),
                None => gene(
                    "methods",
                    format!("there are no genes for `{name}`; find a chromosome for these methods"),
                ),
            }
        };
        let methods: Vec<MethodGenes> =
            plan.planned_idxs().zip(&genes.methods).map(of_method).collect::<Result<_, _>>()?;
        if methods.iter().all(|method| method.weight == 0) {
            return gene("methods", "all weights are 0: nothing would be called");
        }
        Ok(Chromosome { calls: self.calls, pools, methods })
    }

    fn pools_of(&self, ty: &PooledType) -> Result<Vec<PoolGenes>, ChromosomeError> {
        let place = format!("pools of `{}`", ty.name);
        let Some(pools) = self.pools.get(&ty.name) else {
            return gene(place, "there are none");
        };
        if !limits::POOLS.contains(&pools.len()) {
            return gene(place, in_range(limits::POOLS));
        }
        let genes = |pool: &PoolV1| {
            if !limits::VALUES.contains(&pool.values) {
                return gene(place.clone(), format!("`values`: {}", in_range(limits::VALUES)));
            }
            let bounds = bounds(&ty.values, pool.bounds);
            let bounds = bounds.or_else(|problem| gene(place.clone(), problem))?;
            Ok(PoolGenes { values: pool.values, bounds })
        };
        pools.iter().map(genes).collect()
    }
}

fn in_range<T: fmt::Display>(range: std::ops::RangeInclusive<T>) -> String {
    format!("give a number from {} to {}", range.start(), range.end())
}

fn pool(genes: &PoolGenes) -> PoolV1 {
    let bounds = match genes.bounds {
        PoolBounds::Unbounded => BoundsV1::Unbounded,
        PoolBounds::Ints(least, most) => BoundsV1::Ints(least, most),
        PoolBounds::Floats(least, most) => BoundsV1::Floats(least, most),
        PoolBounds::Chars(least, most) => BoundsV1::Chars(least, most),
    };
    PoolV1 { values: genes.values, bounds }
}

/// The bounds of a pool of a kind.
fn bounds(kind: &PooledKind, bounds: BoundsV1) -> Result<PoolBounds, String> {
    let (is_right, bounds, expected) = match (kind, bounds) {
        (PooledKind::Ints(_, limits), BoundsV1::Ints(least, most)) => {
            let is_right = limits.0 <= least && least <= most && most <= limits.1;
            let expected = format!("Ints(least, most) within {}..={}", limits.0, limits.1);
            (is_right, PoolBounds::Ints(least, most), expected)
        }
        (PooledKind::Floats(_), BoundsV1::Floats(least, most)) => {
            let is_right = least <= most && (most - least).is_finite();
            (is_right, PoolBounds::Floats(least, most), "Floats(least, most)".to_owned())
        }
        (PooledKind::Chars(_), BoundsV1::Chars(least, most)) => {
            (least <= most, PoolBounds::Chars(least, most), "Chars(least, most)".to_owned())
        }
        (PooledKind::Structures(_) | PooledKind::Listed(_), BoundsV1::Unbounded) => {
            (true, PoolBounds::Unbounded, String::new())
        }
        (PooledKind::Structures(_) | PooledKind::Listed(_), _) => {
            return Err("this type has no bounds".to_owned());
        }
        (PooledKind::Ints(..), _) => (false, PoolBounds::Unbounded, "Ints(0, 30)".to_owned()),
        (PooledKind::Floats(_), _) => (false, PoolBounds::Unbounded, "Floats(0.0, 1.0)".to_owned()),
        (PooledKind::Chars(_), _) => (false, PoolBounds::Unbounded, "Chars('a', 'z')".to_owned()),
    };
    is_right.then_some(bounds).ok_or_else(|| format!("`bounds`: give {expected}"))
}

fn method(genes: &GenePlan, types: &MethodTypes, method: &MethodGenes) -> MethodV1 {
    let params = types.params.iter().zip(&method.params);
    let params = params.map(|(ty, param)| {
        let none = if ty.none.is_some() { param.none } else { 0.0 };
        (ty.name.to_owned(), ParamV1 { pools: PoolBits(param.pools.clone()), none })
    });
    let results = types.results.iter().zip(&method.results);
    let results =
        results.map(|(&ty, pools)| (genes.types[ty].name.clone(), PoolBits(pools.clone())));
    MethodV1 { weight: method.weight, params: params.collect(), results: results.collect() }
}

/// Reads the genes of methods.
struct GeneReader<'g> {
    genes: &'g GenePlan,
    pools: &'g Vec<Vec<PoolGenes>>,
}

impl GeneReader<'_> {
    fn method(
        &self,
        name: &str,
        types: &MethodTypes,
        method: &MethodV1,
    ) -> Result<MethodGenes, ChromosomeError> {
        let place = |part: &str| format!("`{name}`{part}");
        if method.weight > limits::MOST_WEIGHT {
            return gene(place(", weight"), in_range(0..=limits::MOST_WEIGHT));
        }
        let is_param = |key: &&String| types.params.iter().any(|param| param.name == **key);
        if let Some(unknown) = method.params.keys().find(|key| !is_param(key)) {
            return gene(place(", params"), format!("it has no parameter `{unknown}`"));
        }
        let is_result = |key: &&String| {
            types.results.iter().any(|&result| self.genes.types[result].name == **key)
        };
        if let Some(unknown) = method.results.keys().find(|key| !is_result(key)) {
            return gene(place(", results"), format!("it gives no `{unknown}`"));
        }
        let param = |ty: &ParamType| {
            let place = place(&format!(", params, `{}`", ty.name));
            let Some(param) = method.params.get(ty.name) else {
                return gene(place, "there are no genes for it");
            };
            let pools = self.bits(&place, ty.ty, &param.pools)?;
            if !pools.contains(&true) {
                return gene(place, "`pools`: at least one must be used");
            }
            if !(0.0..=1.0).contains(&param.none) || ty.none.is_none() && param.none != 0.0 {
                let problem =
                    if ty.none.is_some() { "from 0.0 to 1.0" } else { "there is no `None`" };
                return gene(place, format!("`none`: {problem}"));
            }
            Ok(ParamGenes { pools, none: param.none })
        };
        let result = |&ty: &usize| {
            let key = &self.genes.types[ty].name;
            let place = place(&format!(", results, `{key}`"));
            match method.results.get(key) {
                Some(bits) => self.bits(&place, ty, bits),
                None => gene(place, "there are no genes for it"),
            }
        };
        Ok(MethodGenes {
            weight: method.weight,
            params: types.params.iter().map(param).collect::<Result<_, _>>()?,
            results: types.results.iter().map(result).collect::<Result<_, _>>()?,
        })
    }

    fn bits(&self, place: &str, ty: usize, bits: &PoolBits) -> Result<Vec<bool>, ChromosomeError> {
        let (found, expected) = (bits.0.len(), self.pools[ty].len());
        match found == expected {
            true => Ok(bits.0.clone()),
            false => {
                let name = &self.genes.types[ty].name;
                gene(place, format!("{found} digits for the {expected} pools of `{name}`"))
            }
        }
    }
}
