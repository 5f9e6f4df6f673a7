//! Mutations of texts and of lists of words.

use fastrand::Rng;

/// Pieces that mean something in one of the languages read.
const TOKENS: [&str; 60] = [
    "Scope(",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "..",
    "..=",
    "k",
    "min(",
    "max(",
    "-",
    "+",
    "*",
    "/",
    "%",
    "|",
    "null",
    "true",
    "None",
    "Some(",
    "All",
    "Only([",
    "Except([\"new\"])",
    "Builders(\"b.ron\")",
    "NaN",
    "-NaN",
    "inf",
    "-inf",
    "-0.0",
    "1e308",
    "1e-320",
    "0",
    "-1",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "170141183460469231731687303715884105727",
    "1_000_000",
    "0x7f",
    "//",
    "/*",
    "*/",
    "r#\"",
    "#![enable(implicit_some)]",
    "\u{feff}",
    "\0",
    "\u{202e}",
    "é",
    "\u{1F600}",
    "\n",
];

/// What may stand in quotes in a scope file.
const QUOTED: [&str; 20] = [
    "k",
    "k + 1",
    "0..k",
    "0..=k",
    "-k..=k",
    "2*k",
    "k/0",
    "k-1",
    "*",
    "null | 0..k",
    "Node",
    "mod_count",
    ".*",
    "(a{1000}){1000}",
    "0..2000",
    "0..1000001",
    "0..170141183460469231731687303715884105727",
    "'a'..'d'",
    "'\0'..='\u{10ffff}'",
    "k*k*k*k*k*k*k*k*k*k*k*k*k*k*k",
];

/// Numbers at the ends of things.
const NUMBERS: [&str; 13] = [
    "0",
    "1",
    "2",
    "8",
    "27",
    "64",
    "255",
    "1000",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "-1",
];

/// `text` after some mutations; `other` gives pieces of further texts.
pub(crate) fn text(text: &str, rng: &mut Rng, other: &dyn Fn(&mut Rng) -> String) -> String {
    let mut bytes = text.as_bytes().to_vec();
    // Few as a rule: files that are nearly right get furthest.
    while rng.u8(..) < 150 {
        mutate(&mut bytes, rng, other);
    }
    mutate(&mut bytes, rng, other);
    bytes.truncate(MOST_BYTES);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// More than any reader takes.
const MOST_BYTES: usize = 5 << 20;

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng, other: &dyn Fn(&mut Rng) -> String) {
    match rng.u8(..100) {
        0..10 => {
            let part = part(bytes, rng, 1);
            bytes[part].iter_mut().for_each(|byte| *byte ^= 1 << rng.u8(..8));
        }
        10..20 => drop(bytes.drain(part(bytes, rng, 30))),
        20..28 => insert(bytes, rng, |bytes, rng| bytes[part(bytes, rng, 60)].to_vec()),
        28..42 => insert(bytes, rng, |_, rng| choose(&TOKENS, rng).as_bytes().to_vec()),
        42..60 => replace_number(bytes, rng),
        60..76 => replace_quoted(bytes, rng),
        76..84 => insert(bytes, rng, |_, rng| {
            let other = other(rng);
            let lines: Vec<&str> = other.split_inclusive('\n').collect();
            if lines.is_empty() { Vec::new() } else { choose(&lines, rng).as_bytes().to_vec() }
        }),
        84..90 => {
            let other = other(rng).into_bytes();
            let from = part(&other, rng, 200);
            let to = part(bytes, rng, 200);
            bytes.splice(to, other[from].iter().copied());
        }
        90..93 => bytes.truncate(rng.usize(..=bytes.len())),
        93..96 => {
            insert(bytes, rng, |_, rng| choose(&TOKENS, rng).repeat(repetitions(rng)).into_bytes())
        }
        96..98 => {
            let list = many(rng);
            replace_value(bytes, rng, &list);
        }
        _ => drop(bytes.splice(..0, *b"\xef\xbb\xbf")),
    }
}

/// How often something is said again: now and then very often.
fn repetitions(rng: &mut Rng) -> usize {
    match rng.u16(..1000) {
        0 => 300_000,
        1..8 => 20_000,
        8..200 => 500,
        _ => rng.usize(2..100),
    }
}

