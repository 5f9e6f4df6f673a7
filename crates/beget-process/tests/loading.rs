//! A library that is loaded when the region is open, with thread-local variables of its own.
//!
//! A binary of its own: it loads a library.
#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "functions of the library are called")]
#![allow(clippy::disallowed_methods, reason = "the source of the library is a file")]

use std::{
    ffi::{CString, c_char, c_void},
    path::{Path, PathBuf},
    process::Command,
};

use beget_process::alloc::{Escape, EscapePlace, Region, RegionLoss};

beget_process::alloc::install!(unsafe);

const SOURCE: &str = r#"
    use std::cell::Cell;

    thread_local! {
        static WORD: Cell<usize> = const { Cell::new(0) };
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn keep(word: usize) {
        WORD.set(word);
    }
"#;

/// Builds the library with the compiler that this test was built with.
fn library() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, library) = (directory.join("kept_word.rs"), directory.join("libkept_word.so"));
    std::fs::write(&source, SOURCE).expect("the directory is there for tests");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--crate-type=cdylib"]).arg(&source).arg("-o").arg(&library);
    assert!(rustc.status().expect("rustc is installed").success());
    library
}

/// Loads the library and gives its function, which nobody has called yet.
fn load(library: &Path) -> extern "C" fn(usize) {
    let path = CString::new(library.as_os_str().as_encoded_bytes()).expect("no zero byte");
    let name: *const c_char = c"keep".as_ptr();
    // SAFETY: the library is the one above, which does nothing when it is loaded; it stays loaded.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        assert!(!handle.is_null());
        let function: *mut c_void = libc::dlsym(handle, name);
        assert!(!function.is_null());
        std::mem::transmute::<*mut c_void, extern "C" fn(usize)>(function)
    }
}

/// Before a thread uses such variables first, it has no memory for them that could be scanned.
#[test]
fn thread_local_variables_of_a_library_are_scanned_once_there_are_any() {
    let library = library();
    let mut region = Region::open().expect("the allocator is installed in this binary");
    let keep = load(&library);
    let mut image = region.build(|| Ok::<_, ()>(7_u64)).expect("a frame");
    let mut call = |call: &mut dyn FnMut(&mut u64)| {
        image.attempt(|frame| call(frame), |_, (), _| ()).expect("nothing is allocated outside");
        image.check_escape()
    };
    assert_eq!(call(&mut |frame| *frame += 1), Ok(()));
    keep(1);
    assert_eq!(call(&mut |frame| *frame += 1), Ok(()));
    let kept = call(&mut |_| keep(Box::into_raw(Box::new(3_u64)).expose_provenance()));
    let Err(RegionLoss::Escape(Escape { place, .. })) = kept else { panic!("{kept:?}") };
    assert_eq!(place, EscapePlace::ThreadLocal);
}
