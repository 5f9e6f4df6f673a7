//! Domains: the finite sets of values that a literal parameter ranges over.

mod collections;
mod listed;
mod ranges;
#[cfg(test)]
mod tests_of_std;
mod wrappers;

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::constant::value_type;
use crate::extent::{Extent, check_product};
pub use listed::{Factory, ListedValue, listed, type_names};
pub(crate) use wrappers::referenced;
pub use wrappers::{LiteralOwner, PathText, Referent};

/// The literals of a scope, before they get a parameter's type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pools {
    /// Integers, in order. `None` if the scope has none.
    pub ints: Option<Vec<i128>>,
    /// Integers above those of `i128`, in order. They come after all others.
    pub large_ints: Vec<u128>,
    /// Floats, in order.
    pub floats: Option<Vec<f64>>,
    /// Booleans; both unless the scope restricts them.
    pub bools: Option<Vec<bool>>,
    /// Characters, in order.
    pub chars: Option<Vec<char>>,
    /// Strings, in order.
    pub strings: Option<Vec<String>>,
    /// Variants of enums, by enum name; all unless the scope restricts them.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Longest slice or vector of literals.
    pub longest: usize,
    /// True if integers that the type cannot hold are left out instead of being an error (slack
    /// goes past the ends of ranges).
    pub clamp: bool,
}

impl Pools {
    /// Returns whether each of the `known` variants of the enum `of` takes part.
    ///
    /// # Errors
    ///
    /// [`DomainError::NoVariant`] if an unknown variant is named.
    pub fn variants(
        &self,
        of: &'static str,
        known: &[&'static str],
    ) -> Result<Vec<bool>, DomainError> {
        let Some(named) = self.enums.get(of) else { return Ok(vec![true; known.len()]) };
        match named.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                Err(DomainError::NoVariant { of, name: name.clone(), known: known.to_vec() })
            }
            None => Ok(known.iter().map(|known| named.iter().any(|name| name == known)).collect()),
        }
    }
}

/// The reason why a domain cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomainError {
    /// The scope has no literals of this kind (`ints`, `strings`, ...).
    Missing(&'static str),
    /// A literal does not fit the parameter's type.
    DoesNotFit {
        /// The literal.
        value: String,
        /// The type.
        ty: &'static str,
    },
    /// The type has more values than can be listed: see [`MOST_LITERALS`] and [`MOST_SOURCE`].
    ///
    /// [`MOST_LITERALS`]: crate::MOST_LITERALS
    /// [`MOST_SOURCE`]: crate::MOST_SOURCE
    TooMany,
    /// A variant that the enum does not have.
    NoVariant {
        /// The enum.
        of: &'static str,
        /// The name given.
        name: String,
        /// The existing names.
        known: Vec<&'static str>,
    },
    /// A value that the suite does not list for the parameter.
    NotListed {
        /// The parameter's type.
        ty: &'static str,
        /// The value given.
        name: String,
        /// The listed values.
        known: Vec<&'static str>,
    },
}

/// The kind of literals that a type draws on, for `list` and for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// Integers.
    Ints,
    /// Floats.
    Floats,
    /// Booleans.
    Bools,
    /// Characters.
    Chars,
    /// Strings.
    Strings,
    /// A user's enum or struct.
    User,
    /// Nothing to choose: `()`.
    Unit,
}

/// A type whose values can be listed for a scope, in a fixed order. `#[derive(beget::Domain)]`
/// implements it for enums and structs of such types; its documentation has an example.
#[diagnostic::on_unimplemented(
    message = "no literals can be listed for `{Self}`",
    label = "this parameter or field has no domain",
    note = "derive `beget::Domain` for it; for a type of another crate list values, by `#[api(values(parameter = [Type::A, Type::B]))]` on the function or `#[values(Type::A, Type::B)]` before the parameter in `suite!`; if it is a key that calls return, such as an `Entity`, it needs no literals: derive `beget::Heap` for it and declare it by `#[beget::api(keys({Self}))]`, or by `for {Self} {{ keys; }}` in `suite!`; if calls should build it as well, declare it in the suite beside the main type, also if it has a suite of its own: `beget::suite! {{ pub suite Name {{ for Main {{ ... }} for {Self} {{ ... }} }} }}`; or leave the method out"
)]
pub trait Domain: Clone + Send + Sync + 'static {
    /// The kind that it draws on; for compound types, that of their elements.
    const KIND: DomainKind;

    /// Every value within `pools`, simplest first, in an order that depends on `pools` alone.
    ///
    /// # Errors
    /// If `pools` lack what is needed.
    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError>;

    /// The size of [`Domain::values`], computed without making them if the parts' sizes determine
    /// it. The plan rejects lists that are too long before they take time and memory.
    ///
    /// # Errors
    ///
    /// The errors of [`Domain::values`].
    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        Ok(Extent::of(&Self::values(pools)?))
    }

    /// The value as a Rust expression.
    fn to_source(&self) -> String;

    /// Adds the numbers, characters and texts in the value to `pools`, from which similar values
    /// are made by small changes. Values of a type that adds nothing are not varied in this way.
    fn add_scalars(&self, _pools: &mut Pools) {}
}

