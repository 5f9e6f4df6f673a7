//! The suites, each in the harness that `init` writes for its type.

use beget::HasSuite;
use beget::suites::Suite;

pub mod binaryheap_suite;
pub mod bool_suite;
pub mod box_suite;
pub mod btreemap_suite;
pub mod btreeset_suite;
pub mod cell_2_suite;
pub mod cell_suite;
pub mod char_suite;
pub mod cow_suite;
pub mod f32_suite;
pub mod f64_suite;
pub mod hashmap_suite;
pub mod hashset_suite;
pub mod i128_suite;
pub mod i16_suite;
pub mod i32_suite;
pub mod i64_suite;
pub mod i8_suite;
pub mod isize_suite;
pub mod linkedlist_suite;
pub mod option_suite;
pub mod range_suite;
pub mod rangefrom_suite;
pub mod rangeinclusive_suite;
pub mod rangeto_suite;
pub mod rangetoinclusive_suite;
pub mod rc_suite;
pub mod refcell_suite;
pub mod result_suite;
pub mod slice_2_suite;
pub mod slice_suite;
pub mod str_suite;
pub mod string_suite;
pub mod u128_suite;
pub mod u16_suite;
pub mod u32_suite;
pub mod u64_suite;
pub mod u8_suite;
pub mod usize_suite;
pub mod vec_2_suite;
pub mod vec_suite;
pub mod vecdeque_suite;

/// All suites.
pub fn suites() -> Vec<Suite> {
    vec![
        vec_suite::StdCensusVecSuite::suite(),
        vec_2_suite::StdCensusVecSuite::suite(),
        vecdeque_suite::VecDequeSuite::suite(),
        linkedlist_suite::LinkedListSuite::suite(),
        btreemap_suite::BTreeMapSuite::suite(),
        btreeset_suite::BTreeSetSuite::suite(),
        hashmap_suite::HashMapSuite::suite(),
        hashset_suite::HashSetSuite::suite(),
        binaryheap_suite::BinaryHeapSuite::suite(),
        slice_suite::SliceSuite::suite(),
        slice_2_suite::SliceSuite::suite(),
        string_suite::StdCensusStringSuite::suite(),
        str_suite::StrSuite::suite(),
        char_suite::CharSuite::suite(),
        bool_suite::BoolSuite::suite(),
        u8_suite::U8Suite::suite(),
        u16_suite::U16Suite::suite(),
        u32_suite::U32Suite::suite(),
        u64_suite::U64Suite::suite(),
        u128_suite::U128Suite::suite(),
        usize_suite::USIZESuite::suite(),
        i8_suite::I8Suite::suite(),
        i16_suite::I16Suite::suite(),
        i32_suite::I32Suite::suite(),
        i64_suite::I64Suite::suite(),
        i128_suite::I128Suite::suite(),
        isize_suite::ISIZESuite::suite(),
        f32_suite::F32Suite::suite(),
        f64_suite::F64Suite::suite(),
        option_suite::StdCensusOptionSuite::suite(),
        result_suite::StdCensusResultSuite::suite(),
        rc_suite::RcSuite::suite(),
        cell_suite::CellSuite::suite(),
        cell_2_suite::CellSuite::suite(),
        refcell_suite::RefCellSuite::suite(),
        box_suite::StdCensusBoxSuite::suite(),
        cow_suite::CowSuite::suite(),
        range_suite::RangeSuite::suite(),
        rangeinclusive_suite::RangeInclusiveSuite::suite(),
        rangefrom_suite::RangeFromSuite::suite(),
        rangeto_suite::RangeToSuite::suite(),
        rangetoinclusive_suite::RangeToInclusiveSuite::suite(),
    ]
}
