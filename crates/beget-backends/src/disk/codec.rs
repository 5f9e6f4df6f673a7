//! Lists of forms and origins as bytes.

use beget_engine::CallIdx;
use beget_engine::store::{Origin, StructureId};
use beget_engine::varint::{put, take, take_u32};

/// Writes origins one after another. Most are a call on one structure, the one before or a
/// neighbour: two bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OriginCoder {
    /// The first argument of the origin before.
    before: u64,
}

/// The forms of arguments, in the lowest bits beside the call.
const SAME: u64 = 0;
const LATER: u64 = 1;
const LIST: u64 = 2;

impl OriginCoder {
    #[inline]
    pub(crate) fn push(&mut self, bytes: &mut Vec<u8>, call: CallIdx, arguments: &[StructureId]) {
        let kind = match *arguments {
            [only] if only.number() == self.before => SAME,
            [only] if only.number() > self.before => LATER,
            _ => LIST,
        };
        put(bytes, u64::from(call.number()) << 2 | kind);
        match kind {
            SAME => {}
            LATER => put(bytes, arguments[0].number() - self.before - 1),
            _ => {
                put(bytes, arguments.len() as u64);
                arguments.iter().for_each(|id| put(bytes, id.number()));
            }
        }
        if let Some(first) = arguments.first() {
            self.before = first.number();
        }
    }

    /// Reads the next origin; its arguments replace those in `arguments`.
    #[inline]
    pub(crate) fn next(
        &mut self,
        bytes: &mut &[u8],
        arguments: &mut Vec<StructureId>,
    ) -> Option<CallIdx> {
        let head = take(bytes)?;
        arguments.clear();
        match head & 3 {
            SAME => arguments.push(StructureId::new(self.before)),
            LATER => {
                let only = self.before.checked_add(take(bytes)?)?.checked_add(1)?;
                arguments.push(StructureId::new(only));
            }
            LIST => {
                for _ in 0..take_u32(bytes)? {
                    arguments.push(StructureId::new(take(bytes)?));
                }
            }
            _ => return None,
        }
        if let Some(first) = arguments.first() {
            self.before = first.number();
        }
        Some(CallIdx::new(u32::try_from(head >> 2).ok()?))
    }

    /// Returns the number of arguments of the next origin; `None` if the bytes are malformed.
    pub(crate) fn n_arguments(mut bytes: &[u8]) -> Option<usize> {
        match take(&mut bytes)? & 3 {
            LIST => Some(take_u32(&mut bytes)? as usize),
            _ => Some(1),
        }
    }

    /// Reads origin number `index` of `bytes`.
    pub(crate) fn nth(mut bytes: &[u8], index: usize) -> Option<Origin> {
        let mut coder = OriginCoder::default();
        let mut arguments = Vec::new();
        for _ in 0..index {
            coder.next(&mut bytes, &mut arguments)?;
        }
        let call = coder.next(&mut bytes, &mut arguments)?;
        Some(Origin { call, arguments })
    }
}

/// Writes forms of one length as columns: their first bytes, then their second ones. Each byte is
/// the difference to the form before.
pub(crate) fn to_columns(forms: &[u8], stride: usize) -> Vec<u8> {
    let n = forms.len().checked_div(stride).unwrap_or(0);
    let mut columns = vec![0; forms.len()];
    for (row, form) in forms.chunks_exact(stride.max(1)).enumerate() {
        for (column, &byte) in form.iter().enumerate() {
            let before = if row == 0 { 0 } else { forms[(row - 1) * stride + column] };
            columns[column * n + row] = byte ^ before;
        }
    }
    columns
}

/// The inverse of [`to_columns`]; writes to `forms`.
pub(crate) fn from_columns(columns: &[u8], stride: usize, forms: &mut [u8]) {
    let n = columns.len().checked_div(stride).unwrap_or(0);
    for column in 0..stride {
        let mut before = 0;
        for row in 0..n {
            before ^= columns[column * n + row];
            forms[row * stride + column] = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_come_out_as_they_went_in() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut id = 0;
        let mut next = || {
            id += rng.u64(0..3);
            let arguments = match rng.u32(0..12) {
                0 => vec![],
                1 => vec![id, rng.u64(..), 3],
                2 => vec![rng.u64(..) >> rng.u32(1..64)],
                _ => vec![id],
            };
            let arguments = arguments.into_iter().map(StructureId::new).collect();
            let most = [5, 400, u32::MAX][rng.usize(0..3)];
            Origin { call: CallIdx::new(rng.u32(..most)), arguments }
        };
        let origins: Vec<Origin> = (0..2000).map(|_| next()).collect();
        let (mut coder, mut bytes) = (OriginCoder::default(), Vec::new());
        origins.iter().for_each(|origin| coder.push(&mut bytes, origin.call, &origin.arguments));
        for (index, origin) in origins.iter().enumerate() {
            assert_eq!(OriginCoder::nth(&bytes, index).as_ref(), Some(origin), "{index}");
        }
        assert_eq!(OriginCoder::nth(&bytes, origins.len()), None);
    }

    #[test]
    fn most_origins_take_two_bytes() {
        let (mut coder, mut bytes) = (OriginCoder::default(), Vec::new());
        let mut n_bytes = |call, arguments: &[u64]| {
            let arguments: Vec<StructureId> =
                arguments.iter().copied().map(StructureId::new).collect();
            let before = bytes.len();
            coder.push(&mut bytes, CallIdx::new(call), &arguments);
            bytes.len() - before
        };
        assert_eq!(n_bytes(31, &[0]), 1);
        assert_eq!(n_bytes(32, &[0]), 2, "from here on a call takes two bytes");
        assert_eq!(n_bytes(31, &[1]), 2);
        assert_eq!(n_bytes(31, &[1]), 1);
        assert_eq!(n_bytes(31, &[129]), 2);
        assert_eq!(n_bytes(31, &[128]), 4, "an earlier one is a list");
        assert_eq!(n_bytes(31, &[129, 2]), 5);
        assert_eq!(n_bytes(31, &[]), 2);
    }

    #[test]
    fn columns_are_forms_again() {
        let mut rng = fastrand::Rng::with_seed(3);
        for stride in [0, 1, 2, 9] {
            for n in [1, 2, 100] {
                let forms: Vec<u8> = (0..n * stride).map(|_| rng.u8(..)).collect();
                let mut again = vec![0; forms.len()];
                from_columns(&to_columns(&forms, stride), stride, &mut again);
                assert_eq!(again, forms);
            }
        }
    }
}
