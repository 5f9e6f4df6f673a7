//! Names: of variables, types and crates.

/// `SlotMap` is `slot_map`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let mut follows_lowercase = false;
    for letter in name.chars() {
        if letter.is_uppercase() && follows_lowercase {
            text.push('_');
        }
        follows_lowercase = !letter.is_uppercase();
        text.extend(letter.to_lowercase());
    }
    text
}

/// `bit_vec` is `BitVec`.
pub(crate) fn camel_case(name: &str) -> String {
    let words = name.split(['_', '-']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Returns whether every module knows a type of that name.
pub(crate) fn is_prelude_type(name: &str) -> bool {
    matches!(name, "Vec" | "String" | "Box" | "Option" | "Result")
}

/// Returns whether the name can stand for a parameter.
pub(crate) fn is_parameter_name(name: &str) -> bool {
    const KEYWORDS: [&str; 8] = ["type", "match", "ref", "in", "fn", "move", "mut", "self"];
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|first| first.is_ascii_lowercase());
    starts_well
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case() {
        for (name, snake) in
            [("SlotMap", "slot_map"), ("LRU", "lru"), ("Slab", "slab"), ("Vec2D", "vec2_d")]
        {
            assert_eq!(snake_case(name), snake);
        }
        assert_eq!(camel_case("bit_vec"), "BitVec");
        assert!(
            is_parameter_name("value_2") && !is_parameter_name("_") && !is_parameter_name("(a, b)")
        );
    }
}
