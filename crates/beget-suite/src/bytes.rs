//! The memory of a value as a state: its bytes, and those of all blocks that it leads to.
//!
//! Everything that affects the value's behaviour is in there, whatever its fields are and its
//! methods show. So is much else, so there are more states than by fields. Unwritten bytes
//! (padding), and bytes that depend on chance or on addresses, must be found by comparing several
//! processes ([`memory_difference`]); they are [doubted](Doubts) from then on.
//!
//! The module knows only texts of images: reading memory is the allocator's task, and making a
//! value twice that of a run.
//!
//! # Decisions
//!
//! **Memory as a state** is a class with one text, the image of the value, and numbers to bound it.
//!
//! - **Tracked memory, not the region** (`crates/beget-process/src/alloc/tracked.rs`). An image
//!   needs the list of live blocks. Arenas of checked memory have one, and red zones separate the
//!   end of a block from the beginning of the next. A `Method` of such a suite stands for one that
//!   is called under `track` (`TrackedMethod`), so all calls make values whose blocks are known.
//!   Structures are rebuilt by their calls for each call: clones have other memory.
//! - **Words that look like addresses are followed** (`crates/beget-process/src/alloc/image.rs`):
//!   inside a block, and right behind it. Freed blocks are marked and not followed. Addresses of
//!   the program are offsets, so tables of methods and constants distinguish values.
//! - **Padding.** Moves copy remains of the stack into it. The stack is painted before each call,
//!   so padding holds the paint, unless the call has left something there itself. That is the same
//!   in each replay, and may be the rest of an address: seven bytes behind a boolean, the same in
//!   one process and different in the next. Only the compiler knows layouts of foreign types, so
//!   processes are compared (`crates/beget-run/src/bytes.rs`). Each of three `Supervisor`s makes
//!   each block again, by workers whose stack, heap and arenas are shifted so that each of the
//!   three lowest bytes of an address differs, and whose program and libraries lie so that the
//!   other bytes differ: workers are restarted until they do (`AddressAnchors`; one in seven is
//!   given up). Other addresses, whose distance from these varies, agree in a byte once in 256
//!   times with one further process, and once in 16 million times with three. This is the one place
//!   where a result depends on chance, and the book says so. With one further process, 2 of 180
//!   runs, six at a time, had another digest for that reason; with three, and all bytes from the
//!   first that differs left out, none of 840 runs of seven suites, eight at a time and on one to
//!   four threads.
//! - **Left out of one value, or doubted in all.** From the first byte in which the images of one
//!   value differ up to the highest byte of an address, bytes are left out of that value only: the
//!   same place holds a payload in another variant of an enum, which must count. If the rest of an
//!   address ends before its highest byte, or a byte is random, the images may agree in the next
//!   value. Such a byte is doubted in all blocks of its kind (`Doubts` of the `Layout`: place of
//!   the first pointer, size, alignment), by whole words if they differ in bytes that addresses
//!   have in common, and the run begins again. If bytes are random, eight rounds must pass without
//!   a new one.
//! - **Kept, in few places.** Of 58 published defects memory shows nine that `Shown` does not,
//!   with no line of a suite written for it (`benchmarks/results/memory_defects.md`). This module
//!   defines the state, `crates/beget-process/src/alloc/image.rs` and `tracked.rs` read it,
//!   `crates/beget-run/src/bytes.rs` compares it, and `crates/beget-program/src/bytes.rs` starts
//!   the processes for that. Other modules ask `StateKind::is_repeatable`, or name the state in
//!   messages.
//! - **Alternatives considered.** Layouts from debug information have no types for raw blocks.
//!   Containers forbid switching address randomisation off. A mask for each kind of block, found by
//!   two paints, left out the payloads of enums wherever another variant had padding.

use std::any::{Any, type_name};
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use beget_heap::{
    ClassKey, Decoder, Doubts, Encoder, Field, FormCoding, FormRef, HeapGraph, Layout, Primitive,
    Schema, Undecodable, WalkRoot, Walker,
};
use beget_process::alloc::{BlockKind, BlockPlace, ByteMask, ImageBlock, ImageWord, MemoryImage};

use crate::{
    Call, Method, Operation, Outcome, ReturnValue, Showing, ShownMethod, ShownResult, StateKind,
    StateView,
};

/// The bytes of a word, all of which a pointer uses.
const WORD: usize = 8;

