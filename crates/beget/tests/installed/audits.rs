//! Calls made once more while their memory is checked, and with elements that lie. Each defect is a
//! suite of its own, beside a twin without it; none of them is seen by the calls alone.
#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "safe code does not misuse memory")]
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]
#![allow(clippy::redundant_closure_call, reason = "what differs between types is a closure")]

use crate::common;
use crate::table;

use std::alloc::{Layout, alloc, dealloc};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use beget::elements::{Tracked, exact_items};
use beget::suites::{Suite, to_source};
use beget::{HasSuite, Heap};
use beget_engine::{AskedTally, AuditTally, Corpus, Run, Settings};
use beget_plan::scope::CallAudits;
use common::{RECONSTRUCT, plan, run_all_ways};

const ALL: CallAudits = CallAudits { memory_sound: true, memory_freed: true, lies: false };

const FIELDS: &str = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..2""#;

/// Runs a suite by all ways of copying, by one thread and two; all tell the same.
#[track_caller]
fn run(suite: fn() -> Suite, audits: CallAudits) -> Corpus {
    let plan = plan(suite(), FIELDS).with(|draft| draft.audits = audits);
    run_all_ways(&plan)
}

/// What a run finds: kind, name, message, and the calls.
fn told(corpus: &Corpus) -> Vec<[String; 4]> {
    let findings = corpus.report.findings.iter();
    let told = findings.map(|finding| {
        let problem = &finding.problem;
        let source = to_source(&corpus.plan.suite, finding.witness.recipe.as_ref().unwrap()).0;
        let name = problem.name.clone().unwrap_or_default();
        [problem.kind.name().to_owned(), name, problem.message.to_string(), source]
    });
    told.collect()
}

/// Checks that a suite has this finding alone, by these calls, and its twin none.
#[track_caller]
fn check(suite: fn() -> Suite, twin: fn() -> Suite, expected: [&str; 3], source: &str) {
    let [kind, name, message] = expected;
    let expected = [kind, name, message, source].map(str::to_owned);
    assert_eq!(told(&run(suite, ALL)), [expected]);
    // Without audits nothing is seen.
    assert_eq!(told(&run(suite, CallAudits::default())), [[""; 4]; 0]);
    let quiet = run(twin, ALL);
    assert_eq!(told(&quiet), [[""; 4]; 0]);
    // One constructor with two numbers, one call on each of two structures.
    let asked = AskedTally { asked: 4, broken: 0 };
    let audits = AuditTally { memory_sound: asked, memory_freed: asked, ..AuditTally::default() };
    assert_eq!(quiet.report.ledger.audits, audits);
}

/// A number. What `touch` does besides returning it, and the destructor, is what differs.
macro_rules! touched {
    ($name:ident, $suite:literal, $touch:expr, $drop:expr) => {
        /// A number.
        #[derive(Clone, Debug, Heap)]
        pub struct $name {
            number: u8,
        }

        /// It stays as it is.
        #[beget::api(name = $suite)]
        impl $name {
            /// The number.
            pub fn new(number: u8) -> Self {
                $name { number }
            }

            /// The number.
            pub fn touch(&mut self) -> u8 {
                let touch: fn(u8) -> u8 = $touch;
                touch(self.number)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                let end: fn(u8) = $drop;
                end(self.number);
            }
        }
    };
}

const LAYOUT: Layout = Layout::new::<[u64; 3]>();

/// Gives `work` a block of 24 bytes, and frees it as one of another `layout`.
fn with_block(layout: Layout, work: impl FnOnce(*mut u8)) {
    // SAFETY: the size is not zero; that the layout may be another one is the defect.
    unsafe {
        let block = alloc(LAYOUT);
        work(block);
        dealloc(block, layout);
    }
}

fn write(block: *mut u8, at: isize) {
    // SAFETY: at 24 there is room in a block of the system's, which nobody uses; at -1 the zero is
    // there already, and in freed memory nothing that matters.
    unsafe { block.offset(at).write_volatile(0) };
}

fn freed() -> *mut u8 {
    let mut kept = std::ptr::null_mut();
    with_block(LAYOUT, |block| {
        // SAFETY: the block is 24 bytes.
        unsafe { block.add(20).write_volatile(0) };
        kept = block;
    });
    kept
}