/// A literal with its type erased.
#[derive(Clone)]
pub struct Literal {
    /// The value.
    pub value: Arc<dyn Any + Send + Sync>,
    /// The value as a Rust expression.
    pub source: String,
}

impl Literal {
    /// A value as a literal.
    pub fn new<T: Domain>(value: T) -> Self {
        Literal { source: value.to_source(), value: Arc::new(value) }
    }
}

impl std::fmt::Debug for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.source)
    }
}

/// A [`Domain`] with its type erased.
#[derive(Clone, Copy, Debug)]
pub struct LiteralDomain {
    /// The type as the signature writes it.
    pub ty: &'static str,
    /// The kind that it draws on.
    pub kind: DomainKind,
    /// Lists the values.
    pub literals: fn(&Pools) -> Result<Vec<Literal>, DomainError>,
    /// Computes their number and length.
    pub extent: fn(&Pools) -> Result<Extent, DomainError>,
    /// The [scalars](Domain::add_scalars) in one of its literals.
    pub scalars: fn(&Literal) -> Pools,
    /// The type of its values, if constants of that type are literals of it.
    pub value_type: fn() -> Option<TypeId>,
}

impl LiteralDomain {
    /// The domain of `T`, written `ty` in the source.
    pub const fn of<T: Domain>(ty: &'static str) -> Self {
        LiteralDomain {
            ty,
            kind: T::KIND,
            literals: literals_of::<T>,
            extent: T::extent,
            scalars: scalars_of::<T>,
            value_type: value_type::<T>,
        }
    }
}

impl LiteralDomain {
    /// The domain of a type, written `ty` in the source, whose values a suite lists.
    pub const fn listed(
        ty: &'static str,
        literals: fn(&Pools) -> Result<Vec<Literal>, DomainError>,
        extent: fn(&Pools) -> Result<Extent, DomainError>,
    ) -> Self {
        let scalars = |_: &Literal| Pools::default();
        LiteralDomain { ty, kind: DomainKind::User, literals, extent, scalars, value_type: || None }
    }
}

fn literals_of<T: Domain>(pools: &Pools) -> Result<Vec<Literal>, DomainError> {
    Ok(T::values(pools)?.into_iter().map(Literal::new).collect())
}

fn scalars_of<T: Domain>(literal: &Literal) -> Pools {
    let mut pools = Pools::default();
    if let Some(value) = literal.value.downcast_ref::<T>() {
        value.add_scalars(&mut pools);
    }
    pools
}

