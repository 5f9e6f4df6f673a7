//! Addresses that cannot be blocks: those of local variables, statics and constants.

/// Returns whether the address lies in this thread's stack, or in a segment that the loader mapped.
pub(crate) fn is_no_block(address: usize) -> bool {
    os::is_on_stack(address) || crate::alloc::roots::is_loaded(address)
}

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod os {
    use std::cell::Cell;

    thread_local! {
        /// The first address of this thread's stack and the one after its last; 0 if not known yet.
        static STACK: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    }

    pub(super) fn is_on_stack(address: usize) -> bool {
        if STACK.get() == (0, 0) {
            STACK.set(
                crate::alloc::thread::unnoted(crate::alloc::ending::stack_of_thread)
                    .unwrap_or((1, 1)),
            );
        }
        let (start, end) = STACK.get();
        (start..end).contains(&address)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
mod os {
    pub(super) fn is_on_stack(_: usize) -> bool {
        false
    }
}
