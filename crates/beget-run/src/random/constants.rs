//! The literals that calls are drawn with.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, DomainKind, Literal, LiteralDomain, Pools, ReturnValue, TypeIdx};

use crate::random::RandomOptions;
use crate::random::fuzz::mutated;
use crate::random::listed::{NONE, listed};

/// Most returned values that become literals of one parameter.
const MOST_RETURNED: usize = 200;

/// The most integers of a range that are made literals once, and kept.
const MOST_FRESH_KEPT: u64 = 4096;

/// Literals do not widen to more integers than this.
const MOST_WIDENED: u64 = 1 << 32;

/// The probability that a text or another number is changed once the literals have widened.
const WIDENED_FUZZ_RATE: f64 = 0.25;

/// Most literals of one integer that are kept.
const MOST_OF_ONE: u32 = 8;

/// The literals of all parameters.
#[derive(Debug)]
pub(crate) struct LiteralPool {
    /// By method of the plan, and by literal parameter.
    params: Vec<Vec<ParamLiterals>>,
    none_ratio: f64,
    fresh_ints: Option<FreshInts>,
    narrows: bool,
    fuzz_rate: f64,
    /// The same of parameters that take no integers, once the literals have widened.
    widened_fuzz_rate: f64,
}

/// The integers that are drawn afresh. The first positions keep their integers when more are added.
#[derive(Clone, Copy, Debug)]
struct FreshInts {
    start: i128,
    /// The number of integers.
    n: u64,
    /// True if they are on both sides of zero: 0, -1, 1, -2, ...
    is_around_zero: bool,
}

impl FreshInts {
    fn of_range(range: &RangeInclusive<i128>) -> Self {
        let size = range.end().abs_diff(*range.start()).saturating_add(1);
        let n = u64::try_from(size).unwrap_or(u64::MAX);
        FreshInts { start: *range.start(), n, is_around_zero: false }
    }

    fn at(self, position: u64) -> i128 {
        match self.is_around_zero {
            false => self.start.saturating_add(position.into()),
            true if position.is_multiple_of(2) => i128::from(position / 2),
            true => -i128::from(position / 2) - 1,
        }
    }

    /// The least and the greatest.
    fn bounds(self) -> (i128, i128) {
        let last = self.n - 1;
        match self.is_around_zero {
            false => (self.start, self.at(last)),
            true => (-i128::from(self.n / 2), i128::from(last / 2)),
        }
    }
}

/// The literals of one parameter.
#[derive(Debug)]
struct ParamLiterals {
    domain: LiteralDomain,
    /// The scope's first.
    literals: Vec<Literal>,
    n_returned: usize,
    has_none: bool,
    /// By position in the range of fresh integers, if that is small: their literals.
    fresh: Vec<OnceCell<Vec<Literal>>>,
}

/// A literal that was drawn for a parameter.
#[derive(Clone, Debug)]
pub(crate) enum DrawnLiteral {
    /// One that the pool keeps: the same number is the same literal for the whole run.
    Kept(u32),
    /// One that was made for this call.
    Made(Literal),
}

/// Numbers from here on are those of fresh integers.
const FIRST_FRESH: u32 = 1 << 31;

/// How many of the integers are drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread(Option<u64>);