const MEMORY: &str = "memory";
const SOUND: &str = beget_plan::finding::MEMORY_SOUND;

/// The calls that show what is wrong with `touch`.
fn of_touch(name: &str) -> String {
    let variable = {
        let mut text = String::new();
        for (at, char) in name.char_indices() {
            if char.is_uppercase() && at > 0 {
                text.push('_');
            }
            text.push(char.to_ascii_lowercase());
        }
        text
    };
    format!("let mut {variable} = {name}::new(0);\nlet _ = {variable}.touch();")
}

touched!(
    Quiet,
    "quiet",
    |n| {
        with_block(LAYOUT, |_| ());
        n
    },
    |_| ()
);
touched!(QuietEnd, "quiet_end", |n| n, |_| with_block(LAYOUT, |block| write(block, 0)));

/// Checks what is wrong with a method.
macro_rules! of_method {
    ($test:ident, $name:ident, $suite:literal, $touch:expr, $message:literal) => {
        touched!($name, $suite, $touch, |_| ());

        #[test]
        fn $test() {
            let message = concat!("in the call, or when all is dropped, ", $message);
            let expected = [MEMORY, SOUND, message];
            check($name::suite, Quiet::suite, expected, &of_touch(stringify!($name)));
        }
    };
}

of_method!(
    a_block_freed_with_another_size_is_found,
    WrongSize,
    "wrong_size",
    |n| {
        with_block(Layout::new::<[u64; 2]>(), |_| ());
        n
    },
    "a block is allocated with the size 24 and freed with 16"
);
of_method!(
    a_block_freed_with_another_alignment_is_found,
    WrongAlign,
    "wrong_align",
    |n| {
        with_block(Layout::new::<[u32; 6]>(), |_| ());
        n
    },
    "a block is allocated with the alignment 8 and freed with 4"
);
of_method!(
    a_write_behind_a_block_is_found,
    WriteBehind,
    "write_behind",
    |n| {
        with_block(LAYOUT, |block| {
            // SAFETY: of the system's allocator, a block of 20 bytes has room for 24.
            unsafe {
                let short = Layout::new::<[u8; 20]>();
                let behind = alloc(short);
                behind.add(20).write_volatile(1);
                dealloc(behind, short);
            }
            write(block, 0);
        });
        n
    },
    "something is written 1 byte behind a block of 20"
);
of_method!(
    a_write_in_front_of_a_block_is_found,
    WriteInFront,
    "write_in_front",
    |n| {
        with_block(LAYOUT, |block| write(block, -1));
        n
    },
    "something is written 1 byte in front of a block of 24"
);
of_method!(
    a_write_into_freed_memory_is_found,
    WriteAfter,
    "write_after",
    |n| {
        write(freed(), 20);
        n
    },
    "something is written at 20 into a block of 24 bytes that is freed"
);
of_method!(
    a_read_of_freed_memory_is_found,
    ReadAfter,
    "read_after",
    // SAFETY: none, but that the memory is there.
    |_| unsafe { freed().add(20).read_volatile() },
    "what is returned has been read from memory that is freed"
);
of_method!(
    a_read_of_memory_without_contents_is_found,
    ReadBefore,
    "read_before",
    |_| {
        let mut read = 0;
        // SAFETY: none: nothing was written there.
        with_block(LAYOUT, |block| read = unsafe { block.add(20).read_volatile() });
        read
    },
    "what is returned has been read from memory to which nothing was written"
);
of_method!(
    a_block_freed_twice_is_found_though_its_address_is_in_use_again,
    FreedTwice,
    "freed_twice",
    |n| {
        // The system may have given more than was asked for: then it keeps the block for those of
        // the next size. Nothing large is allocated: that would move what is freed elsewhere.
        let layouts = [LAYOUT, Layout::new::<[u64; 5]>()];
        let mut stale = freed();
        // SAFETY: where the system has given the address of the first block to a later one, that is
        // freed. While memory is checked it never does: only then is the first freed a second time.
        unsafe {
            for _ in 0..20 {
                let later: [_; 40] = std::array::from_fn(|at| alloc(layouts[at % 2]));
                let others = later.iter().zip(layouts.iter().cycle());
                let others = others.filter(|&(&block, _)| block != stale);
                others.for_each(|(&block, &layout)| dealloc(block, layout));
                if later.contains(&stale) {
                    break;
                }
                stale = freed();
            }
            dealloc(stale, LAYOUT);
        }
        n
    },
    "a block of 24 bytes is freed twice"
);

