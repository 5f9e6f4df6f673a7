//! Literals: every value that a parameter of a type ranges over, simplest first.

use super::ops::Slot;

/// What a scope says of literals.
#[derive(Clone, Debug, Default)]
pub struct Pools {
    /// Integers.
    pub ints: Vec<i128>,
    /// Floating-point numbers.
    pub floats: Vec<f64>,
    /// Texts.
    pub strings: Vec<&'static str>,
    /// Characters.
    pub chars: Vec<char>,
    /// Longest vector.
    pub longest: usize,
}

/// A type whose values can be listed.
pub trait Listed: Clone + 'static {
    /// Every value.
    fn all(pools: &Pools) -> Vec<Self>;
}

/// The same, the type forgotten: each value is made afresh.
pub(super) fn makers<T: Listed>(pools: &Pools) -> Vec<Box<dyn Fn() -> Slot>> {
    let maker = |value: T| {
        let make = move || -> Slot { Some(Box::new(value.clone())) };
        Box::new(make) as Box<dyn Fn() -> Slot>
    };
    T::all(pools).into_iter().map(maker).collect()
}

macro_rules! ints {
    ($($ty:ty),+) => {$(
        impl Listed for $ty {
            fn all(pools: &Pools) -> Vec<Self> {
                pools.ints.iter().map(|&int| <$ty>::try_from(int).expect("it fits")).collect()
            }
        }
    )+};
}

ints!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! listed {
    ($($ty:ty: |$pools:ident| $all:expr);+ $(;)?) => {$(
        impl Listed for $ty {
            fn all($pools: &Pools) -> Vec<Self> {
                $all
            }
        }
    )+};
}

listed! {
    (): |_pools| vec![()];
    bool: |_pools| vec![false, true];
    char: |pools| pools.chars.clone();
    f64: |pools| pools.floats.clone();
    f32: |pools| pools.floats.iter().map(|&float| float as f32).collect();
    String: |pools| pools.strings.iter().map(|&text| text.to_owned()).collect();
}

impl<T: Listed> Listed for Option<T> {
    fn all(pools: &Pools) -> Vec<Self> {
        let mut all = vec![None];
        all.extend(T::all(pools).into_iter().map(Some));
        all
    }
}

impl<A: Listed, B: Listed> Listed for (A, B) {
    fn all(pools: &Pools) -> Vec<Self> {
        let mut all = Vec::new();
        for first in A::all(pools) {
            for second in B::all(pools) {
                all.push((first.clone(), second));
            }
        }
        all
    }
}

impl<T: Listed> Listed for Vec<T> {
    fn all(pools: &Pools) -> Vec<Self> {
        let mut of_length = vec![vec![Vec::new()]];
        for length in 1..=pools.longest {
            let mut longer = Vec::new();
            for shorter in &of_length[length - 1] {
                for element in T::all(pools) {
                    let mut vector: Vec<T> = shorter.clone();
                    vector.push(element);
                    longer.push(vector);
                }
            }
            of_length.push(longer);
        }
        of_length.concat()
    }
}
