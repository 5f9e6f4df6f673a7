//! A harness for `std_census::isize_type::ISIZE`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type ISIZE = std_census::isize_type::ISIZE;

// 113 of 113 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct ISIZEState {
    pub text: beget::heap::DebugText,
}

impl ISIZEState {
    fn of(isize: &ISIZE) -> ISIZEState {
        ISIZEState { text: beget::heap::DebugText::of(isize) }
    }
}

beget::suite! {
    /// The public functions of `std_census::isize_type::ISIZE`.
    #[name = "std::isize"]
    pub suite ISIZESuite for ISIZE {
        abstraction |isize| -> ISIZEState { ISIZEState::of(isize) };
        fn count_ones(self) -> u32;
        fn count_zeros(self) -> u32;
        fn leading_zeros(self) -> u32;
        fn trailing_zeros(self) -> u32;
        fn leading_ones(self) -> u32;
        fn trailing_ones(self) -> u32;
        fn cast_unsigned(self) -> usize;
        fn rotate_left(self, n: u32) -> Self;
        fn rotate_right(self, n: u32) -> Self;
        fn swap_bytes(self) -> Self;
        fn reverse_bits(self) -> Self;
        fn from_be(x: Self) -> Self;
        fn from_le(x: Self) -> Self;
        fn to_be(self) -> Self;
        fn to_le(self) -> Self;
        fn checked_add(self, rhs: Self) -> Option<Self>;
        fn strict_add(self, rhs: Self) -> Self;
        fn checked_add_unsigned(self, rhs: usize) -> Option<Self>;
        fn strict_add_unsigned(self, rhs: usize) -> Self;
        fn checked_sub(self, rhs: Self) -> Option<Self>;
        fn strict_sub(self, rhs: Self) -> Self;
        fn checked_sub_unsigned(self, rhs: usize) -> Option<Self>;
        fn strict_sub_unsigned(self, rhs: usize) -> Self;
        fn checked_mul(self, rhs: Self) -> Option<Self>;
        fn strict_mul(self, rhs: Self) -> Self;
        fn checked_div(self, rhs: Self) -> Option<Self>;
        fn strict_div(self, rhs: Self) -> Self;
        fn checked_div_euclid(self, rhs: Self) -> Option<Self>;
        fn strict_div_euclid(self, rhs: Self) -> Self;
        fn checked_rem(self, rhs: Self) -> Option<Self>;
        fn strict_rem(self, rhs: Self) -> Self;
        fn checked_rem_euclid(self, rhs: Self) -> Option<Self>;
        fn strict_rem_euclid(self, rhs: Self) -> Self;
        fn checked_neg(self) -> Option<Self>;
        fn strict_neg(self) -> Self;
        fn checked_shl(self, rhs: u32) -> Option<Self>;
        fn strict_shl(self, rhs: u32) -> Self;
        fn unbounded_shl(self, rhs: u32) -> Self;
        fn checked_shr(self, rhs: u32) -> Option<Self>;
        fn strict_shr(self, rhs: u32) -> Self;
        fn unbounded_shr(self, rhs: u32) -> Self;
        fn checked_abs(self) -> Option<Self>;
        fn strict_abs(self) -> Self;
        fn checked_pow(self, exp: u32) -> Option<Self>;
        fn strict_pow(self, exp: u32) -> Self;
        fn checked_isqrt(self) -> Option<Self>;
        fn saturating_add(self, rhs: Self) -> Self;
        fn saturating_add_unsigned(self, rhs: usize) -> Self;
        fn saturating_sub(self, rhs: Self) -> Self;
        fn saturating_sub_unsigned(self, rhs: usize) -> Self;
        fn saturating_neg(self) -> Self;
        fn saturating_abs(self) -> Self;
        fn saturating_mul(self, rhs: Self) -> Self;
        fn saturating_div(self, rhs: Self) -> Self;
        fn saturating_pow(self, exp: u32) -> Self;
        fn wrapping_add(self, rhs: Self) -> Self;
        fn wrapping_add_unsigned(self, rhs: usize) -> Self;
        fn wrapping_sub(self, rhs: Self) -> Self;
        fn wrapping_sub_unsigned(self, rhs: usize) -> Self;
        fn wrapping_mul(self, rhs: Self) -> Self;
        fn wrapping_div(self, rhs: Self) -> Self;
        fn wrapping_div_euclid(self, rhs: Self) -> Self;
        fn wrapping_rem(self, rhs: Self) -> Self;
        fn wrapping_rem_euclid(self, rhs: Self) -> Self;
        fn wrapping_neg(self) -> Self;
        fn wrapping_shl(self, rhs: u32) -> Self;
        fn wrapping_shr(self, rhs: u32) -> Self;
        fn wrapping_abs(self) -> Self;
        fn unsigned_abs(self) -> usize;
        fn wrapping_pow(self, exp: u32) -> Self;
        fn overflowing_add(self, rhs: Self) -> (Self, bool);
        fn overflowing_add_unsigned(self, rhs: usize) -> (Self, bool);
        fn overflowing_sub(self, rhs: Self) -> (Self, bool);
        fn overflowing_sub_unsigned(self, rhs: usize) -> (Self, bool);
        fn overflowing_mul(self, rhs: Self) -> (Self, bool);
        fn overflowing_div(self, rhs: Self) -> (Self, bool);
        fn overflowing_div_euclid(self, rhs: Self) -> (Self, bool);
        fn overflowing_rem(self, rhs: Self) -> (Self, bool);
        fn overflowing_rem_euclid(self, rhs: Self) -> (Self, bool);
        fn overflowing_neg(self) -> (Self, bool);
        fn overflowing_shl(self, rhs: u32) -> (Self, bool);
        fn overflowing_shr(self, rhs: u32) -> (Self, bool);
        fn overflowing_abs(self) -> (Self, bool);
        fn overflowing_pow(self, exp: u32) -> (Self, bool);
        fn pow(self, exp: u32) -> Self;
        fn isqrt(self) -> Self;
        fn div_euclid(self, rhs: Self) -> Self;
        fn rem_euclid(self, rhs: Self) -> Self;
        fn ilog(self, base: Self) -> u32;
        fn ilog2(self) -> u32;
        fn ilog10(self) -> u32;
        fn checked_ilog(self, base: Self) -> Option<u32>;
        fn checked_ilog2(self) -> Option<u32>;
        fn checked_ilog10(self) -> Option<u32>;
        fn abs(self) -> Self;
        fn abs_diff(self, other: Self) -> usize;
        fn signum(self) -> Self;
        fn is_positive(self) -> bool;
        fn is_negative(self) -> bool;
        fn to_be_bytes(self) -> [u8; 8];
        fn to_le_bytes(self) -> [u8; 8];
        fn to_ne_bytes(self) -> [u8; 8];
        fn from_be_bytes(bytes: [u8; 8]) -> Self;
        fn from_le_bytes(bytes: [u8; 8]) -> Self;
        fn from_ne_bytes(bytes: [u8; 8]) -> Self;
        fn midpoint(self, rhs: Self) -> Self;
        fn from_str_radix(src: &str, radix: u32) -> Result<Self, String> = calls::from_str_radix;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(value: isize) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::ISIZE;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn from_str_radix(src: &str, radix: u32) -> Result<ISIZE, String> {
        ISIZE::from_str_radix(src, radix).map_err(|error| shown(&error))
    }

    pub fn from(value: isize) -> ISIZE {
        <ISIZE as From<_>>::from(value)
    }
}
