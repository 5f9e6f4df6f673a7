//! A harness for `std_census::u128_type::U128`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type U128 = std_census::u128_type::U128;

// 113 of 113 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct U128State {
    pub text: beget::heap::DebugText,
}

impl U128State {
    fn of(u128: &U128) -> U128State {
        U128State { text: beget::heap::DebugText::of(u128) }
    }
}

beget::suite! {
    /// The public functions of `std_census::u128_type::U128`.
    #[name = "std::u128"]
    pub suite U128Suite for U128 {
        abstraction |u128| -> U128State { U128State::of(u128) };
        fn count_ones(self) -> u32;
        fn count_zeros(self) -> u32;
        fn leading_zeros(self) -> u32;
        fn trailing_zeros(self) -> u32;
        fn leading_ones(self) -> u32;
        fn trailing_ones(self) -> u32;
        fn cast_signed(self) -> i128;
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
        fn checked_add_signed(self, rhs: i128) -> Option<Self>;
        fn strict_add_signed(self, rhs: i128) -> Self;
        fn checked_sub(self, rhs: Self) -> Option<Self>;
        fn strict_sub(self, rhs: Self) -> Self;
        fn checked_sub_signed(self, rhs: i128) -> Option<Self>;
        fn strict_sub_signed(self, rhs: i128) -> Self;
        fn checked_signed_diff(self, rhs: Self) -> Option<i128>;
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
        fn ilog(self, base: Self) -> u32;
        fn ilog2(self) -> u32;
        fn ilog10(self) -> u32;
        fn checked_ilog(self, base: Self) -> Option<u32>;
        fn checked_ilog2(self) -> Option<u32>;
        fn checked_ilog10(self) -> Option<u32>;
        fn checked_neg(self) -> Option<Self>;
        fn strict_neg(self) -> Self;
        fn checked_shl(self, rhs: u32) -> Option<Self>;
        fn strict_shl(self, rhs: u32) -> Self;
        fn unbounded_shl(self, rhs: u32) -> Self;
        fn checked_shr(self, rhs: u32) -> Option<Self>;
        fn strict_shr(self, rhs: u32) -> Self;
        fn unbounded_shr(self, rhs: u32) -> Self;
        fn checked_pow(self, exp: u32) -> Option<Self>;
        fn strict_pow(self, exp: u32) -> Self;
        fn saturating_add(self, rhs: Self) -> Self;
        fn saturating_add_signed(self, rhs: i128) -> Self;
        fn saturating_sub(self, rhs: Self) -> Self;
        fn saturating_sub_signed(self, rhs: i128) -> Self;
        fn saturating_mul(self, rhs: Self) -> Self;
        fn saturating_div(self, rhs: Self) -> Self;
        fn saturating_pow(self, exp: u32) -> Self;
        fn wrapping_add(self, rhs: Self) -> Self;
        fn wrapping_add_signed(self, rhs: i128) -> Self;
        fn wrapping_sub(self, rhs: Self) -> Self;
        fn wrapping_sub_signed(self, rhs: i128) -> Self;
        fn wrapping_mul(self, rhs: Self) -> Self;
        fn wrapping_div(self, rhs: Self) -> Self;
        fn wrapping_div_euclid(self, rhs: Self) -> Self;
        fn wrapping_rem(self, rhs: Self) -> Self;
        fn wrapping_rem_euclid(self, rhs: Self) -> Self;
        fn wrapping_neg(self) -> Self;
        fn wrapping_shl(self, rhs: u32) -> Self;
        fn wrapping_shr(self, rhs: u32) -> Self;
        fn wrapping_pow(self, exp: u32) -> Self;
        fn overflowing_add(self, rhs: Self) -> (Self, bool);
        fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool);
        fn overflowing_add_signed(self, rhs: i128) -> (Self, bool);
        fn overflowing_sub(self, rhs: Self) -> (Self, bool);
        fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool);
        fn overflowing_sub_signed(self, rhs: i128) -> (Self, bool);
        fn abs_diff(self, other: Self) -> Self;
        fn overflowing_mul(self, rhs: Self) -> (Self, bool);
        fn carrying_mul(self, rhs: Self, carry: Self) -> (Self, Self);
        fn carrying_mul_add(self, rhs: Self, carry: Self, add: Self) -> (Self, Self);
        fn overflowing_div(self, rhs: Self) -> (Self, bool);
        fn overflowing_div_euclid(self, rhs: Self) -> (Self, bool);
        fn overflowing_rem(self, rhs: Self) -> (Self, bool);
        fn overflowing_rem_euclid(self, rhs: Self) -> (Self, bool);
        fn overflowing_neg(self) -> (Self, bool);
        fn overflowing_shl(self, rhs: u32) -> (Self, bool);
        fn overflowing_shr(self, rhs: u32) -> (Self, bool);
        fn overflowing_pow(self, exp: u32) -> (Self, bool);
        fn pow(self, exp: u32) -> Self;
        fn isqrt(self) -> Self;
        fn div_euclid(self, rhs: Self) -> Self;
        fn rem_euclid(self, rhs: Self) -> Self;
        fn div_ceil(self, rhs: Self) -> Self;
        fn next_multiple_of(self, rhs: Self) -> Self;
        fn checked_next_multiple_of(self, rhs: Self) -> Option<Self>;
        fn is_multiple_of(self, rhs: Self) -> bool;
        fn is_power_of_two(self) -> bool;
        fn next_power_of_two(self) -> Self;
        fn checked_next_power_of_two(self) -> Option<Self>;
        fn to_be_bytes(self) -> [u8; 16];
        fn to_le_bytes(self) -> [u8; 16];
        fn to_ne_bytes(self) -> [u8; 16];
        fn from_be_bytes(bytes: [u8; 16]) -> Self;
        fn from_le_bytes(bytes: [u8; 16]) -> Self;
        fn from_ne_bytes(bytes: [u8; 16]) -> Self;
        fn midpoint(self, rhs: Self) -> Self;
        fn from_str_radix(src: &str, radix: u32) -> Result<Self, String> = calls::from_str_radix;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(value: u128) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::U128;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn from_str_radix(src: &str, radix: u32) -> Result<U128, String> {
        U128::from_str_radix(src, radix).map_err(|error| shown(&error))
    }

    pub fn from(value: u128) -> U128 {
        <U128 as From<_>>::from(value)
    }
}
