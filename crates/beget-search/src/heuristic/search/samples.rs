//! Further successful calls of a method, with other arguments, for measurements of how its cost
//! depends on them (Kuperberg and Omri, section 3.1).
//!
//! The arguments that vary span a space of tuples: the scope's literals for each parameter, and
//! structures of growing size. Samples are spread over it: from one tuple to the next goes a stride
//! near the golden ratio of the size of the space and without a common divisor, so that each tuple
//! comes once.

use std::collections::BTreeMap;

use beget_plan::finding::Control;
use beget_plan::scope::PlannedIdx;
use beget_suite::{Chooser as _, Literal, ParamKind, TypeIdx};

use super::{CallCandidate, CallSearch, Stop, steps_of};
use crate::heuristic::effects::SizeChange;
use crate::heuristic::options::VariedParam;
use crate::heuristic::pool::{PoolIdx, SizedStructure};
use crate::heuristic::report::SampledCall;

/// The largest structure that is enlarged further, by the number of its elements or objects.
const LARGEST_ENLARGED: u64 = 64;

/// The arguments from which samples are taken, by parameter of the method.
struct ArgumentSpace {
    params: Vec<ArgumentChoice>,
}

/// The arguments of a parameter.
enum ArgumentChoice {
    Structures(Vec<PoolIdx>),
    Literals(Vec<Literal>),
}

impl ArgumentChoice {
    fn len(&self) -> u64 {
        match self {
            ArgumentChoice::Structures(structures) => structures.len() as u64,
            ArgumentChoice::Literals(literals) => literals.len() as u64,
        }
    }
}

impl ArgumentSpace {
    /// The number of tuples; no more than `u64::MAX` are used.
    fn size(&self) -> u64 {
        self.params.iter().map(ArgumentChoice::len).fold(1, u64::saturating_mul)
    }

    /// The position in each parameter's arguments, of the tuple with a number.
    fn positions(&self, mut number: u64) -> Vec<usize> {
        let mut positions = vec![0; self.params.len()];
        for (position, param) in positions.iter_mut().zip(&self.params).rev() {
            *position = (number % param.len()) as usize;
            number /= param.len();
        }
        positions
    }

    /// The arguments at these positions.
    fn candidate(&self, positions: &[usize]) -> CallCandidate {
        let (mut structures, mut literals) = (Vec::new(), Vec::new());
        for (param, &position) in self.params.iter().zip(positions) {
            match param {
                ArgumentChoice::Structures(all) => structures.push(all[position]),
                ArgumentChoice::Literals(all) => literals.push(all[position].clone()),
            }
        }
        CallCandidate { structures, literals, repair: None, n_messages: 0 }
    }
}

