//! Suites that a generator drew by chance; `build.rs` says how many and from which seed.
#![allow(missing_docs, clippy::all, unused, unreachable_pub, reason = "written by the generator")]

use prelude::Case;

mod prelude {
    pub use std::cell::{Cell, RefCell};
    pub use std::collections::{BTreeMap, BinaryHeap, HashSet, VecDeque};
    pub use std::rc::{Rc, Weak};
    pub use std::sync::Arc;

    pub use crate::case::{Case, Scope};
    pub use crate::{both, case, seen};
}

include!(concat!(env!("OUT_DIR"), "/random.rs"));
