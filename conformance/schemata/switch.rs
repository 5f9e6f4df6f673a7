//! Which mutant is on, in a build that has all of them: the library `schemata` of the instrumented copy of the workspace.
//!
//! `SCHEMATA_MUTANT=7` turns on mutant 7. `SCHEMATA_REACHED=FILE` turns on none, and sets byte N of the file, which is
//! as long as there are mutants, when mutant N is first asked for. Both are read before `main`, without allocating:
//! the allocator of a test has mutants, too. Child processes have the same environment, so they do the same.

#![feature(core_intrinsics, const_eval_select)]
#![allow(internal_features, reason = "constant functions have mutants, and a switch is not constant")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering::Relaxed};

/// How many mutants there are, and one, since 0 is none.
const COUNT: usize = include!("count.in");

const OFF: u8 = 0;
const ON: u8 = 1;
const NOT_REACHED: u8 = 2;

static STATES: [AtomicU8; COUNT] = [const { AtomicU8::new(OFF) }; COUNT];
static REACHED: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());

/// Whether `mutant` is on. Never, when constants are evaluated.
#[inline(always)]
pub const fn on(mutant: usize) -> bool {
    const fn at_compile_time(_: usize) -> bool {
        false
    }
    #[inline(always)]
    fn at_run_time(mutant: usize) -> bool {
        let state = STATES[mutant].load(Relaxed);
        state != OFF && asked(mutant, state)
    }
    std::intrinsics::const_eval_select((mutant,), at_compile_time, at_run_time)
}

#[cold]
fn asked(mutant: usize, state: u8) -> bool {
    if state == NOT_REACHED {
        STATES[mutant].store(OFF, Relaxed);
        // SAFETY: the state is set only when `REACHED` leads to `COUNT` bytes, which stay mapped.
        unsafe { REACHED.load(Relaxed).add(mutant).write_volatile(1) };
    }
    state == ON
}

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn atoi(text: *const c_char) -> c_int;
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn mmap(at: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
    fn abort() -> !;
}

const O_RDWR: c_int = 2;
const PROT_READ_WRITE: c_int = 3;
const MAP_SHARED: c_int = 1;

extern "C" fn start() {
    // SAFETY: the functions of libc are called as they are declared there; names and paths end with a zero.
    unsafe {
        let mutant = getenv(c"SCHEMATA_MUTANT".as_ptr());
        if !mutant.is_null() {
            STATES[atoi(mutant) as usize].store(ON, Relaxed);
        }
        let path = getenv(c"SCHEMATA_REACHED".as_ptr());
        if !path.is_null() {
            let file = open(path, O_RDWR);
            let bytes = mmap(ptr::null_mut(), COUNT, PROT_READ_WRITE, MAP_SHARED, file, 0);
            if file < 0 || bytes as isize == -1 {
                abort();
            }
            REACHED.store(bytes.cast(), Relaxed);
            for state in &STATES[1..] {
                state.store(NOT_REACHED, Relaxed);
            }
        }
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;
