//! Candidates in messages: some fifteen bytes each. Derived data, such as the hash, is left out.
//!
//! A list is a number of candidates and then, for each one: whether it continues a call, and the
//! length of its form; the call; the place of the arguments among the tails, less that of the
//! candidate before; the objects; and the bytes of the form. The tails follow. Numbers take seven
//! bits per byte, the lowest first.

use beget_heap::Form;

use super::StructureId;
use super::candidates::{Arguments, Candidates, ReadHead};
use crate::data::ids::CallIdx;
use crate::data::varint::{put, take, unzigzag, zigzag};
use crate::data::wire::{Wire, pack_bytes, unpack_bytes};

impl Wire for Candidates {
    fn pack(&self, bytes: &mut Vec<u8>) {
        pack_bytes(&written(self), bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        read(unpack_bytes(bytes)?)
    }
}

fn written(candidates: &Candidates) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 * candidates.len() + 16);
    put(&mut bytes, candidates.len() as u64);
    let mut continuing = candidates.continuing().iter().copied().peekable();
    let mut last = 0_u32;
    for (position, head) in (0..).zip(candidates.heads()) {
        let form = candidates.form(head);
        let continues_call = continuing.next_if_eq(&position).is_some();
        let arguments = head.arguments.number();
        let numbers = [
            (form.len as u64) << 1 | u64::from(continues_call),
            head.call.number().into(),
            zigzag(arguments.wrapping_sub(last)),
            head.objects.into(),
        ];
        last = arguments;
        put_all(&mut bytes, numbers);
        let end = bytes.len() + form.len;
        form.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        // The last word may extend past the end of the form.
        bytes.truncate(end);
    }
    candidates.tails().iter().for_each(|tail| put(&mut bytes, tail.number()));
    bytes
}

fn read(mut bytes: &[u8]) -> Option<Candidates> {
    let bytes = &mut bytes;
    // A candidate has at least four bytes, so a sender cannot request more memory than it sends.
    let n = usize::try_from(take(bytes)?).ok().filter(|n| *n <= bytes.len() / 4)?;
    let mut candidates = Candidates::with_room_for(n, 0);
    let mut words = Vec::new();
    let mut last = 0_u32;
    for _ in 0..n {
        let [len, call, difference, objects] = take_all(bytes)?;
        let (len, continues_call) = ((len >> 1) as usize, len & 1 != 0);
        let call = CallIdx::new(u32::try_from(call).ok()?);
        last = last.wrapping_add(unzigzag(difference)?);
        let objects = u16::try_from(objects).ok()?;
        let ahead = bytes.first_chunk::<8>();
        let (form, rest) = bytes.split_at_checked(len)?;
        *bytes = rest;
        let arguments = Arguments::of_number(last);
        let head = ReadHead { call, arguments, objects, continues_call };
        match (ahead, form.last_chunk::<8>()) {
            // The usual lengths: a whole word of the following bytes, ...
            (Some(&next), _) if 0 < len && len <= 8 => {
                let word = u64::from_le_bytes(next) & (u64::MAX >> (64 - 8 * len));
                candidates.push_read(Form { words: &[word], len }, head);
            }
            // ... or two words that overlap.
            (Some(&first), Some(&last)) if len <= 16 => {
                let beyond = u64::from_le_bytes(last) >> (8 * (16 - len));
                let words = &[u64::from_le_bytes(first), beyond];
                candidates.push_read(Form { words, len }, head);
            }
            _ => {
                read_words(form, &mut words);
                candidates.push_read(Form { words: &words, len }, head);
            }
        }
    }
    while !bytes.is_empty() {
        candidates.push_tail(StructureId::new(take(bytes)?));
    }
    candidates.has_its_tails().then_some(candidates)
}

fn read_words(form: &[u8], words: &mut Vec<u64>) {
    words.clear();
    let (whole, part) = form.as_chunks::<8>();
    words.extend(whole.iter().map(|&word| u64::from_le_bytes(word)));
    if !part.is_empty() {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        words.push(u64::from_le_bytes(word));
    }
}

/// Numbers that are nearly always below 128: if so, all are written at once.
#[inline]
fn put_all(bytes: &mut Vec<u8>, numbers: [u64; 4]) {
    if numbers.iter().fold(0, |all, number| all | number) < 0x80 {
        bytes.extend_from_slice(&numbers.map(|number| number as u8));
    } else {
        numbers.into_iter().for_each(|number| put(bytes, number));
    }
}

