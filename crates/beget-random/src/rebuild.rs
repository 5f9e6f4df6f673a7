//! Values made from their canonical forms, which takes less than making all calls again.

use std::any::Any;

use beget_engine::{CopyOptions, Reconstruction, choose_copy_strategy};
use beget_guard::guarded;
use beget_heap::{CanonicalForm, Decoder, Encoder};
use beget_scope::Plan;
use beget_suite::TypeIdx;

/// Objects that a decoder has room for from the start.
const ROOM: usize = 64;

/// The first values, and one in so many after them, are walked and compared with the form.
const ALL_COMPARED: u64 = 128;
const ONE_IN: u64 = 1024;

/// Decodes forms, of types that can be decoded.
pub(crate) struct Rebuilder<'p> {
    plan: &'p Plan,
    decoder: Decoder<'p>,
    encoder: Encoder<'p>,
    /// By type.
    can_decode: Vec<bool>,
    n_decoded: u64,
}

impl<'p> Rebuilder<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        let can_decode = plan.suite.types.iter().map(|ty| {
            let strategy = choose_copy_strategy(ty, plan, CopyOptions::default());
            strategy.reconstruction == Reconstruction::Decode
        });
        Rebuilder {
            plan,
            decoder: Decoder::new(plan.coding(), ROOM),
            encoder: Encoder::new(plan.coding()),
            can_decode: can_decode.collect(),
            n_decoded: 0,
        }
    }

    /// A value with this form; `None` if its calls must be made again to have one.
    pub(crate) fn decode(&mut self, ty: TypeIdx, form: &CanonicalForm) -> Option<Box<dyn Any>> {
        if !self.can_decode[ty.0] {
            return None;
        }
        let described = &self.plan.suite.types[ty.0];
        self.decoder.begin(form.as_ref());
        let value = guarded(|| described.decode(&mut self.decoder)).ok()?.ok()?;
        self.n_decoded += 1;
        let is_compared = self.n_decoded <= ALL_COMPARED || self.n_decoded.is_multiple_of(ONE_IN);
        if is_compared && !self.has_form(ty, &*value, form) {
            // Whose `decode` does not mirror its `walk` is not decoded.
            self.can_decode[ty.0] = false;
            let _ = guarded(|| drop(value));
            return None;
        }
        Some(value)
    }

    fn has_form(&mut self, ty: TypeIdx, value: &dyn Any, form: &CanonicalForm) -> bool {
        let walked = guarded(|| {
            self.encoder.begin(ty.0 as u64);
            (self.plan.suite.types[ty.0].walk)(value, &mut self.encoder);
            self.encoder.finish().is_ok_and(|walked| walked == form.as_ref())
        });
        walked == Ok(true)
    }
}
