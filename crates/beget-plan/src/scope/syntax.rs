//! The syntax of scope files: RON, one value at a time, each with its place.
//!
//! The module knows texts and syntax, but not the fields. It reads what the library `ron` reads,
//! except for syntax that no scope has: suffixes of numbers, bytes, raw names, and letters beyond
//! ASCII given byte by byte; names follow the rules of `char`. A test compares the two. The library
//! uses `serde`, whose macros would take a fifth of the first build of a test, for nothing else.

#[cfg(test)]
mod tests;
mod word;

/// The greatest nesting of values.
const MOST_NESTED: u32 = 128;

/// A part of a file that is one value, without the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw<'t> {
    pub(crate) text: &'t str,
    /// Its start in the file.
    pub(crate) start: usize,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RonValue<'t> {
    Int(i128),
    /// An integer above those of `i128`.
    Large(u128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(String),
    List(Vec<Raw<'t>>),
    Map(Vec<(Raw<'t>, Raw<'t>)>),
    /// `Name`.
    Name(&'t str),
    /// `Name(1, 2)` or `(1, 2)`.
    Tuple(&'t str, Vec<Raw<'t>>),
    /// `Name(field: 1)` or `(field: 1)`.
    Struct(&'t str, Vec<(&'t str, Raw<'t>)>),
}

/// A mistake, and its byte in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: usize,
    pub(crate) message: &'static str,
}

/// The message for a missing comma, for which there is help.
pub(crate) const NO_COMMA: &str = "expected comma";

/// The message for a text that ends too soon, likewise.
pub(crate) const NO_MORE: &str = "unexpected end of RON";

/// Reads a text that is one value.
pub(crate) fn parse(text: &str) -> Result<(Raw<'_>, RonValue<'_>), SyntaxError> {
    let mut parser = RonParser { text, at: 0, depth: 0 };
    parser.skip_attributes()?;
    let whole = parser.value()?;
    parser.skip_space()?;
    match parser.rest().is_empty() {
        true => Ok(whole),
        false => parser.error("non-whitespace trailing characters"),
    }
}

/// Invariant: `at` is a boundary of characters.
struct RonParser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

type Parsed<T> = Result<T, SyntaxError>;

impl<'t> RonParser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error<T>(&self, message: &'static str) -> Parsed<T> {
        Err(SyntaxError { at: self.at, message })
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, expected: &str) -> bool {
        let is_there = self.rest().starts_with(expected);
        self.at += if is_there { expected.len() } else { 0 };
        is_there
    }

    fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|char| !accepts(char)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn expect(&mut self, expected: &str, message: &'static str) -> Parsed<()> {
        self.skip_space()?;
        match self.take(expected) {
            true => Ok(()),
            false => self.error(message),
        }
    }

    /// White space and comments.
    fn skip_space(&mut self) -> Parsed<()> {
        loop {
            self.take_while(is_space);
            if self.take("//") {
                self.take_while(|char| char != '\n');
            } else if self.take("/*") {
                self.skip_block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// The rest of a comment, which may hold others.
    fn skip_block_comment(&mut self) -> Parsed<()> {
        let mut n_open = 1;
        while n_open > 0 {
            self.take_while(|char| !matches!(char, '/' | '*'));
            if self.take("/*") {
                n_open += 1;
            } else if self.take("*/") {
                n_open -= 1;
            } else if !self.take("/") && !self.take("*") {
                return self.error("unclosed block comment, expected a matching `*/`");
            }
        }
        Ok(())
    }

    /// Attribute lines such as `#![enable(implicit_some)]`, which state the default of scope files.
    fn skip_attributes(&mut self) -> Parsed<()> {
        self.skip_space()?;
        while self.take("#") {
            self.expect("!", "expected an `#![enable(...)]` attribute")?;
            self.expect("[", "expected an `#![enable(...)]` attribute")?;
            self.expect("enable", "expected an `#![enable(...)]` attribute")?;
            self.expect("(", "expected an `#![enable(...)]` attribute")?;
            self.expect("implicit_some", "only `implicit_some` can be enabled")?;
            self.skip_space()?;
            self.take(",");
            self.expect(")", "only `implicit_some` can be enabled")?;
            self.expect("]", "expected an `#![enable(...)]` attribute")?;
            self.skip_space()?;
        }
        Ok(())
    }

    /// The next value: its text, and its parsed form.
    fn value(&mut self) -> Parsed<(Raw<'t>, RonValue<'t>)> {
        self.skip_space()?;
        let start = self.at;
        if self.depth == MOST_NESTED {
            return self.error("exceeded recursion limit, try increasing the limit");
        }
        self.depth += 1;
        let shape = self.shape()?;
        self.depth -= 1;
        Ok((Raw { text: &self.text[start..self.at], start }, shape))
    }

    fn shape(&mut self) -> Parsed<RonValue<'t>> {
        if let Some(word) = self.word()? {
            return Ok(word);
        }
        if self.take("[") {
            return self.items("]", Self::raw_value).map(RonValue::List);
        }
        if self.take("{") {
            return self.items("}", Self::entry).map(RonValue::Map);
        }
        let name = self.name();
        let after_name = self.at;
        self.skip_space()?;
        match name {
            "Some" => return self.optional(),
            // Not a name of a value with parts.
            "None" => {}
            name if self.take("(") => return self.parenthesised(name),
            _ => {}
        }
        self.at = after_name;
        match name {
            "" if self.rest().is_empty() => self.error(NO_MORE),
            "" => self.error("expected a value"),
            name => Ok(RonValue::Name(name)),
        }
    }

    /// A name, or nothing.
    fn name(&mut self) -> &'t str {
        match self.peek() {
            Some(char) if char == '_' || char.is_alphabetic() => self.take_while(is_of_name),
            _ => "",
        }
    }

    /// The value after `Some`.
    fn optional(&mut self) -> Parsed<RonValue<'t>> {
        self.expect("(", "expected opening `(`")?;
        let value = self.raw_value()?;
        self.skip_space()?;
        self.take(",");
        self.expect(")", "expected closing `)`")?;
        Ok(RonValue::Tuple("Some", vec![value]))
    }

    /// The value after an opening parenthesis.
    fn parenthesised(&mut self, name: &'t str) -> Parsed<RonValue<'t>> {
        let start = self.at;
        self.skip_space()?;
        let is_struct = !self.name().is_empty() && {
            self.skip_space()?;
            self.take(":")
        };
        self.at = start;
        match is_struct {
            true => self.items(")", Self::field).map(|fields| RonValue::Struct(name, fields)),
            false => self.items(")", Self::raw_value).map(|items| RonValue::Tuple(name, items)),
        }
    }

    fn raw_value(&mut self) -> Parsed<Raw<'t>> {
        self.value().map(|(raw, _)| raw)
    }

    fn entry(&mut self) -> Parsed<(Raw<'t>, Raw<'t>)> {
        let key = self.raw_value()?;
        self.expect(":", "expected colon")?;
        Ok((key, self.raw_value()?))
    }

    fn field(&mut self) -> Parsed<(&'t str, Raw<'t>)> {
        let name = self.name();
        if name.is_empty() {
            return self.error("expected identifier");
        }
        self.expect(":", "expected colon")?;
        Ok((name, self.raw_value()?))
    }

    /// Reads items by `item`, separated by commas, up to `end`.
    fn items<T>(&mut self, end: &str, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            self.skip_space()?;
            if self.take(end) {
                return Ok(items);
            }
            if self.rest().is_empty() {
                return self.error(NO_MORE);
            }
            items.push(item(self)?);
            self.skip_space()?;
            if !self.take(",") && !self.rest().starts_with(end) && !self.rest().is_empty() {
                return self.error(NO_COMMA);
            }
        }
    }
}

/// White space as Unicode defines it for programming languages.
fn is_space(char: char) -> bool {
    let of_unicode = matches!(char, '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}');
    matches!(char, ' ' | '\t'..='\r') || of_unicode
}

fn is_of_name(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}
