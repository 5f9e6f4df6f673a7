//! How the structures of a store were made: six bytes each, as a rule.

use super::candidates::Arguments;
use super::chunked::ChunkedVec;
use super::{Origin, StructureId};
use crate::calls::CallIdx;

#[derive(Clone, Debug)]
pub(crate) struct Origins {
    arguments: ChunkedVec<Arguments>,
    calls: ChunkedVec<u16>,
    /// The upper half of call numbers, if the plan has more than 65,536 calls.
    calls_high: Option<ChunkedVec<u16>>,
    /// Structure arguments of calls that take several.
    tails: Vec<StructureId>,
}

impl Origins {
    /// Room for the calls of a plan that has `n_calls` of them.
    pub(crate) fn new(n_calls: u32) -> Self {
        Origins {
            arguments: ChunkedVec::default(),
            calls: ChunkedVec::default(),
            calls_high: (n_calls > 1 << 16).then(ChunkedVec::default),
            tails: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, call: CallIdx, arguments: &[StructureId]) {
        let call = call.number();
        self.calls.push(call as u16);
        if let Some(high) = &mut self.calls_high {
            high.push((call >> 16) as u16);
        }
        self.arguments.push(Arguments::new(arguments, &mut self.tails));
    }

    pub(crate) fn get(&self, index: usize) -> Origin {
        let high = self.calls_high.as_ref().map_or(0, |high| high.get(index));
        let call = CallIdx::new(u32::from(high) << 16 | u32::from(self.calls.get(index)));
        Origin { call, arguments: self.arguments.get(index).get(&self.tails).to_vec() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let high = self.calls_high.as_ref().map_or(0, ChunkedVec::bytes);
        let tails = (self.tails.capacity() * size_of::<StructureId>()) as u64;
        self.arguments.bytes() + self.calls.bytes() + high + tails
    }
}
