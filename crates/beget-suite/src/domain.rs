//! Domains: the finite sets of values that a literal parameter ranges over.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The literals of one parameter as the scope gives them, before they get the parameter's type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pools {
    /// Integers, in order. `None`: the scope gives none.
    pub ints: Option<Vec<i128>>,
    /// Floats, in order.
    pub floats: Option<Vec<f64>>,
    /// Booleans; both unless the scope says otherwise.
    pub bools: Option<Vec<bool>>,
    /// Characters, in order.
    pub chars: Option<Vec<char>>,
    /// Strings, in order.
    pub strings: Option<Vec<String>>,
    /// Variants of enums, by enum name; all unless the scope says otherwise.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Longest slice or vector of literals.
    pub longest: usize,
    /// Integers that the type cannot hold are left out instead of refused (slack goes past the ends of ranges).
    pub clamp: bool,
}

impl Pools {
    /// For each of the `known` variants of the enum `of` whether it takes part.
    ///
    /// # Errors
    /// [`DomainError::NoVariant`] if a variant is named that is not known.
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

/// Why a domain cannot be made.
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
    /// A variant that the enum does not have.
    NoVariant {
        /// The enum.
        of: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
}

/// What literals a type draws on, for `list` and for messages.
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

/// A type whose values can be listed for a scope, in a fixed order. Derive it for enums and structs of such types.
#[diagnostic::on_unimplemented(
    message = "no literals can be listed for `{Self}`",
    label = "this parameter or field has no domain",
    note = "derive `beget::Domain` for it; or, if it should be a structure, make it a type of the suite; or leave the method out"
)]
pub trait Domain: Clone + Send + Sync + 'static {
    /// What it draws on; for compound types, what their elements do.
    const KIND: DomainKind;

    /// Every value within `pools`, simplest first, in an order that depends on `pools` alone.
    ///
    /// # Errors
    /// If `pools` lack what is needed.
    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError>;

    /// The value as a Rust expression.
    fn to_source(&self) -> String;
}

/// A literal, its type forgotten.
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

/// A [`Domain`], its type forgotten.
#[derive(Clone, Copy, Debug)]
pub struct LiteralDomain {
    /// The type as the signature writes it.
    pub ty: &'static str,
    /// What it draws on.
    pub kind: DomainKind,
    /// Lists the values.
    pub literals: fn(&Pools) -> Result<Vec<Literal>, DomainError>,
}

impl LiteralDomain {
    /// The domain of `T`, written `ty` in the source.
    pub const fn of<T: Domain>(ty: &'static str) -> Self {
        LiteralDomain { ty, kind: T::KIND, literals: literals_of::<T> }
    }
}

fn literals_of<T: Domain>(pools: &Pools) -> Result<Vec<Literal>, DomainError> {
    Ok(T::values(pools)?.into_iter().map(Literal::new).collect())
}

macro_rules! integers {
    ($($ty:ident),+) => {$(
        impl Domain for $ty {
            const KIND: DomainKind = DomainKind::Ints;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let ints = pools.ints.as_ref().ok_or(DomainError::Missing("ints"))?;
                let fitted = ints.iter().map(|&value| {
                    $ty::try_from(value).map_err(|_| DomainError::DoesNotFit {
                        value: value.to_string(),
                        ty: stringify!($ty),
                    })
                });
                if pools.clamp { Ok(fitted.flatten().collect()) } else { fitted.collect() }
            }

            fn to_source(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! pooled {
    ($($ty:ty, $kind:ident, $pool:ident, |$value:ident| $convert:expr);+ $(;)?) => {$(
        impl Domain for $ty {
            const KIND: DomainKind = DomainKind::$kind;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let pool = pools.$pool.as_ref().ok_or(DomainError::Missing(stringify!($pool)))?;
                Ok(pool.iter().map(|$value| $convert).collect())
            }

            fn to_source(&self) -> String {
                format!("{self:?}")
            }
        }
    )+};
}

pooled! {
    f64, Floats, floats, |value| *value;
    f32, Floats, floats, |value| *value as f32;
    char, Chars, chars, |value| *value;
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

    fn to_source(&self) -> String {
        match self {
            None => "None".to_owned(),
            Some(value) => format!("Some({})", value.to_source()),
        }
    }
}

impl<T: Domain> Domain for Box<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(T::values(pools)?.into_iter().map(Box::new).collect())
    }

    fn to_source(&self) -> String {
        format!("Box::new({})", (**self).to_source())
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
}

/// A vector that is passed as a slice, written as an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice<T>(pub Vec<T>);

impl<T: Domain> Domain for Slice<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(Vec::<T>::values(pools)?.into_iter().map(Slice).collect())
    }

    fn to_source(&self) -> String {
        self.0.to_source().trim_start_matches("vec!").to_owned()
    }
}

/// Every vector up to the longest length, shorter ones first.
impl<T: Domain> Domain for Vec<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let elements = T::values(pools)?;
        let mut all = vec![Vec::new()];
        let mut shorter = 0..1;
        for _ in 0..pools.longest {
            let start = all.len();
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

    fn to_source(&self) -> String {
        let elements: Vec<_> = self.iter().map(T::to_source).collect();
        format!("vec![{}]", elements.join(", "))
    }
}

impl<T: Domain, const N: usize> Domain for [T; N] {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let of_length = |values: &Vec<T>| values.len() == N;
        let vectors = Vec::<T>::values(&Pools { longest: N, ..pools.clone() })?;
        Ok(vectors
            .into_iter()
            .filter(of_length)
            .filter_map(|values| values.try_into().ok())
            .collect())
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

            fn to_source(&self) -> String {
                let elements = [$(self.$index.to_source()),+];
                let comma = if elements.len() == 1 { "," } else { "" };
                format!("({}{comma})", elements.join(", "))
            }
        }
    )+};
    (@product $pools:ident, [], A 0) => {
        Ok(A::values($pools)?.into_iter().map(|a| (a,)).collect())
    };
    (@product $pools:ident, [], A 0, B 1) => {{
        let seconds = B::values($pools)?;
        Ok(A::values($pools)?
            .into_iter()
            .flat_map(|a| seconds.iter().map(move |b| (a.clone(), b.clone())))
            .collect())
    }};
    (@product $pools:ident, [], A 0, B 1, C 2) => {{
        let rest = <(B, C)>::values($pools)?;
        Ok(A::values($pools)?
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

/// The first kind that is not a user's or unit's.
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
    fn literals_print_as_rust_source() {
        assert_eq!((1_u8, Some('a')).to_source(), "(1, Some('a'))");
        assert_eq!(vec![String::from("x\"")].to_source(), r#"vec![String::from("x\"")]"#);
    }
}
