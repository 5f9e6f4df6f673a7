//! Texts of the operating system and of C, which need not be UTF-8, up to a length in bytes.

use std::ffi::{CString, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Names { name: OsString, path: PathBuf, c: CString }
}

impl Names {
    pub fn new() -> Self {
        Names { name: OsString::new(), path: PathBuf::new(), c: CString::default() }
    }

    pub fn push(&mut self, byte: u8) {
        let mut bytes = std::mem::take(&mut self.name).into_vec();
        bytes.push(byte);
        self.name = OsString::from_vec(bytes);
    }

    pub fn become_path(&mut self) {
        self.path = PathBuf::from(std::mem::take(&mut self.name));
    }

    pub fn become_c(&mut self) {
        self.c = CString::new(self.name.as_bytes()).expect("no byte is zero");
    }
}

both! {
    /// Names.
    suite SystemTexts "awkward::system_texts" {
        for Names {
            fn new() -> Self;
            fn push(&mut self, byte: u8);
            fn become_path(&mut self);
            fn become_c(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(SystemTexts, Scope { ints: vec![0xff, 0x5c], arrays: 2, ..Scope::of(2) })
}