/// A list of many different elements.
fn many(rng: &mut Rng) -> String {
    let n = repetitions(rng);
    let elements: Vec<String> = match rng.u8(..4) {
        0 => (0..n).map(|index| format!("\"s{index}\"")).collect(),
        1 => (0..n).map(|index| index.to_string()).collect(),
        2 => (0..n).map(|index| format!("{index}.5")).collect(),
        _ => (0..n).map(|index| format!("\"new{index}\": \"k\"")).collect(),
    };
    let (open, close) = if elements[0].contains(':') { ("{", "}") } else { ("[", "]") };
    format!("{open}{}{close}", elements.join(", "))
}

/// A part of at most `most` bytes.
fn part(bytes: &[u8], rng: &mut Rng, most: usize) -> std::ops::Range<usize> {
    let start = rng.usize(..=bytes.len());
    start..bytes.len().min(start + rng.usize(..=most))
}

fn insert(bytes: &mut Vec<u8>, rng: &mut Rng, piece: impl Fn(&[u8], &mut Rng) -> Vec<u8>) {
    let piece = piece(bytes, rng);
    let at = rng.usize(..=bytes.len());
    bytes.splice(at..at, piece);
}

fn replace_number(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let starts = (0..bytes.len()).filter(|&at| {
        bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
    });
    let starts: Vec<usize> = starts.collect();
    if starts.is_empty() {
        return;
    }
    let start = choose(&starts, rng);
    let len = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = match rng.bool() {
        true if rng.u16(..1000) == 0 => "1000000".to_owned(),
        true => choose(&NUMBERS, rng).to_owned(),
        false => rng.u32(..20).to_string(),
    };
    bytes.splice(start..start + len, number.into_bytes());
}

/// Puts an expression, a name or the like in the place of one, often changed a bit.
fn replace_quoted(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let quotes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'"');
    let quotes: Vec<usize> = quotes.map(|(at, _)| at).collect();
    if quotes.len() < 2 {
        return;
    }
    let pair = rng.usize(..quotes.len() - 1);
    let (start, end) = (quotes[pair] + 1, quotes[pair + 1]);
    let mut quoted = match rng.bool() {
        true => choose(&QUOTED, rng).as_bytes().to_vec(),
        false => bytes[start..end].to_vec(),
    };
    if rng.bool() {
        insert(&mut quoted, rng, |_, rng| choose(&TOKENS, rng).as_bytes().to_vec());
    }
    if rng.u8(..16) == 0 {
        let nested = choose(&["(", "-", "min(", "k+", "(-"], rng).repeat(repetitions(rng));
        quoted.splice(..0, nested.into_bytes());
    }
    bytes.splice(start..end, quoted);
}

/// Puts something in the place of what stands between a colon and a comma.
fn replace_value(bytes: &mut Vec<u8>, rng: &mut Rng, value: &str) {
    let colons: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b':').collect();
    if colons.is_empty() {
        return;
    }
    let start = choose(&colons, rng) + 1;
    let end = bytes[start..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |len| start + len);
    bytes.splice(start..end, format!("{value},").into_bytes());
}

/// A command line after some mutations.
pub(crate) fn words(
    words: &[String],
    rng: &mut Rng,
    other: &dyn Fn(&mut Rng) -> Vec<String>,
) -> Vec<String> {
    let mut words = words.to_vec();
    for _ in 0..rng.usize(1..6) {
        let at = rng.usize(..=words.len());
        let word = words.get(at).cloned();
        match (rng.u8(..12), word) {
            (0, Some(_)) => drop(words.remove(at)),
            (1, Some(word)) => words.insert(at, word),
            (2, Some(_)) => {
                let with = rng.usize(..words.len());
                words.swap(at, with);
            }
            (3 | 4, Some(word)) => words[at] = text(&word, rng, &|_| String::new()),
            (5 | 6, Some(word)) => {
                let mut bytes = word.into_bytes();
                replace_number(&mut bytes, rng);
                words[at] = String::from_utf8_lossy(&bytes).into_owned();
            }
            (7, Some(word)) => {
                let next = if at + 1 < words.len() { words.remove(at + 1) } else { String::new() };
                words[at] = format!("{word}={next}");
            }
            (8, _) => words.insert(at, choose(&NUMBERS, rng).to_owned()),
            (9, _) => words.insert(at, choose(&TOKENS, rng).repeat(repetitions(rng))),
            _ => {
                let other = other(rng);
                if !other.is_empty() {
                    words.insert(at, other[rng.usize(..other.len())].clone());
                }
            }
        }
    }
    words
}

pub(crate) fn choose<T: Copy>(from: &[T], rng: &mut Rng) -> T {
    from[rng.usize(..from.len())]
}
