//! Texts beside `String`: boxed ones, and those of the operating system, which need not be UTF-8.

use std::ffi::{CString, OsString};
use std::path::PathBuf;

use crate::{Decoder, Heap, Primitive, Schema, Undecodable, Walker};

impl Heap for Box<str> {
    const IS_REGULAR: bool = true;
    const ORDER_IS_FORM: bool = true;

    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.primitive(Primitive::Text(self));
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decoder.text().map(String::into_boxed_str)
    }
}

macro_rules! bytes {
    ($($ty:ty: |$value:ident| $there:expr, |$bytes:ident| $back:expr);+ $(;)?) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;

            fn describe(_: &mut Schema) {}

            fn walk<W: Walker>(&self, walker: &mut W) {
                let $value = self;
                walker.primitive(Primitive::Bytes($there));
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                let $bytes = decoder.bytes();
                $back
            }
        }
    )+};
}

bytes! {
    OsString: |text| text.as_encoded_bytes(), |bytes| os_string(bytes);
    PathBuf: |path| path.as_os_str().as_encoded_bytes(), |bytes| os_string(bytes).map(PathBuf::from);
    CString: |text| text.as_bytes(), |bytes| CString::new(bytes).map_err(|_| unfit());
}

fn unfit() -> Undecodable {
    Undecodable::new("the bytes are none of the type's")
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Result<OsString, Undecodable> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Result<OsString, Undecodable> {
    String::from_utf8(bytes).map(OsString::from).map_err(|_| unfit())
}