impl LiteralPool {
    pub(crate) fn new(plan: &Plan, options: &RandomOptions) -> Self {
        let mut sources: Vec<(Option<TypeIdx>, Pools)> = Vec::new();
        if !options.is_bounded {
            sources.extend(options.constants.has_paper.then(|| (None, constants_of_paper())));
            sources.extend(options.constants.of_source.clone());
        }
        let range = options.fresh_ints.as_ref().filter(|_| !options.is_bounded);
        let fresh_ints = range.map(FreshInts::of_range);
        let n_fresh_kept = fresh_ints.map_or(0, |fresh| fresh.n).min(MOST_FRESH_KEPT);
        let of_method = |idx: PlannedIdx| {
            let domains = &plan.planned(idx).domains;
            let ty = type_of(plan, idx);
            let fits = |source: &&(Option<TypeIdx>, Pools)| source.0.is_none() || source.0 == ty;
            let sources: Vec<&Pools> =
                sources.iter().filter(fits).map(|(_, pools)| pools).collect();
            let params = plan.method(idx).literal_params().zip(domains);
            params
                .map(|((_, domain), of_scope)| {
                    ParamLiterals::new(*domain, of_scope, &sources, n_fresh_kept)
                })
                .collect()
        };
        LiteralPool {
            params: plan.planned_idxs().map(of_method).collect(),
            none_ratio: options.none_ratio,
            fresh_ints,
            narrows: options.narrows_ints,
            fuzz_rate: if options.is_bounded { 0.0 } else { options.fuzz_rate },
            widened_fuzz_rate: 0.0,
        }
    }

    /// Widens the literals: twice as many integers as before, those of the scope at first, and
    /// texts and numbers near the known ones. Returns whether there are more now.
    pub(crate) fn widen(&mut self) -> bool {
        let fresh = match self.fresh_ints {
            Some(fresh) => FreshInts { n: fresh.n * 2, ..fresh },
            None => self.ints_of_scope(),
        };
        if fresh.n > MOST_WIDENED {
            return false;
        }
        let others = self.params.iter().flatten().any(|param| !param.is_int());
        let is_first = std::mem::replace(&mut self.widened_fuzz_rate, WIDENED_FUZZ_RATE) == 0.0;
        let ints = self.params.iter_mut().flatten().filter(|param| param.is_int());
        let mut has_ints = false;
        for param in ints {
            has_ints = true;
            let n_kept = fresh.n.min(MOST_FRESH_KEPT) as usize;
            param.fresh.resize_with(n_kept, OnceCell::new);
        }
        if has_ints {
            self.fresh_ints = Some(fresh);
            self.narrows = true;
        }
        has_ints || (others && is_first)
    }

    /// The integers of the scope and as many more.
    fn ints_of_scope(&self) -> FreshInts {
        let ints = self.params.iter().flatten().filter(|param| param.is_int());
        let ints = ints.flat_map(|param| {
            let scalars = param.literals.iter().map(|one| (param.domain.scalars)(one));
            scalars.filter_map(|pools| pools.ints).flatten().collect::<Vec<_>>()
        });
        let (least, greatest) =
            ints.fold((0, 0), |(least, greatest), int| (int.min(least), int.max(greatest)));
        let is_around_zero = least < 0;
        let n = greatest.saturating_sub(least).clamp(1, 1 << 30) as u64 + 1;
        FreshInts { start: 0, n: n * 2, is_around_zero }
    }

    /// The least and the greatest of the integers that are drawn afresh, if any are.
    pub(crate) fn fresh_bounds(&self) -> Option<(i128, i128)> {
        self.fresh_ints.map(FreshInts::bounds)
    }

    /// One literal for each literal parameter of a method.
    pub(crate) fn draw(&self, method: PlannedIdx, choose: &mut dyn Chooser) -> Vec<DrawnLiteral> {
        let draw = |param: &ParamLiterals| {
            // Where the range is given, every other integer is from there.
            let fresh = param.is_int() && self.fresh_ints.is_some() && choose.chance(0.5);
            let fresh = fresh.then(|| self.draw_fresh(param, Spread(None), choose)).flatten();
            fresh.unwrap_or_else(|| self.draw_known(param, None, choose))
        };
        self.params[method.index()].iter().map(draw).collect()
    }

