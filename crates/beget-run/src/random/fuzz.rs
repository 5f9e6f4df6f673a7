//! Numbers and texts that are near known ones.
//!
//! A literal of the pool is changed by a step: a number by one that is drawn from a bell curve, by
//! one of its bits, or by arithmetic; a text by inserting, replacing or deleting a character, or by
//! deleting what is between two places. All choices come from the chooser, so that an equal run
//! draws equal literals.
//!
//! Source: the fuzzers for numbers and texts of GRT (Ma, Artho, Zhang, Sato, Gmeiner and Ramler,
//! ASE 2015). Departure: integers are changed by bits and by arithmetic too, since in Rust the
//! limits of their types are where they overflow.

use beget_suite::{Chooser, Pools};

/// The number of summands of a step, each from `-FARTHEST` to `FARTHEST`: nearly a bell curve with
/// a standard deviation of about 30, as in GRT.
const PARTS_OF_STEP: usize = 3;
const FARTHEST: i64 = 30;

/// The characters inserted into texts besides their own: printable ASCII.
const PRINTABLE: std::ops::RangeInclusive<u8> = b' '..=b'~';

/// Pools with one of the given numbers, characters and texts, changed; `None` if there are none.
pub(crate) fn mutated(scalars: &Pools, choose: &mut dyn Chooser) -> Option<Pools> {
    let empty = Pools { clamp: true, longest: 1, ..Pools::default() };
    if let Some(int) = one_of(&scalars.ints, choose) {
        return Some(Pools { ints: Some(vec![mutated_int(int, choose)]), ..empty });
    }
    if let Some(float) = one_of(&scalars.floats, choose) {
        return Some(Pools { floats: Some(vec![mutated_float(float, choose)]), ..empty });
    }
    if let Some(character) = one_of(&scalars.chars, choose) {
        return Some(Pools { chars: Some(vec![mutated_char(character, choose)]), ..empty });
    }
    let text = one_of(&scalars.strings, choose)?;
    Some(Pools { strings: Some(vec![mutated_text(&text, choose)]), ..empty })
}

fn one_of<T: Clone>(values: &Option<Vec<T>>, choose: &mut dyn Chooser) -> Option<T> {
    let values = values.as_deref().filter(|values| !values.is_empty())?;
    Some(values[choose.index(values.len())].clone())
}

/// A number of the bell curve.
fn step(choose: &mut dyn Chooser) -> i64 {
    let part = |_| choose.below(2 * FARTHEST as u64 + 1) as i64 - FARTHEST;
    (0..PARTS_OF_STEP).map(part).sum()
}

fn mutated_int(int: i128, choose: &mut dyn Chooser) -> i128 {
    match choose.below(3) {
        0 => int.saturating_add(step(choose).into()),
        1 => flip_bit(int, choose),
        _ => match choose.below(5) {
            0 => int.saturating_neg(),
            1 => int.saturating_mul(2),
            2 => int / 2,
            3 => int.saturating_add(1),
            _ => int.saturating_sub(1),
        },
    }
}

/// The integer with another bit, as a number of 8 to 64 bits. The highest of these may be a sign.
fn flip_bit(int: i128, choose: &mut dyn Chooser) -> i128 {
    let width = [8, 16, 32, 64][choose.index(4)];
    let bit = choose.below(width);
    let is_sign = bit + 1 == width && choose.below(2) == 1;
    int ^ (if is_sign { -1 << bit } else { 1 << bit })
}

fn mutated_float(float: f64, choose: &mut dyn Chooser) -> f64 {
    match choose.below(3) {
        0 => float + step(choose) as f64,
        1 => f64::from_bits(float.to_bits() ^ (1 << choose.below(64))),
        _ => match choose.below(5) {
            0 => -float,
            1 => float * 2.0,
            2 => float / 2.0,
            3 => float.next_up(),
            _ => float.next_down(),
        },
    }
}

/// One that is near, or the same where none is there.
fn mutated_char(character: char, choose: &mut dyn Chooser) -> char {
    let near = i64::from(u32::from(character)) + step(choose);
    u32::try_from(near).ok().and_then(char::from_u32).unwrap_or(character)
}

