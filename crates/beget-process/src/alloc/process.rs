//! System services for a process that may die at any time: words that outlive it, and an end
//! without a core file.

use std::fs::File;
use std::sync::atomic::AtomicU32;

/// The number of words that [`share`] maps; they fit in a small page.
pub const SHARED_WORDS: usize = 64;

/// Maps the first [`SHARED_WORDS`] words of a file for as long as the process lives. Values stored
/// there can be read from the file at once, in this machine's byte order, even after the process
/// has died. `None` if the system does not support this.
pub fn share(file: &File) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    let bytes = SHARED_WORDS * size_of::<AtomicU32>();
    let old = file.metadata().ok()?.len();
    file.set_len(old.max(bytes as u64)).ok()?;
    map(file, bytes)
}

#[cfg(all(target_os = "linux", not(miri)))]
fn map(file: &File, bytes: usize) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    use std::os::fd::AsRawFd as _;

    // SAFETY: a new mapping at an address chosen by the system overlaps no other memory.
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
    // SAFETY: the mapping begins at a page, which is aligned for words, is long enough, and is
    // never unmapped. Others may write to it at any time: the words are atomic.
    Some(unsafe { &*page.cast::<[AtomicU32; SHARED_WORDS]>() })
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn map(_: &File, _: usize) -> Option<&'static [AtomicU32; SHARED_WORDS]> {
    None
}

/// Makes the system's allocator keep some of the freed memory: blocks of up to 16 MiB that are
/// allocated and freed in turn, such as messages, are then not requested from the system each time.
/// Affects only glibc's allocator.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        const KEPT: libc::c_int = 16 << 20;
        // SAFETY: the calls only change when memory is given back. Unknown options are refused.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
            libc::mallopt(libc::M_TOP_PAD, 1 << 20);
        }
    }
}

/// Prevents core files at the end of the process, where the system has them.
pub fn forbid_core_files() {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call reads the limits, which live until it returns. If it fails, the limits
        // stay as they were.
        let _ = unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
    }
}