    /// A literal that was drawn for a parameter of a method.
    pub(crate) fn get<'l>(
        &'l self,
        method: PlannedIdx,
        param: usize,
        drawn: &'l DrawnLiteral,
    ) -> &'l Literal {
        match drawn {
            DrawnLiteral::Made(literal) => literal,
            DrawnLiteral::Kept(number) => self.params[method.index()][param].get(*number),
        }
    }

    /// How many integers a repetition draws from.
    pub(crate) fn draw_spread(&self, choose: &mut dyn Chooser) -> Spread {
        match self.narrows && choose.chance(0.75) {
            true => Spread(Some(4 << choose.below(4))),
            false => Spread(None),
        }
    }

    /// Draws the integers among the literals of a call that is made again afresh.
    pub(crate) fn redraw(
        &self,
        method: PlannedIdx,
        literals: &mut [DrawnLiteral],
        spread: Spread,
        choose: &mut dyn Chooser,
    ) {
        let params = self.params[method.index()].iter();
        for (param, literal) in params.zip(literals).filter(|(param, _)| param.is_int()) {
            let fresh = self.draw_fresh(param, spread, choose);
            *literal = fresh.unwrap_or_else(|| self.draw_known(param, spread.0, choose));
        }
    }

    /// A literal of the pool, or one that is like it.
    fn draw_known(
        &self,
        param: &ParamLiterals,
        most: Option<u64>,
        choose: &mut dyn Chooser,
    ) -> DrawnLiteral {
        let drawn = param.draw(self.none_ratio, most, choose);
        // Where nothing is changed nothing is asked, so that runs without are as they were.
        let rate = if param.is_int() {
            self.fuzz_rate
        } else {
            self.fuzz_rate.max(self.widened_fuzz_rate)
        };
        let is_changed = rate > 0.0 && choose.chance(rate);
        let changed = is_changed.then(|| param.changed(&drawn, choose)).flatten();
        changed.map_or(drawn, DrawnLiteral::Made)
    }

    /// A literal with an integer of the range; `None` if the parameter's type has none like it.
    fn draw_fresh(
        &self,
        param: &ParamLiterals,
        spread: Spread,
        choose: &mut dyn Chooser,
    ) -> Option<DrawnLiteral> {
        let fresh = self.fresh_ints?;
        let n = spread.0.map_or(fresh.n, |spread| spread.min(fresh.n));
        let position = choose.below(n);
        let make = || param.of_int(fresh.at(position));
        let Some(kept) = param.fresh.get(position as usize) else {
            let mut made = make();
            let made = (!made.is_empty()).then(|| made.swap_remove(choose.index(made.len())));
            return made.map(DrawnLiteral::Made);
        };
        let kept = kept.get_or_init(make);
        let index = (!kept.is_empty()).then(|| choose.index(kept.len()))? as u32;
        Some(match index < MOST_OF_ONE {
            true => DrawnLiteral::Kept(FIRST_FRESH + position as u32 * MOST_OF_ONE + index),
            false => DrawnLiteral::Made(kept[index as usize].clone()),
        })
    }

    /// Adds what a call returned to the literals of all parameters of its type.
    pub(crate) fn learn(&mut self, returned: &ReturnValue) {
        for value in returned.plain_values() {
            let Some(literal) = &value.literal else { continue };
            for param in self.params.iter_mut().flatten() {
                param.add_returned(literal);
            }
        }
    }
}

impl ParamLiterals {
    fn new(
        domain: LiteralDomain,
        of_scope: &[Literal],
        sources: &[&Pools],
        n_fresh_kept: u64,
    ) -> Self {
        let mut literals = of_scope.to_vec();
        for literal in sources.iter().flat_map(|pools| listed(&domain, pools)) {
            if !literals.iter().any(|known| known.source == literal.source) {
                literals.push(literal);
            }
        }
        let has_none = literals.first().is_some_and(|first| first.source == NONE);
        let is_int = domain.kind == DomainKind::Ints;
        let n_fresh_kept = if is_int { n_fresh_kept } else { 0 };
        let fresh = (0..n_fresh_kept).map(|_| OnceCell::new()).collect();
        ParamLiterals { domain, literals, n_returned: 0, has_none, fresh }
    }

