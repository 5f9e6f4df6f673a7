//! A process that is made to vary.
//!
//! A binary of its own: it varies from then on.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use beget_process::alloc::{track, vary};

beget_process::alloc::install!(unsafe);

/// The addresses of a block and of a variable.
fn places() -> [usize; 2] {
    track(|| {
        let block = Box::new(0_u64);
        [(&raw const *block).addr(), (&raw const block).addr()]
    })
}

#[test]
fn the_blocks_and_the_stack_of_a_process_that_varies_lie_elsewhere() {
    let before = places();
    assert_eq!(places(), before);
    vary();
    let after = places();
    assert_eq!(after[0] - before[0], 0x315C0);
    assert!(before[1] - after[1] >= 0x315C0, "{before:x?} {after:x?}");
}