macro_rules! integers {
    ($($ty:ident),+) => {$(
        impl Domain for $ty {
            const KIND: DomainKind = DomainKind::Ints;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let ints = pools.ints.as_ref().ok_or(DomainError::Missing("ints"))?;
                let misfit = |value: &dyn std::fmt::Display| DomainError::DoesNotFit {
                    value: value.to_string(),
                    ty: stringify!($ty),
                };
                let fitted =
                    ints.iter().map(|value| $ty::try_from(*value).map_err(|_| misfit(value)));
                let large = pools.large_ints.iter();
                let large = large.map(|value| $ty::try_from(*value).map_err(|_| misfit(value)));
                let fitted = fitted.chain(large);
                if pools.clamp { Ok(fitted.flatten().collect()) } else { fitted.collect() }
            }

            fn to_source(&self) -> String {
                self.to_string()
            }

            /// Values too large for the pools are left out.
            fn add_scalars(&self, pools: &mut Pools) {
                let value = i128::try_from(*self);
                pools.ints.get_or_insert_default().extend(value);
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// Floats are distinguished by their bits, as in canonical forms: `-0.0` is not `0.0`. `NaN` is one
/// literal, because a scope cannot write another payload. Each value occurs once, even if rounding
/// to `f32` makes two literals equal.
macro_rules! floats {
    ($($ty:ident),+) => {$(
        impl Domain for $ty {
            const KIND: DomainKind = DomainKind::Floats;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let pool = pools.floats.as_ref().ok_or(DomainError::Missing("floats"))?;
                let mut seen = std::collections::BTreeSet::new();
                let mut values = Vec::with_capacity(pool.len());
                for &float in pool {
                    // The cast of a NaN may give any payload.
                    let value = if float.is_nan() { $ty::NAN } else { float as $ty };
                    if value.is_infinite() && float.is_finite() {
                        let (value, ty) = (format!("{float:?}"), stringify!($ty));
                        return Err(DomainError::DoesNotFit { value, ty });
                    }
                    if seen.insert(u64::from(value.to_bits())) {
                        values.push(value);
                    }
                }
                Ok(values)
            }

            fn to_source(&self) -> String {
                let name = match *self {
                    value if value.is_nan() => "NAN",
                    $ty::INFINITY => "INFINITY",
                    $ty::NEG_INFINITY => "NEG_INFINITY",
                    value => return format!("{value:?}"),
                };
                format!("{}::{name}", stringify!($ty))
            }

            fn add_scalars(&self, pools: &mut Pools) {
                pools.floats.get_or_insert_default().push(f64::from(*self));
            }
        }
    )+};
}

floats!(f64, f32);

impl Domain for char {
    const KIND: DomainKind = DomainKind::Chars;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        pools.chars.clone().ok_or(DomainError::Missing("chars"))
    }

    fn to_source(&self) -> String {
        format!("{self:?}")
    }

    fn add_scalars(&self, pools: &mut Pools) {
        pools.chars.get_or_insert_default().push(*self);
    }
}

impl Domain for bool {
    const KIND: DomainKind = DomainKind::Bools;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(pools.bools.clone().unwrap_or_else(|| vec![false, true]))
    }

    fn to_source(&self) -> String {
        self.to_string()
    }
}

impl Domain for String {
    const KIND: DomainKind = DomainKind::Strings;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        pools.strings.clone().ok_or(DomainError::Missing("strings"))
    }

    fn to_source(&self) -> String {
        format!("String::from({self:?})")
    }

    fn add_scalars(&self, pools: &mut Pools) {
        pools.strings.get_or_insert_default().push(self.clone());
    }
}

impl Domain for () {
    const KIND: DomainKind = DomainKind::Unit;

    fn values(_: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(vec![()])
    }

    fn to_source(&self) -> String {
        "()".to_owned()
    }
}

impl<T: Domain> Domain for Option<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let some = T::values(pools)?.into_iter().map(Some);
        Ok(std::iter::once(None).chain(some).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        Ok(Extent::ONE.plus(T::extent(pools)?))
    }

    fn to_source(&self) -> String {
        match self {
            None => "None".to_owned(),
            Some(value) => format!("Some({})", value.to_source()),
        }
    }

    fn add_scalars(&self, pools: &mut Pools) {
        self.iter().for_each(|value| value.add_scalars(pools));
    }
}

impl<T: Domain> Domain for Box<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(T::values(pools)?.into_iter().map(Box::new).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        T::extent(pools)
    }

    fn to_source(&self) -> String {
        format!("Box::new({})", (**self).to_source())
    }

    fn add_scalars(&self, pools: &mut Pools) {
        (**self).add_scalars(pools);
    }
}

/// A string that is passed as `&str`, written as a plain literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

impl Domain for Text {
    const KIND: DomainKind = DomainKind::Strings;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(String::values(pools)?.into_iter().map(Text).collect())
    }

    fn to_source(&self) -> String {
        format!("{:?}", self.0)
    }

    fn add_scalars(&self, pools: &mut Pools) {
        self.0.add_scalars(pools);
    }
}

/// A vector that is passed as a slice, written as an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice<T>(pub Vec<T>);

impl<T: Domain> Domain for Slice<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(Vec::<T>::values(pools)?.into_iter().map(Slice).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        Vec::<T>::extent(pools)
    }

    fn to_source(&self) -> String {
        self.0.to_source().trim_start_matches("vec!").to_owned()
    }

    fn add_scalars(&self, pools: &mut Pools) {
        self.0.add_scalars(pools);
    }
}

