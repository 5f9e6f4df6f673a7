//! Expressions in k, for bounds and ranges.
//!
//! ```text
//! range  := expr ".." expr | expr "..=" expr
//! expr   := term (("+" | "-") term)*
//! term   := factor (("*" | "/" | "%") factor)*
//! factor := "-" factor | number | "k" | ("max" | "min") "(" expr "," expr ")" | "(" expr ")"
//! ```
//!
//! Division truncates. An expression that cannot be computed is an error with the place inside it.

use crate::scope::diagnostic::Span;
use crate::scope::wide::WideInt;

/// The greatest nesting of parentheses, signs and functions. The parser recurses as deep, so this
/// bounds its stack; no readable bound comes near.
const MOST_DEPTH: u32 = 64;

/// A mistake in an expression, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExprError {
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

/// A range of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntRange {
    start: WideInt,
    /// The number of values, at most `u128::MAX`.
    len: u128,
}

impl IntRange {
    fn new(start: WideInt, end: WideInt, is_inclusive: bool) -> Self {
        let len = match end.checked_sub(start) {
            Some(difference) => difference.to_u128(),
            None => (end > start).then_some(u128::MAX),
        };
        // An inclusive range that ends right before its start is empty, too.
        let len = len.map_or(0, |len| len.saturating_add(is_inclusive.into()));
        IntRange { start, len }
    }

    /// The range with `slack` more values on both ends.
    pub(crate) fn extended(self, slack: u32) -> Self {
        let slack = WideInt::from(u128::from(slack));
        let Some(start) = self.start.checked_sub(slack) else { return self };
        let more = slack.to_u128().unwrap_or(0).saturating_mul(2);
        IntRange { start, len: self.len.saturating_add(more) }
    }

    /// The number of values; `u128::MAX` stands for more.
    pub(crate) fn len(self) -> u128 {
        self.len
    }

    /// The values that an integer type has.
    pub(crate) fn values(self) -> impl Iterator<Item = WideInt> {
        let value = move |index| self.start.checked_add(WideInt::from(index));
        (0..self.len).map_while(value).filter(|value| value.is_of_a_type())
    }

    /// The start and the exclusive end; `None` if they do not fit.
    pub(crate) fn ends(self) -> Option<(i128, i128)> {
        let end = self.start.checked_add(WideInt::from(self.len))?;
        Some((self.start.to_i128()?, end.to_i128()?))
    }
}

/// The value of the expression that is all of `text`.
pub(crate) fn evaluate(text: &str, k: u32) -> Result<i128, ExprError> {
    evaluate_wide(text, k)?.to_i128().ok_or_else(|| overflow(0..text.len()))
}

/// Like [`evaluate`], for a value of some integer type.
pub(crate) fn evaluate_wide(text: &str, k: u32) -> Result<WideInt, ExprError> {
    let mut parser = Parser::new(text, k);
    let value = parser.value()?;
    parser.end()?;
    Ok(value)
}

/// The range that is all of `text`.
pub(crate) fn range(text: &str, k: u32) -> Result<IntRange, ExprError> {
    let mut parser = Parser::new(text, k);
    let start = parser.value()?;
    let Some(is_inclusive) = parser.dots() else {
        return Err(parser.unexpected("`..`").helped("write a range such as `0..k` or `0..=k`"));
    };
    let end = parser.value()?;
    parser.end()?;
    Ok(IntRange::new(start, end, is_inclusive))
}

impl ExprError {
    pub(crate) fn helped(self, help: &'static str) -> Self {
        ExprError { help: Some(help), ..self }
    }
}