/// The fields in front of the methods' answers.
const FIELDS: [(&str, &str); 3] =
    [("memory", "memory"), ("memory_blocks", "usize"), ("memory_bytes", "usize")];

/// The number of fields of a memory state in front of the methods' answers.
pub const N_MEMORY_FIELDS: usize = FIELDS.len();

const MEMORY: usize = 0;
const BLOCKS: usize = 1;

/// Shows values by their memory.
pub fn bytes_view<S: Showing>() -> Option<StateView> {
    Some(StateView {
        state: StateKind::Bytes,
        describe: |schema| {
            schema.add_record_root(class_of::<S>(), &fields(S::METHODS));
            schema.unseen::<S::Of>();
            schema.seen_through_function("it is seen by its memory");
        },
        walk: |value, encoder| walk(&BytesValue::of::<S>(value, encoder.layout()), encoder),
        graph: |value, schema, layout| graph(&BytesValue::of::<S>(value, layout), schema, layout),
        decode: |_| Err(Undecodable::new("it is seen by its memory")),
    })
}

// Compiled once, not for each type.

fn walk(value: &BytesValue, encoder: &mut Encoder<'_>) {
    encoder.walk(value);
}

fn graph(value: &BytesValue, schema: &Schema, layout: &Layout) -> HeapGraph {
    HeapGraph::under(value, schema, layout)
}

/// The method itself, with tracked memory.
#[derive(Debug)]
struct TrackedMethod(Method);

impl Operation for TrackedMethod {
    fn make(&self, call: &mut Call<'_>) -> Outcome {
        beget_process::alloc::track(|| self.0.make(call))
    }

    fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        beget_process::alloc::track(|| self.0.observe(call))
    }

    fn surrounded(&self) -> Option<&Method> {
        Some(&self.0)
    }
}

/// The method with tracked memory: its blocks are known while they are allocated, so values can be
/// shown by them.
pub(crate) fn tracked(method: &Method) -> Method {
    Method { stand_in: Some(Arc::new(TrackedMethod(method.clone()))), ..method.clone() }
}

/// A value as its memory.
struct BytesValue {
    class: ClassKey,
    memory: String,
    /// The number of blocks that it leads to, and the number of bytes including its own.
    sizes: [usize; 2],
    /// True for each of these numbers that the scope bounds.
    is_bounded: [bool; 2],
    /// The answers of the methods that return a number; `None` for doubted ones.
    answers: Vec<Option<ShownResult>>,
}

/// The class of the memory of the values that `S` shows.
struct BytesOf<S>(PhantomData<S>);

fn class_of<S: Showing>() -> ClassKey {
    ClassKey::new::<BytesOf<S>>(type_name::<S::Of>())
}

/// The methods that return a number or a boolean: scopes bound values by them.
fn plain_methods(
    methods: &'static [ShownMethod],
) -> impl Iterator<Item = (&'static ShownMethod, &'static str)> {
    methods.iter().filter_map(|method| Some((method, method.plain?)))
}

fn fields(methods: &'static [ShownMethod]) -> Vec<Field> {
    let field = |(name, ty)| Field { name, ty, skipped: false };
    let answers = plain_methods(methods).map(|(method, ty)| (method.name, ty));
    FIELDS.into_iter().chain(answers).map(field).collect()
}

impl BytesValue {
    fn of<S: Showing>(value: &dyn Any, layout: &Layout) -> Self {
        BytesValue::shown_by(class_of::<S>(), S::METHODS, value, layout)
    }

    fn shown_by(
        class: ClassKey,
        methods: &'static [ShownMethod],
        value: &dyn Any,
        layout: &Layout,
    ) -> Self {
        let doubts = layout.doubts();
        // Before any method is called, which may write to a cell.
        let image = MemoryImage::of(value, &doubts.bytes);
        let answers = plain_methods(methods).enumerate().map(|(index, (method, _))| {
            let is_doubted = doubts.answers.contains(&index);
            (!is_doubted).then(|| ShownResult::of(method, value))
        });
        let answers: Vec<Option<ShownResult>> = answers.collect();
        let n_bytes = image.blocks.iter().map(|block| block.kind.size).sum();
        let is_bounded = |field| layout.bounds_field(class, field);
        BytesValue {
            class,
            memory: text_of(&image, &answers),
            sizes: [image.blocks.len() - 1, n_bytes],
            is_bounded: [BLOCKS, BLOCKS + 1].map(is_bounded),
            answers,
        }
    }
}