/// Every vector up to the longest length, shorter ones first.
impl<T: Domain> Domain for Vec<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let elements = T::values(pools)?;
        if elements.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        Extent::of(&elements).vectors(pools.longest)?;
        let mut all = vec![Vec::new()];
        let mut shorter = 0..1;
        for _ in 0..pools.longest {
            let start = all.len();
            all.reserve_exact(shorter.len() * elements.len());
            for prefix in shorter {
                for element in &elements {
                    let longer = [&all[prefix][..], std::slice::from_ref(element)].concat();
                    all.push(longer);
                }
            }
            shorter = start..all.len();
        }
        Ok(all)
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        T::extent(pools)?.vectors(pools.longest)
    }

    fn to_source(&self) -> String {
        let elements: Vec<_> = self.iter().map(T::to_source).collect();
        format!("vec![{}]", elements.join(", "))
    }

    fn add_scalars(&self, pools: &mut Pools) {
        self.iter().for_each(|value| value.add_scalars(pools));
    }
}

impl<T: Domain, const N: usize> Domain for [T; N] {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let elements = T::values(pools)?;
        if elements.is_empty() && N > 0 {
            return Ok(Vec::new());
        }
        let n_arrays = Extent::of(&elements).arrays(N)?.count as usize;
        // Array number i has the digits of i to the base of the number of elements, the last one
        // fastest.
        let array = |number: usize| {
            let mut digits = [0; N];
            let mut rest = number;
            for digit in digits.iter_mut().rev() {
                *digit = rest % elements.len();
                rest /= elements.len();
            }
            digits.map(|digit| elements[digit].clone())
        };
        Ok((0..n_arrays).map(array).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        T::extent(pools)?.arrays(N)
    }

    fn to_source(&self) -> String {
        let elements: Vec<_> = self.iter().map(T::to_source).collect();
        format!("[{}]", elements.join(", "))
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Domain),+> Domain for ($($name,)+) {
            const KIND: DomainKind = first_kind([$($name::KIND),+]);

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                tuples!(@product pools, [], $($name $index),+)
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                tuples!(@extent pools, $($name $index),+)
            }

            fn to_source(&self) -> String {
                let elements = [$(self.$index.to_source()),+];
                let comma = if elements.len() == 1 { "," } else { "" };
                format!("({}{comma})", elements.join(", "))
            }
        }
    )+};
    (@extent $pools:ident, A 0) => {
        A::extent($pools)
    };
    (@extent $pools:ident, A 0, B 1) => {{
        let seconds = B::extent($pools)?;
        Extent::product(&[A::extent($pools)?, seconds], 0)
    }};
    (@extent $pools:ident, A 0, B 1, C 2) => {{
        let rest = <(B, C)>::extent($pools)?;
        Extent::product(&[A::extent($pools)?, rest], 0)
    }};
    (@product $pools:ident, [], A 0) => {
        Ok(A::values($pools)?.into_iter().map(|a| (a,)).collect())
    };
    (@product $pools:ident, [], A 0, B 1) => {{
        let seconds = B::values($pools)?;
        let firsts = A::values($pools)?;
        check_product(&[Extent::of(&firsts), Extent::of(&seconds)], 0)?;
        Ok(firsts
            .into_iter()
            .flat_map(|a| seconds.iter().map(move |b| (a.clone(), b.clone())))
            .collect())
    }};
    (@product $pools:ident, [], A 0, B 1, C 2) => {{
        let rest = <(B, C)>::values($pools)?;
        let firsts = A::values($pools)?;
        check_product(&[Extent::of(&firsts), Extent::of(&rest)], 0)?;
        Ok(firsts
            .into_iter()
            .flat_map(|a| rest.iter().cloned().map(move |(b, c)| (a.clone(), b, c)))
            .collect())
    }};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
}

macro_rules! longer_tuples {
    ($(($($name:ident $value:ident $index:tt),+))+) => {$(
        longer_tuples!(@one $($name $value $index),+);
    )+};
    (@one $first:ident $a:ident $zero:tt, $($name:ident $value:ident $index:tt),+) => {
        impl<$first: Domain, $($name: Domain),+> Domain for ($first, $($name),+) {
            const KIND: DomainKind = first_kind([$first::KIND, $($name::KIND),+]);

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let rest = <($($name,)+)>::values(pools)?;
                let firsts = $first::values(pools)?;
                check_product(&[Extent::of(&firsts), Extent::of(&rest)], 0)?;
                Ok(firsts
                    .into_iter()
                    .flat_map(|$a| rest.iter().cloned().map(move |($($value,)+)| ($a.clone(), $($value),+)))
                    .collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                let rest = <($($name,)+)>::extent(pools)?;
                Extent::product(&[$first::extent(pools)?, rest], 0)
            }

            fn to_source(&self) -> String {
                let elements = [self.$zero.to_source(), $(self.$index.to_source()),+];
                format!("({})", elements.join(", "))
            }
        }
    };
}