fn overflow(span: Span) -> ExprError {
    let message = "the value does not fit into 128 bits".to_owned();
    ExprError { span, message, help: None }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    k: WideInt,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, k: u32) -> Self {
        let mut parser = Parser { text, at: 0, k: u128::from(k).into(), depth: 0 };
        parser.skip_spaces();
        parser
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.skip_spaces();
        }
        found
    }

    /// Reads the dots of a range, if they come next; returns whether they include the end.
    fn dots(&mut self) -> Option<bool> {
        if self.eat("..=") {
            return Some(true);
        }
        self.eat("..").then_some(false)
    }

    fn end(&self) -> Result<(), ExprError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// An expression with a value of some integer type.
    fn value(&mut self) -> Result<WideInt, ExprError> {
        let start = self.at;
        let value = self.expr()?;
        value.is_of_a_type().then_some(value).ok_or_else(|| overflow(self.since(start)))
    }

    fn expr(&mut self) -> Result<WideInt, ExprError> {
        let start = self.at;
        let mut value = self.term()?;
        loop {
            let operation = match self.rest().chars().next() {
                Some('+') => WideInt::checked_add,
                Some('-') => WideInt::checked_sub,
                _ => return Ok(value),
            };
            self.step();
            let right = self.term()?;
            value = operation(value, right).ok_or_else(|| overflow(self.since(start)))?;
        }
    }

    fn term(&mut self) -> Result<WideInt, ExprError> {
        let start = self.at;
        let mut value = self.factor()?;
        loop {
            let operation = match self.rest().chars().next() {
                Some('*') => WideInt::checked_mul,
                Some('/') => WideInt::checked_div,
                Some('%') => WideInt::checked_rem,
                _ => return Ok(value),
            };
            let divides = !self.rest().starts_with('*');
            self.step();
            let divisor = self.at;
            let right = self.factor()?;
            if divides && right == WideInt::ZERO {
                let message = format!("division by zero at k = {}", self.k);
                return Err(ExprError { span: self.since(divisor), message, help: None });
            }
            value = operation(value, right).ok_or_else(|| overflow(self.since(start)))?;
        }
    }

    fn factor(&mut self) -> Result<WideInt, ExprError> {
        if self.depth == MOST_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let value = self.nested_factor();
        self.depth -= 1;
        value
    }

    fn nested_factor(&mut self) -> Result<WideInt, ExprError> {
        if self.eat("-") {
            return Ok(self.factor()?.negated());
        }
        if self.eat("(") {
            let value = self.expr()?;
            self.expect(")")?;
            return Ok(value);
        }
        let word: &str = leading(self.rest(), |char| char.is_alphanumeric() || char == '_');
        if word.starts_with(|char: char| char.is_ascii_digit()) {
            return self.number(word);
        }
        self.name(word)
    }

    fn number(&mut self, word: &str) -> Result<WideInt, ExprError> {
        let span = self.at..self.at + word.len();
        let digits = word.replace('_', "");
        let Some(other) = digits.find(|char: char| !char.is_ascii_digit()) else {
            let value: u128 = digits.parse().map_err(|_| overflow(span))?;
            self.eat(word);
            return Ok(value.into());
        };
        let message = format!("`{word}` is not a number");
        let help = (&digits[other..] == "k").then_some("write the product with `*`, as in `2*k`");
        Err(ExprError { span, message, help })
    }

    fn name(&mut self, word: &str) -> Result<WideInt, ExprError> {
        let choose = match word {
            "k" => {
                self.eat(word);
                return Ok(self.k);
            }
            "max" => WideInt::max,
            "min" => WideInt::min,
            "" => return Err(self.unexpected("a number, `k` or `(`")),
            _ => return Err(self.unknown_name(word)),
        };
        self.eat(word);
        self.expect("(")?;
        let left = self.expr()?;
        self.expect(",")?;
        let right = self.expr()?;
        self.expect(")")?;
        Ok(choose(left, right))
    }

    fn too_deep(&self) -> ExprError {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        ExprError {
            span: self.at..self.at + len,
            message: format!("the expression is nested more than {MOST_DEPTH} levels deep"),
            help: Some("write it with fewer parentheses, signs and functions inside one another"),
        }
    }

    fn unknown_name(&self, word: &str) -> ExprError {
        ExprError {
            span: self.at..self.at + word.len(),
            message: format!("unknown name `{word}` in an expression"),
            help: Some("expressions know `k`, `max(a, b)` and `min(a, b)`"),
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), ExprError> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn step(&mut self) {
        self.at += 1;
        self.skip_spaces();
    }

    /// The text read since `start`, without spaces at its end.
    fn since(&self, start: usize) -> Span {
        start..start + self.text[start..self.at].trim_end().len()
    }

    fn unexpected(&self, wanted: &str) -> ExprError {
        let (found, len) = match self.rest().chars().next() {
            None => ("the end".to_owned(), 0),
            Some(char) => (format!("`{char}`"), char.len_utf8()),
        };
        let message = format!("expected {wanted}, found {found}");
        ExprError { span: self.at..self.at + len, message, help: None }
    }
}