touched!(Leaking, "leaking", |n| *Box::leak(Box::new(n)), |_| ());

struct Link {
    _next: RefCell<Option<Rc<Link>>>,
}

touched!(
    Cyclic,
    "cyclic",
    |n| {
        let link = Rc::new(Link { _next: RefCell::new(None) });
        *link._next.borrow_mut() = Some(link.clone());
        n
    },
    |_| ()
);

#[test]
fn leaks_are_found() {
    let kind = |message| ["leak", beget_plan::finding::MEMORY_FREED, message];
    let one = kind("a block of 1 bytes is never freed, though all is dropped");
    check(Leaking::suite, Quiet::suite, one, &of_touch("Leaking"));
    let cycle = kind("a block of 32 bytes is never freed, though all is dropped");
    check(Cyclic::suite, Quiet::suite, cycle, &of_touch("Cyclic"));
}

touched!(BadEnd, "bad_end", |n| n, |_| with_block(Layout::new::<u64>(), |_| ()));

/// The calls after the constructor are not blamed for it.
#[test]
fn what_a_destructor_does_is_told_of_the_constructor() {
    let message = "in the call, or when all is dropped, a block is allocated with the size 24 and freed with 8";
    let expected = [MEMORY, SOUND, message];
    check(BadEnd::suite, QuietEnd::suite, expected, "let bad_end = BadEnd::new(0);");
    let report = run(BadEnd::suite, ALL).report;
    assert_eq!(report.ledger.audits.memory_sound, AskedTally { asked: 2, broken: 2 });
    assert_eq!(report.findings[0].count, 2);
}

thread_local! {
    static CACHE: RefCell<Option<Rc<u8>>> = const { RefCell::new(None) };
}

touched!(
    Caching,
    "caching",
    |n| {
        CACHE.with_borrow_mut(|cache| {
            cache.get_or_insert_with(|| Rc::new(n));
        });
        n
    },
    |_| ()
);

#[test]
fn what_is_kept_once_and_for_all_is_no_leak() {
    let run = |copy_options| {
        let plan = plan(Caching::suite(), FIELDS).with(|draft| draft.audits = ALL);
        Run::new(plan).settings(Settings { threads: 1, copy_options }).go()
    };
    CACHE.set(None);
    assert_eq!(told(&run(RECONSTRUCT)), [[""; 4]; 0]);
}

/// Numbers in order. How `keep_less` finds those that are less than another one is what differs.
macro_rules! sorted {
    ($name:ident, $suite:literal, $keep_less:expr) => {
        /// Numbers.
        #[derive(Debug, Heap)]
        pub struct $name {
            items: Vec<Tracked>,
        }

        /// In any order.
        #[beget::api(name = $suite)]
        impl $name {
            /// Nothing.
            pub fn new() -> Self {
                $name { items: Vec::new() }
            }

            /// One number more.
            pub fn push(&mut self, item: Tracked) {
                self.items.push(item);
            }

            /// Keeps what is less.
            pub fn keep_less(&mut self, than: &Tracked) {
                let keep_less: fn(Vec<Tracked>, &Tracked) -> Vec<Tracked> = $keep_less;
                self.items = keep_less(std::mem::take(&mut self.items), than);
            }
        }
    };
}

/// Moves the elements at some places out of a list, whose others are dropped, into one that has
/// room for so many.
fn moved(items: Vec<Tracked>, room: usize, moves: impl Fn(&Tracked) -> bool) -> Vec<Tracked> {
    let mut kept: Vec<Tracked> = Vec::with_capacity(room);
    let mut items: Vec<_> = items.into_iter().map(std::mem::ManuallyDrop::new).collect();
    let mut n_kept = 0;
    for item in &mut items {
        // SAFETY: there is room for those that are moved, if as many are counted as are moved.
        unsafe {
            match moves(item) {
                true => {
                    kept.as_mut_ptr().add(n_kept).write(std::ptr::read(&**item));
                    n_kept += 1;
                }
                false => std::mem::ManuallyDrop::drop(item),
            }
        }
    }
    // SAFETY: so many were written.
    unsafe { kept.set_len(n_kept.min(kept.capacity())) };
    kept
}

