//! `SmartString::drain` of a string on the heap runs the destructor of the iterator below it
//! twice, which removes as much again.

crate::defect! {
    old: "smartstring 0.1.0",
    fixed: "smartstring 0.2.3",
    claim: "smartstring's CHANGELOG, 0.2.0",
    what: "`drain` removes twice what it gives",
    shown: 1, "contract", "self.len() + 1 == old(self.len())", "let _ = first(&mut text);",
    own: {
        #[cfg(feature = "fixed")] use smartstring as smartstring_0_1;
        type Text = smartstring_0_1::SmartString<smartstring_0_1::Compact>;
        fn long() -> Text { "abcdefghijklmnopqrstuvwxyz0123456789".into() }
        fn first(string: &mut Text) -> String { string.drain(..1).collect() }
        beget::suite! {
            pub suite Strings for Text {
                abstraction |string| -> bool { string.is_empty() };
                fn long() -> Text = self::long;
                #[requires(!self.is_empty())] #[ensures(self.len() + 1 == old(self.len()))]
                fn drain(&mut self) -> String = self::first;
            }
        }
        pub fn run() -> Run { check!(Strings, k = 2) }
    }
}
