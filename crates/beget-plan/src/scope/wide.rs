//! Integers of `i128` and of `u128`, for computing expressions.

use std::cmp::Ordering;
use std::fmt;

/// A sign and 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WideInt {
    /// Invariant: zero is not negative.
    is_negative: bool,
    magnitude: u128,
}

impl WideInt {
    pub(crate) const ZERO: WideInt = WideInt { is_negative: false, magnitude: 0 };

    fn new(is_negative: bool, magnitude: u128) -> Self {
        WideInt { is_negative: is_negative && magnitude != 0, magnitude }
    }

    pub(crate) fn negated(self) -> Self {
        WideInt::new(!self.is_negative, self.magnitude)
    }

    pub(crate) fn checked_add(self, other: Self) -> Option<Self> {
        if self.is_negative == other.is_negative {
            let magnitude = self.magnitude.checked_add(other.magnitude)?;
            return Some(WideInt::new(self.is_negative, magnitude));
        }
        let is_negative = match self.magnitude >= other.magnitude {
            true => self.is_negative,
            false => other.is_negative,
        };
        Some(WideInt::new(is_negative, self.magnitude.abs_diff(other.magnitude)))
    }

    pub(crate) fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(other.negated())
    }

    pub(crate) fn checked_mul(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_mul(other.magnitude)?;
        Some(WideInt::new(self.is_negative != other.is_negative, magnitude))
    }

    /// The quotient, truncated.
    pub(crate) fn checked_div(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_div(other.magnitude)?;
        Some(WideInt::new(self.is_negative != other.is_negative, magnitude))
    }

    /// The remainder, with the sign of `self`.
    pub(crate) fn checked_rem(self, other: Self) -> Option<Self> {
        Some(WideInt::new(self.is_negative, self.magnitude.checked_rem(other.magnitude)?))
    }

    pub(crate) fn to_i128(self) -> Option<i128> {
        match self.is_negative {
            true => 0_i128.checked_sub_unsigned(self.magnitude),
            false => i128::try_from(self.magnitude).ok(),
        }
    }

    pub(crate) fn to_u128(self) -> Option<u128> {
        (!self.is_negative).then_some(self.magnitude)
    }

    /// Returns whether some integer type can hold the value.
    pub(crate) fn is_of_a_type(self) -> bool {
        self.to_i128().is_some() || self.to_u128().is_some()
    }
}

impl From<i128> for WideInt {
    fn from(value: i128) -> Self {
        WideInt::new(value < 0, value.unsigned_abs())
    }
}

impl From<u128> for WideInt {
    fn from(value: u128) -> Self {
        WideInt::new(false, value)
    }
}

impl Ord for WideInt {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (is_negative, _) => {
                if is_negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for WideInt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for WideInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        write!(f, "{sign}{}", self.magnitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations agree with those of `i128` if these have a result.
    #[test]
    fn it_computes_as_128_bits_do() {
        let some = [i128::MIN, i128::MIN + 1, -7, -1, 0, 1, 2, 7, i128::MAX - 1, i128::MAX];
        for one in some {
            for other in some {
                let (left, right) = (WideInt::from(one), WideInt::from(other));
                let check = |wide: Option<WideInt>, narrow: Option<i128>| {
                    if narrow.is_some() {
                        assert_eq!(wide.and_then(WideInt::to_i128), narrow, "{one} {other}");
                    } else {
                        assert_eq!(wide.and_then(WideInt::to_i128), None, "{one} {other}");
                    }
                };
                check(left.checked_add(right), one.checked_add(other));
                check(left.checked_sub(right), one.checked_sub(other));
                check(left.checked_mul(right), one.checked_mul(other));
                check(left.checked_div(right), one.checked_div(other));
                if other != -1 {
                    check(left.checked_rem(right), one.checked_rem(other));
                }
                assert_eq!(left.cmp(&right), one.cmp(&other));
            }
            assert_eq!(WideInt::from(one).to_string(), one.to_string());
        }
        let most = WideInt::from(u128::MAX);
        assert_eq!((most.to_u128(), most.to_i128()), (Some(u128::MAX), None));
        assert_eq!(most.checked_add(WideInt::from(1_i128)), None);
        assert!(!most.negated().is_of_a_type());
    }
}