sorted!(Sound, "sound", |items, than| {
    let n = items.len();
    moved(items, n, |item| item < than)
});
// Counts first, and believes that it will be the same when it looks again.
sorted!(Trusting, "trusting", |items, than| {
    let n = items.iter().filter(|item| *item < than).count();
    moved(items, n.max(1), |item| item < than)
});
// Copies those that are less, and then drops those that are not.
sorted!(Forgetful, "forgetful", |items, than| {
    let mut kept = Vec::new();
    // SAFETY: those that are copied are not dropped, if they are still less.
    kept.extend(
        items.iter().filter(|item| *item < than).map(|item| unsafe { std::ptr::read(item) }),
    );
    for item in items {
        if &item < than {
            std::mem::forget(item);
        }
    }
    kept
});

/// The items of an iterator, whose length is believed.
fn cloned(items: impl ExactSizeIterator<Item = Tracked>) -> Vec<Tracked> {
    let n = items.len();
    let mut cloned: Vec<Tracked> = Vec::with_capacity(n.max(1));
    for (at, item) in items.enumerate() {
        // SAFETY: there is room, unless the iterator has more items than its length.
        unsafe { cloned.as_mut_ptr().add(at).write(item) };
    }
    // SAFETY: `n` items were written, unless the iterator has fewer than its length.
    unsafe { cloned.set_len(n) };
    cloned
}

sorted!(Believing, "believing", |items, _| cloned(exact_items(&items)));
sorted!(Doubting, "doubting", |items, _| exact_items(&items).collect());

const LIES: CallAudits = CallAudits { memory_sound: false, memory_freed: false, lies: true };

/// Lists of no, one or two out of two numbers: 1 + 2 + 4. A lie is told in each use of an element:
/// of the literal, which is cloned where it is passed by value, and of each item.
#[test]
fn code_that_believes_elements_is_found_by_their_lies() {
    let quiet = run(Sound::suite, LIES);
    assert_eq!(told(&quiet), [[""; 4]; 0]);
    assert_eq!(quiet.report.ledger.audits.memory_sound, AskedTally::default());
    // Two pushes on each of 7 lists, in which the literal is cloned; two calls of `keep_less` on
    // each of the 6 that have items to be compared.
    assert_eq!(quiet.report.ledger.audits.lies, AskedTally { asked: 14 + 12, broken: 0 });

    let lies = "where `Ord` of an element lies in the call, ";
    let name = beget_plan::finding::ELEMENTS_SURVIVE_LIES;
    let calls = |lists: &str, n_pushes: usize, than: &str| {
        let (variable, element) = (lists.to_lowercase(), "beget::elements::Tracked::new");
        let push = format!("let _ = {variable}.push({element}(0));\n").repeat(n_pushes);
        format!(
            "let mut {variable} = {lists}::new();\n{push}let _ = {variable}.keep_less(&{element}({than}));"
        )
    };
    // That there is one, of two that are less.
    let memory = format!("{lies}something is written 1 byte behind a block of 16");
    let trusting = [MEMORY, name, &memory, &calls("Trusting", 2, "1")].map(str::to_owned);
    assert_eq!(told(&run(Trusting::suite, LIES)), [trusting]);
    let twice = format!("the contract `{name}` is broken: {lies}an element is dropped twice");
    let forgetful = ["contract", name, &twice, &calls("Forgetful", 1, "0")].map(str::to_owned);
    assert_eq!(told(&run(Forgetful::suite, LIES)), [forgetful]);
}

