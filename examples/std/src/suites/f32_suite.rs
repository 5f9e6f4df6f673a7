//! A harness for `std_census::f32_type::F32`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type F32 = std_census::f32_type::F32;

// 70 of 70 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct F32State {
    pub text: beget::heap::DebugText,
}

impl F32State {
    fn of(f32: &F32) -> F32State {
        F32State { text: beget::heap::DebugText::of(f32) }
    }
}

beget::suite! {
    /// The public functions of `std_census::f32_type::F32`.
    #[name = "std::f32"]
    pub suite F32Suite for F32 {
        abstraction |f32| -> F32State { F32State::of(f32) };
        fn floor(self) -> Self;
        fn ceil(self) -> Self;
        fn round(self) -> Self;
        fn round_ties_even(self) -> Self;
        fn trunc(self) -> Self;
        fn fract(self) -> Self;
        fn mul_add(self, a: Self, b: Self) -> Self;
        fn div_euclid(self, rhs: Self) -> Self;
        fn rem_euclid(self, rhs: Self) -> Self;
        fn powi(self, n: i32) -> Self;
        fn powf(self, n: Self) -> Self;
        fn sqrt(self) -> Self;
        fn exp(self) -> Self;
        fn exp2(self) -> Self;
        fn ln(self) -> Self;
        fn log(self, base: Self) -> Self;
        fn log2(self) -> Self;
        fn log10(self) -> Self;
        fn cbrt(self) -> Self;
        fn hypot(self, other: Self) -> Self;
        fn sin(self) -> Self;
        fn cos(self) -> Self;
        fn tan(self) -> Self;
        fn asin(self) -> Self;
        fn acos(self) -> Self;
        fn atan(self) -> Self;
        fn atan2(self, other: Self) -> Self;
        fn sin_cos(self) -> (Self, Self);
        fn exp_m1(self) -> Self;
        fn ln_1p(self) -> Self;
        fn sinh(self) -> Self;
        fn cosh(self) -> Self;
        fn tanh(self) -> Self;
        fn asinh(self) -> Self;
        fn acosh(self) -> Self;
        fn atanh(self) -> Self;
        fn is_nan(self) -> bool;
        fn is_infinite(self) -> bool;
        fn is_finite(self) -> bool;
        fn is_subnormal(self) -> bool;
        fn is_normal(self) -> bool;
        fn classify(self) -> String = calls::classify;
        fn is_sign_positive(self) -> bool;
        fn is_sign_negative(self) -> bool;
        fn next_up(self) -> Self;
        fn next_down(self) -> Self;
        fn recip(self) -> Self;
        fn to_degrees(self) -> Self;
        fn to_radians(self) -> Self;
        fn max(self, other: Self) -> Self;
        fn min(self, other: Self) -> Self;
        fn midpoint(self, other: Self) -> Self;
        fn to_bits(self) -> u32;
        fn from_bits(v: u32) -> Self;
        fn to_be_bytes(self) -> [u8; 4];
        fn to_le_bytes(self) -> [u8; 4];
        fn to_ne_bytes(self) -> [u8; 4];
        fn from_be_bytes(bytes: [u8; 4]) -> Self;
        fn from_le_bytes(bytes: [u8; 4]) -> Self;
        fn from_ne_bytes(bytes: [u8; 4]) -> Self;
        fn total_cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn clamp(self, min: Self, max: Self) -> Self;
        fn abs(self) -> Self;
        fn signum(self) -> Self;
        fn copysign(self, sign: Self) -> Self;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn from(value: f32) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::F32;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn classify(f32: F32) -> String {
        shown(&f32.classify())
    }

    pub fn from(value: f32) -> F32 {
        <F32 as From<_>>::from(value)
    }
}
