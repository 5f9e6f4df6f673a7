//! Times that mean the same on every machine. An `Instant` does not: it has no heap.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::{Decoder, Heap, Primitive, Schema, Undecodable, Walker, Wide};

impl Heap for Duration {
    const IS_REGULAR: bool = true;

    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.wide(Wide::Duration(*self));
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Duration::new(decoder.unsigned(), decoder.unsigned() as u32))
    }
}

/// Shown by how far it is from the Unix epoch, and whether before.
impl Heap for SystemTime {
    const IS_REGULAR: bool = true;

    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, walker: &mut W) {
        let (is_before, distance) = match self.duration_since(UNIX_EPOCH) {
            Ok(distance) => (false, distance),
            Err(error) => (true, error.duration()),
        };
        walker.primitive(Primitive::Bool(is_before));
        distance.walk(walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let is_before = decoder.bit();
        let distance = Duration::decode(decoder)?;
        let time = match is_before {
            true => UNIX_EPOCH.checked_sub(distance),
            false => UNIX_EPOCH.checked_add(distance),
        };
        time.ok_or_else(|| Undecodable::new("the time is not one of this platform"))
    }
}
