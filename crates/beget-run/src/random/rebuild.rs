//! Values made from their canonical forms, which takes less than making all calls again.

use std::any::Any;
use std::sync::Arc;

use beget_heap::{
    Bounds, CanonicalForm, Decoder, DecoderRoom, Encoder, EncoderRoom, FormCoding, Layout, Schema,
};
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded};
use beget_suite::{Type, TypeIdx};

use crate::random::live::Live;

/// The number of first values that are walked and compared with the form, and the sampling interval
/// after them.
const ALL_COMPARED: u64 = 128;
const ONE_IN: u64 = 1024;

/// Decodes forms, of types that can be decoded.
pub(crate) struct SequenceRebuilder<'p> {
    plan: &'p Plan,
    /// By what forms are coded that have all fields, if those of the plan have not.
    whole: Option<Layout>,
    /// By type.
    can_decode: Vec<bool>,
    n_decoded: u64,
    room: DecoderRoom,
    encoder_room: Option<EncoderRoom>,
    /// Values of a sequence that is over, in whose room those of the next are.
    over: Option<Live<'p>>,
}

impl<'p> SequenceRebuilder<'p> {
    /// For values of `plan`. If `is_off`, it decodes nothing.
    pub(crate) fn new(plan: &'p Plan, is_off: bool) -> Self {
        let bounds = Bounds { common_int: plan.bounds.common_int, ..Bounds::unlimited() };
        let whole = plan.layout().has_omitted().then(|| Layout::new(plan.schema(), &bounds));
        let can_decode = |ty| !is_off && is_decodable(ty);
        let can_decode = plan.suite.types.iter().map(can_decode).collect();
        SequenceRebuilder {
            plan,
            whole,
            can_decode,
            n_decoded: 0,
            room: DecoderRoom::default(),
            encoder_room: None,
            over: None,
        }
    }

    /// No variables yet.
    pub(crate) fn empty(&mut self) -> Live<'p> {
        self.over.take().unwrap_or_else(|| Live::new(self.plan))
    }

    /// Drops all values of a sequence.
    ///
    /// # Errors
    /// The first panic of a destructor.
    pub(crate) fn end(&mut self, mut live: Live<'p>) -> Result<(), PanicReport> {
        let dropped = live.clear();
        self.over = Some(live);
        dropped
    }

    fn coding(&self) -> FormCoding<'_> {
        let coding = self.plan.coding();
        match &self.whole {
            Some(layout) => FormCoding { layout, tag_bits: coding.tag_bits },
            None => coding,
        }
    }

    /// Decodes nothing any more; whether it decoded something before.
    pub(crate) fn give_up(&mut self) -> bool {
        let could_decode = self.can_decode.contains(&true);
        self.can_decode.fill(false);
        could_decode
    }

    /// The form to make a value from whose form in the coding of the plan is `form`; `None` if its
    /// calls must be made again to have it.
    pub(crate) fn whole(
        &mut self,
        ty: TypeIdx,
        value: &dyn Any,
        form: &Arc<CanonicalForm>,
    ) -> Option<Arc<CanonicalForm>> {
        match (self.can_decode[ty.index()], &self.whole) {
            (false, _) => None,
            (true, None) => Some(form.clone()),
            (true, Some(_)) => self.walk(ty, value).map(Arc::new),
        }
    }

    /// A value with this form, which is a whole one; `None` if it cannot be made so.
    pub(crate) fn decode(&mut self, ty: TypeIdx, form: &CanonicalForm) -> Option<Box<dyn Any>> {
        if !self.can_decode[ty.index()] {
            return None;
        }
        let described = &self.plan.suite.types[ty.index()];
        let room = std::mem::take(&mut self.room);
        let mut decoder = Decoder::in_room(self.coding(), room);
        decoder.begin(form.as_ref());
        let value = guarded(|| described.decode(&mut decoder));
        self.room = decoder.into_room();
        let value = value.ok()?.ok()?;
        self.n_decoded += 1;
        let is_compared = self.n_decoded <= ALL_COMPARED || self.n_decoded.is_multiple_of(ONE_IN);
        if is_compared && self.walk(ty, &*value).as_ref() != Some(form) {
            // Whose `decode` does not mirror its `walk` is not decoded.
            self.can_decode[ty.index()] = false;
            let _ = guarded(|| drop(value));
            return None;
        }
        Some(value)
    }

    /// The whole form of a value.
    fn walk(&mut self, ty: TypeIdx, value: &dyn Any) -> Option<CanonicalForm> {
        let room = self.encoder_room.take().unwrap_or_default();
        let mut encoder = Encoder::in_room(self.coding(), room);
        let walked = guarded(|| {
            encoder.begin(ty.index() as u64);
            (self.plan.suite.types[ty.index()].walk)(value, &mut encoder);
            encoder.finish().ok().map(|form| form.to_canonical())
        });
        let walked = walked.ok().flatten();
        self.encoder_room = Some(encoder.into_room());
        walked
    }
}

fn is_decodable(ty: &Type) -> bool {
    let mut schema = Schema::default();
    ty.describe_in(&mut schema);
    schema.undecodable.is_empty()
}

#[cfg(test)]
mod tests {
    use beget::HasSuite as _;

    use super::*;
    use crate::random::tests::{Pen, pens, plan_of};

    /// The first 128 values are compared, and each 1024th.
    #[test]
    fn a_type_whose_decoded_values_are_others_is_decoded_until_one_is_compared() {
        let mut suite = Pen::suite();
        suite.types[0].decode_own = |_| Ok(Box::new(Pen::new()));
        let (plan, ty) = (plan_of(suite), TypeIdx::new(0));
        let is_decoded = |n_before| {
            let mut rebuilder = SequenceRebuilder::new(&plan, false);
            let mut pen = Pen::new();
            pen.write();
            let form = rebuilder.walk(ty, &pen).unwrap();
            rebuilder.n_decoded = n_before;
            let is_decoded = rebuilder.decode(ty, &form).is_some();
            assert_eq!(rebuilder.can_decode, [is_decoded]);
            is_decoded
        };
        let decoded = [0, 127, 128, 1022, 1023, 1024].map(is_decoded);
        assert_eq!(decoded, [false, false, true, true, false, true]);
    }

    #[test]
    fn decoding_is_given_up_once_and_only_if_there_was_any() {
        let plan = pens("");
        let mut rebuilder = SequenceRebuilder::new(&plan, false);
        assert_eq!([(); 2].map(|()| rebuilder.give_up()), [true, false]);
        assert!(!SequenceRebuilder::new(&plan, true).give_up());
        let mut suite = Pen::suite();
        suite.types[0].describe = |schema| schema.undecodable.push("a test says so".to_owned());
        assert!(!SequenceRebuilder::new(&plan_of(suite), false).give_up());
    }
}