longer_tuples! {
    (A a 0, B b 1, C c 2, D d 3)
    (A a 0, B b 1, C c 2, D d 3, E e 4)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7)
}

/// The first kind that is neither a user's nor the unit's.
#[doc(hidden)]
pub const fn first_kind<const N: usize>(kinds: [DomainKind; N]) -> DomainKind {
    let mut index = 0;
    while index < N {
        if !matches!(kinds[index], DomainKind::User | DomainKind::Unit) {
            return kinds[index];
        }
        index += 1;
    }
    DomainKind::User
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pools() -> Pools {
        Pools { ints: Some(vec![0, 1]), longest: 2, ..Pools::default() }
    }

    #[test]
    fn vectors_come_shorter_first_and_complete() {
        let vectors = Vec::<u8>::values(&pools()).unwrap();
        let expected: [&[u8]; 7] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 0], &[1, 1]];
        assert_eq!(vectors, expected);
    }

    #[test]
    fn tuples_are_the_product_in_lexicographic_order() {
        let tuples = <(u8, bool, Option<u8>)>::values(&pools()).unwrap();
        assert_eq!(tuples.len(), 2 * 2 * 3);
        assert_eq!(tuples[0], (0, false, None));
        assert_eq!(tuples[11], (1, true, Some(1)));
    }

    #[test]
    fn a_literal_that_does_not_fit_is_refused_unless_slack_clamps() {
        let mut pools = Pools { ints: Some(vec![-1, 0, 300]), ..Pools::default() };
        let error = DomainError::DoesNotFit { value: "-1".into(), ty: "u8" };
        assert_eq!(u8::values(&pools), Err(error));
        pools.clamp = true;
        assert_eq!(u8::values(&pools), Ok(vec![0]));
    }

    #[test]
    fn floats_are_told_apart_by_their_bits_and_come_once() {
        let floats = vec![0.0, -0.0, f64::NAN, -f64::NAN, 0.1, 0.1 + 1e-12];
        let pools = Pools { floats: Some(floats), ..Pools::default() };
        let bits: Vec<u64> = f64::values(&pools).unwrap().into_iter().map(f64::to_bits).collect();
        let expected = [0.0, -0.0, f64::NAN, 0.1, 0.1 + 1e-12].map(f64::to_bits);
        assert_eq!(bits, expected);
        // As `f32` the last two are equal.
        let bits: Vec<u32> = f32::values(&pools).unwrap().into_iter().map(f32::to_bits).collect();
        assert_eq!(bits, [0.0, -0.0, f32::NAN, 0.1].map(f32::to_bits));
    }

    #[test]
    fn a_float_that_f32_cannot_hold_is_refused() {
        let pools = Pools { floats: Some(vec![1e300]), ..Pools::default() };
        let error = DomainError::DoesNotFit { value: "1e300".into(), ty: "f32" };
        assert_eq!(f32::values(&pools), Err(error));
        let infinite = Pools { floats: Some(vec![f64::INFINITY]), ..Pools::default() };
        assert_eq!(f32::values(&infinite), Ok(vec![f32::INFINITY]));
    }

    /// A macro, so that the printed source is also compiled and compared with its value.
    macro_rules! check_sources {
        ($($source:expr),+ $(,)?) => {$(
            assert_eq!(Domain::to_source(&$source), stringify!($source).replace(' ', ""));
        )+};
    }

    #[test]
    fn floats_print_as_expressions_that_compile() {
        check_sources!(f64::NAN, f64::INFINITY, f64::NEG_INFINITY);
        check_sources!(f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
        check_sources!(-0.0, 0.5, 1e300, 5e-324, Some(-0.0), Some(f32::NEG_INFINITY));
    }

    #[test]
    fn arrays_come_in_lexicographic_order() {
        assert_eq!(<[u8; 2]>::values(&pools()).unwrap(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(<[u8; 0]>::values(&pools()).unwrap(), [[0; 0]]);
        let none = Pools { ints: Some(vec![]), ..pools() };
        assert_eq!(<[u8; 2]>::values(&none).unwrap(), [[0; 2]; 0]);
        assert_eq!(<[u8; 0]>::values(&none).unwrap(), [[0; 0]]);
    }

    #[test]
    fn more_values_than_can_be_listed_are_refused() {
        let of = |longest| Pools { longest, ..pools() };
        // 2^19 - 1 vectors, and 2^20 - 1.
        assert_eq!(Vec::<u8>::values(&of(18)).unwrap().len(), 524_287);
        assert_eq!(Vec::<u8>::values(&of(19)), Err(DomainError::TooMany));
        assert_eq!(Vec::<u8>::values(&of(u32::MAX as usize)), Err(DomainError::TooMany));
        // 2^20 arrays, and as many pairs.
        assert_eq!(<[u8; 20]>::values(&pools()), Err(DomainError::TooMany));
        let ints = Some((0..1024).collect());
        assert_eq!(<(u16, u16)>::values(&Pools { ints, ..pools() }), Err(DomainError::TooMany));
    }

    /// Lengths are computed from the parts and match the lists; the sources are shorter by at most
    /// the commas between them.
    fn check_extent<T: Domain + PartialEq + std::fmt::Debug>(pools: &Pools) {
        let (told, listed) = (T::extent(pools), T::values(pools));
        match listed {
            Ok(values) => {
                let (told, listed) = (told.unwrap(), Extent::of(&values));
                assert_eq!(told.count, listed.count, "{values:?}");
                assert!(told.bytes <= listed.bytes, "{told:?}, {listed:?} of {values:?}");
                assert!(told.bytes * 6 + 24 * told.count >= listed.bytes, "{told:?}, {listed:?}");
            }
            Err(error) => assert_eq!(told, Err(error)),
        }
    }

    #[test]
    fn extents_are_those_of_the_values() {
        let some = Pools { strings: Some(vec!["x\"".into()]), chars: Some(vec!['a']), ..pools() };
        let none = Pools { ints: Some(vec![]), strings: None, ..some.clone() };
        let many = Pools { ints: Some((0..1001).collect()), longest: 0, ..pools() };
        let misfit = Pools { ints: Some(vec![300]), floats: Some(vec![0.5]), ..pools() };
        for pools in [some, none, many, misfit] {
            check_extent::<u8>(&pools);
            check_extent::<f32>(&pools);
            check_extent::<Text>(&pools);
            check_extent::<()>(&pools);
            check_extent::<Option<u16>>(&pools);
            check_extent::<Box<Option<u16>>>(&pools);
            check_extent::<Vec<u16>>(&pools);
            check_extent::<Slice<Option<u16>>>(&pools);
            check_extent::<Vec<Vec<String>>>(&pools);
            check_extent::<[u8; 0]>(&pools);
            check_extent::<[u16; 2]>(&pools);
            check_extent::<(u16,)>(&pools);
            check_extent::<(u16, char)>(&pools);
            check_extent::<(u16, u8)>(&pools);
            check_extent::<(u16, bool, Option<u16>)>(&pools);
            check_extent::<(bool, u8, bool, u8)>(&pools);
            check_extent::<std::ops::Range<u16>>(&pools);
            check_extent::<std::ops::Bound<u16>>(&pools);
            check_extent::<std::time::Duration>(&pools);
            check_extent::<std::num::NonZero<u16>>(&pools);
            check_extent::<std::borrow::Cow<'static, str>>(&pools);
            check_extent::<std::collections::BTreeSet<u16>>(&pools);
            check_extent::<std::collections::BTreeMap<u16, bool>>(&pools);
        }
    }

    #[test]
    fn values_that_take_too_much_memory_are_refused_though_they_are_few() {
        // 20,001 vectors of one literal each, with 200 million elements together.
        let one = Pools { ints: Some(vec![7]), longest: 20_000, ..Pools::default() };
        assert_eq!(Vec::<u8>::values(&one), Err(DomainError::TooMany));
        assert_eq!(Vec::<u8>::values(&Pools { longest: 100, ..one }).unwrap().len(), 101);
        // 65,535 vectors of a long string.
        let strings = Some(vec!["x".repeat(100_000), String::new()]);
        let long = Pools { strings, longest: 15, ..Pools::default() };
        assert_eq!(Vec::<String>::values(&long), Err(DomainError::TooMany));
    }

    #[test]
    fn literals_print_as_rust_source() {
        assert_eq!((1_u8, Some('a')).to_source(), "(1, Some('a'))");
        assert_eq!(vec![String::from("x\"")].to_source(), r#"vec![String::from("x\"")]"#);
    }
}
