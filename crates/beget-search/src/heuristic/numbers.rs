//! The integers in a text: a message, or a literal.

/// The integers of a text, except those between quotation marks or backticks, and those that are
/// part of a word.
pub(crate) fn numbers(text: &str) -> Vec<i128> {
    let (mut numbers, mut quote, mut word) = (Vec::new(), None, String::new());
    for char in text.chars().chain([' ']) {
        match quote {
            Some(open) if char == open => quote = None,
            Some(_) => {}
            // An apostrophe within a word opens nothing.
            None if matches!(char, '`' | '"') || (char == '\'' && word.is_empty()) => {
                quote = Some(char);
            }
            None if char.is_alphanumeric() || char == '_' || (char == '-' && word.is_empty()) => {
                word.push(char);
                continue;
            }
            None => {}
        }
        numbers.extend(word.parse::<i128>());
        word.clear();
    }
    numbers
}

/// A text without its integers: equal for literals that differ only in these.
pub(crate) fn shape(text: &str) -> String {
    text.chars().filter(|char| !char.is_ascii_digit() && *char != '-').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_but_those_of_quoted_texts_and_words() {
        assert_eq!(numbers("the len is 3 but the index is -5."), [3, -5]);
        assert_eq!(numbers("it is inside 'é' (bytes 0..2) of `é7 8`"), [0, 2]);
        assert_eq!(numbers("u8 can't hold 256"), [256]);
        assert_eq!(numbers("  left: 1\n right: 2"), [1, 2]);
    }

    #[test]
    fn ranges_differ_in_their_integers() {
        assert_eq!((numbers("2..=5"), shape("2..=5")), (vec![2, 5], "..=".to_owned()));
        assert_eq!(shape("-1..3"), shape("10..30"));
        assert_ne!(shape("..3"), shape("..=3"));
    }
}