fn mutated_text(text: &str, choose: &mut dyn Chooser) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let n = characters.len();
    // There is nothing but inserting that an empty text allows.
    let how = if n == 0 { 0 } else { choose.below(4) };
    match how {
        0 => {
            let new = new_char(&characters, choose);
            characters.insert(choose.index(n + 1), new);
        }
        1 => characters[choose.index(n)] = new_char(&characters, choose),
        2 => drop(characters.remove(choose.index(n))),
        _ => {
            let start = choose.index(n);
            let end = start + 1 + choose.index(n - start);
            characters.drain(start..end);
        }
    }
    characters.into_iter().collect()
}

/// One of some characters, or any printable one.
fn new_char(characters: &[char], choose: &mut dyn Chooser) -> char {
    if !characters.is_empty() && choose.below(2) == 0 {
        return characters[choose.index(characters.len())];
    }
    let n = u64::from(PRINTABLE.end() - PRINTABLE.start()) + 1;
    char::from(PRINTABLE.start() + choose.below(n) as u8)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beget_suite::{RecordedChoices, SplitMix64};

    use super::*;

    #[test]
    fn steps_are_those_of_a_bell_curve() {
        let mut choose = SplitMix64::of_seeds(&[3]);
        let steps: Vec<f64> = (0..20_000).map(|_| step(&mut choose) as f64).collect();
        let n = steps.len() as f64;
        let mean = steps.iter().sum::<f64>() / n;
        let deviation = (steps.iter().map(|step| step * step).sum::<f64>() / n).sqrt();
        assert!(mean.abs() < 1.0 && (29.5..31.5).contains(&deviation), "{mean} {deviation}");
        // Within one deviation there are 68 of a hundred.
        let near = steps.iter().filter(|step| step.abs() <= deviation).count() as f64 / n;
        assert!((0.65..0.71).contains(&near), "{near}");
    }

    /// All texts that one change makes of a text, by a loop over the changes.
    fn neighbours(text: &str) -> BTreeSet<String> {
        let characters: Vec<char> = text.chars().collect();
        let n = characters.len();
        let mut new: Vec<char> = PRINTABLE.map(char::from).collect();
        new.extend(&characters);
        let mut all = BTreeSet::new();
        for at in 0..=n {
            for &inserted in &new {
                let [before, after] = [&characters[..at], &characters[at..]];
                all.insert([before, &[inserted], after].concat().iter().collect());
                if let [_, rest @ ..] = after {
                    all.insert([before, &[inserted], rest].concat().iter().collect());
                }
            }
            for end in at + 1..=n {
                all.insert([&characters[..at], &characters[end..]].concat().iter().collect());
            }
        }
        all
    }

    #[test]
    fn texts_are_changed_in_all_ways_and_in_no_other() {
        for text in ["", "a", "hä\u{1f980}"] {
            let mut choose = SplitMix64::of_seeds(&[7]);
            let made: BTreeSet<String> =
                (0..50_000).map(|_| mutated_text(text, &mut choose)).collect();
            assert_eq!(made, neighbours(text), "{text:?}");
        }
    }

    #[test]
    fn integers_come_to_the_limits_of_their_types() {
        let mut choose = SplitMix64::of_seeds(&[1]);
        let made: BTreeSet<i128> = (0..50_000).map(|_| mutated_int(0, &mut choose)).collect();
        let expected = [1, -1, i8::MIN.into(), 1 << 7, i32::MIN.into(), i64::MIN.into(), 1 << 63];
        assert!(expected.iter().all(|int| made.contains(int)), "{made:?}");
        let extreme = [i128::MIN, i128::MAX];
        let beyond = extreme.map(|int| (0..1000).map(|_| mutated_int(int, &mut choose)).max());
        assert_eq!(beyond, [Some(i128::MAX); 2]);
    }

    /// The change of one integer: an addition, a bit, or a step of arithmetic.
    #[test]
    fn each_choice_makes_its_change_of_an_integer() {
        let changed = |choices: &[u64]| {
            let scalars = Pools { ints: Some(vec![100]), ..Pools::default() };
            let pools = mutated(&scalars, &mut RecordedChoices::new(choices.to_vec()));
            let pools = pools.expect("there are integers");
            assert_eq!((pools.clamp, pools.longest), (true, 1));
            pools.ints.expect("there are integers")[0]
        };
        // The first is the integer that is chosen, the second how it is changed.
        assert_eq!(changed(&[0, 0, 31, 30, 30]), 101);
        let arithmetic = [0, 1, 2, 3, 4].map(|step| changed(&[0, 2, step]));
        assert_eq!(arithmetic, [-100, 200, 50, 101, 99]);
        // Bits of a number of 8 bits, the last of which may be its sign.
        assert_eq!([0, 1].map(|sign| changed(&[0, 1, 0, 3, sign])), [108; 2]);
        assert_eq!([0, 1].map(|sign| changed(&[0, 1, 0, 7, sign])), [228, -28]);
    }

    #[test]
    fn equal_choices_make_equal_changes() {
        let scalars = Pools { floats: Some(vec![1.5, f64::NAN]), ..Pools::default() };
        let floats = |choices: &[u64]| {
            let changed = mutated(&scalars, &mut RecordedChoices::new(choices.to_vec()));
            changed.and_then(|pools| pools.floats).expect("there are floats")
        };
        // The first one, by a step of 30 + 0 - 30 and one.
        assert_eq!(floats(&[0, 0, 60, 30, 1]), [2.5]);
        assert_eq!(floats(&[0, 2, 1]), [3.0]);
        // The lowest bit of the exponent.
        assert_eq!(floats(&[0, 1, 52]), [0.75]);
        assert_eq!(mutated(&Pools::default(), &mut RecordedChoices::default()), None);
    }

    #[test]
    fn each_choice_makes_its_change_of_a_float() {
        let changed = |choices: &[u64]| {
            let scalars = Pools { floats: Some(vec![1.5]), ..Pools::default() };
            let pools = mutated(&scalars, &mut RecordedChoices::new(choices.to_vec()));
            pools.and_then(|pools| pools.floats).expect("there are floats")[0]
        };
        let arithmetic = [0, 1, 2, 3, 4].map(|step| changed(&[0, 2, step]));
        assert_eq!(arithmetic, [-1.5, 3.0, 0.75, 1.5_f64.next_up(), 1.5_f64.next_down()]);
        // The bit of the sign.
        assert_eq!(changed(&[0, 1, 63]), -1.5);
    }

    #[test]
    fn a_bit_that_is_set_is_cleared() {
        assert_eq!(flip_bit(0b110_0100, &mut RecordedChoices::new(vec![0, 2])), 0b110_0000);
    }

    #[test]
    fn characters_and_texts_are_changed_if_there_are_no_numbers() {
        let choices = |choices: &[u64]| RecordedChoices::new(choices.to_vec());
        // By a step of 30 + 0 - 29.
        let scalars = Pools { chars: Some(vec!['m']), ..Pools::default() };
        let pools = mutated(&scalars, &mut choices(&[0, 60, 30, 1])).expect("there is a letter");
        assert_eq!(pools.chars, Some(vec!['n']));
        let text = |of: &str, made: &[u64]| {
            let scalars = Pools { strings: Some(vec![of.to_owned()]), ..Pools::default() };
            let pools = mutated(&scalars, &mut choices(&[&[0], made].concat()));
            pools.expect("there is a text").strings.expect("a text is made of it").remove(0)
        };
        // The second character is removed, or all from there on.
        assert_eq!([text("abc", &[2, 1, 1]), text("abc", &[3, 1, 1])], ["ac", "a"]);
        // The first is replaced: by the second, or by the second printable one.
        assert_eq!([text("ab", &[1, 0, 1, 0]), text("ab", &[1, 1, 1, 0])], ["bb", "!b"]);
    }
}