/// The longest prefix of characters for which `belong` holds.
pub(crate) fn leading(text: &str, belong: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|char| !belong(char)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, k: u32, expected: i128) {
        assert_eq!(evaluate(text, k), Ok(expected));
    }

    #[track_caller]
    fn check_error(text: &str, span: Span, message: &str) {
        let error = range(text, 3).unwrap_err();
        assert_eq!((error.span, error.message.as_str()), (span, message));
    }

    #[test]
    fn operators_bind_as_in_rust() {
        check("1 + 2 * k", 3, 7);
        check("(1 + 2) * k", 3, 9);
        check("10 - 3 - 2", 0, 5);
        check("7 / 2 % 2", 0, 1);
        check("-k + 1", 3, -2);
        check("- -k", 3, 3);
    }

    #[test]
    fn division_truncates_towards_zero() {
        check("-7 / 2", 0, -3);
        check("-7 % 2", 0, -1);
    }

    #[test]
    fn functions_nest() {
        check("max(k, min(5, 2*k)) + 1", 4, 6);
        check("min(k - 1, 0)", 0, -1);
    }

    #[test]
    fn numbers_may_hold_underscores() {
        check("1_000", 0, 1000);
    }

    #[test]
    fn ranges_are_half_open_unless_they_say_otherwise() {
        assert_eq!(range("0..k", 3).unwrap().ends(), Some((0, 3)));
        assert_eq!(range(" -k ..= k ", 2).unwrap().ends(), Some((-2, 3)));
        for empty in ["k..0", "k..=0", "k..k", "k..=1"] {
            assert_eq!(range(empty, 2).unwrap().len(), 0, "{empty}");
        }
    }

    #[test]
    fn slack_extends_both_ends() {
        let range = range("0..k", 2).unwrap().extended(1);
        assert_eq!(range.values().collect::<Vec<_>>(), [-1_i128, 0, 1, 2].map(WideInt::from));
    }

    #[test]
    fn mistakes_are_placed_inside_the_expression() {
        check_error("0..n", 3..4, "unknown name `n` in an expression");
        check_error("0..2k", 3..5, "`2k` is not a number");
        check_error("0", 1..1, "expected `..`, found the end");
        check_error("0..k)", 4..5, "expected the end, found `)`");
        check_error("0..k / (k - 3)", 7..14, "division by zero at k = 3");
        check_error("0..(k", 5..5, "expected `)`, found the end");
        check_error("0..max(k)", 8..9, "expected `,`, found `)`");
        check_error("", 0..0, "expected a number, `k` or `(`, found the end");
    }

    #[test]
    fn an_expression_that_is_nested_too_deep_is_refused_where_it_gets_too_deep() {
        let message = "the expression is nested more than 64 levels deep";
        for depth in [64, 100_000] {
            let nested = |open: &str, close: &str| {
                format!("0..{}k{}", open.repeat(depth), close.repeat(depth))
            };
            check_error(&nested("(", ")"), 67..68, message);
            check_error(&nested("-", ""), 67..68, message);
            check_error(&nested("min(", ",0)"), 259..260, message);
        }
        check(&format!("{}k{}", "(".repeat(63), ")".repeat(63)), 3, 3);
    }

    #[test]
    fn a_long_expression_is_not_a_deep_one() {
        check(&vec!["k"; 100_000].join("+"), 2, 200_000);
    }

    #[test]
    fn what_does_not_fit_into_128_bits_is_refused() {
        let max = u128::MAX.to_string();
        let message = "the value does not fit into 128 bits";
        check_error(&format!("0..{max} + 1"), 3..max.len() + 7, message);
        check_error(&format!("0..{max}0"), 3..max.len() + 4, message);
        let min = i128::MIN.to_string();
        check_error(&format!("{min} - 1..0"), 0..min.len() + 4, message);
        assert!(evaluate(&max, 1).is_err());
    }

    #[test]
    fn both_ends_of_128_bits_can_be_written() {
        check(&i128::MIN.to_string(), 1, i128::MIN);
        check(&i128::MAX.to_string(), 1, i128::MAX);
        let max = u128::MAX.to_string();
        assert_eq!(evaluate_wide(&max, 1), Ok(u128::MAX.into()));
        assert_eq!(evaluate_wide(&format!("{max} - 2*k"), 1), Ok((u128::MAX - 2).into()));
        let last = range(&format!("{max} - k..={max}"), 1).unwrap();
        assert_eq!(
            last.values().collect::<Vec<_>>(),
            [u128::MAX - 1, u128::MAX].map(WideInt::from)
        );
        // Slack stops at the ends of the integers.
        assert_eq!(last.extended(1).values().count(), 3);
        let first = range(&format!("{}..=0", i128::MIN), 1).unwrap();
        assert_eq!(first.extended(1).values().next(), Some(i128::MIN.into()));
        assert_eq!(range(&format!("{}..={max}", i128::MIN), 1).unwrap().len(), u128::MAX);
    }
}
