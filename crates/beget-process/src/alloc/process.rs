//! What a process that may die at any time needs of the system: words that outlive it, and an end
//! that leaves no image of its memory behind.

use std::fs::File;
use std::sync::atomic::AtomicU32;

/// The words that [`share`] maps: a small page has more.
pub const SHARED_WORDS: usize = 64;

/// The first [`SHARED_WORDS`] words of a file, for as long as the process lives. What is stored
/// there can be read from the file, in the order of bytes of this machine, at once and after the
/// process has died. `None` where the system has no such thing.
pub fn share(file: &File) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    let bytes = SHARED_WORDS * size_of::<AtomicU32>();
    let old = file.metadata().ok()?.len();
    file.set_len(old.max(bytes as u64)).ok()?;
    map(file, bytes)
}

#[cfg(all(target_os = "linux", not(miri)))]
fn map(file: &File, bytes: usize) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    use std::os::fd::AsRawFd as _;

    // SAFETY: a new mapping at an address of the system's choice takes nobody's memory.
    let page = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if page == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the mapping begins at a page, which is aligned for words, is as long as they are, and
    // is never unmapped. It may be written to by others at any time: the words are atomic.
    Some(unsafe { &*page.cast::<[AtomicU32; SHARED_WORDS]>() })
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn map(_: &File, _: usize) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    None
}

/// From here on, the system's allocator keeps some of the memory that is freed: blocks of up to 16
/// MiB that are allocated and freed by turns, as messages are, are not asked of the system each
/// time. What is not glibc's allocator does as it did.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        const KEPT: libc::c_int = 16 << 20;
        // SAFETY: the calls change when memory is given back, and nothing else. What they do not
        // know they refuse.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
            libc::mallopt(libc::M_TOP_PAD, 1 << 20);
        }
    }
}

/// From here on, no end of the process leaves a core file, where the system has them.
pub fn forbid_core_files() {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call reads the limits, which live until it returns. If it fails, the limits
        // stay as they were.
        let _ = unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
    }
}
