//! Types of the standard library around a number, a text or a value. Sources write their full
//! paths, so that they compile wherever they are pasted.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::{NonZero, Wrapping};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Domain, DomainError, DomainKind, Pools};
use crate::Extent;

macro_rules! non_zero {
    ($($ty:ident),+) => {$(
        /// The integers except 0, which the type does not have.
        impl Domain for NonZero<$ty> {
            const KIND: DomainKind = DomainKind::Ints;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                Ok($ty::values(pools)?.into_iter().filter_map(NonZero::new).collect())
            }

            fn to_source(&self) -> String {
                format!("std::num::NonZero::new({}).unwrap()", self.get())
            }

            fn add_scalars(&self, pools: &mut Pools) {
                self.get().add_scalars(pools);
            }
        }
    )+};
}

non_zero!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// The integers as seconds: the unit in which every accessor distinguishes them.
impl Domain for Duration {
    const KIND: DomainKind = DomainKind::Ints;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(u64::values(pools)?.into_iter().map(Duration::from_secs).collect())
    }

    fn to_source(&self) -> String {
        match self.subsec_nanos() {
            0 => format!("std::time::Duration::from_secs({})", self.as_secs()),
            nanos => format!("std::time::Duration::new({}, {nanos})", self.as_secs()),
        }
    }
}

macro_rules! texts {
    ($($ty:ident = $path:literal),+) => {$(
        /// The scope's strings.
        impl Domain for $ty {
            const KIND: DomainKind = DomainKind::Strings;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                Ok(String::values(pools)?.into_iter().map($ty::from).collect())
            }

            fn to_source(&self) -> String {
                format!(concat!($path, "::from({:?})"), self)
            }
        }
    )+};
}

texts!(PathBuf = "std::path::PathBuf", OsString = "std::ffi::OsString");

/// A string inside a type with a lifetime, such as `Event<'_>`. Literals live as long as the
/// program: each text is kept once, however often it is listed.
impl Domain for &'static str {
    const KIND: DomainKind = DomainKind::Strings;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(String::values(pools)?.into_iter().map(kept).collect())
    }

    fn to_source(&self) -> String {
        format!("{self:?}")
    }

    fn add_scalars(&self, pools: &mut Pools) {
        pools.strings.get_or_insert_default().push((*self).to_owned());
    }
}

fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(&*text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    all.insert(text);
    text
}

/// A string that is passed as `&Path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathText(pub PathBuf);

impl Domain for PathText {
    const KIND: DomainKind = DomainKind::Strings;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(PathBuf::values(pools)?.into_iter().map(PathText).collect())
    }

    fn to_source(&self) -> String {
        format!("std::path::Path::new({:?})", self.0)
    }
}

/// Owned values: a scope has no borrowed ones.
impl<T: ?Sized + ToOwned<Owned: Domain> + Send + Sync + 'static> Domain for Cow<'static, T> {
    const KIND: DomainKind = T::Owned::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(T::Owned::values(pools)?.into_iter().map(Cow::Owned).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        Ok(T::Owned::extent(pools)?.with_paths())
    }

    fn to_source(&self) -> String {
        match self {
            Cow::Owned(value) => format!("std::borrow::Cow::Owned({})", value.to_source()),
            Cow::Borrowed(value) => {
                format!("std::borrow::Cow::Owned({})", (*value).to_owned().to_source())
            }
        }
    }
}

macro_rules! around_one {
    ($($wrapper:ident = $path:literal, |$this:ident| $inner:expr, $new:expr;)+) => {$(
        impl<T: Domain> Domain for $wrapper<T> {
            const KIND: DomainKind = T::KIND;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                Ok(T::values(pools)?.into_iter().map($new).collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                T::extent(pools)
            }

            fn to_source(&self) -> String {
                let $this = self;
                format!(concat!($path, "({})"), $inner.to_source())
            }

            fn add_scalars(&self, pools: &mut Pools) {
                let $this = self;
                $inner.add_scalars(pools);
            }
        }
    )+};
}

around_one! {
    Arc = "std::sync::Arc::new", |this| **this, Arc::new;
    Reverse = "std::cmp::Reverse", |this| this.0, Reverse;
    Wrapping = "std::num::Wrapping", |this| this.0, Wrapping;
}

impl Domain for Ordering {
    const KIND: DomainKind = DomainKind::User;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let takes = pools.variants("Ordering", &["Less", "Equal", "Greater"])?;
        let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        Ok(all.into_iter().zip(takes).filter_map(|(value, takes)| takes.then_some(value)).collect())
    }

    fn to_source(&self) -> String {
        format!("std::cmp::Ordering::{self:?}")
    }
}

/// A value that is passed by reference inside another type, as in `Option<&u8>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referent<T>(pub T);

impl<T: Domain> Domain for Referent<T> {
    const KIND: DomainKind = T::KIND;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(T::values(pools)?.into_iter().map(Referent).collect())
    }

    fn extent(pools: &Pools) -> Result<Extent, DomainError> {
        T::extent(pools)
    }

    fn to_source(&self) -> String {
        referenced("&", &self.0.to_source())
    }

    fn add_scalars(&self, pools: &mut Pools) {
        self.0.add_scalars(pools);
    }
}

/// The owners of the literals of `&Self`, for types that a name does not identify: a user's type
/// may also be called `Path`.
pub trait LiteralOwner {
    /// The owning type.
    type Owner: Domain;

    /// The value of a literal.
    fn borrow(owner: &Self::Owner) -> &Self;
}

impl LiteralOwner for Path {
    type Owner = PathText;

    fn borrow(owner: &PathText) -> &Path {
        &owner.0
    }
}

impl<T: Domain> LiteralOwner for T {
    type Owner = Referent<T>;

    fn borrow(owner: &Referent<T>) -> &T {
        &owner.0
    }
}

/// A source behind `&` or `&mut `: ranges need parentheses there.
pub(crate) fn referenced(prefix: &str, source: &str) -> String {
    if !prefix.is_empty() && is_range(source) {
        format!("{prefix}({source})")
    } else {
        format!("{prefix}{source}")
    }
}

/// Returns whether an expression has `..` outside of all brackets and quotes.
fn is_range(source: &str) -> bool {
    let (mut depth, mut quote, mut escaped, mut before) = (0_u32, None, false, ' ');
    for char in source.chars() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if char == '\\' => escaped = true,
            Some(end) if char == end => quote = None,
            Some(_) => {}
            None => match char {
                '"' | '\'' => quote = Some(char),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '.' if before == '.' && depth == 0 => return true,
                _ => {}
            },
        }
        before = char;
    }
    false
}
