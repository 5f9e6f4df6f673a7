//! `StackA::push_cloned` counts the elements as pushed before it has cloned them: where a clone
//! panics, what was never written is dropped. Here that is what was in its place before.
//!
//! Both versions break `elements_survive_drop_panics` too: `pop` drops the elements before it counts
//! them as gone, so where a destructor panics that of the stack drops them again.

crate::defect! {
    old: "stack_dst 0.6.0",
    fixed: "stack_dst 0.6.1",
    claim: "RUSTSEC-2021-0033",
    what: "`push_cloned` drops what was never written if a clone panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = replace(&mut stack, &[beget::elements::Tracked::new(0)]);",
    alarms: [("contract", "elements_survive_drop_panics")],
    own: {
        type Stack = stack_dst::StackA<[Tracked], [usize; 8]>;
        fn replace(stack: &mut Stack, values: &[Tracked]) {
            stack.pop();
            let _ = stack.push_cloned(values);
        }
        beget::suite! {
            pub suite Stacks for Stack {
                abstraction |stack| -> Option<Vec<Tracked>> { stack.top().map(<[_]>::to_vec) };
                fn new() -> Self;
                fn push_cloned(&mut self, values: &[Tracked]) = self::replace;
            }
        }
        pub fn run() -> Run { check!(Stacks, k = 2) }
    }
}
