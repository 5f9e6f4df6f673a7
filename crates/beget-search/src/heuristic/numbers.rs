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
    fn signs_and_quotation_marks_belong_to_no_word_before_them() {
        assert_eq!(
            (numbers("3-4"), numbers("x-2"), numbers("--5")),
            (vec![3, 4], vec![2], vec![5])
        );
        assert_eq!(numbers("a_1 7_b 2x é3"), []);
        assert_eq!((numbers("\"7\" 8"), numbers("''9")), (vec![8], vec![9]));
        assert_eq!(numbers("a 'b 5' 6 don't 7 `it's 8` 9"), [6, 7, 9]);
        // No other mark ends a quotation.
        assert_eq!((numbers("'\"1' 2"), numbers("`3")), (vec![2], vec![]));
    }

    #[test]
    fn ranges_differ_in_their_integers() {
        assert_eq!((numbers("2..=5"), shape("2..=5")), (vec![2, 5], "..=".to_owned()));
        assert_eq!(shape("-1..3"), shape("10..30"));
        assert_ne!(shape("..3"), shape("..=3"));
    }
}
