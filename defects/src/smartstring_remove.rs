//! `SmartString::remove` of the last character of an inline string that is full looks up an index
//! behind it.

crate::defect! {
    old: "smartstring 0.2.2",
    fixed: "smartstring 0.2.3",
    claim: "smartstring's CHANGELOG, 0.2.3",
    what: "`remove` of the last character of a full inline string panics",
    shown: 1, "panic", "", "let _ = text.remove(22);",
    own: {
        type Text = smartstring::SmartString<smartstring::Compact>;
        fn full() -> Text { "abcdefghijklmnopqrstuvw".into() }
        beget::suite! {
            pub suite Strings for Text {
                abstraction |string| -> bool { string.is_empty() };
                fn full() -> Text = self::full;
                #[requires(index < self.len())] fn remove(&mut self, index: usize) -> char;
            }
        }
        pub fn run() -> Run { check!(Strings, k = 2, ints = [0, 22]) }
    }
}
