//! The types of the census, by the names that harnesses have for them.

pub mod vec_type {
    pub use std::vec::Vec;
}
pub mod vecdeque_type {
    pub use std::collections::VecDeque;
}
pub mod linkedlist_type {
    pub use std::collections::LinkedList;
}
pub mod btreemap_type {
    pub use std::collections::BTreeMap;
}
pub mod btreeset_type {
    pub use std::collections::BTreeSet;
}
pub mod hashmap_type {
    pub use std::collections::HashMap;
}
pub mod hashset_type {
    pub use std::collections::HashSet;
}
pub mod binaryheap_type {
    pub use std::collections::BinaryHeap;
}
pub mod slice_type {
    pub type Slice<T> = Box<[T]>;
}
pub mod string_type {
    pub use std::string::String;
}
pub mod str_type {
    pub type Str = Box<str>;
}
pub mod char_type {
    pub type Char = char;
}
pub mod bool_type {
    pub type Bool = bool;
}
pub mod u8_type {
    pub type U8 = u8;
}
pub mod u16_type {
    pub type U16 = u16;
}
pub mod u32_type {
    pub type U32 = u32;
}
pub mod u64_type {
    pub type U64 = u64;
}
pub mod u128_type {
    pub type U128 = u128;
}
pub mod usize_type {
    pub type USIZE = usize;
}
pub mod i8_type {
    pub type I8 = i8;
}
pub mod i16_type {
    pub type I16 = i16;
}
pub mod i32_type {
    pub type I32 = i32;
}
pub mod i64_type {
    pub type I64 = i64;
}
pub mod i128_type {
    pub type I128 = i128;
}
pub mod isize_type {
    pub type ISIZE = isize;
}
pub mod f32_type {
    pub type F32 = f32;
}
pub mod f64_type {
    pub type F64 = f64;
}
pub mod option_type {
    pub use std::option::Option;
}
pub mod result_type {
    pub use std::result::Result;
}
pub mod rc_type {
    pub use std::rc::Rc;
}
pub mod cell_type {
    pub use std::cell::Cell;
}
pub mod refcell_type {
    pub use std::cell::RefCell;
}
pub mod box_type {
    pub use std::boxed::Box;
}
pub mod cow_type {
    pub type Cow = std::borrow::Cow<'static, str>;
}
pub mod range_type {
    pub use std::ops::Range;
}
pub mod rangeinclusive_type {
    pub use std::ops::RangeInclusive;
}
pub mod rangefrom_type {
    pub use std::ops::RangeFrom;
}
pub mod rangeto_type {
    pub use std::ops::RangeTo;
}
pub mod rangetoinclusive_type {
    pub use std::ops::RangeToInclusive;
}
