//! The literals that calls are drawn with.

use std::any::TypeId;
use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, DomainKind, Literal, LiteralDomain, Pools, ReturnValue, TypeIdx};

use crate::random::RandomOptions;
use crate::random::fuzz::mutated;
use crate::random::listed::{NONE, listed};
use crate::random::report::WidenedRange;

/// Most returned values that become literals of one parameter.
const MOST_RETURNED: usize = 200;

/// The most integers of a range that are made literals once, and kept.
const MOST_FRESH_KEPT: u64 = 4096;

/// Literals do not widen to more integers than this.
const MOST_WIDENED: u64 = 1 << 32;

/// Those that may be sizes widen to no more than this: a size of a thousand million takes as much
/// memory and time, for a structure that is out of scope.
const MOST_WIDENED_SIZES: u64 = 1 << 16;

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
    is_widened: bool,
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
    /// Most integers that are drawn from once the literals have widened.
    most_widened: u64,
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
            is_widened: false,
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
        let of_ints = self.int_params().map(|param| param.most_widened);
        if of_ints.max().is_some_and(|most| fresh.n > most) {
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
            (self.narrows, self.is_widened) = (true, true);
        }
        has_ints || (others && is_first)
    }

    /// The integers of the scope and as many more.
    fn ints_of_scope(&self) -> FreshInts {
        let ints = self.int_params().flat_map(|param| {
            let scalars = param.literals.iter().map(|one| (param.domain.scalars)(one));
            scalars.filter_map(|pools| pools.ints).flatten().collect::<Vec<_>>()
        });
        let (least, greatest) =
            ints.fold((0, 0), |(least, greatest), int| (int.min(least), int.max(greatest)));
        let is_around_zero = least < 0;
        let n = greatest.saturating_sub(least).clamp(1, 1 << 30) as u64 + 1;
        FreshInts { start: 0, n: n * 2, is_around_zero }
    }

    fn int_params(&self) -> impl Iterator<Item = &ParamLiterals> {
        self.params.iter().flatten().filter(|param| param.is_int())
    }

    /// The integers that the literals have widened to, if they have.
    pub(crate) fn widened(&self) -> Option<WidenedRange> {
        let fresh = self.fresh_ints.filter(|_| self.is_widened)?;
        let (least, greatest) = fresh.bounds();
        let is_cut = self.int_params().any(|param| param.most_widened < fresh.n);
        let sizes = FreshInts { n: MOST_WIDENED_SIZES, ..fresh };
        let greatest_size = is_cut.then(|| sizes.bounds().1);
        Some(WidenedRange { least, greatest, greatest_size })
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
        let most = if self.is_widened { param.most_widened } else { u64::MAX };
        let n = fresh.n.min(most).min(spread.0.unwrap_or(u64::MAX));
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
        let most_widened = if is_size(&domain) { MOST_WIDENED_SIZES } else { MOST_WIDENED };
        ParamLiterals { domain, literals, n_returned: 0, has_none, fresh, most_widened }
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

/// Returns whether a value may be the size of something.
fn is_size(domain: &LiteralDomain) -> bool {
    let sizes = [
        TypeId::of::<usize>(),
        TypeId::of::<Option<usize>>(),
        TypeId::of::<NonZeroUsize>(),
        TypeId::of::<Option<NonZeroUsize>>(),
    ];
    (domain.value_type)().is_some_and(|ty| sizes.contains(&ty))
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
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use std::collections::BTreeSet;

    use beget::{HasSuite as _, Heap};
    use beget_plan::scope::Overrides;
    use beget_suite::{PlainValue, SplitMix64};

    use super::*;
    use crate::random::tests::Hue;
    use crate::{Catalog, Input};

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

    /// Takes literals of all kinds.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Ink {
        color: i64,
    }

    #[beget::api(name = "test::ink")]
    impl Ink {
        pub fn new() -> Self {
            Ink::default()
        }

        pub fn color(&mut self, color: i64) {
            self.color = color;
        }

        pub fn grow(&mut self, n: usize) {
            self.color = n as i64;
        }

        pub fn label(&mut self, label: &str) {
            self.color = label.len() as i64;
        }

        pub fn dry(&mut self, is_dry: bool) {
            self.color = i64::from(is_dry);
        }

        pub fn letter(&mut self, letter: char) {
            self.color = i64::from(u32::from(letter));
        }

        pub fn maybe(&mut self, is_dry: Option<bool>) {
            self.color = i64::from(is_dry.is_some());
        }

        pub fn all(&mut self, colors: Vec<i64>) {
            self.color = colors.len() as i64;
        }

        pub fn mixed(&mut self, mixed: (i64, bool, bool, bool, bool)) {
            self.color = mixed.0;
        }
    }

    /// The plan with some of the methods.
    fn inks(ints: &str, methods: &[&str]) -> Plan {
        let text = format!(
            r#"Scope(suite: "test::ink", k: 1, objects: {{"*": "k"}}, arrays: "1", ints: {ints},
                strings: ["ab"], chars: ['x'], methods: Only({:?}))"#,
            [&["new"], methods].concat()
        );
        let input = Input::of_text("ink.ron", text, Catalog::new(vec![Ink::suite()])).unwrap();
        input.resolve(&Overrides::default()).unwrap().plan
    }

    /// The sources of the literals drawn for the last method.
    fn drawn(plan: &Plan, pool: &LiteralPool, n: usize) -> BTreeSet<String> {
        let method = PlannedIdx::new(plan.methods.len() - 1);
        let mut choose = SplitMix64::of_seeds(&[3]);
        let mut draw = || {
            let drawn = pool.draw(method, &mut choose);
            pool.get(method, 0, &drawn[0]).source.clone()
        };
        (0..n).map(|_| draw()).collect()
    }

    fn all<T: ToString>(values: impl IntoIterator<Item = T>) -> BTreeSet<String> {
        values.into_iter().map(|value| value.to_string()).collect()
    }

    #[test]
    fn integers_widen_from_twice_those_of_the_scope() {
        let bounds = |ints: &str| {
            let mut pool = LiteralPool::new(&inks(ints, &["color"]), &RandomOptions::default());
            assert_eq!(pool.widened(), None);
            [(); 2].map(|()| {
                assert!(pool.widen());
                let WidenedRange { least, greatest, greatest_size } = pool.widened().unwrap();
                assert_eq!(greatest_size, None);
                (least, greatest)
            })
        };
        assert_eq!(bounds(r#""0..=3""#), [(0, 7), (0, 15)]);
        assert_eq!(bounds(r#""-2..=3""#), [(-6, 5), (-12, 11)]);
    }

    #[test]
    fn what_may_be_a_size_is_a_usize() {
        let sizes = [
            LiteralDomain::of::<usize>("usize"),
            LiteralDomain::of::<Option<usize>>("Option<usize>"),
            LiteralDomain::of::<NonZeroUsize>("NonZeroUsize"),
            LiteralDomain::of::<Option<NonZeroUsize>>("Option<NonZeroUsize>"),
        ];
        assert!(sizes.iter().all(is_size));
        let others = [LiteralDomain::of::<u64>("u64"), LiteralDomain::of::<isize>("isize")];
        assert!(!others.iter().any(is_size));
    }

    #[test]
    fn sizes_widen_less_than_other_integers() {
        let greatest = |methods: &[&str]| {
            let plan = inks(r#""0..=3""#, methods);
            let mut pool = LiteralPool::new(&plan, &RandomOptions::default());
            while pool.widen() {}
            let drawn = drawn(&plan, &pool, 4000);
            let greatest = drawn.iter().map(|int| int.parse::<u64>().unwrap()).max().unwrap();
            (greatest, pool.widened().unwrap())
        };
        let range = |most: u64, greatest_size| WidenedRange {
            least: 0,
            greatest: i128::from(most) - 1,
            greatest_size,
        };
        // The last method is drawn for.
        for (methods, most, widened) in [
            (&["grow"][..], MOST_WIDENED_SIZES, range(MOST_WIDENED_SIZES, None)),
            (&["color"], MOST_WIDENED, range(MOST_WIDENED, None)),
            (&["color", "grow"], MOST_WIDENED_SIZES, range(MOST_WIDENED, Some((1 << 16) - 1))),
        ] {
            let (drawn, reported) = greatest(methods);
            assert!((most / 2..most).contains(&drawn), "{methods:?}: {drawn}");
            assert_eq!(reported, widened, "{methods:?}");
        }
        // A range that is asked for is drawn from as it is.
        let plan = inks("[1]", &["grow"]);
        let asked = RandomOptions { fresh_ints: Some(0..=999_999), ..RandomOptions::default() };
        let drawn = drawn(&plan, &LiteralPool::new(&plan, &asked), 100);
        assert!(drawn.iter().any(|int| int.parse::<u64>().unwrap() > MOST_WIDENED_SIZES));
    }

    #[test]
    fn literals_widen_no_more_where_they_are_as_wide_as_can_be() {
        let most = i128::from(MOST_WIDENED / 2) - 1;
        let widest = RandomOptions { fresh_ints: Some(0..=most), ..RandomOptions::default() };
        let mut pool = LiteralPool::new(&inks(r#""0..=3""#, &["color"]), &widest);
        assert_eq!([pool.widen(), pool.widen()], [true, false]);
        // Texts are changed from the first time on.
        let mut pool = LiteralPool::new(&inks(r#""0..=3""#, &["label"]), &RandomOptions::default());
        assert_eq!([pool.widen(), pool.widen()], [true, false]);
        let mut pool = LiteralPool::new(&inks(r#""0..=3""#, &[]), &RandomOptions::default());
        assert!(!pool.widen());
    }

    #[test]
    fn texts_are_changed_once_literals_have_widened_and_flags_never_are() {
        let plan = inks(r#""0..=3""#, &["label"]);
        let mut pool = LiteralPool::new(&plan, &RandomOptions::default());
        let known = all(["\"ab\""]);
        assert_eq!(drawn(&plan, &pool, 100), known);
        pool.widen();
        let widened = drawn(&plan, &pool, 100);
        assert!(widened.is_superset(&known) && widened.len() > 3, "{widened:?}");
        let plan = inks(r#""0..=3""#, &["dry"]);
        let fuzzed = RandomOptions { fuzz_rate: 1.0, ..RandomOptions::default() };
        assert_eq!(drawn(&plan, &LiteralPool::new(&plan, &fuzzed), 100), all([true, false]));
        let plan = inks(r#""0..=3""#, &["label"]);
        assert!(drawn(&plan, &LiteralPool::new(&plan, &fuzzed), 50).len() > 20);
    }

    /// Those of a small range are kept, by their positions, up to eight of each integer.
    #[test]
    fn each_integer_of_a_range_is_drawn() {
        let ranged = |range: RangeInclusive<i128>| RandomOptions {
            fresh_ints: Some(range),
            ..RandomOptions::default()
        };
        let plan = inks("[1]", &["color"]);
        let ints = drawn(&plan, &LiteralPool::new(&plan, &ranged(10..=19)), 400);
        assert_eq!(ints, all([1].into_iter().chain(10..=19)));
        // More than are kept.
        let far = drawn(&plan, &LiteralPool::new(&plan, &ranged(1000..=99_999)), 50);
        assert!(far.iter().all(|int| int == "1" || int.len() >= 4) && far.len() > 10, "{far:?}");
        let plan = inks("[1]", &["mixed"]);
        let mixed = drawn(&plan, &LiteralPool::new(&plan, &ranged(10..=12)), 4000);
        assert_eq!(mixed.len(), 4 * 16);
        let plan = inks("[1]", &["all"]);
        let lists = drawn(&plan, &LiteralPool::new(&plan, &ranged(10..=11)), 200);
        assert_eq!(lists, all(["vec![]", "vec![1]", "vec![10]", "vec![11]"]));
    }

    #[test]
    fn none_is_drawn_by_its_ratio_unless_it_is_all_that_there_is() {
        let plan = inks("[1]", &["maybe"]);
        let maybe = |none_ratio, plan: &Plan| {
            let options = RandomOptions { none_ratio, ..RandomOptions::default() };
            drawn(plan, &LiteralPool::new(plan, &options), 100)
        };
        assert_eq!(maybe(0.0, &plan), all(["Some(false)", "Some(true)"]));
        assert_eq!(maybe(1.0, &plan), all(["None"]));
        let only = plan.with(|draft| draft.methods[1].domains[0].truncate(1));
        assert_eq!(maybe(0.0, &only), all(["None"]));
    }

    #[test]
    fn two_hundred_results_become_literals() {
        let plan = inks("[1]", &["color"]);
        let mut pool = LiteralPool::new(&plan, &RandomOptions::default());
        for number in (100..400_i64).chain([100]) {
            let literal = Some(Literal::new(number));
            let value = PlainValue { ty: "i64", text: None, literal, equals_itself: true };
            pool.learn(&ReturnValue::Plain(value));
        }
        assert_eq!(pool.params[1][0].literals.len(), 1 + MOST_RETURNED);
    }

    #[test]
    fn constants_are_those_of_the_paper_and_of_the_source_of_a_type() {
        let letter = inks("[1]", &["letter"]);
        let constants = |of_source, has_paper| {
            let constants = crate::random::Constants { has_paper, of_source, ..Default::default() };
            RandomOptions { constants, ..RandomOptions::default() }
        };
        let paper = LiteralPool::new(&letter, &constants(Vec::new(), true));
        assert_eq!(drawn(&letter, &paper, 200), all(["'x'", "'#'", "' '", "'4'", "'a'"]));
        let color = inks("[1]", &["color"]);
        let of_type = |ty: usize| {
            let ints = Pools { ints: Some(vec![77]), ..Pools::default() };
            let options = constants(vec![(Some(TypeIdx::new(ty)), ints)], false);
            drawn(&color, &LiteralPool::new(&color, &options), 100)
        };
        assert_eq!([of_type(0), of_type(1)], [all([1, 77]), all([1])]);
    }

    #[test]
    fn an_integer_that_one_variant_cannot_have_is_that_of_another() {
        let domain = LiteralDomain::of::<Hue>("Hue");
        let param = ParamLiterals::new(domain, &[], &[], 0);
        let of_int = |int| -> Vec<String> {
            param.of_int(int).into_iter().map(|literal| literal.source).collect()
        };
        assert_eq!(of_int(300), ["Hue::Deep(300)"]);
        assert_eq!(of_int(200), ["Hue::Pale(200)", "Hue::Deep(200)"]);
    }
}