impl WalkRoot for BytesValue {
    fn root_class(&self) -> ClassKey {
        self.class
    }

    fn walk_root<W: Walker>(&self, walker: &mut W) {
        let class = self.class;
        walker.begin_record(class);
        if walker.field(class, MEMORY) {
            walker.primitive(Primitive::Shown(&self.memory));
        }
        for (index, (size, is_bounded)) in self.sizes.into_iter().zip(self.is_bounded).enumerate() {
            if walker.field(class, BLOCKS + index) {
                let size = size as u64;
                // A scope's rules for integers concern those of the type.
                walker.primitive(match is_bounded {
                    true => Primitive::Unsigned(size),
                    false => Primitive::Word(size),
                });
            }
        }
        for (index, answer) in self.answers.iter().enumerate() {
            if walker.field(class, FIELDS.len() + index) {
                match answer {
                    Some(answer) => answer.walk_plain(walker),
                    None => walker.primitive(Primitive::Present(false)),
                }
            }
        }
        walker.end_record();
    }
}

/// An image as text: a line for each block, its kind and then its words; the last line has the
/// methods' answers.
fn text_of(image: &MemoryImage, answers: &[Option<ShownResult>]) -> String {
    let mut text = String::new();
    for block in &image.blocks {
        write_block(&mut text, block);
        text.push('\n');
    }
    text.push('=');
    for answer in answers {
        let _ = match answer {
            None => write!(text, " _"),
            Some(ShownResult::Bool(value)) => write!(text, " {value}"),
            Some(ShownResult::Char(value)) => write!(text, " {}", u32::from(*value)),
            Some(ShownResult::Signed(value)) => write!(text, " {value}"),
            Some(ShownResult::Unsigned(value)) => write!(text, " {value}"),
            Some(ShownResult::Text(_)) => write!(text, " panics"),
        };
    }
    text
}

fn write_block(text: &mut String, ImageBlock { kind, words }: &ImageBlock) {
    let BlockKind { place, size, align } = kind;
    let _ = write!(text, "{size}/{align}");
    if let BlockPlace::InRoot(offset) = place {
        let _ = write!(text, "@{offset}");
    }
    for word in words {
        let _ = match word {
            ImageWord::Block(number, offset) => write!(text, " >{number}+{offset}"),
            ImageWord::Freed => write!(text, " freed"),
            ImageWord::Loaded(number, offset) => write!(text, " @{number}+{offset:x}"),
            ImageWord::Bytes(bytes, n) if bytes[..*n].iter().all(|byte| *byte == Some(0)) => {
                write!(text, " .")
            }
            ImageWord::Bytes(bytes, n) => {
                text.push(' ');
                bytes[..*n].iter().try_for_each(|byte| match byte {
                    Some(byte) => write!(text, "{byte:02x}"),
                    None => write!(text, "__"),
                })
            }
        };
    }
}

/// The text of a value's memory, by its form; `None` if the form holds none.
pub fn memory_text(form: FormRef<'_>, coding: FormCoding<'_>) -> Option<String> {
    let mut decoder = Decoder::new(coding, 0);
    decoder.begin(form);
    decoder.text().ok()
}

/// The differences between images of the same value, made by several processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryDifference {
    /// The bytes to doubt in all values.
    pub doubts: Doubts,
    /// Bytes of this value that hold the rest of an address, up to its highest byte. The next value
    /// may hold other bytes there.
    pub remains: ByteMask,
}

/// Leaves out the bytes of an image that differ from others because of addresses.
pub fn leave_out_remains(one: &mut [u8], others: &[&str]) {
    let (Ok(text), mut at) = (std::str::from_utf8(one).map(str::to_owned), 0) else { return };
    let mut others: Vec<_> = others.iter().map(|other| other.split([' ', '\n'])).collect();
    for word in text.split([' ', '\n']) {
        let counterparts: Vec<&str> = others.iter_mut().filter_map(Iterator::next).collect();
        if counterparts.len() < others.len() {
            return;
        }
        if word.len() == 2 * WORD
            && let Some(remains) = remains_in(word, &counterparts)
        {
            for index in remains {
                one[at + 2 * index..at + 2 * index + 2].copy_from_slice(b"__");
            }
        }
        at += word.len() + 1;
    }
}