    fn get(&self, number: u32) -> &Literal {
        match number.checked_sub(FIRST_FRESH) {
            None => &self.literals[number as usize],
            Some(fresh) => {
                let kept = self.fresh[(fresh / MOST_OF_ONE) as usize].get();
                &kept.expect("it was drawn")[(fresh % MOST_OF_ONE) as usize]
            }
        }
    }

    /// The literals with an integer, but for `None`.
    fn of_int(&self, int: i128) -> Vec<Literal> {
        let pools = Pools { ints: Some(vec![int]), clamp: true, longest: 1, ..Pools::default() };
        let mut made = listed(&self.domain, &pools);
        made.retain(|literal| literal.source != NONE);
        made
    }

    fn is_int(&self) -> bool {
        self.domain.kind == DomainKind::Ints
    }

    /// One of the literals, or of the first `most`.
    fn draw(&self, none_ratio: f64, most: Option<u64>, choose: &mut dyn Chooser) -> DrawnLiteral {
        let first = u32::from(self.has_none && self.literals.len() > 1);
        if first == 1 && choose.chance(none_ratio) {
            return DrawnLiteral::Kept(0);
        }
        let n = self.literals.len() as u64 - u64::from(first);
        let n = most.map_or(n, |most| most.min(n));
        DrawnLiteral::Kept(first + choose.below(n) as u32)
    }

    /// A literal that differs a little from one that was drawn; `None` if the parameter's type has
    /// none like it.
    fn changed(&self, drawn: &DrawnLiteral, choose: &mut dyn Chooser) -> Option<Literal> {
        let known = match drawn {
            DrawnLiteral::Kept(number) => self.get(*number),
            DrawnLiteral::Made(literal) => literal,
        };
        let scalars = mutated(&(self.domain.scalars)(known), choose)?;
        let mut made = listed(&self.domain, &scalars);
        // What has none of the numbers and texts is no change of them.
        made.retain(|literal| (self.domain.scalars)(literal) != Pools::default());
        (!made.is_empty()).then(|| made.swap_remove(choose.index(made.len())))
    }

    fn add_returned(&mut self, literal: &Literal) {
        let same_type = self
            .literals
            .first()
            .is_some_and(|known| (*known.value).type_id() == (*literal.value).type_id());
        let is_known = || self.literals.iter().any(|known| known.source == literal.source);
        // Randoop keeps no longer texts.
        const LONGEST: usize = 1000;
        if same_type
            && self.n_returned < MOST_RETURNED
            && literal.source.len() <= LONGEST
            && !is_known()
        {
            self.literals.push(literal.clone());
            self.n_returned += 1;
        }
    }
}

/// The type whose method it is: that of the first structure that it takes or gives.
fn type_of(plan: &Plan, idx: PlannedIdx) -> Option<TypeIdx> {
    let method = plan.method(idx);
    let taken = method.structure_params().next().map(|(ty, _)| ty);
    taken.or_else(|| method.outputs.first().map(|output| output.ty))
}

/// The seeds of Randoop: its `SeedSequences`, section 2.1 of the paper.
fn constants_of_paper() -> Pools {
    Pools {
        ints: Some(vec![0, 1, -1, 10, 100]),
        floats: Some(vec![0.0, 1.0, -1.0, 10.0, 100.0]),
        chars: Some(vec!['#', ' ', '4', 'a']),
        strings: Some(vec![String::new(), "hi!".to_owned()]),
        clamp: true,
        longest: 2,
        ..Pools::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_integers_are_all_between_their_bounds() {
        let fresh = |n, is_around_zero| FreshInts { start: 3, n, is_around_zero };
        for fresh in (1..9).flat_map(|n| [fresh(n, false), fresh(n, true)]) {
            let mut ints: Vec<i128> = (0..fresh.n).map(|position| fresh.at(position)).collect();
            ints.sort_unstable();
            let (least, most) = fresh.bounds();
            assert_eq!(ints, (least..=most).collect::<Vec<_>>());
        }
    }
}
