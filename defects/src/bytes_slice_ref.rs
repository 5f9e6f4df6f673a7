//! `Bytes::slice_ref` looks for the place of an empty slice, which need not lie within.

crate::defect! {
    old: "bytes 0.5.3",
    fixed: "bytes 0.5.4",
    claim: "bytes' CHANGELOG, 0.5.4",
    what: "`slice_ref` of an empty slice panics",
    shown: 1, "panic", "", "let _ = empty(&bytes);",
    own: {
        use bytes::Bytes;
        fn empty(bytes: &Bytes) -> Bytes { bytes.slice_ref(&[]) }
        beget::suite! {
            pub suite Texts for Bytes {
                abstraction |bytes| -> Vec<u8> { bytes.to_vec() };
                fn copy_from_slice(data: &[u8]) -> Self;
                fn slice_ref(&self) -> Bytes = self::empty;
            }
        }
        pub fn run() -> Run { check!(Texts, k = 2) }
    }
}