/// The bytes of a word from the first difference to its counterparts on, if these are the rest of
/// an address: up to the highest byte that addresses have. Bytes in front are trusted. A byte in
/// between may agree by chance.
fn remains_in(word: &str, counterparts: &[&str]) -> Option<Range<usize>> {
    let is_top = |bytes: &[&str]| HIGHEST.contains(&bytes[5]) && bytes[6..] == ["00", "00"];
    let one = bytes_of(word, WORD).filter(|bytes| is_top(bytes))?;
    let mut first = None;
    for counterpart in counterparts {
        let other = bytes_of(counterpart, WORD).filter(|bytes| is_top(bytes))?;
        let differing = (0..WORD - 2).find(|&index| one[index] != other[index]);
        first = first.into_iter().chain(differing).min();
    }
    Some(first?..WORD - 2)
}

/// The differences between images of the same value made by other processes. Empty if they are
/// equal.
///
/// If a word leads to different blocks, the rest cannot be compared, so more differences may show
/// once that word is doubted.
pub fn memory_difference(one: &str, others: &[&str]) -> MemoryDifference {
    let mut found = MemoryDifference::default();
    let one = TextImage::of(one);
    let others: Vec<TextImage<'_>> = others.iter().map(|other| TextImage::of(other)).collect();
    for (number, block) in one.blocks.iter().enumerate() {
        let opposite: Vec<_> = others.iter().filter_map(|other| other.blocks.get(number)).collect();
        if opposite.iter().any(|opposite| opposite.kind != block.kind) {
            one.doubt_pointer_to(number, &mut found.doubts.bytes);
            return found;
        }
        for (index, word) in block.words.iter().enumerate() {
            let of_block = opposite.iter().filter_map(|opposite| opposite.words.get(index));
            let counterparts: Vec<&str> = of_block.copied().collect();
            let place = WordPlace { kind: block.kind, offset: index * WORD };
            if !place.compare(word, &counterparts, &mut found) {
                return found;
            }
        }
    }
    for other in &others {
        let answers = one.answers.iter().zip(&other.answers).enumerate();
        let differing = answers.filter(|(_, (one, other))| one != other);
        found.doubts.answers.extend(differing.map(|(index, _)| index));
    }
    found
}

/// An image, read from its text.
struct TextImage<'t> {
    blocks: Vec<TextBlock<'t>>,
    answers: Vec<&'t str>,
}

struct TextBlock<'t> {
    kind: BlockKind,
    words: Vec<&'t str>,
}

impl<'t> TextImage<'t> {
    fn of(text: &'t str) -> Self {
        let (blocks, answers) = text.split_once("\n=").unwrap_or((text, ""));
        let blocks = blocks.lines().enumerate().map(|(number, line)| {
            let mut words = line.split(' ');
            let kind = kind_of(words.next().unwrap_or_default(), number == 0);
            TextBlock { kind, words: words.collect() }
        });
        TextImage { blocks: blocks.collect(), answers: answers.split_whitespace().collect() }
    }

    /// The first word that leads to block `number` leads to different blocks.
    fn doubt_pointer_to(&self, number: usize, mask: &mut ByteMask) {
        let start = format!(">{number}+");
        let words = self.blocks.iter().flat_map(|block| {
            block.words.iter().enumerate().map(|(index, word)| (block.kind, index * WORD, word))
        });
        let first = words.clone().find(|(_, _, word)| word.starts_with(&start));
        if let Some((kind, offset, _)) = first {
            WordPlace { kind, offset }.doubt_all(mask);
        }
    }
}

fn kind_of(text: &str, is_root: bool) -> BlockKind {
    let (sizes, at) = text.split_once('@').map_or((text, None), |(sizes, at)| (sizes, Some(at)));
    let (size, align) = sizes.split_once('/').unwrap_or_default();
    let number = |text: &str| text.parse().unwrap_or_default();
    let place = match at {
        _ if is_root => BlockPlace::Root,
        Some(offset) => BlockPlace::InRoot(number(offset)),
        None => BlockPlace::Deeper,
    };
    BlockKind { place, size: number(size), align: number(align) }
}

/// A word of blocks of some kind.
struct WordPlace {
    kind: BlockKind,
    offset: usize,
}

impl WordPlace {
    fn n_bytes(&self) -> usize {
        WORD.min(self.kind.size - self.offset)
    }

