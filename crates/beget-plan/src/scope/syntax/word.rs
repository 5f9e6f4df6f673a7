//! Values without parts: numbers, booleans, characters, strings.

use super::{NO_MORE, Parsed, RonParser, RonValue, is_of_name};

impl<'t> RonParser<'t> {
    /// A value without parts, if there is one here.
    pub(super) fn word(&mut self) -> Parsed<Option<RonValue<'t>>> {
        let start = self.at;
        if self.take("\"") {
            return self.string().map(|text| Some(RonValue::Text(text)));
        }
        if self.take("'") {
            return self.character().map(|char| Some(RonValue::Char(char)));
        }
        let hashes = if self.take("r") { self.take_while(|char| char == '#') } else { "" };
        if self.at > start && self.take("\"") {
            return self.raw_string(hashes).map(|text| Some(RonValue::Text(text)));
        }
        self.at = start;
        if let Some(number) = self.number()? {
            return Ok(Some(number));
        }
        let word = match self.name() {
            "true" => RonValue::Bool(true),
            "false" => RonValue::Bool(false),
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        Ok(Some(word))
    }

    /// The rest of a string.
    fn string(&mut self) -> Parsed<String> {
        let start = self.at;
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|char| !matches!(char, '"' | '\\')));
            if self.take("\"") {
                return Ok(text);
            }
            if !self.take("\\") {
                self.at = start;
                return self.error("expected end of string");
            }
            if self.take("\n") || self.take("\r\n") {
                self.take_while(|char| matches!(char, ' ' | '\t' | '\n' | '\r'));
            } else {
                text.push(self.escape()?);
            }
        }
    }

    /// The rest of a string without escapes.
    fn raw_string(&mut self, hashes: &str) -> Parsed<String> {
        let end = format!("\"{hashes}");
        match self.rest().split_once(&end) {
            Some((text, _)) => {
                self.at += text.len() + end.len();
                Ok(text.to_owned())
            }
            None => self.error("expected end of string"),
        }
    }

    /// The rest of a character.
    fn character(&mut self) -> Parsed<char> {
        let char = match self.take("\\") {
            true => self.escape()?,
            false => self.next()?,
        };
        match self.take("'") {
            true => Ok(char),
            false => self.error("expected char"),
        }
    }

    fn next(&mut self) -> Parsed<char> {
        match self.peek() {
            Some(char) => {
                self.at += char.len_utf8();
                Ok(char)
            }
            None => self.error(NO_MORE),
        }
    }

    /// The character after a backslash.
    fn escape(&mut self) -> Parsed<char> {
        let unknown = "invalid escape sequence: write `\\\\` for a backslash";
        Ok(match self.next()? {
            char @ ('\'' | '"' | '\\') => char,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'x' => {
                let digits = self.rest().get(..2).unwrap_or_default();
                self.hexadecimal(digits, 0x7f)?
            }
            'u' if self.take("{") => {
                let digits = self.rest().split('}').next().unwrap_or_default();
                let char = self.hexadecimal(digits, u32::from(char::MAX))?;
                if digits.len() > 6 || !self.take("}") {
                    return self
                        .error("invalid escape sequence: expected at most 6 digits and `}`");
                }
                char
            }
            _ => return self.error(unknown),
        })
    }

    fn hexadecimal(&mut self, digits: &str, max: u32) -> Parsed<char> {
        let is_number = !digits.starts_with('+');
        let number = u32::from_str_radix(digits, 16).ok().filter(|code| is_number && *code <= max);
        match number.and_then(char::from_u32) {
            Some(char) => {
                self.at += digits.len();
                Ok(char)
            }
            None => self.error("invalid escape sequence: no hexadecimal number of a character"),
        }
    }

    /// A number, if there is one here.
    fn number(&mut self) -> Parsed<Option<RonValue<'t>>> {
        let start = self.at;
        let is_negative = self.take("-");
        let is_signed = is_negative || self.take("+");
        let is_number = self.rest().starts_with(|char: char| char.is_ascii_digit() || char == '.')
            && !self.rest().starts_with("..");
        let value = match self.radix() {
            Some(radix) => Some(self.digits(start, radix)?),
            None if is_number => Some(self.decimal(start)?),
            None => self.unbounded(is_negative).map(RonValue::Float),
        };
        match value {
            None if is_signed => self.error("expected a number"),
            None => Ok(None),
            Some(value) => Ok(Some(value)),
        }
    }

    /// `inf` and `NaN`.
    fn unbounded(&mut self, is_negative: bool) -> Option<f64> {
        let start = self.at;
        let value = match self.name() {
            "inf" => f64::INFINITY,
            "NaN" => f64::NAN,
            _ => {
                self.at = start;
                return None;
            }
        };
        Some(if is_negative { -value } else { value })
    }

    fn radix(&mut self) -> Option<u32> {
        let prefixes = [("0x", 16), ("0b", 2), ("0o", 8)];
        prefixes.into_iter().find(|(prefix, _)| self.take(prefix)).map(|(_, radix)| radix)
    }

    /// The digits of an integer after its prefix.
    fn digits(&mut self, start: usize, radix: u32) -> Parsed<RonValue<'t>> {
        let digits = self.take_while(is_of_name);
        let sign = if self.text[start..].starts_with('-') { "-" } else { "" };
        let plain = format!("{sign}{}", digits.replace('_', ""));
        let int = i128::from_str_radix(&plain, radix).map(RonValue::Int);
        let int = int.or_else(|_| u128::from_str_radix(&plain, radix).map(RonValue::Large));
        match int {
            Ok(value) if !digits.starts_with('_') => Ok(value),
            _ => self.wrong_number(start),
        }
    }

    /// A number in digits, with or without a fraction and an exponent.
    fn decimal(&mut self, start: usize) -> Parsed<RonValue<'t>> {
        let is_digit = |char: char| char.is_ascii_digit() || char == '_';
        self.take_while(is_digit);
        // Two dots belong to a range without quotes.
        if !self.rest().starts_with("..") && self.take(".") {
            if self.rest().starts_with('_') {
                return self.wrong_number(start);
            }
            self.take_while(is_digit);
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("-") || self.take("+");
            self.take_while(is_digit);
        }
        if self.peek().is_some_and(is_of_name) {
            return self.wrong_number(start);
        }
        let plain = self.text[start..self.at].replace('_', "");
        let int = plain.parse().map(RonValue::Int);
        let int = int.or_else(|_| plain.parse().map(RonValue::Large));
        // A number too large for an integer is a float.
        int.or_else(|_| plain.parse().map(RonValue::Float)).or_else(|_| self.wrong_number(start))
    }

    fn wrong_number<T>(&mut self, start: usize) -> Parsed<T> {
        self.at = start;
        self.error("this is no number")
    }
}
