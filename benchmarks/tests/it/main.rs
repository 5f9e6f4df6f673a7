//! The programs that measure.

pub mod builders_random;
pub mod containers;
pub mod counts;
pub mod estimates;
pub mod korat;
pub mod measuring;
pub mod table1;
pub mod table2;