    /// Notes the differences between a word and its counterparts. Returns whether the words after
    /// it can be compared.
    fn compare(&self, word: &str, counterparts: &[&str], found: &mut MemoryDifference) -> bool {
        if let Some(remains) = remains_in(word, counterparts) {
            for index in remains {
                found.remains.insert(self.kind, self.offset + index);
            }
            return true;
        }
        let mut differing = counterparts.iter().filter(|counterpart| **counterpart != word);
        differing.all(|counterpart| self.doubt(word, counterpart, &mut found.doubts.bytes))
    }

    /// Doubts the differences between two words. Returns whether both are bytes: then the words
    /// after them can be compared.
    fn doubt(&self, one: &str, other: &str, mask: &mut ByteMask) -> bool {
        let n_bytes = self.n_bytes();
        let (Some(one), Some(other)) = (bytes_of(one, n_bytes), bytes_of(other, n_bytes)) else {
            self.doubt_all(mask);
            return false;
        };
        if n_bytes == WORD && one[WORD - 2..] != other[WORD - 2..] {
            // Not an address: random words agree in some bytes by chance.
            self.doubt_all(mask);
            return true;
        }
        for index in 0..n_bytes {
            if one[index] != other[index] {
                mask.insert(self.kind, self.offset + index);
            }
        }
        true
    }

    fn doubt_all(&self, mask: &mut ByteMask) {
        for index in 0..self.n_bytes() {
            mask.insert(self.kind, self.offset + index);
        }
    }
}

/// The highest bytes that addresses have: of programs, and of mapped memory. The choice between two
/// of them differs only in some processes.
const HIGHEST: [&str; 4] = ["55", "56", "7e", "7f"];

