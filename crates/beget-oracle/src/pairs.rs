//! The contracts of two or three values of a type.

use std::any::Any;
use std::cmp::Ordering;
use std::hash::Hasher;

use beget_process::guard::guarded;
use beget_suite::{EqFn, PartialOrdFn, TypeTraits};

use crate::contract::{Ruling, Unmet, unless};
use crate::specimen::MOST_ITEMS;
use crate::values::items;

fn eq_fn(traits: &TypeTraits) -> Result<EqFn, Unmet> {
    traits.partial_eq.ok_or(Unmet::Unasked)
}

fn partial_ord_fn(traits: &TypeTraits) -> Result<PartialOrdFn, Unmet> {
    traits.partial_ord.ok_or(Unmet::Unasked)
}

pub(crate) fn eq_symmetric(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let eq = eq_fn(traits)?;
    let (forth, back) = (eq(a, b), eq(b, a));
    unless(forth == back, || format!("a == b is {forth}, b == a is {back}"))
}

pub(crate) fn ne_negates_eq(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let (eq, ne) = (eq_fn(traits)?(a, b), traits.ne.ok_or(Unmet::Unasked)?(a, b));
    unless(eq != ne, || format!("a == b is {eq}, a != b is {ne}"))
}

pub(crate) fn eq_same_contents(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    if std::ptr::addr_eq(a, b) || !eq_fn(traits)?(a, b) {
        return Ok(());
    }
    let (of_a, of_b) = (sorted_items(traits, a)?, sorted_items(traits, b)?);
    unless(of_a.len() == of_b.len(), || {
        let (of_a, of_b) = (items(of_a.len()), items(of_b.len()));
        format!("a == b, iteration over a gives {of_a}, over b {of_b}")
    })?;
    unless(of_a == of_b, || "a == b, and iteration over b gives other items".into())
}

/// The items of an iteration that ends, as text. Another contract is about its panics.
fn sorted_items(traits: &TypeTraits, value: &dyn Any) -> Result<Vec<String>, Unmet> {
    let iterate = traits.iterate.ok_or(Unmet::Unasked)?;
    let mut texts = Vec::new();
    let iterated = guarded(|| {
        iterate(value, &mut |items| {
            while texts.len() < MOST_ITEMS
                && let Some(text) = items.step()
            {
                texts.push(text);
            }
        });
    });
    if iterated.is_err() || texts.len() == MOST_ITEMS {
        return Err(Unmet::Unasked);
    }
    texts.sort_unstable();
    Ok(texts)
}

pub(crate) fn hash_agrees_with_eq(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    if !eq_fn(traits)?(a, b) {
        return Ok(());
    }
    let hash = traits.hash.ok_or(Unmet::Unasked)?;
    let hash_of = |value| {
        let mut bytes = FedBytes::default();
        hash(value, &mut bytes);
        bytes
    };
    unless(hash_of(a) == hash_of(b), || "a == b, and they feed other bytes to a hasher".into())
}

pub(crate) fn borrow_agrees(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let borrow = traits.borrow;
    if let (Some(eq), Some(of_borrowed)) = (traits.eq, borrow.eq) {
        let (own, of_borrowed) = (eq(a, b), of_borrowed(a, b));
        unless(own == of_borrowed, || {
            format!("a == b is {own}, of what is borrowed it is {of_borrowed}")
        })?;
    }
    if let (Some(_), Some(cmp), Some(of_borrowed)) = (traits.ord, traits.partial_ord, borrow.cmp) {
        let (own, of_borrowed) = (cmp(a, b), of_borrowed(a, b));
        unless(own == of_borrowed, || {
            format!("a.partial_cmp(b) is {own:?}, of what is borrowed it is {of_borrowed:?}")
        })?;
    }
    if let (Some(hash), Some(of_borrowed)) = (traits.hash, borrow.hash) {
        let (mut own, mut borrowed) = (FedBytes::default(), FedBytes::default());
        hash(a, &mut own);
        of_borrowed(a, &mut borrowed);
        unless(own == borrowed, || "a feeds other bytes to a hasher than what is borrowed".into())?;
    }
    Ok(())
}

/// All bytes that a hasher is fed: there is a hasher that tells apart whatever differs in them.
#[derive(Default, PartialEq, Eq)]
struct FedBytes(Vec<u8>);

impl Hasher for FedBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

pub(crate) fn partial_cmp_agrees_with_cmp(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let partial = partial_ord_fn(traits)?(a, b);
    let total = traits.ord.ok_or(Unmet::Unasked)?(a, b);
    unless(partial == Some(total), || {
        format!("a.partial_cmp(b) is {partial:?}, a.cmp(b) is {total:?}")
    })
}

pub(crate) fn cmp_agrees_with_eq(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let (eq, order) = (eq_fn(traits)?(a, b), partial_ord_fn(traits)?(a, b));
    unless(eq == (order == Some(Ordering::Equal)), || {
        format!("a == b is {eq}, a.partial_cmp(b) is {order:?}")
    })
}

pub(crate) fn cmp_antisymmetric(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Ruling {
    let cmp = partial_ord_fn(traits)?;
    let (forth, back) = (cmp(a, b), cmp(b, a));
    unless(forth == back.map(Ordering::reverse), || {
        format!("a.partial_cmp(b) is {forth:?}, b.partial_cmp(a) is {back:?}")
    })
}

pub(crate) fn is_equal(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Option<bool> {
    traits.partial_eq.map(|eq| eq(a, b))
}

pub(crate) fn is_less(traits: &TypeTraits, a: &dyn Any, b: &dyn Any) -> Option<bool> {
    traits.partial_ord.map(|cmp| cmp(a, b) == Some(Ordering::Less))
}