/// All numbers below `size` once, from `start` on, the first ones spread evenly.
fn spread(size: u64, start: u64) -> impl Iterator<Item = u64> {
    let (size, mut number) = (u128::from(size), u128::from(start));
    let golden = size * 618_033_989 / 1_000_000_000;
    let stride = (golden.max(1)..).find(|stride| gcd(*stride, size) == 1).expect("one is prime");
    (0..size).map(move |_| {
        let this = number;
        number = (number + stride) % size;
        this as u64
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The number of elements of a structure or, without a length, of its objects.
fn extent_of(structure: &SizedStructure) -> u64 {
    structure.length.unwrap_or(u64::from(structure.size.n_objects))
}

impl CallSearch<'_> {
    /// Looks for samples of a method that has a successful call, with as many attempts as a method
    /// may take. A method with one tuple of arguments has none. A run that ends keeps what it has.
    pub(super) fn sample(
        &mut self,
        method: PlannedIdx,
        control: &mut Control<'_>,
    ) -> Result<(), Stop> {
        let Some(space) = self.argument_space(method) else { return Ok(()) };
        let size = space.size();
        if size < 2 {
            return Ok(());
        }
        let start = self.choose.below(size);
        let (mut samples, mut ended) = (Vec::new(), Ok(()));
        for number in spread(size, start).take(self.options.max_attempts as usize) {
            ended = self.check(control);
            if ended.is_err() {
                break;
            }
            let candidate = space.candidate(&space.positions(number));
            let (prefix, step) = self.calls_of(method, &candidate);
            let Ok(returned) = self.make(method, &prefix, &step) else { continue };
            if self.not_wanted(&returned).is_none() {
                samples.push((number, steps_of(&prefix, &step)));
            }
            if samples.len() == self.options.n_samples {
                break;
            }
        }
        samples.sort_by_key(|(number, _)| *number);
        let samples = samples.into_iter().map(|(number, steps)| {
            let arguments = self.varied_arguments(method, &space, &space.positions(number));
            SampledCall { arguments, steps }
        });
        self.reports[method.index()].samples = samples.collect();
        ended
    }

    /// The arguments of a method that has a successful call: of a parameter that does not vary, the
    /// literal of that call or the first structure that holds something. `None` if it has none.
    fn argument_space(&mut self, method: PlannedIdx) -> Option<ArgumentSpace> {
        let known = self.reports[method.index()].success.as_ref()?.steps.last()?.literals.clone();
        let mut known = known.into_iter();
        let mut fixed = self.filled_structures(method, 0).unwrap_or_default().into_iter();
        let (mut params, mut n_literals) = (Vec::new(), 0);
        for (position, param) in self.plan.method(method).params.iter().enumerate() {
            let varies = self.varies(method, position);
            params.push(match param.kind {
                ParamKind::Structure { ty, .. } => {
                    let fixed = fixed.next()?;
                    let varied = if varies { self.by_extent(ty) } else { vec![fixed] };
                    ArgumentChoice::Structures(varied)
                }
                ParamKind::Literal { .. } => {
                    let (fixed, number) = (known.next()?, n_literals);
                    n_literals += 1;
                    let varied =
                        if varies { self.literals_of(method, number) } else { vec![fixed] };
                    ArgumentChoice::Literals(varied)
                }
            });
        }
        Some(ArgumentSpace { params })
    }

    fn varies(&self, method: PlannedIdx, position: usize) -> bool {
        let varied = &self.options.varied;
        varied.is_empty() || varied.contains(&VariedParam { method, position })
    }

    /// The scope's literals of a parameter or, if it has none, those of the heuristics.
    fn literals_of(&self, method: PlannedIdx, number: usize) -> Vec<Literal> {
        match &self.plan.planned(method).domains[number] {
            of_scope if of_scope.is_empty() => self.menus[method.index()][number].literals.clone(),
            of_scope => of_scope.clone(),
        }
    }

    /// One structure of a type for each number of elements. While they are fewer than the samples,
    /// the largest is enlarged to twice its size, up to twice [`LARGEST_ENLARGED`].
    fn by_extent(&mut self, ty: TypeIdx) -> Vec<PoolIdx> {
        let mut known = BTreeMap::new();
        for idx in self.pool.ranked(ty) {
            known.entry(extent_of(self.pool.get(idx))).or_insert(idx);
        }
        while known.len() < self.options.n_samples {
            let Some((&largest, &idx)) = known.last_key_value() else { break };
            if largest > LARGEST_ENLARGED {
                break;
            }
            let times = largest.max(1) as usize;
            let Some(idx) = self.resized(idx, SizeChange::Grows, times, &[]) else { break };
            if known.insert(extent_of(self.pool.get(idx)), idx).is_some() {
                break;
            }
        }
        known.into_values().collect()
    }

    /// The arguments that are not the same in all samples, by name and value.
    fn varied_arguments(
        &self,
        method: PlannedIdx,
        space: &ArgumentSpace,
        positions: &[usize],
    ) -> Vec<String> {
        let names = self.plan.method(method).params.iter().map(|param| param.name);
        let params = names.zip(&space.params).zip(positions);
        let varied = params.filter(|((_, choice), _)| choice.len() > 1);
        varied
            .map(|((name, choice), position)| self.named_argument(name, choice, *position))
            .collect()
    }

    fn named_argument(&self, name: &str, choice: &ArgumentChoice, position: usize) -> String {
        match choice {
            ArgumentChoice::Literals(all) => format!("{name} = {}", all[position].source),
            ArgumentChoice::Structures(all) => {
                let structure = self.pool.get(all[position]);
                let counted = if structure.length.is_some() { "len" } else { "objects" };
                format!("{name}.{counted} = {}", extent_of(structure))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_tuple_comes_once_and_the_first_ones_are_spread() {
        for size in [1, 2, 3, 4, 10, 12, 97, 360] {
            for start in [0, size / 2, size - 1] {
                let all: Vec<u64> = spread(size, start).collect();
                assert_eq!(all[0], start);
                let distinct: BTreeSet<u64> = all.iter().copied().collect();
                assert_eq!(distinct, (0..size).collect(), "{size}");
            }
        }
        // Of eight samples no four neighbouring eighths are without one.
        let eighths: BTreeSet<u64> = spread(1000, 0).take(8).map(|number| number / 125).collect();
        assert!(eighths.len() >= 6, "{eighths:?}");
    }

    #[test]
    fn the_largest_space_does_not_overflow() {
        let first: Vec<u64> = spread(u64::MAX, u64::MAX - 1).take(3).collect();
        assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 3);
    }
}
