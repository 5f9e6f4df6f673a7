//! Texts beside `String`: boxed ones, and those of the operating system, which need not be UTF-8.

use std::borrow::Cow;
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
                walker.primitive(Primitive::Text(&escaped($there)));
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                let $bytes = unescaped(&decoder.text()?)?;
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

/// Bytes as a text: as they are where they are UTF-8, `\xff` where they are not; `\` is `\\`.
fn escaped(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes)
        && !text.contains('\\')
    {
        return text.into();
    }
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")).collect();
        chunk.valid().replace('\\', "\\\\") + &invalid
    };
    bytes.utf8_chunks().map(of_chunk).collect()
}

/// The opposite of [`escaped`].
fn unescaped(text: &str) -> Result<Vec<u8>, Undecodable> {
    let mut parts = text.split('\\');
    let mut bytes: Vec<u8> = parts.next().unwrap_or_default().into();
    while let Some(part) = parts.next() {
        match part.strip_prefix('x').and_then(|hex| hex.split_at_checked(2)) {
            Some((hex, rest)) => {
                bytes.push(u8::from_str_radix(hex, 16).map_err(|_| unfit())?);
                bytes.extend_from_slice(rest.as_bytes());
            }
            None => {
                // Two backslashes are an empty part, and the text behind them the next.
                let rest = parts.next().filter(|_| part.is_empty()).ok_or_else(unfit)?;
                bytes.push(b'\\');
                bytes.extend_from_slice(rest.as_bytes());
            }
        }
    }
    Ok(bytes)
}