/// Like [`put_all`].
#[inline]
fn take_all(bytes: &mut &[u8]) -> Option<[u64; 4]> {
    match bytes.split_first_chunk::<4>() {
        Some((short, rest)) if u32::from_le_bytes(*short) & 0x8080_8080 == 0 => {
            *bytes = rest;
            Some(short.map(u64::from))
        }
        _ => Some([take(bytes)?, take(bytes)?, take(bytes)?, take(bytes)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::Candidate;
    use super::*;

    fn candidates() -> Candidates {
        let mut candidates = Candidates::default();
        let lens = [3, 8, 9, 16, 65_534, 65_535, 70_000, 1, 0, 7, 10, 11, 12, 13, 14, 15, 17, 24];
        let forms = lens.map(|len: usize| {
            let mut words: Vec<u64> = (1..=len.div_ceil(8) as u64)
                .map(|word| word.wrapping_mul(0x0123_4567_89ab_cdef))
                .collect();
            // Zeros follow the form.
            if let (Some(last), 1..) = (words.last_mut(), len % 8) {
                *last &= (1 << (len % 8 * 8)) - 1;
            }
            (words, len)
        });
        let ids = [0, 7, 6, 1 << 40, 0, 5].map(StructureId::new);
        for (index, (words, len)) in forms.iter().enumerate() {
            for (n, continues_call) in [(index % 4, false), (0, index % 2 == 1)] {
                candidates.push(Candidate {
                    form: Form { words, len: *len },
                    call: CallIdx::new(index as u32 * 100),
                    arguments: &ids[n..2 * n],
                    objects: index as u16 * 300,
                    continues_call,
                });
            }
        }
        candidates
    }

    #[test]
    fn candidates_come_out_as_they_went_in() {
        let sent = candidates();
        let got = read(&written(&sent)).expect("they were written so");
        assert!(sent.iter().eq(got.iter()));
        let hashes = |of: &Candidates| of.heads().iter().map(|head| head.hash).collect::<Vec<_>>();
        assert_eq!(hashes(&sent), hashes(&got));
        assert_eq!(sent.len(), 36);
        assert!(read(&written(&Candidates::default())).expect("none").is_empty());
    }

    /// The length of the form comes to 128, the first number of two bytes; the others are 0.
    #[test]
    fn one_number_of_two_bytes_is_not_written_as_one() {
        let mut sent = Candidates::default();
        for _ in 0..2 {
            sent.push(Candidate {
                form: Form { words: &[1; 8], len: 64 },
                call: CallIdx::new(0),
                arguments: &[],
                objects: 0,
                continues_call: false,
            });
        }
        let got = read(&written(&sent)).expect("they were written so");
        assert!(sent.iter().eq(got.iter()));
    }

    #[test]
    fn torn_candidates_are_refused_wherever_they_are_torn() {
        let mut sent = Candidates::default();
        for candidate in candidates().iter().filter(|candidate| candidate.form.len < 20) {
            sent.push(candidate);
        }
        let bytes = written(&sent);
        for end in 0..bytes.len() {
            let torn = read(&bytes[..end]);
            assert!(torn.is_none(), "{end} of {}", bytes.len());
        }
        assert!(read(&bytes).is_some());
        assert!(read(&[0xff; 11]).is_none());
    }

    #[test]
    fn differences_are_small_numbers_in_both_directions() {
        for (difference, number) in [(0, 0), (1, 2), (u32::MAX, 1), (1 << 31, u32::MAX.into())] {
            assert_eq!(zigzag(difference), number);
            assert_eq!(unzigzag(number), Some(difference));
        }
        assert_eq!(unzigzag(1 << 32), None);
    }

    /// A form of 64 bytes and call number 128: the bit that they share says that both are longer.
    #[test]
    fn two_numbers_of_two_bytes_are_not_written_as_one() {
        let mut sent = Candidates::default();
        sent.push(Candidate {
            form: Form { words: &[1; 8], len: 64 },
            call: CallIdx::new(128),
            arguments: &[],
            objects: 0,
            continues_call: false,
        });
        let got = read(&written(&sent)).expect("they were written so");
        assert!(sent.iter().eq(got.iter()));
        let mut bytes = Vec::new();
        put_all(&mut bytes, [128, 128, 0, 0]);
        assert_eq!(bytes, [0x80, 1, 0x80, 1, 0, 0]);
    }

    /// Its first four bytes are all those of a number that goes on.
    #[test]
    fn a_number_of_five_bytes_is_read_as_one() {
        let mut bytes: &[u8] = &[0x80, 0x80, 0x80, 0x80, 1, 2, 3, 4, 5];
        assert_eq!(take_all(&mut bytes), Some([1 << 28, 2, 3, 4]));
        assert_eq!(bytes, [5]);
    }
}