#[test]
fn the_table_of_seeded_defects_has_every_misuse_of_memory() {
    type Suites = [fn() -> Suite; 2];
    let of_memory: [(&str, Suites); 11] = [
        ("freed with another size", [WrongSize::suite, Quiet::suite]),
        ("freed with another alignment", [WrongAlign::suite, Quiet::suite]),
        ("written behind its end", [WriteBehind::suite, Quiet::suite]),
        ("written in front of it", [WriteInFront::suite, Quiet::suite]),
        ("written after it is freed", [WriteAfter::suite, Quiet::suite]),
        ("read after it is freed", [ReadAfter::suite, Quiet::suite]),
        ("read before it is written", [ReadBefore::suite, Quiet::suite]),
        ("freed twice", [FreedTwice::suite, Quiet::suite]),
        ("never freed", [Leaking::suite, Quiet::suite]),
        ("never freed, in a cycle", [Cyclic::suite, Quiet::suite]),
        ("freed with another size by a destructor", [BadEnd::suite, QuietEnd::suite]),
    ];
    let of_lies: [(&str, Suites); 2] = [
        ("written behind its end, where `Ord` lies", [Trusting::suite, Sound::suite]),
        ("two elements of one, where `Ord` lies", [Forgetful::suite, Sound::suite]),
    ];
    let with = |audits: CallAudits| {
        move |&(what, [seeded, sound]): &(&str, Suites)| {
            let seeded = told(&run(seeded, audits));
            let [[_, _, message, source]] = &seeded[..] else { panic!("{what}: {seeded:?}") };
            let sound = run(sound, audits);
            let asked = sound.report.ledger.audits.memory_sound.asked
                + sound.report.ledger.audits.lies.asked;
            let quiet = table::quiet(sound.report.findings.len(), asked);
            let n_calls = source.lines().count().to_string();
            [what, message, &n_calls, &quiet].map(str::to_owned).to_vec()
        }
    };
    let rows: Vec<Vec<String>> =
        of_memory.iter().map(with(ALL)).chain(of_lies.iter().map(with(LIES))).collect();
    table::check_section("Memory", &["a block is", "finding", "calls", "without"], &rows);
}

thread_local! {
    /// True if the next call of `Careless::lose` leaks.
    static LOSES: Cell<bool> = const { Cell::new(false) };
}

/// A value whose destructor panics if it is spoiled.
#[derive(Heap)]
pub struct Careless {
    is_spoiled: bool,
}

impl Drop for Careless {
    fn drop(&mut self) {
        assert!(!self.is_spoiled, "it is spoiled");
    }
}

/// Values that lose memory at times.
#[beget::api(name = "careless")]
impl Careless {
    /// Not spoiled.
    pub fn new() -> Self {
        Careless { is_spoiled: false }
    }

    /// Every second call leaks.
    pub fn lose(&self) {
        if LOSES.replace(!LOSES.get()) {
            Box::leak(Box::new([0_u64; 9]));
        }
    }

    /// Its destructor will panic.
    pub fn spoil(&mut self) {
        self.is_spoiled = true;
    }
}

/// Each audit of memory is made without the other: of `new`, and of two calls on each of two
/// values. The destructors of three of these panic, which says nothing of leaks, and of two calls
/// of `lose` only one leaks.
#[test]
fn each_audit_of_memory_counts_its_own_calls() {
    let audited = |memory_sound, memory_freed| {
        let audits = CallAudits { memory_sound, memory_freed, lies: false };
        let plan = plan(Careless::suite(), FIELDS).with(|draft| draft.audits = audits);
        let settings = Settings { threads: 1, copy_options: RECONSTRUCT };
        Run::new(plan).settings(settings).go().report.ledger.audits
    };
    let sound = |asked| AskedTally { asked, broken: 0 };
    let tally = |memory_sound, memory_freed| AuditTally {
        memory_sound: sound(memory_sound),
        memory_freed: sound(memory_freed),
        ..AuditTally::default()
    };
    assert_eq!(audited(true, false), tally(5, 0));
    assert_eq!(audited(false, true), tally(0, 2));
    assert_eq!(audited(true, true), tally(5, 2));
}

/// On the empty list, whose iterator says that there is one item.
#[test]
fn code_that_believes_the_length_of_an_iterator_is_found_by_its_lie() {
    assert_eq!(told(&run(Doubting::suite, LIES)), [[""; 4]; 0]);
    let name = beget_plan::finding::ELEMENTS_SURVIVE_LIES;
    let message = format!(
        "the contract `{name}` is broken: where `size_hint` of an iterator lies in the call, an element is dropped twice"
    );
    let calls = "let mut believing = Believing::new();\nlet _ = believing.keep_less(&beget::elements::Tracked::new(0));";
    let believing = ["contract", name, &message, calls].map(str::to_owned);
    assert_eq!(told(&run(Believing::suite, LIES)), [believing]);
}