/// The bytes of a word, two digits each; `None` if it stands for an address.
fn bytes_of(word: &str, n_bytes: usize) -> Option<Vec<&str>> {
    if word == "." {
        return Some(vec!["00"; n_bytes]);
    }
    let is_byte = |byte: &str| byte == "__" || byte.bytes().all(|digit| digit.is_ascii_hexdigit());
    let bytes = (0..n_bytes).map(|index| word.get(2 * index..2 * index + 2));
    let bytes = bytes.collect::<Option<Vec<&str>>>()?;
    (word.len() == 2 * n_bytes && bytes.iter().all(|byte| is_byte(byte))).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use beget_heap::Bounds;

    use super::*;
    use crate::downcast::downcast;

    const ROOT: BlockKind = BlockKind { place: BlockPlace::Root, size: 20, align: 0 };
    const NODE: BlockKind = BlockKind { place: BlockPlace::InRoot(8), size: 8, align: 4 };

    #[track_caller]
    fn assert_doubts(one: &str, other: &str, bytes: &[(BlockKind, usize)], answers: &[usize]) {
        let mut doubts = Doubts::default();
        for (kind, offset) in bytes {
            doubts.bytes.insert(*kind, *offset);
        }
        doubts.answers.extend(answers);
        let expected = MemoryDifference { doubts, ..MemoryDifference::default() };
        assert_eq!(memory_difference(one, &[one, other]), expected);
    }

    #[test]
    fn what_differs_is_doubted_byte_by_byte() {
        let one = "20/0 . >1+0 01000000\n8/4@8 0a00000000000000\n= 3 true";
        assert_doubts(one, one, &[], &[]);
        let other = "20/0 0000000007000000 >1+0 0100__00\n8/4@8 0a00000001ff0000\n= 4 true";
        assert_doubts(one, other, &[(ROOT, 4), (ROOT, 18), (NODE, 4), (NODE, 5)], &[0]);
    }

    #[test]
    fn a_word_that_differs_where_addresses_do_not_is_doubted_whole() {
        let text = |word| format!("20/0 {word} . 01000000\n=");
        let word: Vec<_> = (0..8).map(|offset| (ROOT, offset)).collect();
        assert_doubts(&text("0110203040506070"), &text("0110203040506170"), &word, &[]);
    }

    #[test]
    fn a_word_that_leads_elsewhere_is_doubted_whole_and_the_rest_waits() {
        let one = "20/0 . >1+0 01000000\n8/4@8 .\n=";
        let word: Vec<_> = (8..16).map(|offset| (ROOT, offset)).collect();
        assert_doubts(one, "20/0 . . 02000000\n=", &word, &[]);
        assert_doubts(one, "20/0 . >0+0 02000000\n=", &word, &[]);
        assert_doubts(one, "20/0 . @0+1f 02000000\n=", &word, &[]);
        assert_doubts(one, "20/0 . >1+0 01000000\n16/8@8 . .\n= 1", &word, &[]);
    }

    #[test]
    fn what_is_left_of_an_address_is_left_out_of_that_value_alone() {
        let text = |word: &str| format!("20/0 {word} . 01000000\n=");
        let check = |words: [&str; 2], left_out: &str| {
            let (one, other) = (text(words[0]), text(words[1]));
            let mut remains = ByteMask::default();
            for index in (0..8).filter(|index| &left_out[2 * index..2 * index + 2] == "__") {
                remains.insert(ROOT, index);
            }
            let doubts = Doubts::default();
            let others = [&*other, &*other];
            assert_eq!(memory_difference(&one, &others), MemoryDifference { doubts, remains });
            let mut believed = one.into_bytes();
            leave_out_remains(&mut believed, &others);
            assert_eq!(String::from_utf8(believed).unwrap(), text(left_out));
        };
        // A boolean, then the rest of an address; in the second pair the fifth byte is one.
        check(["0110203040550000", "0150607080550000"], "01__________0000");
        check(["0110203040550000", "0150607080560000"], "01__________0000");
        check(["0110203040550000", "0110203080550000"], "01102030____0000");
        // Bytes that agree by chance, the fifth one in the second pair.
        check(["0110203040550000", "0150203080550000"], "01__________0000");
        check(["0110203040550000", "0150607040550000"], "01__________0000");
        check(["0110203040550000", "0110203040550000"], "0110203040550000");
    }

    #[test]
    fn what_agrees_with_one_process_by_chance_differs_from_others() {
        let text = |word: &str| format!("20/0 {word} . 01000000\n=");
        let [one, second, third] =
            ["0110203040550000", "0110607080550000", "0150203080550000"].map(text);
        let mut believed = one.clone().into_bytes();
        leave_out_remains(&mut believed, &[&second, &third]);
        assert_eq!(String::from_utf8(believed).unwrap(), text("01__________0000"));
        let remains = memory_difference(&one, &[&second, &third]).remains;
        let (_, offsets) = remains.kinds().next().unwrap();
        assert!(offsets.iter().copied().eq(1..6));
    }

    #[test]
    fn an_image_is_a_line_for_each_block_and_one_for_the_answers() {
        let zeros = |n| ImageWord::Bytes([0; WORD].map(Some), n);
        let some = ImageWord::Bytes([Some(1), None, Some(0xab), None, None, None, None, None], 3);
        let words = vec![zeros(8), ImageWord::Block(1, 8), ImageWord::Loaded(0, 31), some];
        let root = ImageBlock { kind: ROOT, words };
        let node = ImageBlock { kind: NODE, words: vec![ImageWord::Freed, zeros(4)] };
        let image = MemoryImage { blocks: vec![root, node] };
        let answers = [Some(ShownResult::Unsigned(3)), None, Some(ShownResult::Bool(true))];
        let text = "20/0 . >1+8 @0+1f 01__ab\n8/4@8 freed .\n= 3 _ true";
        assert_eq!(text_of(&image, &answers), text);
    }

    /// A list that shows its length and its first element.
    struct ShownList;

    impl Showing for ShownList {
        type Of = Vec<u8>;

        const METHODS: &'static [ShownMethod] = &[
            ShownMethod {
                name: "len",
                plain: Some("usize"),
                show: |value| downcast::<Vec<u8>>(value).len().into(),
            },
            ShownMethod {
                name: "first",
                plain: Some("u8"),
                show: |value| downcast::<Vec<u8>>(value)[0].into(),
            },
        ];

        fn traits() -> crate::TypeTraits {
            crate::TypeTraits::default()
        }
    }

    fn schema() -> Schema {
        let mut schema = Schema::default();
        let view = bytes_view::<ShownList>().unwrap();
        (view.describe)(&mut schema);
        schema
    }

    fn class_name() -> String {
        schema().classes()[0].key.name.to_string()
    }

    /// The form of a list without some fields.
    fn form(list: &[u8], omitted: &[&str]) -> Vec<u64> {
        let omit = |field: &&str| (class_name(), (*field).to_owned());
        let omitted = omitted.iter().map(omit).collect();
        let layout = Layout::new(&schema(), &Bounds { omitted, ..Bounds::unlimited() });
        let mut encoder = Encoder::new(&layout);
        encoder.begin(0);
        let mut value = BytesValue::of::<ShownList>(&list.to_vec(), &layout);
        // The block of the elements is not tracked here.
        value.sizes[1] += list.len();
        encoder.walk(&value);
        encoder.finish().unwrap().words.to_vec()
    }

    #[test]
    fn each_field_of_a_memory_is_left_out_by_itself() {
        assert_ne!(form(&[1], &["memory"]), form(&[1, 2], &["memory"]));
        assert_eq!(form(&[1, 2], &["memory"]), form(&[1, 3], &["memory"]));
        let mut omitted = vec!["memory", "len", "first"];
        assert_ne!(form(&[1], &omitted), form(&[1, 2], &omitted));
        omitted.push("memory_bytes");
        assert_eq!(form(&[1], &omitted), form(&[1, 2], &omitted));
        let sizes = ["memory", "memory_blocks", "memory_bytes"];
        let mut omitted = sizes.to_vec();
        omitted.push("first");
        assert_ne!(form(&[1], &omitted), form(&[1, 2], &omitted));
        assert_eq!(form(&[1, 2], &omitted), form(&[3, 2], &omitted));
        omitted[3] = "len";
        assert_eq!(form(&[1], &omitted), form(&[1, 2], &omitted));
        assert_ne!(form(&[1, 2], &omitted), form(&[3, 2], &omitted));
    }

    #[test]
    fn a_scope_bounds_the_blocks_of_a_memory_and_its_bytes() {
        for (field, is_bounded) in [
            ("memory", [false, false]),
            ("memory_blocks", [true, false]),
            ("memory_bytes", [false, true]),
        ] {
            let mut bounds = Bounds::unlimited();
            bounds.field_ints.insert((class_name(), field.to_owned()), vec![0..=9]);
            let layout = Layout::new(&schema(), &bounds);
            let value = BytesValue::of::<ShownList>(&vec![3_u8, 4], &layout);
            assert_eq!(value.is_bounded, is_bounded, "{field}");
            assert_eq!(value.answers, [2_u64, 3].map(|one| Some(ShownResult::Unsigned(one))));
        }
    }

    #[test]
    fn a_form_has_the_text_of_a_memory() {
        let layout = Layout::new(&schema(), &Bounds::unlimited());
        let value = BytesValue::of::<ShownList>(&vec![3_u8, 4], &layout);
        let mut encoder = Encoder::new(&layout);
        encoder.begin(0);
        encoder.walk(&value);
        let form = encoder.finish().unwrap().to_canonical();
        assert_eq!(memory_text(form.as_ref(), (&layout).into()), Some(value.memory));
    }

    #[test]
    fn a_method_with_tracked_memory_stands_for_what_the_method_does() {
        let clone: crate::CloneFn = |_| Box::new(0_u8);
        let types = vec![crate::type_of::<u8>("Number", Some(clone))];
        let method = &crate::Suite { types, ..crate::Suite::default() }.trait_methods()[0];
        assert!(method.is_of_enrichment() && tracked(method).is_of_enrichment());
        let plain = Method { stand_in: None, ..method.clone() };
        assert!(!plain.is_of_enrichment() && !tracked(&plain).is_of_enrichment());
        assert_eq!((method.name, method.returns), ("clone", Some("Self")));
    }

    #[test]
    fn what_another_process_has_not_made_is_left_as_it_is() {
        let one = "20/0 0110203040550000";
        let mut believed = one.as_bytes().to_vec();
        leave_out_remains(&mut believed, &["20/0 0150607080550000", "20/0"]);
        assert_eq!(believed, one.as_bytes());
    }

    #[test]
    fn a_word_has_two_digits_for_each_byte() {
        assert_eq!(bytes_of(".", 2), Some(vec!["00", "00"]));
        assert_eq!(bytes_of("0a__", 2), Some(vec!["0a", "__"]));
        for other in [">1+0", "0a0b0c", "0a", "freed"] {
            assert_eq!(bytes_of(other, 2), None, "{other}");
        }
    }

    #[test]
    fn what_does_not_end_as_an_address_is_doubted_in_all_values() {
        let text = |word| format!("20/0 {word} . 01000000\n=");
        let (one, other) = (text("0110203040010000"), text("0150607080010000"));
        assert_doubts(&one, &other, &[1, 2, 3, 4].map(|offset| (ROOT, offset)), &[]);
        let mut believed = one.clone().into_bytes();
        leave_out_remains(&mut believed, &[&other]);
        assert_eq!(believed, one.into_bytes());
    }
}
