//! The root scan: finds static or thread-local words that point into a region.
//!
//! The scan is conservative: every aligned word that reads as an address in the region counts. It
//! covers all memory known to the loader: the writable segments of the executable and of every
//! shared object, and the calling thread's block of thread-local variables in each. It does not
//! follow pointers to the ordinary heap, except for [watched](crate::alloc::MemoryWatch) memory,
//! and it sees neither stacks nor other threads.

use std::{fmt, ops::Range};

/// A pointer into a region that was found outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// The kind of variable that holds it.
    pub place: EscapePlace,
    /// The address of the word that holds it.
    pub holder: usize,
}

/// The place of a pointer into a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapePlace {
    /// In a static.
    Static,
    /// In a thread-local variable of the thread that owns the region.
    ThreadLocal,
    /// In memory that calls outside the region allocated and left, see
    /// [`MemoryWatch`](crate::alloc::MemoryWatch).
    Watched,
}

impl fmt::Display for Escape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = match self.place {
            EscapePlace::Static => "static",
            EscapePlace::ThreadLocal => "thread-local variable",
            EscapePlace::Watched => "table of the subject's outside its values",
        };
        write!(f, "a {variable} at {:#x} keeps memory that a call allocated", self.holder)
    }
}

pub(crate) use os::{find, hold, is_loaded, loaded_objects, thread_words};

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod os {
    #[cfg(target_arch = "x86_64")]
    use std::arch::{
        asm,
        x86_64::{__m256i, _mm256_set1_epi64x, _mm256_testz_si256},
    };
    use std::{
        ffi::{c_int, c_void},
        ptr, slice,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::{Escape, EscapePlace, Range};
    use crate::alloc::watch;

    const WORD: usize = size_of::<usize>();
    /// Aligned, and above all mappable addresses.
    const NO_ADDRESS: usize = usize::MAX - (WORD - 1);

    /// The first word of static, thread-local or watched memory that holds an address in `target`.
    pub(crate) fn find(target: Range<usize>) -> Option<Escape> {
        let mut escape = None;
        each_root(&mut |place, memory| {
            // SAFETY: `each_root` gives memory that is mapped while the function runs.
            let holder = unsafe { first_word_in(memory, &target) };
            escape = holder.map(|holder| Escape { place, holder });
            escape.is_none()
        });
        if escape.is_none() {
            watch::each(|memory| {
                // SAFETY: watched blocks are allocated, and none is freed during the visit.
                let holder = unsafe { first_word_in(memory, &target) };
                escape = holder.map(|holder| Escape { place: EscapePlace::Watched, holder });
                escape.is_none()
            });
        }
        escape
    }

    /// Returns whether a word of one of the blocks holds an address in `target`.
    ///
    /// # Safety
    ///
    /// The blocks are mapped and readable.
    pub(crate) unsafe fn hold(blocks: &[Range<usize>], target: &Range<usize>) -> bool {
        // SAFETY: by the caller's promise.
        let holds = |block: &Range<usize>| unsafe { first_word_in(block.clone(), target) };
        blocks.iter().any(|block| holds(block).is_some())
    }

    /// The words of the calling thread's thread-local variables.
    pub(crate) fn thread_words() -> Vec<usize> {
        let mut words = Vec::new();
        each_root(&mut |place, memory| {
            if place == EscapePlace::ThreadLocal {
                let addresses = whole_words(memory).step_by(WORD);
                // SAFETY: `each_root` gives memory that is mapped while the function runs.
                words.extend(addresses.map(|address| unsafe { load(address) }));
            }
            true
        });
        words
    }

    /// Returns whether the address lies in a segment that the loader mapped.
    pub(crate) fn is_loaded(address: usize) -> bool {
        let mut asked = (address, false);
        // SAFETY: `visit_segments` gets data of its own type, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(visit_segments), (&raw mut asked).cast()) };
        asked.1
    }

    /// The address ranges of the program and its libraries, in the order of the loader, the program
    /// first.
    pub(crate) fn loaded_objects() -> Vec<Range<usize>> {
        let mut objects: Vec<Range<usize>> = Vec::new();
        let data = (&raw mut objects).cast();
        // SAFETY: `visit_loaded` gets data of its own type, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(visit_loaded), data) };
        objects
    }

    /// # Safety
    ///
    /// Called by the loader, with `data` from [`loaded_objects`].
    unsafe extern "C" fn visit_loaded(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid description, `loaded_objects` its list.
        let (info, objects) = unsafe { (&*info, &mut *data.cast::<Vec<Range<usize>>>()) };
        let headers = headers_of(info).iter().filter(|header| header.p_type == libc::PT_LOAD);
        let segments = headers.map(|header| mapped(info, header));
        objects.extend(
            segments.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end)),
        );
        0
    }

    /// # Safety
    ///
    /// Called by the loader, with `data` from [`is_loaded`].
    unsafe extern "C" fn visit_segments(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid description, `is_loaded` its question.
        let (info, (address, is_loaded)) = unsafe { (&*info, &mut *data.cast::<(usize, bool)>()) };
        *is_loaded |= headers_of(info)
            .iter()
            .any(|header| header.p_type == libc::PT_LOAD && mapped(info, header).contains(address));
        c_int::from(*is_loaded)
    }

    fn headers_of(info: &libc::dl_phdr_info) -> &[libc::Elf64_Phdr] {
        if info.dlpi_phdr.is_null() {
            return &[];
        }
        // SAFETY: the loader says how many headers there are, and they stay mapped.
        unsafe { slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) }
    }

    type Visit<'a> = &'a mut dyn FnMut(EscapePlace, Range<usize>) -> bool;

    /// Calls `visit` with each range of root memory, until it answers `false`.
    ///
    /// The loader's lock is held meanwhile, so no object can be unloaded under the visit; the list
    /// of objects is read anew each time, so objects loaded late are included.
    fn each_root(mut visit: Visit<'_>) {
        let data = (&raw mut visit).cast::<c_void>();
        // SAFETY: `visit_object` gets data of its own type, a `Visit` that outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(visit_object), data) };
    }

    /// # Safety
    ///
    /// Called by the loader, with `data` from [`each_root`].
    unsafe extern "C" fn visit_object(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid description, `each_root` a valid `Visit`.
        let (info, visit) = unsafe { (&*info, &mut *data.cast::<Visit<'_>>()) };
        c_int::from(!visit_ranges(info, headers_of(info), visit))
    }

    fn visit_ranges(
        info: &libc::dl_phdr_info,
        headers: &[libc::Elf64_Phdr],
        visit: Visit<'_>,
    ) -> bool {
        let read_only = read_only_pages(info, headers);
        headers.iter().all(|header| match header.p_type {
            libc::PT_LOAD if header.p_flags & libc::PF_W != 0 => {
                let segment = mapped(info, header);
                visit(EscapePlace::Static, segment.start..segment.end.min(read_only.start))
                    && visit(EscapePlace::Static, segment.start.max(read_only.end)..segment.end)
            }
            libc::PT_TLS if !info.dlpi_tls_data.is_null() => {
                let start = info.dlpi_tls_data.addr();
                visit(EscapePlace::ThreadLocal, start..start + header.p_memsz as usize)
            }
            _ => true,
        })
    }

    fn mapped(info: &libc::dl_phdr_info, header: &libc::Elf64_Phdr) -> Range<usize> {
        let start = (info.dlpi_addr + header.p_vaddr) as usize;
        start..start + header.p_memsz as usize
    }

    /// The whole pages that the loader made read-only after relocation. They are most of a Rust
    /// program's data segment (tables of methods) and can never hold a region's address.
    ///
    /// Empty, after all addresses, if there are none.
    fn read_only_pages(info: &libc::dl_phdr_info, headers: &[libc::Elf64_Phdr]) -> Range<usize> {
        let none = NO_ADDRESS..NO_ADDRESS;
        let Some(header) = headers.iter().find(|header| header.p_type == libc::PT_GNU_RELRO) else {
            return none;
        };
        let (relro, page) = (mapped(info, header), page_bytes());
        let pages = relro.start.next_multiple_of(page)..relro.end / page * page;
        if pages.is_empty() { none } else { pages }
    }

    fn page_bytes() -> usize {
        // SAFETY: asks for a number.
        let answer = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(answer).unwrap_or(1 << 16)
    }

    /// `memory` without partial words at its ends.
    fn whole_words(memory: Range<usize>) -> Range<usize> {
        memory.start.next_multiple_of(WORD)..memory.end / WORD * WORD
    }

    /// The address of the first word in `memory` whose value lies in `target`.
    ///
    /// # Safety
    ///
    /// `memory` is mapped and readable.
    unsafe fn first_word_in(memory: Range<usize>, target: &Range<usize>) -> Option<usize> {
        let n_target = target.len();
        let words = whole_words(memory);
        let (start, n_words) = (words.start, words.len() / WORD);
        // SAFETY: `index` stays below `n_words`, so the word lies in `memory`.
        let hits =
            |index| unsafe { load(start + index * WORD) }.wrapping_sub(target.start) < n_target;
        let mut rest = 0..n_words;
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions, and the words lie in `memory`.
            rest.start = unsafe { skip_misses(start, n_words, target) };
        }
        // Without these instructions, at least eight words are compared between two branches.
        while rest.len() >= 8
            && !(rest.start..rest.start + 8).fold(false, |any, index| any | hits(index))
        {
            rest.start += 8;
        }
        rest.find(|&index| hits(index)).map(|index| start + index * WORD)
    }

    /// The number of words compared between two branches: hits are rare.
    #[cfg(target_arch = "x86_64")]
    const STEP: usize = 16;

    /// A lower bound for the number of the `n_words` words from `start` before the first whose
    /// value lies in `target`: all but the last few if there is none.
    ///
    /// # Safety
    ///
    /// The words are mapped and readable.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn skip_misses(start: usize, n_words: usize, target: &Range<usize>) -> usize {
        // A value lies in the target if it is less than its length away from its last address.
        // There are signed comparisons only, so both sides are moved by half of all numbers.
        let moved =
            |number: usize| _mm256_set1_epi64x(number.wrapping_sub(1 << 63).cast_signed() as i64);
        let (last, len) = (moved(target.end.wrapping_sub(1)), moved(target.len()));
        let mut index = 0;
        // SAFETY: that many words lie there.
        while index + STEP <= n_words && !unsafe { has_hit(start + index * WORD, last, len) } {
            index += STEP;
        }
        index
    }

    /// Returns whether one of the words of a step is less than `len` before `last`, both moved as
    /// in [`skip_misses`].
    ///
    /// # Safety
    ///
    /// `STEP` words can be read from `address`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn has_hit(address: usize, last: __m256i, len: __m256i) -> bool {
        let hits: __m256i;
        // In assembly, because other threads may write their statics meanwhile, and the language
        // has no atomic reads of several words.
        // SAFETY: it reads only the words that the caller names.
        unsafe {
            asm!(
                "vpsubq {a}, {last}, ymmword ptr [{at}]",
                "vpsubq {b}, {last}, ymmword ptr [{at} + 32]",
                "vpsubq {c}, {last}, ymmword ptr [{at} + 64]",
                "vpsubq {d}, {last}, ymmword ptr [{at} + 96]",
                "vpcmpgtq {a}, {len}, {a}",
                "vpcmpgtq {b}, {len}, {b}",
                "vpcmpgtq {c}, {len}, {c}",
                "vpcmpgtq {d}, {len}, {d}",
                "vpor {a}, {a}, {b}",
                "vpor {c}, {c}, {d}",
                "vpor {a}, {a}, {c}",
                at = in(reg) address,
                last = in(ymm_reg) last,
                len = in(ymm_reg) len,
                a = out(ymm_reg) hits,
                b = out(ymm_reg) _,
                c = out(ymm_reg) _,
                d = out(ymm_reg) _,
                options(readonly, nostack, preserves_flags),
            );
        }
        _mm256_testz_si256(hits, hits) == 0
    }

    /// # Safety
    ///
    /// `address` is aligned, mapped and readable.
    unsafe fn load(address: usize) -> usize {
        // Atomic because other threads may write their statics meanwhile.
        // SAFETY: the caller's promise; a relaxed load needs no write access.
        unsafe { AtomicUsize::from_ptr(ptr::with_exposed_provenance_mut(address)) }
            .load(Ordering::Relaxed)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_first_word_in_a_range_is_found_wherever_it_lies() {
            let target = 0x7f00_0000_1000..0x7f00_0000_1008;
            let misses = [0, 1, target.start - 1, target.end, target.start + (1 << 63), usize::MAX];
            let find = |words: &[usize]| {
                let addresses = words.as_ptr_range();
                let memory = addresses.start.expose_provenance()..addresses.end.addr();
                // SAFETY: the words lie there.
                let found = unsafe { first_word_in(memory.clone(), &target) };
                found.map(|address| (address - memory.start) / WORD)
            };
            let words: Vec<usize> = misses.into_iter().cycle().take(45).collect();
            for n_words in 0..words.len() {
                assert_eq!(find(&words[..n_words]), None);
            }
            for (hit, value) in (0..words.len()).zip(target.clone().cycle()) {
                let (mut words, last) = (words.clone(), words.len() - 1);
                words[hit] = value;
                words[last] = target.start;
                assert_eq!(find(&words), Some(hit), "{value:#x}");
                assert_eq!(find(&words[hit + 1..]), (hit < last).then(|| last - hit - 1));
            }
        }
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
mod os {
    use super::{Escape, Range};

    pub(crate) fn find(_: Range<usize>) -> Option<Escape> {
        None
    }

    pub(crate) unsafe fn hold(_: &[Range<usize>], _: &Range<usize>) -> bool {
        false
    }

    pub(crate) fn is_loaded(_: usize) -> bool {
        false
    }

    pub(crate) fn loaded_objects() -> Vec<Range<usize>> {
        Vec::new()
    }

    pub(crate) fn thread_words() -> Vec<usize> {
        Vec::new()
    }
}
